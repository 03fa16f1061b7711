//! The state of the process, apart from any command: its one static value that changes.

use super::interrupt::Signal;
use crate::runs::RunsFolder;
use indicatif::ProgressBar;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::Instant;

/// Returns the players in words, or `None` when nobody plays.
pub(super) type Players = Box<dyn Fn() -> Option<String> + Send>;

/// State shared by the main thread, the handler of signals and the threads that print.
pub(super) struct ProcessState {
    /// The bar on the terminal, if there is one.
    pub(super) bar: Mutex<Option<ProgressBar>>,
    /// Names the players beside the progress, where they change.
    pub(super) players: Mutex<Option<Players>>,
    /// The response to the next signal; without one it ends the process.
    pub(super) signal: Mutex<Option<Signal>>,
    /// When a signal last found a response.
    pub(super) signalled: Mutex<Option<Instant>>,
    /// When the last response was withdrawn, as the command had ended.
    pub(super) ended: Mutex<Option<Instant>>,
    /// Facts for `--on-done`, by the names of variables without their prefix.
    pub(super) facts: Mutex<BTreeMap<&'static str, String>>,
    /// The folder of runs; the first value counts.
    pub(super) runs_folder: OnceLock<RunsFolder>,
}

pub(super) static PROCESS: ProcessState = ProcessState {
    bar: Mutex::new(None),
    players: Mutex::new(None),
    signal: Mutex::new(None),
    signalled: Mutex::new(None),
    ended: Mutex::new(None),
    facts: Mutex::new(BTreeMap::new()),
    runs_folder: OnceLock::new(),
};
