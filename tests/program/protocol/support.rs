//! Matches against the scripted engine.

use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// The scripted engine, with its argument and perhaps a log, as a player.
pub(crate) fn engine(kind: &str, log: Option<&Path>) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/protocol/engine.py");
    let log = log.map_or(String::new(), |log| format!(" '{}'", log.display()));
    format!("cmd:python3 '{}' {kind}{log}", script.display())
}

/// `spar VERB A B ... MORE`; what is in `more` is split at spaces. A match leaves no run in the
/// working directory.
pub(crate) fn spar(verb: &str, players: &[&str], more: &str) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.arg(verb).args(players).args(more.split_whitespace());
    if matches!(verb, "match" | "tournament") {
        command.arg("--no-run");
    }
    command
}

/// The outcome of a short match of a weight set against the scripted engine of this kind.
pub(crate) fn against(kind: &str, more: &str) -> Output {
    let more = format!("--pairs 1 --nodes-a 50 --threads 1 {more}");
    spar("match", &["zhu", &engine(kind, None)], &more).output().unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The JSON document of a command that must succeed.
pub(crate) fn document(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The saved games of a file.
pub(crate) fn games(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
