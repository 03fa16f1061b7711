//! Games unknown to this program, by the rules of a referee.

use super::support::{document, games, spar, stderr};
use assert_cmd::Command;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// The player and referee of tic-tac-toe: this kind, with this seed.
fn stones(kind: &str, seed: u32) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/tic_tac_toe.py");
    format!("cmd:python3 '{script}' {kind} {seed}")
}

/// A match of two players by the rules of a referee, its games saved to a file.
fn play(referee: &str, saved: &Path, more: &str) -> Output {
    let has_openings = ["--plies", "--book"].iter().any(|option| more.contains(option));
    let plies = if has_openings { "" } else { "--plies 1" };
    let more = format!("--game tictactoe {plies} --nodes 10 --json {more}");
    let players = [stones("good", 1), stones("good", 2)];
    let mut command = spar("match", &[&players[0], &players[1]], &more);
    command.args(["--referee", referee]).arg("--save").arg(saved).output().unwrap()
}

fn program(arguments: &[&str]) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.args(arguments);
    command
}

#[test]
fn a_match_is_played_by_the_rules_of_a_referee() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.jsonl");
    let referee = stones("good", 9);
    let found = document(&play(&referee, &place, "--pairs 6 --threads 2"));
    assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{found:#}");
    assert_eq!((&found["game"], &found["board"]), (&"tictactoe".into(), &"3x3".into()));
    assert_eq!((&found["void"], &found["referee"]), (&0.into(), &referee[4..].into()));
    for game in games(&place) {
        let moves = game["moves"].as_str().unwrap().split(' ').count();
        assert!(game["ending"] == "rules" && (4..=8).contains(&moves), "{game:#}");
        // The side with the last move wins, unless the board is full.
        let winner = ["1-0", "0-1"][moves % 2];
        assert!(
            game["result"] == winner || (game["result"] == "1/2-1/2" && moves == 8),
            "{game:#}"
        );
    }
    let reversed = stones("misere", 9);
    let other = folder.path().join("misere.jsonl");
    document(&play(&reversed, &other, "--pairs 6 --threads 2"));
    for (game, other) in games(&place).iter().zip(&games(&other)) {
        assert_eq!(game["moves"], other["moves"]);
        let is_drawn = game["result"] == "1/2-1/2";
        assert_eq!(game["result"] == other["result"], is_drawn, "the other side has won");
    }
}

#[test]
fn a_referee_may_call_the_sides_by_other_signs() {
    let folder = tempfile::tempdir().unwrap();
    let [usual, other] = ["good", "signs"].map(|kind| {
        let place = folder.path().join(kind);
        let found = document(&play(&stones(kind, 9), &place, "--pairs 6 --plies 3 --threads 2"));
        assert_eq!((&found["forfeits"], &found["void"]), (&serde_json::json!([0, 0]), &0.into()));
        games(&place)
    });
    assert!(!usual.is_empty() && usual.len() == other.len());
    for (usual, other) in usual.iter().zip(&other) {
        assert_eq!((&usual["moves"], &usual["result"]), (&other["moves"], &other["result"]));
    }
    let wrong = folder.path().join("wrong");
    std::fs::write(&wrong, "3/3/X3 o - - 0 1\n").unwrap();
    let refused =
        play(&stones("signs", 9), &wrong, &format!("--pairs 1 --book {}", wrong.display()));
    assert!(
        !refused.status.success() && stderr(&refused).contains("line 1"),
        "{}",
        stderr(&refused)
    );
    // The second side begins.
    let [book, pgn, saved] = ["book", "games.pgn", "saved"].map(|name| folder.path().join(name));
    std::fs::write(&book, "3/3/X2 o - - 0 1\n").unwrap();
    let more = format!("--pairs 1 --book {} --pgn {}", book.display(), pgn.display());
    document(&play(&stones("signs", 9), &saved, &more));
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("\n1... ").count(), 2, "{text}");
    assert!(games(&saved).iter().all(|game| game["second_begins"] == true));
}

