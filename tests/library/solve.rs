//! The solver's answers are the game-theoretic values, and its lines show them.

use crate::common::endgame;
use crate::common::oracle::{Winners, value};
use crate::common::toy::Toy;
use crate::games::ataxx::one_hole;
use foldhash::{HashMap, HashMapExt};
use rand_mt::Mt64;
use sparring::eval::Game;
use sparring::game::{Board, Notation, Outcome, Position, Side};
use sparring::games::{Ataxx, Breakthrough};
use sparring::search::{SolveOptions, Solved, Stop, solve};

fn solved<P: Game>(position: &P, memory: usize, threads: usize) -> Solved<P> {
    solve(position, &SolveOptions { memory, threads }, &Stop::default(), &mut |_| {})
}

/// A line is legal and ends with the winner's win.
fn check_line<P: Game>(start: &P, solved: &Solved<P>) {
    let end = solved.pv.iter().fold(start.clone(), |position, &mv| position.try_play(mv).unwrap());
    assert_eq!(end.outcome(), solved.outcome, "{}", start.fen());
}

/// A known board is solved, also by two threads.
fn check_board(cols: u8, rows: u8, winner: Side, memory: usize, threads: usize) -> u64 {
    let start = Breakthrough::start(Board::new(cols, rows)).unwrap();
    let solved = solved(&start, memory, threads);
    assert_eq!(solved.outcome, Some(Outcome::Win(winner)), "{cols}x{rows}");
    check_line(&start, &solved);
    solved.nodes
}

/// Columns, rows, and who wins; each takes less than a second.
const SMALL: [(u8, u8, Side); 7] = [
    (2, 5, Side::Second),
    (3, 5, Side::Second),
    (4, 5, Side::Second),
    (2, 6, Side::First),
    (3, 6, Side::First),
    (2, 7, Side::Second),
    (2, 8, Side::First),
];

#[test]
fn small_boards_have_their_known_winners() {
    let memory = 32 << 20;
    for (cols, rows, winner) in SMALL {
        let nodes = check_board(cols, rows, winner, memory, 1);
        assert_eq!(nodes, check_board(cols, rows, winner, memory, 1), "one thread repeats itself");
        check_board(cols, rows, winner, memory, 2);
    }
}

#[test]
#[ignore = "takes minutes"]
fn larger_boards_have_their_known_winners() {
    for (cols, rows, winner) in [
        (5, 5, Side::Second),
        (3, 7, Side::Second),
        (4, 6, Side::First),
        (3, 8, Side::First),
        (6, 5, Side::Second),
    ] {
        check_board(cols, rows, winner, 256 << 20, 1);
    }
}

/// Boards small enough to search through, and the most pieces a side.
const ENDGAMES: [(u8, u8, u64); 7] =
    [(2, 5, 4), (3, 5, 6), (3, 6, 5), (4, 5, 6), (5, 5, 4), (6, 6, 3), (8, 8, 1)];

/// Each of the winner's moves in a line keeps the win.
fn check_moves(
    start: &Breakthrough,
    solved: &Solved<Breakthrough>,
    winners: &mut Winners<Breakthrough>,
) {
    let Some(Outcome::Win(winner)) = solved.outcome else { panic!("{}", start.fen()) };
    let mut position = start.clone();
    for &mv in &solved.pv {
        position = position.play(mv);
        assert_eq!(winners.winner(&position), winner, "{} of {}", position.fen(), start.fen());
    }
}

/// Endgames, with plenty of memory and with next to none, with one thread and with more.
#[test]
fn endgames_are_solved_right() {
    let mut generator = Mt64::new(41);
    for (cols, rows, most) in ENDGAMES {
        let mut winners = Winners::new();
        for index in 0..150 {
            let position = endgame(Board::new(cols, rows), most, &mut generator);
            let winner = Outcome::Win(winners.winner(&position));
            for (memory, threads) in [(1 << 20, 1), (1 << 10, 1), (1 << 14, 1 + index % 4)] {
                let solved = solved(&position, memory, threads);
                assert_eq!(solved.outcome, Some(winner), "{memory} bytes: {}", position.fen());
                check_line(&position, &solved);
                check_moves(&position, &solved, &mut winners);
            }
        }
    }
}

