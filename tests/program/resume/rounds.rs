//! A tune in rounds resumes exactly like every run: games, fits, trainings and matches, killed at
//! any moment.

use super::harness::{Run, Setup, Tune, spar, text};
use super::kills::kill_and_resume;
use rand_mt::Mt64;
use serde_json::Value;
use sparring::run::RunDir;
use std::fs;

/// Four rounds, of which two gain and the third, the last one, does not; and a validation.
static ROUNDS: Setup = Setup::new(
    "--method logistic --board 5x5 --games 4500 --rounds 4 --nodes 60 --only piece,advance,mobility,tempo --clear-rest \
     --blend 0.3 --iterations 8 --penalties 10,1 --patience 1 --round-pairs 400 --validation-pairs 200 --seed 7",
);
/// A table, which does not gain from so few games: no validation.
static TABLE: Setup = Setup::new(
    "--method logistic --board 5x5 --games 900 --rounds 2 --nodes 60 --blend 0.5 --iterations 8 --penalties 10,1 \
     --round-pairs 60 --validation-pairs 60 --seed 7",
);
/// A network of two blocks of units.
static NETWORK: Setup = Setup::new(
    "--method network --board 5x5 --games 900 --rounds 2 --nodes 60 --units 40 --epochs 2 --round-pairs 40 \
     --validation-pairs 40 --seed 7",
);
/// A network beside the weights of the start.
static BESIDE: Setup = Setup::new(
    "--method network --beside-start --start hand --board 5x5 --games 600 --rounds 2 --nodes 60 --units 8 --epochs 1 \
     --round-pairs 40 --validation-pairs 40 --seed 7",
);

#[test]
fn rounds_are_the_same_on_any_number_of_threads() {
    for setup in [&ROUNDS, &TABLE, &NETWORK, &BESIDE] {
        for threads in [2, 3] {
            Run::new(setup).must_finish_exactly(threads);
        }
    }
}

#[test]
fn kills_at_random_moments_change_no_round() {
    kill_and_resume(&ROUNDS, 15, 21);
    kill_and_resume(&TABLE, 5, 22);
    kill_and_resume(&NETWORK, 10, 24);
    kill_and_resume(&BESIDE, 4, 26);
}

#[test]
fn a_kill_after_every_few_lines_changes_no_round() {
    let mut dice = Mt64::new(23);
    let run = Run::new(&ROUNDS);
    while !run.has_result() {
        let target = run.lines() + 1 + (dice.next_u64() % 25) as usize;
        let mut session = Tune::start(run.go_on(1 + dice.next_u64() % 3));
        session.wait_until(|| run.lines() >= target);
        session.kill();
        run.check_journal();
    }
    run.must_finish_exactly(2);
}

#[test]
fn interruptions_keep_the_games_in_hand_and_change_no_round() {
    let run = Run::new(&ROUNDS);
    for step in [1, 30, 60, 120] {
        let before = run.lines();
        let mut session = Tune::start(run.go_on(2));
        session.wait_until(|| run.lines() >= before + step);
        session.press_ctrl_c();
        let (status, said) = session.end();
        assert!(run.lines() > before, "a session that got nowhere: {said}");
        if status.code() == Some(0) {
            break;
        }
        assert_eq!(status.code(), Some(3), "{said}");
        assert!(said.contains("spar resume"), "{said}");
    }
    run.must_finish_exactly(1);
}

