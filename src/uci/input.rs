//! Reads lines of input, whatever bytes they hold.

use crate::protocol::lines::{LONGEST, read_bytes};
use std::io::{self, BufRead};

/// A line of input, or its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EngineInput {
    /// A line, without its end. Bytes that are no UTF-8 are replaced.
    Line(String),
    /// A line that is longer than this many bytes, the rest of which is dropped.
    TooLong(usize),
    /// The end of the input.
    End,
}

/// Reads lines in bounded memory.
#[derive(Debug)]
pub(super) struct LineReader<R>(R);

impl<R: BufRead> LineReader<R> {
    /// Reads from this source.
    pub(super) fn new(source: R) -> Self {
        Self(source)
    }

    /// The next line; one without its end is read too.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub(super) fn next_line(&mut self) -> io::Result<EngineInput> {
        Ok(match read_bytes(&mut self.0)? {
            None => EngineInput::End,
            Some(line) if line.is_cut => EngineInput::TooLong(LONGEST),
            Some(line) => EngineInput::Line(line.text()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_told_from_one_that_fits() {
        let mut bytes = vec![b'x'; LONGEST];
        bytes.push(b'\n');
        bytes.extend(vec![b' '; LONGEST + 1]);
        bytes.extend(b"\nuci\r\n\xff\nlast");
        let mut reader = LineReader::new(bytes.as_slice());
        let mut next = || reader.next_line().unwrap();
        assert_eq!(next(), EngineInput::Line("x".repeat(LONGEST)));
        assert_eq!(next(), EngineInput::TooLong(LONGEST));
        assert_eq!(next(), EngineInput::Line("uci".into()));
        assert_eq!(next(), EngineInput::Line("\u{fffd}".into()));
        assert_eq!(next(), EngineInput::Line("last".into()));
        assert_eq!((next(), next()), (EngineInput::End, EngineInput::End));
    }
}
