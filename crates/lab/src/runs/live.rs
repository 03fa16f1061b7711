//! Follows a run: reads it once, and then what its journal grows by.

use super::series::{PlayClock, RunSeries};
use super::standing::RunStanding;
use super::view::RunView;
use crate::arena::GameRecord;
use crate::error::{Error, Result};
use crate::report::names::short_names;
use crate::report::{RunHistory, RunSummary, TournamentReport, advice};
use crate::run::journal::Event;
use crate::run::{
    self, JournalLine, JournalTail, MANIFEST, Manifest, Record, RunWorkers, TournamentWork,
    TuneWork, Work,
};
use crate::shell::for_program;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A run that is read further as its journal grows. All that was read is kept in memory.
#[derive(Debug)]
pub struct LiveRun {
    path: PathBuf,
    manifest: Manifest,
    /// When the manifest was written: a tune that has a time may plan again.
    written: Option<SystemTime>,
    journal: JournalTail,
    record: Record,
    standing: RunStanding,
    clock: PlayClock,
    /// The course of a tune, and the worth of a piece in its start's weights, see
    /// [`RunSummary::unit`].
    course: Option<(RunHistory, f64)>,
}

/// When the manifest in a directory was written.
fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path.join(MANIFEST)).and_then(|found| found.modified()).ok()
}

impl LiveRun {
    /// Opens the run in a directory and reads its journal.
    ///
    /// # Errors
    /// When it is not a run's directory, its format is not this program's, or its manifest or
    /// journal has been damaged or edited.
    pub fn open(path: &Path) -> Result<Self> {
        let written = written(path);
        let manifest = Manifest::load(&path.join(MANIFEST))?;
        let course = match &manifest.work {
            Work::Tune(tune) => {
                let history = RunHistory::new(&tune.config, &Record::default());
                Some((history, RunSummary::unit(tune)?))
            }
            Work::Tournament(_) => None,
        };
        let mut live = Self {
            path: path.into(),
            journal: JournalTail::new(path, &manifest.run),
            record: Record::default(),
            standing: RunStanding::new(&manifest.work),
            clock: PlayClock::default(),
            course,
            written,
            manifest,
        };
        live.read_on()?;
        live.journal.check_reach(&live.record)?;
        Ok(live)
    }

    /// Reads what the journal has grown by, and returns whether it has grown. Reads a run from its
    /// beginning if it was restarted in the same directory.
    ///
    /// # Errors
    /// When the run has been removed or damaged.
    pub fn refresh(&mut self) -> Result<bool> {
        if self.written != written(&self.path) {
            *self = Self::open(&self.path)?;
            return Ok(true);
        }
        match self.read_on() {
            // The journal may belong to another run by now.
            Err(_) => {
                *self = Self::open(&self.path)?;
                Ok(true)
            }
            grown => grown,
        }
    }

    fn read_on(&mut self) -> Result<bool> {
        let mut grown = false;
        loop {
            let lines = self.journal.read_on()?;
            if lines.is_empty() {
                break;
            }
            grown = true;
            lines.into_iter().try_for_each(|line| self.add(line))?;
        }
        // Rounds are few, and each changes the history of the earlier ones.
        if let (Work::Tune(tune), Some((history, _)), true) =
            (&self.manifest.work, &mut self.course, grown)
            && tune.config.schedule().is_some()
        {
            *history = RunHistory::new(&tune.config, &self.record);
        }
        Ok(grown)
    }

    fn add(&mut self, line: JournalLine) -> Result<()> {
        self.manifest.work.check_event(&line.event).map_err(|reason| self.wrong(&reason))?;
        self.standing.add(&line);
        self.clock.add(self.standing.games(), line.worked);
        if let (Work::Tune(tune), Some((history, _)), Event::Batch(batch)) =
            (&self.manifest.work, &mut self.course, &line.event)
        {
            history.add_batch(&tune.config, batch);
        }
        self.record.add(line).map_err(|reason| self.wrong(&reason))
    }

