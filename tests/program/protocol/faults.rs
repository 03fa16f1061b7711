//! Every misbehaviour forfeits the game, is reported, and leaves the match alive.

use super::support::{against, document, engine, games, spar, stderr};

/// Plays a pair against an engine of this kind, whose games must both be forfeited for this reason.
fn must_forfeit(kind: &str, reason: &str, more: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let output = against(kind, &format!("{more} --json --save {}", path.display()));
    let found = document(&output);
    assert_eq!(found["forfeits"], serde_json::json!([0, 2]), "{kind}: {found:#}");
    assert_eq!(found["pairs"]["ww"], 1, "{kind}");
    assert!(stderr(&output).contains("forfeited by Scripted"), "{kind}: {}", stderr(&output));
    for (game, result) in games(&path).iter().zip(["1-0", "0-1"]) {
        assert_eq!(
            (&game["ending"], &game["result"]),
            (&"forfeit".into(), &result.into()),
            "{kind}"
        );
        let said = game["forfeit"]["reason"].as_str().unwrap();
        assert!(said.contains(reason), "{kind}: {said}");
        assert!(!game["moves"].as_str().unwrap().is_empty(), "{kind}: {game}");
        assert!(!game["forfeit"]["last_words"].as_array().unwrap().is_empty(), "{kind}: {game}");
    }
}

#[test]
fn an_engine_that_ends_forfeits() {
    must_forfeit("crash", "exit status: 7", "--nodes-b 9");
    must_forfeit("close", "closed its output before `bestmove`", "--nodes-b 9");
    must_forfeit("last-line", "exit status: 0", "--nodes-b 9");
    #[cfg(unix)]
    must_forfeit("abort", "signal: 6", "--nodes-b 9");
}

#[test]
fn an_engine_without_a_legal_move_forfeits() {
    must_forfeit("illegal", "move `a1a8`: illegal", "--nodes-b 9");
    must_forfeit("garbage", "not a move", "--nodes-b 9");
    must_forfeit("empty", "move ``: not a move", "--nodes-b 9");
    must_forfeit("none", "move `(none)`", "--depth-b 2");
    must_forfeit("null", "move `0000`", "--nodes-b 9");
}

#[test]
fn an_engine_that_hangs_or_never_ends_its_move_forfeits() {
    for kind in ["hang", "flood", "no-newline"] {
        must_forfeit(kind, "no `bestmove` within 2 s", "--nodes-b 9 --timeout 2");
    }
}

/// Whatever an engine does or leaves undone, its game waits no longer than its timeout.
#[test]
fn odd_engines_cost_their_own_game_only() {
    for kind in ["endless-line", "deaf"] {
        must_forfeit(kind, "no `bestmove` within 2 s", "--nodes-b 9 --timeout 2");
    }
    must_forfeit("opponent", "illegal here", "--nodes-b 9");
    must_forfeit("leaves", "exit status: 0", "--nodes-b 9");
    for kind in ["slow-letters", "readier"] {
        let found = document(&against(kind, "--nodes-b 9 --json"));
        assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{kind}");
    }
    let error = stderr(&against("no-game", "--nodes-b 9"));
    assert!(error.contains("never made a legal move") && error.contains("`readyok`"), "{error}");
}

#[test]
fn an_illegal_move_that_was_legal_before_is_found_at_once() {
    must_forfeit("again", "illegal here", "--nodes-b 9");
}

#[cfg(unix)]
#[test]
fn a_crash_is_found_at_once_even_if_a_child_keeps_the_pipes_open() {
    let begun = std::time::Instant::now();
    for kind in ["orphan", "escaped"] {
        must_forfeit(kind, "exit status: 7", "--nodes-b 9");
    }
    must_forfeit(
        "killed",
        "signal: 9 (SIGKILL); the system may have run out of memory",
        "--nodes-b 9",
    );
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}

#[test]
fn a_late_move_forfeits() {
    must_forfeit(
        "slow",
        "no move within 200 ms and a margin of 150 ms",
        "--movetime-b 200 --margin 150",
    );
    let found = document(&against("slow", "--movetime-b 200 --margin 5000 --json"));
    assert_eq!(found["forfeits"], serde_json::json!([0, 0]));
}

