//! Perft against published counts and against a move generator that knows no bitboards.

mod common;

use common::{Conforming, below, each_game, sample};
use rand_mt::Mt64;
use serde::Deserialize;
use sparring::game::{Ataxx, Breakthrough, GameId, Position, perft};
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
    assert!(checked >= 175, "only {checked} rows were checked");
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
    let known = |start: String| assert!(rows.iter().any(|row| row.fen == start), "{start}");
    for board in ["8x8", "7x7", "6x6", "5x5", "5x6", "6x5"] {
        known(Breakthrough::start(board.parse().unwrap()).unwrap().fen());
    }
    for board in ["8x8", "7x7", "6x6"] {
        known(Ataxx::start(board.parse().unwrap()).unwrap().fen());
    }
}

/// Both generators agree from the start of every board.
fn every_board_agrees_with_an_array_board<P: Conforming>() {
    for board in P::boards() {
        let start = P::start(board).unwrap();
        let deepest = if board.cols() <= 5 { 5 } else { 4 };
        for depth in 0..=deepest {
            assert_eq!(perft(&start, depth), start.naive_perft(depth), "{board} depth {depth}");
        }
    }
}

/// Both generators agree in the middle and at the end of games.
fn random_positions_agree_with_an_array_board<P: Conforming>() {
    let mut generator = Mt64::new(11);
    for board in P::boards() {
        let mut positions: Vec<P> = sample(board, 6, generator.next_u64());
        for _ in 0..6 {
            let density = 10 + below(&mut generator, 50);
            positions.push(P::scattered(board, density, &mut generator));
        }
        for position in positions {
            for depth in 1..=3 {
                let (counted, naive) = (perft(&position, depth), position.naive_perft(depth));
                assert_eq!(counted, naive, "{} depth {depth}", position.fen());
            }
        }
    }
}

macro_rules! suite {
    ($($game:ident: $P:ty;)+) => { $(mod $game {
        #[test]
        fn every_board_agrees_with_an_array_board() {
            super::every_board_agrees_with_an_array_board::<$P>();
        }

        #[test]
        fn random_positions_agree_with_an_array_board() {
            super::random_positions_agree_with_an_array_board::<$P>();
        }
    })+ };
}

each_game! { suite }
