//! Games by a clock, and games adjudicated by the scores of both players.

use super::support::{document, engine, games, spar, stderr};
use serde_json::{Value, json};
use std::path::Path;

/// Plays a match of two scripted engines, and returns its document and its games.
fn played(players: [&str; 2], more: &str, folder: &Path) -> (Value, Vec<Value>) {
    let path = folder.join("games.jsonl");
    let more = format!("--threads 1 --json --force --save {} {more}", path.display());
    let found = document(&spar("match", &players, &more).output().unwrap());
    (found, games(&path))
}

#[test]
fn both_clocks_run_and_a_slow_engine_loses_on_time() {
    let folder = tempfile::tempdir().unwrap();
    let logs = ["fast", "slow"].map(|name| folder.path().join(name));
    let players = [engine("good", Some(&logs[0])), engine("sleep=1500", Some(&logs[1]))];
    let more = "--pairs 1 --tc 2/2+0.1 --margin 50";
    let (found, games) = played([&players[0], &players[1]], more, folder.path());
    assert_eq!(found["games"], 2);
    assert_eq!(found["forfeits"], json!([0, 0]), "time is strength: {found:#}");
    for (game, result) in games.iter().zip(["1-0", "0-1"]) {
        // Its second move has 0.6 s.
        assert_eq!(
            (&game["ending"], &game["result"]),
            (&json!("time"), &json!(result)),
            "{game:#}"
        );
        let kind = &game["forfeit"]["kind"];
        assert_eq!(kind, "late");
        assert!(game["searches"][0]["ms"].is_u64() && game["searches"][0]["cp"] == 15);
    }
    let text = std::fs::read_to_string(&logs[0]).unwrap();
    let go: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(" go ")).map(|(_, go)| go).collect();
    assert!(go[0].starts_with("wtime 2000 winc 100 btime 2000 binc 100 movestogo 2"), "{}", go[0]);
    // Before White's second move Black has used 1.5 s and got 0.1 s more.
    let times: Vec<u64> = go[1].split(' ').filter_map(|word| word.parse().ok()).collect();
    let [white, _, black, _, to_go] = times[..] else { panic!("{}", go[1]) };
    assert!(
        (1_500..=2_100).contains(&white) && (500..=600).contains(&black) && to_go == 1,
        "{}",
        go[1]
    );
}

#[test]
fn our_engine_plays_by_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    let (found, games) = played(["piece", "zhu"], "--pairs 1 --tc 0.5+0.01", folder.path());
    assert_eq!((&found["games"], &found["forfeits"]), (&json!(2), &json!([0, 0])));
    assert!(games.iter().all(|game| game["ending"] == "rules" && game.get("searches").is_none()));
    let output = spar("match", &["piece", "zhu"], "--pairs 1 --tc 8/x").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("8+0.08"), "{}", stderr(&output));
}

#[test]
fn scores_that_agree_end_games() {
    let folder = tempfile::tempdir().unwrap();
    let players = [engine("cp=500", None), engine("cp=-450", None)];
    let play = |more: &str| {
        let more = format!("--pairs 12 --nodes 10 --plies 6 {more}");
        played([&players[0], &players[1]], &more, folder.path())
    };
    let (found, games) = play("--resign 3,400");
    let ended = games.iter().filter(|game| game["ending"] == "scores");
    let ended: Vec<&Value> = ended.collect();
    assert!(ended.len() >= 12, "{found:#}");
    for game in &ended {
        let winner = if game["players"][0] == "Scripted" { "1-0" } else { "0-1" };
        assert_eq!(game["result"], winner, "{game:#}");
        assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 6);
    }
    // One game in twenty is played on, to check the adjudication.
    let checked: Vec<&Value> = games.iter().filter(|game| game.get("audit").is_some()).collect();
    assert_eq!(ended.len() + checked.len(), games.len());
    assert!(checked.iter().all(|game| game["ending"] == "rules" && game["audit"]["ply"] == 6));
    let wrong = checked.iter().filter(|game| game["audit"]["result"] != game["result"]).count();
    let counts = ["by_scores", "checked", "wrong"].map(|count| found["early"][count].as_u64());
    let expected = [ended.len(), checked.len(), wrong].map(|count| Some(count as u64));
    assert_eq!(counts, expected, "{found:#}");
    let (_, games) = play("--no-adjudication");
    assert!(games.iter().all(|game| game["ending"] == "rules"));
    let (_, games) = play("--resign 3,600");
    assert!(games.iter().all(|game| game["ending"] == "rules"));
}

#[test]
fn level_scores_draw_games_and_pgn_has_the_scores() {
    let folder = tempfile::tempdir().unwrap();
    let player = engine("cp=-7", None);
    let pgn = folder.path().join("games.pgn");
    let more = format!(
        "--pairs 1 --nodes 10 --plies 4 --draw 4,2,10 --pgn {} --option-a Hash=2",
        pgn.display()
    );
    let (_, games) = played([&player, &player], &more, folder.path());
    for game in games.iter().filter(|game| game.get("audit").is_none()) {
        assert_eq!((&game["ending"], &game["result"]), (&json!("scores"), &json!("1/2-1/2")));
        assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 4, "{game:#}");
    }
    let text = std::fs::read_to_string(pgn).unwrap();
    assert!(text.contains("{-0.07/3}"), "{text}");
}
