//! Tunes of the options of external engines.

use super::support::{document, stderr};
use super::trust::spar;
use assert_cmd::Command;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;
use std::time::Duration;

/// The scripted engine of this kind, perhaps with a log.
pub(super) fn engine(kind: &str, log: Option<&Path>) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/knob_engine.py");
    let log = log.map_or(String::new(), |log| format!(" '{}'", log.display()));
    format!("cmd:python3 '{script}' {kind}{log}")
}

/// `spar tune` of an engine, or of our own weights without one.
pub(super) fn tune(run: &Path, engine: Option<&str>, more: &str) -> Command {
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    command.args(["tune", "--json", "--game", "breakthrough", "--run"]).arg(run);
    command.args(engine.iter().flat_map(|engine| ["--engine", engine]));
    command.args(more.split_whitespace());
    command
}

/// The batches of a run, without the parts that depend on the clock or on a player's description.
pub(super) fn batches(run: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
    let batch = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let batch = line.get_mut("batch")?.as_object_mut()?;
        batch.remove("check");
        // Digests of moves exist for an engine's pairs only.
        batch["summary"].as_object_mut().unwrap().remove("digests");
        Some(Value::Object(batch.clone()))
    };
    text.lines().filter_map(batch).collect()
}

/// The lines of a run's journal without their times.
pub(super) fn record(run: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(run.join("journal.jsonl")).unwrap();
    text.lines().map(|line| line.split_once("\",").unwrap().1.to_owned()).collect()
}

