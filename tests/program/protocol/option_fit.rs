//! Fits of the options of external engines.

use super::super::resume::harness::Tune;
use super::support::{document, stderr};
use super::trust::spar;
use serde_json::{Value, json};
use sparring::any::{AnyEngine, AnyPosition};
use sparring::arena::queue::Threads;
use sparring::arena::{
    Adjudication, Book, BookConfig, Forfeit, GamePlayer, MoveChoice, PlayerFactory, Turn,
};
use sparring::games::{Breakthrough, GameId};
use sparring::protocol::ExternalEngine;
use sparring::search::{Limits, Options, Stop};
use sparring::tune::option_fit::{OptionFitConfig, OptionHarvest, Slope, ValuedPosition, collect};
use sparring::tune::rows::RowsConfig;
use sparring::tune::{Knob, Target};
use sparring::weights::WeightSet;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;

const LIMITS: Limits = Limits { nodes: Some(60), depth: None, movetime: None, clock: None };
/// Weights of the hand-made set, and their starts.
const KNOBS: [(&str, i32); 3] = [("mobility", 20), ("attack", 10), ("danger", -30)];

fn game() -> GameId {
    GameId::of::<Breakthrough>()
}

fn set(options: &BTreeMap<String, String>) -> WeightSet {
    let mut set = sparring::weights::find("hand", "breakthrough").unwrap();
    for (name, value) in options.iter().filter(|(name, _)| *name != "Hash") {
        set.set_or_add(name, value.parse().unwrap()).unwrap();
    }
    set
}

/// Our own engine, called without a protocol; its options are its weights.
struct Native;

struct NativePlayer(AnyEngine);

fn engine(options: &BTreeMap<String, String>) -> AnyEngine {
    let table_bytes = Options::table_for(&LIMITS);
    let evaluator = game().evaluator(&set(options)).unwrap();
    evaluator.engine(Options { table_bytes, ..Options::default() })
}

impl GamePlayer for NativePlayer {
    fn configure(&mut self, options: &BTreeMap<String, String>) {
        self.0 = engine(options);
    }

    fn new_game(&mut self, interrupt: &Stop) -> Result<bool, Forfeit> {
        self.0.new_game(interrupt)
    }

    fn choose(&mut self, turn: &Turn) -> Result<MoveChoice, Forfeit> {
        self.0.choose(turn)
    }
}

impl PlayerFactory for Native {
    fn new_player(&self) -> Box<dyn GamePlayer> {
        Box::new(NativePlayer(engine(&BTreeMap::new())))
    }
}

fn config() -> OptionFitConfig {
    let knob = |(name, start): (&str, i32)| Knob {
        target: Target::Option,
        name: name.into(),
        start: f64::from(start),
        min: -500.0,
        max: 500.0,
        range: 100.0,
        ..Knob::default()
    };
    OptionFitConfig {
        knobs: KNOBS.map(knob).into(),
        c: 0.2,
        positions: 1_200,
        limits: LIMITS,
        ends: Adjudication::Never.into(),
        seed: 3,
        blend: 0.5,
        while_valued: BTreeMap::from([("Hash".into(), "1".into())]),
        rows: RowsConfig { penalties: vec![1.0], iterations: 30, validation_folds: 6 },
    }
}

fn harvest(engine: &Arc<dyn PlayerFactory>, threads: usize) -> OptionHarvest {
    let board = "6x6".parse().unwrap();
    let mut book = Book::new(game(), BookConfig::new(game(), board, 5), None).unwrap();
    let (threads, never) = (Threads::new(threads).unwrap(), Stop::default());
    collect(engine, &config(), &mut book, &threads, &never, &mut ()).unwrap()
}

/// Everything in a harvest except the storage of positions.
fn told(harvest: &OptionHarvest) -> Vec<String> {
    let told = |p: &ValuedPosition| {
        let numbers = (p.game, p.searched, p.result, p.value);
        format!("{} {numbers:?} {:?}", p.fen, p.slopes)
    };
    harvest.positions.iter().map(told).collect()
}

