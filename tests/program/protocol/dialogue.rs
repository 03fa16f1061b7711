//! A frontend for tests: it talks to `spar uci` and `spar uai`, and records the time of each line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The longest wait for anything, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    stderr: Option<JoinHandle<String>>,
}

/// The output of a search.
#[derive(Debug)]
pub(crate) struct TuneResult {
    /// The `info` lines with a score, without remarks for people.
    pub(crate) infos: Vec<String>,
    /// The text after the word `bestmove`.
    pub(crate) best: String,
    /// The time from the command to the answer.
    pub(crate) took: Duration,
}

impl TuneResult {
    pub(crate) fn best_move(&self) -> &str {
        self.best.split_whitespace().next().unwrap()
    }

    /// The word after this one in the last `info` line.
    pub(crate) fn last(&self, key: &str) -> &str {
        word_after(self.infos.last().unwrap(), key).unwrap()
    }

    /// The number after this word in the last `info` line.
    pub(crate) fn number(&self, key: &str) -> u64 {
        self.last(key).parse().unwrap()
    }
}

/// The word after a key.
pub(crate) fn word_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|&word| word != key).nth(1)
}

impl Dialogue {
    /// Starts `spar` with these arguments, split at spaces.
    pub(crate) fn start(arguments: &str) -> Self {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("spar"));
        command.args(arguments.split_whitespace());
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut errors = child.stderr.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let stderr = thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        Self { input: child.stdin.take(), child, lines, stderr: Some(stderr) }
    }

    /// Starts the engine and greets it, with a small table, which is set up quickly.
    pub(crate) fn greeted() -> Self {
        let mut engine = Self::start("uci --hash 1");
        engine.send("uci");
        engine.until("uciok");
        engine
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// The lines up to and including the first that begins with this text.
    pub(crate) fn until(&mut self, begin: &str) -> Vec<String> {
        self.timed_until(begin).0
    }

    /// The lines until the engine has read everything that was sent; a search may still owe its
    /// answer.
    pub(crate) fn until_heard(&mut self) -> Vec<String> {
        // This is no command, so its remark comes once and in order.
        self.send("heard?");
        let mut lines = self.until("info string `heard?`");
        lines.pop();
        lines
    }

    fn timed_until(&mut self, begin: &str) -> (Vec<String>, Instant) {
        let mut lines = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((at, line)) => {
                    let found = line.starts_with(begin);
                    lines.push(line);
                    if found {
                        return (lines, at);
                    }
                }
                Err(error) => panic!("no `{begin}`: {error}, after {lines:#?}"),
            }
        }
    }

    /// Sends a command, and returns the lines until it is done.
    pub(crate) fn ask(&mut self, command: &str) -> Vec<String> {
        self.send(command);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a command that ends a search sooner or later, and waits for the answer.
    pub(crate) fn answer(&mut self, command: &str) -> TuneResult {
        let begun = Instant::now();
        self.send(command);
        let (mut lines, at) = self.timed_until("bestmove ");
        let best = lines.pop().unwrap().strip_prefix("bestmove ").unwrap().to_owned();
        lines.retain(|line| line.starts_with("info ") && line.contains(" score "));
        TuneResult { infos: lines, best, took: at.saturating_duration_since(begun) }
    }

    /// Whether no answer comes within this time.
    pub(crate) fn keeps_silent(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok((_, line)) if line.starts_with("bestmove") => return false,
                Ok(_) => {}
                Err(error) => return error == RecvTimeoutError::Timeout,
            }
        }
    }

    /// Closes the input, and returns the remaining lines, the exit status, and the text on stderr.
    pub(crate) fn close(mut self) -> (Vec<String>, ExitStatus, String) {
        drop(self.input.take());
        let mut rest = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        while let Ok((_, line)) =
            self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            rest.push(line);
        }
        let stderr = self.stderr.take().unwrap().join().unwrap();
        (rest, self.child.wait().unwrap(), stderr)
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