#[test]
fn the_fields_of_a_finished_run_are_there() {
    let run = Run::new(&ROUNDS);
    let output = run.tune(2).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in ["run", "weights", "games", "accepted", "elo", "elo_error", "seconds", "rounds"] {
        assert!(document.get(key).is_some(), "no `{key}`");
    }
    assert_eq!(document["accepted"], true, "{}", text(&output.stderr));
    let rounds = document["rounds"].as_array().unwrap();
    assert_eq!(
        rounds.iter().map(|round| &round["accepted"]).collect::<Vec<_>>(),
        [true, true, false]
    );
    // The first two rounds choose a penalty; the third reuses the second one's.
    let journal = fs::read_to_string(run.file("journal.jsonl")).unwrap();
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let fits: Vec<Value> = lines.filter_map(|line| line.get("fit").cloned()).collect();
    let penalties = |fit: &Value| {
        let trials = fit["trials"].as_array().unwrap().iter();
        trials.map(|trial| trial["penalty"].as_f64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(fits[..2].iter().map(penalties).collect::<Vec<_>>(), [[10.0, 1.0], [10.0, 1.0]]);
    let best = fits[1]["best"].as_u64().unwrap() as usize;
    assert_eq!(penalties(&fits[2]), [penalties(&fits[1])[best]]);
    let games = |round: &Value| {
        round["games"].as_u64().unwrap() + round["match"]["games"].as_u64().unwrap()
    };
    let validation = document["validation"]["games"].as_u64().unwrap();
    let yardsticks = document["yardsticks"].as_array().unwrap().iter();
    let measured: u64 = yardsticks.map(|one| one["match"]["games"].as_u64().unwrap()).sum();
    assert_eq!(document["games"], rounds.iter().map(games).sum::<u64>() + validation + measured);
    let weights: Value =
        serde_json::from_slice(&fs::read(run.file("weights.json")).unwrap()).unwrap();
    assert_eq!(weights["provenance"]["method"], "logistic");
    assert_eq!(
        (&weights["provenance"]["elo"], &weights["provenance"]["games"]),
        (&document["elo"], &document["games"])
    );
    // The report describes the rounds, in every form.
    let report = |args: &[&str]| {
        text(&spar().arg("report").arg(run.path()).args(args).output().unwrap().stdout)
    };
    let told: Value = serde_json::from_str(&report(&["--json"])).unwrap();
    assert_eq!((&told["state"], &told["rounds"]), (&"accepted".into(), &document["rounds"]));
    assert_eq!(report(&["--csv"]).lines().count(), 4);
    assert!(report(&[]).contains("not accepted"));
    let page = fs::read_to_string(run.file("report.html")).unwrap();
    assert!(page.contains("<h2>Rounds") && page.contains("loss before"), "{page}");
}

#[test]
fn a_report_of_unfinished_rounds_says_how_far_they_are() {
    for lines in [0, 5, 95, 110, 210] {
        let run = Run::new(&ROUNDS);
        let mut session = Tune::start(run.tune(2));
        session.wait_until(|| run.file("manifest.json").exists() && run.lines() >= lines);
        session.kill();
        let output = spar().arg("report").arg(run.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(
            run.has_result() || text(&output.stdout).contains("spar resume"),
            "{}",
            text(&output.stdout)
        );
    }
}

/// A run that was stopped in the match of its first round.
fn in_the_first_match() -> Run {
    let run = Run::new(&ROUNDS);
    let mut session = Tune::start(run.tune(2));
    session.wait_until(|| run.journal_has("\"stage\":\"round\""));
    session.kill();
    assert!(!run.has_result());
    run
}

fn refused(run: &Run, wanted: &str) {
    let output = run.resume(1).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains(wanted), "{wanted}: {said}");
}

#[test]
fn damaged_files_of_rounds_are_refused_or_made_again() {
    let run = in_the_first_match();
    let (set, positions) = (run.file("round-1.json"), run.file("positions-1.pos"));
    let original = fs::read(&set).unwrap();
    fs::write(&set, text(&original).replacen("\"tempo\": ", "\"tempo\": 1", 1)).unwrap();
    refused(&run, "has been edited");
    fs::remove_file(&set).unwrap();
    // The fit is repeated, but only from the right positions.
    let good = fs::read(&positions).unwrap();
    let mut bad = good.clone();
    let last = bad.len() - 3;
    bad[last] ^= 4;
    for (bytes, wanted) in [
        (bad, "edited or damaged"),
        (good[..good.len() - 1].to_vec(), "journal counts"),
        ([&good[..], &good[..16]].concat(), "longer"),
    ] {
        fs::write(&positions, bytes).unwrap();
        refused(&run, wanted);
    }
    fs::remove_file(&positions).unwrap();
    refused(&run, "positions-1.pos");
    fs::write(&positions, good).unwrap();
    run.must_finish_exactly(2);
    assert_eq!(fs::read(&set).unwrap(), original);
}

#[test]
fn what_a_kill_left_between_a_file_and_its_line_is_taken_away() {
    let run = Run::new(&ROUNDS);
    let mut session = Tune::start(run.tune(2));
    session.wait_until(|| run.lines() >= 2);
    session.kill();
    assert!(!run.journal_has("\"fit\""), "it came too far");
    let (set, positions) = (run.file("round-1.json"), run.file("positions-1.pos"));
    let open = || drop(RunDir::open(&run.path()).unwrap());
    open();
    let counted = fs::read(&positions).unwrap();
    fs::write(&positions, [&counted[..], &[7; 100]].concat()).unwrap();
    fs::write(&set, "half a set").unwrap();
    open();
    assert!(fs::read(&positions).unwrap() == counted && !set.exists());
    run.must_finish_exactly(2);
}

#[test]
fn a_full_disk_loses_no_round() {
    let run = Run::new(&TABLE);
    let mut ended = 0;
    for blocks in std::iter::successors(Some(16), |blocks| Some(blocks * 3 / 2)) {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"]);
        let command = run.go_on(2);
        let output = shell.arg(command.get_program()).args(command.get_args()).output().unwrap();
        run.check_journal();
        if output.status.success() {
            run.must_finish_exactly(1);
            break;
        }
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&run.path().display().to_string()), "{said}");
        ended += 1;
    }
    assert!(ended > 2, "the disk was full {ended} times only");
}
