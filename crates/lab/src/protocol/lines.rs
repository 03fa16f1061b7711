//! Reads lines from other programs in bounded memory, whatever bytes they hold.

use crate::terminal::is_plain;
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Bytes of a line that are kept; the rest is dropped. The longest lines of the protocols list the
/// values of an option, some kilobytes.
pub const LONGEST: usize = 1 << 16;
/// Lines kept of the end of a stream.
const TAIL_LINES: usize = 4;
/// Characters kept of each of them.
const TAIL_CHARS: usize = 200;

/// The next line of an engine without its end, the last one even when it has no end; `None` after
/// it. A carriage return ends a line as a line feed does, so one with both is followed by an empty
/// line.
///
/// # Errors
/// When the source cannot be read.
pub fn read_line(source: &mut impl BufRead) -> io::Result<Option<String>> {
    Ok(read_until(source, b"\r\n")?.map(|line| line.text()))
}

/// A line as it was read.
#[derive(Default)]
pub struct RawLine {
    bytes: Vec<u8>,
    /// Whether it was longer than [`LONGEST`].
    pub is_cut: bool,
}

impl RawLine {
    fn push(&mut self, part: &[u8]) {
        let kept = part.len().min(LONGEST - self.bytes.len());
        self.is_cut |= kept < part.len();
        self.bytes.extend(&part[..kept]);
    }

    /// The line as text, without the white space around it and without a byte order mark.
    pub fn text(&self) -> String {
        let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}';
        String::from_utf8_lossy(&self.bytes).trim_matches(is_blank).to_owned()
    }
}

/// As [`read_line`], and says whether the line was cut. Only a line feed ends it.
///
/// # Errors
/// When the source cannot be read.
pub fn read_bytes(source: &mut impl BufRead) -> io::Result<Option<RawLine>> {
    read_until(source, b"\n")
}

fn read_until(source: &mut impl BufRead, ends: &[u8]) -> io::Result<Option<RawLine>> {
    let mut line = RawLine::default();
    let mut begun = false;
    loop {
        let chunk = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            return Ok(begun.then_some(line));
        }
        begun = true;
        let end = chunk.iter().position(|byte| ends.contains(byte));
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.push(part);
        let used = end.map_or(chunk.len(), |end| end + 1);
        source.consume(used);
        if end.is_some() {
            return Ok(Some(line));
        }
    }
}

/// The end of a stream: its last lines, cut short.
#[derive(Debug, Default)]
pub struct Tail(VecDeque<String>);

impl Tail {
    /// Takes the next line; empty ones are left out.
    pub fn push(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        if self.0.len() == TAIL_LINES {
            self.0.pop_front();
        }
        // Control characters would move the cursor of the terminal that shows the line.
        let shown = line.chars().map(|c| if is_plain(c) { c } else { ' ' });
        self.0.push_back(shown.take(TAIL_CHARS).collect());
    }

    /// Forgets all lines so far.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The lines, the oldest first.
    pub fn lines(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut source: &[u8]) -> Vec<String> {
        std::iter::from_fn(|| read_line(&mut source).unwrap()).collect()
    }

    #[test]
    fn lines_end_in_every_way() {
        assert_eq!(all(b"a\r\n\nb c \nlast"), ["a", "", "", "b c", "last"]);
        assert_eq!(all(b" \ta\tb\rc\r"), ["a\tb", "c"]);
        assert_eq!(all("\u{feff}id".as_bytes()), ["id"]);
        assert_eq!(all(b""), [""; 0]);
        assert_eq!(all(b"\xff\n"), ["\u{fffd}"]);
    }

    #[test]
    fn a_huge_line_is_cut_and_the_next_one_whole() {
        let mut bytes = vec![b'x'; 5 * LONGEST];
        bytes.extend(b"\nnext\n");
        let lines = all(&bytes);
        assert_eq!((lines[0].len(), lines[1].as_str()), (LONGEST, "next"));
    }

    #[test]
    fn last_words_are_few_and_harmless() {
        let mut tail = Tail::default();
        for n in 0..9 {
            tail.push(&format!("{n}\x1b[2J{}", "y".repeat(999)));
        }
        let lines: Vec<&String> = tail.lines().collect();
        assert_eq!(lines.len(), TAIL_LINES);
        assert!(lines[0].starts_with("5 [2J") && lines[0].chars().count() == TAIL_CHARS);
    }
}
