//! The engine of a run stays the same over stop and resume, or the record says otherwise.

use super::support::{document, stderr};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder with a copy of the scripted engine, and a run that plays it by a relative path.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(place.path("home")).unwrap();
        std::fs::create_dir(place.path("elsewhere")).unwrap();
        place.take("engine.py");
        place
    }

    /// Makes a script of the tests the engine.
    fn take(&self, script: &str) {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/protocol");
        std::fs::copy(scripts.join(script), self.engine()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn engine(&self) -> PathBuf {
        self.path("home/engine.py")
    }

    /// Replaces a text in the engine.
    fn edit(&self, old: &str, new: &str) {
        let text = std::fs::read_to_string(self.engine()).unwrap();
        assert!(text.contains(old));
        std::fs::write(self.engine(), text.replace(old, new)).unwrap();
    }

    /// The program in a folder.
    fn spar(&self, folder: &str, arguments: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("spar"));
        command.args(arguments.split_whitespace()).current_dir(self.path(folder));
        command.env("XDG_STATE_HOME", self.path("state"));
        command
    }

    /// Begins a run with an engine as its last player, and stops it after some games.
    fn stop(&self, arguments: &str, engine: &str) {
        let (players, options) = arguments.split_at(arguments.find(" --nodes").unwrap());
        let mut command = self.spar("home", players);
        command.arg(engine).args(options.split_whitespace()).arg("--run").arg(self.path("run"));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let journal = self.path("run/journal.jsonl");
        wait(&mut child, || std::fs::read(&journal).is_ok_and(|text| text.len() > 2000));
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn resume(&self, more: &str) -> Output {
        let run = self.path("run");
        self.spar("elsewhere", &format!("resume {} {more}", run.display())).output().unwrap()
    }

    /// A resume must be refused for these reasons, before any game.
    fn must_refuse(&self, words: &[&str]) {
        let before = std::fs::read(self.path("run/journal.jsonl")).unwrap();
        let output = self.resume("");
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{error}");
        for word in words.iter().chain(&["--changed-engines"]) {
            assert!(error.contains(word), "{word}: {error}");
        }
        // Whole records at the end of the journal stay.
        let after = std::fs::read(self.path("run/journal.jsonl")).unwrap();
        assert!(before.starts_with(&after));
    }

    fn report(&self, more: &str) -> Output {
        let run = self.path("run");
        self.spar("elsewhere", &format!("report {} {more}", run.display())).output().unwrap()
    }
}

fn wait(child: &mut Child, happens: impl Fn() -> bool) {
    let begun = Instant::now();
    while !happens() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before that");
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const MATCH: &str = "match zhu --nodes 60 --pairs 60 --threads 2 --seed 5";
const ENGINE: &str = "cmd:python3 engine.py good";

#[test]
fn a_match_goes_on_with_the_same_engine_from_any_folder() {
    let place = Place::new();
    place.stop(MATCH, ENGINE);
    let found = document(&place.resume("--json"));
    assert_eq!((&found["games"], &found["engine_changes"]), (&120.into(), &Value::Array(vec![])));
}

#[test]
fn a_changed_script_is_refused_or_told() {
    let place = Place::new();
    place.stop(MATCH, ENGINE);
    place.edit("next(board.moves())", "list(board.moves())[-1]");
    place.must_refuse(&["engine `python3 engine.py good`", "`engine.py`"]);
    let found = document(&place.resume("--json --changed-engines"));
    let change = &found["engine_changes"][0];
    assert!(change["engine"] == "Scripted" && change["games"].as_u64() > Some(0), "{found:#}");
    assert!(change["time"].as_str().unwrap().starts_with("20"));
    let text = String::from_utf8(place.report("").stdout).unwrap();
    assert!(text.contains("`Scripted` was replaced after"), "{text}");
    let page = std::fs::read_to_string(place.path("run/report.html")).unwrap();
    assert!(page.contains("was replaced after"), "{page}");
}

#[test]
fn the_answer_of_a_tune_has_the_engine_that_gave_it() {
    let place = Place::new();
    place.take("knob_engine.py");
    let limits = "--nodes 20 --game breakthrough --board 5x5 --knobs-command spsa --only Aim --games 400 --validation-pairs 10";
    place.stop(&format!("tune --engine {limits} --yardstick-pairs 0 --threads 2"), ENGINE);
    let answer = |more: &str| {
        let output = place.resume(more);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(place.path("run/answer.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let text = std::fs::read_to_string(place.engine()).unwrap();
    std::fs::write(place.engine(), text + "\n# Another build\n").unwrap();
    place.must_refuse(&["`engine.py`"]);
    let found = answer("--changed-engines");
    let journal = std::fs::read_to_string(place.path("run/journal.jsonl")).unwrap();
    let change: Value =
        serde_json::from_str(journal.lines().find(|line| line.contains(r#""engine":"#)).unwrap())
            .unwrap();
    let identity = &change["engine"]["identity"];
    assert!(identity.is_object(), "{change:#}");
    assert_eq!(&found["engine"]["identity"], identity);
    assert_eq!(&found["replaced"][0]["identity"], identity, "{found:#}");
}

#[test]
fn a_replaced_engine_is_the_one_to_go_on_with() {
    let place = Place::new();
    place.stop("match zhu --nodes 60 --pairs 2000 --threads 2", ENGINE);
    place.edit("Scripted [test build]", "Other 2");
    place.must_refuse(&["`engine.py`"]);
    let mut child = {
        let run = place.path("run").display().to_string();
        let mut command = place.spar("elsewhere", &format!("resume {run} --changed-engines"));
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let journal = place.path("run/journal.jsonl");
    wait(&mut child, || {
        let text = std::fs::read_to_string(&journal).unwrap();
        let mut after = text.lines().skip_while(|line| !line.contains(r#""engine":"#));
        after.next().is_some() && after.next().is_some()
    });
    child.kill().unwrap();
    child.wait().unwrap();
    place.edit("Other 2", "Scripted [test build]");
    place.must_refuse(&["`engine.py`"]);
}

#[test]
fn another_name_is_refused_though_the_files_are_the_same() {
    let place = Place::new();
    std::fs::write(place.path("home/name"), "First 1.0").unwrap();
    place.edit("\"id name Scripted [test build]\"", "\"id name \" + open(\"name\").read()");
    place.stop(MATCH, ENGINE);
    std::fs::write(place.path("home/name"), "Second 1.0").unwrap();
    place.must_refuse(&["`Second 1.0`", "`First 1.0`"]);
    let text = String::from_utf8(place.resume("--changed-engines").stdout).unwrap();
    assert!(text.contains("`Second 1.0`"), "{text}");
}

#[test]
fn a_missing_file_and_one_of_the_options_count_too() {
    let place = Place::new();
    let net = place.path("home/net.bin");
    place.edit("say(\"id author nobody\")", "say(\"option name EvalFile type string\")");
    std::fs::write(&net, "one").unwrap();
    place.stop(&format!("{MATCH} --option-b EvalFile=net.bin"), ENGINE);
    std::fs::write(&net, "two").unwrap();
    place.must_refuse(&["`net.bin`"]);
    std::fs::remove_file(&net).unwrap();
    place.must_refuse(&["`net.bin`", "is not there"]);
    std::fs::write(&net, "one").unwrap();
    document(&place.resume("--json"));
}

#[test]
fn tournaments_and_opponents_of_tunes_are_looked_at_too() {
    let tune = "tune --opponent --nodes 60 --games 100k --batch 5 --only danger --method spsa";
    for arguments in ["tournament zhu piece --nodes 60 --pairs 500", tune] {
        let place = Place::new();
        place.stop(arguments, ENGINE);
        place.edit("Scripted", "Rebuilt");
        place.must_refuse(&["engine `python3 engine.py good`", "`engine.py`"]);
    }
}

#[test]
fn an_engine_that_is_replaced_under_a_match_ends_it() {
    let place = Place::new();
    place.edit("KIND = sys.argv[1]", "NAME = open(\"name\").read()\nKIND = sys.argv[1]");
    place.edit("Scripted [test build]\"", "\" + NAME");
    // Its second move crashes, so each game needs a process.
    place.edit("os._exit(7)", "open(\"name\", \"w\").write(\"Second\"); os._exit(7)");
    std::fs::write(place.path("home/name"), "First").unwrap();
    let mut command = place.spar("home", "match zhu --pairs 9 --nodes 60 --threads 1 --no-run");
    let output = command.arg("cmd:python3 engine.py crash").output().unwrap();
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("`Second`") && error.contains("`First`"), "{error}");
}

#[test]
fn each_engine_has_a_folder_of_its_own() {
    let place = Place::new();
    let home = place.path("home").display().to_string();
    let plays = |arguments: &str, players: &[&str]| {
        let mut command = place.spar("elsewhere", arguments);
        document(&command.args(players).args(["--json", "--no-run"]).output().unwrap())
    };
    let common = "--pairs 1 --nodes 50";
    plays(&format!("match {common} --dir-b {home}"), &["zhu", ENGINE]);
    plays(&format!("match {common} --dir-a ../home"), &[ENGINE, "zhu"]);
    plays(&format!("tournament {common} --dir {home}"), &["zhu", ENGINE]);
    plays(&format!("tournament {common} --dir 2:../home"), &["zhu", ENGINE]);
    for (arguments, words) in [
        ("match --dir-b nowhere", "nowhere is not there"),
        ("match --dir-a .", "takes none"),
        ("tournament --dir 3:.", "there is no such player"),
    ] {
        let mut command = place.spar("elsewhere", arguments);
        let output = command.args(["zhu", ENGINE, "--no-run"]).output().unwrap();
        assert!(!output.status.success() && stderr(&output).contains(words), "{output:?}");
    }
}
