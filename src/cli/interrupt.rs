//! Ctrl-C (and the signals that end a process): the first one asks, the second one ends at once.

use super::console::Console;
use crate::error::{Error, Result};
use crate::search::Stop;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The exit code of a command that a signal ended early.
pub const STOPPED: u8 = 3;

/// What the first signal does; with nothing here it ends the process.
static ASKED: Mutex<Option<(Stop, String)>> = Mutex::new(None);

fn asked() -> MutexGuard<'static, Option<(Stop, String)>> {
    ASKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes over the signals, once for the process.
///
/// # Errors
/// When the system refuses.
pub fn install() -> Result<()> {
    ctrlc::set_handler(on_signal).map_err(|e| Error::failed("signals", e))
}

fn on_signal() {
    let console = Console { json: false, verbose: false };
    // Taken: the second signal finds nothing and ends the process.
    match asked().take() {
        Some((stop, promise)) => {
            stop.set();
            if !promise.is_empty() {
                console.aside(format!("\n{promise}"));
            }
        }
        None => {
            console.aside("\nstopped");
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
    /// Says `promise` when the signal comes, unless it is empty.
    pub fn new(promise: &str) -> Self {
        let stop = Stop::default();
        *asked() = Some((stop.clone(), promise.to_owned()));
        Self { stop }
    }

    /// The flag.
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
        asked().take();
    }
}
