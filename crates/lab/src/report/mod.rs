//! The results of a run in numbers and words, and as CSV for other programs.
//!
//! ```text
//! manifest + record -> RunHistory (curves) -> RunSummary (numbers) -> words, csv
//! ```
//!
//! Everything here is a function of the run's record: no file is touched and nothing is played, so
//! a report can be made at any time, of a run under way too.

pub mod advice;
pub mod answer;
pub mod comparison;
pub mod csv;
pub mod explanation;
pub mod export;
pub mod given_options;
pub mod history;
pub mod names;
pub mod options;
mod recorded;
pub mod rounds;
pub mod run_summary;
pub mod role;
pub mod table;
pub mod tournament;
pub mod tune_state;
mod typed;
pub mod units;
mod weight_row;
pub mod words;

pub use csv::{HistoryRow, csv, history_rows};
pub use given_options::GivenOption;
pub use history::RunHistory;
pub use role::Role;
pub use rounds::RoundRow;
pub use run_summary::RunSummary;
pub use table::{Facts, TextTable};
pub use tournament::{TournamentReport, repeats_text};
pub use tune_state::TuneState;
pub use weight_row::WeightRow;
