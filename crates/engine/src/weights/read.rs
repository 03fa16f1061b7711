//! Strict reading of weight sets, with errors that give the place, the reason and the remedy.
//!
//! serde's errors know line and column; [`serde_path_to_error`] adds the key. In the messages of
//! the readers here, the text after a semicolon is the remedy.

use super::compact::is_compact;
use super::fields::{Whole, board, name, search};
use super::{
    FORMAT_WITH_NETWORK, FORMAT_WITH_PHASES, FORMAT_WITH_SEARCH, NEWEST_FORMAT, Provenance,
    WeightSet, Weights,
};
use crate::error::{Error, Result, shorten, shorten_to, suggest};
use crate::files::without_byte_order_mark;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::Track;
use std::collections::BTreeMap;

/// The size limit of a weight file in bytes. A typical set has a few thousand.
pub const MAX_FILE: usize = 64 << 20;

/// The keys of a file, each with an example value for remedies.
const KEYS: [(&str, &str); 17] = [
    ("format", "1"),
    ("game", "\"breakthrough\""),
    ("board", "null"),
    ("name", "\"mine\""),
    ("description", "\"\""),
    ("scale", "1"),
    ("weights", "{}"),
    ("provenance", "null"),
    ("window", "\"2x2\""),
    ("units", "64"),
    ("activation", "\"screlu\""),
    ("limit", "127"),
    ("divisor", "1"),
    ("hidden_biases", "[0, 0]"),
    ("output_bias", "0"),
    ("output_weights", "[0, 0]"),
    ("hidden_weights", "\"\""),
];
/// The greatest number of characters of serde's reason in an error.
const LONGEST_REASON: usize = 300;

impl WeightSet {
    /// Reads a set from JSON text. `place` is the file's name, for the error. Use
    /// [`WeightSet::check`] to compare its features with the evaluator's.
    ///
    /// # Errors
    /// When the text is not a set, is larger than [`MAX_FILE`], or has a newer format. The error
    /// gives the place, line, column and key, the nearest known key, and the remedy.
    pub fn from_json(text: &str, place: &str) -> Result<Self> {
        if text.len() > MAX_FILE {
            return Err(too_large(place));
        }
        let text = without_byte_order_mark(text);
        match parse::<Self>(text, place) {
            Ok(set) => set.check_format(place).map(|()| set),
            Err(error) => older_constants(text, place)
                .unwrap_or_else(|| Err(newer_format(text, place).unwrap_or(error))),
        }
    }

    /// Reads a set from the bytes of a file in either form. Otherwise as [`WeightSet::from_json`].
    ///
    /// # Errors
    /// As for [`WeightSet::from_json`], when the bytes are not UTF-8, and when a compact file is
    /// damaged or of a newer version.
    pub fn from_bytes(bytes: &[u8], place: &str) -> Result<Self> {
        if bytes.len() > MAX_FILE {
            return Err(too_large(place));
        }
        if is_compact(bytes) {
            return Self::from_compact(bytes, place);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, place, error))?;
        Self::from_json(text, place)
    }

    fn check_format(&self, place: &str) -> Result<()> {
        let by_phase = self.first_of_phase().map(|name| format!("weights.{name}"));
        for (key, is_there, since) in [
            ("search", self.search.is_some(), FORMAT_WITH_SEARCH),
            ("network", self.network.is_some(), FORMAT_WITH_NETWORK),
            (by_phase.as_deref().unwrap_or_default(), by_phase.is_some(), FORMAT_WITH_PHASES),
        ] {
            if is_there && self.format < since {
                let key = shorten(key);
                let reason = format!("files of format {} have no such key", self.format);
                return Err(Error::input(format!("{place}, key `{key}`"), reason)
                    .remedy(format!("write `\"format\": {since}`")));
            }
        }
        Ok(())
    }
}

/// Reads a document; `place` is the file's name, for the error.
fn parse<T: DeserializeOwned>(text: &str, place: &str) -> Result<T> {
    let (mut json, mut track) = (serde_json::Deserializer::from_str(text), Track::new());
    T::deserialize(serde_path_to_error::Deserializer::new(&mut json, &mut track))
        .and_then(|document| json.end().map(|()| document))
        .map_err(|error| into_error(&error, &track.path().to_string(), place))
}

