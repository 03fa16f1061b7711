//! The conformance files' networks, as the program and a reader in another language evaluate them.

use super::definition::define;
use super::made::{Numbers, network, set};
use crate::common::sample;
use crate::frontend::{array, conformance, made, text};
use rand_mt::Mt64;
use serde_json::{Value, json};
use sparring::eval::{Game, NetworkView, explain};
use sparring::game::Board;
use sparring::games::{Ataxx, Breakthrough, Breakthru, GameId};
use std::io::Write;
use std::process::{Command, Stdio};

const SET: &str = "every-network";

/// The values of positions by the reader in Python, each given by its FEN and its features.
fn read_in_python(game: GameId, set: &Value, positions: Vec<Value>) -> Vec<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/library/networks/reader.py");
    let mut reader = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let document = json!({ "game": game.name(), "set": set, "positions": positions });
    reader.stdin.take().unwrap().write_all(document.to_string().as_bytes()).unwrap();
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn games_with_networks() -> impl Iterator<Item = GameId> {
    GameId::with_engine().iter().copied().filter(|game| game.symmetry.is_some())
}

/// The rows of a conformance file that its network is for.
fn rows(document: &Value) -> impl Iterator<Item = &Value> {
    array(document, "positions").iter().filter(|row| row["networks"].is_object())
}

#[test]
fn a_reader_in_python_comes_to_every_row_of_the_networks() {
    for game in games_with_networks() {
        let document = conformance(game);
        let set = made(&document, SET);
        let question = |row: &Value| json!({ "fen": row["fen"], "features": row["features"] });
        let answers = read_in_python(game, set, rows(&document).map(question).collect());
        assert!(answers.len() >= 5, "{}", answers.len());
        for (row, answer) in rows(&document).zip(answers) {
            let expected = &row["networks"][SET];
            for key in ["inputs", "hidden", "value"] {
                assert_eq!(answer[key], expected[key], "{key} of {}", row["fen"]);
            }
            assert_eq!(answer["score"], row["scores"][SET], "{}", row["fen"]);
        }
    }
}

fn check_larger_networks<G: Game>(board: Board, generator: &mut Mt64) {
    for &window in G::NetworkView::SCHEME.windows {
        for numbers in [Numbers::Usual, Numbers::Extreme] {
            let set = set::<G>(board, network::<G>(board, window, 33, numbers, generator), 7);
            let positions = sample::<G>(board, 5, generator.next_u64());
            let question = |position: &G| {
                let names = G::FEATURES.iter().map(|feature| feature.name);
                let features: serde_json::Map<String, Value> = names
                    .zip(position.features())
                    .map(|(name, value)| (name.to_owned(), value.into()))
                    .collect();
                json!({ "fen": position.fen(), "features": features })
            };
            let document = serde_json::from_str(&set.to_json()).unwrap();
            let questions = positions.iter().map(question).collect();
            let answers = read_in_python(GameId::of::<G>(), &document, questions);
            for (position, answer) in positions.iter().zip(answers) {
                let explained = explain(position, &set).unwrap();
                let term = explained.network.unwrap();
                assert_eq!(answer["inputs"], json!(term.inputs));
                assert_eq!(answer["hidden"], json!(term.hidden));
                assert_eq!(answer["value"], json!(term.product));
                assert_eq!(answer["score"], json!(explained.score), "{}", position.fen());
            }
        }
    }
}

#[test]
fn a_reader_in_python_comes_to_larger_networks() {
    let mut generator = Mt64::new(6);
    check_larger_networks::<Ataxx>(Board::new(7, 7), &mut generator);
    check_larger_networks::<Breakthrough>(Board::new(8, 5), &mut generator);
    check_larger_networks::<Breakthru>(Board::new(11, 11), &mut generator);
}

/// The rows are worth checking against: units below 0, within the limit and beyond it, values of
/// either sign, and both divisions leave something over.
#[test]
fn the_networks_rows_differ_in_what_matters() {
    for game in games_with_networks() {
        let document = conformance(game);
        let set = made(&document, SET);
        let limit = set["network"]["limit"].as_i64().unwrap();
        let mut kinds = [0; 3];
        let mut values = [0; 2];
        for row in rows(&document) {
            assert_eq!(row["board"], set["board"]);
            let expected = &row["networks"][SET];
            let defined = define(game, set, text(row, "fen"));
            assert_eq!(expected["value"], defined.value);
            assert_eq!(expected["hidden"], json!(defined.hidden));
            for sum in defined.hidden.into_iter().map(i64::from) {
                kinds[usize::from(sum > 0) + usize::from(sum > limit)] += 1;
            }
            values[usize::from(defined.value > 0)] += 1;
        }
        assert!(kinds.iter().all(|&count| count >= 5), "{kinds:?}");
        assert!(values.iter().all(|&count| count >= 2), "{values:?}");
    }
}
