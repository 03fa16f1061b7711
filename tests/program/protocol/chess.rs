//! Chess and Chess960: rules alone, played by external engines, from random openings and books.

use super::support::{document, games, spar, stderr};
use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;

/// The small chess engine with this seed, and perhaps a log, as a player.
fn small(seed: u32, log: Option<&Path>) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/chess_engine.py");
    let log = log.map_or(String::new(), |log| format!(" '{}'", log.display()));
    format!("cmd:python3 '{script}' {seed}{log}")
}

fn text(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn plain(arguments: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.args(arguments);
    command
}

#[test]
fn lines_are_counted_from_the_start_and_from_positions() {
    let count = |arguments: &str| {
        let words: Vec<&str> = arguments.split(' ').collect();
        let found =
            document(&plain(&[&["perft", "--json"], &words[..]].concat()).output().unwrap());
        (found["game"].as_str().unwrap().to_owned(), found["nodes"].as_u64().unwrap())
    };
    assert_eq!(count("--game chess --depth 5"), ("chess".into(), 4_865_609));
    let free = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let fen = |game: &[&str], fen: &str| {
        let command = plain(&[&["perft", "--depth", "3", "--fen", fen], game].concat()).output();
        command.unwrap()
    };
    let output = fen(&["--game", "chess960", "--json"], free);
    assert_eq!(document(&output)["nodes"], 12_189);
    // The position implies the game, but Chess960 must be named.
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(document(&fen(&["--json"], kiwipete))["nodes"], 97_862);
    let output = fen(&[], free);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--game chess960"), "{}", stderr(&output));
}

#[test]
fn what_needs_an_engine_of_ours_is_refused() {
    for command in [
        &["play"][..],
        &["analyze", "--depth", "3"],
        &["solve"],
        &["book", "build", "-o", "no.json"],
        &["features"],
        &["bench"],
        &["tune", "--games", "10"],
        &["generate", "no.bin"],
        &["weights", "new", "no.json"],
        &["weights", "show", "zhu"],
        &["weights", "diff", "zhu", "piece"],
        &["weights", "export", "zhu", "--to", "json"],
        &["uci"],
        &["match", "zhu", "piece"],
        &["tournament", "zhu", "piece"],
    ] {
        let output = plain(&[command, &["--game", "chess"]].concat()).output().unwrap();
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {error}");
        let words = ["rules alone", "cmd:A cmd:B --game chess"];
        assert!(words.iter().all(|word| error.contains(word)), "{command:?}: {error}");
        assert!(!error.contains("panicked"), "{command:?}: {error}");
    }
    assert!(!Path::new("no.bin").exists() && !Path::new("no.json").exists());
}

/// Plays a match into a run and returns its folder.
fn run(folder: &Path, players: [&str; 2], more: &str) -> (std::path::PathBuf, Value) {
    let run = folder.join("run");
    let mut command = plain(&["match", players[0], players[1], "--threads", "2", "--json"]);
    command.args(["--run", run.to_str().unwrap()]).args(more.split_whitespace());
    let found = document(&command.output().unwrap());
    (run, found)
}

#[test]
fn a_match_is_played_shown_and_written_as_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let more = "--game chess --nodes 10 --pairs 2";
    let (run, found) = run(folder.path(), [&small(1, Some(&log)), &small(2, None)], more);
    assert_eq!((&found["forfeits"], &found["games"]), (&serde_json::json!([0, 0]), &4.into()));
    assert_eq!(found["openings"]["plies"], 8);
    let heard = std::fs::read_to_string(&log).unwrap();
    assert!(heard.contains("\nposition startpos moves ") && !heard.contains("Chess960"), "{heard}");
    let run = run.to_str().unwrap();
    let list = text(&mut plain(&["show", run]));
    assert_eq!(list.lines().count(), 5, "{list}");
    let shown = text(&mut plain(&["show", run, "--game", "1"]));
    assert!(shown.contains("ply 8") && shown.contains("\n 8  "), "{shown}");
    let pgn = text(&mut plain(&["export", run, "--games", "pgn"]));
    assert!(pgn.contains("\n1. ") && !pgn.contains("[FEN") && !pgn.contains("[Variant"), "{pgn}");
    assert!(pgn.contains("[TimeControl \"10 nodes a move\"]"), "{pgn}");
}

#[test]
fn chess960_begins_with_starts_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let (log, saved) = (folder.path().join("log"), folder.path().join("games.jsonl"));
    let more = format!("--game chess960 --nodes 10 --pairs 3 --json --save {}", saved.display());
    let players = [small(1, Some(&log)), small(2, None)];
    let output = spar("match", &[&players[0], &players[1]], &more).output().unwrap();
    assert_eq!(document(&output)["forfeits"], serde_json::json!([0, 0]));
    let heard = std::fs::read_to_string(&log).unwrap();
    assert!(heard.contains("setoption name UCI_Chess960 value true"), "{heard}");
    let games = games(&saved);
    let starts: Vec<&str> = games.iter().map(|game| game["start"].as_str().unwrap()).collect();
    assert!(starts[0] == starts[1] && starts[1] != starts[2], "{starts:?}");
    let begin =
        format!("position fen {} moves {} ", starts[0], games[0]["opening"].as_str().unwrap());
    assert!(heard.contains(&begin), "{begin}: {heard}");
    let pgn = text(&mut plain(&["export", saved.to_str().unwrap(), "--games", "pgn"]));
    let tags = ["[Variant \"fischerandom\"]", "[SetUp \"1\"]", "[FEN "];
    assert!(tags.iter().all(|tag| pgn.matches(tag).count() == 6), "{pgn}");
}

