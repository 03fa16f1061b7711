//! Perft against published counts and against a move generator that knows no bitboards.

use crate::common::array::ArrayBoard;
use crate::common::{TestedGame, below, sample};
use crate::games::each_game;
use rand_mt::Mt64;
use serde::Deserialize;
use sparring::any::AnyPosition;
use sparring::game::{Notation, Position, Side, perft};
use sparring::games::{Ataxx, Breakthrough, Breakthru, GameId};
use std::collections::HashSet;

/// Rows with more nodes than this run only when asked for.
const QUICK: u64 = 200_000_000;

#[derive(Deserialize)]
struct Row {
    game: String,
    fen: String,
    depth: u32,
    nodes: u64,
    source: String,
    /// The counting convention, for games whose turns have several plies.
    convention: Option<String>,
}

impl Row {
    /// Counts again and compares. Rows of games that the program does not know are left alone.
    fn check(&self) -> bool {
        let Ok(id) = self.game.parse::<GameId>() else { return false };
        let nodes = self.count(&id.from_fen(&self.fen).unwrap());
        assert_eq!(nodes, self.nodes, "{} depth {} ({})", self.fen, self.depth, self.source);
        true
    }

    /// Counts plies or, where the row says so, whole turns: all orders of their plies, or what they
    /// lead to.
    fn count(&self, position: &AnyPosition) -> u64 {
        let words = self.convention.as_deref().unwrap_or_default();
        if !words.contains("one turn per ply") {
            return position.perft(self.depth);
        }
        if words.contains("ordered") {
            return turns(position, self.depth);
        }
        assert!(words.contains("distinct resulting positions") && self.depth == 1);
        // Breakthru's keys count the turn and, within it, the first ship; at its end they are the
        // same for the same board.
        turn_ends(position).iter().map(|position| position.key()).collect::<HashSet<_>>().len()
            as u64
    }
}

/// The positions after every turn of the side to move, one for each order of its plies.
fn turn_ends(position: &AnyPosition) -> Vec<AnyPosition> {
    let goes_on = |child: &AnyPosition| {
        child.side_to_move() == position.side_to_move() && child.outcome().is_none()
    };
    let children = position.moves().into_iter().map(|mv| position.after(mv));
    let (middle, mut ends): (Vec<_>, Vec<_>) = children.partition(goes_on);
    ends.extend(middle.iter().flat_map(turn_ends));
    ends
}

/// The number of lines of this many turns.
fn turns(position: &AnyPosition, depth: u32) -> u64 {
    let ends = turn_ends(position);
    if depth == 1 { ends.len() as u64 } else { ends.iter().map(|end| turns(end, depth - 1)).sum() }
}

fn rows() -> Vec<Row> {
    serde_json::from_str(include_str!("../data/perft.json")).unwrap()
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

/// So are both starts of Breakthru, whose text the references write in another way.
#[test]
fn both_sides_can_begin_breakthru() {
    let rows = rows();
    let starts = rows
        .iter()
        .filter(|row| row.game == "breakthru")
        .map(|row| Breakthru::from_fen(&row.fen).unwrap());
    assert_eq!(starts.collect::<HashSet<_>>(), Side::BOTH.map(Breakthru::begun_by).into());
}

/// Both generators agree from the start of every board.
fn every_board_agrees_with_an_array_board<P: TestedGame>() {
    for board in P::boards() {
        let start = P::start(board).unwrap();
        let deepest = match board.cols() {
            0..=5 => 5,
            6..=8 => 4,
            _ => 3,
        };
        for depth in 0..=deepest {
            assert_eq!(
                perft(&start, depth),
                P::Array::of(&start).count(depth),
                "{board} depth {depth}"
            );
        }
    }
}

/// Both generators agree in the middle and at the end of games.
fn random_positions_agree_with_an_array_board<P: TestedGame>() {
    let mut generator = Mt64::new(11);
    for board in P::boards() {
        let mut positions: Vec<P> = sample(board, 6, generator.next_u64());
        for _ in 0..6 {
            let density = 10 + below(&mut generator, 50);
            positions.push(P::scattered(board, density, &mut generator));
        }
        for position in positions {
            for depth in 1..=3 {
                let (counted, naive) =
                    (perft(&position, depth), P::Array::of(&position).count(depth));
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
