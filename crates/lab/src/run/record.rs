//! Read-only view of a run's files.

use super::append::{Segment, check_segments};
use super::checkpoint::CheckpointFile;
use super::files::{GAMES, JOURNAL, MANIFEST, positions_path};
use super::journal::{Event, JournalLine};
use super::manifest::Manifest;
use super::tail::JournalTail;
use super::written::check_file;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::protocol::EngineChange;
use crate::tune::{BatchRecord, FitRecord, PositionsRecord, RoundRecord, Stage, Verdicts};
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The contents of a run's journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The batches of each stage, by their number.
    batches: BTreeMap<Stage, Vec<BatchRecord>>,
    positions: BTreeMap<u64, Vec<PositionsRecord>>,
    fits: BTreeMap<u64, FitRecord>,
    rounds: BTreeMap<u64, RoundRecord>,
    engine_changes: Vec<RecordedChange>,
    failure: Option<String>,
    result: Option<Verdicts>,
    time: Option<String>,
    worked: Option<Duration>,
    /// The bytes that each batch added to the game file.
    games: Vec<Segment>,
    /// The stage of these games, and the number of games before them.
    frames: Vec<(Stage, u64)>,
    /// The games in the game file.
    kept: u64,
    /// Files that are written as a whole, with every checksum that they were written with.
    files: Vec<(String, String)>,
}

/// The replacement of an external engine, with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedChange {
    /// The time, in UTC.
    pub time: String,
    /// The games of the run that were on record then.
    pub games: u64,
    /// The engine, and how it differs from the former one.
    #[serde(flatten)]
    pub change: EngineChange,
}

impl RecordedChange {
    /// The change in words.
    pub fn text(&self) -> String {
        let Self { time, games, change: EngineChange { engine, what, .. } } = self;
        format!("`{engine}` was replaced after {games} games ({time}): {what}")
    }
}

impl Record {
    /// Reads the record of the run in a directory, a portion of its journal at a time. Also returns
    /// the length of the journal's whole lines, in bytes.
    ///
    /// # Errors
    /// When the lines cannot be read, are not such as one run of this kind writes in this order, or
    /// end before the run's games.
    pub(super) fn read(directory: &Path, manifest: &Manifest) -> Result<(Self, u64)> {
        let mut tail = JournalTail::new(directory, &manifest.run);
        let (mut record, mut number) = (Self::default(), 0);
        loop {
            let lines = tail.read_on()?;
            if lines.is_empty() {
                tail.check_reach(&record)?;
                return Ok((record, tail.end()));
            }
            for line in lines {
                number += 1;
                let checked = manifest.work.check_event(&line.event);
                checked.and_then(|()| record.add(line)).map_err(|reason| {
                    let place = format!("{}, line {number}", directory.join(JOURNAL).display());
                    Error::input(place, reason).remedy("restore the journal as the run wrote it")
                })?;
            }
        }
    }

    /// Adds one more line.
    ///
    /// # Errors
    /// When it cannot follow the earlier lines. The error says why.
    pub fn add(&mut self, line: JournalLine) -> std::result::Result<(), String> {
        if self.result.is_some() {
            return Err("follows the run's result".into());
        }
        self.time = Some(line.time.clone());
        self.worked = line.worked.or(self.worked);
        self.files.extend(line.files);
        // Another version may continue where one failed.
        self.failure = None;
        let played = match &line.event {
            Event::Batch(batch) => (batch.stage, 2 * batch.points.len() as u64),
            _ => (Stage::Tune, 0),
        };
        match line.event {
            Event::Result(verdicts) => self.result = Some(verdicts),
            Event::Engine(change) => {
                let (time, games) = (line.time, self.games());
                self.engine_changes.push(RecordedChange { time, games, change });
            }
            Event::Failure(error) => self.failure = Some(error),
            Event::Positions(record) => self.add_positions(record)?,
            Event::Fit(record) => {
                let round = record.round;
                if record.loss().is_none() || self.fits.insert(round, record).is_some() {
                    return Err(format!("has another fit of round {round}"));
                }
            }
            Event::Round(record) => {
                let round = record.round;
                if self.rounds.insert(round, record).is_some() {
                    return Err(format!("has another end of round {round}"));
                }
            }
            Event::Batch(record) => self.add_batch(record)?,
        }
        self.add_games(line.games_bytes, line.games_crc, played)
    }

    /// Notes what a line added to the game file: its new end, and the number and stage of the
    /// games.
    fn add_games(
        &mut self,
        end: u64,
        checksum: Option<String>,
        (stage, games): (Stage, u64),
    ) -> std::result::Result<(), String> {
        let before = self.games_bytes();
        match checksum {
            Some(checksum) if end >= before => {
                self.games.push(Segment { end, checksum });
                self.frames.push((stage, self.kept));
                self.kept += games;
            }
            None if end == before => {}
            _ => return Err("does not count on from the games of the line before it".into()),
        }
        Ok(())
    }

