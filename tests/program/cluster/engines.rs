//! External engines on workers: the same games as here, and only with the same engine.

use super::harness::{ClusterRun, Server, document, spar, wait};
use crate::cli::schemas::must_fit;

/// A scripted engine with these arguments.
fn scripted(script: &str, arguments: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/protocol");
    format!("cmd:python3 '{folder}/{script}' {arguments}")
}

/// The small chess engine with this seed, which decides between equal moves.
fn small(seed: &str) -> String {
    scripted("chess_engine.py", seed)
}

const MATCH: &str = "match --game chess --nodes 100 --pairs 12 --seed 7 --name-a one --name-b two";
const TUNE: &str = "tune --game breakthrough --board 5x5 --nodes 100 --games 240 --batch 6 --seed 3 --validation-pairs 8 --yardstick-pairs 0 --freeze Trap --freeze Dead";

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_match_of_engines_is_the_same_on_workers() {
    let server = Server::start();
    let [one, two, other] = ["1", "2", "3"].map(small);
    let has = |name: &str, engine: &str| format!("{name}={engine}");
    let engines = [has("ONE", &one), has("two", &two)];
    let worker = server.worker_with("good", &["--engine", &engines[0], "--engine", &engines[1]]);
    let wrong = has("two", &other);
    let stranger = server.worker_with("stranger", &["--engine", &engines[0], "--engine", &wrong]);
    let plain = server.worker_at_once("plain");
    [&worker, &stranger, &plain].iter().for_each(|worker| worker.wait_for("plays with"));

    let (here, there) = (ClusterRun::new(MATCH), ClusterRun::new(MATCH));
    let players = [one.as_str(), two.as_str()];
    let expected = here.finish(&players);
    let url = server.url();
    let output = wait(there.begin(&[players[0], players[1], "--cluster", &url]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(there.outcome(&output) == expected, "{said}");

    let status = spar(&["cluster", "status", "--json", "--cluster", &url]).output().unwrap();
    let found = document(&status);
    must_fit("cluster-status", &found);
    let of = |name: &str| {
        let workers = found["workers"].as_array().unwrap();
        workers.iter().find(|worker| worker["worker"] == name).unwrap().clone()
    };
    assert!(of("good")["done"].as_u64().unwrap() >= 6, "{found:#}");
    assert_eq!([&of("stranger")["done"], &of("plain")["done"]], [0, 0], "{found:#}");
    let identity = |worker: &str, place: usize| {
        let identity = of(worker)["engines"][place]["identity"].as_str().unwrap().to_owned();
        assert!(identity.starts_with("play:"), "{identity}");
        identity
    };
    assert_eq!(identity("good", 0), identity("stranger", 0));
    let (right, wrong) = (identity("good", 1), identity("stranger", 1));
    assert_ne!(right, wrong);
    for told in [said, stranger.said()] {
        assert!(told.contains("`two`") && told.contains("plays differently"), "{told}");
        assert!(told.contains(&right) && told.contains(&wrong), "{told}");
    }
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_tune_of_an_engine_survives_its_workers() {
    let server = Server::start();
    let engine = scripted("knob_engine.py", "good");
    let has = format!("Knob Engine={engine}");
    let (here, there) = (ClusterRun::new(TUNE), ClusterRun::new(TUNE));
    let expected = here.finish(&["--engine", &engine]);
    // The run begins alone; workers come and go.
    let url = server.url();
    let process = there.begin(&["--engine", &engine, "--cluster", &url, "--check-share", "0.2"]);
    there.wait_for_lines(2);
    let mut first = server.worker_with("first", &["--engine", &engine]);
    first.wait_for("proven to be the engines of a run");
    let lines = there.lines();
    there.wait_for_lines(lines + 2);
    let second = server.worker_with("second", &["--engine", &has]);
    first.kill();
    let output = wait(process);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no worker has proven the engine `Knob Engine`"), "{said}");
    assert!(there.outcome(&output) == expected, "{said}\n{}", second.said());
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn engines_that_fail_and_limits_by_time_travel() {
    let server = Server::start();
    let crashing = scripted("knob_engine.py", "crashes");
    let _worker =
        server.worker_with("a", &["--engine", &crashing, "--engine-option", "knob engine:Hash=2"]);
    let arguments = "match --nodes 50 --pairs 6 --seed 2 --forfeit-limit 0";
    let (here, there) = (ClusterRun::new(arguments), ClusterRun::new(arguments));
    let players = ["piece", crashing.as_str()];
    let expected = here.finish(&players);
    let url = server.url();
    let on_workers = [&players[..], &["--cluster", &url]].concat();
    assert!(there.finish(&on_workers) == expected);

    let timed = ClusterRun::new("match --tc 1+0.01 --pairs 2 --seed 2 --forfeit-limit 0");
    let output = wait(timed.begin(&on_workers));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("with a time limit the result depends on the workers"), "{said}");
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_worker_with_a_wrong_engine_does_not_begin() {
    for (arguments, expected) in [
        (&["--engine", "stash"][..], "NAME=cmd:PROGRAM ARGS"),
        (&["--engine", "x=cmd:./no-such-engine"], "no-such-engine"),
        (&["--engine-option", "x:Hash=2"], "there is no engine `x`"),
        (&["--engine-option", "Hash"], "not ENGINE:NAME=VALUE"),
    ] {
        let output = spar(&["worker", "--cluster", "nats://127.0.0.1:1"]).args(arguments).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!([Some(1), Some(2)].contains(&output.status.code()), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn an_engine_is_proven_once_for_the_trial_of_speed_and_the_run() {
    let server = Server::start();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let engine = scripted("knob_engine.py", &format!("good '{}'", log.display()));
    let tune = TUNE.replace("--games 240", "--precision 1000");
    let run = ClusterRun::new(Box::leak(tune.into_boxed_str()));
    let output = wait(run.begin(&["--engine", &engine, "--cluster", &server.url()]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains("measuring the speed"), "{said}");
    let asked = std::fs::read_to_string(&log).unwrap();
    // Twenty positions, and four of them again.
    assert_eq!(asked.lines().filter(|line| *line == "go nodes 10000").count(), 24);
}
