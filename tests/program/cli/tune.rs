//! The options of `spar tune`: each method has its own, and bad values of these are refused before
//! a directory is made.

use super::support::{file, refusal, run, spar, text};

/// Runs `spar tune` with arguments that must be refused, and returns the error.
fn refused(arguments: &str) -> String {
    let (_folder, path) = file("run");
    let mut command = spar(&format!("tune {arguments}"));
    command.arg("--run").arg(&path);
    let error = refusal(command);
    assert!(!path.exists(), "{arguments} left a directory");
    error
}

#[test]
fn a_method_has_its_own_options_wherever_those_of_all_commands_stand() {
    for before in ["--runs elsewhere", "--color never -q", "--json"] {
        let error = refusal(spar(&format!("{before} tune --method spsa --blend 0.3")));
        assert!(
            error.contains("--blend belongs to --method logistic or network; spsa does not"),
            "{error}"
        );
    }
}

#[test]
fn an_option_of_another_method_is_refused_and_its_method_named() {
    for (arguments, expected) in [
        (
            "--method spsa --blend 0.3",
            "--blend belongs to --method logistic or network; spsa does not use it",
        ),
        ("--knobs k.txt", "--knobs is for tunes of external engines; name one with --engine"),
        ("--no-sharing", "--no-sharing belongs to --method logistic"),
        ("--penalties 7", "--penalties belongs to --method logistic"),
        ("--rounds=2", "--rounds belongs to --method logistic or network"),
        ("--method logistic --units 8", "--units belongs to --method network; logistic does not"),
        ("--method network --penalties 7", "--penalties belongs to --method logistic; network"),
        ("--method logistic --c 0.5 --batch 3", "--c belongs to --method joined or spsa"),
        ("--method=logistic --bounds piece=0..9", "--bounds belongs to --method joined or spsa"),
        ("--method logistic --add danger", "--add belongs to"),
        ("--method logistic --target search", "--target belongs to"),
        ("--opponent cmd:spar --method logistic", "--opponent belongs to"),
        ("--method logistic --probes 2", "--probes belongs to --method joined or spsa; logistic"),
        ("--blen 0.3", "unexpected argument '--blen'"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    let error = refusal(spar("fit games.pos -o set.json --rounds 2"));
    assert!(error.contains("unexpected argument '--rounds'"), "{error}");
}

#[test]
fn what_the_options_alone_decide_is_refused_before_a_directory_is_made() {
    for (arguments, expected) in [
        ("--batch 18446744073709551615", "give 1 to 100000 with --batch"),
        ("--batch 0", "with --batch"),
        ("--target search --algorithm plain", "it has no constants; tune full, mcts or uct"),
        ("--target search --algorithm uct --only razor_depth", "razor_depth"),
        ("--probes 18446744073709551615", "with --probes"),
        ("--games 1000000000000000000 --batch 100000000000", "with --games"),
        (
            "--games 10",
            "fewer than one step takes; give at least 50, or smaller steps with --batch",
        ),
        ("--c 0", "with --c"),
        ("--bounds danger=900..0", "the first number is above the second one; exchange them"),
        ("--a 2", "with --a"),
        ("--elo-at-half-range 0", "with --elo-at-half-range"),
        ("--elo-at-half-range NaN", "with --elo-at-half-range"),
        ("--plies 4000000000", "with --plies"),
        ("--validation-pairs 18446744073709551615", "with --validation-pairs"),
        ("--method spsa --only windows_5x2", "windows_5x2"),
        ("--method logistic --games 15", "too few for a fit: the first round would have 15"),
        ("--method logistic --games 900 --rounds 100", "too few for a fit"),
        ("--method logistic --rounds 18446744073709551615", "give 1 to 1000 with --rounds"),
        ("--method logistic --rounds 0", "with --rounds"),
        ("--method logistic --round-pairs 18446744073709551615", "with --round-pairs"),
        ("--method logistic --round-pairs 0", "with --round-pairs"),
        ("--method logistic --memory 0", "with --memory"),
        ("--method logistic --patience 0", "with --patience"),
        ("--method logistic --most-plies 4000000000", "with --most-plies"),
        ("--method logistic --iterations 18446744073709551615", "with --iterations"),
        ("--method logistic --blend 2", "with --blend"),
        ("--method network --games 15", "too few for a fit: the first round would have 15"),
        ("--method network --units 0", "give 1 to 1024 with --units"),
        ("--method network --epochs 0", "with --epochs"),
        ("--method network --rate 0", "with --rate"),
        ("--method network --blend 1.5", "with --blend"),
        ("--method network --step-positions 0", "with --step-positions"),
        ("--method network --window 9x9", "2x2, 2x3, 3x2"),
        ("--method network --patience 0", "with --patience"),
        ("--method network --game breakthru --window 2x3", "choose 2x2"),
        ("--method logistic --only dangre", "did you mean `danger`?"),
        ("--method wheel", "spsa, logistic"),
        ("--method cma", "--method cma is gone: games are too noisy for it; give --method spsa"),
    ] {
        let error = refused(arguments);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
}

#[test]
fn help_shows_the_options_of_one_method_and_completions_those_of_all() {
    let [spsa, logistic] = ["tune --help", "tune --help --method logistic"].map(text);
    for (help, shown, left_out) in [
        (&spsa, ["--batch", "--target"], "--blend"),
        (&logistic, ["--blend", "--rounds"], "--batch"),
    ] {
        assert!(shown.iter().all(|option| help.contains(option)), "{help}");
        assert!(!help.contains(left_out), "{help}");
        assert!(help.contains("`spar tune --method NAME --help`"), "{help}");
    }
    let completions = text("completions bash");
    assert!(["--batch", "--blend", "--target"].iter().all(|option| completions.contains(option)));
}

#[test]
fn an_error_that_no_resume_can_put_right_is_on_record() {
    let (_folder, path) = file("run");
    let run = path.display().to_string();
    let tune = format!(
        "tune --method logistic --board 5x5 --games 16 --rounds 1 --nodes 1 --seed 1 --run {run}"
    );
    let first = refusal(spar(&tune));
    assert!(first.contains("begin a new run") && !first.contains("spar resume"), "{first}");
    let journal = || std::fs::read(path.join("journal.jsonl")).unwrap();
    let before = journal();
    assert!(refusal(spar(&format!("resume {run}"))).contains("begin a new run"));
    assert_eq!(journal(), before);
    let shown = text(&format!("report {run}"));
    let page = std::fs::read_to_string(path.join("report.html")).unwrap();
    for told in [shown, page] {
        assert!(
            told.contains("a fit takes 100 and 10 at the least, and a good one 100,000"),
            "{told}"
        );
        assert!(told.contains("spar tune ") && !told.contains("spar resume"), "{told}");
    }
}

#[test]
fn a_time_is_planned_as_a_number_of_games_that_people_can_read() {
    let (_folder, path) = file("run");
    let arguments = "tune --method spsa --board 5x5 --for 8s --nodes 5 --validation-pairs 0";
    let begun = std::time::Instant::now();
    let mut command = spar(arguments);
    command.args(["--yardstick-pairs", "0", "--run"]).arg(&path);
    let output = command.output().unwrap();
    let (said, spent) = (String::from_utf8(output.stderr).unwrap(), begun.elapsed());
    assert_eq!(output.status.code(), Some(0), "{said}");
    // It keeps measuring while it plays, so that a busy machine does not lengthen it.
    assert!((6.0..11.0).contains(&spent.as_secs_f64()), "{spent:?}: {said}");
    let line = said.lines().find(|line| line.starts_with("8s is planned as about ")).unwrap();
    assert!(line.ends_with(" games"), "{line}");
    let number = line.split(' ').rev().nth(1).unwrap();
    assert!(number.len() < 4 || number.contains(','), "{line}");
}

#[test]
fn games_beyond_the_last_whole_step_are_noted() {
    for (games, is_noted) in [(149, true), (150, false), (103, false)] {
        let (_folder, path) = file("run");
        let more = "--board 5x5 --nodes 5 --validation-pairs 2 --yardstick-pairs 0";
        let tune = format!("tune --method spsa --batch 20 --probes 5 --games {games} {more}");
        let output = run(&format!("{tune} --run {}", path.display()));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}");
        let note = "plays 100 of the 149 games, since a step has 50; --games 150 uses all";
        assert_eq!(said.contains(note), is_noted, "{said}");
    }
}

#[test]
fn options_of_a_fit_that_is_not_played_are_noted() {
    for (arguments, option) in [
        ("--games 100 --fit-plies 4", "--fit-plies"),
        ("--games 100 --target search --fit-blend 0.5", "--fit-blend"),
    ] {
        let (_folder, path) = file("run");
        let more = "--board 5x5 --nodes 5 --validation-pairs 2 --yardstick-pairs 0";
        let output = run(&format!("tune {arguments} {more} --run {}", path.display()));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains(&format!("note: {option} changes nothing")), "{said}");
    }
    let huge = u64::MAX;
    for (arguments, expected) in [
        (format!("tune --fit-games {huge} --run none"), "leave none of the tune's"),
        (format!("generate none.pos --games {huge}"), "are too many"),
    ] {
        let error = refusal(spar(&arguments));
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn the_next_command_keeps_what_shapes_the_result() {
    let games = "--plies 3 --keep 0.7 --adjudicate --max-plies 60";
    let tuned = [
        (
            "--target search --only null_base,razor_depth",
            "--bounds razor_depth=1..3 --range null_base=5",
        ),
        ("--start hand --only piece,mobility", "--bounds mobility=-3..7"),
    ];
    for (what, reach) in tuned {
        let (_folder, path) = file("run");
        let path = path.display();
        let options = format!("{what} {reach} --validation-pairs 16");
        text(&format!(
            "tune --method spsa --board 5x5 --nodes 5 --games 100 --seed 1 {options} {games} --run {path}"
        ));
        let next = text(&format!("report {path}"));
        let (_, next) = next.split_once("\nnext\n").unwrap();
        let command = |begin: &str| next.lines().find(|line| line.trim().starts_with(begin));
        let tune = command("spar tune ").unwrap();
        for option in options.split(" --").chain(games.split(" --")) {
            let option = option.trim_start_matches("--");
            assert!(option.starts_with("start ") || tune.contains(option), "{option}: {tune}");
        }
        let only = tune.matches("--range ").count() + tune.matches("--bounds ").count();
        assert_eq!(only, reach.matches("--").count(), "{tune}");
        if let Some(meeting) = command("spar match ") {
            assert!(meeting.contains("--plies 3 --keep 0.7 --adjudicate"), "{meeting}");
            assert!(!meeting.contains("--bounds"), "{meeting}");
        }
    }
}

#[test]
fn a_feature_that_the_start_lacks_is_tuned_from_0() {
    let (_folder, path) = file("run");
    let path = path.display();
    // `piece` is of a format without `tempo` and other features.
    let only = "--start piece --only mobility,tempo --games 100 --nodes 5 --seed 1";
    text(&format!("tune --method spsa --board 6x6 {only} --validation-pairs 2 --run {path}"));
    let candidate = text(&format!("weights show {path}:candidate"));
    assert!(candidate.contains("tempo") || candidate.contains("mobility"), "{candidate}");
    let (_folder, mine) = file("mine.json");
    text(&format!("weights new mine --from piece --set tempo=7 -o {}", mine.display()));
    assert!(text(&format!("weights show {}", mine.display())).contains("tempo"));
}
