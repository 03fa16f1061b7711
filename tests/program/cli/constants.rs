//! Constants of the search: tuned, kept in a file, and loaded again.

use super::support::{document, file, json, refusal, run, spar, stderr, text};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Tunes a constant that begins where it loses games, on a small board, in a folder.
fn tune(run: &Path, more: &str) -> Value {
    let arguments = "tune --target search --start spsa --only delta_margin --board 6x6 --games 800 --batch 10 --nodes 200 --seed 1 \
                     --threads 2 --json --run";
    document(spar(arguments).arg(run).args(more.split_whitespace()))
}

#[test]
fn a_tuned_file_is_loaded_by_every_command_that_searches() {
    let (_folder, path) = file("run");
    let found = tune(&path, "--search delta_margin=20");
    assert_eq!(
        (&found["accepted"], found["elo"].as_f64().is_some()),
        (&true.into(), true),
        "{found:#}"
    );
    let place = found["search"].as_str().unwrap();
    let set: Value = serde_json::from_str(&fs::read_to_string(place).unwrap()).unwrap();
    assert_eq!(set["search"], found["candidate"]["constants"]);
    assert_eq!(
        (&set["board"], &set["provenance"]["weights"]),
        (&"6x6".into(), &"breakthrough/spsa".into())
    );
    assert_eq!(set["provenance"]["elo"], found["elo"]);

    let margin = set["search"]["delta_margin"].as_i64().unwrap();
    assert!(margin > 20, "{margin}");
    let play = |arguments: &str| {
        json(&format!("match zhu zhu --board 6x6 --pairs 20 --nodes 100 {arguments}"))
    };
    let values = [format!("--search-a {place}"), format!("--search-a delta_margin={margin}")]
        .map(|text| play(&text));
    assert_eq!(values[0]["pairs"], values[1]["pairs"]);
    let nodes = |arguments: &str| {
        json(&format!("bench --board 6x6 --weights spsa --depth 6 {arguments}"))["nodes"].clone()
    };
    assert_eq!(
        nodes(&format!("--search {place}")),
        nodes(&format!("--search delta_margin={margin}"))
    );
    let usual = sparring::search::SearchConstants::default().delta_margin;
    assert_eq!(nodes(&format!("--search {place} --search delta_margin={usual}")), nodes(""));
    assert_ne!(nodes("--search null_base=1"), nodes(""));
    let found = json(&format!("analyze --board 6x6 --depth 5 --search {place}"));
    assert_eq!(found["depth"], 5);
    assert!(
        stderr(&run(&format!("analyze --depth 2 --search {place}")))
            .contains("was tuned on 6x6, and is used on 8x8")
    );
    let played = spar(&format!("play --board 6x6 --nodes 50 --search {place}"))
        .write_stdin("quit\n")
        .output()
        .unwrap();
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
}

#[test]
fn a_file_is_where_the_next_tune_begins() {
    let (folder, path) = file("run");
    let first = tune(&path, "--search delta_margin=20 --validation-pairs 0");
    assert_eq!(first["accepted"], false);
    let place = first["search"].as_str().unwrap();
    let start: Value = serde_json::from_str(&fs::read_to_string(place).unwrap()).unwrap();
    assert_eq!((&start["name"], &start["provenance"]), (&"breakthrough/spsa".into(), &Value::Null));
    let again = tune(&folder.path().join("again"), &format!("--search {place}"));
    let (one, two) = (&first["candidate"]["constants"], &again["candidate"]["constants"]);
    assert_eq!(one, two, "the same start, seed and games");
    // Weights can be tuned with changed constants.
    let weights = folder.path().join("weights");
    let arguments = format!(
        "tune --board 5x5 --games 100 --batch 5 --nodes 20 --json --search {place} --validation-pairs 4"
    );
    let tuned = document(spar(&arguments).arg("--run").arg(&weights));
    let constants = |place: &Value| {
        let text = fs::read_to_string(place.as_str().unwrap()).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["search"].clone()
    };
    assert_eq!(constants(&tuned["search"]), start["search"]);
    assert_eq!(constants(&tuned["weights"]), start["search"]);
    assert!(tuned["candidate"]["weights"].is_object());
}

