//! Our engine as a frontend sees it: greeting, options, positions, scores, and the commands for
//! people.

use super::dialogue::{Dialogue, word_after};
use super::support::{document, spar};
use sparring::uci::UciVariant;

const START: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

/// The FEN that `d` shows.
fn fen(engine: &mut Dialogue) -> String {
    let shown = engine.ask("d");
    shown.iter().find_map(|line| line.strip_prefix("Fen: ")).unwrap().to_owned()
}

#[test]
fn both_protocols_are_greeted() {
    for (verb, word, end) in
        [("uci", "uci", "uciok"), ("uai", "uai", "uaiok"), ("uai", "uci", "uciok")]
    {
        let mut engine = Dialogue::start(verb);
        engine.send(word);
        let lines = engine.until(end);
        assert!(lines[0].starts_with("id name Sparring "), "{lines:#?}");
        assert!(lines[1].starts_with("id author "));
        let ataxx = || UciVariant::all().find(|variant| variant.game.name() == "ataxx");
        let game = ataxx()
            .filter(|_| verb == "uai")
            .map_or("breakthrough".into(), |variant| variant.to_string());
        assert_eq!(word_after(&lines[2], "default"), Some(game.as_str()), "{verb}");
        for line in &lines[2..lines.len() - 1] {
            let words = ["option name ", " type "];
            assert!(line.starts_with(words[0]) && line.contains(words[1]), "{line}");
            let default = word_after(line, "default");
            assert!(default.is_some() || line.ends_with("type button"), "{line}");
        }
        let (rest, status, stderr) = engine.close();
        assert!(rest.is_empty() && status.success() && stderr.is_empty(), "{rest:?} {stderr}");
    }
}

