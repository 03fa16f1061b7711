//! The numbers of the positions of a class.

use super::subsets::{self, MOST_MEMBERS};
use crate::game::Board;
use crate::game::bitboard::each;
use crate::game::endgames::{Endgames, KINDS, MaterialClass, Placement};
use arrayvec::ArrayVec;

/// Where each kind of piece can stand, as places 0, 1, 2 and so on, under each symmetry.
pub(super) struct Places {
    zones: [u128; KINDS],
    /// The squares of each kind's places.
    squares: [Vec<u8>; KINDS],
    /// By kind and symmetry, the place of each square's image.
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

    /// Whether every piece stands where its kind can.
    #[inline]
    fn holds(&self, placement: &Placement) -> bool {
        placement.sets.iter().zip(self.zones).all(|(set, zone)| set & !zone == 0)
    }

    /// The number of a kind's set under a symmetry.
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

/// The image of a set of squares of the first kind.
#[derive(Clone, Copy)]
struct Turned {
    /// The number of its representative.
    number: u32,
    /// The symmetries that lead to it, a bit each.
    symmetries: u8,
}

/// The numbering of a class: a number for each placement but for symmetric images.
pub(super) struct ClassIndex {
    pub(super) class: MaterialClass,
    /// By the number of a set of the first kind.
    turned: Vec<Turned>,
    /// The numbers of the representatives.
    leads: Vec<u32>,
    /// The number of sets of each kind.
    sizes: [u64; KINDS],
    /// The placements of all kinds but the first.
    rest: u64,
}

impl ClassIndex {
    /// The most sets of the first kind.
    const MOST_LEADS: u64 = 1 << 24;
    /// The most placements, symmetric ones counted separately.
    const MOST_PLACEMENTS: u64 = 1 << 42;

    /// The number of sets of each kind; `None` where the class is too large to be numbered.
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

    /// The numbering of a class with these [`sizes`](Self::sizes).
    pub(super) fn new(places: &Places, class: MaterialClass, sizes: [u64; KINDS]) -> Self {
        let (turned, leads) = representatives(places, class.counts[0], sizes[0]);
        Self { class, turned, leads, sizes, rest: sizes[1..].iter().product() }
    }

    /// The numbers in use are below this.
    pub(super) fn len(&self) -> u64 {
        self.leads.len() as u64 * self.rest
    }

    /// The number of a placement of this class; `None` where a piece stands where it cannot.
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

    /// The number of the sets of all kinds but the first, under a symmetry.
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

    /// The placement with this number.
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

/// The representative of each set of the first kind, the least image, and the sets that are ones.
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
        // Images that are less have been met, and are in ascending order.
        let number = leads.binary_search(&(least as u32)).unwrap_or_default() as u32;
        turned.push(Turned { number, symmetries });
    }
    (turned, leads)
}
