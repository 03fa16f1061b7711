//! The budget of a search thread: it counts nodes and decides when the search must unwind.

use super::counters::Counters;
use super::limits::{Deadline, Limits, Stop};
use super::shared::{RootResult, SearchShared};
use crate::eval::Score;
use std::sync::Arc;
use std::time::Duration;

/// Counts a thread's nodes and decides when it must stop.
#[derive(Debug)]
pub(super) struct SearchBudget {
    pub(super) counters: Counters,
    next_check: u64,
    deadline: Deadline,
    shared: Arc<SearchShared>,
    /// Whether this is a helper and not the first thread of its search.
    is_helper: bool,
    stopped: bool,
    /// The number of the current search of the root, from 0.
    root_number: u64,
    /// Whether another thread has finished this search of the root.
    overtaken: bool,
    unwind_target: Option<UnwindTarget>,
    /// Whether to look for nodes finished by other threads; set at every check.
    poll_due: bool,
}

/// The node that a search unwinds to, since another thread has found its score.
#[derive(Clone, Copy, Debug)]
struct UnwindTarget {
    ply: usize,
    score: Score,
}

impl SearchBudget {
    pub(super) fn new(limits: &Limits, stop: &Stop) -> Self {
        Self::with_shared(Arc::new(SearchShared::new(limits.nodes)), limits.start(stop), false)
    }

    /// The budget of a helper under the same limits.
    pub(super) fn for_helper(&self) -> Self {
        Self::with_shared(self.shared.clone(), self.deadline.clone(), true)
    }

    fn with_shared(shared: Arc<SearchShared>, deadline: Deadline, is_helper: bool) -> Self {
        let next_check = shared.reserve_nodes();
        let counters = Counters::default();
        Self {
            counters,
            next_check,
            deadline,
            shared,
            is_helper,
            stopped: false,
            root_number: 0,
            overtaken: false,
            unwind_target: None,
            poll_due: false,
        }
    }

    pub(super) fn shared(&self) -> &Arc<SearchShared> {
        &self.shared
    }

    /// The counters of this thread and its helpers, added up.
    pub(super) fn total(&self) -> Counters {
        let mut total = self.shared.helper_counters();
        total.add(&self.counters);
        total
    }

    /// Moves a helper's counters to the shared counters.
    pub(super) fn flush_counters(&mut self) {
        self.shared.add_helper_counters(&std::mem::take(&mut self.counters));
    }

    /// Counts a node; true when the search must unwind instead of visiting it.
    #[inline]
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        if self.counters.nodes >= self.next_check && self.must_stop() {
            return true;
        }
        self.counters.nodes += 1;
        self.counters.seldepth = self.counters.seldepth.max(ply as u32);
        false
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        if self.is_helper {
            self.flush_counters();
        }
        self.poll_due = true;
        self.overtaken = self.shared.roots_finished() > self.root_number;
        let over =
            self.overtaken || self.stopped || self.deadline.is_over() || self.shared.is_finished();
        let reserved = if over { 0 } else { self.shared.reserve_nodes() };
        self.stopped = reserved == 0;
        // Once stopped, the search enters no more nodes.
        self.next_check = if self.stopped { 0 } else { self.counters.nodes + reserved };
        self.stopped
    }

    /// Checks the clock and the stop flag now; true when the search must end. For searches with
    /// slow nodes.
    #[cfg(feature = "tree-search")]
    pub(super) fn check_time(&mut self) -> bool {
        if self.deadline.is_over() || self.shared.is_finished() {
            (self.stopped, self.next_check) = (true, 0);
        }
        self.stopped
    }

    /// Ends a search of the root and offers this thread's result, unless it was stopped. Returns
    /// the result that all threads continue with, possibly an earlier one of another thread; `None`
    /// when all threads are stopped.
    pub(super) fn finish_root(&mut self, found: RootResult) -> Option<RootResult> {
        let result = self.shared.finish_root(self.root_number, (!self.stopped).then_some(found));
        if result.is_some() {
            self.root_number += 1;
            if std::mem::take(&mut self.overtaken) {
                self.stopped = false;
            }
        }
        result
    }

    /// Whether to look for nodes finished by other threads; true once after each check.
    #[inline]
    pub(super) fn take_poll_due(&mut self) -> bool {
        std::mem::take(&mut self.poll_due)
    }

    /// Unwinds the search to the node at this ply, whose score another thread has found.
    pub(super) fn unwind(&mut self, ply: usize, score: Score) {
        self.unwind_target = Some(UnwindTarget { ply, score });
        self.stopped = true;
    }

    /// Ends unwinding at the node at this ply, if it is the target, and returns the score found.
    #[inline]
    pub(super) fn finish_unwind(&mut self, ply: usize) -> Option<Score> {
        let UnwindTarget { score, .. } = self.unwind_target.filter(|target| target.ply == ply)?;
        self.unwind_target = None;
        self.stopped = false;
        Some(score)
    }

    /// Whether the search is unwinding. Scores on the way are meaningless.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether no further iteration should begin, because this share of the soft time, in percent,
    /// is used up. Helpers go on: the first thread may still need their results.
    pub(super) fn is_enough(&self, share: u32) -> bool {
        !self.is_helper && self.deadline.is_enough(share)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.deadline.elapsed()
    }
}
