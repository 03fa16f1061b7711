//! Games that are saved and shown again.

use super::support::{document, file, refusal, spar_with, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::Path;

fn save(path: &Path, pairs: &str) -> Value {
    let place = path.to_str().unwrap();
    document(&mut spar_with([
        "match", "zhu", "piece", "--board", "5x5", "--nodes", "40", "--pairs", pairs, "--save",
        place, "--json",
    ]))
}

#[test]
fn saved_games_are_shown() {
    for name in ["games.jsonl", "games.jsonl.zst"] {
        let (_folder, path) = file(name);
        save(&path, "3");
        let place = path.to_str().unwrap();
        let list = document(&mut spar_with(["show", place, "--json"]));
        let games = list["games"].as_array().unwrap();
        assert_eq!(games.len(), 6);
        assert_eq!((&games[0]["pair"], &games[5]["pair"]), (&0.into(), &2.into()));
        assert_eq!(
            (&games[0]["players"][0], &games[0]["opening"]),
            (&games[1]["players"][1], &games[1]["opening"])
        );

        let text = stdout(&spar_with(["show", place]).output().unwrap());
        assert_eq!(text.lines().count(), 7, "{text}");
        let game = document(&mut spar_with(["show", place, "--game", "2", "--json"]));
        let moves = |field: &str| game["game"][field].as_str().unwrap().split_whitespace().count();
        assert_eq!(
            game["positions"].as_array().unwrap().len(),
            1 + moves("opening") + moves("moves")
        );
        let text = stdout(&spar_with(["show", place, "--game", "2"]).output().unwrap());
        assert!(
            text.contains("ply 1: ") && text.contains("(opening)") && text.contains("result "),
            "{text}"
        );
        assert!(
            refusal(spar_with(["show", place, "--game", "7"])).contains("numbered from 1 to 6")
        );
        assert!(
            refusal(spar_with(["show", place, "--game", "0"])).contains("numbered from 1 to 6")
        );
    }
}

#[test]
fn the_games_agree_with_the_counts() {
    let (_folder, path) = file("games.jsonl");
    let found = save(&path, "5");
    let text = fs::read_to_string(&path).unwrap();
    let won =
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).filter(|game| {
            let first = game["players"][0] == "breakthrough/zhu";
            game["result"] == if first { "1-0" } else { "0-1" }
        });
    let pairs = |cell: &str| found["pairs"][cell].as_u64().unwrap();
    assert_eq!(won.count() as u64, pairs("mid") + 2 * pairs("ww"));
}

#[test]
fn a_torn_file_is_shown_as_far_as_it_goes() {
    let (_folder, path) = file("games.jsonl");
    save(&path, "2");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 20]).unwrap();
    let output = spar_with(["show", path.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).lines().count(), 4);
    assert!(stderr(&output).contains("ends in the middle of a game"));
}

#[test]
fn an_illegal_move_in_a_file_is_named() {
    let (_folder, path) = file("games.jsonl");
    save(&path, "1");
    let text = fs::read_to_string(&path).unwrap();
    let record: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let opening = record["opening"].as_str().unwrap();
    fs::write(&path, text.replacen(opening, &opening.replacen(' ', " a1a5 ", 1), 1)).unwrap();
    let error = refusal(spar_with(["show", path.to_str().unwrap(), "--game", "1"]));
    assert!(error.contains("line 1, ply 2, move `a1a5`: illegal here"), "{error}");
}

/// No checksum protects a file that `--save` wrote, so its moves and results are played again.
#[test]
fn a_damaged_file_of_games_is_refused_wherever_it_is_read() {
    let (_folder, path) = file("games.jsonl");
    save(&path, "3");
    let text = fs::read_to_string(&path).unwrap();
    let line = text.lines().nth(2).unwrap();
    let record: Value = serde_json::from_str(line).unwrap();
    let moves = record["moves"].as_str().unwrap();
    let other = if record["result"] == "1-0" { "0-1" } else { "1-0" };
    let of_result = |result: &str| {
        line.replace(
            &format!("\"result\":{}", record["result"]),
            &format!("\"result\":\"{result}\""),
        )
    };
    let joined = line.replace(moves, &moves.replacen(' ', "n", 1)).into_bytes();
    let cut = line.replace(moves, moves.rsplit_once(' ').unwrap().0).into_bytes();
    let mut garbled = line.to_owned().into_bytes();
    garbled[line.find(moves).unwrap()] = 0xe3;
    for (damaged, said) in [
        (joined, "line 3, ply "),
        (cut, "the rules have not ended the game"),
        (of_result(other).into_bytes(), "the moves end with"),
        (of_result("1-9").into_bytes(), "line 3, result `1-9`: not one"),
        (garbled, "line 3: the text is not UTF-8 (at byte"),
    ] {
        let lines = text.lines().enumerate();
        let lines =
            lines.map(|(number, line)| if number == 2 { &damaged } else { line.as_bytes() });
        fs::write(&path, lines.flat_map(|line| [line, b"\n"].concat()).collect::<Vec<u8>>())
            .unwrap();
        let place = path.to_str().unwrap();
        for command in [
            ["show", place].as_slice(),
            &["show", place, "--json"],
            &["export", place, "--games", "csv"],
            &["export", place, "--games", "jsonl"],
        ] {
            // Text is printed as it is read, up to the damage.
            let output = spar_with(command).output().unwrap();
            let error = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{command:?}: {error}");
            assert!(error.contains(said), "{command:?}: {error}");
        }
    }
}

