//! Engines of others as opponents in a tune.
//!
//! In a share of the pairs the two sides of a duel do not play each other: both meet the same
//! engine, from the same opening and with the same side, and what one scores more than the other
//! counts as if it had won it directly (see [`AgainstOpponent`]). So every optimizer learns from
//! both kinds of pairs in the same way, and what is tuned for is the mean of both aims. The
//! validation is a match against the start, as always.

use crate::arena::AgainstOpponent;
use crate::error::{Error, Result};
use crate::game::Side;
use crate::protocol::ExternalEngine;
use crate::search::Limits;
use serde::{Deserialize, Serialize};

/// The opponents of a tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OpponentsConfig {
    /// The engines, which take turns.
    pub engines: Vec<ExternalEngine>,
    /// The share of the pairs that they take part in.
    pub share: f64,
    /// The limits of each of their moves.
    pub limits: Limits,
}

impl OpponentsConfig {
    /// The share of the pairs by default.
    pub const SHARE: f64 = 0.5;

    /// Checks the numbers.
    ///
    /// # Errors
    /// When one is out of range, or there is no engine.
    pub fn check(&self) -> Result<()> {
        self.limits.check()?;
        if !(self.share > 0.0 && self.share <= 1.0) {
            let reason = format!("{} is out of range", self.share);
            return Err(Error::input("share of the opponents", reason)
                .remedy("give a number above 0 and at most 1 with --opponent-share"));
        }
        if self.engines.is_empty() {
            return Err(
                Error::input("opponents", "there are none").remedy("name one with --opponent")
            );
        }
        Ok(())
    }

    /// The opponent in a pair of the tune, numbered from 0, if there is one. The share is kept as
    /// evenly as can be, and each engine plays both sides in turn.
    pub fn of_pair(&self, pair: u64) -> Option<AgainstOpponent> {
        let before = |pair: u64| (pair as f64 * self.share).floor() as u64;
        let number = before(pair);
        let count = self.engines.len() as u64;
        (before(pair + 1) > number && count > 0).then(|| AgainstOpponent {
            engine: (number % count) as usize,
            side: if (number / count).is_multiple_of(2) { Side::Second } else { Side::First },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opponents(engines: usize, share: f64) -> OpponentsConfig {
        let engine = ExternalEngine {
            name: None,
            command: "engine".into(),
            options: Vec::new(),
            protocol: None,
            margin_ms: 100,
            timeout_seconds: 60,
        };
        OpponentsConfig { engines: vec![engine; engines], share, limits: Limits::nodes(100) }
    }

    #[test]
    fn the_share_is_kept_and_everybody_has_a_turn() {
        for (engines, share) in [(1, 1.0), (2, 0.5), (3, 0.3), (1, 0.01)] {
            let opponents = opponents(engines, share);
            let found: Vec<AgainstOpponent> =
                (0..12_000).filter_map(|pair| opponents.of_pair(pair)).collect();
            let wanted = 12_000.0 * share;
            assert!((found.len() as f64 - wanted).abs() <= 1.0, "{} for {wanted}", found.len());
            for engine in 0..engines {
                for side in Side::BOTH {
                    let count =
                        found.iter().filter(|v| v.engine == engine && v.side == side).count();
                    let fair = wanted / (2 * engines) as f64;
                    assert!((count as f64 - fair).abs() <= 1.5, "{count} for {fair}");
                }
            }
        }
    }

    #[test]
    fn odd_shares_are_refused() {
        for share in [0.0, -0.5, 1.1, f64::NAN] {
            let error = opponents(1, share).check().unwrap_err().to_string();
            assert!(error.contains("--opponent-share"), "{error}");
        }
        assert!(opponents(0, 0.5).check().is_err() && opponents(1, 1.0).check().is_ok());
    }
}
