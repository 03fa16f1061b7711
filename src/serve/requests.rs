//! Requests of the pages to start something, checked and turned into the arguments of the program.
//! Every value becomes one argument after a `=`, so none of them can be taken for another option.

use super::answer::Reply;
use super::form::{self, FormKind, OPTIONS};
use super::state::ServerState;
use crate::arena::queue::processors;
use crate::error::{Error, Result, shorten};
use crate::game::Board;
use crate::games::GameId;
use crate::run::{RunDir, WEIGHTS};
use crate::runs::{RunSet, RunState, RunView, SetRole, WantedSet};
use crate::stats::{Model, Sprt};
use crate::tournament::TournamentKind;
use crate::tune::Method;
use crate::weights::{find_shipped, shipped};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The name of a player that is the result of a run in the folder.
const OF_RUN: &str = "run:";
const PAIRS: RangeInclusive<u64> = 1..=1_000_000;
const GAMES: RangeInclusive<u64> = 1..=100_000_000;
const MINUTES: RangeInclusive<u64> = 1..=100_000;
const NODES: RangeInclusive<u64> = 1..=1_000_000_000;
const THREADS: RangeInclusive<u64> = 1..=1024;
/// The error probabilities of a test: those that `spar match` has by default.
const SPRT_ERROR: f64 = 0.05;

/// The command to start.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum StartRequest {
    /// A match of two players.
    Match(MatchRequest),
    Tune(TuneRequest),
}

/// The fields of every request for a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PlayRequest {
    game: String,
    board: String,
    nodes: u64,
    seed: u64,
    threads: u64,
    /// Further options of the form, by their names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    options: Map<String, Value>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MatchRequest {
    #[serde(flatten)]
    play: PlayRequest,
    a: String,
    b: String,
    pairs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<[f64; 2]>,
}

/// A tune of a number of games or minutes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TuneRequest {
    #[serde(flatten)]
    play: PlayRequest,
    start: String,
    method: Method,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    minutes: Option<u64>,
}

impl StartRequest {
    fn play(&self) -> &PlayRequest {
        match self {
            Self::Match(request) => &request.play,
            Self::Tune(request) => &request.play,
        }
    }

    /// A short title, for messages.
    pub(super) fn title(&self) -> String {
        let PlayRequest { game, board, .. } = self.play();
        match self {
            Self::Match(MatchRequest { a, b, .. }) => format!("match of {a} and {b} on {board}"),
            Self::Tune(request) => format!("{} tune of {game} on {board}", request.method),
        }
    }

    /// Makes the directory of the run below `runs`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn reserve(&self, runs: &Path) -> Result<PathBuf> {
        let PlayRequest { game, seed, .. } = self.play();
        let method = match self {
            Self::Match(_) => TournamentKind::Match.to_string(),
            Self::Tune(request) => request.method.to_string(),
        };
        RunDir::reserve_for(runs, game, &method, *seed)
    }

    /// The arguments that start it, but for its directory.
    ///
    /// # Errors
    /// When a value is unknown or out of range.
    pub(super) fn arguments(&self, shared: &ServerState) -> Reply<Vec<String>> {
        let play = self.play().arguments()?;
        let mut arguments = match self {
            Self::Match(request) => request.arguments(shared)?,
            Self::Tune(request) => request.arguments(shared)?,
        };
        arguments.extend(play);
        let (kind, method) = match self {
            Self::Match(_) => (FormKind::Match, None),
            Self::Tune(request) => (FormKind::Tune, Some(request.method)),
        };
        arguments.extend(form::arguments(kind, method, &self.play().options)?);
        Ok(arguments)
    }
}

impl PlayRequest {
    fn arguments(&self) -> Result<[String; 5]> {
        let game: GameId = self.game.parse()?;
        let board: Board = self.board.parse()?;
        game.start(board)?;
        Ok([
            format!("--game={game}"),
            format!("--board={board}"),
            format!("--nodes={}", within("nodes", self.nodes, NODES)?),
            format!("--seed={}", self.seed),
            format!("--threads={}", within("threads", self.threads, THREADS)?),
        ])
    }

    /// The player behind a name: a shipped set, or the set of a run in the folder.
    fn player(&self, key: &str, name: &str, shared: &ServerState) -> Reply<String> {
        if let Some(named) = name.strip_prefix(OF_RUN) {
            let (run, wanted) = WantedSet::split(named);
            let directory = shared.directory(run)?;
            RunSet::find(&directory, wanted)?;
            return Ok(match wanted {
                WantedSet::Best => text_of(directory.join(WEIGHTS))?,
                _ => wanted.name_of(&text_of(directory)?),
            });
        }
        match find_shipped(name, &self.game) {
            Some(set) => Ok(set.name.into()),
            None => Err(Error::input(format!("{key} `{}`", shorten(name)), "no such set or run")
                .remedy(
                    "name a shipped set, or run:NAME or run:NAME:candidate of a run in the folder",
                )
                .into()),
        }
    }
}

