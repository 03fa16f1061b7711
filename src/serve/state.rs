//! State shared by all requests: the rules of access, the folder, what is watched, and what was
//! started.

use super::access::Access;
use super::answer::{Refusal, Reply};
use super::jobs::Jobs;
use super::limits::RUNS;
use super::queue::{RunQueue, WaitingRun};
use super::requests::{StartRequest, text_of};
use super::watch::Watches;
use crate::error::{Error, Result, shorten};
use crate::run;
use crate::runs::{LiveRun, RunsFolder};
use axum::http::StatusCode;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

/// The state shared by all requests.
pub(super) struct ServerState {
    access: Access,
    folder: RunsFolder,
    opened: Opened,
    pub(super) watches: Watches,
    pub(super) jobs: Jobs,
    pub(super) queue: RunQueue,
}

impl ServerState {
    /// # Errors
    /// When the runs that wait in the folder cannot be read.
    pub(super) fn new(access: Access, folder: RunsFolder, program: PathBuf) -> Result<Self> {
        Ok(Self {
            queue: RunQueue::open(folder.path())?,
            access,
            folder,
            opened: Opened::default(),
            watches: Watches::default(),
            jobs: Jobs::new(program),
        })
    }

    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    pub(super) fn folder(&self) -> &RunsFolder {
        &self.folder
    }

    /// The directory of a run, by its exact name among those in the folder: no other text leads
    /// anywhere.
    ///
    /// # Errors
    /// When there is none of this name.
    pub(super) fn directory(&self, run: &str) -> Reply<PathBuf> {
        if self.folder.names()?.iter().any(|name| name == run) {
            return Ok(self.folder.join(run));
        }
        let error =
            Error::input(format!("run `{}`", shorten(run)), "not in the folder of this server")
                .remedy("the page at / lists all runs");
        Err(Refusal::new(StatusCode::NOT_FOUND, error))
    }

    /// Starts a run, and returns its name.
    ///
    /// # Errors
    /// When a value of the request is wrong, or too many runs are going on.
    pub(super) fn start(&self, request: &StartRequest) -> Reply<String> {
        let mut arguments = request.arguments(self)?;
        let (run, directory) = self.reserve(request)?;
        arguments.push(format!("--run={}", text_of(directory.clone())?));
        let started = self.jobs.start(&run, &directory, &arguments);
        if started.is_err() {
            // The directory is still empty.
            let _ = std::fs::remove_dir(&directory);
        }
        started?;
        self.jobs.wait_for_checks(&run, &directory)?;
        Ok(run)
    }

    /// Starts the run that waits longest, if no process works on a run of the folder.
    pub(super) fn start_waiting(&self) {
        let Some(WaitingRun { id, request }) = self.queue.list().into_iter().next() else { return };
        if self.jobs.is_any_running() || self.is_any_locked() {
            return;
        }
        // A page may have removed it meanwhile.
        let Ok(_) = self.queue.remove(id) else { return };
        if let Err(refusal) = self.start(&request) {
            self.jobs.note_failure(&request.title(), &refusal.into_error());
        }
    }

    /// Whether a process works on one of the latest runs of the folder.
    fn is_any_locked(&self) -> bool {
        let names = self.folder.names().unwrap_or_default();
        let latest = names.iter().rev().take(RUNS);
        latest.map(|name| self.folder.join(name)).any(|directory| run::is_locked(&directory))
    }

    /// Makes the directory of a run that is to be started, and returns its name and path.
    fn reserve(&self, request: &StartRequest) -> Result<(String, PathBuf)> {
        let directory = request.reserve(self.folder.path())?;
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, directory))
    }

    /// A run that is open for all who read it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn open(&self, run: &str) -> Reply<Arc<Mutex<OpenRun>>> {
        let directory = self.directory(run)?;
        Ok(self.opened.get(run, || LiveRun::open(&directory))?)
    }
}

/// A run that is read on as its journal grows.
pub(super) struct OpenRun {
    live: LiveRun,
    /// How often it has grown.
    revision: u64,
}

impl OpenRun {
    /// The run as it stands now, and how often it has grown.
    ///
    /// # Errors
    /// When it has been removed or damaged.
    pub(super) fn fresh(&mut self) -> Result<(&LiveRun, u64)> {
        if self.live.refresh()? {
            self.revision += 1;
        }
        Ok((&self.live, self.revision))
    }
}

/// Runs that somebody reads, and the one that was opened last.
#[derive(Default)]
struct Opened {
    runs: Mutex<HashMap<String, Weak<Mutex<OpenRun>>>>,
    last: Mutex<Option<Arc<Mutex<OpenRun>>>>,
}

impl Opened {
    fn get(
        &self,
        run: &str,
        open: impl FnOnce() -> Result<LiveRun>,
    ) -> Result<Arc<Mutex<OpenRun>>> {
        let known = self.runs.lock().get(run).and_then(Weak::upgrade);
        let found = match known {
            Some(found) => found,
            None => Arc::new(Mutex::new(OpenRun { live: open()?, revision: 0 })),
        };
        let mut runs = self.runs.lock();
        runs.retain(|_, run| run.strong_count() > 0);
        runs.insert(run.to_owned(), Arc::downgrade(&found));
        *self.last.lock() = Some(found.clone());
        Ok(found)
    }
}
