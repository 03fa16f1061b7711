//! What a run's files tell, without a hand laid on them.

use super::journal::{Event, JournalLine, parse};
use super::manifest::Manifest;
use crate::error::{Error, Result};
use crate::tune::logistic::rounds::{FitRecord, PositionsRecord, RoundRecord};
use crate::tune::{BatchRecord, Stage, Verdicts};
use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::Path;

/// What the journal of a run says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    batches: HashMap<(Stage, u64), BatchRecord>,
    positions: BTreeMap<u64, Vec<PositionsRecord>>,
    fits: BTreeMap<u64, FitRecord>,
    rounds: BTreeMap<u64, RoundRecord>,
    result: Option<Verdicts>,
    time: Option<String>,
    games_bytes: u64,
}

impl Record {
    /// The record on these lines of the journal at `path`.
    ///
    /// # Errors
    /// When its lines are not those that one run writes, in that order.
    pub fn new(lines: Vec<JournalLine>, path: &Path) -> Result<Self> {
        let mut record = Self::default();
        for (number, line) in lines.into_iter().enumerate() {
            record.add(line).map_err(|reason| {
                Error::input(format!("{}, line {}", path.display(), number + 1), reason)
                    .remedy("restore the journal as the run wrote it")
            })?;
        }
        Ok(record)
    }

    /// Adds what one more line says; the error is what is wrong with it.
    pub(super) fn add(&mut self, line: JournalLine) -> std::result::Result<(), String> {
        if self.result.is_some() {
            return Err("follows the run's result".into());
        }
        self.time = Some(line.time);
        match line.event {
            Event::Result(verdicts) => self.result = Some(verdicts),
            Event::Positions(record) => self.add_positions(record)?,
            Event::Fit(record) => {
                let round = record.round;
                if record.best >= record.trials.len() || self.fits.insert(round, record).is_some() {
                    return Err(format!("has another fit of round {round}"));
                }
            }
            Event::Round(record) => {
                let round = record.round;
                if self.rounds.insert(round, record).is_some() {
                    return Err(format!("has another end of round {round}"));
                }
            }
            Event::Batch(record) => {
                let (stage, batch) = (record.stage, record.batch);
                if self.batches.insert((stage, batch), record).is_some() {
                    return Err("repeats a batch that is there already".into());
                }
                if batch > 0 && !self.batches.contains_key(&(stage, batch - 1)) {
                    return Err(format!("{stage:?} batch {} is missing before it", batch - 1)
                        .to_lowercase());
                }
            }
        }
        if line.games_bytes < self.games_bytes {
            return Err("counts fewer games than the line before it".into());
        }
        self.games_bytes = line.games_bytes;
        Ok(())
    }

    fn add_positions(&mut self, record: PositionsRecord) -> std::result::Result<(), String> {
        let lines = self.positions.entry(record.round).or_default();
        if lines
            .last()
            .is_some_and(|last| record.games <= last.games || record.positions < last.positions)
        {
            return Err(format!(
                "counts fewer games of round {} than a line before it",
                record.round
            ));
        }
        lines.push(record);
        Ok(())
    }

    /// What is on record of the positions of a round, in order.
    pub fn positions(&self, round: u64) -> &[PositionsRecord] {
        self.positions.get(&round).map_or(&[], Vec::as_slice)
    }

    /// The fit of a round, if it is done.
    pub fn fit(&self, round: u64) -> Option<&FitRecord> {
        self.fits.get(&round)
    }

    /// The end of a round, if it is over.
    pub fn round(&self, round: u64) -> Option<&RoundRecord> {
        self.rounds.get(&round)
    }

    /// Games whose positions were kept.
    pub fn generated(&self) -> u64 {
        self.positions.values().filter_map(|lines| lines.last()).map(|last| last.games).sum()
    }

    /// The batch of this number, if it is finished.
    pub fn batch(&self, stage: Stage, number: u64) -> Option<&BatchRecord> {
        self.batches.get(&(stage, number))
    }

    /// The finished batches of a stage in order, as far as none is missing.
    pub fn batches(&self, stage: Stage) -> impl Iterator<Item = &BatchRecord> {
        (0..).map_while(move |number| self.batch(stage, number))
    }

    /// The result, if the run is finished.
    pub fn result(&self) -> Option<&Verdicts> {
        self.result.as_ref()
    }

    /// The games on record.
    pub fn games(&self) -> u64 {
        self.generated()
            + self.batches.values().map(|batch| 2 * batch.points.len() as u64).sum::<u64>()
    }

    /// When the last line was written, in UTC.
    pub fn time(&self) -> Option<&str> {
        self.time.as_deref()
    }
}

/// Reads what the run in a directory is and how far it has come. Nothing is locked and nothing is
/// changed, so the run may be under way: what its process is writing at this moment is left out.
///
/// # Errors
/// When it is not a run's directory, its format is newer, or its files have been damaged or edited.
pub fn read(path: &Path) -> Result<(Manifest, Record)> {
    let manifest = Manifest::load(&path.join(super::dir::MANIFEST))?;
    let journal = path.join(super::dir::JOURNAL);
    let bytes = match std::fs::read(&journal) {
        // A run that is just being made.
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|e| Error::io(&journal, "read the journal", e))?,
    };
    let (lines, _) = parse(&bytes, &journal)?;
    Ok((manifest, Record::new(lines, &journal)?))
}
