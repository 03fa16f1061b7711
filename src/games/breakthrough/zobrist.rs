//! Zobrist keys (Zobrist 1970) from the 64-bit Mersenne Twister (Nishimura, Matsumoto 2000).

use crate::game::Side;
use rand_mt::Mt64;
use std::sync::LazyLock;

/// The seed of the reference implementation of MT19937-64.
const SEED: u64 = 5489;

/// A number for each piece on each square, and one for the side to move.
pub(super) struct Zobrist {
    squares: [[u64; 64]; 2],
    second_to_move: u64,
}

/// The numbers that all keys are made of.
pub(super) static ZOBRIST: LazyLock<Zobrist> = LazyLock::new(|| {
    let mut generator = Mt64::new(SEED);
    let mut squares = [[0; 64]; 2];
    for number in squares.iter_mut().flatten() {
        *number = generator.next_u64();
    }
    Zobrist { squares, second_to_move: generator.next_u64() }
});

impl Zobrist {
    /// The number of a piece of `side` on a square (taken modulo 64).
    #[inline]
    pub(super) fn piece(&self, side: Side, square: u8) -> u64 {
        self.squares[side.index()][usize::from(square & 63)]
    }

    /// The number that is in a key when the second side is to move.
    #[inline]
    pub(super) fn turn(&self) -> u64 {
        self.second_to_move
    }
}
