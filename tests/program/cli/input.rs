//! Bad usage and bad input: exit code 2, and an error that names the place, the reason and the
//! remedy.

use super::support::{file, refusal, run, spar, spar_with, stderr};
use std::fs;
#[cfg(target_os = "linux")]
use std::io::{BufRead, BufReader, Write};
#[cfg(unix)]
use std::time::Duration;

#[test]
fn bad_arguments_are_refused() {
    let cases = [
        ("perft --depth 3 --game draughts", "breakthrough"),
        ("perft --depth 3 --board 9x9", "2 to 8 columns"),
        ("perft --depth 3 --board 8", "for example 8x8"),
        ("perft --depth -1", "--depth"),
        ("perft", "--depth"),
        ("analyze --depth 0", "a limit of 0"),
        ("analyze --nodes 0", "a limit of 0"),
        ("analyze --movetime 0", "a limit of 0"),
        ("analyze --nodes 5x", "whole number"),
        ("analyze --algorithm best", "plain, enhanced, full, mcts, uct"),
        ("analyze --weights atachiant", "did you mean `breakthrough/atachiants`?"),
        ("analyze --moves a2a3,a7a6", "a2a3"),
        ("analyze --fen 8/8", "FEN"),
        ("analyze --threads 0", "--threads"),
        ("analyze --threads 5000", "--threads"),
        ("play --threads x", "--threads"),
        ("solve --board 9x9", "2 to 8 columns"),
        ("solve --board 3x5 --fen 8/8", "FEN"),
        ("solve --memory 12", "for example 512M"),
        ("solve --memory 1T", "for example 512M"),
        ("solve --threads 0", "--threads"),
        ("solve --moves a2a5 --board 3x5", "illegal here"),
        ("bench --threads 0", "--threads"),
        ("bench --hash 0", "--hash"),
        ("bench --hash 99999999", "--hash"),
        ("match zhu", "<B>"),
        ("match zhu piece --pairs 0", "at least 1"),
        ("match zhu piece --nodes 0", "a limit of 0"),
        ("match zhu piece --depth-a 0", "a limit of 0"),
        ("match zhu piece --sprt 5,0", "E0 < E1"),
        ("match zhu piece --sprt 5", "E0,E1"),
        ("match zhu piece --sprt a,b", "E0,E1"),
        ("match zhu piece --sprt 0,5 --alpha 2", "between 0 and 1"),
        ("match zhu piece --model bayes", "normalized, logistic"),
        ("match zhu piece --keep 0", "above 0 and at most 1"),
        ("match zhu piece --keep 2", "above 0 and at most 1"),
        ("match zhu piece --plies 4000", "--plies"),
        ("match zhu piece --force", "--save"),
        ("match zhu no/such/file.json", "no/such/file.json"),
        ("analyze --weights cmd:engine", "only a weight set"),
        ("tournament zhu", "PLAYER"),
        ("tournament zhu zhu", "named twice"),
        ("stats --pairs 1,2,3,4", "LL,LD,MID,WD,WW"),
        ("stats --wdl 1,2", "W,D,L"),
        ("stats --pairs 1,2,3,4,-5", "LL,LD,MID,WD,WW"),
        ("stats --pairs 1,2,3,4,5 --sprt 0,9999", "5000"),
        ("features --fen 8/8/8/8/8/8/8/8_w", "FEN"),
        ("weights show no-such-set", "the shipped sets are"),
        ("weights new x --set piece", "NAME=100"),
        ("weights new x --set pice=3", "did you mean `piece`?"),
        ("weights new x --set danger@middle=3", "or `danger@early` and `danger@late`"),
        ("weights new a/b", "-o"),
        ("weights list no/such/folder", "no/such/folder"),
        ("play --clock 0", "300+2"),
        ("play --side left", "first, second, both, none"),
        ("play --nodes 0", "a limit of 0"),
        ("show no/such/games.jsonl", "no/such/games.jsonl"),
        ("completions tcl", "bash"),
        ("dance", "subcommand"),
    ];
    for (arguments, expected) in cases {
        for more in [None, Some("--json")] {
            let error = refusal(spar_with(arguments.split_whitespace().chain(more)));
            assert!(error.contains(expected), "{arguments}: {error}");
        }
    }
}

