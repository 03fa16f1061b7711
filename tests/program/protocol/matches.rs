//! Matches with engines that behave: counts, colours, options, records.

use super::support::{against, document, engine, games, spar, stderr};
use serde_json::json;

#[test]
fn an_engine_plays_both_colours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let more = format!("--pairs 3 --nodes 50 --threads 2 --json --save {}", path.display());
    let found = document(&spar("match", &[&engine("good", None), "zhu"], &more).output().unwrap());
    assert_eq!((&found["games"], &found["forfeits"]), (&6.into(), &json!([0, 0])));
    assert_eq!(found["pairs"]["ll"], 3, "the first legal move is no match for a search: {found:#}");
    let [a, b] = [&found["players"][0], &found["players"][1]];
    assert_eq!((&a["name"], &b["name"]), (&"Scripted".into(), &"breakthrough/zhu".into()));
    assert_eq!((&a["fingerprint"], &a["algorithm"]), (&json!(null), &json!(null)));
    assert_eq!((&a["engine"]["protocol"], &b["engine"]), (&"uci".into(), &json!(null)));
    assert_eq!(
        (a["nodes"].as_u64(), a["mean_depth"].as_f64()),
        (Some(120 * a["moves"].as_u64().unwrap()), Some(3.0))
    );
    let games = games(&path);
    for pair in games.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["players"], json!(["Scripted", "breakthrough/zhu"]));
        assert_eq!(pair[1]["players"], json!(["breakthrough/zhu", "Scripted"]));
        assert_eq!((&pair[0]["result"], &pair[1]["result"]), (&"0-1".into(), &"1-0".into()));
        assert!(pair[0]["ending"] == "rules" && pair[0].get("forfeit").is_none());
    }
}

#[test]
fn two_engines_play_each_other() {
    let player = engine("good", None);
    let found = document(
        &spar("match", &[&player, &player], "--pairs 2 --depth 3 --json").output().unwrap(),
    );
    assert_eq!(found["pairs"]["mid"], 2, "the same play from both sides wins once: {found:#}");
    assert_eq!(found["players"][1]["name"], "Scripted (2)");
}

/// A chess engine would forfeit all its games.
#[test]
fn engines_that_may_not_know_the_game_get_a_note_unless_it_is_named() {
    for (kind, named, is_noted) in [
        ("no-variants", "", true),
        ("no-variants", " --game breakthrough", false),
        ("good", "", false),
    ] {
        let [good, other] = [engine("good", None), engine(kind, None)];
        let options = format!("--pairs 1 --depth 3 --json{named}");
        let output = spar("match", &[&good, &other], &options).output().unwrap();
        document(&output);
        let notes = String::from_utf8_lossy(&output.stderr);
        let note = "no game is named, so they play breakthrough";
        assert_eq!(notes.contains(note), is_noted, "{kind}{named}: {notes}");
    }
}

#[test]
fn a_match_by_nodes_does_not_depend_on_the_threads() {
    let play = |threads: u32| {
        let more = format!("--pairs 4 --nodes 60 --threads {threads} --json");
        let mut found =
            document(&spar("match", &["piece", &engine("good", None)], &more).output().unwrap());
        found.as_object_mut().unwrap().remove("seconds").unwrap();
        found
    };
    assert_eq!(play(1), play(2));
}

#[test]
fn an_engine_is_told_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let player = engine("good", Some(&log));
    let more = "--pairs 1 --nodes-b 50 --movetime-a 300 --margin 5000 --option-a hash=8 --option-a ClearHash= --json";
    let output = spar("match", &[&player, "zhu"], more).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "a button has its name");
    let more = more.replace("ClearHash=", "hash=9");
    document(&spar("match", &[&player, "zhu"], &more).output().unwrap());
    let text = std::fs::read_to_string(&log).unwrap();
    let second = text.rfind(" start\n").unwrap();
    let heard: Vec<&str> =
        text[second..].lines().skip(1).map(|line| line.split_once(' ').unwrap().1).collect();
    let greeting = [
        "uci",
        "setoption name Hash value 8",
        "setoption name Hash value 9",
        "setoption name UCI_Variant value breakthrough",
        "isready",
        "ucinewgame",
        "isready",
    ];
    assert_eq!(heard[..greeting.len()], greeting);
    assert!(
        heard[7].starts_with("position startpos moves ") && heard[8] == "go movetime 300",
        "{heard:?}"
    );
    assert_eq!(heard.iter().filter(|line| **line == "ucinewgame").count(), 2);
}

#[test]
fn the_protocol_is_found_out() {
    for (kind, more) in
        [("uai", ""), ("uai-patient", "--timeout 4"), ("uai-patient", "--protocol uai")]
    {
        let found = document(&against(kind, &format!("--nodes-b 9 --json {more}")));
        assert_eq!(found["players"][1]["engine"]["protocol"], "uai", "{kind} {more}");
        assert_eq!(found["forfeits"], json!([0, 0]));
    }
}

