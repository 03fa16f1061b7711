//! Probing a node before its moves are searched: end of game, table entry, static value.

use super::state::Full;
use crate::eval::{Game, Score};
use crate::game::Foresight;
#[cfg(feature = "endgames")]
use crate::game::KnownValue;
use crate::search::score::{DRAWN, MAX_PLY, terminal, win_at};
use crate::search::table::{Bound, TableEntry};
use crate::search::window::Window;

/// The evaluation of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct NodeEval {
    /// The static value, or a better estimate from the table.
    pub(super) value: Score,
    /// Whether it has improved since one turn of each side ago.
    pub(super) improving: bool,
    /// Whether a pass would let the opponent win at once, or a move is forced.
    pub(super) threatened: bool,
}

impl<G: Game> Full<'_, G> {
    /// The score of a position that needs no search: finished, repeated, proven by the rules'
    /// foresight, known, or at the greatest ply.
    #[inline]
    pub(super) fn score_without_search(&mut self, position: &G, ply: usize) -> Option<Score> {
        if let Some(outcome) = position.outcome() {
            return Some(terminal(outcome, position.side_to_move(), ply));
        }
        if self.line_keys.enters_repetition(position, ply) {
            return Some(DRAWN);
        }
        if self.switches.foresight && ply > 0 {
            match position.foresight() {
                Foresight::Win(plies) => return Some(win_at(ply + usize::from(plies))),
                Foresight::Loss(plies) => return Some(-win_at(ply + usize::from(plies))),
                Foresight::Unknown => {}
            }
        }
        #[cfg(feature = "endgames")]
        if ply > 0
            && let Some(score) = self.known_score(position, ply)
        {
            return Some(score);
        }
        (ply + 1 >= MAX_PLY).then(|| self.evaluate(position, ply))
    }

    /// The score of a position with a known value. One turn counts as one ply.
    #[cfg(feature = "endgames")]
    #[inline]
    fn known_score(&self, position: &G, ply: usize) -> Option<Score> {
        Some(match self.known?.known_value(position)? {
            KnownValue::Win(turns) => win_at(ply + turns as usize),
            KnownValue::Loss(turns) => -win_at(ply + turns as usize),
            KnownValue::Draw => DRAWN,
        })
    }

    #[inline]
    pub(super) fn probe(&mut self, position: &G, ply: usize) -> Option<TableEntry> {
        if !self.switches.table {
            return None;
        }
        let known = self.table.probe(position.key(), ply);
        self.budget.counters.count_probe(known.is_some());
        known
    }

    /// The score of a table entry, if it is valid for this depth and window.
    #[inline]
    pub(super) fn usable(&self, entry: TableEntry, depth: i32, window: Window) -> Option<Score> {
        let deep_enough = if self.switches.exact_depth {
            i32::from(entry.depth) == depth
        } else {
            i32::from(entry.depth) >= depth
        };
        entry.cutoff(window).filter(|_| deep_enough)
    }

    #[inline]
    pub(super) fn static_eval(
        &mut self,
        position: &G,
        fixed: Score,
        known: Option<TableEntry>,
        ply: usize,
    ) -> NodeEval {
        let side = position.side_to_move();
        self.heuristics.stack[ply].value = fixed;
        self.heuristics.stack[ply].side = Some(side);
        let round = 2 * G::TURN_PLIES as usize;
        let improving = ply >= round && {
            let before = &self.heuristics.stack[ply - round];
            before.side == Some(side) && fixed > before.value
        };
        let value = match known {
            Some(TableEntry { bound: Bound::Lower, score, .. }) if score > fixed => score,
            Some(TableEntry { bound: Bound::Upper, score, .. }) if score < fixed => score,
            Some(TableEntry { bound: Bound::Exact, score, .. }) => score,
            _ => fixed,
        };
        NodeEval { value, improving, threatened: position.is_threatened() }
    }
}
