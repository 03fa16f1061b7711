//! The tree searches: what they prove is true, limits and memory hold, results repeat, and every
//! move is legal.

use crate::common::{TestedGame, boards, endgame, sample};
use crate::games::ataxx::one_hole;
use rand_mt::Mt64;
use sparring::eval::Game;
use sparring::game::{Board, MoveList, Outcome, Position};
use sparring::games::{Ataxx, Breakthrough, Breakthru};
use sparring::search::score::plies_to_win;
use sparring::search::{
    Algorithm, Engine, Limits, Lines, Options, Report, SearchConstants, SolveOptions, Stop, solve,
};
use std::time::Duration;

const TREES: [Algorithm; 2] = [Algorithm::Mcts, Algorithm::Uct];

fn engine<G: TestedGame>(algorithm: Algorithm, table_bytes: usize, threads: usize) -> Engine<G> {
    let evaluator = G::evaluator(&G::weight_sets(5)[0]).unwrap();
    Engine::new(evaluator, Options { algorithm, table_bytes, threads, ..Options::default() })
}

fn search<G: Game>(engine: &mut Engine<G>, position: &G, limits: &Limits) -> Report<G> {
    engine.search(position, limits, &Stop::default(), &mut |_| {})
}

fn check_legal<G: Game>(position: &G, report: &Report<G>) {
    let place = position.fen();
    for line in report.lines() {
        let mut next = position.clone();
        for &mv in &line.pv {
            next = next.try_play(mv).unwrap_or_else(|| panic!("illegal move in a line, {place}"));
        }
    }
    assert_eq!(report.pv.first(), report.best.as_ref(), "{place}");
    assert!(report.best.is_some_and(|mv| position.is_legal(mv)), "{place}");
}

/// The moves that win at once.
fn wins<G: Game>(position: &G) -> Vec<G::Move> {
    let side = position.side_to_move();
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let wins = |mv: &G::Move| position.play_unchecked(*mv).outcome() == Some(Outcome::Win(side));
    moves.iter().copied().filter(wins).collect()
}

/// Wins in one move are played and known, and a move that allows the opponent one is not played if
/// another prevents it.
fn check_short_wins<G: TestedGame>() -> [usize; 2] {
    let mut found = [0; 2];
    for (index, board) in boards::<G>(6).enumerate() {
        for position in sample::<G>(board, 40, 40 + index as u64) {
            for algorithm in TREES {
                let mut engine = engine::<G>(algorithm, 1 << 18, 1);
                let now = wins(&position);
                let report = search(&mut engine, &position, &Limits::nodes(600));
                check_legal(&position, &report);
                if !now.is_empty() {
                    assert!(now.contains(&report.best.unwrap()), "{algorithm} {}", position.fen());
                    assert_eq!(plies_to_win(report.score), Some(1), "{}", position.fen());
                    found[0] += 1;
                    continue;
                }
                let mut moves = MoveList::new();
                position.moves(&mut moves);
                let loses = |mv: G::Move| {
                    let next = position.play_unchecked(mv);
                    let other = position.side_to_move().other();
                    next.outcome() == Some(Outcome::Win(other))
                        || next.side_to_move() == other && !wins(&next).is_empty()
                };
                let safe = moves.iter().filter(|&&mv| !loses(mv)).count();
                let is_lost = plies_to_win(report.score).is_some_and(|plies| plies < 0);
                if safe < moves.len() && safe > 0 && !is_lost {
                    let best = report.best.unwrap();
                    assert!(!loses(best), "{algorithm} {}", position.fen());
                    found[1] += 1;
                }
            }
        }
    }
    found
}

#[test]
fn wins_and_blocks_of_one_move_are_found() {
    let [one, two] = check_short_wins::<Breakthrough>();
    assert!(one > 20 && two > 5, "{one} {two}");
    check_short_wins::<Ataxx>();
    check_short_wins::<Breakthru>();
}

