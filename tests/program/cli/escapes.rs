//! Nothing that a file or an engine says reaches the terminal as a command to it, even where the
//! program uses colour.

use super::support::{file, spar_with};
use sparring::run::{Manifest, RunDir, Work};
use std::fs;
use std::path::Path;
use std::process::Output;

/// A title, a colour, a control sequence of one byte in another encoding, a reversal of the text.
const HOSTILE: &str = "evil\x1b]0;title\x07\x1b[31mred\u{9b}5m\u{202e}\r\x08end";
/// How it must be shown.
const SHOWN: &str = "evil\\u{1b}]0;title\\u{7}\\u{1b}[31mred\\u{9b}5m\\u{202e}\\r\\u{8}end";

/// A command's output where colour is forced.
fn said(arguments: &[&str]) -> Output {
    spar_with(arguments).env("CLICOLOR_FORCE", "1").output().unwrap()
}

/// Checks that an output has no control character but line ends and tabs, and the sequences of the
/// program's own styles.
fn must_be_harmless(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8(text).unwrap();
    let mut pieces = text.split('\x1b');
    let mut rest = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let sequence = piece.strip_prefix('[').and_then(|piece| piece.split_once('m'));
        let (numbers, behind) = sequence.unwrap_or_else(|| panic!("{text:?}"));
        assert!(numbers.bytes().all(|b| b.is_ascii_digit() || b == b';'), "{text:?}");
        assert!(!behind.starts_with("red"), "{text:?}");
        rest += behind;
    }
    let is_hostile = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
    assert!(!rest.contains(is_hostile), "{text:?}");
    rest
}

/// A weight file with a hostile name, in a file with one.
fn hostile_set(folder: &Path) -> String {
    let mut set = sparring::weights::find("piece", "breakthrough").unwrap();
    set.name = HOSTILE.into();
    set.description = HOSTILE.into();
    let path = folder.join(HOSTILE.replace('/', "_"));
    set.save(&path).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn names_of_weight_sets_and_files_are_escaped() {
    let (folder, _) = file("x");
    let set = hostile_set(folder.path());
    for arguments in [
        &["weights", "show", &set][..],
        &["weights", "show", &set, "--json"],
        &["weights", "check", &set],
        &["weights", "diff", "zhu", &set],
        &["weights", "list", folder.path().to_str().unwrap()],
        &["match", "zhu", &set, "--pairs", "2", "--nodes", "20", "--board", "5x5"],
        &["analyze", "--weights", &format!("{set}.none"), "--nodes", "20"],
    ] {
        let output = said(arguments);
        let text = must_be_harmless(&output);
        assert!(text.contains("evil") || output.status.code() == Some(0), "{arguments:?}: {text}");
        if arguments.contains(&"--json") {
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(document["name"], HOSTILE);
        } else if arguments[1] == "show" {
            assert!(text.contains(SHOWN), "{text}");
        }
    }
}

#[test]
fn saved_games_are_escaped() {
    let (folder, path) = file("games.jsonl");
    let place = path.to_str().unwrap();
    let arguments = ["match", "zhu", "piece", "--pairs", "1", "--nodes", "20", "--board", "5x5"];
    let output = spar_with(arguments).args(["--save", place]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let hostile = serde_json::to_string(HOSTILE).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("\"breakthrough/piece\"", &hostile).replace(
        "\"result\"",
        &format!("\"forfeit\":{{\"reason\":{hostile},\"last_words\":[{hostile}]}},\"result\""),
    );
    let games = folder.path().join("hostile.jsonl");
    fs::write(&games, text).unwrap();
    let games = games.to_str().unwrap();
    for arguments in
        [&["show", games][..], &["show", games, "--game", "1"], &["show", games, "--json"]]
    {
        let output = said(arguments);
        assert_eq!(output.status.code(), Some(0));
        let text = must_be_harmless(&output);
        assert!(text.contains("evil"), "{text}");
    }
}

#[test]
fn manifests_are_escaped() {
    let (folder, path) = file("run");
    let place = path.to_str().unwrap();
    let arguments =
        "tune --method spsa --board 5x5 --games 40 --batch 5 --nodes 20 --validation-pairs 2 --run";
    let output = spar_with(arguments.split(' ').chain([place])).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let manifest = Manifest::load(&path.join("manifest.json")).unwrap();
    let Work::Tune(mut tune) = manifest.work else { panic!("no tune") };
    tune.start.name = HOSTILE.into();
    let other = folder.path().join("other");
    drop(RunDir::create(&other, Work::Tune(tune), &[]).unwrap());
    let other = other.to_str().unwrap();
    for arguments in [&["report", other][..], &["resume", other, "--threads", "1"]] {
        let output = said(arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = must_be_harmless(&output);
        assert!(text.contains("evil"), "{text}");
    }
}
