//! The user's wish to end while an engine is waited for.

use crate::search::Stop;
use std::cell::OnceCell;
use std::time::{Duration, Instant};

/// How long an engine is still waited for, at each answer, once the user wants to end.
const GIVE_UP: Duration = Duration::from_secs(3);

/// The user's command while an engine thinks.
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

    /// Whether the engine is not to be waited for any longer.
    pub(super) fn are_to_end(&self) -> bool {
        let give_up = || self.noticed.get_or_init(Instant::now).elapsed() >= GIVE_UP;
        self.stop.is_set() || (self.interrupt.is_set() && give_up())
    }
}
