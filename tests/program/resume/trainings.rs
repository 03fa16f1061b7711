//! A killed training continues after its last whole epoch, in a run and in `spar train`.

use super::harness::{Run, Setup, Tune, spar, text};
use rand_mt::Mt64;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Two rounds, whose trainings have many epochs for a kill to hit.
static TRAINING: Setup = Setup::new(
    "--method network --board 5x5 --games 600 --rounds 2 --nodes 60 --units 64 --epochs 40 --round-pairs 20 \
     --validation-pairs 20 --seed 7",
);

/// A run killed once its first training had a checkpoint.
fn killed_in_training() -> Run {
    loop {
        let run = Run::new(&TRAINING);
        let mut session = Tune::start(run.tune(1));
        session.wait_until(|| run.file("training-1.bin").exists());
        session.kill();
        if run.file("training-1.bin").exists() && !run.journal_has("\"fit\"") {
            return run;
        }
    }
}

#[test]
fn kills_in_the_trainings_of_a_run_change_nothing() {
    let mut dice = Mt64::new(31);
    let run = Run::new(&TRAINING);
    let mut kept = 0;
    while !run.has_result() {
        let files = ["training-1.bin", "training-2.bin"].map(|name| run.file(name));
        let known = files.each_ref().map(|path| fs::read(path).ok());
        let mut session = Tune::start(run.go_on(1 + dice.next_u64() % 3));
        // Until there is a new checkpoint, and a few epochs more.
        let is_new = |(path, old): (&PathBuf, &Option<Vec<u8>>)| {
            fs::read(path).is_ok_and(|new| Some(&new) != old.as_ref())
        };
        session.wait_until(|| files.iter().zip(&known).any(is_new) || run.has_result());
        session.wait_for(std::time::Duration::from_millis(dice.next_u64() % 100));
        session.kill();
        kept += usize::from(files.iter().any(|path| path.exists()));
        run.check_journal();
    }
    assert!(kept > 1, "only {kept} kills left a checkpoint");
    run.must_finish_exactly(2);
    assert!(!run.file("training-1.bin").exists() && !run.file("training-2.bin").exists());
}

#[test]
fn a_checkpoint_of_a_run_is_refused_when_damaged_and_made_again_when_gone_or_foreign() {
    let run = killed_in_training();
    let path = run.file("training-1.bin");
    let good = fs::read(&path).unwrap();
    let mut dice = Mt64::new(32);
    for _ in 0..5 {
        let mut bad = good.clone();
        let bit = dice.next_u64() % (8 * good.len() as u64);
        bad[bit as usize / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bad).unwrap();
        for command in ["resume", "report"] {
            let output = spar().arg(command).arg(run.path()).output().unwrap();
            let said = text(&output.stderr);
            assert!(output.status.code() == Some(2) && said.contains("training-1.bin"), "{said}");
            assert!(said.contains("delete the file"), "{said}");
        }
        assert!(fs::read(&path).unwrap() == bad, "bit {bit}: the file was changed");
    }
    // A whole checkpoint of another training does not fit the run, since the games differ.
    fs::write(&path, checkpoint_of_another_training()).unwrap();
    run.must_finish_exactly(2);
    assert!(!path.exists());
    let run = killed_in_training();
    fs::remove_file(run.file("training-1.bin")).unwrap();
    run.must_finish_exactly(1);
}

fn checkpoint_of_another_training() -> Vec<u8> {
    let training = Training::new();
    let path = training.killed();
    fs::read(path).unwrap()
}

/// `spar train` in a folder of its own.
struct Training {
    folder: TempDir,
}

impl Training {
    fn new() -> Self {
        let training = Self { folder: TempDir::new().unwrap() };
        let mut command = spar();
        command.arg("generate").arg(training.file("games.pos"));
        let options = "--board 5x5 --games 200 --nodes 60 --weights piece --positions all";
        assert!(command.args(options.split(' ')).output().unwrap().status.success());
        training
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, output: &Path, threads: u64) -> Command {
        let mut command = spar();
        command.arg("train").arg(self.file("games.pos")).arg("-o").arg(output);
        command.args("--epochs 60 --units 64 --threads".split(' ')).arg(threads.to_string());
        command
    }

    /// Kills a training once it has a checkpoint; returns the path of the checkpoint.
    fn killed(&self) -> PathBuf {
        let (output, path) = (self.file("network.json"), self.file("network.json.checkpoint"));
        let mut session = Tune::start(self.command(&output, 1));
        session.wait_until(|| path.exists());
        assert!(session.kill() && path.exists() && !output.exists(), "it came too far");
        path
    }
}

#[test]
fn a_training_by_itself_goes_on_where_it_was_killed_or_stopped() {
    let training = Training::new();
    let (output, whole) = (training.file("network.json"), training.file("whole/network.json"));
    fs::create_dir(whole.parent().unwrap()).unwrap();
    let finish = |output: &Path, threads: u64| {
        let output = training.command(output, threads).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    assert!(!finish(&whole, 1).contains("done before"));
    let path = training.killed();
    let mut session = Tune::start(training.command(&output, 2));
    let first = fs::read(&path).unwrap();
    session.wait_until(|| fs::read(&path).is_ok_and(|bytes| bytes != first));
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(
        said.contains("the same command continues") && said.contains("network.json.checkpoint")
    );
    let said = finish(&output, 3);
    assert!(said.contains("done before"), "{said}");
    assert!(!path.exists());
    assert_eq!(fs::read_to_string(&output).unwrap(), fs::read_to_string(&whole).unwrap());
}

#[test]
fn a_damaged_checkpoint_of_a_training_by_itself_is_refused() {
    let training = Training::new();
    let path = training.killed();
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 8;
    fs::write(&path, &bytes).unwrap();
    let output = training.command(&training.file("network.json"), 1).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("delete the file"), "{said}");
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn a_training_does_not_drop_what_another_one_has_left() {
    let training = Training::new();
    let path = training.killed();
    let left = fs::read(&path).unwrap();
    let output = training.file("network.json");
    let mut other = training.command(&output, 1);
    let refused = other.args(["--seed", "2"]).output().unwrap();
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    for words in ["network.json.checkpoint", "another training", "--force"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(fs::read(&path).unwrap() == left && !output.exists());
    assert!(other.arg("--force").output().unwrap().status.success());
    assert!(!path.exists() && output.exists());
}
