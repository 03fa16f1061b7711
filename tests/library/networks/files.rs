//! Networks in weight files.

use super::made::{Numbers, network, set};
use rand_mt::Mt64;
use serde_json::{Value, json};
use sparring::error::{ErrorKind, Result};
use sparring::game::Board;
use sparring::games::{Ataxx, GameId};
use sparring::weights::{NEWEST_FORMAT, WeightSet, WindowShape};
use std::collections::HashSet;

const WINDOW: WindowShape = WindowShape::new(2, 2);

/// A set with a network of two units on 4x4.
fn small() -> WeightSet {
    let board = Board::new(4, 4);
    let network = network::<Ataxx>(board, WINDOW, 2, Numbers::Usual, &mut Mt64::new(1));
    let mut set = set::<Ataxx>(board, network, 3);
    set.weights = sparring::weights::Weights::new();
    set
}

fn document() -> Value {
    serde_json::from_str(&small().to_json()).unwrap()
}

/// Reads a file and checks it against its game, as every command does.
fn read(document: &Value) -> Result<()> {
    let set = WeightSet::from_json(&document.to_string(), "made.json")?;
    let game: GameId = set.game.parse().unwrap();
    game.check_set(&set, "made.json")
}

/// The error of reading a wrong file.
fn refusal(document: &Value) -> String {
    let error = read(document).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    let text = error.to_string();
    assert!(text.starts_with("made.json, "), "{text}");
    text
}

#[test]
fn what_is_wrong_is_named_with_its_key_and_a_remedy() {
    read(&document()).unwrap();
    let large = json!(vec![0; 1025]);
    for (pointer, value, key, remedy) in [
        ("/network/window", json!("4x4"), "network.window", "write one of 2x2, 2x3, 3x2"),
        ("/network/window", json!("2x3"), "network.hidden_weights", "change `units`, or the list"),
        ("/network/units", json!(0), "network.units", "write a whole number from 1 to 1024"),
        ("/network/units", json!(1025), "network.units", "from 1 to 1024"),
        ("/network/units", json!(3), "network.hidden_biases", "change `units`, or the list"),
        ("/network/activation", json!("relu"), "network.activation", "write \"screlu\""),
        ("/network/limit", json!(0), "network.limit", "from 1 to 181"),
        ("/network/limit", json!(182), "network.limit", "from 1 to 181"),
        ("/network/divisor", json!(0), "network.divisor", "from 1 to 2147483647"),
        ("/network/divisor", json!(1_u64 << 31), "network.divisor", "from 1 to 2147483647"),
        ("/network/hidden_biases", json!([0]), "network.hidden_biases", "change `units`"),
        ("/network/hidden_biases", large, "network.hidden_biases", "change `units`"),
        ("/network/hidden_biases/1", json!(24_001), "network.hidden_biases[1]", "24000"),
        ("/network/hidden_biases/0", json!(-24_001), "network.hidden_biases[0]", "-24000"),
        ("/network/output_bias", json!(1_u64 << 31), "network.output_bias", "2147483647"),
        ("/network/output_weights", json!([1, 2, 3]), "network.output_weights", "change `units`"),
        ("/network/output_weights/0", json!(32_768), "network.output_weights[0]", "32767"),
        ("/network/hidden_weights", json!("AAA="), "network.hidden_weights", "change `units`"),
        ("/network/hidden_weights", json!("AAA"), "network.hidden_weights", "with padding"),
        ("/network/hidden_weights", json!("A-A_"), "network.hidden_weights", "as base64"),
        ("/format", json!(4), "network", "write `\"format\": 5`"),
        ("/format", json!(NEWEST_FORMAT + 1), "format", "update the program"),
        ("/board", json!(null), "board", "name the board that the network was made for"),
        ("/board", json!("5x5"), "network.hidden_weights", "change `units`, or the list"),
        ("/board", json!("26x26"), "board", "name the board that the network was made for"),
        ("/game", json!("breakthru"), "board", "name the board that the network was made for"),
    ] {
        let mut document = document();
        *document.pointer_mut(pointer).unwrap() = value.clone();
        let text = refusal(&document);
        let (place, rest) = text.split_once(": ").unwrap();
        assert!(place.ends_with(&format!("key `{key}`")), "{pointer} {value}: {text}");
        let found = rest.split_once("; ").is_some_and(|(_, found)| found.contains(remedy));
        assert!(found, "{pointer} {value}: {text}");
    }
}

