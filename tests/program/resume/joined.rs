//! A joined tune stops if the positions of its fit are gone, and continues exactly once they are
//! back.

use super::harness::{Run, Setup, Tune, text};
use std::fs;

/// The fit has many games, on many lines of the journal.
static JOINED: Setup = Setup::new(
    "--method joined --board 5x5 --games 1700 --fit-games 1600 --fit-plies 4 --batch 10 --nodes 200 \
     --validation-pairs 16 --yardstick-pairs 4 --seed 12",
);
/// 16 random plies decide nearly every game on this board, so the fit finds no scale.
static NOTHING_TO_FIT: Setup = Setup::new(
    "--method joined --board 5x5 --games 464 --fit-games 64 --fit-plies 16 --batch 5 --nodes 60 \
     --validation-pairs 16 --yardstick-pairs 4 --seed 12",
);

const POSITIONS: &str = "positions-1.pos";

/// A run that the user interrupted during the games of its fit.
fn stopped_before_the_fit() -> Run {
    let run = Run::new(&JOINED);
    let mut session = Tune::start(run.tune(2));
    session.wait_until(|| run.lines() >= 3);
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(!run.journal_has("\"fit\""), "it came too far");
    run
}

/// Resumes a run whose positions are missing: it plays nothing and makes no file.
fn must_miss_positions(run: &Run) {
    let journal = fs::read(run.file("journal.jsonl")).unwrap();
    for _ in 0..2 {
        let output = run.resume(2).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(POSITIONS) && said.contains("restore the file"), "{said}");
        assert!(!run.file(POSITIONS).exists());
        assert!(fs::read(run.file("journal.jsonl")).unwrap() == journal);
    }
}

#[test]
fn positions_that_are_moved_away_between_stop_and_resume_are_missed() {
    let run = stopped_before_the_fit();
    let elsewhere = run.path().with_extension("pos");
    fs::rename(run.file(POSITIONS), &elsewhere).unwrap();
    must_miss_positions(&run);
    fs::rename(&elsewhere, run.file(POSITIONS)).unwrap();
    run.must_finish_exactly(2);
}

#[test]
fn the_copy_of_a_run_whose_positions_were_copied_before_its_journal_is_mended() {
    let run = stopped_before_the_fit();
    let positions = fs::read(run.file(POSITIONS)).unwrap();
    fs::write(run.file(POSITIONS), &positions[..positions.len() / 2]).unwrap();
    let output = run.resume(2).output().unwrap();
    assert!(text(&output.stderr).contains("spar resume --mend"), "{}", text(&output.stderr));
    let mut mend = run.resume(2);
    let output = mend.arg("--mend").output().unwrap();
    run.outcome(&output).must_equal(JOINED.reference());
}

#[test]
fn positions_that_are_moved_or_copied_under_a_running_tune_stop_it() {
    for copied_back in [false, true] {
        let run = Run::new(&JOINED);
        let elsewhere = run.path().with_extension("pos");
        let mut session = Tune::start(run.tune(2));
        session.wait_until(|| run.lines() >= 3);
        fs::rename(run.file(POSITIONS), &elsewhere).unwrap();
        if copied_back {
            fs::copy(&elsewhere, run.file(POSITIONS)).unwrap();
        }
        let (status, said) = session.end();
        assert_eq!(status.code(), Some(1), "{said}");
        assert!(said.contains(POSITIONS) && said.contains("put it back and resume"), "{said}");
        assert!(said.contains("spar resume"), "{said}");
        assert!(!run.journal_has("\"fit\"") && !run.journal_has("\"failure\""));
        if !copied_back {
            must_miss_positions(&run);
            fs::copy(&elsewhere, run.file(POSITIONS)).unwrap();
        }
        run.must_finish_exactly(2);
    }
}

#[test]
fn a_run_that_has_nothing_to_fit_finds_the_same_when_it_is_resumed() {
    let run = Run::new(&NOTHING_TO_FIT);
    let mut session = Tune::start(run.tune(2));
    session.wait_until(|| run.lines() >= 6);
    assert!(session.kill(), "it ended before it was killed");
    assert!(run.journal_has("\"stage\":\"tune\"") && !run.journal_has("\"fit\""));
    let elsewhere = run.path().with_extension("pos");
    fs::rename(run.file(POSITIONS), &elsewhere).unwrap();
    must_miss_positions(&run);
    fs::rename(&elsewhere, run.file(POSITIONS)).unwrap();
    run.must_finish_exactly(1);
}
