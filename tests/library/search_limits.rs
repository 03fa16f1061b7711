//! Limits hold, results repeat, and a stop comes at once.

use crate::common::{ARTICLE, endgame, sample, weight_set};
use rand_mt::Mt64;
use sparring::eval::Game;
use sparring::game::{Board, Notation, Position};
use sparring::games::{Breakthrough, Breakthru};
use sparring::search::score::is_proven;
use sparring::search::{
    Algorithm, Clock, ClockPolicy, Counters, Engine, Limits, Options, Report, Stop, Switches,
};
use std::time::{Duration, Instant};

/// The most time that a busy machine may add to a time limit.
const SLACK: Duration = Duration::from_millis(500);

fn engine(algorithm: Algorithm) -> Engine<Breakthrough> {
    let evaluator = Breakthrough::evaluator(&weight_set::<Breakthrough>(1, &ARTICLE)).unwrap();
    Engine::new(evaluator, Options { algorithm, table_bytes: 1 << 18, ..Options::default() })
}

fn start() -> Breakthrough {
    Breakthrough::start(Board::new(8, 8)).unwrap()
}

fn search(
    engine: &mut Engine<Breakthrough>,
    position: &Breakthrough,
    limits: &Limits,
) -> Report<Breakthrough> {
    engine.search(position, limits, &Stop::default(), &mut |_| {})
}

/// All of a report but the time.
fn result(report: Report<Breakthrough>) -> Report<Breakthrough> {
    Report { elapsed: Duration::ZERO, ..report }
}

/// Positions from games on boards of all sizes, and a few that are nearly over.
fn positions() -> Vec<Breakthrough> {
    let mut generator = Mt64::new(31);
    let mut all = Vec::new();
    for board in Breakthrough::boards() {
        all.extend(sample::<Breakthrough>(board, 2, generator.next_u64()));
        all.push(endgame(board, 3, &mut generator));
    }
    all
}

/// `plain` searches moves in the order of generation, so it ignores an unfinished depth and answers
/// with the last finished one.
#[test]
fn plain_searches_answer_with_their_last_whole_depth() {
    for position in positions() {
        for nodes in [200, 700, 3000] {
            let mut last = None;
            let report = engine(Algorithm::Plain).search(
                &position,
                &Limits::nodes(nodes),
                &Stop::default(),
                &mut |depth| last = Some((depth.score, depth.pv.to_vec())),
            );
            let place = format!("{nodes}: {}", position.fen());
            assert_eq!(last, Some((report.score, report.pv)), "{place}");
        }
    }
}

/// A search visits no more nodes than allowed, and all of them unless the result is proven before;
/// and it has a legal move even after a single node.
#[test]
fn node_limits_are_exact() {
    for position in positions() {
        for algorithm in Algorithm::ALL {
            for nodes in [1, 2, 3, 10, 100, 511, 512, 513, 1000, 1024, 1025, 5000] {
                let report = search(&mut engine(algorithm), &position, &Limits::nodes(nodes));
                let visited = report.counters.nodes;
                let place = format!("{algorithm} {nodes}: {}", position.fen());
                assert!(visited <= nodes, "{visited} nodes, {place}");
                assert!(
                    visited == nodes || is_proven(report.score),
                    "only {visited} nodes, {place}"
                );
                assert!(position.is_legal(report.best.unwrap()), "{place}");
                assert_eq!(report.pv.first(), report.best.as_ref(), "{place}");
            }
        }
    }
}

/// A search is a function of its input, with a new engine and with a cleared one.
#[test]
fn results_repeat() {
    let other = weight_set::<Breakthrough>(1, &[("noise", 3), ("advance", 7)]);
    for (index, position) in positions().iter().enumerate() {
        for algorithm in Algorithm::ALL {
            for limits in [Limits::nodes(3000), Limits::depth(3)] {
                let mut used = engine(algorithm);
                let first = result(search(&mut used, position, &limits));
                let evaluator = used.evaluator().clone();
                used.set_evaluator(Breakthrough::evaluator(&other).unwrap());
                search(&mut used, &start(), &Limits::nodes(500 + 100 * index as u64));
                used.set_evaluator(evaluator);
                used.clear();
                assert_eq!(
                    result(search(&mut used, position, &limits)),
                    first,
                    "after clearing, {algorithm}"
                );
                let fresh = result(search(&mut engine(algorithm), position, &limits));
                assert_eq!(fresh, first, "with a new engine, {algorithm}");
            }
        }
    }
}