#[test]
fn the_arguments_are_the_first_values() {
    let mut engine =
        Dialogue::start("uci --board 6x6 --weights zhu --hash 3 --search razor_depth=1");
    engine.send("uci");
    let lines = engine.until("uciok");
    for begin in [
        "option name UCI_Variant type combo default breakthrough6x6 ",
        "option name Hash type spin default 3 ",
        "option name EvalFile type string default zhu",
        "option name razor_depth type spin default 1 ",
    ] {
        assert!(lines.iter().any(|line| line.starts_with(begin)), "{begin}: {lines:#?}");
    }
    assert_eq!(fen(&mut engine), "pppppp/pppppp/6/6/PPPPPP/PPPPPP w - - 0 1");
    for (arguments, words) in [
        (vec!["--board", "9x9"], "2 to 8 columns"),
        (vec!["--weights", "no-such-set"], "no shipped weight set"),
        (vec!["--board", "6x6", "--weights", "8x8"], "a table for 8x8"),
        (vec!["--search", "razor_depth=99"], "give 0 to 10"),
    ] {
        let output = spar("uci", &arguments, "").output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
}

/// Searches as `spar analyze` does, with options that change the search.
#[test]
fn options_make_the_engine_that_they_name() {
    let mut engine = Dialogue::greeted();
    let mut nodes = |options: &[&str], analyze: &str| {
        for option in options {
            assert_eq!(
                engine.ask(option).iter().filter(|line| line.contains(':')).count(),
                0,
                "{option}"
            );
        }
        engine.send("ucinewgame");
        let found = engine.answer("go depth 7");
        let arguments = format!("--depth 7 --hash 1 --json {analyze}");
        let expected = document(&spar("analyze", &[], &arguments).output().unwrap());
        assert_eq!(found.number("nodes"), expected["nodes"].as_u64().unwrap(), "{analyze}");
        assert_eq!(found.best_move(), expected["best"], "{analyze}");
        found.number("nodes")
    };
    let usual = nodes(&[], "");
    let zhu = nodes(&["setoption name EvalFile value zhu"], "--weights zhu");
    let changed = nodes(
        &["setoption name reduction_factor value 120", "setoption name NULL_BASE value 2"],
        "--weights zhu --search reduction_factor=120 --search null_base=2",
    );
    assert!(usual != zhu && zhu != changed, "{usual} {zhu} {changed}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    let path = path.to_str().unwrap();
    let made = spar(
        "weights",
        &["new", "mine", "--set", "piece=70", "--set", "attack=-9", "-o", path],
        "",
    );
    assert!({ made }.output().unwrap().status.success());
    let mut blank = engine.ask("setoption name EvalFile value piece");
    blank.extend(engine.ask("setoption name piece value 70"));
    blank.extend(engine.ask("setoption name attack value -9"));
    engine.send("position startpos moves a2a3 b7b6 a3a4");
    let explained = engine.ask("eval").join("\n");
    let expected =
        spar("features", &["--weights", path, "--fen"], "").arg(fen(&mut engine)).output().unwrap();
    let expected = String::from_utf8(expected.stdout).unwrap();
    let terms = |text: &str| {
        text.lines().filter(|line| line.contains("piece") || line.contains("attack")).count()
    };
    assert!(
        terms(&explained) >= 2 && expected.contains(explained.lines().nth(1).unwrap()),
        "{explained}\n{expected}"
    );
}

/// A frontend would take an answer about the last position for one about the refused one.
#[test]
fn after_a_refused_position_there_is_none() {
    for (verb, new_game, first) in [("uci", "ucinewgame", "P@"), ("uai", "uainewgame", "")] {
        let mut engine = Dialogue::start(&format!("{verb} --game ataxx"));
        engine.ask(verb);
        let long = format!("position startpos moves {}", "g2 ".repeat(30_000));
        for refused in
            ["position startpos moves a1a5", "position fen x5o x", "position what", &long]
        {
            engine.ask("position startpos moves g2 a2");
            engine.ask(refused);
            let said = engine.ask("go nodes 20").join("\n");
            assert!(said.contains("bestmove (none)"), "{refused:.40}: {said}");
            assert!(said.contains("the last one was refused"), "{refused:.40}: {said}");
            for command in ["d", "eval", "perft 1"] {
                let said = engine.ask(command).join("\n");
                assert!(said.contains("the last one was refused"), "{command}: {said}");
            }
            engine.send(new_game);
            let best = engine.answer("go nodes 200");
            assert!(best.best_move().starts_with(first), "{}", best.best_move());
            assert_eq!(fen(&mut engine), "x5o/7/7/7/7/7/o5x x 0 1");
        }
    }
}

/// Positions are read in the form that the games' libraries write, and counters are kept.
#[test]
fn positions_of_other_programs_are_read() {
    let mut engine = Dialogue::start("uci --game ataxx");
    for (position, wanted) in [
        ("fen P5p/7/7/7/7/7/p5P w - - 4 9 moves g1e1 P@a2", "x5o/7/7/7/7/o6/o3x2 x 0 10"),
        ("fen x5o/7/7/7/7/7/o5x w 0 5", "x5o/7/7/7/7/7/o5x o 0 5"),
        ("fen startpos moves g2", "x5o/7/7/7/7/6x/o5x o 0 1"),
        ("fen x5o/7/7/7/7/7/o5x", "x5o/7/7/7/7/7/o5x x 0 1"),
    ] {
        engine.ask(&format!("position {position}"));
        assert_eq!(fen(&mut engine), wanted, "{position}");
    }
    engine.ask("setoption name UCI_Variant value breakthrough6");
    engine.ask("position fen pppppp/pppppp/6/6/PPPPPP/PPPPPP b 0 1");
    assert_eq!(fen(&mut engine), "pppppp/pppppp/6/6/PPPPPP/PPPPPP b - - 0 1");
    engine.ask("setoption name UCI_Variant value ataxx");
    engine.send("go perft 1");
    let counted = engine.until("Nodes searched").join("\n");
    assert!(counted.contains("P@g2: 1") && !counted.contains("\ng2: 1"), "{counted}");
}

/// Constants in the file count; constants set as options override them, in whatever order they
/// come.
#[test]
fn a_file_may_have_weights_and_constants() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("both.json").display().to_string();
    let constants = "--search reduction_factor=120 --search null_base=2";
    let new = format!("new both --from zhu {constants} -o {path}");
    assert!(spar("weights", &[], &new).output().unwrap().status.success());
    let analyzed = |arguments: &str| {
        let arguments = format!("--depth 7 --hash 1 --json {arguments}");
        document(&spar("analyze", &[], &arguments).output().unwrap())["nodes"].as_u64().unwrap()
    };
    let mut engine = Dialogue::greeted();
    let mut nodes = |option: &str| {
        engine.ask(option);
        engine.send("ucinewgame");
        engine.answer("go depth 7").number("nodes")
    };
    let both = nodes(&format!("setoption name EvalFile value {path}"));
    assert_eq!(both, analyzed(&format!("--weights zhu {constants}")));
    assert_ne!(both, analyzed("--weights zhu"));
    let other = nodes("setoption name reduction_factor value 60");
    assert_eq!(other, analyzed(&format!("--weights {path} --search reduction_factor=60")));
}

#[test]
fn what_is_wrong_with_an_option_is_told_and_changes_nothing() {
    let mut engine = Dialogue::greeted();
    for (option, words) in [
        ("name Hahs value 8", "did you mean `Hash`?"),
        ("name Hash value 0", "from 1 to 65536"),
        ("name Threads value 99999999999999999999", "from 1 to 1024"),
        ("name piece value 1000001", "from -1000000 to 1000000"),
        ("name UCI_Variant value chess", "no such variant"),
        ("value 3", "no name"),
        ("name EvalFile value no/such/file.json", "the default weights are used"),
    ] {
        let told = engine.ask(&format!("setoption {option}"));
        assert!(
            told.iter().any(|line| line.starts_with("info string ") && line.contains(words)),
            "{told:?}"
        );
    }
    assert_eq!(fen(&mut engine), START);
    assert_eq!(engine.answer("go depth 3").number("depth"), 3);
}

#[test]
fn positions_come_as_fen_alone_or_with_moves() {
    let mut engine = Dialogue::greeted();
    let moved = "pppppppp/p1pppppp/1p6/8/8/P7/1PPPPPPP/PPPPPPPP w - - 0 1";
    engine.send("position startpos moves a2a3 b7b6");
    assert_eq!(fen(&mut engine), moved);
    engine.send("position startpos");
    assert_eq!(fen(&mut engine), START);
    engine.send(&format!("position fen {moved}"));
    assert_eq!(fen(&mut engine), moved);
    engine.send(&format!("position fen {START} moves a2a3  b7b6"));
    assert_eq!(fen(&mut engine), moved);
    for (wrong, words) in [
        ("position startpos moves a2a3 a2a3", "ply 2"),
        ("position startpos moves a2a9", "not a move"),
        ("position fen 8/8/8/9 w - - 0 1", "FEN"),
        ("position fen", "no position"),
        ("position", "no position"),
    ] {
        let told = engine.ask(wrong);
        assert!(
            told[0].starts_with("info string ") && told[0].contains(words),
            "{wrong}: {told:?}"
        );
        assert_eq!(fen(&mut engine), moved, "{wrong}");
    }
}

/// Whether a move can open the game of a variant.
fn opens(variant: UciVariant, mv: &str) -> bool {
    variant.game.start(variant.board).unwrap().parse_move(mv).is_ok()
}

#[test]
fn every_game_is_played_on_every_board() {
    let mut engine = Dialogue::greeted();
    // One variant after the other, now and then while a search is running.
    for (index, variant) in UciVariant::all().enumerate() {
        if index % 5 == 1 {
            engine.send("go infinite");
        }
        engine.ask(&format!("setoption name UCI_Variant value {variant}"));
        engine.send("go nodes 300");
        let said = engine.until("bestmove ");
        assert!(
            said[0].starts_with(&format!("info string {} on {} with", variant.game, variant.board)),
            "{said:?}"
        );
        let best = word_after(&said[said.len() - 1], "bestmove").unwrap();
        assert!(opens(variant, best), "{variant}: {best}");
    }
}

#[test]
fn a_position_may_be_of_another_board_than_the_variant() {
    let mut engine = Dialogue::greeted();
    engine.send("position fen pppp/pppp/4/PPPP/PPPP w - - 0 1");
    let small = "breakthrough4x5".parse().unwrap();
    assert!(opens(small, engine.answer("go nodes 100").best_move()));
    engine.send("position startpos");
    assert_eq!(fen(&mut engine), START);
}

#[test]
fn a_finished_game_has_no_move() {
    let cases = [
        ("uci", "(none)", "P7/8/8/8/8/8/7p/8 b - - 0 1"),
        ("uai", "0000", "xx5/7/7/7/7/7/7 o 0 1"),
    ];
    for (verb, none, fen) in cases {
        let mut engine = Dialogue::start(verb);
        engine.send(&format!("position fen {fen}"));
        let found = engine.answer("go depth 5");
        assert_eq!((found.best.as_str(), found.last("mate")), (none, "0"));
        engine.send("go infinite");
        assert!(engine.keeps_silent(std::time::Duration::from_millis(100)));
        assert_eq!(engine.answer("stop").best, none);
    }
}

#[test]
fn wins_and_losses_are_counted_in_moves() {
    let mut engine = Dialogue::greeted();
    for (fen, mate) in [
        ("8/3P4/8/8/8/8/p7/8 w - - 0 1", "1"),
        ("8/8/3P4/8/8/p7/8/8 w - - 0 1", "2"),
        ("8/3P4/8/8/p7/8/8/8 b - - 0 1", "-1"),
    ] {
        engine.send(&format!("position fen {fen}"));
        let found = engine.answer("go depth 9");
        assert_eq!(found.last("mate"), mate, "{fen}: {:?}", found.infos);
    }
    engine.send("position fen 8/8/3P4/8/8/p7/8/8 w - - 0 1");
    assert_eq!(engine.answer("go mate 2").last("mate"), "2");
    // Who has lost finds no win.
    engine.send("position fen 8/3P4/8/8/p7/8/8/8 b - - 0 1");
    assert_eq!(engine.answer("go mate 2").last("mate"), "-1");
}

#[test]
fn people_are_served_too() {
    let mut engine = Dialogue::greeted();
    assert!(engine.ask("help").iter().any(|line| line.starts_with("go [depth PLIES]")));
    for command in ["perft 3", "go perft 3"] {
        engine.send(command);
        let lines = engine.until("Nodes searched");
        assert_eq!((lines.len(), lines.last().unwrap().as_str()), (24, "Nodes searched: 11132"));
    }
    let expected =
        document(&spar("bench", &[], "--weights 8x8-network --depth 5 --json").output().unwrap());
    engine.send("bench 5");
    let line = engine.until(&format!("{} nodes ", expected["nodes"])).pop().unwrap();
    assert!(line.ends_with(" nps"), "{line}");
    // Counts run to the end, even if the input has ended.
    engine.send("perft 5");
    let (rest, status, _) = engine.close();
    assert!(status.success() && rest.last().unwrap() == "Nodes searched: 6182818", "{rest:?}");
}

#[test]
fn several_lines_are_numbered_and_moves_to_search_are_kept_to() {
    let mut engine = Dialogue::greeted();
    engine.send("setoption name MultiPV value 3");
    let found = engine.answer("go depth 4");
    let number = |line: &String| word_after(line, "multipv").map(str::to_owned);
    let last: Vec<&String> = found.infos.iter().rev().take(3).rev().collect();
    assert_eq!(last.iter().filter_map(|line| number(line)).collect::<Vec<_>>(), ["1", "2", "3"]);
    let first_moves: Vec<&str> = last.iter().map(|line| word_after(line, "pv").unwrap()).collect();
    assert_eq!(first_moves[0], found.best_move());
    assert!(first_moves[1] != first_moves[0] && first_moves[2] != first_moves[1]);
    assert!(last.iter().all(|line| word_after(line, "depth") == Some("4")), "{last:#?}");

    let found = engine.answer("go searchmoves a2a3 h2h3 depth 4");
    assert!(["a2a3", "h2h3"].contains(&found.best_move()), "{found:?}");
    assert_eq!(word_after(found.infos.last().unwrap(), "multipv"), Some("2"));

    engine.send("setoption name MultiPV value 1");
    let found = engine.answer("go depth 3 searchmoves a2a3");
    assert_eq!(found.best_move(), "a2a3");
    assert!(found.infos.iter().all(|line| number(line).is_none()), "{found:?}");
    // Every `go` is answered, whatever moves it lists.
    assert!(!engine.answer("go depth 2 searchmoves a2a9 rubbish").best_move().is_empty());
}
