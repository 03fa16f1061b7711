//! The process of an engine: starts it, exchanges lines with it, and ends it in any case.
//!
//! Nothing that the process does (or leaves undone) can block the caller. All living processes are
//! listed in one place, so that none is left behind when the program ends early.

use super::lines::{LineAssembler, LinePiece, Tail};
use super::pipes::{EngineInput, EngineOutput, LINE_ENDS, NoLine, OutputLine};
#[cfg(unix)]
use super::watcher::Watcher;
use crate::arena::affinity::bring_here;
use parking_lot::Mutex;
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a process may take to exit after `quit` before it is killed.
const GRACE: Duration = Duration::from_millis(500);
/// How long to wait for the exit status and the last words of a process once its output has ended.
const EXIT_WAIT: Duration = Duration::from_millis(200);
/// Time between two checks whether a process has exited.
const POLL: Duration = Duration::from_millis(2);

/// Every process that has not ended, and whether new ones may start.
static RUNNING: Mutex<Running> = Mutex::new(Running {
    closed: false,
    processes: Vec::new(),
    #[cfg(unix)]
    watcher: Watcher::NONE,
});

struct Running {
    closed: bool,
    processes: Vec<Arc<Mutex<ChildProcess>>>,
    #[cfg(unix)]
    watcher: Watcher,
}

impl Running {
    /// Starts a process and lists it.
    fn start(&mut self, command: &mut Command) -> io::Result<Arc<Mutex<ChildProcess>>> {
        #[cfg(unix)]
        self.watcher.start();
        let child = command.spawn()?;
        #[cfg(unix)]
        self.watcher.begun(child.id());
        let child = Arc::new(Mutex::new(ChildProcess { child, input: None, status: None }));
        self.processes.push(child.clone());
        Ok(child)
    }

    /// Takes a process off the list.
    fn strike(&mut self, process: &Arc<Mutex<ChildProcess>>) {
        #[cfg(unix)]
        self.watcher.ended(process.lock().child.id());
        self.processes.retain(|listed| !Arc::ptr_eq(listed, process));
    }
}

/// Ends every running process, and lets no other start: for the end of the program.
pub fn end_all() {
    let processes = {
        let mut running = RUNNING.lock();
        running.closed = true;
        std::mem::take(&mut running.processes)
    };
    processes.iter().for_each(|process| process.lock().tell_to_quit());
    let deadline = Instant::now() + GRACE;
    for process in processes {
        process.lock().finish(deadline);
        RUNNING.lock().strike(&process);
    }
}

/// How an engine is started.
pub(super) struct EngineProgram {
    /// Its program and the arguments.
    pub(super) words: Vec<String>,
    /// The folder in which it runs, and to which the path of the program refers.
    pub(super) folder: PathBuf,
}

impl EngineProgram {
    fn command(&self) -> Command {
        let (program, arguments) =
            self.words.split_first().map_or(("", &[][..]), |(a, b)| (a.as_str(), b));
        let mut command = match program.contains(std::path::is_separator) {
            true => Command::new(self.folder.join(program)),
            false => Command::new(program),
        };
        command.args(arguments).current_dir(&self.folder);
        command
    }
}

pub(super) struct Process {
    child: Arc<Mutex<ChildProcess>>,
    output: EngineOutput,
    /// The last lines of its error output, and the thread that reads them.
    errors: (Arc<Mutex<Tail>>, JoinHandle<()>),
}

