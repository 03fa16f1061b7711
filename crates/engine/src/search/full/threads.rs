//! How the threads of one search share the work at a node, and use each other's results.

use super::state::{Full, PendingNode};
use crate::eval::{Game, Score};
use crate::game::MoveCode;
use crate::search::in_progress::{Claim, LEAST_DEPTH};
use crate::search::table::Bound;
use crate::search::window::Window;

/// Moves of a node that every thread searches before they part: often one of them refutes it, and
/// the work of the others on later moves would be wasted.
const COMMON_MOVES: usize = 2;

impl<'a, G: Game> Full<'a, G> {
    /// Notes what the search of a node is to find out. True when another thread has meanwhile
    /// finished a node above, to which the search then unwinds.
    #[inline]
    pub(super) fn begin_node(
        &mut self,
        position: &G,
        depth: i32,
        window: Window,
        ply: usize,
    ) -> bool {
        // Results of the root are exchanged elsewhere, and a node without one of its moves has
        // another score.
        if ply > 0 && self.heuristics.stack[ply].excluded == 0 {
            self.heuristics.pending[ply] = PendingNode { key: position.key(), depth, window };
        }
        self.budget.take_poll_due() && self.unwind_to_finished(ply)
    }

    /// Whether another thread has finished a node above this ply. The search then unwinds to the
    /// highest of them.
    #[cold]
    fn unwind_to_finished(&mut self, ply: usize) -> bool {
        (1..ply).any(|above| self.is_finished_elsewhere(above))
    }

    /// Whether another thread has finished the node at this ply since this one began it. The search
    /// then unwinds to it.
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

    /// Ends the unwinding at the node that another thread has finished: its score; its line becomes
    /// what the table knows of it.
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

    /// The moves of the table's exact entries from a node on; none where its score is a bound.
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

    /// The claim on a move, by which the other threads see that it is being searched. The first
    /// moves are searched by all, and shallow searches are not worth a claim.
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
