//! Tunes that learn against external engines.

use super::support::{document, engine, stderr};
use super::trust::spar;
use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// `spar tune` of two weights against these opponents.
fn tune(run: &Path, opponents: &[&str], more: &str) -> Command {
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    command.args(["tune", "--json", "--run"]).arg(run);
    command.args(
        "--nodes 60 --games 60 --batch 5 --only danger,attack --validation-pairs 4".split(' '),
    );
    for opponent in opponents {
        command.args(["--opponent", opponent]);
    }
    command.args(more.split_whitespace());
    command
}

/// Our own engine over the protocol, which always plays the same.
fn peer() -> String {
    format!(
        "cmd:'{}' uci --weights piece --hash 1",
        assert_cmd::cargo::cargo_bin!("spar").display()
    )
}

/// The record of a run without its times.
fn record(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("time");
        line
    };
    text.lines().map(line).collect()
}

/// The games of a run.
fn games(run: &Path) -> Vec<Value> {
    let path = run.join("games.jsonl.zst");
    let text = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
    String::from_utf8(text)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn both_sides_of_a_trial_meet_the_same_engine() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<PathBuf> = ["one", "two"].map(|name| folder.path().join(name)).into();
    for (run, threads) in runs.iter().zip(["1", "2"]) {
        let more = format!("--opponent-share 0.32 --threads {threads}");
        document(&tune(run, &[&peer(), &peer()], &more).output().unwrap());
    }
    assert_eq!(record(&runs[0]), record(&runs[1]), "the number of threads changes nothing");

    let games = games(&runs[0]);
    let of_opponents = |game: &&Value| game["players"].to_string().contains("Sparring");
    let met: Vec<&Value> = games.iter().filter(of_opponents).collect();
    assert_eq!(met.len(), 16, "0.32 of 25 pairs, the probes and the validation left out");
    for pair in met.chunks(2) {
        let side = usize::from(pair[0]["players"][1].as_str().unwrap().starts_with("Sparring"));
        let others: Vec<&str> =
            pair.iter().map(|game| game["players"][1 - side].as_str().unwrap()).collect();
        assert!(others == ["plus", "minus"] || others == ["minus", "plus"], "{others:?}");
        assert_eq!(
            pair[0]["players"][side], pair[1]["players"][side],
            "the same engine, the same side"
        );
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["weights"][side], serde_json::json!([]));
    }
    for (name, side) in [("Sparring", 0), ("Sparring", 1)] {
        let plays = |game: &&&Value| game["players"][side].as_str().unwrap().starts_with(name);
        assert_eq!(met.iter().filter(plays).count(), 8, "each side in turn");
    }
}

#[test]
fn a_weight_set_as_an_opponent_plays_as_its_engine_over_the_wire() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.json");
    let mut piece = sparring::weights::find("piece", "breakthrough").unwrap();
    piece.set_one("mobility", 0).unwrap();
    piece.name = "mine".into();
    piece.save(&file).unwrap();
    let players = ["piece".to_owned(), file.display().to_string(), peer()];
    let mut found = Vec::new();
    for (number, player) in players.iter().enumerate() {
        let run = folder.path().join(number.to_string());
        document(&tune(&run, &[player], "--threads 2").output().unwrap());
        if number == 1 {
            // The run has kept a copy.
            std::fs::remove_file(&file).unwrap();
        }
        let mut points: Vec<Value> =
            record(&run).iter().map(|line| line["points"].clone()).collect();
        points.retain(|points| !points.is_null());
        let games = games(&run);
        let moves: Vec<Value> = games.iter().map(|game| game["moves"].clone()).collect();
        assert!(games.iter().any(|game| game["players"].to_string().contains("minus")));
        found.push((points, moves));
        let mut resume = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
        document(&resume.arg("resume").arg(&run).arg("--json").output().unwrap());
    }
    assert_eq!(found[0], found[1], "a file is as good as the shipped set");
    assert_eq!(found[0], found[2], "the engine plays the same by itself and over the wire");
}

#[test]
fn a_finished_run_is_shown_again_and_a_stopped_one_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    for run in [&whole, &cut] {
        document(&tune(run, &[&peer()], "--threads 2").output().unwrap());
    }
    let journal = cut.join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.lines().take(2).collect();
    std::fs::write(&journal, lines.join("\n") + "\n").unwrap();
    for run in [&whole, &cut] {
        let mut resume = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
        resume.arg("resume").arg(run).arg("--json");
        if *run == cut {
            resume.arg("--mend");
        }
        document(&resume.output().unwrap());
    }
    assert_eq!(record(&whole), record(&cut));
}

#[test]
fn an_engine_that_fails_forfeits_and_the_tune_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = "--opponent-share 1 --opponent-nodes 9 --threads 2 --forfeit-limit 0";
    let output = tune(&run, &[&engine("crash", None)], more).output().unwrap();
    document(&output);
    assert!(stderr(&output).contains("a game forfeited by Scripted"), "{}", stderr(&output));
    let forfeits: Vec<Value> =
        games(&run).into_iter().filter(|game| game["ending"] == "forfeit").collect();
    assert!(!forfeits.is_empty());
    assert!(
        forfeits
            .iter()
            .all(|game| game["forfeit"]["last_words"].as_array().is_some_and(|w| !w.is_empty()))
    );
}

#[test]
fn what_cannot_be_is_refused_before_a_run_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    for (opponents, more, wanted) in [
        (vec!["zuh".to_owned()], "", "breakthrough/zhu"),
        (vec!["cmd:/no/such/engine".to_owned()], "", "/no/such/engine"),
        (vec![peer()], "--opponent-share 0", "--opponent-share"),
        (vec![peer()], "--opponent-share 1.5", "--opponent-share"),
        (vec![peer()], "--opponent-option NoSuch=1", "NoSuch"),
        (vec![peer()], "--opponent-nodes 0", "nodes"),
        (vec![], "--method spsa --opponent-nodes 50", "name one with --opponent"),
    ] {
        let opponents: Vec<&str> = opponents.iter().map(String::as_str).collect();
        let output = tune(&run, &opponents, more).output().unwrap();
        assert!(!output.status.success(), "{more}: {}", stderr(&output));
        assert!(stderr(&output).contains(wanted), "{more}: {}", stderr(&output));
        assert!(!run.exists());
    }
    let mut logistic = assert_cmd::cargo::cargo_bin_cmd!("spar");
    let output =
        logistic.args(["tune", "--method", "logistic", "--opponent", &peer()]).output().unwrap();
    assert!(stderr(&output).contains("--opponent"), "{}", stderr(&output));
}
