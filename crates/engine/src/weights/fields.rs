//! Readers for the fields of a weight file: whole numbers within a range, names, boards.
//!
//! In the errors here, the text after a semicolon is the remedy.

use super::{MAX_SCALE, MAX_WEIGHT, NEWEST_FORMAT, Network, Weight, Weights};
use crate::error::shorten;
use crate::game::Board;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::marker::PhantomData;

/// A whole number within a range.
pub(super) struct Whole<const MIN: i32, const MAX: i32>(i32);

impl<'de, const MIN: i32, const MAX: i32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        d.deserialize_any(WholeVisitor::<MIN, MAX>).map(Self)
    }
}

struct WholeVisitor<const MIN: i32, const MAX: i32>;

impl<const MIN: i32, const MAX: i32> Visitor<'_> for WholeVisitor<MIN, MAX> {
    type Value = i32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {MIN} to {MAX}")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> std::result::Result<i32, E> {
        let fitting = i32::try_from(value).ok().filter(|value| (MIN..=MAX).contains(value));
        fitting.ok_or_else(|| out_of_range(&value, [MIN, MAX]))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<i32, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => Err(out_of_range(&value, [MIN, MAX])),
        }
    }

    /// JSON does not distinguish integers: `1000.0` and `1e3` are whole numbers too, and so are
    /// numbers too large for 64 bits.
    fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<i32, E> {
        if value.fract() != 0.0 {
            return Err(E::invalid_type(Unexpected::Float(value), &self));
        }
        let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
        match fits {
            true => self.visit_i64(value as i64),
            false => Err(out_of_range(&shorten(&value.to_string()), [MIN, MAX])),
        }
    }
}

/// The error for an out-of-range number, shown as it was written.
fn out_of_range<E: de::Error>(value: &dyn fmt::Display, [min, max]: [i32; 2]) -> E {
    let remedy = format!("write a whole number from {min} to {max}");
    E::custom(format!("{value} is out of range; {remedy}"))
}

/// Single weights and tables share one range of numbers.
type WeightVisitor = WholeVisitor<{ -MAX_WEIGHT }, MAX_WEIGHT>;

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        d.deserialize_any(OneOrTable)
    }
}

struct OneOrTable;

impl<'de> Visitor<'de> for OneOrTable {
    type Value = Weight;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        WeightVisitor {}.expecting(f)?;
        f.write_str(", or an array of them")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> std::result::Result<Weight, E> {
        WeightVisitor {}.visit_i64(value).map(Weight::One)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<Weight, E> {
        WeightVisitor {}.visit_u64(value).map(Weight::One)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<Weight, E> {
        match value.fract() == 0.0 {
            true => WeightVisitor {}.visit_f64(value).map(Weight::One),
            false => Err(E::invalid_type(Unexpected::Float(value), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Weight, A::Error> {
        let mut values = Vec::new();
        while let Some(Whole(value)) = list.next_element::<Whole<{ -MAX_WEIGHT }, MAX_WEIGHT>>()? {
            values.push(value);
        }
        Ok(Weight::Table(values))
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        d.deserialize_map(NamedNumbers(PhantomData)).map(Self::from_unique)
    }
}

/// Reads an object and rejects duplicate names.
struct NamedNumbers<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for NamedNumbers<V> {
    type Value = Vec<(String, V)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and numbers")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let (mut list, mut seen) = (Vec::new(), HashSet::new());
        while let Some(name) = map.next_key::<String>()? {
            if !seen.insert(name.clone()) {
                let name = shorten(&name);
                return Err(de::Error::custom(format!(
                    "`{name}` is there twice; keep only one of the two"
                )));
            }
            list.push((name, map.next_value()?));
        }
        Ok(list)
    }
}

/// Reads the network of a set. If the key is there, null is an error.
pub(super) fn network<'de, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<Option<Network>, D::Error> {
    Network::deserialize(d).map(Some)
}

/// Reads search constants by name.
pub(super) fn search<'de, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<Option<BTreeMap<String, i32>>, D::Error> {
    type Constant = Whole<{ i32::MIN }, { i32::MAX }>;
    let list = d.deserialize_map(NamedNumbers::<Constant>(PhantomData))?;
    Ok(Some(list.into_iter().map(|(name, Whole(value))| (name, value)).collect()))
}

pub(super) fn format<'de, D: Deserializer<'de>>(d: D) -> std::result::Result<u32, D::Error> {
    const NEWEST: i32 = NEWEST_FORMAT as i32;
    Whole::<1, NEWEST>::deserialize(d).map(|Whole(format)| format.unsigned_abs())
}

pub(super) fn scale<'de, D: Deserializer<'de>>(d: D) -> std::result::Result<i32, D::Error> {
    Whole::<1, MAX_SCALE>::deserialize(d).map(|Whole(scale)| scale)
}

pub(super) fn number<'de, const MIN: i32, const MAX: i32, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<i32, D::Error> {
    Whole::<MIN, MAX>::deserialize(d).map(|Whole(value)| value)
}

/// Reads a number from a range without negative values.
pub(super) fn size<'de, const MIN: i32, const MAX: i32, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<usize, D::Error> {
    number::<MIN, MAX, D>(d).map(|value| value.unsigned_abs() as usize)
}

/// Reads a number from a range within 16 bits.
pub(super) fn short<'de, const MIN: i32, const MAX: i32, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<i16, D::Error> {
    const { assert!(MIN >= i16::MIN as i32 && MAX <= i16::MAX as i32) };
    number::<MIN, MAX, D>(d).map(|value| value as i16)
}