/// A whole game repeats too, with what the engine remembers from move to move.
#[test]
fn games_repeat() {
    let game = || {
        let mut engine = engine(Algorithm::Full);
        let mut position = Breakthrough::start(Board::new(6, 6)).unwrap();
        let mut counters = Counters::default();
        let mut moves = Vec::new();
        while position.outcome().is_none() {
            let report = search(&mut engine, &position, &Limits::nodes(2000));
            counters.add(&report.counters);
            moves.push(report.best.unwrap());
            position = position.play(report.best.unwrap());
        }
        (moves, counters)
    };
    assert_eq!(game(), game());
}

/// Where the game is over there is nothing to play.
#[test]
fn finished_positions_have_no_move() {
    for fen in [
        "8/1P6/8/8/8/8/8/p6p b - - 0 1",
        "P7/8/8/8/8/8/7p/8 w - - 0 1",
        "8/8/8/8/8/PP6/8/8 b - - 0 1",
    ] {
        let position = Breakthrough::from_fen(fen).unwrap();
        for algorithm in Algorithm::ALL {
            let report = search(&mut engine(algorithm), &position, &Limits::depth(4));
            assert_eq!(
                (report.best, report.pv.len(), report.depth),
                (None, 0, 0),
                "{algorithm} {fen}"
            );
            assert_eq!(report.counters, Counters::default());
        }
    }
}

/// A depth limit is reached exactly unless the result is proven before; iterations are reported in
/// order.
#[test]
fn depth_limits_hold() {
    for position in positions() {
        for algorithm in Algorithm::ALPHA_BETA {
            for depth in 1..=4 {
                let mut told = Vec::new();
                let report = engine(algorithm).search(
                    &position,
                    &Limits::depth(depth),
                    &Stop::default(),
                    &mut |it| {
                        told.push((it.depth, it.counters.nodes, it.score, it.pv.to_vec()));
                    },
                );
                let place = format!("{algorithm} depth {depth}: {}", position.fen());
                assert!(
                    report.depth == depth || (report.depth < depth && is_proven(report.score)),
                    "{place}"
                );
                assert!(
                    told.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1 && pair[1].1 > pair[0].1),
                    "{place}"
                );
                let last = (report.depth, report.counters.nodes, report.score, report.pv);
                assert_eq!(told.last(), Some(&last), "{place}");
                let seldepth = report.counters.seldepth;
                assert!(algorithm == Algorithm::Full || seldepth <= depth, "{seldepth}, {place}");
            }
        }
    }
}

/// Of two limits the first one reached counts.
#[test]
fn limits_combine() {
    let mut engine = engine(Algorithm::Full);
    let both = |nodes, depth| Limits { nodes: Some(nodes), ..Limits::depth(depth) };
    let report = search(&mut engine, &start(), &both(1_000_000, 3));
    assert_eq!(report.depth, 3);
    assert!(report.counters.nodes < 1_000_000);
    let report = search(&mut engine, &start(), &both(4000, 50));
    assert_eq!(report.counters.nodes, 4000);
    assert!(report.depth < 50);
}

/// The time for a move is respected, and used if there is a use for it.
#[test]
fn time_for_a_move_is_kept() {
    for algorithm in Algorithm::ALL {
        let time = Duration::from_millis(150);
        let begun = Instant::now();
        let report = search(&mut engine(algorithm), &start(), &Limits::movetime(time));
        let took = begun.elapsed();
        assert!(took >= time / 4 && took <= time + SLACK, "{algorithm} took {took:?}");
        assert!(report.elapsed <= took && report.depth >= 1);
        assert!(start().is_legal(report.best.unwrap()));
    }
}

