//! The documents of commands, checked against the schemas in `docs/schemas`.

use super::support::{file, json, refusal, run, spar, stderr, stdout, text};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn schema(name: &str) -> jsonschema::Validator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

pub(crate) fn must_fit(name: &str, document: &Value) {
    let schema = schema(name);
    let errors: Vec<String> = schema
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:?} in {document:#}");
}

#[test]
fn documents_fit_their_schemas() {
    for (name, arguments) in [
        ("analyze", "analyze --depth 3"),
        ("bench", "bench --depth 3"),
        ("bench-together", "bench --depth 3 --together --threads 2"),
        ("candidates", "candidates players"),
        ("completions", "completions bash"),
        ("config", "config"),
        ("features", "features --weights 8x8"),
        ("man", "man"),
        ("perft", "perft --depth 2 --divide"),
        ("runs", "runs"),
        ("solve", "solve --board 3x5 --memory 1M"),
        ("stats", "stats --pairs 3,4,6,6,7 --sprt 0,10"),
        ("weights-check", "weights check spsa"),
        ("weights-diff", "weights diff hand spsa"),
        ("weights-list", "weights list"),
    ] {
        let document = json(arguments);
        assert_eq!(document["version"], 1, "{arguments}");
        must_fit(name, &document);
    }
}

#[test]
fn runs_of_every_kind_fit_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().display();
    let in_runs = |arguments: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_spar"))
            .args(["--runs", &runs.to_string(), "--json"])
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let limits = "--board 5x5 --nodes 20 --threads 1";
    for (name, arguments) in [
        ("match", format!("match zhu piece --pairs 3 {limits} --sprt 0,10 --name-a mine")),
        ("tournament", format!("tournament zhu piece mobility --pairs 2 {limits}")),
    ] {
        must_fit(name, &in_runs(&arguments));
        must_fit(name, &in_runs("report last"));
        must_fit("runs-show", &in_runs("runs show last"));
        let run = in_runs("runs show last")["path"].as_str().unwrap().to_owned();
        let read = |file: &str| std::fs::read_to_string(Path::new(&run).join(file)).unwrap();
        must_fit("manifest-tournament", &serde_json::from_str(&read("manifest.json")).unwrap());
        for line in read("journal.jsonl").lines() {
            must_fit("journal", &serde_json::from_str(line).unwrap());
        }
    }
    let tune =
        "tune --method spsa --start atachiants --games 60 --validation-pairs 4 --yardstick-pairs 1";
    in_runs(&format!("{tune} {limits}"));
    must_fit("runs-show", &in_runs("runs show last"));
    must_fit("runs-compare", &in_runs("runs compare last match"));
    must_fit("report-comparison", &in_runs("report spsa match"));
    must_fit("runs-removed", &in_runs("runs prune --keep 1 --yes"));
    let set = folder.path().join("new.json");
    must_fit("weights-new", &in_runs(&format!("weights new mine -o {} --from zhu", set.display())));
}

#[test]
fn manifests_of_every_method_fit_their_schema() {
    let folder = tempfile::tempdir().unwrap();
    let limits = "--board 5x5 --nodes 20 --threads 1 --validation-pairs 2 --yardstick-pairs 1";
    let engine = format!("cmd:{} uci", env!("CARGO_BIN_EXE_spar"));
    let against = ["--opponent", &engine, "--opponent-nodes", "20"];
    for (name, arguments, more) in [
        ("joined", "--games 160 --fit-games 80 --batch 10", &[][..]),
        ("spsa", "--method spsa --games 60 --constrain piece>=tempo --quick-share 0.5", &against),
        ("search", "--method spsa --target search --games 60", &[]),
        ("logistic", "--method logistic --games 400 --rounds 1 --round-pairs 2 --only piece", &[]),
    ] {
        let run = folder.path().join(name);
        let mut command = spar(&format!("tune {arguments} {limits} --run {}", run.display()));
        let output = command.args(more).output().unwrap();
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let manifest = std::fs::read_to_string(run.join("manifest.json")).unwrap();
        must_fit("manifest-tune", &serde_json::from_str(&manifest).unwrap());
        for line in std::fs::read_to_string(run.join("journal.jsonl")).unwrap().lines() {
            must_fit("journal", &serde_json::from_str(line).unwrap());
        }
    }
}

