//! SIGKILL at any moment loses nothing and changes nothing.

use super::harness::{QUICK, Run, Setup, Tune};
use rand_mt::Mt64;
use std::time::Duration;

static AVERAGE: Setup = Setup::new(
    "--answer average --board 5x5 --games 600 --probes 1 --nodes 60 --validation-pairs 20 --seed 8",
);
/// Games, a fit and its match, then more matches: half of the pairs at smaller limits, and most of
/// those against weight sets.
static JOINED: Setup = Setup::new(
    "--method joined --board 5x5 --games 400 --fit-games 160 --fit-plies 4 --batch 10 --nodes 60 \
     --quick-share 0.5 --opponent piece --opponent zhu --opponent-share 0.4 --validation-pairs 20 \
     --seed 12",
);
/// The validation is most of the run; it takes place, since with such a gain the weights change.
static VALIDATION: Setup = Setup::new(
    "--board 5x5 --games 60 --batch 5 --a 1 --nodes 300 --validation-pairs 200 --seed 10",
);

/// A number below a limit.
fn below(dice: &mut Mt64, limit: u64) -> u64 {
    dice.next_u64() % limit
}

/// Kills runs this many times in all. It checks each finished run and begins another one.
pub(super) fn kill_and_resume(setup: &'static Setup, kills: u64, seed: u64) {
    let mut dice = Mt64::new(seed);
    let longest = setup.duration().mul_f64(0.7).as_micros() as u64;
    let mut run = Run::new(setup);
    let mut killed = 0;
    while killed < kills {
        let mut session = Tune::start(run.go_on(1 + below(&mut dice, 3)));
        session.wait_for(Duration::from_micros(below(&mut dice, longest)));
        killed += u64::from(session.kill());
        run.check_journal();
        if run.has_result() {
            run.must_finish_exactly(1);
            run = Run::new(setup);
        }
    }
    run.must_finish_exactly(2);
}

#[test]
fn threads_change_nothing() {
    for threads in [2, 3] {
        Run::new(&QUICK).must_finish_exactly(threads);
    }
}

#[test]
fn twenty_kills_at_random_moments_change_nothing() {
    kill_and_resume(&QUICK, 20, 1);
}

#[test]
fn kills_change_nothing_with_the_averaged_answer() {
    kill_and_resume(&AVERAGE, 8, 2);
}

#[test]
fn kills_change_nothing_in_a_fit_and_the_matches_after_it() {
    kill_and_resume(&JOINED, 8, 3);
}

#[test]
fn a_kill_after_every_few_batches_changes_nothing() {
    let mut dice = Mt64::new(4);
    let run = Run::new(&QUICK);
    while !run.has_result() {
        let target = run.lines() + 1 + below(&mut dice, 12) as usize;
        let mut session = Tune::start(run.go_on(1 + below(&mut dice, 3)));
        session.wait_until(|| run.lines() >= target);
        session.kill();
        run.check_journal();
    }
    run.must_finish_exactly(3);
}

#[test]
fn kills_during_the_validation_change_nothing() {
    let run = Run::new(&VALIDATION);
    let mut kills = 0;
    while !run.has_result() {
        let target = run.lines() + 1;
        let mut session = Tune::start(run.go_on(1 + kills % 3));
        session.wait_until(|| run.lines() >= target && run.journal_has("\"validate\""));
        kills += u64::from(session.kill() && !run.has_result());
        run.check_journal();
    }
    assert!(kills > 0, "no kill hit the validation");
    run.must_finish_exactly(2);
}
