//! What serde's errors leave out: the key, and what would help.

use crate::error::Error;
use serde::de;
use std::cell::{Cell, RefCell};
use std::fmt;

/// Where a reader is, and what would help if it failed there.
#[derive(Default)]
pub(super) struct JsonPath {
    key: RefCell<String>,
    pub(super) entry: Cell<Option<usize>>,
    hint: RefCell<String>,
    /// The fault is that something is missing, so it has no line.
    absent: Cell<bool>,
}

impl JsonPath {
    pub(super) fn at(&self, key: &str) {
        key.clone_into(&mut self.key.borrow_mut());
        self.entry.set(None);
    }

    /// An error here. serde will add the line and column, [`JsonPath::error`] the key and the hint.
    pub(super) fn fail<E: de::Error>(
        &self,
        reason: impl fmt::Display,
        hint: impl fmt::Display,
    ) -> E {
        *self.hint.borrow_mut() = hint.to_string();
        E::custom(reason)
    }

    pub(super) fn missing<E: de::Error>(&self, key: &str, example: &str) -> E {
        self.at(key);
        self.absent.set(true);
        self.fail("the key is missing", format!("add `\"{key}\": {example}`"))
    }

    pub(super) fn duplicate_key<E: de::Error>(&self) -> E {
        self.fail("the key is there twice", "keep only one of the two")
    }

    fn key_text(&self) -> Option<String> {
        let key = self.key.borrow();
        let entry = self.entry.get().map(|index| format!("[{index}]")).unwrap_or_default();
        (!key.is_empty()).then(|| format!("key `{}{entry}`", escape(&key)))
    }

    /// The error of the program for an error of serde's.
    pub(super) fn error(&self, error: &serde_json::Error, place: &str) -> Error {
        let location = format!("line {}, column {}", error.line(), error.column());
        let location = (!self.absent.get()).then_some(location);
        let parts: Vec<String> =
            [Some(place.to_owned()), location, self.key_text()].into_iter().flatten().collect();
        let text = error.to_string();
        let reason =
            text.strip_suffix(&format!(" at line {} column {}", error.line(), error.column()));
        let hint = match error.is_eof() {
            true => "the file seems to be cut short".to_owned(),
            false => self.hint.take(),
        };
        let told = Error::input(parts.join(", "), plain(reason.unwrap_or(&text), 300));
        if hint.is_empty() { told } else { told.remedy(hint) }
    }

    /// An error of serde's with the key and the hint in its text.
    pub(super) fn with_path<E: de::Error>(&self, error: E) -> E {
        let key = self.key_text().map(|key| key + ": ").unwrap_or_default();
        let hint = self.hint.take();
        let pause = if hint.is_empty() { "" } else { "; " };
        E::custom(format!("{key}{}{pause}{hint}", plain(&error.to_string(), 300)))
    }
}

/// A name from a file as an error shows it: control characters escaped, and not too long.
pub(in crate::weights) fn escape(name: &str) -> String {
    plain(name, 60)
}

/// The first `length` characters, and no control characters, which a terminal would obey.
fn plain(text: &str, length: usize) -> String {
    let mut plain = String::new();
    for c in text.chars().take(length) {
        if c.is_control() { plain.extend(c.escape_debug()) } else { plain.push(c) }
    }
    if text.chars().nth(length).is_some() {
        plain.push_str("...");
    }
    plain
}
