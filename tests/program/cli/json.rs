//! The documents that machines read.

use super::support::{document, json, run, spar_with, stderr, stdout};
use serde_json::Value;

fn has(document: &Value, fields: &[&str]) {
    for field in fields {
        assert!(document.get(field).is_some(), "{field} is missing in {document:#}");
    }
}

#[test]
fn perft_counts() {
    let counted = json("perft --game breakthrough --depth 4");
    assert_eq!(counted["nodes"], 256_036);
    assert!(counted["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(json("perft --board 6x6 --depth 0")["nodes"], 1);
    let divided = json("perft --depth 3 --divide");
    assert_eq!(divided["nodes"], 11_132);
    assert_eq!(divided["divide"].as_object().unwrap().len(), 22);
    let fen = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP b - - 0 1";
    assert_eq!(
        document(&mut spar_with(["perft", "--fen", fen, "--depth", "2", "--json"]))["nodes"],
        484
    );
}

#[test]
fn the_bench_has_a_signature() {
    let one = json("bench --depth 6");
    has(&one, &["nodes", "seconds", "nps"]);
    let two = json("bench --depth 6 --threads 2");
    assert_eq!(one["nodes"], two["nodes"]);
    let together = json("bench --depth 9 --threads 2 --together");
    has(&together, &["alone", "together", "speedup", "counted", "positions", "threads"]);
    assert_eq!(together["alone"]["nodes"], json("bench --depth 9")["nodes"]);
    let by_nodes = json("bench --nodes 500 --board 6x6");
    assert!(by_nodes["nodes"].as_u64().unwrap() <= 500 * by_nodes["positions"].as_u64().unwrap());
}

#[test]
fn analyze_gives_a_move_and_every_depth() {
    for algorithm in ["plain", "enhanced", "full", "mcts", "uct"] {
        let found = json(&format!("analyze --moves a2a3 --depth 4 --algorithm {algorithm}"));
        has(&found, &["best", "score", "depth", "nodes", "seconds", "pv", "win_in", "depths"]);
        assert_eq!(found["depth"], 4);
        assert_eq!(found["pv"][0], found["best"]);
        let depths = found["depths"].as_array().unwrap();
        assert_eq!(depths.last().unwrap()["pv"], found["pv"]);
        has(&depths[0], &["depth", "seldepth", "seconds", "nodes", "table_queries", "table_hits"]);
        has(&depths[0], &["table_cutoffs", "moves_before_cutoff", "score", "pv"]);
    }
}

/// Lines of the plain search, whose scores are exact, are the best of searches of each move alone.
#[test]
fn analyze_gives_several_lines_and_searches_some_moves_only() {
    let fen = "8/1p1p4/8/3P4/4P3/8/8/8 w - - 0 1";
    let analyze = |more: &[&str]| {
        let fixed = ["analyze", "--fen", fen, "--depth", "4", "--algorithm", "plain", "--json"];
        document(&mut spar_with(fixed.into_iter().chain(more.iter().copied())))
    };
    let found = analyze(&["--multipv", "3"]);
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    has(&lines[0], &["best", "score", "win_in", "loss_in", "depth", "pv"]);
    for field in ["best", "score", "pv", "depth"] {
        assert_eq!(lines[0][field], found[field], "{field}");
    }
    let mut alone: Vec<i64> = Vec::new();
    for mv in ["d5c6", "d5d6", "d5e6", "e4e5", "e4f5"] {
        let one = analyze(&["--searchmoves", mv]);
        assert_eq!((&one["best"], one["lines"].as_array().unwrap().len()), (&mv.into(), 1));
        alone.push(one["score"].as_i64().unwrap());
    }
    alone.sort_by_key(|score| -score);
    let scores: Vec<i64> = lines.iter().map(|line| line["score"].as_i64().unwrap()).collect();
    assert_eq!(scores, alone[..3]);
    let two = analyze(&["--searchmoves", "e4e5 d5d6", "--multipv", "9"]);
    assert_eq!(two["lines"].as_array().unwrap().len(), 2);
    let text = stdout(&run("analyze --depth 3 --multipv 2"));
    assert!(text.contains("\nline 2 "), "{text}");
    for (arguments, words) in [
        ("analyze --searchmoves a2a9 --depth 1", "--searchmoves"),
        ("analyze --multipv 0 --depth 1", "--multipv"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}

#[test]
fn a_proven_win_and_a_finished_game_are_told_apart() {
    let near = "8/3P4/8/8/8/8/p7/8 w - - 0 1";
    let found = document(&mut spar_with(["analyze", "--fen", near, "--depth", "6", "--json"]));
    assert_eq!((&found["win_in"], &found["loss_in"]), (&1.into(), &Value::Null), "{found:#}");
    assert!(found["best"].as_str().unwrap().starts_with("d7"), "{found:#}");
    let over = "3P4/8/8/8/8/8/p7/8 b - - 0 1";
    let found = document(&mut spar_with(["analyze", "--fen", over, "--depth", "6", "--json"]));
    assert_eq!((&found["best"], &found["result"]), (&Value::Null, &"1-0".into()));
}

#[test]
fn threads_search_together() {
    let found = json("analyze --depth 7 --threads 2");
    has(&found, &["best", "score", "depth", "nodes", "seconds", "pv", "depths"]);
    assert_eq!(found["depth"], 7);
    let output = run("analyze --depth 2 --threads 2 --algorithm plain");
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("the plain search uses one thread"), "{}", stderr(&output));
}

#[test]
fn a_solved_board_has_a_winner_and_a_line() {
    for (arguments, winner) in [("3x5", "second"), ("3x6", "first"), ("3x6 --moves b2b3", "second")]
    {
        let found = json(&format!("solve --game breakthrough --board {arguments} --memory 16M"));
        has(&found, &["winner", "nodes", "seconds", "pv"]);
        assert_eq!(found["winner"], winner, "{arguments}");
        let plies = found["pv"].as_array().unwrap().len();
        // The winner makes the last move.
        assert_eq!(plies % 2 == 1, winner == "first", "{found:#}");
        let line = found["pv"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv.as_str().unwrap())
            .collect::<Vec<_>>();
        let fen = found["fen"].as_str().unwrap();
        let line = line.join(" ");
        let end = document(&mut spar_with([
            "analyze", "--fen", fen, "--moves", &line, "--depth", "1", "--json",
        ]));
        assert!(end["result"].is_string(), "{end:#}");
    }
    let over = document(&mut spar_with(["solve", "--fen", "P1/2/2/1p/2 b - - 0 1", "--json"]));
    assert_eq!((&over["winner"], &over["nodes"]), (&"second".into(), &0.into()));
}

#[test]
fn node_limits_are_exact() {
    let found = json("analyze --nodes 1234");
    assert_eq!(found["nodes"], 1234);
}

#[test]
fn a_match_has_the_published_fields() {
    let found = json(
        "match zhu piece --game breakthrough --board 6x6 --pairs 4 --nodes 50 --seed 3 --threads 1",
    );
    has(
        &found,
        &[
            "pairs",
            "games",
            "elo",
            "elo_error",
            "nelo",
            "nelo_error",
            "los",
            "llr",
            "verdict",
            "seconds",
        ],
    );
    has(&found["pairs"], &["ll", "ld", "mid", "wd", "ww"]);
    assert_eq!((&found["games"], &found["distinct_pairs"]), (&8.into(), &4.into()));
    assert_eq!(found["players"][0]["name"], "breakthrough/zhu");
    assert!(found["players"][1]["mean_depth"].as_f64().unwrap() >= 1.0);
    assert_eq!((&found["draws"], &found["llr"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_match_does_not_depend_on_the_threads() {
    let play = |threads: u32, more: &str| {
        let mut found =
            json(&format!("match zhu piece --pairs 12 --nodes 100 --threads {threads} {more}"));
        found.as_object_mut().unwrap().remove("seconds").unwrap();
        found
    };
    for more in [
        "--seed 1",
        "--seed 2 --sprt -300,-100",
        "--depth-a 3 --depth-b 2",
        "--algorithm-b enhanced",
    ] {
        assert_eq!(play(1, more), play(2, more), "{more}");
    }
    assert_ne!(play(1, "--seed 1"), play(1, "--seed 2"));
    if cfg!(target_os = "linux") {
        assert_eq!(play(2, "--affinity"), play(2, ""), "on processors of their own");
    }
}

#[test]
fn a_test_ends_a_match_at_its_verdict() {
    let found = json("match random piece --nodes 200 --sprt -200,-100 --board 6x6");
    assert_eq!((&found["verdict"], &found["ended"]), (&"H0".into(), &"verdict".into()));
    assert!(found["llr"].as_f64().unwrap() < -2.9);
}

#[test]
fn own_limits_replace_the_common_ones() {
    let found = json(
        "match zhu piece --pairs 1 --depth-a 3 --nodes-b 70 --algorithm enhanced --algorithm-b full",
    );
    let player = |index: usize| {
        (found["players"][index]["limits"].clone(), found["players"][index]["algorithm"].clone())
    };
    assert_eq!(player(0), (serde_json::json!({ "depth": 3 }), "enhanced".into()));
    assert_eq!(player(1), (serde_json::json!({ "nodes": 70 }), "full".into()));
}

#[test]
fn a_tournament_rates_everybody() {
    let found = json("tournament zhu piece mobility --pairs 3 --nodes 60 --board 6x6 --threads 2");
    has(&found, &["players", "encounters", "seconds"]);
    assert_eq!(found["encounters"].as_array().unwrap().len(), 3);
    for player in found["players"].as_array().unwrap() {
        has(player, &["name", "elo", "elo_error", "elo_low", "elo_high", "score", "games"]);
        assert_eq!(player["games"], 12);
    }
    assert_eq!(found["encounters"][2]["a"], "breakthrough/piece");
    assert_eq!(found["encounters"][2]["games"], 6);
}

#[test]
fn statistics_of_known_counts() {
    let found = json("stats --pairs 34,54,63,64,75 --sprt 0,10 --model normalized");
    assert_eq!(found["games"], 580);
    assert!((found["llr"].as_f64().unwrap() - 2.48370).abs() < 1e-5);
    has(&found, &["pairs", "elo", "elo_error", "nelo", "nelo_error", "los", "verdict", "seconds"]);
    let none = json("stats --pairs 0,0,0,0,0");
    assert_eq!(
        (&none["elo"], &none["los"], &none["llr"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
}

#[test]
fn features_add_up_to_the_score() {
    let fen = "1ppppppp/pppppppp/8/1P6/2p5/8/PPPP1PPP/PPPPPPPP b - - 0 1";
    let found = document(&mut spar_with(["features", "--fen", fen, "--weights", "zhu", "--json"]));
    let terms = found["terms"].as_array().unwrap();
    let sum: i64 = terms.iter().map(|term| term["product"].as_i64().unwrap()).sum();
    assert_eq!(found["score"].as_i64().unwrap(), sum / found["scale"].as_i64().unwrap());
    // The set has no tables, but the cells of tables are features too.
    let values = found["features"].as_object().unwrap().values();
    assert_eq!(values.filter(|value| value.is_i64()).count(), terms.len());
    for term in terms {
        assert_eq!(found["features"][term["name"].as_str().unwrap()], term["value"]);
    }
}

/// The reference for readers of weight files: the same features and scores as one by one.
#[test]
fn features_of_a_file_are_those_of_its_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fens.txt");
    let fens = ["8/8/4p3/3P4/8/8/8/8 w - - 0 1", "8/3p4/8/8/8/8/3P4/8 b - - 3 9"];
    std::fs::write(&path, format!("{}\n\n{}\n", fens[0], fens[1])).unwrap();
    let path = path.to_str().unwrap();
    let all = document(&mut spar_with(["features", "--file", path, "--weights", "zhu", "--json"]));
    assert_eq!(all["positions"].as_array().unwrap().len(), 2);
    for (row, fen) in all["positions"].as_array().unwrap().iter().zip(fens) {
        let one =
            document(&mut spar_with(["features", "--fen", fen, "--weights", "zhu", "--json"]));
        for field in ["features", "score", "result", "board"] {
            assert_eq!(row[field], one[field], "{field} of {fen}");
        }
        assert_eq!((&row["fen"], &all["unit"]), (&fen.into(), &one["unit"]));
    }
    assert!(all["unit"].as_i64().unwrap() >= 1);
    std::fs::write(path, "8/8/8/8/8/8/8/8 w - - 0 1\nrubbish\n").unwrap();
    let output = run(&format!("features --file {path} --game breakthrough --json"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("fens.txt, line "), "{}", stderr(&output));
    assert!(stderr(&run(&format!("features --file {path}"))).contains("add --json"));
}
