//! A solver's limits, its progress and its result.

use crate::game::{Outcome, Position};

/// The longest line that the solver follows, in plies: the stack of the calling thread has room for
/// no more in a build without optimization.
pub const MOST_SOLVED_PLIES: u32 = 3000;

/// The limits of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveOptions {
    /// The size of the table in bytes; less than 64 count as 64.
    pub memory: usize,
    /// The threads, at least 1. With more than one the nodes and the line differ from run to run,
    /// the value does not.
    pub threads: usize,
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self { memory: 1 << 30, threads: 1 }
    }
}

/// How far a solver has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveProgress {
    /// Positions looked at, each as often as it was.
    pub nodes: u64,
    /// The share of the table in use, in permille.
    pub permille_full: u32,
    /// The effort left to prove that the side to move wins; it grows as hard lines are met, and
    /// ends at 0 or at its greatest value, 134,217,727.
    pub win: u32,
    /// The effort left to prove that it does not.
    pub loss: u32,
}

/// The answer of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved<P: Position> {
    /// How the game ends with best play; `None` when the solver was stopped before it knew, or gave
    /// up.
    pub outcome: Option<Outcome>,
    /// Whether it gave up at a line of [`MOST_SOLVED_PLIES`]: where a game can go round
    /// in circles, its lines need not end.
    pub is_endless: bool,
    /// A line to the end of the game. Each of the winner's moves keeps the win; the loser plays on
    /// where the proof found takes the most plies. Empty when the solver was stopped.
    pub pv: Vec<P::Move>,
    /// Positions looked at, those for the line included.
    pub nodes: u64,
}