/// The saved games of a match of this player, which speaks USI, against one that speaks UCI.
fn usi_games(folder: &Path, kind: &str, more: &str) -> (Value, Vec<Value>) {
    let place = folder.join("usi.jsonl");
    let players = [stones(kind, 1), stones("good", 2)];
    let plies = if more.contains("--book") { "" } else { "--plies 1" };
    let more = format!("--game tictactoe {plies} --nodes 10 --threads 2 --json {more}");
    let mut command = spar("match", &[&players[0], &players[1]], &more);
    command.args(["--referee", &stones("good", 9), "--force", "--save"]).arg(&place);
    (document(&command.output().unwrap()), games(&place))
}

#[test]
fn an_engine_that_speaks_usi_plays_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("uci.jsonl");
    document(&play(&stones("good", 9), &place, "--pairs 6 --threads 2"));
    let (found, usi) = usi_games(folder.path(), "usi", "--pairs 6 --timeout 3");
    assert_eq!((&found["forfeits"], &found["void"]), (&serde_json::json!([0, 0]), &0.into()));
    assert_eq!(found["players"][0]["engine"]["protocol"], "usi");
    for (uci, usi) in games(&place).iter().zip(&usi) {
        assert_eq!((&uci["moves"], &uci["result"]), (&usi["moves"], &usi["result"]));
    }
    let book = folder.path().join("book.fen");
    std::fs::write(&book, "2X/1o1/3 w - - 0 2\no2/3/2X b - - 0 1\n").unwrap();
    let more = format!("--pairs 2 --timeout 3 --book {}", book.display());
    let (found, _) = usi_games(folder.path(), "usi", &more);
    assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{found:#}");
}

#[test]
fn an_engine_of_usi_may_resign() {
    let folder = tempfile::tempdir().unwrap();
    let (found, games) = usi_games(folder.path(), "resigns", "--pairs 6 --timeout 3");
    assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{found:#}");
    let lost = |game: &&Value| {
        let moves = game["moves"].as_str().unwrap().split(' ').count();
        game["ending"] == "rules" && game["result"] != "1/2-1/2" && moves <= 5
    };
    assert!(games.iter().filter(lost).count() >= 10, "{games:#?}");
}

#[test]
fn a_declared_win_is_neither_won_nor_lost() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("usi.jsonl");
    let players = [stones("declares", 1), stones("good", 2)];
    let mut command = spar("match", &[&players[0], &players[1]], "--game tictactoe --plies 1");
    command.args(["--nodes", "10", "--pairs", "2", "--json", "--timeout", "3", "--force"]);
    let pgn = folder.path().join("usi.pgn");
    command.arg("--pgn").arg(&pgn).args(["--referee", &stones("good", 9), "--save"]).arg(&place);
    let output = command.output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["games"], &found["void"]), (&0.into(), &2.into()), "{found:#}");
    assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{found:#}");
    let is_said = |game: &Value| {
        let reason = game["forfeit"]["reason"].as_str().unwrap_or_default();
        reason.contains("declares that it has won")
    };
    assert!(games(&place).iter().any(is_said));
    // Nothing of it counts elsewhere, and everything says so.
    let pgn = std::fs::read_to_string(pgn).unwrap();
    let unjudged = games(&place).iter().filter(|game| is_said(game)).count();
    assert_eq!(pgn.matches("[Result \"*\"]").count(), unjudged, "{pgn}");
    assert_eq!(pgn.matches("[Termination \"unterminated\"]").count(), unjudged, "{pgn}");
    let third = stones("good", 3);
    let mut command = program(&["tournament", &players[0], &players[1], &third, "--no-run"]);
    command.args(["--game", "tictactoe", "--plies", "1", "--nodes", "10", "--pairs", "2"]);
    command.args(["--timeout", "3", "--referee", &stones("good", 9)]);
    let said = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(said.contains("not counted: 4 of 6 pairs (the referee failed"), "{said}");
    let found: Value =
        serde_json::from_slice(&command.arg("--json").output().unwrap().stdout).unwrap();
    let void: Vec<_> = (0..3).map(|place| found["encounters"][place]["void"].as_u64()).collect();
    assert_eq!(void, [Some(2), Some(2), None], "{found:#}");
}

