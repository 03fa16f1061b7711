//! Optimizers over weights, or over the constants of the search; games score what the optimizers
//! try.
//!
//! ```text
//! settings -> Space (knobs, constraints) -> Spsa <-> Session <-> arena
//!                                                       |
//!                                            Ledger (the run's journal)
//! ```
//!
//! [`Spsa`] asks for batches of pairs, which a [session](crate::session) plays. A batch that the
//! [`Ledger`] has on record is not played again: its result is read. So a run is resumed by running
//! the solver from the start over the record, and continues exactly where it was. The logistic
//! method works in rounds of games, a fit and a match (see [`logistic::rounds`]), each of which is
//! kept in the same way; the joined one begins with such a round (see [`joined`]). The options of
//! an external engine are fitted by how they change its scores (see [`option_fit`]).

mod proof_match;
pub mod engine_check;
mod engine_knobs;
mod faults;
mod gain_schedule;
pub mod joined;
pub mod knob;
pub mod knob_file;
pub mod logistic;
pub mod network;
mod batches;
mod best_values;
pub mod pace;
pub mod opponents;
pub mod option_fit;
pub mod optimizer;
pub mod plan;
pub mod progress;
pub mod regression;
pub mod rows;
pub mod scale;
pub mod select;
pub mod driver;
pub mod settings;
pub mod space;
pub mod spsa;
pub mod target;
mod usual;
pub mod yardsticks;
mod validation;
mod walk;

pub use crate::session::{
    BatchRecord, BatchSummary, Ledger, MemoryLedger, PlanChange, Stage, UnfinishedBatch, Verdicts,
};
pub use batches::Duel;
pub use driver::{Tune, TuneResult};
pub use engine_knobs::{lines_of, usual_options};
pub use gain_schedule::GainSchedule;
pub use joined::{FitFirst, JoinedDefaults};
pub use knob::{Knob, KnobKind};
pub use logistic::fit::PenaltyResult;
pub use logistic::generate::{GenerateConfig, SelfPlay};
pub use logistic::round_clock::rounds_within;
pub use logistic::round_ledger::{FitRecord, PositionsRecord, RoundEvent, RoundRecord};
pub use logistic::samples::PositionSource;
pub use logistic::schedule::{FittingPlan, Schedule, TrainingPlan};
pub use logistic::uncertainty::Uncertainty;
pub use opponents::{OpponentSet, OpponentsConfig};
pub use optimizer::{Answer, Optimizer, SpsaOptions};
pub use pace::TunePace;
pub use plan::{Beginning, MatchPlan, Method, Plan, Probing};
pub use progress::{NoObserver, Observer, Progress};
pub use regression::{AnswerErrors, Posterior};
pub use select::{Selection, names_typed};
pub use settings::{GameRules, TuneSettings, judge};
pub use space::{Constraint, Space};
pub use spsa::Spsa;
pub use target::Target;
pub use validation::Validation;
pub use yardsticks::{YardstickMatch, Yardsticks};
