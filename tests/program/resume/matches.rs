//! Matches and tournaments are runs: killed, stopped, out of disk, or with a player's file missing,
//! they give the result of an uninterrupted run.

use super::disk::limited;
use super::harness::{Run, Setup, Tune, spar, text};
use super::kills::kill_and_resume;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;
use tempfile::TempDir;

static MATCH: Setup = Setup::of_command(
    "match",
    "piece atachiants --board 5x5 --pairs 200 --nodes 400 --nodes-a 300 --seed 4",
);
/// The test ends the match in the middle of a batch; games of Ataxx may be drawn.
static TEST: Setup = Setup::of_command(
    "match",
    "piece hand --game ataxx --board 5x5 --sprt=-40,40 --nodes 300 --seed 3",
);
static TOURNAMENT: Setup = Setup::of_command(
    "tournament",
    "piece atachiants zhu --board 5x5 --pairs 70 --nodes 300 --seed 5",
);

#[test]
fn threads_change_nothing() {
    for setup in [&MATCH, &TEST, &TOURNAMENT] {
        Run::new(setup).must_finish_exactly(3);
    }
}

#[test]
fn kills_at_random_moments_change_nothing() {
    kill_and_resume(&MATCH, 6, 21);
    kill_and_resume(&TOURNAMENT, 6, 22);
}

#[test]
fn a_test_is_resumed_to_its_very_pair() {
    kill_and_resume(&TEST, 4, 23);
    let run = Run::finished(&TEST);
    let shown = json(&run.resume(1).output().unwrap());
    assert_eq!(shown["ended"], "verdict");
    assert_ne!(shown["games"].as_u64().unwrap() % 106, 0, "it ends with a whole batch by chance");
}

#[test]
fn an_interruption_saves_the_pairs_in_hand_and_says_how_to_go_on() {
    // How much of a batch is played within a wait depends on the machine and its load.
    let mut waits =
        [20, 60, 5, 150, 10, 400, 40, 800].map(Duration::from_millis).into_iter().cycle();
    const RUNS: usize = 12;
    let mut kept_aside = 0;
    for _ in 0..RUNS {
        let run = Run::new(&MATCH);
        while !run.has_result() {
            kept_aside += usize::from(interrupt_within_a_batch(&run, waits.next().unwrap()));
        }
        assert!(!run.file("unfinished.json").exists());
        run.must_finish_exactly(1);
        if kept_aside > 0 {
            return;
        }
    }
    panic!("every interruption came at the end of a batch");
}

/// Resumes the run, and presses Ctrl-C a while after the next batch is kept. Returns whether
/// unfinished pairs were kept.
fn interrupt_within_a_batch(run: &Run, wait: Duration) -> bool {
    let before = run.lines();
    let mut session = Tune::start(run.go_on(2));
    session.wait_until(|| run.lines() > before);
    session.wait_for(wait);
    session.press_ctrl_c();
    let (status, said) = session.end();
    run.check_journal();
    let stopped = status.code() == Some(3);
    assert!(run.has_result() || stopped, "{said}");
    if stopped {
        assert!(said.contains(&format!("spar resume {}", run.path().display())), "{said}");
        assert!(said.contains("stopped early, after "), "{said}");
    }
    stopped && run.file("unfinished.json").exists()
}

