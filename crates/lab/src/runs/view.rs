//! The document of a run that lists, pages and commands all read.

use super::label::RunLabel;
use super::series::RunSeries;
use super::spark::spark;
use super::standing::RunStanding;
use crate::error::{Error, Result};
use crate::protocol::ExternalEngine;
use crate::report::tournament::Contest;
use crate::report::{RunSummary, units};
use crate::run::{self, JournalTail, ManifestHead, RunWorkers, TournamentWork, TuneWork, Work};
use crate::stats::Summary;
use crate::tune::Target;
use serde::Serialize;
use std::path::Path;
use std::time::SystemTime;

/// The state of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RunState {
    /// A process is working on it.
    Running,
    /// It is not finished, and nothing works on it: `spar resume` continues it.
    #[default]
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

impl RunState {
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

/// The state and results of a run. [`read`](Self::read) takes what a list shows from the manifest
/// without its weights and from the end of the journal, so that a list of hundreds takes no time;
/// [`LiveRun::view`](super::LiveRun::view) reads all of the journal and adds the rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunView {
    /// The last part of the directory's path.
    pub run: String,
    /// The path of the run's directory.
    pub path: String,
    /// The user's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<RunLabel>,
    /// Whether it runs, was stopped, or how it ended.
    pub state: RunState,
    /// Why it failed, or what is wrong with its files.
    pub reason: Option<String>,
    /// The run's id: the name of the set that it makes, with `-` for `/`.
    pub id: Option<String>,
    /// The game by name; null if the manifest cannot be read.
    pub game: Option<String>,
    /// The board, columns x rows, such as `8x8`.
    pub board: Option<String>,
    /// The method; `match` or `tournament` for one of these.
    pub method: Option<String>,
    /// Whether weights or search constants are tuned; null for a match.
    pub target: Option<Target>,
    /// The number of tuned weights or constants; none where all are fitted.
    pub knobs: Option<usize>,
    /// The start; for a match or tournament, the players; for a tune of options, the engine.
    pub start: Option<String>,
    /// Games played, validation included.
    pub games: u64,
    /// Games of the tune that are planned, without the deciding matches. For a match or tournament,
    /// the most games.
    pub planned_games: Option<u64>,
    /// How many of the planned games are played, without the deciding matches. Null for a tune in
    /// rounds, whose own matches come on top too.
    pub tune_games: Option<u64>,
    /// The Elo of the candidate in its latest match, or of the latest answers during the tune. For
    /// a match, the first player's; for a tournament, its leader's rating. Null where it is not
    /// defined.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The opponent of that measurement.
    pub against: Option<String>,
    /// The strongest player of a tournament so far; null for other runs.
    pub leader: Option<String>,
    /// Whether the candidate was accepted; null before the end.
    pub accepted: Option<bool>,
    /// Games a second over the last minutes of play; null before the first line.
    pub games_per_second: Option<f64>,
    /// Seconds until a running run ends, if its validation is short; null for any other.
    pub seconds_left: Option<f64>,
    /// When it began, in UTC.
    pub begun: Option<String>,
    /// When the last line of its journal was written, in UTC.
    pub latest: Option<String>,
    /// Seconds since then, or since it began.
    pub seconds_since: Option<f64>,
    /// The size of its directory on disk, in bytes; null in reports.
    pub bytes: Option<u64>,
    /// In a list: the Elo at a few moments, evenly spread.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spark: Vec<f64>,
    /// The title of its page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The results of a tune in numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<RunSummary>,
    /// The numbers of a match of two players.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub match_: Option<Summary>,
    /// The players and results of a match or a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
    /// Its course, for charts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<RunSeries>,
    /// The workers on other machines that play it at the moment, if there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<RunWorkers>,
    /// Games that can be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games_kept: Option<u64>,
    /// What a reader of the result must know: engines were replaced, or pairs rest on forfeits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The result of a finished tune, in words, and the files that hold it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// How certain the result is, and when the tune is done.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub advice: Vec<String>,
    /// The commands to type next.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}

impl RunView {
    /// The list line of the run in a directory; a run that cannot be read is damaged.
    pub fn read(path: &Path) -> Self {
        let mut view = Self::unread(path);
        if let Err(error) = view.fill(path) {
            view.state = RunState::Damaged;
            view.reason = Some(error.to_string());
        }
        // The matches of a tournament have nothing in common that could rise or fall.
        if view.method.as_deref() != Some("tournament") {
            view.spark = spark(path);
        }
        view
    }

    /// The number of games, or the played and the planned number during the tune: `120/300`.
    pub fn games_text(&self) -> String {
        match self.part_of_plan() {
            Some((played, planned)) => {
                format!("{}/{}", units::count(played), units::count(planned))
            }
            None => units::count(self.games),
        }
    }

    /// The played and the planned games, while some of them are left.
    pub fn part_of_plan(&self) -> Option<(u64, u64)> {
        let plan = self.tune_games.zip(self.planned_games);
        plan.filter(|(played, planned)| !self.state.is_finished() && played < planned)
    }

    /// The same without what is not on record: the workers, the speed, the time since the last
    /// line, the size of the directory. Pages in files have no use for these.
    pub fn on_record(self) -> Self {
        Self {
            games_per_second: None,
            seconds_left: None,
            seconds_since: None,
            workers: None,
            bytes: None,
            ..self
        }
    }

    /// A view without anything from the run's files.
    pub(super) fn unread(path: &Path) -> Self {
        let name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Self {
            run: name.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            path: path.display().to_string(),
            label: RunLabel::read(path),
            bytes: Some(run::size(path)),
            ..Self::default()
        }
    }

    fn fill(&mut self, path: &Path) -> Result<()> {
        let head = ManifestHead::of(path)?;
        self.take_head(&head);
        // Asked before the journal is read, so that a run that ends in between counts as finished,
        // not as stopped.
        let is_running = run::is_locked(path);
        let mut standing = RunStanding::new(&head.work);
        let lines = JournalTail::last_lines(path, &head.run, |lines| standing.is_told_by(lines))?;
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
                self.start =
                    Some(config.engine().map_or(&*start.name, ExternalEngine::name).to_owned());
                self.planned_games = Some(config.planned_games());
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
            _ if is_running => RunState::Running,
            Some(true) => RunState::Accepted,
            Some(false) => RunState::Rejected,
            None if standing.failure().is_some() => RunState::Failed,
            None if standing.is_played() => RunState::Done,
            None => RunState::Stopped,
        };
        self.reason = standing.failure().filter(|_| !is_running).map(Into::into);
        self.games = standing.games();
        self.tune_games = standing.tune_games();
        let leader = standing.leader();
        (self.elo, self.elo_error) =
            leader.map_or_else(|| standing.elo(), |(_, rating)| (rating.elo, rating.error));
        self.against = standing.against();
        self.leader = leader.map(|(name, _)| name.into());
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
