//! Runs that a page starts as copies of other runs, with all their settings.

use super::server::Served;
use serde_json::{Map, Value, json};
use std::process::Command;

/// Makes a run of a few games by the command line. They may be too few for its later stages.
fn make(served: &Served, name: &str, arguments: &[&str]) {
    let directory = served.runs().join(name);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("spar"));
    let output = command.args(arguments).arg("--run").arg(&directory).output().unwrap();
    assert!(directory.join("manifest.json").exists(), "{output:?}");
}

fn manifest(served: &Served, run: &str) -> Value {
    let text = std::fs::read_to_string(served.runs().join(run).join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Starts a run with the settings that the form copies from another one, and returns its manifest.
fn copy(served: &Served, run: &str, own: &Value) -> (Value, Value) {
    let answer = served.get(&format!("/api/runs/{run}/options"));
    assert_eq!(answer.status, 200, "{answer:?}");
    let (config, options) = (manifest(served, run)["config"].clone(), answer.json());
    let kept = options["kept"].as_array().unwrap().iter().map(|kept| kept["name"].clone());
    let mut request: Map<String, Value> = own.as_object().unwrap().clone();
    let common = json!({
        "game": config["game"], "board": config["board"], "seed": config["seed"], "threads": 1,
        "options": options["options"], "like": run, "keeps": kept.collect::<Vec<_>>(),
    });
    request.extend(common.as_object().unwrap().clone());
    let started = served.post("/api/start", &Value::Object(request));
    assert_eq!(started.status, 200, "{run}: {started:?}\n{options:#}");
    let new = started.json()["run"].as_str().unwrap().to_owned();
    let copied = manifest(served, &new);
    // The run may have ended by now.
    served.post(&format!("/api/runs/{new}/stop"), &json!({}));
    (copied, options)
}

#[test]
fn a_copied_tune_has_the_settings_of_the_original() {
    let served = Served::new("");
    let common = ["tune", "--board", "5x5", "--threads", "1", "--seed", "5", "-q"];
    let all = [
        "--games=60",
        "--fit-games=20",
        "--fit-plies=6",
        "--fit-blend=0.5",
        "--nodes=10",
        "--only=danger,attack",
        "--bounds=danger=-50..500",
        "--range=attack=300",
        "--constrain=danger >= attack",
        "--quick-share=0.5",
        "--quick-pairs=0.25",
        "--opponent=zhu",
        "--opponent-share=0.3",
        "--opponent-nodes=7",
        "--batch=5",
        "--probes=2",
        "--plies=4",
        "--keep=0.7",
        "--validation-pairs=2",
        "--yardstick-pairs=1",
        "--max-plies=300",
        "--adjudicate",
        "--search=razor_depth=1",
        "--answer=last",
    ];
    let plain = [
        "--method=spsa",
        "--games=60",
        "--nodes=10",
        "--batch=10",
        "--validation-pairs=0",
        "--yardstick-pairs=0",
    ];
    let phases = [&plain[..], &["--phases", "--freeze=tempo"]].concat();
    let search =
        [&plain[1..], &["--method=spsa", "--target=search", "--algorithm=mcts", "--start=zhu"]]
            .concat();
    let depth = [
        "--method=spsa",
        "--games=60",
        "--depth=1",
        "--batch=10",
        "--validation-pairs=0",
        "--yardstick-pairs=0",
    ];
    let fitting = [
        "--method=logistic",
        "--games=40",
        "--nodes=10",
        "--rounds=1",
        "--only=danger,attack",
        "--phases",
        "--clear-rest",
        "--blend=0.25",
        "--penalties=30,3",
        "--validation-pairs=0",
        "--yardstick-pairs=0",
    ];
    let constants =
        [&plain[..], &["--target=search", "--start=zhu", "--only=razor_depth,null_depth"]].concat();
    let tunes: [(&str, &[&str], Option<u64>, &str); 7] = [
        ("all", &all, Some(10), "breakthrough/hand"),
        ("plain", &plain, Some(10), "breakthrough/hand"),
        ("phases", &phases, Some(10), "breakthrough/hand"),
        ("search", &search, Some(10), "breakthrough/zhu"),
        ("constants", &constants, Some(10), "breakthrough/zhu"),
        ("depth", &depth, None, "breakthrough/hand"),
        ("fitting", &fitting, Some(10), "breakthrough/hand"),
    ];
    for (name, options, nodes, start) in tunes {
        make(&served, name, &[&common[..], options].concat());
        let before = manifest(&served, name);
        let method = served.get(&format!("/api/runs/{name}")).json()["method"].clone();
        for start in [start.to_owned(), format!("run:{name}:start")] {
            let own = json!({
                "kind": "tune", "method": method, "start": start, "nodes": nodes,
                "games": before["config"]["games"],
            });
            let (after, options) = copy(&served, name, &own);
            assert_eq!(after["config"], before["config"], "{name} from {start}: {options:#}");
            assert_eq!(after["fingerprint"], before["fingerprint"], "{name} from {start}");
        }
    }
    let shown = |run: &str| served.get(&format!("/api/runs/{run}/options")).json();
    assert_eq!(shown("plain")["kept"], json!([]));
    assert_eq!(shown("plain")["options"], json!({ "batch": 10, "validation-pairs": 0 }));
    assert_eq!(shown("phases")["options"]["phases"], true);
    assert_eq!(shown("all")["options"]["only"], "danger,attack");
    let kept = shown("all")["kept"].to_string();
    assert!(kept.contains("--constrain 'danger >= attack'"), "{kept}");
}

#[test]
fn a_copied_match_has_the_settings_of_the_original() {
    let served = Served::new("");
    make(
        &served,
        "duel",
        &[
            "match",
            "zhu",
            "piece",
            "--board",
            "5x5",
            "--pairs=2",
            "--threads=1",
            "--seed=5",
            "-q",
            "--nodes=10",
            "--nodes-b=20",
            "--algorithm-b=mcts",
            "--search-a=razor_depth=1",
            "--sprt=0,30",
            "--alpha=0.1",
            "--beta=0.2",
            "--model=logistic",
            "--plies=3",
            "--keep=1",
            "--hash=2",
            "--max-plies=90",
        ],
    );
    let before = manifest(&served, "duel");
    let own = json!({
        "kind": "match", "a": "breakthrough/zhu", "b": "breakthrough/piece", "nodes": 10, "pairs": 2,
        "sprt": [0, 30],
    });
    let (after, options) = copy(&served, "duel", &own);
    assert_eq!(after["config"], before["config"], "{options:#}");
    assert_eq!(options["options"], json!({ "nodes-b": 20, "plies": 3 }));
}

/// A match of a tune's sets keeps the tune's search algorithm, openings and rules.
#[test]
fn a_match_of_what_a_tune_has_made_is_played_as_the_tune_was() {
    let served = Served::new("");
    let tune = "tune --board 5x5 --threads 1 --seed 5 -q --method spsa --target search --algorithm mcts \
         --start zhu --games 60 --nodes 10 --batch 10 --validation-pairs 0 --yardstick-pairs 0 --plies 3 \
         --max-plies 90 --search tree_temperature=200";
    make(&served, "mcts", &tune.split_whitespace().collect::<Vec<_>>());
    let answer = served.get("/api/runs/mcts/options?kind=match").json();
    assert_eq!(answer["options"], json!({ "plies": 3 }));
    let started = served.post(
        "/api/start",
        &json!({
            "kind": "match", "game": "breakthrough", "board": "5x5", "nodes": 40, "pairs": 2, "seed": 1,
            "threads": 1, "a": "run:mcts:start", "b": "run:mcts:start", "like": "mcts",
            "options": answer["options"], "keeps": ["algorithm", "max-plies"],
        }),
    );
    assert_eq!(started.status, 200, "{started:?}\n{answer:#}");
    let made = manifest(&served, started.json()["run"].as_str().unwrap());
    let config = &made["config"];
    assert_eq!(
        (&config["book"]["plies"], &config["max_plies"]),
        (&json!(3), &json!(90)),
        "{config:#}"
    );
    let players = config["players"].to_string();
    assert_eq!(players.matches(r#""algorithm":"mcts""#).count(), 2, "{players}");
    assert_eq!(served.get("/api/runs/mcts/options?kind=tournament").status, 400);
}

#[test]
fn only_options_that_the_run_has_are_kept() {
    let served = Served::new("");
    served.make_run("one");
    let request = |changes: Value| {
        let mut request = json!({
            "kind": "tune", "game": "breakthrough", "board": "5x5", "nodes": 20, "seed": 7, "threads": 1,
            "start": "breakthrough/hand", "method": "spsa", "games": 60,
        });
        request.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        served.post("/api/start", &request)
    };
    for (changes, status) in [
        (json!({ "like": "one", "keeps": ["engine"] }), 400),
        (json!({ "like": "none", "keeps": ["constrain"] }), 404),
        (json!({ "keeps": ["constrain"] }), 404),
        (json!({ "nodes": null }), 400),
    ] {
        let reply = request(changes.clone());
        assert_eq!(reply.status, status, "{changes}: {reply:?}");
    }
}

/// A wrong value is refused before anything starts, and the answer names its field.
#[test]
fn a_wrong_value_is_refused_with_its_field() {
    let served = Served::new("");
    served.make_run("one");
    let tune = json!({
        "kind": "tune", "game": "breakthrough", "board": "5x5", "nodes": 20, "seed": 7, "threads": 1,
        "start": "breakthrough/hand", "method": "spsa", "games": 60,
    });
    let other = json!({
        "kind": "match", "game": "breakthrough", "board": "5x5", "nodes": 20, "seed": 7, "threads": 1,
        "a": "breakthrough/hand", "b": "breakthrough/piece", "pairs": 2,
    });
    let option = |name: &str, value: Value| json!({ "options": { name: value } });
    let cases = [
        (&tune, option("only", json!("dangre")), "only", "danger"),
        (&tune, option("only", json!("danger,attack@soon")), "only", "attack@soon"),
        (&tune, option("freeze", json!("dangre")), "freeze", "danger"),
        (
            &tune,
            json!({ "options": { "only": "danger", "freeze": "danger" } }),
            "freeze",
            "none is left",
        ),
        (&tune, json!({ "method": "logistic", "options": { "only": "dangre" } }), "only", "danger"),
        (&tune, option("batch", json!(0)), "batch", "out of range"),
        (&tune, json!({ "start": "breakthrough/nope" }), "start", "no such set"),
        (&tune, json!({ "start": "breakthrough/8x8-network" }), "start", "not for 5x5"),
        (&tune, json!({ "start": "run:two" }), "start", "not in the folder"),
        (&tune, json!({ "board": "3x99" }), "board", "board"),
        (&tune, json!({ "game": "go" }), "game", "go"),
        (&tune, json!({ "nodes": 0 }), "nodes", "out of range"),
        (&tune, json!({ "threads": 0 }), "threads", "out of range"),
        (&other, json!({ "a": "ataxx/hand" }), "a", "ataxx"),
        (&other, json!({ "b": "breakthrough/8x8-network" }), "b", "not for 5x5"),
        (&other, json!({ "pairs": 0 }), "pairs", "out of range"),
        (&other, json!({ "sprt": [5, 1] }), "sprt", ""),
    ];
    for path in ["/api/start", "/api/queue"] {
        for (request, changes, field, words) in &cases {
            let mut request = (*request).clone();
            request.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            let reply = served.post(path, &request);
            assert!([400, 404].contains(&reply.status), "{changes}: {reply:?}");
            let error = &reply.json()["error"];
            assert_eq!(error["field"], *field, "{changes}: {error}");
            assert!(error["message"].as_str().unwrap().contains(words), "{changes}: {error}");
        }
    }
    // Errors that only the run itself can find are answered before the run counts as started.
    let mut request = tune;
    request["options"] = json!({ "plies": 60 });
    let reply = served.post("/api/start", &request);
    assert_eq!(reply.status, 400, "{reply:?}");
    assert!(reply.body.contains("every game is over by then"), "{reply:?}");
    assert_eq!(std::fs::read_dir(served.runs()).unwrap().count(), 1, "a directory was left");
}
