//! Runs that the pages start and stop: this same program as a process of its own, with arguments
//! that were checked, and no shell between.
//!
//! A process outlives the server: a tune of a night does not end because a page's server does. It
//! is in a process group of its own, so that Ctrl-C in the server's terminal is for the server.

use super::answer::Refusal;
use super::limits::JOBS;
use crate::error::{Error, ErrorKind, Result};
use crate::run::MANIFEST;
use parking_lot::Mutex;
use serde::Serialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The most bytes read from the end of a failed process's messages.
const LAST_WORDS: u64 = 4 << 10;
/// The exit code of a run that was stopped: no failure.
const STOPPED: i32 = ErrorKind::Interrupted.exit_code() as i32;
/// The exit code of a run whose arguments or files were refused.
const REFUSED: i32 = ErrorKind::Input.exit_code() as i32;
/// The most time that a request waits for a run's own checks, and the time between two looks.
const CHECK_TIME: Duration = Duration::from_secs(5);
const CHECK_POLL: Duration = Duration::from_millis(20);
/// The most failures that are remembered.
const FAILURES: usize = 20;

/// Processes that the server started.
pub(super) struct Jobs {
    program: PathBuf,
    running: Mutex<Vec<StartedProcess>>,
    failed: Mutex<Vec<FailedJob>>,
}

struct StartedProcess {
    run: String,
    directory: PathBuf,
    child: Child,
    log: File,
}

/// A process that failed.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FailedJob {
    /// The directory of its run.
    run: String,
    error: String,
    /// Whether its arguments or files were refused, before it played any game.
    #[serde(skip)]
    is_refusal: bool,
}

/// The state of a process.
pub(super) enum JobState {
    /// It has not ended.
    Running,
    /// It ended with this error.
    Failed(String),
}

impl Jobs {
    pub(super) fn new(program: PathBuf) -> Self {
        Self { program, running: Mutex::default(), failed: Mutex::default() }
    }

