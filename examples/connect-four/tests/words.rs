//! A program with its own game never mentions the games that Sparring ships.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs the program; returns exit code, standard output and standard error.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_c4"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    (done.status.code(), out, err)
}

/// The commands listed in a help text: the first words of lines with two leading spaces.
fn commands(help: &str) -> Vec<String> {
    let rows = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let names = rows.map(|(name, _)| name.to_owned());
    names.filter(|name| name.chars().all(|sign| sign.is_ascii_lowercase())).collect()
}

#[test]
fn the_help_names_no_other_game() {
    let (code, help, _) = run(&["--help"], "");
    let names = commands(&help);
    assert_eq!(code, Some(0));
    assert!(names.len() > 20, "{names:?}");
    assert!(["tune", "play", "export"].iter().all(|name| names.contains(&name.to_string())));
    assert!(["endgame", "train"].iter().all(|name| !names.contains(&name.to_string())));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().to_str().unwrap();
    assert_eq!(run(&["man", pages], "").0, Some(0));
    let pages = std::fs::read_dir(pages).unwrap().map(|page| page.unwrap().path());
    let pages: Vec<_> = pages.map(|page| std::fs::read_to_string(page).unwrap()).collect();
    assert!(pages.len() > names.len(), "{}", pages.len());
    let mut texts: Vec<String> = names.iter().map(|name| run(&[name, "--help"], "").1).collect();
    texts.extend(pages.iter().map(|page| page.replace('\\', "")));
    texts.iter().for_each(|text| assert_names_no_other_game(text));
}

/// Words of other programs and games in a text; the protocol UAI has a game in its name.
fn assert_names_no_other_game(text: &str) {
    let lower = text.to_lowercase().replace("universal ataxx interface", "");
    for word in [
        "breakthr",
        "ataxx",
        "atachiants",
        "piece@",
        "8x8-network",
        "spar ",
        "--endgame",
        "play page",
        "to play on",
    ] {
        assert!(!lower.contains(word), "`{word}` in:\n{text}");
    }
}

#[test]
fn completions_name_no_other_game() {
    for shell in ["bash", "zsh", "fish"] {
        let (code, script, error) = run(&["completions", shell], "");
        assert_eq!(code, Some(0), "{error}");
        let lower = script.to_lowercase().replace("universal ataxx interface", "");
        assert!(!lower.contains("breakthr") && !lower.contains("ataxx"), "{script}");
    }
}

#[test]
fn an_engine_plays_the_only_game() {
    for arguments in
        [&["check", "cmd:false"][..], &["tune", "--engine", "cmd:false", "--nodes", "1000"]]
    {
        let (_, _, error) = run(arguments, "");
        assert!(error.contains("engine `false`"), "{error}");
        assert!(!error.contains("chess") && !error.contains("referee"), "{error}");
    }
}

#[test]
fn commands_that_the_game_has_no_use_for_say_why() {
    for (arguments, reason) in [
        (
            &["export", "web", "page"][..],
            "the engine of the page plays none of this program's games",
        ),
        (&["endgame", "build", "-o", "c4.end"], "no game of this program has endgame databases"),
    ] {
        let (code, _, error) = run(arguments, "");
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(reason), "{error}");
        assert!(!error.contains("spar ") && !error.contains("breakthrough"), "{error}");
    }
}

#[test]
fn the_engine_offers_no_option_that_the_game_has_no_use_for() {
    let lines = "uci\nsetoption name EndgameFile value c4.end\nquit\n";
    let (_, said, _) = run(&["uci"], lines);
    assert!(said.contains("option name BookFile ") && !said.contains("name EndgameFile"), "{said}");
    assert!(said.contains("EndgameFile`: the engine does not offer it"), "{said}");
}

#[test]
fn what_leaves_the_terminal_names_this_program_too() {
    let folder = tempfile::tempdir().unwrap();
    for form in ["c", "js"] {
        let file = folder.path().join(form);
        let name = file.to_str().unwrap();
        let (code, _, error) = run(&["weights", "export", "hand", "--to", form, "-o", name], "");
        assert_eq!(code, Some(0), "{error}");
        let source = std::fs::read_to_string(&file).unwrap();
        assert!(source.contains("`c4 weights export"), "{source}");
        assert!(!source.contains("FEATURES.md") && !source.contains("spar weights"), "{source}");
        assert!(source.contains("The unit of displayed scores") && !source.contains("a piece is"));
        assert!(!source.contains(". the program"), "{source}");
    }
    let (_, out, _) = run(&["uci"], "setoption name Weights value no-such-set\nquit\n");
    assert!(out.contains("info string") && !out.contains("spar "), "{out}");
}

#[test]
fn scores_are_in_pieces_only_where_a_piece_is_their_unit() {
    let (_, out, error) = run(&["play", "--nodes", "100"], "d1\nhint\nquit\n");
    assert!(out.contains("engine plays") && out.contains(" %"), "{out}{error}");
    assert!(!out.contains("pieces"), "{out}");
}
