//! What the threads of one search share beside the transposition table: the nodes left, the end,
//! the counters, and what the searches of the root came to.

use super::limits::NODES_PER_CHECK;
use super::work::Counters;
use crate::eval::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The threads of a search, one of them alone included.
#[derive(Debug)]
pub(super) struct SearchShared {
    /// Nodes that nobody has drawn yet; `u64::MAX` where their number is not limited.
    left: AtomicU64,
    finished: AtomicBool,
    /// What the helpers have handed in.
    counted: Mutex<Counters>,
    /// What the searches of the root came to that are settled, in turn.
    settled: Mutex<Vec<SettledSearch>>,
    /// The number of these, to be read without the lock.
    searches: AtomicU64,
}

/// What a search of the root to some depth, with some window, came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SettledSearch {
    /// The score.
    pub(super) score: Score,
    /// The codes of the best line's moves; none where no move was better than alpha.
    pub(super) line: Vec<u16>,
}

impl SearchShared {
    /// A team that may visit so many nodes together.
    pub(super) fn new(nodes: Option<u64>) -> Self {
        Self {
            left: AtomicU64::new(nodes.unwrap_or(u64::MAX)),
            finished: AtomicBool::new(false),
            counted: Mutex::default(),
            settled: Mutex::default(),
            searches: AtomicU64::new(0),
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
        lock(&self.counted).add(counters);
    }

    /// What the helpers have counted so far.
    pub(super) fn counted(&self) -> Counters {
        *lock(&self.counted)
    }

    /// How many searches of the root are settled.
    #[inline]
    pub(super) fn searches(&self) -> u64 {
        self.searches.load(Relaxed)
    }

    /// What the search of the root with this number, from 0, came to: what the first thread found
    /// that has finished it, be it this one. `None` if no thread has, and this one neither.
    pub(super) fn settle(
        &self,
        search: u64,
        found: Option<SettledSearch>,
    ) -> Option<SettledSearch> {
        let mut settled = lock(&self.settled);
        if settled.get(search as usize).is_none() {
            settled.push(found?);
            self.searches.store(settled.len() as u64, Relaxed);
        }
        settled.get(search as usize).cloned()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_finish_settles_a_search_of_the_root() {
        let team = SearchShared::new(None);
        let found = |score| Some(SettledSearch { score, line: vec![score as u16] });
        assert_eq!((team.settle(0, None), team.searches()), (None, 0));
        assert_eq!((team.settle(0, found(3)), team.searches()), (found(3), 1));
        assert_eq!((team.settle(0, found(4)), team.searches()), (found(3), 1));
        assert_eq!((team.settle(0, None), team.settle(1, None)), (found(3), None));
    }

    #[test]
    fn no_more_nodes_are_drawn_than_there_are() {
        let team = SearchShared::new(Some(2 * NODES_PER_CHECK + 3));
        let drawn: Vec<u64> = (0..4).map(|_| team.draw()).collect();
        assert_eq!(drawn, [NODES_PER_CHECK, NODES_PER_CHECK, 3, 0]);
        let endless = SearchShared::new(None);
        assert!((0..3).all(|_| endless.draw() == NODES_PER_CHECK));
    }
}
