//! The work of one search: what it counts, and when it must unwind.

use super::limits::{Deadline, Limits, Stop};
use super::team::{SearchShared, SettledSearch};
use crate::eval::Score;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// What a search counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Positions visited, those of the quiescence search and the root included.
    pub nodes: u64,
    /// Those of them in the quiescence search.
    pub quiescence_nodes: u64,
    /// Questions to the transposition table.
    pub table_queries: u64,
    /// Questions it had an answer to.
    pub table_hits: u64,
    /// Answers that ended the search of a node.
    pub table_cutoffs: u64,
    /// Nodes that a move refuted.
    pub cutoffs: u64,
    /// Moves searched at those nodes, the refuting ones included.
    pub cutoff_moves: u64,
    /// The deepest ply reached.
    pub seldepth: u32,
}

impl Counters {
    /// Moves tried before a cutoff, on average, the refuting one included; `None` without cutoffs.
    pub fn moves_before_cutoff(&self) -> Option<f64> {
        (self.cutoffs > 0).then(|| self.cutoff_moves as f64 / self.cutoffs as f64)
    }

    /// Adds what another search counted; the deeper of the two depths stays.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.quiescence_nodes += other.quiescence_nodes;
        self.table_queries += other.table_queries;
        self.table_hits += other.table_hits;
        self.table_cutoffs += other.table_cutoffs;
        self.cutoffs += other.cutoffs;
        self.cutoff_moves += other.cutoff_moves;
        self.seldepth = self.seldepth.max(other.seldepth);
    }
}

/// Counts the nodes of a thread and says when to stop.
#[derive(Debug)]
pub(super) struct SearchBudget {
    pub(super) counters: Counters,
    next_check: u64,
    deadline: Deadline,
    team: Arc<SearchShared>,
    /// Whether this is not the first thread of its team.
    helps: bool,
    stopped: bool,
    /// The number of the search of the root, from 0.
    search: u64,
    /// Whether another thread has settled that one.
    overtaken: bool,
    /// The ply that the search unwinds to, because another thread has found the score of its node,
    /// and this score.
    unwinds: Option<(usize, Score)>,
    /// Whether it is time to look for what other threads have answered: at every check.
    looks: bool,
}

impl SearchBudget {
    pub(super) fn new(limits: &Limits, stop: &Stop) -> Self {
        Self::of_team(Arc::new(SearchShared::new(limits.nodes)), limits.start(stop), false)
    }

    /// The work of a helper under the same limits.
    pub(super) fn helper(&self) -> Self {
        Self::of_team(self.team.clone(), self.deadline.clone(), true)
    }

    fn of_team(team: Arc<SearchShared>, deadline: Deadline, helps: bool) -> Self {
        let next_check = team.draw();
        let counters = Counters::default();
        Self {
            counters,
            next_check,
            deadline,
            team,
            helps,
            stopped: false,
            search: 0,
            overtaken: false,
            unwinds: None,
            looks: false,
        }
    }

    /// The threads that work together.
    pub(super) fn team(&self) -> &Arc<SearchShared> {
        &self.team
    }

    /// What this thread has counted, and what its helpers have handed in.
    pub(super) fn total(&self) -> Counters {
        let mut total = self.team.counted();
        total.add(&self.counters);
        total
    }

    /// Hands in what a helper has counted.
    pub(super) fn hand_in(&mut self) {
        self.team.hand_in(&std::mem::take(&mut self.counters));
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
        if self.helps {
            self.hand_in();
        }
        self.looks = true;
        self.overtaken = self.team.searches() > self.search;
        let over =
            self.overtaken || self.stopped || self.deadline.is_over() || self.team.is_finished();
        let drawn = if over { 0 } else { self.team.draw() };
        self.stopped = drawn == 0;
        // Once stopped, no node is entered any more.
        self.next_check = if self.stopped { 0 } else { self.counters.nodes + drawn };
        self.stopped
    }

    /// Ends a search of the root with what this thread has found, if it was not stopped: what the
    /// team takes for the answer, which another thread may have found before. `None` when all is
    /// stopped.
    pub(super) fn settle(&mut self, found: SettledSearch) -> Option<SettledSearch> {
        let settled = self.team.settle(self.search, (!self.stopped).then_some(found));
        if settled.is_some() {
            self.search += 1;
            if std::mem::take(&mut self.overtaken) {
                self.stopped = false;
            }
        }
        settled
    }

    /// Whether it is time to look for what other threads have answered; the next time comes with
    /// the next check.
    #[inline]
    pub(super) fn takes_a_look(&mut self) -> bool {
        std::mem::take(&mut self.looks)
    }

    /// Unwinds the search to the node at this ply, of which another thread has found the score.
    pub(super) fn unwind(&mut self, ply: usize, score: Score) {
        self.unwinds = Some((ply, score));
        self.stopped = true;
    }

    /// Ends the unwinding to the node at this ply, if there is one: the score that was found.
    #[inline]
    pub(super) fn arrive(&mut self, ply: usize) -> Option<Score> {
        let (_, score) = self.unwinds.filter(|unwinds| unwinds.0 == ply)?;
        self.unwinds = None;
        self.stopped = false;
        Some(score)
    }

    /// Counts a cutoff by the move with this index.
    #[inline]
    pub(super) fn count_cutoff(&mut self, index: usize) {
        self.counters.cutoffs += 1;
        self.counters.cutoff_moves += index as u64 + 1;
    }

    /// Whether the search is unwinding: scores on the way are worth nothing.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether no iteration should begin any more, since this share of the soft time, in percent,
    /// is over. A helper goes on all the same: the first thread may still need what it finds.
    pub(super) fn is_enough(&self, share: u32) -> bool {
        !self.helps && self.deadline.is_enough(share)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.deadline.elapsed()
    }
}