#[test]
fn a_book_decides_the_openings_and_may_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let lines = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0; fmvn 1;",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - bm d5;",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
    ];
    std::fs::write(&book, lines.join("\n")).unwrap();
    let more = format!("--game chess --nodes 10 --pairs 2 --book {}", book.display());
    let (run, found) = run(folder.path(), [&small(1, None), &small(2, None)], &more);
    assert_eq!(found["distinct_pairs"], 2, "the third line is the second one: {found:#}");
    assert!(found["openings"]["book"]["path"].as_str().unwrap().ends_with("book.epd"));
    let pgn = text(&mut plain(&["export", run.to_str().unwrap(), "--games", "pgn"]));
    assert!(pgn.matches("[SetUp \"1\"]").count() == 4 && pgn.contains("\n1... "), "{pgn}");
    // Without its last pair on record, a resume asks for the book again.
    let journal = run.join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let kept: Vec<&str> = text.lines().collect();
    std::fs::write(&journal, format!("{}\n", kept[..kept.len() - 1].join("\n"))).unwrap();
    std::fs::write(&book, lines[..2].join("\n")).unwrap();
    let resumed = plain(&["resume", run.to_str().unwrap()]).output().unwrap();
    assert_eq!(resumed.status.code(), Some(2), "{}", stderr(&resumed));
    assert!(stderr(&resumed).contains("has changed since"), "{}", stderr(&resumed));
    std::fs::write(&book, lines.join("\n")).unwrap();
    let resumed = plain(&["resume", run.to_str().unwrap(), "--json"]).output().unwrap();
    let mut again = document(&resumed);
    for (key, value) in found.as_object().unwrap() {
        let is_time = matches!(key.as_str(), "seconds" | "report");
        assert!(is_time || again[key].take() == *value, "{key}");
    }
}

#[test]
fn our_own_games_take_books_too() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.txt");
    std::fs::write(&book, "startpos moves a2a3 h7h6\nstartpos moves b2b3\n").unwrap();
    let saved = folder.path().join("games.jsonl");
    let more =
        format!("--nodes 50 --pairs 2 --json --book {} --save {}", book.display(), saved.display());
    document(&spar("match", &["zhu", "piece"], &more).output().unwrap());
    let mut openings: Vec<String> =
        games(&saved).iter().map(|game| game["opening"].as_str().unwrap().to_owned()).collect();
    openings.sort();
    assert_eq!(openings, ["a2a3 h7h6", "a2a3 h7h6", "b2b3", "b2b3"]);
    std::fs::write(&book, "startpos moves a2a5\n").unwrap();
    let output = spar("match", &["zhu", "piece"], &more).output().unwrap();
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("book.txt`, line 1") && error.contains("illegal"), "{error}");
}

/// Engines that move alike play the same games again; the repeats carry no information.
#[test]
fn a_pair_that_is_equal_to_an_earlier_one_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.txt");
    std::fs::write(&book, "startpos moves e2e4\nstartpos moves d2d4 d7d5\n").unwrap();
    let more = format!("--game chess --nodes 10 --pairs 5 --book {}", book.display());
    let (run, found) = run(folder.path(), [&small(1, None), &small(2, None)], &more);
    assert_eq!(
        (&found["distinct"], &found["void"], &found["games"]),
        (&2.into(), &0.into(), &4.into())
    );
    let run = run.to_str().unwrap();
    assert_eq!(text(&mut plain(&["show", run])).lines().count(), 11);
    let shown = text(&mut plain(&["resume", run]));
    assert!(shown.contains("2 different of 5"), "{shown}");
    let page = std::fs::read_to_string(Path::new(run).join("report.html")).unwrap();
    assert!(page.contains("\"repeats\":3"));
}

#[test]
#[ignore = "needs python-chess, which tests/run.sh installs"]
fn python_chess_reads_our_games() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "r3k2r/8/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 9\n").unwrap();
    for (number, more) in
        ["--game chess", "--game chess960", &format!("--game chess --book {}", book.display())]
            .into_iter()
            .enumerate()
    {
        let pgn = folder.path().join(format!("{number}.pgn"));
        let more = format!("{more} --nodes 10 --pairs 3 --json --pgn {}", pgn.display());
        document(&spar("match", &[&small(1, None), &small(2, None)], &more).output().unwrap());
        let peers = std::env::var("SPARRING_PEERS").expect("the folder of peers");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/read_pgn.py");
        let output = std::process::Command::new("python3")
            .env("PYTHONPATH", Path::new(&peers).join("python"))
            .args([script, pgn.to_str().unwrap(), "6"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
