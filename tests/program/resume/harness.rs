//! Runs of the real program, and the files that they leave.
#![allow(unreachable_pub)]

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest wait of a test: nothing should take so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// The arguments of a run, and the result of an uninterrupted one.
pub struct Setup {
    command: &'static str,
    args: &'static str,
    reference: OnceLock<(Outcome, Duration)>,
}

/// Many batches of quick games, so that a kill always finds a write to hit.
pub static QUICK: Setup =
    Setup::new("--board 5x5 --games 1200 --batch 5 --nodes 60 --validation-pairs 200 --seed 7");
/// Few batches, each long enough to be interrupted in the middle.
pub static SLOW: Setup =
    Setup::new("--board 8x8 --games 40 --batch 10 --nodes 8000 --validation-pairs 4 --seed 7");

impl Setup {
    /// A tune with these arguments.
    pub const fn new(args: &'static str) -> Self {
        Self::of_command("tune", args)
    }

    /// A run of another command.
    pub const fn of_command(command: &'static str, args: &'static str) -> Self {
        Self { command, args, reference: OnceLock::new() }
    }

    /// The number of its matches, if it is a match or a tournament.
    fn matches(&self) -> Option<usize> {
        let players = self.args.split(' ').take_while(|word| !word.starts_with("--")).count();
        (self.command != "tune").then(|| players * (players - 1) / 2)
    }

    /// The arguments, with a method and a start that do not change with the program's defaults.
    pub fn args(&self) -> impl Iterator<Item = &'static str> {
        let has =
            |option| self.command != "tune" || self.args.split(' ').any(|word| word == option);
        let method = if has("--method") { "" } else { "--method spsa" };
        let own_start = ["--start", "--game", "--target"].into_iter().any(has);
        let start = if own_start { "" } else { "--start atachiants" };
        [self.args, method, start].into_iter().flat_map(str::split_whitespace)
    }

    /// The result of the tune on one thread, uninterrupted.
    pub fn reference(&'static self) -> &'static Outcome {
        &self.timed().0
    }

    /// The duration of the uninterrupted tune.
    pub fn duration(&'static self) -> Duration {
        self.timed().1
    }

    fn timed(&'static self) -> &'static (Outcome, Duration) {
        self.reference.get_or_init(|| {
            let (run, begun) = (Run::new(self), Instant::now());
            let output = run.tune(1).output().unwrap();
            (run.outcome(&output), begun.elapsed())
        })
    }
}

/// The files of a finished run, without timestamps and paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    journal: Vec<Value>,
    games: Vec<u8>,
    weights: Vec<u8>,
    /// The constants of the search, where the run has any of its own.
    search: Option<String>,
    document: Value,
}

impl Outcome {
    /// Compares the files with the expected ones.
    pub fn must_equal(&self, expected: &Self) {
        for (number, (line, known)) in self.journal.iter().zip(&expected.journal).enumerate() {
            assert_eq!(line, known, "line {} of the journal", number + 1);
        }
        assert_eq!(self.journal.len(), expected.journal.len(), "lines of the journal");
        assert!(self.games == expected.games, "the games differ");
        assert_eq!(
            String::from_utf8_lossy(&self.weights),
            String::from_utf8_lossy(&expected.weights)
        );
        assert_eq!(self.search, expected.search);
        assert_eq!(self.document, expected.document);
    }

    /// The lines of the journal.
    pub fn lines(&self) -> usize {
        self.journal.len()
    }
}

/// A run in a directory of its own.
pub struct Run {
    temp: TempDir,
    setup: &'static Setup,
}

impl Run {
    /// A run that is not begun yet.
    pub fn new(setup: &'static Setup) -> Self {
        Self { temp: TempDir::new().unwrap(), setup }
    }

    pub fn finished(setup: &'static Setup) -> Self {
        let run = Self::new(setup);
        run.finish(2);
        run
    }

