//! Tunes that begin with the answer of an earlier one, probes of knobs before a tune, and
//! fishtest's schedule.

use super::knobs::{engine, record, refused, tune};
use super::support::{document, stderr};
use super::trust::spar;
use assert_cmd::Command;
use serde_json::{Value, json};
use std::path::Path;

const COMMON: &str = "--board 5x5 --batch 9 --nodes 1 --threads 2 --yardstick-pairs 0 --seed 3";

/// `spar tune --from` a run, with its own directory.
fn continued(from: &str, run: &Path, more: &str) -> Command {
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    command.args(["tune", "--json", "--from", from, "--run"]).arg(run);
    command.args(more.split_whitespace());
    command
}

/// The configuration in a run's manifest.
fn config(run: &Path) -> Value {
    let text = std::fs::read_to_string(run.join("manifest.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["config"].clone()
}

fn knobs(run: &Path) -> Vec<Value> {
    config(run)["plan"]["matches"]["knobs"].as_array().unwrap().clone()
}

#[test]
fn a_tune_goes_on_from_an_answer_and_moves_the_bounds_that_it_touched() {
    let folder = tempfile::tempdir().unwrap();
    let [first, next, other] = ["first", "next", "other"].map(|name| folder.path().join(name));
    let more = "--games 200 --validation-pairs 0 --only Aim,Dead --bounds Aim=10..40 --range Aim=60 --a 0.5 --schedule fishtest";
    let mut command = tune(&first, Some(&engine("good", None)), &format!("{COMMON} {more}"));
    let found = document(&command.output().unwrap());
    assert_eq!(found["knobs"][0]["at_bound"], true, "{found}");
    let advised = found["next"].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert_eq!(advised, format!("spar tune --from {}", first.display()));

    let name = first.display().to_string();
    let output = continued(&name, &next, "").output().unwrap();
    let said = stderr(&output);
    let answer = document(&output);
    assert!(said.contains("10..40 -> 10..100") && said.contains("widened"), "{said}");
    assert!(said.contains("was not shown to be better"), "{said}");
    assert_eq!(answer["continues"], found["id"]);
    let [old, new] = [&first, &next].map(|run| config(run));
    for key in ["games", "limits", "validation", "yardsticks", "adjudication", "board"] {
        assert_eq!(old[key], new[key], "{key}");
    }
    assert_eq!((&new["seed"], &new["book"]["plies"]), (&json!(4), &old["book"]["plies"]));
    let optimizer = |config: &Value| config["plan"]["matches"]["optimizer"].clone();
    assert_eq!(optimizer(&old), optimizer(&new));
    assert_eq!(optimizer(&new)["spsa"]["schedule"], "fishtest");
    for (knob, row) in knobs(&next).iter().zip(found["knobs"].as_array().unwrap()) {
        assert_eq!(knob["start"].as_f64(), row["tuned"].as_f64(), "{knob}");
    }
    let [low, high] = ["min", "max"].map(|key| knobs(&next)[0][key].clone());
    assert_eq!((low, high), (json!(10.0), json!(100.0)), "the engine's own bound");

    // Options given again count; a knob left out keeps its value.
    let more = "--nodes 2 --games 60 --seed 8 --freeze Dead --option Hash=2 --c 0.2";
    document(&continued(&name, &other, more).output().unwrap());
    let new = config(&other);
    assert_eq!((&new["limits"], &new["seed"]), (&json!({"nodes": 2}), &json!(8)));
    assert_eq!((&new["games"], &optimizer(&new)["spsa"]["c"]), (&json!(60), &json!(0.2)));
    let options = new["plan"]["matches"]["engine"]["options"].clone();
    let dead = found["knobs"][1]["tuned"].to_string();
    assert_eq!(options, json!([["Hash", "2"], ["Dead", dead]]));
}

#[test]
fn the_groups_of_knobs_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let [first, next, file] = ["first", "next", "knobs.json"].map(|name| folder.path().join(name));
    let described = json!([
        {"name": "Aim", "kind": "int", "start": 20, "min": 0, "max": 100, "group": "eyes"},
        {"name": "Nerve", "kind": "float", "start": 0.1, "min": 0, "max": 1, "group": "nerves"},
        {"name": "Dead", "kind": "int", "start": 5, "min": 0, "max": 10},
    ]);
    std::fs::write(&file, described.to_string()).unwrap();
    let more = format!("{COMMON} --games 20 --validation-pairs 0 --knobs {}", file.display());
    document(&tune(&first, Some(&engine("good", None)), &more).output().unwrap());
    let name = first.display().to_string();
    document(&continued(&name, &next, "--only eyes,nerves").output().unwrap());
    let kept = knobs(&next);
    let kept: Vec<[&Value; 2]> = kept.iter().map(|knob| [&knob["name"], &knob["group"]]).collect();
    let wanted = [["Aim", "eyes"], ["Nerve", "nerves"]].map(|words| words.map(Value::from));
    assert_eq!(kept, wanted.each_ref().map(|words| words.each_ref()));
}

#[test]
fn an_answer_that_was_not_accepted_is_taken_only_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let [first, next, chosen] = ["first", "next", "chosen"].map(|name| folder.path().join(name));
    let more =
        "--games 60 --validation-pairs 4 --only Aim --bounds Aim=10..40 --range Aim=60 --a 0.9";
    let mut command = tune(&first, Some(&engine("good", None)), &format!("{COMMON} {more}"));
    let found = document(&command.output().unwrap());
    assert_eq!((&found["accepted"], &found["changed"]), (&json!(false), &json!(true)), "{found}");
    let name = first.display().to_string();
    let output = continued(&name, &next, "").output().unwrap();
    let said = stderr(&output);
    document(&output);
    assert!(said.contains("did not accept its answer") && said.contains(":candidate"), "{said}");
    assert_eq!(knobs(&next), knobs(&first));
    document(&continued(&format!("{name}:candidate"), &chosen, "").output().unwrap());
    assert_eq!(knobs(&chosen)[0]["start"].as_f64(), found["knobs"][0]["tuned"].as_f64());
}

