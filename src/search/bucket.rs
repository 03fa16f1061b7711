//! The buckets of a hash table that threads read and write without locks.
//!
//! An entry is two words: its data, and its key combined with the data by exclusive or, so that an
//! entry torn by two threads writing at once does not match its key (Hyatt and Mann, "A lock-less
//! transposition table implementation for parallel search", 2002). Data is never 0, which stands
//! for an entry not in use.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Entries in a bucket: together one cache line.
const ENTRIES: usize = 4;

#[derive(Default)]
pub(super) struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

impl Entry {
    /// The data stored here for this key.
    #[inline]
    pub(super) fn load(&self, key: u64) -> Option<u64> {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data == key && data != 0).then_some(data)
    }

    #[inline]
    pub(super) fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

#[derive(Default)]
#[repr(align(64))]
pub(super) struct Bucket([Entry; ENTRIES]);

impl Bucket {
    /// The data stored for a key.
    #[inline]
    pub(super) fn load(&self, key: u64) -> Option<u64> {
        self.0.iter().find_map(|entry| entry.load(key))
    }

    /// Where to store data for a key: its own entry, a free one, or the one whose data is worth
    /// least.
    #[inline]
    pub(super) fn entry_for<W: Ord>(&self, key: u64, worth: impl Fn(u64) -> W) -> &Entry {
        let [first, ..] = &self.0;
        let mut least = None;
        for entry in &self.0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key || data == 0 {
                return entry;
            }
            let worth = worth(data);
            if least.as_ref().is_none_or(|(least, _)| worth < *least) {
                least = Some((worth, entry));
            }
        }
        least.map_or(first, |(_, entry)| entry)
    }
}

/// The share of the buckets' entries whose data is as wanted, in permille.
pub(super) fn permille(buckets: &[Bucket], is_wanted: impl Fn(u64) -> bool) -> u32 {
    let entries = buckets.iter().flat_map(|bucket| &bucket.0);
    let count = entries.filter(|entry| is_wanted(entry.data.load(Relaxed))).count();
    (count * 1000 / (buckets.len() * ENTRIES)) as u32
}
