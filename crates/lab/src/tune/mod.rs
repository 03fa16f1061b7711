//! Optimizers over weights, or over the constants of the search; games score what they try.
//!
//! ```text
//! settings -> Space (knobs, constraints) -> Spsa <-> Batches (of pairs) <-> arena
//!                                                                  |
//!                                                       Ledger (the run's journal)
//! ```
//!
//! [`Spsa`] asks for batches of pairs by number. A batch that the [`Ledger`] has on record is not
//! played again: its result is read. So a run is resumed by running the solver from the start over
//! the record, and goes on exactly where it was. The logistic method works in rounds of games, a
//! fit and a match (see [`logistic::rounds`]), each of which is kept in the same way; the joined
//! one begins with such a round (see [`joined`]).

pub mod kept_match;
mod proof_match;
pub mod joined;
pub mod ledger;
pub mod logistic;
pub mod network;
pub mod batches;
pub mod opponents;
pub mod optimizer;
pub mod plan;
pub mod progress;
pub mod regression;
pub mod scale;
pub mod select;
pub mod driver;
pub mod settings;
pub mod space;
pub mod spsa;
pub mod target;
pub mod yardsticks;
mod validation;

pub use batches::{Batches, Duel};
pub use driver::{Tune, TuneResult};
pub use joined::JoinedDefaults;
pub use kept_match::{BatchConfig, KeptMatch, Playing};
pub use ledger::{
    BatchRecord, BatchSummary, Ledger, MemoryLedger, Stage, UnfinishedBatch, Verdicts,
};
pub use opponents::{OpponentSet, OpponentsConfig};
pub use optimizer::{Answer, Optimizer, SpsaOptions};
pub use plan::{MatchPlan, Method, Plan};
pub use progress::{NoObserver, Observer, Progress};
pub use regression::Posterior;
pub use select::Selection;
pub use settings::TuneSettings;
pub use space::{Constraint, Knob, Space};
pub use spsa::Spsa;
pub use target::Target;
pub use validation::Validation;
pub use yardsticks::{YardstickMatch, Yardsticks};