/// The games of a run.
fn games(run: &Path) -> Vec<Value> {
    let file = std::fs::File::open(run.join("games.jsonl.zst")).unwrap();
    let text = String::from_utf8(zstd::decode_all(file).unwrap()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn exported(run: &Path, format: &str) -> String {
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let output = command.args(["export", "answer"]).arg(run).args(["--as", format]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // A command that takes values from a run says whether they were accepted.
    let is_told = stderr(&output).contains("these values were not shown to be better");
    assert_eq!(is_told, answer(run)["accepted"] == false, "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The answer of a run.
pub(super) fn answer(run: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(run.join("answer.json")).unwrap()).unwrap()
}

pub(super) fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", stderr(output));
    stderr(output)
}

/// Ten weights of our own engine as options over UCI play the same games, and lead to the same
/// answer, as the weights themselves.
#[test]
fn our_own_engine_is_tuned_alike_from_inside_and_over_its_options() {
    let folder = tempfile::tempdir().unwrap();
    let [inside, outside] = ["inside", "outside"].map(|name| folder.path().join(name));
    let common = "--games 96 --batch 11 --nodes 200 --validation-pairs 8 --seed 5 --threads 2 --yardstick-pairs 0";
    let only = "danger,high_danger,attack,mobility,column_hole,protection,connection_horizontal,connection_vertical,edge,tempo";
    let native = tune(&inside, None, &format!("{common} --method spsa --only {only}"));
    let native = { native }.output().unwrap();
    let native = match native.status.code() {
        Some(0) => document(&native),
        _ => panic!("{}", stderr(&native)),
    };
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(inside.join("manifest.json")).unwrap())
            .unwrap();
    let knobs = manifest["config"]["plan"]["matches"]["knobs"].as_array().unwrap();
    let described: Vec<Value> = knobs
        .iter()
        .map(|knob| {
            json!({"name": knob["name"], "kind": "int", "start": knob["start"], "min": knob["min"],
                   "max": knob["max"], "range": knob["range"]})
        })
        .collect();
    let file = folder.path().join("knobs.json");
    std::fs::write(&file, Value::from(described).to_string()).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("spar").display().to_string();
    let engine = format!("cmd:'{program}' uci --weights hand");
    let mut command = tune(&outside, Some(&engine), &format!("{common} --option Hash=1"));
    let found = document(&command.arg("--knobs").arg(&file).output().unwrap());

    let [of_native, of_engine] = [&inside, &outside].map(|run| {
        let moves =
            |game: Value| [game["opening"].clone(), game["moves"].clone(), game["result"].clone()];
        games(run).into_iter().map(moves).collect::<Vec<_>>()
    });
    assert_eq!(of_native, of_engine);
    assert_eq!(batches(&inside), batches(&outside));
    assert_eq!(native["accepted"], found["accepted"]);
    for row in native["candidate"]["weights"].as_object().unwrap() {
        if let Some(knob) = answer(&outside)["knobs"].get(row.0) {
            assert_eq!(knob["tuned"].as_f64(), row.1.as_f64(), "{}", row.0);
        }
    }
    assert_eq!(found["knobs"].as_array().unwrap().len(), 10);
    assert_eq!((&found["forfeits"], &found["void"]), (&json!(0), &json!(0)));
    assert!(exported(&outside, "setoption").contains("setoption name danger value "));
}

#[test]
fn knobs_come_from_the_engine_and_are_sent_before_each_pair() {
    let folder = tempfile::tempdir().unwrap();
    let (run, log) = (folder.path().join("run"), folder.path().join("log"));
    let common = "--board 5x5 --games 40 --batch 9 --nodes 1 --validation-pairs 4 --threads 1";
    let found = document(&tune(&run, Some(&engine("lines", Some(&log))), common).output().unwrap());
    let answer = answer(&run);
    let knobs = answer["knobs"].as_object().unwrap();
    assert_eq!(knobs.keys().collect::<Vec<_>>(), ["Aim", "Nerve"]);
    assert!(knobs["Nerve"]["tuned"].as_f64().unwrap().fract() != 0.0, "{knobs:?}");
    let log = std::fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    let at = lines.iter().rposition(|line| line.starts_with("setoption name Nerve")).unwrap();
    assert!(lines[at - 1].starts_with("setoption name Aim value "), "the engine's own order");
    assert_eq!(lines[at + 1..at + 4], ["isready", "ucinewgame", "isready"]);
    let options = &games(&run)[0]["options"];
    assert!(options[0]["Aim"] != options[1]["Aim"], "{options}");
    assert_eq!(found["knobs"].as_array().unwrap().len(), 2);
    // One tuner reads what another one writes.
    for format in ["openbench", "fishtest", "weather-factory"] {
        let file = folder.path().join(format);
        std::fs::write(&file, exported(&run, format)).unwrap();
        let again = folder.path().join(format!("{format}-run"));
        let mut command = tune(&again, Some(&engine("good", None)), common);
        // Weather-factory's format has whole numbers only.
        command.args(["--only", "Aim", "--knobs"]).arg(&file);
        let start = document(&command.output().unwrap())["knobs"][0]["start"].clone();
        assert_eq!(start.as_f64(), knobs["Aim"]["tuned"].as_f64(), "{format}");
    }
}

/// An option that is also a knob would have the knob's values, whatever the user gave.
#[test]
fn an_option_that_is_tuned_is_not_set() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let common = "--board 5x5 --games 20 --batch 5 --nodes 1 --validation-pairs 0 --threads 1";
    let output = |more: &str| {
        let more = format!("{common} --yardstick-pairs 0 --option nerve=0.5 {more}");
        tune(&run, Some(&engine("lines", None)), &more).output().unwrap()
    };
    let refused = output("");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("this option is tuned"), "{}", stderr(&refused));
    document(&output("--freeze Nerve"));
}

#[test]
fn an_engine_that_reads_its_options_once_is_restarted_for_each_pair() {
    let folder = tempfile::tempdir().unwrap();
    let common = "--board 5x5 --games 60 --batch 10 --nodes 1 --validation-pairs 4 --threads 1 --knobs-command spsa --yardstick-pairs 0";
    let played = |name: &str, kind: &str, more: &str| {
        let run = folder.path().join(name);
        document(
            &tune(&run, Some(&engine(kind, None)), &format!("{common} {more}")).output().unwrap(),
        );
        batches(&run)
    };
    let good = played("good", "good", "");
    assert_eq!(played("restarted", "once", "--restart"), good);
    assert_ne!(played("once", "once", ""), good);
    let run = folder.path().join("none");
    let asked = format!("{common} --knobs-command uci");
    let output =
        tune(&run, Some(&engine("good", None)), &asked.replacen("--knobs-command spsa", "", 1));
    let error = refused(&{ output }.output().unwrap());
    assert!(error.contains("answer to `uci`") && !run.exists(), "{error}");
}

