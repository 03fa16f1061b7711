//! Zobrist keys (Zobrist 1970) from the 64-bit Mersenne Twister (Nishimura, Matsumoto 2000).

use super::bitboard::{Bitboard, each};
use rand_mt::Mt64;

/// The seed of the reference implementation of MT19937-64.
const SEED: u64 = 5489;

/// The random numbers of a game's keys: one for each square of `SETS` sets, and `OTHERS` more. They
/// are drawn in this order and are the same in every run.
pub struct Zobrist<const SETS: usize, const SQUARES: usize, const OTHERS: usize> {
    sets: [[u64; SQUARES]; SETS],
    others: [u64; OTHERS],
}

impl<const SETS: usize, const SQUARES: usize, const OTHERS: usize> Zobrist<SETS, SQUARES, OTHERS> {
    /// Draws all numbers from the fixed seed.
    #[expect(clippy::new_without_default, reason = "there is no empty table")]
    pub fn new() -> Self {
        let mut generator = Mt64::new(SEED);
        let sets = std::array::from_fn(|_| std::array::from_fn(|_| generator.next_u64()));
        Self { sets, others: std::array::from_fn(|_| generator.next_u64()) }
    }

    /// The number of a square of a set.
    #[inline]
    pub fn square(&self, set: usize, square: u8) -> u64 {
        self.sets[set][usize::from(square)]
    }

    /// The combined numbers of a set's squares.
    #[inline]
    pub fn squares(&self, set: usize, squares: impl Bitboard) -> u64 {
        each(squares).fold(0, |key, square| key ^ self.square(set, square))
    }

    /// One of the numbers that belong to no square.
    #[inline]
    pub fn other(&self, index: usize) -> u64 {
        self.others[index]
    }
}
