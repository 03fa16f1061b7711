//! The output of commands: results on stdout, everything else on stderr, colour on terminals only.
//! Whatever is printed has passed [`printable`].

use crate::error::{Error, Result};
pub use crate::terminal::BOLD;
use crate::terminal::{Style, printable, printable_json};
use anstyle::AnsiColor;
use serde::Serialize;
use std::error::Error as _;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// The style of the least important text.
pub const DIM: Style = Style::new(anstyle::Style::new().dimmed());
const RED: Style = Style::new(AnsiColor::Red.on_default().bold());
const YELLOW: Style = Style::new(AnsiColor::Yellow.on_default().bold());

/// The output streams of a command, and how much it prints.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// One JSON document on stdout, nothing else there.
    pub json: bool,
    /// Prints more: progress in a log, long lines uncut.
    pub verbose: bool,
}

impl Console {
    /// Writes text for people: to stdout, or to stderr when stdout is for a JSON document.
    ///
    /// # Errors
    /// When stdout cannot be written; see [`is_closed_pipe`].
    pub fn say(&self, text: impl Display) -> Result<()> {
        if self.json {
            self.aside(text);
            return Ok(());
        }
        put(&printable(&format!("{text}\n")))
    }

    /// Writes the one JSON document.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn document(&self, value: &impl Serialize) -> Result<()> {
        let text = serde_json::to_string_pretty(value).map_err(|e| Error::failed("JSON", e))?;
        put(&printable_json(&format!("{text}\n")))
    }

    /// Writes to stdout text that is the same with and without `--json`.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn raw(&self, text: &str) -> Result<()> {
        put(&printable(text))
    }

    /// Writes a line to stderr.
    pub fn aside(&self, text: impl Display) {
        // When stderr is closed there is nowhere left to report the failure.
        let _ = writeln!(anstream::stderr().lock(), "{}", printable(&text.to_string()));
    }

    /// Writes a remark to stderr: something that the reader of the result should know.
    pub fn note(&self, text: impl Display) {
        self.aside(format!("{YELLOW}note:{YELLOW:#} {text}"));
    }

    /// Writes an error to stderr.
    pub fn error(&self, error: &Error) {
        self.aside(format!("{RED}error:{RED:#} {error}"));
    }

    /// Whether long lines should be cut short: they would wrap on a terminal.
    pub fn is_short(&self) -> bool {
        !self.verbose && io::stdout().is_terminal()
    }

    /// Whether progress can be drawn: stderr is a terminal.
    pub fn is_live(&self) -> bool {
        io::stderr().is_terminal()
    }
}

fn put(text: &str) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| Error::io(Path::new("standard output"), "write", error))
}

/// Whether an error only means that the reader of stdout has closed it, as `head` does. Commands do
/// not report that.
pub fn is_closed_pipe(error: &Error) -> bool {
    let cause = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
