//! The options that an engine offers, and the values that they take.

use super::dialect::VARIANT_OPTION;
use crate::error::{Error, Result, shorten, suggest};

/// The type of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// A switch, `true` or `false`.
    Check,
    /// A whole number in a range.
    Spin {
        /// The least value that it takes.
        min: i64,
        /// The greatest value that it takes.
        max: i64,
    },
    /// One of these words.
    Combo(Vec<String>),
    /// No value: it only makes the engine do something.
    Button,
    /// A string, any text.
    Text,
}

/// Why an option cannot be set.
pub const NOT_UTF8: &str = "its name is not UTF-8";

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name, which may have spaces.
    pub name: String,
    /// The kind, with the values that it takes.
    pub kind: OptionKind,
    /// The value before any is set, if the engine names it.
    pub default: Option<String>,
}

/// The kinds of options that UCI knows.
const KINDS: [&str; 5] = ["check", "spin", "combo", "button", "string"];

impl EngineOption {
    /// Whether the name was read as the engine wrote it. A name that is not UTF-8 has been changed
    /// by [`char::REPLACEMENT_CHARACTER`], and the engine would not know it.
    pub fn is_named(&self) -> bool {
        !self.name.contains(char::REPLACEMENT_CHARACTER)
    }

    /// Reads the part of a line after the word `option`; `None` when it is not understood.
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        // The word may also be part of the name.
        let is_type = |at: &usize| {
            words[*at] == "type" && words.get(at + 1).is_some_and(|kind| KINDS.contains(kind))
        };
        let at = (0..words.len()).find(is_type);
        let at = at.or_else(|| words.iter().position(|&word| word == "type"))?;
        let name = words[..at].strip_prefix(&["name"])?.join(" ");
        if name.is_empty() {
            return None;
        }
        let (kind, rest) = words[at + 1..].split_first()?;
        let number = |key: &str| {
            rest.iter()
                .position(|&word| word == key)
                .and_then(|at| rest.get(at + 1)?.parse::<i64>().ok())
        };
        let kind = match *kind {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo(values(rest)),
            "button" => OptionKind::Button,
            _ => OptionKind::Text,
        };
        let default = rest.iter().position(|&word| word == "default").map(|at| {
            let words = rest[at + 1..].iter();
            let end = |word: &&&str| !["min", "max", "var"].contains(*word);
            words.take_while(end).copied().collect::<Vec<_>>().join(" ")
        });
        Some(Self { name, kind, default })
    }

    /// Checks a value. The words of a combo are not checked: an engine may learn more of them from
    /// a file that another option names.
    ///
    /// # Errors
    /// When the option does not take it.
    pub fn check(&self, value: &str) -> Result<()> {
        let bad = |remedy: String| {
            Err(Error::input(
                format!("option {}={value}", self.name),
                "the engine does not take this value",
            )
            .remedy(remedy))
        };
        let number = value.parse::<i64>().ok().filter(|_| !value.starts_with('+'));
        match self.kind {
            OptionKind::Check if !["true", "false"].contains(&value) => {
                bad("give true or false".into())
            }
            // Bounds the wrong way round forbid nothing.
            OptionKind::Spin { min, max }
                if min <= max && !number.is_some_and(|number| (min..=max).contains(&number)) =>
            {
                bad(format!("give a whole number from {min} to {max}"))
            }
            OptionKind::Spin { .. } if number.is_none() => bad("give a whole number".into()),
            _ => Ok(()),
        }
    }
}

impl EngineOption {
    /// A warning about a value that the engine is sent all the same: a word that a combo does not
    /// list. Names of games give no warning, since engines list few of them.
    pub fn doubt(&self, value: &str) -> Option<String> {
        let OptionKind::Combo(known) = &self.kind else { return None };
        let is_known = known.iter().any(|word| word.eq_ignore_ascii_case(value));
        (!is_known && !self.name.eq_ignore_ascii_case(VARIANT_OPTION)).then(|| {
            let remedy = suggest(value, known.iter().map(String::as_str), "it lists");
            format!(
                "option {}={}: the engine does not list this value; {remedy}",
                self.name,
                shorten(value)
            )
        })
    }
}

/// The words after each `var`; a value may have spaces.
fn values(words: &[&str]) -> Vec<String> {
    words.split(|&word| word == "var").skip(1).map(|words| words.join(" ")).collect()
}