/// With a table of a few hundred entries a whole board takes longer, and the answer is the same.
#[test]
fn little_memory_costs_only_time() {
    let start = Breakthrough::start(Board::new(3, 5)).unwrap();
    let (plenty, little) = (solved(&start, 1 << 24, 1), solved(&start, 1 << 13, 1));
    assert_eq!(
        (plenty.outcome, little.outcome),
        (Some(Outcome::Win(Side::Second)), plenty.outcome)
    );
    assert!(little.nodes > plenty.nodes);
    check_line(&start, &little);
}

/// Draws are told apart from wins and losses, and a side may move twice in a row.
#[test]
fn draws_and_double_moves_are_understood() {
    let mut seen = [0; 3];
    for graph in 0..600 {
        let start = Toy::ending(graph, 3 + graph % 40, 4 + graph % 9);
        let value = value(&start, &mut HashMap::new());
        let expected = [Outcome::Win(Side::Second), Outcome::Draw, Outcome::Win(Side::First)]
            [(value + 1) as usize];
        for memory in [1 << 10, 1 << 16] {
            let solved = solved(&start, memory, 1 + graph as usize % 2);
            assert_eq!(solved.outcome, Some(expected), "{}", start.fen());
            if expected != Outcome::Draw {
                check_line(&start, &solved);
            }
        }
        seen[(value + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 30), "{seen:?}");
}

/// Ataxx boards with one empty square, close to a draw by plies without a clone: fill it, or jump
/// about?
#[test]
fn ataxx_endings_are_solved_right() {
    let mut generator = Mt64::new(43);
    let mut seen = [0; 3];
    for index in 0..400 {
        let start = one_hole(&mut generator);
        let value = value(&start, &mut HashMap::new());
        let expected = [Outcome::Win(Side::Second), Outcome::Draw, Outcome::Win(Side::First)]
            [(value + 1) as usize];
        let solved = solved(&start, 1 << (10 + index % 8), 1 + index % 2);
        assert_eq!(solved.outcome, Some(expected), "{}", start.fen());
        if expected != Outcome::Draw {
            check_line(&start, &solved);
        }
        seen[(value + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// The smallest start of Ataxx, which is over soon.
#[test]
fn the_smallest_ataxx_board_is_won_by_the_first_side() {
    let start = Ataxx::start(Board::new(4, 4)).unwrap();
    let solved = solved(&start, 1 << 20, 1);
    assert_eq!(solved.outcome, Some(Outcome::Win(Side::First)));
    check_line(&start, &solved);
}

/// A finished game needs no search; one that was stopped has no answer.
#[test]
fn finished_games_and_stopped_searches_have_no_line() {
    let over = Breakthrough::from_fen("P3/4/4/1p2/4 b - - 0 1").unwrap();
    let outcome = Some(Outcome::Win(Side::First));
    let known = Solved { outcome, is_endless: false, pv: Vec::new(), nodes: 0 };
    assert_eq!(solved(&over, 1 << 20, 1), known);
    let start = Breakthrough::start(Board::new(8, 8)).unwrap();
    for threads in [1, 3] {
        let (stop, mut told) = (Stop::default(), 0);
        let options = SolveOptions { memory: 1 << 20, threads };
        let solved = solve(&start, &options, &stop, &mut |progress| {
            told += 1;
            assert!(progress.win > 0 && progress.loss > 0 && progress.permille_full <= 1000);
            if told == 5 {
                stop.set();
            }
        });
        assert_eq!((solved.outcome, solved.pv.len()), (None, 0));
        assert!(solved.nodes > 1000);
    }
}
