//! From game pairs to Elo, normalised Elo, likelihood of superiority, SPRT verdicts and ratings.
//!
//! ```text
//! pair scores -> PairCounts -> Summary            one match, as it is printed
//!                    |      -> Sprt, SprtTracker   when to stop, and with which verdict
//!                    |         -> Decision         the outcome of a match that had to end
//!                    +----> rate -> Ratings        a round robin of any number of players
//! ```
//!
//! The unit of every statistic is the *game pair*: one opening played twice with the colours
//! swapped. The two games of a pair share the opening's bias, so they are not independent, but
//! pairs are; error bars from pairs are right, error bars from single games are not. A pair scores
//! 0, 1/4, 1/2, 3/4 or 1, and a match is the count of each ([`PairCounts`], the pentanomial model).
//!
//! The crate is pure: no input or output, no clock, no randomness. No count, however lopsided or
//! large, gives NaN or an infinity: an undefined number is `None`, and its interval holds what the
//! counts say.
//!
//! # Words
//! * *Elo*: 400 log10(s / (1 - s)) of the mean score s.
//! * *Normalised Elo* (nElo): the edge in standard deviations of one game's score, times
//!   800 / ln 10. How many games a difference takes to be seen depends on nElo alone, whatever the
//!   share of draws.
//! * *LOS*: likelihood of superiority, the probability that the first player is the stronger.
//! * *LLR*: log-likelihood ratio of the two hypotheses of an SPRT (sequential probability ratio
//!   test).
//!
//! # Sources
//! A. Wald, *Sequential Analysis*, 1947; M. Van den Bergh, *Normalized Elo*, *A practical
//! introduction to normalized Elo*, and *The generalized maximum likelihood ratio for the
//! expectation value of a distribution* (the texts behind fishtest's statistics); R. Hunter, *MM
//! algorithms for generalized Bradley-Terry models*, 2004, and L. Ford, 1957, for when ratings
//! exist; H. White, 1980, for error bars that do not trust the model's variance.
//!
//! # Example
//! ```
//! use sparring_stats::{Model, PairCounts, Sprt, Summary, Verdict};
//!
//! let counts: PairCounts = "184,15,508,17,290".parse()?;
//! let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized)?;
//! let summary = Summary::of(&counts, Some(&sprt));
//! assert_eq!(summary.games, 2028);
//! let [elo, error] = [summary.elo, summary.elo_error].map(|number| number.unwrap_or_default());
//! assert_eq!(format!("{elo:.1} +- {error:.1}"), "36.8 +- 14.7");
//! assert_eq!(summary.verdict, Some(Verdict::H1));
//!
//! // Nothing but wins: the Elo has no upper end, and the summary says so.
//! let summary = Summary::of(&"0,0,0,0,50".parse()?, None);
//! assert_eq!((summary.elo, summary.elo_high), (None, None));
//! assert!(summary.elo_low.unwrap() > 400.0);
//! # Ok::<(), sparring_stats::error::Error>(())
//! ```

pub use sparring_error as error;

mod decision;
mod elo;
mod games;
mod graph;
mod likelihood;
mod pairs;
mod quantile;
mod ratings;
mod root;
mod sprt;
mod sprt_tracker;
mod summary;
mod wiener;
#[cfg(test)]
mod tests;

pub use decision::{CapRule, Decision, acceptance};
pub use elo::{elo_of_score, score_of_elo};
pub use games::GameCounts;
pub use pairs::{PairCounts, PairingResult, list_parts};
pub use quantile::{Z_95, los_of_z, t_95};
pub use ratings::{Difference, Rating, Ratings, rate};
pub use sprt::{MAX_SPRT_ELO, Model, Sprt, Verdict};
pub use sprt_tracker::SprtTracker;
pub use summary::Summary;
