//! The transposition table: results of earlier searches by position.

use super::bucket::{Bucket, permille};
use super::score::PROVEN;
use super::window::Window;
use crate::eval::Score;
use prefetch_index::prefetch_index;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The penalty in plies for entries of older searches.
const AGE_PENALTY: i32 = 4;
/// A bound of the same search for the same position is kept if it is more than this many plies
/// deeper than the new one.
const KEPT_PLIES: u8 = 4;
/// The modulus of generation counts.
const GENERATIONS: u8 = 64;

/// The largest table, in bytes, that fits into the caches of a processor core. Measurements: with 1
/// MiB it pays to probe the table first, with 4 MiB it makes no difference, with 16 MiB it costs a
/// twelfth of the speed.
const SMALL_BYTES: usize = 2 << 20;

/// The number of buckets sampled to estimate how full the table is.
const SAMPLE: usize = 256;

/// The relation of a stored score to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

impl Bound {
    /// The kind of bound that a score is, given the window of its search.
    #[inline]
    pub(super) fn of(score: Score, window: Window) -> Self {
        match score {
            _ if score >= window.beta => Self::Lower,
            _ if score <= window.alpha => Self::Upper,
            _ => Self::Exact,
        }
    }
}

/// The table's data about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The code of the best or refuting move; 0 for none.
    pub code: u16,
    /// The score; wins count from the root of the search that reads it.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The depth of the search, in plies; 0 for quiescence.
    pub depth: u8,
}

impl TableEntry {
    /// The score, if it suffices for a search with this window.
    #[inline]
    pub(super) fn cutoff(self, window: Window) -> Option<Score> {
        let suffices = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        };
        suffices.then_some(self.score)
    }
}

/// A table of fixed size, shared by the threads of a search.
pub struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: AtomicU64,
}

impl TranspositionTable {
    /// A table of about this many bytes: rounded down to a power of two, with at least one bucket.
    pub fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let count = 1usize << count.ilog2();
        let mut buckets = Vec::new();
        buckets.resize_with(count, Bucket::default);
        Self { buckets, generation: AtomicU64::new(0) }
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// Whether the table fits into the processor's caches, so that probes are fast.
    #[inline]
    pub fn is_small(&self) -> bool {
        self.bytes() <= SMALL_BYTES
    }

    /// Removes all entries from the table.
    pub fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        *self.generation.get_mut() = 0;
    }

    /// Starts a new generation: all stored entries now belong to earlier searches.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % u64::from(GENERATIONS);
        self.generation.store(next, Relaxed);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        // The upper bits select the bucket. The lower bits would do as well, but this uses both.
        (key >> 20) as usize & (self.buckets.len() - 1)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[self.index(key)]
    }

    /// Prefetches the bucket of a position that will be probed soon: memory is slow, and the search
    /// can do other work meanwhile.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index(&self.buckets, self.index(key));
    }

    /// The entry of the position with this key, with wins counted from the root `ply` plies above.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        self.bucket(key).load(key).map(|data| unpack(data, ply))
    }

    /// Stores a result over the least valuable entry of its bucket.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, entry: TableEntry) {
        let generation = self.generation.load(Relaxed) as u8;
        let slot = self.bucket(key).entry_for(key, |data| {
            let age = (generation + GENERATIONS - generation_of(data)) % GENERATIONS;
            i32::from(depth_of(data)) - AGE_PENALTY * i32::from(age)
        });
        let old = slot.load(key);
        if let Some(old) = old
            && generation_of(old) == generation
            && entry.bound != Bound::Exact
            && entry.depth.saturating_add(KEPT_PLIES) < depth_of(old)
        {
            return;
        }
        // A bound without a move keeps the move already known.
        let known = old.map_or(0, |data| data as u16);
        let code = if entry.code == 0 { known } else { entry.code };
        slot.store(key, pack(TableEntry { code, ..entry }, ply, generation));
    }

    /// The share of entries in use by the current search, in permille, from a sample.
    pub fn permille_full(&self) -> u32 {
        let generation = self.generation.load(Relaxed) as u8;
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        permille(sample, |data| data != 0 && generation_of(data) == generation)
    }
}

// A word of data: score 63..32, generation 31..26, bound 25..24, depth 23..16, move 15..0. Bounds
// count from 1, so that a used entry is never 0.

fn depth_of(data: u64) -> u8 {
    (data >> 16) as u8
}

fn generation_of(data: u64) -> u8 {
    (data >> 26) as u8 & (GENERATIONS - 1)
}

#[inline]
fn pack(entry: TableEntry, ply: usize, generation: u8) -> u64 {
    let ply = ply as Score;
    let score = match entry.score {
        s if s >= PROVEN => s + ply,
        s if s <= -PROVEN => s - ply,
        s => s,
    };
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::Lower => 2,
        Bound::Upper => 3,
    };
    u64::from(score as u32) << 32
        | u64::from(generation) << 26
        | bound << 24
        | u64::from(entry.depth) << 16
        | u64::from(entry.code)
}

#[inline]
fn unpack(data: u64, ply: usize) -> TableEntry {
    let ply = ply as Score;
    let score = match (data >> 32) as u32 as Score {
        s if s >= PROVEN => s - ply,
        s if s <= -PROVEN => s + ply,
        s => s,
    };
    let bound = match data >> 24 & 3 {
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => Bound::Exact,
    };
    TableEntry { code: data as u16, score, bound, depth: depth_of(data) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::win_at;

    #[test]
    fn entries_come_back_with_wins_counted_from_the_asking_root() {
        let table = TranspositionTable::new(1 << 16);
        let entry = TableEntry { code: 77, score: win_at(9), bound: Bound::Lower, depth: 5 };
        table.store(42, 4, entry);
        assert_eq!(table.probe(42, 4), Some(entry));
        assert_eq!(table.probe(42, 2).unwrap().score, win_at(7));
        assert_eq!(table.probe(43, 4), None);
        let loss = TableEntry { score: -win_at(6), bound: Bound::Exact, ..entry };
        table.store(42, 1, loss);
        assert_eq!(table.probe(42, 3).unwrap().score, -win_at(8));
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_or_oldest_entry() {
        let table = TranspositionTable::new(1);
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7)] {
            table.store(key, 0, TableEntry { code: 1, score: 0, bound: Bound::Exact, depth });
        }
        table.store(5, 0, TableEntry { code: 1, score: 0, bound: Bound::Exact, depth: 1 });
        assert!(table.probe(2, 0).is_none() && table.probe(5, 0).is_some());
        table.age();
        table.store(6, 0, TableEntry { code: 1, score: 0, bound: Bound::Exact, depth: 5 });
        table.store(7, 0, TableEntry { code: 1, score: 0, bound: Bound::Exact, depth: 5 });
        assert!(table.probe(6, 0).is_some(), "an old entry goes before a new one");
        assert!(table.probe(1, 0).is_some());
    }

    #[test]
    fn a_store_without_a_move_keeps_the_known_one() {
        let table = TranspositionTable::new(1 << 12);
        table.store(9, 0, TableEntry { code: 5, score: 1, bound: Bound::Lower, depth: 1 });
        table.store(9, 0, TableEntry { code: 0, score: -1, bound: Bound::Upper, depth: 2 });
        assert_eq!(table.probe(9, 0).unwrap().code, 5);
    }
}