/// The score of the evaluation itself, without a search.
fn statically(position: &AnyPosition, step: f64) -> (f64, Vec<Slope>) {
    let starts = KNOBS.iter().map(|(name, start)| ((*name).to_owned(), start.to_string()));
    let explained = position.explain(&set(&starts.collect())).unwrap();
    // Any unit will do.
    let per_unit = 0.1;
    let slope = |knob: usize| {
        let own = explained.terms.iter().find(|term| term.name == KNOBS[knob].0)?;
        let slope = (f64::from(own.value) * step * per_unit) as f32;
        (slope != 0.0).then_some(Slope { knob: knob as u16, slope, bend: Some(0.0) })
    };
    (explained.sum as f64 * per_unit, (0..KNOBS.len()).filter_map(slope).collect())
}

/// The fit through the protocol reads the same scores as from our own engine directly, and its
/// answer agrees with a fit to the features of the same positions.
#[test]
fn our_own_weights_are_fitted_alike_from_inside_and_over_their_options() {
    let program = assert_cmd::cargo::cargo_bin!("spar").display().to_string();
    let engine = ExternalEngine {
        command: format!("'{program}' uci --weights hand"),
        options: vec![("Hash".into(), "1".into())],
        name: None,
        folder: None,
        identity: None,
        protocol: None,
        margin_ms: 100,
        timeout_seconds: 60,
        forfeit_limit: 0,
        restarts: false,
        knobs_command: None,
        consent: Default::default(),
    };
    let started = engine.start(game(), "6x6".parse().unwrap(), &Stop::default()).unwrap();
    let native: Arc<dyn PlayerFactory> = Arc::new(Native);
    let found = harvest(&native, 2);
    let over_uci = harvest(&(Arc::new(started) as Arc<dyn PlayerFactory>), 1);
    assert_eq!(told(&found), told(&over_uci));
    let fitted = found.fit(&config(), &Stop::default()).unwrap();
    assert_eq!(over_uci.fit(&config(), &Stop::default()).unwrap(), fitted);

    let mut by_features = OptionHarvest::default();
    for known in &found.positions {
        let position = game().from_fen(&known.fen).unwrap();
        let (value, slopes) = statically(&position, 20.0);
        by_features.positions.push(ValuedPosition { value, slopes, ..known.clone() });
    }
    let natively = by_features.fit(&config(), &Stop::default()).unwrap();
    for (own, other) in fitted.knobs.iter().zip(&natively.knobs) {
        let [a, b] = [own, other].map(|knob| knob.estimate.unwrap());
        let [of_a, of_b] = [own, other].map(|knob| knob.error.unwrap());
        assert!((a - b).abs() < of_a.max(of_b), "{}: {a} +- {of_a}, {b} +- {of_b}", own.name);
        assert!(own.shown > 100, "{}", own.name);
    }
}

/// `spar fit --engine` of an engine on the 5x5 board.
fn fit(engine: &str, output: &Path, more: &str) -> Output {
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    command.args(["fit", "--json", "--game", "breakthrough", "--board", "5x5", "--engine", engine]);
    command.arg("-o").arg(output).args(more.split_whitespace());
    command.output().unwrap()
}

