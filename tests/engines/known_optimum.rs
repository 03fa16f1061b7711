//! A chess engine whose strength is a known function of its twelve options, and the tests that tune
//! it. With the argument `uci` this program is the engine; otherwise it runs the tests.
//!
//! It looks two plies ahead for material, but plays a random legal move with a probability that
//! grows with the squared distance of ten options from their best values. `Dead` changes nothing.
//! With `Trap` above 90 it exits in most games. The arguments `crash=SHARE` and `stall=SHARE` after
//! `uci` set the shares of moves at which it exits or falls silent.

mod engine;
#[path = "../tutorial/mod.rs"]
mod tutorial;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitCode, Output};
use tutorial::Tutorial;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "uci") {
        engine::play(&arguments[1..]);
        return ExitCode::SUCCESS;
    }
    let is_wanted = |name: &str| {
        let mut filters = arguments.iter().filter(|argument| !argument.starts_with('-'));
        !arguments.iter().any(|argument| argument == "--list")
            && (filters.clone().next().is_none() || filters.any(|filter| name.contains(filter)))
    };
    let tests: [(&str, fn()); 4] = [
        ("known_optimum::the_loss_falls", the_loss_falls),
        ("known_optimum::a_crash_names_its_knob_and_the_run_resumes", a_crash_names_its_knob),
        ("known_optimum::a_dead_knob_is_named", a_dead_knob_is_named),
        ("known_optimum::your_own_engine_can_be_followed", your_own_engine_can_be_followed),
    ];
    for (name, test) in tests.into_iter().filter(|(name, _)| is_wanted(name)) {
        test();
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

/// The command of the engine, as players are named.
fn command(more: &str) -> String {
    format!("cmd:'{}' uci{more}", std::env::current_exe().unwrap().display())
}

/// `spar` without the user's defaults, in a folder.
fn spar(folder: &Path, arguments: &str, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spar"));
    command.current_dir(folder).args(["--no-config", "--json"]);
    command.args(arguments.split_whitespace()).args(more).output().unwrap()
}

fn document(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A file of knobs: all options that matter, and these other ones.
fn knobs(folder: &Path, more: &str) -> String {
    let file = folder.join("knobs.txt");
    let live = engine::KNOBS.iter().map(|(name, kind, start, _)| match *kind {
        "int" => format!("{name}, int, {start}, 0, 100, 15, 0.03\n"),
        _ => format!("{name}, float, {start}, 0, 1, 0.15, 0.03\n"),
    });
    std::fs::write(&file, live.collect::<String>() + more).unwrap();
    file.display().to_string()
}

/// The arguments of a tune of the engine besides its games.
const TUNE: &str =
    "tune --nodes 1 --batch 12 --validation-pairs 0 --yardstick-pairs 0 --threads 2 --seed 3";

fn the_loss_falls() {
    let folder = tempfile::tempdir().unwrap();
    let file = knobs(folder.path(), "");
    let more = ["--engine", &command(""), "--knobs", &file];
    let games = "--games 520 --elo-at-half-range 100 --run run";
    let found = document(&spar(folder.path(), &format!("{TUNE} {games}"), &more));
    let value = |row: &Value, key: &str| {
        (row["name"].as_str().unwrap().to_owned(), row[key].as_f64().unwrap())
    };
    let loss = |key: &str| {
        let rows = found["knobs"].as_array().unwrap();
        let values: Vec<(String, f64)> = rows.iter().map(|row| value(row, key)).collect();
        assert_eq!(values.len(), engine::KNOBS.len());
        engine::loss(|name| values.iter().find(|(known, _)| known == name).unwrap().1)
    };
    let [start, tuned] = ["start", "tuned"].map(loss);
    assert!(tuned < 0.6 * start, "the loss fell from {start} to {tuned} only");
}

fn a_crash_names_its_knob() {
    let folder = tempfile::tempdir().unwrap();
    let file = knobs(folder.path(), "Trap, int, 88, 0, 100, 8, 0.03\n");
    let more = ["--engine", &command(""), "--knobs", &file];
    let output = spar(folder.path(), &format!("{TUNE} --games 260 --run run"), &more);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("forfeited") && said.contains("the higher value of `Trap`"), "{said}");
    assert!(said.contains("spar resume"), "{said}");
    let resumed = spar(folder.path(), "resume run --forfeit-limit 0", &[]);
    assert!(document(&resumed)["void"].as_u64().unwrap() > 4);
}

fn a_dead_knob_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("knobs.txt");
    std::fs::write(&file, "Alpha, int, 20, 0, 100, 50, 0.1\nDead, int, 50, 0, 100, 50, 0.1\n")
        .unwrap();
    let more = [&command("") as &str, "--knobs", &file.display().to_string()];
    let found = document(&spar(folder.path(), "check", &more));
    let verdict = |name: &str| {
        let rows = found["knobs"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap()["verdict"].clone()
    };
    assert_eq!((verdict("Dead"), verdict("Alpha") == "dead"), (Value::from("dead"), false));
}

/// The book's tutorial, with this engine in place of Glaurung, whose options it lacks, and with
/// fewer games.
const SHORTER: [(&str, &str); 8] = [
    ("cmd:/usr/games/glaurung", "cmd:glaurung"),
    ("Mobility (Middle Game)", "Alpha"),
    ("Mobility (Endgame)", "Beta"),
    ("Passed Pawns (Middle Game)", "Gamma"),
    ("Passed Pawns (Endgame)", "Delta"),
    ("20, 0, 200, 20, 0.002", "20, 0, 100, 15, 0.03"),
    ("--depth 6", "--nodes 1"),
    ("--for 8h", "--games 120 --validation-pairs 10 --yardstick-pairs 1"),
];

fn your_own_engine_can_be_followed() {
    let folder = tempfile::tempdir().unwrap();
    let chapter = Tutorial::read(Path::new(env!("CARGO_MANIFEST_DIR")), "own-engine.md");
    let glaurung = folder.path().join("glaurung");
    let engine = std::env::current_exe().unwrap();
    std::fs::write(&glaurung, format!("#!/bin/sh\nexec '{}' uci\n", engine.display())).unwrap();
    std::fs::set_permissions(&glaurung, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let programs = [("spar", env!("CARGO_BIN_EXE_spar")), ("glaurung", glaurung.to_str().unwrap())];
    let output = chapter.replace(&SHORTER).follow(folder.path(), &programs);
    for text in ["setoption name Alpha value", "Alpha, int, "] {
        assert!(output.contains(text), "no `{text}` in:\n{output}");
    }
}
