//! An engine's process: started, talked to line by line, and ended for certain.
//!
//! Threads of their own write its input and read its output, so that nothing the process does (or
//! leaves undone) can block the caller. All living processes are listed in one place, so that none
//! is left behind when the program ends early.

use super::lines::{Tail, read_line};
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Lines read ahead; a process that writes more waits until they are taken.
const LINES_AHEAD: usize = 256;
/// How long a process may take to go after it is told to.
const GRACE: Duration = Duration::from_millis(500);
/// How long the exit status and the last words of a process are waited for once its output has
/// ended.
const AFTERMATH: Duration = Duration::from_millis(200);
/// Time between two looks at whether a process has gone.
const GLANCE: Duration = Duration::from_millis(2);

/// Every process that has not ended, and whether new ones may begin.
static LIVING: Mutex<Living> = Mutex::new(Living { closed: false, bodies: Vec::new() });

struct Living {
    closed: bool,
    bodies: Vec<Arc<Mutex<Body>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every process that is still there, and lets no other begin: for the end of the program.
pub fn end_all() {
    let bodies = {
        let mut living = lock(&LIVING);
        living.closed = true;
        std::mem::take(&mut living.bodies)
    };
    bodies.iter().for_each(|body| lock(body).tell_to_quit());
    let deadline = Instant::now() + GRACE;
    for body in bodies {
        lock(&body).finish(deadline);
    }
}

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

/// A running process.
pub(super) struct Process {
    body: Arc<Mutex<Body>>,
    lines: Receiver<OutputLine>,
    words: [Arc<Mutex<Tail>>; 2],
    stderr: JoinHandle<()>,
}

impl Process {
    /// Starts a program with its arguments.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub(super) fn start(program: &str, arguments: &[String]) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: Ctrl-C in the terminal is for this program, which lets games finish.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let body = {
            // Held until the child is listed, so that none slips in behind `end_all`.
            let mut living = lock(&LIVING);
            if living.closed {
                return Err(io::Error::other("the program is ending"));
            }
            let body =
                Arc::new(Mutex::new(Body { child: command.spawn()?, input: None, status: None }));
            living.bodies.push(body.clone());
            body
        };
        Self::attend(&body).inspect_err(|_| end(&body, Instant::now()))
    }

    /// Sets up the threads that talk to the process.
    fn attend(body: &Arc<Mutex<Body>>) -> io::Result<Self> {
        let mut guard = lock(body);
        let child = &mut guard.child;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, orders) = channel();
        guard.input = Some(input);
        drop(guard);
        let words: [Arc<Mutex<Tail>>; 2] = Default::default();
        let (sender, lines) = sync_channel(LINES_AHEAD);
        let [out, err] = words.clone();
        let thread = || thread::Builder::new();
        thread().spawn(move || stdin.map(|stdin| write_all(stdin, &orders)))?;
        thread().spawn(move || stdout.map(|stdout| read_all(stdout, &out, Some(&sender))))?;
        let stderr =
            thread().spawn(move || stderr.map_or((), |stderr| read_all(stderr, &err, None)))?;
        Ok(Self { body: body.clone(), lines, words, stderr })
    }

    /// Sends a line. A process that has gone, or does not listen, shows by its silence.
    pub(super) fn send(&self, line: &str) {
        if let Some(input) = &lock(&self.body).input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for the next line until `deadline`.
    ///
    /// # Errors
    /// When no line comes.
    pub(super) fn receive(&self, deadline: Instant) -> Result<OutputLine, NoLine> {
        let left = deadline.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Late,
            RecvTimeoutError::Disconnected => NoLine::Closed,
        })
    }

    /// Forgets the lines that have come and were not asked for.
    pub(super) fn forget_lines(&self) {
        // A process that never pauses would keep this going for ever.
        self.lines.try_iter().take(LINES_AHEAD).for_each(drop);
    }

    /// How the process ended, if it has; it gets a moment to do so.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        let mut body = lock(&self.body);
        body.has_gone(Instant::now() + AFTERMATH).then(|| body.finish(Instant::now())).flatten()
    }

    /// The last lines of its output and of its error output.
    pub(super) fn last_words(&self) -> Vec<String> {
        let deadline = Instant::now() + AFTERMATH;
        while lock(&self.body).status.is_some()
            && !self.stderr.is_finished()
            && Instant::now() < deadline
        {
            thread::sleep(GLANCE);
        }
        self.words.iter().flat_map(|tail| lock(tail).lines().cloned().collect::<Vec<_>>()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&self.body, Instant::now() + GRACE);
    }
}

/// Ends a process and takes it off the list.
fn end(body: &Arc<Mutex<Body>>, deadline: Instant) {
    let mut guard = lock(body);
    guard.tell_to_quit();
    guard.finish(deadline);
    drop(guard);
    lock(&LIVING).bodies.retain(|listed| !Arc::ptr_eq(listed, body));
}

/// The process itself and the way to its input.
struct Body {
    child: Child,
    input: Option<Sender<String>>,
    status: Option<ExitStatus>,
}

impl Body {
    /// Says `quit` and closes the input.
    fn tell_to_quit(&mut self) {
        if let Some(input) = self.input.take() {
            let _ = input.send("quit\n".to_owned());
        }
    }

    /// Waits until the process has gone by itself, at the latest until `deadline`; says whether it
    /// has.
    fn has_gone(&mut self, deadline: Instant) -> bool {
        while !self.is_dead() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(GLANCE);
        }
        true
    }

    /// Waits until `deadline`, ends the process with everything it has started, and takes its
    /// status.
    fn finish(&mut self, deadline: Instant) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.has_gone(deadline);
            self.kill_group();
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
        }
        self.status
    }

    /// Whether the process is dead. It stays a zombie, whose group nobody else can be given, until
    /// it is waited for.
    #[cfg(unix)]
    fn is_dead(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        self.status.is_some()
            || !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    fn is_dead(&mut self) -> bool {
        self.status.is_some() || !matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends whatever the process has started and left behind.
    #[cfg(unix)]
    fn kill_group(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
    }

    #[cfg(not(unix))]
    fn kill_group(&self) {}
}

fn write_all(mut stdin: impl Write, orders: &Receiver<String>) {
    for order in orders {
        if stdin.write_all(order.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(source: impl Read, words: &Mutex<Tail>, lines: Option<&SyncSender<OutputLine>>) {
    let mut source = BufReader::new(source);
    while let Ok(Some(text)) = read_line(&mut source) {
        let at = Instant::now();
        lock(words).push(&text);
        if lines.is_some_and(|lines| lines.send(OutputLine { text, at }).is_err()) {
            return;
        }
    }
}