    /// A run killed when its journal had this many lines, or a few more.
    pub fn killed_at(setup: &'static Setup, lines: usize) -> Self {
        let run = Self::new(setup);
        let mut session = Tune::start(run.tune(2));
        session.wait_until(|| run.lines() >= lines);
        assert!(session.kill(), "it ended before it was killed");
        run
    }

    pub fn path(&self) -> PathBuf {
        self.temp.path().join("run")
    }

    /// The path of a file in the run's directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// The command that begins the run.
    pub fn tune(&self, threads: u64) -> Command {
        tune(self.setup, &self.path(), threads)
    }

    /// The command that continues the run.
    pub fn resume(&self, threads: u64) -> Command {
        let mut command = spar();
        command.arg("resume").arg(self.path()).args(["--json", "--threads", &threads.to_string()]);
        command
    }

    /// Continues the run, or begins it if it never began.
    pub fn go_on(&self, threads: u64) -> Command {
        if self.file("manifest.json").exists() { self.resume(threads) } else { self.tune(threads) }
    }

    /// Continues the run to its end.
    pub fn finish(&self, threads: u64) -> Outcome {
        let output = self.go_on(threads).output().unwrap();
        self.outcome(&output)
    }

    /// Continues the run to its end; the result must equal the uninterrupted run's.
    pub fn must_finish_exactly(&self, threads: u64) {
        self.finish(threads).must_equal(self.setup.reference());
    }

    /// The whole lines of the journal.
    pub fn lines(&self) -> usize {
        journal(&self.path()).iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Whether the journal contains the result.
    pub fn has_result(&self) -> bool {
        let ends = || text(&journal(&self.path())).matches("\"end\":").count();
        self.setup.matches().map_or_else(|| self.journal_has("\"result\""), |all| ends() == all)
    }

    /// Whether the journal has this text.
    pub fn journal_has(&self, text: &str) -> bool {
        String::from_utf8_lossy(&journal(&self.path())).contains(text)
    }

    /// Checks that every whole line of the journal can be read and that it has every batch once, in
    /// order.
    pub fn check_journal(&self) {
        let bytes = journal(&self.path());
        let Ok(run) = fs::read(self.file("manifest.json")) else {
            // The run ended before anything was written.
            assert!(bytes.is_empty(), "a journal without a manifest");
            return;
        };
        let run: Value = serde_json::from_slice(&run).unwrap();
        let run = run["run"].as_str().unwrap();
        let (lines, length) =
            sparring::run::journal::parse(&bytes, Path::new("journal"), run).unwrap();
        assert!(
            !bytes[length as usize..].contains(&b'\n'),
            "more than a torn last line is unreadable"
        );
        let mut seen = HashSet::new();
        for line in read_journal(&bytes[..length as usize]) {
            let Some(batch) = line.get("batch") else { continue };
            let (stage, number) =
                (batch["stage"].as_str().unwrap(), batch["batch"].as_u64().unwrap());
            assert!(
                seen.insert((stage.to_owned(), number)),
                "{stage} batch {number} is there twice"
            );
            assert!(
                number == 0 || seen.contains(&(stage.to_owned(), number - 1)),
                "{stage} batch {number}"
            );
        }
        assert_eq!(lines.len(), bytes[..length as usize].split(|&byte| byte == b'\n').count() - 1);
    }

    /// The files of the run, given the output of the command that ended it.
    pub fn outcome(&self, output: &Output) -> Outcome {
        outcome(&self.path(), output)
    }
}

pub fn spar() -> Command {
    Command::new(env!("CARGO_BIN_EXE_spar"))
}

/// The command that begins a run in a directory.
pub fn tune(setup: &Setup, path: &Path, threads: u64) -> Command {
    let mut command = spar();
    command.arg(setup.command).args(setup.args()).args([
        "--json",
        "--threads",
        &threads.to_string(),
    ]);
    command.arg("--run").arg(path);
    command
}

/// The files of a finished run in a directory, given the output of the command that ended it.
pub fn outcome(path: &Path, output: &Output) -> Outcome {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields = document.as_object_mut().unwrap();
    let is_tune = path.join("weights.json").exists();
    let of_tunes = ["weights", "next", "begun", "latest"].into_iter().filter(|_| is_tune);
    for key in ["seconds", "run", "report"].into_iter().chain(of_tunes) {
        assert!(fields.remove(key).is_some(), "no `{key}`");
    }
    let read = |name| fs::read(path.join(name)).unwrap();
    let journal = read_journal(&read("journal.jsonl"));
    let search = fs::read_to_string(path.join("search.json")).ok();
    // The path of the constants does not belong to the result.
    assert_eq!(document.as_object_mut().unwrap().remove("search").is_some(), search.is_some());
    Outcome {
        journal,
        games: read("games.jsonl.zst"),
        // A match has no weights.
        weights: fs::read(path.join("weights.json")).unwrap_or_default(),
        search,
        document,
    }
}

/// Runs a command that must be refused as bad input, and returns its error.
pub fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    // With --json the document contains the error.
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert!(document["error"]["exit_code"] == 2 || output.stdout.is_empty(), "{document:#}");
    said
}

