//! Sets of constants of the full search, as files keep them.
//!
//! Reading is strict, as for weight sets: an unknown or missing key or constant, one given twice, a
//! number out of range or a newer format is refused, with the place, the reason and the remedy. Who
//! reads and writes files is not this module's matter.
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

use super::search_constants::SearchConstants;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::weights::Fnv;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// The version of the file format that is written, and the newest that is read.
pub const FORMAT: u32 = 1;

/// The most bytes that a file may have. One has about two thousand.
pub const MAX_FILE: usize = 1 << 20;

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
    pub provenance: Option<ConstantProvenance>,
}

/// How a set of constants came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConstantProvenance {
    /// The name of the run that made the set.
    pub run: String,
    /// The optimizer, as the command line calls it.
    pub method: String,
    /// The number of games that the run played, the final match included.
    pub games: u64,
    /// The name of the set of constants that the run started from and that the final match was
    /// played against.
    pub baseline: String,
    /// The name of the weight set that both sides played with.
    pub weights: String,
    /// The fingerprint of that weight set.
    pub weights_fingerprint: String,
    /// The strength above the baseline, in logistic Elo, measured by the final match; null when not
    /// defined.
    #[serde(deserialize_with = "Option::deserialize")]
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval around `elo`, in logistic Elo; null when not defined.
    #[serde(deserialize_with = "Option::deserialize")]
    pub elo_error: Option<f64>,
    /// The limits of each move's search, with units, for example `10000 nodes a move`.
    pub limits: String,
    /// The seed of the run's random numbers.
    pub seed: u64,
    /// The version of the program that made the set.
    pub version: String,
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
    /// When the text is not a set of constants, is larger than [`MAX_FILE`], or has a newer format.
    pub fn from_json(text: &str, place: &str) -> Result<Self> {
        if text.len() > MAX_FILE {
            return Err(Error::input(place, "too large for a file of search constants")
                .remedy("check that it is the right file"));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if let Some(error) = newer_format(text, place) {
            return Err(error);
        }
        let set: Self = serde_json::from_str(text).map_err(|error| into_error(&error, place))?;
        set.check().and_then(|()| check_complete(text)).map_err(|error| error.within(place))?;
        Ok(set)
    }

    /// The set as JSON text that [`from_json`](Self::from_json) reads back exactly; a new line ends
    /// it.
    pub fn to_json(&self) -> String {
        // There is nothing in a set that JSON could not tell.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
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

    /// Whether a text is meant as a set of constants.
    pub fn is_one(text: &str) -> bool {
        #[derive(Deserialize)]
        struct Kind {
            #[serde(rename = "constants")]
            _constants: IgnoredAny,
        }
        serde_json::from_str::<Kind>(text).is_ok()
    }

    /// Checks that the set is for this game; `place` is what the error calls it.
    ///
    /// # Errors
    /// When it is not.
    pub fn check_game(&self, place: &str, game: &str) -> Result<()> {
        if self.game == game {
            return Ok(());
        }
        let reason =
            format!("the constants are for `{}`, not for `{game}`", self.game.escape_debug());
        Err(Error::input(format!("{place}, key `game`"), reason)
            .remedy(format!("use some for `{game}`")))
    }

    fn check(&self) -> Result<()> {
        let refused = |key: &str, reason: String, remedy: &str| {
            Err(Error::input(format!("key `{key}`"), reason).remedy(remedy))
        };
        if self.format == 0 {
            return refused("format", "there is no format 0".into(), "write 1");
        }
        if let Some(text) = &self.board
            && !text.parse::<Board>().is_ok_and(|board| board.to_string() == *text)
        {
            let reason = format!("`{}` is not a board size", text.escape_debug());
            return refused("board", reason, "write for example \"8x8\", or null for any board");
        }
        match [("game", &self.game), ("name", &self.name)]
            .into_iter()
            .find(|(_, text)| text.is_empty())
        {
            Some((key, _)) => refused(key, "the text is empty".into(), "write a name"),
            None => Ok(()),
        }
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

/// Checks that a file names every constant.
fn check_complete(text: &str) -> Result<()> {
    #[derive(Deserialize)]
    struct Names {
        constants: BTreeMap<String, IgnoredAny>,
    }
    let names: Names = serde_json::from_str(text).map_err(|e| Error::input("", e))?;
    match SearchConstants::LIST.iter().find(|info| !names.constants.contains_key(info.name)) {
        Some(info) => {
            Err(Error::input("key `constants`", format!("constant `{}` is missing", info.name))
                .remedy(format!("add `\"{}\": {}`, its default", info.name, info.default)))
        }
        None => Ok(()),
    }
}

/// The error for a file of a newer format. It goes before any other, as a newer format may well
/// have new keys.
fn newer_format(text: &str, place: &str) -> Option<Error> {
    #[derive(Deserialize)]
    struct ConstantsPeek {
        format: u64,
    }
    let ConstantsPeek { format } = serde_json::from_str(text).ok()?;
    let reason = format!(
        "format {format} was made by a newer version of the program; this one reads up to {FORMAT}"
    );
    (format > u64::from(FORMAT)).then(|| {
        Error::input(format!("{place}, key `format`"), reason).remedy("update the program")
    })
}

/// The error of the program for one of serde's: what follows a semicolon in its text is the remedy.
fn into_error(error: &serde_json::Error, place: &str) -> Error {
    const LONGEST: usize = 900;
    let text = error.to_string();
    let (line, column) = (error.line(), error.column());
    let text = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    // Terminals obey control characters.
    let text: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    let usual = match error.is_eof() {
        true => "the file seems to be cut short",
        false => "name a file that `spar tune --target search` wrote",
    };
    let (reason, remedy) = text.split_once("; ").unwrap_or((&text, usual));
    Error::input(format!("{place}, line {line}, column {column}"), reason).remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn refusal(from: &str, to: &str) -> String {
        let good = ConstantSet::of_defaults("breakthrough").to_json();
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good);
        let error = ConstantSet::from_json(&text, "s.json").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.to_string().starts_with("s.json, "), "{error}");
        error.to_string()
    }

    #[test]
    fn errors_say_where_why_and_what_instead() {
        for (from, to, expected) in [
            (
                "razor_depth",
                "razor_dept",
                "constant `razor_dept`: unknown; did you mean `razor_depth`?",
            ),
            (
                "    \"razor_depth\": 2,\n",
                "",
                "constant `razor_depth` is missing; add `\"razor_depth\": 2`",
            ),
            (
                "\"razor_depth\": 2",
                "\"razor_depth\": 11",
                "11 is out of range; give 0 to 10 (default 2)",
            ),
            (
                "\"razor_depth\": 2",
                "\"razor_depth\": 2.5",
                "constant `razor_depth`: not a whole number; write",
            ),
            (
                "\"razor_depth\": 2",
                "\"razor_depth\": 1e99",
                "`razor_depth`: not a whole number; write one from",
            ),
            ("\"razor_depth\": 2", "\"null_depth\": 3", "constant `null_depth`: it is there twice"),
            (
                "\"format\": 1",
                "\"format\": 9, \"colour\": 1",
                "key `format`: format 9 was made by a newer version",
            ),
            ("\"format\": 1", "\"format\": 0", "key `format`: there is no format 0"),
            ("\"name\"", "\"nmae\"", "unknown field `nmae`, expected one of `format`, `game`"),
            ("  \"board\": null,\n", "", "missing field `board`"),
            ("\"board\": null", "\"board\": \"9\"", "key `board`: `9` is not a board size; write"),
            ("\"game\": \"breakthrough\"", "\"game\": \"\"", "key `game`: the text is empty"),
            ("{\n", "[\n", "expected"),
        ] {
            let error = refusal(from, to);
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn text_that_is_no_json_is_refused() {
        let good = ConstantSet::of_defaults("breakthrough").to_json();
        for length in 0..good.len() - 2 {
            let error = ConstantSet::from_json(&good[..length], "s.json").unwrap_err().to_string();
            // The first digits of a number may be out of its range.
            assert!(
                error.contains("cut short") || error.contains("out of range"),
                "{length}: {error}"
            );
        }
        assert!(ConstantSet::from_json(&" ".repeat(MAX_FILE + 1), "s.json").is_err());
        assert!(!refusal("\"name\"", "\"\\u001b[2J\"").contains('\u{1b}'));
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
