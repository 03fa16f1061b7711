//! Ctrl-C once finishes the batch, twice ends at once; both say how to go on, and nothing changes.

use super::harness::{QUICK, Run, SLOW, Setup, Tune};

/// The validation is most of the run; there is one, since with such a gain the weights change.
static VALIDATION: Setup = Setup::new(
    "--board 5x5 --games 60 --batch 5 --a 1 --nodes 2000 --validation-pairs 100 --seed 14",
);

/// What is said once signals are taken care of.
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
fn the_batch_in_hand_is_finished_during_the_validation_too() {
    let run = Run::new(&VALIDATION);
    let mut session = Tune::start(run.tune(2));
    // This is said after the first pair.
    session.listen_for("now validating");
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(run.journal_has("\"validate\""), "the batch was dropped: {said}");
    run.must_finish_exactly(2);
}

#[test]
fn a_second_interruption_ends_at_once_and_changes_nothing() {
    let run = Run::new(&SLOW);
    let mut session = Tune::start(run.tune(1));
    session.listen_for(READY);
    session.press_ctrl_c();
    session.listen_for("press Ctrl-C again");
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(said.contains(&format!("spar resume {}", run.path().display())), "{said}");
    assert_eq!(run.lines(), 0, "a batch was finished: {said}");
    run.must_finish_exactly(2);
}
