//! Breakthru moves in 16 bits.

use super::squares::{SQUARES, distance, place};
use crate::game::MoveCode;

/// An action of one ship: it goes from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// The greatest code.
    const LAST: u16 = (SQUARES * SQUARES) as u16;

    /// A move between two squares, each below 121.
    ///
    /// # Panics
    /// When a square is not on the board.
    #[inline]
    pub const fn new(from: u8, to: u8) -> Self {
        assert!((from as usize) < SQUARES && (to as usize) < SQUARES, "a square outside the board");
        Self(1 + from as u16 * SQUARES as u16 + to as u16)
    }

    /// The square that the ship leaves.
    #[inline]
    pub const fn from(self) -> u8 {
        ((self.0 - 1) / SQUARES as u16) as u8
    }

    /// The square that the ship enters.
    #[inline]
    pub const fn to(self) -> u8 {
        ((self.0 - 1) % SQUARES as u16) as u8
    }

    /// Whether it goes one square diagonally, as only captures do.
    #[inline]
    pub(super) fn is_diagonal_step(self) -> bool {
        let ((col_a, row_a), (col_b, row_b)) = (place(self.from()), place(self.to()));
        distance(self.from(), self.to()) == 1 && col_a != col_b && row_a != row_b
    }
}

impl MoveCode for Move {
    const HISTORY_SIZE: usize = SQUARES * SQUARES;

    #[inline]
    fn code(self) -> u16 {
        self.0
    }

    #[inline]
    fn from_code(code: u16) -> Self {
        Self(code.clamp(1, Self::LAST))
    }

    #[inline]
    fn history_index(self) -> usize {
        usize::from(self.0 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_what_they_were_made_of() {
        for from in 0..SQUARES as u8 {
            for to in 0..SQUARES as u8 {
                let mv = Move::new(from, to);
                assert_eq!((mv.from(), mv.to(), Move::from_code(mv.code())), (from, to, mv));
                let (dx, dy) = ((from % 11).abs_diff(to % 11), (from / 11).abs_diff(to / 11));
                assert_eq!(mv.is_diagonal_step(), dx == 1 && dy == 1);
            }
        }
        assert_eq!(Move::from_code(0), Move::new(0, 0));
        assert_eq!(Move::from_code(u16::MAX), Move::new(120, 120));
    }
}
