//! The record of a run, as a session sees it: finished batches by number.

use crate::arena::{BookState, EarlyEnds, GameRecord, MatchEnd, MatchTally};
use crate::error::{Error, Result};
use crate::stats::PairCounts;
use serde::{Deserialize, Serialize};

/// The most points of a pair: half points from both games.
const MOST_POINTS: u8 = 4;

/// The stage of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Stage {
    /// A step of the optimizer.
    Tune,
    /// A match of a round's candidate against the best set before it.
    Round,
    /// The match of the candidate against the baseline.
    Validate,
    /// The matches of the candidate against the yardsticks of the board, one after the other.
    Yardstick,
    /// The matches of a tournament, one after the other.
    Match,
}

/// A finished batch: enough to continue after it without playing it again, and the state for
/// reports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchRecord {
    /// The stage of the run.
    pub stage: Stage,
    /// Its number within its stage, from 0.
    pub batch: u64,
    /// The candidate numbers of its openings, in order.
    pub openings: Vec<u64>,
    /// The pairs' results in order: the pair scores of the first named player, 0 to 4.
    pub points: Vec<u8>,
    /// The void pairs: their places, and how many of their games were forfeited. They
    /// count as draws in `points`, and teach the optimizer nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<(usize, u8)>,
    /// Its games that ended early.
    #[serde(default, skip_serializing_if = "EarlyEnds::is_empty")]
    pub early: EarlyEnds,
    /// A fingerprint of the weights that met, so that a record cannot be taken for another run's.
    pub check: String,
    /// The state of the book of openings afterwards.
    pub book: BookState,
    /// The state at that time, for reports. A resume does not use it.
    pub summary: BatchSummary,
}

/// The first pairs of a batch that an interrupt ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnfinishedBatch {
    /// The record as if these were all of its pairs. A step of the optimizer has no summary here.
    pub record: BatchRecord,
    /// The games of these pairs.
    pub games: Vec<GameRecord>,
}

impl UnfinishedBatch {
    /// Whether they can be pairs of a batch of `pairs` pairs, in which weights of this fingerprint
    /// meet.
    pub(super) fn fits(&self, fingerprint: &str, pairs: usize) -> bool {
        let Self { record, games } = self;
        record.check == fingerprint
            && record.points.len() <= pairs
            && games.len() == 2 * record.points.len()
            && record.checked_points().is_ok()
    }
}

/// The state when a batch is finished.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BatchSummary {
    /// Games of the run so far, this batch included.
    pub games: u64,
    /// The optimizer's answer after the batch: the knobs' values in the order of the manifest. Not
    /// in the batches of a match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub knobs: Vec<f64>,
    /// The errors of these values by the fitted slope, as versions before 0.3 wrote them. They are
    /// too small.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<f64>,
    /// The Elo that the best values are expected to be ahead of the answer, by the same slope.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_left: Option<f64>,
    /// The standard errors of these values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standard_errors: Vec<f64>,
    /// The Elo that the best values are expected to be ahead of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_ahead: Option<f64>,
    /// All probe pairs of a tune so far, or the pairs of a match so far.
    pub pairs: PairCounts,
    /// In a tune, the Elo of the latest answers over the start, by the last 400 probe pairs; in a
    /// match, the candidate's. `None` where it is not defined.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The log-likelihood ratio of a match's test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// Totals of the match so far; only for matches outside of tunes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tally: Option<MatchTally>,
    /// Pairs so far in which an opponent, an external engine, forfeited a game; only in a tune.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forfeited_pairs: u64,
    /// The digests of the pairs' games, where equal pairs of a match count once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digests: Vec<u64>,
    /// Why the match ended, in its last batch; only for matches outside of tunes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<MatchEnd>,
}

/// Whether a count is 0, for fields that are then left out of a document.
pub fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The end of a run, on the journal's last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdicts {
    /// Whether the candidate replaced the baseline.
    pub accepted: bool,
    /// The candidate's Elo over the baseline in the validation match; `None` where it is not
    /// defined.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The fingerprint of the weights, with their search constants, that the run ended with.
    pub weights: String,
}

