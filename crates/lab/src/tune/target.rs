//! The target of a tune: the weights of the evaluation, the constants of the search, or the options
//! of an external engine.

use crate::error::{Error, suggest};
use crate::search::SearchConstants;
use crate::weights::MAX_WEIGHT;
use serde::{Deserialize, Serialize};

/// The target of a tune.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Target {
    /// The weights of the evaluation
    #[default]
    Weights,
    /// The constants of the search
    Search,
    /// The options of an external engine
    #[cfg_attr(feature = "clap", value(skip))]
    #[serde(rename = "options")]
    Option,
}

impl Target {
    /// The name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Target::Weights => "weights",
            Target::Search => "search",
            Target::Option => "options",
        }
    }

    /// The singular name of a tuned number.
    pub fn one(self) -> &'static str {
        match self {
            Target::Weights => "weight",
            Target::Search => "constant",
            Target::Option => "option",
        }
    }

    /// The plural name of the tuned numbers.
    pub fn many(self) -> &'static str {
        match self {
            Target::Weights => "weights",
            Target::Search => "constants",
            Target::Option => "options",
        }
    }

    /// The file of a run with its result.
    pub fn file(self) -> &'static str {
        match self {
            Target::Weights => "weights.json",
            Target::Search => "search.json",
            Target::Option => "answer.json",
        }
    }

    /// The file of a run with which a later tune continues.
    pub fn file_of_answer(self) -> &'static str {
        if self == Target::Option { self.file() } else { Target::Weights.file() }
    }

    /// Whether this is the default, which the manifest leaves out.
    pub fn is_weights(&self) -> bool {
        *self == Target::Weights
    }

    /// The error for a name that is not among the known ones.
    pub fn unknown(self, known: &[&str], name: &str) -> Error {
        let all = format!("the {} are", self.many());
        Error::input(format!("{} `{name}`", self.one()), "unknown").remedy(suggest(
            name,
            known.iter().copied(),
            &all,
        ))
    }

    /// The least and the greatest value that a number of this name can have.
    pub(super) fn limits(self, name: &str) -> (f64, f64) {
        let info = SearchConstants::every().find(|info| info.name == name);
        match (self, info) {
            (Target::Search, Some(info)) => (f64::from(info.min), f64::from(info.max)),
            (Target::Option, _) => (f64::MIN, f64::MAX),
            _ => (-f64::from(MAX_WEIGHT), f64::from(MAX_WEIGHT)),
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
