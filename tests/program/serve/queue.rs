//! Runs that wait for others to end.

use super::server::Served;
use serde_json::{Value, json};

fn a_match(seed: u64, pairs: u64) -> Value {
    json!({
        "kind": "match", "game": "breakthrough", "board": "5x5", "nodes": 50, "seed": seed,
        "threads": 1, "a": "breakthrough/piece", "b": "breakthrough/spsa", "pairs": pairs,
        "options": { "nodes-b": 25, "plies": 4 },
    })
}

fn waiting(served: &Served) -> Vec<u64> {
    let reply = served.get("/api/queue").json();
    let waiting = reply["waiting"].as_array().unwrap().clone();
    waiting.iter().map(|run| run["request"]["seed"].as_u64().unwrap()).collect()
}

#[test]
fn runs_wait_for_each_other() {
    let served = Served::new("");
    let add = |seed, pairs| {
        let reply = served.post("/api/queue", &a_match(seed, pairs));
        assert_eq!(reply.status, 200, "{reply:?}");
        reply.json()["id"].as_u64().unwrap()
    };
    let long = served.post("/api/start", &a_match(1, 1_000_000)).json();
    let long = long["run"].as_str().unwrap();
    served.wait(long, |line| line["state"] == "running");
    let ids = [2, 3, 4, 5].map(|seed| add(seed, 1));
    let change =
        |id: u64, change: &str| served.post(&format!("/api/queue/{id}/{change}"), &json!({}));
    assert_eq!(change(ids[2], "up").json()["waiting"].as_array().unwrap().len(), 4);
    assert_eq!(waiting(&served), [2, 4, 3, 5]);
    assert_eq!(change(ids[0], "remove").status, 200);
    assert_eq!(change(ids[0], "remove").status, 404);
    // A run started at once does not wait for the long match.
    let now = change(ids[3], "start").json()["run"].as_str().unwrap().to_owned();
    served.wait(&now, |line| line["state"] == "done");
    assert_eq!(waiting(&served), [4, 3], "they wait for the long match");
    assert_eq!(served.post(&format!("/api/runs/{long}/stop"), &json!({})).status, 200);
    let last = served.wait_for("-3", |line| line["state"] == "done");
    assert!(last["run"].as_str().unwrap().ends_with("-match-3"), "{last}");
    assert_eq!(waiting(&served), [0; 0]);
    let (fourth, third) = (served.wait_for("-4", |_| true), last);
    assert!(fourth["begun"].as_str() <= third["begun"].as_str(), "{fourth}, {third}");
}

#[test]
fn options_of_a_form_are_numbers_names_and_switches() {
    let served = Served::new("");
    let choices = served.get("/api/choices").json();
    let offered = |kind: &str| {
        let options = choices["options"].as_array().unwrap();
        options.iter().filter(|option| option["kind"] == kind).count()
    };
    assert!(offered("tune") > 10 && offered("match") > 2, "{choices}");
    let tune = |options: Value| {
        let request = json!({
            "kind": "tune", "game": "breakthrough", "board": "5x5", "nodes": 20, "seed": 7,
            "threads": 1, "start": "breakthrough/hand", "method": "spsa", "games": 60,
            "options": options,
        });
        served.post("/api/start", &request)
    };
    for wrong in [
        json!({ "book": "games.pgn" }),
        json!({ "engine": "cmd:touch owned" }),
        json!({ "only": "danger --engine=cmd:x" }),
        json!({ "only": "" }),
        json!({ "batch": 0 }),
        json!({ "batch": "10" }),
        json!({ "quick-share": 2 }),
        json!({ "phases": 1 }),
        json!({ "rounds": 3 }),
        json!({ "nodes-a": 3 }),
    ] {
        let reply = tune(wrong.clone());
        assert_eq!(reply.status, 400, "{wrong}: {reply:?}");
    }
    let options =
        json!({ "only": "danger,attack", "batch": 5, "validation-pairs": 4, "phases": true });
    let reply = tune(options);
    assert_eq!(reply.status, 200, "{reply:?}");
    let run = reply.json()["run"].as_str().unwrap().to_owned();
    let line = served.wait(&run, |line| line["state"] == "rejected" || line["state"] == "accepted");
    assert_eq!(line["knobs"], 4, "two values of both: {line}");
}
