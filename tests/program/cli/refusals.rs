//! Every command on bad input: the exit code that the book gives, and with `--json` an error that
//! is JSON.

use super::support::{run, stderr};
use assert_cmd::Command;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// The bad files, below the folder that a command runs in.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("cut.json"), r#"{"game":"#).unwrap();
    fs::write(path("bytes"), (0..=255).collect::<Vec<u8>>()).unwrap();
    fs::write(path("text"), "hello\n").unwrap();
    fs::write(path("empty"), "").unwrap();
    fs::write(path("engine.py"), "import sys\n").unwrap();
    fs::write(path("fens"), "8/8/8 w\n").unwrap();
    fs::write(
        path("odd.json"),
        r#"{"format": 1, "game": "draughts", "board": null, "weights": {}}"#,
    )
    .unwrap();
    for directory in ["folder", "damaged", "old", "rest"] {
        fs::create_dir(path(directory)).unwrap();
    }
    fs::write(path("rest/journal.jsonl"), "a line\n").unwrap();
    fs::write(path("damaged/manifest.json"), "{").unwrap();
    fs::write(path("old/manifest.json"), "{}").unwrap();
    folder
}

/// The arguments, the exit code, and a word of the error.
const CASES: &[(&str, u8, &str)] = &[
    ("tune --start none.json", 2, "none.json"),
    ("tune --start cut.json", 2, "cut.json, line 1"),
    ("tune --start odd.json", 2, "odd.json"),
    ("tune --start nobody", 2, "the shipped sets are"),
    ("tune --game ataxx --start atachiants", 2, "atachiants"),
    ("tune --board 99x99", 2, "--board"),
    ("weights export zhu --to c -o -", 2, "not to stdout"),
    ("match cmd:a cmd:b --game chess --hash 8", 2, "give for example --option Hash=64"),
    ("match zhu hand --pgn -", 2, "not to stdout"),
    ("generate -", 2, "not to stdout"),
    ("book build -o -", 2, "not to stdout"),
    ("report old -o -", 2, "not to stdout"),
    ("tune --nodes 0", 2, "a limit of 0"),
    ("tune --nodes -1", 2, "not a count"),
    ("tune --start engine.py", 2, "a program, not a weight set"),
    ("tune --for never", 2, "30m or 8h"),
    ("tune --for -5m", 2, "not a time; give for example"),
    ("tune --for 99999999999h", 2, "too long; give at most 365d"),
    ("tune --for 1s", 2, "too short; give at least 8s"),
    ("tune --games -5k", 2, "not a count"),
    ("tune --movetime 18446744073709551615", 2, "give at most 31536000000 with --movetime"),
    ("match hand piece --movetime 18446744073709551615", 2, "give at most 31536000000"),
    ("book build -o b.json --positions 16000001", 2, "give at most 16000000"),
    ("tune --games 99999999999999999999", 2, "too large a number"),
    ("tune --start rest", 2, "rest/manifest.json: missing"),
    ("match rest piece", 2, "rest/manifest.json: missing"),
    ("show rest", 2, "rest/manifest.json: missing"),
    ("report rest", 2, "rest/manifest.json: missing"),
    ("weights check rest", 2, "rest/manifest.json: missing"),
    ("book build -o b.json --for 99999999999h", 2, "too long; give at most 365d"),
    ("tune --constrain x", 2, "--constrain"),
    ("tune --bounds x=1..2", 2, "weight `x`"),
    ("tune --method nope", 2, "joined"),
    ("tune --games 100 --run text", 2, "not a directory"),
    ("tune --games 100 --run text/run", 2, "a file stands in place of a folder"),
    ("tune --games 100 --run old", 2, "holds a run already"),
    ("tune --games 100 --run /proc/none/run", 2, "/proc/none/run"),
    ("tune --games 100 --runs /proc/none", 2, "/proc/none"),
    ("tune --engine text --nodes 10", 2, "cmd:PROGRAM"),
    ("tune --engine cmd:./none --nodes 10", 1, "cannot be started"),
    ("tune --opponent nobody", 2, "nobody"),
    ("tune --opponent cmd:/bin/true --games 600 --run opponent", 1, "ended before"),
    ("tune --method network --start bytes", 2, "UTF-8"),
    ("tune --method logistic --games 18446744073709551615", 2, "too many"),
    ("book build -o text --board 4x5 --nodes 10", 2, "name a file that `book build`"),
    (
        "book --quiet",
        2,
        "spar book needs one of its commands: build, check, export, list, merge, show",
    ),
    ("book show none.json", 2, "none.json"),
    ("book export none.json --to bin", 2, "-o book.bin"),
    ("book merge none.json cut.json -o new.json", 2, "none.json"),
    ("endgame build -o text", 2, "exists already"),
    ("endgame build -o x.end --game ataxx", 2, "no endgame databases"),
    ("endgame build -o x.end --most 9,9", 2, "--most"),
    ("endgame build -o x.end --most 0", 2, "no position"),
    ("endgame build -o x.end --most two", 2, "2,2"),
    ("endgame probe none.end 8/8", 2, "none.end"),
    ("endgame probe text 8/8", 2, "does not begin with SPARENDG"),
    ("endgame check bytes", 2, "does not begin with SPARENDG"),
    ("endgame check empty", 2, "empty"),
    ("solve --board 3x5 --endgame text", 2, "SPARENDG"),
    ("resume none", 2, "no run has this name"),
    ("resume folder", 2, "manifest.json"),
    ("resume damaged", 2, "damaged/manifest.json"),
    ("resume old", 2, "older than"),
    ("resume damaged --mend", 2, "damaged/manifest.json"),
    ("resume --runs folder", 2, "no run is stopped"),
    ("resume last --runs folder", 2, "no run is in this folder"),
    ("report none", 2, "no run has this name"),
    ("report folder", 2, "manifest.json"),
    ("report damaged", 2, "damaged/manifest.json"),
    ("report damaged old", 2, "manifest.json"),
    ("report last --runs none", 2, "no run is in this folder"),
    // Many systems have a program `last`.
    ("match last piece --runs folder", 2, "no run is in this folder"),
    ("tournament piece last:candidate --runs folder", 2, "no run is in this folder"),
    ("tune --opponent last:start --runs folder", 2, "no run is in this folder"),
    ("export", 2, "<RUN>"),
    ("export none --games csv -o x.csv", 2, "none"),
    ("export damaged --games csv -o x.csv", 2, "damaged"),
    ("export text --games csv -o x.csv", 2, "text, line 1"),
    ("export web folder --start nobody", 2, "--start"),
    ("export web text", 2, "text"),
    ("runs show none", 2, "no run has this name"),
    ("runs show damaged", 2, "damaged/manifest.json"),
    ("runs compare none", 2, "<RUN>"),
    ("runs compare none old", 2, "none"),
    ("runs rm none --yes", 2, "none"),
    ("runs rm folder --yes", 2, "manifest.json"),
    ("runs prune", 2, "--older-than"),
    ("runs prune --older-than x", 2, "30d or 12h"),
    ("runs --runs text", 2, "a file stands in place of a folder"),
    ("watch old", 2, "needs a terminal"),
    ("serve --port 99999", 2, "--port"),
    ("serve --address nowhere", 2, "not an IP address"),
    ("serve --address 1.2.3.4 --port 0", 2, "--token-file"),
    ("serve --token-file none", 2, "none"),
    ("generate folder", 2, "a directory"),
    ("generate text --games 10", 2, "exists already"),
    ("generate /proc/none/x.pos --games 10", 2, "/proc/none/x.pos"),
    ("generate x.pos --weights cut.json", 2, "cut.json"),
    ("generate x.pos --games 0", 2, "at least 1"),
    ("generate x.pos --board 1x1", 2, "2 to 8 columns"),
    ("fit none -o x.json", 2, "none"),
    ("fit text -o x.json", 2, "text, header"),
    ("fit bytes -o x.json", 2, "bytes, header"),
    ("fit empty -o x.json", 2, "empty, header"),
    ("fit folder -o x.json", 2, "neither a run nor a file of positions"),
    ("fit text -o empty", 2, "exists already"),
    ("fit bytes -o x.json --freeze piece", 2, "no effect without --engine"),
    ("fit bytes -o x.json --units 3", 2, "no effect without --rows"),
    ("fit bytes -o x.json --nodes 5", 2, "no effect without --ablate or --engine"),
    ("fit --rows text -o x.json --phases", 2, "no effect without files of positions"),
    ("fit --rows text -o x.json --resign 3,400", 2, "no effect without --engine"),
    ("fit --engine cmd:./none -o x.json --int", 2, "no effect without --rows"),
    ("tune --credentials text", 2, "no effect without --cluster"),
    ("tune --method spsa --quick-pairs 0.2", 2, "no effect without --quick-share"),
    ("tune --opponent piece --opponent-option a=b", 2, "no effect without an engine"),
    ("tune --scale 0", 2, "at least 1"),
    ("tune --board 5x5 --games 600 --fit-games 5", 2, "100 or more with --fit-games"),
    ("train none -o x.json", 2, "none"),
    ("train text -o x.json", 2, "text, header"),
    ("train text -o x.json --units 0", 2, "units"),
    ("train text -o x.json --older none --older-share 2", 2, "share of older positions"),
    ("train text -o x.json --older-share 0.5", 2, "--older"),
    ("positions list none", 2, "no file and no run has this name"),
    ("positions describe none", 2, "none"),
    ("positions describe folder", 2, "neither a run nor a file of positions"),
    ("positions sample text", 2, "text, header"),
    ("positions merge text -o text --force", 2, "one of those to read"),
    ("positions thin text -o x.pos", 2, "<--distinct|--every <N>|--most <N>>"),
    ("check text", 2, "cmd:PROGRAM"),
    ("check cmd:./none", 1, "cannot be started"),
    ("match piece", 2, "<B>"),
    ("match piece nobody", 2, "the shipped sets are"),
    ("match piece none.json", 2, "none.json"),
    ("match piece cut.json", 2, "cut.json, line 1"),
    ("match piece bytes", 2, "bytes"),
    ("match piece odd.json", 2, "odd.json"),
    ("match piece atachiants --game ataxx", 2, "atachiants"),
    ("match piece hand --nodes x", 2, "not a count"),
    ("match piece hand --depth x", 2, "not a whole number"),
    ("match piece hand --depth 99999999999", 2, "not in 0.."),
    ("match piece hand --keep x", 2, "--keep"),
    ("match piece hand --sprt 1", 2, "E0,E1"),
    ("match piece hand --alpha 0.1", 2, "no effect without --sprt"),
    ("match piece hand --timeout 3", 2, "no effect without an engine, as cmd:PROGRAM"),
    ("match piece hand --book none --no-run", 2, "none"),
    ("match piece hand --run text", 2, "not a directory"),
    ("match piece hand --save /proc/none --no-run", 2, "/proc/none"),
    ("match piece hand --pgn text --no-run", 2, "exists already"),
    ("match piece cmd:./none --no-run", 1, "cannot be started"),
    ("match piece cmd:/bin/true --no-run", 1, "ended before"),
    ("tournament piece", 2, "<PLAYER>"),
    ("tournament piece nobody", 2, "nobody"),
    ("tournament piece piece", 2, "named twice"),
    ("tournament piece cut.json", 2, "cut.json"),
    ("tournament piece hand --run text", 2, "not a directory"),
    ("tournament piece cmd:./none hand --no-run", 1, "cannot be started"),
    ("play --weights nobody", 2, "nobody"),
    ("play --fen x", 2, "FEN `x`"),
    ("play --moves zz", 2, "move `zz`"),
    ("play --side nowhere", 2, "--side"),
    ("uci --weights cut.json", 2, "cut.json"),
    ("uci --hash 0", 2, "--hash"),
    ("uai --weights none.json", 2, "none.json"),
    ("analyze --fen x", 2, "FEN `x`"),
    ("analyze --moves zz", 2, "move `zz`"),
    ("analyze --weights cut.json", 2, "cut.json"),
    ("analyze --weights piece --game nothing", 2, "--game"),
    ("analyze --multipv 0", 2, "--multipv"),
    ("analyze --depth=-1", 2, "--depth"),
    ("solve --fen x", 2, "FEN `x`"),
    ("solve --memory 0", 2, "512M"),
    ("features --fen x", 2, "FEN `x`"),
    ("features --weights cut.json", 2, "cut.json"),
    ("weights x", 2, "subcommand"),
    ("weights list none", 2, "none"),
    ("weights show cut.json", 2, "cut.json"),
    ("weights show damaged", 2, "damaged/manifest.json"),
    ("weights diff piece nobody", 2, "nobody"),
    ("weights check cut.json", 2, "cut.json"),
    ("weights check folder", 2, "a directory"),
    ("weights new x -o /proc/none/x", 2, "/proc/none/x"),
    ("weights export nobody --to json", 2, "nobody"),
    ("weights export hand --to json -o text", 2, "text"),
    ("weights import none", 2, "none"),
    ("weights import text", 2, "text"),
    ("weights schema x", 2, "unexpected argument"),
    ("show none", 2, "none"),
    ("show text", 2, "text, line 1"),
    ("show bytes", 2, "bytes, line 1"),
    ("show damaged", 2, "damaged"),
    ("stats", 2, "--pairs"),
    ("stats --pairs x", 2, "LL,LD,MID,WD,WW"),
    ("stats --wdl 1,2", 2, "W,D,L"),
    ("perft --depth x", 2, "not a whole number"),
    ("perft --depth 3 --fen x", 2, "FEN `x`"),
    ("perft --depth 3 --game nothing", 2, "--game"),
    ("bench --depth 0", 2, "a limit of 0"),
    ("bench --weights nobody", 2, "nobody"),
    ("bench --weights engine.py", 2, "a program, not a weight set"),
    ("weights show engine.py", 2, "a program, not a weight set"),
    ("weights export engine.py --to c -o x.h", 2, "a program, not a weight set"),
    ("bench --hash -1", 2, "--hash"),
    ("export text --games csv --one-line -o x.csv", 2, "--one-line"),
    ("serve --port 0 --host runs.example", 2, "--token-file"),
    ("match piece hand --seed -1", 2, "--seed"),
    ("analyze --moves a2a3;b7b6", 2, "is not closed"),
    ("config x", 2, "unexpected argument"),
    ("doctor --game nope", 2, "game `nope`: unknown"),
    ("completions tcl", 2, "bash"),
    ("candidates nothing", 2, "<OF>"),
    ("man /proc/none", 2, "/proc/none"),
    ("man text", 2, "text"),
    ("dance", 2, "subcommand"),
];

