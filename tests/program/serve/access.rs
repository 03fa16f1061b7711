//! Checks which requests the server answers.

use super::server::Served;
use crate::cli::support::{file, refusal, spar};
use serde_json::json;

#[test]
fn only_its_own_host_and_pages_are_answered() {
    let served = Served::new("");
    let port = served.host.split(':').nth(1).unwrap();
    let ask = |lines: &str| {
        let request = format!("GET / HTTP/1.1\r\n{lines}\r\nConnection: close\r\n\r\n");
        served.send(request.as_bytes()).map(|reply| reply.status)
    };
    let own = format!("Host: {}", served.host);
    let with = |more: &str| format!("{own}\r\n{more}");
    for good in [
        own.clone(),
        format!("Host: localhost:{port}"),
        format!("Host: LOCALHOST:{port}"),
        format!("Host: [::1]:{port}"),
        with(&format!("Origin: http://{}", served.host)),
        format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}"),
        with("Sec-Fetch-Site: same-origin"),
        with("Sec-Fetch-Site: none"),
    ] {
        assert_eq!(ask(&good), Some(200), "{good}");
    }
    for bad in [
        "Host: evil.example".to_owned(),
        format!("Host: evil.example:{port}"),
        "Host: 127.0.0.1".into(),
        "Host: localhost:1".into(),
        format!("Host: 127.0.0.1.nip.io:{port}"),
        format!("Host: 127.0.0.1:{port}.evil.example"),
        format!("Host: 127.0.0.2:{port}"),
        "Host:".into(),
        format!("{own}\r\nHost: evil.example"),
        "X-Forwarded-Host: localhost".into(),
        with("Origin: http://evil.example"),
        with(&format!("Origin: https://{}", served.host)),
        with("Origin: http://localhost:1"),
        with(&format!("Origin: http://localhost:{port}")),
        with("Origin: null"),
        with(&format!("Origin: http://{}\r\nOrigin: http://evil.example", served.host)),
        with("Sec-Fetch-Site: cross-site"),
        with("Sec-Fetch-Site: same-site"),
        with("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site"),
    ] {
        assert_eq!(ask(&bad), Some(403), "{bad}");
    }
    // The host in an absolute request line counts too.
    let absolute =
        format!("GET http://evil.example/ HTTP/1.1\r\n{own}\r\nConnection: close\r\n\r\n");
    assert_eq!(served.send(absolute.as_bytes()).unwrap().status, 403);
    assert_eq!(served.send(b"GET / HTTP/1.0\r\n\r\n").unwrap().status, 403, "no host at all");
}

#[test]
fn changes_want_the_token_of_the_page() {
    let served = Served::new("");
    served.make_run("one");
    let body = json!({ "kind": "match" }).to_string();
    let paths = [
        "/api/start",
        "/api/runs/one/stop",
        "/api/runs/one/resume",
        "/api/runs/one/label",
        "/api/runs/one/remove",
        "/api/queue/0/start",
    ];
    let (first, second) = (served.change_token(), Served::new("").change_token());
    assert_eq!(first.len(), 64);
    assert_ne!(first, second, "new for each server");
    let wrong = [
        String::new(),
        "X-Sparring-Token:".into(),
        format!("X-Sparring-Token: {second}"),
        format!("X-Sparring-Token: {}", &first[..63]),
        format!("X-Sparring-Token: {first}0"),
        format!("X-Sparring-Token: {second}\r\nX-Sparring-Token: {first}"),
    ];
    for path in paths {
        for more in &wrong {
            let more: Vec<&str> = [more.as_str(), "Content-Type: application/json"]
                .into_iter()
                .filter(|line| !line.is_empty())
                .collect();
            assert_eq!(served.ask("POST", path, &more, &body).status, 403, "{path} {more:?}");
        }
    }
    // With the token, requests are read, and refused for their content.
    assert_eq!(served.post("/api/start", &json!({ "kind": "match" })).status, 422);
    assert_eq!(served.post("/api/runs/one/stop", &json!({})).status, 409);
    // A form on another site cannot send JSON.
    let token = format!("X-Sparring-Token: {first}");
    let form = ["Content-Type: application/x-www-form-urlencoded", &token];
    assert_eq!(served.ask("POST", "/api/start", &form, "kind=match").status, 415);
}