#[test]
fn a_player_whose_file_is_gone_still_plays() {
    let temp = TempDir::new().unwrap();
    let file = temp.path().join("mine.json");
    let mut set = sparring::weights::find("atachiants", "breakthrough").unwrap();
    set.set_one("piece", 1234).unwrap();
    set.save(&file).unwrap();
    let begin = |run: &Path| {
        let mut command = spar();
        command.arg("match").arg(&file).args(["piece", "--board", "5x5", "--pairs", "130"]);
        command.args(["--nodes", "300", "--json", "--threads", "1", "--run"]).arg(run);
        command
    };
    let whole = json(&begin(&temp.path().join("whole")).output().unwrap());
    let run = temp.path().join("run");
    let mut session = Tune::start(begin(&run));
    session.wait_until(|| run.join("journal.jsonl").metadata().is_ok_and(|found| found.len() > 0));
    assert!(session.kill(), "it ended before it was killed");
    fs::write(&file, "changed").unwrap();
    let resumed = json(&spar().arg("resume").arg(&run).arg("--json").output().unwrap());
    assert_eq!(without_place(resumed), without_place(whole));
    let kept = run.join("player-1.json");
    let good = fs::read_to_string(&kept).unwrap();
    fs::write(&kept, good.replacen("1234", "1235", 1)).unwrap();
    for command in ["resume", "report"] {
        let output = spar().arg(command).arg(&run).output().unwrap();
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("player-1.json"), "{said}");
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let run = Run::new(&MATCH);
    let mut full = 0;
    for blocks in (0..).step_by(6) {
        let before = run.lines();
        let output = limited(&run.go_on(2), blocks);
        run.check_journal();
        assert!(run.lines() >= before, "a line that was written is gone");
        if output.status.success() {
            break;
        }
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(run.lines() == 0 || said.contains("spar resume"), "{said}");
        full += 1;
    }
    assert!(full > 2, "the disk was full {full} times only");
    run.must_finish_exactly(1);
}

#[test]
fn a_full_disk_for_saved_games_leaves_the_result() {
    let temp = TempDir::new().unwrap();
    let (run, save) = (temp.path().join("run"), temp.path().join("games.jsonl"));
    let mut command = spar();
    command.args("match piece atachiants --board 5x5 --pairs 200 --nodes 100 --run".split(' '));
    command.arg(&run).arg("--save").arg(&save);
    let output = limited(&command, 60);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("games.jsonl") && text(&output.stdout).contains("Elo"), "{said}");
    assert!(spar().arg("resume").arg(&run).output().unwrap().status.success());
}

#[test]
fn nothing_is_kept_where_nothing_can_be_or_shall_be() {
    let temp = TempDir::new().unwrap();
    let plain = || {
        let mut command = spar();
        command.args("match piece zhu --board 5x5 --pairs 2 --nodes 20 --json".split(' '));
        command.current_dir(&temp);
        command
    };
    let kept = json(&plain().output().unwrap());
    assert!(temp.path().join(kept["run"].as_str().unwrap()).is_dir());
    let not_kept = plain().arg("--no-run").output().unwrap();
    let read_only = plain().args(["--runs", "/sys/sparring"]).output().unwrap();
    assert!(text(&read_only.stderr).contains("nothing is saved"), "{}", text(&read_only.stderr));
    for output in [not_kept, read_only] {
        let document = json(&output);
        assert!(document["run"].is_null());
        assert_eq!(without_place(document), without_place(kept.clone()));
    }
    assert_eq!(fs::read_dir(temp.path().join("runs")).unwrap().count(), 1);
}

#[test]
fn matches_are_reported_and_listed_and_their_games_shown() {
    for (setup, rows) in [(&MATCH, 3), (&TOURNAMENT, 4)] {
        let run = Run::finished(setup);
        let of = |words: &[&str]| {
            let output = spar().args(words).arg(run.path()).output().unwrap();
            assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
            text(&output.stdout)
        };
        assert!(of(&["report"]).contains("report.html"));
        let page = fs::read_to_string(run.file("report.html")).unwrap();
        assert!(page.contains("piece") && page.contains("spar show"), "{page}");
        assert!(of(&["report", "--csv"]).lines().count() >= rows);
        assert!(of(&["show"]).lines().count() > 100);
        let mut list = spar();
        list.args(["runs", "--json", "--runs"]).arg(run.path().parent().unwrap());
        let list = json(&list.output().unwrap());
        assert_eq!(list["runs"][0]["state"], "done", "{list}");
    }
}