    fn add_batch(&mut self, mut record: BatchRecord) -> std::result::Result<(), String> {
        let (stage, batch) = (record.stage, record.batch);
        let batches = self.batches.entry(stage).or_default();
        match batch.cmp(&(batches.len() as u64)) {
            Ordering::Less => Err("repeats a batch that is there already".into()),
            Ordering::Greater => {
                Err(format!("{stage:?} batch {} is missing before it", batch - 1).to_lowercase())
            }
            Ordering::Equal => {
                record.shrink_to_fit();
                batches.push(record);
                Ok(())
            }
        }
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

    /// The length of the game file with the games on record, in bytes.
    pub(super) fn games_bytes(&self) -> u64 {
        self.games.last().map_or(0, |last| last.end)
    }

    /// The recorded positions of a round, in order.
    pub fn positions(&self, round: u64) -> &[PositionsRecord] {
        self.positions.get(&round).map_or(&[], Vec::as_slice)
    }

    /// The bytes that each line added to the file of a round's positions.
    pub(super) fn position_segments(&self, round: u64) -> Vec<Segment> {
        let segment =
            |line: &PositionsRecord| Segment { end: line.bytes, checksum: line.digest.clone() };
        self.positions(round).iter().map(segment).collect()
    }

    /// The number of rounds whose fit is done.
    pub(super) fn fitted_rounds(&self) -> u64 {
        (1..).take_while(|&round| self.fit(round).is_some()).count() as u64
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
        self.batches.get(&stage)?.get(usize::try_from(number).ok()?)
    }

    /// The finished batches of a stage in order, as far as none is missing.
    pub fn batches(&self, stage: Stage) -> impl Iterator<Item = &BatchRecord> {
        self.batches.get(&stage).into_iter().flatten()
    }

    /// The external engines that were replaced, in the order of time.
    pub fn engine_changes(&self) -> &[RecordedChange] {
        &self.engine_changes
    }

    /// The error that ended the run, if a resume would end with it again.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// The result, if the run is finished.
    pub fn result(&self) -> Option<&Verdicts> {
        self.result.as_ref()
    }

    /// Whether the journal counts a file of this name among those that the run wrote as a whole.
    pub fn has_written(&self, name: &str) -> bool {
        self.files.iter().any(|(written, _)| written == name)
    }

    /// The games on record.
    pub fn games(&self) -> u64 {
        self.generated()
            + self
                .batches
                .values()
                .flatten()
                .map(|batch| 2 * batch.points.len() as u64)
                .sum::<u64>()
    }

    /// The time worked on the run up to the last line that has it, over all resumes.
    pub fn worked(&self) -> Option<Duration> {
        self.worked
    }

    /// The number of games in the game file, which does not have the games whose positions were
    /// kept.
    pub fn games_kept(&self) -> u64 {
        self.kept
    }

    /// The number of games in the game file before the latest batch.
    pub fn games_before_latest(&self) -> u64 {
        self.frames.last().map_or(0, |&(_, before)| before)
    }

    /// The stage of a game in the game file, by the number of games before it.
    pub fn stage_of(&self, before: u64) -> Option<Stage> {
        self.frame_of(before).map(|(stage, ..)| stage)
    }

    /// The frame of the game file that a game is in, by the number of games before it: its stage,
    /// the number of games before the frame, and where it begins and ends in the file.
    pub(super) fn frame_of(&self, before: u64) -> Option<(Stage, u64, u64, &Segment)> {
        let index = self.frames.partition_point(|&(_, first)| first <= before).checked_sub(1)?;
        let (stage, first) = self.frames[index];
        let begin =
            index.checked_sub(1).map_or(0, |last| self.games.get(last).map_or(0, |last| last.end));
        Some((stage, first, begin, self.games.get(index)?))
    }

    /// When the last line was written, in UTC.
    pub fn time(&self) -> Option<&str> {
        self.time.as_deref()
    }
}

/// Whether a directory belongs to a run.
pub fn is_run(path: &Path) -> bool {
    path.join(MANIFEST).exists()
}

/// Reads the manifest and the record of the run in a directory. Nothing is locked and nothing is
/// changed, so the run may be under way: what its process is writing at this moment is left out.
///
/// # Errors
/// When it is not a run's directory, its format is not this program's, or its manifest or journal
/// has been damaged or edited.
pub fn read(path: &Path) -> Result<(Manifest, Record)> {
    let manifest = Manifest::load(&path.join(MANIFEST))?;
    let (record, _) = Record::read(path, &manifest)?;
    Ok((manifest, record))
}

/// As [`read`], and checks that every other file is as the run wrote it.
///
/// # Errors
/// As there, and when any file has been damaged or edited, or games are missing.
pub fn read_checked(path: &Path) -> Result<(Manifest, Record)> {
    loop {
        let (manifest, record) = read(path)?;
        match check_files(path, &manifest, &record) {
            Ok(()) => return Ok((manifest, record)),
            Err(error) if read(path)?.1 == record => return Err(error),
            // The run has added to its files since.
            Err(_) => {}
        }
    }
}

/// Checks the games in a directory against the record of its run.
///
/// # Errors
/// When games are missing, damaged or edited.
pub fn check_games(path: &Path, record: &Record) -> Result<()> {
    check_segments(&path.join(GAMES), &record.games)
}

/// Checks that every file is as the run wrote it. Files that it makes again may be missing, and so
/// may positions, since the run reports those itself when it needs them.
pub(super) fn check_files(path: &Path, manifest: &Manifest, record: &Record) -> Result<()> {
    check_games(path, record)?;
    for &round in record.positions.keys() {
        let positions = positions_path(path, round);
        if files::exists(&positions, Links::Refused)? {
            check_segments(&positions, &record.position_segments(round))?;
        }
    }
    CheckpointFile::of_round(path, record.fitted_rounds() + 1).read()?;
    let mut written: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, sum) in
        manifest.files.iter().chain(record.files.iter().map(|(name, sum)| (name, sum)))
    {
        written.entry(name).or_default().push(sum);
    }
    written.into_iter().try_for_each(|(name, sums)| check_file(&path.join(name), &sums))
}