/// Addresses with the requests that each takes. Nothing is at some of them, without a run.
const ADDRESSES: [(&str, &str); 24] = [
    ("/", "GET,HEAD"),
    ("/compare", "GET,HEAD"),
    ("/runs", "GET,HEAD"),
    ("/runs/one", "GET,HEAD"),
    ("/runs/one/games/1", "GET,HEAD"),
    ("/play", "GET,HEAD"),
    ("/assets/look.css", "GET,HEAD"),
    ("/assets/engine/sets/index.json", "GET,HEAD"),
    ("/assets/books/index.json", "GET,HEAD"),
    ("/login", "GET,HEAD"),
    ("/api/runs", "GET,HEAD"),
    ("/api/runs/one", "GET,HEAD"),
    ("/api/runs/one/options", "GET,HEAD"),
    ("/api/runs/one/games", "GET,HEAD"),
    ("/api/runs/one/games/1", "GET,HEAD"),
    ("/api/choices", "GET,HEAD"),
    ("/api/events", "GET,HEAD"),
    ("/api/queue", "GET,HEAD,POST"),
    ("/api/queue/0/start", "POST"),
    ("/api/start", "POST"),
    ("/api/runs/one/stop", "POST"),
    ("/api/runs/one/resume", "POST"),
    ("/api/runs/one/label", "POST"),
    ("/api/runs/one/remove", "POST"),
];

#[test]
fn a_request_that_an_address_does_not_take_is_refused_with_those_that_it_takes() {
    let served = Served::new("");
    let token = format!("X-Sparring-Token: {}", served.change_token());
    for (path, takes) in ADDRESSES {
        let is_taken = |method: &&str| takes.split(',').any(|known| known == *method);
        let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"];
        for method in methods.into_iter().filter(|method| !is_taken(method)) {
            for headers in [&[][..], &[token.as_str()], &[BROWSER]] {
                let reply = served.ask(method, path, headers, "");
                assert_eq!(reply.status, 405, "{method} {path} {headers:?}");
                assert_eq!(reply.header("allow"), Some(takes), "{method} {path} {headers:?}");
            }
        }
        if is_taken(&"POST") {
            let reply = served.ask("POST", path, &[], "");
            assert_eq!((reply.status, reply.header("allow")), (403, None), "{path}");
        }
    }
    assert_eq!(served.ask("PUT", "/nowhere", &[], "").status, 404);
    // Nobody learns without the owner's token which addresses there are.
    let served = Served::new("--token open-sesame");
    for path in ["/api/start", "/nowhere"] {
        let reply = served.ask("PUT", path, &[], "");
        assert_eq!((reply.status, reply.header("allow")), (403, None), "{path}");
    }
}

#[test]
fn a_slash_at_the_end_of_an_address_changes_nothing() {
    let served = Served::new("");
    served.make_run("one");
    let answer = |path: &str| {
        let reply = served.get(path);
        // The seconds since a run's last batch differ.
        let body = reply.body.split("\"seconds_since\"").next().unwrap_or_default().to_owned();
        (reply.status, reply.header("content-security-policy").map(str::to_owned), body)
    };
    let is_plain = |path: &&str| !["/", "/login", "/api/events"].contains(path);
    for path in ADDRESSES.map(|(path, _)| path).into_iter().filter(is_plain) {
        assert_eq!(answer(&format!("{path}/")), answer(path), "{path}");
    }
    assert_eq!(answer("/runs/").2, answer("/").2);
    let query = "?from=3&count=2";
    let games = "/api/runs/one/games";
    assert_eq!(answer(&format!("{games}/{query}")), answer(&format!("{games}{query}")));
    assert_eq!(served.post("/api/runs/one/stop/", &json!({})).status, 409);
    for path in ["/runs//", "/nowhere/", "//runs"] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
}

#[test]
fn other_addresses_demand_a_token_and_it_opens_everything() {
    for address in ["0.0.0.0", "::", "192.0.2.1"] {
        let error = refusal(spar(&format!("serve --port 0 --address {address}")));
        assert!(error.contains("--token"), "{error}");
    }
    assert!(refusal(spar("serve --port 0 --token=")).contains("token"));
    let served = Served::new("--token open-sesame");
    for path in ["/", "/api/runs", "/assets/main.js", "/nothing"] {
        let reply = served.get(path);
        assert_eq!(reply.status, 403, "{path}");
        assert!(!reply.body.contains("open-sesame"));
        assert_eq!(
            served.ask("GET", path, &["Authorization: Bearer open-sesame2"], "").status,
            403
        );
    }
    let bearer = ["Authorization: Bearer open-sesame"];
    assert_eq!(served.ask("GET", "/api/runs", &bearer, "").status, 200);
    assert_eq!(served.get("/login?token=wrong").status, 403);
    assert_eq!(served.get("/login").status, 400);
    let login = served.get("/login?token=open-sesame");
    assert_eq!((login.status, login.header("location")), (303, Some("/")));
    let cookie = login.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly; SameSite=Strict") && !cookie.contains("open-sesame"));
    let cookie = format!("Cookie: other=1; {}", cookie.split(';').next().unwrap());
    let page = served.ask("GET", "/", &[&cookie], "");
    assert_eq!(page.status, 200);
    assert_eq!(served.ask("GET", "/", &["Cookie: sparring=open-sesame"], "").status, 403);
    // The cookie alone permits no change: a page of another site could make the browser send it.
    assert_eq!(served.ask("POST", "/api/start", &[&cookie], "{}").status, 403);
    assert_eq!(served.ask("POST", "/api/start", &bearer, "{}").status, 415);
}

