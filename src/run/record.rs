//! What a run's files tell, without a hand laid on them.

use super::journal::{Event, Line, parse};
use super::manifest::Manifest;
use crate::error::{Error, Result};
use crate::tune::{BatchRecord, Stage, Verdicts};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;

/// What the journal of a run says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    batches: HashMap<(Stage, u64), BatchRecord>,
    result: Option<Verdicts>,
    time: Option<String>,
    games_bytes: u64,
}

impl Record {
    /// The record on these lines of the journal at `path`.
    ///
    /// # Errors
    /// When its lines are not those that one run writes, in that order.
    pub fn new(lines: Vec<Line>, path: &Path) -> Result<Self> {
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
    pub(super) fn add(&mut self, line: Line) -> std::result::Result<(), String> {
        if self.result.is_some() {
            return Err("follows the run's result".into());
        }
        self.time = Some(line.time);
        match line.event {
            Event::Result(verdicts) => self.result = Some(verdicts),
            Event::Batch(record) => {
                let (stage, batch) = (record.stage, record.batch);
                if self.batches.insert((stage, batch), record).is_some() {
                    return Err("repeats a batch that is there already".into());
                }
                if batch > 0 && !self.batches.contains_key(&(stage, batch - 1)) {
                    return Err(format!("{stage:?} batch {} is missing before it", batch - 1).to_lowercase());
                }
            }
        }
        if line.games_bytes < self.games_bytes {
            return Err("counts fewer games than the line before it".into());
        }
        self.games_bytes = line.games_bytes;
        Ok(())
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
        self.batches.values().map(|batch| 2 * batch.points.len() as u64).sum()
    }

    /// When the last line was written, in UTC.
    pub fn time(&self) -> Option<&str> {
        self.time.as_deref()
    }
}

/// Reads what the run in a directory is and how far it has come. Nothing is locked and nothing is changed, so the run
/// may be under way: what its process is writing at this moment is left out.
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
