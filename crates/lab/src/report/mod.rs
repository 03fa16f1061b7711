//! The report of a run: an HTML page with plots, CSV for other programs, and plain text.
//!
//! ```text
//! manifest + record -> RunHistory (curves) -> RunSummary (numbers) -> page, csv
//! ```
//!
//! Everything here is a function of the run's record: no file is touched and nothing is played, so
//! a report can be made at any time, of a run under way too.

pub mod advice;
pub mod comparison;
pub mod csv;
pub mod explanation;
pub mod export;
pub mod history;
mod html_page;
pub mod names;
pub mod options;
pub mod page;
pub mod rounds;
pub mod run_summary;
mod rounds_page;
mod plot;
pub mod role;
pub mod table;
pub mod tournament;
mod typed;
pub mod units;
pub mod words;

pub use csv::{HistoryRow, csv, history_rows};
pub use history::RunHistory;
pub use html_page::{STYLE, document};
pub use page::page;
pub use rounds::RoundRow;
pub use run_summary::{RunState, RunSummary, WeightRow};
pub use tournament::TournamentReport;