#[test]
fn last_words_come_from_both_outputs() {
    let told = stderr(&against("crash", "--nodes-b 9"));
    assert!(told.contains("assertion failed: the sky is up"), "{told}");
    assert!(told.contains("info depth 3"), "{told}");
}

#[test]
fn noise_is_no_fault() {
    for kind in ["huge", "binary", "stderr", "stubborn", "between", "blanks", "returns"] {
        let found = document(&against(kind, "--nodes-b 9 --json"));
        assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{kind}");
    }
}

#[test]
fn an_answer_that_comes_again_is_no_answer() {
    for kind in ["double", "late"] {
        // With a few milliseconds a move, late answers arrive during later searches.
        let more = "--pairs 2 --movetime-a 8 --nodes-b 9 --threads 1 --timeout 5 --json";
        let output = spar("match", &["zhu", &engine(kind, None)], more).output().unwrap();
        let found = document(&output);
        assert_eq!(found["forfeits"], serde_json::json!([0, 0]), "{kind}: {}", stderr(&output));
    }
}

#[test]
fn an_engine_that_starts_slowly_is_greeted_by_one_word_only() {
    let found = document(&against("slow-start", "--nodes-b 9 --json"));
    assert_eq!(found["players"][1]["engine"]["protocol"], "uci");
    let output = against("dead", "--nodes-b 9");
    assert!(stderr(&output).contains("--protocol"), "{}", stderr(&output));
}

#[test]
fn a_value_that_a_combo_does_not_list_is_pointed_out() {
    let told = |value: &str| {
        let output = against("good", &format!("--nodes-b 9 --json --option-b Style={value}"));
        document(&output);
        stderr(&output)
    };
    assert!(told("Sloid").contains("did you mean `Solid`?"));
    assert!(!told("Wild").contains("Style"));
}

#[test]
fn an_option_line_that_is_not_understood_is_pointed_out() {
    let output = against("odd-option", "--nodes-b 9 --json");
    document(&output);
    let said = stderr(&output);
    assert!(said.contains("not understood: `option type spin name Depth"), "{said}");
}

#[test]
fn a_program_without_its_prefix_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("engine.py");
    std::fs::write(&script, "import sys\n").unwrap();
    let script = script.to_str().unwrap();
    let program = assert_cmd::cargo::cargo_bin!("spar").to_str().unwrap();
    for (named, wanted) in [
        (program, format!("write cmd:{program}")),
        (script, format!("write 'cmd:python3 {script}'")),
        ("python3 engine.py", "write 'cmd:python3 engine.py'".into()),
        ("python3", "write cmd:python3".into()),
    ] {
        for (verb, more) in [("match", "--pairs 1"), ("tournament", "--pairs 1")] {
            let output = spar(verb, &["piece", named], more).output().unwrap();
            let error = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{error}");
            assert!(error.contains("looks like a program") && error.contains(&wanted), "{error}");
        }
    }
}

#[test]
fn a_match_without_its_engine_is_refused() {
    let refused = |player: &str, more: &str, code: i32, words: &[&str]| {
        let more = format!("--pairs 1 --nodes 50 {more}");
        let output = spar("match", &["zhu", player], &more).output().unwrap();
        let error = stderr(&output);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(code), 0),
            "{player}: {error}"
        );
        assert!(words.iter().all(|word| error.contains(word)), "{player}: {error}");
    };
    refused(
        "cmd:/no/such/engine --fast",
        "",
        1,
        &["`/no/such/engine --fast`", "cannot be started"],
    );
    refused(&engine("dead", None), "", 1, &["exit status: 3", "no license found"]);
    refused(&engine("mute", None), "--timeout 1", 1, &["within 1 s"]);
    refused(&engine("unready", None), "--timeout 3", 1, &["no `readyok` within 3 s"]);
    refused(&engine("chess", None), "", 2, &["variant `breakthrough`"]);
    refused(&engine("good", None), "--board 6x6", 2, &["variant `breakthrough6x6`"]);
    refused("cmd:", "", 2, &["not a command line"]);
    refused("cmd:engine 'unended", "", 2, &["not a command line"]);
    refused(&engine("good", None), "--option-b Hahs=8", 2, &["did you mean `Hash`?"]);
    refused(&engine("good", None), "--option-b Hash=80", 2, &["from 1 to 64"]);
    refused(&engine("good", None), "--option-a Hash=8", 2, &["`zhu` is a weight set"]);
}
