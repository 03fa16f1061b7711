//! Zobrist keys (Zobrist 1970) from the 64-bit Mersenne Twister (Nishimura, Matsumoto 2000).

use super::CLOCK_LIMIT;
use crate::game::Side;
use rand_mt::Mt64;
use std::sync::LazyLock;

/// The seed of the reference implementation of MT19937-64.
const SEED: u64 = 5489;

/// A number for each piece and each blocked square, for each ply since the last clone, and for the
/// side to move.
pub(super) struct Zobrist {
    squares: [[u64; 64]; 2],
    blocked: [u64; 64],
    turned: [u64; 64],
    clocks: [u64; CLOCK_LIMIT as usize + 1],
    second_to_move: u64,
}

/// The numbers that all keys are made of.
pub(super) static ZOBRIST: LazyLock<Zobrist> = LazyLock::new(|| {
    let mut generator = Mt64::new(SEED);
    let mut squares = [[0; 64]; 2];
    let mut blocked = [0; 64];
    let mut clocks = [0; CLOCK_LIMIT as usize + 1];
    let numbers = squares.iter_mut().flatten().chain(&mut blocked);
    // Nothing for a clone just made, so that keys need not change there.
    for number in numbers.chain(clocks.iter_mut().skip(1)) {
        *number = generator.next_u64();
    }
    let turned = std::array::from_fn(|square| squares[0][square] ^ squares[1][square]);
    Zobrist { squares, blocked, turned, clocks, second_to_move: generator.next_u64() }
});

impl Zobrist {
    /// The number of a piece of `side` on a square (taken modulo 64).
    #[inline]
    pub(super) fn piece(&self, side: Side, square: u8) -> u64 {
        self.squares[side.index()][usize::from(square & 63)]
    }

    /// The number of a blocked square (taken modulo 64).
    pub(super) fn blocked(&self, square: u8) -> u64 {
        self.blocked[usize::from(square & 63)]
    }

    /// What changes when the piece on a square (taken modulo 64) changes its colour.
    #[inline]
    pub(super) fn turned(&self, square: u8) -> u64 {
        self.turned[usize::from(square & 63)]
    }

    /// The number of so many plies since the last clone.
    #[inline]
    pub(super) fn clock(&self, plies: u8) -> u64 {
        self.clocks[usize::from(plies.min(CLOCK_LIMIT))]
    }

    /// The number that is in a key when the second side is to move.
    #[inline]
    pub(super) fn turn(&self) -> u64 {
        self.second_to_move
    }
}