#[test]
fn a_proxy_asks_by_a_name_of_its_own() {
    let served = Served::new("--token open-sesame --host Runs.example --host other.example:8443");
    let ask = |lines: &str| {
        let bearer = "Authorization: Bearer open-sesame";
        let request =
            format!("GET /api/runs HTTP/1.1\r\n{lines}\r\n{bearer}\r\nConnection: close\r\n\r\n");
        served.send(request.as_bytes()).map(|reply| reply.status)
    };
    for good in [
        "Host: runs.example",
        "Host: runs.example:443",
        "Host: runs.example\r\nOrigin: https://runs.example",
        "Host: runs.example\r\nOrigin: http://runs.example",
        "Host: other.example:8443\r\nOrigin: https://other.example:8443",
        &format!("Host: {}", served.host),
    ] {
        assert_eq!(ask(good), Some(200), "{good}");
    }
    for bad in [
        "Host: evil.example",
        "Host: runs.example.evil.example",
        "Host: other.example",
        "Host: other.example:80",
        "Host: runs.example\r\nOrigin: https://evil.example",
        "Host: runs.example\r\nSec-Fetch-Site: cross-site",
        &format!("Host: {0}\r\nOrigin: https://{0}", served.host),
    ] {
        assert_eq!(ask(bad), Some(403), "{bad}");
    }
    let request = b"GET /api/runs HTTP/1.1\r\nHost: runs.example\r\nConnection: close\r\n\r\n";
    assert_eq!(served.send(request).unwrap().status, 403, "the token is still wanted");
    assert!(refusal(spar("serve --port 0 --host runs.example")).contains("--token-file"));
    for bad in ["https://runs.example", "a/b", "a:b", ":80", "a b"] {
        let mut command = spar("serve --port 0 --token x --host");
        command.arg(bad);
        assert!(refusal(command).contains("not a host name"), "{bad}");
    }
}

#[test]
fn a_token_comes_from_a_file() {
    let (_folder, path) = file("token");
    let option = format!("--token-file {}", path.display());
    for (text, wanted) in [("", "empty"), (" \n", "empty"), ("a\nb", "more than one line")] {
        std::fs::write(&path, text).unwrap();
        let error = refusal(spar(&format!("serve --port 0 {option}")));
        assert!(error.contains("token") && error.contains(wanted), "{error}");
    }
    std::fs::write(&path, "open-sesame\n").unwrap();
    let served = Served::new(&option);
    assert_eq!(served.get("/api/runs").status, 403);
    let bearer = ["Authorization: Bearer open-sesame"];
    assert_eq!(served.ask("GET", "/api/runs", &bearer, "").status, 200);
    refusal(spar(&format!("serve --token x {option}")));
}

#[test]
fn servers_on_one_host_keep_their_cookies_apart() {
    let servers = [Served::new("--token one"), Served::new("--token two")];
    let cookies: Vec<String> = servers
        .iter()
        .zip(["one", "two"])
        .map(|(served, token)| {
            let login = served.get(&format!("/login?token={token}"));
            login.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
        })
        .collect();
    // A browser sends a host's cookies to all ports.
    let both = format!("Cookie: {}", cookies.join("; "));
    for served in &servers {
        let port = served.host.rsplit(':').next().unwrap();
        assert!(cookies.iter().any(|cookie| cookie.starts_with(&format!("sparring-{port}="))));
        assert_eq!(served.ask("GET", "/", &[&both], "").status, 200);
    }
}

