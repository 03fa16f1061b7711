//! The moves that threads are searching. Threads at the same node do better to search different
//! moves.
//!
//! If another thread is already searching a move to the same depth, a thread defers the move until
//! its other moves are done. By then the table has the score, or a cutoff has made the move
//! unnecessary (ABDADA, Weill 1996, in the simplified form of Kerrigan 2017). Claims may overwrite
//! each other; two threads then search the same move, which only costs time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of slots for claims, a power of two: far more than nodes on the lines of all threads.
const SLOTS: usize = 1 << 14;
/// The least depth of a claim. Shallower searches end before a claim would be of use.
pub(super) const LEAST_DEPTH: i32 = 4;

/// The moves that are being searched.
pub(super) struct InProgress(Vec<AtomicU64>);

impl InProgress {
    pub(super) fn new() -> Self {
        let mut slots = Vec::new();
        slots.resize_with(SLOTS, AtomicU64::default);
        Self(slots)
    }

    /// The claim on a move from a position with this key, searched to a depth.
    #[inline]
    pub(super) fn claim(&self, key: u64, code: u16, depth: i32) -> Claim<'_> {
        let salt = u64::from(code) << 8 | u64::from(depth as u8);
        // Never 0, which marks a free slot.
        let tag = (key ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
        Claim { slot: &self.0[(tag >> 24) as usize & (SLOTS - 1)], tag }
    }
}

/// A thread's claim on a move: the slot for it and the tag that identifies the move.
pub(super) struct Claim<'a> {
    slot: &'a AtomicU64,
    tag: u64,
}

impl<'a> Claim<'a> {
    /// Whether a thread is searching the move.
    #[inline]
    pub(super) fn is_taken(&self) -> bool {
        self.slot.load(Relaxed) == self.tag
    }

    /// Marks the move as being searched until the result is dropped.
    #[inline]
    pub(super) fn take(self) -> Taken<'a> {
        self.slot.store(self.tag, Relaxed);
        Taken(self)
    }
}

/// A move that is being searched.
pub(super) struct Taken<'a>(Claim<'a>);

impl Drop for Taken<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.0.is_taken() {
            self.0.slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_taken_as_long_as_it_is_searched() {
        let in_progress = InProgress::new();
        let taken = in_progress.claim(77, 5, 9).take();
        assert!(in_progress.claim(77, 5, 9).is_taken() && !in_progress.claim(77, 5, 8).is_taken());
        drop(in_progress.claim(77, 5, 8).take());
        assert!(in_progress.claim(77, 5, 9).is_taken());
        drop(taken);
        assert!(!in_progress.claim(77, 5, 9).is_taken());
    }
}
