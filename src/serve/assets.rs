//! The files of the pages, which are in the program itself: those of the page to play on, which has
//! some in common with the others, and the rest.

use super::answer::Refusal;
use crate::web::{PageFile, find_file};
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// A file by its name below `/assets/`, if the page to play on does without it: its type and its
/// contents.
const FILES: &[(&str, &str, &str)] = &[
    ("main.js", SCRIPT, include_str!("assets/main.js")),
    ("server.js", SCRIPT, include_str!("assets/server.js")),
    ("charts.js", SCRIPT, include_str!("assets/charts.js")),
    ("list.js", SCRIPT, include_str!("assets/list.js")),
    ("start.js", SCRIPT, include_str!("assets/start.js")),
    ("run.js", SCRIPT, include_str!("assets/run.js")),
    ("games.js", SCRIPT, include_str!("assets/games.js")),
    ("match.js", SCRIPT, include_str!("assets/match.js")),
    ("viewer.js", SCRIPT, include_str!("assets/viewer.js")),
    ("compare.js", SCRIPT, include_str!("assets/compare.js")),
    ("vendor/uPlot.iife.min.js", SCRIPT, include_str!("assets/vendor/uPlot.iife.min.js")),
    ("vendor/uPlot.min.css", STYLE, include_str!("assets/vendor/uPlot.min.css")),
    (
        "vendor/uPlot.LICENSE",
        "text/plain; charset=utf-8",
        include_str!("assets/vendor/uPlot.LICENSE"),
    ),
];

/// Answers with a file.
pub(super) async fn file(Path(name): Path<String>) -> Response {
    if let Some(file) = find_file(&name) {
        return answer(file);
    }
    match FILES.iter().find(|(known, ..)| *known == name) {
        Some(&(_, kind, text)) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
        None => Refusal::not_found("address").into_response(),
    }
}

fn answer(file: &PageFile) -> Response {
    match file.bytes() {
        Ok(bytes) => ([(header::CONTENT_TYPE, file.kind)], bytes).into_response(),
        Err(error) => Refusal::from(error).into_response(),
    }
}
