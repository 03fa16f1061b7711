//! Ctrl-C once finishes the pairs in progress, twice ends at once; both say how to continue, and
//! the result stays the same.

use super::harness::{QUICK, Run, SLOW, Setup, Tune, text};
use serde_json::Value;
use std::fs;
use std::time::Instant;

/// The validation is most of the run; it takes place, since with such a gain the weights change.
static VALIDATION: Setup = Setup::new(
    "--board 8x8 --games 20 --batch 5 --a 1 --nodes 4000 --validation-pairs 20 --yardstick-pairs 0 --seed 14",
);
/// The matches against the yardsticks are most of the run.
static YARDSTICKS: Setup = Setup::new(
    "--board 8x8 --games 20 --batch 5 --a 1 --nodes 4000 --validation-pairs 0 --yardstick-pairs 12 --seed 14",
);

/// The first seconds of the run mostly measure the speed.
static TIMED: Setup = Setup::new("--board 5x5 --for 1000s --nodes 400 --seed 14");

/// Part of the line that is printed once signals are handled.
const READY: &str = " tunes ";

#[test]
fn interruptions_save_the_batch_and_change_nothing() {
    let mut run = Run::new(&QUICK);
    let mut interruptions = 0;
    while interruptions < 8 {
        let before = run.lines();
        let step = 1 + 5 * (interruptions % 4) as usize;
        let mut session = Tune::start(run.go_on(1 + interruptions % 3));
        session.listen_for(READY);
        session.wait_until(|| run.lines() >= before + step);
        session.press_ctrl_c();
        let (status, said) = session.end();
        run.check_journal();
        assert!(run.lines() > before, "a session that got nowhere: {said}");
        if run.has_result() {
            assert_eq!(status.code(), Some(0), "{said}");
            run.must_finish_exactly(1);
            run = Run::new(&QUICK);
        } else {
            assert_eq!(status.code(), Some(3), "{said}");
            assert!(said.contains(&format!("spar resume {}", run.path().display())), "{said}");
            interruptions += 1;
        }
    }
    run.must_finish_exactly(2);
}

#[test]
fn an_interruption_before_the_first_batch_changes_nothing() {
    let run = Run::killed_at(&QUICK, 3);
    let before = run.lines();
    // The signal comes while the journal is read, or while the first batches are played.
    for threads in 1..=3 {
        let mut session = Tune::start(run.resume(threads));
        session.listen_for(READY);
        session.press_ctrl_c();
        let (status, said) = session.end();
        assert_eq!(status.code(), Some(3), "{said}");
    }
    assert!(run.lines() >= before);
    run.must_finish_exactly(1);
}

#[test]
fn the_pairs_in_hand_are_finished_during_the_validation() {
    VALIDATION.reference();
    let run = Run::new(&VALIDATION);
    let mut session = Tune::start(run.tune(1));
    // Printed after the first pair.
    session.listen_for("now validating");
    session.press_ctrl_c();
    let signalled = Instant::now();
    let (status, said) = session.end();
    let took = signalled.elapsed();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(!run.journal_has("\"validate\""), "a whole batch was played: {said}");
    assert!((1..=8).contains(&unfinished_pairs(&run)), "{} pairs", unfinished_pairs(&run));
    assert!(took < VALIDATION.duration() / 2, "{took:?} of {:?}", VALIDATION.duration());
    // A second signal, in the rest of the batch, keeps the pairs of both sessions.
    let before = unfinished_pairs(&run);
    let mut session = Tune::start(run.resume(1));
    session.listen_for("now validating");
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(unfinished_pairs(&run) > before, "the pairs of the first were lost: {said}");
    run.must_finish_exactly(2);
}

#[test]
fn the_pairs_in_hand_of_a_yardsticks_match_are_finished_too() {
    let moment = YARDSTICKS.duration() / 20;
    let run = Run::new(&YARDSTICKS);
    let mut session = Tune::start(run.tune(1));
    session.listen_for(READY);
    // Interrupts the first match, at the larger limits, and the second, at the smaller ones; then
    // the third.
    session.wait_until(|| run.journal_has("\"yardstick\",\"batch\":1"));
    session.wait_for(moment);
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    let kept = fs::read_to_string(run.file("unfinished.json")).unwrap();
    assert!(kept.contains("\"yardstick\""), "{kept}");
    assert!((1..12).contains(&unfinished_pairs(&run)), "{} pairs", unfinished_pairs(&run));
    run.must_finish_exactly(2);
}