pub(super) fn shorts<'de, const MIN: i32, const MAX: i32, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<Vec<i16>, D::Error> {
    const { assert!(MIN >= i16::MIN as i32 && MAX <= i16::MAX as i32) };
    let list = Vec::<Whole<MIN, MAX>>::deserialize(d)?;
    Ok(list.into_iter().map(|Whole(value)| value as i16).collect())
}

/// The smallest integer that does not fit into 64 bits.
const TWO_TO_THE_64: f64 = 18_446_744_073_709_551_616.0;

/// Reads a count of any size.
pub(super) fn count<'de, D: Deserializer<'de>>(d: D) -> std::result::Result<u64, D::Error> {
    struct Count;
    impl Visitor<'_> for Count {
        type Value = u64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number that is not below 0")
        }

        fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<u64, E> {
            Ok(value)
        }

        fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<u64, E> {
            let fits = value.fract() == 0.0 && (0.0..TWO_TO_THE_64).contains(&value);
            fits.then_some(value as u64)
                .ok_or_else(|| E::invalid_type(Unexpected::Float(value), &self))
        }
    }
    d.deserialize_any(Count)
}

/// Reads a text that must not be empty.
pub(super) fn name<'de, D: Deserializer<'de>>(d: D) -> std::result::Result<String, D::Error> {
    match String::deserialize(d)? {
        text if text.is_empty() => Err(de::Error::custom("the text is empty; write a name")),
        text => Ok(text),
    }
}

/// Reads a board in the program's notation, or null.
pub(super) fn board<'de, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<Option<String>, D::Error> {
    let Some(text) = Option::<String>::deserialize(d)? else { return Ok(None) };
    let shown = shorten(&text);
    match text.parse::<Board>() {
        Ok(board) if board.to_string() == text => Ok(Some(text)),
        Ok(board) => Err(de::Error::custom(format!(
            "board `{shown}` is not written plainly; write `{board}`"
        ))),
        Err(_) => Err(de::Error::custom(format!(
            "`{shown}` is not a board size; write columns x rows, for example \"8x8\", or null \
             for any board"
        ))),
    }
}

/// Reads null or a number that is at least 0.
pub(super) fn not_negative<'de, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<Option<f64>, D::Error> {
    match Option::<f64>::deserialize(d)? {
        Some(value) if value < 0.0 => Err(de::Error::custom(format!("{value} is below 0"))),
        value => Ok(value),
    }
}
