//! Reading a weight set: strict, and with errors that say where, why, and what instead.
//!
//! serde's errors know line and column but not the key, so the visitors leave a [`JsonPath`] beside
//! them.

mod trail;
mod visitors;

pub(super) use trail::escape;

use super::file::MAX_FILE;
use super::{FORMAT, Weight, WeightSet, Weights};
use crate::error::{Error, Result};
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer};
use trail::JsonPath;
use visitors::{SetReader, WeightReader, WeightsReader};

impl WeightSet {
    /// Reads a set from JSON text. `place` is the file's name, for the error. Whether the features
    /// are the evaluator's is for [`WeightSet::check`] to say.
    ///
    /// # Errors
    /// When the text is not a weight set, is larger than [`MAX_FILE`], or has a newer format; the
    /// error names the place, line, column and key, the nearest known key, and the remedy.
    pub fn from_json(text: &str, place: &str) -> Result<Self> {
        if text.len() > MAX_FILE {
            return Err(too_large(place));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let trail = JsonPath::default();
        let mut deserializer = serde_json::Deserializer::from_str(text);
        SetReader(&trail)
            .deserialize(&mut deserializer)
            .and_then(|set| deserializer.end().map(|()| set))
            .map_err(|error| {
                newer_format(text, place).unwrap_or_else(|| trail.error(&error, place))
            })
    }

    /// Reads a set from the bytes of a file; otherwise like [`WeightSet::from_json`].
    ///
    /// # Errors
    /// As [`WeightSet::from_json`], and when the bytes are not UTF-8.
    pub fn from_bytes(bytes: &[u8], place: &str) -> Result<Self> {
        Self::from_json(text(bytes, place)?, place)
    }
}

/// The text of a file.
pub(super) fn text<'a>(bytes: &'a [u8], place: &str) -> Result<&'a str> {
    if bytes.len() > MAX_FILE {
        return Err(too_large(place));
    }
    std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, place, error))
}

impl<'de> Deserialize<'de> for WeightSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let trail = JsonPath::default();
        SetReader(&trail).deserialize(deserializer).map_err(|error| trail.with_path(error))
    }
}

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let trail = JsonPath::default();
        WeightReader(&trail).deserialize(deserializer).map_err(|error| trail.with_path(error))
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let trail = JsonPath::default();
        WeightsReader(&trail).deserialize(deserializer).map_err(|error| trail.with_path(error))
    }
}

/// Reads a number that is absent or not below 0.
pub(super) fn not_negative<'de, D: Deserializer<'de>>(
    d: D,
) -> std::result::Result<Option<f64>, D::Error> {
    match Option::<f64>::deserialize(d)? {
        Some(value) if value < 0.0 => Err(de::Error::custom(format!("{value} is below 0"))),
        value => Ok(value),
    }
}

fn too_large(place: &str) -> Error {
    Error::input(place, format!("larger than {} MiB, the limit for a weight set", MAX_FILE >> 20))
        .remedy("check that it is the right file")
}

fn not_utf8(bytes: &[u8], place: &str, error: std::str::Utf8Error) -> Error {
    let utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let reason = match utf16 {
        true => "the text is UTF-16, not UTF-8".into(),
        false => format!("the text is not UTF-8 (at byte {})", error.valid_up_to()),
    };
    Error::input(place, reason).remedy("save the file as UTF-8")
}

