//! Endgames from the side to move: own pieces and other pieces.

use super::{Breakthrough, Geometry, View};
use crate::game::bitboard::{FILE_A, MAX_SIDE, each, mirror};
use crate::game::endgames::{Endgames, KINDS, MaterialClass, Placement};
use crate::game::{Board, Position, Side};

/// The class of these numbers of own and other pieces.
fn class(own: u8, other: u8) -> MaterialClass {
    MaterialClass { counts: [own, other, 0, 0], state: 0 }
}

fn placement(own: u64, other: u64) -> Placement {
    Placement::new([own.into(), other.into(), 0, 0], 0)
}

impl Endgames for Breakthrough {
    const MATERIAL: &'static [&'static str] = &["pieces of one side", "pieces of the other side"];
    const USUAL: &'static [&'static [u8]] = &[&[2, 2]];

    fn groups(most: &[u8]) -> Vec<Vec<MaterialClass>> {
        let (few, many) = match most {
            &[a, b, ..] => (a.min(b), a.max(b)),
            _ => (0, 0),
        };
        let mut groups = Vec::new();
        for a in 1..=few {
            groups.extend((a..=many).map(|b| match a == b {
                true => vec![class(a, b)],
                false => vec![class(a, b), class(b, a)],
            }));
        }
        groups
    }

    fn class_name(class: MaterialClass) -> String {
        format!("{}-{}", class.counts[0], class.counts[1])
    }

    fn zones(board: Board) -> [u128; KINDS] {
        Geometry::get(board.cols(), board.rows())
            .map_or([0; KINDS], |g| [(g.mask & !g.top).into(), (g.mask & !g.bottom).into(), 0, 0])
    }

    fn symmetries(board: Board) -> Vec<[u8; 128]> {
        let identity = std::array::from_fn(|square| square as u8);
        let mut mirrored = identity;
        for square in each(FILE_A.wrapping_mul(0xff >> (MAX_SIDE - board.cols()))) {
            let image = mirror(1 << square, board.cols());
            mirrored[usize::from(square)] = image.trailing_zeros() as u8;
        }
        vec![identity, mirrored]
    }

    #[inline]
    fn placement(&self) -> Placement {
        let View { own, other, .. } = self.view();
        placement(own, other)
    }

    fn of_placement(board: Board, placement: &Placement) -> Option<Self> {
        let [own, other, ..] = placement.sets.map(|set| set as u64);
        let position = Self::from_pieces(board, own, other, Side::First).ok()?;
        position.outcome().is_none().then_some(position)
    }

    fn predecessors(&self, visit: &mut dyn FnMut(Placement)) {
        // From the side that has just moved: its pieces go back down.
        let View { own, other, geometry: g } = self.view().turned();
        let empty = g.mask & !(own | other);
        for to in each(own) {
            let piece = 1 << to;
            let origins = g.down(piece) | g.down_left(piece) | g.down_right(piece);
            for from in each(origins & empty) {
                visit(placement(own ^ piece | 1 << from, other));
            }
        }
    }
}
