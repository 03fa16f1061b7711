//! How the threads of one search share the work at a node, and leave to each other what one has
//! done.

use super::Full;
use crate::eval::{Game, Score};
use crate::game::MoveCode;
use crate::search::busy::{Claim, LEAST_DEPTH};
use crate::search::table::Bound;

/// Moves of a node that every thread searches before they part: often one of them refutes it, and
/// what the others would do meanwhile with the moves after it would be for nothing.
const COMMON_MOVES: usize = 2;

/// What a node on the way from the root wants to know.
#[derive(Clone, Copy, Default)]
pub(super) struct PendingNode {
    /// The key of its position.
    key: u64,
    /// The depth that was asked for.
    depth: i32,
    alpha: Score,
    beta: Score,
}

impl<'a, G: Game> Full<'a, G> {
    /// Begins a node: notes what it wants to know. True when another thread has meanwhile answered
    /// a node above, to which the search then unwinds.
    #[inline]
    pub(super) fn join(
        &mut self,
        position: &G,
        depth: i32,
        (alpha, beta): (Score, Score),
        ply: usize,
    ) -> bool {
        // The searches of the root are settled elsewhere, and a node without one of its moves has
        // another answer.
        if ply > 0 && self.heuristics.stack[ply].excluded == 0 {
            self.heuristics.questions[ply] =
                PendingNode { key: position.key(), depth, alpha, beta };
        }
        self.work.takes_a_look() && self.look_up(ply)
    }

    /// Whether another thread has answered a node above this ply. The search then unwinds to the
    /// highest of them.
    #[cold]
    fn look_up(&mut self, ply: usize) -> bool {
        (1..ply).any(|above| self.is_answered(above))
    }

    /// Whether another thread has answered the node at this ply since this one began with it. The
    /// search then unwinds to it.
    #[inline]
    pub(super) fn is_answered(&mut self, ply: usize) -> bool {
        let asked = self.heuristics.questions[ply];
        if ply == 0 || asked.depth < LEAST_DEPTH || !self.switches.table {
            return false;
        }
        let known = self.table.probe(asked.key, ply);
        match known.and_then(|entry| self.usable(entry, asked.depth, asked.alpha, asked.beta)) {
            Some(score) => self.work.unwind(ply, score),
            None => return false,
        }
        true
    }

    /// Ends the unwinding at the node that was answered: its score, and its line as far as the
    /// table knows it.
    #[inline]
    pub(super) fn arrive(&mut self, position: &G, ply: usize) -> Option<Score> {
        if self.heuristics.stack[ply].excluded != 0 {
            return None;
        }
        let score = self.work.arrive(ply)?;
        let line = self.known_line(position, self.heuristics.questions[ply], ply);
        self.heuristics.lines.replace(ply, &line);
        Some(score)
    }

    /// The moves of the table's exact entries from a node on; none where its score is a bound.
    #[cold]
    fn known_line(&self, position: &G, asked: PendingNode, ply: usize) -> Vec<u16> {
        let mut codes = Vec::new();
        if asked.beta - asked.alpha == 1 {
            return codes;
        }
        let mut position = position.clone();
        for below in 0..asked.depth as usize {
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

    /// The mark of a move by which the other threads know that it is being searched. The first
    /// moves are everybody's, and shallow searches are not worth a mark.
    #[inline]
    pub(super) fn mark(
        &self,
        position: &G,
        mv: G::Move,
        depth: i32,
        searched: usize,
    ) -> Option<Claim<'a>> {
        let busy = self.busy.filter(|_| searched >= COMMON_MOVES && depth >= LEAST_DEPTH)?;
        Some(busy.mark(position.key(), mv.code(), depth))
    }
}
