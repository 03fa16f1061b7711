//! Files that vanish during a run, and copies of a running run.

use super::harness::{QUICK, Run, Setup, Tune, must_say, refused, text};
use std::fs;

static MATCH: Setup =
    Setup::of_command("match", "piece atachiants --board 5x5 --pairs 3000 --nodes 300 --seed 4");
static TOURNAMENT: Setup = Setup::of_command(
    "tournament",
    "piece atachiants zhu --board 5x5 --pairs 3000 --nodes 300 --seed 5",
);
static TUNE: Setup =
    Setup::new("--board 5x5 --games 60000 --batch 5 --nodes 60 --validation-pairs 20 --seed 7");

/// Begins a run, harms its files once its journal has lines, and returns the exit code and stderr.
fn ended_by(run: &Run, harm: impl Fn(), is_interrupted: bool) -> (Option<i32>, String) {
    let mut session = Tune::start(run.tune(2));
    session.wait_until(|| run.lines() >= 3);
    harm();
    if is_interrupted {
        session.press_ctrl_c();
    }
    let (status, said) = session.end();
    (status.code(), said)
}

#[test]
fn what_a_removed_run_had_finished_is_not_called_safe() {
    for setup in [&MATCH, &TOURNAMENT, &TUNE] {
        for is_interrupted in [false, true] {
            let run = Run::new(setup);
            let remove = || fs::remove_dir_all(run.path()).unwrap();
            let (code, said) = ended_by(&run, remove, is_interrupted);
            assert_eq!(code, Some(1), "{said}");
            assert!(said.contains("has been removed, moved or replaced"), "{said}");
            assert!(!said.contains("safe") && !said.contains("is lost"), "{said}");
            assert!(!run.path().exists(), "something was written after all: {said}");
        }
    }
}

#[test]
fn a_run_ends_when_a_file_of_it_is_gone_and_goes_on_once_it_is_back() {
    for setup in [&MATCH, &TUNE] {
        for name in ["manifest.json", "games.jsonl.zst", "journal.jsonl"] {
            let run = Run::new(setup);
            let elsewhere = run.path().with_extension("moved");
            let remove = || fs::rename(run.file(name), &elsewhere).unwrap();
            let (code, said) = ended_by(&run, remove, false);
            assert_eq!(code, Some(1), "{name}: {said}");
            assert!(said.contains(name) && said.contains("put it back and resume"), "{said}");
            assert!(!said.contains("safe"), "{said}");
            fs::rename(&elsewhere, run.file(name)).unwrap();
            let before = run.lines();
            let mut session = Tune::start(run.resume(2));
            session.wait_until(|| run.lines() > before);
            assert!(session.kill(), "{name}: it does not go on");
        }
    }
}

#[test]
fn a_copy_of_a_run_that_was_going_on_is_mended() {
    let run = Run::killed_at(&QUICK, 8);
    // The games were copied before the journal, as in a copy of a running run.
    let games = fs::read(run.file("games.jsonl.zst")).unwrap();
    fs::write(run.file("games.jsonl.zst"), &games[..games.len() * 2 / 3]).unwrap();
    let refused = run.resume(2).output().unwrap();
    let said = text(&refused.stderr);
    assert!(refused.status.code() == Some(2) && said.contains("spar resume --mend"), "{said}");
    let before = run.lines();
    let mut mend = run.resume(2);
    mend.arg("--mend");
    let output = mend.output().unwrap();
    let said = text(&output.stderr);
    assert!((2..before).any(|lines| said.contains(&format!("dropped {lines} lines"))), "{said}");
    run.outcome(&output).must_equal(QUICK.reference());
    let mut mend = run.resume(2);
    let said = text(&mend.arg("--mend").output().unwrap().stderr).to_owned();
    assert!(said.contains("nothing to mend") && !said.contains("dropped"), "{said}");
    // Damaged runs are not repaired.
    let mut games = fs::read(run.file("games.jsonl.zst")).unwrap();
    games[100] ^= 1;
    fs::write(run.file("games.jsonl.zst"), &games).unwrap();
    let mut mend = run.resume(2);
    let output = mend.arg("--mend").output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("edited or damaged"), "{said}");
}

/// Users may remove a lock that they think was left behind.
#[test]
fn a_run_without_its_lock_file_still_has_one_writer() {
    for setup in [&MATCH, &TUNE] {
        let run = Run::new(setup);
        let mut session = Tune::start(run.tune(2));
        session.wait_until(|| run.lines() >= 3);
        fs::remove_file(run.file("lock")).unwrap();
        must_say(&refused(run.resume(1)), &["another process is working on this run"]);
        let before = run.lines();
        session.wait_until(|| run.lines() > before);
        assert!(session.kill(), "it does not go on");
        let before = run.lines();
        let mut session = Tune::start(run.resume(2));
        session.wait_until(|| run.lines() > before);
        assert!(session.kill(), "it does not go on");
    }
}