/// Games are written alike as they are played and from the run; their pairs have the same numbers in
/// the list.
#[test]
fn pgn_is_the_same_from_a_match_and_from_its_run() {
    let (folder, path) = file("games.pgn");
    let run = folder.path().join("run");
    let [place, run] = [&path, &run].map(|path| path.to_str().unwrap());
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.args(["match", "zhu", "piece", "--board", "5x5", "--nodes", "5", "--pairs", "3"]);
    command.args(["--pgn", place, "--run", run]);
    assert!(command.output().unwrap().status.success());
    let exported = spar_with(["export", run, "--games", "pgn"]).output().unwrap();
    assert_eq!(fs::read_to_string(place).unwrap(), stdout(&exported));
    let list = stdout(&spar_with(["show", run]).output().unwrap());
    assert_eq!(list.lines().nth(6).unwrap().split_whitespace().nth(1), Some("3"), "{list}");
}

/// The files of `--save` and `--pgn` end where a killed process ended, and a resume says so.
#[test]
fn a_resume_says_that_saved_games_are_not_continued() {
    let (folder, path) = file("games.jsonl");
    let run = folder.path().join("run");
    let [place, run] = [&path, &run].map(|path| path.to_str().unwrap());
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.args(["match", "zhu", "piece", "--board", "5x5", "--nodes", "40", "--pairs", "130"]);
    command.args(["--save", place, "--run", run]);
    assert!(command.output().unwrap().status.success());
    let journal = Path::new(run).join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let end = text.trim_end().rfind('\n').unwrap();
    fs::write(&journal, &text[..=end]).unwrap();
    let said = stderr(&spar_with(["resume", run]).output().unwrap());
    assert!(
        said.contains(&format!("a resumed run adds no games to {place}; at its end")),
        "{said}"
    );
    let said = stderr(&spar_with(["resume", run]).output().unwrap());
    assert!(!said.contains("adds no games"), "{said}");
}

#[test]
fn what_has_no_end_is_no_file_of_games() {
    let (_folder, path) = file("bomb.jsonl.zst");
    let bomb = zstd::encode_all(std::io::repeat(b' ').take(64 << 20), 0).unwrap();
    assert!(bomb.len() < 1 << 20);
    fs::write(&path, bomb).unwrap();
    for place in [path.to_str().unwrap(), "/dev/zero"] {
        if cfg!(unix) || place != "/dev/zero" {
            let error = refusal(spar_with(["show", place]));
            assert!(error.contains("line 1: too long for a game"), "{error}");
        }
    }
}

/// `--force` overwrites neither what a run keeps nor what the command itself reads or writes.
#[test]
fn force_spares_runs_and_the_games_that_are_read() {
    let (folder, path) = file("games.jsonl");
    let run = folder.path().join("run");
    let [place, run] = [&path, &run].map(|path| path.to_str().unwrap());
    let play = |more: &[&str]| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
        command.args(["match", "zhu", "piece", "--board", "5x5", "--nodes", "5", "--pairs", "1"]);
        command.args(more).output().unwrap()
    };
    assert!(play(&["--save", place, "--run", run]).status.success());
    let journal = format!("{run}/journal.jsonl");
    let kept = |path: &str| fs::read(path).unwrap();
    let (games, lines) = (kept(place), kept(&journal));
    let refusals = [
        play(&["--no-run", "--force", "--save", &journal]),
        play(&["--no-run", "--force", "--save", place, "--pgn", place]),
        play(&["--no-run", "--force", "--save", place, "--pgn", "no/such/folder"]),
        spar_with(["export", run, "--games", "csv", "--force", "-o", &journal]).output().unwrap(),
        spar_with(["export", place, "--games", "csv", "--force", "-o", place]).output().unwrap(),
    ];
    for refused in refusals {
        assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    }
    assert!(kept(place) == games && kept(&journal) == lines);
    // Nothing is left of a start that was refused.
    let new = format!("{place}.new");
    assert!(!play(&["--no-run", "--save", &new, "--pgn", "no/such/folder"]).status.success());
    assert!(!Path::new(&new).exists());
}

/// Runs that began in one second are in the order in which they began.
#[test]
fn the_last_of_two_runs_of_one_second_is_the_later_one() {
    let folder = tempfile::tempdir().unwrap();
    let play = |words: &str| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
        command.args(words.split(' '));
        command.args(["--board", "5x5", "--nodes", "1", "--pairs", "1", "-q"]);
        command.current_dir(folder.path()).output().unwrap()
    };
    for first in ["tournament", "match"] {
        for kind in [first, if first == "match" { "tournament" } else { "match" }] {
            assert!(play(&format!("{kind} zhu piece")).status.success());
            let mut command = spar_with(["runs", "show", "last"]);
            let shown = stdout(&command.current_dir(folder.path()).output().unwrap());
            assert!(shown.lines().next().unwrap().contains(&format!("-{kind}-1")), "{shown}");
        }
    }
}
