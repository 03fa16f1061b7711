//! The weight sets of runs: the set that stands for a run that was not accepted, and the notes
//! about it.

use super::runs::{json_in, spar_in, text_in};
use super::support::{refusal, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tempfile::TempDir;

/// A tune of 200 games from `atachiants` whose candidate cannot pass without a validation.
const REJECTED: &str = "tune --method spsa --start atachiants --board 5x5 --games 200 --a 1 --nodes 5 \
                        --validation-pairs 0 --yardstick-pairs 0 --seed 4";
const START: &str = "breakthrough/atachiants";

/// Runs a tune in the folder and returns its directory.
fn tuned(folder: &Path, arguments: &str) -> PathBuf {
    let document = json_in(folder, arguments);
    assert_eq!(document["accepted"], false, "{document:#}");
    document["run"].as_str().unwrap().into()
}

/// A folder with one tune that was not accepted, which no test changes.
fn rejected() -> (&'static Path, &'static Path) {
    static FOLDER: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (folder, run) = FOLDER.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        let run = tuned(folder.path(), REJECTED);
        (folder, run)
    });
    (folder.path(), run)
}

/// Takes the result off a run's journal, as if its process had been killed before.
fn take_result_off(run: &Path) {
    let journal = run.join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let end = text.trim_end().rfind('\n').unwrap() + 1;
    fs::write(&journal, &text[..end]).unwrap();
    fs::remove_file(run.join("candidate.json")).unwrap();
}