    /// An error for a line of the journal.
    fn wrong(&self, reason: &str) -> Error {
        Error::input(self.path.display(), format!("its journal {reason}"))
    }

    /// The path of the run's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The manifest, read when the run was opened.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// All that is on record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The run's line in a list, as it stands now.
    pub fn line(&self) -> RunView {
        self.line_if(run::is_locked(&self.path))
    }

    fn line_if(&self, is_running: bool) -> RunView {
        let mut view = RunView::unread(&self.path);
        view.take_head(&self.manifest.head());
        view.take_standing(&self.standing, is_running);
        view
    }

    /// Updates the state of the run in a view, if its journal has not grown.
    pub fn update(&self, view: &mut RunView) {
        let line = self.line();
        view.state = line.state;
        view.reason = line.reason;
        view.seconds_left = line.seconds_left;
        view.seconds_since = line.seconds_since;
        view.bytes = line.bytes;
        view.workers = self.workers();
    }

    /// The results of a tune in numbers.
    ///
    /// # Errors
    /// When the record and the manifest do not belong together.
    pub fn summary(&self) -> Result<Option<RunSummary>> {
        let (Work::Tune(tune), Some((history, unit))) = (&self.manifest.work, &self.course) else {
            return Ok(None);
        };
        RunSummary::with_unit(&self.manifest, tune, &self.record, history, *unit).map(Some)
    }

    /// Everything about the run, with at most `points` points in each curve.
    ///
    /// # Errors
    /// As [`summary`](Self::summary).
    pub fn view(&self, points: usize) -> Result<RunView> {
        self.fill(self.line(), points)
    }

    /// The same by the record alone, whoever works on the run: see [`RunView::on_record`].
    ///
    /// # Errors
    /// As [`summary`](Self::summary).
    pub fn recorded(&self, points: usize) -> Result<RunView> {
        Ok(self.fill(self.line_if(false), points)?.on_record())
    }

    fn fill(&self, mut view: RunView, points: usize) -> Result<RunView> {
        let history = self.course.as_ref().map(|(history, _)| history);
        let work = &self.manifest.work;
        view.series = Some(RunSeries::new(work, &self.record, history, &self.clock, points));
        view.workers = self.workers();
        view.games_kept = Some(self.record.games_kept());
        match work {
            Work::Tune(work) => self.fill_tune(&mut view, work)?,
            Work::Tournament(work) => self.fill_contest(&mut view, work)?,
        }
        let texts = view.outcome.iter_mut().chain(&mut view.advice).chain(&mut view.next);
        texts.for_each(|text| *text = for_program(text).into_owned());
        Ok(view)
    }

    fn fill_tune(&self, view: &mut RunView, tune: &TuneWork) -> Result<()> {
        if let Some(summary) = self.summary()? {
            view.title = Some(summary.title());
            view.remarks = summary.remarks();
            view.outcome = advice::outcome(&summary, &self.path);
            view.advice = advice::advice(&summary);
            view.next = advice::next(tune, &summary, &self.path);
            view.summary = Some(summary);
        }
        Ok(())
    }

    fn fill_contest(&self, view: &mut RunView, work: &TournamentWork) -> Result<()> {
        let report = TournamentReport::of_record(work, &self.record)?;
        view.title = Some(title(work));
        view.remarks = report.remarks();
        view.next = report.next(&self.path);
        let is_one = work.config.players.len() == 2;
        view.match_ = report.result.matches.first().filter(|_| is_one).map(|only| only.summary);
        view.contest = Some(report.contest());
        Ok(())
    }

    /// The workers on other machines that play the run at the moment, if there are some.
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

/// The title of the page of a match or a tournament.
fn title(work: &TournamentWork) -> String {
    let names: Vec<&str> = work.config.players.iter().map(|player| &*player.name).collect();
    let board = &work.config.board;
    match &short_names(&names)[..] {
        [a, b] => format!("{a} against {b} on {board}"),
        players => format!("{} players on {board}", players.len()),
    }
}
