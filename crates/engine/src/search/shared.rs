//! State shared by the threads of one search, besides the transposition table: the nodes left, the
//! stop signal, the counters and the results of the root.

use super::counters::Counters;
use super::limits::NODES_PER_CHECK;
use crate::eval::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shared by the threads of a search, or used by a single one.
#[derive(Debug)]
pub(super) struct SearchShared {
    /// The nodes that no thread has reserved yet; `u64::MAX` without a node limit.
    nodes_left: AtomicU64,
    finished: AtomicBool,
    /// The sum of the helpers' counters.
    helper_counters: Mutex<Counters>,
    /// The results of the searches of the root, in order.
    root_results: Mutex<Vec<RootResult>>,
    /// The number of these results, readable without the lock.
    roots_finished: AtomicU64,
}

/// The result of one search of the root, with some depth and window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RootResult {
    pub(super) score: Score,
    /// The move codes of the principal variation; empty if no move exceeded alpha.
    pub(super) pv: Vec<u16>,
}

impl SearchShared {
    /// State for threads that share a node limit.
    pub(super) fn new(nodes: Option<u64>) -> Self {
        Self {
            nodes_left: AtomicU64::new(nodes.unwrap_or(u64::MAX)),
            finished: AtomicBool::new(false),
            helper_counters: Mutex::default(),
            root_results: Mutex::default(),
            roots_finished: AtomicU64::new(0),
        }
    }

    /// Reserves nodes for a thread to visit before it asks again; 0 when none are left.
    pub(super) fn reserve_nodes(&self) -> u64 {
        let rest = |left: u64| match left {
            u64::MAX => left,
            _ => left - left.min(NODES_PER_CHECK),
        };
        let left = self.nodes_left.fetch_update(Relaxed, Relaxed, |left| Some(rest(left)));
        left.unwrap_or_else(|left| left).min(NODES_PER_CHECK)
    }

    /// Signals all threads to end.
    pub(super) fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Whether all threads must end.
    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Adds a helper's counts since its last call.
    pub(super) fn add_helper_counters(&self, counters: &Counters) {
        lock(&self.helper_counters).add(counters);
    }

    /// The sum of the helpers' counters so far.
    pub(super) fn helper_counters(&self) -> Counters {
        *lock(&self.helper_counters)
    }

    /// The number of root searches that any thread has finished.
    #[inline]
    pub(super) fn roots_finished(&self) -> u64 {
        self.roots_finished.load(Relaxed)
    }

    /// The result of the root search with this number, from 0, that all threads continue with. It
    /// is the result of the first thread to finish, possibly this thread's `found`. `None` if no
    /// thread has finished it.
    pub(super) fn finish_root(&self, number: u64, found: Option<RootResult>) -> Option<RootResult> {
        let mut results = lock(&self.root_results);
        if results.get(number as usize).is_none() {
            results.push(found?);
            self.roots_finished.store(results.len() as u64, Relaxed);
        }
        results.get(number as usize).cloned()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_result_of_a_root_counts() {
        let shared = SearchShared::new(None);
        let found = |score| Some(RootResult { score, pv: vec![score as u16] });
        assert_eq!((shared.finish_root(0, None), shared.roots_finished()), (None, 0));
        assert_eq!((shared.finish_root(0, found(3)), shared.roots_finished()), (found(3), 1));
        assert_eq!((shared.finish_root(0, found(4)), shared.roots_finished()), (found(3), 1));
        assert_eq!((shared.finish_root(0, None), shared.finish_root(1, None)), (found(3), None));
    }

    #[test]
    fn no_more_nodes_are_reserved_than_there_are() {
        let shared = SearchShared::new(Some(2 * NODES_PER_CHECK + 3));
        let reserved: Vec<u64> = (0..4).map(|_| shared.reserve_nodes()).collect();
        assert_eq!(reserved, [NODES_PER_CHECK, NODES_PER_CHECK, 3, 0]);
        let endless = SearchShared::new(None);
        assert!((0..3).all(|_| endless.reserve_nodes() == NODES_PER_CHECK));
    }
}
