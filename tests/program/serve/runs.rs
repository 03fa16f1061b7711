//! Runs as the server shows them, and runs that it starts.

use super::server::{Reply, Served, everything};
use crate::protocol::trust::stopped_run;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;

#[test]
fn an_empty_folder_and_a_damaged_run_are_shown() {
    let served = Served::new("");
    assert_eq!(served.get("/api/runs").json()["runs"], json!([]), "the folder need not exist");
    served.make_run("one");
    let journal = served.runs().join("one/journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("points", "poinst", 1)).unwrap();
    let document = served.get("/api/runs/one").json();
    assert_eq!(document["state"], "damaged");
    assert!(document["reason"].as_str().unwrap().contains("line 1"), "{document:#}");
}

#[test]
fn a_run_and_its_games_are_told_in_full() {
    let served = Served::new("");
    served.make_run("one");
    let document = served.get("/api/runs/one").json();
    assert_eq!(document["state"], "rejected");
    let total = document["games_kept"].as_u64().unwrap();
    assert_eq!(total, document["games"].as_u64().unwrap());
    let numbers = |query: &str| {
        let games = served.get(&format!("/api/runs/one/games{query}")).json()["games"].clone();
        games
            .as_array()
            .unwrap()
            .iter()
            .map(|game| game["number"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers("?from=1&count=3"), [1, 2, 3]);
    assert_eq!(numbers("?from=19&count=5"), [19, 20, 21, 22, 23], "across batches");
    assert_eq!(numbers("?count=2"), [total - 1, total]);
    assert_eq!(numbers(&format!("?from={}", total + 1)), [0; 0]);
    assert_eq!(numbers("?from=0&count=18446744073709551615").len(), 100);
    assert_eq!(served.get("/api/runs/one/games?from=x").status, 400);
    let game = served.get("/api/runs/one/games/19?scores=true").json();
    assert_eq!(
        (&game["number"], &game["cols"], &game["total"]),
        (&json!(19), &json!(5), &json!(total))
    );
    let plies = game["plies"].as_array().unwrap();
    let start = "pppppppppp.....PPPPPPPPPP";
    assert_eq!((&plies[0]["squares"], &plies[0]["move"]), (&json!(start), &Value::Null));
    let last = plies.last().unwrap();
    assert_eq!(last["winner"], if game["result"] == "1-0" { "first" } else { "second" });
    assert!(plies.iter().all(|ply| ply["squares"].as_str().unwrap().len() == 25));
    assert!(plies[1..].iter().all(|ply| ply["marks"].as_array().unwrap().len() == 2));
    for number in ["0", &format!("{}", total + 1), "18446744073709551615"] {
        assert_eq!(served.get(&format!("/api/runs/one/games/{number}")).status, 404);
    }
}

#[test]
fn the_sets_of_runs_and_of_the_program_can_be_played_with() {
    let served = Served::new("");
    served.make_run("one");
    let sets = served.get("/assets/engine/sets/index.json").json();
    let sets = sets.as_array().unwrap();
    assert_eq!(sets[0]["name"], "runs/one");
    assert_eq!((&sets[0]["fits"], &sets[0]["bytes"]), (&json!("5x5"), &Value::Null));
    for set in sets {
        let name = set["name"].as_str().unwrap();
        let reply = served.get(&format!("/assets/engine/sets/{name}.bin"));
        assert_eq!(reply.status, 200, "{name}");
        assert_eq!(reply.header("content-type"), Some("application/octet-stream"));
        let file = set["file"].as_str().unwrap();
        let reply = served.get(&format!("/assets/engine/sets/{file}"));
        assert_eq!(reply.status, 200, "{file}");
        if file.ends_with(".pack") {
            let cells = &reply.json()["cells"];
            let part =
                cells.as_str().map(|part| served.get(&format!("/assets/engine/sets/{part}")));
            assert!(part.is_none_or(|part| part.status == 200), "{file}");
        }
    }
    let page = served.get("/play");
    assert!(page.body.contains("/assets/web/main.js"), "{page:?}");
    for unknown in ["runs/two.bin", "breakthrough/9x9.bin", "breakthrough/8x8", "x"] {
        assert_eq!(served.get(&format!("/assets/engine/sets/{unknown}")).status, 404, "{unknown}");
    }
}

#[test]
fn files_and_sets_are_kept_by_browsers_and_runs_are_not() {
    let served = Served::new("");
    served.make_run("one");
    let sets = "/assets/engine/sets";
    let head = served.get(&format!("{sets}/breakthrough/8x8.pack")).json();
    let part = format!("{sets}/{}", head["cells"].as_str().unwrap());
    let reply = served.get(&part);
    assert_eq!(reply.header("cache-control"), Some("private, max-age=31536000, immutable"));
    for path in ["/assets/web/main.js", "/assets/run.js", &format!("{sets}/runs/one.bin")] {
        let plain = served.get(path);
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!(plain.header("cache-control"), Some("private, no-cache"), "{path}");
        let tag = plain.header("etag").unwrap();
        let packed = served.ask("GET", path, &["Accept-Encoding: gzip"], "");
        assert_eq!(packed.header("content-encoding"), Some("gzip"), "{path}");
        assert!(length(&packed) < length(&plain), "{path}");
        let again = served.ask("GET", path, &[&format!("If-None-Match: {tag}")], "");
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
    }
    for path in ["/", "/runs/one", "/api/runs/one", &format!("{sets}/index.json")] {
        let reply = served.ask("GET", path, &["Accept-Encoding: gzip"], "");
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
        assert_eq!(reply.header("etag"), None, "{path}");
    }
}

/// The length of a body as it is sent.
fn length(reply: &Reply) -> u64 {
    reply.header("content-length").unwrap().parse().unwrap()
}

#[test]
fn the_sets_of_a_run_that_was_not_accepted_are_called_what_they_are() {
    let served = Served::new("");
    served.make_run("one");
    assert_eq!(served.get("/api/runs/one").json()["accepted"], false);
    let sets = served.get("/assets/engine/sets/index.json").json();
    assert_eq!(sets[0]["title"], "start set of one, not accepted");
    assert_eq!(
        (&sets[1]["name"], &sets[1]["title"]),
        (&json!("runs/one:candidate"), &json!("candidate of one, not accepted"))
    );
    let choices = served.get("/api/choices").json();
    let offered: Vec<&Value> =
        choices["runs"].as_array().unwrap().iter().map(|run| &run["run"]).collect();
    assert_eq!(offered, ["one", "one:candidate"]);
    let [start, candidate] = ["weights", "candidate"].map(|file| {
        let path = served.runs().join(format!("one/{file}.json"));
        sparring::weights::WeightSet::load(&path).unwrap().to_compact().unwrap()
    });
    for (name, set) in [("one", &start), ("one:start", &start), ("one:candidate", &candidate)] {
        let reply = served.get(&format!("/assets/engine/sets/runs/{name}.bin"));
        assert_eq!(reply.header("content-length"), Some(set.len().to_string().as_str()), "{name}");
    }
    let request = json!({
        "kind": "match", "game": "breakthrough", "board": "5x5", "nodes": 50, "seed": 7, "threads": 1,
        "a": "run:one", "b": "run:one:candidate", "pairs": 1,
    });
    let started = served.post("/api/start", &request);
    assert_eq!(started.status, 200, "{started:?}");
    let run = started.json()["run"].as_str().unwrap().to_owned();
    served.wait(&run, |line| line["state"] == "done");
    let played = served.get(&format!("/api/runs/{run}")).json();
    let name =
        |player: usize| played["contest"]["players"][player]["name"].as_str().unwrap().to_owned();
    assert!(name(0).ends_with("/one:start") && name(1).ends_with("/one:candidate"), "{played:#}");
}

/// The lines of the events of the list of runs.
fn events(served: &Served) -> impl Iterator<Item = String> {
    let mut stream = served.connect();
    write!(stream, "GET /api/events?list=1 HTTP/1.1\r\nHost: {}\r\n\r\n", served.host).unwrap();
    std::io::BufRead::lines(std::io::BufReader::new(stream)).map(Result::unwrap)
}

#[test]
fn whoever_comes_back_to_the_list_gets_nothing_old() {
    let served = Served::new("");
    let first = || events(&served).skip_while(|line| line != "event: list").nth(1).unwrap();
    assert!(first().contains(r#""changed":[]"#));
    // The server notices that the client has gone.
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    served.make_run("one");
    assert!(first().contains(r#""run":"one""#));
}

#[test]
fn events_tell_of_a_run_that_appears() {
    let served = Served::new("");
    let mut lines = events(&served);
    let mut next = |wanted: &str| lines.find(|line| line.contains(wanted)).unwrap();
    next("event: list");
    served.make_run("one");
    next(r#""run":"one""#);
    fs::remove_dir_all(served.runs().join("one")).unwrap();
    next(r#""gone":["one"]"#);
}

#[test]
fn a_tune_is_started_stopped_and_resumed() {
    let served = Served::new("");
    let request = json!({
        "kind": "tune", "game": "breakthrough", "board": "5x5", "nodes": 50, "seed": 7, "threads": 1,
        "start": "breakthrough/spsa", "method": "spsa", "games": 100_000,
    });
    for field in ["batch", "pairs"] {
        let mut unknown = request.clone();
        unknown[field] = json!(3);
        let refused = served.post("/api/start", &unknown);
        assert!(
            refused.status == 400 && refused.body.contains(&format!("field `{field}`")),
            "{refused:?}"
        );
    }
    let started = served.post("/api/start", &request);
    assert_eq!(started.status, 200, "{started:?}");
    let run = started.json()["run"].as_str().unwrap().to_owned();
    assert!(run.ends_with("-breakthrough-spsa-7"), "{run}");
    served.wait(&run, |line| line["state"] == "running" && line["games"].as_u64() > Some(0));
    let path = format!("/api/runs/{run}");
    assert_eq!(served.post(&format!("{path}/resume"), &json!({})).status, 409);
    assert_eq!(served.post(&format!("{path}/stop"), &json!({})).status, 200);
    let stopped = served.wait(&run, |line| line["state"] == "stopped");
    assert_eq!(served.post(&format!("{path}/stop"), &json!({})).status, 409);
    assert_eq!(served.post(&format!("{path}/resume"), &json!({})).status, 200);
    let games = stopped["games"].as_u64();
    served.wait(&run, |line| line["state"] == "running" && line["games"].as_u64() > games);
    assert_eq!(served.post(&format!("{path}/stop"), &json!({})).status, 200);
    served.wait(&run, |line| line["state"] == "stopped");
}

#[test]
fn a_finished_run_is_not_resumed() {
    let served = Served::new("");
    served.make_run("one");
    let reply = served.post("/api/runs/one/resume", &json!({}));
    assert_eq!(reply.status, 409, "{reply:?}");
    assert!(reply.json()["error"].to_string().contains("finished"), "{reply:?}");
}

#[test]
fn a_run_is_labelled() {
    let served = Served::new("");
    served.make_run("one");
    let journal = || fs::read(served.runs().join("one/journal.jsonl")).unwrap();
    let before = journal();
    let path = "/api/runs/one/label";
    let label = json!({ "name": " first try ", "note": "", "tags": ["b", "a", "b"] });
    let reply = served.post(path, &label);
    assert_eq!(reply.status, 200, "{reply:?}");
    let wanted = json!({ "name": "first try", "tags": ["a", "b"] });
    assert_eq!(reply.json(), wanted);
    assert_eq!(served.get("/api/runs").json()["runs"][0]["label"], wanted);
    assert_eq!(served.get("/api/runs/one").json()["label"], wanted);
    for wrong in [json!({ "tags": ["two words"] }), json!({ "note": "a\u{7}" })] {
        assert_eq!(served.post(path, &wrong).status, 400, "{wrong}");
    }
    let misspelt = served.post(path, &json!({ "nmae": "better" }));
    assert!((400..500).contains(&misspelt.status), "{misspelt:?}");
    assert_eq!(served.post("/api/runs/two/label", &label).status, 404);
    assert_eq!(served.get("/api/runs/one").json()["label"], wanted);
    assert_eq!(served.post(path, &json!({})).json(), json!({}));
    assert_eq!(served.get("/api/runs/one").json()["label"], Value::Null);
    assert_eq!(journal(), before);
}

#[test]
fn a_run_is_removed_when_nothing_works_on_it() {
    let served = Served::new("");
    served.make_run("one");
    served.make_run("two");
    let (one, two) = (served.runs().join("one"), served.runs().join("two"));
    let lock = fs::File::open(one.join("lock")).unwrap();
    lock.lock().unwrap();
    let path = "/api/runs/one/remove";
    let reply = served.post(path, &json!({}));
    assert_eq!(reply.status, 409, "{reply:?}");
    lock.unlock().unwrap();
    assert_eq!(served.get(path).status, 405);
    assert!(one.join("manifest.json").exists());
    assert_eq!(served.post(path, &json!({})).json(), json!({ "run": "one", "gone": true }));
    assert!(!one.exists());
    assert_eq!(served.post(path, &json!({})).status, 404);
    // Files that do not belong to a run stay.
    fs::write(two.join("notes.txt"), "mine").unwrap();
    let reply = served.post("/api/runs/two/remove", &json!({}));
    assert_eq!(reply.json(), json!({ "run": "two", "gone": false }));
    assert_eq!(everything(&two), ["notes.txt"]);
    assert_eq!(served.get("/api/runs").json()["runs"], json!([]));
}

#[test]
fn a_server_for_the_network_removes_no_runs() {
    let served = Served::new("--address 0.0.0.0 --token open-sesame");
    served.make_run("one");
    let headers = ["Authorization: Bearer open-sesame", "Content-Type: application/json"];
    let host = served.host.clone();
    let reply = served.ask("POST", "/api/runs/one/remove", &headers, "{}");
    assert_eq!(reply.status, 403, "{host}: {reply:?}");
    assert!(reply.body.contains("spar runs rm "), "{reply:?}");
    assert!(served.runs().join("one/manifest.json").exists());
    let page = served.ask("GET", "/runs/one", &headers[..1], "");
    assert!(!page.body.contains("data-removes"), "{page:?}");
}

#[test]
fn a_tune_is_stopped_while_it_measures_its_speed() {
    let served = Served::new("");
    let request = json!({
        "kind": "tune", "game": "breakthrough", "board": "5x5", "nodes": 50, "seed": 7, "threads": 1,
        "start": "breakthrough/spsa", "method": "spsa", "minutes": 60,
    });
    for waits in [true, false] {
        let run = served.post("/api/start", &request).json()["run"].as_str().unwrap().to_owned();
        if waits {
            served.wait(&run, |line| line["state"] == "running");
        }
        let reply = served.post(&format!("/api/runs/{run}/stop"), &json!({}));
        assert_eq!(reply.status, 200, "{reply:?}");
        if waits {
            let stopped = served.wait(&run, |line| line["state"] == "stopped");
            assert_eq!(stopped["games"], 0, "{stopped}");
        }
    }
}

#[test]
fn more_runs_than_the_server_starts_are_refused() {
    let served = Served::new("");
    let start = || {
        // Each run ends by itself soon.
        let request = json!({
            "kind": "tune", "game": "breakthrough", "board": "5x5", "nodes": 100, "seed": 7,
            "threads": 1, "start": "breakthrough/spsa", "method": "spsa", "games": 3000,
        });
        served.post("/api/start", &request)
    };
    for _ in 0..8 {
        assert_eq!(start().status, 200);
    }
    let refused = start();
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.body.contains("stop one first"), "{refused:?}");
    assert_eq!(fs::read_dir(served.runs()).unwrap().count(), 8, "a directory was left");
}

#[test]
#[cfg(target_os = "linux")]
fn only_a_process_that_holds_the_lock_is_stopped() {
    let served = Served::new("");
    let mut other = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let request = json!({
        "kind": "match", "game": "breakthrough", "board": "5x5", "nodes": 50, "seed": 7, "threads": 1,
        "a": "breakthrough/piece", "b": "breakthrough/spsa", "pairs": 1_000_000,
    });
    let run = served.post("/api/start", &request).json()["run"].as_str().unwrap().to_owned();
    served.wait(&run, |line| line["state"] == "running" && line["games"].as_u64() > Some(0));
    let (lock, path) = (served.runs().join(&run).join("lock"), format!("/api/runs/{run}/stop"));
    let worker = fs::read_to_string(&lock).unwrap();
    // A process of the same user that has the file open does not hold the lock.
    let _open = fs::File::open(&lock).unwrap();
    for number in [other.id(), std::process::id()] {
        fs::write(&lock, number.to_string()).unwrap();
        let reply = served.post(&path, &json!({}));
        assert_eq!(reply.status, 409, "{reply:?}");
        assert!(reply.body.contains(&number.to_string()), "{reply:?}");
    }
    assert!(other.try_wait().unwrap().is_none(), "another process was stopped");
    other.kill().unwrap();
    other.wait().unwrap();
    fs::write(&lock, worker).unwrap();
    assert_eq!(served.post(&path, &json!({})).status, 200);
    served.wait(&run, |line| line["state"] == "stopped");
}

#[test]
fn the_page_starts_no_engine_of_somebody_else() {
    let served = Served::new("");
    let folder = tempfile::tempdir().unwrap();
    let [theirs, log] = ["theirs", "log"].map(|name| folder.path().join(name));
    fs::create_dir(served.runs()).unwrap();
    stopped_run(&served.runs(), &theirs, &log);
    let before = fs::read(&log).unwrap();
    let reply = served.post("/api/runs/stopped/resume", &json!({}));
    assert_eq!(reply.status, 409, "{reply:?}");
    let error = reply.json()["error"].clone();
    assert!(error["remedy"].as_str().unwrap().contains("spar resume "), "{error}");
    let copy = json!({
        "kind": "tune", "game": "breakthrough", "board": "8x8", "nodes": 60, "seed": 7, "threads": 1,
        "start": "breakthrough/hand", "method": "spsa", "games": 60, "like": "stopped", "keeps": ["opponent"],
    });
    for path in ["/api/start", "/api/queue"] {
        let reply = served.post(path, &copy);
        assert_eq!(reply.status, 409, "{reply:?}");
    }
    assert_eq!(fs::read(&log).unwrap(), before, "an engine was started");
}

#[test]
fn what_may_not_be_started_leaves_nothing_behind() {
    let served = Served::new("");
    let good = json!({
        "kind": "match", "game": "breakthrough", "board": "5x5", "nodes": 50, "seed": 7, "threads": 1,
        "a": "breakthrough/piece", "b": "breakthrough/spsa", "pairs": 1,
    });
    let cases = [
        ("game", json!("chess")),
        ("game", json!("--help")),
        ("board", json!("9x9")),
        ("board", json!("5x5 --force")),
        ("nodes", json!(0)),
        ("nodes", json!("--movetime=1")),
        ("threads", json!(1_000_000)),
        ("pairs", json!(0)),
        ("seed", json!(-1)),
        ("a", json!("cmd:touch owned")),
        ("a", json!("/etc/passwd")),
        ("a", json!("../weights.json")),
        ("a", json!("--json")),
        ("b", json!("run:..")),
        ("b", json!("run:nothing")),
        ("sprt", json!([10.0, 0.0])),
        ("sprt", json!([0.0])),
        ("kind", json!("generate")),
        ("options", json!({ "pgn": "owned.pgn" })),
        ("options", json!({ "nodes-a": "1 --pgn=x" })),
    ];
    for (key, value) in cases {
        let mut bad = good.clone();
        bad[key] = value;
        let reply = served.post("/api/start", &bad);
        assert!([400, 404, 422].contains(&reply.status), "{bad}: {reply:?}");
        assert!(!reply.json()["error"]["message"].as_str().unwrap().is_empty());
    }
    // A value of the wrong type is named by its field.
    for (key, value) in
        [("pairs", json!("3")), ("seed", json!(-1)), ("a", json!(1)), ("board", json!([]))]
    {
        let mut bad = good.clone();
        bad[key] = value;
        let reply = served.post("/api/start", &bad);
        assert_eq!(
            (reply.status, &reply.json()["error"]["field"]),
            (422, &json!(key)),
            "{reply:?}"
        );
    }
    assert_eq!(everything(&served.runs()), [""; 0]);
}
