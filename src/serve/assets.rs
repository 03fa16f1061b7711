//! The files of the pages: those of the page to play on, and those of the pages of runs.

use super::answer::Refusal;
use crate::page;
use crate::web::{PageFile, find_file};
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

/// Answers with a file by its name below `/assets/`.
pub(super) async fn file(Path(name): Path<String>) -> Response {
    if let Some(file) = find_file(&name) {
        return answer(file);
    }
    match page::find(&name) {
        Some(file) => ([(header::CONTENT_TYPE, file.kind)], file.text).into_response(),
        None => Refusal::not_found("address").into_response(),
    }
}

fn answer(file: &PageFile) -> Response {
    match file.bytes() {
        Ok(bytes) => ([(header::CONTENT_TYPE, file.kind)], bytes).into_response(),
        Err(error) => Refusal::from(error).into_response(),
    }
}