/// Converts one of serde's errors at a path of keys.
fn into_error(error: &serde_json::Error, path: &str, place: &str) -> Error {
    let text = error.to_string();
    let location = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&location).unwrap_or(&text);
    let mut location = Some(format!("line {}, column {}", error.line(), error.column()));
    let mut key = if path == "." { String::new() } else { path.to_owned() };
    let mut add_to_key = |name: &str| {
        if key.rsplit('.').next() != Some(name) {
            key = if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
        }
    };
    let (reason, remedy) = if let Some((name, known)) = quoted(text, "unknown field `") {
        add_to_key(name);
        ("unknown key", unknown_key(name, known))
    } else if let Some((name, _)) = quoted(text, "missing field `") {
        add_to_key(name);
        location = None;
        let example = KEYS.iter().find(|(known, _)| *known == name).map_or("null", |key| key.1);
        ("the key is missing", format!("add `\"{name}\": {example}`"))
    } else if let Some((name, _)) = quoted(text, "duplicate field `") {
        add_to_key(name);
        ("the key is there twice", "keep only one of the two".to_owned())
    } else if error.is_eof() {
        (text, "the file seems to be cut short".to_owned())
    } else {
        let (reason, remedy) = text.split_once("; ").unwrap_or((text, ""));
        (reason, shorten_to(remedy, LONGEST_REASON))
    };
    let key = (!key.is_empty()).then(|| format!("key `{}`", shorten(&key)));
    let parts: Vec<String> =
        [Some(place.to_owned()), location, key].into_iter().flatten().collect();
    let error = Error::input(parts.join(", "), shorten_to(reason, LONGEST_REASON));
    if remedy.is_empty() { error } else { error.remedy(remedy) }
}

/// The quoted name after `start`, and the text after its closing quote.
fn quoted<'a>(text: &'a str, start: &str) -> Option<(&'a str, &'a str)> {
    let rest = text.strip_prefix(start)?;
    rest.rsplit_once("`, expected ").or_else(|| Some((rest.strip_suffix('`')?, "")))
}

