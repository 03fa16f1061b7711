//! Sets of constants of the full search, as files keep them: they are written and read as weight
//! sets are ([`crate::weights`]), and here the names and ranges of the constants are checked.
//!
//! ```
//! use sparring::search::{ConstantSet, Params};
//!
//! let set = ConstantSet::of_defaults("breakthrough");
//! assert_eq!(ConstantSet::from_json(&set.to_json(), "a copy").unwrap(), set);
//!
//! let slip = set.to_json().replace("razor_depth", "razor_dept");
//! let error = ConstantSet::from_json(&slip, "mine.json").unwrap_err().to_string();
//! assert!(error.ends_with("constant `razor_dept`: unknown; did you mean `razor_depth`?"), "{error}");
//! ```

use super::search_constants::{ConstantInfo, SearchConstants};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::weights::{FORMAT_WITH_SEARCH, Fnv, Provenance, WeightSet, Weights};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// The version of a set in the record of a run.
pub const FORMAT: u32 = 1;

/// The name of the set of default values.
const DEFAULT: &str = "default";

/// A named set of the constants of the full search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantSet {
    /// The version of the file format.
    pub format: u32,
    /// The game that the set is for.
    pub game: String,
    /// The board that the set was tuned on, columns x rows; null when it was made for any.
    #[serde(deserialize_with = "Option::deserialize")]
    pub board: Option<String>,
    /// The name of the set.
    pub name: String,
    /// The value of every constant.
    pub constants: SearchConstants,
    /// How the set was tuned; null for the defaults and for a set made by hand.
    #[serde(deserialize_with = "Option::deserialize")]
    pub provenance: Option<Provenance>,
}

impl ConstantSet {
    /// The defaults, for any board of a game.
    pub fn of_defaults(game: &str) -> Self {
        Self {
            format: FORMAT,
            game: game.into(),
            board: None,
            name: DEFAULT.into(),
            constants: SearchConstants::default(),
            provenance: None,
        }
    }

    /// Reads a set from JSON text. `place` is the file's name, for the error.
    ///
    /// # Errors
    /// As [`WeightSet::from_json`], and when the file has no search constants or not all of them.
    pub fn from_json(text: &str, place: &str) -> Result<Self> {
        Self::from_file(WeightSet::from_json(text, place)?, place)
    }

    /// The constants of a file.
    ///
    /// # Errors
    /// When it has none, or not all of them.
    pub fn from_file(file: WeightSet, place: &str) -> Result<Self> {
        let Some(values) = &file.search else {
            return Err(Error::input(place, "the file has no search constants")
                .remedy("name a file that `spar tune --target search` wrote"));
        };
        Ok(Self {
            format: FORMAT,
            constants: SearchConstants::from_map(values, place)?,
            game: file.game,
            board: file.board,
            name: file.name,
            provenance: file.provenance,
        })
    }

    /// The set as a file of constants alone.
    pub fn to_file(&self) -> WeightSet {
        WeightSet {
            format: FORMAT_WITH_SEARCH,
            game: self.game.clone(),
            board: self.board.clone(),
            name: self.name.clone(),
            description: String::new(),
            scale: 1,
            weights: Weights::new(),
            search: Some(self.constants.to_map()),
            provenance: self.provenance.clone(),
        }
    }

    /// The set as JSON text that [`from_json`](Self::from_json) reads back exactly; a new line ends
    /// it.
    pub fn to_json(&self) -> String {
        self.to_file().to_json()
    }

    /// Whether the set was made for this board, or for any. A set may well be used on another
    /// board: this is for a remark.
    pub fn fits_board(&self, board: Board) -> bool {
        self.board.as_ref().is_none_or(|own| *own == board.to_string())
    }

    /// 16 hexadecimal digits that stand for the values of the constants. Two sets with the same
    /// fingerprint search alike.
    pub fn fingerprint(&self) -> String {
        self.constants.fingerprint()
    }
}

impl SearchConstants {
    /// 16 hexadecimal digits that stand for the values, whatever the order of the names.
    pub fn fingerprint(&self) -> String {
        let mut hash = Fnv::default();
        for (name, value) in self.to_map() {
            hash.text(&name);
            hash.number(value.into());
        }
        hash.digits()
    }