/// The stderr of a command that succeeds.
fn said(folder: &Path, arguments: &str) -> String {
    let output = spar_in(folder, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", stderr(&output));
    stderr(&output)
}

fn set_in(folder: &Path, name: &str) -> Value {
    json_in(folder, &format!("weights show {name}"))
}

#[test]
fn every_command_says_that_a_run_which_was_not_accepted_gives_its_start_set() {
    let (folder, run) = rejected();
    let note = format!(
        "run `{run}` was not accepted: this is its start set `{START}`; `{run}:candidate` takes the \
         candidate instead",
        run = run.display()
    );
    let out = TempDir::new().unwrap();
    let place = |name: &str| out.path().join(name).display().to_string();
    let weights = run.join("weights.json").display().to_string();
    let commands = [
        "weights show last".to_owned(),
        format!("weights show {weights}"),
        "weights show spsa-4 --json".into(),
        "weights show last/weights.json".into(),
        "weights check last".into(),
        "weights diff zhu last".into(),
        format!("weights new mine --from last -o {}", place("mine.json")),
        format!("weights export last --to c -o {}", place("set.h")),
        format!("weights export last --to js -o {}", place("set.mjs")),
        format!("export web {} --with last", place("page")),
        "match last piece --pairs 1 --nodes 5".into(),
        "match piece last --pairs 1 --nodes 5 --json".into(),
        "tournament zhu last piece --board 5x5 --pairs 1 --nodes 5".into(),
        "analyze --weights last --nodes 5".into(),
        "features --weights last".into(),
        "bench --weights last --board 5x5 --depth 1".into(),
        format!("generate {} --weights last --board 5x5 --games 200 --nodes 20", place("p.pos")),
        format!("fit {} --start last -o {}", place("p.pos"), place("fitted.json")),
    ];
    for command in &commands {
        let said = said(folder, command);
        assert_eq!(said.matches(&note).count(), 1, "{command}: {said}");
    }
    let uci = spar_in(folder, "uci --weights last").write_stdin("quit\n").output().unwrap();
    assert!(stderr(&uci).contains(&note), "{}", stderr(&uci));
    let start = format!(
        "tune --start last --opponent last {}",
        &REJECTED[5..].replace("--start atachiants", "")
    );
    let again = TempDir::new().unwrap();
    let said = said(folder, &format!("{start} --run {}", again.path().join("run").display()));
    assert_eq!(said.matches(&note).count(), 2, "{said}");
}

#[test]
fn the_candidate_is_named_wherever_a_set_is() {
    let (folder, run) = rejected();
    let [start, candidate] = [set_in(folder, "last"), set_in(folder, "last:candidate")];
    assert_ne!(start["weights"], candidate["weights"]);
    assert_eq!(start["weights"], set_in(folder, START)["weights"]);
    let file: Value =
        serde_json::from_slice(&fs::read(run.join("candidate.json")).unwrap()).unwrap();
    assert_eq!(candidate, file);
    let directory = run.display();
    let names = ["spsa-4:candidate", "last --candidate", "last:candidate --candidate"];
    let others = ["{}:candidate", "{}/weights.json:candidate", "{}/candidate.json"]
        .map(|name| name.replace("{}", &directory.to_string()));
    for name in names.into_iter().chain(others.iter().map(String::as_str)) {
        assert_eq!(set_in(folder, name), candidate, "{name}");
        let output = spar_in(folder, &format!("weights show {name}")).output().unwrap();
        assert!(!stderr(&output).contains("not accepted"), "{}", stderr(&output));
    }
    assert_eq!(set_in(folder, "last:start"), start);
    for name in ["last --candidate", "last/candidate.json"] {
        let shown = text_in(folder, &format!("weights show {name}"));
        assert!(shown.contains("candidate of ") && shown.contains(", not accepted"), "{shown}");
    }
    let out = TempDir::new().unwrap();
    let place = out.path().join("candidate.json").display().to_string();
    let written = json_in(folder, &format!("weights export last --candidate --to json -o {place}"));
    assert_eq!(written["weights"], format!("{directory}:candidate"));
    let mut exported: Value = serde_json::from_slice(&fs::read(place).unwrap()).unwrap();
    let about = exported["description"].as_str().unwrap();
    assert_eq!(about.strip_prefix("Not accepted. "), candidate["description"].as_str());
    exported["description"] = candidate["description"].clone();
    assert_eq!(exported, candidate);
}

#[test]
fn a_set_that_was_edited_is_not_said_to_be_the_one_that_was_measured() {
    let (folder, run) = rejected();
    let shown = text_in(folder, "weights show last:candidate");
    assert!(!shown.contains("edited"), "{shown}");
    let mut set: Value =
        serde_json::from_slice(&fs::read(run.join("candidate.json")).unwrap()).unwrap();
    set["weights"]["piece"] = 1234.into();
    set["provenance"]["elo"] = 77.0.into();
    let own = TempDir::new().unwrap();
    let file = own.path().join("mine.json");
    fs::write(&file, set.to_string()).unwrap();
    let shown = text_in(folder, &format!("weights show {}", file.display()));
    assert!(shown.contains("edited since") && !shown.contains("+77.0"), "{shown}");
    let list = json_in(folder, &format!("weights list {}", own.path().display()));
    let entry = list["sets"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(entry["elo"], Value::Null, "{entry}");
}

#[test]
fn players_are_called_by_the_set_that_they_play_with() {
    let (folder, run) = rejected();
    let [start, candidate] = ["start", "candidate"].map(|part| format!("{}:{part}", run.display()));
    let played = json_in(folder, "match last last:candidate --pairs 1 --nodes 5");
    let names: Vec<&str> =
        (0..2).map(|player| played["players"][player]["name"].as_str().unwrap()).collect();
    assert_eq!(names, [&start, &candidate]);
    let table = text_in(folder, "tournament last last:candidate piece --pairs 1 --nodes 5");
    assert!(table.contains("spsa-4:start") && table.contains("spsa-4:candidate"), "{table}");
    assert_eq!(json_in(folder, "features --weights last")["weights"], start);
    assert_eq!(json_in(folder, "weights diff zhu last")["b"], start);
    let listed = json_in(folder, &format!("weights list {}", run.display()));
    let listed = listed["sets"].as_array().unwrap();
    assert!(listed.iter().any(|set| set["name"] == start.as_str()), "{listed:?}");
}

#[test]
fn an_exported_page_calls_the_sets_of_a_run_what_they_are() {
    let (folder, run) = rejected();
    let name = run.file_name().unwrap().to_str().unwrap();
    let out = TempDir::new().unwrap();
    let index = |arguments: &str| {
        let page = out.path().join("page");
        text_in(folder, &format!("export web {} --force {arguments}", page.display()));
        let sets = fs::read(page.join("assets/engine/sets/index.json")).unwrap();
        serde_json::from_slice::<Value>(&sets).unwrap()
    };
    let both = index("--with last --with last:candidate");
    let licence = fs::read_to_string(out.path().join("page/LICENSE")).unwrap();
    assert!(licence.contains("Permission is hereby granted"), "{licence}");
    assert_eq!(both[0]["name"], format!("own/{name}.start"));
    assert_eq!(both[0]["title"], format!("start set of {name}, not accepted"));
    assert_eq!(both[1]["name"], format!("own/{name}.candidate"));
    assert_eq!(both[1]["title"], format!("candidate of {name}, not accepted"));
    for with in ["--with last --candidate", "--with last/candidate.json"] {
        assert_eq!(index(with)[0]["name"], format!("own/{name}.candidate"));
    }
}

#[test]
fn a_run_without_a_result_gives_its_start_set_and_says_so() {
    let folder = TempDir::new().unwrap();
    let run = tuned(folder.path(), REJECTED);
    take_result_off(&run);
    let note = said(folder.path(), "match last piece --pairs 1 --nodes 5");
    assert!(note.contains(&format!("is not finished: this is its start set `{START}`")), "{note}");
    let none = refusal(spar_in(folder.path(), "weights show last:candidate"));
    assert!(none.contains("has no candidate yet") && none.contains("spar resume"), "{none}");
    // A damaged journal does not say how the run ended.
    fs::write(run.join("journal.jsonl"), "damaged\n").unwrap();
    let damaged = refusal(spar_in(folder.path(), "weights show last"));
    assert!(damaged.contains("journal.jsonl, line 1: damaged"), "{damaged}");
    refusal(spar_in(folder.path(), "weights show last:candidate"));
}

#[test]
fn a_candidate_whose_file_is_gone_is_written_again_by_a_resume() {
    let folder = TempDir::new().unwrap();
    let run = tuned(folder.path(), REJECTED);
    let candidate = set_in(folder.path(), "last:candidate");
    fs::remove_file(run.join("candidate.json")).unwrap();
    let missing = refusal(spar_in(folder.path(), "weights show last:candidate"));
    assert!(missing.contains("candidate.json is missing; `spar resume "), "{missing}");
    text_in(folder.path(), "resume last");
    assert_eq!(set_in(folder.path(), "last:candidate"), candidate);
}

#[test]
fn a_tune_that_changed_nothing_proposes_its_start_set() {
    let folder = TempDir::new().unwrap();
    let run = tuned(
        folder.path(),
        "tune --target search --method spsa --only razor_margin --board 5x5 --games 400 --nodes 5 --a 1 \
         --validation-pairs 0 --yardstick-pairs 0 --seed 4",
    );
    assert!(!run.join("candidate.json").exists());
    text_in(folder.path(), "report last");
    let report = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(report.contains("give a larger --c"));
    let note = said(folder.path(), "weights check last:candidate");
    assert!(note.contains("changed nothing: its candidate is its start set"), "{note}");
    // There is no other set to offer.
    assert!(!said(folder.path(), "weights check last").contains(":candidate"));
}

#[test]
fn an_accepted_run_gives_its_candidate_without_a_word_and_its_start_by_name() {
    let folder = TempDir::new().unwrap();
    // Begins with a constant that loses games.
    let document = json_in(
        folder.path(),
        "tune --target search --method spsa --start spsa --search delta_margin=20 --only \
         delta_margin,razor_depth --board 6x6 --games 800 --batch 5 --nodes 150 --validation-pairs 400 \
         --yardstick-pairs 0 --seed 1",
    );
    assert_eq!(document["accepted"], true, "{document:#}");
    for name in ["last", "last:candidate", "last --candidate"] {
        let output =
            spar_in(folder.path(), &format!("weights show {name} --json")).output().unwrap();
        assert_eq!(stderr(&output), "", "{name}");
        let set: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(set["provenance"]["run"], json_in(folder.path(), "runs show last")["id"]);
    }
    assert_eq!(set_in(folder.path(), "last:start")["search"]["delta_margin"], 20);
    let run = document["run"].as_str().unwrap();
    let played = json_in(folder.path(), "match last last:start --board 6x6 --pairs 1 --nodes 5");
    assert_eq!(played["players"][0]["name"], format!("{run}/weights.json"));
    assert_eq!(played["players"][1]["name"], format!("{run}:start"));
    for (name, set) in
        [("last:start", format!("{run}:start")), ("last", format!("{run}/weights.json"))]
    {
        let said = uci_says(folder.path(), &format!("uci --weights {name}"), "go nodes 5\nquit\n");
        assert!(said.contains(&format!("with the weights {set}")), "{name}: {said}");
        // The option names the run itself: `last` may be another one later.
        let said = uci_says(folder.path(), &format!("uci --weights {name}"), "uci\nquit\n");
        let option = format!("option name EvalFile type string default {set}\n");
        assert!(said.contains(&option), "{name}: {said}");
    }
}

/// What the engine answers to lines, over UCI.
fn uci_says(folder: &Path, command: &str, lines: &str) -> String {
    let output = spar_in(folder, command).write_stdin(lines).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn the_engine_takes_the_set_of_a_run_as_its_option_and_says_whether_it_was_accepted() {
    let (folder, run) = rejected();
    let evaluated = |set: &str| {
        let position = "position startpos moves a2b3 d4c3 b3c4";
        let lines = format!("setoption name EvalFile value {set}\n{position}\neval\nquit\n");
        let said = uci_says(folder, "uci --board 5x5", &lines);
        let values =
            said.lines().filter(|line| !line.starts_with("info") && !line.starts_with("weights"));
        (said.clone(), values.collect::<Vec<_>>().join("\n"))
    };
    let run = run.display();
    let not_accepted = format!("info string run `{run}` was not accepted");
    let file = format!("{run}/candidate.json");
    let cases = [("last", START, 1), ("spsa-4", START, 1), ("last:start", START, 0)];
    for (set, same, notes) in cases.into_iter().chain([("last:candidate", file.as_str(), 0)]) {
        let (said, values) = evaluated(set);
        assert_eq!(said.matches(&not_accepted).count(), notes, "{set}: {said}");
        assert!(!said.contains("the default weights are used"), "{set}: {said}");
        assert_eq!(values, evaluated(same).1, "{set}");
    }
    assert_ne!(evaluated("last").1, evaluated("last:candidate").1);
    let (said, _) = evaluated("last:best");
    assert!(said.contains("name `last`, `last:candidate` or `last:start`"), "{said}");
}

#[test]
fn names_that_lead_to_no_set_of_a_run_are_refused_with_a_remedy() {
    let (folder, _) = rejected();
    let other = refusal(spar_in(folder, "weights show last:best"));
    assert!(other.contains("no set called `best`") && other.contains("last:candidate"), "{other}");
    let no_run = refusal(spar_in(folder, "weights show piece --candidate"));
    assert!(no_run.contains("run `piece`: no run has this name"), "{no_run}");
    let folder = TempDir::new().unwrap();
    let run = folder.path().join("duel");
    let mut played = assert_cmd::cargo::cargo_bin_cmd!("spar");
    played.args(["match", "piece", "zhu", "--pairs", "1", "--nodes", "5", "--run"]).arg(&run);
    assert!(played.output().unwrap().status.success());
    for name in [run.display().to_string(), format!("{}:candidate", run.display())] {
        let refused = refusal(spar_in(folder.path(), &format!("weights show {name}")));
        assert!(refused.contains("it is a match, which makes no weight set"), "{refused}");
    }
}

#[test]
fn search_constants_of_a_run_that_was_not_accepted_are_called_so() {
    let folder = TempDir::new().unwrap();
    let run = tuned(
        folder.path(),
        &search_tune("--search delta_margin=20 --only delta_margin --games 800 --batch 5"),
    );
    let play = |search: &str| {
        said(folder.path(), &format!("match piece zhu {search} --board 6x6 --pairs 1 --nodes 5"))
    };
    let note = format!("`{}` was not accepted", run.display());
    for search in ["last/search.json", "last", &format!("{}/search.json", run.display())] {
        assert!(play(&format!("--search-a {search}")).contains(&note), "{search}");
    }
    assert!(!play("--search-a last:candidate").contains(&note));
}

/// A tune of search constants on 6x6 without a validation.
fn search_tune(arguments: &str) -> String {
    format!(
        "tune --target search --method spsa --start spsa --board 6x6 {arguments} --nodes 50 --a 1 \
         --validation-pairs 0 --yardstick-pairs 0 --seed 1"
    )
}

#[test]
fn a_set_of_a_run_is_checked_against_its_record_by_name_and_by_path() {
    let folder = TempDir::new().unwrap();
    let run = tuned(folder.path(), REJECTED);
    for name in ["weights.json", "candidate.json"] {
        let path = run.join(name);
        let good = fs::read_to_string(&path).unwrap();
        let place = path.display();
        let commands = [
            format!("weights check {place}"),
            format!("weights check last/{name}"),
            format!("weights import {place} -o new.json"),
            format!("weights show {place}"),
        ];
        for command in &commands[..2] {
            said(folder.path(), command);
        }
        let digit = good.rfind(|c: char| c.is_ascii_digit()).unwrap();
        let other = if &good[digit..=digit] == "1" { "2" } else { "1" };
        fs::write(&path, format!("{}{other}{}", &good[..digit], &good[digit + 1..])).unwrap();
        for command in &commands {
            let error = refusal(spar_in(folder.path(), command));
            assert!(error.contains(name) && error.contains("edited or damaged"), "{error}");
        }
        let listed = spar_in(folder.path(), &format!("weights list {}", run.display()));
        let listed = stdout(&{ listed }.output().unwrap());
        let refused = listed.lines().any(|line| line.contains("bad") && line.contains(name));
        assert!(refused, "{listed}");
        fs::write(&path, good).unwrap();
    }
    said(folder.path(), &format!("weights check {}", run.display()));
}

#[test]
fn what_is_left_of_a_run_without_its_manifest_is_noted() {
    let folder = TempDir::new().unwrap();
    let run = tuned(folder.path(), REJECTED);
    let manifest = run.join("manifest.json");
    let text = fs::read(&manifest).unwrap();
    fs::remove_file(&manifest).unwrap();
    let note = said(folder.path(), "runs");
    assert!(note.contains("no manifest.json; restore that file"), "{note}");
    let name = run.file_name().unwrap().to_str().unwrap();
    let error = refusal(spar_in(folder.path(), &format!("resume {name}")));
    assert!(error.contains("manifest.json: missing: there is a journal"), "{error}");
    fs::write(&manifest, text).unwrap();
    said(folder.path(), &format!("resume {name}"));
}
