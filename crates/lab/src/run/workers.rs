//! The status of the workers that play a run, as the run's process sees it. Pages read it from a
//! file that is gone when the process ends. Nothing else depends on it.

use super::files::WORKERS;
use crate::error::{Error, Result};
use crate::files::{self, Links, write_atomically};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The age up to which the file counts: it is written every few seconds.
const FRESH: Duration = Duration::from_secs(20);
/// The most bytes of it: enough for some 100,000 workers.
const MOST_BYTES: u64 = 32 << 20;

/// The workers of a run, and their progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunWorkers {
    /// The workers, by name.
    pub workers: Vec<RunWorker>,
    /// Jobs that are not done. A job is a pair, or some games of a fit.
    pub open: u64,
    /// Jobs done by this process of the run.
    pub done: u64,
    /// Jobs a second over the last half minute.
    pub rate: f64,
    /// Errors so far: messages that were not understood, jobs that a worker could not do.
    pub errors: u64,
    /// The texts of the latest errors.
    pub latest_errors: Vec<String>,
    /// The workers under quarantine, and why.
    pub quarantined: BTreeMap<String, String>,
}

/// A worker of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunWorker {
    /// The name that `spar worker --name` gave.
    pub name: String,
    /// Threads that play games, the worker's `--threads`.
    pub threads: usize,
    /// Nodes a second of one thread, as a trial at the worker's beginning found.
    pub speed: f64,
    /// Jobs done since it began, for all runs.
    pub done: u64,
    /// Jobs a second over the last half minute.
    pub rate: f64,
    /// Messages that it could not use, and jobs that failed.
    pub errors: u64,
}

impl RunWorkers {
    /// The threads of all workers together.
    pub fn threads(&self) -> usize {
        self.workers.iter().fold(0, |sum: usize, worker| sum.saturating_add(worker.threads))
    }

    /// Whether anything went wrong.
    pub fn has_problems(&self) -> bool {
        self.errors > 0 || !self.quarantined.is_empty()
    }

    /// Writes the file into the directory of a run.
    ///
    /// # Errors
    /// When that fails.
    pub fn write(&self, run: &Path) -> Result<()> {
        let text = serde_json::to_vec(self).map_err(|error| Error::failed("JSON", error))?;
        write_atomically(&run.join(WORKERS), &text, Links::Refused)
    }

    /// Removes the file. If it stays, readers soon ignore it.
    pub fn remove(run: &Path) {
        let _ = std::fs::remove_file(run.join(WORKERS));
    }

    /// Reads the file; `None` where there is none, it is old, or not one of this version.
    pub fn read(run: &Path) -> Option<Self> {
        let path = run.join(WORKERS);
        let written = path.symlink_metadata().ok()?.modified().ok()?;
        // If the clock was set back, the file counts as fresh.
        if written.elapsed().is_ok_and(|age| age > FRESH) {
            return None;
        }
        let bytes = files::read(&path, Links::Refused, MOST_BYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::time::SystemTime;

    #[test]
    fn what_is_written_is_read_until_it_is_old() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(RunWorkers::read(folder.path()), None);
        let worker = RunWorker { name: "a".into(), threads: 3, ..RunWorker::default() };
        let workers = RunWorkers { workers: vec![worker; 2], open: 7, ..RunWorkers::default() };
        workers.write(folder.path()).unwrap();
        assert_eq!(RunWorkers::read(folder.path()), Some(workers.clone()));
        assert_eq!(workers.threads(), 6);
        let file = File::options().write(true).open(folder.path().join(WORKERS)).unwrap();
        file.set_modified(SystemTime::now() - 2 * FRESH).unwrap();
        assert_eq!(RunWorkers::read(folder.path()), None);
        workers.write(folder.path()).unwrap();
        RunWorkers::remove(folder.path());
        assert_eq!(RunWorkers::read(folder.path()), None);
        std::fs::write(folder.path().join(WORKERS), "{}").unwrap();
        assert_eq!(RunWorkers::read(folder.path()), None);
    }
}
