//! The engine: position, evaluator and limits in; move, score and statistics out.
//!
//! Three algorithms, all generic over the game and its evaluator:
//! - [`Algorithm::Plain`]: negamax with alpha-beta to a fixed depth, the article's A1;
//! - [`Algorithm::Enhanced`]: the article's A2, with iterative deepening, a transposition table,
//!   every move ordered by the static value of the position it leads to, and a null move;
//! - [`Algorithm::Full`]: ours. Principal variation search with aspiration windows, killers,
//!   history, reductions, pruning, null move, a quiescence search that resolves captures and races
//!   to the goal, and wins and forced defences seen before they are searched.
//!
//! The full search can use several threads ([`Options::threads`]); with one it is a function of its
//! input.
//!
//! Where a position that comes back makes a draw, all of them know it: [`Engine::search_after`]
//! takes what has been met in the game.
//!
//! A turn may take several plies, so scores are negated and windows swapped only when the side to
//! move changes.

pub mod bench;
mod busy;
mod clock;
pub mod constants;
mod driver;
mod engine;
mod enhanced;
mod full;
mod history;
pub mod limits;
mod line;
pub mod minimax;
mod ordering;
mod parallel;
pub mod params;
mod plain;
pub mod score;
pub mod solve;
pub mod table;
mod team;
mod trail;
mod work;

pub use clock::{Clock, ClockPolicy};
pub use constants::{ConstantProvenance, ConstantSet};
pub use engine::{Algorithm, DepthReport, Engine, Options, Report};
pub use limits::{Limits, Stop};
pub use params::{SearchConstants, Switches};
pub use solve::{SolveOptions, SolveProgress, Solved, solve};
pub use work::Counters;

/// The stack of a thread that searches, in bytes: searches recurse deeply, with move lists on the
/// stack.
pub const STACK_BYTES: usize = 16 << 20;
