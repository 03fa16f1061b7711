//! The terminal that the progress bar is drawn on.

use indicatif::TermLike;
use std::io::{self, Write};
use terminal_size::{Height, Width, terminal_size};

/// The columns and rows assumed for a terminal that reports no size.
const USUAL: (u16, u16) = (80, 24);

/// stderr, but the last line is not padded with spaces. Behind the padding, the `^C` that a
/// terminal echoes for a signal would start another line, and one line of the bar would stay for
/// good.
#[derive(Debug)]
pub(super) struct LiveTerminal;

/// The columns and rows of the terminal.
pub(super) fn size() -> (u16, u16) {
    terminal_size().map_or(USUAL, |(Width(columns), Height(rows))| (columns, rows))
}

fn put(text: &str) -> io::Result<()> {
    io::stderr().write_all(text.as_bytes())
}

/// Moves the cursor `n` places; `direction` is the letter of the sequence.
fn go(n: usize, direction: char) -> io::Result<()> {
    if n == 0 { Ok(()) } else { put(&format!("\x1b[{n}{direction}")) }
}

impl TermLike for LiveTerminal {
    fn width(&self) -> u16 {
        size().0
    }

    fn height(&self) -> u16 {
        size().1
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        go(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        go(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        go(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        go(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        put(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        if text.trim_matches(' ').is_empty() { Ok(()) } else { put(text) }
    }

    fn clear_line(&self) -> io::Result<()> {
        put("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
}
