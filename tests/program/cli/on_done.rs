//! `--on-done`: the variables that the command at the end gets.

use super::support::{spar_with, stderr};
use std::collections::BTreeMap;

/// Runs a command, and returns the variables that the one at its end gets, without their prefix.
fn told(arguments: &str) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("told");
    let on_done = format!("env > {}", file.display());
    let words = arguments.split(' ').chain(["--on-done", &on_done]);
    let output = spar_with(words).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read_to_string(file).unwrap();
    let variables = text.lines().filter_map(|line| line.strip_prefix("SPARRING_")?.split_once('='));
    variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn a_match_tells_its_elo() {
    let told = told("match zhu piece --board 5x5 --pairs 20 --nodes 200 --threads 2 --sprt 0,10");
    assert_eq!((&*told["COMMAND"], &*told["STATE"], &*told["GAMES"]), ("match", "done", "40"));
    for name in ["ELO", "ELO_ERROR", "ELO_LOW", "ELO_HIGH", "LLR"] {
        assert!(told[name].parse::<f64>().is_ok(), "{told:?}");
    }
}

#[test]
fn a_tournament_tells_its_winner() {
    let told = told("tournament random piece zhu --board 6x6 --pairs 8 --nodes 100 --threads 2");
    assert_eq!((&*told["COMMAND"], &*told["GAMES"]), ("tournament", "48"));
    assert_ne!(told["WINNER"], "breakthrough/random");
    assert!(told["ELO"].parse::<f64>().unwrap() > 0.0, "{told:?}");
    assert!(told.contains_key("ELO_ERROR") && told.contains_key("ELO_LOW"), "{told:?}");
}