#[test]
fn the_answer_meets_its_start_at_longer_limits() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let common = "--board 5x5 --games 60 --batch 10 --nodes 2 --validation-pairs 9 --yardstick-pairs 6 --knobs-command spsa";
    document(&tune(&run, Some(&engine("good", None)), common).output().unwrap());
    let longer = &answer(&run)["longer"];
    assert_eq!((&longer["against"], &longer["limits"]), (&json!("start"), &json!({"nodes": 8})));
    let played: Vec<Value> =
        batches(&run).into_iter().filter(|b| b["stage"] == "yardstick").collect();
    let pairs: usize = played.iter().map(|batch| batch["points"].as_array().unwrap().len()).sum();
    assert_eq!(pairs, 6);
    let counted = longer["match"]["pairs"].as_object().unwrap().values();
    let counted: u64 = counted.map(|count| count.as_u64().unwrap()).sum();
    assert!((1..=6).contains(&counted), "{longer}");
    // Each game records the limits that it was played with.
    let games = spar(folder.path())
        .args(["export", run.to_str().unwrap(), "--games", "pgn-like"])
        .output()
        .unwrap();
    let games = String::from_utf8(games.stdout).unwrap();
    let limits = games.lines().filter(|line| line.starts_with("[TimeControl "));
    let long: Vec<bool> = limits.map(|line| line.contains("\"8 nodes a move\"")).collect();
    let first_long = long.len() - 2 * pairs;
    assert!(first_long >= 60 && (0..long.len()).all(|n| long[n] == (n >= first_long)), "{long:?}");
}

#[test]
fn the_games_follow_from_the_precision() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let common = "--board 5x5 --batch 10 --nodes 2 --validation-pairs 0 --yardstick-pairs 0 --knobs-command spsa --precision 500";
    let output = tune(&run, Some(&engine("good", None)), common).output().unwrap();
    let found = document(&output);
    // Two knobs without draws: 101,850 * 5.99 / (500 * 10).
    let games = found["planned_games"].as_u64().unwrap();
    assert!((118..=126).contains(&games), "{games}");
    for wrong in ["0", "x", "-1", "nan"] {
        let run = folder.path().join("wrong");
        let more = common.replace("--precision 500", &format!("--precision={wrong}"));
        let output = { tune(&run, Some(&engine("good", None)), &more) }.output().unwrap();
        assert!(refused(&output).contains("precision") && !run.exists());
    }
}

#[test]
fn wrong_knobs_are_refused_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let (run, file) = (folder.path().join("run"), folder.path().join("knobs.txt"));
    let common = "--board 5x5 --games 40 --batch 9 --nodes 1";
    let refusal = |text: &str, more: &str| {
        std::fs::write(&file, text).unwrap();
        let mut command = tune(&run, Some(&engine("good", None)), &format!("{common} {more}"));
        let error = refused(&command.arg("--knobs").arg(&file).output().unwrap());
        assert!(!run.join("manifest.json").exists());
        error
    };
    let unknown = refusal("Aim,20,0,100,5,1\nNone,1,0,2,1,1", "");
    assert!(unknown.contains("knobs.txt, line 2, knob `None`, option `None`: the engine does not"));
    assert!(refusal("Aim, 20", "").contains("line 1"));
    assert!(refusal("Aim,20,0,100,5,1\nAim,20,0,100,5,1", "").contains("twice"));
    assert!(refusal("Aim,200,0,300,5,1", "").contains("outside"));
    assert!(refusal("Aim, float, 20, 0, 90, 5, 1", "").contains("whole numbers"));
    assert!(refusal("Aim,20,0,100,5,1", "--only Trap").contains("Aim"));
    let mut no_limit = tune(&run, Some(&engine("good", None)), "--board 5x5");
    assert!(refused(&no_limit.output().unwrap()).contains("--nodes 20k"));
    for (kind, limit, reason) in [
        ("good", "--nodes 5000", "5000 nodes a move is not respected: it reports 1"),
        ("mute", "--depth 3 --timeout 3", "no `bestmove` within 3 s"),
    ] {
        let more = format!("--board 5x5 --games 60 --batch 9 {limit}");
        let error = refused(&tune(&run, Some(&engine(kind, None)), &more).output().unwrap());
        assert!(error.contains(reason) && error.contains("spar check") && !run.exists(), "{error}");
    }
    let mut no_fit = tune(&run, Some(&engine("good", None)), "--nodes 1 --method logistic");
    assert!(
        refused(&no_fit.output().unwrap()).contains("--engine belongs to --method joined or spsa")
    );
}

