//! The engine's output: whole lines, from any thread.

use crate::shell::for_program;
use crate::terminal::is_plain;
use parking_lot::Mutex;
use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Characters of a remark at most.
const LONGEST_REMARK: usize = 400;

/// Writes lines for the other side of the protocol. Clones write to the same place.
#[derive(Clone)]
pub struct Output {
    writer: Arc<Mutex<dyn Write + Send>>,
    is_closed: Arc<AtomicBool>,
}

impl Output {
    /// Output to this writer, which is flushed after each call.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self { writer: Arc::new(Mutex::new(writer)), is_closed: Arc::default() }
    }

    /// Writes one or several lines.
    pub(super) fn say(&self, text: impl Display) {
        let text = format!("{text}\n");
        let mut writer = self.writer.lock();
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            self.is_closed.store(true, Relaxed);
        }
    }

    /// Writes a line for people: on one line and without control characters, whatever the text has.
    pub(super) fn remark(&self, text: impl Display) {
        let plain = |c: char| if is_plain(c) { c } else { ' ' };
        let text: String = text.to_string().chars().take(LONGEST_REMARK).map(plain).collect();
        self.say(format!("info string {}", for_program(&text)));
    }

    /// Whether writing has failed: the other side is gone.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }
}
