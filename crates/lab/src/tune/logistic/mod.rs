//! Tuning by logistic regression on self-play positions (the "Texel" method): weights under which
//! the value of a position predicts the result of the game.
//!
//! ```text
//! generate -> records (samples) -> dedup -> scale -> fit (columns, sharing, pass) -> set
//!                                           `------------- task ------------'
//! set -> uncertainty (sandwich)
//! ```
//!
//! A tune in [`rounds`] repeats this, with a match after each fit.

pub mod columns;
pub mod config;
pub mod dedup;
pub mod fit;
pub mod fit_error;
pub mod game_losses;
pub mod generate;
pub mod self_play;
pub(super) mod linear;
pub mod pass;
pub mod prior;
pub mod round_clock;
pub mod round_ledger;
pub mod rounds;
pub mod samples;
mod sandwich;
pub mod scale;
pub mod schedule;
pub mod sharing;
pub mod task;
pub mod uncertainty;

pub use config::{FitConfig, usual_blend};
pub use fit_error::{FitError, FitResult};
pub use task::{FitTask, SetFit};
