//! Endgame databases: built, probed, checked, damaged, and used by solver and engine.

use super::schemas::must_fit;
use super::support::{file, json, refusal, run, spar, spar_with, stderr, text};
use crate::protocol::dialogue::Dialogue;

/// Four pieces that the database has, and five that it has not.
const FOUR: &str = "5/p3p/5/P3P/5 w";
const FIVE: &str = "5/p1p1p/5/P3P/5 w";

fn probe(arguments: [&str; 4]) -> serde_json::Value {
    super::support::document(&mut spar_with(
        ["endgame", "probe", "--json"].into_iter().chain(arguments),
    ))
}

#[test]
fn a_database_is_built_probed_checked_and_used() {
    let (folder, path) = file("5x5.end");
    let (at, path) = (|name: &str| folder.path().join(name), path.display().to_string());
    let built = json(&format!("endgame build -o {path} --board 5x5 --threads 2"));
    must_fit("endgame-build", &built);
    assert_eq!(built["classes"].as_array().unwrap().len(), 4);
    let there = refusal(spar(&format!("endgame build -o {path} --board 5x5")));
    assert!(there.contains("--force"), "{there}");
    // A place that cannot be written is refused before the work: this class takes long.
    let nowhere = at("none").join("4,4.end");
    let no_place =
        refusal(spar(&format!("endgame build -o {} --board 6x5 --most 4,4", nowhere.display())));
    assert!(no_place.contains("4,4.end: cannot write"), "{no_place}");
    assert!(!no_place.contains("in memory"), "{no_place}");
    let there =
        refusal(spar(&format!("endgame build -o {} --board 5x5 --force", folder.path().display())));
    assert!(there.contains("a directory"), "{there}");
    // The same bytes for any number of threads.
    let again = at("again.end");
    let told = text(&format!("endgame build -o {} --board 5x5 --threads 1", again.display()));
    assert!(told.contains("spar solve --game breakthrough --board 5x5 --endgame"), "{told}");
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&again).unwrap());

    let shown = probe([&path, FOUR, "--moves", ""]);
    must_fit("endgame-probe", &shown);
    assert_eq!(shown["moves"][0]["result"], shown["result"]);
    assert_eq!(shown["moves"][0]["turns"], shown["turns"]);
    let solved = spar_with(["solve", "--game", "breakthrough", "--json", "--fen", FOUR]).output();
    let solved: serde_json::Value = serde_json::from_slice(&solved.unwrap().stdout).unwrap();
    assert_eq!(solved["winner"] == "first", shown["result"] == "win", "{solved:#}");
    let said = refusal(spar_with(["endgame", "probe", &path, FIVE]));
    assert!(said.contains("the pieces 2,2"), "{said}");

    let checked = json(&format!("endgame check {path} --positions 300 --every"));
    must_fit("endgame-check", &checked);
    assert_eq!(checked["wrong"].as_array().unwrap().len(), 0);
    assert_eq!(checked["compared"], built["memory"]);
    assert!(text(&format!("endgame check {path} --positions 20")).contains("good, 20 random"));

    // With the database the solver visits fewer positions.
    let nodes = |more: &str| json(&format!("solve --board 4x5 {more}"))["nodes"].as_u64().unwrap();
    let small = at("4x5.end").display().to_string();
    text(&format!("endgame build -o {small} --board 4x5 --most 3,3"));
    let (without, with) = (nodes(""), nodes(&format!("--endgame {small}")));
    assert!(with < without, "{with} with, {without} without");
    let other = refusal(spar(&format!("solve --board 5x5 --endgame {small}")));
    assert!(other.contains("not of breakthrough on 5x5"), "{other}");

    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(at("torn.end"), bytes).unwrap();
    let output = run(&format!("endgame check {}", at("torn.end").display()));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("checksum"), "{}", stderr(&output));
}

/// Just at the turn limit the database has no value, though it has the pieces.
#[test]
fn a_win_just_at_the_limit_is_not_called_missing() {
    let (folder, path) = file("k.end");
    // A killed build has left a part of the file; another file's part is not touched.
    let left = |name: &str| {
        let left = format!(".sparring-{:08x}-0.tmp", crc32fast::hash(name.as_bytes()));
        let left = folder.path().join(left);
        std::fs::write(&left, "a part").unwrap();
        left
    };
    let [own, other] = [left("k.end"), left("l.end")];
    let path = path.display().to_string();
    let told = text(&format!("endgame build -o {path} --game breakthru --most 0,1"));
    assert!(told.contains("spar endgame check") && !told.contains("spar solve"), "{told}");
    assert!(!own.exists() && other.exists());
    let fen = |turn| format!("11/11/11/11/11/5F5/11/11/5s5/11/11 silver - {turn}");
    let turns = probe([&path, &fen(1), "--moves", ""])["turns"].as_u64().unwrap();
    let said = refusal(spar_with(["endgame", "probe", &path, &fen(201 - turns)]));
    assert!(said.contains(&format!("exactly the {turns} turn")), "{said}");
    assert!(said.contains("spar solve --game breakthru"), "{said}");
    assert_eq!(probe([&path, &fen(202 - turns), "--moves", ""])["result"], "draw");
    let out = refusal(spar_with([
        "endgame",
        "probe",
        &path,
        "11/11/11/11/11/5F5/11/11/5sss3/11/11 gold - 1",
    ]));
    assert!(out.contains("the pieces 0,1"), "{out}");
}

#[test]
fn the_engine_takes_values_from_a_database() {
    let (_folder, path) = file("5x5.end");
    let path = path.display().to_string();
    text(&format!("endgame build -o {path} --board 5x5"));
    let shown = probe([&path, FOUR, "--moves", ""]);
    let mut command = spar_with(["analyze", "--json", "--depth", "2", "--endgame", &path]);
    command.args(["--game", "breakthrough", "--fen", FOUR]);
    let found: serde_json::Value =
        serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let plies = found["win_in"].as_u64().or(found["loss_in"].as_u64());
    assert_eq!(plies, shown["turns"].as_u64(), "{found:#}");

    let mut engine = Dialogue::greeted();
    engine.send("setoption name UCI_Variant value breakthrough5x5");
    engine.send(&format!("setoption name EndgameFile value {path}"));
    engine.send(&format!("position fen {FOUR} - - 0 1"));
    let found = engine.answer("go depth 1");
    assert!(found.infos.iter().any(|line| line.contains("score mate ")), "{found:?}");
    engine.send("setoption name EndgameFile value no/such/file");
    let lines = engine.ask("isready");
    assert!(lines.iter().any(|line| line.starts_with("info string EndgameFile: ")), "{lines:?}");
}
