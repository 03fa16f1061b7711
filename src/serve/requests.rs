//! Requests of the pages to start something, checked and turned into the arguments of the program.
//! Every value becomes one argument after a `=`, so none of them can be taken for another option.

use super::answer::{Refusal, Reply};
use super::copied::kept_options;
use super::form::{self, FormKind, FormMethod, OPTIONS};
use super::form_check::{check_weights, player};
use super::state::ServerState;
use crate::arena::queue::processors;
use crate::error::{Error, Result, shorten};
use crate::game::Board;
use crate::games::GameId;
use crate::player::Player;
use crate::report::GivenOption;
use crate::run::RunDir;
use crate::runs::{RunSet, RunState, RunView, SetRole, WantedSet};
use crate::stats::Sprt;
use crate::tournament::TournamentKind;
use crate::tune::Method;
use crate::weights::shipped;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

const PAIRS: RangeInclusive<u64> = 1..=1_000_000;
const GAMES: RangeInclusive<u64> = 1..=100_000_000;
const MINUTES: RangeInclusive<u64> = 1..=100_000;
const NODES: RangeInclusive<u64> = 1..=1_000_000_000;
const THREADS: RangeInclusive<u64> = 1..=1024;
/// The option that chooses the target of a tune.
const TARGET: &str = "target";
/// The options that limit a move apart from its nodes.
const LIMITS: [&str; 3] = ["depth", "movetime", "tc"];

/// The fields of requests that are text, and those that are whole numbers.
const TEXTS: [&str; 7] = ["game", "board", "a", "b", "start", "method", "like"];
const NUMBERS: [&str; 6] = ["nodes", "seed", "threads", "pairs", "games", "minutes"];

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
    pub(super) game: String,
    pub(super) board: String,
    /// Left out where a kept option limits the moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    seed: u64,
    threads: u64,
    /// Further options of the form, by their names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(super) options: Map<String, Value>,
    /// The run that the settings were copied from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) like: Option<String>,
    /// The options of that run to keep although no form has them, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) keeps: Vec<String>,
    /// Whatever else the request has, which is refused.
    #[serde(flatten, skip_serializing_if = "Map::is_empty")]
    unknown: Map<String, Value>,
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
    /// Reads a request.
    ///
    /// # Errors
    /// When a field is missing or is not what it should be.
    pub(super) fn read(fields: Map<String, Value>) -> Reply<Self> {
        let refused = |place: &str, reason: &str| {
            let error = Error::input(place, reason).remedy("docs/src/serve.md lists the requests");
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error)
        };
        // serde does not name a flattened field whose value is wrong.
        let wrong = |names: &[&'static str], is_right: fn(&Value) -> bool| {
            names.iter().copied().find(|&name| {
                fields.get(name).is_some_and(|value| !value.is_null() && !is_right(value))
            })
        };
        let wrong = [
            (wrong(&TEXTS, Value::is_string), "not a text"),
            (wrong(&NUMBERS, Value::is_u64), "not a whole number from 0 on"),
        ];
        if let Some((name, reason)) =
            wrong.into_iter().find_map(|(name, reason)| Some((name?, reason)))
        {
            let shown = shorten(&fields[name].to_string());
            return Err(
                refused(&format!("field `{name}`"), &format!("{shown} is {reason}")).at(name)
            );
        }
        serde_json::from_value(Value::Object(fields))
            .map_err(|error| refused("request", &error.to_string()))
    }

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

    /// The form of the request, and the method of a tune.
    fn form(&self) -> FormMethod {
        match self {
            Self::Match(_) => (FormKind::Match, None),
            Self::Tune(request) => (FormKind::Tune, Some(request.method)),
        }
    }

    /// The arguments that start the run, without its directory.
    ///
    /// # Errors
    /// When a value is unknown or out of range, or values do not fit each other.
    pub(super) fn arguments(&self, shared: &ServerState) -> Reply<Vec<String>> {
        let (play, (kind, method)) = (self.play(), self.form());
        if let Some(field) = play.unknown.keys().next() {
            return Err(Error::input(format!("field `{}`", shorten(field)), "unknown")
                .remedy("leave it out; options of the command belong in `options`")
                .into());
        }
        let (game, board) = play.game()?;
        let kept = kept_options(play, kind, method, shared)?;
        let mut arguments = match self {
            Self::Match(request) => request.arguments((game, board), shared)?,
            Self::Tune(request) => request.arguments((game, board), &kept, shared)?,
        };
        arguments.extend(play.arguments(&kept)?);
        arguments.extend(form::arguments(kind, method, &play.options)?);
        arguments.extend(kept.iter().map(GivenOption::argument));
        Ok(arguments)
    }
}