#[test]
fn an_answer_is_the_same_on_any_number_of_threads_and_begins_a_tune() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let engine =
        format!("cmd:'{}' uci --weights hand", assert_cmd::cargo::cargo_bin!("spar").display());
    let knobs = json!([
        {"name": "mobility", "kind": "int", "start": 20, "min": -500, "max": 500, "step": 20},
        {"name": "danger", "kind": "int", "start": -30, "min": -500, "max": 500, "step": 20},
        {"name": "razor_margin", "kind": "int", "start": 300, "min": 0, "max": 1000, "step": 20},
    ]);
    std::fs::write(path("knobs.json"), knobs.to_string()).unwrap();
    let more = format!(
        "--nodes 40 --positions 600 --knobs {} --penalties 10,1",
        path("knobs.json").display()
    );
    let runs = [("one", 1), ("two", 2)].map(|(name, threads)| {
        let output = fit(&engine, &path(name), &format!("{more} --threads {threads}"));
        let mut found = document(&output);
        for key in ["seconds", "file"] {
            found.as_object_mut().unwrap().remove(key);
        }
        (found, std::fs::read_to_string(path(name)).unwrap())
    });
    assert_eq!(runs[0], runs[1]);
    let (found, text) = &runs[0];
    assert_eq!((&found["counts"]["positions"], &found["better"]), (&json!(600), &json!(true)));
    let sights: Vec<&Value> =
        found["knobs"].as_array().unwrap().iter().map(|k| &k["sight"]).collect();
    assert_eq!(sights, [&json!("seen"), &json!("seen"), &json!("unseen")]);
    assert_eq!(found["knobs"][2]["fitted"], 300.0);
    let written: Value = serde_json::from_str(text).unwrap();
    assert_eq!(written[0]["fitted"], found["knobs"][0]["fitted"]);
    assert_eq!((&written[0]["start"], written[2].get("fitted")), (&json!(20.0), None));

    let mut tune = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    tune.args(["tune", "--json", "--game", "breakthrough", "--board", "5x5", "--engine", &engine]);
    tune.args(
        "--nodes 20 --games 40 --batch 9 --validation-pairs 4 --yardstick-pairs 0".split(' '),
    );
    tune.arg("--knobs").arg(path("one")).arg("--run").arg(path("run"));
    let tuned = document(&tune.output().unwrap());
    assert_eq!(tuned["knobs"][0]["start"], 20.0);
    let [tuned_value, fitted] = [&tuned["knobs"][0]["tuned"], &found["knobs"][0]["fitted"]]
        .map(|value| value.as_f64().unwrap());
    assert!((tuned_value - fitted).abs() < 10.0, "the matches begin with the fit: {tuned}");
    // In one command the fit and the tune are the same.
    let mut joined = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    joined.args([
        "tune",
        "--json",
        "--game",
        "breakthrough",
        "--board",
        "5x5",
        "--engine",
        &engine,
    ]);
    joined.args(
        "--nodes 20 --games 40 --batch 9 --validation-pairs 4 --yardstick-pairs 0".split(' '),
    );
    joined.args(["--method", "joined", "--fit-positions", "600", "--knobs"]);
    joined.arg(path("knobs.json")).arg("--run").arg(path("joined"));
    let output = joined.output().unwrap();
    let joined = document(&output);
    assert_eq!((&joined["method"], &tuned["method"]), (&json!("joined"), &json!("joined")));
    assert!(stderr(&output).contains("not visible to the fit"), "{}", stderr(&output));
    let text = std::fs::read_to_string(path("joined").join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    let knobs = &manifest["config"]["plan"]["matches"]["knobs"];
    assert!(knobs[0]["fitted"].is_number() && knobs[2].get("fitted").is_none(), "{knobs}");

    // A tune that continues it takes its answer, and repeats the fit only on request.
    let continued = |run: &str, more: &str| {
        let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
        command.args(["tune", "--json", "--from"]).arg(path("joined")).arg("--run").arg(path(run));
        document(&command.args(more.split_whitespace()).output().unwrap());
        let text = std::fs::read_to_string(path(run).join("manifest.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["config"]["plan"]["matches"].clone()
    };
    let plain = continued("plain", "");
    let again = continued("again", "--method joined --fit-positions 600");
    for (plan, is_fitted) in [(&plain, false), (&again, true)] {
        assert_eq!(plan["continues"], joined["id"]);
        for (knob, row) in
            plan["knobs"].as_array().unwrap().iter().zip(joined["knobs"].as_array().unwrap())
        {
            let begun = if joined["accepted"] == true { &row["tuned"] } else { &row["start"] };
            assert_eq!(knob["start"].as_f64(), begun.as_f64(), "{knob}");
            let was_seen = knob["name"] != "razor_margin";
            let keeps_fit = joined["accepted"] != true;
            let wanted = was_seen && (is_fitted || keeps_fit);
            assert_eq!(knob.get("fitted").is_some(), wanted, "{knob}");
        }
    }
}

#[test]
fn what_an_engine_cannot_be_fitted_to_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.json");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol/knob_engine.py");
    let scripted = |kind: &str| format!("cmd:python3 '{script}' {kind}");
    for (engine, more, code, wanted) in [
        (scripted("good"), "", 2, "--nodes"),
        (scripted("good"), "--nodes 1 --only Zzz", 2, "Zzz"),
        (scripted("good"), "--nodes 1 --positions 0", 2, "positions"),
        // It reports no scores.
        (scripted("good"), "--nodes 1 --threads 1", 1, "gave no position"),
        (scripted("mates"), "--nodes 1 --threads 1", 1, "; 53 positions had a mate or no score"),
        (scripted("blind"), "--nodes 1 --threads 1 --positions 400", 1, "scores"),
        (scripted("blind"), "--nodes 1 --threads 1 --positions 400", 1, "from the side to move"),
        (scripted("crashes"), "--nodes 1 --threads 1", 1, "it failed in"),
        ("./engine".into(), "--nodes 1", 2, "cmd:PROGRAM"),
    ] {
        let found = fit(&engine, &output, more);
        assert_eq!(found.status.code(), Some(code), "{more}: {}", stderr(&found));
        assert!(stderr(&found).contains(wanted), "{more}: {}", stderr(&found));
        assert!(!output.exists());
    }
    let mut alone = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    let found = alone.args(["fit", "--rows", "x.csv", "--knobs", "y", "-o", "z"]).output().unwrap();
    assert!(stderr(&found).contains("no engine is named"), "{}", stderr(&found));
}

