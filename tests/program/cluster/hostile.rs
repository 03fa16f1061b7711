//! Malformed messages, workers that lie, and engines that play differently.

use super::harness::{ClusterRun, Server, errors, spar, wait};
use async_nats::jetstream::{self, AckKind};
use serde_json::{Value, json};
use sparring::arena::{PairRunner, PairSpec, PlayerSpec, Sets};
use sparring::player::{DefaultWeights, Player};
use sparring::search::{Limits, Stop};
use std::time::Duration;

const MATCH: &str = "match piece hand --board 5x5 --nodes 100 --pairs 30 --seed 5";
/// More pairs than a liar can fake before a check finds it.
const LONG_MATCH: &str = "match piece hand --board 5x5 --nodes 2000 --pairs 60 --seed 5";

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// The result message of a worker for the jobs of a message.
fn results(name: &str, jobs: &Value, outcome: impl Fn(&Value) -> Value) -> Value {
    let result =
        |job: &Value| json!({"id": job["id"], "copy": job["copy"], "outcome": outcome(job)});
    let results: Vec<Value> = jobs["jobs"].as_array().unwrap().iter().map(result).collect();
    json!({"protocol": 4, "signature": jobs["signature"], "worker": name, "results": results})
}

/// Legal games of a pair, but not the requested ones.
fn other_games(job: &Value) -> Value {
    let mut pair: PairSpec = serde_json::from_value(job["body"].clone()).unwrap();
    let game = pair.game.parse().unwrap();
    let piece = Player::find(game, Some("piece"), DefaultWeights::HandMade).unwrap();
    let mut sets = Sets::new();
    let player = PlayerSpec::of_player(&piece, Limits::nodes(7), &mut sets).unwrap();
    pair.players = [player.clone(), player];
    let record = PairRunner::new(game, Stop::default()).play(&pair, &sets).unwrap();
    json!({"done": record})
}