    /// Starts the program for the run in a directory.
    ///
    /// # Errors
    /// When too many are running, or it cannot be started.
    pub(super) fn start(
        &self,
        run: &str,
        directory: &Path,
        arguments: &[String],
    ) -> std::result::Result<(), Refusal> {
        self.reap();
        let mut running = self.running.lock();
        if running.len() >= JOBS {
            let reason = format!("{JOBS} runs started from here are already running");
            return Err(Refusal::conflict(run, &reason, "stop one first"));
        }
        let failed = |error| Error::io(&self.program, "start", error);
        let log = tempfile::tempfile().map_err(failed)?;
        let stderr = log.try_clone().map_err(failed)?;
        let mut command = Command::new(&self.program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        apart(&mut command);
        let child = command.spawn().map_err(failed)?;
        self.failed.lock().retain(|known| known.run != run);
        running.push(StartedProcess { run: run.into(), directory: directory.into(), child, log });
        Ok(())
    }

    /// Waits until the process of a run has ended, or has written the manifest after its own
    /// checks; stops waiting after [`CHECK_TIME`].
    ///
    /// # Errors
    /// When it refuses its arguments.
    pub(super) fn wait_for_checks(
        &self,
        run: &str,
        directory: &Path,
    ) -> std::result::Result<(), Refusal> {
        let (begun, manifest) = (Instant::now(), directory.join(MANIFEST));
        while begun.elapsed() < CHECK_TIME && self.process(run).is_some() && !manifest.exists() {
            std::thread::sleep(CHECK_POLL);
        }
        if manifest.exists() {
            // The run's page shows any later error.
            return Ok(());
        }
        let mut failed = self.failed.lock();
        let Some(place) = failed.iter().position(|job| job.run == run && job.is_refusal) else {
            return Ok(());
        };
        Err(Error::input("settings", failed.remove(place).error).into())
    }

    /// The running and the failed processes.
    pub(super) fn list(&self) -> Value {
        self.reap();
        let running: Vec<String> = self.running.lock().iter().map(|job| job.run.clone()).collect();
        json!({ "running": running, "failed": *self.failed.lock() })
    }

    /// Whether a process that the server started has not ended.
    pub(super) fn is_any_running(&self) -> bool {
        self.reap();
        !self.running.lock().is_empty()
    }

    /// Remembers that a run could not be started.
    pub(super) fn note_failure(&self, run: &str, error: &Error) {
        let error = error.to_string();
        self.failed.lock().push(FailedJob { run: run.into(), error, is_refusal: false });
    }

    /// The number of the process started for a run that has not ended.
    pub(super) fn process(&self, run: &str) -> Option<u32> {
        self.reap();
        self.running.lock().iter().find(|job| job.run == run).map(|job| job.child.id())
    }

    /// The state of the process started last for a run, unless it ended well.
    pub(super) fn state(&self, run: &str) -> Option<JobState> {
        self.reap();
        if self.running.lock().iter().any(|job| job.run == run) {
            return Some(JobState::Running);
        }
        let failed = self.failed.lock();
        failed.iter().find(|job| job.run == run).map(|job| JobState::Failed(job.error.clone()))
    }

    /// Removes ended processes from the list, and remembers the failures.
    fn reap(&self) {
        let mut failures = Vec::new();
        self.running.lock().retain_mut(|job| match job.child.try_wait() {
            Ok(None) => true,
            ended => {
                let status = ended.ok().flatten();
                if !status.is_some_and(is_well) {
                    let is_refusal = status.and_then(|status| status.code()) == Some(REFUSED);
                    let (run, error) = (job.run.clone(), job.last_words());
                    failures.push(FailedJob { run, error, is_refusal });
                }
                // The directory is empty if the arguments were refused; otherwise it stays.
                let _ = std::fs::remove_dir(&job.directory);
                false
            }
        });
        let mut failed = self.failed.lock();
        failed.extend(failures);
        let old = failed.len().saturating_sub(FAILURES);
        failed.drain(..old);
    }
}

impl StartedProcess {
    /// The error that it ended with.
    fn last_words(&mut self) -> String {
        let mut bytes = Vec::new();
        let length = self.log.metadata().map_or(0, |found| found.len());
        let from = SeekFrom::Start(length.saturating_sub(LAST_WORDS));
        let read = self
            .log
            .seek(from)
            .and_then(|_| (&mut self.log).take(LAST_WORDS).read_to_end(&mut bytes));
        let text = String::from_utf8_lossy(&bytes);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        match (read, last) {
            (Ok(_), Some(line)) => line.trim_start_matches("error:").trim().to_owned(),
            _ => "ended without a message".into(),
        }
    }
}

/// Whether a process ended as it should: done or stopped, perhaps before it could take care of
/// signals.
fn is_well(status: ExitStatus) -> bool {
    #[cfg(unix)]
    let is_stopped = {
        use std::os::unix::process::ExitStatusExt;
        status.signal() == Some(rustix::process::Signal::TERM.as_raw())
    };
    #[cfg(not(unix))]
    let is_stopped = false;
    is_stopped || status.success() || status.code() == Some(STOPPED)
}

/// Puts a process into a group of its own.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn apart(_: &mut Command) {}

/// Asks the process that works on a run to finish the games in progress and end.
///
/// # Errors
/// When the process cannot be signalled.
#[cfg(unix)]
pub(super) fn ask_to_stop(run: &str, process: u32) -> Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    let failed = |reason: String| Error::failed(format!("run `{run}`"), reason);
    let id = i32::try_from(process).ok().and_then(Pid::from_raw);
    let id = id.ok_or_else(|| failed(format!("{process} is not a process id")))?;
    kill_process(id, Signal::TERM).map_err(|error| failed(format!("cannot be stopped: {error}")))
}

/// Refuses: this system has no such signal.
#[cfg(not(unix))]
pub(super) fn ask_to_stop(run: &str, _: u32) -> Result<()> {
    Err(Error::failed(format!("run `{run}`"), "cannot be stopped from here")
        .remedy("press Ctrl-C where it runs"))
}
