//! Reads lines from other programs in bounded memory, whatever bytes they hold.

use crate::files::BYTE_ORDER_MARK;
use crate::terminal::is_plain;
use std::collections::VecDeque;
use std::io::{self, BufRead};

/// Bytes of a line that are kept; the rest is dropped. The longest lines of the protocols list the
/// values of an option, some kilobytes.
pub const LONGEST: usize = 1 << 16;
/// Lines kept of the end of a stream.
const TAIL_LINES: usize = 20;
/// Characters kept of each of them.
const TAIL_CHARS: usize = 200;

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
        let is_blank = |c: char| c.is_whitespace() || c == BYTE_ORDER_MARK;
        String::from_utf8_lossy(&self.bytes).trim_matches(is_blank).to_owned()
    }
}

/// The result of one read from a source.
pub enum LinePiece {
    /// A line that has ended, without its end.
    Line(RawLine),
    /// A part of a line.
    Part,
    /// The end of the source.
    End,
}

/// Puts lines together from the pieces in which a source gives them.
#[derive(Default)]
pub struct LineAssembler {
    line: RawLine,
    has_begun: bool,
}

impl LineAssembler {
    /// Reads once from the source, at most up to the end of a line, which is one of the bytes
    /// `ends`. The last line counts even without an end.
    ///
    /// # Errors
    /// When the source cannot be read, or would block; reading may continue after that.
    pub fn read(&mut self, source: &mut impl BufRead, ends: &[u8]) -> io::Result<LinePiece> {
        let chunk = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(LinePiece::Part),
            chunk => chunk?,
        };
        if chunk.is_empty() {
            return Ok(if self.has_begun { self.finish() } else { LinePiece::End });
        }
        self.has_begun = true;
        let end = chunk.iter().position(|byte| ends.contains(byte));
        self.line.push(&chunk[..end.unwrap_or(chunk.len())]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        source.consume(used);
        Ok(if end.is_some() { self.finish() } else { LinePiece::Part })
    }

    fn finish(&mut self) -> LinePiece {
        self.has_begun = false;
        LinePiece::Line(std::mem::take(&mut self.line))
    }
}

/// The next line, without the line feed that ends it; `None` after the last one.
///
/// # Errors
/// When the source cannot be read.
pub fn read_bytes(source: &mut impl BufRead) -> io::Result<Option<RawLine>> {
    let mut reader = LineAssembler::default();
    loop {
        match reader.read(source, b"\n")? {
            LinePiece::Line(line) => return Ok(Some(line)),
            LinePiece::Part => {}
            LinePiece::End => return Ok(None),
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
    use std::io::BufReader;

    /// The lines of bytes that come in pieces of this size.
    fn all(bytes: &[u8], piece: usize) -> Vec<String> {
        let mut source = BufReader::with_capacity(piece, bytes);
        let (mut reader, mut lines) = (LineAssembler::default(), Vec::new());
        loop {
            match reader.read(&mut source, b"\r\n").unwrap() {
                LinePiece::Line(line) => lines.push(line.text()),
                LinePiece::Part => {}
                LinePiece::End => return lines,
            }
        }
    }

    #[test]
    fn lines_end_in_every_way() {
        for piece in [1, 2, 3, 99] {
            let all = |bytes| all(bytes, piece);
            assert_eq!(all(b"a\r\n\nb c \nlast"), ["a", "", "", "b c", "last"]);
            assert_eq!(all(b" \ta\tb\rc\r"), ["a\tb", "c"]);
            assert_eq!(all("\u{feff}id".as_bytes()), ["id"]);
            assert_eq!(all(b""), [""; 0]);
            assert_eq!(all(b"\xff\n"), ["\u{fffd}"]);
        }
    }

    #[test]
    fn a_huge_line_is_cut_and_the_next_one_whole() {
        let mut bytes = vec![b'x'; 5 * LONGEST];
        bytes.extend(b"\nnext\n");
        let lines = all(&bytes, 1 << 13);
        assert_eq!((lines[0].len(), lines[1].as_str()), (LONGEST, "next"));
    }

    #[test]
    fn last_words_are_few_and_harmless() {
        let mut tail = Tail::default();
        for n in 0..TAIL_LINES + 5 {
            tail.push(&format!("{n}\x1b[2J{}", "y".repeat(999)));
        }
        let lines: Vec<&String> = tail.lines().collect();
        assert_eq!(lines.len(), TAIL_LINES);
        assert!(lines[0].starts_with("5 [2J") && lines[0].chars().count() == TAIL_CHARS);
    }
}
