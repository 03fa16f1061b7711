//! Reading weight sets from arbitrary input, and reading back what was written.

use crate::networks::made;
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rand_mt::Mt64;
use sparring::error::{ErrorKind, Result};
use sparring::game::Board;
use sparring::games::{Ataxx, Breakthrough, GameId};
use sparring::search::score::is_proven;
use sparring::weights::{
    self, Activation, FORMAT, FORMAT_WITH_NETWORK, MAX_HIDDEN_BIAS, MAX_LIMIT, MAX_SCALE,
    MAX_WEIGHT, NEWEST_FORMAT, Network, Provenance, TrainedOn, Weight, WeightSet, WindowShape,
    YardstickElo,
};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The cases of each test that feeds the reader; there are five.
const CASES: u32 = 30_000;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(CASES) }
}

/// A set that was read can be written and read again, and fits the schema; an error is the input's
/// fault.
fn examine(result: Result<WeightSet>) {
    static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let schema = serde_json::from_str(weights::SCHEMA).unwrap();
        jsonschema::draft202012::new(&schema).unwrap()
    });
    match result {
        Ok(set) => {
            let text = set.to_json();
            assert_eq!(WeightSet::from_json(&text, "again").unwrap(), set);
            assert!(VALIDATOR.is_valid(&serde_json::from_str(&text).unwrap()), "{text}");
            if let (Some(_), Ok(game)) = (&set.network, set.game.parse::<GameId>()) {
                evaluate(game, &set);
            }
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Input, "{error}");
            assert!(error.to_string().starts_with("fuzz"), "{error}");
        }
    }
}

/// A set that its game accepts can be played with.
fn evaluate(game: GameId, set: &WeightSet) {
    if game.check_set(set, "fuzz").is_err() {
        return;
    }
    let evaluator = game.evaluator(set).unwrap();
    let start = game.start(set.board.as_ref().unwrap().parse().unwrap()).unwrap();
    assert!(!is_proven(evaluator.evaluate(&start)));
}

fn weight() -> impl Strategy<Value = Weight> {
    let value = -MAX_WEIGHT..=MAX_WEIGHT;
    prop_oneof![value.clone().prop_map(Weight::One), vec(value, 0..40).prop_map(Weight::Table)]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        -1e4..1e4,
        any::<f64>().prop_filter("JSON has no infinity", |value| value.is_finite())
    ]
}

fn provenance() -> impl Strategy<Value = Provenance> {
    let elo = (option::of(number()), option::of(number().prop_map(f64::abs)));
    let texts =
        (any::<String>(), any::<String>(), any::<String>(), any::<String>(), any::<String>());
    (texts, elo, any::<u64>(), any::<u64>()).prop_map(|(texts, (elo, elo_error), games, seed)| {
        let (run, method, baseline, limits, version) = texts;
        let (weights, weights_fingerprint) = (None, Some(version.clone()));
        let baseline_name = baseline.clone();
        Provenance {
            method,
            games,
            baseline,
            weights,
            weights_fingerprint,
            elo,
            elo_error,
            elo_unbiased: elo,
            yardsticks: elo
                .map(|_| YardstickElo {
                    against: run.clone(),
                    limits: limits.clone(),
                    games,
                    elo,
                    elo_error,
                })
                .into_iter()
                .collect(),
            trained_on: vec![TrainedOn {
                name: baseline_name,
                positions: games,
                digest: version.clone(),
            }],
            run,
            limits,
            seed,
            values: Some(version.clone()),
            version,
        }
    })
}

/// Networks whose lists have any length.
fn network() -> impl Strategy<Value = Network> {
    let numbers = (1..=MAX_LIMIT, 1..=i32::MAX, any::<i32>(), 1..=weights::MAX_UNITS);
    let biases = vec(-MAX_HIDDEN_BIAS..=MAX_HIDDEN_BIAS, 0..9);
    let lists = (biases, vec(any::<i16>(), 0..9), vec(any::<i8>(), 0..60));
    (select(&WindowShape::ALL[..]), numbers, lists).prop_map(
        |(window, (limit, divisor, output_bias, units), lists)| {
            let (hidden_biases, output_weights, hidden_weights) = lists;
            let activation = Activation::Screlu;
            Network {
                window,
                units,
                activation,
                limit,
                divisor,
                hidden_biases,
                output_bias,
                output_weights,
                hidden_weights,
            }
        },
    )
}

