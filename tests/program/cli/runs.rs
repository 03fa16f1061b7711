//! Runs by name: listed, shown, compared, removed, and used in place of weight sets and games.

use super::support::{document, refusal, spar_with, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A folder with two small finished tunes, which no test changes.
fn two_runs() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        (1..=2).for_each(|seed| tune(folder.path(), seed));
        folder
    });
    folder.path()
}

fn tune(folder: &Path, seed: u64) {
    let arguments = format!(
        "tune --method spsa --start atachiants --board 5x5 --games 200 --nodes 5 --validation-pairs 10 --seed {seed}"
    );
    let output = spar_in(folder, &arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// The program with a folder of runs and these arguments, split at spaces.
pub(super) fn spar_in(folder: &Path, arguments: &str) -> assert_cmd::Command {
    let folder = ["--runs", folder.to_str().unwrap()];
    spar_with(folder.into_iter().chain(arguments.split_whitespace()))
}

pub(super) fn json_in(folder: &Path, arguments: &str) -> Value {
    document(spar_in(folder, arguments).arg("--json"))
}

pub(super) fn text_in(folder: &Path, arguments: &str) -> String {
    let output = spar_in(folder, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn runs_are_listed_with_their_state_and_elo() {
    let list = json_in(two_runs(), "runs");
    let runs = list["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    for run in runs {
        assert!(["accepted", "rejected"].contains(&run["state"].as_str().unwrap()), "{run}");
        assert_eq!(run["accepted"], run["state"] == "accepted");
        assert_eq!([&run["game"], &run["board"], &run["method"]], ["breakthrough", "5x5", "spsa"]);
        assert_eq!((&run["planned_games"], &run["tune_games"]), (&200.into(), &200.into()));
        assert!(run["games"].as_u64().unwrap() >= 200 && run["bytes"].as_u64().unwrap() > 1000);
        assert!(run.get("elo").is_some() && run.get("elo_error").is_some());
        assert_eq!((&run["against"], &run["seconds_left"]), (&"the start".into(), &Value::Null));
    }
    assert!(runs[0]["run"].as_str() > runs[1]["run"].as_str(), "the latest is the first");
    let text = text_in(two_runs(), "runs");
    assert!(text.lines().count() == 3 && !text.contains("/200"), "{text}");
}

/// Every command that describes a run uses the same view of it.
#[test]
fn a_run_is_told_alike_by_every_command() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    tune(folder, 1);
    let [shown, reported] = ["runs show last", "report last"].map(|words| json_in(folder, words));
    let listed = &json_in(folder, "runs")["runs"][0];
    for key in ["elo", "elo_error", "accepted", "games", "game", "board", "method"] {
        let values = [&shown[key], &reported[key], &listed[key]];
        assert!(values.iter().all(|value| *value == values[0]), "{key}: {values:?}");
    }
    for key in ["state", "validation", "decision", "yardsticks", "knobs", "tune_games", "id"] {
        assert_eq!(shown["summary"][key], reported[key], "{key}");
    }
    assert_eq!((&shown["next"], &shown["path"]), (&reported["next"], &reported["run"]));
    // The page holds the same view, without the parts that are not on record.
    let page = std::fs::read_to_string(reported["report"].as_str().unwrap()).unwrap();
    let data = page.split("type=\"application/json\">").nth(1).unwrap();
    let data: Value = serde_json::from_str(data.split("</script>").next().unwrap()).unwrap();
    assert_eq!(data["summary"], shown["summary"]);
    assert_eq!((&data["workers"], &data["bytes"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_run_stands_for_its_weights_and_its_games() {
    // A match adds a run, and a resume locks one; other tests would see both.
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    (1..=2).for_each(|seed| tune(folder, seed));
    let shown = json_in(folder, "runs show last --points 5");
    let id = shown["id"].as_str().unwrap();
    assert_eq!(shown["summary"]["seed"], 2);
    assert!(shown["series"]["answers"]["games"].as_array().unwrap().len() <= 5);
    let set = json_in(folder, "weights show last");
    let of_id = json_in(folder, &format!("weights show {id}"));
    assert_eq!(set, of_id);
    if shown["accepted"] == true {
        assert_eq!(set["provenance"]["run"], id);
        assert_eq!(set["name"], id.replacen('-', "/", 1));
    }
    let played = json_in(folder, "match last spsa-1 --board 5x5 --pairs 2 --nodes 5");
    assert_eq!(played["games"], 4);
    let games = json_in(folder, "show spsa-1");
    assert!(games["games"].as_array().unwrap().len() >= 200);
    let features = json_in(folder, "features --weights last");
    assert!(features["score"].is_number());
    assert!(text_in(folder, "weights check last").contains("good"));
}

#[test]
fn a_finished_run_is_resumed_by_a_part_of_its_name() {
    // In a folder of its own: while it is resumed, lists show it as running.
    let folder = TempDir::new().unwrap();
    tune(folder.path(), 1);
    assert!(text_in(folder.path(), "resume spsa-1 --threads 1").contains("next"));
}

#[test]
fn a_file_of_a_run_stands_where_a_set_is_asked_for() {
    let temp = TempDir::new().unwrap();
    let folder = temp.path();
    // Without a validation the candidate cannot pass.
    let arguments = "tune --method spsa --start atachiants --board 5x5 --games 200 --a 1 --nodes 5 \
                     --validation-pairs 0 --yardstick-pairs 0 --seed 4";
    let output = spar_in(folder, arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let run = json_in(folder, "runs")["runs"][0]["run"].as_str().unwrap().to_owned();
    let run = Path::new(&run).file_name().unwrap().to_str().unwrap();
    let candidate = json_in(folder, "weights show last/candidate.json");
    let whole_path = folder.join(run).join("candidate.json");
    for named in [&format!("{run}/candidate.json"), "spsa-4/candidate.json"] {
        assert_eq!(json_in(folder, &format!("weights show {named}")), candidate, "{named}");
    }
    assert_ne!(candidate["weights"], json_in(folder, "weights show last")["weights"]);
    let played = json_in(folder, "match last/candidate.json piece --pairs 1 --nodes 5");
    assert_eq!((&played["board"], &played["games"]), (&"5x5".into(), &2.into()));
    let name = format!("{}:candidate", folder.join(run).display());
    assert_eq!(played["players"][0]["name"], name);
    assert!(text_in(folder, "weights check last/candidate.json").contains("good"));
    assert!(text_in(folder, "show last/games.jsonl.zst").contains("plus - minus"));
    let missing = refusal(spar_in(folder, "match last/nothing.json piece --pairs 1"));
    assert!(missing.contains(run) && missing.contains("has no such file"), "{missing}");
    let no_run = refusal(spar_in(folder, "match elsewhere/candidate.json piece --pairs 1"));
    assert!(no_run.contains("elsewhere/candidate.json: cannot"), "{no_run}");
    std::fs::rename(&whole_path, folder.join("moved.json")).unwrap();
    let hint = refusal(spar_in(folder, "match last/candidate.json piece --pairs 1"));
    assert!(hint.contains("its candidate.json is missing"), "{hint}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("moved.json"), &whole_path).unwrap();
        let link = refusal(spar_in(folder, "match last/candidate.json piece --pairs 1"));
        assert!(link.contains("symbolic link"), "{link}");
    }
}

#[test]
fn runs_stand_side_by_side() {
    let folder = two_runs();
    let compared = json_in(folder, "runs compare spsa-1 spsa-2");
    let runs = compared["runs"].as_array().unwrap();
    let names: Vec<&str> = runs.iter().map(|run| run["run"].as_str().unwrap()).collect();
    assert!(names[0].ends_with("-1") && names[1].ends_with("-2"), "{names:?}");
    let text = text_in(folder, "runs compare spsa-1 spsa-2");
    assert!(names.iter().all(|name| text.lines().next().unwrap().contains(name)), "{text}");
    let weight = runs[0]["summary"]["knobs"][0]["name"].as_str().unwrap();
    assert!(text.lines().any(|line| line.starts_with(weight)), "{text}");
    let same = folder.join(names[1]);
    let twice = refusal(spar_in(folder, &format!("runs compare last {}", same.display())));
    assert!(twice.contains("another argument names this run"), "{twice}");
    let page = folder.join("page.html");
    text_in(folder, &format!("report spsa-1 last -o {}", page.display()));
    let html = std::fs::read_to_string(page).unwrap();
    assert!(names.iter().all(|name| html.contains(name)));
    assert!(!html.contains("src=\"") && !html.contains("href=\"/"), "the page needs no other file");
    // A run's own page may be written anew.
    let own = folder.join(names[0]).join("report.html");
    text_in(folder, &format!("report spsa-1 -o {}", own.display()));
}

#[test]
fn what_names_no_run_is_refused_with_what_there_is() {
    let folder = two_runs();
    let several = refusal(spar_in(folder, "report breakthrough-spsa"));
    assert!(several.contains("fits several"), "{several}");
    let none = refusal(spar_in(folder, "resume"));
    assert!(none.contains("no run is stopped"), "{none}");
    let folder_named = refusal(spar_in(folder, &format!("report {}", folder.display())));
    assert!(folder_named.contains("name a run in it: "), "{folder_named}");
    let set = refusal(spar_in(folder, "match nosuchthing piece --pairs 1"));
    assert!(set.contains("no shipped weight set"), "{set}");
    let watched = refusal(spar_in(folder, "watch"));
    assert!(watched.contains("spar runs show"), "{watched}");
}

/// A closed terminal ends every command that draws on it or reads from it.
#[test]
#[cfg(unix)]
fn a_command_ends_with_its_terminal() {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/cli/hang_up.py");
    let runs = two_runs().to_str().unwrap();
    for command in ["watch last", "play --nodes 10"] {
        let mut driven = std::process::Command::new("python3");
        driven.arg(&driver).arg(assert_cmd::cargo::cargo_bin!("spar")).args(["--runs", runs]);
        let output = driven.args(command.split_whitespace()).output().unwrap();
        assert!(output.status.success(), "{command}: {}", stderr(&output));
    }
}

#[test]
fn a_folder_without_the_wanted_kind_of_run_says_which_runs_it_has() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // The helpers keep no run, this match does.
    let mut played = assert_cmd::cargo::cargo_bin_cmd!("spar");
    played.arg("--runs").arg(folder).args("match hand piece --nodes 5 --pairs 4".split(' '));
    assert_eq!(played.output().unwrap().status.code(), Some(0));
    for arguments in
        ["weights show last", "match last piece", "tune --start last", "match last:start piece"]
    {
        let said = refusal(spar_in(folder, arguments));
        assert!(said.contains("no run in this folder has a weight set"), "{arguments}: {said}");
        assert!(said.contains("-match-1 (match)"), "{arguments}: {said}");
    }
    let said = refusal(spar_in(folder, "fit last -o new.json"));
    assert!(said.contains("no run in this folder has positions"), "{said}");
    let said = refusal(spar_in(folder, "tune --from last"));
    assert!(said.contains("no run in this folder tunes an external engine"), "{said}");
    // The command that is advised works.
    let said = refusal(spar_in(folder, "export answer last"));
    let advised = said.split('`').nth(1).unwrap_or_default().strip_prefix("spar ");
    let games = text_in(folder, advised.unwrap_or_else(|| panic!("{said}")));
    assert!(games.contains("[Result "), "{games}");
}

#[test]
fn the_files_beside_the_runs_are_no_folders_of_sets() {
    let folder = TempDir::new().unwrap();
    let names = ["comparison.html", "queue.json", "queue.lock", "mine.json"];
    let [page, queue, lock, mine] = names.map(|name| folder.path().join(name));
    [&page, &queue, &lock, &mine].into_iter().for_each(|path| std::fs::write(path, "{}").unwrap());
    let list = |path: &Path| format!("weights list {}", path.display());
    [page, queue, lock].iter().for_each(|path| drop(text_in(folder.path(), &list(path))));
    let said = refusal(spar_in(folder.path(), &list(&mine)));
    assert!(said.contains("a file, not a folder"), "{said}");
}

#[test]
fn reports_of_runs_have_no_size_rather_than_none_of_it() {
    let names = json_in(two_runs(), "runs");
    let names = [0, 1].map(|place| names["runs"][place]["run"].as_str().unwrap().to_owned());
    let report = json_in(two_runs(), &format!("report {} {}", names[0], names[1]));
    assert!(report["runs"].as_array().unwrap().iter().all(|run| run["bytes"].is_null()));
    let compared = json_in(two_runs(), &format!("runs compare {} {}", names[0], names[1]));
    assert!(compared["runs"].as_array().unwrap().iter().all(|run| run["bytes"].is_u64()));
}

/// A label is a separate file: the journal does not mention it, and it is removed with the run.
#[test]
fn a_run_has_a_name_a_note_and_tags() {
    let folder = TempDir::new().unwrap();
    tune(folder.path(), 1);
    assert!(json_in(folder.path(), "runs")["runs"][0].get("label").is_none());
    let label = json_in(folder.path(), "runs label last");
    assert!(label["name"].is_null() && label.get("note").is_some(), "{label}");
    assert_eq!(label["tags"], serde_json::json!([]));
    json_in(folder.path(), "runs label last --name first --tag quick --tag small --tag quick");
    let label = json_in(folder.path(), "runs label last --note tried --untag small");
    assert_eq!((&label["name"], &label["note"]), (&"first".into(), &"tried".into()));
    for view in
        [&json_in(folder.path(), "runs")["runs"][0], &json_in(folder.path(), "runs show last")]
    {
        assert_eq!(view["label"]["name"], "first");
        assert_eq!(view["label"]["tags"], serde_json::json!(["quick"]));
    }
    assert!(text_in(folder.path(), "runs").contains("(first #quick)"));
    assert!(text_in(folder.path(), "runs show last").contains("tried"));
    for (wrong, reason) in [("--tag=", "not one word"), ("--name=a\u{7}b", "control character")] {
        let error = refusal(spar_in(folder.path(), &format!("runs label last {wrong}")));
        assert!(error.contains(reason), "{wrong}: {error}");
    }
    // An unreadable label counts as none, and the run stays as it was.
    let run = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    std::fs::write(run.join("label.json"), "damaged").unwrap();
    let line = &json_in(folder.path(), "runs")["runs"][0];
    assert!(line.get("label").is_none() && line["state"] != "damaged", "{line}");
    text_in(folder.path(), "runs rm last --yes");
    assert!(!run.exists());
}

#[test]
fn runs_are_removed_only_when_that_is_agreed_to() {
    let folder = TempDir::new().unwrap();
    (1..=3).for_each(|seed| tune(folder.path(), seed));
    let count = || json_in(folder.path(), "runs")["runs"].as_array().unwrap().len();
    let asked = refusal(spar_in(folder.path(), "runs rm last"));
    assert!(asked.contains("--yes") && count() == 3, "{asked}");
    let removed = json_in(folder.path(), "runs rm spsa-3 --yes");
    assert!(removed["bytes"].as_u64().unwrap() > 1000 && count() == 2, "{removed}");
    let kept = json_in(folder.path(), "runs prune --older-than 1d --yes");
    assert!(kept["removed"].as_array().unwrap().is_empty() && count() == 2);
    refusal(spar_in(folder.path(), "runs prune --yes"));
    json_in(folder.path(), "runs prune --keep 1 --yes");
    let left = json_in(folder.path(), "runs");
    assert_eq!(left["runs"].as_array().unwrap().len(), 1);
    assert!(left["runs"][0]["run"].as_str().unwrap().ends_with("spsa-2"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_whose_name_is_not_text_is_noted() {
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    tune(folder.path(), 3);
    let run = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let renamed = folder.path().join(std::ffi::OsStr::from_bytes(b"night\xff"));
    std::fs::rename(run, &renamed).unwrap();
    for arguments in ["runs", "runs --json"] {
        let output = spar_in(folder.path(), arguments).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("night") && said.contains("not UTF-8; rename"), "{said}");
    }
    // Its path still names it.
    let shown = spar_in(folder.path(), "report").arg(renamed).output().unwrap();
    assert!(shown.status.success(), "{}", stderr(&shown));
}

/// A list names the leader of a tournament, whose matches have several batches each.
#[test]
fn the_leader_of_a_tournament_is_listed() {
    let folder = TempDir::new().unwrap();
    // With an option in front it leaves its run in the folder.
    let command = "-q tournament piece zhu hand --game breakthrough --board 5x5 --nodes 10 --pairs 150 --seed 3";
    let played = json_in(folder.path(), command);
    let listed = &json_in(folder.path(), "runs")["runs"][0];
    let journal = Path::new(listed["path"].as_str().unwrap()).join("journal.jsonl");
    let journal = std::fs::read_to_string(journal).unwrap();
    assert!(journal.lines().count() > 3, "one batch for each match: {journal}");
    let elo = |player: &&Value| player["elo"].as_f64().unwrap();
    let players = played["players"].as_array().unwrap();
    let leader = players.iter().max_by(|a, b| elo(a).total_cmp(&elo(b))).unwrap();
    assert_eq!((&listed["leader"], &listed["elo"]), (&leader["name"], &leader["elo"]));
    assert_eq!(listed["against"], "the others");
    let leads = format!("{} leads", leader["name"].as_str().unwrap());
    assert!(text_in(folder.path(), "runs").contains(&leads), "{leads}");
    assert_eq!(json_in(two_runs(), "runs")["runs"][0]["leader"], Value::Null);
}
