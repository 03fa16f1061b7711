//! The output of commands: results on stdout, everything else on stderr, colour on terminals only.
//! Everything printed passes through [`printable`], except the names that another program reads.

use super::documents::{Document, Failure};
use crate::cli::{CommandEvent, ErrorDetails, live_terminal};
use crate::error::{Error, Result};
pub use crate::report::role::Role;
use crate::shell::for_program;
use crate::terminal::{printable, printable_json};
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use serde_json::Value;
use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use terminal_size::{Width, terminal_size};

/// The environment variable that overrides the terminal's width, in columns.
const COLUMNS: &str = "COLUMNS";

/// The output streams of a command, and how much it prints.
#[derive(Clone, Copy, Debug, Default)]
pub struct Console {
    /// JSON on stdout, nothing else there: one document, or with `events` one event a line.
    pub json: bool,
    /// Events as they happen, the document in the last of them.
    pub events: bool,
    /// Prints more: progress in a log more often, long lines uncut.
    pub verbose: bool,
    /// Prints results alone, and no progress.
    pub quiet: bool,
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
        put(&printable(&for_program(&format!("{text}\n"))))
    }

    /// Writes the one JSON document, with the version before its own fields.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn document(&self, fields: &impl Serialize) -> Result<()> {
        self.plain_document(&Document::new(fields))
    }

    /// Writes a file's JSON document without adding a version.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn plain_document(&self, document: &impl Serialize) -> Result<()> {
        self.value(serde_json::to_value(document).map_err(|error| Error::failed("JSON", error))?)
    }

    /// Writes a document, alone or as an event. It takes a [`Value`] so that the code is compiled
    /// once, not for each type.
    fn value(&self, document: Value) -> Result<()> {
        if self.events {
            return self.event(&CommandEvent::Result { document });
        }
        put(&printable_json(&for_program(&format!("{document:#}\n"))))
    }

    /// Writes an event as a line, with `--json-events`.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn event(&self, event: &CommandEvent) -> Result<()> {
        if !self.events {
            return Ok(());
        }
        let text = serde_json::to_string(event).map_err(|error| Error::failed("JSON", error))?;
        put(&printable_json(&for_program(&format!("{text}\n"))))
    }

    /// Writes the JSON of a command that failed or was stopped, in place of its document.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn failure(&self, error: ErrorDetails) -> Result<()> {
        if self.events {
            return self.event(&CommandEvent::Error { error });
        }
        if self.json { self.document(&Failure { error }) } else { Ok(()) }
    }

    /// Writes the text of the one JSON document.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn document_text(&self, text: &str) -> Result<()> {
        put(&printable_json(text))
    }

    /// Writes to stdout text that is the same with and without `--json`.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn raw(&self, text: &str) -> Result<()> {
        put(&printable(text))
    }

    /// Writes names for another program to stdout, unescaped and each ended by a zero byte.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub fn names(&self, names: &[String]) -> Result<()> {
        // Not through anstream, which drops zero bytes.
        let text: String = names.iter().map(|name| format!("{name}\0")).collect();
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
        written.map_err(cannot_write)
    }

    /// Writes a line to stderr.
    pub fn aside(&self, text: impl Display) {
        // When stderr is closed there is nowhere left to report the failure.
        let _ =
            writeln!(anstream::stderr().lock(), "{}", printable(&for_program(&text.to_string())));
    }

    /// Writes a remark to stderr: something that the reader of the result should know.
    pub fn note(&self, text: impl Display) {
        self.aside(format!("{} {text}", Role::Undecided.paint("note:")));
        // A closed stdout ends the command at its result.
        let _ = self.event(&CommandEvent::Note { text: text.to_string() });
    }

    /// Writes an error to stderr.
    pub fn error(&self, error: &Error) {
        self.aside(format!("{} {error}", Role::Bad.paint("error:")));
    }

    /// Asks a yes-or-no question on the terminal and returns whether the answer is yes; `None`
    /// without a terminal.
    ///
    /// # Errors
    /// When the answer cannot be read.
    pub fn ask(&self, question: impl Display) -> Result<Option<bool>> {
        if !io::stdin().is_terminal() || !self.is_live() {
            return Ok(None);
        }
        let failed = |error| Error::io(Path::new("standard input"), "read", error);
        let text = printable(&format!("{question} [y/N] "));
        write!(anstream::stderr(), "{text}").map_err(failed)?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer).map_err(failed)?;
        Ok(Some(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")))
    }

    /// The columns that tables must fit into; `None` if stdout is no terminal, or with `--verbose`.
    pub fn width(&self) -> Option<usize> {
        (!self.verbose && io::stdout().is_terminal()).then(columns).flatten()
    }

    /// The columns for progress: three fewer than the terminal has, so that an echoed `^C` does not
    /// start another line.
    pub fn live_width(&self) -> usize {
        usize::from(live_terminal::size().0).saturating_sub(3)
    }

    /// Escapes text that a progress bar will draw on stderr, and strips its styles if stderr shows
    /// none.
    pub fn on_stderr(&self, text: &str) -> String {
        let text = printable(text);
        match AutoStream::choice(&io::stderr()) {
            ColorChoice::Never => strip_str(&text).to_string(),
            _ => text,
        }
    }

    /// Whether progress can be drawn: stderr is a terminal.
    pub fn is_live(&self) -> bool {
        io::stderr().is_terminal()
    }
}

/// The terminal's width in columns: from COLUMNS if set, else as the terminal reports it.
fn columns() -> Option<usize> {
    let said = env::var(COLUMNS).ok().and_then(|text| text.parse().ok());
    let own = || terminal_size().map(|(Width(columns), _)| usize::from(columns));
    said.or_else(own).filter(|&columns| columns > 0)
}

fn put(text: &str) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(cannot_write)
}

/// Prints a message of the argument parser: an error, or help.
///
/// # Errors
/// When help cannot be written.
pub fn print_usage(error: &clap::Error) -> Result<()> {
    let printed = error.print().and_then(|()| io::stdout().flush());
    if error.use_stderr() { Ok(()) } else { printed.map_err(cannot_write) }
}

fn cannot_write(error: io::Error) -> Error {
    Error::io(Path::new("standard output"), "write", error)
}

/// Whether an error only means that the reader of stdout has closed it, as `head` does. Commands do
/// not report that.
pub fn is_closed_pipe(error: &Error) -> bool {
    error.io_kind() == Some(io::ErrorKind::BrokenPipe)
}
