//! The user's wish to end while the program waits for an engine.

use crate::search::Stop;
use std::cell::OnceCell;
use std::time::{Duration, Instant};

/// How long the program still waits for each answer of an engine, once the user wants to end.
const GIVE_UP: Duration = Duration::from_secs(3);

/// What may end the wait for an engine early.
pub(super) struct Wishes<'a> {
    /// Set when the answer is of no more use.
    stop: &'a Stop,
    /// Set when the program should end soon.
    interrupt: &'a Stop,
    /// When that was noticed.
    noticed: OnceCell<Instant>,
}

impl<'a> Wishes<'a> {
    pub(super) fn new(stop: &'a Stop, interrupt: &'a Stop) -> Self {
        Self { stop, interrupt, noticed: OnceCell::new() }
    }

    /// Whether the program should stop waiting for the engine.
    pub(super) fn are_to_end(&self) -> bool {
        let give_up = || self.noticed.get_or_init(Instant::now).elapsed() >= GIVE_UP;
        self.stop.is_set() || (self.interrupt.is_set() && give_up())
    }
}
