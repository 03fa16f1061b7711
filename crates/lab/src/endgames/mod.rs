//! Endgame databases as files, and the values that they give moves.

mod file;
mod sample;

pub use file::{begin_file, load, load_for, save, to_bytes};
pub use sample::{SampleCheck, WrongOutcome, check_every, check_sample};

use crate::any::{AnyEndgames, AnyMove, AnyPosition};
use crate::game::{KnownValue, Outcome, Side};

/// The value, for the side to move, of a position in which the game has ended.
fn ended(outcome: Outcome, side: Side) -> KnownValue {
    match outcome {
        Outcome::Draw => KnownValue::Draw,
        Outcome::Win(winner) if winner == side => KnownValue::Win(0),
        Outcome::Win(_) => KnownValue::Loss(0),
    }
}

/// The legal moves of a position, best first, with their values for the side to move. Moves without
/// a known value (`None`) come last.
pub fn move_values(
    endgames: &AnyEndgames,
    position: &AnyPosition,
) -> Vec<(AnyMove, Option<KnownValue>)> {
    let side = position.side_to_move();
    let value = |mv| {
        let after = position.after(mv);
        let value = match after.outcome() {
            Some(outcome) => Some(ended(outcome, after.side_to_move())),
            None => endgames.value(&after),
        };
        match value? {
            value if after.side_to_move() == side => Some(value),
            KnownValue::Win(turns) => Some(KnownValue::Loss(turns + 1)),
            KnownValue::Loss(turns) => Some(KnownValue::Win(turns + 1)),
            KnownValue::Draw => Some(KnownValue::Draw),
        }
    };
    let mut moves: Vec<_> = position.moves().into_iter().map(|mv| (mv, value(mv))).collect();
    moves.sort_by_key(|&(_, value)| place(value));
    moves
}

/// The sort key of a value: wins first, the quickest at the front, then draws, then losses, the
/// longest at the front, then unknown values.
fn place(value: Option<KnownValue>) -> (u8, i64) {
    match value {
        Some(KnownValue::Win(turns)) => (0, turns.into()),
        Some(KnownValue::Draw) => (1, 0),
        Some(KnownValue::Loss(turns)) => (2, -i64::from(turns)),
        None => (3, 0),
    }
}