#[test]
fn errors_name_the_place() {
    let error = refusal(spar_with(["analyze", "--moves", "a2a3 h7h5", "--depth", "2"]));
    assert_eq!(error, "error: --moves, ply 2, move `h7h5`: illegal here; legal are: h7g6 h7h6\n");
    let fen = "pppp/pppp/4/4/PPPP/PPPq w - - 0 1";
    let error = refusal(spar_with(["features", "--fen", fen]));
    assert!(error.starts_with(&format!("error: FEN `{fen}`, row 1: `q` is none of")), "{error}");
    let fen = "pppp/pppp/4/4/PPPP/PPPP w - - 0 1";
    let error = refusal(spar_with(["analyze", "--board", "8x8", "--fen", fen]));
    assert!(error.starts_with("error: board `8x8`: the FEN has a board of 4x6;"), "{error}");
}

#[test]
fn weights_of_another_game_are_refused_before_anything_is_played() {
    let (_folder, path) = file("other.json");
    let made =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/weights/breakthrough/zhu.json"))
            .unwrap();
    fs::write(&path, made.replace("\"game\": \"breakthrough\"", "\"game\": \"draughts\"")).unwrap();
    let place = path.to_str().unwrap();
    for command in
        [["match", place, "zhu"], ["tournament", "zhu", place], ["weights", "check", place]]
    {
        let error = refusal(spar_with(command));
        assert!(error.contains(place) && error.contains("draughts"), "{error}");
    }
    let error = refusal(spar_with(["features", "--weights", place]));
    assert!(error.contains("key `game`: the set is for `draughts`"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_set_is_refused_at_once() {
    let (_folder, path) = file("set.json");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let place = path.to_str().unwrap();
    for arguments in [
        &["match", place, "piece"][..],
        &["match", place, "piece", "--game", "ataxx"],
        &["tournament", "zhu", place],
        &["features", "--weights", place],
        &["weights", "show", place],
    ] {
        let mut command = spar_with(arguments);
        command.timeout(Duration::from_secs(60));
        let error = refusal(command);
        assert!(error.contains(place) && error.contains("a pipe or a device"), "{error}");
    }
}

#[test]
fn a_game_file_that_exists_is_kept() {
    let (_folder, path) = file("games.jsonl");
    fs::write(&path, "precious\n").unwrap();
    let place = path.to_str().unwrap();
    let error = refusal(spar_with(["match", "zhu", "piece", "--pairs", "1", "--save", place]));
    assert!(error.contains("exists already; name another one, or give --force"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious\n");
    let error = refusal(spar_with(["show", place]));
    assert!(error.contains("line 1: not a game record"), "{error}");
    let error =
        refusal(spar_with(["match", "zhu", "piece", "--save", "no/such/folder/games.jsonl"]));
    assert!(error.contains("no/such/folder/games.jsonl"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_for_any_work_is_said_before_it_begins() {
    let program = assert_cmd::cargo::cargo_bin!("spar").display().to_string();
    for arguments in ["bench --nodes 100", "match piece hand --no-run", "analyze", "features"] {
        for limit in ["-v 100000", "-d 100000"] {
            let script = format!("ulimit {limit}; exec {program} {arguments} --json");
            let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(1), "{arguments}: {said}");
            assert!(said.contains("memory: the limit of 100000 KiB"), "{said}");
            assert!(said.contains(&format!("ulimit {}", &limit[..2])), "{said}");
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(document["error"]["exit_code"], 1);
        }
    }
}

/// A process without memory aborts.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_aborts_has_failed() {
    let mut engine = std::process::Command::new(assert_cmd::cargo::cargo_bin!("spar"))
        .arg("uci")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(engine.stdin.as_mut().unwrap(), "isready").unwrap();
    let mut line = String::new();
    BufReader::new(engine.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let number = engine.id().to_string();
    std::process::Command::new("kill").args(["-ABRT", &number]).status().unwrap();
    assert_eq!(engine.wait().unwrap().code(), Some(1), "{line}");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_in_utf_8_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let name = OsStr::from_bytes(b"w\xff.json");
    for words in [&["weights", "check"][..], &["match", "piece"], &["tune", "--start"]] {
        for json in [&[][..], &["--json"]] {
            let mut command = spar("");
            let output = command.args(words).arg(name).args(json).output().unwrap();
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
            assert!(said.contains("argument `w\u{fffd}.json`: not in UTF-8"), "{words:?}: {said}");
            assert!(said.contains("give the file another name"), "{words:?}: {said}");
            if !json.is_empty() {
                let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                let error = &document["error"];
                assert_eq!(error["place"], "argument `w\u{fffd}.json`", "{document:#}");
                assert!(error["remedy"].as_str().unwrap().contains("another name"), "{error:#}");
            }
        }
    }
}

#[test]
fn no_command_at_all_is_bad_usage() {
    let output = spar("").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("Usage: spar"));
    // The three things that most people come for.
    for command in ["spar tune", "spar match", "spar play", "--help", "docs/src"] {
        assert!(said.contains(command), "{command} in {said}");
    }
}

#[test]
fn every_verb_has_help() {
    let verbs = [
        "match",
        "tournament",
        "play",
        "analyze",
        "solve",
        "book",
        "book build",
        "book list",
        "book show",
        "book check",
        "book export",
        "book merge",
        "endgame",
        "endgame build",
        "endgame probe",
        "endgame check",
        "features",
        "weights",
        "weights list",
        "weights show",
        "weights diff",
        "weights check",
        "weights schema",
        "weights new",
        "positions",
        "positions list",
        "positions describe",
        "positions sample",
        "positions merge",
        "positions thin",
        "show",
        "stats",
        "perft",
        "bench",
        "completions",
        "man",
    ];
    for verb in verbs {
        let output = run(&format!("{verb} --help"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{verb}");
        assert!(
            text.contains(&format!("Usage: spar {verb}")) && text.contains("--json"),
            "{verb}: {text}"
        );
    }
}

#[test]
fn bench_counts_its_threads_in_words() {
    for (threads, words) in [("1", ", 1 thread\n"), ("2", ", 2 threads\n")] {
        let output = run(&format!("bench --game ataxx --depth 1 --threads {threads}"));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn what_is_wrong_with_an_argument_is_said_once() {
    for (arguments, value, reason, remedy) in [
        (
            "match zhu piece --nodes x",
            "'x'",
            "invalid value 'x' for '--nodes <N>': not a count",
            Some("give a whole number, for example 5000 or 5k"),
        ),
        (
            "match zhu piece --board 6",
            "6'",
            "invalid value '6' for '--board <COLSxROWS>': not a board size",
            Some("write columns x rows, for example 8x8 or 6x6"),
        ),
        (
            "tune --bounds danger=900..0",
            "danger=900..0",
            "invalid value 'danger=900..0' for '--bounds <NAME=MIN..MAX>': the first number is above the second one",
            Some("exchange them"),
        ),
        (
            "tune --bathc 3",
            "--bathc",
            "unexpected argument '--bathc' found",
            Some("a similar argument exists: '--batch'"),
        ),
        (
            "perft --game draughts",
            "draughts",
            "invalid value 'draughts' for '--game <GAME>' [possible values: breakthrough, ataxx, breakthru, chess, chess960]",
            Some("give one of: breakthrough, ataxx, breakthru, chess, chess960"),
        ),
        (
            "perft --depth 99999",
            "'99999'",
            "invalid value '99999' for '--depth <PLIES>': 99999 is not in 0..=1000",
            Some("see --help"),
        ),
    ] {
        let said = refusal(spar(arguments));
        assert_eq!(said.matches(value).count(), 1, "{said}");
        let output = spar(&format!("{arguments} --json")).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["error"]["reason"], reason);
        assert_eq!(document["error"]["remedy"].as_str(), remedy);
    }
}
