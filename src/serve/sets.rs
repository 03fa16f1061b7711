//! The weight sets that the page to play on asks for: those of the program and those of the runs, in
//! the compact form.

use super::answer::{Refusal, Reply};
use super::api::beside;
use super::requests::{RunChoice, sets_of_runs};
use super::state::ServerState;
use crate::error::Result;
use crate::files::Links;
use crate::runs::set::start_of;
use crate::runs::{RunSet, WantedSet};
use crate::web::{INDEX, SetEntry, shipped_files};
use crate::weights::{WeightSet, find_shipped};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::sync::{Arc, OnceLock};

/// The prefix of the names of runs' sets.
const OF_RUN: &str = "runs/";
const ENDING: &str = ".bin";

/// Answers with the list of sets or with one of them.
pub(super) async fn file(
    State(shared): State<Arc<ServerState>>,
    Path(name): Path<String>,
) -> Reply<Response> {
    beside(shared, move |shared| {
        if name == INDEX {
            return Ok(axum::Json(entries(shared)?).into_response());
        }
        let set = name.strip_suffix(ENDING).ok_or_else(|| Refusal::not_found("address"))?;
        let bytes = compact(set, shared)?;
        Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
    })
    .await
}

/// The sets of the runs, the latest first, and those of the program.
fn entries(shared: &ServerState) -> Reply<Vec<SetEntry>> {
    static SHIPPED: OnceLock<Vec<SetEntry>> = OnceLock::new();
    let shipped = match SHIPPED.get() {
        Some(known) => known,
        None => {
            let made = shipped_files().map(|file| Ok(file?.0)).collect::<Result<_>>()?;
            SHIPPED.get_or_init(|| made)
        }
    };
    let runs = sets_of_runs(shared)?.into_iter();
    let of_runs = runs.map(|RunChoice { run, title, game, board }| {
        SetEntry::of_run(format!("{OF_RUN}{run}"), title, game, board)
    });
    Ok(of_runs.chain(shipped.iter().cloned()).collect())
}

fn compact(name: &str, shared: &ServerState) -> Reply<Vec<u8>> {
    let set = match name.strip_prefix(OF_RUN) {
        Some(name) => {
            let (run, wanted) = WantedSet::split(name);
            let set = RunSet::find(&shared.directory(run)?, wanted)?;
            match set.file {
                Some(file) => WeightSet::load_with(&file, Links::Refused)?,
                None => start_of(&set.run)?.to_set(),
            }
        }
        None => {
            let known = find_shipped(name, "").ok_or_else(|| Refusal::not_found("address"))?;
            known.read()?
        }
    };
    Ok(set.to_compact()?)
}
