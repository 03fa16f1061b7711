//! Malicious requests to the server.

use super::server::{Served, read_reply};
use rand_mt::Mt64;
use sparring::game::openings::below;
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

/// The number of rubbish requests, unless [`REQUESTS_VARIABLE`] says otherwise.
const REQUESTS: usize = 3000;
const REQUESTS_VARIABLE: &str = "SPARRING_REQUESTS";
/// Clients that send only part of a request.
const SLOW: usize = 100;
/// More than the server takes at a time.
const MANY_SLOW: usize = 300;

#[test]
fn no_path_leads_out_of_the_folder() {
    let served = Served::new("");
    served.make_run("one");
    fs::write(served.runs().parent().unwrap().join("secret"), "hidden").unwrap();
    let outside = served.runs().parent().unwrap().join("outside");
    fs::rename(served.runs().join("one"), &outside).unwrap();
    std::os::unix::fs::symlink(&outside, served.runs().join("link")).unwrap();
    served.make_run("inner");
    let names = [
        "..",
        ".",
        "../outside",
        "..%2foutside",
        "%2e%2e%2foutside",
        "%2e%2e/outside",
        "..%5coutside",
        "link",
        "inner/../../outside",
        "inner%2f..",
        "%00",
        "inner%00",
        "%ff",
        "\u{301}",
        "last",
        "inn",
        "~",
        "/etc",
        "%2fetc%2fpasswd",
        "....//outside",
        "inner%20",
        "INNER%2e",
    ];
    for name in names {
        for more in ["", "/games", "/games/1"] {
            let reply = served.get(&format!("/api/runs/{name}{more}"));
            assert!((400..=404).contains(&reply.status), "{name}{more}: {reply:?}");
            assert!(!reply.body.contains("hidden"), "{reply:?}");
        }
        for act in ["stop", "resume", "label", "remove"] {
            let reply = served.post(&format!("/api/runs/{name}/{act}"), &serde_json::json!({}));
            assert!((400..=405).contains(&reply.status), "{name} {act}: {reply:?}");
        }
        assert!([400, 404].contains(&served.get(&format!("/assets/{name}")).status), "{name}");
        let set = served.get(&format!("/assets/engine/sets/runs/{name}.bin"));
        assert!([400, 404].contains(&set.status), "{name}: {set:?}");
        assert!(
            [400, 404].contains(&served.get(&format!("/assets/..%2f..%2f{name}")).status),
            "{name}"
        );
    }
    let list = served.get("/api/runs").json();
    assert_eq!(list["runs"].as_array().unwrap().len(), 1, "links are not listed: {list:#}");
    assert_eq!(served.get("/api/runs/inner").status, 200);
}

#[test]
fn links_within_a_run_are_not_followed() {
    let served = Served::new("");
    served.make_run("one");
    let outside = served.runs().parent().unwrap().to_owned();
    for file in ["manifest.json", "journal.jsonl", "games.jsonl.zst"] {
        let (path, moved) = (served.runs().join("one").join(file), outside.join(file));
        fs::rename(&path, &moved).unwrap();
        std::os::unix::fs::symlink(&moved, &path).unwrap();
        let reply = match file {
            "games.jsonl.zst" => served.get("/api/runs/one/games"),
            _ => served.get("/api/runs/one"),
        };
        let refused = reply.status >= 400 || reply.json()["state"] == "damaged";
        assert!(refused, "{file}: {}", &reply.body[..200.min(reply.body.len())]);
        fs::remove_file(&path).unwrap();
        fs::rename(&moved, &path).unwrap();
    }
    assert_eq!(served.get("/api/runs/one").json()["state"], "rejected");
    let set = "/assets/engine/sets/runs/one.bin";
    assert_eq!(served.get(set).status, 200);
    let (path, moved) = (served.runs().join("one/weights.json"), outside.join("weights.json"));
    fs::rename(&path, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &path).unwrap();
    assert!(served.get(set).status >= 400);
}

#[test]
fn names_from_files_are_text_in_the_pages() {
    let served = Served::new("");
    let name = "<script>alert(1)<\u{2f}script>\"'&".replace('/', "_");
    served.make_run(&name);
    let encoded: String = name.bytes().map(|byte| format!("%{byte:02x}")).collect();
    for path in [format!("/runs/{encoded}"), format!("/runs/{encoded}/games/1"), "/".into()] {
        let page = served.get(&path);
        assert_eq!(page.status, 200);
        assert!(
            !page.body.contains("<script>") && !page.body.contains("alert(1)<_"),
            "{}",
            page.body
        );
    }
    assert_eq!(served.get(&format!("/api/runs/{encoded}")).json()["run"], name.as_str());
}

