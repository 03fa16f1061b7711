//! A journal that has lost its last lines, or all: games that finished are not thrown away, and
//! nothing takes the run for one that has not played.

use super::harness::{QUICK, Run, Setup, must_say, refused, spar, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

static MATCH: Setup =
    Setup::of_command("match", "piece atachiants --board 5x5 --pairs 200 --nodes 20 --seed 4");
/// Ends without a match that could accept its candidate.
static REJECTED: Setup = Setup::new(
    "--board 5x5 --games 200 --a 1 --nodes 5 --validation-pairs 0 --yardstick-pairs 0 --seed 4",
);

/// The files of a run, without those that hold no record.
fn files(run: &Run) -> BTreeMap<String, Vec<u8>> {
    let entries = run.path().read_dir().unwrap().map(Result::unwrap);
    let read = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    entries.map(read).filter(|(name, _)| name != "lock").collect()
}

/// The run's line in the list.
fn listed(run: &Run) -> Value {
    let folder = run.path().parent().unwrap().to_owned();
    let output = spar().arg("--runs").arg(folder).args(["runs", "--json"]).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    document["runs"][0].clone()
}

/// Checks that every command that reads the run's record refuses it for this reason, and changes
/// nothing.
fn must_be_damaged(run: &Run, reason: &str) {
    let before = files(run);
    let remedy = ["journal.jsonl", reason, "restore it"];
    must_say(&refused(run.resume(1)), &remedy);
    for command in ["report", "runs show", "export --games csv", "export --history csv"] {
        let (verb, options) = command.split_once(" -").unwrap_or((command, ""));
        let mut spar = spar();
        spar.args(verb.split(' ')).arg(run.path());
        if !options.is_empty() {
            spar.args(format!("-{options}").split(' '));
        }
        must_say(&refused(spar), &remedy[..2]);
    }
    let output = spar().arg("show").arg(run.path()).output().unwrap();
    must_say(&text(&output.stderr), &["the games are not checked", reason]);
    let line = listed(run);
    assert_eq!(line["state"], "damaged", "{line:#}");
    assert!(line["reason"].as_str().unwrap().contains(reason), "{line:#}");
    assert_eq!(files(run), before);
}

#[test]
fn a_journal_that_ends_before_the_games_is_refused() {
    for setup in [&MATCH, &QUICK] {
        let run = Run::finished(setup);
        let journal = run.file("journal.jsonl");
        let whole = fs::read(&journal).unwrap();
        let line = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let early = [&whole[..line], &vec![0; whole.len() - line]].concat();
        for lost in [&[][..], &vec![0; whole.len()], &whole[..line], &whole[..line + 20], &early] {
            fs::write(&journal, lost).unwrap();
            must_be_damaged(&run, "ends before the ");
        }
        fs::remove_file(&journal).unwrap();
        must_be_damaged(&run, "missing");
        let mut mend = run.resume(1);
        mend.arg("--mend");
        must_say(&refused(mend), &["journal.jsonl", "missing"]);
        // Only its owner knows that this is a copy whose journal was made first.
        fs::write(&journal, &whole[..line]).unwrap();
        let weights = run.file("weights.json");
        let _ = fs::remove_file(weights);
        let mut mend = run.resume(2);
        let output = mend.arg("--mend").output().unwrap();
        must_say(&text(&output.stderr), &["of games that the journal does not count"]);
        run.outcome(&output).must_equal(setup.reference());
    }
}

#[test]
fn a_candidate_without_a_result_on_record_is_refused() {
    let run = Run::finished(&REJECTED);
    let journal = run.file("journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let line = whole.trim_end().rfind('\n').unwrap() + 1;
    assert!(run.file("candidate.json").exists() && whole[line..].contains("\"result\""));
    fs::write(&journal, &whole[..line]).unwrap();
    must_be_damaged(&run, "ends before the result");
    // The line is written before the file.
    fs::remove_file(run.file("candidate.json")).unwrap();
    run.must_finish_exactly(1);
}