/// The option of this name as the engine lists it; the protocols do not mind the case.
pub fn listed<'a>(options: &'a [EngineOption], name: &str) -> Option<&'a EngineOption> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The option of this name, for setting it.
///
/// # Errors
/// When the engine does not offer it, or its name is not UTF-8.
pub fn find<'a>(options: &'a [EngineOption], name: &str) -> Result<&'a EngineOption> {
    let place = || format!("option `{name}`");
    match listed(options, name) {
        Some(option) if option.is_named() => Ok(option),
        Some(_) => {
            Err(Error::input(place(), NOT_UTF8)
                .remedy("rename it in the engine, or leave it as it is"))
        }
        None => {
            let named = options.iter().filter(|option| option.is_named());
            let names = named.map(|option| option.name.as_str());
            let remedy = suggest(name, names, "it offers");
            Err(Error::input(place(), "the engine does not offer it").remedy(remedy))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(text: &str) -> EngineOption {
        EngineOption::parse(text).unwrap()
    }

    #[test]
    fn a_number_is_checked_against_bounds_that_make_sense() {
        let spin = option("name Depth type spin default 3 min 1 max 9");
        assert!(spin.check("9").is_ok() && spin.check("-1").is_err() && spin.check("+7").is_err());
        let swapped = option("name Depth type spin default 3 min 9 max 1");
        assert!(swapped.check("5").is_ok() && swapped.check("50").is_ok());
        assert!(swapped.check("five").is_err());
    }

    #[test]
    fn every_kind_is_read() {
        assert_eq!(option("name Clear Hash type button").kind, OptionKind::Button);
        assert_eq!(option("name Clear Hash type button").name, "Clear Hash");
        let spin = option("name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(spin.kind, OptionKind::Spin { min: 1, max: 33_554_432 });
        let combo = option("name UCI_Variant type combo default chess var chess var three check");
        assert_eq!(combo.kind, OptionKind::Combo(vec!["chess".into(), "three check".into()]));
        assert_eq!(option("name Log type string default").kind, OptionKind::Text);
        let named = option("name Search type factor type spin default 3 min 0 max 9");
        assert_eq!(named.name, "Search type factor");
        assert_eq!(named.kind, OptionKind::Spin { min: 0, max: 9 });
        assert_eq!(option("name Book type file").kind, OptionKind::Text);
        for bad in ["", "name", "name X", "name X type", "X type check", "name type check"] {
            assert_eq!(EngineOption::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn values_are_checked() {
        let spin = option("name Hash type spin default 16 min 1 max 64");
        assert!(spin.check("64").is_ok());
        assert!(["65", "0", "x", ""].iter().all(|value| spin.check(value).is_err()));
        let check = option("name Ponder type check default false");
        assert!(check.check("true").is_ok() && check.check("yes").is_err());
    }

    #[test]
    fn an_unknown_word_of_a_combo_is_doubted() {
        let style = option("name Style type combo default Solid var Solid var Very Wild");
        assert_eq!(style.doubt("solid").or(style.doubt("Very Wild")), None);
        assert!(style.doubt("Sloid").unwrap().contains("did you mean `Solid`?"));
        assert!(style.doubt("x").unwrap().contains("Solid, Very Wild"));
        let variant = option("name UCI_Variant type combo var chess");
        assert_eq!(variant.doubt("breakthrough"), None);
    }

    #[test]
    fn a_name_that_is_not_utf8_cannot_be_set() {
        let line = String::from_utf8_lossy(b"name Gr\xf6\xdfe type spin default 1 min 0 max 9");
        let options = [option(&line), option("name Hash type spin")];
        let error = find(&options, &options[0].name).unwrap_err().to_string();
        assert!(error.contains("its name is not UTF-8"), "{error}");
        let error = find(&options, "Gr\u{f6}\u{df}e").unwrap_err().to_string();
        assert!(error.contains("it offers: Hash") || error.contains("it offers Hash"), "{error}");
    }

    #[test]
    fn a_slip_in_a_name_is_pointed_out() {
        let options = [option("name Hash type spin"), option("name Threads type spin")];
        assert_eq!(find(&options, "hash").unwrap().name, "Hash");
        assert!(find(&options, "Hahs").unwrap_err().to_string().contains("did you mean `Hash`?"));
        assert!(find(&options, "Contempt").unwrap_err().to_string().contains("Hash, Threads"));
    }
}
