//! weather-factory's files: the knobs of a tune, and the state of a tune.

use super::{KnobLine, is_fine};
use crate::tune::KnobKind;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// A knob in weather-factory's format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a knob: {value, min_value, max_value, step}")]
struct FactoryKnob {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// The file in which weather-factory keeps the state of a tune; its knobs have their current
/// values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactoryState {
    #[serde(rename = "t")]
    _games: IgnoredAny,
    #[serde(rename = "spsa_params")]
    _options: IgnoredAny,
    uci_params: Vec<FactoryStateKnob>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a knob: {name, value, min_value, max_value, step}")]
struct FactoryStateKnob {
    name: String,
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// The key that a file of weather-factory's state has, unlike a file of its knobs.
pub(super) const STATE_KEY: &str = "\"uci_params\"";

/// A file in weather-factory's format: a list of its entries, since a map would keep only one of
/// two with the same name.
struct FactoryFile(Vec<KnobLine>);

impl<'de> Deserialize<'de> for FactoryFile {
    fn deserialize<D: Deserializer<'de>>(source: D) -> std::result::Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = FactoryFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("knobs by their names")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<FactoryFile, A::Error> {
                let mut lines = Vec::new();
                while let Some((name, knob)) = map.next_entry()? {
                    lines.push(factory(name, knob));
                }
                Ok(FactoryFile(lines))
            }
        }

        source.deserialize_map(Entries)
    }
}

/// The knobs of a file of either kind.
///
/// # Errors
/// When it is neither.
pub(super) fn knobs(text: &str) -> serde_json::Result<Vec<KnobLine>> {
    if text.contains(STATE_KEY) {
        let state: FactoryState = serde_json::from_str(text)?;
        let line = |FactoryStateKnob { name, value, min_value, max_value, step }| {
            // The latest value of an int has a fraction, too.
            let may_be_float = is_fine(&[min_value, max_value], step);
            let knob = factory(name, FactoryKnob { value, min_value, max_value, step });
            KnobLine { may_be_float, ..knob }
        };
        return Ok(state.uci_params.into_iter().map(line).collect());
    }
    Ok(serde_json::from_str::<FactoryFile>(text)?.0)
}

fn factory(name: String, knob: FactoryKnob) -> KnobLine {
    let bounds = [knob.min_value, knob.max_value];
    KnobLine {
        step: Some(knob.step),
        may_be_float: is_fine(&[knob.value, knob.min_value, knob.max_value], knob.step),
        ..KnobLine::new(name, KnobKind::Int, knob.value, bounds)
    }
}
