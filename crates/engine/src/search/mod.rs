//! The engine: position, evaluator and limits in; move, score and statistics out.
//!
//! Five algorithms, all generic over the game and its evaluator:
//! - [`Algorithm::Plain`]: negamax with alpha-beta to a fixed depth, the article's A1;
//! - [`Algorithm::Enhanced`]: the article's A2, with iterative deepening, a transposition table,
//!   null move, and every move ordered by the static value of the position after it;
//! - [`Algorithm::Full`]: the main search. Principal variation search with aspiration windows,
//!   killers, history, reductions, pruning and null move; a quiescence search that resolves
//!   captures and races to the goal; and foresight of wins and forced defences;
//! - [`Algorithm::Mcts`]: Monte-Carlo tree search with the evaluation as value and prior;
//! - [`Algorithm::Uct`]: Monte-Carlo tree search with random playouts.
//!
//! The full search and the tree searches can use several threads ([`Options::threads`]). With one
//! thread the result is a function of the input.
//!
//! All algorithms recognize draws by repetition: [`Engine::search_after`] takes the earlier
//! positions of the game.
//!
//! A turn may take several plies, so scores are negated and windows swapped only when the side to
//! move changes.

pub mod bench;
mod bucket;
mod budget;
mod clock;
pub mod constants;
mod counters;
mod deepening;
mod engine;
mod enhanced;
mod fill;
mod full;
mod history;
mod in_progress;
pub mod limits;
mod line_keys;
mod lines;
#[cfg(feature = "tree-search")]
mod mcts;
pub mod minimax;
mod options;
mod ordering;
mod parallel;
mod plain;
mod pv;
mod report;
pub mod score;
mod shared;
pub mod solve;
mod switches;
pub mod table;
mod window;

pub use clock::{Clock, ClockPolicy};
pub use constants::SearchConstants;
pub use counters::Counters;
pub use engine::Engine;
pub use fill::Fill;
pub use limits::{Limits, Stop};
pub use lines::Lines;
pub use options::{Algorithm, Options};
pub use parallel::STACK_BYTES;
pub use report::{DepthReport, Line, Report};
pub use solve::{MOST_SOLVED_PLIES, SolveOptions, SolveProgress, Solved, solve, solve_knowing};
pub use switches::Switches;