#[test]
fn long_requests_are_refused() {
    let served = Served::new("");
    let token = format!("X-Sparring-Token: {}", served.change_token());
    let post = |body: &str| {
        served.ask("POST", "/api/start", &[&token, "Content-Type: application/json"], body).status
    };
    assert_eq!(post(&format!("{{\"kind\":\"{}\"}}", "x".repeat(20_000))), 413);
    assert_eq!(post(&"[".repeat(16_000)), 422);
    let long = format!("X-Long: {}", "x".repeat(40_000));
    assert_eq!(served.ask("GET", "/", &[&long], "").status, 431);
    let many: Vec<String> = (0..100).map(|number| format!("X-{number}: 1")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(served.ask("GET", "/", &many, "").status, 431);
    let path = format!("/{}", "x".repeat(70_000));
    assert!([400, 414, 431].contains(&served.get(&path).status));
    // A chunked body without an end.
    let chunked = format!(
        "POST /api/start HTTP/1.1\r\nHost: {}\r\n{token}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n\r\n{}",
        served.host,
        format!("3000\r\n{}\r\n", "x".repeat(0x3000)).repeat(10)
    );
    assert_eq!(served.send(chunked.as_bytes()).unwrap().status, 413);
    assert_eq!(served.get("/").status, 200);
}

#[test]
fn slow_clients_are_in_nobodys_way() {
    let served = Served::new("");
    let begun = Instant::now();
    let mut slow: Vec<_> = (0..SLOW).map(|_| served.connect()).collect();
    for (number, stream) in slow.iter_mut().enumerate() {
        let part = format!("GET / HTTP/1.1\r\nHost: {}\r\n", served.host);
        stream.write_all(&part.as_bytes()[..number % part.len()]).unwrap();
    }
    assert_eq!(served.get("/").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(5));
    // After a while the server disconnects them.
    let answers = slow.iter_mut().filter_map(read_reply).filter(|reply| reply.status == 200);
    assert_eq!(answers.count(), 0);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn many_clients_that_send_half_a_request_give_way() {
    let served = Served::new("");
    let begun = Instant::now();
    let mut slow: Vec<_> = (0..MANY_SLOW).map(|_| served.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    }
    assert_eq!(served.get("/").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(9), "{:?}", begun.elapsed());
}

#[test]
fn rubbish_harms_nothing() {
    let mut served = Served::new("");
    served.make_run("one");
    let mut generator = Mt64::new(1);
    let seeds = [
        format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.host),
        format!(
            "GET /api/runs/one/games?from=3&count=5 HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            served.host
        ),
        format!(
            "GET /api/runs/one/games/2 HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            served.host
        ),
        format!("GET /api/runs/one HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", served.host),
        format!(
            "POST /api/start HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nX-Sparring-Token: {}\r\nContent-Type: application/json\r\n\
             Content-Length: 21\r\n\r\n{{\"kind\":\"match\",\"a\":1}}",
            served.host,
            served.change_token()
        ),
    ];
    let wanted = std::env::var(REQUESTS_VARIABLE);
    let requests = wanted.map_or(REQUESTS, |number| number.parse().unwrap());
    for number in 0..requests {
        let mut bytes = seeds[number % seeds.len()].clone().into_bytes();
        for _ in 0..=below(&mut generator, 6) {
            let place = below(&mut generator, bytes.len().max(1) as u64) as usize;
            if bytes.is_empty() {
                break;
            }
            match below(&mut generator, 4) {
                0 => bytes[place] = below(&mut generator, 256) as u8,
                1 => bytes.truncate(place.max(1)),
                2 => bytes.insert(place, b"\0\r\n %/:\xff9"[below(&mut generator, 9) as usize]),
                _ => drop(bytes.remove(place)),
            }
        }
        let mut stream = served.connect();
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        if let Some(reply) = read_reply(&mut stream) {
            assert_ne!(reply.status, 500, "{:?} {reply:?}", String::from_utf8_lossy(&bytes));
        }
    }
    assert_eq!(served.get("/api/runs").json()["runs"].as_array().unwrap().len(), 1);
    assert_eq!(served.end(), Some(0));
}
