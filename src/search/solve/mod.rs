//! The game-theoretic value of a position: who wins with best play, proven.
//!
//! Depth-first proof-number search (df-pn, Nagai 2002) with the 1 + epsilon trick, over a table of
//! fixed size whose entries belong to a position and its mirror images at once. What the rules
//! prove at a glance ([`Position::foresight`]) ends lines, and threats leave only their answers
//! ([`Position::relevant_moves`]). Estimates decide nothing but where to look first, so the answer
//! is a proof: with little memory it takes longer, but is the same.
//!
//! Several threads share the table and shun the moves that others are trying.
//!
//! The games here end by their rules, whatever is played; a game that can go round in circles for
//! ever, unlike those, would never be solved.

mod proof_line;
mod proof_numbers;
mod table;
mod worker;

use super::in_progress::InProgress;
use super::limits::Stop;
use crate::game::{Outcome, Position, SearchHints};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Builder, scope};
use table::ProofTable;
use worker::{Shared, Worker};

/// A game is searched as deep as it is long.
const STACK_BYTES: usize = 64 << 20;

/// What a solver may use.
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

/// Solves a position.
///
/// ```
/// use sparring::game::{Board, Outcome, Position, Side};
/// use sparring::games::Breakthrough;
/// use sparring::search::{SolveOptions, Stop, solve};
/// let start = Breakthrough::start(Board::new(3, 5)).unwrap();
/// let options = SolveOptions { memory: 1 << 20, threads: 1 };
/// let solved = solve(&start, &options, &Stop::default(), &mut |_| {});
/// assert_eq!(solved.outcome, Some(Outcome::Win(Side::Second)));
/// ```
pub fn solve<P: SearchHints>(
    position: &P,
    options: &SolveOptions,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&SolveProgress),
) -> Solved<P> {
    if let Some(outcome) = position.outcome() {
        return Solved { outcome: Some(outcome), pv: Vec::new(), nodes: 0 };
    }
    let side = position.side_to_move();
    let mut shared = Shared {
        table: ProofTable::new(options.memory),
        in_progress: (options.threads > 1).then(InProgress::new),
        draws_for: side.other(),
        stop: stop.clone(),
        done: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
    };
    let mut answer = prove(position, &shared, options.threads, on_progress);
    if P::HAS_DRAWS && answer.as_ref().is_some_and(|(outcome, _)| *outcome != Outcome::Win(side)) {
        // The side to move does not win: does it hold a draw?
        shared.draws_for = side;
        answer =
            prove(position, &shared, options.threads, on_progress).map(
                |(outcome, pv)| match outcome {
                    Outcome::Win(winner) if winner == side => (Outcome::Draw, pv),
                    other => (other, pv),
                },
            );
    }
    let nodes = shared.nodes.into_inner();
    let (outcome, pv) = answer.map_or((None, Vec::new()), |(outcome, pv)| (Some(outcome), pv));
    Solved { outcome, pv, nodes }
}

/// Who wins when a draw counts as a win of the one side, and a line that shows it; `None` when
/// stopped before.
fn prove<P: SearchHints>(
    position: &P,
    shared: &Shared,
    threads: usize,
    on_progress: &mut dyn FnMut(&SolveProgress),
) -> Option<(Outcome, Vec<P::Move>)> {
    shared.done.store(false, Relaxed);
    let help = || {
        Worker::new(shared, None).solve(position);
        shared.done.store(true, Relaxed);
    };
    let found = scope(|scope| {
        for _ in 1..threads {
            // Threads that the system does not give are done without.
            let _ = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help);
        }
        let found = Worker::new(shared, Some(&mut *on_progress)).solve(position);
        shared.done.store(true, Relaxed);
        found
    });
    shared.done.store(false, Relaxed);
    let mut worker = Worker::new(shared, Some(on_progress));
    // Where a helper was the first to know, the table has what led to it.
    let found =
        found.or_else(|| (!shared.stop.is_set()).then(|| worker.solve(position)).flatten())?;
    let side = position.side_to_move();
    let winner = if found.numbers().win == 0 { side } else { side.other() };
    proof_line::proof_line(&mut worker, position, found).map(|pv| (Outcome::Win(winner), pv))
}