#[test]
fn keys_that_are_missing_or_unknown_are_named() {
    let keys: Vec<String> = document()["network"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys.len(), 9);
    for key in keys {
        let mut document = document();
        document["network"].as_object_mut().unwrap().shift_remove(&key);
        let text = refusal(&document);
        let expected = format!("key `network.{key}`: the key is missing; add `\"{key}\": ");
        assert!(text.contains(&expected) && !text.contains("null"), "{text}");
    }
    let mut document = document();
    document["network"]["unit"] = json!(2);
    assert!(refusal(&document).ends_with("unknown key; did you mean `units`?"));
    document["network"] = json!(null);
    assert!(refusal(&document).contains("a network, which is an object"));
}

#[test]
fn sums_that_leave_their_range_are_refused() {
    let with = |limit: i64, divisor: i64, bias: i64, outputs: [i64; 2]| {
        let mut document = document();
        let network = &mut document["network"];
        network["limit"] = json!(limit);
        network["divisor"] = json!(divisor);
        network["output_bias"] = json!(bias);
        network["output_weights"] = json!(outputs);
        document
    };
    let most = 32_767;
    let rest = i64::from(i32::MAX) - 2 * most * 181 * 181;
    read(&with(181, 1000, rest, [most, -most])).unwrap();
    for (document, key) in [
        (with(181, 1000, rest + 1, [most, most]), "output_weights"),
        (with(181, 1000, -rest - 1, [-most, most]), "output_weights"),
        (with(181, 1000, rest, [-most - 1, most]), "output_weights"),
        (with(181, 213, rest, [most, most]), "divisor"),
    ] {
        let text = refusal(&document);
        assert!(text.contains(&format!("key `network.{key}`")), "{text}");
    }
    assert!(refusal(&with(100, 1, 0, [1001, 0])).ends_with("give a greater one"));
    read(&with(100, 1, 0, [1000, 0])).unwrap();
}

#[test]
fn what_is_written_is_read_again() {
    let mut generator = Mt64::new(8);
    for window in WindowShape::ALL {
        for units in [1, 5, 70] {
            for numbers in [Numbers::Usual, Numbers::Extreme] {
                let board = Board::new(6, 6);
                let made = network::<Ataxx>(board, window, units, numbers, &mut generator);
                let set = set::<Ataxx>(board, made, 2);
                let text = set.to_json();
                assert_eq!(WeightSet::from_json(&text, "text").unwrap(), set);
                assert_eq!(serde_json::from_str::<WeightSet>(&text).unwrap(), set);
                GameId::of::<Ataxx>().check_set(&set, "text").unwrap();
            }
        }
    }
}

#[test]
fn every_number_of_a_network_changes_the_fingerprint() {
    let mut prints = HashSet::from([small().fingerprint()]);
    let mut check = |edit: &dyn Fn(&mut sparring::weights::Network)| {
        let mut set = small();
        edit(set.network.as_mut().unwrap());
        assert!(prints.insert(set.fingerprint()), "{:?}", set.network);
    };
    check(&|network| network.window = WindowShape::new(2, 3));
    check(&|network| network.limit += 1);
    check(&|network| network.divisor += 1);
    check(&|network| network.output_bias += 1);
    for unit in 0..2 {
        check(&|network| network.hidden_biases[unit] += 1);
        check(&|network| network.output_weights[unit] += 1);
    }
    for place in 0..small().network.unwrap().hidden_weights.len() {
        check(&|network| network.hidden_weights[place] += 1);
    }
    let mut without = small();
    without.network = None;
    assert!(prints.insert(without.fingerprint()));
}
