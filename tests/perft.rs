//! Perft against published counts and against a move generator that knows no bitboards.

mod common;

use common::{below, sample};
use rand_mt::Mt64;
use serde::Deserialize;
use sparring::game::{Board, Breakthrough, GameId, Position, Side, perft};
use sparring::with_game;

/// Rows with more nodes than this run only when asked for.
const QUICK: u64 = 200_000_000;

/// A reference count.
#[derive(Deserialize)]
struct Row {
    game: String,
    fen: String,
    depth: u32,
    nodes: u64,
    source: String,
    /// Which plies a game with turns of several plies counts, where that is in question.
    convention: Option<String>,
}

impl Row {
    /// Counts again and compares. Rows of games that the program does not know, and those that count whole turns
    /// where ours counts plies, are left alone.
    fn check(&self) -> bool {
        if self.convention.as_ref().is_some_and(|words| words.contains("one turn per ply")) {
            return false;
        }
        let Ok(id) = self.game.parse::<GameId>() else { return false };
        let nodes = with_game!(id, P => perft(&P::from_fen(&self.fen).unwrap(), self.depth));
        assert_eq!(nodes, self.nodes, "{} depth {} ({})", self.fen, self.depth, self.source);
        true
    }
}

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("data/perft.json")).unwrap()
}

/// Every row that takes seconds at most.
#[test]
fn counts_agree_with_the_references() {
    let checked = rows().iter().filter(|row| row.nodes <= QUICK && row.check()).count();
    assert!(checked >= 70, "only {checked} rows were checked");
}

/// The rows that take minutes.
#[test]
#[ignore = "takes minutes"]
fn large_counts_agree_with_the_references() {
    assert!(rows().iter().filter(|row| row.nodes > QUICK && row.check()).count() > 0);
}

/// The start position of a board is the one that the references name.
#[test]
fn starts_are_those_of_the_references() {
    let rows = rows();
    for board in ["8x8", "7x7", "6x6", "5x5", "5x6", "6x5"] {
        let start = Breakthrough::start(board.parse().unwrap()).unwrap().fen();
        assert!(rows.iter().any(|row| row.fen == start), "{start}");
    }
}

/// A Breakthrough board as an array: `Some(true)` is White, rows from the bottom.
#[derive(Clone)]
struct Naive {
    squares: Vec<Vec<Option<bool>>>,
    white_moves: bool,
}

impl Naive {
    fn start(board: Board) -> Self {
        let rows = usize::from(board.rows());
        let row = |row| match row {
            0 | 1 => Some(true),
            row if row + 2 >= rows => Some(false),
            _ => None,
        };
        let squares = (0..rows).map(|r| vec![row(r); board.cols().into()]).collect();
        Self { squares, white_moves: true }
    }

    fn of(position: &Breakthrough) -> Self {
        let board = position.board();
        let at = |row: u8, col: u8| {
            let holds = |side| position.pieces(side) >> (8 * row + col) & 1 == 1;
            if holds(Side::First) { Some(true) } else { holds(Side::Second).then_some(false) }
        };
        let squares =
            (0..board.rows()).map(|row| (0..board.cols()).map(|col| at(row, col)).collect()).collect();
        Self { squares, white_moves: position.side_to_move() == Side::First }
    }

    /// Whether somebody has arrived or lost the last piece.
    fn is_over(&self) -> bool {
        let has = |white: bool| self.squares.iter().flatten().any(|&square| square == Some(white));
        let arrived =
            self.squares.last().unwrap().contains(&Some(true)) || self.squares[0].contains(&Some(false));
        arrived || !has(true) || !has(false)
    }

    /// The squares that a piece of the side to move can go to, as (row, column).
    fn targets(&self, row: usize, col: usize) -> Vec<(usize, usize)> {
        let mover = Some(self.white_moves);
        let next = if self.white_moves { row + 1 } else { row.wrapping_sub(1) };
        if self.squares[row][col] != mover || next >= self.squares.len() {
            return Vec::new();
        }
        let free = |&target: &usize| match self.squares[next].get(target) {
            None => false,
            Some(None) => true,
            Some(&piece) => piece != mover && target != col,
        };
        [col.wrapping_sub(1), col, col + 1].into_iter().filter(free).map(|target| (next, target)).collect()
    }

    fn count(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.is_over() {
            return 0;
        }
        let mut sum = 0;
        for row in 0..self.squares.len() {
            for col in 0..self.squares[0].len() {
                for (to_row, to_col) in self.targets(row, col) {
                    let mut next = self.clone();
                    next.squares[to_row][to_col] = next.squares[row][col].take();
                    next.white_moves = !self.white_moves;
                    sum += next.count(depth - 1);
                }
            }
        }
        sum
    }
}

/// Both generators agree from the start of every board.
#[test]
fn every_board_agrees_with_an_array_board() {
    for board in Breakthrough::boards() {
        let start = Breakthrough::start(board).unwrap();
        let deepest = if board.cols() <= 5 { 5 } else { 4 };
        for depth in 0..=deepest {
            assert_eq!(perft(&start, depth), Naive::start(board).count(depth), "{board} depth {depth}");
        }
    }
}

/// Both generators agree in the middle and at the end of games.
#[test]
fn random_positions_agree_with_an_array_board() {
    let mut generator = Mt64::new(11);
    for board in Breakthrough::boards() {
        let mut positions: Vec<Breakthrough> = sample(board, 6, generator.next_u64());
        for _ in 0..6 {
            let density = 10 + below(&mut generator, 50);
            positions.push(common::scatter(board, density, &mut generator));
        }
        for position in positions {
            let naive = Naive::of(&position);
            for depth in 1..=3 {
                assert_eq!(perft(&position, depth), naive.count(depth), "{} depth {depth}", position.fen());
            }
        }
    }
}
