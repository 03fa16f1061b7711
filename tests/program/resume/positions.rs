//! Files of positions survive the same faults as runs: kills at any moment, a second process, a
//! full disk.

use super::harness::{Tune, spar, text};
use rand_mt::Mt64;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const ARGS: &str = "--board 5x5 --games 3000 --nodes 60 --seed 3 --json";

fn generate(path: &Path, threads: u64) -> Command {
    let mut command = spar();
    command
        .arg("generate")
        .arg(path)
        .args(ARGS.split(' '))
        .args(["--threads", &threads.to_string()]);
    command
}

/// The file that an uninterrupted session on one thread makes, and the session's duration.
fn reference() -> &'static (Vec<u8>, Duration) {
    static FILE: OnceLock<(Vec<u8>, Duration)> = OnceLock::new();
    FILE.get_or_init(|| {
        let (_temp, path) = place();
        let begun = Instant::now();
        finish(&path, 1);
        (fs::read(path).unwrap(), begun.elapsed())
    })
}

fn place() -> (TempDir, PathBuf) {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("games.pos");
    (temp, path)
}

fn part(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.part", path.display()))
}

fn finish(path: &Path, threads: u64) {
    let output = generate(path, threads).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["games"], 3000);
    assert_eq!(document["bytes"].as_u64().unwrap(), fs::metadata(path).unwrap().len());
    assert!(!part(path).exists(), "the mark is still there");
}

#[test]
fn threads_change_no_byte_of_a_position_file() {
    let (_temp, path) = place();
    finish(&path, 3);
    assert!(fs::read(path).unwrap() == reference().0);
}

#[test]
fn kills_change_no_byte_of_a_position_file() {
    let mut dice = Mt64::new(5);
    let longest = reference().1.mul_f64(0.5).as_micros() as u64;
    let mut killed = 0;
    while killed < 12 {
        let (_temp, path) = place();
        while killed < 12 {
            let mut session = Tune::start(generate(&path, 1 + 2 * (killed % 2)));
            session.wait_for(Duration::from_micros(dice.next_u64() % longest));
            if !session.kill() {
                break;
            }
            killed += 1;
        }
        if part(&path).exists() || !path.exists() || fs::metadata(&path).unwrap().len() == 0 {
            finish(&path, 3);
        }
        assert!(fs::read(&path).unwrap() == reference().0, "after {killed} kills");
    }
}

#[test]
fn an_interruption_keeps_the_games_in_hand() {
    let (_temp, path) = place();
    let mut session = Tune::start(generate(&path, 2));
    session.wait_until(|| part(&path).exists());
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(said.contains("the same command"), "{said}");
    finish(&path, 1);
    assert!(fs::read(path).unwrap() == reference().0);
}

#[test]
fn a_position_file_belongs_to_one_process_and_one_setting() {
    let refused = |mut command: Command, wanted: &str| {
        let output = command.output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(wanted), "{said}");
    };
    let (_temp, path) = place();
    let mut session = Tune::start(generate(&path, 1));
    session.wait_until(|| part(&path).exists());
    refused(generate(&path, 1), "another process is working on this file");
    session.press_ctrl_c();
    session.end();
    let mut other = generate(&path, 1);
    other.args(["--deviate", "0.5"]);
    if fs::read_to_string(part(&path)).unwrap().contains("\"games\":0") {
        finish(&path, 1);
    } else {
        refused(other, "made with other settings");
        finish(&path, 1);
    }
    refused(generate(&path, 1), "exists already");
    let (_temp, path) = place();
    fs::write(&path, "something else").unwrap();
    refused(generate(&path, 1), "exists already");
    fs::write(part(&path), "{\"games\":5,\"bytes\":9}").unwrap();
    refused(generate(&path, 1), "not a file of positions");
    assert_eq!(fs::read(&path).unwrap(), b"something else");
    refused(generate(path.parent().unwrap(), 1), "directory");
}

#[test]
fn a_full_disk_loses_no_positions() {
    let (_temp, path) = place();
    let mut ended = 0;
    for blocks in (1..).map(|step| step * step * 8) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"]);
        let command = generate(&path, 2);
        let output = shell.arg(command.get_program()).args(command.get_args()).output().unwrap();
        if output.status.success() {
            break;
        }
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(&path.display().to_string()), "{said}");
        ended += 1;
    }
    assert!(ended > 2, "the disk was full {ended} times only");
    assert!(fs::read(path).unwrap() == reference().0);
}
