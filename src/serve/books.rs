//! The opening books that the page to play on offers.

use super::answer::{Refusal, Reply};
use super::api::beside;
use super::cached::{Keep, answer};
use super::state::ServerState;
use crate::error::Error;
use crate::web::{INDEX, book_entries, book_file};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use std::sync::Arc;

/// Answers with the list of books, or with one of them.
pub(super) async fn file(
    State(shared): State<Arc<ServerState>>,
    Path(name): Path<String>,
    asked: HeaderMap,
) -> Reply<Response> {
    beside(shared, move |_| {
        if name == INDEX {
            let list = serde_json::to_vec(&book_entries()?)
                .map_err(|error| Error::failed("list of books", error))?;
            return Ok(answer(&asked, "application/json", list.into(), Keep::WhileSame));
        }
        let bytes = book_file(&name)?.ok_or_else(|| Refusal::not_found("address"))?;
        Ok(answer(&asked, "application/gzip", bytes.into(), Keep::WhileSame))
    })
    .await
}
