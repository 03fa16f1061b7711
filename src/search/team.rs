//! What the threads of one search share beside the transposition table: the nodes left, the end, and the counters.

use super::limits::NODES_PER_CHECK;
use super::work::Counters;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The threads of a search, one of them alone included.
#[derive(Debug)]
pub(super) struct Team {
    /// Nodes that nobody has drawn yet; `u64::MAX` where their number is not limited.
    left: AtomicU64,
    finished: AtomicBool,
    /// What the helpers have handed in.
    counted: Mutex<Counters>,
}

impl Team {
    /// A team that may visit so many nodes together.
    pub(super) fn new(nodes: Option<u64>) -> Self {
        Self {
            left: AtomicU64::new(nodes.unwrap_or(u64::MAX)),
            finished: AtomicBool::new(false),
            counted: Mutex::default(),
        }
    }

    /// Draws the nodes that a thread may visit until it asks again; 0 when none are left.
    pub(super) fn draw(&self) -> u64 {
        let rest = |left: u64| match left {
            u64::MAX => left,
            _ => left - left.min(NODES_PER_CHECK),
        };
        let left = self.left.fetch_update(Relaxed, Relaxed, |left| Some(rest(left)));
        left.unwrap_or_else(|left| left).min(NODES_PER_CHECK)
    }

    /// Tells every thread to end.
    pub(super) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Whether every thread must end.
    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Adds what a helper has counted since it last did so.
    pub(super) fn hand_in(&self, counters: &Counters) {
        self.lock().add(counters);
    }

    /// What the helpers have counted so far.
    pub(super) fn counted(&self) -> Counters {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Counters> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_nodes_are_drawn_than_there_are() {
        let team = Team::new(Some(2 * NODES_PER_CHECK + 3));
        let drawn: Vec<u64> = (0..4).map(|_| team.draw()).collect();
        assert_eq!(drawn, [NODES_PER_CHECK, NODES_PER_CHECK, 3, 0]);
        let endless = Team::new(None);
        assert!((0..3).all(|_| endless.draw() == NODES_PER_CHECK));
    }
}