#[test]
fn the_record_of_a_game_tells_the_constants_of_both_sides() {
    let (_folder, path) = file("games.jsonl");
    let save = path.display();
    text(&format!(
        "match zhu zhu --board 5x5 --pairs 1 --nodes 20 --search-b null_base=1 --save {save}"
    ));
    let games = fs::read_to_string(&path).unwrap();
    let of = |line: usize, side: usize| {
        let game: Value = serde_json::from_str(games.lines().nth(line).unwrap()).unwrap();
        game["constants"][side]["null_base"].as_i64().unwrap()
    };
    assert_eq!([of(0, 0), of(0, 1), of(1, 0), of(1, 1)], [3, 1, 1, 3]);
    text(&format!("match zhu zhu --board 5x5 --pairs 1 --nodes 20 --force --save {save}"));
    assert!(!fs::read_to_string(&path).unwrap().contains("constants"));
}

#[test]
fn bad_files_are_refused_with_their_place() {
    let (folder, path) = file("run");
    let good = fs::read_to_string(tune(&path, "--validation-pairs 0")["search"].as_str().unwrap())
        .unwrap();
    let (bad, place) =
        (folder.path().join("bad.json"), folder.path().join("bad.json").display().to_string());
    let cases = [
        (good.replace("razor_depth", "razor_dept"), "did you mean `razor_depth`?"),
        (good.replace("    \"razor_depth\": 2,\n", ""), "add `\"razor_depth\": 2`, its default"),
        (good.replace("\"razor_depth\": 2", "\"razor_depth\": 99"), "give 0 to 10 (default 2)"),
        (
            good.replace("\"razor_depth\": 2", "\"razor_depth\": 2.5"),
            "key `search.razor_depth`: invalid type: floating point `2.5`",
        ),
        (
            good.replace("\"game\": \"breakthrough\"", "\"game\": \"draughts\""),
            "use a set for `breakthrough`",
        ),
        (good.replace("\"format\": 3", "\"format\": 7"), "update the program"),
        (good[..good.len() / 2].to_owned(), "cut short"),
        ("{}".to_owned(), "key `format`: the key is missing; add `\"format\": 1`"),
    ];
    let commands = [
        format!("match zhu zhu --search-a {place}"),
        format!("analyze --search {place}"),
        format!("play --search {place}"),
        format!("bench --search {place}"),
        format!("tune --target search --search {place}"),
    ];
    for (content, expected) in &cases {
        fs::write(&bad, content).unwrap();
        for command in &commands {
            let error = refusal(spar(command));
            assert!(error.contains(&place) && error.contains(expected), "{command}: {error}");
        }
    }
    fs::remove_file(&bad).unwrap();
    assert!(refusal(spar(&commands[1])).contains("check the path"));
    fs::write(&bad, b"\xff\xfe{}").unwrap();
    assert!(refusal(spar(&commands[1])).contains("UTF-8"));
}

#[test]
fn bad_choices_are_refused_before_anything_is_played() {
    let cases = [
        ("--only razor_dept", "constant `razor_dept`: unknown; did you mean `razor_depth`?"),
        ("--only danger", "the constants are: aspiration_window"),
        ("--freeze razor_dept", "did you mean `razor_depth`?"),
        ("--only razor_depth --freeze razor_depth", "tuned constants: none is left"),
        ("--bounds razor_depth=0..11", "may be 0 to 10"),
        ("--range razor_dept=4", "did you mean `razor_depth`?"),
        ("--constrain razor_depth>=danger", "constant `danger`: unknown"),
        ("--search razor_depth=11", "give 0 to 10 (default 2)"),
        ("--search razor_dept=1", "did you mean `razor_depth`?"),
        ("--target wheels", "[possible values: weights, search]"),
    ];
    for (more, expected) in cases {
        let (_folder, path) = file("run");
        let mut command =
            spar(if more.contains("--target") { "tune" } else { "tune --target search" });
        command.args(more.split(' ')).arg("--run").arg(&path);
        let error = refusal(command);
        assert!(error.contains(expected), "{more}: {error}");
        assert!(!path.exists(), "{more} left a directory");
    }
    let output = run("analyze --depth 2 --algorithm plain --search null_base=1");
    assert!(stderr(&output).contains("the plain search has no constants"), "{}", stderr(&output));
    for (algorithm, is_noted) in [("full", true), ("mcts", false)] {
        let output =
            run(&format!("analyze --nodes 50 --algorithm {algorithm} --search tree_scale=90"));
        let note = format!("the {algorithm} search does not read tree_scale");
        assert_eq!(stderr(&output).contains(&note), is_noted, "{}", stderr(&output));
    }
}