/// The pairs of unfinished batches that an interruption has kept.
fn unfinished_pairs(run: &Run) -> usize {
    let text = fs::read(run.file("unfinished.json")).unwrap();
    let kept: Value = serde_json::from_slice(&text).unwrap();
    let batches = kept["batches"].as_array().unwrap().iter();
    batches.map(|batch| batch["record"]["points"].as_array().unwrap().len()).sum()
}

#[test]
fn the_pairs_in_hand_are_finished_no_other_begins_and_none_is_lost() {
    let interrupted_after = |share: f64| {
        let run = Run::new(&SLOW);
        let mut session = Tune::start(run.tune(2));
        session.listen_for(READY);
        session.wait_for(SLOW.duration().mul_f64(share));
        session.press_ctrl_c();
        let (status, said) = session.end();
        // The start of the first pair and the end of the last one depend on the load of the
        // machine.
        if status.code() == Some(0) {
            return None;
        }
        assert_eq!(status.code(), Some(3), "{said}");
        let kept = unfinished_pairs(&run);
        (kept > 0).then_some((kept, run, said))
    };
    // Shares of the time of the whole run on one thread.
    let waits = [0.1, 0.05, 0.15, 0.2, 0.3, 0.5, 0.8, 1.5];
    let (kept, run, said) = waits.into_iter().find_map(interrupted_after).unwrap();
    assert!((1..16).contains(&kept), "{kept} pairs are kept: {said}");
    // A damaged file is refused; without the file the run continues.
    let good = fs::read(run.file("unfinished.json")).unwrap();
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 1;
    fs::write(run.file("unfinished.json"), bad).unwrap();
    let output = run.resume(1).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("unfinished.json"), "{}", text(&output.stderr));
    fs::write(run.file("unfinished.json"), good).unwrap();
    run.must_finish_exactly(2);
    assert!(!run.file("unfinished.json").exists());
}

#[test]
fn a_run_is_there_while_its_speed_is_measured() {
    for is_killed in [false, true] {
        let run = Run::new(&TIMED);
        let mut session = Tune::start(run.tune(2));
        session.listen_for("measuring the speed");
        assert!(run.file("manifest.json").exists());
        if is_killed {
            assert!(session.kill(), "it ended before it was killed");
        } else {
            session.press_ctrl_c();
            let (status, said) = session.end();
            assert_eq!(status.code(), Some(3), "{said}");
            assert!(said.contains(&format!("spar resume {}", run.path().display())), "{said}");
        }
        assert_eq!(run.lines(), 0);
        let mut session = Tune::start(run.resume(2));
        session.wait_until(|| run.lines() > 0);
        assert!(session.kill(), "it does not go on");
    }
}

#[test]
fn a_second_interruption_ends_at_once_and_changes_nothing() {
    let run = Run::new(&SLOW);
    let mut session = Tune::start(run.tune(1));
    session.listen_for(READY);
    session.press_ctrl_c();
    session.listen_for("press Ctrl-C again");
    // Signals that come together count as one.
    session.press_ctrl_c();
    session.wait_for(std::time::Duration::from_millis(400));
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(said.contains(&format!("spar resume {}", run.path().display())), "{said}");
    assert_eq!(run.lines(), 0, "a batch was finished: {said}");
    run.must_finish_exactly(2);
}

/// `timeout` sends its signal to the process, and then to the process group.
#[test]
fn two_signals_that_come_together_let_the_work_be_finished() {
    let run = Run::new(&SLOW);
    let mut session = Tune::start(run.tune(1));
    session.listen_for(READY);
    // Games are in progress then.
    session.wait_for(std::time::Duration::from_millis(100));
    session.signal_twice();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(said.contains("all finished work is kept"), "{said}");
    run.must_finish_exactly(2);
}