#[test]
fn a_game_that_was_played_fits_its_schema() {
    let played = |input: &str| {
        let output =
            spar("play --board 5x5 --nodes 20 --json").write_stdin(input).output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    for input in ["", "resign\n"] {
        must_fit("play", &played(input));
    }
    assert_eq!(played("resign\n")["ending"], "resignation");
}

#[test]
fn matches_are_told_batch_by_batch() {
    let limits = "--board 5x5 --nodes 2000 --pairs 10 --threads 2 --json-events";
    for (arguments, batches) in [("match zhu piece", 2), ("tournament zhu piece mobility", 6)] {
        let told = text(&format!("{arguments} {limits}"));
        let events: Vec<Value> =
            told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let schema = schema("event");
        assert!(events.iter().all(|event| schema.is_valid(event)), "{told}");
        let batch: Vec<&Value> = events.iter().filter(|event| event["event"] == "batch").collect();
        assert_eq!(batch.len(), batches, "{told}");
        let games: Vec<u64> = batch.iter().map(|batch| batch["games"].as_u64().unwrap()).collect();
        assert!(games.is_sorted() && games.last() == Some(&(10 * batches as u64)), "{games:?}");
        assert!(batch.iter().all(|batch| batch["stage"] == "match"), "{told}");
        let players = |at: usize| batch[at]["players"].clone();
        assert_eq!(players(0), serde_json::json!(["breakthrough/zhu", "breakthrough/piece"]));
        let last = serde_json::json!(["breakthrough/piece", "breakthrough/mobility"]);
        assert!(batches == 2 || players(5) == last, "{told}");
    }
}

#[test]
fn failures_are_documents_too() {
    for (arguments, code, place) in [
        ("features --weights no/such/file.json --json", 2, "no/such/file.json"),
        ("match zhu --json", 2, "command line"),
        ("analyze --dept 3 --json", 2, "command line"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        must_fit("error", &document);
        assert_eq!(document["error"]["exit_code"], code);
        assert!(document["error"]["place"].as_str().unwrap().contains(place), "{document:#}");
    }
}

#[test]
fn a_run_is_told_event_by_event_and_its_files_fit() {
    let (folder, games) = file("games.pos");
    let directory = folder.path().join("run");
    let arguments = format!(
        "tune --method spsa --board 5x5 --start atachiants --games 100 --nodes 20 --validation-pairs 8 \
         --yardstick-pairs 2 --threads 2 --run {} --json-events",
        directory.display()
    );
    let told = text(&arguments);
    let events: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let schema = schema("event");
    for event in &events {
        assert!(schema.is_valid(event), "{event:#}");
    }
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[1], kinds[kinds.len() - 1]), ("begin", "run", "result"));
    assert!(kinds.contains(&"progress") && kinds.contains(&"batch"), "{kinds:?}");
    let batch = events.iter().find(|event| event["event"] == "batch").unwrap();
    assert_eq!(
        batch["knobs"].as_array().unwrap().len(),
        events[1]["knobs"].as_array().unwrap().len()
    );
    must_fit("tune", &events[events.len() - 1]["document"]);
    let named = directory.display();
    must_fit("report", &json(&format!("report {named}")));
    must_fit("show", &json(&format!("show {named}")));
    must_fit("show-game", &json(&format!("show {named} --game 1")));
    must_fit(
        "export-history",
        &serde_json::from_str(&text(&format!("export {named} --history json"))).unwrap(),
    );
    let out = folder.path().join("games.csv");
    must_fit("export", &json(&format!("export {named} --games csv -o {}", out.display())));
    let journal = std::fs::read_to_string(directory.join("journal.jsonl")).unwrap();
    for line in journal.lines() {
        must_fit("journal", &serde_json::from_str(line).unwrap());
    }
    let fitted = folder.path().join("fitted.json");
    must_fit(
        "generate",
        &json(&format!("generate {} --board 5x5 --games 300 --nodes 60", games.display())),
    );
    must_fit(
        "fit",
        &json(&format!(
            "fit {} --board 5x5 --penalties 1 -o {}",
            games.display(),
            fitted.display()
        )),
    );
}

