//! Ctrl-C (and the signals that end a process): the first one asks the command to stop, the second
//! one ends the process at once.

use super::console::Console;
use super::progress::aside_of_any;
use crate::error::{Error, Result};
use crate::search::Stop;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code of a command that a signal ended early.
pub const STOPPED: u8 = 3;

/// The flag that the first signal sets and what it prints; without them it ends the process.
static HANDLER: Mutex<Option<(Stop, String)>> = Mutex::new(None);

fn handler() -> MutexGuard<'static, Option<(Stop, String)>> {
    HANDLER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes over the signals, once for the process.
///
/// # Errors
/// When the system refuses.
pub fn install() -> Result<()> {
    let failed = |e: &dyn std::fmt::Display| Error::failed("signals", e);
    // With a handler of any kind, writing beyond a limit of file sizes is an error like any other.
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default())
        .map_err(|e| failed(&e))?;
    ctrlc::set_handler(on_signal).map_err(|e| failed(&e))
}

fn on_signal() {
    let console = Console::default();
    // Taken: the second signal finds nothing and ends the process.
    match handler().take() {
        Some((stop, message)) => {
            stop.set();
            if !message.is_empty() {
                aside_of_any(&console, &message);
            }
        }
        None => {
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
        *handler() = Some((stop.clone(), message.to_owned()));
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
        handler().take();
    }
}
