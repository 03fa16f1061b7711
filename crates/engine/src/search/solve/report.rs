//! The options, progress and result of a solver.

use crate::game::{Outcome, Position};

/// The longest line that the solver follows, in plies. In a build without optimization the stack of
/// the calling thread has room for no more.
pub const MOST_SOLVED_PLIES: u32 = 3000;

/// The memory and the threads of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveOptions {
    /// The size of the table in bytes; values below 64 count as 64.
    pub memory: usize,
    /// The number of threads, at least 1. With more than one, node counts and the line differ
    /// between runs, but not the value.
    pub threads: usize,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self { memory: 1 << 30, threads: 1 }
    }
}

/// The progress of a running solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveProgress {
    /// The number of positions visited, with repeated visits.
    pub nodes: u64,
    /// The share of the table in use, in permille.
    pub permille_full: u32,
    /// The work left to prove that the side to move wins. It grows with hard lines, and ends at 0
    /// or at its greatest value, 134,217,727.
    pub win: u32,
    /// The work left to prove that the side to move does not win.
    pub loss: u32,
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved<P: Position> {
    /// The outcome with best play; `None` if the solver was stopped early or gave up.
    pub outcome: Option<Outcome>,
    /// Whether it gave up at a line of [`MOST_SOLVED_PLIES`], in a game whose lines may repeat
    /// without end.
    pub is_endless: bool,
    /// A line to the end of the game. Each of the winner's moves keeps the win. The loser chooses
    /// the moves with the longest proofs. Empty if the solver was stopped.
    pub pv: Vec<P::Move>,
    /// The number of positions visited, including the search for the line.
    pub nodes: u64,
}
