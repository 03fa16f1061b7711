//! Scores from the side to move, and the encoding of wins in them.

use crate::eval::Score;
use crate::game::{Outcome, Side};

/// The score of an immediate win. A win in n plies is `WIN - n`, so quicker wins score more. Static
/// values never come near it, since weights and features are bounded.
pub const WIN: Score = 1_000_000_000;

/// A score above all possible scores.
pub const INFINITE: Score = WIN + 1;

/// The score of a draw, for either side.
pub const DRAWN: Score = 0;

/// The greatest length of a search line, in plies.
pub const MAX_PLY: usize = 160;

/// Scores of at least this absolute value are proven wins or losses.
pub const PROVEN: Score = WIN - 4096;

/// The score of a win after `ply` plies from the root.
#[inline]
pub const fn win_at(ply: usize) -> Score {
    WIN - ply as Score
}

/// Whether a score is a proven win or loss.
#[inline]
pub const fn is_proven(score: Score) -> bool {
    score >= PROVEN || score <= -PROVEN
}

/// Whether a score is a proven loss.
pub(super) const fn is_loss(score: Score) -> bool {
    score <= -PROVEN
}

/// The plies until a proven win (positive) or loss (negative); `None` for any other score.
///
/// ```
/// use sparring_engine::search::score::{WIN, plies_to_win};
/// assert_eq!(plies_to_win(WIN - 3), Some(3));
/// assert_eq!(plies_to_win(-WIN + 4), Some(-4));
/// assert_eq!(plies_to_win(120), None);
/// ```
pub const fn plies_to_win(score: Score) -> Option<i32> {
    if score >= PROVEN {
        Some(WIN - score)
    } else if score <= -PROVEN {
        Some(-(WIN + score))
    } else {
        None
    }
}

/// Whether a score is a win or loss so near that a search of this depth has seen every way to avoid
/// it.
pub(super) fn is_proven_within(score: Score, depth: u32) -> bool {
    plies_to_win(score).is_some_and(|plies| plies.unsigned_abs() <= depth)
}

/// The score of a finished game at `ply` for the side to move there.
#[inline]
pub(super) fn terminal(outcome: Outcome, side: Side, ply: usize) -> Score {
    match outcome {
        Outcome::Win(winner) if winner == side => win_at(ply),
        Outcome::Win(_) => -win_at(ply),
        Outcome::Draw => DRAWN,
    }
}
