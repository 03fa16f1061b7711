//! Moves in 16 bits.

use crate::game::MoveCode;
use cozy_chess::{Piece, Square};

/// A move, as cozy-chess has it: a king that castles takes its own rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Set in every code, so that none is 0.
const MOVE: u16 = 1 << 15;
/// Where the square that is left stands in a code, and the promotion: 0 for none.
const FROM: u32 = 6;
const PROMOTION: u32 = 12;

impl Move {
    /// A move of cozy-chess.
    pub(super) fn of(mv: cozy_chess::Move) -> Self {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        Self(MOVE | promotion << PROMOTION | (mv.from as u16) << FROM | mv.to as u16)
    }

    /// The move of cozy-chess.
    pub(super) fn to_cozy(self) -> cozy_chess::Move {
        let square = |shift: u32| Square::index(usize::from(self.0 >> shift & 63));
        // A pawn becomes no pawn, whose number says that it stays what it is.
        let promotion = Piece::try_index(usize::from(self.0 >> PROMOTION & 7));
        let promotion = promotion.filter(|&piece| piece != Piece::Pawn);
        cozy_chess::Move { from: square(FROM), to: square(0), promotion }
    }
}

impl MoveCode for Move {
    const HISTORY_SIZE: usize = 1 << 16;

    fn code(self) -> u16 {
        self.0
    }

    fn from_code(code: u16) -> Self {
        Self(code)
    }

    fn history_index(self) -> usize {
        self.0.into()
    }
}
