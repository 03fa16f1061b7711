//! Engines of somebody else's run are started only when the user says so, whatever its files say.

use super::support::{document, engine, stderr};
use assert_cmd::Command;
use sparring::run::journal::{self, Event};
use sparring::run::{JOURNAL, Journal, JournalLine, Manifest, Work, mend_copy, read};
use sparring::tune::{BatchRecord, Plan, Stage};
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// The program, with this folder for the user's state.
pub(crate) fn spar(state: &Path) -> Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
    command.env("XDG_STATE_HOME", state);
    command
}

/// A run that was stopped after its first batches, by the user with this state folder; the engine
/// writes to the log.
pub(crate) fn stopped_run(folder: &Path, state: &Path, log: &Path) -> PathBuf {
    let tune = "tune --method spsa --nodes 60 --games 100k --batch 5 --only danger --opponent";
    stopped(tune, folder, state, log)
}

/// A match stopped in the same way.
fn stopped_match(folder: &Path, state: &Path, log: &Path) -> PathBuf {
    stopped("match zhu --nodes-a 20 --pairs 100k", folder, state, log)
}

/// Runs a command with an engine as its last argument until a batch is on record.
fn stopped(arguments: &str, folder: &Path, state: &Path, log: &Path) -> PathBuf {
    let run = folder.join("stopped");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("spar"));
    command.args(arguments.split(' ')).arg(engine("good", Some(log))).arg("--run").arg(&run);
    command.env("XDG_STATE_HOME", state);
    run_until(command, || {
        std::fs::read(run.join("journal.jsonl")).is_ok_and(|text| text.len() > 99)
    });
    run
}

/// Runs a command until something happens, and kills it then.
fn run_until(mut command: std::process::Command, happens: impl Fn() -> bool) {
    let quiet = std::process::Stdio::null;
    let mut child = command.stdout(quiet()).stderr(quiet()).spawn().unwrap();
    while !happens() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before that");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn somebody_elses_engines_are_started_only_when_the_user_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let [mine, theirs, log] = ["mine", "theirs", "log"].map(|name| folder.path().join(name));
    let run = stopped_run(folder.path(), &theirs, &log);
    let started = || std::fs::read_to_string(&log).unwrap().matches(" start").count();
    let refused = |state: &Path, wanted: &[&str]| {
        let before = started();
        let output = spar(state).arg("resume").arg(&run).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(wanted.iter().all(|wanted| stderr(&output).contains(wanted)), "{output:?}");
        assert_eq!(started(), before, "an engine was started");
    };
    refused(&mine, &["engine.py' good", "--trust", "somebody else"]);
    // The user who began the run is not asked; a user who has agreed once is not asked again.
    for (state, more) in [(&theirs, &[][..]), (&mine, &["--trust"]), (&mine, &[])] {
        let before = started();
        let mut resume = std::process::Command::new(assert_cmd::cargo::cargo_bin!("spar"));
        resume.arg("resume").arg(&run).args(more).env("XDG_STATE_HOME", state);
        // It continues until the test kills it.
        run_until(resume, || started() > before);
    }
    // A changed manifest needs a new consent, whatever its checksum says.
    let path = run.join("manifest.json");
    let mut manifest = Manifest::load(&path).unwrap();
    let Work::Tune(tune) = &mut manifest.work else { panic!("no tune") };
    let Plan::Matches(plan) = &mut tune.config.plan else { panic!("no matches") };
    plan.opponents.as_mut().unwrap().engines[0].command += " ; touch pwned";
    manifest.save(&path).unwrap();
    refused(&theirs, &["touch pwned", "--trust"]);
}

/// A finished tune against the engine, of few games.
fn finished_tune(folder: &Path, state: &Path, log: &Path) -> PathBuf {
    let run = folder.join("finished");
    let mut command = spar(state);
    let tune = "tune --json --method spsa --nodes 60 --games 60 --batch 5 --only danger,attack --validation-pairs 4";
    command.args(tune.split(' ')).args(["--opponent", &engine("good", Some(log))]);
    document(&command.arg("--run").arg(&run).output().unwrap());
    run
}

/// Adds a line to the journal of a run, as anybody can who knows the format.
fn forge(run: &Path, event: Event) {
    let (manifest, _) = read(run).unwrap();
    let path = run.join(JOURNAL);
    let (lines, length) =
        journal::parse(&std::fs::read(&path).unwrap(), &path, &manifest.run).unwrap();
    let mut journal = Journal::open(&path, &manifest.run).unwrap();
    journal.cut(length).unwrap();
    let last = lines.last().unwrap().clone();
    journal.append(&JournalLine { games_crc: None, event, ..last }).unwrap();
}