#[test]
fn a_tune_goes_on_from_an_unfinished_one_but_not_from_other_runs() {
    let folder = tempfile::tempdir().unwrap();
    let [first, next] = ["first", "next"].map(|name| folder.path().join(name));
    // Its crashes end it early.
    let more = "--games 24 --validation-pairs 0 --only Aim,Trap --range Trap=30 --probe";
    let more = format!("{} {more}", COMMON.replace("--batch 9", "--batch 5"));
    let mut command = tune(&first, Some(&engine("probe", None)), &more);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let before = std::fs::read(first.join("manifest.json")).unwrap();
    assert!(config(&first)["plan"]["matches"].get("beginning").is_none());
    let verdict = |at: usize| config(&first)["plan"]["matches"]["probe"]["knobs"][at].clone();
    assert_eq!(verdict(0)["verdict"], "fails");

    let name = first.display().to_string();
    let output = continued(&name, &next, "--freeze Trap").output().unwrap();
    let said = stderr(&output);
    document(&output);
    assert!(said.contains("is not finished") && said.contains("the latest values"), "{said}");

    // A resume finds the probe on record.
    let mut resume = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    resume.args(["resume", "--json", "--forfeit-limit", "0"]).arg(&first);
    let output = resume.output().unwrap();
    assert!(!stderr(&output).contains("probing"), "{}", stderr(&output));
    assert_eq!(document(&output)["probe"]["positions"], 48);
    assert_eq!(std::fs::read(first.join("manifest.json")).unwrap(), before);

    let own = folder.path().join("own");
    let more = "--board 5x5 --method spsa --games 20 --batch 9 --nodes 1 --validation-pairs 0 --yardstick-pairs 0 --only danger";
    document(&tune(&own, None, more).output().unwrap());
    let none = folder.path().join("none");
    let error = refused(&continued(&own.display().to_string(), &none, "").output().unwrap());
    assert!(
        error.contains("does not tune an external engine") && error.contains("--start"),
        "{error}"
    );
    let error = refused(&continued(&name, &none, "--game breakthrough").output().unwrap());
    assert!(error.contains("--game") && !none.exists(), "{error}");
}