/// The next command of a fit plays with the same engine, limits and openings, and begins a tune.
#[test]
fn the_next_command_keeps_the_settings_of_the_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let knobs = json!([
        {"name": "mobility", "kind": "int", "start": 20, "min": -500, "max": 500, "step": 20},
        {"name": "danger", "kind": "int", "start": -30, "min": -500, "max": 500, "step": 20},
    ]);
    std::fs::write(path("knobs.json"), knobs.to_string()).unwrap();
    let engine =
        format!("cmd:'{}' uci --weights hand", assert_cmd::cargo::cargo_bin!("spar").display());
    let mut command = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    command.args(["fit", "--game", "breakthrough", "--board", "5x5", "--engine", &engine]);
    command.args(["--knobs", &path("knobs.json"), "-o", &path("the fit")]);
    let given = "--option Hash=2 --option tempo=7 --protocol uci --margin 20 --timeout 50 \
                 --forfeit-limit 7 --restart --nodes 40 --depth 9 --plies 3 --keep 0.75 \
                 --resign 4,900 --max-plies 80";
    command.args(["--option", "Clock Policy=stages"]);
    command.args(given.split_whitespace()).args(["--positions", "600", "--penalties", "10,1"]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    let next = said.lines().last().unwrap().trim();
    let words = shlex::split(next).unwrap();
    assert!(words.contains(&"Clock Policy=stages".to_owned()), "{next}");
    for option in given.split("--").map(str::trim).filter(|option| !option.is_empty()) {
        let typed = shlex::split(&format!("--{option}")).unwrap();
        assert!(words.windows(typed.len()).any(|part| part == typed), "{option}: {next}");
    }
    let mut tune = spar(Path::new(env!("CARGO_TARGET_TMPDIR")));
    tune.args(&words[1..]).args(["--run", &path("run"), "--json"]);
    tune.args("--games 40 --batch 9 --validation-pairs 0 --yardstick-pairs 0".split(' '));
    document(&tune.output().unwrap());
    let text = std::fs::read_to_string(folder.path().join("run/manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    let own = &manifest["config"]["plan"]["matches"]["engine"];
    assert_eq!((&own["restarts"], &own["options"][1]), (&json!(true), &json!(["Hash", "2"])));
    assert!(manifest["config"]["plan"]["matches"]["knobs"][0]["fitted"].is_number());
}

/// The whole lines of a file, as far as it has been written.
fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(str::to_owned).collect()
}

/// The journal of a run without its times.
fn journal(run: &Path) -> Vec<String> {
    let read = |line: &String| line.split_once("\",").unwrap().1.to_owned();
    lines(&run.join("journal.jsonl")).iter().map(read).collect()
}

/// A joined tune of an engine that is killed during its fit continues there, with the same result.
#[test]
fn a_fit_is_a_part_of_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let knobs = json!([
        {"name": "mobility", "kind": "int", "start": 20, "min": -500, "max": 500, "step": 20},
        {"name": "danger", "kind": "int", "start": -30, "min": -500, "max": 500, "step": 20},
    ]);
    std::fs::write(path("knobs.json"), knobs.to_string()).unwrap();
    let program = assert_cmd::cargo::cargo_bin!("spar").display().to_string();
    let engine = format!("cmd:'{program}' uci --weights hand");
    let begin = |run: &str| {
        let mut command = std::process::Command::new(&program);
        command.args(["tune", "--game", "breakthrough", "--board", "5x5", "--engine", &engine]);
        command.args("--method joined --nodes 40 --fit-positions 1200 --threads 2".split(' '));
        command.args("--precision 1000 --batch 9".split(' '));
        command.args("--validation-pairs 4 --yardstick-pairs 0 --seed 5 --json".split(' '));
        command.arg("--knobs").arg(path("knobs.json")).arg("--run").arg(path(run));
        command
    };
    let resume = || {
        let mut command = std::process::Command::new(&program);
        command.arg("resume").arg(path("run")).args(["--threads", "1", "--json"]);
        command
    };
    let whole = begin("whole").output().unwrap();
    assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
    let kept = || lines(&path("run").join("harvest.jsonl")).len();
    let mut session = Tune::start(begin("run"));
    session.wait_until(|| kept() >= 5);
    assert!(session.kill(), "it ended before it was killed");
    let before = kept();
    let mut session = Tune::start(resume());
    session.listen_for("continuing the fit after");
    session.wait_until(|| kept() > before);
    session.press_ctrl_c();
    let (status, said) = session.end();
    assert_eq!(status.code(), Some(3), "{said}");
    assert!(said.contains("spar resume") && said.contains("before the matches"), "{said}");
    assert!(kept() > before && journal(&path("run")).is_empty());
    let rest = resume().output().unwrap();
    assert_eq!(rest.status.code(), Some(0), "{}", stderr(&rest));
    assert!(!path("run").join("harvest.jsonl").exists());
    // The draws of the trial, and with them the number of games, depend on the trial's duration.
    let knobs = |run: &str| -> Value {
        let text = std::fs::read_to_string(path(run).join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        manifest["config"]["plan"]["matches"].clone()
    };
    assert_eq!(knobs("whole"), knobs("run"));
    assert!(
        knobs("run")["knobs"][0]["fitted"].is_number() && knobs("run").get("beginning").is_none()
    );
    assert_eq!(journal(&path("whole"))[0], journal(&path("run"))[0]);
    // Damage is noticed.
    let mut session = Tune::start(begin("bad"));
    let bad = path("bad").join("harvest.jsonl");
    session.wait_until(|| lines(&bad).len() >= 3);
    assert!(session.kill(), "it ended before it was killed");
    let text = std::fs::read_to_string(&bad).unwrap();
    std::fs::write(&bad, text.replacen("\"searched\":", "\"searched\":1", 1)).unwrap();
    let mut again = std::process::Command::new(&program);
    let output = again.arg("resume").arg(path("bad")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("harvest.jsonl, line 1"), "{}", stderr(&output));
}
