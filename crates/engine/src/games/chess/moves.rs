//! Chess moves in 16 bits.

use crate::game::MoveCode;
use cozy_chess::{Piece, Square};

/// A move as in cozy-chess: castling is the king capturing its own rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Set in every code, so that no code is 0.
const MOVE: u16 = 1 << 15;
/// The shifts of the origin and of the promotion (0 for none) in a code.
const FROM: u32 = 6;
const PROMOTION: u32 = 12;

impl Move {
    /// Converts a move of cozy-chess.
    pub(super) fn of(mv: cozy_chess::Move) -> Self {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        Self(MOVE | promotion << PROMOTION | (mv.from as u16) << FROM | mv.to as u16)
    }

    /// Converts to a move of cozy-chess.
    pub(super) fn to_cozy(self) -> cozy_chess::Move {
        let square = |shift: u32| Square::index(usize::from(self.0 >> shift & 63));
        // A promotion of 0 is the pawn's number and means none.
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
