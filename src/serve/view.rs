//! The documents of the pages, as JSON: the lines of the list, and runs.

use super::answer::Refusal;
use super::jobs::JobState;
use super::spark::spark;
use super::state::{OpenRun, ServerState, locked};
use crate::error::{Error, Result};
use crate::report::advice;
use crate::run::{Record, RunWorkers, TournamentWork};
use crate::runs::live::RunDocument;
use crate::runs::{LiveRun, RunLine, RunStatus};
use crate::search::Limits;
use crate::stats::{Rating, Sprt, Summary};
use crate::tournament::{MatchResult, TournamentResult};
use crate::tune::Stage;
use serde::Serialize;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The most points of a curve.
const POINTS: usize = 400;

/// What the method of a tournament is called.
const TOURNAMENT: &str = "tournament";

/// A run in the list of the page.
#[derive(Serialize)]
pub(super) struct ListLine {
    #[serde(flatten)]
    line: RunLine,
    /// The Elo at a few moments, evenly spread.
    spark: Vec<f64>,
}

impl ListLine {
    /// The line of the run in a directory.
    pub(super) fn read(directory: &Path) -> Self {
        let line = RunLine::read(directory);
        // The matches of a tournament have nothing in common that could rise or fall.
        let is_tournament = line.method.as_deref() == Some(TOURNAMENT);
        Self { spark: if is_tournament { Vec::new() } else { spark(directory) }, line }
    }

    /// The same as JSON.
    pub(super) fn text(directory: &Path) -> Arc<str> {
        serde_json::to_string(&Self::read(directory)).unwrap_or_default().into()
    }
}

/// A run, and what its page says of it.
#[derive(Serialize)]
struct RunView {
    #[serde(flatten)]
    document: RunDocument,
    /// Games that can be shown.
    games_kept: u64,
    /// What a match or a tournament is between; null of a tune.
    contest: Option<Contest>,
    /// How certain the result is, and when the tune is done.
    advice: Vec<String>,
    /// The commands to type next.
    next: Vec<String>,
}

/// Who meets in a match or a tournament, and what decides it.
#[derive(Serialize)]
struct Contest {
    players: Vec<ContestPlayer>,
    /// Their ratings, in the same order.
    ratings: Vec<Rating>,
    /// The matches that were begun.
    encounters: Vec<Encounter>,
    /// The most pairs of each match.
    pairs: u64,
    sprt: Option<Sprt>,
    seed: u64,
}

#[derive(Serialize)]
struct ContestPlayer {
    name: String,
    limits: Limits,
}

#[derive(Serialize)]
struct Encounter {
    /// The places of its players.
    players: [usize; 2],
    #[serde(rename = "match")]
    match_: Summary,
}

impl Contest {
    /// # Errors
    /// When the record does not fit the settings.
    fn new(work: &TournamentWork, record: &Record) -> Result<Self> {
        let settings = &work.config;
        let result = TournamentResult::new(settings, record.batches(Stage::Match))?;
        let encounter =
            |played: &MatchResult| Encounter { players: played.players, match_: played.summary };
        let players = settings
            .players
            .iter()
            .map(|player| ContestPlayer { name: player.name.clone(), limits: player.limits });
        Ok(Self {
            players: players.collect(),
            ratings: result.ratings.players().to_vec(),
            encounters: result.matches.iter().map(encounter).collect(),
            pairs: settings.pairs,
            sprt: settings.sprt,
            seed: settings.seed,
        })
    }
}

/// The document of a run, and what it was made of.
struct KnownRun {
    revision: u64,
    state: RunStatus,
    workers: Option<RunWorkers>,
    document: Arc<str>,
}

/// Reads a run again and again.
pub(super) struct RunReader {
    name: String,
    open: Option<Arc<Mutex<OpenRun>>>,
    known: Option<KnownRun>,
}

impl RunReader {
    /// A reader of the run with this name in the folder, of which nothing is read yet.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into(), open: None, known: None }
    }

    /// The document of the run as it stands now; what cannot be read is said in it.
    pub(super) fn text(&mut self, shared: &ServerState) -> Arc<str> {
        self.read(shared).unwrap_or_else(|error| {
            (self.open, self.known) = (None, None);
            unread(shared, &self.name, &error)
        })
    }

    fn read(&mut self, shared: &ServerState) -> Result<Arc<str>> {
        let run = match &self.open {
            Some(run) => run.clone(),
            None => {
                let opened = shared.open(&self.name).map_err(Refusal::into_error)?;
                self.open.insert(opened).clone()
            }
        };
        let mut run = locked(&run);
        let (live, revision) = run.fresh()?;
        let state = live.line().state;
        let workers = live.workers();
        let is_known = |known: &&KnownRun| {
            (known.revision, known.state, &known.workers) == (revision, state, &workers)
        };
        if let Some(known) = self.known.as_ref().filter(is_known) {
            return Ok(known.document.clone());
        }
        let document: Arc<str> = RunView::text(live)?.into();
        self.known = Some(KnownRun { revision, state, workers, document: document.clone() });
        Ok(document)
    }
}

impl RunView {
    fn text(live: &LiveRun) -> Result<String> {
        let document = live.document(POINTS)?;
        let summary = document.summary.as_ref();
        let tournament = live.manifest().work.tournament();
        let contest = tournament.map(|work| Contest::new(work, live.record()));
        let view = Self {
            games_kept: live.record().games_kept(),
            contest: contest.transpose()?,
            advice: summary.map_or_else(Vec::new, advice::advice),
            next: summary.map_or_else(Vec::new, |summary| advice::next(summary, live.path())),
            document,
        };
        serde_json::to_string(&view).map_err(|error| Error::failed("JSON", error))
    }
}

/// What a page shows of a run that cannot be read: it may not have begun yet, or never did.
fn unread(shared: &ServerState, name: &str, error: &Error) -> Arc<str> {
    let (state, reason) = match shared.jobs.state(name) {
        Some(JobState::Running) => ("starting", None),
        Some(JobState::Failed(error)) => (RunStatus::Failed.name(), Some(error)),
        None => (RunStatus::Damaged.name(), Some(error.to_string())),
    };
    serde_json::json!({ "run": name, "state": state, "reason": reason }).to_string().into()
}