#[test]
fn the_page_to_play_on_is_written_whole_or_refused() {
    let (folder, own) = file("mine.json");
    text(&format!("weights new mine --from breakthrough/hand -o {}", own.display()));
    let page = folder.path().join("page");
    let missing = format!("export web {} --with {}", page.display(), page.display());
    refusal(spar(&missing));
    assert!(!page.exists(), "nothing is written before all sets are read");
    let written = json(&format!("export web {} --with {}", page.display(), own.display()));
    must_fit("export-web", &written);
    let files = written["files"].as_array().unwrap();
    let size = |file: &Value| page.join(file.as_str().unwrap()).metadata().unwrap().len();
    assert_eq!(written["bytes"], files.iter().map(size).sum::<u64>());
    let read = |name: &str| std::fs::read_to_string(page.join(name)).unwrap();
    assert!(read("index.html").contains("\"assets/web/main.js\""));
    let sets: Value = serde_json::from_str(&read("assets/engine/sets/index.json")).unwrap();
    assert_eq!((&sets[0]["name"], &sets[0]["fits"]), (&Value::from("own/mine"), &Value::Null));
    let place = |file: &Value| page.join("assets/engine/sets").join(file.as_str().unwrap());
    for set in sets.as_array().unwrap() {
        let bytes = std::fs::read(place(&set["file"])).unwrap();
        let mut size = bytes.len() as u64;
        if set["file"].as_str().unwrap().ends_with(".pack") {
            let head: Value = serde_json::from_slice(&bytes).unwrap();
            let parts = [&head["cells"], &head["hidden_weights"]].into_iter();
            size += parts
                .filter(|part| part.is_string())
                .map(|part| place(part).metadata().unwrap().len())
                .sum::<u64>();
        }
        assert_eq!(set["bytes"], size, "{set}");
    }
    assert!(written["bytes"].as_u64() < Some(5_500_000), "{}", written["bytes"]);
    let again = format!("export web {}", page.display());
    assert!(refusal(spar(&again)).contains("is not empty; name another one, or give --force"));
    json(&format!("{again} --force"));
}

#[test]
fn a_page_has_the_games_that_are_wanted() {
    let (folder, own) = file("mine.json");
    text(&format!("weights new mine --from breakthrough/hand -o {}", own.display()));
    let page = folder.path().join("page");
    let names = |arguments: &str| -> Vec<String> {
        text(&format!("export web {} --force {arguments}", page.display()));
        let sets = std::fs::read(page.join("assets/engine/sets/index.json")).unwrap();
        let sets: Vec<Value> = serde_json::from_slice(&sets).unwrap();
        sets.iter().map(|set| set["name"].as_str().unwrap().to_owned()).collect()
    };
    let of_6x6 = names("--only breakthrough/6x6");
    assert!(of_6x6.iter().all(|name| name.starts_with("breakthrough/")), "{of_6x6:?}");
    let has = |name: &str| of_6x6.iter().any(|known| known == name);
    assert!(has("breakthrough/6x6-network") && has("breakthrough/spsa"), "{of_6x6:?}");
    assert!(!has("breakthrough/8x8"), "{of_6x6:?}");
    let index = std::fs::read_to_string(page.join("index.html")).unwrap();
    assert!(index.contains("data-only=\"breakthrough/6x6\""), "{index}");
    let both = names(&format!("--only ataxx --only breakthrough/5x5 --with {}", own.display()));
    assert_eq!(both[0], "own/mine");
    assert!(both.iter().any(|name| name == "ataxx/7x7-network"), "{both:?}");
    let export = format!("export web {} --force", page.display());
    let book = folder.path().join("mine.book.json");
    let build = "book build --board 5x5 --nodes 50 --positions 20 --threads 1 -q -o";
    text(&format!("{build} {}", book.display()));
    text(&format!("{export} --book {} --book breakthrough/8x8", book.display()));
    let books = std::fs::read(page.join("assets/books/index.json")).unwrap();
    let books: Value = serde_json::from_slice(&books).unwrap();
    let [mine, other] = [&books[0], &books[1]];
    assert_eq!((&mine["title"], &mine["board"]), (&"mine.book".into(), &"5x5".into()));
    assert_eq!(other["board"], "8x8", "a shipped one by another name");
    assert!(page.join("assets/books").join(mine["file"].as_str().unwrap()).is_file());
    for (arguments, reason) in [
        (
            &*format!("--only ataxx --book {}", book.display()),
            "--only leaves breakthrough on 5x5 out",
        ),
        (&*format!("--book {}", own.display()), "book"),
        ("--only breaktrough", "the page does not play it; did you mean `breakthrough`?"),
        ("--only breakthrough/3x1", "board"),
        ("--only chess", "the page does not play it; it plays: breakthrough"),
        (&format!("--only ataxx --with {}", own.display()), "set `own/mine`: --only leaves"),
    ] {
        let error = refusal(spar(&format!("{export} {arguments}")));
        assert!(error.contains(reason), "{arguments}: {error}");
    }
}

