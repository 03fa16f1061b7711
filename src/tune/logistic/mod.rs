//! Tuning by logistic regression on self-play positions (the "Texel" method): weights under which the value of a
//! position foretells the result of the game.

//!
//! ```text
//! generate -> records (samples) -> dedup -> scale -> fit (columns, pass) -> weight set -> uncertainty
//!                                           `--------- task ---------'
//! ```

pub mod columns;
pub mod dedup;
pub mod fit;
pub mod generate;
pub mod pass;
pub mod samples;
pub mod scale;
pub mod task;
pub mod uncertainty;

pub use task::{FitConfig, FitTask, SetFit};
