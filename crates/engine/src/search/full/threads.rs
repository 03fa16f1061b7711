//! Cooperation of the threads of one search: sharing the moves of a node, and using each other's
//! results.

use super::state::{Full, PendingNode};
use crate::eval::{Game, Score};
use crate::game::MoveCode;
use crate::search::in_progress::{Claim, LEAST_DEPTH};
use crate::search::table::Bound;
use crate::search::window::Window;

/// The number of moves that all threads search at a node before they split. One of these often
/// refutes the node, and work on later moves would be wasted.
const COMMON_MOVES: usize = 2;

impl<'a, G: Game> Full<'a, G> {
    /// Registers the goal of a node's search. Returns true if another thread has meanwhile finished
    /// a node above; the search then unwinds to it.
    #[inline]
    pub(super) fn begin_node(
        &mut self,
        position: &G,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> bool {
        // Results of the root are shared elsewhere, and a node with an excluded move has a
        // different score.
        if ply > 0 && self.heuristics.stack[ply].excluded == 0 {
            self.heuristics.pending[ply] = PendingNode { key: position.key(), depth, window };
        }
        self.budget.take_poll_due() && self.unwind_to_finished(ply)
    }

    /// Whether another thread has finished a node above this ply. The search then unwinds to the
    /// highest such node.
    #[cold]
    fn unwind_to_finished(&mut self, ply: usize) -> bool {
        (1..ply).any(|above| self.is_finished_elsewhere(above))
    }

    /// Whether another thread has finished the node at this ply since this thread began it. The
    /// search then unwinds to the node.
    #[inline]
    pub(super) fn is_finished_elsewhere(&mut self, ply: usize) -> bool {
        let node = self.heuristics.pending[ply];
        if ply == 0 || node.depth < LEAST_DEPTH || !self.switches.table {
            return false;
        }
        let known = self.table.probe(node.key, ply);
        match known.and_then(|entry| self.usable(entry, node.depth, node.window)) {
            Some(score) => self.budget.unwind(ply, score),
            None => return false,
        }
        true
    }

    /// Ends unwinding at the node that another thread has finished, and returns its score. The line
    /// becomes the one stored in the table.
    #[inline]
    pub(super) fn finish_unwind(&mut self, position: &G, ply: usize) -> Option<Score> {
        if self.heuristics.stack[ply].excluded != 0 {
            return None;
        }
        let score = self.budget.finish_unwind(ply)?;
        let pv = self.pv_from_table(position, self.heuristics.pending[ply], ply);
        self.heuristics.pv.replace(ply, &pv);
        Some(score)
    }

    /// The line of exact table entries from a node; empty if its score is only a bound.
    #[cold]
    fn pv_from_table(&self, position: &G, node: PendingNode, ply: usize) -> Vec<u16> {
        let mut codes = Vec::new();
        if node.window.is_null() {
            return codes;
        }
        let mut position = position.clone();
        for below in 0..node.depth as usize {
            let known = self.table.probe(position.key(), ply + below);
            let Some(entry) = known.filter(|entry| entry.bound == Bound::Exact && entry.code != 0)
            else {
                break;
            };
            let mv = G::Move::from_code(entry.code);
            if position.outcome().is_some() || !position.is_legal(mv) {
                break;
            }
            codes.push(entry.code);
            position = position.play_unchecked(mv);
        }
        codes
    }

    /// The claim on a move, which tells other threads that it is being searched. There is none for
    /// the first moves, which all threads search, and for shallow searches, which are not worth
    /// one.
    #[inline]
    pub(super) fn claim(
        &self,
        position: &G,
        mv: G::Move,
        depth: i32,
        searched: usize,
    ) -> Option<Claim<'a>> {
        let in_progress =
            self.in_progress.filter(|_| searched >= COMMON_MOVES && depth >= LEAST_DEPTH)?;
        Some(in_progress.claim(position.key(), mv.code(), depth))
    }
}
