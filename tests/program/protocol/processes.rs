//! Engine processes start late, serve many games, and are gone when the program is.

use super::support::{document, engine, spar, stderr};
use std::path::Path;

/// The process ids in a log.
fn started(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_suffix(" start")).map(str::to_owned).collect()
}

#[test]
fn a_process_serves_many_games_and_quits() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let more = "--pairs 3 --nodes 50 --threads 1 --json";
    document(&spar("match", &["zhu", &engine("good", Some(&log))], more).output().unwrap());
    let text = std::fs::read_to_string(&log).unwrap();
    assert_eq!(started(&log).len(), 1, "{text}");
    assert!(text.ends_with(" end\n"), "{text}");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// The longest wait for anything, even on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn signal(name: &str, id: &str) -> bool {
        let sent = Command::new("kill").args([name, id]).stderr(Stdio::null()).status();
        sent.unwrap().success()
    }

    /// Whether a process runs; a zombie does not.
    fn is_running(id: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        signal("-0", id) && !stat.contains(") Z ")
    }

    fn assert_gone(log: &Path) {
        // Remains of an engine are killed before the program ends, but die in their own time.
        let begun = Instant::now();
        while started(log).iter().any(|id| is_running(id)) {
            assert!(begun.elapsed() < Duration::from_secs(5), "a process is still there");
            sleep(Duration::from_millis(20));
        }
    }

    fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !done() {
            assert!(begun.elapsed() < PATIENCE, "{what}");
            sleep(Duration::from_millis(20));
        }
    }

    /// Starts an endless match against an engine of this kind.
    fn start(kind: &str, log: &Path, more: &str) -> Child {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("spar"));
        command.args(["match", "zhu", &engine(kind, Some(log)), "--pairs", "1M", "--nodes", "50"]);
        command.args(more.split_whitespace()).arg("--no-run");
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// An endless match that is in the middle of a game.
    fn endless(kind: &str, log: &Path) -> Child {
        let child = start(kind, log, "--threads 2");
        wait_for("no move", || {
            std::fs::read_to_string(log).is_ok_and(|text| text.contains("go nodes"))
        });
        child
    }

    #[test]
    fn an_engine_that_ignores_quit_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let more = "--pairs 2 --nodes 50 --threads 2 --json";
        document(&spar("match", &["zhu", &engine("stubborn", Some(&log))], more).output().unwrap());
        assert!(!started(&log).is_empty());
        assert_gone(&log);
    }

    #[test]
    fn what_an_engine_leaves_behind_is_ended_too() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let inner = engine("stubborn", Some(&log));
        let player = format!("cmd:sh -c \"{}; true\"", inner.strip_prefix("cmd:").unwrap());
        document(
            &spar("match", &["zhu", &player], "--pairs 1 --nodes 50 --json").output().unwrap(),
        );
        assert_gone(&log);
    }

    #[test]
    fn an_error_leaves_no_engine_behind() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let players = [&engine("stubborn", Some(&log)), "cmd:/no/such/engine"];
        let output = spar("match", &players, "--pairs 1").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert_eq!(started(&log).len(), 1);
        assert_gone(&log);
    }

    /// Waits for the end of a command, which must have been interrupted.
    fn must_stop(child: &mut Child, log: &Path) {
        let mut status = None;
        wait_for("the command continues", || {
            status = child.try_wait().unwrap();
            status.is_some()
        });
        assert_eq!(status.unwrap().code(), Some(3));
        assert_gone(log);
    }

    #[test]
    fn an_engine_that_hangs_is_given_up_after_one_signal() {
        let folder = tempfile::tempdir().unwrap();
        let log = |name: &str| folder.path().join(name);
        let player = engine("hang", Some(&log("tune")));
        let mut tune = Command::new(assert_cmd::cargo::cargo_bin!("spar"));
        tune.args(["tune", "--method", "spsa", "--games", "1M", "--nodes", "50", "--threads", "2"])
            .args(["--opponent", &player, "--run"])
            .arg(folder.path().join("run"));
        tune.env("XDG_STATE_HOME", folder.path());
        let tune = tune.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut children = [(endless("hang", &log("match")), log("match")), (tune, log("tune"))];
        for (child, log) in &mut children {
            wait_for("no move", || {
                std::fs::read_to_string(&log).is_ok_and(|text| text.contains("go nodes"))
            });
            // The engine process never sends its second move.
            sleep(Duration::from_millis(500));
            signal("-TERM", &child.id().to_string());
        }
        let begun = Instant::now();
        for (child, log) in &mut children {
            must_stop(child, log);
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    }

    #[test]
    fn no_pair_begins_after_a_signal() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let games = || std::fs::read_to_string(&log).unwrap().matches("ucinewgame").count();
        // Games that take longer than a signal.
        let mut child = start("good", &log, "--movetime-a 10 --threads 1");
        wait_for("no game", || log.exists() && games() >= 3);
        let before = games();
        signal("-INT", &child.id().to_string());
        must_stop(&mut child, &log);
        // The second game of the pair, and one game that began before the signal arrived.
        assert!(games() <= before + 2, "{} games began", games() - before);
    }

    #[test]
    fn an_engine_ends_with_a_program_that_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let mut child = endless("hang", &log);
        sleep(Duration::from_millis(300));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_gone(&log);
    }

    #[test]
    fn nobody_forfeits_by_two_signals() {
        for pause in 0..6 {
            let folder = tempfile::tempdir().unwrap();
            let run = folder.path().join("run");
            let program = assert_cmd::cargo::cargo_bin!("spar");
            let mut command = Command::new(program);
            command.args("match piece --pairs 3000 --nodes 300 --threads 2 --run".split(' '));
            command.arg(&run).arg(format!("cmd:'{}' uci", program.display()));
            command.env("XDG_STATE_HOME", folder.path());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            wait_for("no game", || {
                std::fs::read(run.join("journal.jsonl")).is_ok_and(|text| text.len() > 500)
            });
            for _ in 0..2 {
                signal("-INT", &child.id().to_string());
                sleep(Duration::from_millis(3 * pause));
            }
            child.wait().unwrap();
            let mut export = Command::new(program);
            let games = export.arg("export").arg(&run).args(["--games", "csv"]).output().unwrap();
            let games = String::from_utf8(games.stdout).unwrap();
            assert!(!games.contains(",forfeit,") && games.lines().count() > 1, "{games}");
        }
    }

    #[test]
    fn ctrl_c_ends_the_engines() {
        for (kind, times) in [("good", 1), ("hang", 2)] {
            let folder = tempfile::tempdir().unwrap();
            let log = folder.path().join("log");
            let mut child = endless(kind, &log);
            for _ in 0..times {
                signal("-INT", &child.id().to_string());
                sleep(Duration::from_millis(300));
            }
            let mut status = None;
            wait_for("the match continues", || {
                status = child.try_wait().unwrap();
                status.is_some()
            });
            assert_eq!(status.unwrap().code(), Some(3), "{kind}");
            assert_gone(&log);
        }
    }
}
