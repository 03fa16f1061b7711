//! Proven scores are true: held against exhaustive solutions of endgames, and against solved
//! boards.

use crate::common::oracle::{Solver, Winners, value};
use crate::common::{TestedGame, endgame, weight_sets};
use crate::games::ataxx::one_hole;
use foldhash::{HashMap, HashMapExt};
use rand_mt::Mt64;
use sparring::eval::Game;
use sparring::game::{Board, Notation, Position, Side};
use sparring::games::{Ataxx, Breakthrough};
use sparring::search::score::plies_to_win;
use sparring::search::{Algorithm, Engine, Limits, Options, Report, Stop, Switches};

fn engine(
    algorithm: Algorithm,
    switches: Switches,
    set: usize,
    table_bytes: usize,
) -> Engine<Breakthrough> {
    let sets = weight_sets(21);
    let evaluator = Breakthrough::evaluator(&sets[set % sets.len()]).unwrap();
    Engine::new(evaluator, Options { algorithm, switches, table_bytes, ..Options::default() })
}

fn search(
    engine: &mut Engine<Breakthrough>,
    position: &Breakthrough,
    depth: u32,
) -> Report<Breakthrough> {
    engine.search(position, &Limits::depth(depth), &Stop::default(), &mut |_| {})
}

/// The boards on which endgames can be solved in no time, and the most pieces a side.
const ENDGAMES: [(u8, u8, u64); 6] =
    [(2, 5, 4), (3, 5, 4), (4, 5, 4), (5, 5, 3), (4, 6, 3), (8, 8, 1)];

fn endgames(seed: u64, count: usize) -> Vec<Breakthrough> {
    let mut generator = Mt64::new(seed);
    let one = |index: usize| {
        let (cols, rows, most) = ENDGAMES[index % ENDGAMES.len()];
        endgame(Board::new(cols, rows), most, &mut generator)
    };
    (0..count).map(one).collect()
}

/// A proven score names the right winner, a win comes in time, and the move keeps it.
fn check_proof(
    position: &Breakthrough,
    report: &Report<Breakthrough>,
    solver: &mut Solver<Breakthrough>,
    exact: bool,
) -> bool {
    let Some(plies) = plies_to_win(report.score) else { return false };
    let side = position.side_to_move();
    let (winner, length) = solver.solve(position);
    let place = format!("{} in {plies}: {} depth {}", report.score, position.fen(), report.depth);
    assert_eq!(winner == side, plies > 0, "the wrong side wins, {place}");
    if plies > 0 {
        assert!(length <= plies.unsigned_abs(), "the win takes {length}, {place}");
        let (winner, left) = solver.solve(&position.play(report.best.unwrap()));
        assert!(
            winner == side && left < plies.unsigned_abs(),
            "the move gives the win away, {place}"
        );
    } else {
        assert!(length <= plies.unsigned_abs(), "the loss takes {length}, {place}");
    }
    assert!(!exact || length == plies.unsigned_abs(), "the end takes {length}, {place}");
    true
}

/// Searches endgames to growing depths and counts the proofs.
fn proofs(algorithm: Algorithm, switches: Switches, exact: bool, seed: u64, count: usize) -> usize {
    let mut proven = 0;
    for (index, position) in endgames(seed, count).iter().enumerate() {
        let mut engine = engine(algorithm, switches, index, 1 << 16);
        let mut solver = Solver::new();
        // Twice with a table that knows the shallower searches.
        for depth in [2 + index as u32 % 4, 7] {
            let report = search(&mut engine, position, depth);
            proven += usize::from(check_proof(position, &report, &mut solver, exact));
        }
    }
    proven
}

/// With all its parts on, pruning and reductions among them, the full search claims no win or loss
/// that is not one, and no win is longer than claimed.
#[test]
fn proven_scores_of_the_full_search_are_true() {
    assert!(proofs(Algorithm::Full, Switches::ALL, false, 1, 6000) > 3000);
}

