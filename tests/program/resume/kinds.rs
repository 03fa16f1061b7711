//! Runs of every kind: by the clock, with a time limit for moves, finished, and two begun at the
//! same time.

use super::harness::{QUICK, Run, Setup, Tune, outcome, spar, text, tune};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;
use tempfile::TempDir;

static BY_THE_CLOCK: Setup =
    Setup::new("--board 5x5 --for 8s --nodes 400 --validation-pairs 20 --seed 12");
static AFTER_A_FIT: Setup = Setup::new(
    "--method joined --start hand --board 5x5 --for 8s --fit-games 400 --nodes 60 --validation-pairs 20 \
     --yardstick-pairs 0 --seed 12",
);
static ROUNDS_BY_THE_CLOCK: Setup = Setup::new(
    "--method logistic --all --board 5x5 --for 8s --nodes 60 --validation-pairs 20 --round-pairs 30 \
     --iterations 10 --yardstick-pairs 0 --seed 12",
);
static TIMED_MOVES: Setup =
    Setup::new("--board 5x5 --games 36 --batch 5 --movetime 1 --validation-pairs 4 --seed 13");

/// Every file of a directory: its content and its time of change. The lock holds the id of the last
/// process that held it.
fn snapshot(path: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        if name == "lock" {
            return (name, (Vec::new(), SystemTime::UNIX_EPOCH));
        }
        let changed = entry.metadata().unwrap().modified().unwrap();
        (name, (fs::read(entry.path()).unwrap(), changed))
    };
    fs::read_dir(path).unwrap().map(|entry| read(entry.unwrap())).collect()
}

#[test]
fn a_finished_run_reports_again_and_changes_nothing() {
    let run = Run::finished(&QUICK);
    let before = snapshot(&run.path());
    // The remains of a write that a kill cut short are removed.
    fs::write(run.file(".sparring-x1y2z3.tmp"), "half").unwrap();
    let names: Vec<&str> = before.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "games.jsonl.zst",
            "journal.jsonl",
            "lock",
            "manifest.json",
            "report.html",
            "weights.json"
        ]
    );
    run.must_finish_exactly(3);
    let report = |threads: &str| {
        let output =
            spar().arg("resume").arg(run.path()).args(["--threads", threads]).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        text(&output.stdout)
    };
    assert_eq!(report("1"), report("2"));
    assert!(snapshot(&run.path()) == before, "a file was changed");
}

#[test]
fn a_run_by_the_clock_records_its_games_and_is_resumed_exactly() {
    let run = Run::killed_at(&BY_THE_CLOCK, 2);
    let manifest: Value =
        serde_json::from_slice(&fs::read(run.file("manifest.json")).unwrap()).unwrap();
    let games = manifest["config"]["games"].as_u64().unwrap();
    let resumed = run.finish(2);
    // The same number of games as an option gives the same run.
    let temp = TempDir::new().unwrap();
    let arguments = format!(
        "--method spsa --start atachiants --board 5x5 --games {games} --nodes 400 --validation-pairs 20 --seed 12 --json --run"
    );
    let output = spar().arg("tune").args(arguments.split(' ')).arg(temp.path()).output().unwrap();
    resumed.must_equal(&outcome(temp.path(), &output));
}

/// The games of the fit and of its match come before the games that the clock leaves time for.
#[test]
fn a_run_by_the_clock_that_began_with_a_fit_is_resumed_and_reports_again() {
    let run = Run::killed_at(&AFTER_A_FIT, 60);
    let stages = text(&fs::read(run.file("journal.jsonl")).unwrap());
    assert!(stages.contains(r#""fit""#) && stages.contains(r#""stage":"tune""#), "{stages}");
    let resumed = run.finish(2);
    let before = snapshot(&run.path());
    resumed.must_equal(&run.finish(1));
    assert!(snapshot(&run.path()) == before, "a finished run was changed");
}

/// The games of each round that the clock allowed are in the manifest before the next round begins.
#[test]
fn rounds_by_the_clock_are_on_record_and_resumed_exactly() {
    let run = Run::new(&ROUNDS_BY_THE_CLOCK);
    let mut session = Tune::start(run.tune(2));
    session.wait_until(|| run.journal_has(r#""round":{"round":1"#));
    session.wait_until(|| run.journal_has(r#""positions":{"round":2"#));
    assert!(session.kill());
    let copy = Run::new(&ROUNDS_BY_THE_CLOCK);
    fs::create_dir_all(copy.path()).unwrap();
    for entry in fs::read_dir(run.path()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    run.finish(2).must_equal(&copy.finish(1));
    let manifest: Value =
        serde_json::from_slice(&fs::read(run.file("manifest.json")).unwrap()).unwrap();
    let planned: Vec<u64> =
        serde_json::from_value(manifest["config"]["plan"]["fitting"]["round_games"].clone())
            .unwrap();
    let journal = text(&fs::read(run.file("journal.jsonl")).unwrap());
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut played = BTreeMap::new();
    for line in lines.filter(|line| line["positions"].is_object()) {
        let of = |key: &str| line["positions"][key].as_u64().unwrap();
        played.insert(of("round"), of("games"));
    }
    let played: Vec<u64> = played.into_values().collect();
    assert!(played.len() > 1, "{played:?}");
    assert_eq!(played, planned[..played.len()], "{planned:?}");
}

#[test]
fn a_run_with_timed_moves_says_that_it_is_not_exact_and_is_resumed() {
    let run = Run::new(&TIMED_MOVES);
    let mut session = Tune::start(run.tune(2));
    session.wait_until(|| run.lines() >= 2);
    session.kill();
    run.check_journal();
    let before = run.lines();
    let resumed = run.finish(2);
    assert!(resumed.lines() >= before);
    run.check_journal();
    let temp = TempDir::new().unwrap();
    let output = tune(&TIMED_MOVES, temp.path(), 2).output().unwrap();
    assert!(text(&output.stderr).contains("note: with a time limit"), "{}", text(&output.stderr));
}

#[test]
fn of_tunes_begun_in_one_directory_at_the_same_time_one_goes_on() {
    let run = Run::new(&QUICK);
    let sessions: Vec<Tune> = (0..4).map(|_| Tune::start(run.tune(1))).collect();
    let mut done = 0;
    for session in sessions {
        let (status, said) = session.end();
        let refused = said.contains("another process is working on this run")
            || said.contains("holds a run already");
        assert!(status.code() == Some(0) || (status.code() == Some(2) && refused), "{said}");
        done += i32::from(status.success());
    }
    assert_eq!(done, 1);
    run.must_finish_exactly(2);
}

#[test]
fn runs_begun_at_the_same_time_have_directories_of_their_own() {
    let temp = TempDir::new().unwrap();
    let begin = |_| {
        let mut command = spar();
        command.current_dir(temp.path()).arg("tune").args(QUICK.args()).args([
            "--json",
            "--threads",
            "1",
        ]);
        Tune::start(command)
    };
    let sessions: Vec<Tune> = (0..4).map(begin).collect();
    for session in sessions {
        let (status, said) = session.end();
        assert_eq!(status.code(), Some(0), "{said}");
    }
    let runs: Vec<_> =
        fs::read_dir(temp.path().join("runs")).unwrap().map(|run| run.unwrap().path()).collect();
    assert_eq!(runs.len(), 4, "{runs:?}");
    for run in runs {
        let output = spar().arg("resume").arg(&run).arg("--json").output().unwrap();
        outcome(&run, &output).must_equal(QUICK.reference());
    }
}
