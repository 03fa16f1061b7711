//! The `option` lines of the answer to a greeting.

use crate::protocol::options::{EngineOption, OptionKind};
use crate::search::constants::ConstantInfo;
use crate::search::{Algorithm, SearchConstants};
use crate::weights::MAX_WEIGHT;
use std::fmt;

/// An option that the engine offers, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its name, its kind, and its value as the default; a button has none.
    pub option: EngineOption,
}

impl Offer {
    /// A whole number between two others.
    pub fn spin(name: &str, value: i64, min: i64, max: i64) -> Self {
        Self::new(name, OptionKind::Spin { min, max }, Some(value.to_string()))
    }

    /// An option that is on or off.
    pub fn check(name: &str, value: bool) -> Self {
        Self::new(name, OptionKind::Check, Some(value.to_string()))
    }

    /// One of several words.
    pub fn combo(name: &str, value: &str, words: Vec<String>) -> Self {
        Self::new(name, OptionKind::Combo(words), Some(value.to_owned()))
    }

    /// A button, which has no value.
    pub fn button(name: &str) -> Self {
        Self::new(name, OptionKind::Button, None)
    }

    /// An option that takes any text.
    pub fn text(name: &str, value: &str) -> Self {
        Self::new(name, OptionKind::Text, Some(value.to_owned()))
    }

    fn new(name: &str, kind: OptionKind, default: Option<String>) -> Self {
        Self { option: EngineOption { name: name.to_owned(), kind, default } }
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.option.kind {
            OptionKind::Check => "check",
            OptionKind::Spin { .. } => "spin",
            OptionKind::Combo(_) => "combo",
            OptionKind::Button => "button",
            OptionKind::Text => "string",
        };
        write!(f, "option name {} type {kind}", self.option.name)?;
        if let Some(value) = &self.option.default {
            write!(f, " default {value}")?;
        }
        match &self.option.kind {
            OptionKind::Spin { min, max } => write!(f, " min {min} max {max}"),
            OptionKind::Combo(words) => words.iter().try_for_each(|word| write!(f, " var {word}")),
            _ => Ok(()),
        }
    }
}

/// The constants that an algorithm reads, as options.
pub(super) fn constant_offers(
    algorithm: Algorithm,
    constants: &SearchConstants,
) -> impl Iterator<Item = Offer> {
    let value = |info: &ConstantInfo| constants.get(info.name).unwrap_or(info.default);
    algorithm.constants().iter().map(move |info| {
        Offer::spin(info.name, value(info).into(), info.min.into(), info.max.into())
    })
}

/// A weight as an option.
pub(super) fn weight_offer(name: &str, value: i32) -> Offer {
    Offer::spin(name, value.into(), (-MAX_WEIGHT).into(), MAX_WEIGHT.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_is_read_back_by_the_other_end() {
        let offers = [
            Offer::spin("Move Overhead", -5, -10, 5000),
            Offer::check("Ponder", false),
            Offer::combo("UCI_Variant", "a", vec!["a".into(), "b".into()]),
            Offer::button("Clear Hash"),
            Offer::text("EvalFile", "<empty>"),
        ];
        for offer in &offers {
            let text = offer.to_string();
            let read = EngineOption::parse(text.strip_prefix("option ").unwrap());
            assert_eq!(read.as_ref(), Some(&offer.option), "{text}");
        }
        assert_eq!(
            offers[0].to_string(),
            "option name Move Overhead type spin default -5 min -10 max 5000"
        );
        assert_eq!(
            offers[2].to_string(),
            "option name UCI_Variant type combo default a var a var b"
        );
    }
}