/// The error for a file of a newer format. It goes before any other, as a newer format may well
/// have new keys.
fn newer_format(text: &str, place: &str) -> Option<Error> {
    #[derive(Deserialize)]
    struct Peek {
        format: u64,
    }
    let Peek { format } = serde_json::from_str(text).ok()?;
    (format > u64::from(FORMAT)).then(|| {
        Error::input(
            format!("{place}, key `format`"),
            format!(
                "format {format} was made by a newer version of the program; this one reads up to {FORMAT}"
            ),
        )
        .remedy("update the program")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    const GOOD: &str = r#"{
  "format": 1,
  "game": "breakthrough",
  "board": null,
  "name": "sample",
  "description": "",
  "scale": 1,
  "weights": {
    "piece": 10,
    "ring": [1, 2]
  },
  "provenance": null
}
"#;

    /// The error for the good text with one thing replaced.
    fn refusal(from: &str, to: &str) -> String {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD);
        let error = WeightSet::from_json(&text, "a.json").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        error.to_string()
    }

    #[test]
    fn errors_say_where_why_and_what_instead() {
        for (from, to, expected) in [
            (
                "\"scale\"",
                "\"scal\"",
                "line 7, column 8, key `scal`: unknown key; did you mean `scale`?",
            ),
            (
                "10",
                "10.5",
                "line 9, column 17, key `piece`: invalid type: floating point `10.5`, expected a whole number from \
                 -1000000 to 1000000, or an array of them",
            ),
            (
                "10",
                "1000001",
                "line 9, column 20, key `piece`: 1000001 is out of range; write a whole number from -1000000 to \
                 1000000",
            ),
            (
                "1, 2",
                "1, -1000001",
                "line 10, column 24, key `ring[1]`: -1000001 is out of range; write a whole number from -1000000 to \
                 1000000",
            ),
            (
                "  \"name\": \"sample\",\n",
                "",
                "key `name`: the key is missing; add `\"name\": \"mine\"`",
            ),
            (
                "\"ring\"",
                "\"piece\"",
                "line 10, column 11, key `piece`: the key is there twice; keep only one of the two",
            ),
            (
                "\"name\"",
                "\"game\"",
                "line 5, column 8, key `game`: the key is there twice; keep only one of the two",
            ),
            (
                "null",
                "\"9\"",
                "line 4, column 14, key `board`: `9` is not a board size; write columns x rows, for example \
                 \"8x8\", or null for any board",
            ),
        ] {
            assert_eq!(refusal(from, to), format!("a.json, {expected}"));
        }
    }

    #[test]
    fn a_newer_format_is_named_before_its_new_keys() {
        let newer = GOOD.replace("\"format\": 1", "\"colour\": 1, \"format\": 3");
        let error = WeightSet::from_json(&newer, "a.json").unwrap_err().to_string();
        assert!(
            error.starts_with("a.json, key `format`: format 3 was made by a newer version"),
            "{error}"
        );
        assert!(error.ends_with("update the program"), "{error}");
        assert!(
            refusal("\"format\": 1", "\"format\": 0").contains("key `format`: 0 is out of range")
        );
    }

    #[test]
    fn text_that_is_no_json_is_refused() {
        let cut = WeightSet::from_json(&GOOD[..GOOD.len() / 2], "a.json").unwrap_err().to_string();
        assert!(cut.ends_with("the file seems to be cut short"), "{cut}");
        let more = WeightSet::from_json(&format!("{GOOD}{{"), "a.json").unwrap_err().to_string();
        assert_eq!(more, "a.json, line 14, column 1: trailing characters");
        assert_eq!(
            refusal("10,", "10"),
            "a.json, line 10, column 5, key `weights`: expected `,` or `}`"
        );
    }

    #[test]
    fn encodings_are_told_apart() {
        assert!(WeightSet::from_bytes(format!("\u{feff}{GOOD}").as_bytes(), "a.json").is_ok());
        let utf16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let error = |bytes: &[u8]| WeightSet::from_bytes(bytes, "a.json").unwrap_err().to_string();
        assert_eq!(error(&utf16), "a.json: the text is UTF-16, not UTF-8; save the file as UTF-8");
        assert_eq!(
            error(b"{\xc3("),
            "a.json: the text is not UTF-8 (at byte 1); save the file as UTF-8"
        );
        assert!(error(&vec![b' '; MAX_FILE + 1]).starts_with("a.json: larger than 64 MiB"));
    }

    #[test]
    fn long_names_are_clipped_and_control_characters_escaped() {
        let error = refusal("\"scale\"", &format!("\"\\u001b[31m{}\"", "x".repeat(1 << 20)));
        assert!(
            error.len() < 400 && error.contains("`\\u{1b}[31mxxx") && error.contains("...`"),
            "{error}"
        );
    }

    #[test]
    fn an_unknown_key_of_the_provenance_is_refused() {
        let error = refusal("\"provenance\": null", "\"provenance\": {\"\\u001b[2J\": 1}");
        assert!(
            error.contains("key `provenance`: unknown field `\\u{1b}[2J`, expected one of `run`"),
            "{error}"
        );
    }

    #[test]
    fn parts_inside_other_documents_keep_their_errors() {
        let error =
            serde_json::from_str::<WeightSet>(&GOOD.replace("10", "true")).unwrap_err().to_string();
        assert!(
            error.starts_with("key `piece`: invalid type: boolean `true`, expected a whole number"),
            "{error}"
        );
        let error =
            serde_json::from_str::<Weights>("{\"a\": 1, \"a\": 2}").unwrap_err().to_string();
        assert!(error.starts_with("key `a`: the key is there twice at line 1"), "{error}");
        assert_eq!(serde_json::from_str::<Weight>("[1, 2]").unwrap(), Weight::Table(vec![1, 2]));
    }
}
