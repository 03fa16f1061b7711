//! A server for a test, and raw requests to it.

use crate::cli::support::spar;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest wait of a test for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server with a folder of its own; both end with the value.
pub(crate) struct Served {
    folder: TempDir,
    server: Child,
    /// The host and port that it answers at.
    pub(crate) host: String,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Served {
    /// A server for an empty folder.
    pub(crate) fn new(arguments: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Command::new(assert_cmd::cargo::cargo_bin!("spar"))
            .args(["serve", "--port", "0", "--json", "--runs"])
            .arg(folder.path().join("runs"))
            .args(arguments.split_whitespace())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // The document has one key and is printed on several lines.
        let lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let url = lines
            .map(Result::unwrap)
            .find_map(|line| line.split_once("http://").map(|(_, url)| url.to_owned()));
        let url = url.unwrap();
        let host = url.split(['/', '"']).next().unwrap().to_owned();
        Self { folder, server, host }
    }

    /// The folder of runs.
    pub(crate) fn runs(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    /// Makes a run in the folder, by a small tune.
    pub(crate) fn make_run(&self, name: &str) {
        let mut command = spar(
            "tune --method spsa --board 5x5 --games 200 --batch 10 --nodes 20 --validation-pairs 8 --threads 2 --json --run",
        );
        let output = command.arg(self.runs().join(name)).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes and reads until the server closes the connection.
    pub(crate) fn send(&self, bytes: &[u8]) -> Option<Reply> {
        let mut stream = self.connect();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(bytes);
        read_reply(&mut stream)
    }

    /// Sends a request as a browser on the server's own page does, with further headers.
    pub(crate) fn ask(&self, method: &str, path: &str, more: &[&str], body: &str) -> Reply {
        let more: String = more.iter().map(|line| format!("{line}\r\n")).collect();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{more}\r\n{body}",
            self.host,
            body.len()
        );
        self.send(request.as_bytes()).expect("an answer")
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    /// Posts JSON with the page's token.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        let token = format!("X-Sparring-Token: {}", self.change_token());
        self.ask("POST", path, &[&token, "Content-Type: application/json"], &body.to_string())
    }

    pub(crate) fn change_token(&self) -> String {
        let page = self.get("/").body;
        let token = page.split(r#"name="token" content=""#).nth(1).unwrap();
        token.split('"').next().unwrap().to_owned()
    }

    /// Waits until the line of a run fits, and returns it.
    pub(crate) fn wait(&self, run: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        self.wait_until(run, |line| line["run"] == run && is_wanted(line))
    }

    /// Waits likewise for a run whose name ends with this text.
    pub(crate) fn wait_for(&self, end: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let ends = |line: &Value| line["run"].as_str().is_some_and(|run| run.ends_with(end));
        self.wait_until(end, |line| ends(line) && is_wanted(line))
    }

    fn wait_until(&self, run: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let reply = self.get("/api/runs").json();
            let lines = reply["runs"].as_array().unwrap();
            if let Some(line) = lines.iter().find(|line| is_wanted(line)) {
                return line.clone();
            }
            assert!(begun.elapsed() < PATIENCE, "{run}: {lines:#?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Asks the server to end, and returns its exit code.
    pub(crate) fn end(&mut self) -> Option<i32> {
        Command::new("kill").args(["-TERM", &self.server.id().to_string()]).status().unwrap();
        self.server.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Reads an answer until the connection closes; `None` if there is none.
pub(crate) fn read_reply(stream: &mut TcpStream) -> Option<Reply> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Reply { status, head: head.to_owned(), body: body.to_owned() })
}

/// The names of everything below a folder.
pub(crate) fn everything(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = folder
        .read_dir()
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
