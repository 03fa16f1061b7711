//! How a tune is going: what its observers see.

use super::logistic::rounds::RoundEvent;
use crate::arena::Forfeit;
use crate::stats::{PairCounts, Summary};
use std::collections::VecDeque;

/// Probe pairs that the running Elo estimate looks back on.
const WINDOW: usize = 400;

/// How a tune is going.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Games finished, those on record before a resume included.
    pub games: u64,
    /// Games planned for the tune.
    pub planned: u64,
    /// Games played by this process.
    pub played: u64,
    /// Whether the candidate is being validated.
    pub validating: bool,
    /// Pairs of the candidate against the start in the validation.
    pub validation: PairCounts,
    /// The current answer, in the order of the parameters.
    pub point: Vec<f64>,
    /// Probe pairs of the current answers against the start, the latest ones.
    probes: VecDeque<u8>,
}

impl Progress {
    pub(super) fn new(planned: u64, point: Vec<f64>) -> Self {
        Self { planned, point, ..Self::default() }
    }

    /// A pair of the current answer against the start: its doubled points.
    pub(super) fn add_probe(&mut self, pair_score: u8) {
        if self.probes.len() == WINDOW {
            self.probes.pop_front();
        }
        self.probes.push_back(pair_score);
    }

    /// The running estimate of the current answers against the start. It lags behind, since the
    /// answers move.
    pub fn estimate(&self) -> Summary {
        let mut counts = PairCounts::default();
        self.probes.iter().for_each(|&points| counts.add(points));
        Summary::of(&counts, None)
    }
}

/// Sees how a tune is going after every batch.
pub trait Observer {
    /// A batch is finished, or was read from the record.
    fn on_batch(&mut self, progress: &Progress);

    /// A pair of the batch that is about to be reported was a probe and scored so many doubled
    /// points.
    fn on_probe(&mut self, pair_score: u8) {
        let _ = pair_score;
    }

    /// An engine of others has forfeited a game.
    fn on_forfeit(&mut self, engine: &str, forfeit: &Forfeit) {
        let _ = (engine, forfeit);
    }

    /// A tune in rounds has come a little further.
    fn on_round(&mut self, event: RoundEvent) {
        let _ = event;
    }
}

/// Looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn on_batch(&mut self, _: &Progress) {}
}