#[test]
fn the_longest_game_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.jsonl");
    document(&play(&stones("good", 9), &place, "--pairs 1 --max-plies 3"));
    for game in games(&place) {
        assert_eq!((&game["ending"], &game["result"]), (&"length".into(), &"1/2-1/2".into()));
        assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 3);
    }
    let output = play(&stones("good", 9), &place, "--max-plies 0");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_referee_that_fails_makes_pairs_void() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, more, words) in [
        ("dies", "", "I cannot go on"),
        ("lies", "--plies 4", "which it called legal"),
        ("counts", "", "lists 6 moves and counts 7"),
        ("keeps", "", "wrong side to move"),
        ("long", "", "a FEN of 65"),
        ("hangs", "--timeout 3", "within 3 s"),
    ] {
        let place = folder.path().join(kind);
        let output = play(&stones(kind, 9), &place, &format!("--pairs 1 {more}"));
        assert_eq!(output.status.code(), Some(1), "a match without a result: {}", stderr(&output));
        assert!(stderr(&output).contains("all pairs of the match are void"), "{}", stderr(&output));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&found["games"], &found["void"]), (&0.into(), &1.into()), "{kind}: {found:#}");
        assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{kind}");
        let game = &games(&place)[0];
        assert_eq!(game["forfeit"]["kind"], "referee", "{kind}: {game:#}");
        let reason = game["forfeit"]["reason"].as_str().unwrap();
        assert!(reason.contains(words) && reason.contains("tic_tac_toe.py"), "{kind}: {reason}");
        assert!(reason.len() < 1_000, "{kind}: {reason}");
    }
    // After ten void pairs in a row the match ends.
    let output = play(&stones("counts", 9), &folder.path().join("many"), "--pairs 30");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let error: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(error["error"]["reason"].as_str().unwrap().contains("10 pairs in a row void"));
    // A referee that exits between two questions is started again.
    let mark = folder.path().join("mark");
    let once = format!("{} '{}'", stones("once", 9), mark.display());
    let found = document(&play(&once, &folder.path().join("once"), "--pairs 2 --threads 1"));
    assert!(mark.exists() && found["void"] == 0, "{found:#}");
}

#[test]
fn what_is_no_referee_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("games.jsonl");
    let shorter = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/engine.py");
    for (referee, more, words) in [
        ("zhu", "", "cmd:PROGRAM"),
        (&*stones("good", 1), "--board 4x4", "plays tictactoe on 3x3"),
        (&*format!("cmd:python3 '{shorter}' good"), "", "referee, engine"),
        (&*stones("good", 1), "--cluster nats://127.0.0.1:1", "workers do not know"),
    ] {
        let output = play(referee, &place, more);
        let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
        assert!(matches!(output.status.code(), Some(1 | 2)), "{said}");
        assert!(said.contains(words), "{said}");
    }
    for (game, words) in [("chess", "known here"), ("tictactoe", "")] {
        let referee = stones("good", 1);
        let players = ["match", "zhu", "piece", "--game", game, "--referee", &referee];
        let output = program(&players).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let output = program(&["match", "zhu", "piece", "--game", "draughts"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--referee cmd:fairy-stockfish"), "{}", stderr(&output));
}

/// The run of a match without a named referee: the same program plays both sides.
#[test]
fn a_program_that_meets_itself_may_judge_its_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let player = stones("good", 1);
    // The same command, quoted otherwise.
    let quoted = player.replace("python3", "'python3' ");
    let mut command = program(&["match", &player, &quoted, "--game", "tictactoe", "--pairs", "3"]);
    command.args(["--plies", "2", "--nodes", "5", "--option-b", "Taste=5", "--run"]).arg(&run);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("judges its own games"), "{}", stderr(&output));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("is the referee of its own games"), "{shown}");
    let run = run.to_str().unwrap();
    let pgn = program(&["export", run, "--games", "pgn"]).output().unwrap();
    assert_eq!(pgn.status.code(), Some(0), "{}", stderr(&pgn));
    let pgn = String::from_utf8(pgn.stdout).unwrap();
    assert_eq!(pgn.matches("[Variant \"tictactoe\"]").count(), 6, "{pgn}");
    let report = program(&["report", run, "--json"]).output().unwrap();
    assert_eq!(document(&report)["referee"], player[4..]);
    // Without its last pair on record, the rest is played again.
    let journal = Path::new(run).join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    let kept: Vec<&str> = text.lines().collect();
    std::fs::write(&journal, format!("{}\n", kept[..kept.len() - 1].join("\n"))).unwrap();
    let again = program(&["resume", run, "--json"]).output().unwrap();
    assert_eq!(document(&again)["ended"], "pairs", "{}", stderr(&again));
    assert_eq!(std::fs::read_to_string(&journal).unwrap().lines().count(), text.lines().count());
}

