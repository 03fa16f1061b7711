//! The game-theoretic value of a position: its proven result with best play.
//!
//! Depth-first proof-number search (df-pn, Nagai 2002) with the 1 + epsilon trick. The table has a
//! fixed size, and its entries serve a position and its mirror images. Results proven by the rules
//! ([`SearchHints::foresight`]) end lines, and after threats only the answers are searched
//! ([`SearchHints::relevant_moves`]). Estimates only affect the order of the search, so the result
//! is a proof. With little memory it takes longer, but stays the same.
//!
//! Several threads share the table and avoid moves that another thread is trying.
//!
//! Lines end by the rules. In a game that can repeat positions for ever, the solver gives up at a
//! line of [`MOST_SOLVED_PLIES`] plies.

mod proof_line;
mod proof_numbers;
mod report;
mod table;
mod worker;

use super::in_progress::InProgress;
use super::limits::Stop;
use crate::game::{KnownValues, Outcome, SearchHints, Side};
pub use report::{MOST_SOLVED_PLIES, SolveOptions, SolveProgress, Solved};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Builder, scope};
use table::ProofTable;
use worker::{Shared, Worker};

/// The stack size of a solver's thread, in bytes. Lines are as deep as the game is long.
const STACK_BYTES: usize = 64 << 20;

/// Solves a position.
///
/// ```
/// use sparring_engine::game::{Board, Outcome, Position, Side};
/// use sparring_engine::games::Breakthrough;
/// use sparring_engine::search::{SolveOptions, Stop, solve};
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
    solve_knowing(position, None, options, stop, on_progress)
}

/// As [`solve`], with known values of positions, which end lines.
pub fn solve_knowing<P: SearchHints>(
    position: &P,
    known: Option<&dyn KnownValues<P>>,
    options: &SolveOptions,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&SolveProgress),
) -> Solved<P> {
    if let Some(outcome) = position.outcome() {
        return Solved { outcome: Some(outcome), is_endless: false, pv: Vec::new(), nodes: 0 };
    }
    let side = position.side_to_move();
    let mut shared = Shared {
        table: ProofTable::new(options.memory),
        known,
        in_progress: (options.threads > 1).then(InProgress::new),
        draws_for: side.other(),
        stop: stop.clone(),
        done: AtomicBool::new(false),
        is_endless: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
    };
    let mut proof = prove(position, &shared, options.threads, on_progress);
    if P::HAS_DRAWS && proof.as_ref().is_some_and(|proof| proof.winner != side) {
        // The side to move does not win, but may hold a draw.
        shared.draws_for = side;
        proof = prove(position, &shared, options.threads, on_progress);
    }
    let outcome = proof.as_ref().map(|proof| match shared.draws_for == side {
        true if proof.winner == side => Outcome::Draw,
        _ => Outcome::Win(proof.winner),
    });
    let pv = proof.map_or(Vec::new(), |proof| proof.pv);
    let is_endless = outcome.is_none() && shared.is_endless.into_inner();
    Solved { outcome, is_endless, pv, nodes: shared.nodes.into_inner() }
}

/// The winner if a draw counts as a win of one side, and a line that shows it.
struct Proof<P: SearchHints> {
    winner: Side,
    pv: Vec<P::Move>,
}

/// Proves the winner if a draw counts as a win of [`Shared::draws_for`]; `None` when stopped
/// before.
fn prove<P: SearchHints>(
    position: &P,
    shared: &Shared<'_, P>,
    threads: usize,
    on_progress: &mut dyn FnMut(&SolveProgress),
) -> Option<Proof<P>> {
    shared.done.store(false, Relaxed);
    let help = || {
        Worker::new(shared, None).solve(position);
        shared.done.store(true, Relaxed);
    };
    let found = scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot start, the others do its work.
            let _ = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, help);
        }
        let found = Worker::new(shared, Some(&mut *on_progress)).solve(position);
        shared.done.store(true, Relaxed);
        found
    });
    shared.done.store(false, Relaxed);
    let mut worker = Worker::new(shared, Some(on_progress));
    // If a helper finished first, its proof is in the table.
    let found =
        found.or_else(|| (!shared.is_given_up()).then(|| worker.solve(position)).flatten())?;
    let side = position.side_to_move();
    let winner = if found.numbers().win == 0 { side } else { side.other() };
    proof_line::proof_line(&mut worker, position, found).map(|pv| Proof { winner, pv })
}
