//! The files of the play page and of the pages of runs.

use super::answer::Refusal;
use super::cached::{Keep, answer};
use crate::page;
use crate::web::find_file;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

/// Answers with a file by its name below `/assets/`.
pub(super) async fn file(Path(name): Path<String>, asked: HeaderMap) -> Response {
    if let Some(file) = find_file(&name) {
        return answer(&asked, file.kind, file.bytes.into(), Keep::WhileSame);
    }
    match page::find(&name) {
        Some(file) => answer(&asked, file.kind, file.text.as_bytes().into(), Keep::WhileSame),
        None => Refusal::not_found("address").into_response(),
    }
}
