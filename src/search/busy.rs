//! Who searches what: several threads at one node do better to search different moves.
//!
//! A thread that comes to a move which another one is searching to the same depth puts it off until
//! its other moves are searched; by then the table has the answer, or a cutoff has made it needless
//! (ABDADA, Weill 1996, in the simplified form of Kerrigan 2017). Marks may overwrite each other: a
//! lost one costs some work twice, nothing else.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Places for marks, a power of two: many more than there are nodes on all threads' ways at once.
const PLACES: usize = 1 << 14;
/// Below this depth a search is over before its mark would be of use.
pub(super) const LEAST_DEPTH: i32 = 4;

/// The moves that are being searched.
pub(super) struct InProgress(Vec<AtomicU64>);

impl InProgress {
    pub(super) fn new() -> Self {
        let mut places = Vec::new();
        places.resize_with(PLACES, AtomicU64::default);
        Self(places)
    }

    /// The mark of a move from a position with this key, searched to a depth.
    #[inline]
    pub(super) fn mark(&self, key: u64, code: u16, depth: i32) -> Claim<'_> {
        let salt = u64::from(code) << 8 | u64::from(depth as u8);
        // Never 0, which is no mark.
        let mark = (key ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
        Claim { place: &self.0[(mark >> 24) as usize & (PLACES - 1)], mark }
    }
}

/// What a move's mark is and where it is put.
pub(super) struct Claim<'a> {
    place: &'a AtomicU64,
    mark: u64,
}

impl<'a> Claim<'a> {
    /// Whether somebody searches this.
    #[inline]
    pub(super) fn is_taken(&self) -> bool {
        self.place.load(Relaxed) == self.mark
    }

    /// Says that this is being searched, as long as the result lives.
    #[inline]
    pub(super) fn take(self) -> Taken<'a> {
        self.place.store(self.mark, Relaxed);
        Taken(self)
    }
}

/// A move that is being searched.
pub(super) struct Taken<'a>(Claim<'a>);

impl Drop for Taken<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_taken() {
            self.0.place.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_taken_as_long_as_it_is_searched() {
        let busy = InProgress::new();
        let taken = busy.mark(77, 5, 9).take();
        assert!(busy.mark(77, 5, 9).is_taken() && !busy.mark(77, 5, 8).is_taken());
        drop(busy.mark(77, 5, 8).take());
        assert!(busy.mark(77, 5, 9).is_taken());
        drop(taken);
        assert!(!busy.mark(77, 5, 9).is_taken());
    }
}
