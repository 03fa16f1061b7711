//! The record of a tune in rounds, and what its observers see.

use super::fit::{FitStep, PenaltyResult};
use super::samples::{Header, PositionSource};
use super::uncertainty::Uncertainty;
use crate::error::{Error, Result};
use crate::session::{Ledger, MemoryLedger};
use crate::stats::PairCounts;
use crate::tune::network::{Epoch, OlderFile, TrainingStep};
use crate::weights::WeightSet;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The progress of a round's positions: a line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionsRecord {
    /// The round, from 1.
    pub round: u64,
    /// Its games until now.
    pub games: u64,
    /// Its records until now.
    pub positions: u64,
    /// The length of the file with them.
    pub bytes: u64,
    /// The checksum of the bytes that this line added to the file: records, after the header in the
    /// first line.
    pub digest: String,
}

/// The result of a round's fit: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FitRecord {
    /// The round, from 1.
    pub round: u64,
    /// Training and validation positions, repetitions left out.
    pub positions: [u64; 2],
    /// The divisors of the scores, for each round's positions, in percent of a piece's worth.
    pub k: Vec<f64>,
    /// The standard errors of these, in the same units; none if they are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub k_errors: Vec<f64>,
    /// The weight of the scores in the training target, if it was not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<f64>,
    /// The units of the set's weights in one logit.
    pub units: f64,
    /// The loss per validation position at the start, in nats; `None` for a network, which has no
    /// start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<f64>,
    /// The fits, one for each penalty that was tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<PenaltyResult>,
    /// The epochs of a network's training.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub epochs: Vec<Epoch>,
    /// The place of the winning penalty or epoch.
    pub best: usize,
    /// The fingerprint of the fitted set.
    pub weights: String,
}

impl FitRecord {
    /// The penalty of the winning trial.
    pub fn penalty(&self) -> Option<f64> {
        self.trials.get(self.best).map(|trial| trial.penalty)
    }

    /// The loss per validation position after the fit, in nats.
    pub fn loss(&self) -> Option<f64> {
        let of_epoch = || self.epochs.get(self.best).map(|epoch| epoch.validation);
        self.trials.get(self.best).map(|trial| trial.validation).or_else(of_epoch)
    }
}

/// The result of a round: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundRecord {
    /// The round, from 1.
    pub round: u64,
    /// Whether its set has taken the place of the best before it.
    pub accepted: bool,
    /// Pairs of the match.
    pub pairs: PairCounts,
    /// The Elo over the best before it; `None` where it is not defined.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
}

/// The record of a tune, which may have rounds. By default it refuses rounds: a ledger for tunes by
/// matches alone needs none of these methods.
pub trait RoundLedger: Ledger {
    /// The progress of a round's positions, if there are any.
    fn positions(&self, _round: u64) -> Option<&PositionsRecord> {
        None
    }

    /// Adds the records of further games to a round. When this returns, they are safe.
    ///
    /// # Errors
    /// When they cannot be written; then nothing of them is on record.
    fn keep_positions(
        &mut self,
        _round: u64,
        _header: &Header,
        _games: u64,
        _records: &[u8],
    ) -> Result<()> {
        Err(no_rounds())
    }

    /// The part of a round that an interrupted process had played beyond the record.
    fn unfinished_games(&self, _round: u64) -> Option<&UnfinishedGames> {
        None
    }

    /// Keeps games that are too few for a line of the record, for the next process.
    ///
    /// # Errors
    /// When they cannot be written.
    fn keep_unfinished_games(&mut self, _games: UnfinishedGames) -> Result<()> {
        Ok(())
    }

    /// The positions of these rounds.
    ///
    /// # Errors
    /// When they cannot be read, or have changed since they were kept.
    fn samples(&mut self, _rounds: RangeInclusive<u64>) -> Result<Box<dyn PositionSource>> {
        Err(no_rounds())
    }

    /// The positions of earlier runs, from these files; `None` where there are none.
    ///
    /// # Errors
    /// When they cannot be read, or have changed since the run began.
    fn older(&self, files: &[OlderFile]) -> Result<Option<Box<dyn PositionSource>>> {
        if files.is_empty() { Ok(None) } else { Err(no_rounds()) }
    }

    /// The checkpoint of a round's training by an earlier process, if there is one.
    ///
    /// # Errors
    /// When it cannot be read, or is damaged.
    fn checkpoint(&self, _round: u64) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    /// Keeps a checkpoint of a round's training, in place of the earlier one.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep_checkpoint(&mut self, _round: u64, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }

    /// The fit of a round, if it is done.
    fn fit(&self, _round: u64) -> Option<&FitRecord> {
        None
    }

    /// Keeps a fit and its set.
    ///
    /// # Errors
    /// When they cannot be written, or the fit on record is another one.
    fn keep_fit(&mut self, _record: FitRecord, _set: &WeightSet) -> Result<()> {
        Err(no_rounds())
    }

    /// The set of a fit that is done; `None` when it is gone and must be fitted again.
    ///
    /// # Errors
    /// When it cannot be read, or has changed since it was kept.
    fn fitted(&self, _round: u64) -> Result<Option<WeightSet>> {
        Ok(None)
    }

    /// The end of a round, if it is over.
    fn round(&self, _round: u64) -> Option<&RoundRecord> {
        None
    }

    /// Keeps the end of a round.
    ///
    /// # Errors
    /// When it cannot be written, or the one on record is another one.
    fn keep_round(&mut self, _record: RoundRecord) -> Result<()> {
        Err(no_rounds())
    }
}

impl RoundLedger for MemoryLedger {}

fn no_rounds() -> Error {
    Error::input("ledger", "keeps no rounds").remedy("run the tune in a directory")
}

/// Games of a round that are too few for a line of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfinishedGames {
    /// The round, from 1.
    pub round: u64,
    /// The games of the round that were on record then.
    pub before: u64,
    /// The games beyond them.
    pub games: u64,
    /// The records of their positions.
    pub records: Vec<u8>,
}

/// The events that observers of a tune in rounds receive.
#[derive(Clone, Copy, Debug)]
pub enum RoundEvent<'a> {
    /// Games of a round.
    Generated {
        /// The number of the round, from 1.
        round: u64,
        /// Its games until now, and all of them.
        games: [u64; 2],
        /// Its positions until now.
        positions: u64,
    },
    /// A step of a round's fit.
    Fitting(u64, FitStep),
    /// A step of a round's training, with the number of epochs.
    Training(u64, TrainingStep, u64),
    /// A round's fit is done. The uncertainty is known unless the fit was read from the record.
    Fitted(&'a FitRecord, Option<&'a Uncertainty>),
    /// The games of the fit before the matches give nothing to fit, for this reason.
    NothingToFit(&'a Error),
    /// A pair of a round's match.
    Pair(u64, PairCounts),
    /// A round is over.
    Judged(&'a RoundRecord),
}