/// Proven results agree with the solver, and a move of a proven win keeps it.
fn check_proofs<G: TestedGame>(positions: &[G]) -> usize {
    let solved = |position: &G| {
        let options = SolveOptions { memory: 8 << 20, threads: 1 };
        solve(position, &options, &Stop::default(), &mut |_| {}).outcome
    };
    let mut proven = 0;
    for position in positions {
        for algorithm in TREES {
            let mut engine = engine::<G>(algorithm, 1 << 20, 1);
            let report = search(&mut engine, position, &Limits::nodes(3000));
            check_legal(position, &report);
            let Some(plies) = plies_to_win(report.score) else { continue };
            proven += 1;
            let side = position.side_to_move();
            let winner = if plies > 0 { side } else { side.other() };
            let place = format!("{algorithm} {plies}: {}", position.fen());
            assert_eq!(solved(position), Some(Outcome::Win(winner)), "{place}");
            let next = position.play(report.best.unwrap());
            if plies > 0 {
                assert_eq!(solved(&next), Some(Outcome::Win(winner)), "gives it away, {place}");
            }
        }
    }
    proven
}

#[test]
fn proven_results_are_those_of_the_solver() {
    let mut generator = Mt64::new(77);
    let breakthrough: Vec<_> =
        (0..40).map(|_| endgame(Board::new(5, 5), 4, &mut generator)).collect();
    let found = check_proofs::<Breakthrough>(&breakthrough);
    assert!(found > 60, "{found}");
    let ataxx: Vec<_> = (0..40).map(|_| one_hole(&mut generator)).collect();
    let found = check_proofs::<Ataxx>(&ataxx);
    assert!(found > 20, "{found}");
    let board = Breakthru::boards()[0];
    let breakthru: Vec<_> =
        (0..30).map(|_| <Breakthru as TestedGame>::endgame(board, 2, &mut generator)).collect();
    check_proofs::<Breakthru>(&breakthru);
}

/// The same search gives the same result, the nodes are exact, and a single one is enough for a
/// legal move.
fn check_limits<G: TestedGame>() {
    for position in boards::<G>(3).flat_map(|board| sample::<G>(board, 2, 9)) {
        for algorithm in TREES {
            for nodes in [1, 2, 7, 300, 1025] {
                let once = || {
                    let mut engine = engine::<G>(algorithm, 1 << 18, 1);
                    let report = search(&mut engine, &position, &Limits::nodes(nodes));
                    Report { elapsed: Duration::ZERO, ..report }
                };
                let report = once();
                assert_eq!(report, once(), "{algorithm}");
                assert!(report.counters.nodes <= nodes);
                check_legal(&position, &report);
            }
            let mut told = Vec::new();
            let report = engine::<G>(algorithm, 1 << 18, 1).search(
                &position,
                &Limits::depth(2),
                &Stop::default(),
                &mut |found| told.push(found.depth),
            );
            check_legal(&position, &report);
            assert!(report.depth <= 2 && told.iter().copied().eq(1..=report.depth), "{told:?}");
        }
    }
}

#[test]
fn limits_hold_and_results_repeat() {
    check_limits::<Breakthrough>();
    check_limits::<Ataxx>();
    check_limits::<Breakthru>();
}

/// Whole games with one engine, whose tree is kept from move to move and soon full.
fn check_games<G: TestedGame>(table_bytes: usize, threads: usize) {
    for algorithm in TREES {
        let mut engine = engine::<G>(algorithm, table_bytes, threads);
        let mut position = G::start(G::boards()[0]).unwrap();
        for _ in 0..40 {
            if position.outcome().is_some() {
                break;
            }
            let report = search(&mut engine, &position, &Limits::nodes(400));
            check_legal(&position, &report);
            assert!(engine.fill().permille() <= 1000);
            position = position.play(report.best.unwrap());
        }
        engine.clear();
        assert_eq!(engine.fill().permille(), 0);
    }
}

#[test]
fn a_kept_tree_and_a_full_one_give_legal_moves() {
    for bytes in [0, 1 << 18] {
        check_games::<Breakthrough>(bytes, 1);
        check_games::<Ataxx>(bytes, 1);
        check_games::<Breakthru>(bytes, 1);
    }
}

