//! Pipes, colour, signals, and the text that people see.

use super::support::{file, run, spar, spar_with, stderr, stdout, text};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

fn process(arguments: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("spar"));
    command.args(arguments.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn output_in_a_pipe_has_no_colour() {
    for arguments in [
        "match zhu piece --pairs 1 --nodes 20",
        "analyze --depth 2",
        "weights list",
        "dance",
        "--help",
    ] {
        for variable in [None, Some("NO_COLOR")] {
            let mut command = spar(arguments);
            variable.into_iter().for_each(|name| {
                command.env(name, "1");
            });
            let output = command.output().unwrap();
            assert!(
                !stdout(&output).contains('\x1b') && !stderr(&output).contains('\x1b'),
                "{arguments}"
            );
        }
    }
}

/// Help and errors of the command line have the colours that are asked for, too.
#[test]
fn colours_are_as_the_user_says() {
    for arguments in ["--help", "dance", "match --help", "weights show nope", "match zhu nope"] {
        for (color, wanted) in [("--color always", true), ("--color=never", false)] {
            let output = spar(&format!("{color} {arguments}")).output().unwrap();
            let text = stdout(&output) + &stderr(&output);
            assert_eq!(text.contains('\x1b'), wanted, "{color} {arguments}");
        }
    }
}

#[test]
fn manual_pages_have_a_version_and_examples() {
    let folder = tempfile::tempdir().unwrap();
    assert!(spar_with(["man", folder.path().to_str().unwrap()]).output().unwrap().status.success());
    let page = std::fs::read_to_string(folder.path().join("spar-match.1")).unwrap();
    let title = format!(".TH spar-match 1 \"spar {}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(page.contains(&title) && page.contains("\n.SH EXAMPLES\n"), "{page}");
    assert!(!page.contains("EXTRA"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    // Each prints more than a pipe holds; hardly anything is read.
    for arguments in ["completions bash", "weights schema", "analyze --depth 9", "man"] {
        let mut child = process(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", stderr(&output));
        assert_eq!(stderr(&output), "", "{arguments}");
    }
    let mut child = process("analyze --movetime 60000").spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(0), "the search must end when nobody reads");
}

#[cfg(unix)]
fn interrupt(child: &std::process::Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Waits until a file has grown to a number of lines.
fn await_lines(path: &std::path::Path, wanted: usize) {
    for _ in 0..3000 {
        let lines = std::fs::read_to_string(path).map_or(0, |text| text.lines().count());
        if lines >= wanted {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{} stays short", path.display());
}

#[test]
#[cfg(unix)]
fn ctrl_c_finishes_the_pairs_in_hand_and_reports() {
    let (_folder, path) = file("games.jsonl");
    let save = format!(
        "match zhu piece --pairs 1000000 --nodes 300 --json --threads 2 --no-run --save {}",
        path.display()
    );
    let child = process(&save).spawn().unwrap();
    await_lines(&path, 4);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("finishing the pairs in progress"));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["ended"], "stopped");
    let saved = std::fs::read_to_string(&path).unwrap().lines().count();
    assert_eq!(found["games"], saved, "what is counted is saved");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_an_analysis_with_what_it_has() {
    let mut child = process("analyze --movetime 60000").spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    // The row of depth 3 in the table, not in the diagram.
    for awaited in ["depth", "3 "] {
        let mut line = String::new();
        while !line.trim_start().starts_with(awaited) {
            line.clear();
            assert!(lines.read_line(&mut line).unwrap() > 0);
        }
    }
    interrupt(&child);
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("\nbest "), "{rest}");
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_a_solver_without_an_answer() {
    let child = process("solve --board 8x8 --memory 16M --threads 2 --json").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["winner"].is_null() && found["nodes"].as_u64().unwrap() > 0, "{found:#}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_other_commands_at_once() {
    let child = process("perft --depth 12").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(3));
}

#[test]
fn a_time_limit_gets_a_remark() {
    let output = run("match zhu piece --pairs 1 --movetime 1 --board 5x5");
    assert!(
        stderr(&output).contains("note: with a time limit the result differs"),
        "{}",
        stderr(&output)
    );
    assert_eq!(stderr(&run("match zhu piece --pairs 1 --nodes 20 --board 5x5")), "");
}

#[test]
fn reports_for_people_say_what_matters() {
    let said = text("match zhu piece --pairs 3 --nodes 50 --board 5x5 --sprt 0,50");
    for word in [
        "pairs",
        "Elo",
        "nElo",
        "LOS",
        "LLR",
        "verdict",
        "openings",
        "3 distinct",
        "games/s",
        "mean depth",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(!said.contains("draws"), "Breakthrough has none: {said}");
    let said = text("tournament zhu piece mobility --pairs 2 --nodes 30 --board 5x5");
    assert!(said.contains("LOS to next") && said.contains("% /2"), "{said}");
    assert!(text("features --moves a2a3 --weights atachiants").contains("connection_horizontal"));
    assert!(text("perft --depth 4").contains("nodes/s"));
    assert!(text("stats --pairs 0,0,0,0,50").contains("above +4"));
    let fen = "3P4/8/8/8/8/8/p7/8 b - - 0 1";
    let output = spar_with(["features", "--fen", fen]).output().unwrap();
    assert!(stderr(&output).contains("the game is over: 1-0"));
}

#[test]
fn manual_pages_and_completions_are_made() {
    let (folder, _) = file("");
    let files = spar_with(["man", folder.path().to_str().unwrap()]).output().unwrap();
    assert!(stdout(&files).contains("spar-weights-new.1"));
    assert!(text("man").contains(".TH spar 1"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(text(&format!("completions {shell}")).contains("tournament"), "{shell}");
    }
}
