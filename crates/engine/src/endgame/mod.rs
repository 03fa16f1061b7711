//! Endgame databases: the exact value of every position with few pieces.
//!
//! ```text
//! EndgamePlan: the classes within bounds, each with its numbering of positions
//!      |--build--> EndgameTables: a byte for each position; probed by solver and search
//!      `--with_values--> the same, from a file
//! ```
//!
//! A position's number is that of its sets of squares in the combinatorial number system, kind by
//! kind. Of positions that are equal under a symmetry of the board one is kept: the first kind's set
//! is turned to its representative.
//!
//! Values come from retrograde analysis (Thompson 1986), group of classes by group of classes, the
//! fewest pieces first. Distances count turns, and are exact.

mod build;
mod index;
mod plan;
mod subsets;
mod tables;

pub use plan::EndgamePlan;
pub use tables::{ClassSummary, EndgameTables, WrongValue};

/// No position, or one that is kept by its symmetric image.
pub(crate) const NONE: u8 = u8::MAX;
/// A draw; while a database is built, a position without a value yet.
pub(crate) const DRAW: u8 = 0;
/// The greatest distance in turns. Wins that take longer count as draws; no game here has any.
pub(crate) const LONGEST: u8 = u8::MAX - 2;

// A byte of a value: NONE, DRAW, or the turns to the end of the game. The side to move wins in an
// odd number of turns and loses in an even one, since turns alternate.

/// The value of a position as the side sees it that moved there.
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