#[test]
fn games_are_exported_in_every_form() {
    let (folder, games) = file("games.jsonl");
    let saved = spar(&format!(
        "match zhu piece --board 5x5 --pairs 2 --nodes 20 --threads 1 --save {}",
        games.display()
    ))
    .current_dir(folder.path())
    .output()
    .unwrap();
    assert!(saved.status.success());
    let export = |format: &str| text(&format!("export {} --games {format}", games.display()));
    assert_eq!(export("jsonl"), std::fs::read_to_string(&games).unwrap());
    assert_eq!(export("csv").lines().count(), 5);
    let blocks = export("pgn-like");
    assert_eq!(blocks.matches("[Event ").count(), 4);
    assert!(
        blocks.contains("[White \"breakthrough/zhu\"]") && blocks.contains("{book}"),
        "{blocks}"
    );
    let twice = format!("export {} --games csv -o {}", games.display(), games.display());
    assert_eq!(run(&twice).status.code(), Some(2), "a file that exists is kept");
}

#[cfg(unix)]
#[test]
fn an_export_is_a_file_like_any_other() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, games) = file("games.jsonl");
    std::fs::write(&games, "").unwrap();
    let [out, link] = ["out.csv", "link.csv"].map(|name| folder.path().join(name));
    // The file that a killed export leaves behind.
    let torn = folder.path().join(format!(".sparring-{:08x}-abc.tmp", crc32fast::hash(b"out.csv")));
    std::fs::write(&torn, "half").unwrap();
    text(&format!("export {} --games csv -o {}", games.display(), out.display()));
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode();
    assert_eq!(mode(&out), mode(&games));
    assert!(!torn.exists());
    symlink(&out, &link).unwrap();
    std::fs::write(&out, "").unwrap();
    text(&format!("export {} --games csv -o {} --force", games.display(), link.display()));
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(!std::fs::read(&out).unwrap().is_empty());
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let onto = format!("export {} --games csv -o {} --force", games.display(), pipe.display());
    assert_eq!(run(&onto).status.code(), Some(2));
}

#[test]
fn the_examples_that_need_nothing_run() {
    for command in [
        "stats",
        "perft",
        "analyze",
        "features",
        "solve",
        "bench",
        "weights list",
        "weights diff",
        "weights check",
    ] {
        let help = text(&format!("{command} --help"));
        let examples =
            help.split("Examples:").nth(1).unwrap_or_else(|| panic!("{command}: {help}"));
        let mut any = false;
        for line in examples.lines().filter_map(|line| line.trim().strip_prefix("spar ")) {
            if line.contains(" runs") {
                continue;
            }
            any = true;
            let words = shlex::split(line).unwrap();
            let output = super::support::spar_with(words).output().unwrap();
            assert!(output.status.success(), "{line}: {}", stdout(&output));
        }
        assert!(any, "{command}");
    }
}
