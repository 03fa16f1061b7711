//! Any call that writes, syncs, renames, cuts or opens a file may fail, or be the last one of a
//! killed process: the run continues afterwards and gives the same result as without the fault.

use super::harness::{Run, Setup, outcome, spar, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

static JOINED: Setup = Setup::new(
    "--method joined --board 5x5 --games 160 --fit-games 80 --fit-plies 4 --batch 10 --nodes 20 \
     --validation-pairs 16 --yardstick-pairs 4 --seed 12",
);
static ROUNDS: Setup = Setup::new(
    "--method logistic --board 5x5 --games 900 --rounds 1 --nodes 60 --only piece,mobility --clear-rest --blend 0.3 \
     --penalties 10 --round-pairs 20 --validation-pairs 16 --yardstick-pairs 4 --seed 7",
);

/// The changed constant makes the run keep a file of a player's weights.
static SHORT_MATCH: Setup = Setup::of_command(
    "match",
    "piece atachiants --search-a null_base=2 --board 5x5 --pairs 6 --nodes 6000 --seed 2",
);

static SHORT_TOURNAMENT: Setup = Setup::of_command(
    "tournament",
    "piece atachiants zhu --board 5x5 --pairs 3 --nodes 6000 --seed 2",
);

/// The number of failing calls in each run, spread over all calls; the same number are last calls.
const FAULTS: u64 = 10;

/// The library to preload.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        let source = source.join("tests/program/resume/faulty_calls.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faulty_calls.so");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
        assert!(compiler.status().unwrap().success());
        library
    })
}

/// Runs a command whose call of this number, from 1, fails or is the last one; 0 for none. Returns
/// the number of its calls, unless it was killed.
fn faulty(command: &Command, folder: &Path, at: u64, dies: bool) -> (Output, Option<u64>) {
    let count = folder.with_extension("calls");
    let mut faulty = Command::new(command.get_program());
    faulty.args(command.get_args()).env("LD_PRELOAD", library());
    for (name, value) in command.get_envs() {
        faulty.env(name, value.unwrap());
    }
    faulty.env("FAULTS_FOLDER", folder).env("FAULTS_AT", at.to_string());
    faulty.env("FAULTS_COUNT", &count);
    if dies {
        faulty.env("FAULTS_DIE", "1");
    }
    let _ = fs::remove_file(&count);
    let output = faulty.output().unwrap();
    (output, fs::read_to_string(&count).ok().map(|count| count.parse().unwrap()))
}

/// The numbers of the calls that fail: all of them, if the environment says so.
fn spread(calls: u64) -> impl Iterator<Item = u64> {
    let all = std::env::var_os("SPARRING_ALL_FAULTS").is_some();
    let step = if all { 1 } else { calls.div_ceil(FAULTS) };
    (1..=calls).step_by(step as usize)
}

fn fail_everywhere(setup: &'static Setup) {
    let whole = Run::new(setup);
    let (output, calls) = faulty(&whole.tune(1), &whole.path(), 0, false);
    let expected = whole.outcome(&output);
    let calls = calls.unwrap();
    assert!(calls > 20, "{calls} calls: the library is not in use");
    for (at, dies) in spread(calls).flat_map(|at| [(at, false), (at, true)]) {
        let run = Run::new(setup);
        let (output, _) = faulty(&run.tune(1), &run.path(), at, dies);
        let said = text(&output.stderr);
        let place = format!("call {at}, dies: {dies}: {said}");
        match output.status.code() {
            // A failure to write an optional file, such as the report, is no error.
            Some(0) => assert!(!dies, "{place}"),
            Some(code) => {
                assert!(!dies && code == 1, "{place}");
                assert!(said.contains(&run.path().display().to_string()), "{place}");
            }
            None => assert!(dies, "{place}"),
        }
        run.check_journal();
        let output = run.go_on(1).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{place}, then {}", text(&output.stderr));
        outcome(&run.path(), &output).must_equal(&expected);
    }
}

#[test]
fn every_call_of_a_tune_by_fitting_may_fail() {
    fail_everywhere(&ROUNDS);
}

#[test]
fn every_call_of_a_joined_tune_may_fail() {
    fail_everywhere(&JOINED);
}

/// One failing `statx` of a file is no proof that the file was moved.
#[test]
fn every_question_about_a_file_may_fail_in_a_joined_tune() {
    let asking = |mut command: Command| {
        command.env("FAULTS_STATX", "1");
        command
    };
    let whole = Run::new(&JOINED);
    let (output, calls) = faulty(&asking(whole.tune(1)), &whole.path(), 0, false);
    let expected = whole.outcome(&output);
    let calls = calls.unwrap();
    assert!(calls > 20, "{calls} calls: the library is not in use");
    let mut failed = 0;
    for at in spread(calls) {
        let run = Run::new(&JOINED);
        let (output, _) = faulty(&asking(run.tune(1)), &run.path(), at, false);
        let said = format!("call {at}: {}", text(&output.stderr));
        assert!(!run.journal_has("\"failure\"") && !said.contains("begin a new run"), "{said}");
        match output.status.code() {
            Some(0) => {}
            Some(1) => {
                failed += 1;
                assert!(said.contains("Input/output error"), "{said}");
            }
            code => panic!("{code:?}: {said}"),
        }
        let output = run.go_on(1).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}, then {}", text(&output.stderr));
        outcome(&run.path(), &output).must_equal(&expected);
    }
    assert!(failed > 2, "{failed} runs of {calls} calls failed");
}

#[test]
fn every_call_of_a_match_may_fail() {
    fail_everywhere(&SHORT_MATCH);
}

#[test]
fn every_call_of_a_tournament_may_fail() {
    fail_everywhere(&SHORT_TOURNAMENT);
}

#[test]
fn every_call_of_generate_may_fail() {
    let generate = |path: &Path| {
        let mut command = spar();
        command.arg("generate").arg(path);
        command.args("--board 5x5 --games 1100 --nodes 10 --seed 3 --threads 1 --json".split(' '));
        command
    };
    let temp = TempDir::new().unwrap();
    let folder = |number: u64| {
        let folder = temp.path().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        folder
    };
    let whole = folder(0);
    let (output, calls) = faulty(&generate(&whole.join("a.pos")), &whole, 0, false);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let calls = calls.unwrap();
    assert!(calls > 10, "{calls} calls: the library is not in use");
    for (at, dies) in spread(calls).flat_map(|at| [(at, false), (at, true)]) {
        let folder = folder(2 * at + u64::from(dies));
        let path = folder.join("a.pos");
        let (output, _) = faulty(&generate(&path), &folder, at, dies);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), if dies { None } else { Some(1) }, "call {at}: {said}");
        let again = generate(&path).output().unwrap();
        let is_complete = text(&again.stderr).contains("exists already");
        assert!(again.status.success() || is_complete, "call {at}: {}", text(&again.stderr));
        assert!(fs::read(&path).unwrap() == fs::read(whole.join("a.pos")).unwrap(), "call {at}");
        let names: Vec<_> =
            fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(is_complete || names == ["a.pos"], "call {at}: {names:?}");
    }
}
