//! The result of a search.

use super::counters::Counters;
use crate::eval::Score;
use crate::game::{MoveCode, Position};
use std::time::Duration;

/// A line found by a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<P: Position> {
    /// The depth of its search, in plies.
    pub depth: u32,
    /// The score from the side to move.
    pub score: Score,
    /// Its moves, at least one.
    pub pv: Vec<P::Move>,
}

impl<P: Position> Line<P> {
    /// The code of its first move.
    pub(super) fn code(&self) -> Option<u16> {
        self.pv.first().map(|mv| mv.code())
    }
}

/// The result of a completed iteration.
#[derive(Debug)]
pub struct DepthReport<'a, P: Position> {
    /// Its depth in plies.
    pub depth: u32,
    /// The score from the side to move.
    pub score: Score,
    /// The principal variation.
    pub pv: &'a [P::Move],
    /// The next best lines, best first, if [`Lines`](super::Lines) requests several.
    pub alternatives: &'a [Line<P>],
    /// The counters from the start of the search.
    pub counters: Counters,
    /// The time from the start of the search.
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<P: Position> {
    /// The move to play; `None` only when the game is over.
    pub best: Option<P::Move>,
    /// The score from the side to move. If the full search was stopped within a depth, a loss
    /// concerns only the moves searched by then.
    pub score: Score,
    /// The last completed depth of the principal variation, in plies.
    pub depth: u32,
    /// The principal variation, beginning with the best move.
    pub pv: Vec<P::Move>,
    /// The next best lines, best first, if [`Lines`](super::Lines) requests several. If the search
    /// was stopped, some of them may have a smaller depth.
    pub alternatives: Vec<Line<P>>,
    /// The counters of the whole search.
    pub counters: Counters,
    /// The time that the search took.
    pub elapsed: Duration,
}

impl<P: Position> Report<P> {
    pub(super) fn empty() -> Self {
        Self {
            best: None,
            score: 0,
            depth: 0,
            pv: Vec::new(),
            alternatives: Vec::new(),
            counters: Counters::default(),
            elapsed: Duration::ZERO,
        }
    }

    /// Every line, best first: the principal variation and its alternatives. Empty when the game is
    /// over.
    pub fn lines(&self) -> Vec<Line<P>> {
        let Self { best, score, depth, .. } = *self;
        let first = best.map(|_| Line { depth, score, pv: self.pv.clone() });
        first.into_iter().chain(self.alternatives.iter().cloned()).collect()
    }
}
