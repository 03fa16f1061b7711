//! The shipped weight files and their schema.

use crate::bless::folder;
use serde_json::{Value, json};
use sparring::games::GameId;
use sparring::weights::{self, WeightSet};
use std::fs;

/// The JSON files of `weights/<game>/`, named as the program names them, sorted.
fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for game in fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap()) {
        if !game.path().is_dir() {
            continue;
        }
        for path in fs::read_dir(game.path()).unwrap().map(|entry| entry.unwrap().path()) {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|extension| extension == "json")
                && stem != "conformance"
            {
                let name = format!("{}/{stem}", game.file_name().to_str().unwrap());
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn schema() -> Value {
    serde_json::from_str(weights::SCHEMA).unwrap()
}

#[test]
fn every_file_is_shipped() {
    let built_in = weights::shipped().iter().map(|set| set.name);
    assert!(built_in.eq(files().iter().map(|(name, _)| name)));
}

#[test]
fn shipped_files_are_canonical() {
    for (name, text) in files() {
        let mut set = weights::find(&name, "").unwrap();
        assert_eq!(WeightSet::from_json(&text, &name).unwrap(), set, "{name}");
        assert_eq!(format!("{}/{}", set.game, set.name), name);
        let game: GameId = set.game.parse().unwrap();
        let features = game.shapes(set.board.as_deref().map(|board| board.parse().unwrap()));
        set.check(&name, game.name(), &features).unwrap();
        set.sort_by_features(&features);
        assert_eq!(set.to_json(), text, "{name} is not as the program would write it");
    }
}

#[test]
fn shipped_sets_compute_different_things() {
    let mut prints: Vec<_> =
        weights::shipped().iter().map(|set| set.read().unwrap().fingerprint()).collect();
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), weights::shipped().len());
}

/// The features that the programs of the articles have, and `tempo`.
const PUBLISHED: usize = 23;

