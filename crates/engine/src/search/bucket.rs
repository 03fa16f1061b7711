//! Buckets of a hash table that threads read and write without locks.
//!
//! An entry has two words: its data, and its key XORed with the data. Two threads writing at once
//! may tear an entry, which then does not match its key (Hyatt and Mann, "A lock-less transposition
//! table implementation for parallel search", 2002). Data is never 0, which marks an unused entry.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of entries in a bucket, which fill one cache line.
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

/// The entries of a bucket.
type Entries = [Entry; ENTRIES];

#[derive(Default)]
#[repr(align(64))]
pub(super) struct Bucket(Entries);

impl Bucket {
    /// The data stored for a key.
    #[inline]
    pub(super) fn load(&self, key: u64) -> Option<u64> {
        load(&self.0, key)
    }

    /// The entry to store data for a key: the key's own entry, a free one, or the least valuable
    /// one.
    #[inline]
    pub(super) fn entry_for<W: Ord>(&self, key: u64, worth: impl Fn(u64) -> W) -> &Entry {
        entry_for(&self.0, key, worth)
    }
}

/// The data stored for a key in a bucket.
#[inline]
pub(super) fn load(bucket: &Entries, key: u64) -> Option<u64> {
    bucket.iter().find_map(|entry| entry.load(key))
}

/// The entry of a bucket to store data for a key: see [`Bucket::entry_for`].
#[inline]
pub(super) fn entry_for<W: Ord>(bucket: &Entries, key: u64, worth: impl Fn(u64) -> W) -> &Entry {
    let [first, ..] = bucket;
    let mut least = None;
    for entry in bucket {
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

/// Buckets whose memory the system allocates on first write, so that a large but hardly used table
/// costs neither time nor memory.
pub(super) struct LazyBuckets {
    entries: Vec<Entry>,
    /// The index of the first entry that starts a cache line.
    begin: usize,
}

impl LazyBuckets {
    /// Empty buckets of at most this many bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1) * ENTRIES;
        // The system supplies zeroed memory. The compiler turns the conversion to entries into no
        // work.
        let zeros = vec![[0; 2]; count + ENTRIES];
        let make = |[check, data]: [u64; 2]| Entry {
            check: AtomicU64::new(check),
            data: AtomicU64::new(data),
        };
        let mut entries: Vec<Entry> = zeros.into_iter().map(make).collect();
        let begin = entries.as_ptr().align_offset(size_of::<Bucket>()).min(ENTRIES);
        entries.truncate(begin + count);
        Self { entries, begin }
    }

    /// The buckets.
    #[inline]
    pub(super) fn get(&self) -> &[Entries] {
        self.entries[self.begin..].as_chunks().0
    }
}

/// The share of the buckets' entries with data that meets a condition, in permille.
pub(super) fn permille(buckets: &[Bucket], is_wanted: impl Fn(u64) -> bool) -> u32 {
    permille_of(buckets.iter().map(|bucket| &bucket.0), is_wanted)
}

/// As [`permille`], for an iterator over buckets.
pub(super) fn permille_of<'a>(
    buckets: impl Iterator<Item = &'a Entries>,
    is_wanted: impl Fn(u64) -> bool,
) -> u32 {
    let (mut wanted, mut all) = (0, 0);
    for entry in buckets.flatten() {
        wanted += usize::from(is_wanted(entry.data.load(Relaxed)));
        all += 1;
    }
    (wanted * 1000).checked_div(all).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lazy_buckets_begin_at_cache_lines_and_are_empty() {
        for bytes in [0, 1, 64, 1000, 1 << 20] {
            let buckets = LazyBuckets::new(bytes);
            assert_eq!(buckets.get().len(), (bytes / 64).max(1));
            assert!(buckets.get().iter().all(|bucket| bucket.as_ptr().addr() % 64 == 0));
            assert_eq!(permille_of(buckets.get().iter(), |data| data != 0), 0);
        }
    }
}
