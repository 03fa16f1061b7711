//! The API of the pages, beside events.

use super::answer::{Refusal, Reply};
use super::board::{GameHead, GameView, view};
use super::jobs::ask_to_stop;
use super::limits::GAMES_PER_PAGE;
use super::requests::{Choices, StartRequest, text_of};
use super::state::{ServerState, locked};
use super::view::RunReader;
use crate::error::Error;
use crate::run::{self, Manifest, TrustMark};
use crate::runs::RunView;
use crate::shell::quote_path;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

type Shares = State<Arc<ServerState>>;

/// Does work that reads files or searches, beside what the server answers meanwhile.
pub(super) async fn beside<T: Send + 'static>(
    shared: Arc<ServerState>,
    work: impl FnOnce(&Arc<ServerState>) -> Reply<T> + Send + 'static,
) -> Reply<T> {
    let done = tokio::task::spawn_blocking(move || work(&shared)).await;
    done.unwrap_or_else(|_| Err(Error::failed("request", "the work on it ended early").into()))
}

/// The list of runs.
#[derive(Serialize)]
pub(super) struct ListedRunsJson {
    runs: Vec<RunView>,
}

pub(super) async fn runs(State(shared): Shares) -> Reply<Json<ListedRunsJson>> {
    beside(shared, |shared| {
        let mut names = shared.folder().names()?;
        names.reverse();
        names.truncate(super::limits::RUNS);
        let runs = names.iter().map(|name| RunView::read(&shared.folder().join(name))).collect();
        Ok(Json(ListedRunsJson { runs }))
    })
    .await
}

pub(super) async fn run(State(shared): Shares, Path(name): Path<String>) -> Reply<Response> {
    let text = beside(shared, move |shared| {
        shared.directory(&name)?;
        Ok(RunReader::new(&name).text(shared))
    });
    let text = text.await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response())
}

/// Which games of a run.
#[derive(Deserialize)]
pub(super) struct GamesQuery {
    /// The number of the first, from 1; without it the last ones.
    from: Option<u64>,
    /// How many, at most.
    count: Option<u64>,
}

/// Some games of a run.
#[derive(Serialize)]
pub(super) struct GamesJson {
    /// The number of games that can be shown.
    total: u64,
    games: Vec<GameRow>,
}

#[derive(Serialize)]
struct GameRow {
    number: u64,
    #[serde(flatten)]
    head: GameHead,
}

pub(super) async fn games(
    State(shared): Shares,
    Path(name): Path<String>,
    Query(query): Query<GamesQuery>,
) -> Reply<Json<GamesJson>> {
    let count = query.count.unwrap_or(GAMES_PER_PAGE).min(GAMES_PER_PAGE);
    beside(shared, move |shared| {
        let open = shared.open(&name)?;
        let mut open = locked(&open);
        let (live, _) = open.fresh()?;
        let total = live.record().games_kept();
        let from = query.from.unwrap_or_else(|| total.saturating_sub(count) + 1);
        let games = run::read_games(live.path(), live.record(), from, count)?;
        let games =
            games.iter().map(|game| GameRow { number: game.number, head: GameHead::new(game) });
        Ok(Json(GamesJson { total, games: games.collect() }))
    })
    .await
}

/// A game as the pages get it.
#[derive(Deserialize)]
pub(super) struct GameQuery {
    /// With the score of each move, which are searched for then.
    #[serde(default)]
    scores: bool,
}

pub(super) async fn game(
    State(shared): Shares,
    Path((name, number)): Path<(String, u64)>,
    Query(query): Query<GameQuery>,
) -> Reply<Json<GameView>> {
    beside(shared, move |shared| {
        let open = shared.open(&name)?;
        let (game, total) = {
            let mut open = locked(&open);
            let (live, _) = open.fresh()?;
            let total = live.record().games_kept();
            let found = run::read_games(live.path(), live.record(), number, 1)?;
            (found.into_iter().next().filter(|_| number > 0), total)
        };
        let Some(game) = game else {
            let error = Error::input(format!("game {number}"), "there is no such game")
                .remedy(format!("they are numbered from 1 to {total}"));
            return Err(Refusal::new(StatusCode::NOT_FOUND, error));
        };
        Ok(Json(view(&game, total, query.scores)?))
    })
    .await
}

pub(super) async fn choices(State(shared): Shares) -> Reply<Json<Choices>> {
    beside(shared, |shared| Choices::read(shared).map(Json)).await
}

/// Starts a match or a tune, and answers with the name of its run.
pub(super) async fn start(
    State(shared): Shares,
    Json(request): Json<StartRequest>,
) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let mut arguments = request.arguments(shared)?;
        let (run, directory) = shared.reserve(&request)?;
        arguments.push(format!("--run={}", text_of(directory.clone())?));
        let started = shared.jobs.start(&run, &directory, &arguments);
        if started.is_err() {
            // It is as empty as it was made.
            let _ = std::fs::remove_dir(&directory);
        }
        started?;
        Ok(Json(json!({ "run": run })))
    })
    .await
}

/// Asks the process that works on a run to stop.
pub(super) async fn stop(State(shared): Shares, Path(name): Path<String>) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let started = shared.jobs.process(&name);
        let directory = match (shared.directory(&name), started) {
            (Ok(directory), _) => directory,
            // It has no files yet.
            (Err(_), Some(process)) => return stopped(&name, process),
            (Err(unknown), None) => return Err(unknown),
        };
        match run::worker(&directory).or(started) {
            Some(process) if run::holds_lock(&directory, process) || started == Some(process) => {
                stopped(&name, process)
            }
            Some(process) => {
                let reason =
                    format!("its `lock` names process {process}, which does not work on it");
                let remedy = "press Ctrl-C where it runs, perhaps on another machine";
                Err(Refusal::conflict(&name, &reason, remedy))
            }
            None => {
                let reason = "no process works on it";
                Err(Refusal::conflict(&name, reason, "there is nothing to stop"))
            }
        }
    })
    .await
}

/// Asks a process to stop, and answers with the name of its run.
fn stopped(run: &str, process: u32) -> Reply<Json<Value>> {
    ask_to_stop(run, process)?;
    Ok(Json(json!({ "run": run })))
}

pub(super) async fn resume(State(shared): Shares, Path(name): Path<String>) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let directory = shared.directory(&name)?;
        if run::is_locked(&directory) {
            let reason = "a process works on it already";
            return Err(Refusal::conflict(&name, reason, "wait for it, or stop it first"));
        }
        if !TrustMark::is_needless(&Manifest::load(&directory.join(run::MANIFEST))?) {
            let reason = "somebody else began it, and it starts engines";
            let command = format!("spar resume {}", quote_path(&directory));
            let remedy = format!("resume it in a terminal, which shows them first: {command}");
            return Err(Refusal::conflict(&name, reason, &remedy));
        }
        let arguments = ["resume".to_owned(), text_of(directory.clone())?];
        shared.jobs.start(&name, &directory, &arguments)?;
        Ok(Json(json!({ "run": name })))
    })
    .await
}
