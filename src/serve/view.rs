//! The views of runs, as JSON for the pages.

use super::answer::Refusal;
use super::jobs::JobState;
use super::state::{OpenRun, ServerState};
use crate::error::{Error, Result};
use crate::page::POINTS;
use crate::run::RunWorkers;
use crate::runs::{RunLabel, RunState, RunView};
use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;

/// The document of a run, and the state that it was made from.
struct KnownRun {
    revision: u64,
    state: RunState,
    label: Option<RunLabel>,
    workers: Option<RunWorkers>,
    document: Arc<str>,
}

/// Reads a run repeatedly, and makes a new document only after a change.
pub(super) struct RunReader {
    name: String,
    open: Option<Arc<Mutex<OpenRun>>>,
    known: Option<KnownRun>,
}

impl RunReader {
    /// A reader of the run with this name in the folder, of which nothing is read yet.
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into(), open: None, known: None }
    }

    /// The document of the run as it stands now; if the run cannot be read, the document says why.
    pub(super) fn text(&mut self, shared: &ServerState) -> Arc<str> {
        self.read(shared).unwrap_or_else(|error| {
            (self.open, self.known) = (None, None);
            unread(shared, &self.name, &error)
        })
    }

    fn read(&mut self, shared: &ServerState) -> Result<Arc<str>> {
        let run = match &self.open {
            Some(run) => run.clone(),
            None => {
                let opened = shared.open(&self.name).map_err(Refusal::into_error)?;
                self.open.insert(opened).clone()
            }
        };
        let mut run = run.lock();
        let (live, revision) = run.fresh()?;
        let RunView { state, label, .. } = live.line();
        let workers = live.workers();
        let is_known = |known: &&KnownRun| {
            (known.revision, known.state, &known.label, &known.workers)
                == (revision, state, &label, &workers)
        };
        if let Some(known) = self.known.as_ref().filter(is_known) {
            return Ok(known.document.clone());
        }
        let document: Arc<str> = json(&live.view(POINTS)?)?.into();
        self.known = Some(KnownRun { revision, state, label, workers, document: document.clone() });
        Ok(document)
    }
}

/// The list line of the run in a directory.
pub(super) fn listed(directory: &Path) -> Arc<str> {
    json(&RunView::read(directory)).unwrap_or_default().into()
}

fn json(view: &RunView) -> Result<String> {
    serde_json::to_string(view).map_err(|error| Error::failed("JSON", error))
}

/// The page's text for a run that cannot be read: it may not have begun yet, or never did.
fn unread(shared: &ServerState, name: &str, error: &Error) -> Arc<str> {
    let (state, reason) = match shared.jobs.state(name) {
        Some(JobState::Running) => ("starting", None),
        Some(JobState::Failed(error)) => (RunState::Failed.name(), Some(error)),
        None => (RunState::Damaged.name(), Some(error.to_string())),
    };
    serde_json::json!({ "run": name, "state": state, "reason": reason }).to_string().into()
}
