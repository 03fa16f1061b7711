//! serde's visitors for a weight set and its parts.

use super::trail::{JsonPath, escape};
use crate::error::nearest;
use crate::game::Board;
use crate::weights::{FORMAT, MAX_SCALE, MAX_WEIGHT, Provenance, Weight, WeightSet, Weights};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;

/// The keys of a file, each with what to write when nothing better is known.
const KEYS: [(&str, &str); 8] = [
    ("format", "1"),
    ("game", "\"breakthrough\""),
    ("board", "null"),
    ("name", "\"mine\""),
    ("description", "\"\""),
    ("scale", "1"),
    ("weights", "{}"),
    ("provenance", "null"),
];

pub(super) struct SetReader<'a>(pub(super) &'a JsonPath);

impl<'de> DeserializeSeed<'de> for SetReader<'_> {
    type Value = WeightSet;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<WeightSet, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for SetReader<'_> {
    type Value = WeightSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a weight set, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<WeightSet, A::Error> {
        let mut draft = Draft::default();
        while let Some(key) = map.next_key::<String>()? {
            self.0.at(&key);
            draft.read(&key, &mut map, self.0)?;
            self.0.at("");
        }
        draft.finish(self.0)
    }
}

/// What has been read of a set so far.
#[derive(Default)]
struct Draft {
    format: Option<i32>,
    game: Option<String>,
    board: Option<Option<String>>,
    name: Option<String>,
    description: Option<String>,
    scale: Option<i32>,
    weights: Option<Weights>,
    provenance: Option<Option<Provenance>>,
}

impl Draft {
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        trail: &JsonPath,
    ) -> std::result::Result<(), A::Error> {
        let whole = |most: i32| Whole { range: 1..=most, trail };
        match key {
            "format" => fill(&mut self.format, trail, || map.next_value_seed(whole(FORMAT as i32))),
            "game" => fill(&mut self.game, trail, || named(map.next_value()?, trail)),
            "board" => fill(&mut self.board, trail, || board(map.next_value()?, trail)),
            "name" => fill(&mut self.name, trail, || named(map.next_value()?, trail)),
            "description" => fill(&mut self.description, trail, || map.next_value()),
            "scale" => fill(&mut self.scale, trail, || map.next_value_seed(whole(MAX_SCALE))),
            "weights" => {
                fill(&mut self.weights, trail, || map.next_value_seed(WeightsReader(trail)))
            }
            "provenance" => fill(&mut self.provenance, trail, || map.next_value()),
            _ => Err(unknown_key(key, trail)),
        }
    }

    fn finish<E: de::Error>(self, trail: &JsonPath) -> std::result::Result<WeightSet, E> {
        Ok(WeightSet {
            format: need(self.format, "format", trail)? as u32,
            game: need(self.game, "game", trail)?,
            board: need(self.board, "board", trail)?,
            name: need(self.name, "name", trail)?,
            description: need(self.description, "description", trail)?,
            scale: need(self.scale, "scale", trail)?,
            weights: need(self.weights, "weights", trail)?,
            provenance: need(self.provenance, "provenance", trail)?,
        })
    }
}

fn fill<T, E: de::Error>(
    slot: &mut Option<T>,
    trail: &JsonPath,
    read: impl FnOnce() -> std::result::Result<T, E>,
) -> std::result::Result<(), E> {
    if slot.is_some() {
        return Err(trail.duplicate_key());
    }
    *slot = Some(read()?);
    Ok(())
}

fn need<T, E: de::Error>(
    slot: Option<T>,
    key: &str,
    trail: &JsonPath,
) -> std::result::Result<T, E> {
    let example =
        || KEYS.iter().find(|&&(known, _)| known == key).map_or("null", |&(_, example)| example);
    slot.ok_or_else(|| trail.missing(key, example()))
}

fn unknown_key<E: de::Error>(key: &str, trail: &JsonPath) -> E {
    let known = KEYS.map(|(name, _)| name);
    let hint = match nearest(&escape(key), known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("remove it; the keys are: {}", known.join(", ")),
    };
    trail.fail("unknown key", hint)
}

fn named<E: de::Error>(text: String, trail: &JsonPath) -> std::result::Result<String, E> {
    match text.is_empty() {
        true => Err(trail.fail("the text is empty", "write a name")),
        false => Ok(text),
    }
}

fn board<E: de::Error>(
    text: Option<String>,
    trail: &JsonPath,
) -> std::result::Result<Option<String>, E> {
    let Some(text) = text else { return Ok(None) };
    match text.parse::<Board>() {
        Ok(board) if board.to_string() == text => Ok(Some(text)),
        Ok(board) => Err(trail.fail(
            format!("board `{}` is not written plainly", escape(&text)),
            format!("write `{board}`"),
        )),
        Err(_) => Err(trail.fail(
            format!("`{}` is not a board size", escape(&text)),
            "write columns x rows, for example \"8x8\", or null for any board",
        )),
    }
}

pub(super) struct WeightsReader<'a>(pub(super) &'a JsonPath);

impl<'de> DeserializeSeed<'de> for WeightsReader<'_> {
    type Value = Weights;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Weights, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for WeightsReader<'_> {
    type Value = Weights;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of feature names and weights")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Weights, A::Error> {
        let (mut list, mut seen) = (Vec::new(), HashSet::new());
        while let Some(name) = map.next_key::<String>()? {
            self.0.at(&name);
            if !seen.insert(name.clone()) {
                return Err(self.0.duplicate_key());
            }
            list.push((name, map.next_value_seed(WeightReader(self.0))?));
            self.0.at("weights");
        }
        Ok(Weights::from_unique(list))
    }
}

pub(super) struct WeightReader<'a>(pub(super) &'a JsonPath);

impl WeightReader<'_> {
    fn whole(&self) -> Whole<'_> {
        Whole { range: -MAX_WEIGHT..=MAX_WEIGHT, trail: self.0 }
    }
}

impl<'de> DeserializeSeed<'de> for WeightReader<'_> {
    type Value = Weight;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Weight, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for WeightReader<'_> {
    type Value = Weight;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.whole().expecting(f)?;
        f.write_str(", or an array of them")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> std::result::Result<Weight, E> {
        self.whole().visit_i64(value).map(Weight::One)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<Weight, E> {
        self.whole().visit_u64(value).map(Weight::One)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Weight, A::Error> {
        let mut values = Vec::new();
        self.0.entry.set(Some(0));
        while let Some(value) = list.next_element_seed(self.whole())? {
            values.push(value);
            self.0.entry.set(Some(values.len()));
        }
        Ok(Weight::Table(values))
    }
}

/// Reads a whole number within a range.
struct Whole<'a> {
    range: RangeInclusive<i32>,
    trail: &'a JsonPath,
}

impl Whole<'_> {
    fn out_of_range<E: de::Error>(&self, value: impl fmt::Display) -> E {
        let (least, most) = (self.range.start(), self.range.end());
        self.trail.fail(
            format!("{value} is out of range"),
            format!("write a whole number from {least} to {most}"),
        )
    }
}

impl<'de> DeserializeSeed<'de> for Whole<'_> {
    type Value = i32;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<i32, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Whole<'_> {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.range.start(), self.range.end())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> std::result::Result<i32, E> {
        let fitting = i32::try_from(value).ok().filter(|value| self.range.contains(value));
        fitting.ok_or_else(|| self.out_of_range(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<i32, E> {
        let fitting = i32::try_from(value).ok().filter(|value| self.range.contains(value));
        fitting.ok_or_else(|| self.out_of_range(value))
    }
}
