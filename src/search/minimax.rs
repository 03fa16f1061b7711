//! The plain definition of a search's value, without any pruning: what every exact search is tested against.

use super::score::terminal;
use crate::eval::{Evaluator, Score};
use crate::game::{MoveList, Position};

/// The minimax value of a position at a fixed depth, from the side to move; wins count from `ply`.
pub fn minimax<P: Position, E: Evaluator<P>>(position: &P, evaluator: &E, depth: u32, ply: usize) -> Score {
    if let Some(outcome) = position.outcome() {
        return terminal(outcome, position.side_to_move(), ply);
    }
    if depth == 0 {
        return evaluator.evaluate(position);
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let value = |mv: &P::Move| {
        let child = position.play_unchecked(*mv);
        let value = minimax(&child, evaluator, depth - 1, ply + 1);
        if child.side_to_move() == position.side_to_move() { value } else { -value }
    };
    moves.iter().map(value).max().unwrap_or(0)
}