/// A clock is never overstepped, however little is left, and a move from a full one takes a small
/// share.
#[test]
fn clocks_are_kept() {
    let limits = |left, increment| Limits {
        clock: Some(Clock::new(Duration::from_millis(left), Duration::from_millis(increment))),
        ..Limits::default()
    };
    for (left, increment, most) in
        [(4000, 0, 200), (1000, 100, 125), (30, 10_000, 10), (0, 0, 0), (5, 5, 0)]
    {
        let begun = Instant::now();
        let report = search(&mut engine(Algorithm::Full), &start(), &limits(left, increment));
        let (took, most) = (begun.elapsed(), Duration::from_millis(most));
        assert!(took <= most + SLACK, "{left} + {increment} took {took:?}");
        assert!(start().is_legal(report.best.unwrap()));
    }
}

/// The stages of a clock are depths in turns: in Breakthru two plies each, minus the ply already
/// made.
#[test]
fn stages_of_a_clock_are_depths_in_turns() {
    fn depths<G: Game>(position: &G, set: &str) -> Vec<u32> {
        let evaluator = G::evaluator(&sparring::weights::find(set, G::GAME).unwrap()).unwrap();
        let whole = Duration::from_secs(3000);
        let depth = |percent: u32| {
            let left = whole * percent / 100;
            let policy = ClockPolicy::Stages;
            let clock = Clock { policy, whole: Some(whole), ..Clock::new(left, Duration::ZERO) };
            let limits = Limits { clock: Some(clock), ..Limits::default() };
            let options = Options { table_bytes: 1 << 18, ..Options::default() };
            let mut engine = Engine::<G>::new(evaluator.clone(), options);
            engine.search(position, &limits, &Stop::default(), &mut |_| {}).depth
        };
        [100, 51, 50, 21, 20, 1].map(depth).to_vec()
    }
    assert_eq!(depths(&start(), "atachiants"), [3, 3, 2, 2, 1, 1]);
    let start = Breakthru::start(Breakthru::default_board()).unwrap();
    assert_eq!(depths(&start, "hand"), [6, 6, 4, 4, 2, 2]);
    let half = start.play(start.parse_move("e8-e9").unwrap());
    assert_eq!(depths(&half, "hand"), [5, 5, 3, 3, 1, 1]);
}

/// The longest times that can be named do no harm.
#[test]
fn endless_times_do_no_harm() {
    let clock = Clock::new(Duration::MAX, Duration::MAX);
    for limits in [
        Limits { depth: Some(3), ..Limits::movetime(Duration::MAX) },
        Limits { clock: Some(clock), ..Limits::depth(3) },
    ] {
        let report = search(&mut engine(Algorithm::Full), &start(), &limits);
        assert_eq!(report.depth, 3);
    }
}

/// A search on the opponent's time does not use up its own before the ponder hit.
#[test]
fn a_pondering_search_waits_for_its_time() {
    let clock = Clock::new(Duration::from_millis(400), Duration::ZERO);
    let delay = Duration::from_millis(200);
    for limits in [
        Limits::movetime(Duration::from_millis(20)),
        Limits { clock: Some(clock), ..Limits::default() },
    ] {
        let stop = Stop::pondering();
        assert!(stop.is_pondering() && !stop.is_set());
        let mut engine = engine(Algorithm::Full);
        // The search may begin after the thread that ends its waiting.
        let begun = Instant::now();
        let flag = stop.clone();
        let setter = std::thread::spawn(move || {
            std::thread::sleep(delay);
            flag.ponder_hit();
        });
        engine.search(&start(), &limits, &stop, &mut |_| {});
        let elapsed = begun.elapsed();
        setter.join().unwrap();
        assert!(elapsed >= delay && elapsed < delay + SLACK, "{elapsed:?}");
        assert!(!stop.is_pondering() && !stop.is_set());
    }
}

/// Time that passed before a search began counts against its limit.
#[test]
fn time_that_is_gone_counts() {
    let ms = Duration::from_millis;
    let clock = Clock::new(ms(100), ms(7));
    let limits =
        Limits { clock: Some(clock), movetime: Some(ms(30)), ..Limits::nodes(5) }.after(ms(40));
    assert_eq!((limits.movetime, limits.clock.unwrap().left), (Some(ms(0)), ms(60)));
    assert_eq!((limits.nodes, limits.clock.unwrap().increment), (Some(5), ms(7)));
}