/// Nor do searches that run out of nodes within a depth.
#[test]
fn proven_scores_of_stopped_searches_are_true() {
    // The full search may take the losses of the moves seen so far for the position's: with a few
    // dozen nodes six of 100,000 such claims were wrong, with more nodes none.
    for (algorithm, fewest, least) in [
        (Algorithm::Plain, 20, 2500),
        (Algorithm::Enhanced, 20, 2500),
        (Algorithm::Full, 200, 1500),
    ] {
        let mut proven = 0;
        for (index, position) in endgames(9, 800).iter().enumerate() {
            let mut engine = engine(algorithm, Switches::ALL, index, 1 << 16);
            let mut solver = Solver::new();
            for nodes in [20, 60, 200, 600, 2000].into_iter().filter(|&nodes| nodes >= fewest) {
                let limits = Limits::nodes(nodes);
                let report = engine.search(position, &limits, &Stop::default(), &mut |_| {});
                proven += u32::from(check_proof(position, &report, &mut solver, false));
            }
        }
        assert!(proven > least, "{algorithm}: {proven}");
    }
}

/// A proven score names the right winner and the move keeps a win; for positions too rich to know
/// the length.
fn check_winner(
    position: &Breakthrough,
    report: &Report<Breakthrough>,
    winners: &mut Winners<Breakthrough>,
) -> bool {
    let Some(plies) = plies_to_win(report.score) else { return false };
    let side = position.side_to_move();
    let place = format!("{plies}: {} depth {}", position.fen(), report.depth);
    assert_eq!(winners.winner(position) == side, plies > 0, "the wrong side wins, {place}");
    if plies > 0 {
        let next = position.play(report.best.unwrap());
        assert_eq!(winners.winner(&next), side, "the move gives the win away, {place}");
    }
    true
}

/// The usual constants, or margins so small that nearly everything is pruned.
fn options(reckless: bool) -> Options {
    let mut options = Options { table_bytes: 1 << 18, ..Options::default() };
    let constants = [
        ("reverse_futility_margin", 0),
        ("razor_margin", 0),
        ("futility_base", 0),
        ("futility_margin", 0),
        ("late_move_base", 0),
        ("reduction_base", 300),
        ("null_pieces", 0),
        ("delta_margin", 0),
    ];
    for (name, value) in constants.into_iter().filter(|_| reckless) {
        assert!(options.constants.set(name, value));
    }
    options
}

/// The same in positions with more pieces, where much more is pruned, with the usual constants and
/// reckless ones; the table keeps what it learns from position to position.
#[test]
fn proven_scores_in_crowded_positions_are_true() {
    // The boards and how many positions for each evaluator.
    let boards = [(3, 5, 8000), (3, 6, 4000), (4, 5, 2000), (4, 6, 300), (5, 5, 300)];
    let mut generator = Mt64::new(1);
    let mut proven = 0;
    for (index, (cols, rows, count)) in boards.into_iter().enumerate() {
        let mut winners = Winners::new();
        for (round, set) in weight_sets(22).iter().enumerate() {
            let evaluator = Breakthrough::evaluator(set).unwrap();
            let mut engine =
                Engine::<Breakthrough>::new(evaluator, options((index + round).is_multiple_of(2)));
            for _ in 0..count {
                let position = endgame(Board::new(cols, rows), 5, &mut generator);
                for depth in [3, 5, 7, 9] {
                    let report = search(&mut engine, &position, depth);
                    proven += usize::from(check_winner(&position, &report, &mut winners));
                }
            }
        }
    }
    assert!(proven > 200_000, "{proven}");
}

/// Several threads over one table prove nothing false, and find wins and losses as one thread does.
#[test]
fn proven_scores_of_several_threads_are_true() {
    let mut proven = [0; 2];
    for (index, position) in endgames(5, 600).iter().enumerate() {
        let sets = weight_sets(21);
        let evaluator = Breakthrough::evaluator(&sets[index % sets.len()]).unwrap();
        let options =
            Options { threads: 2 + index % 3, table_bytes: 1 << 16, ..Options::default() };
        let reports = [
            search(&mut Engine::new(evaluator, options), position, 9),
            search(&mut engine(Algorithm::Full, Switches::ALL, index, 1 << 16), position, 9),
        ];
        let mut solver = Solver::new();
        for (count, report) in proven.iter_mut().zip(&reports) {
            *count += usize::from(check_proof(position, report, &mut solver, false));
        }
    }
    assert!(proven[0] > 400 && proven[0].abs_diff(proven[1]) < 20, "{proven:?}");
}

