//! Ataxx moves in 16 bits.

use super::squares::FAR;
use crate::game::MoveCode;

/// A move: a clone to a square, a jump from one square to another, or a pass.
///
/// Clones come first in the order of moves, then jumps, then the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A new piece appears next to an own piece.
    Clone,
    /// A piece moves from this square to a square at distance two.
    Jump {
        /// The square that the piece leaves.
        from: u8,
    },
    /// The side has no other move.
    Pass,
}

/// The code of a clone is 1 + target; the codes of jumps follow.
const FIRST_JUMP: u16 = 65;
/// The code after the last jump.
const PASS: u16 = FIRST_JUMP + 64 * 64;

impl Move {
    /// The pass.
    pub const PASS: Move = Move(PASS);

    /// A clone to a square (0 to 63; higher bits are cut off).
    #[inline]
    pub const fn clone_to(to: u8) -> Self {
        Self(1 + (to & 63) as u16)
    }

    /// A jump between two squares (0 to 63 each; higher bits are cut off).
    #[inline]
    pub const fn jump(from: u8, to: u8) -> Self {
        Self(FIRST_JUMP + (from & 63) as u16 * 64 + (to & 63) as u16)
    }

    /// The kind of the move.
    #[inline]
    pub const fn kind(self) -> Kind {
        match self.0 {
            PASS => Kind::Pass,
            code if code < FIRST_JUMP => Kind::Clone,
            code => Kind::Jump { from: ((code - FIRST_JUMP) >> 6) as u8 },
        }
    }

    /// The square that the move enters; a1 for a pass.
    #[inline]
    pub const fn to(self) -> u8 {
        (self.0.wrapping_sub(1) & 63) as u8
    }
}

impl MoveCode for Move {
    /// A clone for each square, 16 jumps to each square, and the pass.
    const HISTORY_SIZE: usize = 64 * 17 + 1;

    #[inline]
    fn code(self) -> u16 {
        self.0
    }

    #[inline]
    fn from_code(code: u16) -> Self {
        Self(code.clamp(1, PASS))
    }

    #[inline]
    fn history_index(self) -> usize {
        let to = usize::from(self.to());
        match self.kind() {
            Kind::Clone => to,
            // The rank of the origin among the squares at distance two; the origin in a damaged
            // code may be any other square.
            Kind::Jump { from } => {
                let before = FAR[to] & ((1 << from) - 1);
                64 + to * 16 + (before.count_ones() as usize).min(15)
            }
            Kind::Pass => Self::HISTORY_SIZE - 1,
        }
    }

    /// Replies are stored by the target square of the move that they answer.
    const CONTEXTS: usize = 64;

    #[inline]
    fn context(self) -> usize {
        self.to().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_what_they_were_made_of() {
        for to in 0..64 {
            assert_eq!((Move::clone_to(to).kind(), Move::clone_to(to).to()), (Kind::Clone, to));
            for from in 0..64 {
                let jump = Move::jump(from, to);
                assert_eq!((jump.kind(), jump.to()), (Kind::Jump { from }, to));
                assert!(Move::clone_to(to) < jump && jump < Move::PASS);
            }
        }
        assert_eq!((Move::PASS.kind(), Move::PASS.to()), (Kind::Pass, 0));
    }

    #[test]
    fn possible_moves_have_history_cells_of_their_own() {
        let jumps = (0..64u8).flat_map(|to| {
            let sources = super::super::squares::each(FAR[usize::from(to)]);
            sources.map(move |from| Move::jump(from, to))
        });
        let mut cells: Vec<usize> = (0..64)
            .map(Move::clone_to)
            .chain(jumps)
            .chain([Move::PASS])
            .map(Move::history_index)
            .collect();
        let count = cells.len();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), count);
    }
}
