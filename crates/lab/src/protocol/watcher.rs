//! A process that kills the engines when this program is killed and cannot do it itself.
//!
//! It is this program again, started with one argument. It reads from a pipe which process groups
//! have begun and ended. Nobody else holds the other end, so the pipe closes however this program
//! ends. The watcher then kills the groups that are still running. It cannot reach a process that
//! has left its group.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;

/// The argument that makes the program a watcher.
pub const ARGUMENT: &str = "--watch-engines";

/// The program that knows the argument.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Lets engines be watched by this program, which must call [`watch`] when it is started with
/// [`ARGUMENT`].
pub fn watch_with(program: PathBuf) {
    // Called once, by the program.
    let _ = PROGRAM.set(program);
}

/// The pipe to a watcher, once there is one. Without it engines are left to end by themselves.
#[derive(Default)]
pub(super) struct Watcher(Option<ChildStdin>);

impl Watcher {
    pub(super) const NONE: Self = Self(None);

    /// Starts the watcher, unless it has been started.
    pub(super) fn start(&mut self) {
        let Some(program) = PROGRAM.get().filter(|_| self.0.is_none()) else { return };
        let mut command = Command::new(program);
        command.arg(ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A group of its own: Ctrl-C in the terminal is not for it.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        self.0 = command.spawn().ok().and_then(|mut watcher| watcher.stdin.take());
    }

    /// Says that a process group has begun.
    pub(super) fn begun(&mut self, group: u32) {
        self.say('+', group);
    }

    /// Says that a process group has ended: its number may soon be another one's.
    pub(super) fn ended(&mut self, group: u32) {
        self.say('-', group);
    }

    fn say(&mut self, sign: char, group: u32) {
        if self.0.as_mut().is_some_and(|pipe| writeln!(pipe, "{sign}{group}").is_err()) {
            self.0 = None;
        }
    }
}

/// Watches until standard input ends, then kills the process groups that are left.
pub fn watch() {
    let mut groups: Vec<i32> = Vec::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if let Some(group) = line.strip_prefix('+').and_then(|number| number.parse::<i32>().ok()) {
            groups.push(group);
        } else if let Some(group) =
            line.strip_prefix('-').and_then(|number| number.parse::<i32>().ok())
        {
            groups.retain(|&known| known != group);
        }
    }
    for group in groups.into_iter().filter_map(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}