#[test]
fn an_engine_without_variants_gets_any_board() {
    let found = document(&against("uai", "--nodes-b 9 --board 6x6 --json"));
    assert_eq!((&found["board"], &found["forfeits"]), (&"6x6".into(), &json!([0, 0])));
}

#[test]
fn engines_play_tournaments() {
    let (good, crash) = (engine("good", None), engine("crash", None));
    let more = "--pairs 1 --nodes 50 --json --option Hash=8 --option 3:Hash=9";
    let found = document(&spar("tournament", &["zhu", &good, &crash], more).output().unwrap());
    assert_eq!(found["players"][2]["name"], "Scripted (2)");
    let forfeits: Vec<_> = (0..3).map(|n| found["encounters"][n]["forfeits"].clone()).collect();
    assert_eq!(forfeits, [json!([0, 0]), json!([0, 2]), json!([0, 2])]);
    let output = spar("tournament", &["zhu", &good], "--option 3:Hash=8").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// A name that the user gives is nobody else's, and the others keep theirs.
#[test]
fn players_of_a_tournament_have_the_names_that_the_user_gives() {
    let (good, other) = (engine("good", None), engine("good", None));
    let players = ["zhu", &good, &other];
    let names = |more: &str| {
        let more = format!("--pairs 1 --nodes 20 --json {more}");
        let found = document(&spar("tournament", &players, &more).output().unwrap());
        [0, 1, 2].map(|n| found["players"][n]["name"].as_str().unwrap().to_owned())
    };
    assert_eq!(names("--name 3:new --name 1:mine"), ["mine", "Scripted", "new"]);
    assert_eq!(names("--name 2:old"), ["breakthrough/zhu", "old", "Scripted"]);
    for (more, said) in [
        ("--name 4:new", "no such player"),
        ("--name new", "names no player"),
        ("--name 2:x --name 3:x", "named twice"),
        ("--name 3:breakthrough/zhu", "named twice"),
    ] {
        let output = spar("tournament", &players, more).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{more}");
        assert!(stderr(&output).contains(said), "{more}: {}", stderr(&output));
    }
    let mut twice = spar("tournament", &["zhu", "zhu"], "--pairs 1 --nodes 20 --name 2:again");
    assert_eq!(twice.output().unwrap().status.code(), Some(0), "one set under two names");
}

#[test]
fn a_forfeit_is_shown_with_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    document(&against("illegal", &format!("--nodes-b 9 --json --save {}", path.display())));
    let output = spar("show", &[path.to_str().unwrap()], "--game 1").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("result 1-0\nforfeited: move `a1a8`"), "{text}");
}

/// Fairy-Stockfish's file of variants names square boards by the length of their side.
#[cfg(unix)]
#[test]
fn an_engine_that_offers_breakthrough6_plays_on_6x6() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (script, heard) = (folder.path().join("engine"), folder.path().join("heard"));
    let program = assert_cmd::cargo::cargo_bin!("spar").display();
    let heard_place = heard.display();
    let text = format!(
        "#!/bin/sh\ntee -a {heard_place} | {program} uci | sed -u 's/breakthrough6x6/breakthrough6/g'\n"
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let player = format!("cmd:{}", script.display());
    let more = "--board 6x6 --pairs 2 --nodes 30 --threads 1 --json";
    let found = document(&spar("match", &[&player, "breakthrough/piece"], more).output().unwrap());
    assert_eq!((&found["games"], &found["forfeits"]), (&4.into(), &json!([0, 0])), "{found:#}");
    let heard = std::fs::read_to_string(heard).unwrap();
    assert!(heard.contains("setoption name UCI_Variant value breakthrough6\n"), "{heard}");
}

/// Five openings of one ply cannot make thirty different pairs.
#[test]
fn pairs_of_few_openings_count_once_or_are_named() {
    let few = "--game breakthrough --board 5x5 --plies 1 --nodes 20 --pairs 30 --threads 2";
    let uci = |set: &str| format!("cmd:{} uci --weights {set}", env!("CARGO_BIN_EXE_spar"));
    let json = format!("{few} --json");
    let played = document(&spar("match", &[&uci("spsa"), &uci("hand")], &json).output().unwrap());
    let distinct = played["distinct"].as_u64().unwrap();
    assert!((1..=5).contains(&distinct), "{played}");
    assert_eq!(played["games"], 2 * distinct, "{played}");
    let own = spar("match", &["spsa", "hand"], few).output().unwrap();
    let remark = "different openings for 30 pairs";
    assert!(String::from_utf8_lossy(&own.stdout).contains(remark), "{own:?}");
}