#[test]
fn a_probe_freezes_dead_knobs_names_others_and_scales_steps() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, probed, again] = ["plain", "probed", "again"].map(|name| folder.path().join(name));
    let more = format!("{COMMON} --games 60 --validation-pairs 0 --freeze Trap");
    let engine = engine("probe", None);
    document(&tune(&plain, Some(&engine), &more).output().unwrap());
    let more = format!("{more} --probe steps");
    let output = tune(&probed, Some(&engine), &more).output().unwrap();
    let said = stderr(&output);
    let found = document(&output);
    assert!(said.contains("frozen, since no search differs: Dead"), "{said}");
    let verdicts: Vec<(&str, &str)> = found["probe"]["knobs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|knob| (knob["name"].as_str().unwrap(), knob["verdict"].as_str().unwrap()))
        .collect();
    let wanted = [("Aim", "fine"), ("Dead", "dead"), ("Side", "one-sided"), ("Dice", "random")];
    assert_eq!(verdicts, wanted, "{said}");
    let names: Vec<Value> = knobs(&probed).iter().map(|knob| knob["name"].clone()).collect();
    assert_eq!(names, ["Aim", "Side", "Dice"]);
    for knob in knobs(&probed) {
        let of_name = |list: &[Value]| list.iter().find(|k| k["name"] == knob["name"]).cloned();
        let before = of_name(&knobs(&plain)).unwrap()["range"].as_f64().unwrap();
        let factor =
            of_name(found["probe"]["knobs"].as_array().unwrap()).unwrap()["step_factor"].as_f64();
        let wanted = before * factor.unwrap_or(1.0);
        assert!((knob["range"].as_f64().unwrap() - wanted).abs() < 1e-9, "{knob}");
        assert!(factor.is_none_or(|factor| (0.25..=4.0).contains(&factor)), "{knob}");
    }
    let answer: Value =
        serde_json::from_str(&std::fs::read_to_string(probed.join("answer.json")).unwrap())
            .unwrap();
    assert_eq!(answer["probe"], found["probe"]);
    let options = &config(&probed)["plan"]["matches"]["engine"]["options"];
    assert_eq!(options, &json!([["Hash", "16"], ["Dead", "5"]]));

    // The same with fewer knobs: a tune without luck is repeated.
    let more = more.replace("--freeze Trap", "--freeze Trap,Dice");
    let runs = [folder.path().join("one"), again];
    runs.iter().for_each(|run| drop(document(&tune(run, Some(&engine), &more).output().unwrap())));
    assert_eq!(record(&runs[0]), record(&runs[1]));
    let dead = folder.path().join("dead");
    let more = format!("{COMMON} --games 60 --only Dead --probe");
    let error = refused(&tune(&dead, Some(&engine), &more).output().unwrap());
    assert!(error.contains("every one is dead") && !dead.exists(), "{error}");
}

#[test]
fn the_schedule_of_fishtest_is_for_tunes_by_matches() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = "--board 5x5 --method logistic --schedule fishtest";
    let error = refused(&tune(&run, None, more).output().unwrap());
    assert!(error.contains("--schedule belongs to --method joined or spsa"), "{error}");
    let error = refused(&tune(&run, None, "--board 5x5 --method spsa --probe").output().unwrap());
    assert!(error.contains("--probe") && error.contains("--engine"), "{error}");
    assert!(!run.exists());
}

#[test]
fn a_check_tells_how_to_see_why_an_engine_does_not_repeat_itself() {
    let folder = tempfile::tempdir().unwrap();
    let knobs = folder.path().join("knobs.txt");
    std::fs::write(&knobs, "Dice, int, 0, 0, 3, 1, 0.002\n").unwrap();
    let shown = |more: &[&str]| {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("spar");
        let engine = engine("probe", None);
        command.args(["check", &engine, "--game", "breakthrough", "--knobs"]).arg(&knobs);
        String::from_utf8(command.args(more).output().unwrap().stdout).unwrap()
    };
    let plain = shown(&[]);
    assert!(plain.contains("with Dice the engine does not repeat itself"), "{plain}");
    let restarted = shown(&["--restart"]);
    assert!(restarted.contains("by chance") && !restarted.contains("with Dice"), "{restarted}");
}
