//! The changes that pages make: they start, stop, resume, label and remove runs. Each request needs
//! the change token.

use super::answer::{Refusal, Reply};
use super::api::{Shares, beside};
use super::jobs::ask_to_stop;
use super::requests::{StartRequest, text_of};
use crate::run::{self, Manifest, TrustMark};
use crate::runs::{Removal, Removed, RunLabel, RunView};
use crate::shell::quote_path;
use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Starts a match or a tune, and answers with the name of its run.
pub(super) async fn start(
    State(shared): Shares,
    Json(fields): Json<Map<String, Value>>,
) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let run = shared.start(&StartRequest::read(fields)?)?;
        Ok(Json(json!({ "run": run })))
    })
    .await
}

/// Adds a match or a tune to the runs that wait, and answers with its number.
pub(super) async fn enqueue(
    State(shared): Shares,
    Json(fields): Json<Map<String, Value>>,
) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let request = StartRequest::read(fields)?;
        request.arguments(shared)?;
        Ok(Json(json!({ "id": shared.queue.add(request)? })))
    })
    .await
}

/// A change of a run that waits.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum QueueChange {
    /// It starts now, whatever else is running.
    Start,
    /// It leaves the queue.
    Remove,
    /// It takes the place before its own.
    Up,
}

/// Changes a waiting run, and answers with the run that started or with the runs that still wait.
pub(super) async fn change_queue(
    State(shared): Shares,
    Path((id, change)): Path<(u64, QueueChange)>,
) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        match change {
            QueueChange::Start => {
                let waiting = shared.queue.remove(id)?;
                let run = shared.start(&waiting.request);
                if run.is_err() {
                    shared.queue.add(waiting.request)?;
                }
                return Ok(Json(json!({ "run": run? })));
            }
            QueueChange::Remove => drop(shared.queue.remove(id)?),
            QueueChange::Up => shared.queue.move_up(id)?,
        }
        Ok(Json(json!({ "waiting": shared.queue.list() })))
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
                let reason = format!(
                    "its `lock` names process {process}, but that process is not working on it"
                );
                let remedy = "press Ctrl-C where it runs, perhaps on another machine";
                Err(Refusal::conflict(&name, &reason, remedy))
            }
            None => {
                let reason = "no process is working on it";
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

/// Starts a process that continues a run, and answers with the name of the run.
pub(super) async fn resume(State(shared): Shares, Path(name): Path<String>) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let directory = shared.directory(&name)?;
        idle(&name, &directory)?;
        if RunView::read(&directory).state.is_finished() {
            return Err(Refusal::conflict(&name, "it is finished", "its page has the result"));
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

/// Replaces a run's name, note and tags, and answers with the new ones.
pub(super) async fn label(
    State(shared): Shares,
    Path(name): Path<String>,
    Json(label): Json<RunLabel>,
) -> Reply<Json<RunLabel>> {
    beside(shared, move |shared| {
        let directory = shared.directory(&name)?;
        let label = label.tidied()?;
        label.write(&directory)?;
        Ok(Json(label))
    })
    .await
}

/// Removes a run and all its files, and answers whether its directory is gone too.
pub(super) async fn remove(State(shared): Shares, Path(name): Path<String>) -> Reply<Json<Value>> {
    beside(shared, move |shared| {
        let directory = shared.directory(&name)?;
        if !shared.access().is_local() {
            let remedy = format!("on its machine: spar runs rm {}", quote_path(&directory));
            let reason = "a server open to the network removes no runs";
            return Err(Refusal::forbidden(&format!("run `{name}`"), reason, &remedy));
        }
        if shared.jobs.process(&name).is_some() {
            return Err(busy(&name));
        }
        idle(&name, &directory)?;
        let is_gone = Removal::plan(&directory, Removed::Run)?.carry_out()?;
        Ok(Json(json!({ "run": name, "gone": is_gone })))
    })
    .await
}

/// # Errors
/// When a process works on the run in a directory.
fn idle(name: &str, directory: &std::path::Path) -> Reply<()> {
    if run::is_locked(directory) { Err(busy(name)) } else { Ok(()) }
}

fn busy(name: &str) -> Refusal {
    let reason = "a process is already working on it";
    Refusal::conflict(name, reason, "wait for it, or stop it first")
}
