//! Every kind of run gives the same result on workers and on this machine.

use super::harness::{ClusterRun, Server, document, spar, wait, wait_until};
use crate::cli::schemas::must_fit;
use std::fs;

/// A tune of every method, a match and a tournament.
const RUNS: [&str; 6] = [
    "tune --method spsa --start atachiants --board 5x5 --games 300 --batch 6 --nodes 60 --seed 4 --validation-pairs 40",
    "tune --board 5x5 --games 2400 --batch 12 --nodes 40 --seed 5 --validation-pairs 20 --yardstick-pairs 4",
    "tune --method logistic --board 5x5 --games 600 --nodes 40 --seed 6 --validation-pairs 20",
    "tune --method network --board 5x5 --games 600 --nodes 40 --seed 6 --validation-pairs 20",
    "match piece hand --board 5x5 --nodes 80 --pairs 60 --seed 7 --sprt 0,300 --search-a null_base=4",
    "tournament piece hand zhu --board 6x6 --nodes 60 --pairs 8 --seed 8",
];

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn every_kind_of_run_is_the_same_on_workers() {
    let server = Server::start();
    let _workers = [server.worker("a"), server.worker("b")];
    for arguments in RUNS {
        let (here, there) = (ClusterRun::new(arguments), ClusterRun::new(arguments));
        let expected = here.finish(&[]);
        let found = there.finish(&["--cluster", &server.url(), "--check-share", "0.2"]);
        assert!(found == expected, "{arguments}");
    }
}

/// A tune in which nine of ten pairs have opponents.
const AGAINST: &str = "tune --board 5x5 --games 1200 --batch 12 --ahead 3 --nodes 40 --seed 5 --quick-share 0.5 --fit-games 400 --opponent-share 0.9 --opponent piece --opponent hand --opponent-nodes 30 --validation-pairs 20 --yardstick-pairs 0";

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn pairs_against_opponents_are_played_by_workers() {
    let server = Server::start();
    let _worker = server.worker("a");
    let (here, there) = (ClusterRun::new(AGAINST), ClusterRun::new(AGAINST));
    let expected = here.finish(&[]);
    assert!(there.finish(&["--cluster", &server.url(), "--check-share", "0.1"]) == expected);
    let status = spar(&["cluster", "status", "--json", "--cluster", &server.url()]).output();
    // Two games a pair; the games of the fit before are sent in jobs of several.
    let done = document(&status.unwrap())["workers"][0]["done"].as_u64().unwrap();
    assert!(done > 400, "of 400 pairs of the matches and some of the validation {done}");
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn pairs_against_engines_that_no_worker_has_are_played_here() {
    let server = Server::start();
    let _worker = server.worker("a");
    let engine = format!("cmd:'{}' uci", assert_cmd::cargo::cargo_bin!("spar").display());
    let arguments = "tune --method spsa --start hand --board 5x5 --games 96 --batch 6 --nodes 40 --opponent piece --validation-pairs 4";
    let (here, there) = (ClusterRun::new(arguments), ClusterRun::new(arguments));
    let expected = here.finish(&["--opponent", &engine]);
    let output = wait(there.begin(&["--opponent", &engine, "--cluster", &server.url()]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no worker has proven the engine"), "{said}");
    assert!(there.outcome(&output) == expected);
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn every_game_and_its_networks_travel() {
    let server = Server::start();
    let _worker = server.worker("a");
    for arguments in [
        "match ataxx/7x7-network ataxx/7x7 --nodes 100 --pairs 6",
        "match breakthru/11x11 breakthru/hand --nodes 60 --pairs 3",
        "match breakthrough/8x8 breakthrough/hand --nodes-a 100 --depth-b 2 --algorithm-b plain --pairs 6",
        "tune --method spsa --target search --board 6x6 --games 48 --batch 6 --nodes 60 --validation-pairs 4",
    ] {
        let (here, there) = (ClusterRun::new(arguments), ClusterRun::new(arguments));
        let expected = here.finish(&[]);
        assert!(there.finish(&["--cluster", &server.url()]) == expected, "{arguments}");
    }
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn time_limits_are_scaled_and_said_to_be() {
    let server = Server::start();
    let _worker = server.worker("a");
    let run = ClusterRun::new("match piece hand --board 5x5 --movetime 2 --pairs 4");
    let output = wait(run.at(&server));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let told = "with a time limit the result depends on the workers";
    assert_eq!(said.matches(told).count(), 1, "{said}");
    assert!(run.lines() >= 1, "{said}");
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn positions_for_a_fit_are_the_same_on_workers() {
    let server = Server::start();
    let _worker = server.worker("a");
    let folder = tempfile::tempdir().unwrap();
    let generate = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let mut command = spar(&["generate", path.to_str().unwrap(), "--board", "5x5"]);
        command.args(["--games", "150", "--nodes", "60", "--seed", "3"]).args(more);
        assert!(command.output().unwrap().status.success());
        fs::read(path).unwrap()
    };
    let expected = generate("here.pos", &[]);
    assert!(generate("there.pos", &["--cluster", &server.url()]) == expected);
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn the_status_names_workers_and_runs() {
    let server = Server::start();
    let status = || {
        let status = spar(&["cluster", "status", "--json", "--cluster", &server.url()]).output();
        document(&status.unwrap())
    };
    assert_eq!(status()["workers"], serde_json::json!([]));
    let _worker = server.worker("rack-1");
    let run = ClusterRun::new("match piece hand --board 5x5 --nodes 3000 --pairs 40k");
    let process = run.at(&server);
    run.wait_for_lines(1);
    let found = status();
    must_fit("cluster-status", &found);
    assert_eq!(found["workers"][0]["worker"], "rack-1", "{found:#}");
    assert_eq!(found["workers"][0]["threads"], 1, "{found:#}");
    assert!(found["workers"][0]["done"].as_u64().unwrap() > 0, "{found:#}");
    assert_eq!(found["runs"][0]["title"], "match: breakthrough/piece - breakthrough/hand");
    assert!(found["runs"][0]["open"].as_u64().unwrap() > 0, "{found:#}");
    wait_until("pages can show it", || run.path().join("workers.json").exists());
    let shown = spar(&["runs", "show", "--json"]).arg(run.path()).output().unwrap();
    let shown = document(&shown);
    must_fit("runs-show", &shown);
    assert_eq!(shown["workers"]["workers"][0]["name"], "rack-1", "{shown:#}");
    assert_eq!(shown["workers"]["errors"], 0, "{shown:#}");
    super::harness::interrupt(&process);
    assert_eq!(wait(process).status.code(), Some(3));
    assert!(!run.path().join("workers.json").exists(), "nobody plays any more");
}