#[test]
fn options_are_tuned_in_a_game_with_a_referee() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut command = program(&["tune", "--engine", &stones("good", 1), "--game", "tictactoe"]);
    command.args([
        "--referee",
        &stones("good", 2),
        "--nodes",
        "5",
        "--games",
        "24",
        "--batch",
        "2",
        "--json",
    ]);
    command.args(["--plies", "2", "--validation-pairs", "4", "--yardstick-pairs", "0"]);
    command.args(["--threads", "2", "--run"]).arg(&run);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["game"], &found["forfeits"]), (&"tictactoe".into(), &0.into()), "{found:#}");
    assert!(found["referee"].as_str().unwrap().contains("tic_tac_toe.py"), "{found:#}");
}

/// A tune of the player of this kind without a referee, in a run's folder.
fn trusting(kind: &str, run: &Path, more: &str) -> Output {
    let mut command = program(&["tune", "--engine", &stones(kind, 1), "--rules", "trust"]);
    command.args("--nodes 5 --games 24 --batch 2 --json --seed 4 --validation-pairs 4".split(' '));
    command.args("--yardstick-pairs 0 --threads 2".split(' ')).args(more.split_whitespace());
    command.arg("--run").arg(run).output().unwrap()
}

#[test]
fn an_engine_may_be_trusted_to_know_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let book = path("book.epd");
    let lines = ["X2/3/3 b - - 0 1", "1X1/3/3 b", "2X/3/3 b", "3/X2/3 b", "3/1X1/3 b", "3/2X/3 b"];
    let more = ["X2/2o/3 w", "Xo1/3/3 w", "X1o/3/3 w", "1X1/2o/3 w", "oX1/3/3 w", "2X/o2/3 w"];
    std::fs::write(&book, [lines, more].concat().join("\n")).unwrap();
    let on = "--game tictactoe --board 3x3";
    let with_book = format!("{on} --book {}", book.display());
    let output = trusting("mates", &path("run"), &with_book);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["rules"], &found["void"]), (&"trust".into(), &0.into()), "{found:#}");
    assert!(stderr(&output).contains("no referee"), "{}", stderr(&output));
    let run = path("run").display().to_string();
    let pgn = program(&["export", &run, "--games", "pgn"]).output().unwrap();
    let pgn = String::from_utf8(pgn.stdout).unwrap();
    assert!(pgn.contains("[Rules \"trusted to the engine\"]"), "{pgn}");
    assert!(pgn.contains("[Result \"1-0\"]") && pgn.contains("[Result \"1/2-1/2\"]"), "{pgn}");
    let answer = std::fs::read_to_string(path("run").join("answer.json")).unwrap();
    assert!(answer.contains("\"rules\": \"trust\"") || answer.contains("\"rules\":\"trust\""));
    let report = program(&["report", &run]).output().unwrap();
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(report.contains("trusted to know the rules"), "{report}");

    // Its scores do not tell how its games end: the games are void, and the tune ends.
    let output = trusting("good", &path("void"), &with_book);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("scores do not say how the game has ended"),
        "{}",
        stderr(&output)
    );
    for (more, words) in [
        ("--game tictactoe".to_owned(), "--board 9x9"),
        ("--board 3x3".to_owned(), "--game"),
        ("--game chess --board 8x8".to_owned(), "known here"),
        (format!("{on} --plies 2"), "--book"),
        (format!("{on} --referee cmd:x"), "--referee"),
        (format!("{on} --method joined"), "quiet"),
        (format!("{with_book} --cluster nats://127.0.0.1:1"), "workers do not know"),
    ] {
        let output = trusting("mates", &path("none"), &more);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{more}");
        let said = format!("{}{}", stderr(&output), String::from_utf8_lossy(&output.stdout));
        assert!(said.contains(words), "{more}: {said}");
        assert!(!path("none").exists(), "{more}");
    }
}

