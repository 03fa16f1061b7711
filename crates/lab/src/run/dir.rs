//! A run directory as the ledger of a session.

use super::append::AppendFile;
use super::checksum::checksum;
use super::files::{CANDIDATE, GAMES, JOURNAL, MANIFEST, SEARCH, WEIGHTS};
use super::games::GameFile;
use super::journal::{Event, FileChecksums, Journal, JournalLine};
use super::lock::lock;
use super::manifest::Manifest;
use super::reach::without_journal;
use super::record::{Record, check_files};
use super::unfinished::Unfinished;
use super::work::Work;
use super::workers::RunWorkers;
use crate::arena::GameRecord;
use crate::error::{Error, Result};
use crate::files::{self, Links, sweep};
use crate::protocol::EngineChange;
use crate::tune::{BatchRecord, Ledger, PlanChange, Stage, TuneResult, UnfinishedBatch, Verdicts};
use crate::weights::WeightSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// An open run directory, which is locked as long as this lives.
#[derive(Debug)]
pub struct RunDir {
    pub(super) path: PathBuf,
    pub(super) manifest: Manifest,
    pub(super) journal: Journal,
    pub(super) games: GameFile,
    pub(super) record: Record,
    /// The file of positions that is being written, and its round.
    pub(super) positions: Option<(u64, AppendFile)>,
    /// The pairs of incomplete batches that an earlier process had finished.
    pub(super) unfinished: Unfinished,
    /// The time worked on the run before it was opened.
    before: Duration,
    opened: Instant,
    _lock: File,
}

impl RunDir {
    /// Opens the directory of a run that was begun before.
    ///
    /// # Errors
    /// When it is not a run's directory, another process works on it, it has another format, or one
    /// of its files is missing or has been damaged or edited.
    pub fn open(path: &Path) -> Result<Self> {
        let manifest = Manifest::load(&path.join(MANIFEST))?;
        let lock = lock(path)?;
        let journal = path.join(JOURNAL);
        if !files::exists(&journal, Links::Refused)? {
            // Without its lines the games would be taken for games of an unfinished batch, and cut
            // off.
            return Err(without_journal(&journal));
        }
        let run = Self::assemble(path, manifest, lock)?;
        run.cut_uncounted()?;
        run.restore_player()?;
        Ok(run)
    }

    pub(super) fn assemble(path: &Path, manifest: Manifest, lock: File) -> Result<Self> {
        sweep(path);
        // A process that was killed may have left its file.
        RunWorkers::remove(path);
        // A journal that something else links to is refused before it is read.
        let mut journal = Journal::open(&path.join(JOURNAL), &manifest.run)?;
        let (record, length) = Record::read(path, &manifest)?;
        journal.cut(length)?;
        // The games are cut to what the journal counts only after everything has been checked.
        check_files(path, &manifest, &record)?;
        let unfinished = Unfinished::load(path, &manifest.run)?;
        let games = GameFile::open(&path.join(GAMES), record.games_bytes())?;
        let before = record.worked().unwrap_or_default();
        Ok(Self {
            path: path.into(),
            manifest,
            journal,
            games,
            record,
            positions: None,
            unfinished,
            before,
            opened: Instant::now(),
            _lock: lock,
        })
    }

    /// Writes the files of the player that a tune starts from, if they are missing. A finished run
    /// writes its own in their place at once.
    pub(super) fn restore_player(&self) -> Result<()> {
        let Some(tune) = self.manifest.work.tune() else { return Ok(()) };
        for (name, set) in tune.files_of(&tune.start) {
            let path = self.path.join(name);
            if !files::exists(&path, Links::Refused)? {
                set.save_with(&path, Links::Refused)?;
            }
        }
        Ok(())
    }

    /// The path of the run's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file with the validated best player so far: its weights, and its search constants where
    /// they are not the default ones.
    pub fn weights_path(&self) -> PathBuf {
        self.path.join(WEIGHTS)
    }

    /// The file with its search constants alone, if the run has any of its own.
    pub fn search_path(&self) -> PathBuf {
        self.path.join(SEARCH)
    }

    /// The manifest as it is now.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The record of what is finished.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The result, if the run is finished.
    pub fn result(&self) -> Option<&Verdicts> {
        self.record.result()
    }

    /// The number of games on record.
    pub fn games(&self) -> u64 {
        self.record.games()
    }

    /// The time worked on the run until now, over all resumes, in whole milliseconds as in the
    /// journal, so that a report is the same before and after the run is read again.
    pub fn worked(&self) -> Duration {
        let worked = self.before.saturating_add(self.opened.elapsed());
        Duration::from_millis(u64::try_from(worked.as_millis()).unwrap_or(u64::MAX))
    }