/// Where nothing is pruned the plies of a proof are exact too; with foresight they are the most
/// that the end can take.
#[test]
fn exact_searches_know_the_length_of_a_win() {
    let foresight = Switches { foresight: true, ..Switches::EXACT };
    assert!(proofs(Algorithm::Full, foresight, false, 2, 2500) > 1000);
    assert!(proofs(Algorithm::Full, Switches::EXACT, true, 3, 1000) > 300);
    assert!(proofs(Algorithm::Plain, Switches::EXACT, true, 4, 500) > 150);
}

/// In a game with draws, no win or loss that the full search claims is a draw or the opposite
/// result.
#[test]
fn proven_scores_of_ataxx_are_true() {
    let mut generator = Mt64::new(6);
    let mut proven = [0; 2];
    for index in 0..600 {
        let position = one_hole(&mut generator);
        let value = value(&position, &mut HashMap::new());
        let own = if position.side_to_move() == Side::First { value } else { -value };
        let sets = Ataxx::weight_sets(23);
        let evaluator = Ataxx::evaluator(&sets[index % sets.len()]).unwrap();
        let mut engine = Engine::<Ataxx>::new(evaluator, options(index % 2 == 0));
        for depth in [1, 3, 5, 8] {
            let report =
                engine.search(&position, &Limits::depth(depth), &Stop::default(), &mut |_| {});
            let Some(plies) = plies_to_win(report.score) else { continue };
            assert_eq!(plies.signum(), own, "{plies}: {} depth {depth}", position.fen());
            proven[usize::from(plies > 0)] += 1;
        }
    }
    assert!(proven.iter().all(|&count| count > 100), "{proven:?}");
}

/// A win at the root is taken, also when the other side threatens to win too, and a lost position
/// still has a move and the right score.
#[test]
fn decided_roots_are_played_right() {
    for (fen, score) in [
        ("4/1P2/4/2p1/4 w - - 0 1", 1),
        ("8/P7/8/8/8/8/7p/8 w - - 0 1", 1),
        ("8/P7/8/8/8/8/7p/8 b - - 0 1", 1),
        ("8/8/8/8/P7/8/2p3p1/8 w - - 0 1", -2),
        ("8/8/P7/8/8/8/2p5/8 w - - 0 1", -2),
    ] {
        let position = Breakthrough::from_fen(fen).unwrap();
        for depth in 1..6 {
            let mut engine = engine(Algorithm::Full, Switches::ALL, 0, 1 << 16);
            let report = search(&mut engine, &position, depth);
            let plies = plies_to_win(report.score);
            assert_eq!(plies, Some(score), "{fen} depth {depth}");
            let next = position.play(report.best.unwrap());
            assert_eq!(score == 1, next.outcome().is_some(), "{fen} depth {depth}");
        }
    }
}

/// The full search, left to run until it has a proof, finds the known winner.
fn check_solved(cols: u8, rows: u8, winner: Side) {
    let start = Breakthrough::start(Board::new(cols, rows)).unwrap();
    let mut engine = engine(Algorithm::Full, Switches::ALL, 0, 64 << 20);
    let report = search(&mut engine, &start, 150);
    let plies = plies_to_win(report.score).unwrap_or_else(|| panic!("{cols}x{rows} is not solved"));
    assert_eq!(plies > 0, winner == Side::First, "{cols}x{rows}");
}

/// Solved boards that take a moment.
#[test]
fn small_boards_have_their_known_winners() {
    for (cols, rows, winner) in SMALL {
        check_solved(cols, rows, winner);
    }
}

/// Solved boards that take long.
#[test]
#[ignore = "takes minutes"]
fn larger_boards_have_their_known_winners() {
    for (cols, rows, winner) in LARGE {
        check_solved(cols, rows, winner);
    }
}

const SMALL: [(u8, u8, Side); 7] = [
    (2, 5, Side::Second),
    (3, 5, Side::Second),
    (2, 6, Side::First),
    (2, 7, Side::Second),
    (2, 8, Side::First),
    (3, 6, Side::First),
    (4, 5, Side::Second),
];

const LARGE: [(u8, u8, Side); 4] =
    [(3, 7, Side::Second), (3, 8, Side::First), (4, 6, Side::First), (5, 5, Side::Second)];
