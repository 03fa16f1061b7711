//! What a tune changes: the weights of the evaluation, or the constants of the search.

use super::space::Knob;
use crate::error::{Error, Result, nearest};
use crate::search::SearchConstants;
use crate::weights::MAX_WEIGHT;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The least range of a constant: with the usual perturbation its two sides then differ by one.
const LEAST_RANGE: i32 = 3;
/// The range of a constant is at least this share of all that it may be.
const SPAN_SHARE: i32 = 8;

/// What a tune changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// The weights of the evaluation
    #[default]
    Weights,
    /// The constants of the full search
    Search,
}

impl Target {
    /// The name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Target::Weights => "weights",
            Target::Search => "search",
        }
    }

    /// What one of the tuned numbers is called.
    pub fn one(self) -> &'static str {
        match self {
            Target::Weights => "weight",
            Target::Search => "constant",
        }
    }

    /// What several of the tuned numbers are called.
    pub fn many(self) -> &'static str {
        match self {
            Target::Weights => "weights",
            Target::Search => "constants",
        }
    }

    /// The file of a run that the result goes to.
    pub fn file(self) -> &'static str {
        match self {
            Target::Weights => "weights.json",
            Target::Search => "search.json",
        }
    }

    /// Whether this is the default, which the record of a run leaves out.
    pub fn is_weights(&self) -> bool {
        *self == Target::Weights
    }

    /// The error for a name that is none of those known.
    pub fn unknown(self, known: &[&str], name: &str) -> Error {
        let error = Error::input(format!("{} `{name}`", self.one()), "unknown");
        match nearest(name, known.iter().copied()) {
            Some(near) => error.remedy(format!("did you mean `{near}`?")),
            None => error.remedy(format!("the {} are: {}", self.many(), known.join(", "))),
        }
    }

    /// The least and the greatest value that a number of this name can have.
    pub(super) fn limits(self, name: &str) -> (f64, f64) {
        let info = SearchConstants::LIST.iter().find(|info| info.name == name);
        match (self, info) {
            (Target::Search, Some(info)) => (f64::from(info.min), f64::from(info.max)),
            _ => (-f64::from(MAX_WEIGHT), f64::from(MAX_WEIGHT)),
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A constant as a tune sees it: its bounds are those of the list, and its range, from which steps
/// are planned, is the size of its default, but at least an eighth of all that it may be, and at
/// least 3.
///
/// Most constants are margins and depths, of which half as much or half as much again costs some
/// Elo; those whose default is small beside what they may be, or nothing at all, must be able to
/// get away from there.
pub(super) fn constant(start: &SearchConstants, name: &str) -> Result<Knob> {
    let info = SearchConstants::info(name)?;
    let span = info.max - info.min;
    let range = info.default.abs().max(span / SPAN_SHARE).max(LEAST_RANGE).min(span);
    let value = start.get(name).unwrap_or(info.default);
    let [start, min, max, range] = [value, info.min, info.max, range].map(f64::from);
    Ok(Knob { target: Target::Search, name: name.into(), start, min, max, range })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_has_a_range_that_lets_it_move() {
        for info in SearchConstants::LIST {
            let knob = constant(&SearchConstants::default(), info.name).unwrap();
            assert!(knob.range >= 3.0 && knob.range <= knob.max - knob.min, "{knob:?}");
            assert!((knob.min..=knob.max).contains(&knob.start), "{knob:?}");
        }
        let range = |name| constant(&SearchConstants::default(), name).unwrap().range;
        assert_eq!(["razor_margin", "null_base", "reduction_base"].map(range), [227.0, 3.0, 50.0]);
    }
}
