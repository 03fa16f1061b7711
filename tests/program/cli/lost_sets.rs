//! Sets of runs whose files are missing, or have a link in their place.

use super::runs::{json_in, spar_in, text_in};
use super::support::{refusal, stderr};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A tune whose only fit is likely worse than its start.
const REJECTED: &str = "tune --method logistic --start atachiants --board 5x5 --games 400 --nodes 10 --rounds 1 \
                        --round-pairs 20 --only danger,attack --validation-pairs 0 --yardstick-pairs 0 --seed 4";

/// A folder with a tune in rounds that was not accepted, and the tune's directory.
fn rejected() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let document = json_in(folder.path(), REJECTED);
    assert_eq!(document["accepted"], false, "{document:#}");
    let run: PathBuf = document["run"].as_str().unwrap().into();
    let run = folder.path().join(run);
    assert!(run.join("candidate.json").is_file());
    (folder, run)
}

/// Checks that commands which take this set are refused with these words.
fn must_refuse(folder: &Path, set: &str, words: &[&str]) {
    let out = TempDir::new().unwrap();
    let place = |name: &str| out.path().join(name).display().to_string();
    for command in [
        format!("weights show {set}"),
        format!("weights check {set}"),
        format!("weights diff zhu {set}"),
        format!("weights export {set} --to json -o {}", place("set.json")),
        format!("match {set} piece --board 5x5 --pairs 1 --nodes 5"),
        format!("tune --start {set} --board 5x5 --games 16 --nodes 5 --run {}", place("run")),
        format!("export web {} --with {set}", place("page")),
    ] {
        let said = refusal(spar_in(folder, &command));
        words.iter().for_each(|word| assert!(said.contains(word), "{command}: {said}"));
    }
}

#[test]
fn a_lost_candidate_of_a_tune_in_rounds_is_not_taken_for_its_start() {
    let (folder, run) = rejected();
    let file = run.join("candidate.json");
    let candidate = fs::read(&file).unwrap();
    fs::remove_file(&file).unwrap();
    let words = ["its candidate.json is missing", "`spar resume ", "writes it again"];
    must_refuse(folder.path(), "last:candidate", &words);
    must_refuse(folder.path(), "last/candidate.json", &words);
    text_in(folder.path(), "resume last");
    assert_eq!(fs::read(&file).unwrap(), candidate);
    #[cfg(unix)]
    {
        let elsewhere = folder.path().join("elsewhere.json");
        fs::rename(&file, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        must_refuse(folder.path(), "last:candidate", &["candidate.json", "a symbolic link"]);
    }
}

#[test]
fn a_lost_set_of_a_run_is_called_missing_with_the_remedy() {
    let (folder, run) = rejected();
    let (file, name) = (run.join("weights.json"), run.file_name().unwrap().to_str().unwrap());
    let weights = fs::read(&file).unwrap();
    let words = ["its weights.json is missing", "`spar resume ", "writes it again"];
    fs::remove_file(&file).unwrap();
    must_refuse(folder.path(), name, &words);
    must_refuse(folder.path(), &format!("{}/weights.json", run.display()), &words);
    text_in(folder.path(), &format!("resume {name}"));
    assert_eq!(fs::read(&file).unwrap(), weights);
    // Without a journal nothing is written again.
    fs::remove_file(&file).unwrap();
    fs::remove_file(run.join("journal.jsonl")).unwrap();
    let said = spar_in(folder.path(), &format!("weights show {name}")).output().unwrap();
    assert_eq!(said.status.code(), Some(2));
    let said = stderr(&said);
    assert!(said.contains("journal.jsonl: missing") && said.contains("restore it"), "{said}");
}
