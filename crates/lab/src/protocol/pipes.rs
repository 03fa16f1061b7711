//! The pipes to and from an engine. Neither blocks the caller, whatever the engine does or leaves
//! undone.
//!
//! The thread of a game reads and writes itself, since a switch to another thread would cost more
//! than all other work between two moves. Where the system cannot say whether a pipe has something
//! to read (other than on Unix), a thread reads.

#[cfg(unix)]
mod output_pipe;
#[cfg(not(unix))]
#[path = "pipes/threaded_output_pipe.rs"]
mod output_pipe;

use super::lines::{LineAssembler, LinePiece, Tail};
use output_pipe::{OutputPipe, can_write, second_end, set_up};
use std::fs::File;
use std::io::{self, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

/// The most pieces of output that are read at once where nobody waits for them: a process that never
/// pauses would keep the caller busy.
const UNASKED_PIECES: usize = 256;
/// Carriage returns end a line too, so a line with both is followed by an empty one.
pub(super) const LINE_ENDS: &[u8] = b"\r\n";

/// A line that a process has written.
#[derive(Debug)]
pub(super) struct OutputLine {
    pub(super) text: String,
    /// When it was read.
    pub(super) at: Instant,
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// None came in time.
    Late,
    /// None will come: the output has ended.
    Closed,
}

/// The input of a process.
pub(super) struct EngineInput {
    pipe: ChildStdin,
    /// The channel to a thread that writes, once the process has stopped reading.
    backlog: Option<Sender<Vec<u8>>>,
}

impl EngineInput {
    /// # Errors
    /// When the system cannot set up the pipe.
    pub(super) fn new(pipe: ChildStdin) -> io::Result<Self> {
        let may_block = !set_up(&pipe)?;
        let mut input = Self { pipe, backlog: None };
        if may_block {
            input.write_later(Vec::new())?;
        }
        Ok(input)
    }

    /// Sends text. Errors are ignored: a process that has exited does not answer.
    pub(super) fn send(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while self.backlog.is_none() && !rest.is_empty() {
            match self.pipe.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => return,
            }
        }
        if !rest.is_empty() {
            // A process whose input is lost does not answer either.
            let _ = self.write_later(rest.to_vec());
        }
    }

    /// Leaves text to a thread, which waits until the process reads on.
    fn write_later(&mut self, text: Vec<u8>) -> io::Result<()> {
        if self.backlog.is_none() {
            let pipe = second_end(&self.pipe)?;
            let (sender, texts) = channel();
            thread::Builder::new().spawn(move || write_all(pipe, &texts))?;
            self.backlog = Some(sender);
        }
        if let Some(backlog) = &self.backlog {
            let _ = backlog.send(text);
        }
        Ok(())
    }
}

fn write_all(mut pipe: File, texts: &Receiver<Vec<u8>>) {
    for text in texts {
        let mut rest = &text[..];
        while !rest.is_empty() {
            match pipe.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && can_write(&pipe) => {}
                Err(_) => return,
            }
        }
    }
}

/// The output of a process, line by line.
pub(super) struct EngineOutput {
    source: OutputPipe,
    reader: LineAssembler,
    tail: Tail,
}

impl EngineOutput {
    /// # Errors
    /// When the system cannot set up the pipe.
    pub(super) fn new(pipe: ChildStdout) -> io::Result<Self> {
        Ok(Self {
            source: OutputPipe::new(pipe)?,
            reader: LineAssembler::default(),
            tail: Tail::default(),
        })
    }

    /// Waits for the next line until `deadline`. Empty lines are left out.
    ///
    /// # Errors
    /// When no line comes.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<OutputLine, NoLine> {
        loop {
            match self.piece() {
                Ok(Some(line)) => return Ok(line),
                Err(NoLine::Closed) => return Err(NoLine::Closed),
                Ok(None) | Err(NoLine::Late) if Instant::now() >= deadline => {
                    return Err(NoLine::Late);
                }
                Ok(None) => {}
                Err(NoLine::Late) => self.source.wait(deadline),
            }
        }
    }

    /// The lines that have come already.
    pub(super) fn unasked_lines(&mut self) -> Vec<OutputLine> {
        let pieces = (0..UNASKED_PIECES).map_while(|_| self.piece().ok());
        pieces.flatten().collect()
    }

    /// Forgets the last lines so far.
    pub(super) fn forget_last(&mut self) {
        self.tail.clear();
    }

    /// The last lines, including any that have come by now.
    pub(super) fn last_lines(&mut self) -> impl Iterator<Item = String> {
        self.unasked_lines();
        self.tail.lines().cloned()
    }

    /// Reads a piece that has come: a line with text, or something else.
    fn piece(&mut self) -> Result<Option<OutputLine>, NoLine> {
        match self.reader.read(&mut self.source.buffer, LINE_ENDS) {
            Ok(LinePiece::Line(line)) => {
                let (text, at) = (line.text(), Instant::now());
                self.tail.push(&text);
                Ok((!text.is_empty()).then_some(OutputLine { text, at }))
            }
            Ok(LinePiece::Part) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Err(NoLine::Late),
            Ok(LinePiece::End) | Err(_) => Err(NoLine::Closed),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    /// A shell with its pipes, ended when it is dropped.
    struct Shell(Child, EngineInput, EngineOutput);

    impl Shell {
        fn start(script: &str) -> Self {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let input = EngineInput::new(child.stdin.take().unwrap()).unwrap();
            let output = EngineOutput::new(child.stdout.take().unwrap()).unwrap();
            Self(child, input, output)
        }

        fn receive(&mut self, patience: Duration) -> Result<String, NoLine> {
            self.2.receive(Instant::now() + patience).map(|line| line.text)
        }
    }

    impl Drop for Shell {
        fn drop(&mut self) {
            self.0.kill().unwrap();
            self.0.wait().unwrap();
        }
    }

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(50);

    #[test]
    fn a_process_that_reads_late_gets_all_lines_in_order() {
        let mut shell = Shell::start("sleep 0.1; exec cat");
        let line = |number: usize| format!("{number} {}", "x".repeat(99));
        let begun = Instant::now();
        (0..5_000).for_each(|number| shell.1.send(&format!("{}\n", line(number))));
        assert!(shell.1.backlog.is_some() && begun.elapsed() < LONG);
        for number in 0..5_000 {
            assert_eq!(shell.receive(LONG).unwrap(), line(number));
        }
        assert_eq!(shell.receive(SHORT), Err(NoLine::Late));
    }

    #[test]
    fn output_without_a_line_ends_no_wait_late() {
        for script in ["exec cat /dev/zero", "exec yes ''", "exec sleep 60"] {
            let mut shell = Shell::start(script);
            let begun = Instant::now();
            assert_eq!(shell.receive(SHORT), Err(NoLine::Late), "{script}");
            assert!(shell.2.unasked_lines().is_empty());
            assert!(begun.elapsed() < LONG / 10, "{script}");
        }
    }

    #[test]
    fn the_last_line_needs_no_end() {
        let mut shell = Shell::start("printf 'a\\r\\n\\nb'; printf c");
        let lines = [(); 4].map(|()| shell.receive(LONG));
        assert_eq!(
            lines,
            [Ok("a".into()), Ok("bc".into()), Err(NoLine::Closed), Err(NoLine::Closed)]
        );
        assert_eq!(shell.2.last_lines().collect::<Vec<_>>(), ["a", "bc"]);
    }
}