/// The remedy for a key that serde's list of known keys lacks.
fn unknown_key(name: &str, listed: &str) -> String {
    let known: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
    suggest(name, known.iter().copied(), "remove it; the keys are")
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

/// The error for a file of a newer format. It takes precedence over other errors, since a newer
/// format may have new keys.
fn newer_format(text: &str, place: &str) -> Option<Error> {
    #[derive(Deserialize)]
    struct FormatOnly {
        format: u64,
    }
    let FormatOnly { format } = serde_json::from_str(text).ok()?;
    let reason = format!(
        "format {format} was made by a newer version of the program; this one reads up to \
         {NEWEST_FORMAT}"
    );
    (format > u64::from(NEWEST_FORMAT)).then(|| {
        Error::input(format!("{place}, key `format`"), reason).remedy("update the program")
    })
}

/// Reads a file of search constants in the format of older versions, which had its own format
/// number; `None` if the text is not such a file.
fn older_constants(text: &str, place: &str) -> Option<Result<WeightSet>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct OlderConstants {
        #[serde(rename = "format")]
        _format: Whole<1, 1>,
        #[serde(deserialize_with = "name")]
        game: String,
        #[serde(deserialize_with = "board")]
        board: Option<String>,
        #[serde(deserialize_with = "name")]
        name: String,
        #[serde(deserialize_with = "search")]
        constants: Option<BTreeMap<String, i32>>,
        #[serde(deserialize_with = "Option::deserialize")]
        provenance: Option<Provenance>,
    }
    text.contains("\"constants\"").then_some(())?;
    let set = parse(text, place).map(|older: OlderConstants| WeightSet {
        format: FORMAT_WITH_SEARCH,
        game: older.game,
        board: older.board,
        name: older.name,
        description: String::new(),
        scale: 1,
        weights: Weights::new(),
        network: None,
        search: older.constants,
        provenance: older.provenance,
    });
    Some(set.map_err(|error| newer_format(text, place).unwrap_or(error)))
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

    /// The error for the valid text with one replacement.
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
                "line 9, column 17, key `weights.piece`: invalid type: floating point `10.5`, \
                 expected a whole number from -1000000 to 1000000, or an array of them",
            ),
            (
                "10",
                "1000001",
                "line 9, column 20, key `weights.piece`: 1000001 is out of range; write a whole \
                 number from -1000000 to 1000000",
            ),
            (
                "1, 2",
                "1, -1000001",
                "line 10, column 24, key `weights.ring[1]`: -1000001 is out of range; write a \
                 whole number from -1000000 to 1000000",
            ),
            (
                "  \"name\": \"sample\",\n",
                "",
                "key `name`: the key is missing; add `\"name\": \"mine\"`",
            ),
            (
                "\"ring\"",
                "\"piece\"",
                "line 10, column 11, key `weights`: `piece` is there twice; keep only one of the \
                 two",
            ),
            (
                "\"name\"",
                "\"game\"",
                "line 5, column 8, key `game`: the key is there twice; keep only one of the two",
            ),
            (
                "null",
                "\"9\"",
                "line 4, column 14, key `board`: `9` is not a board size; write columns x rows, \
                 for example \"8x8\", or null for any board",
            ),
            (
                "  \"provenance\"",
                "  \"search\": { \"null_base\": 3 },\n  \"provenance\"",
                "key `search`: files of format 1 have no such key; write `\"format\": 3`",
            ),
            (
                "\"piece\": 10",
                "\"piece@early\": 10, \"piece@late\": 9",
                "key `weights.piece@early`: files of format 1 have no such key; write `\"format\": 6`",
            ),
        ] {
            assert_eq!(refusal(from, to), format!("a.json, {expected}"));
        }
    }

    #[test]
    fn a_newer_format_is_named_before_its_new_keys() {
        let newer = GOOD.replace("\"format\": 1", "\"colour\": 1, \"format\": 7");
        let error = WeightSet::from_json(&newer, "a.json").unwrap_err().to_string();
        assert!(
            error.starts_with("a.json, key `format`: format 7 was made by a newer version"),
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
        let comma = refusal("10,", "10");
        assert!(comma.ends_with("expected `,` or `}`"), "{comma}");
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
        let error = refusal("\"provenance\": null", "\"provenance\": {\"metod\": \"spsa\"}");
        assert!(
            error.ends_with("key `provenance.metod`: unknown key; did you mean `method`?"),
            "{error}"
        );
    }

    #[test]
    fn constants_alone_and_their_older_files_are_read() {
        let file = GOOD
            .replace("\"format\": 1", "\"format\": 3")
            .replace("\"piece\": 10,\n    \"ring\": [1, 2]", "")
            .replace("  \"provenance\"", "  \"search\": { \"null_base\": 4 },\n  \"provenance\"");
        let set = WeightSet::from_json(&file, "a.json").unwrap();
        assert_eq!(set.search, Some(BTreeMap::from([("null_base".to_owned(), 4)])));
        let older = r#"{ "format": 1, "game": "breakthrough", "board": null, "name": "sample",
                         "constants": { "null_base": 4 }, "provenance": null }"#;
        assert_eq!(WeightSet::from_json(older, "a.json").unwrap(), set);
        let error = |text: &str| WeightSet::from_json(text, "a.json").unwrap_err().to_string();
        assert!(error(&older.replace("4", "4.5")).contains("key `constants.null_base`: invalid"));
        assert!(error(&older.replace("\"format\": 1", "\"format\": 7")).contains("newer version"));
        assert!(error(&older.replace("\"name\"", "\"nam\"")).contains("did you mean `name`?"));
        let twice = file.replace("\"null_base\": 4", "\"null_base\": 4, \"null_base\": 3");
        assert!(error(&twice).contains("key `search`: `null_base` is there twice"));
    }
}
