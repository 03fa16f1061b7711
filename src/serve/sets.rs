//! The weight sets that the page to play on asks for: the program's, packed as they are in it, and
//! the runs', in the compact form.

use super::answer::{Refusal, Reply};
use super::api::beside;
use super::cached::{Keep, SET, answer};
use super::requests::{RunChoice, sets_of_runs};
use super::state::ServerState;
use crate::error::{Error, Result};
use crate::files::Links;
use crate::runs::set::start_of;
use crate::runs::{RunSet, WantedSet};
use crate::web::{INDEX, PARTS, SetEntry, ShippedFiles, shipped_files};
use crate::weights::{WeightSet, find_shipped};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use std::path::Path as FilePath;
use std::sync::{Arc, OnceLock};

/// The prefix of the names of runs' sets.
const OF_RUN: &str = "runs/";
const ENDING: &str = ".bin";
const JSON: &str = "application/json";
/// Bytes that zlib has packed already.
const PART: &str = "application/zlib";

/// Answers with the list of sets, or with a file of one of them.
pub(super) async fn file(
    State(shared): State<Arc<ServerState>>,
    Path(name): Path<String>,
    asked: HeaderMap,
) -> Reply<Response> {
    beside(shared, move |shared| {
        if name == INDEX {
            let list = serde_json::to_vec(&entries(shared)?)
                .map_err(|error| Error::failed("list of sets", error))?;
            return Ok(answer(&asked, JSON, list.into(), Keep::Never));
        }
        if let Some(set) = name.strip_suffix(ENDING) {
            return Ok(answer(&asked, SET, compact(set, shared)?.into(), Keep::WhileSame));
        }
        let files = shipped()?.iter().flat_map(|set| &set.files);
        let found = files.into_iter().find(|(known, _)| *known == name);
        let (_, bytes) = found.ok_or_else(|| Refusal::not_found("address"))?;
        let (kind, keep) = match name.starts_with(PARTS) {
            true => (PART, Keep::Forever),
            false => (JSON, Keep::WhileSame),
        };
        Ok(answer(&asked, kind, bytes.clone(), keep))
    })
    .await
}

/// The program's sets, which are unpacked once.
fn shipped() -> Result<&'static [ShippedFiles]> {
    static SHIPPED: OnceLock<Vec<ShippedFiles>> = OnceLock::new();
    match SHIPPED.get() {
        Some(known) => Ok(known),
        None => {
            let made = shipped_files()?;
            Ok(SHIPPED.get_or_init(|| made))
        }
    }
}

/// The sets of the runs, the latest first, and the program's own.
fn entries(shared: &ServerState) -> Reply<Vec<SetEntry>> {
    let runs = sets_of_runs(shared)?.into_iter();
    let of_runs = runs.map(|RunChoice { run, title, game, board }| {
        SetEntry::of_run(format!("{OF_RUN}{run}"), title, game, board)
    });
    Ok(of_runs.chain(shipped()?.iter().map(|set| set.entry.clone())).collect())
}

/// A set in the compact form.
fn compact(name: &str, shared: &ServerState) -> Reply<Vec<u8>> {
    let set = match name.strip_prefix(OF_RUN) {
        Some(name) => {
            let (run, wanted) = WantedSet::split(name);
            set_of_run(&shared.directory(run)?, wanted)?
        }
        None => {
            let known = find_shipped(name, "").ok_or_else(|| Refusal::not_found("address"))?;
            known.read()?
        }
    };
    Ok(set.to_compact()?)
}

/// The weights of a set of the run in a directory.
///
/// # Errors
/// When the run has no such set, or its file is damaged.
pub(super) fn set_of_run(directory: &FilePath, wanted: WantedSet) -> Result<WeightSet> {
    let set = RunSet::find(directory, wanted)?;
    match set.file {
        Some(file) => WeightSet::load_with(&file, Links::Refused),
        None => Ok(start_of(&set.run)?.to_set()),
    }
}
