//! A report agrees with the run's record at every stage of a run, in well-formed markup, and
//! without a number that is not finite.

use crate::tuning::{Stopping, by_matches, game, plan, small_tune, start};
use sparring::arena::queue::Threads;
use sparring::arena::{BookState, EarlyEnds};
use sparring::page::{POINTS, run_page};
use sparring::player::{DefaultWeights, Player};
use sparring::report::advice::{advice, next, outcome};
use sparring::report::{RunHistory, RunSummary, TuneState, csv};
use sparring::run::journal::Event;
use sparring::run::{self, JournalLine, Manifest, Record, RunDir, TuneWork};
use sparring::runs::LiveRun;
use sparring::search::{Limits, Stop};
use sparring::session::{BatchRecord, BatchSummary, Stage};
use sparring::stats::{Model, Sprt};
use sparring::tune::{Method, Observer, Progress, Selection, Tune, TuneSettings, Yardsticks};
use std::path::Path;
use tempfile::TempDir;

fn config(method: Method) -> TuneSettings {
    small_tune(method, 720, 3, &Selection::default())
}

/// Plays a run in `dir` until this many batches are kept, or to its end.
fn play(dir: &Path, config: TuneSettings, start: Player, batches: usize) -> Vec<Vec<f64>> {
    #[derive(Default)]
    struct Points(Vec<Vec<f64>>);
    impl Observer for Points {
        fn on_batch(&mut self, progress: &Progress) {
            if !progress.validating {
                self.0.push(progress.knobs.clone());
            }
        }
    }
    let work = TuneWork::new(config.clone(), start.clone());
    let run = RunDir::create(dir, work.into(), &[]).unwrap();
    let (threads, stop) = (Threads::new(2).unwrap(), Stop::default());
    if batches == 0 {
        return Vec::new();
    }
    let mut ledger = Stopping { inner: run, left: batches, stop: stop.clone() };
    let tune = Tune { interrupt: stop, ..Tune::new(&config, &start, &threads) };
    let mut points = Points::default();
    if let Ok(answer) = tune.run(&mut ledger, &mut points) {
        ledger.inner.finish(&answer).unwrap();
    }
    points.0
}

struct Reported {
    tune: TuneWork,
    history: RunHistory,
    summary: RunSummary,
    html: String,
    csv: String,
}

fn report(dir: &Path) -> Reported {
    let (manifest, record) = run::read(dir).unwrap();
    let tune = manifest.work.tune().unwrap();
    let config = &tune.config;
    let history = RunHistory::new(config, &record);
    let summary = RunSummary::new(&manifest, tune, &record, &history).unwrap();
    let page = run_page(&LiveRun::open(dir).unwrap().recorded(POINTS).unwrap()).unwrap();
    let html = without_scripts(&page);
    let csv = csv(config, &history);
    check_markup(&html);
    check_numbers(&html);
    check_numbers(&csv);
    for param in config.knobs() {
        assert!(html.contains(&param.name), "{} is missing", param.name);
    }
    for outside in ["http://", "https://", "@import", "src="] {
        let html = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!html.contains(outside), "the page needs {outside}");
    }
    let columns = csv.lines().next().unwrap().split(',').count();
    assert_eq!(columns, 3 + config.knobs().len());
    assert!(csv.lines().all(|line| line.split(',').count() == columns));
    Reported { tune: tune.clone(), history, summary, html, csv }
}

/// A page as readers without scripts see it.
fn without_scripts(page: &str) -> String {
    let mut parts = page.split("<script");
    let mut html = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        html += part.split_once("</script>").expect("an end of the script").1;
    }
    html
}

