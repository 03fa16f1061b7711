//! Lines typed by a person, or piped in.

use crate::error::{Error, Result};
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

/// A line, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// A line of typed text.
    Text(String),
    /// The end of the input.
    End,
    /// Ctrl-C instead of a line.
    Interrupted,
}

/// The source of lines.
pub(super) enum LineInput {
    /// A terminal, with line editing and history.
    Terminal(Box<DefaultEditor>),
    /// A pipe or a file.
    Piped,
}

impl LineInput {
    /// A line editor when both stdin and stdout are terminals.
    ///
    /// # Errors
    /// When the terminal cannot be set up.
    pub(super) fn open() -> Result<Self> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(Self::Piped);
        }
        let editor = DefaultEditor::new().map_err(|error| Error::failed("terminal", error))?;
        Ok(Self::Terminal(Box::new(editor)))
    }

    /// The next line; the prompt is shown on a terminal only.
    ///
    /// # Errors
    /// When reading fails.
    pub(super) fn line(&mut self, prompt: &str) -> Result<InputLine> {
        match self {
            Self::Terminal(editor) => match editor.readline(prompt) {
                Ok(text) => {
                    // A failure to add to the history is ignored.
                    let _ = editor.add_history_entry(&text);
                    Ok(InputLine::Text(text))
                }
                Err(ReadlineError::Eof) => Ok(InputLine::End),
                Err(ReadlineError::Interrupted) => Ok(InputLine::Interrupted),
                Err(error) => Err(Error::failed("terminal", error)),
            },
            Self::Piped => {
                let mut bytes = Vec::new();
                let read = io::stdin().lock().read_until(b'\n', &mut bytes);
                let count =
                    read.map_err(|error| Error::io(Path::new("standard input"), "read", error))?;
                let text = || String::from_utf8_lossy(&bytes).trim().to_owned();
                Ok(if count == 0 { InputLine::End } else { InputLine::Text(text()) })
            }
        }
    }
}
