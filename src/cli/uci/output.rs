//! Standard output, for whole lines at a time, from whichever thread.

use crate::cli::console::Console;
use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Characters of a remark at most.
const LONGEST_REMARK: usize = 400;

/// The way to standard output.
#[derive(Clone, Debug)]
pub(super) struct Output {
    console: Console,
    is_closed: Arc<AtomicBool>,
}

impl Output {
    pub(super) fn new(console: &Console) -> Self {
        Self { console: *console, is_closed: Arc::default() }
    }

    /// Writes one or several lines.
    pub(super) fn say(&self, text: impl Display) {
        if self.console.raw(&format!("{text}\n")).is_err() {
            self.is_closed.store(true, Relaxed);
        }
    }

    /// Writes a line for people: on one line and without control characters, whatever the text has.
    pub(super) fn remark(&self, text: impl Display) {
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let text: String = text.to_string().chars().take(LONGEST_REMARK).map(plain).collect();
        self.say(format!("info string {text}"));
    }

    /// Whether nobody listens any more.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }
}