/// Every element is closed in its order, every `<` and `&` of the text is escaped.
fn check_markup(html: &str) {
    const VOID: [&str; 3] = ["meta", "wbr", "br"];
    let mut open: Vec<&str> = Vec::new();
    let body = html.strip_prefix("<!DOCTYPE html>").expect("a doctype");
    for (index, part) in body.split('<').enumerate() {
        if index == 0 {
            assert_eq!(part, "");
            continue;
        }
        let (tag, text) =
            part.split_once('>').unwrap_or_else(|| panic!("unescaped `<` before {part:.40}"));
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
        if open.last() != Some(&"style") || tag == "/style" {
            for (place, _) in text.match_indices('&') {
                assert!(
                    text[place..].chars().take(8).any(|c| c == ';'),
                    "unescaped `&` in {text:.40}"
                );
            }
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            let name = tag.split_whitespace().next().unwrap();
            if !VOID.contains(&name) {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?} not closed");
}

/// Checks that no number is NaN or infinite.
fn check_numbers(text: &str) {
    let words = text.split(|c: char| !c.is_alphanumeric());
    for word in words {
        let word = word.to_lowercase();
        assert!(!["nan", "inf", "infinity"].contains(&word.as_str()), "{word}");
    }
}

#[test]
fn a_run_without_any_batch_has_a_report() {
    let temp = TempDir::new().unwrap();
    play(temp.path(), config(Method::Spsa), start(), 0);
    let report = report(temp.path());
    assert_eq!((report.summary.state, report.summary.games), (TuneState::Tuning, 0));
    assert!(
        report.html.contains("spar resume") && report.html.contains("too few games for a curve")
    );
    assert_eq!(report.csv.lines().count(), 2, "{}", report.csv);
}

#[test]
fn an_unfinished_run_says_how_far_it_is_and_how_to_go_on() {
    for batches in [1, 7, 31] {
        let temp = TempDir::new().unwrap();
        play(temp.path(), config(Method::Spsa), start(), batches);
        let Reported { summary, html, .. } = report(temp.path());
        assert_eq!(summary.state, TuneState::Tuning);
        assert!((1..60).contains(&(summary.tune_games / 12)), "{}", summary.tune_games);
        assert!(html.contains("not finished") && html.contains(" of 720 games"));
        assert!(html.contains("spar resume"));
        assert_eq!(summary.recent.pairs.pairs(), summary.tune_games / 6);
    }
}

#[test]
fn a_run_stopped_in_its_validation_says_so() {
    let temp = TempDir::new().unwrap();
    let mut config = config(Method::Spsa);
    // Games go on while the disk is busy: the stop must find some left.
    (config.validation.pairs, config.validation.least_pairs) = (100_000, 100_000);
    play(temp.path(), config, start(), 61);
    let Reported { summary, html, .. } = report(temp.path());
    assert_eq!((summary.state, summary.tune_games), (TuneState::Validating, 720));
    assert!(summary.validation.games >= 16 && html.contains("spar resume"));
}

#[test]
fn a_finished_run_of_every_method_is_told_in_full() {
    for method in by_matches() {
        let temp = TempDir::new().unwrap();
        let points = play(temp.path(), config(method), start(), usize::MAX);
        let Reported { history, summary, html, csv, .. } = report(temp.path());
        assert!(summary.state.is_finished() && !html.contains("spar resume"), "{method}");
        let run = RunDir::open(temp.path()).unwrap();
        let verdicts = run.result().unwrap();
        assert_eq!(verdicts.accepted, summary.state == TuneState::Accepted);
        assert_eq!(
            (verdicts.elo, verdicts.elo_error),
            (summary.validation.elo, summary.validation.elo_error)
        );
        assert_eq!(summary.games, run.games(), "{method}");
        // The start, and the answer after every batch.
        assert_eq!(history.points.len(), points.len() + 1, "{method}");
        assert!(history.points.iter().skip(1).map(|point| &point.knobs).eq(&points));
        assert_eq!(csv.lines().count(), history.points.len() + 1);
    }
}

#[test]
fn void_pairs_of_a_validation_are_no_repeats() {
    let tune = TuneWork::new(config(Method::Spsa), start());
    let batch = BatchRecord {
        stage: Stage::Validate,
        batch: 0,
        openings: vec![0, 1],
        points: vec![2, 4],
        void: vec![(0, 1)],
        early: EarlyEnds::default(),
        check: String::new(),
        book: BookState::default(),
        summary: BatchSummary::default(),
    };
    let line = JournalLine {
        time: "2026-01-31T12:00:00Z".into(),
        worked: None,
        games_bytes: 0,
        games_crc: None,
        files: Default::default(),
        event: Event::Batch(batch),
    };
    let mut record = Record::default();
    record.add(line).unwrap();
    let manifest = Manifest::new("now".into(), tune.clone().into(), Default::default()).unwrap();
    let history = RunHistory::new(&tune.config, &record);
    let summary = RunSummary::new(&manifest, &tune, &record, &history).unwrap();
    assert_eq!((summary.validation.pairs.pairs(), summary.validation_repeats), (1, 0));
}

#[test]
fn a_rejected_candidate_is_said_to_be_none() {
    let temp = TempDir::new().unwrap();
    let mut config = config(Method::Spsa);
    config.validation.sprt = Sprt::new(1000.0, 2000.0, 0.05, 0.05, Model::Normalized).unwrap();
    play(temp.path(), config, start(), usize::MAX);
    let Reported { tune, summary, html, .. } = report(temp.path());
    assert_eq!(summary.state, TuneState::Rejected);
    assert!(html.contains("not accepted: ") && !html.contains("accepted: better"));
    // It is kept, and the commands to continue with name the run, quoted.
    let kept =
        Player::find(game(), temp.path().join("candidate.json").to_str(), DefaultWeights::HandMade);
    assert_ne!(kept.unwrap().weights.weights, start().weights.weights);
    let commands = next(&tune, &summary, Path::new("my runs")).join("\n");
    for wanted in
        ["'my runs/candidate.json'", " --nodes 20 --only danger,", "'my runs/weights.json'"]
    {
        assert!(commands.contains(wanted), "{wanted}: {commands}");
    }
}

#[test]
fn a_candidate_that_may_be_better_is_gone_on_with() {
    let temp = TempDir::new().unwrap();
    let mut config = config(Method::Spsa);
    // A test that reaches no verdict, and a threshold that nothing passes.
    config.validation.sprt = Sprt::new(0.0, 1.0, 1e-9, 1e-9, Model::Normalized).unwrap();
    plan(&mut config).knobs[0].max = 17.0;
    plan(&mut config).constraints = vec!["high_danger >= danger".parse().unwrap()];
    config.yardsticks = Yardsticks {
        pairs: 5,
        sets: vec!["breakthrough/piece".into()],
        limits: vec![Limits::nodes(20), Limits::nodes(60)],
    };
    play(temp.path(), config, start(), usize::MAX);
    let Reported { tune, summary, html, .. } = report(temp.path());
    assert_eq!(summary.state, TuneState::Rejected);
    let decision = summary.decision.unwrap();
    assert!(
        decision.at_cap && decision.pairs == 30 && decision.z < decision.needed,
        "{decision:?}"
    );
    let played: Vec<_> =
        summary.yardsticks.iter().map(|one| (one.limits, one.summary.games)).collect();
    assert_eq!(played, [(Limits::nodes(20), 10), (Limits::nodes(60), 10)]);
    let commands = next(&tune, &summary, Path::new("my runs")).join("\n");
    for wanted in [
        "spar match 'my runs/candidate.json' breakthrough/atachiants --game breakthrough --board 5x5 --nodes 20",
        "--start 'my runs/candidate.json'",
        "--bounds danger=",
        "..17 ",
        "--constrain 'high_danger >= danger'",
    ] {
        assert!(commands.contains(wanted), "{wanted}: {commands}");
    }
    for wanted in [
        "not accepted at the cap, with 30 counted pairs",
        "against breakthrough/piece",
        "unbiased Elo",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
    // One whose whole interval lies below 0 is no start for another tune.
    let mut worse = summary;
    (worse.validation.elo, worse.validation.elo_high) = (Some(-40.0), Some(-1.0));
    let commands = next(&tune, &worse, Path::new("my runs")).join("\n");
    assert!(!commands.contains("--start 'my runs/candidate.json'"), "{commands}");
    assert!(commands.contains("--start 'my runs/weights.json'"), "{commands}");
    let said = outcome(&worse, Path::new("my runs")).unwrap();
    assert!(said.contains("is worse than breakthrough/atachiants"), "{said}");
    worse.validation.elo_high = Some(1.0);
    assert!(outcome(&worse, Path::new("my runs")).unwrap().contains("NOT shown to be better"));
    // After an error nothing is decided any more.
    (worse.state, worse.failure) = (TuneState::Tuning, Some("the games taught nothing".into()));
    let said = advice(&worse).join(" ");
    assert!(said.contains("ended with an error") && !said.contains("decides"), "{said}");
}

#[test]
fn reading_takes_no_lock_and_cuts_nothing() {
    let temp = TempDir::new().unwrap();
    play(temp.path(), config(Method::Spsa), start(), 5);
    let journal = temp.path().join("journal.jsonl");
    let whole = report(temp.path()).summary;
    let locked = RunDir::open(temp.path()).unwrap();
    let mut bytes = std::fs::read(&journal).unwrap();
    bytes.extend(b"{\"time\":\"2026-");
    std::fs::write(&journal, &bytes).unwrap();
    assert_eq!(report(temp.path()).summary, whole);
    assert_eq!(std::fs::read(&journal).unwrap(), bytes);
    drop(locked);
    assert!(run::read(&temp.path().join("missing")).is_err());
}

#[test]
fn the_journal_of_another_run_is_refused() {
    let temp = TempDir::new().unwrap();
    let dirs = [3, 4].map(|seed| temp.path().join(seed.to_string()));
    for (dir, seed) in dirs.iter().zip([3, 4]) {
        let config = small_tune(Method::Spsa, 720, seed, &Selection::default());
        play(dir, config, start(), 9);
    }
    std::fs::copy(dirs[0].join("journal.jsonl"), dirs[1].join("journal.jsonl")).unwrap();
    let error = run::read(&dirs[1]).unwrap_err().to_string();
    assert!(error.contains("journal.jsonl, line 1") && error.contains("another run"), "{error}");
}

#[test]
fn names_are_escaped() {
    let temp = TempDir::new().unwrap();
    let dir = temp.path().join("<b>&'\"");
    let mut start = start();
    start.name = "<script>alert(1)</script> & \"me\"".into();
    play(&dir, config(Method::Spsa), start, usize::MAX);
    let html = report(&dir).html;
    assert!(
        html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp;")
            && html.contains("&lt;b&gt;&amp;")
    );
}

fn spar(args: &[&str]) -> std::process::Output {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_spar")).args(args).output().unwrap()
}

#[test]
fn the_command_writes_the_page_and_prints_what_was_asked_for() {
    let temp = TempDir::new().unwrap();
    play(temp.path(), config(Method::Spsa), start(), 20);
    let dir = temp.path().to_str().unwrap();
    // Under way: another process holds the lock.
    let _locked = RunDir::open(temp.path()).unwrap();
    let plain = spar(&["report", dir]);
    assert!(plain.status.success(), "{plain:?}");
    let page = std::fs::read_to_string(temp.path().join("report.html")).unwrap();
    assert!(page.contains("not finished"));
    let elsewhere = temp.path().join("other.html");
    let json = spar(&["report", dir, "-o", elsewhere.to_str().unwrap(), "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(document["state"], "tuning");
    assert_eq!(document["report"], elsewhere.to_str().unwrap());
    assert_eq!(document["knobs"].as_array().unwrap().len(), 10);
    assert_eq!(std::fs::read_to_string(elsewhere).unwrap(), page);
    let csv = spar(&["report", dir, "--csv"]);
    assert!(String::from_utf8(csv.stdout).unwrap().starts_with("games,elo,elo_error,danger,"));
    assert_eq!(
        spar(&["report", temp.path().join("missing").to_str().unwrap()]).status.code(),
        Some(2)
    );
}

#[test]
fn the_command_replaces_reports_and_no_other_files() {
    let temp = TempDir::new().unwrap();
    for run in ["one", "two"] {
        play(&temp.path().join(run), config(Method::Spsa), start(), 20);
    }
    let runs = temp.path().to_str().unwrap();
    let place = |name: &str| temp.path().join(name).display().to_string();
    let report = |more: &[&str]| spar(&[&["report", "--runs", runs], more].concat());
    std::fs::write(place("notes"), "mine").unwrap();
    std::fs::write(place("empty"), "").unwrap();
    for (name, fine) in [("notes", false), ("empty", true), ("empty", true), ("new", true)] {
        let output = report(&["one", "-o", &place(name)]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(if fine { 0 } else { 2 }), "{name}: {said}");
        assert!(fine || said.contains("is no report; name another one, or give --force"), "{said}");
    }
    assert_eq!(std::fs::read_to_string(place("notes")).unwrap(), "mine");
    std::fs::write(place("comparison.html"), "mine").unwrap();
    assert_eq!(report(&["one", "two"]).status.code(), Some(2));
    assert_eq!(report(&["one", "two", "--force"]).status.code(), Some(0));
    assert_eq!(report(&["one", "two"]).status.code(), Some(0));
    assert_eq!(report(&["one", "-o", &place("notes"), "--force"]).status.code(), Some(0));
    assert!(std::fs::read_to_string(place("notes")).unwrap().contains("<footer>Made by spar "));
}

#[test]
fn a_run_in_rounds_has_a_report() {
    let temp = TempDir::new().unwrap();
    let dir = temp.path().join("run").display().to_string();
    let args = "tune --method logistic --board 5x5 --games 1800 --rounds 3 --nodes 40 --start atachiants --clear-rest --only \
                piece,mobility,tempo --blend 0.3 --penalties 10 --round-pairs 300 --validation-pairs 20 --seed 5 --run";
    let tuned = spar(&args.split(' ').chain([dir.as_str()]).collect::<Vec<_>>());
    assert!(tuned.status.success(), "{}", String::from_utf8_lossy(&tuned.stderr));
    let told = report(Path::new(&dir));
    assert!(told.summary.state.is_finished() && !told.summary.rounds.is_empty());
    assert!(told.html.contains("Rounds") && told.html.contains("Elo over the games"));
    let generated: u64 = told.summary.rounds.iter().map(|round| round.games).sum();
    let matches: u64 = told.summary.rounds.iter().map(|round| round.match_.games).sum();
    assert_eq!(told.history.games, generated + matches);
}