/// The flag ends a search from another thread, and keeps one from beginning.
#[test]
fn the_stop_flag_ends_a_search_at_once() {
    for algorithm in Algorithm::ALL {
        let stop = Stop::default();
        let delay = Duration::from_millis(60);
        let (report, late) = std::thread::scope(|scope| {
            let flag = stop.clone();
            let setter = scope.spawn(move || {
                std::thread::sleep(delay);
                flag.set();
                Instant::now()
            });
            let report =
                engine(algorithm).search(&start(), &Limits::depth(100), &stop, &mut |_| {});
            (report, setter.join().unwrap().elapsed())
        });
        assert!(late <= SLACK, "{algorithm} went on for {late:?}");
        assert!(start().is_legal(report.best.unwrap()) && report.depth < 100);
        // The flag stays set: the next search ends at its first look at it.
        let report = engine(algorithm).search(&start(), &Limits::depth(100), &stop, &mut |_| {});
        assert!(report.counters.nodes <= 512, "{algorithm}: {} nodes", report.counters.nodes);
        assert!(start().is_legal(report.best.unwrap()));
    }
}

/// Limits that leave nothing to search, or no end to it, are refused.
#[test]
fn senseless_limits_are_refused() {
    assert!(Limits::default().check().is_err());
    for limits in [Limits::nodes(0), Limits::depth(0), Limits::movetime(Duration::ZERO)] {
        assert!(limits.check().is_err());
    }
    for limits in [Limits::nodes(1), Limits::depth(1), Limits::movetime(Duration::from_millis(1))] {
        assert!(limits.check().is_ok());
    }
}

/// Without a depth limit, a search of a small game ends with the proof; the longest line fits.
#[test]
fn a_search_ends_with_its_proof() {
    let position = Breakthrough::from_fen("p3/4/4/4/4/4/4/3P w - - 0 1").unwrap();
    for switches in [Switches::ALL, Switches::EXACT] {
        let mut options = engine(Algorithm::Full).options().clone();
        options.switches = switches;
        let evaluator = engine(Algorithm::Full).evaluator().clone();
        let report = search(&mut Engine::new(evaluator, options), &position, &Limits::default());
        assert!(is_proven(report.score), "{switches:?}");
    }
}

fn team(threads: usize) -> Engine<Breakthrough> {
    let options = Options { threads, ..engine(Algorithm::Full).options().clone() };
    Engine::new(engine(Algorithm::Full).evaluator().clone(), options)
}

/// Several threads together visit no more nodes than allowed, have a legal move after a single one,
/// and report depths in order.
#[test]
fn node_limits_hold_for_all_threads_together() {
    for (index, position) in positions().iter().enumerate() {
        for nodes in [1, 10, 513, 5000] {
            let mut engine = team(2 + index % 3);
            let mut told = 0;
            let report =
                engine.search(position, &Limits::nodes(nodes), &Stop::default(), &mut |found| {
                    assert!(found.depth >= told && found.counters.nodes <= nodes);
                    told = found.depth;
                });
            assert!(report.counters.nodes <= nodes, "{} of {nodes} nodes", report.counters.nodes);
            assert!(position.is_legal(report.best.unwrap()), "{}", position.fen());
            assert_eq!((report.pv.first(), report.depth), (report.best.as_ref(), told));
            let whole = report.pv.iter().try_fold(position.clone(), |at, &mv| at.try_play(mv));
            assert!(whole.is_some(), "{:?}", report.pv);
        }
    }
    let report = search(&mut team(2), &start(), &Limits::nodes(300_000));
    assert!(report.counters.nodes > 290_000, "{} nodes", report.counters.nodes);
}

/// A depth limit holds with threads too, time is kept, and the flag ends all of them.
#[test]
fn threads_end_when_they_must() {
    let report = search(&mut team(3), &start(), &Limits::depth(8));
    assert_eq!(report.depth, 8);
    let time = Duration::from_millis(150);
    let begun = Instant::now();
    let report = search(&mut team(3), &start(), &Limits::movetime(time));
    assert!(begun.elapsed() <= time + SLACK && report.depth >= 1);
    let stop = Stop::default();
    let late = std::thread::scope(|scope| {
        let flag = stop.clone();
        let setter = scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(60));
            flag.set();
            Instant::now()
        });
        team(3).search(&start(), &Limits::depth(100), &stop, &mut |_| {});
        setter.join().unwrap().elapsed()
    });
    assert!(late <= SLACK, "they went on for {late:?}");
}