#[test]
fn a_killed_tune_of_an_engine_goes_on_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let common = "--board 5x5 --games 300 --batch 9 --nodes 1 --validation-pairs 10 --threads 2 --schedule fishtest";
    let engine = engine("lines", None);
    document(&tune(&whole, Some(&engine), common).output().unwrap());
    let mut first = tune(&killed, Some(&engine), common);
    let _ = first.timeout(Duration::from_millis(1500)).output();
    for _ in 0..3 {
        let mut resume = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
        resume.args(["resume", "--json", "--threads", "1"]).arg(&killed);
        let _ = resume.timeout(Duration::from_millis(700)).output();
    }
    let mut resume = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    document(&resume.args(["resume", "--json"]).arg(&killed).output().unwrap());
    assert_eq!(record(&whole), record(&killed));
    let [a, b] = [&whole, &killed].map(|run| std::fs::read(run.join("games.jsonl.zst")).unwrap());
    assert!(a == b, "the same games");
}

#[test]
fn pairs_with_a_crash_teach_nothing_and_too_many_end_the_tune() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let common = "--board 5x5 --games 200 --batch 9 --nodes 1 --validation-pairs 4 --threads 2 --only Aim,Trap --range Trap=30";
    let mut command = tune(&run, Some(&engine("good", None)), common);
    let output = command.output().unwrap();
    let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("forfeited") && said.contains("higher value of `Trap`"), "{said}");
    let void = |batch: &Value| batch.get("void").map_or(0, |void| void.as_array().unwrap().len());
    let before: usize = batches(&run).iter().map(void).sum();
    assert!(before > 4, "{before}");
    for batch in batches(&run) {
        for pair in batch.get("void").and_then(Value::as_array).into_iter().flatten() {
            assert_eq!(
                batch["points"][pair[0].as_u64().unwrap() as usize],
                2,
                "void pairs are draws"
            );
        }
    }
    let mut resume = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    resume.args(["resume", "--json", "--forfeit-limit", "0"]).arg(&run);
    let found = document(&resume.output().unwrap());
    assert!(found["void"].as_u64().unwrap() >= before as u64, "{found}");
    assert!(found["forfeits"].as_u64() >= found["void"].as_u64());
}

/// Options with odd names are named, and chosen by patterns.
#[test]
fn odd_names_of_options_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let tune = |more: &[&str]| {
        let mut command = tune(&folder.path().join("run"), Some(&engine("names", None)), "");
        command.args("--board 5x5 --depth 1 --games 40 --batch 9".split(' '));
        command.args("--validation-pairs 0 --yardstick-pairs 0".split(' ')).args(more);
        command.output().unwrap()
    };
    let odd = "Gr\u{fffd}\u{fffd}e=5";
    assert!(refused(&tune(&["--option", odd])).contains("its name is not UTF-8"));
    assert!(refused(&tune(&["--only", "A, B"])).contains("`A? B`"));
    let output = tune(&["--freeze", "Trap,Dead,A? B"]);
    let (found, notes) = (document(&output), stderr(&output));
    let knobs: Vec<&Value> =
        found["knobs"].as_array().unwrap().iter().map(|knob| &knob["name"]).collect();
    assert_eq!(knobs, ["Aim"]);
    for note in ["e` cannot be a knob: its name is not UTF-8", "`Fixed` cannot be a knob"] {
        assert!(notes.contains(note), "{note}: {notes}");
    }
}

#[test]
fn a_check_names_what_is_wrong_with_an_engine_and_its_knobs() {
    let check = |kind: &str, more: &str| {
        let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
        command.args(["check", &engine(kind, None), "--json", "--game", "breakthrough"]);
        command.args(more.split_whitespace()).output().unwrap()
    };
    let found = document(&check("good", ""));
    assert_eq!(found["name"], "Knob Engine");
    let limits = json!({"nodes": false, "depth": true, "movetime": true, "clock": true});
    assert_eq!((&found["limits"], &found["deterministic"]), (&limits, &json!(true)));
    assert!(found["problems"][0].as_str().unwrap().contains("go nodes 2000"), "{found}");
    let knob = |name: &str| {
        let knobs = found["knobs"].as_array().unwrap();
        knobs.iter().find(|knob| knob["name"] == name).unwrap()["verdict"].clone()
    };
    assert_eq!(knob("Dead"), "dead");
    // A late answer while the machine was busy is no fault.
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let busy = engine("busy", Some(log.path()));
    command.args(["check", &busy, "--json", "--game", "breakthrough"]);
    assert_eq!(document(&command.output().unwrap())["limits"], limits);
    let mute = check("mute", "--timeout 4");
    assert_eq!(mute.status.code(), Some(1), "{}", stderr(&mute));
    let mute: Value = serde_json::from_slice(&mute.stdout).unwrap();
    assert_eq!((&mute["fit"], &mute["not_probed"][0]), (&json!(false), &json!("Trap")));
    let remembers = |more: &str| {
        let found = document(&check("remembers", more));
        let problems = found["problems"].to_string();
        (found["deterministic"].clone(), problems.contains("--restart"))
    };
    assert_eq!(
        [remembers(""), remembers("--restart")],
        [(json!(false), true), (json!(true), false)]
    );
    // Without knobs it can still play matches.
    let bare = check("bare", "");
    assert_eq!(bare.status.code(), Some(1), "{}", stderr(&bare));
    let bare: Value = serde_json::from_slice(&bare.stdout).unwrap();
    assert_eq!((&bare["fit"], &bare["limits"]), (&json!(false), &limits));
    let problem = bare["problems"].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert!(problem.contains("offers no option that can be tuned"), "{problem}");
}

