//! Ctrl-C (and the signals that end a process): the first one asks the command to stop, the second
//! one ends the process at once.

use super::progress::aside_of_any;
use crate::cli::{Console, PROCESS};
use crate::error::{Error, ErrorKind, Result};
use crate::search::Stop;
use std::process;
use std::thread;
use std::time::{Duration, Instant};

/// The exit code of a command that a signal ended early.
const STOPPED: u8 = ErrorKind::Interrupted.exit_code();

/// The exit code of a process that aborts: it has failed.
#[cfg(unix)]
const ABORTED: i32 = 1;

/// Signals within this time are one: `timeout` sends the second to the whole process group.
const AS_ONE: Duration = Duration::from_millis(250);

/// The time that a command has to end by itself, once it no longer responds to signals.
const ENDING: Duration = Duration::from_secs(1);

/// The response to a signal.
pub(super) struct Signal {
    /// The flag to set.
    stop: Stop,
    /// A line for stderr; may be empty.
    message: String,
}

/// Takes over the signals, once for the process.
///
/// # Errors
/// When the system refuses.
pub fn install() -> Result<()> {
    let failed = |e: &dyn std::fmt::Display| Error::failed("signals", e);
    // With any handler installed, exceeding the file size limit is an ordinary write error.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default())
        .map_err(|e| failed(&e))?;
    // When memory runs out, the process prints a message and aborts: its exit code is then
    // `ABORTED`.
    #[cfg(unix)]
    signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGABRT,
        ABORTED,
        std::sync::Arc::new(true.into()),
    )
    .map_err(|e| failed(&e))?;
    ctrlc::set_handler(on_signal).map_err(|e| failed(&e))
}

fn on_signal() {
    let console = Console::default();
    // A second signal finds no response left and ends the process.
    let taken = PROCESS.signal.lock().take();
    match taken {
        Some(Signal { stop, message }) => {
            *PROCESS.signalled.lock() = Some(Instant::now());
            stop.set();
            if !message.is_empty() {
                aside_of_any(&console, &message);
            }
        }
        None if PROCESS.signalled.lock().is_some_and(|at| at.elapsed() < AS_ONE) => {}
        None => {
            // What has just ended says itself how it ended.
            if PROCESS.ended.lock().is_some_and(|at| at.elapsed() < ENDING) {
                thread::sleep(ENDING);
            }
            aside_of_any(&console, "stopped");
            crate::protocol::end_all();
            process::exit(i32::from(STOPPED));
        }
    }
}

/// While it lives, the first signal sets its flag instead of ending the process.
#[derive(Debug)]
pub struct Interrupt {
    stop: Stop,
}

impl Interrupt {
    /// Prints `message` on stderr when the signal comes, unless it is empty.
    pub fn new(message: &str) -> Self {
        let stop = Stop::default();
        let signal = Signal { stop: stop.clone(), message: message.to_owned() };
        *PROCESS.signal.lock() = Some(signal);
        Self { stop }
    }

    /// The flag that the first signal sets.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Whether the signal has come.
    pub fn came(&self) -> bool {
        self.stop.is_set()
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        PROCESS.signal.lock().take();
        *PROCESS.ended.lock() = Some(Instant::now());
    }
}
