//! The quiescence search: it resolves captures and answers threats to reach the goal before it
//! relies on a static value.

use super::state::Full;
use crate::eval::{Game, Score};
use crate::game::{MoveCode, MoveList};
use crate::search::ordering::{MoveOrder, NextMove, score_moves};
use crate::search::score::{INFINITE, is_proven};
use crate::search::table::{Bound, TableEntry};
use crate::search::window::{Window, descend};

impl<G: Game> Full<'_, G> {
    /// The score of a position by captures and forced answers only. `plies` is the number of plies
    /// within the quiescence search.
    pub(super) fn quiesce(
        &mut self,
        position: &G,
        mut window: Window,
        ply: usize,
        plies: i32,
    ) -> Score {
        self.heuristics.pv.clear(ply);
        if self.budget.enter(ply) {
            return 0;
        }
        self.budget.counters.quiescence_nodes += 1;
        if let Some(score) = self.score_without_search(position, ply) {
            return score;
        }
        if !self.switches.quiescence {
            return self.evaluate(position, ply);
        }
        // Without foresight decided positions get here too, and their answers may lack the win or
        // be empty.
        let forced = self.switches.foresight && position.must_answer();
        // With turns of several plies this would prune hardly any move: the next ply can answer
        // too.
        let threatened = || {
            G::TURN_PLIES == 1 && plies < self.constants.threat_plies && position.is_threatened()
        };
        let is_quiet = !forced && !threatened();
        let early = if is_quiet { self.evaluate_early(position, ply) } else { None };
        let known = self.probe(position, ply);
        if let Some(score) = known.and_then(|entry| self.usable(entry, 0, window)) {
            self.budget.counters.table_cutoffs += 1;
            return score;
        }
        let standing = is_quiet.then(|| early.unwrap_or_else(|| self.evaluate(position, ply)));
        let original = window;
        let mut moves = MoveList::new();
        let mut best = -INFINITE;
        match standing {
            Some(value) => {
                best = value;
                window.alpha = window.alpha.max(best);
                if window.alpha >= window.beta || self.is_hopeless(best, window.alpha) {
                    return best;
                }
                position.noisy_moves(&mut moves);
            }
            None if forced => position.relevant_moves(&mut moves),
            None => position.moves(&mut moves),
        }
        let code = known.map_or(0, |entry| entry.code);
        let context = self.context(position, ply);
        let mut order = MoveOrder::new(None);
        let mut best_code = 0;
        for index in 0.. {
            let next = order.next(|scored| {
                let history = &self.heuristics.history;
                score_moves(position, &moves, code, history, context, self.constants, scored);
            });
            let Some(NextMove { mv, .. }) = next else { break };
            let child = self.play(position, mv, ply);
            let turns = child.side_to_move() != position.side_to_move();
            let score =
                descend(turns, window, |window| self.quiesce(&child, window, ply + 1, plies + 1));
            if self.budget.is_stopped() {
                return best;
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    best_code = mv.code();
                    self.heuristics.pv.set(ply, best_code);
                }
                if window.alpha >= window.beta {
                    self.budget.counters.count_cutoff(index);
                    break;
                }
            }
        }
        if self.switches.table {
            let bound = Bound::of(best, original);
            self.table.store(
                position.key(),
                ply,
                TableEntry { code: best_code, score: best, bound, depth: 0 },
            );
        }
        best
    }

    /// Delta pruning: whether even winning a piece leaves the static value well below alpha.
    fn is_hopeless(&self, value: Score, alpha: Score) -> bool {
        self.switches.pruning
            && !is_proven(alpha)
            && value.saturating_add(self.margin(self.constants.delta_margin, 1)) <= alpha
    }
}
