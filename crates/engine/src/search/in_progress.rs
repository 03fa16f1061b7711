//! Which moves the threads are searching: at a node that several of them reach, each does better to
//! search a different move.
//!
//! A thread that comes to a move which another one is searching to the same depth defers it until
//! its other moves are searched; by then the table has the score, or a cutoff has made the move
//! unnecessary (ABDADA, Weill 1996, in the simplified form of Kerrigan 2017). Claims may overwrite
//! each other: then two threads search the same move, which costs time and nothing else.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots for claims, a power of two: many more than there are nodes on the lines of all threads.
const SLOTS: usize = 1 << 14;
/// Below this depth a search ends before its claim would be of use.
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
        // Never 0, which stands for a free slot.
        let tag = (key ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
        Claim { slot: &self.0[(tag >> 24) as usize & (SLOTS - 1)], tag }
    }
}

/// A thread's claim on a move: the slot it goes to and the tag that stands for the move.
pub(super) struct Claim<'a> {
    slot: &'a AtomicU64,
    tag: u64,
}

impl<'a> Claim<'a> {
    /// Whether some thread is searching the move.
    #[inline]
    pub(super) fn is_taken(&self) -> bool {
        self.slot.load(Relaxed) == self.tag
    }

    /// Shows the other threads that the move is being searched, until the result is dropped.
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
