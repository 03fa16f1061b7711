//! Sets as source code of C: compiled, and asked for the scores of the conformance files.

use crate::frontend::{array, conformance, is_for, sets, text};
use crate::networks::definition::{has_kinds, squares};
use serde_json::Value;
use sparring::eval::ScoreUnits;
use sparring::games::GameId;
use sparring::games::source::{c_header, js_module};
use sparring::weights::{LAST_PHASE, Weight, WeightSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compiles the program that values positions by the header of a set.
fn compile(set: &WeightSet, folder: &Path) -> PathBuf {
    let name = format!("sparring_{}_{}", set.game, set.name).replace('-', "_");
    let (header, program) = (folder.join("set.h"), folder.join("program"));
    fs::write(&header, c_header(set, "a set").unwrap()).unwrap();
    let numbers = folder.join("numbers.c");
    let guard = name.to_uppercase();
    fs::write(&numbers, format!("#define {guard}_IMPLEMENTATION\n#include \"set.h\"\n")).unwrap();
    let status = Command::new("cc")
        .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror"])
        .args(["-fsanitize=undefined", "-fno-sanitize-recover=all"])
        .arg(format!("-DSET={name}"))
        .arg(format!("-DSET_UPPER={guard}"))
        .args(set.has_phases().then_some("-DHAS_PHASES"))
        .args(["-include".as_ref(), header.as_path()])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/library/evaluate.c"))
        .arg(numbers)
        .args(["-o".as_ref(), program.as_path()])
        .status()
        .unwrap();
    assert!(status.success(), "{name}");
    program
}

/// A program's output for an input.
fn answers(program: &Path, input: &str) -> Vec<String> {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The question about a row: its squares if the game has them, its phase, and the wanted features.
fn question(game: GameId, row: &Value, wanted: &[String]) -> String {
    // Source code reads no kinds of pieces.
    let squares = squares(game, text(row, "fen")).filter(|_| !has_kinds(game));
    let board: String = match squares {
        None => "-".into(),
        Some(squares) => squares.concat().iter().map(u32::to_string).collect(),
    };
    let values = wanted.iter().map(|name| format!(" {}", row["features"][name]));
    // Games without phases have none in their rows.
    let phase = row["phase"].as_i64().unwrap_or(0);
    format!("{board} {phase}{}\n", values.collect::<String>())
}

/// The expected output for a row: the score, and the terms of the wanted features and the rest.
fn told(game: GameId, row: &Value, set: &WeightSet, wanted: &[String]) -> String {
    let explained = game.from_fen(text(row, "fen")).unwrap().explain(set).unwrap();
    let features =
        explained.terms.iter().filter(|term| wanted.iter().any(|name| name == term.name));
    let features = features.map(|term| (term.name, term.product));
    let tables = explained.tables.iter().map(|table| (table.name, table.product));
    let network = explained.network.iter().map(|network| ("network", network.product));
    let terms = features.chain(tables).chain(network);
    let score = row["scores"][&set.name].to_string();
    terms.fold(score, |told, (name, product)| format!("{told} {name}={product}"))
}

fn check_set(document: &Value, set: &Value) -> usize {
    let game: GameId = text(document, "game").parse().unwrap();
    let read = WeightSet::from_json(&set.to_string(), "a set").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = compile(&read, folder.path());
    let wanted = answers(&program, "");
    let wanted: Vec<String> = wanted[0].split_whitespace().map(str::to_owned).collect();
    let weighed = |name: &&str| [0, LAST_PHASE].iter().any(|&p| read.one_at(name, p) != Some(0));
    let single = game.feature_names().into_iter().filter(|name| read.one_at(name, 0).is_some());
    assert_eq!(wanted.len(), single.filter(weighed).count());
    let rows = || array(document, "positions").iter().filter(|row| is_for(set, &row["board"]));
    let input: String = rows().map(|row| question(game, row, &wanted)).collect();
    let scores = &answers(&program, &input)[1..];
    assert_eq!(scores.len(), rows().count());
    for (row, score) in rows().zip(scores) {
        assert_eq!(told(game, row, &read, &wanted), *score);
    }
    scores.len()
}

/// The sets that are compiled: sets made for the file, and sets of boards. The tables of big
/// boards show nothing that small boards do not, and take long.
fn is_compiled(set: &Value) -> bool {
    match (text(set, "game"), text(set, "name")) {
        ("breakthrough", "7x7" | "8x8") => false,
        // There is no source code for its networks.
        ("breakthru", _) => set["network"].is_null(),
        (_, "every-feature" | "every-phase" | "hand") => true,
        _ => !set["board"].is_null(),
    }
}

#[test]
fn headers_of_c_come_to_every_score() {
    for &game in GameId::with_engine() {
        let document = conformance(game);
        for set in sets(&document).iter().filter(|set| is_compiled(set)) {
            assert!(check_set(&document, set) > 0, "{}", set["name"]);
        }
    }
}

/// The names of sets of runs begin with the game; in the source code they do so once.
#[test]
fn source_code_says_what_a_score_means() {
    let mut set = sparring::weights::find("hand", "breakthrough").unwrap();
    set.name = "breakthrough/spsa-1-717b7ce3".into();
    let header = c_header(&set, "a set").unwrap();
    assert!(header.contains("sparring_breakthrough_spsa_1_717b7ce3_evaluate"), "{header}");
    assert!(!header.contains("_COLS"), "a set for any board has none: {header}");
    let game: GameId = "breakthrough".parse().unwrap();
    let ScoreUnits { unit, win_scale } = game.score_units(&set).unwrap();
    assert!((f64::from(unit) / win_scale - game.guide.piece_logit).abs() < 1e-3);
    for line in [format!("_UNIT {unit}\n"), format!("_WIN_SCALE {win_scale:?}\n")] {
        assert!(header.contains(&line), "{line}: {header}");
    }
    let module = js_module(&set, "a set").unwrap();
    assert!(module.contains(&format!("export const winScale = {win_scale};\n")), "{module}");
    set.board = Some("5x5".into());
    assert!(c_header(&set, "a set").unwrap().contains("_COLS 5\n"));
}

#[test]
fn what_is_no_set_of_the_game_is_refused() {
    let mut set = sparring::weights::find("zhu", "breakthrough").unwrap();
    set.weights.insert("pice", Weight::One(1));
    for refused in [c_header(&set, "a.json"), js_module(&set, "a.json")] {
        let error = refused.unwrap_err().to_string();
        assert_eq!(error, "a.json, key `pice`: unknown feature; did you mean `piece`?");
    }
}

#[test]
fn networks_of_squares_with_kinds_of_pieces_are_refused() {
    let document = conformance("breakthru".parse().unwrap());
    let set = sets(&document).into_iter().find(|set| set["network"].is_object()).unwrap();
    let set = WeightSet::from_json(&set.to_string(), "a set").unwrap();
    for refused in [c_header(&set, "a.json"), js_module(&set, "a.json")] {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with("a.json, key `network`: there is no source code for"), "{error}");
    }
}

#[test]
fn no_name_or_description_ends_a_comment_or_a_string() {
    let mut set = sparring::weights::find("zhu", "breakthrough").unwrap();
    set.description = "*/ int x; /* \"\n\u{2028}`".into();
    let header = c_header(&set, "a set").unwrap();
    assert_eq!(header.matches("*/").count(), header.matches("/*").count());
    assert!(header.starts_with("/* breakthrough/zhu: * / int x; / * "));
    let module = js_module(&set, "a set").unwrap();
    assert!(module.contains("export const description = \"*/ int x; /* \\\"\\n"), "{module}");
}

/// The reader that the book gives in Python, which knows nothing of the program.
#[test]
fn the_reader_in_the_book_reads_compact_files() {
    let book = include_str!("../../docs/src/compact.md");
    let (_, code) = book.split_once("```python\n").unwrap();
    let (code, _) = code.split_once("```").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set.bin");
    for set in ["ataxx/7x7-network", "breakthrough/5x5", "breakthru/hand"] {
        let set = sparring::weights::find(set, "").unwrap();
        fs::write(&path, set.to_compact().unwrap()).unwrap();
        let print = "import sys\nprint(json.dumps(read(sys.argv[1])))\n";
        let program = format!("{code}\n{print}");
        let output = Command::new("python3").args(["-c", &program]).arg(&path).output().unwrap();
        let read: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut expected: Value = serde_json::from_str(&set.to_json()).unwrap();
        if let Some(network) = &set.network {
            expected["network"]["hidden_weights"] = network.hidden_weights.clone().into();
        }
        assert!(read == expected, "{}", set.name);
    }
}