    /// Ends a tune: writes the result and the files of its player, unless they are there already.
    ///
    /// # Errors
    /// When a file cannot be written, or the result differs from the one on record.
    pub fn finish(&mut self, answer: &TuneResult) -> Result<()> {
        let verdicts = answer.verdicts();
        let tune = self.manifest.work.tune();
        let mut sets = tune.map_or_else(Vec::new, |tune| tune.files_of(&answer.player));
        sets.extend(rejected(answer).map(|candidate| (CANDIDATE, candidate)));
        match self.record.result() {
            Some(known) if *known == verdicts => {}
            Some(_) => {
                return Err(Error::input(
                    self.path.join(JOURNAL).display(),
                    "the result on record is another one",
                )
                .remedy("the journal has been edited, or another version wrote it: restore it"));
            }
            None => {
                let files = sets.iter().map(|(name, set)| ((*name).into(), sum_of(set))).collect();
                self.write_with(Event::Result(verdicts), files)?;
            }
        }
        for (name, set) in sets {
            let path = self.path.join(name);
            let text = set.to_json();
            let old = files::read(&path, Links::Refused, text.len() as u64);
            if !old.is_ok_and(|old| old == text.as_bytes()) {
                set.save_with(&path, Links::Refused)?;
            }
        }
        self.drop_unfinished();
        Ok(())
    }

    /// Removes the pairs of incomplete batches that interrupted processes kept: nothing is left to
    /// play.
    pub fn drop_unfinished(&self) {
        Unfinished::remove(&self.path);
    }

    /// Notes that external engines were replaced.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn note_engines(&mut self, changes: Vec<EngineChange>) -> Result<()> {
        changes.into_iter().try_for_each(|change| self.write(Event::Engine(change)))
    }

    /// Keeps the error of a run that has nothing to fit, unless it is on record already.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn fail(&mut self, error: &Error) -> Result<()> {
        match self.record.failure() {
            Some(known) if known == error.to_string() => Ok(()),
            _ => self.write(Event::Failure(error.to_string())),
        }
    }

    pub(super) fn write(&mut self, event: Event) -> Result<()> {
        self.write_with(event, FileChecksums::new())
    }

    /// Writes what has happened, with the checksums of files that belong to it.
    pub(super) fn write_with(&mut self, event: Event, files: FileChecksums) -> Result<()> {
        self.append(JournalLine {
            time: now(),
            worked: Some(self.worked()),
            games_bytes: self.record.games_bytes(),
            games_crc: None,
            files,
            event,
        })
    }

    /// Checks that the run may still grow.
    fn check_unfinished(&self) -> Result<()> {
        if self.record.result().is_none() {
            return Ok(());
        }
        let place = self.path.join(JOURNAL);
        Err(Error::input(place.display(), "has the run's result, but not all that leads to it")
            .remedy("restore the journal as the run wrote it"))
    }

    fn append(&mut self, line: JournalLine) -> Result<()> {
        self.check_unfinished()?;
        self.check_place()?;
        self.journal.append(&line)?;
        self.record
            .add(line)
            .map_err(|reason| Error::failed(self.path.join(JOURNAL).display(), reason))
    }
}

impl Ledger for RunDir {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.record.batch(stage, batch)
    }

    fn recall_unfinished(&self, stage: Stage, batch: u64) -> Option<&UnfinishedBatch> {
        let is_it =
            |known: &&UnfinishedBatch| (known.record.stage, known.record.batch) == (stage, batch);
        self.unfinished.batches.iter().find(is_it)
    }

    fn keep_unfinished(&mut self, batches: Vec<UnfinishedBatch>) -> Result<()> {
        self.check_place()?;
        self.unfinished = Unfinished { batches, games: None };
        self.unfinished.save(&self.path, &self.manifest.run)
    }

    fn note_plan(&mut self, change: PlanChange) -> Result<()> {
        self.check_place()?;
        match &mut self.manifest.work {
            Work::Tune(tune) => tune.config.change(change),
            Work::Tournament(_) => return Ok(()),
        }
        self.save_manifest()
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        self.check_unfinished()?;
        let frame = self.games.append(games)?;
        self.append(JournalLine {
            time: now(),
            worked: Some(self.worked()),
            games_bytes: frame.end,
            games_crc: Some(frame.checksum),
            files: FileChecksums::new(),
            event: Event::Batch(record),
        })
    }
}

/// The candidate, unless the run's other files have it because it was accepted or equals the start.
fn rejected(answer: &TuneResult) -> Option<WeightSet> {
    let is_new = answer.candidate.fingerprint() != answer.player.fingerprint();
    let is_own = answer.candidate.options.is_empty();
    (!answer.accepted && is_new && is_own).then(|| answer.candidate.to_set())
}

/// The checksum of a file of weights.
pub(super) fn sum_of(set: &WeightSet) -> String {
    checksum(set.to_json().as_bytes())
}

/// Now, in UTC to the second, as `2026-01-31T12:00:00Z`.
pub(super) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