#[test]
fn every_answer_forbids_what_the_pages_do_not_need() {
    let served = Served::new("");
    for (path, status) in [
        ("/", 200),
        ("/api/runs", 200),
        ("/assets/main.js", 200),
        ("/x", 404),
        ("/api/runs/x", 404),
    ] {
        let reply = served.get(path);
        assert_eq!(reply.status, status, "{path}");
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
        assert!(reply.header("access-control-allow-origin").is_none());
        assert!(!reply.body.contains("<script>") && !reply.body.contains("style=\""), "{path}");
        if status == 404 {
            assert!(reply.json()["error"]["message"].as_str().is_some(), "{path}: {reply:?}");
        }
    }
}

#[test]
fn browsers_get_a_page_where_nothing_is() {
    let served = Served::new("");
    let reply = served.ask("GET", "/x", &["Accept: text/html,*/*;q=0.8"], "");
    assert_eq!(reply.status, 404);
    assert!(reply.body.contains("<h1>Nothing is at this address</h1>"), "{reply:?}");
    assert!(reply.header("content-security-policy").unwrap().contains("default-src 'none'"));
}

#[test]
fn only_the_page_to_play_on_may_run_an_engine() {
    let served = Served::new("");
    for (path, may) in [
        ("/play", true),
        ("/assets/engine/js/worker-main.js", true),
        ("/", false),
        ("/assets/web/main.js", false),
        ("/assets/engine/sets/index.json", false),
        ("/playing", false),
    ] {
        let reply = served.get(path);
        let policy = reply.header("content-security-policy").unwrap();
        assert_eq!(policy.contains("'wasm-unsafe-eval'"), may, "{path}");
        let scripts = "script-src 'self'";
        assert!(policy.contains(scripts) && !policy.contains("'unsafe-eval'"), "{path}: {policy}");
        // Its searches are stopped through memory that threads share.
        assert_eq!(reply.header("cross-origin-embedder-policy"), Some("require-corp"));
        assert_eq!(reply.header("cross-origin-opener-policy"), Some("same-origin"));
    }
}

/// The header that a browser sends when somebody opens an address.
const BROWSER: &str = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";

#[test]
fn browsers_get_a_page_for_an_error_and_programs_json() {
    let served = Served::new("--token open-sesame");
    let login = served.get("/login?token=open-sesame");
    let cookie = login.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let cookie = format!("Cookie: {cookie}");
    let own = ["Sec-Fetch-Site: none", BROWSER];
    let linked = ["Sec-Fetch-Site: cross-site", BROWSER];
    let known = [&own[..], &[&cookie]].concat();
    for (path, headers, status, words) in [
        ("/", &own[..], 403, "This server needs a token"),
        ("/login?token=wrong", &own, 403, "That token is wrong"),
        ("/login", &own, 400, "This server needs a token"),
        ("/runs/one?x=1", &linked, 403, r#"<a href="/runs/one?x=1">"#),
        ("/nowhere", &known, 404, "Nothing is at this address"),
        ("/api/runs/none", &known, 404, "Nothing is at this address"),
        ("/api/start", &known, 405, "This address does not take such a request"),
    ] {
        let page = served.ask("GET", path, headers, "");
        assert_eq!(page.status, status, "{path}: {page:?}");
        assert!(page.body.contains(words), "{path}: {page:?}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        let is_known = headers.contains(&cookie.as_str());
        assert_eq!(
            page.body.contains(r#"name="token" content="#),
            is_known,
            "{path}: the token of changes"
        );
        assert!(!page.body.contains("open-sesame"), "{path}");
        for accept in
            ["Accept: application/json", "Accept: */*", "Accept: application/json, text/html"]
        {
            let others: Vec<&str> =
                headers.iter().copied().filter(|line| *line != BROWSER).chain([accept]).collect();
            let reply = served.ask("GET", path, &others, "");
            assert_eq!(reply.status, status, "{path}, {accept}");
            assert!(reply.json()["error"]["message"].is_string(), "{path}, {accept}: {reply:?}");
        }
    }
    let foreign =
        format!("GET / HTTP/1.1\r\nHost: evil.example\r\n{BROWSER}\r\nConnection: close\r\n\r\n");
    let page = served.send(foreign.as_bytes()).unwrap();
    assert!(
        page.status == 403 && page.body.contains("This server has another address"),
        "{page:?}"
    );
    let token = "Authorization: Bearer open-sesame";
    let large = served.ask(
        "POST",
        "/api/start",
        &[BROWSER, token, "Content-Type: application/json"],
        &" ".repeat(20_000),
    );
    assert!(large.status == 413 && large.body.contains("The request is too large"), "{large:?}");
}