impl MatchRequest {
    fn arguments(&self, shared: &ServerState) -> Reply<Vec<String>> {
        let player = |key, name| self.play.player(key, name, shared);
        let mut arguments = vec![
            "match".to_owned(),
            player("a", &self.a)?,
            player("b", &self.b)?,
            format!("--pairs={}", within("pairs", self.pairs, PAIRS)?),
        ];
        if let Some([elo0, elo1]) = self.sprt {
            Sprt::new(elo0, elo1, SPRT_ERROR, SPRT_ERROR, Model::default())?;
            arguments.push(format!("--sprt={elo0},{elo1}"));
        }
        Ok(arguments)
    }
}

impl TuneRequest {
    fn arguments(&self, shared: &ServerState) -> Reply<Vec<String>> {
        let amount = match (self.games, self.minutes) {
            (Some(games), None) => format!("--games={}", within("games", games, GAMES)?),
            (None, Some(minutes)) => format!("--for={}m", within("minutes", minutes, MINUTES)?),
            _ => {
                return Err(Error::input("games, minutes", "one of the two is wanted")
                    .remedy("give either")
                    .into());
            }
        };
        Ok(vec![
            "tune".to_owned(),
            format!("--start={}", self.play.player("start", &self.start, shared)?),
            format!("--method={}", self.method),
            amount,
        ])
    }
}

fn within(key: &str, value: u64, range: RangeInclusive<u64>) -> Result<u64> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(Error::input(key, format!("{value} is out of range")).remedy(format!(
        "give {} to {}",
        range.start(),
        range.end()
    )))
}

/// A path as an argument, which never begins with a dash.
pub(super) fn text_of(path: PathBuf) -> Result<String> {
    let path = std::path::absolute(&path).map_err(|error| Error::io(&path, "find", error))?;
    path.to_str().map(Into::into).ok_or_else(|| {
        Error::input(path.display(), "not text").remedy("give the folder a name in UTF-8")
    })
}

/// A set of a run that can be played with.
#[derive(Serialize)]
pub(super) struct RunChoice {
    /// The run, and which of its sets: `NAME` or `NAME:candidate`.
    pub(super) run: String,
    /// The run, and what the set is unless it was accepted.
    pub(super) title: String,
    pub(super) game: String,
    pub(super) board: String,
}

/// The sets of runs that can be played with, the latest run first; the start set of a run that was
/// not accepted stands before the candidate.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn sets_of_runs(shared: &ServerState) -> Reply<Vec<RunChoice>> {
    let lines = shared.folder().lines()?;
    let usable = lines.iter().filter(|line| line.state != RunState::Damaged);
    Ok(usable.flat_map(|line| choices_of(line, &shared.folder().join(&line.run))).collect())
}

fn choices_of(line: &RunView, directory: &Path) -> Vec<RunChoice> {
    let choice = |wanted: WantedSet| {
        let set = RunSet::of_line(line, directory, wanted).ok()?;
        // A candidate may be the best set once more.
        let is_new = wanted == WantedSet::Best || set.role == SetRole::Candidate;
        if !is_new || !set.file.as_ref()?.is_file() {
            return None;
        }
        Some(RunChoice {
            run: wanted.name_of(&line.run),
            title: set.title(&line.run).unwrap_or_else(|| line.run.clone()),
            game: line.game.clone()?,
            board: line.board.clone()?,
        })
    };
    [WantedSet::Best, WantedSet::Candidate].into_iter().filter_map(choice).collect()
}

/// The choices in the page's forms: games with their sets, sets of runs, the threads that this
/// machine has, and further options.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn choices(shared: &ServerState) -> Reply<Value> {
    let games: Vec<Value> = GameId::with_engine().iter().copied().map(game_choice).collect();
    Ok(
        json!({ "games": games, "runs": sets_of_runs(shared)?, "threads": processors(), "options": OPTIONS }),
    )
}

/// A game; tunes of it start from `hand`.
fn game_choice(game: GameId) -> Value {
    let prefix = format!("{game}/");
    let names = shipped().iter().map(|set| set.name);
    json!({
        "name": game.name(),
        "board": game.default_board.to_string(),
        "boards": game.boards.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "sets": names.filter(|name| name.starts_with(&prefix)).collect::<Vec<_>>(),
        "hand": format!("{prefix}{}", game.guide.hand_made_set),
        "networks": game.symmetry.is_some(),
    })
}
