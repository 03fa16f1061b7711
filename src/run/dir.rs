//! A run directory as the tuner's ledger.

use super::games::GameFile;
use super::journal::{Event, Journal, Line};
use super::manifest::Manifest;
use super::record::Record;
use crate::arena::GameRecord;
use crate::error::{Error, Result};
use crate::tune::{Answer, BatchRecord, Ledger, Stage, TuneConfig, Verdicts};
use crate::weights::WeightSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// An open run directory: the only one of this run, as long as it lives.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    manifest: Manifest,
    journal: Journal,
    games: GameFile,
    games_bytes: u64,
    record: Record,
    _lock: File,
}

impl RunDir {
    /// The usual name of a run that begins now: `<utc>-<game>-<method>-<seed>`.
    pub fn name(config: &TuneConfig) -> String {
        let now = now().replace([':', '-'], "");
        format!("{now}-{}-{}-{}", config.game, config.method, config.seed)
    }

    /// Begins a run in a new directory.
    ///
    /// # Errors
    /// When the directory holds a run already, or cannot be made or written.
    pub fn create(path: &Path, config: TuneConfig, start: WeightSet) -> Result<Self> {
        if path.join(MANIFEST).exists() {
            return Err(Error::input(path.display(), "holds a run already")
                .remedy(format!("go on with `spar resume {}`, or name another directory", path.display())));
        }
        std::fs::create_dir_all(path).map_err(|e| Error::io(path, "make the run directory", e))?;
        let lock = lock(path)?;
        let name = path.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy().into_owned());
        start.save(&path.join(WEIGHTS))?;
        let manifest = Manifest::new(&name, now(), config, start);
        manifest.save(&path.join(MANIFEST))?;
        Self::assemble(path, manifest, lock)
    }

    /// Opens the directory of a run that was begun before.
    ///
    /// # Errors
    /// When it is not a run's, another process works on it, its format is newer, or a file of it is missing or has
    /// been damaged or edited.
    pub fn open(path: &Path) -> Result<Self> {
        let manifest = Manifest::load(&path.join(MANIFEST))?;
        let lock = lock(path)?;
        let run = Self::assemble(path, manifest, lock)?;
        run.check_weights()?;
        Ok(run)
    }

    fn assemble(path: &Path, manifest: Manifest, lock: File) -> Result<Self> {
        let place = path.join(JOURNAL);
        let (journal, lines) = Journal::open(&place)?;
        let games_bytes = lines.last().map_or(0, |line| line.games_bytes);
        let games = GameFile::open(&path.join(GAMES), games_bytes)?;
        let record = Record::new(lines, &place)?;
        Ok(Self { path: path.into(), manifest, journal, games, games_bytes, record, _lock: lock })
    }

    /// The weights must be those that the run put there: the start's until the result, then the result's.
    fn check_weights(&self) -> Result<()> {
        let path = self.weights_path();
        let expected = self.record.result().map_or(&self.manifest.fingerprint, |verdicts| &verdicts.weights);
        let found = WeightSet::load(&path).map_err(|e| {
            e.within("run")
                .remedy(format!("delete or move {} and resume: the run writes it again", path.display()))
        });
        let missing = !path.exists();
        match found {
            Ok(set) if set.fingerprint() == *expected => Ok(()),
            // The result is on record but the process ended before its weights were in place, or they are gone.
            Ok(set) if self.record.result().is_some() && set.fingerprint() == self.manifest.fingerprint => {
                Ok(())
            }
            Err(_) if missing => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(Error::input(path.display(), "has been edited since the run wrote it").remedy(
                "move it to another place if you want to keep it, then resume: the run writes its own again",
            )),
        }
    }

    /// Where the run lives.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file with the validated best weights so far.
    pub fn weights_path(&self) -> PathBuf {
        self.path.join(WEIGHTS)
    }

    /// What the run is.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What is on record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The result, if the run is finished.
    pub fn result(&self) -> Option<&Verdicts> {
        self.record.result()
    }

    /// The games on record.
    pub fn games(&self) -> u64 {
        self.record.games()
    }

    /// Ends the run: the weights are put in place and the result is written, unless both were done before.
    ///
    /// # Errors
    /// When a file cannot be written, or the result differs from the one on record.
    pub fn finish(&mut self, answer: &Answer) -> Result<()> {
        let verdicts = answer.verdicts();
        match self.record.result() {
            Some(known) if *known == verdicts => {}
            Some(_) => {
                return Err(Error::input(
                    self.path.join(JOURNAL).display(),
                    "the result on record is another one",
                )
                .remedy("the journal has been edited, or another version wrote it: restore it"));
            }
            None => self.write(Event::Result(verdicts))?,
        }
        answer.weights.save(&self.weights_path())
    }

    fn write(&mut self, event: Event) -> Result<()> {
        let line = Line { time: now(), games_bytes: self.games_bytes, event };
        self.journal.append(&line)?;
        self.record.add(line).map_err(|reason| Error::failed(self.path.join(JOURNAL).display(), reason))
    }
}

impl Ledger for RunDir {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.record.batch(stage, batch)
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        self.games_bytes = self.games.append(games)?;
        self.write(Event::Batch(record))
    }
}

pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const JOURNAL: &str = "journal.jsonl";
const GAMES: &str = "games.jsonl.zst";
const WEIGHTS: &str = "weights.json";
const LOCK: &str = "lock";

/// Now, in UTC to the second, as `2026-01-31T12:00:00Z`.
fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Takes the run's lock. The system lets go of it when the process ends, however it ends.
fn lock(path: &Path) -> Result<File> {
    let path = path.join(LOCK);
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(|e| Error::io(&path, "open the run's lock", e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(Error::input(path.display(), "another process works on this run")
                .remedy("wait for it, or stop it first"))
        }
        Err(TryLockError::Error(e)) => Err(Error::io(&path, "lock the run", e)),
    }
}
