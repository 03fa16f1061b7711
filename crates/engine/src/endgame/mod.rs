//! Endgame databases: the exact value of every position with few pieces.
//!
//! ```text
//! EndgamePlan: the classes within bounds, and the indices of their positions
//!      |--build--> EndgameTables: a byte for each position; probed by solver and search
//!      `--with_values--> the same, from a file
//! ```
//!
//! A position's index is the rank of its sets of squares in the combinatorial number system, kind
//! by kind. Only one of several positions that are equal under a symmetry of the board is stored.
//! In the stored position the first kind's set is a representative.
//!
//! Values come from retrograde analysis (Thompson 1986), one group of classes after another, fewest
//! pieces first. Distances count turns, and are exact.

mod build;
mod index;
mod plan;
mod subsets;
mod tables;

pub use plan::EndgamePlan;
pub use tables::{ClassSummary, EndgameTables, WrongValue};

/// No position, or a position stored as its symmetric image.
pub(crate) const NONE: u8 = u8::MAX;
/// A draw. During construction also a position without a value yet.
pub(crate) const DRAW: u8 = 0;
/// The greatest distance in turns. Longer wins count as draws; no game here has any.
pub(crate) const LONGEST: u8 = u8::MAX - 2;

// The encoding of a value: NONE, DRAW, or the turns to the end of the game. Turns alternate, so the
// side to move wins in an odd number of turns and loses in an even one.

/// The value of a position from the side that made the last move.
#[inline]
pub(crate) fn seen_by_mover(value: u8, turns: bool) -> u8 {
    match value {
        DRAW | NONE => value,
        _ if !turns => value,
        LONGEST.. => DRAW,
        _ => value + 1,
    }
}

/// Whether the side to move wins.
#[inline]
pub(crate) fn is_win(value: u8) -> bool {
    value % 2 == 1 && value != NONE
}
