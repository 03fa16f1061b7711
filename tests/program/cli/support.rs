use assert_cmd::Command;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Output;
use tempfile::TempDir;

/// The program with these arguments, split at spaces.
pub(crate) fn spar(arguments: &str) -> Command {
    spar_with(arguments.split_whitespace())
}

/// The program with these arguments. A match leaves no run in the working directory.
pub(crate) fn spar_with<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    let arguments: Vec<String> =
        arguments.into_iter().map(|argument| argument.as_ref().to_owned()).collect();
    // A folder of runs may stand before the command.
    let options = if arguments.first().is_some_and(|first| first == "--runs") { 2 } else { 0 };
    let plays = matches!(arguments.get(options).map(String::as_str), Some("match" | "tournament"));
    command.args(arguments).args(plays.then_some("--no-run"));
    command
}

pub(crate) fn run(arguments: &str) -> Output {
    spar(arguments).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The one JSON document of a command that succeeds.
pub(crate) fn json(arguments: &str) -> Value {
    document(spar(arguments).arg("--json"))
}

/// The one JSON document of a command that succeeds.
pub(crate) fn document(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The output of a command that succeeds.
pub(crate) fn text(arguments: &str) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", stderr(&output));
    stdout(&output)
}

/// The error of a command that must be refused as bad input: code 2, nothing on stdout but
/// the JSON of the error, no panic.
pub(crate) fn refusal(mut command: Command) -> String {
    let output = command.output().unwrap();
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{command:?}: {error}");
    let document: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let is_told = document["error"]["exit_code"] == 2;
    assert!(is_told || output.stdout.is_empty(), "{command:?}: {}", stdout(&output));
    assert!(error.contains("error: ") && !error.contains("panicked"), "{command:?}: {error}");
    error
}

/// A folder of its own for a test, and the path of a file in it.
pub(crate) fn file(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}