#[test]
fn games_that_the_journal_does_not_count_are_not_shown() {
    let run = Run::finished(&MATCH);
    let of = |words: &str| {
        let output = spar().args(words.split(' ')).arg(run.path()).output().unwrap();
        assert!(output.status.success(), "{words}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let words = ["show", "show --json", "export --games csv", "export --games jsonl"];
    let before = words.map(of);
    let file = run.file("games.jsonl.zst");
    let games = fs::read(&file).unwrap();
    let journal = fs::read_to_string(run.file("journal.jsonl")).unwrap();
    let line: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    let batch = &games[..line["games_bytes"].as_u64().unwrap() as usize];
    // As if the program had been killed between the games of a batch and its line.
    fs::write(&file, [&games[..], batch].concat()).unwrap();
    assert!(words.map(of) == before);
    let output = spar().args(["show", "--game", "401"]).arg(run.path()).output().unwrap();
    assert!(text(&output.stderr).contains("from 1 to 400"), "{}", text(&output.stderr));
}

#[test]
fn a_page_is_written_at_the_end_and_at_an_interruption() {
    for setup in [&MATCH, &TOURNAMENT] {
        let run = Run::new(setup);
        let mut session = Tune::start(run.tune(2));
        session.wait_until(|| run.lines() > 1);
        session.press_ctrl_c();
        let (status, said) = session.end();
        if status.code() == Some(3) {
            let early = fs::read_to_string(run.file("report.html")).unwrap_or(said);
            assert!(early.contains("spar resume"), "{early}");
        }
        let output = run.go_on(2).output().unwrap();
        let shown = json(&output);
        assert_eq!(shown["report"], run.file("report.html").to_str().unwrap());
        let page = fs::read(run.file("report.html")).unwrap();
        let reported = spar().arg("report").arg(run.path()).output().unwrap();
        assert!(reported.status.success());
        assert!(fs::read(run.file("report.html")).unwrap() == page, "`spar report` differs");
        run.must_finish_exactly(1);
    }
}

#[test]
fn players_are_called_as_the_user_calls_them() {
    let temp = TempDir::new().unwrap();
    let run = temp.path().join("run");
    let mut command = spar();
    command.args("match piece atachiants --board 5x5 --pairs 40 --nodes 300 --name-a".split(' '));
    command.args(["the count", "--name-b=-x-", "--json", "--threads", "1", "--run"]).arg(&run);
    let mut session = Tune::start(command);
    session.wait_until(|| run.join("journal.jsonl").metadata().is_ok_and(|found| found.len() > 0));
    session.press_ctrl_c();
    session.end();
    let shown = json(&spar().arg("resume").arg(&run).arg("--json").output().unwrap());
    let names =
        |shown: &Value| [shown["players"][0]["name"].clone(), shown["players"][1]["name"].clone()];
    assert_eq!(names(&shown), ["the count", "-x-"]);
    let games = text(&spar().arg("show").arg(&run).output().unwrap().stdout);
    assert!(games.contains("the count - -x-") && games.contains("-x- - the count"), "{games}");
    let page = fs::read_to_string(run.join("report.html")).unwrap();
    assert!(page.contains("the count"), "{page}");
    let again = page.split("spar match ").nth(1).unwrap().split('<').next().unwrap();
    let again = again.replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
    let words = shlex::split(&again).unwrap();
    let again = spar().arg("match").args(words).args(["--json", "--no-run"]).output().unwrap();
    let again = json(&again);
    assert_eq!((names(&again), &again["pairs"]), (names(&shown), &shown["pairs"]));
    for bad in [["--name-a", "x", "--name-b", "x"], ["--name-a", "a\u{7}", "--name-b", "x"]] {
        let output = spar().args("match piece zhu --no-run".split(' ')).args(bad).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
    }
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A document without the parts that depend on place and time.
fn without_place(mut document: Value) -> Value {
    let fields = document.as_object_mut().unwrap();
    for key in ["run", "report", "seconds"] {
        fields.remove(key);
    }
    document
}
