//! Servers that need a login, and invalid addresses.

use super::harness::{Server, file, spar};
use std::process::Output;

const CONFIG: &str = "authorization { user: me, password: hush-hush }\n";

fn failure(output: &Output) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(!error.contains("hush"), "{error}");
    error
}

fn status(server: &Server) -> std::process::Command {
    spar(&["cluster", "status", "--json", "--cluster", &server.url()])
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_server_lets_in_who_has_the_password() {
    let server = Server::with_config(CONFIG);
    let error = failure(&status(&server).output().unwrap());
    assert!(error.contains("refuses the login") && error.contains("NATS_USER"), "{error}");
    let wrong = status(&server).env("NATS_USER", "me").env("NATS_PASSWORD", "hush").output();
    failure(&wrong.unwrap());
    let right = status(&server).env("NATS_USER", "me").env("NATS_PASSWORD", "hush-hush").output();
    assert!(right.unwrap().status.success());
    let folder = tempfile::tempdir().unwrap();
    let path = file(folder.path(), "nats.toml", "user = \"me\"\npassword = \"hush-hush\"\n");
    assert!(status(&server).arg("--credentials").arg(&path).output().unwrap().status.success());
    for command in ["tune --board 5x5", "match piece hand", "worker"] {
        let words: Vec<&str> = command.split(' ').collect();
        let runs = folder.path().join("runs");
        let mut command = spar(&words);
        command.args(["--cluster", &server.url(), "--runs"]).arg(&runs);
        let error = failure(&command.output().unwrap());
        assert!(error.contains("refuses the login"), "{error}");
        assert!(!runs.exists(), "a run was begun");
    }
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_key_and_a_token_open_too() {
    let server = Server::with_config("authorization { token: hush }\n");
    failure(&status(&server).output().unwrap());
    assert!(status(&server).env("NATS_TOKEN", "hush").output().unwrap().status.success());
    // A pair of keys made for this test; it opens nothing else.
    let public = "UAP5N76JYBZX7JZNECI4QUJ43HEWOGK4QZG7CL2LZOV35733D5IEETDE";
    let seed = "SUALDN5A2P4UVLNJM4VXU7NSCPQYJGCWHY2LJ7QY4YHDPT5X5PZUFAC7EI";
    let server =
        Server::with_config(&format!("authorization {{ users: [ {{ nkey: {public} }} ] }}\n"));
    failure(&status(&server).output().unwrap());
    let folder = tempfile::tempdir().unwrap();
    file(folder.path(), "me.nk", seed);
    let path = file(folder.path(), "nats.toml", "nkey = \"me.nk\"\n");
    let opened = status(&server).arg("--credentials").arg(&path).output().unwrap();
    assert!(opened.status.success(), "{}", String::from_utf8_lossy(&opened.stderr));
}

#[test]
#[ignore = "needs nats-server, which tests/run.sh installs"]
fn a_name_belongs_to_one_worker_at_a_time() {
    let server = Server::start();
    let mut first = server.worker("a");
    let _other = server.worker("b");
    let mut command = spar(&["worker", "--name", "a", "--threads", "1"]);
    let output = command.args(["--cluster", &server.url()]).output().unwrap();
    let error = failure(&output);
    assert!(error.contains("another worker has this name") && error.contains("--name"), "{error}");
    first.kill();
    server.worker("a");
}

#[test]
fn addresses_have_no_password_in_them() {
    let url = "nats://me:hush@127.0.0.1:4222";
    for command in [vec!["match", "piece", "hand"], vec!["worker"], vec!["cluster", "status"]] {
        let error = failure(&spar(&command).args(["--cluster", url]).output().unwrap());
        assert!(error.contains("has a user or a password in it"), "{error}");
    }
}

#[test]
fn without_a_server_nothing_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = spar(&["match", "piece", "hand", "--cluster", "nats://127.0.0.1:1"]);
    let output = command.arg("--runs").arg(folder.path()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("cannot connect") && error.contains("nats-server -js"), "{error}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
