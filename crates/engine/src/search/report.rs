//! What a search found.

use super::counters::Counters;
use crate::eval::Score;
use crate::game::Position;
use std::time::Duration;

/// The result of a finished iteration.
#[derive(Debug)]
pub struct DepthReport<'a, P: Position> {
    /// Its depth in plies.
    pub depth: u32,
    /// The score from the side to move.
    pub score: Score,
    /// The principal variation.
    pub pv: &'a [P::Move],
    /// What has been counted since the search began.
    pub counters: Counters,
    /// The time since the search began.
    pub elapsed: Duration,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<P: Position> {
    /// The move to play; `None` only when the game is over.
    pub best: Option<P::Move>,
    /// The score from the side to move.
    pub score: Score,
    /// The last depth finished, in plies.
    pub depth: u32,
    /// The principal variation, beginning with the best move.
    pub pv: Vec<P::Move>,
    /// What was counted.
    pub counters: Counters,
    /// How long it took.
    pub elapsed: Duration,
}

impl<P: Position> Report<P> {
    pub(super) fn empty() -> Self {
        Self {
            best: None,
            score: 0,
            depth: 0,
            pv: Vec::new(),
            counters: Counters::default(),
            elapsed: Duration::ZERO,
        }
    }
}
