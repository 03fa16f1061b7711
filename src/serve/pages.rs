//! The pages: the parts that all share are made here, and scripts in the pages draw the rest.

use super::access::Access;
use super::state::ServerState;
use crate::games::GameId;
use crate::page::document;
use crate::shell;
use crate::web::{self, PageHost};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use std::sync::Arc;

/// The page of all runs.
pub(super) async fn list(State(shared): State<Arc<ServerState>>) -> Response {
    page(shared.access(), "Runs", html! { main #page data-page="list" { (waiting()) } })
}

/// The page of a run.
pub(super) async fn run(
    State(shared): State<Arc<ServerState>>,
    Path(run): Path<String>,
) -> Response {
    let removes = shared.access().is_local();
    let main =
        html! { main #page data-page="run" data-run=(run) data-removes[removes] { (waiting()) } };
    page(shared.access(), &run, main)
}

/// The page of a game of a run.
pub(super) async fn game(
    State(shared): State<Arc<ServerState>>,
    Path((run, number)): Path<(String, u64)>,
) -> Response {
    let title = format!("Game {number} of {run}");
    let main =
        html! { main #page data-page="game" data-run=(run) data-number=(number) { (waiting()) } };
    page(shared.access(), &title, main)
}

/// The page that compares the runs which its address names.
pub(super) async fn compare(State(shared): State<Arc<ServerState>>) -> Response {
    page(shared.access(), "Compare", html! { main #page data-page="compare" { (waiting()) } })
}

/// The page to play and analyse on, or a note that it plays none of the program's games.
pub(super) async fn play(State(shared): State<Arc<ServerState>>) -> Response {
    if web::has_games() {
        return as_page(web::page(PageHost::Server, &[]));
    }
    let note = html! { main #page {
        h1 { "Play" }
        p { "The engine of this page plays the games of Sparring only. To play " (game_names()) ", call" }
        p { code { (shell::program()) " play" } }
        p { "or let a graphical board call " code { (shell::program()) " uci" } "." }
    } };
    page(shared.access(), "Play", note)
}

/// The names of the program's games.
fn game_names() -> String {
    let names: Vec<&str> = GameId::all().iter().map(|game| game.name).collect();
    names.join(", ")
}

fn waiting() -> Markup {
    html! { p.soft { "Loading \u{2026}" } noscript { p { "These pages need JavaScript. `" (shell::program()) " report` makes a page with a curve and the numbers for readers without it." } } }
}

/// A page with the parts that all of them have.
pub(super) fn page(access: &Access, title: &str, main: Markup) -> Response {
    let head = html! {
        meta name="token" content=(access.change_token());
        meta name="color-scheme" content="light dark";
        link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
        link rel="stylesheet" href="/assets/vendor/uPlot.min.css";
        link rel="stylesheet" href="/assets/look.css";
        link rel="stylesheet" href="/assets/style.css";
        link rel="stylesheet" href="/assets/runs.css";
        script src="/assets/vendor/uPlot.iife.min.js" defer {}
        script type="module" src="/assets/main.js" {}
    };
    let body = html! {
        a.skip href="#page" { "Skip to the content" }
        header.top {
            a.home href="/" { "Sparring" }
            @if web::has_games() { nav { a href="/play" { "Play" } } }
            span #live.live role="status" {}
        }
        (main)
        footer { (shell::program()) " " (env!("CARGO_PKG_VERSION")) }
    };
    let page = document(&format!("{title} \u{b7} Sparring"), &head, &body);
    as_page(page)
}

pub(super) fn as_page(page: String) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}