/// The first batch of a run, as if it were one of the validation.
fn validate_batch(run: &Path, stage: Stage) -> BatchRecord {
    let (_, record) = read(run).unwrap();
    BatchRecord { stage: Stage::Validate, ..record.batch(stage, 0).unwrap().clone() }
}

/// The state folders of another user and of this one, and the log of the engines.
struct Users {
    folder: TempDir,
    theirs: PathBuf,
    mine: PathBuf,
    log: PathBuf,
}

impl Users {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [theirs, mine, log] = ["theirs", "mine", "log"].map(|name| folder.path().join(name));
        Self { folder, theirs, mine, log }
    }

    /// The number of engines started. An engine whose program was killed may write to the log a
    /// little later, so the log's length does not tell.
    fn started(&self) -> usize {
        std::fs::read_to_string(&self.log).unwrap().matches(" start").count()
    }

    /// The output of `spar resume`, which must start no engine.
    fn resume_without_engines(&self, state: &Path, run: &Path, more: &[&str]) -> Output {
        let before = self.started();
        let output = spar(state).arg("resume").arg(run).args(more).output().unwrap();
        assert_eq!(self.started(), before, "an engine was started: {}", stderr(&output));
        output
    }

    fn must_be_refused(&self, run: &Path, wanted: &[&str]) {
        let output = self.resume_without_engines(&self.mine, run, &[]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        for wanted in wanted {
            assert!(stderr(&output).contains(wanted), "{wanted}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_forged_result_starts_no_engine() {
    let users = Users::new();
    let finished = finished_tune(users.folder.path(), &users.theirs, &users.log);
    let run = stopped_run(users.folder.path(), &users.theirs, &users.log);
    let result = read(&finished).unwrap().1.result().unwrap().clone();
    forge(&run, Event::Result(result));
    users.must_be_refused(&run, &["not on record", "restore"]);
    // Consent does not make a bad journal valid.
    let output = users.resume_without_engines(&users.theirs, &run, &["--trust"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_forged_validation_does_not_keep_the_question_away() {
    let users = Users::new();
    let run = stopped_run(users.folder.path(), &users.theirs, &users.log);
    forge(&run, Event::Batch(validate_batch(&run, Stage::Tune)));
    users.must_be_refused(&run, &["engine.py' good", "--trust"]);
    let output = users.resume_without_engines(&users.mine, &run, &["--trust"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("not on record"), "{}", stderr(&output));
}

#[test]
fn lines_of_a_tune_have_no_place_in_a_match() {
    let users = Users::new();
    let finished = finished_tune(users.folder.path(), &users.theirs, &users.log);
    let result = read(&finished).unwrap().1.result().unwrap().clone();
    let run = stopped_match(users.folder.path(), &users.theirs, &users.log);
    let journal = std::fs::read(run.join(JOURNAL)).unwrap();
    let line = format!("{}, line 2", run.join(JOURNAL).display());
    for event in [Event::Result(result), Event::Batch(validate_batch(&run, Stage::Match))] {
        leave_first_line(&run, &journal);
        forge(&run, event);
        users.must_be_refused(&run, &[&line, "a line of a tune", "restore the journal"]);
        let report = spar(&users.mine).arg("report").arg(&run).output().unwrap();
        assert!(stderr(&report).contains(&line), "{}", stderr(&report));
    }
    // Neither does a line of a match in a tune.
    let mut batch = validate_batch(&finished, Stage::Tune);
    batch.stage = Stage::Match;
    let text = std::fs::read(finished.join(JOURNAL)).unwrap();
    leave_first_line(&finished, &text);
    forge(&finished, Event::Batch(batch));
    users.must_be_refused(&finished, &["line 2", "a line of a match"]);
}

/// Leaves a run as it was after the first line of its journal.
fn leave_first_line(run: &Path, journal: &[u8]) {
    let line = journal.split_inclusive(|&byte| byte == b'\n').next().unwrap();
    std::fs::write(run.join(JOURNAL), line).unwrap();
    mend_copy(run).unwrap();
}

#[test]
fn a_finished_run_of_somebody_else_is_shown_without_a_question() {
    let users = Users::new();
    let run = finished_tune(users.folder.path(), &users.theirs, &users.log);
    let played = "match zhu --nodes-a 20 --pairs 2 --json";
    let folder = users.folder.path().join("match");
    let mut command = spar(&users.theirs);
    command.args(played.split(' ')).arg(engine("good", Some(&users.log)));
    document(&command.arg("--run").arg(&folder).output().unwrap());
    for run in [run, folder] {
        document(&users.resume_without_engines(&users.mine, &run, &["--json"]));
    }
}