/// Takes the next jobs and answers them with these outcomes; returns the coordinator's reply.
async fn answer(server: &Server, name: &str, outcome: impl Fn(&Value) -> Value) -> Value {
    let (message, jobs) = server.next_jobs().await;
    let subject = format!("spar4.result.{}", jobs["session"].as_str().unwrap());
    let results = results(name, &jobs, outcome).to_string();
    let reply = server.client().await.request(subject, results.into()).await.unwrap();
    message.ack().await.unwrap();
    serde_json::from_slice(&reply.payload).unwrap()
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_result_against_the_rules_is_not_believed() {
    let server = Server::start();
    let run = ClusterRun::new(MATCH);
    let coordinator = run.at(&server);
    let game = json!({"moves": "a1a9", "result": "1-0", "ending": "rules",
        "totals": [{"moves": 1, "nodes": 1, "depth_sum": 1}, {"moves": 0, "nodes": 0, "depth_sum": 0}]});
    runtime().block_on(async {
        let reply = answer(&server, "liar", |_| json!({"done": {"games": [game, game]}})).await;
        assert_eq!(reply, json!({}), "it is read later");
        tokio::time::sleep(Duration::from_secs(1)).await;
        let reply = answer(&server, "liar", other_games).await;
        let refused = reply["refused"].as_str().unwrap();
        assert!(refused.contains("a result is wrong: game 1"), "{refused}");
    });
    let _worker = server.worker("honest");
    let output = wait(coordinator);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("worker liar is quarantined"), "{said}");
    assert!(said.contains("none of its results was counted unchecked"), "{said}");
    assert!(run.outcome(&output) == ClusterRun::new(MATCH).finish(&[]));
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn playing_twice_finds_who_plays_otherwise() {
    let server = Server::start();
    let run = ClusterRun::new(LONG_MATCH);
    let coordinator = run.begin(&["--cluster", &server.url(), "--check-share", "1"]);
    runtime().block_on(async {
        assert_eq!(answer(&server, "liar", other_games).await, json!({}));
    });
    let _worker = server.worker("honest");
    let output = wait(coordinator);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("worker liar is quarantined"), "{said}");
    assert!(!said.contains("worker honest is quarantined"), "{said}");
    assert!(run.outcome(&output) == ClusterRun::new(LONG_MATCH).finish(&[]));
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_second_result_that_differs_is_told() {
    let server = Server::start();
    let run = ClusterRun::new(LONG_MATCH);
    let coordinator = run.at(&server);
    runtime().block_on(async {
        let (message, jobs) = server.next_jobs().await;
        let subject = format!("spar4.result.{}", jobs["session"].as_str().unwrap());
        let client = server.client().await;
        let lie = results("liar", &jobs, other_games).to_string();
        client.request(subject.clone(), lie.into()).await.unwrap();
        // Another worker gets the job as well, as if the first had died.
        message.ack_with(AckKind::Nak(None)).await.unwrap();
        client.flush().await.unwrap();
    });
    let _worker = server.worker("honest");
    let output = wait(coordinator);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("worker liar is quarantined"), "{said}");
    assert!(said.contains("counted unchecked") && !said.contains("none of its results"), "{said}");
    assert!(said.contains("a wrong result of liar was counted before"), "{said}");
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn bad_messages_take_nobody_down() {
    let server = Server::start();
    let mut worker = server.worker("a");
    let run = ClusterRun::new(LONG_MATCH);
    let coordinator = run.at(&server);
    let good = json!({"protocol": 4, "program": "x", "signature": "y", "session": "z",
        "speed": 1e6, "jobs": []});
    runtime().block_on(async {
        let context = jetstream::new(server.client().await);
        server.jobs().await;
        let bad: [Vec<u8>; 5] = [
            b"\x00\xff\xfe random".to_vec(),
            b"{}".to_vec(),
            vec![b'['; 100_000],
            json!({"protocol": u64::MAX}).to_string().into_bytes(),
            good.to_string().replace("[]", "[[[]]]").into_bytes(),
        ];
        for payload in bad {
            context.publish("spar4.job.z", payload.clone().into()).await.unwrap().await.unwrap();
            let client = server.client().await;
            for subject in ["spar4.hello", "spar4.ping", "spar4.runs", "spar4.refuse.a"] {
                client.publish(subject, payload.clone().into()).await.unwrap();
            }
            client.flush().await.unwrap();
        }
    });
    assert!(run.outcome(&wait(coordinator)) == ClusterRun::new(LONG_MATCH).finish(&[]));
    worker.wait_for("a message is not understood");
    worker.interrupt();
    assert_eq!(worker.exit_code(), Some(0));
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn jobs_that_cannot_be_done_are_reported() {
    let server = Server::start();
    let worker = server.worker("a");
    let signature = runtime().block_on(signature_of(&server));
    let body = json!({"set": "0".repeat(64)});
    let player = json!({"body": body, "algorithm": "full", "limits": {"nodes": 10}});
    let pair = json!({"game": "breakthrough", "board": "5x5", "opening": "", "players": [player, player],
        "table_bytes": 1, "adjudication": "never"});
    let job = |id: u64, sets: Value, kind: &str, body: Value| json!({"id": id, "copy": 0, "game": "breakthrough", "kind": kind, "sets": sets, "body": body});
    let mut huge = pair.clone();
    huge["table_bytes"] = json!(u64::MAX);
    let jobs = [
        job(1, json!(["0".repeat(64)]), "pair", pair.clone()),
        job(2, json!(["../../etc/passwd"]), "pair", pair.clone()),
        job(3, json!([]), "pair", pair.clone()),
        job(4, json!([]), "pair", huge),
        job(5, json!([]), "program", json!("rm")),
        job(6, json!([]), "self-play", json!({"first": u64::MAX})),
    ];
    runtime().block_on(async {
        let client = server.client().await;
        let mut results = client.subscribe("spar4.result.mine").await.unwrap();
        let message = json!({"protocol": 4, "program": "x", "signature": signature,
            "session": "mine", "speed": 0.0, "jobs": jobs});
        let context = jetstream::new(client.clone());
        let payload = message.to_string();
        context.publish("spar4.job.mine", payload.into()).await.unwrap().await.unwrap();
        let found = futures_util::StreamExt::next(&mut results).await.unwrap();
        let found_results: Value = serde_json::from_slice(&found.payload).unwrap();
        client.publish(found.reply.unwrap(), "{}".into()).await.unwrap();
        for result in found_results["results"].as_array().unwrap() {
            assert!(result["outcome"]["failed"].is_string(), "{result}");
        }
        assert_eq!(found_results["results"].as_array().unwrap().len(), jobs.len());
        client.flush().await.unwrap();
    });
    worker.wait_for("could not do a job");
}

/// The signature of the connected workers.
async fn signature_of(server: &Server) -> Value {
    let client = server.client().await;
    let reply = client.request("spar4.ping", "{}".into()).await.unwrap();
    serde_json::from_slice::<Value>(&reply.payload).unwrap()["signature"].clone()
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn an_engine_that_plays_differently_is_refused() {
    let server = Server::start();
    let mut worker = server.worker("a");
    runtime().block_on(async {
        let client = server.client().await;
        let message = json!({"protocol": 4, "program": "0.0.9", "signature": "other",
            "session": "mine", "speed": 0.0, "jobs": []});
        let context = jetstream::new(client);
        let payload = message.to_string();
        context.publish("spar4.job.mine", payload.into()).await.unwrap().await.unwrap();
    });
    assert_eq!(worker.exit_code(), Some(1));
    let said = worker.said();
    assert!(said.contains("its engine plays differently (signature other, not "), "{said}");
    assert!(said.contains("use the same build on all machines: it has version 0.0.9"), "{said}");
    runtime().block_on(async { server.jobs().await.purge().await.unwrap() });
    let run = ClusterRun::new(MATCH);
    let coordinator = run.at(&server);
    runtime().block_on(async {
        let (message, mut jobs) = server.next_jobs().await;
        message.ack_with(AckKind::Nak(None)).await.unwrap();
        jobs["signature"] = json!("other");
        let subject = format!("spar4.result.{}", jobs["session"].as_str().unwrap());
        let client = server.client().await;
        let results = results("stranger", &jobs, other_games).to_string();
        let reply = client.request(subject, results.into()).await.unwrap();
        let reply: Value = serde_json::from_slice(&reply.payload).unwrap();
        assert!(reply["refused"].as_str().unwrap().contains("plays differently"), "{reply}");
        let hello = json!({"protocol": 4, "program": "0.0.9", "signature": "other",
            "worker": "newcomer", "threads": 1, "speed": 1.0, "done": 0, "rate": 0.0, "errors": 0, "seconds": 0.0});
        let reply = client.request("spar4.hello", hello.to_string().into()).await.unwrap();
        let reply: Value = serde_json::from_slice(&reply.payload).unwrap();
        assert!(reply["refused"].as_str().unwrap().contains("plays differently"), "{reply}");
    });
    let _worker = server.worker("honest");
    let said = errors(coordinator);
    assert!(said.contains("worker stranger is refused"), "{said}");
    assert!(run.files() == ClusterRun::new(MATCH).finish(&[]));
    let without = spar(&["worker", "--name", "a b", "--cluster", &server.url()]).output().unwrap();
    assert_eq!(without.status.code(), Some(2));
}
