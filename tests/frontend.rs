//! What other frontends read: FEATURES.md, and the conformance files, checked as such a frontend would check itself.

mod bless;

use bless::{assert_generated, folder};
use serde_json::{Value, json};
use sparring::eval::document::{conformance_json, features_markdown};
use sparring::eval::{Evaluated, Evaluator, explain};
use sparring::game::{GameId, Side};
use sparring::weights::WeightSet;
use sparring::with_game;
use std::collections::BTreeSet;
use std::fs;

/// The conformance file of a game, which must be the generated one, parsed.
fn conformance(game: GameId) -> Value {
    let name = format!("{game}/conformance.json");
    assert_generated(&name, &with_game!(game, P => conformance_json::<P>()).unwrap());
    serde_json::from_str(&fs::read_to_string(folder().join(name)).unwrap()).unwrap()
}

/// The elements of an array in a document.
fn array<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document[key].as_array().unwrap()
}

fn text<'a>(document: &'a Value, key: &str) -> &'a str {
    document[key].as_str().unwrap()
}

#[test]
fn the_features_file_is_the_generated_one() {
    assert_generated("FEATURES.md", &features_markdown().unwrap());
}

#[test]
fn the_conformance_files_are_the_generated_ones() {
    for &game in GameId::ALL {
        assert_eq!(text(&conformance(game), "game"), game.name());
    }
}

#[test]
fn every_feature_is_in_the_features_file() {
    let markdown = features_markdown().unwrap();
    for &game in GameId::ALL {
        for feature in with_game!(game, P => P::feature_list()) {
            let row = format!("| `{}` | {} | `{}` |", feature.name, feature.words, feature.formula);
            assert!(markdown.contains(&row), "{row}");
        }
    }
}

/// The program reads the rows of the file back and comes to the same, term by term and as the search would.
fn check_rows<P: Evaluated>(document: &Value) {
    let sets: Vec<WeightSet> = array(document, "sets")
        .iter()
        .map(|set| WeightSet::from_json(&set.to_string(), "conformance.json").unwrap())
        .collect();
    for row in array(document, "positions") {
        let position = P::from_fen(text(row, "fen")).unwrap();
        assert_eq!(position.board().to_string(), text(row, "board"));
        assert_eq!(position.outcome(), None);
        assert_eq!(row["scores"].as_object().unwrap().len(), sets.len());
        for set in &sets {
            let explanation = explain(&position, set).unwrap();
            let values: Value =
                explanation.terms.iter().map(|term| (term.name.to_owned(), json!(term.value))).collect();
            assert_eq!(values, row["features"], "{}", position.fen());
            let score = row["scores"][&set.name].as_i64().unwrap();
            assert_eq!(i64::from(explanation.score), score, "{} in {}", set.name, position.fen());
            let evaluator = P::evaluator(set).unwrap();
            assert_eq!(i64::from(evaluator.evaluate(&position)), score, "{} in {}", set.name, position.fen());
        }
    }
}

#[test]
fn the_program_comes_to_every_row() {
    for &game in GameId::ALL {
        with_game!(game, P => check_rows::<P>(&conformance(game)));
    }
}

/// A frontend of its own: it knows JSON and the sentence "sum of weight x feature, divided by the scale and rounded
/// toward zero", and nothing of the program.
fn frontend_score(set: &Value, features: &Value) -> i64 {
    let weights = set["weights"].as_object().unwrap();
    let features = features.as_object().unwrap();
    assert_eq!(weights.keys().collect::<BTreeSet<_>>(), features.keys().collect::<BTreeSet<_>>());
    let sum: i64 = weights
        .iter()
        .map(|(name, weight)| weight.as_i64().unwrap() * features[name].as_i64().unwrap())
        .sum();
    let scale = set["scale"].as_i64().unwrap();
    // Written out, so as not to lean on the language's own division.
    let size = (0..=sum.abs()).step_by(usize::try_from(scale).unwrap()).count() as i64 - 1;
    if sum < 0 { -size } else { size }
}

#[test]
fn a_frontend_that_knows_only_the_json_comes_to_every_score() {
    for &game in GameId::ALL {
        let document = conformance(game);
        for set in array(&document, "sets") {
            let name = text(set, "name");
            for row in array(&document, "positions") {
                let score = frontend_score(set, &row["features"]);
                assert_eq!(Value::from(score), row["scores"][name], "{name} in {}", text(row, "fen"));
            }
        }
    }
}

/// The sets in the file are the shipped files, all of them, and one more.
#[test]
fn the_sets_are_the_files_beside_it() {
    for &game in GameId::ALL {
        let document = conformance(game);
        let mut shipped = 0;
        for set in array(&document, "sets") {
            let path = folder().join(game.name()).join(format!("{}.json", text(set, "name")));
            if let Ok(file) = fs::read_to_string(path) {
                assert_eq!(*set, serde_json::from_str::<Value>(&file).unwrap());
                shipped += 1;
            }
        }
        let files = fs::read_dir(folder().join(game.name())).unwrap();
        let is_json =
            |path: std::path::PathBuf| path.extension().is_some_and(|extension| extension == "json");
        let weight_files = files.filter(|entry| is_json(entry.as_ref().unwrap().path())).count() - 1;
        assert_eq!((shipped, array(&document, "sets").len()), (weight_files, weight_files + 1));
    }
}

/// The positions are worth checking against: enough of them, both sides to move, every feature at work, and sums of
/// either sign that rounding changes.
fn check_variety<P: Evaluated>(document: &Value) {
    let rows = array(document, "positions");
    assert!(rows.len() >= 60, "{} positions", rows.len());
    let distinct = |key| rows.iter().map(|row| text(row, key)).collect::<BTreeSet<_>>().len();
    assert_eq!(distinct("fen"), rows.len());
    assert!(P::boards().len() < 2 || distinct("board") >= 2);
    for side in Side::BOTH {
        let to_move = rows.iter().filter(|row| P::from_fen(text(row, "fen")).unwrap().side_to_move() == side);
        assert!(to_move.count() * 4 >= rows.len(), "{side:?}");
    }
    for feature in P::feature_list() {
        let values: BTreeSet<i64> =
            rows.iter().map(|row| row["features"][feature.name].as_i64().unwrap()).collect();
        assert!(values.len() >= 3, "`{}` takes the values {values:?} only", feature.name);
        assert!(values.iter().all(|value| value.unsigned_abs() <= u64::from(feature.limit)));
    }
    let last = array(document, "sets").last().unwrap();
    let rounded = |sign: i64| rows.iter().filter(move |row| remainder(last, &row["features"]) * sign > 0);
    assert!(rounded(1).count() >= 10 && rounded(-1).count() >= 10);
}

/// What the division by the scale leaves over, with the sign of the sum.
fn remainder(set: &Value, features: &Value) -> i64 {
    let mut undivided = set.clone();
    undivided["scale"] = 1.into();
    let scale = set["scale"].as_i64().unwrap();
    frontend_score(&undivided, features) - scale * frontend_score(set, features)
}

#[test]
fn the_positions_differ_in_what_matters() {
    for &game in GameId::ALL {
        with_game!(game, P => check_variety::<P>(&conformance(game)));
    }
}
