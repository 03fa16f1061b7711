//! A run that is followed: read once, and then read on as its journal grows.

use super::line::RunLine;
use super::series::{PlayClock, RunSeries};
use super::standing::RunStanding;
use crate::arena::GameRecord;
use crate::error::{Error, Result};
use crate::report::{RunHistory, RunSummary};
use crate::run::journal::Event;
use crate::run::{self, JournalLine, JournalTail, MANIFEST, Manifest, Record, RunWorkers, Work};
use crate::stats::Summary;
use crate::tune::Stage;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A run that is read on as its journal grows. It keeps what it has read in memory.
#[derive(Debug)]
pub struct LiveRun {
    path: PathBuf,
    manifest: Manifest,
    journal: JournalTail,
    record: Record,
    standing: RunStanding,
    clock: PlayClock,
    /// The course of a tune.
    course: Option<TuneCourse>,
}

/// What is known of the course of a tune.
#[derive(Debug)]
struct TuneCourse {
    history: RunHistory,
    /// The worth of a piece in the start's weights, see [`RunSummary::unit`].
    unit: f64,
}

/// A run with its course: the one document of a run that is watched or shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunDocument {
    /// What the list of runs has of it.
    #[serde(flatten)]
    pub line: RunLine,
    /// The results of a tune in numbers; null of a match or a tournament.
    pub summary: Option<RunSummary>,
    /// The numbers of a match of two players; null of a tune or a tournament.
    #[serde(rename = "match")]
    pub match_: Option<Summary>,
    /// Its course, for charts.
    pub series: RunSeries,
    /// The workers on other machines who play it at the moment; null where none do.
    pub workers: Option<RunWorkers>,
}

impl LiveRun {
    /// Opens the run in a directory and reads its journal.
    ///
    /// # Errors
    /// When it is not a run's directory, its format is not this program's, or its manifest or
    /// journal has been damaged or edited.
    pub fn open(path: &Path) -> Result<Self> {
        let manifest = Manifest::load(&path.join(MANIFEST))?;
        let course = match &manifest.work {
            Work::Tune(tune) => Some(TuneCourse {
                history: RunHistory::new(&tune.config, &Record::default()),
                unit: RunSummary::unit(tune)?,
            }),
            Work::Tournament(_) => None,
        };
        let mut live = Self {
            path: path.into(),
            journal: JournalTail::new(path, &manifest.run),
            record: Record::default(),
            standing: RunStanding::new(&manifest.work),
            clock: PlayClock::default(),
            course,
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
        // Rounds are few, and what one adds changes those before it.
        if let (Work::Tune(tune), Some(course), true) =
            (&self.manifest.work, &mut self.course, grown)
            && tune.config.schedule().is_some()
        {
            course.history = RunHistory::new(&tune.config, &self.record);
        }
        Ok(grown)
    }

    fn add(&mut self, line: JournalLine) -> Result<()> {
        self.manifest.work.check_event(&line.event).map_err(|reason| self.wrong(&reason))?;
        self.standing.add(&line);
        self.clock.add(self.standing.games(), line.worked);
        if let (Work::Tune(tune), Some(course), Event::Batch(batch)) =
            (&self.manifest.work, &mut self.course, &line.event)
        {
            course.history.add_batch(&tune.config, batch);
        }
        self.record.add(line).map_err(|reason| self.wrong(&reason))
    }

    /// An error for a line of the journal.
    fn wrong(&self, reason: &str) -> Error {
        Error::input(self.path.display(), format!("its journal {reason}"))
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

    /// The results of a tune in numbers.
    ///
    /// # Errors
    /// When the record and the manifest do not belong together.
    pub fn summary(&self) -> Result<Option<RunSummary>> {
        let (Work::Tune(tune), Some(TuneCourse { history, unit })) =
            (&self.manifest.work, &self.course)
        else {
            return Ok(None);
        };
        RunSummary::with_unit(&self.manifest, tune, &self.record, history, *unit).map(Some)
    }

    /// The numbers of the match, if the run is one of two players.
    fn match_summary(&self) -> Option<Summary> {
        let config = &self.manifest.work.tournament()?.config;
        let pairs = self.record.batches(Stage::Match).last().map(|batch| batch.summary.pairs);
        (config.players.len() == 2)
            .then(|| Summary::of(&pairs.unwrap_or_default(), config.sprt.as_ref()))
    }

    /// The whole document, with at most `points` points in each curve.
    ///
    /// # Errors
    /// As [`summary`](Self::summary).
    pub fn document(&self, points: usize) -> Result<RunDocument> {
        let history = self.course.as_ref().map(|course| &course.history);
        let work = &self.manifest.work;
        Ok(RunDocument {
            line: self.line(),
            summary: self.summary()?,
            match_: self.match_summary(),
            series: RunSeries::new(work, &self.record, history, &self.clock, points),
            workers: self.workers(),
        })
    }

    /// The workers on other machines who play the run at the moment, where some do.
    pub fn workers(&self) -> Option<RunWorkers> {
        run::is_locked(&self.path).then(|| RunWorkers::read(&self.path))?
    }

    /// The games of the latest batch, in the order in which they were played; none before the
    /// first.
    ///
    /// # Errors
    /// When they cannot be read, or are not as the run wrote them.
    pub fn latest_games(&self) -> Result<Vec<GameRecord>> {
        let from = self.record.games_before_latest() + 1;
        let games = run::read_games(&self.path, &self.record, from, u64::MAX)?;
        Ok(games.into_iter().map(|game| game.record).collect())
    }
}
