//! A NATS server, workers and runs of the real program.

use async_nats::jetstream::{self, consumer::pull, stream::Stream};
use futures_util::StreamExt;
use serde_json::Value;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest wait of a test: nothing should take so long.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// A server with a store of its own, at this machine's address only.
pub(super) struct Server {
    folder: TempDir,
    port: u16,
    process: Option<Child>,
}

impl Server {
    /// A server that lets everybody in.
    pub(super) fn start() -> Self {
        Self::with_config("")
    }

    /// A server with these lines in its configuration.
    pub(super) fn with_config(lines: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("nats.conf"), lines).unwrap();
        let mut server = Self { folder, port, process: None };
        server.restart();
        server
    }

    /// Starts the server, also after it was killed.
    pub(super) fn restart(&mut self) {
        let (folder, port) = (self.folder.path(), self.port.to_string());
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &port, "-js", "-sd"]).arg(folder.join("store"));
        command.arg("-c").arg(folder.join("nats.conf")).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.process = Some(command.spawn().expect("`bash tests/run.sh` installs nats-server"));
        wait_until("the server answers", || TcpStream::connect(("127.0.0.1", self.port)).is_ok());
    }

    /// Kills the server with SIGKILL.
    pub(super) fn kill(&mut self) {
        self.process.take().into_iter().for_each(kill);
    }

    /// Kills the server and deletes its store.
    pub(super) fn lose_everything(&mut self) {
        self.kill();
        fs::remove_dir_all(self.folder.path().join("store")).unwrap();
    }

    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// A worker that has reported that it plays.
    pub(super) fn worker(&self, name: &str) -> Worker {
        let worker = self.worker_at_once(name);
        worker.wait_for("plays with");
        worker
    }

    /// A worker that may not have begun yet.
    pub(super) fn worker_at_once(&self, name: &str) -> Worker {
        self.worker_with(name, &[])
    }

    /// A worker with further arguments, which may not have begun yet.
    pub(super) fn worker_with(&self, name: &str, more: &[&str]) -> Worker {
        let errors = self.folder.path().join(format!("{name}.log"));
        let mut command = spar(&["worker", "--threads", "1", "--cluster", &self.url()]);
        command.args(["--name", name]).args(more);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(fs::File::create(&errors).unwrap());
        Worker { process: Some(command.spawn().unwrap()), errors }
    }

    /// A client of the server.
    pub(super) async fn client(&self) -> async_nats::Client {
        async_nats::connect(self.url()).await.unwrap()
    }

    /// The stream of jobs, once the run has made the stream and its consumer.
    pub(super) async fn jobs(&self) -> Stream {
        let context = jetstream::new(self.client().await);
        let begun = Instant::now();
        loop {
            if let Ok(stream) = context.get_stream("SPAR_JOBS_4").await
                && stream.consumer_info("workers").await.is_ok()
            {
                return stream;
            }
            assert!(begun.elapsed() < PATIENCE, "nobody makes the stream of jobs");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The next message of jobs, as a worker would get it.
    pub(super) async fn next_jobs(&self) -> (jetstream::Message, Value) {
        let consumer = self.jobs().await.get_consumer::<pull::Config>("workers").await.unwrap();
        let batch = consumer.batch().max_messages(1).expires(PATIENCE);
        let message = batch.messages().await.unwrap().next().await.unwrap().unwrap();
        let jobs = serde_json::from_slice(&message.payload).unwrap();
        (message, jobs)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A worker of the real program.
pub(super) struct Worker {
    process: Option<Child>,
    errors: PathBuf,
}

impl Worker {
    /// Kills the worker with SIGKILL.
    pub(super) fn kill(&mut self) {
        self.process.take().into_iter().for_each(kill);
    }

    /// Its output so far.
    pub(super) fn said(&self) -> String {
        fs::read_to_string(&self.errors).unwrap()
    }

    /// Waits until the worker has printed this text.
    pub(super) fn wait_for(&self, text: &str) {
        wait_until(text, || self.said().contains(text));
    }

    pub(super) fn interrupt(&self) {
        send_interrupt(self.process.as_ref().unwrap());
    }

    /// Waits until it ends, and returns its exit code.
    pub(super) fn exit_code(&mut self) -> Option<i32> {
        self.process.take().and_then(|process| await_end(process).status.code())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The program with these arguments.
pub(super) fn spar(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("spar"));
    command.args(arguments).env_remove("NATS_USER").env_remove("NATS_TOKEN");
    command
}

/// A run in a folder of its own.
pub(super) struct ClusterRun {
    folder: TempDir,
    arguments: String,
}

impl ClusterRun {
    pub(super) fn new(arguments: &str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), arguments: arguments.into() }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    /// The command that begins the run, or continues it.
    pub(super) fn command(&self, more: &[&str]) -> Command {
        let mut command = spar(&[]);
        match self.path().join("manifest.json").exists() {
            true => command.arg("resume").arg(self.path()),
            false => command.args(self.arguments.split(' ')).arg("--run").arg(self.path()),
        };
        command.args(more).args(["--json"]).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Begins or continues the run at a server.
    pub(super) fn at(&self, server: &Server) -> RunProcess {
        self.begin(&["--cluster", &server.url()])
    }

    /// Begins or continues the run with these arguments.
    pub(super) fn begin(&self, more: &[&str]) -> RunProcess {
        RunProcess(Some(self.command(more).spawn().unwrap()))
    }

    /// Plays the run, or the rest of it, and returns its result.
    pub(super) fn finish(&self, more: &[&str]) -> Vec<String> {
        self.outcome(&wait(self.begin(more)))
    }

    /// The run after a command that ended well.
    pub(super) fn outcome(&self, output: &Output) -> Vec<String> {
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{error}");
        self.files()
    }

    /// The journal without times and their checksums, and the weights, if there are any.
    pub(super) fn files(&self) -> Vec<String> {
        let read = |name: &str| fs::read_to_string(self.path().join(name)).unwrap_or_default();
        let lines = read("journal.jsonl");
        let mut files: Vec<String> = lines.lines().map(timeless).collect();
        files.push(read("weights.json"));
        files.push(format!("{:?}", fs::read(self.path().join("games.jsonl.zst")).unwrap()));
        files
    }

    /// The lines of its journal.
    pub(super) fn lines(&self) -> usize {
        fs::read_to_string(self.path().join("journal.jsonl")).unwrap_or_default().lines().count()
    }

    /// Waits until its journal has this many lines.
    pub(super) fn wait_for_lines(&self, lines: usize) {
        wait_until("the run continues", || self.lines() >= lines);
    }
}

/// A line of a journal without the parts that depend on the time.
fn timeless(line: &str) -> String {
    let mut line: Value = serde_json::from_str(line).unwrap();
    let fields = line.as_object_mut().unwrap();
    fields.remove("time");
    fields.remove("crc");
    line.to_string()
}

/// Waits until the condition holds; `what` names it for the panic.
pub(super) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The process of a run; it ends with its test, even if the test fails.
pub(super) struct RunProcess(Option<Child>);

impl Drop for RunProcess {
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(kill);
    }
}

/// Sends the signal of Ctrl-C to the process of a run.
pub(super) fn interrupt(process: &RunProcess) {
    send_interrupt(process.0.as_ref().unwrap());
}

fn send_interrupt(process: &Child) {
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

/// Kills the process of a run.
pub(super) fn end(process: RunProcess) {
    drop(process);
}

fn kill(mut process: Child) {
    // The process may have ended by itself.
    let _ = process.kill();
    let _ = process.wait();
}

/// Waits until the process of a run ends.
pub(super) fn wait(mut process: RunProcess) -> Output {
    process.0.take().map(await_end).unwrap()
}

fn await_end(mut process: Child) -> Output {
    let begun = Instant::now();
    while process.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            kill(process);
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    process.wait_with_output().unwrap()
}

/// The stderr of a run's process, at its end.
pub(super) fn errors(process: RunProcess) -> String {
    String::from_utf8(wait(process).stderr).unwrap()
}

/// The document that a command has printed.
pub(super) fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A file with this text.
pub(super) fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}