#[test]
fn a_constraint_that_the_start_breaks_is_noted() {
    for (constraint, is_broken) in [("tempo>=piece", true), ("piece>=tempo", false)] {
        let (_folder, path) = file("run");
        let options =
            "tune --method spsa --board 5x5 --start hand --games 4 --batch 1 --probes 1 --nodes 5";
        let more = format!("--validation-pairs 0 --yardstick-pairs 0 --constrain {constraint}");
        let output = run(&format!("{options} {more} --run {}", path.display()));
        assert!(output.status.success(), "{}", stderr(&output));
        let note = "the start breaks `tempo >= piece` with ";
        assert_eq!(stderr(&output).contains(note), is_broken, "{}", stderr(&output));
    }
}

#[test]
fn tree_searches_are_named_like_the_others_and_have_constants_of_their_own() {
    let nodes =
        |more: &str| json(&format!("bench --board 6x6 --nodes 300 {more}"))["nodes"].clone();
    for algorithm in ["mcts", "uct"] {
        let usual = nodes(&format!("--algorithm {algorithm}"));
        assert_eq!(usual, nodes(&format!("--algorithm {algorithm} --search null_base=1")));
        let played = json(&format!(
            "match zhu zhu --board 5x5 --nodes 60 --pairs 2 --algorithm-a {algorithm} --search-a tree_scale=90"
        ));
        assert_eq!(played["players"][0]["algorithm"], algorithm);
    }
    let chosen =
        |more: &str| json(&format!("analyze --algorithm mcts --nodes 900 {more}"))["score"].clone();
    assert_ne!(chosen("--search tree_minimax=0 --search tree_exploration=900"), chosen(""));
    for (arguments, expected) in [
        ("analyze --nodes 9 --algorithm mcts --search tree_scale=9", "give 10 to 2000"),
        ("bench --together --algorithm plain", "leave out --together"),
        ("tune --target search --only tree_scale --games 20", "tree_scale"),
    ] {
        let error = refusal(spar(arguments));
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    let served = spar("uci --algorithm mcts --board 6x6 --hash 1")
        .write_stdin("uci\nposition startpos\ngo nodes 400\nquit\n")
        .output()
        .unwrap();
    let said = String::from_utf8(served.stdout).unwrap();
    assert!(
        said.contains("option name tree_scale type spin default 150 min 10 max 2000"),
        "{said}"
    );
    assert!(!said.contains("option name razor_depth"), "{said}");
    assert!(said.contains("bestmove "), "{said}");
}

#[test]
fn help_tells_of_targets_and_files() {
    let help = text("tune --help");
    for wanted in [
        "--target <TARGET>",
        "- search:  The constants of the search",
        "--search <FILE|NAME=VALUE>",
        "an eighth",
    ] {
        assert!(help.contains(wanted), "no `{wanted}` in {help}");
    }
    for command in ["analyze", "play", "bench"] {
        assert!(
            text(&format!("{command} --help")).contains("--search <FILE|NAME=VALUE>"),
            "{command}"
        );
    }
    assert!(text("match --help").contains("--search-a <FILE|NAME=VALUE>"));
}