/// Needs the feature `cluster`, without which both say so.
const OF_CLUSTERS: &[(&str, u8, &str)] = &[
    ("worker --threads 0", 2, "--threads"),
    ("cluster status --cluster nats://127.0.0.1:1", 1, "cannot connect"),
];

fn spar(arguments: &str, folder: &Path) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.args(arguments.split(' ')).current_dir(folder).timeout(Duration::from_secs(60));
    command
}

/// The fault in a command's refusal of bad input, if there is one.
fn fault(folder: &Path, (arguments, code, word): (&str, u8, &str)) -> Option<String> {
    let plain = spar(arguments, folder).output().unwrap();
    let in_json = spar(arguments, folder).arg("--json").output().unwrap();
    let said = stderr(&plain);
    let document: Value = serde_json::from_slice(&in_json.stdout).unwrap_or_default();
    let tells_of_files = arguments.starts_with("weights check");
    let error = if tells_of_files { &document["files"][0]["error"] } else { &document["error"] };
    let text = |field: &str| error[field].as_str().unwrap_or_default();
    let is_right = [&plain, &in_json].map(|output| output.status.code()) == [Some(code.into()); 2]
        && said.contains("error: ")
        && [&*said, text("message")].iter().all(|text| text.contains(word))
        && !said.contains("panicked")
        && (plain.stdout.is_empty() || tells_of_files)
        && error["exit_code"] == code
        && ["place", "reason"].iter().all(|field| !text(field).is_empty());
    (!is_right).then(|| format!("{arguments}: {:?}: {said}{document:#}\n", plain.status.code()))
}