#[test]
fn the_articles_weights_are_the_published_ones() {
    let game: GameId = "breakthrough".parse().unwrap();
    let weights_of = |name| {
        let set = weights::find(name, "breakthrough").unwrap();
        let mut all: Vec<i32> =
            game.single_weights(&set).unwrap().into_iter().map(|weight| weight.value).collect();
        // Features that came later are not in the published sets.
        assert!(all.drain(PUBLISHED..).all(|later| later == 0));
        all
    };
    let atachiants =
        vec![1300, 10, 100, 50, 65, 35, 15, 1, 20, 10, 10000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let zhu =
        vec![10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 30, -30, 55, -20, -40, -100, 0, 0, 0, 0];
    assert_eq!(weights_of("atachiants"), atachiants);
    assert_eq!(weights_of("zhu"), zhu);
}

#[test]
fn shipped_files_fit_the_schema() {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for (name, text) in files() {
        if let Err(error) = validator.validate(&serde_json::from_str(&text).unwrap()) {
            panic!("{name}: {error}");
        }
    }
}

/// A document with everything in it.
fn full() -> Value {
    json!({
        "format": 5, "game": "breakthrough", "board": "8x8", "name": "n", "description": "", "scale": 1,
        "weights": { "piece": 1, "ring": [1, -1] },
        "network": {
            "window": "2x2", "units": 1, "activation": "screlu", "limit": 127, "divisor": 9,
            "hidden_biases": [-7], "output_bias": 3, "output_weights": [8], "hidden_weights": "AAH/gA==",
        },
        "search": { "null_base": 3 },
        "provenance": {
            "run": "r", "method": "spsa", "games": 100, "baseline": "b", "elo": 1.5, "elo_error": null,
            "limits": "1000 nodes", "seed": u64::MAX, "version": "0.1.0",
        },
    })
}

/// The full document with each of the values at a JSON pointer.
fn changed((pointer, values): (&str, Value)) -> Vec<(String, Value)> {
    let change = |value: &Value| {
        let mut document = full();
        *document.pointer_mut(pointer).unwrap() = value.clone();
        (format!("{pointer} {value}"), document)
    };
    values.as_array().unwrap().iter().map(change).collect()
}

/// Documents that are wrong in one place: its JSON pointer, and the wrong values there.
fn broken() -> Vec<(String, Value)> {
    let large = weights::MAX_WEIGHT + 1;
    let wrong = [
        ("/format", json!([0, weights::NEWEST_FORMAT + 1, -1, "1", null, 1.5])),
        ("/game", json!(["", 1, null])),
        ("/board", json!(["", "8", "8X8", "08x8", "27x8", "0x8", "8x8 ", 8])),
        ("/name", json!(["", null])),
        ("/description", json!([null, []])),
        ("/scale", json!([0, -1, weights::MAX_SCALE + 1, null, "1", 0.5])),
        ("/weights", json!([null, [], 1, "piece"])),
        ("/weights/piece", json!([large, -large, 1e300, 0.5, null, "1", {}, true])),
        ("/weights/ring", json!([[large], [-large], [0.5], [null], [[1]], ["1"]])),
        ("/network", json!([null, [], 1, {}, "2x2"])),
        ("/network/window", json!(["", "2X2", "4x4", "02x2", null, 22])),
        ("/network/units", json!([0, -1, weights::MAX_UNITS + 1, 0.5, null, "1"])),
        ("/network/activation", json!(["", "relu", "SCReLU", null, 1])),
        ("/network/limit", json!([0, -1, weights::MAX_LIMIT + 1, 0.5, null, "1"])),
        ("/network/divisor", json!([0, -1, 1_u64 << 31, 0.5, null, "1"])),
        ("/network/hidden_biases", json!([[24_001], [-24_001], [0.5], [null], 1, null, "AA=="])),
        ("/network/output_bias", json!([1_u64 << 31, -(1_i64 << 31) - 1, 0.5, null, "1", [1]])),
        ("/network/output_weights", json!([[32_768], [-32_769], [0.5], [[1]], 1, null, "AA=="])),
        (
            "/network/hidden_weights",
            json!(["A", "AAH/g", "AA=", "AA==A", "A-A_", " AA==", [1], null]),
        ),
        ("/search", json!([null, [], 1, "null_base"])),
        ("/search/null_base", json!([0.5, null, "1", [1]])),
        ("/provenance", json!([[], 1, {}, "spsa"])),
        ("/provenance/games", json!([-1, 1.5, null])),
        ("/provenance/elo", json!(["1", []])),
        ("/provenance/elo_error", json!([-0.5, "1"])),
        ("/provenance/seed", json!([-1, 1e30])),
    ];
    wrong.into_iter().flat_map(changed).collect()
}

/// Documents with a number at one of its limits, given as its JSON pointer and the limits.
fn at_the_limits() -> Vec<(String, Value)> {
    let large = weights::MAX_WEIGHT;
    let limits = [
        // Of the formats that may have all of the keys.
        ("/format", json!([weights::FORMAT_WITH_NETWORK, weights::NEWEST_FORMAT])),
        ("/board", json!([null, "1x1", "26x26"])),
        ("/scale", json!([1, weights::MAX_SCALE])),
        ("/weights/piece", json!([large, -large, []])),
        ("/network/units", json!([1, weights::MAX_UNITS])),
        ("/network/limit", json!([1, weights::MAX_LIMIT])),
        ("/network/divisor", json!([1, i32::MAX])),
        (
            "/network/hidden_biases",
            json!([[weights::MAX_HIDDEN_BIAS], [-weights::MAX_HIDDEN_BIAS]]),
        ),
        ("/network/output_bias", json!([i32::MIN, i32::MAX])),
        ("/network/output_weights", json!([[i16::MIN], [i16::MAX], []])),
        ("/search/null_base", json!([i32::MIN, i32::MAX])),
        ("/provenance", json!([null])),
        ("/provenance/games", json!([0, u64::MAX])),
        ("/provenance/elo", json!([null, -1e300, 1e300])),
        ("/provenance/elo_error", json!([null, 0])),
        ("/provenance/seed", json!([0, u64::MAX])),
    ];
    limits.into_iter().flat_map(changed).collect()
}

/// Documents in which a key is missing, or one is too many.
fn with_other_keys() -> Vec<(String, Value)> {
    let mut documents = Vec::new();
    for parent in ["", "/network", "/provenance"] {
        let keys: Vec<_> =
            full().pointer(parent).unwrap().as_object().unwrap().keys().cloned().collect();
        for key in keys.into_iter().filter(|key| !["search", "network"].contains(&key.as_str())) {
            let mut document = full();
            document.pointer_mut(parent).unwrap().as_object_mut().unwrap().shift_remove(&key);
            documents.push((format!("without {parent}/{key}"), document));
        }
        let mut document = full();
        document.pointer_mut(parent).unwrap()["other"] = json!(1);
        documents.push((format!("{parent}/other"), document));
    }
    documents
}

#[test]
fn documents_at_the_limits_pass_schema_and_reader() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let formats = (1..=weights::NEWEST_FORMAT).map(|format| {
        let document = json!({
            "format": format, "game": "breakthrough", "board": null, "name": "n", "description": "",
            "scale": 1, "weights": {}, "provenance": null,
        });
        (format!("format {format}"), document)
    });
    for (what, document) in at_the_limits().into_iter().chain(formats) {
        assert!(validator.is_valid(&document), "the schema refuses: {what}");
        if let Err(error) = WeightSet::from_json(&document.to_string(), "at_the_limits.json") {
            panic!("{what}: {error}");
        }
    }
}

#[test]
fn broken_documents_are_refused_by_schema_and_reader() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    assert!(validator.is_valid(&full()));
    WeightSet::from_json(&full().to_string(), "full").unwrap();
    let all = broken().into_iter().chain(with_other_keys());
    for (what, document) in
        all.chain([("an array".to_owned(), json!([])), ("null".to_owned(), json!(null))])
    {
        assert!(!validator.is_valid(&document), "the schema lets pass: {what}");
        let error = WeightSet::from_json(&document.to_string(), "broken.json").unwrap_err();
        assert_eq!(error.exit_code(), 2, "{what}");
        assert!(error.to_string().starts_with("broken.json, "), "{what}: {error}");
    }
}
