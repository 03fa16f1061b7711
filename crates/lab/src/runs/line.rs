//! A run in a line: what a list of runs shows of it.

use super::standing::RunStanding;
use crate::error::{Error, Result};
use crate::report::units;
use crate::run::{self, JournalTail, ManifestHead, TournamentWork, TuneWork, Work};
use crate::tune::Target;
use serde::Serialize;
use std::path::Path;
use std::time::SystemTime;

/// What has become of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RunStatus {
    /// A process works on it.
    Running,
    /// It is not finished, and nothing works on it: `spar resume` goes on with it.
    Stopped,
    /// A tune whose candidate passed its validation.
    Accepted,
    /// A tune whose candidate did not pass.
    Rejected,
    /// A finished match or tournament.
    Done,
    /// It ended with an error that a resume cannot put right.
    Failed,
    /// Its files cannot be read: damaged, edited, or of another format.
    Damaged,
}

impl RunStatus {
    /// Whether nothing of the run is left to do.
    pub fn is_finished(self) -> bool {
        matches!(self, Self::Accepted | Self::Rejected | Self::Done | Self::Failed)
    }

    /// The name in lists and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Damaged => "damaged",
        }
    }
}

/// A run in a line. It is read from the manifest without its weights and from the end of the
/// journal, so a list of hundreds takes no time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunLine {
    /// The directory's name.
    pub run: String,
    /// The directory's path.
    pub path: String,
    /// What has become of it.
    pub state: RunStatus,
    /// Why it failed, or what is wrong with its files.
    pub reason: Option<String>,
    /// The run's id: the name of the set that it makes, with `-` for `/`.
    pub id: Option<String>,
    /// The game.
    pub game: Option<String>,
    /// The board.
    pub board: Option<String>,
    /// The method; `match` or `tournament` for one of these.
    pub method: Option<String>,
    /// What is tuned.
    pub target: Option<Target>,
    /// The number of tuned weights or constants; none where all are fitted.
    pub knobs: Option<usize>,
    /// What it starts from; of a match or tournament who plays.
    pub start: Option<String>,
    /// Games played, validation included.
    pub games: u64,
    /// Games of the tune that are planned; the matches that decide come on top. Of a match or
    /// tournament the most games.
    pub planned_games: Option<u64>,
    /// The Elo of the candidate in its latest match, or of the latest answers while the tune goes
    /// on; that of the first player of a match; null where it is not defined.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// What that is against.
    pub against: Option<String>,
    /// Whether the candidate was accepted; null before the end.
    pub accepted: Option<bool>,
    /// Games a second over the last minutes of play; null where too few lines tell.
    pub games_per_second: Option<f64>,
    /// Seconds that a running run will take on, if its validation is short; null of any other.
    pub seconds_left: Option<f64>,
    /// When it began, in UTC.
    pub begun: Option<String>,
    /// When the last line of its journal was written, in UTC.
    pub latest: Option<String>,
    /// Seconds since then, or since it began.
    pub seconds_since: Option<f64>,
    /// The size of its directory on disk, in bytes.
    pub bytes: u64,
}

impl RunLine {
    /// The line of the run in a directory; what cannot be read makes it a damaged one.
    pub fn read(path: &Path) -> Self {
        let mut line = Self::unread(path);
        if let Err(error) = line.fill(path) {
            line.state = RunStatus::Damaged;
            line.reason = Some(error.to_string());
        }
        line
    }

    /// The games, and of how many unless it is finished: `120/300`.
    pub fn games_text(&self) -> String {
        let games = units::count(self.games);
        match self.planned_games.filter(|_| !self.state.is_finished()) {
            Some(planned) => format!("{games}/{}", units::count(planned)),
            None => games,
        }
    }

    /// A line without anything from the run's files.
    pub(super) fn unread(path: &Path) -> Self {
        let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Self {
            run: name.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            path: path.display().to_string(),
            state: RunStatus::Stopped,
            reason: None,
            id: None,
            game: None,
            board: None,
            method: None,
            target: None,
            knobs: None,
            start: None,
            games: 0,
            planned_games: None,
            elo: None,
            elo_error: None,
            against: None,
            accepted: None,
            games_per_second: None,
            seconds_left: None,
            begun: None,
            latest: None,
            seconds_since: None,
            bytes: run::size(path),
        }
    }

    fn fill(&mut self, path: &Path) -> Result<()> {
        let head = ManifestHead::of(path)?;
        self.take_head(&head);
        // Asked before the journal is read: a run that ends in between is finished, not stopped.
        let is_running = run::is_locked(path);
        let mut standing = RunStanding::new(&head.work);
        let lines = JournalTail::last_lines(path, &head.run, RunStanding::is_told_by)?;
        for line in &lines {
            let wrong = |reason| Error::input(path.display(), format!("its journal {reason}"));
            head.work.check_event(&line.event).map_err(wrong)?;
            standing.add(line);
        }
        self.take_standing(&standing, is_running);
        Ok(())
    }

    /// Takes over what the manifest says.
    pub(super) fn take_head(&mut self, head: &ManifestHead) {
        self.id = Some(head.run.clone());
        self.game = Some(head.work.game().into());
        self.board = Some(head.work.board().into());
        self.method = Some(head.work.method());
        self.begun = Some(head.time.clone());
        match &head.work {
            Work::Tune(TuneWork { config, start, .. }) => {
                self.target = Some(config.target());
                self.knobs = (!config.method().has_rounds()).then(|| config.knobs().len());
                self.start = Some(start.name.clone());
                self.planned_games = Some(config.games);
            }
            Work::Tournament(TournamentWork { config, .. }) => {
                self.start = Some(config.title());
                self.planned_games = Some(config.all_pairs().saturating_mul(2));
            }
        }
    }

    /// Takes over what the journal says.
    pub(super) fn take_standing(&mut self, standing: &RunStanding, is_running: bool) {
        self.state = match standing.accepted() {
            _ if is_running => RunStatus::Running,
            Some(true) => RunStatus::Accepted,
            Some(false) => RunStatus::Rejected,
            None if standing.failure().is_some() => RunStatus::Failed,
            None if standing.is_played() => RunStatus::Done,
            None => RunStatus::Stopped,
        };
        self.reason = standing.failure().filter(|_| !is_running).map(Into::into);
        self.games = standing.games();
        (self.elo, self.elo_error) = standing.elo();
        self.against = standing.against();
        self.accepted = standing.accepted();
        self.games_per_second = standing.games_per_second();
        self.seconds_left = standing.seconds_left().filter(|_| is_running);
        self.latest = standing.time().map(Into::into);
        self.seconds_since = self.latest.as_ref().or(self.begun.as_ref()).and_then(|then| {
            let then = humantime::parse_rfc3339(then).ok()?;
            Some(SystemTime::now().duration_since(then).unwrap_or_default().as_secs_f64())
        });
    }
}