#[test]
fn an_engine_that_loses_an_option_ends_its_tune() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, wanted) in [("fickle", "option `Dead`"), ("forgets", "option `Dead` any more")] {
        let [run, log] = ["run", "log"].map(|name| folder.path().join(format!("{kind}-{name}")));
        std::fs::write(&log, "").unwrap();
        let more = "--board 5x5 --games 40 --batch 9 --nodes 1 --threads 2 --only Aim,Dead";
        let output = tune(&run, Some(&engine(kind, Some(&log))), more).output().unwrap();
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{kind}: {error}");
        assert!(error.contains("not offer") && error.contains(wanted), "{kind}: {error}");
    }
}

/// A book of this many positions of Breakthrough on 5x5.
fn book(folder: &Path, lines: usize) -> String {
    let book = folder.join(format!("book-{lines}.fen"));
    let all = [
        "1pppp/ppppp/p4/PPPPP/PPPPP w - - 0 1",
        "p1ppp/ppppp/1p3/PPPPP/PPPPP w - - 0 1",
        "pp1pp/ppppp/2p2/PPPPP/PPPPP w - - 0 1",
        "ppp1p/ppppp/3p1/PPPPP/PPPPP w - - 0 1",
    ];
    std::fs::write(&book, all[..lines].join("\n")).unwrap();
    format!("--board 5x5 --nodes 1 --threads 2 --book {}", book.display())
}

#[test]
fn pairs_that_only_repeat_earlier_ones_end_a_tune_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = format!(
        "{} --games 600 --batch 9 --validation-pairs 4 --only Dead",
        book(folder.path(), 4)
    );
    let output = tune(&run, Some(&engine("good", None)), &more).output().unwrap();
    let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("64 pairs in a row") && said.contains("--book"), "{said}");
    let pairs: usize = batches(&run).iter().map(|b| b["points"].as_array().unwrap().len()).sum();
    assert!((65..100).contains(&pairs), "{pairs}");
    let before = record(&run);
    let mut resume = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let output = resume.args(["resume", "--json"]).arg(&run).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("64 pairs in a row"), "{}", stderr(&output));
    assert_eq!(record(&run), before);
    let mut report = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let shown = document(&report.args(["report", "--json"]).arg(&run).output().unwrap());
    assert!(shown["failure"].as_str().unwrap().contains("64 pairs"), "{shown}");
    let mut listed = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let listed = document(&listed.args(["runs", "show", "--json"]).arg(&run).output().unwrap());
    assert_eq!(listed["start"], shown["start"], "the engine, not the player behind it: {listed}");
}

#[test]
fn pairs_that_only_repeat_earlier_ones_end_a_validation_and_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = format!(
        "{} --games 100 --batch 9 --validation-pairs 300 --yardstick-pairs 0 --only Aim --range Aim=100 --a 0.9",
        book(folder.path(), 4)
    );
    let output = tune(&run, Some(&engine("good", None)), &more).output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["validation_ended"], "repeats", "{found}");

    let run = folder.path().join("match");
    let engine = engine("good", None);
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    command.args(["match", &engine, &engine, "--game", "breakthrough", "--pairs", "300", "--json"]);
    command.arg("--run").arg(&run).args(book(folder.path(), 2).split(' '));
    let output = command.output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["ended"], "repeats");
    assert!(said.contains("the match ended early") && said.contains("--tc"), "{said}");
}
