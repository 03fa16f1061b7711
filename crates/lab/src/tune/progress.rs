//! The progress of a tune, and its observers.

use crate::arena::{Forfeit, GameEnding};
use crate::session::BatchSummary;
use crate::stats::{PairCounts, Summary};
use crate::tune::{AnswerErrors, Posterior, RoundEvent};
use std::collections::VecDeque;
use std::fmt;

/// Probe pairs in the running Elo estimate.
pub const WINDOW: usize = 400;

/// The progress of a tune.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Games finished, including the games on record before a resume.
    pub games: u64,
    /// Games planned for the tune.
    pub planned: u64,
    /// Games played by this process.
    pub played: u64,
    /// Whether the candidate is being validated.
    pub validating: bool,
    /// Pairs of the candidate against the start in the validation.
    pub validation: PairCounts,
    /// The yardstick that the candidate is meeting, and its pairs against it.
    pub yardstick: Option<(String, PairCounts)>,
    /// The optimizer's current answer: the knobs' values in their order.
    pub knobs: Vec<f64>,
    /// How far the best values may be from these; `None` before there is an answer.
    pub errors: Option<AnswerErrors>,
    /// The same by the computation of earlier versions.
    fitted: Option<AnswerErrors>,
    /// Probe pairs so far: the then current answers against the start.
    pub probes: PairCounts,
    /// Pairs so far in which an opponent forfeited a game.
    pub(super) forfeited_pairs: u64,
    /// The pair scores of the latest probe pairs.
    recent: VecDeque<u8>,
}

impl Progress {
    pub(super) fn new(planned: u64, knobs: Vec<f64>) -> Self {
        Self { planned, knobs, ..Self::default() }
    }

    /// Takes the optimizer's answer into account.
    pub(super) fn learn(&mut self, posterior: Posterior) {
        let Posterior { means, errors, fitted } = posterior;
        (self.knobs, self.errors, self.fitted) = (means, Some(errors), Some(fitted));
    }

    /// Counts a pair of the current answer against the start.
    pub(super) fn add_probe(&mut self, pair_score: u8) {
        if self.recent.len() == WINDOW {
            self.recent.pop_front();
        }
        self.recent.push_back(pair_score);
        self.probes.add(pair_score);
    }

    /// The running estimate: the latest answers against the start. It lags behind, since the
    /// answers move.
    pub fn estimate(&self) -> Summary {
        let mut counts = PairCounts::default();
        self.recent.iter().for_each(|&pair_score| counts.add(pair_score));
        Summary::of(&counts, None)
    }

    /// The data kept with a batch of the tune.
    pub(super) fn summary(&self) -> BatchSummary {
        let Summary { elo, elo_error, .. } = self.estimate();
        let fitted = self.fitted.clone();
        let errors = self.errors.clone();
        BatchSummary {
            games: self.games,
            knobs: self.knobs.clone(),
            elo_left: fitted.as_ref().map(|fitted| fitted.elo_left),
            errors: fitted.map(|fitted| fitted.errors).unwrap_or_default(),
            elo_ahead: errors.as_ref().map(|errors| errors.elo_left),
            standard_errors: errors.map(|errors| errors.errors).unwrap_or_default(),
            pairs: self.probes,
            elo,
            elo_error,
            forfeited_pairs: self.forfeited_pairs,
            ..BatchSummary::default()
        }
    }
}

impl fmt::Display for Progress {
    /// As `12000 of 60000 games, Elo +35.0 +- 20.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, planned, .. } = self;
        let (what, summary) = match (&self.yardstick, self.validating) {
            (Some((title, counts)), _) => (format!("against {title}"), Summary::of(counts, None)),
            (None, true) => ("validation".into(), Summary::of(&self.validation, None)),
            (None, false) => (format!("{games} of {planned} games"), self.estimate()),
        };
        match summary.elo.zip(summary.elo_error) {
            Some((elo, error)) => write!(f, "{what}, Elo {elo:+.1} +- {error:.1}"),
            None => f.write_str(&what),
        }
    }
}

/// Observes the progress of a tune after every batch.
pub trait Observer {
    /// A batch is finished, or was read from the record.
    fn on_batch(&mut self, progress: &Progress);

    /// An external engine has forfeited a game, or lost it on time.
    fn on_forfeit(&mut self, engine: &str, ending: GameEnding, forfeit: &Forfeit) {
        let _ = (engine, ending, forfeit);
    }

    /// A tune in rounds has made progress.
    fn on_round(&mut self, event: RoundEvent) {
        let _ = event;
    }
}

/// An observer that ignores every event.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn on_batch(&mut self, _: &Progress) {}
}