/// Checks that a refusal contains all of these texts.
pub fn must_say(said: &str, wanted: &[&str]) {
    wanted.iter().for_each(|wanted| assert!(said.contains(wanted), "no `{wanted}` in: {said}"));
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn journal(run: &Path) -> Vec<u8> {
    fs::read(run.join("journal.jsonl")).unwrap_or_default()
}

/// The lines of a journal without their times.
fn read_journal(bytes: &[u8]) -> Vec<Value> {
    let read = |line: &[u8]| {
        let mut value: Value = serde_json::from_slice(line).unwrap();
        assert!(value.as_object_mut().unwrap().remove("time").is_some());
        value
    };
    bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).map(read).collect()
}

/// A running process, which its test ends.
pub struct Tune {
    child: Child,
    stderr: BufReader<ChildStderr>,
    said: String,
}

impl Tune {
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stderr, said: String::new() }
    }

    /// Waits until the process prints this text on stderr, or ends.
    pub fn listen_for(&mut self, text: &str) {
        while !self.said.contains(text) {
            if self.stderr.read_line(&mut self.said).unwrap() == 0 {
                break;
            }
        }
    }

    /// Waits until something has happened, or the process ends.
    pub fn wait_until(&mut self, happened: impl Fn() -> bool) {
        let begun = Instant::now();
        while !happened() && self.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "nothing happens: {}", self.said);
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Waits for a time, or until the process ends.
    pub fn wait_for(&mut self, time: Duration) {
        let begun = Instant::now();
        self.wait_until(|| begun.elapsed() >= time);
    }

    /// Kills the process. Returns whether it was still running.
    pub fn kill(mut self) -> bool {
        use std::os::unix::process::ExitStatusExt;
        const KILLED: i32 = 9;
        let _ = self.child.kill();
        self.child.wait().unwrap().signal() == Some(KILLED)
    }

    /// Sends the signal of Ctrl-C.
    pub fn press_ctrl_c(&self) {
        self.shell(&format!("kill -INT {}", self.child.id()));
    }

    /// Sends the signal to end twice, with a fiftieth of a second between.
    pub fn signal_twice(&self) {
        let kill = format!("kill -TERM {}", self.child.id());
        self.shell(&format!("{kill}; sleep 0.02; {kill}"));
    }

    /// Runs a command of the shell. A signal to a process that has ended goes nowhere.
    fn shell(&self, command: &str) {
        Command::new("sh").args(["-c", command]).output().unwrap();
    }

    /// Waits for the end, and returns the exit status and stderr.
    pub fn end(mut self) -> (ExitStatus, String) {
        self.stderr.read_to_string(&mut self.said).unwrap();
        (self.child.wait().unwrap(), std::mem::take(&mut self.said))
    }
}

impl Drop for Tune {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