#[test]
fn a_changed_referee_is_noticed_at_a_resume() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/tic_tac_toe.py");
    let copy = path("referee.py");
    std::fs::copy(script, &copy).unwrap();
    let referee = format!("cmd:python3 '{}' good 9", copy.display());
    let begin = |verb: &[&str], name: &str, more: &str| {
        let mut command = program(verb);
        command.args(["--game", "tictactoe", "--referee", &referee, "--plies", "2"]);
        command.args(more.split_whitespace()).arg("--run").arg(path(name));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        // As after a kill before the last line.
        let journal = path(name).join("journal.jsonl");
        let text = std::fs::read_to_string(&journal).unwrap();
        let kept: Vec<&str> = text.lines().collect();
        std::fs::write(&journal, format!("{}\n", kept[..kept.len() - 1].join("\n"))).unwrap();
        let _ = std::fs::remove_file(path(name).join("candidate.json"));
    };
    let [one, two] = [1, 2].map(|seed| stones("good", seed));
    begin(&["match", &one, &two], "match", "--pairs 3 --nodes 5");
    let more = "--nodes 5 --games 24 --batch 2 --validation-pairs 4 --yardstick-pairs 0";
    begin(&["tune", "--engine", &one], "tune", more);
    let text = std::fs::read_to_string(&copy).unwrap();
    std::fs::write(&copy, format!("{text}\n# Another one.\n")).unwrap();
    for name in ["match", "tune"] {
        let run = path(name).display().to_string();
        let output = program(&["resume", &run]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(said.contains("referee") && said.contains("--changed-engines"), "{name}: {said}");
        let output = program(&["resume", &run, "--changed-engines", "--json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let journal = std::fs::read_to_string(path(name).join("journal.jsonl")).unwrap();
        assert!(journal.contains("\"engine\":\"referee Stones\""), "{name}: {journal}");
    }
}

#[test]
fn an_engine_that_plays_judges_random_openings() {
    let folder = tempfile::tempdir().unwrap();
    let openings = |more: &str| -> Vec<String> {
        let place = folder.path().join("games.jsonl");
        let more =
            format!("--game tictactoe --plies 2 --nodes 50 --pairs 24 --json --force {more}");
        let [one, two] = [1, 2].map(|seed| stones("biased", seed));
        let mut command = spar("match", &[&one, &two], &more);
        command.args(["--referee", &stones("good", 9), "--save"]).arg(&place);
        let found = document(&command.output().unwrap());
        assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{found:#}");
        let opening = |game: &Value| game["opening"].as_str().unwrap().to_owned();
        games(&place).iter().map(opening).collect()
    };
    let has_corner = |opening: &String| opening.split(' ').any(|mv| mv == "a3");
    let judged = openings("--threads 1");
    assert!(!judged.iter().any(has_corner), "{judged:?}");
    assert_eq!(openings("--threads 2"), judged);
    for more in ["--balance 0", "--balance 300"] {
        assert!(openings(more).iter().any(has_corner), "{more}");
    }
    let refused = spar("match", &["zhu", "piece"], "--balance 50").output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--keep"), "{}", stderr(&refused));
}
