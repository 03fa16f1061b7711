//! `train`, and the use of its networks in other commands.

use super::schemas::must_fit;
use super::support::{document, json, refusal, run, spar, spar_with, stderr, text};
use serde_json::{Value, json};
use std::fs;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Positions on 5x5 and networks that were trained on them.
struct Trained {
    _folder: TempDir,
    positions: String,
    /// The output of the training.
    printed: Value,
    /// A network of five units, one of another seed, and one of three.
    sets: [String; 3],
}

fn trained() -> &'static Trained {
    static TRAINED: OnceLock<Trained> = OnceLock::new();
    TRAINED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let positions = path("games.pos");
        json(&format!(
            "generate {positions} --board 5x5 --games 100 --nodes 60 --weights piece --positions all"
        ));
        let train = |name: &str, options: &str| {
            let file = path(name);
            (json(&format!("train {positions} -o {file} --epochs 2 {options}")), file)
        };
        let (printed, first) = train("a.json", "--units 5 --threads 1");
        let (_, second) = train("b.json", "--units 5 --seed 2");
        let (_, third) = train("c.json", "--units 3 --window 2x3");
        Trained { positions, printed, sets: [first, second, third], _folder: folder }
    })
}

fn checked(arguments: &[&str]) -> Value {
    document(spar_with(arguments).arg("--json"))
}

#[test]
fn a_training_prints_its_losses_and_writes_a_set() {
    let Trained { positions, printed, sets, .. } = trained();
    must_fit("train", printed);
    assert_eq!(printed["epochs"].as_array().unwrap().len(), 2);
    let set: Value = serde_json::from_str(&fs::read_to_string(&sets[0]).unwrap()).unwrap();
    assert_eq!((&set["name"], &set["board"]), (&"a".into(), &"5x5".into()));
    assert_eq!((&set["network"]["units"], &set["format"]), (&5.into(), &5.into()));
    // The same on other threads, and nothing is overwritten unasked.
    let again =
        json(&format!("train {positions} -o {} --epochs 2 --units 5 --threads 3 --force", sets[0]));
    assert_eq!(again["fingerprint"], printed["fingerprint"]);
    assert!(refusal(spar(&format!("train {positions} -o {}", sets[0]))).contains("exists already"));
    let text = text(&format!(
        "train {positions} -o {} --epochs 1 --units 2 --force",
        sets[2].replace("c.json", "d.json")
    ));
    assert!(text.contains("validation loss") && text.contains("spar match"), "{text}");
}

