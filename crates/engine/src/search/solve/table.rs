//! The solver's table: proof numbers of positions, in a fixed amount of memory.
//!
//! Keys are exact for up to 32 squares of Breakthrough, so there two positions are never confused.
//! A full bucket drops the entry that took the least work.

use super::proof_numbers::{INFINITE, ProofNumbers};
use crate::search::bucket::{LazyBuckets, entry_for, load, permille_of};

/// The number of bits of a proof number.
const BITS: u32 = 27;
/// The number of buckets sampled to estimate how full the table is.
const SAMPLE: usize = 1024;

/// The key of a position in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// A mix of the canonical key's halves; equal to the low half if the high half and variant are
    /// 0.
    check: u64,
    /// The hash that selects the bucket.
    pub(super) place: u64,
}

impl Key {
    /// Makes a key from a position's canonical key. Each `variant` has separate proof numbers for
    /// the same position.
    #[inline]
    pub(super) fn new(canonical: u128, variant: u64) -> Self {
        let (low, high) = (canonical as u64, (canonical >> 64) as u64);
        let check = low ^ scatter(high) ^ scatter(variant);
        Self {
            check,
            place: scatter(low.wrapping_add(scatter(high ^ 0x5851_f42d_4c95_7f2d)) ^ variant),
        }
    }
}

/// A one-to-one mix of a number's bits that maps 0 to 0 (a multiply-and-shift mixer after Pelle
/// Evensen's).
#[inline]
fn scatter(mut x: u64) -> u64 {
    for _ in 0..2 {
        x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    x ^ x >> 32
}

/// A table of proof numbers by position.
pub(super) struct ProofTable(LazyBuckets);

impl ProofTable {
    /// A table of at most this many bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        Self(LazyBuckets::new(bytes))
    }

    #[inline]
    fn place(&self, key: Key) -> usize {
        ((u128::from(key.place) * self.0.get().len() as u128) >> 64) as usize
    }

    /// The numbers of a position, from the side to move.
    #[inline]
    pub(super) fn probe(&self, key: Key) -> Option<ProofNumbers> {
        load(&self.0.get()[self.place(key)], key.check).map(unpack)
    }

    /// Stores a position's numbers, with the number of positions expanded to find them.
    #[inline]
    pub(super) fn store(&self, key: Key, numbers: ProofNumbers, expanded: u64) {
        let bucket = &self.0.get()[self.place(key)];
        let entry = entry_for(bucket, key.check, |data| data >> (2 * BITS));
        entry.store(key.check, pack(numbers, expanded));
    }

    /// The share of entries in use, in permille, from a sample.
    pub(super) fn permille_full(&self) -> u32 {
        permille_of(self.0.get().iter().take(SAMPLE), |data| data != 0)
    }
}

// A word of data: expanded positions 61..54 on a logarithmic scale, loss 53..27, win 26..0. If one
// number is infinite, the other one is 0 and its bits hold the plies. A used entry is never 0.

#[inline]
fn pack(numbers: ProofNumbers, expanded: u64) -> u64 {
    let (win, loss) = match numbers {
        ProofNumbers { win: 0, plies, .. } => (plies, INFINITE),
        ProofNumbers { loss: 0, plies, .. } => (INFINITE, plies),
        ProofNumbers { win, loss, .. } => (win, loss),
    };
    // The scale has four steps for each doubling.
    let octave = expanded.max(1).ilog2();
    let step = (u128::from(expanded.max(1)) << 2 >> octave) as u64 & 3;
    (u64::from(octave) << 2 | step) << (2 * BITS) | u64::from(loss) << BITS | u64::from(win)
}

#[inline]
fn unpack(data: u64) -> ProofNumbers {
    let (win, loss) = (data as u32 & INFINITE, (data >> BITS) as u32 & INFINITE);
    match (win, loss) {
        (plies, INFINITE) => ProofNumbers::solved(true, plies),
        (INFINITE, plies) => ProofNumbers::solved(false, plies),
        (win, loss) => ProofNumbers { win, loss, plies: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let table = ProofTable::new(1 << 12);
        let all = [
            ProofNumbers::open(3, 4),
            ProofNumbers::solved(true, 9),
            ProofNumbers::solved(false, 0),
            ProofNumbers::solved(true, 1),
        ];
        for (index, numbers) in all.into_iter().enumerate() {
            let key = Key::new(index as u128 + 5, 0);
            assert_eq!(table.probe(key), None);
            table.store(key, numbers, 1 << (9 * index));
            assert_eq!(table.probe(key), Some(numbers));
        }
        assert!(table.permille_full() > 0);
    }

    #[test]
    fn the_least_work_is_given_up() {
        let table = ProofTable::new(1);
        for (key, work) in [(1, 50), (2, 4), (3, 5), (4, 1000)] {
            table.store(Key::new(key, 0), ProofNumbers::open(1, 1), work);
        }
        table.store(Key::new(5, 0), ProofNumbers::open(2, 2), 1);
        assert_eq!(table.probe(Key::new(2, 0)), None);
        assert!([1, 3, 4, 5].iter().all(|&key| table.probe(Key::new(key, 0)).is_some()));
    }

    #[test]
    fn short_keys_are_kept_as_they_are() {
        assert_eq!(Key::new(77, 0).check, 77);
        assert_ne!(Key::new(77, 0), Key::new(77, 1));
        assert_ne!(Key::new(77, 0), Key::new(77 | 1 << 64, 0));
    }
}
