//! A solver's limits, its progress and its result.

use crate::game::{Outcome, Position};

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
    /// How the game ends with best play; `None` when the solver was stopped before it knew.
    pub outcome: Option<Outcome>,
    /// A line to the end of the game. Each of the winner's moves keeps the win; the loser plays on
    /// where the proof found takes the most plies. Empty when the solver was stopped.
    pub pv: Vec<P::Move>,
    /// Positions looked at, those for the line included.
    pub nodes: u64,
}