/// A change of a tune's plan during the tune, if a time limit decides how many games it plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanChange {
    /// The games of the tune, where they change.
    pub games: Option<u64>,
    /// The games of each round of a tune in rounds, where they change.
    pub round_games: Option<Vec<u64>>,
    /// The pairs of each reference match, where they change.
    pub yardstick_pairs: Option<u64>,
}

/// Keeps finished batches, and recalls earlier ones. It keeps them on a thread of its own.
pub trait Ledger: Send {
    /// The record of a batch, if it has been finished before.
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord>;

    /// The pairs of a batch that an interrupted process had finished.
    fn recall_unfinished(&self, _stage: Stage, _batch: u64) -> Option<&UnfinishedBatch> {
        None
    }

    /// Keeps the finished pairs of interrupted batches, for the next process.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep_unfinished(&mut self, _batches: Vec<UnfinishedBatch>) -> Result<()> {
        Ok(())
    }

    /// Notes a change of the plan. When this returns, a resume follows it.
    ///
    /// # Errors
    /// When it cannot be written.
    fn note_plan(&mut self, _change: PlanChange) -> Result<()> {
        Ok(())
    }

    /// Keeps a batch that has just been finished, and its games. When this returns, they are safe.
    ///
    /// # Errors
    /// When they cannot be written; then nothing of the batch is on record.
    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()>;
}

/// A ledger in memory, for tests and for runs that are never resumed.
#[derive(Clone, Debug, Default)]
pub struct MemoryLedger {
    /// Every batch that was kept, in order.
    pub records: Vec<BatchRecord>,
    /// The number of games kept.
    pub games: usize,
}

impl Ledger for MemoryLedger {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.records.iter().find(|record| record.stage == stage && record.batch == batch)
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        self.records.push(record);
        self.games += games.len();
        Ok(())
    }
}

impl BatchRecord {
    /// Frees the memory beyond its contents, since a run keeps all of its batches.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.openings.shrink_to_fit();
        self.points.shrink_to_fit();
        self.void.shrink_to_fit();
        self.summary.knobs.shrink_to_fit();
        self.summary.errors.shrink_to_fit();
    }

    /// Checks that a record fits the batch it is taken for.
    ///
    /// # Errors
    /// When the weights that met or the number of pairs differ: the journal belongs to other
    /// settings.
    pub fn check(&self, fingerprint: &str, pairs: usize) -> Result<()> {
        if self.check == fingerprint && self.points.len() == pairs && self.checked_points().is_ok()
        {
            return Ok(());
        }
        Err(Error::input(self.place(), "does not fit the run's settings and seed").remedy(
            "the manifest or the journal has been edited, or another version wrote them: restore them",
        ))
    }

    /// The pairs' results, each of which must be a possible result of two games.
    ///
    /// # Errors
    /// When one cannot: the journal is not as the run wrote it.
    pub fn checked_points(&self) -> Result<&[u8]> {
        match self.points.iter().find(|&&points| points > MOST_POINTS) {
            None => Ok(&self.points),
            Some(points) => {
                Err(Error::input(self.place(), format!("a pair of {points} half points"))
                    .remedy("restore the journal as the run wrote it"))
            }
        }
    }

    /// The result of each pair, `None` for void ones, with the digest of its games if it has one.
    pub fn digested_points(&self) -> impl Iterator<Item = (Option<u8>, Option<u64>)> {
        let digests = self.summary.digests.iter().copied().map(Some);
        self.scores().into_iter().zip(digests.chain(std::iter::repeat(None)))
    }

    /// The pair scores in order; `None` for void pairs.
    pub fn scores(&self) -> Vec<Option<u8>> {
        let mut scores: Vec<Option<u8>> = self.points.iter().copied().map(Some).collect();
        for &(place, _) in &self.void {
            if let Some(score) = scores.get_mut(place) {
                *score = None;
            }
        }
        scores
    }

    /// The place of the record, for errors.
    fn place(&self) -> String {
        format!("journal, {:?} batch {}", self.stage, self.batch).to_lowercase()
    }
}