fn set() -> impl Strategy<Value = WeightSet> {
    let texts = ("\\PC+", any::<String>(), any::<String>());
    let board = option::of((1u8..=26, 1u8..=26).prop_map(|(cols, rows)| format!("{cols}x{rows}")));
    let feature = prop_oneof![any::<String>(), "[a-z_]{1,20}", "[a-z]{1,9}@(early|late)"];
    let weights = vec((feature, weight()), 0..12);
    let search = option::of(btree_map(any::<String>(), any::<i32>(), 0..12));
    let others = (search, option::of(network()), option::of(provenance()));
    (texts, board, 1..=MAX_SCALE, weights, others).prop_map(
        |((game, name, description), board, scale, list, (search, network, provenance))| {
            let by_phase = list.iter().any(|(name, _)| name.contains('@'));
            WeightSet {
                format: match &network {
                    _ if by_phase => NEWEST_FORMAT,
                    Some(_) => FORMAT_WITH_NETWORK,
                    None => FORMAT,
                },
                game,
                board,
                name: name + "x",
                description,
                scale,
                weights: list.into_iter().collect(),
                network,
                search,
                provenance,
            }
        },
    )
}

fn json() -> impl Strategy<Value = String> {
    let word =
        prop_oneof!["format|game|board|name|scale|weights|piece|elo", "[a-z]{0,4}", "[1-9]x[1-9]"];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1".to_owned()),
        any::<i64>().prop_map(|value| value.to_string()),
        any::<f64>().prop_map(|value| value.to_string()),
        word.clone().prop_map(|word| format!("\"{word}\"")),
    ];
    leaf.prop_recursive(5, 40, 8, move |inner| {
        let pair =
            (word.clone(), inner.clone()).prop_map(|(key, value)| format!("\"{key}\":{value}"));
        prop_oneof![
            vec(inner, 0..6).prop_map(|list| format!("[{}]", list.join(","))),
            vec(pair, 0..8).prop_map(|list| format!("{{{}}}", list.join(","))),
        ]
    })
}

/// An edit of bytes: at a place, this many go and these come.
fn edit() -> impl Strategy<Value = (Index, usize, Vec<u8>)> {
    let token = select(
        &["", "{", "[", ",", "\"", "-", ".5", "null", "1e999", "\\u0000", "\"piece\":1,"][..],
    );
    let bytes =
        prop_oneof![token.prop_map(|token| token.as_bytes().to_vec()), vec(any::<u8>(), 1..4)];
    (any::<Index>(), 0usize..8, bytes)
}