    /// The constants that a file names, each with its value; `place` is the file's name, for the
    /// error.
    ///
    /// # Errors
    /// When one is missing, unknown or out of range.
    pub fn from_map(values: &BTreeMap<String, i32>, place: &str) -> Result<Self> {
        let mut constants = Self::default();
        let within = |error: Error| error.within(format!("{place}, key `search`"));
        for (name, &value) in values {
            let info = Self::info(name).map_err(within)?;
            constants.set(name, info.check(value.into()).map_err(within)?);
        }
        match Self::LIST.iter().find(|info| !values.contains_key(info.name)) {
            Some(ConstantInfo { name, default, .. }) => {
                Err(within(Error::input(format!("constant `{name}`"), "missing"))
                    .remedy(format!("add `\"{name}\": {default}`, its default")))
            }
            None => Ok(constants),
        }
    }

    /// The values by name.
    pub fn to_map(&self) -> BTreeMap<String, i32> {
        Self::LIST
            .iter()
            .filter_map(|info| Some((info.name.to_owned(), self.get(info.name)?)))
            .collect()
    }
}

impl Serialize for SearchConstants {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(Self::LIST.iter().map(|info| (info.name, self.get(info.name))))
    }
}

/// A constant that is not there has its default: the record of a run may be older than the
/// constant.
impl<'de> Deserialize<'de> for SearchConstants {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(SearchConstantsReader)
    }
}

struct SearchConstantsReader;

impl<'de> Visitor<'de> for SearchConstantsReader {
    type Value = SearchConstants;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and values of constants")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<SearchConstants, A::Error> {
        let (mut params, mut seen) = (SearchConstants::default(), HashSet::new());
        while let Some(name) = map.next_key::<String>()? {
            let info = SearchConstants::info(&name).map_err(de::Error::custom)?;
            if !seen.insert(info.name) {
                return Err(de::Error::custom(format!(
                    "constant `{name}`: it is there twice; keep one of the two"
                )));
            }
            // As a value of any kind, so that the error can name the constant.
            let value = map.next_value::<Value>()?;
            let value = value.as_i64().ok_or_else(|| {
                let bounds = format!("write one from {} to {}", info.min, info.max);
                de::Error::custom(format!("constant `{name}`: not a whole number; {bounds}"))
            })?;
            params.set(info.name, info.check(value).map_err(de::Error::custom)?);
        }
        Ok(params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn errors_say_where_why_and_what_instead() {
        let good = ConstantSet::of_defaults("breakthrough").to_json();
        assert!(ConstantSet::from_json(&good, "s.json").is_ok());
        for (from, to, expected) in [
            (
                "razor_depth",
                "razor_dept",
                "constant `razor_dept`: unknown; did you mean `razor_depth`?",
            ),
            (
                "    \"razor_depth\": 2,\n",
                "",
                "constant `razor_depth`: missing; add `\"razor_depth\": 2`",
            ),
            (
                "\"razor_depth\": 2",
                "\"razor_depth\": 11",
                "11 is out of range; give 0 to 10 (default 2)",
            ),
        ] {
            let text = good.replacen(from, to, 1);
            let error = ConstantSet::from_json(&text, "s.json").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Input);
            let error = error.to_string();
            assert!(error.starts_with("s.json, key `search`, "), "{error}");
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn the_fingerprint_sees_every_constant() {
        let params = SearchConstants::default();
        let mut seen = HashSet::from([params.fingerprint()]);
        for info in SearchConstants::LIST {
            let mut changed = params.clone();
            changed.set(info.name, if info.default == info.max { info.min } else { info.max });
            assert!(seen.insert(changed.fingerprint()), "{}", info.name);
        }
    }

    #[test]
    fn records_may_lack_a_constant() {
        let read: SearchConstants = serde_json::from_str("{\"razor_depth\": 5}").unwrap();
        assert_eq!(read, SearchConstants { razor_depth: 5, ..SearchConstants::default() });
    }
}