#[test]
fn several_threads_end_and_give_legal_moves() {
    for threads in [2, 4] {
        check_games::<Breakthrough>(1 << 18, threads);
        check_games::<Ataxx>(1 << 16, threads);
        check_games::<Breakthru>(1 << 16, threads);
    }
}

/// A tiny tree is full and stays so, while the search uses all its nodes.
#[test]
fn a_full_tree_searches_on() {
    let start = Breakthrough::start(Board::new(8, 8)).unwrap();
    for algorithm in TREES {
        let mut engine = engine::<Breakthrough>(algorithm, 0, 1);
        let report = search(&mut engine, &start, &Limits::nodes(5000));
        assert_eq!(report.counters.nodes, 5000);
        assert!(engine.fill().permille() > 900, "{}", engine.fill().permille());
        check_legal(&start, &report);
    }
}

#[test]
fn lines_and_chosen_moves_are_reported() {
    let start = Breakthrough::start(Board::new(6, 6)).unwrap();
    let mut moves = MoveList::new();
    start.moves(&mut moves);
    for algorithm in TREES {
        let mut engine = engine::<Breakthrough>(algorithm, 1 << 18, 1);
        let lines = Lines::best(3).among(&moves[1..5]);
        let (limits, stop) = (Limits::nodes(2000), Stop::default());
        let report = engine.search_lines(&lines, &start, &limits, &stop, &mut |_| {});
        check_legal(&start, &report);
        let firsts: Vec<_> = report.lines().iter().map(|line| line.pv[0]).collect();
        assert_eq!(firsts.len(), 3);
        assert!(firsts.iter().all(|mv| moves[1..5].contains(mv)), "{firsts:?}");
        assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    }
}

/// A search of chosen moves does not influence a later search of all moves.
#[test]
fn a_search_of_chosen_moves_leaves_nothing_to_a_search_of_all() {
    let start = Breakthrough::start(Board::new(6, 6)).unwrap();
    let mut moves = MoveList::new();
    start.moves(&mut moves);
    let limits = Limits::nodes(2_000);
    for algorithm in TREES {
        let all = search(&mut engine(algorithm, 1 << 20, 1), &start, &limits);
        let mut again = engine::<Breakthrough>(algorithm, 1 << 20, 1);
        let lines = Lines::best(1).among(&moves[..1]);
        again.search_lines(&lines, &start, &limits, &Stop::default(), &mut |_| {});
        let found = search(&mut again, &start, &limits);
        assert_eq!((found.pv, found.score), (all.pv, all.score), "{algorithm}");
    }
}

/// A search for several lines visits a move for each of them, whatever these are worth.
#[test]
fn a_search_for_lines_leaves_nothing_to_a_search_for_fewer() {
    let start = Breakthrough::start(Board::new(6, 6)).unwrap();
    let limits = Limits::nodes(2_000);
    for algorithm in TREES {
        let all = search(&mut engine(algorithm, 1 << 20, 1), &start, &limits);
        let mut again = engine::<Breakthrough>(algorithm, 1 << 20, 1);
        again.search_lines(&Lines::best(8), &start, &limits, &Stop::default(), &mut |_| {});
        let found = search(&mut again, &start, &limits);
        assert_eq!((found.pv, found.score), (all.pv, all.score), "{algorithm}");
    }
}

#[test]
fn each_constant_of_the_trees_has_bounds() {
    for info in SearchConstants::TREE_LIST {
        assert!(info.check((info.max + 1).into()).is_err() && info.check(info.max.into()).is_ok());
        let position = Breakthrough::start(Board::new(6, 6)).unwrap();
        for (algorithm, value) in TREES.into_iter().zip([info.min, info.max]) {
            let mut engine = engine::<Breakthrough>(algorithm, 1 << 16, 1);
            let mut constants = SearchConstants::default();
            constants.set(info.name, value);
            engine.set_constants(&constants);
            check_legal(&position, &search(&mut engine, &position, &Limits::nodes(300)));
        }
    }
}
