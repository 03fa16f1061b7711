//! Our engine on both ends: `spar match` plays against `spar uci` and `spar uai`.

use super::support::{document, spar};
use serde_json::{Value, json};

/// A match of a set against an engine of our own with these arguments.
fn meet(set: &str, arguments: &str, more: &str) -> Value {
    let program = assert_cmd::cargo::cargo_bin!("spar");
    let engine = format!("cmd:'{}' {arguments}", program.display());
    let more = format!("--threads 2 --json {more}");
    let found = document(&spar("match", &[set, &engine], &more).output().unwrap());
    assert_eq!(found["forfeits"], json!([0, 0]), "{found:#}");
    found
}

/// With the same weights and nodes both play the same, so that a pair is one game played twice.
#[test]
fn the_engine_plays_the_same_over_the_wire() {
    for (board, arguments) in [
        ("8x8", "uci --weights zhu --hash 1"),
        ("6x6", "uai --game breakthrough --weights zhu --hash 1"),
    ] {
        let found = meet("zhu", arguments, &format!("--board {board} --pairs 3 --nodes 700"));
        assert_eq!(found["pairs"]["mid"], 3, "{board}: {found:#}");
        let nodes = |player: usize| found["players"][player]["nodes"].as_u64().unwrap();
        assert_eq!(nodes(0), nodes(1), "{board}: {found:#}");
    }
}

#[test]
fn options_go_over_the_wire() {
    let options = "--option-b Hash=1 --option-b EvalFile=piece --option-b piece=-100 --option-b razor_depth=0";
    let found = meet("piece", "uci", &format!("{options} --pairs 2 --nodes 300"));
    assert_eq!(found["pairs"]["ww"], 2, "an engine that throws its pieces away loses: {found:#}");
}

#[test]
fn time_limits_are_kept_over_the_wire() {
    let found = meet(
        "zhu",
        "uci --weights zhu --hash 1",
        "--board 5x5 --pairs 1 --movetime 30 --margin 1000",
    );
    assert_eq!(found["games"], 2);
}
