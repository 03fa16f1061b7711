//! Matches of engines that do not play say so, and give no verdict without a warning.

use super::support::{document, engine, spar, stderr};
use assert_cmd::Command;
use serde_json::{Value, json};
use std::path::Path;

/// The program with a state folder of its own for the user, and a run there.
fn spar_in(folder: &Path, arguments: &str) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.args(arguments.split_whitespace()).env("XDG_STATE_HOME", folder);
    command
}

#[test]
fn an_engine_that_never_moves_ends_the_match() {
    let play = |more: &str| {
        let more = format!("--nodes 50 --threads 1 {more}");
        spar("match", &["zhu", &engine("never", None)], &more).output().unwrap()
    };
    let output = play("--pairs 50 --sprt=-40,40");
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    for word in ["engine `Scripted`", "never made a legal move", "(none)", "--forfeit-limit 0"] {
        assert!(error.contains(word), "{word}: {error}");
    }
    let found = document(&play("--pairs 3 --json --forfeit-limit 0"));
    assert_eq!((&found["forfeits"], &found["forfeited_pairs"]), (&json!([0, 6]), &3.into()));
}

#[test]
fn many_forfeits_in_a_row_end_a_match_a_tournament_and_a_tune() {
    let folder = tempfile::tempdir().unwrap();
    let bad = engine("illegal", None);
    let of = |name: &str| folder.path().join(name).display().to_string();
    for (name, mut command) in [
        ("match", spar_in(folder.path(), "match zhu")),
        ("tournament", spar_in(folder.path(), "tournament zhu piece")),
    ] {
        command.arg(&bad).args(["--pairs", "50", "--nodes", "50", "--threads", "2"]);
        command.args(["--run", &of(name)]);
        let output = command.output().unwrap();
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {error}");
        assert!(error.contains("10 games in a row") && error.contains("spar resume"), "{error}");
    }
    // Forfeited games stay on record, and the user may continue the run.
    let resume = |more: &str| {
        let mut command = spar_in(folder.path(), &format!("resume {} {more}", of("match")));
        command.output().unwrap()
    };
    assert_eq!(resume("").status.code(), Some(1));
    let found = document(&resume("--forfeit-limit 0 --json"));
    assert_eq!(found["forfeits"], json!([0, 100]));

    let tune = "tune --nodes 60 --games 100 --batch 20 --only danger --validation-pairs 4 \
        --method spsa --opponent-share 1 --threads 2";
    let tune = |name: &str, more: &str| {
        let mut command = spar_in(folder.path(), &format!("{tune} {more}"));
        command.args(["--opponent", &bad, "--run", &of(name)]).output().unwrap()
    };
    let output = tune("tune", "");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("10 games in a row"), "{}", stderr(&output));
    let found = document(&tune("on", "--forfeit-limit 0 --json"));
    assert!(found["accepted"].is_boolean());
    let report = spar_in(folder.path(), &format!("report {} --json", of("on"))).output().unwrap();
    assert!(document(&report)["forfeited_pairs"].as_u64() > Some(20));
}

#[test]
fn a_verdict_says_what_share_of_it_rests_on_forfeits() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run").display().to_string();
    let mut command = spar_in(folder.path(), "match zhu --pairs 3 --nodes 50 --threads 1 --run");
    let output = command.arg(&run).arg(engine("illegal", None)).output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.contains("100.0 % of the pairs rest on forfeits"), "{text}");
    let found =
        document(&spar_in(folder.path(), &format!("report {run} --json")).output().unwrap());
    assert_eq!(found["forfeited_pairs"], 3);
    let warned = |found: &Value| found["warning"].as_str().is_some_and(|w| w.contains("forfeits"));
    assert!(warned(&found), "{found:#}");
    let page = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    assert!(page.contains("rest on forfeits"), "{page}");
    let good = engine("good", None);
    let found = document(&spar("match", &["zhu", &good], "--pairs 1 --json").output().unwrap());
    assert_eq!((&found["forfeited_pairs"], &found["warning"]), (&0.into(), &Value::Null));
}

#[test]
fn a_tune_whose_pairs_are_all_void_has_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let knobs = folder.path().join("knobs.txt");
    // These values end the engine in each game.
    std::fs::write(&knobs, "Trap, int, 8, 7, 9, 1, 0.002\n").unwrap();
    for (name, more) in [("few", "--games 8"), ("regardless", "--games 24 --forfeit-limit 0")] {
        let run = folder.path().join(name);
        let more = format!("{more} --batch 1 --nodes 50 --validation-pairs 2 --threads 1");
        let mut command =
            super::knobs::tune(&run, Some(&super::knobs::engine("good", None)), &more);
        let mut again = spar_in(Path::new(env!("CARGO_TARGET_TMPDIR")), "resume --json");
        let found = [command.arg("--knobs").arg(&knobs), again.arg(&run)].map(|command| {
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{name}: {}", stderr(&output));
            let found: Value = serde_json::from_slice(&output.stdout).unwrap();
            let journal = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
            (found["error"]["reason"].as_str().unwrap().to_owned(), journal)
        });
        let reason = &found[0].0;
        assert!(reason.contains("void") && reason.contains("the engine forfeited"), "{reason}");
        assert_eq!(found[0], found[1], "{name}");
        assert!(!run.join("answer.json").exists(), "{name}");
    }
}
