//! Runs that wait for the processors: requests of the pages, started one after the other, each when
//! no process works on a run of the folder.
//!
//! They are kept in the folder of runs, for the next server. Each is checked when it is added, and
//! again when it starts: the file may come from somebody else.

use super::answer::{Refusal, Reply};
use super::limits::WAITING;
use super::requests::StartRequest;
use crate::error::{Error, Result};
use crate::files::{self, Links, write_atomically};
use axum::http::StatusCode;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The file of the requests, in the folder of runs.
pub(crate) const QUEUE_FILE: &str = "queue.json";
/// The lock of the server that keeps them, in the folder of runs.
pub(crate) const QUEUE_LOCK: &str = "queue.lock";
/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// A run that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WaitingRun {
    /// Its number, which no other run of the file has had.
    pub(super) id: u64,
    /// The run as it was asked for.
    pub(super) request: StartRequest,
}

/// The contents of the file.
#[derive(Default, Serialize, Deserialize)]
struct WaitingRuns {
    /// The number of the next run that is added.
    next: u64,
    waiting: Vec<WaitingRun>,
}

/// The runs that wait. One server of a folder keeps them.
pub(super) struct RunQueue {
    folder: PathBuf,
    kept: Mutex<Option<Kept>>,
}

struct Kept {
    runs: WaitingRuns,
    _lock: File,
}

impl RunQueue {
    /// The runs that wait in a folder, unless another server keeps them.
    ///
    /// # Errors
    /// When the file is damaged or cannot be read.
    pub(super) fn open(folder: &Path) -> Result<Self> {
        let queue = Self { folder: folder.into(), kept: Mutex::default() };
        if files::exists(&folder.join(QUEUE_FILE), Links::Refused)? {
            *queue.kept.lock() = queue.take()?;
        }
        Ok(queue)
    }

    /// The runs that wait, the next one first.
    pub(super) fn list(&self) -> Vec<WaitingRun> {
        self.kept.lock().as_ref().map_or_else(Vec::new, |kept| kept.runs.waiting.clone())
    }

    /// Adds a run at the end, and returns its number.
    ///
    /// # Errors
    /// When too many wait, another server keeps the queue, or it cannot be written.
    pub(super) fn add(&self, request: StartRequest) -> Reply<u64> {
        self.change(|runs| {
            if runs.waiting.len() >= WAITING {
                let reason = format!("{WAITING} runs are already waiting");
                let error = Error::input("queue", reason).remedy("remove one first");
                return Err(Refusal::new(StatusCode::CONFLICT, error));
            }
            let id = runs.next;
            runs.next += 1;
            runs.waiting.push(WaitingRun { id, request });
            Ok(id)
        })
    }

    /// Takes a run out of the queue.
    ///
    /// # Errors
    /// When it does not wait, or the queue cannot be written.
    pub(super) fn remove(&self, id: u64) -> Reply<WaitingRun> {
        self.change(|runs| Ok(runs.waiting.remove(place(runs, id)?)))
    }

    /// Moves a run one place forward.
    ///
    /// # Errors
    /// When it does not wait, or the queue cannot be written.
    pub(super) fn move_up(&self, id: u64) -> Reply<()> {
        self.change(|runs| {
            let at = place(runs, id)?;
            runs.waiting.swap(at.saturating_sub(1), at);
            Ok(())
        })
    }

    /// Changes the runs that wait, and writes them.
    fn change<T>(&self, work: impl FnOnce(&mut WaitingRuns) -> Reply<T>) -> Reply<T> {
        let mut kept = self.kept.lock();
        if kept.is_none() {
            *kept = self.take()?;
        }
        let Some(kept) = kept.as_mut() else {
            let error = Error::input("queue", "another server of this folder has it open")
                .remedy("use the pages of that server, or stop it");
            return Err(Refusal::new(StatusCode::CONFLICT, error));
        };
        let done = work(&mut kept.runs)?;
        let text = serde_json::to_vec_pretty(&kept.runs).map_err(|e| Error::failed("queue", e))?;
        write_atomically(&self.folder.join(QUEUE_FILE), &text, Links::Refused)?;
        Ok(done)
    }

    /// Takes the lock and reads the file; `None` while another server has the lock.
    fn take(&self) -> Result<Option<Kept>> {
        let folder = &self.folder;
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make", e))?;
        let lock = files::open_to_change(&folder.join(QUEUE_LOCK), Links::Refused)?;
        if lock.try_lock().is_err() {
            return Ok(None);
        }
        let path = folder.join(QUEUE_FILE);
        let runs = match files::exists(&path, Links::Refused)? {
            true => serde_json::from_slice(&files::read(&path, Links::Refused, MOST_BYTES)?)
                .map_err(|error| {
                    Error::input(path.display(), format!("damaged: {error}"))
                        .remedy("remove it, and add the waiting runs again")
                })?,
            false => WaitingRuns::default(),
        };
        Ok(Some(Kept { runs, _lock: lock }))
    }
}

/// The place of a run in the queue.
fn place(runs: &WaitingRuns, id: u64) -> Reply<usize> {
    runs.waiting.iter().position(|run| run.id == id).ok_or_else(|| {
        let error = Error::input(format!("waiting run {id}"), "not in the queue")
            .remedy("it may have started: the page at / lists all runs");
        Refusal::new(StatusCode::NOT_FOUND, error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(seed: u64) -> StartRequest {
        let request = json!({
            "kind": "match", "game": "breakthrough", "board": "5x5", "nodes": 50, "seed": seed,
            "threads": 1, "a": "breakthrough/piece", "b": "breakthrough/spsa", "pairs": 2,
        });
        serde_json::from_value(request).unwrap()
    }

    fn ids(queue: &RunQueue) -> Vec<u64> {
        queue.list().iter().map(|run| run.id).collect()
    }

    #[test]
    fn waiting_runs_outlive_the_server_and_have_one_keeper() {
        let folder = tempfile::tempdir().unwrap();
        let first = RunQueue::open(folder.path()).unwrap();
        for seed in 1..4 {
            first.add(request(seed)).unwrap();
        }
        first.move_up(2).unwrap();
        first.move_up(0).unwrap();
        assert_eq!(ids(&first), [0, 2, 1]);
        assert_eq!(first.remove(0).unwrap().id, 0);
        assert!(first.remove(0).is_err());
        let other = RunQueue::open(folder.path()).unwrap();
        assert_eq!(ids(&other), [0; 0], "another server keeps them");
        assert!(other.add(request(9)).is_err());
        drop(first);
        assert_eq!(other.add(request(4)).unwrap(), 3, "numbers are used once");
        assert_eq!(ids(&other), [2, 1, 3]);
        drop(other);
        assert_eq!(ids(&RunQueue::open(folder.path()).unwrap()), [2, 1, 3]);
        std::fs::write(folder.path().join(QUEUE_FILE), "[").unwrap();
        assert!(RunQueue::open(folder.path()).is_err());
    }

    #[test]
    fn a_full_queue_takes_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let queue = RunQueue::open(folder.path()).unwrap();
        for seed in 0..WAITING as u64 {
            queue.add(request(seed)).unwrap();
        }
        assert!(queue.add(request(0)).is_err());
        assert_eq!(queue.list().len(), WAITING);
    }
}
