//! Tunes of the search's constants survive kills as tunes of weights do.

use super::harness::{Run, Setup, Tune, spar, text};
use super::kills::kill_and_resume;
use serde_json::Value;
use std::fs;

/// Begins with a constant that loses games, so that the candidate is accepted.
static CONSTANTS: Setup = Setup::new(
    "--target search --start spsa --search delta_margin=20 --only delta_margin,razor_depth --board 6x6 --games 800 --batch 5 --nodes 150 \
     --validation-pairs 400 --seed 1",
);

fn constants(run: &Run) -> Value {
    serde_json::from_slice(&fs::read(run.file("search.json")).unwrap()).unwrap()
}

#[test]
fn threads_change_nothing() {
    let run = Run::finished(&CONSTANTS);
    run.must_finish_exactly(1);
    let found = constants(&run);
    assert!(found["search"]["delta_margin"].as_i64().unwrap() > 20, "{found:#}");
    assert_eq!(found["provenance"]["baseline"], "breakthrough/spsa");
    Run::new(&CONSTANTS).must_finish_exactly(3);
}

#[test]
fn kills_change_nothing() {
    kill_and_resume(&CONSTANTS, 10, 11);
}

#[test]
fn the_start_stays_until_the_end_and_an_edited_file_is_refused() {
    let run = Run::killed_at(&CONSTANTS, 5);
    let path = run.file("search.json");
    let start = fs::read_to_string(&path).unwrap();
    assert_eq!(constants(&run)["search"]["delta_margin"], 20);
    let refused = |content: &str, expected: &[&str]| {
        fs::write(&path, content).unwrap();
        let output = run.resume(1).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        let place = path.display().to_string();
        assert!(
            expected.iter().chain([&place.as_str()]).all(|wanted| said.contains(wanted)),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    };
    refused(&start.replace("\"null_base\": 3", "\"null_base\": 4"), &["edited", "move it"]);
    refused(
        &start.replace("null_base", "nul_base"),
        &["edited or damaged", "resume: the run writes its own copy again"],
    );
    refused("", &["edited or damaged", "move it"]);
    // Missing weights are written again too.
    fs::remove_file(&path).unwrap();
    fs::remove_file(run.file("weights.json")).unwrap();
    let mut session = Tune::start(run.resume(1));
    session.listen_for(" tunes ");
    assert_eq!(fs::read_to_string(&path).unwrap(), start, "it is there from the beginning");
    session.kill();
    run.must_finish_exactly(2);
    fs::remove_file(&path).unwrap();
    run.must_finish_exactly(1);
}

#[test]
fn a_report_speaks_of_constants() {
    let run = Run::finished(&CONSTANTS);
    let page = fs::read_to_string(run.file("report.html")).unwrap();
    for wanted in [
        "The search tuned by spsa on 6x6",
        "Constants of the search",
        "search.json",
        "playing with",
    ] {
        assert!(page.contains(wanted), "no `{wanted}`");
    }
    let output = spar().arg("report").arg(run.path()).output().unwrap();
    let said = text(&output.stdout);
    assert!(said.contains("accepted: better than the search of breakthrough/spsa"), "{said}");
    assert!(said.contains("weights.json breakthrough/spsa --game"), "{said}");
    assert!(
        said.contains(
            " --target search --only razor_depth,delta_margin --batch 5 --validation-pairs"
        ),
        "{said}"
    );
    let output = spar().arg("report").arg(run.path()).arg("--csv").output().unwrap();
    assert!(text(&output.stdout).starts_with("games,elo,elo_error,razor_depth,delta_margin\n"));
}

/// Begins with a tree search that visits all moves equally.
static OF_THE_TREE: Setup = Setup::new(
    "--target search --algorithm mcts --start spsa --search tree_exploration=1000 --only tree_exploration,tree_minimax \
     --board 5x5 --games 600 --batch 5 --nodes 300 --validation-pairs 100 --seed 1",
);

#[test]
fn constants_of_the_tree_search_are_tuned_by_its_games() {
    kill_and_resume(&OF_THE_TREE, 3, 12);
    let run = Run::finished(&OF_THE_TREE);
    run.must_finish_exactly(3);
    let output = spar().arg("report").arg(run.path()).arg("--json").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["algorithm"], "mcts", "{report:#}");
    let knob =
        |number: usize| (&report["knobs"][number]["name"], &report["knobs"][number]["tuned"]);
    let (name, exploration) = knob(0);
    assert!(name == "tree_exploration" && exploration.as_f64().unwrap() < 1000.0, "{report:#}");
    assert_eq!(knob(1).0, "tree_minimax");
    let next = report["next"].to_string();
    assert!(next.contains(" --algorithm mcts "), "{next}");
    let said = text(&spar().arg("report").arg(run.path()).output().unwrap().stdout);
    assert!(said.contains("the search of breakthrough/spsa"), "{said}");
}
