//! The JSON that pages fetch, apart from events.

use super::answer::{Refusal, Reply};
use super::board::{GameHead, GameView, view};
use super::limits::GAMES_PER_PAGE;
use super::requests;
use super::state::ServerState;
use super::view::RunReader;
use crate::error::Error;
use crate::run;
use crate::runs::RunView;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

/// The state that a handler gets.
pub(super) type Shares = State<Arc<ServerState>>;

/// Runs work that reads files or searches on another thread, while the server answers further
/// requests.
pub(super) async fn beside<T: Send + 'static>(
    shared: Arc<ServerState>,
    work: impl FnOnce(&Arc<ServerState>) -> Reply<T> + Send + 'static,
) -> Reply<T> {
    let done = tokio::task::spawn_blocking(move || work(&shared)).await;
    done.unwrap_or_else(|_| Err(Error::failed("request", "the work on it ended early").into()))
}

/// The list of runs.
pub(super) async fn runs(State(shared): Shares) -> Reply<Json<Value>> {
    beside(shared, |shared| {
        let mut names = shared.folder().names()?;
        names.reverse();
        names.truncate(super::limits::RUNS);
        let runs = names.iter().map(|name| RunView::read(&shared.folder().join(name)));
        Ok(Json(json!({ "runs": runs.collect::<Vec<_>>() })))
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

/// The wanted games of a run, and whether with scores.
#[derive(Deserialize)]
pub(super) struct GamesQuery {
    /// The number of the first, from 1; without it the last ones.
    from: Option<u64>,
    /// How many, at most.
    count: Option<u64>,
    /// Whether to search for the score of each move.
    #[serde(default)]
    scores: bool,
}

#[derive(Serialize)]
struct GameRow {
    number: u64,
    #[serde(flatten)]
    head: GameHead,
}

/// Some games of a run, and how many of them can be shown.
pub(super) async fn games(
    State(shared): Shares,
    Path(name): Path<String>,
    Query(query): Query<GamesQuery>,
) -> Reply<Json<Value>> {
    let count = query.count.unwrap_or(GAMES_PER_PAGE).min(GAMES_PER_PAGE);
    beside(shared, move |shared| {
        let open = shared.open(&name)?;
        let mut open = open.lock();
        let (live, _) = open.fresh()?;
        let total = live.record().games_kept();
        let from = query.from.unwrap_or_else(|| total.saturating_sub(count) + 1);
        let games = run::read_games(live.path(), live.record(), from, count)?;
        let games =
            games.iter().map(|game| GameRow { number: game.number, head: GameHead::new(game) });
        Ok(Json(json!({ "total": total, "games": games.collect::<Vec<_>>() })))
    })
    .await
}

/// A game as the pages get it.
pub(super) async fn game(
    State(shared): Shares,
    Path((name, number)): Path<(String, u64)>,
    Query(query): Query<GamesQuery>,
) -> Reply<Json<GameView>> {
    beside(shared, move |shared| {
        let open = shared.open(&name)?;
        let (game, total) = {
            let mut open = open.lock();
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

/// The runs that wait.
pub(super) async fn queue(State(shared): Shares) -> Reply<Json<Value>> {
    beside(shared, |shared| Ok(Json(json!({ "waiting": shared.queue.list() })))).await
}

pub(super) async fn choices(State(shared): Shares) -> Reply<Json<Value>> {
    beside(shared, |shared| requests::choices(shared).map(Json)).await
}
