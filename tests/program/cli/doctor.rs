//! `spar doctor`: a sound installation is well, and each fault is named with its remedy.

use super::schemas::must_fit;
use super::support::{spar_with, stderr, stdout};
use serde_json::Value;
use std::path::Path;

/// The exit code and the document of `spar doctor` with these arguments.
fn doctor(runs: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let runs = runs.to_str().unwrap();
    let words = ["--runs", runs, "doctor", "--no-config", "--json"]
        .into_iter()
        .chain(arguments.iter().copied());
    let output = spar_with(words).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    must_fit("doctor", &document);
    (output.status.code(), document)
}

/// The verdict, the finding and the remedy of a check.
fn check<'d>(document: &'d Value, name: &str) -> [&'d str; 3] {
    let checks = document["checks"].as_array().unwrap();
    let check = checks.iter().rfind(|check| check["name"] == name).unwrap();
    ["verdict", "finding", "remedy"].map(|part| check[part].as_str().unwrap_or_default())
}

#[test]
fn a_sound_installation_is_well() {
    let runs = tempfile::tempdir().unwrap();
    let engine = format!("cmd:{} uci", env!("CARGO_BIN_EXE_spar"));
    let (code, document) = doctor(runs.path(), &[&engine, "--game", "breakthrough"]);
    assert_eq!((code, &document["healthy"]), (Some(0), &Value::Bool(true)), "{document:#}");
    for name in ["speed", "folder", "runs", "config", "workers", "engine"] {
        assert_ne!(check(&document, name)[0], "problem", "{document:#}");
    }
    assert!(check(&document, "engine")[1].contains("starts for breakthrough on 8x8"));
    assert_eq!(check(&document, "runs")[1], "0 runs");
    assert_eq!(runs.path().read_dir().unwrap().count(), 0, "it leaves nothing behind");
}

#[test]
fn each_fault_is_named_with_its_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").unwrap();
    let (code, document) = doctor(&file, &["cmd:/no/such/engine", "engine"]);
    assert_eq!((code, &document["healthy"]), (Some(1), &Value::Bool(false)), "{document:#}");
    let [verdict, finding, remedy] = check(&document, "folder");
    assert!(verdict == "problem" && finding.contains("file"), "{finding}");
    assert!(remedy.contains("--runs"), "{remedy}");
    let engines =
        document["checks"].as_array().unwrap().iter().filter(|check| check["name"] == "engine");
    let engines: Vec<String> = engines.map(ToString::to_string).collect();
    assert!(
        engines[0].contains("cannot be started") && engines[1].contains("cmd:PROGRAM"),
        "{engines:?}"
    );
}

#[test]
fn an_engine_of_a_game_unknown_here_is_checked() {
    let runs = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/tic_tac_toe.py");
    let engine = format!("cmd:python3 '{script}' good 1");
    let (code, document) = doctor(runs.path(), &[&engine, "--game", "tictactoe"]);
    assert_eq!(code, Some(0), "{document:#}");
    assert!(check(&document, "engine")[1].contains("starts for tictactoe on 3x3"), "{document:#}");
    let referee = engine.replace("good 1", "good 2");
    let words = [&engine, "--game", "tictactoe", "--referee", &referee];
    assert_eq!(doctor(runs.path(), &words).0, Some(0));
    let other = format!("cmd:{} uci", env!("CARGO_BIN_EXE_spar"));
    let (code, document) = doctor(runs.path(), &[&other, "--game", "tictactoe"]);
    assert_eq!((code, check(&document, "engine")[0]), (Some(1), "problem"), "{document:#}");
}

#[test]
fn a_wrong_file_of_defaults_is_a_problem() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sparring.toml"), "threads = 1\nfoo = 3\n").unwrap();
    let mut command = spar_with(["doctor", "--json"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let [verdict, finding, remedy] = check(&document, "config");
    assert_eq!((output.status.code(), verdict), (Some(1), "problem"), "{document:#}");
    assert!(finding.contains("line 2, key `foo`") && remedy.contains("threads"), "{finding}");
    assert!(!remedy.contains("candidates"), "a hidden command: {remedy}");
    let error = spar_with(["runs"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(error.status.code(), Some(2), "other commands refuse the file");
}

#[test]
fn a_damaged_run_is_a_problem() {
    let runs = tempfile::tempdir().unwrap();
    let run = runs.path().join("hurt");
    std::fs::create_dir(&run).unwrap();
    std::fs::write(run.join("manifest.json"), "{").unwrap();
    let (code, document) = doctor(runs.path(), &[]);
    let [verdict, finding, remedy] = check(&document, "runs");
    assert_eq!((code, verdict), (Some(1), "problem"), "{document:#}");
    assert!(finding.contains("1 damaged: hurt") && remedy.contains("spar runs show"), "{finding}");
    let output = spar_with(["--runs", runs.path().to_str().unwrap(), "doctor"]).output().unwrap();
    assert!(stdout(&output).contains("PROBLEM  1 run, 1 damaged: hurt"), "{}", stdout(&output));
}