#[test]
fn a_training_keeps_the_search_constants_of_its_start() {
    let Trained { positions, sets, .. } = trained();
    let read =
        |path: &str| -> Value { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    let [start, file] = ["tuned.json", "further.json"].map(|name| sets[0].replace("a.json", name));
    let mut set = read(&sets[0]);
    let mut constants = read(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/breakthrough/8x8.json"))
        ["search"]
        .clone();
    constants["razor_depth"] = 1.into();
    set["search"] = constants.clone();
    fs::write(&start, set.to_string()).unwrap();
    json(&format!("train {positions} -o {file} --epochs 1 --units 5 --start {start}"));
    assert_eq!(read(&file)["search"], constants);
}

#[test]
fn a_network_is_trained_beside_the_weights_of_a_set() {
    let Trained { positions, sets, .. } = trained();
    let file = sets[0].replace("a.json", "beside.json");
    let options = "--epochs 1 --units 3 --beside-start --start";
    json(&format!("train {positions} -o {file} {options} spsa"));
    let read =
        |path: &str| -> Value { serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap() };
    let set = read(&file);
    let shipped = read(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/breakthrough/spsa.json"));
    assert_eq!(set["scale"], shipped["scale"]);
    // Weights that the shipped file, of an older format, leaves out are 0.
    for (name, weight) in set["weights"].as_object().unwrap() {
        assert_eq!(*weight, shipped["weights"].get(name).cloned().unwrap_or(0.into()), "{name}");
    }
    assert_eq!(set["network"]["units"], 3);
    text(&format!("weights check {file}"));
    // A network of the start is replaced, and its weights stay.
    let again = sets[0].replace("a.json", "beside-2.json");
    json(&format!("train {positions} -o {again} --fresh {options} {file}"));
    assert_eq!(read(&again)["network"], set["network"]);
    // A network alone has no weights to stand beside another one.
    let error =
        refusal(spar(&format!("train {positions} -o {again} --force {options} {}", sets[0])));
    assert!(error.contains("train the network alone"), "{error}");
    let error = refusal(spar(&format!("train {positions} -o {again} --force --start spsa")));
    assert!(error.contains("--beside-start"), "{error}");
}

#[test]
fn networks_are_shown_checked_and_listed() {
    let Trained { sets: [set, ..], .. } = trained();
    let shown = text(&format!("weights show {set}"));
    assert!(shown.contains("5 units over 2x2 windows, 1,296 inputs, 6,491 numbers"), "{shown}");
    assert!(shown.contains("output weights") && shown.contains("divisor"), "{shown}");
    assert!(!shown.contains("against"), "its strength was not measured: {shown}");
    let checked_text = text(&format!("weights check {set}"));
    assert!(checked_text.contains("a network of 5 units over 2x2 windows"), "{checked_text}");
    let folder = std::path::Path::new(set).parent().unwrap().to_str().unwrap();
    let list = checked(&["weights", "list", folder]);
    must_fit("weights-list", &list);
    let entry = list["sets"].as_array().unwrap().iter().find(|entry| entry["name"] == **set);
    assert_eq!(entry.unwrap()["network"], json!({ "window": "2x2", "units": 5 }));
    assert!(text(&format!("weights list {folder}")).contains("5 units"));
}

#[test]
fn networks_are_compared() {
    let Trained { sets: [first, second, third], .. } = trained();
    let diff = checked(&["weights", "diff", first, second]);
    must_fit("weights-diff", &diff);
    let names: Vec<&Value> =
        diff["network"]["lists"].as_array().unwrap().iter().map(|list| &list["name"]).collect();
    assert_eq!(names, ["hidden_weights", "hidden_biases", "output_weights"]);
    assert_eq!(diff["network"]["lists"][0]["cells"], 1296 * 5);
    let diff = checked(&["weights", "diff", first, third]);
    must_fit("weights-diff", &diff);
    assert_eq!(diff["network"]["lists"], json!([]));
    assert_eq!(
        (&diff["network"]["old"]["units"], &diff["network"]["new"]["units"]),
        (&5.into(), &3.into())
    );
    assert_eq!(checked(&["weights", "diff", first, first])["network"], Value::Null);
    assert!(text(&format!("weights diff {first} {first}")).contains("All weights are the same."));
    let shown = text(&format!("weights diff {first} {third}"));
    assert!(shown.contains("window") && shown.contains("2x3"), "{shown}");
    assert!(text(&format!("weights diff {first} {second}")).contains("hidden_weights"));
}

#[test]
fn a_score_under_a_network_is_explained_piece_by_piece() {
    let Trained { sets: [set, ..], .. } = trained();
    // The second side is to move, and its last piece has no number: without it the game is over.
    let endgame = "p4/5/2P2/5/P4 b - - 0 1";
    for (fen, count) in [("ppppp/ppppp/5/PPPPP/PPPPP w - - 0 1", 20), (endgame, 2)] {
        let explained = checked(&["features", "--weights", set, "--fen", fen]);
        must_fit("features", &explained);
        assert_eq!(explained["sum"], explained["network"]["product"]);
        assert_eq!(explained["network"]["hidden"].as_array().unwrap().len(), 5);
        let pieces = explained["pieces"].as_array().unwrap();
        assert_eq!(pieces.len(), count, "{fen}");
        for piece in pieces.iter().step_by(count / 2) {
            let square = piece["square"].as_str().unwrap();
            let rest = checked(&["features", "--weights", set, "--fen", &without(fen, square)]);
            let loss = explained["score"].as_i64().unwrap() - rest["score"].as_i64().unwrap();
            assert_eq!(piece["loss"], loss, "{square} of {fen}");
            let is_white = sign(fen, square) == 'P';
            assert_eq!(piece["own"], fen.contains(" w ") == is_white, "{square} of {fen}");
        }
    }
    let shown = text(&format!("features --weights {set}"));
    assert!(shown.contains("loses without each piece") && shown.contains("/5 units"), "{shown}");
    // Sets without a network have no such numbers.
    let plain = json("features --board 5x5 --weights spsa");
    assert_eq!((&plain["network"], &plain["pieces"]), (&Value::Null, &json!([])));
}

/// The rows of a FEN on 5x5, from the first one, with a point for each empty square.
fn rows(fen: &str) -> Vec<Vec<char>> {
    let square = |sign: char| match sign.to_digit(10) {
        Some(count) => vec!['.'; count as usize],
        None => vec![sign],
    };
    let placement = fen.split(' ').next().unwrap();
    placement.split('/').rev().map(|row| row.chars().flat_map(square).collect()).collect()
}

fn place(square: &str) -> (usize, usize) {
    let bytes = square.as_bytes();
    (usize::from(bytes[1] - b'1'), usize::from(bytes[0] - b'a'))
}

fn sign(fen: &str, square: &str) -> char {
    let (row, col) = place(square);
    rows(fen)[row][col]
}

fn without(fen: &str, square: &str) -> String {
    let (row, col) = place(square);
    let mut rows = rows(fen);
    rows[row][col] = '.';
    let text = |row: &Vec<char>| row.iter().collect::<String>().replace('.', "1");
    let placement = rows.iter().rev().map(text).collect::<Vec<_>>().join("/");
    format!("{placement} {}", fen.split_once(' ').unwrap().1)
}

#[test]
fn what_a_training_cannot_use_is_refused() {
    let Trained { positions, sets: [set, ..], .. } = trained();
    let out = format!("{set}.new");
    for (options, reason) in [
        ("--units 0", "give 1 to 1024 with --units"),
        ("--window 4x4", "2x2, 2x3, 3x2"),
        ("--rate 0", "--rate"),
        ("--board 6x6", "leave out --board"),
    ] {
        let error = refusal(spar(&format!("train {positions} -o {out} {options}")));
        assert!(error.contains(reason), "{error}");
    }
    assert!(!std::path::Path::new(&out).exists());
    let output = run(&format!("features --board 6x6 --weights {set}"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a network for 5x5, not for 6x6"), "{}", stderr(&output));
}

#[test]
fn a_network_or_a_fit_replaces_none_of_its_positions() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (new, old) = (at("new.pos"), at("old.pos"));
    for (file, seed) in [(&new, 1), (&old, 2)] {
        let player = "--board 5x5 --weights piece --nodes 30 --games 20";
        text(&format!("generate {file} {player} --seed {seed}"));
    }
    let rows = at("rows.csv");
    std::fs::write(&rows, "result,a\n1,2\n0,1\n1,3\n0,0\n").unwrap();
    for (command, file) in [
        (format!("train {new}"), &new),
        (format!("train {new} --older {old}"), &old),
        (format!("fit {new}"), &new),
        (format!("fit --rows {rows}"), &rows),
    ] {
        let before = std::fs::read(file).unwrap();
        let said = refusal(spar(&format!("{command} -o {file} --force")));
        assert!(said.contains("one of those to read"), "{command}: {said}");
        assert!(std::fs::read(file).unwrap() == before, "{command}");
    }
}
