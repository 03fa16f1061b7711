//! Positions and moves as other programs write them, and as people paste them.

use super::support::{document, file, refusal, spar, spar_with, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The count of `spar perft` for the arguments that name a position.
fn perft(fen: &str, game: &str) -> Vec<String> {
    let mut arguments = vec!["perft".into(), "--depth".into(), "0".into(), "--json".into()];
    arguments.extend(["--fen".into(), fen.into()]);
    if !game.is_empty() {
        arguments.extend(["--game".into(), game.into()]);
    }
    arguments
}

/// The rows of the book's table of positions.
fn table() -> Vec<[String; 4]> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/notations.md");
    let text = fs::read_to_string(book).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `")).skip(1);
    let cells = |line: &str| {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
        cells.try_into().unwrap()
    };
    rows.map(cells).collect()
}

#[test]
fn every_row_of_the_book_holds() {
    let rows = table();
    assert!(rows.len() > 20);
    for [fen, game, _, wanted] in rows {
        let mut command = spar_with(perft(&fen, &game));
        match wanted.strip_prefix("refused: ") {
            Some(words) => assert!(refusal(command).contains(words), "{fen}: {words}"),
            None => assert_eq!(document(&mut command)["fen"], wanted, "{fen}"),
        }
    }
}

#[test]
fn a_position_may_begin_with_a_blocked_square() {
    let fen = "-5o/7/7/7/7/7/o5- o 0 1";
    assert_eq!(document(&mut spar_with(perft(fen, "ataxx")))["fen"], fen);
    let unfinished = refusal(spar_with(["perft", "--depth", "1", "--fen"]));
    assert!(unfinished.contains("a value is required for '--fen"), "{unfinished}");
}

#[test]
fn what_a_position_leaves_open_is_said() {
    let notes = |fen: &str, game: &str| stderr(&spar_with(perft(fen, game)).output().unwrap());
    assert!(notes("x5o/7/7/7/7/7/o5x x 0 1", "").contains("read as ataxx"));
    assert!(notes("x5o/7/7/7/7/7/o5x", "ataxx").contains("no side to move, so x begins"));
    assert_eq!(notes("x5o/7/7/7/7/7/o5x x 0 1", "ataxx"), "");
    let both = refusal(spar_with(perft("ppppppp/ppppppp/7/7/7/PPPPPPP/PPPPPPP w", "")));
    assert!(both.contains("--game breakthrough or --game ataxx"), "{both}");
}

#[test]
fn counters_are_kept_and_counted_on() {
    let found = |arguments: &[&str]| document(&mut spar_with(arguments))["fen"].clone();
    let fen = "x5o/7/7/7/7/7/o5x x 3 9";
    let moves = "g1e1 a1a3";
    assert_eq!(
        found(&["perft", "--json", "--depth", "0", "--fen", fen, "--moves", moves]),
        "x5o/7/7/7/o6/7/4x2 x 5 10"
    );
    let white = "8/8/8/1p6/P7/8/8/8 w - - 3 9";
    assert_eq!(
        found(&["analyze", "--json", "--depth", "1", "--fen", white, "--moves", "a4a5"]),
        "8/8/8/Pp6/8/8/8/8 b - - 4 9"
    );
    let features = found(&["features", "--json", "--fen", white, "--moves", "a4xb5*"]);
    assert_eq!(features, "8/8/8/1P6/8/8/8/8 b - - 0 9");
    let typed = "fen\na4-a5\nfen\nundo\nfen\nsave SAVED\nnew\nload SAVED\nfen\n";
    let (_folder, path) = file("saved.json");
    let typed = typed.replace("SAVED", path.to_str().unwrap());
    let mut play = spar_with(["play", "--side", "both", "--fen", white]);
    let said = stdout(&play.write_stdin(typed).output().unwrap());
    assert_eq!(said.matches("8/8/8/1p6/P7/8/8/8 w - - 3 9").count(), 3, "{said}");
    assert_eq!(said.matches("8/8/8/Pp6/8/8/8/8 b - - 4 9").count(), 1, "{said}");
}

/// A game of an export can be pasted back, headers and all.
#[test]
fn exported_games_are_read_back() {
    let (folder, path) = file("games.jsonl");
    let place = path.to_str().unwrap();
    for arguments in ["zhu piece --board 5x5", "hand piece --game ataxx --board 5x5"] {
        let run = format!("match {arguments} --nodes 40 --pairs 1 --force --save {place}");
        assert!(spar(&run).output().unwrap().status.success());
        let exported = folder.path().join("games.pgn");
        let export = ["export", place, "--games", "pgn-like", "--force", "-o"];
        let output = spar_with(export).arg(&exported).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let text = fs::read_to_string(&exported).unwrap();
        let game = format!("[Event{}", text.split("[Event").nth(1).unwrap());
        let shown = document(&mut spar_with(["show", place, "--game", "1", "--json"]));
        let last = shown["positions"].as_array().unwrap().last().unwrap()["fen"].clone();
        let read = |moves: &str, more: &[&str]| -> Value {
            let perft = ["perft", "--depth", "0", "--json", "--moves", moves];
            document(&mut spar_with(perft.iter().chain(more)))["fen"].clone()
        };
        let rows = |fen: &Value| fen.as_str().unwrap().split(' ').next().unwrap().to_owned();
        assert_eq!(rows(&read(&game, &[])), rows(&last), "{game}");
        let refused = refusal(spar_with(["perft", "--depth", "0", "--moves", &text]));
        assert!(refused.contains("follows the result"), "{refused}");
    }
}

#[test]
fn the_headers_of_a_pasted_game_name_what_is_played_or_are_refused() {
    let read = |moves: &str, more: &[&str]| {
        let mut command = spar_with(["perft", "--depth", "0", "--json", "--moves", moves]);
        command.args(more);
        command
    };
    let found = document(&mut read("[Variant \"ataxx\"]\n[Board \"5x5\"]\n\n1. e2 *", &[]));
    assert_eq!((&found["game"], &found["board"]), (&"ataxx".into(), &"5x5".into()), "{found:#}");
    let found = document(&mut read("[Variant \"Ataxx5x5\"]\n\n1. e2 *", &[]));
    assert_eq!((&found["game"], &found["board"]), (&"ataxx".into(), &"5x5".into()), "{found:#}");
    let fen = "[FEN \"p7/8/8/8/8/8/P7/8 w - - 0 1\"] a2a3";
    for (moves, more, words) in [
        ("[Variant \"Crazyhouse\"]\n\n1. a2a3 *", &[][..], "`Crazyhouse`"),
        ("[Variant \"ataxx\"]\n\n1. a2a3 *", &["--game", "breakthrough"], "--game ataxx"),
        ("[Variant \"ataxx5x5\"]\n\n1. e2 *", &["--board", "7x7"], "--board 5x5"),
        (fen, &["--fen", "startpos"], "another position"),
    ] {
        let refused = refusal(read(moves, more));
        assert!(refused.contains("--moves") && refused.contains(words), "{moves}: {refused}");
    }
}

#[test]
fn lists_of_numbers_may_have_brackets() {
    let stats = |pairs: &str, sprt: &str| {
        document(&mut spar_with(["stats", "--json", "--pairs", pairs, "--sprt", sprt]))
    };
    let plain = stats("73,73,433,234,687", "0,5");
    assert_eq!(stats("[73, 73, 433, 234, 687]", "[0,5]"), plain);
    assert_eq!(stats("(73, 73, 433, 234, 687)", "[0.00, 5.00]"), plain);
}

#[test]
fn wins_draws_and_losses_are_read_as_independent_games() {
    let stats =
        |arguments: [&str; 2]| spar_with(["stats", "--sprt", "0,10"].iter().chain(&arguments));
    let wanted = document(stats(["--wdl", "400,300,300"]).arg("--json"));
    assert_eq!([&wanted["games"], &wanted["draws"]], [1000, 300]);
    assert_eq!((&wanted["pairs"], &wanted["score"]), (&Value::Null, &Value::from(0.55)));
    assert!((wanted["elo_error"].as_f64().unwrap() - 18.085).abs() < 0.01, "{wanted}");
    for games in ["[400, 300, 300]", "+400 -300 =300"] {
        assert_eq!(document(stats(["--pairs", games]).arg("--json")), wanted, "{games}");
    }
    let text = stdout(&stats(["--pairs", "400,300,300"]).output().unwrap());
    assert!(text.contains("pairs    unknown") && text.contains("W 400  D 300  L 300"), "{text}");
    for games in ["100-50-30", "100/50/30"] {
        let refused = refusal(stats(["--pairs", games]));
        assert!(refused.contains("W-L-D or W-D-L"), "{games}: {refused}");
    }
}

#[test]
fn whole_numbers_of_a_set_may_be_spelled_as_floats() {
    let (folder, path) = file("float.json");
    let made = format!("weights new float --from spsa -o {}", path.display());
    assert!(spar(&made).output().unwrap().status.success());
    let text = fs::read_to_string(&path).unwrap();
    let piece = text.lines().find(|line| line.contains("\"piece\"")).unwrap();
    let number: i64 = piece.trim_matches([' ', ',']).rsplit(' ').next().unwrap().parse().unwrap();
    for spelled in [format!("{number}.0"), format!("{number}e0"), format!("{number}0e-1")] {
        let other = folder.path().join("other.json");
        let changed = text
            .replace(piece, &format!("\"piece\": {spelled},"))
            .replace("\"scale\": 1,", "\"scale\": 1e0,");
        fs::write(&other, changed).unwrap();
        let other = other.to_str().unwrap();
        let checked = spar_with(["weights", "check", other]).output().unwrap();
        assert!(checked.status.success(), "{spelled}: {}", stderr(&checked));
        let same = spar_with(["weights", "diff", other, path.to_str().unwrap(), "--json"]);
        let found = document(&mut { same });
        assert!(found.to_string().matches("piece").count() == 0, "{found}");
    }
}