impl PlayRequest {
    fn game(&self) -> Reply<(GameId, Board)> {
        let game: GameId = self.game.parse().map_err(|error| Refusal::from(error).at("game"))?;
        let board = self.board.parse().and_then(|board| game.start(board).map(|_| board));
        Ok((game, board.map_err(|error| Refusal::from(error).at("board"))?))
    }

    fn arguments(&self, kept: &[GivenOption]) -> Reply<Vec<String>> {
        let mut arguments = vec![
            format!("--game={}", self.game),
            format!("--board={}", self.board),
            format!("--seed={}", self.seed),
            format!("--threads={}", within("threads", self.threads, THREADS)?),
        ];
        let is_limited = kept.iter().any(|option| LIMITS.contains(&option.name.as_str()));
        match self.nodes {
            Some(nodes) => arguments.push(format!("--nodes={}", within("nodes", nodes, NODES)?)),
            None if is_limited => {}
            None => {
                let error = Error::input("nodes", "not given").remedy("give 1000, for example");
                return Err(Refusal::from(error).at("nodes"));
            }
        }
        Ok(arguments)
    }
}

impl MatchRequest {
    fn arguments(&self, on: (GameId, Board), shared: &ServerState) -> Reply<Vec<String>> {
        let player = |key, name| player(key, name, on, shared).map(|(argument, _)| argument);
        let mut arguments = vec![
            "match".to_owned(),
            player("a", &self.a)?,
            player("b", &self.b)?,
            format!("--pairs={}", within("pairs", self.pairs, PAIRS)?),
        ];
        if let Some([elo0, elo1]) = self.sprt {
            Sprt::usual(elo0, elo1).map_err(|error| Refusal::from(error).at("sprt"))?;
            arguments.push(format!("--sprt={elo0},{elo1}"));
        }
        Ok(arguments)
    }
}

impl TuneRequest {
    fn arguments(
        &self,
        on: (GameId, Board),
        kept: &[GivenOption],
        shared: &ServerState,
    ) -> Reply<Vec<String>> {
        let amount = match (self.games, self.minutes) {
            (Some(games), None) => format!("--games={}", within("games", games, GAMES)?),
            (None, Some(minutes)) => format!("--for={}m", within("minutes", minutes, MINUTES)?),
            (given, _) => {
                let reason = if given.is_some() { "both are given" } else { "neither is given" };
                return Err(Error::input("games, minutes", reason)
                    .remedy("give one of the two: the games, or the time in minutes")
                    .into());
            }
        };
        let (start, Player { weights, .. }) = player("start", &self.start, on, shared)?;
        // A tune of the search names constants, not weights.
        if kept.iter().all(|option| option.name != TARGET) {
            check_weights(on, &weights, self.method, &self.play.options)?;
        }
        Ok(vec![
            "tune".to_owned(),
            format!("--start={start}"),
            format!("--method={}", self.method),
            amount,
        ])
    }
}

fn within(key: &'static str, value: u64, range: RangeInclusive<u64>) -> Reply<u64> {
    if range.contains(&value) {
        return Ok(value);
    }
    let error = Error::input(key, format!("{value} is out of range")).remedy(format!(
        "give {} to {}",
        range.start(),
        range.end()
    ));
    Err(Refusal::from(error).at(key))
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
    /// The run, and the role of the set unless it was accepted.
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
        // The wanted candidate may be the best set, which is listed already.
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
