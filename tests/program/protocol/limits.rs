//! How long our engine searches: every limit, clocks, pondering, and how soon it stops.

use super::dialogue::{Dialogue, word_after};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The most that a busy machine may add to a time.
const SLACK: Duration = Duration::from_millis(500);

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

#[test]
fn each_limit_holds() {
    let mut engine = Dialogue::greeted();
    engine.ask("position startpos moves a2a3");
    let found = engine.answer("go depth 6");
    assert_eq!(found.number("depth"), 6);
    let depths: Vec<u64> = found
        .infos
        .iter()
        .map(|line| word_after(line, "depth").unwrap().parse().unwrap())
        .collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
    for key in ["seldepth", "score", "cp", "nodes", "nps", "hashfull", "time", "pv"] {
        assert!(
            found.infos.iter().all(|line| word_after(line, key).is_some()),
            "{key}: {:?}",
            found.infos
        );
    }
    assert_eq!(found.last("pv"), found.best_move());
    assert_eq!(
        word_after(&found.best, "ponder"),
        found.infos[5].split_whitespace().skip_while(|&w| w != "pv").nth(2)
    );
    assert_eq!(engine.answer("go nodes 3000").number("nodes"), 3000);
    assert_eq!(engine.answer("go nodes 0").number("nodes"), 1);
    let found = engine.answer("go movetime 150");
    assert!(found.took >= ms(140) && found.took < ms(150) + SLACK, "{:?}", found.took);
    for (clock, least, most) in [
        ("wtime 2000 btime 2000", 20, 400),
        ("wtime 1 btime 3000 winc 0 binc 100", 50, 800),
        ("wtime 1 btime 1000 movestogo 1", 300, 1000),
        ("wtime 100 btime 100", 0, 20),
        ("wtime 0 btime 0", 0, 0),
        ("wtime -50 btime -99999999999999999999 winc -1", 0, 0),
    ] {
        let found = engine.answer(&format!("go {clock}"));
        assert!(
            found.took >= ms(least) && found.took <= ms(most) + SLACK,
            "{clock}: {:?}",
            found.took
        );
    }
    let found = engine.answer("go depth 9999999999 nodes 2000");
    assert_eq!(found.number("nodes"), 2000);
}

#[test]
fn in_uai_the_first_player_is_black() {
    let mut engine = Dialogue::start("uai --game breakthrough --hash 1");
    engine.ask("uainewgame");
    let found = engine.answer("go btime 20 wtime 600000");
    assert!(found.took < SLACK + ms(20), "{:?}", found.took);
}

#[test]
fn the_only_move_takes_no_time_on_a_clock() {
    let mut engine = Dialogue::greeted();
    engine.ask("position fen 8/p7/P6p/8/8/8/7p/6P1 b - - 0 1");
    let found = engine.answer("go wtime 600000 btime 600000");
    assert!(found.took < SLACK, "{found:?}");
    let mut forced = Dialogue::greeted();
    forced.ask("position fen 3/ppp/P1P/3/3/3/3/1P1 b - - 0 1");
    assert!(forced.answer("go depth 2").number("depth") >= 1);
}

#[test]
fn an_endless_search_waits_for_stop() {
    let mut engine = Dialogue::greeted();
    for (position, go) in [
        // Proven at once, and searched to the end of the tree.
        ("fen 8/3P4/8/8/8/8/p7/8 w - - 0 1", "go infinite"),
        ("fen 8/3P4/8/8/8/8/p7/8 w - - 0 1", "go"),
        ("startpos", "go infinite movetime 10 wtime 10"),
        ("startpos", "go infinite depth 2"),
    ] {
        engine.ask(&format!("position {position}"));
        engine.send(go);
        assert!(engine.keeps_silent(ms(150)), "{go}");
        engine.send("isready");
        engine.until("readyok");
        assert!(engine.answer("stop").took < SLACK);
    }
    assert!(engine.ask("stop").is_empty(), "there is nothing to stop");
}

#[test]
fn a_search_on_the_other_sides_time_waits_for_ponderhit() {
    let mut engine = Dialogue::greeted();
    engine.ask("position startpos moves a2a3 b7b6");
    for (go, most) in [
        ("go ponder movetime 100", 100),
        ("go ponder depth 2", 0),
        ("go ponder wtime 900 btime 900", 200),
    ] {
        engine.send(go);
        assert!(engine.keeps_silent(ms(300)), "{go}");
        let found = engine.answer("ponderhit");
        assert!(found.took <= ms(most) + SLACK, "{go}: {:?}", found.took);
    }
    engine.send("go ponder wtime 60000 btime 60000");
    assert!(engine.keeps_silent(ms(50)));
    assert!(engine.answer("stop").took < SLACK);
    assert!(engine.ask("ponderhit").is_empty());
}

/// Each `go` has one answer, even if the previous search has not ended.
#[test]
fn the_next_search_ends_the_last_one() {
    let mut engine = Dialogue::greeted();
    engine.send("go infinite");
    engine.send("position startpos moves a2a3");
    engine.send("go infinite");
    engine.until("bestmove ");
    assert!(engine.keeps_silent(ms(50)));
    assert!(engine.answer("stop").best_move().ends_with(['5', '6']), "a move of the other side");
}

/// `stop` is answered within 10 ms. On a busy machine the search may wait for its turn on a
/// processor before it notices; so only some of the stops must be in time.
#[test]
fn stop_is_answered_at_once() {
    const TRIES: usize = 400;
    for threads in [1, 2] {
        let mut engine = Dialogue::start(&format!("uci --hash 16 --threads {threads}"));
        engine.ask("position startpos");
        let mut times = Vec::new();
        let at_once = |times: &[Duration]| times.iter().filter(|&&took| took < ms(10)).count();
        while at_once(&times) < 5 && times.len() < TRIES {
            engine.send("go infinite");
            sleep(ms(30));
            times.push(engine.answer("stop").took);
        }
        println!(
            "threads {threads}: {} of {} stops answered at once",
            at_once(&times),
            times.len()
        );
        times.sort_unstable();
        assert!(at_once(&times) >= 5, "{threads} threads: {times:?}");
    }
}

/// A whole game on 100 ms for each side, without increment.
#[test]
fn a_short_clock_is_not_overstepped() {
    let mut engine = Dialogue::greeted();
    engine.ask("ucinewgame");
    let (mut moves, mut left) = (String::new(), [ms(100); 2]);
    for ply in 0.. {
        engine.send(&format!("position startpos moves{moves}"));
        let go = format!("go wtime {} btime {}", left[0].as_millis(), left[1].as_millis());
        let begun = Instant::now();
        let found = engine.answer(&go);
        let took = begun.elapsed();
        if found.best == "(none)" {
            println!("{ply} plies, time left: {left:?}");
            break;
        }
        // Time that the machine gave to other programs is not the engine's fault.
        let own = took.min(ms(found.number("time") + 2));
        left[ply % 2] =
            left[ply % 2].checked_sub(own).unwrap_or_else(|| panic!("out of time at ply {ply}"));
        moves += &format!(" {}", found.best_move());
    }
}
