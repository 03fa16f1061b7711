//! The contents of a board's squares.

use super::Rules;
use crate::game::{Board, Side};
use arrayvec::ArrayVec;

/// The greatest number of squares of a board, with each row counted as at least eight squares.
pub const MAX_SQUARES: usize = 128;
/// The greatest number of signs of both sides.
pub(super) const MAX_SETS: usize = 12;

/// The pieces on a board: a set of squares for each sign of [`Rules::SIGNS`], the first side's
/// before the second's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Squares {
    sets: ArrayVec<u128, MAX_SETS>,
}

impl Squares {
    /// The squares of each sign, such as `[first, second]` if each side has one sign.
    ///
    /// # Panics
    /// When there are more than twelve sets.
    pub fn of_sets<B: Copy + Into<u128>>(sets: &[B]) -> Self {
        Self { sets: sets.iter().map(|&set| set.into()).collect() }
    }

    /// The squares of each sign.
    pub fn sets(&self) -> &[u128] {
        &self.sets
    }

    /// The squares of each sign in 64 bits, for boards of up to 8x8.
    ///
    /// # Panics
    /// When the number of signs differs from the game's.
    pub fn narrow<const SETS: usize>(&self) -> [u64; SETS] {
        assert_eq!(SETS, self.sets.len(), "number of signs");
        std::array::from_fn(|set| self.sets[set] as u64)
    }

    /// The squares of all pieces of a side.
    pub fn of_side(&self, side: Side) -> u128 {
        let kinds = self.sets.len() / 2;
        self.sets[side.index() * kinds..][..kinds].iter().fold(0, |all, set| all | set)
    }
}

/// The offset of a row in square numbers.
pub(super) const fn stride(board: Board) -> u8 {
    if board.cols() > 8 { board.cols() } else { 8 }
}

/// The number of signs of both sides.
pub(super) const fn sign_count<R: Rules>() -> usize {
    R::SIGNS[0].len() + R::SIGNS[1].len()
}

/// The number of each square of a board, row by row from the first one.
pub(super) fn numbers(board: Board) -> impl Iterator<Item = u8> {
    let row = move |row| (0..board.cols()).map(move |col| row * stride(board) + col);
    (0..board.rows()).flat_map(row)
}
