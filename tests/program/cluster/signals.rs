use super::harness::{ClusterRun, Server, document, errors, interrupt, spar, wait, wait_until};
use serde_json::json;

const MATCH: &str = "match piece hand --board 5x5 --nodes 4000 --pairs 80 --seed 5";

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn the_first_signal_lets_a_worker_finish_and_leave() {
    let server = Server::start();
    let mut workers = [server.worker("a"), server.worker("b")];
    let run = ClusterRun::new(MATCH);
    let coordinator = run.at(&server);
    run.wait_for_lines(2);
    workers[0].interrupt();
    assert_eq!(workers[0].exit_code(), Some(0));
    assert!(workers[0].said().contains("finishing the jobs in progress"));
    assert!(run.outcome(&wait(coordinator)) == ClusterRun::new(MATCH).finish(&[]));
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn the_first_signal_saves_what_is_finished() {
    let server = Server::start();
    let _worker = server.worker("a");
    let run = ClusterRun::new(MATCH);
    let coordinator = run.at(&server);
    run.wait_for_lines(2);
    interrupt(&coordinator);
    let output = wait(coordinator);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("Continue with"));
    assert!(document(&output)["games"].as_u64().unwrap() > 2);
    assert!(run.finish(&[]) == ClusterRun::new(MATCH).finish(&[]));
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn without_workers_a_run_says_so_and_can_be_stopped() {
    let server = Server::start();
    let run = ClusterRun::new(MATCH);
    let coordinator = run.at(&server);
    wait_until("it begins", || run.path().join("manifest.json").exists());
    std::thread::sleep(std::time::Duration::from_secs(6));
    interrupt(&coordinator);
    let said = errors(coordinator);
    assert!(said.contains("no worker is connected"), "{said}");
    assert!(said.contains(&format!("spar worker --cluster {}", server.url())), "{said}");
    assert_eq!(run.lines(), 0);
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_worker_waits_for_its_server() {
    let mut server = Server::start();
    server.kill();
    let worker = server.worker_at_once("early");
    worker.wait_for("waiting for the server");
    server.restart();
    worker.wait_for("plays with 1 thread ");
    let found = spar(&["cluster", "status", "--json", "--cluster", &server.url()]).output();
    assert_eq!(document(&found.unwrap())["workers"][0]["worker"], json!("early"));
}
