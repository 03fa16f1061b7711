//! The index of each position within its class.

use super::subsets::{self, MOST_MEMBERS};
use crate::game::Board;
use crate::game::bitboard::each;
use crate::game::endgames::{Endgames, KINDS, MaterialClass, Placement};
use arrayvec::ArrayVec;

/// The squares that each kind of piece can occupy, numbered as places from 0, under each symmetry.
pub(super) struct Places {
    zones: [u128; KINDS],
    /// The squares of the places of each kind.
    squares: [Vec<u8>; KINDS],
    /// The place of each square's image, by kind and symmetry.
    images: [Vec<[u8; 128]>; KINDS],
}

impl Places {
    pub(super) fn new<G: Endgames>(board: Board) -> Self {
        let (zones, symmetries) = (G::zones(board), G::symmetries(board));
        let squares = zones.map(|zone| each(zone).collect::<Vec<u8>>());
        let images = std::array::from_fn(|kind| {
            symmetries.iter().map(|image| places_of_images(&squares[kind], image)).collect()
        });
        Self { zones, squares, images }
    }

    /// The number of places of a kind.
    pub(super) fn count(&self, kind: usize) -> usize {
        self.squares[kind].len()
    }

    /// Whether every piece is on a square that its kind can occupy.
    #[inline]
    fn holds(&self, placement: &Placement) -> bool {
        placement.sets.iter().zip(self.zones).all(|(set, zone)| set & !zone == 0)
    }

    /// The rank of the set of a kind's squares under a symmetry.
    #[inline]
    fn rank(&self, kind: usize, set: u128, symmetry: usize) -> u64 {
        let image = &self.images[kind][symmetry];
        let mut members: ArrayVec<u8, MOST_MEMBERS> = ArrayVec::new();
        for square in each(set).take(MOST_MEMBERS) {
            members.push(image[usize::from(square)]);
        }
        members.sort_unstable();
        subsets::rank(&members)
    }

    fn unrank(&self, kind: usize, number: u64, members: u8) -> u128 {
        let mut set = 0;
        subsets::unrank(number, members, |place| {
            set |= 1 << self.squares[kind][usize::from(place)];
        });
        set
    }
}

fn places_of_images(squares: &[u8], image: &[u8; 128]) -> [u8; 128] {
    let mut places = [0; 128];
    for &square in squares {
        let image = image[usize::from(square)];
        places[usize::from(square)] =
            squares.iter().position(|&known| known == image).unwrap_or_default() as u8;
    }
    places
}

/// A set of squares of the first kind, reduced by symmetry.
#[derive(Clone, Copy)]
struct Turned {
    /// The index of its representative.
    number: u32,
    /// The symmetries that map it to the representative, one bit each.
    symmetries: u8,
}

/// The indexing of a class: one index for all placements that are symmetric images of each other.
pub(super) struct ClassIndex {
    pub(super) class: MaterialClass,
    /// The reduced sets of the first kind, by rank.
    turned: Vec<Turned>,
    /// The ranks of the representatives.
    leads: Vec<u32>,
    /// The number of sets of each kind.
    sizes: [u64; KINDS],
    /// The number of placements of all kinds except the first.
    rest: u64,
}

impl ClassIndex {
    /// The greatest number of sets of the first kind.
    const MOST_LEADS: u64 = 1 << 24;
    /// The greatest number of placements, with symmetric ones counted separately.
    const MOST_PLACEMENTS: u64 = 1 << 42;

    /// The number of sets of each kind; `None` if the class is too large to index.
    pub(super) fn sizes(places: &Places, class: MaterialClass) -> Option<[u64; KINDS]> {
        if class.counts.iter().any(|&count| usize::from(count) > MOST_MEMBERS) {
            return None;
        }
        let sizes: [u64; KINDS] = std::array::from_fn(|kind| {
            subsets::count(places.count(kind), class.counts[kind]).max(1)
        });
        let all = sizes.iter().try_fold(1u64, |all, &size| all.checked_mul(size))?;
        (sizes[0] <= Self::MOST_LEADS && all <= Self::MOST_PLACEMENTS).then_some(sizes)
    }

    /// The indexing of a class with these [`sizes`](Self::sizes).
    pub(super) fn new(places: &Places, class: MaterialClass, sizes: [u64; KINDS]) -> Self {
        let (turned, leads) = representatives(places, class.counts[0], sizes[0]);
        Self { class, turned, leads, sizes, rest: sizes[1..].iter().product() }
    }

    /// The exclusive upper bound of the indices.
    pub(super) fn len(&self) -> u64 {
        self.leads.len() as u64 * self.rest
    }

    /// The index of a placement of this class; `None` if a piece is on a square that it cannot
    /// occupy.
    #[inline]
    pub(super) fn number(&self, places: &Places, placement: &Placement) -> Option<usize> {
        if !places.holds(placement) {
            return None;
        }
        let lead = places.rank(0, placement.sets[0], 0);
        let Turned { number, symmetries } = *self.turned.get(lead as usize)?;
        let rest = each(u64::from(symmetries))
            .map(|symmetry| self.rest_number(places, placement, symmetry.into()))
            .min()?;
        Some((u64::from(number) * self.rest + rest) as usize)
    }

    /// The combined rank of all kinds except the first, under a symmetry.
    #[inline]
    fn rest_number(&self, places: &Places, placement: &Placement, symmetry: usize) -> u64 {
        let mut number = 0;
        for kind in 1..KINDS {
            if placement.sets[kind] != 0 {
                number =
                    number * self.sizes[kind] + places.rank(kind, placement.sets[kind], symmetry);
            }
        }
        number
    }

    /// The placement at an index.
    pub(super) fn placement(&self, places: &Places, number: usize) -> Placement {
        let (lead, mut rest) = (number as u64 / self.rest, number as u64 % self.rest);
        let mut sets = [0; KINDS];
        for kind in (1..KINDS).rev() {
            let count = self.class.counts[kind];
            sets[kind] = places.unrank(kind, rest % self.sizes[kind], count);
            rest /= self.sizes[kind];
        }
        let lead = self.leads.get(lead as usize).copied().unwrap_or_default();
        sets[0] = places.unrank(0, lead.into(), self.class.counts[0]);
        Placement { class: self.class, sets }
    }
}

/// Reduces each set of the first kind to its least image. Returns the reduced sets and the
/// representatives' ranks.
fn representatives(places: &Places, members: u8, size: u64) -> (Vec<Turned>, Vec<u32>) {
    let (mut turned, mut leads) = (Vec::with_capacity(size as usize), Vec::new());
    for number in 0..size {
        let set = places.unrank(0, number, members);
        let symmetries = 0..places.images[0].len().min(8);
        let images: ArrayVec<u64, 8> =
            symmetries.map(|symmetry| places.rank(0, set, symmetry)).collect();
        let least = images.iter().copied().min().unwrap_or(number);
        let bits = images.iter().enumerate().filter(|&(_, &image)| image == least);
        let symmetries = bits.fold(0, |all, (symmetry, _)| all | 1 << symmetry);
        if least == number {
            leads.push(number as u32);
        }
        // Lesser images have been visited already, so `leads` holds them in ascending order.
        let number = leads.binary_search(&(least as u32)).unwrap_or_default() as u32;
        turned.push(Turned { number, symmetries });
    }
    (turned, leads)
}
