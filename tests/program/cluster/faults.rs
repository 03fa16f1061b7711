//! Workers, the server and the coordinator are killed at random moments; the run gives the same
//! result.

use super::harness::{ClusterRun, Server, end, wait};
use rand_mt::Mt64;
use std::thread::sleep;
use std::time::Duration;

const TUNE: &str = "tune --method spsa --start atachiants --board 5x5 --games 2400 --batch 12 --nodes 700 --seed 9 --validation-pairs 40";

/// A pause of up to this many milliseconds.
fn pause(random: &mut Mt64, most: u64) {
    sleep(Duration::from_millis(random.next_u64() % most));
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_run_survives_workers_server_and_coordinator() {
    let expected = ClusterRun::new(TUNE).finish(&[]);
    let mut random = Mt64::new(u64::from(std::process::id()));
    let mut server = Server::start();
    let mut workers = ["a", "b", "c", "d"].map(|name| server.worker(name));
    let run = ClusterRun::new(TUNE);
    let coordinator = run.at(&server);
    run.wait_for_lines(3);
    pause(&mut random, 500);
    workers[0].kill();
    pause(&mut random, 500);
    server.kill();
    pause(&mut random, 2000);
    server.restart();
    workers[0] = server.worker("e");
    run.wait_for_lines(8);
    pause(&mut random, 500);
    end(coordinator);
    let coordinator = run.at(&server);
    run.wait_for_lines(12);
    workers[1].kill();
    assert!(run.outcome(&wait(coordinator)) == expected);
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_server_that_has_lost_everything_gets_it_again() {
    let arguments = "match piece hand --board 5x5 --nodes 3000 --pairs 60 --seed 5";
    let expected = ClusterRun::new(arguments).finish(&[]);
    let mut server = Server::start();
    let _workers = [server.worker("a"), server.worker("b")];
    let run = ClusterRun::new(arguments);
    let coordinator = run.at(&server);
    run.wait_for_lines(1);
    server.lose_everything();
    server.restart();
    assert!(run.outcome(&wait(coordinator)) == expected);
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_run_goes_on_without_its_cluster() {
    let expected = ClusterRun::new(TUNE).finish(&[]);
    let server = Server::start();
    let _worker = server.worker("a");
    let run = ClusterRun::new(TUNE);
    let coordinator = run.at(&server);
    run.wait_for_lines(3);
    end(coordinator);
    assert!(run.lines() < expected.len() - 2, "it ended before it was killed");
    assert!(run.finish(&["--threads", "2"]) == expected);
}