/// A compact file after edits of its bytes, with the checksum that fits them.
fn edited_compact(mut bytes: Vec<u8>, edits: Vec<(Index, usize, Vec<u8>)>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 4);
    for (index, gone, come) in edits {
        // The first bytes say that it is a compact file.
        let at = 8 + index.index(bytes.len() - 8);
        let end = (at + gone).min(bytes.len());
        bytes.splice(at..end, come);
        bytes.resize(bytes.len().max(16), 0);
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The texts of sets with networks of small boards.
fn networks() -> [String; 2] {
    let mut generator = Mt64::new(4);
    let mut network = |board, units, numbers| {
        made::network::<Ataxx>(board, WindowShape::new(2, 2), units, numbers, &mut generator)
    };
    let [square, narrow] = [Board::new(4, 4), Board::new(3, 5)];
    [
        made::set::<Ataxx>(square, network(square, 2, made::Numbers::Usual), 1).to_json(),
        made::set::<Breakthrough>(narrow, network(narrow, 3, made::Numbers::Extreme), 3).to_json(),
    ]
}

/// The texts of the shipped sets and of sets with networks: short ones, and those with tables,
/// which are long.
static TEXTS: LazyLock<(Vec<String>, Vec<String>)> = LazyLock::new(|| {
    let text = |set: &weights::ShippedSet| set.read().unwrap().to_json();
    weights::shipped().iter().map(text).chain(networks()).partition(|text| text.len() < 1 << 16)
});

/// Reads a text after these edits of its bytes.
fn mutate(text: &str, edits: Vec<(Index, usize, Vec<u8>)>) {
    let mut bytes = text.as_bytes().to_vec();
    for (place, removed, added) in edits {
        let start = place.index(bytes.len() + 1);
        let end = (start + removed).min(bytes.len());
        bytes.splice(start..end, added);
    }
    examine(WeightSet::from_bytes(&bytes, "fuzz"));
    // Text that is UTF-8 was read as such already.
    if let Cow::Owned(text) = String::from_utf8_lossy(&bytes) {
        examine(WeightSet::from_json(&text, "fuzz"));
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_bytes_never_panic(bytes in vec(any::<u8>(), 0..300)) {
        examine(WeightSet::from_bytes(&bytes, "fuzz"));
        examine(WeightSet::from_json(&String::from_utf8_lossy(&bytes), "fuzz"));
    }

    #[test]
    fn random_json_never_panics(text in json()) {
        examine(WeightSet::from_json(&text, "fuzz"));
    }

    #[test]
    fn random_values_under_the_right_keys_never_panic(values in vec((0usize..12, json()), 1..12)) {
        let keys = ["format", "game", "board", "name", "description", "scale", "weights", "network", "search", "constants", "provenance", "extra"];
        let pairs: Vec<_> = values.iter().map(|(key, value)| format!("\"{}\": {value}", keys[*key])).collect();
        examine(WeightSet::from_json(&format!("{{{}}}", pairs.join(",\n")), "fuzz"));
    }

    #[test]
    fn mutated_files_never_panic(which in any::<Index>(), edits in vec(edit(), 1..4)) {
        let text: &String = which.get(&TEXTS.0);
        mutate(text, edits);
    }

    #[test]
    fn mutated_compact_files_never_panic(which in any::<Index>(), edits in vec(edit(), 1..4)) {
        let text: &String = which.get(&TEXTS.0);
        let bytes = WeightSet::from_json(text, "text").unwrap().to_compact().unwrap();
        examine(WeightSet::from_bytes(&edited_compact(bytes, edits), "fuzz"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..config() })]

    #[test]
    fn sets_round_trip(set in set()) {
        let text = set.to_json();
        prop_assert_eq!(&WeightSet::from_json(&text, "text").unwrap(), &set);
        prop_assert_eq!(&serde_json::from_str::<WeightSet>(&text).unwrap(), &set);
        prop_assert_eq!(serde_json::to_value(&set).unwrap(), serde_json::from_str::<serde_json::Value>(&text).unwrap());
        let is_short = |cell: &i32| (-32_767..=32_767).contains(cell);
        let are_short = set.weights.iter().all(|(_, weight)| match weight {
            Weight::Table(cells) => cells.iter().all(is_short),
            Weight::One(_) => true,
        });
        match set.to_compact() {
            Ok(bytes) => prop_assert_eq!(&WeightSet::from_bytes(&bytes, "bytes").unwrap(), &set),
            Err(error) => prop_assert!(!are_short, "{}", error),
        }
        examine(Ok(set));
    }
}

proptest! {
    // A file with tables takes long to read, and there is little in it but numbers.
    #![proptest_config(ProptestConfig { cases: 300, ..config() })]

    #[test]
    fn mutated_tables_never_panic(which in any::<Index>(), edits in vec(edit(), 1..4)) {
        let text: &String = which.get(&TEXTS.1);
        mutate(text, edits);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for open in [
        "[",
        "{\"weights\":",
        "{\"provenance\":",
        "{\"x\":",
        "{\"format\":",
        "{\"weights\":{\"a\":[",
    ] {
        examine(WeightSet::from_json(&open.repeat(200_000), "fuzz"));
        examine(WeightSet::from_json(&format!("{open}{}", "[".repeat(200_000)), "fuzz"));
    }
}
