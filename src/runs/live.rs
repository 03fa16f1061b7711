//! A run that is followed: read once, and then read on as its journal grows.

use super::line::{RunLine, RunStatus};
use super::series::{PlayClock, RunSeries};
use super::standing::Standing;
use crate::error::{Error, Result};
use crate::games::{GameId, with_game};
use crate::report::{RunHistory, RunSummary};
use crate::run::journal::Event;
use crate::run::{self, JournalLine, JournalTail, MANIFEST, Manifest, Record, TuneWork};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A run that is read on as its journal grows. It keeps what it has read in memory.
#[derive(Debug)]
pub struct LiveRun {
    path: PathBuf,
    manifest: Manifest,
    tune: TuneWork,
    journal: JournalTail,
    record: Record,
    history: RunHistory,
    standing: Standing,
    clock: PlayClock,
    /// The worth of a piece in the start's weights, see [`RunSummary::unit`].
    unit: f64,
}

/// A run with its course: the one document of a run that is watched or shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunDocument {
    /// What the list of runs has of it.
    #[serde(flatten)]
    pub line: RunLine,
    /// Its results in numbers.
    pub summary: RunSummary,
    /// Its course, for charts.
    pub series: RunSeries,
}

impl LiveRun {
    /// Opens the run in a directory and reads its journal.
    ///
    /// # Errors
    /// When it is not a run's directory, its format is not this program's, or its manifest or
    /// journal has been damaged or edited.
    pub fn open(path: &Path) -> Result<Self> {
        let manifest = Manifest::load(&path.join(MANIFEST))?;
        let Some(tune) = manifest.work.tune().cloned() else {
            return Err(Error::input(path.display(), "not the run of a tune")
                .remedy("`spar report` shows matches and tournaments"));
        };
        let game: GameId = manifest.work.game().parse()?;
        let unit = with_game!(game, G => RunSummary::unit::<G>(&tune))?;
        let mut live = Self {
            path: path.into(),
            journal: JournalTail::new(path, &manifest.run),
            record: Record::default(),
            history: RunHistory::new(&tune.config, &Record::default()),
            standing: Standing::new(&manifest.work),
            clock: PlayClock::default(),
            unit,
            tune,
            manifest,
        };
        live.read_on()?;
        Ok(live)
    }

    /// Reads what the journal has grown by, and says whether it has. A run that was begun anew in
    /// the same directory is read anew.
    ///
    /// # Errors
    /// When the run has been removed or damaged.
    pub fn refresh(&mut self) -> Result<bool> {
        match self.read_on() {
            // The journal may be that of another run by now.
            Err(_) => {
                *self = Self::open(&self.path)?;
                Ok(true)
            }
            grown => grown,
        }
    }

    fn read_on(&mut self) -> Result<bool> {
        let lines = self.journal.read_on()?;
        let grown = !lines.is_empty();
        for line in lines {
            self.add(line)?;
        }
        if grown && self.tune.config.fitting().is_some() {
            self.history = RunHistory::new(&self.tune.config, &self.record);
        }
        Ok(grown)
    }

    fn add(&mut self, line: JournalLine) -> Result<()> {
        self.standing.add(&line);
        self.clock.add(&line.time, self.standing.games());
        if let Event::Batch(batch) = &line.event {
            self.history.add_batch(&self.tune.config, batch);
        }
        self.record
            .add(line)
            .map_err(|reason| Error::input(self.path.display(), format!("its journal {reason}")))
    }

    /// The run's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run's manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// All that is on record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The run's line in a list of runs, as it stands now.
    pub fn line(&self) -> RunLine {
        let mut line = RunLine::unread(&self.path);
        let is_running = run::is_locked(&self.path);
        line.take_head(&self.manifest.head());
        line.take_standing(&self.standing, is_running);
        line
    }

    /// What has become of the run.
    pub fn status(&self) -> RunStatus {
        self.line().state
    }

    /// Its results in numbers.
    ///
    /// # Errors
    /// When the record and the manifest do not belong together.
    pub fn summary(&self) -> Result<RunSummary> {
        RunSummary::with_unit(&self.manifest, &self.tune, &self.record, &self.history, self.unit)
    }

    /// The whole document, with at most `points` points in each curve.
    ///
    /// # Errors
    /// As [`summary`](Self::summary).
    pub fn document(&self, points: usize) -> Result<RunDocument> {
        Ok(RunDocument {
            line: self.line(),
            summary: self.summary()?,
            series: RunSeries::new(
                &self.tune.config,
                &self.record,
                &self.history,
                &self.clock,
                points,
            ),
        })
    }
}
