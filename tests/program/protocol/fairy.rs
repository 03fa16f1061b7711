//! Programs of others, which `tests/run.sh` installs: Fairy-Stockfish plays in our matches, and
//! python-chess's client plays with our engine. A bare `cargo test` leaves these tests out.

use super::support::{document, games, spar};
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;

/// The folder that `tests/run.sh` installs the programs into.
fn peers() -> PathBuf {
    let folder = std::env::var_os("SPARRING_PEERS").map(PathBuf::from);
    folder.expect("`bash tests/run.sh` installs the programs and says where they are")
}

/// Fairy-Stockfish as a player.
fn fairy_stockfish() -> String {
    let script = peers().join("node_modules/fairy-stockfish-nnue.wasm/uci.js");
    assert!(script.exists(), "{}", script.display());
    format!("cmd:node --no-experimental-fetch '{}'", script.display())
}

/// It knows all that our rules know, in every game it plays: no game is forfeited by either side.
#[test]
#[ignore = "needs Fairy-Stockfish, which tests/run.sh installs"]
fn fairy_stockfish_plays_both_games_to_their_ends() {
    let fairy = fairy_stockfish();
    let folder = tempfile::tempdir().unwrap();
    for (game, set, plies) in [("breakthrough", "8x8", "8"), ("ataxx", "7x7", "3")] {
        let path = folder.path().join(format!("{game}.jsonl"));
        let more = format!(
            "--game {game} --pairs 2 --nodes 1000 --plies {plies} --threads 2 --timeout 120 --option-b Hash=4 --json \
             --save {}",
            path.display()
        );
        let found = document(&spar("match", &[set, &fairy], &more).output().unwrap());
        assert_eq!((&found["games"], &found["forfeits"]), (&json!(4), &json!([0, 0])), "{found:#}");
        assert!(
            found["players"][1]["name"].as_str().unwrap().starts_with("Fairy-Stockfish"),
            "{found:#}"
        );
        for game in games(&path) {
            assert_eq!(game["ending"], "rules", "{game}");
        }
    }
}

/// It can be among those that a tune learns from.
#[test]
#[ignore = "needs Fairy-Stockfish, which tests/run.sh installs"]
fn a_tune_meets_fairy_stockfish() {
    let fairy = fairy_stockfish();
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = format!(
        "--opponent-nodes 200 --opponent-option Hash=1 --opponent-share 1 --nodes 50 --games 24 --batch 3 --probes 0 \
         --method spsa --start atachiants --a 1 --validation-pairs 2 --only danger,attack --timeout 120 --threads 2 --json --run {}",
        run.display()
    );
    let found = document(&spar("tune", &["--opponent", &fairy], &more).output().unwrap());
    assert_eq!(found["games"], 28, "{found:#}");
}

#[test]
#[ignore = "needs python-chess, which tests/run.sh installs"]
fn python_chess_plays_with_our_engine() {
    let peers = peers();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/client.py");
    let program = assert_cmd::cargo::cargo_bin!("spar");
    let output = Command::new("python3")
        .env("PYTHONPATH", peers.join("python"))
        .arg(script)
        .arg(program)
        .arg("uci")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("plies"), "{told}");
}
