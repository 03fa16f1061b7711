//! Zobrist keys (Zobrist 1970) from the 64-bit Mersenne Twister (Nishimura, Matsumoto 2000).

use super::bitboard::{Bitboard, each};
use rand_mt::Mt64;

/// The seed of the reference implementation of MT19937-64.
const SEED: u64 = 5489;

/// The numbers that a game's keys are made of: one for each square of `SETS` sets, and `OTHERS`
/// further ones. They are drawn in this order, the same ones in each run.
pub struct Zobrist<const SETS: usize, const SQUARES: usize, const OTHERS: usize> {
    sets: [[u64; SQUARES]; SETS],
    others: [u64; OTHERS],
}

impl<const SETS: usize, const SQUARES: usize, const OTHERS: usize> Zobrist<SETS, SQUARES, OTHERS> {
    /// Draws the numbers.
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

    /// All numbers of the squares of a set together.
    #[inline]
    pub fn squares(&self, set: usize, squares: impl Bitboard) -> u64 {
        each(squares).fold(0, |key, square| key ^ self.square(set, square))
    }

    /// One of the other numbers.
    #[inline]
    pub fn other(&self, index: usize) -> u64 {
        self.others[index]
    }
}