impl Process {
    /// Starts a program with its arguments.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub(super) fn start(program: &EngineProgram) -> io::Result<Self> {
        let mut command = program.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C in the terminal is for this program, which lets games finish.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = {
            // Held until the child is listed, so that `end_all` misses none.
            let mut running = RUNNING.lock();
            if running.closed {
                return Err(io::Error::other("the program is ending"));
            }
            running.start(&mut command)?
        };
        Self::connect(&child).inspect_err(|_| end(&child, Instant::now()))
    }

    /// Takes the pipes of the process.
    fn connect(process: &Arc<Mutex<ChildProcess>>) -> io::Result<Self> {
        let mut guard = process.lock();
        let child = &mut guard.child;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("its input or output is missing"));
        };
        guard.input = Some(EngineInput::new(stdin)?);
        drop(guard);
        let tail: Arc<Mutex<Tail>> = Arc::default();
        let kept = tail.clone();
        let thread = thread::Builder::new().spawn(move || keep_last(stderr, &kept))?;
        Ok(Self {
            child: process.clone(),
            output: EngineOutput::new(stdout)?,
            errors: (tail, thread),
        })
    }

    /// Sends lines. Errors are ignored: a process that has exited does not answer.
    pub(super) fn send(&self, lines: &[&str]) {
        if let Some(input) = &mut self.child.lock().input {
            input.send(&(lines.join("\n") + "\n"));
        }
    }

    /// Waits for the next line until `deadline`. The output of a process that has failed counts as
    /// ended, even if something that it has started still keeps the pipe open.
    ///
    /// # Errors
    /// When no line comes.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<OutputLine, NoLine> {
        match self.output.receive(deadline) {
            // Its last lines may have come between the wait and this check.
            Err(NoLine::Late) if self.child.lock().has_failed() => {
                self.output.receive(Instant::now()).map_err(|_| NoLine::Closed)
            }
            received => received,
        }
    }

    /// The lines that have come unasked.
    pub(super) fn unasked_lines(&mut self) -> Vec<OutputLine> {
        self.output.unasked_lines()
    }

    /// The exit status, if the process exits within a moment.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        let mut child = self.child.lock();
        child.has_exited(Instant::now() + EXIT_WAIT).then(|| child.finish(Instant::now())).flatten()
    }

    /// Moves the process to the calling thread's processor, if that thread stays on one.
    pub(super) fn bring_here(&self) {
        bring_here(self.child.lock().child.id());
    }

    /// Forgets the lines of its output so far, so that they are not among its last words.
    pub(super) fn forget_words(&mut self) {
        self.output.forget_last();
    }

    /// The last lines of its output and of its error output.
    pub(super) fn last_words(&mut self) -> Vec<String> {
        let deadline = Instant::now() + EXIT_WAIT;
        let (tail, thread) = &self.errors;
        while self.child.lock().status.is_some()
            && !thread.is_finished()
            && Instant::now() < deadline
        {
            thread::sleep(POLL);
        }
        let errors: Vec<String> = tail.lock().lines().cloned().collect();
        self.output.last_lines().chain(errors).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&self.child, Instant::now() + GRACE);
    }
}

/// Ends a process and takes it off the list.
fn end(process: &Arc<Mutex<ChildProcess>>, deadline: Instant) {
    let mut guard = process.lock();
    guard.tell_to_quit();
    guard.finish(deadline);
    drop(guard);
    RUNNING.lock().strike(process);
}

/// A child process, and its input.
struct ChildProcess {
    child: Child,
    input: Option<EngineInput>,
    status: Option<ExitStatus>,
}

impl ChildProcess {
    /// Sends `quit` and closes the input.
    fn tell_to_quit(&mut self) {
        if let Some(mut input) = self.input.take() {
            input.send("quit\n");
        }
    }

    /// Waits until the process exits by itself, or until `deadline`. Returns whether it has exited.
    fn has_exited(&mut self, deadline: Instant) -> bool {
        while !self.is_exited() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(POLL);
        }
        true
    }

    /// Waits until `deadline`, then kills the process with everything it has started. Returns its
    /// status.
    fn finish(&mut self, deadline: Instant) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.has_exited(deadline);
            self.kill_group();
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
        self.status
    }

    /// Whether the process has exited. It stays a zombie until it is waited for, so its group's
    /// number cannot be given to another process.
    #[cfg(unix)]
    fn is_exited(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.status.is_some()
            || !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn is_exited(&mut self) -> bool {
        self.status.is_some() || !matches!(self.child.try_wait(), Ok(None))
    }

    /// Whether the process has exited with a failure. After a success another process may have
    /// taken its place.
    #[cfg(unix)]
    fn has_failed(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let exit = waitid(WaitId::Pid(Pid::from_child(&self.child)), options);
        exit.is_ok_and(|exit| exit.is_some_and(|exit| exit.exit_status() != Some(0)))
    }

    #[cfg(not(unix))]
    fn has_failed(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(status)) if !status.success())
    }

    /// Kills what the process has started and left running.
    #[cfg(unix)]
    fn kill_group(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    #[cfg(not(unix))]
    fn kill_group(&self) {}
}

/// Keeps the last lines of a stream until it ends.
fn keep_last(stream: ChildStderr, tail: &Mutex<Tail>) {
    let (mut source, mut reader) = (BufReader::new(stream), LineAssembler::default());
    loop {
        match reader.read(&mut source, LINE_ENDS) {
            Ok(LinePiece::Line(line)) => tail.lock().push(&line.text()),
            Ok(LinePiece::Part) => {}
            Ok(LinePiece::End) | Err(_) => return,
        }
    }
}
