//! Each piece's share in the score of a position: the score lost without it.

use super::Score;
use crate::any::{AnyEvaluator, AnyPosition};
use serde::Serialize;

/// A piece and its contribution to the score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PieceWorth {
    /// Its square.
    pub square: String,
    /// Whether it is a piece of the side to move.
    pub own: bool,
    /// The score lost without it, from the side to move: mostly negative for a piece of the other
    /// side.
    pub loss: Score,
}

/// The score lost without each piece, ordered by square, row by row from the first row. Pieces
/// whose loss ends the game are left out, since the remaining position has no score.
pub fn piece_worths(position: &AnyPosition, evaluator: &AnyEvaluator) -> Vec<PieceWorth> {
    let score = evaluator.evaluate(position);
    let mover = position.side_to_move();
    let worth = |col: u8, row: u8| {
        let (without, side) = position.without_piece(col, row)?;
        Some(PieceWorth {
            square: format!("{}{}", char::from(b'a' + col), row + 1),
            own: side == mover,
            loss: score.saturating_sub(evaluator.evaluate(&without)),
        })
    };
    let board = position.board();
    let squares = (0..board.rows()).flat_map(|row| (0..board.cols()).map(move |col| (col, row)));
    squares.filter_map(|(col, row)| worth(col, row)).collect()
}
