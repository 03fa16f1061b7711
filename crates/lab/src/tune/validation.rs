//! The match that decides about a candidate.

use crate::error::{Error, Result};
use crate::stats::Sprt;
use serde::{Deserialize, Serialize};

/// The most games and pairs that are accepted: far more than a machine plays in years, and far
/// below an overflow.
pub(super) const MOST_GAMES: u64 = 1_000_000_000_000;
/// The most pairs on a line of the journal.
const MOST_BATCH_PAIRS: u64 = 100_000;

/// The match of the candidate against the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Validation {
    /// The most pairs played. 0 leaves the validation out, and with it any claim of strength.
    pub pairs: u64,
    /// The fewest pairs played, even after a verdict.
    pub least_pairs: u64,
    /// The test: the candidate is accepted when it ends with H1. When the pairs end first, their
    /// score decides (see [`CapRule`](crate::stats::CapRule)).
    pub sprt: Sprt,
    /// Pairs on one line of the journal.
    pub batch_pairs: u64,
}

impl Validation {
    /// Checks the numbers. `place` is the name of the match, `option` the option that sets its
    /// pairs.
    pub(super) fn check(&self, place: &str, option: &str) -> Result<()> {
        if self.pairs > MOST_GAMES {
            return Err(Error::input(
                format!("pairs of the {place}"),
                format!("{} are too many", self.pairs),
            )
            .remedy(format!("give at most {MOST_GAMES} with {option}")));
        }
        if !(1..=MOST_BATCH_PAIRS).contains(&self.batch_pairs) {
            let reason = format!("batches of {} pairs", self.batch_pairs);
            return Err(
                Error::input(place, reason).remedy("restore the manifest as the run wrote it")
            );
        }
        Ok(())
    }
}