#[test]
fn every_command_refuses_bad_input_in_text_and_in_json() {
    let folder = folder();
    let of_clusters = OF_CLUSTERS.iter().filter(|_| cfg!(feature = "cluster"));
    let cases = CASES.iter().chain(of_clusters);
    let faults: String = cases.filter_map(|&case| fault(folder.path(), case)).collect();
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn options_without_a_command_show_the_first_words() {
    let folder = folder();
    for arguments in ["--no-config", "--quiet --runs elsewhere", "--json"] {
        let output = spar(arguments, folder.path()).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(said.contains("spar tune         tune weights"), "{arguments}: {said}");
        assert!(!said.contains("candidates"), "{arguments}: {said}");
    }
}

#[test]
fn every_command_has_a_case() {
    let help = run("--help");
    let help = String::from_utf8(help.stdout).unwrap();
    // The groups of commands stand before the options.
    let groups = help.split("Output:\n").next().unwrap();
    let entries = groups.lines().filter_map(|line| line.strip_prefix("  "));
    let words: Vec<&str> = entries.filter_map(|entry| entry.split(' ').next()).collect();
    assert!(words.len() > 25, "{words:?}");
    let tried: BTreeSet<&str> = CASES
        .iter()
        .chain(OF_CLUSTERS)
        .filter_map(|(arguments, ..)| arguments.split(' ').next())
        .collect();
    let missing: Vec<&str> = words.into_iter().filter(|word| !tried.contains(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Output that cannot be written is a failure; a reader that has gone is none.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_is_full_or_closed_is_not_a_success_or_no_failure() {
    let folder = folder();
    let program = assert_cmd::cargo::cargo_bin!("spar").display().to_string();
    for arguments in [
        "--help",
        "--version",
        "match --help",
        "bench --nodes 100",
        "weights list",
        "weights schema",
        "perft --depth 2",
        "stats --pairs 1,2,3,4,5",
        "analyze --depth 2",
        "features",
        "match piece hand --board 5x5 --nodes 10 --pairs 1 --no-run",
        "completions bash",
        "man",
        "config",
    ] {
        for more in ["", "--json"] {
            let with = |redirected: &str| {
                let script = format!("{program} {arguments} {more} {redirected}");
                let mut shell = std::process::Command::new("bash");
                shell.args(["-o", "pipefail", "-c", &script]).current_dir(&folder);
                let output = shell.output().unwrap();
                (output.status.code(), stderr(&output))
            };
            let (code, said) = with(">/dev/full");
            assert!(code == Some(1) && said.contains("standard output"), "{arguments}: {said}");
            let (code, said) = with("| true");
            assert!(code == Some(0) && !said.contains("error"), "{arguments}: {said}");
        }
    }
}
