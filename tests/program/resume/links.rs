//! Anything but an ordinary file in a run directory is refused at once: links are neither followed
//! nor replaced, and no command waits for a pipe.

use super::harness::{QUICK, Run, Setup, Tune, spar, text};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

static ROUNDS: Setup = Setup::new(
    "--method logistic --board 5x5 --games 900 --rounds 1 --nodes 60 --only piece,mobility --clear-rest --blend 0.3 \
     --penalties 10 --round-pairs 40 --validation-pairs 20 --seed 7",
);

/// Runs a command that would hang if it waited for a pipe.
fn in_time(command: &Command) -> Output {
    let mut limited = Command::new("timeout");
    limited.args(["--signal=KILL", "60"]).arg(command.get_program()).args(command.get_args());
    limited.output().unwrap()
}

fn report(run: &Run) -> Command {
    let mut command = spar();
    command.arg("report").arg(run.path());
    command
}

fn must_refuse(command: &Command, name: &str, why: &str) {
    let output = in_time(command);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{name}: {command:?}: {said}");
    assert!(said.contains(name) && said.contains(why), "{name}: {said}");
}

/// Puts something else in place of a file of a run while `test` runs.
fn in_place_of(run: &Run, name: &str, put: impl Fn(&Path), test: impl Fn()) {
    let (path, kept) = (run.file(name), run.path().with_extension("kept"));
    let was_there = path.exists();
    if was_there {
        fs::rename(&path, &kept).unwrap();
    }
    put(&path);
    test();
    fs::remove_file(&path).unwrap();
    if was_there {
        fs::rename(&kept, &path).unwrap();
    }
}

#[test]
fn links_are_neither_followed_nor_replaced() {
    for (setup, more) in [(&QUICK, None), (&ROUNDS, Some("positions-1.pos"))] {
        let run = Run::killed_at(setup, 4);
        let files = ["manifest.json", "journal.jsonl", "games.jsonl.zst", "weights.json", "lock"];
        for name in files.into_iter().chain(more) {
            let copy = fs::read(run.file(name)).unwrap_or_default();
            for content in [b"somebody's".to_vec(), copy] {
                let victim = run.path().with_extension("victim");
                fs::write(&victim, &content).unwrap();
                let link = |path: &Path| symlink(&victim, path).unwrap();
                in_place_of(&run, name, link, || {
                    must_refuse(&run.resume(1), name, "symbolic link");
                    assert!(run.file(name).symlink_metadata().unwrap().is_symlink());
                });
                assert!(fs::read(&victim).unwrap() == content, "{name}: the target was changed");
            }
        }
        let nowhere = run.path().with_extension("nowhere");
        let page = |path: &Path| symlink(&nowhere, path).unwrap();
        in_place_of(&run, "report.html", page, || {
            must_refuse(&report(&run), "report.html", "symbolic link");
        });
        in_place_of(&run, "lock", page, || must_refuse(&run.resume(1), "lock", "symbolic link"));
        assert!(!nowhere.exists(), "a file was made behind a link");
        run.must_finish_exactly(2);
    }
}

#[test]
fn a_file_with_another_name_is_not_changed() {
    for (setup, more) in [(&QUICK, None), (&ROUNDS, Some("positions-1.pos"))] {
        let run = Run::killed_at(setup, 4);
        let files = ["journal.jsonl", "games.jsonl.zst", "lock"];
        for name in files.into_iter().chain(more) {
            // A run cuts off everything after its own part.
            let mut content = fs::read(run.file(name)).unwrap_or_default();
            content.extend(b"\nsomebody's");
            let victim = run.path().with_extension("victim");
            fs::write(&victim, &content).unwrap();
            let link = |path: &Path| fs::hard_link(&victim, path).unwrap();
            in_place_of(&run, name, link, || must_refuse(&run.resume(1), name, "a hard link"));
            assert!(fs::read(&victim).unwrap() == content, "{name}: the target was changed");
        }
        run.must_finish_exactly(2);
    }
}

#[test]
fn a_run_does_not_begin_behind_links() {
    let run = Run::new(&QUICK);
    fs::create_dir(run.path()).unwrap();
    let victim = run.path().with_extension("victim");
    fs::write(&victim, "").unwrap();
    for name in ["lock", "journal.jsonl", "games.jsonl.zst", "weights.json"] {
        symlink(&victim, run.file(name)).unwrap();
        must_refuse(&run.tune(1), name, "");
        fs::remove_file(run.file(name)).unwrap();
    }
    assert_eq!(fs::read(&victim).unwrap(), b"");
}

#[test]
fn a_pipe_in_place_of_a_file_is_refused_at_once() {
    let run = Run::killed_at(&QUICK, 4);
    let pipe = |path: &Path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    for name in ["manifest.json", "journal.jsonl", "games.jsonl.zst", "weights.json", "lock"] {
        in_place_of(&run, name, pipe, || must_refuse(&run.resume(1), name, "a pipe or a device"));
        if name != "lock" {
            in_place_of(&run, name, pipe, || {
                must_refuse(&report(&run), name, "a pipe or a device")
            });
        }
    }
    let set = run.path().with_extension("json");
    pipe(&set);
    let mut uci = assert_cmd::Command::from_std(spar());
    let lines = format!("setoption name EvalFile value {}\nisready\nquit\n", set.display());
    let output = uci.arg("uci").write_stdin(lines).timeout(std::time::Duration::from_secs(60));
    let said = text(&output.output().unwrap().stdout);
    assert!(said.contains("a pipe or a device") && said.contains("readyok"), "{said}");
    run.must_finish_exactly(2);
}

#[test]
fn a_directory_that_is_removed_or_replaced_is_missed_at_the_next_batch() {
    for moved in [false, true] {
        let run = Run::new(&QUICK);
        let mut session = Tune::start(run.tune(1));
        session.wait_until(|| run.lines() >= 4);
        let elsewhere = run.path().with_extension("elsewhere");
        fs::rename(run.path(), &elsewhere).unwrap();
        if moved {
            // Another directory in its place, even with a copy of the journal, does not help.
            fs::create_dir(run.path()).unwrap();
            fs::copy(elsewhere.join("journal.jsonl"), run.file("journal.jsonl")).unwrap();
        }
        let (status, said) = session.end();
        assert_eq!(status.code(), Some(1), "{said}");
        assert!(said.contains("has been removed, moved or replaced"), "{said}");
        assert!(!said.contains("what was finished is safe"), "{said}");
        let mut command = spar();
        command.arg("resume").arg(&elsewhere).arg("--json");
        super::harness::outcome(&elsewhere, &command.output().unwrap())
            .must_equal(QUICK.reference());
    }
}
