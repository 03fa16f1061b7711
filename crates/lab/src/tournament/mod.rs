//! Matches and tournaments: players that meet pair by pair, as a run that can be stopped, resumed
//! and reported.
//!
//! ```text
//! TournamentSettings --Tournament, with a ledger--> batches of pairs
//!                                                   --TournamentResult--> tables, pages
//! ```
//!
//! A match is a tournament of two. Every player meets every other one once, match after match. The
//! pairs of a match are kept in batches of a fixed size, so that under limits of nodes or depth the
//! journal depends on the settings alone. The result is computed from the batches alone, so the
//! command that played, its resume and a report say the same.

pub mod driver;
pub mod result;
pub mod settings;

pub use driver::{ReadyPlayer, Tournament, TournamentObserver, TournamentPair};
pub use result::{MatchResult, TournamentResult};
pub use settings::{Contestant, ContestantKind, TournamentKind, TournamentSettings, check_pairs};
