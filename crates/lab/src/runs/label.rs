//! A name, a note and tags that the user gives a run. They are in a file of their own in the run's
//! directory, and nothing else in the run depends on them.

use crate::error::{Error, Result, shorten};
use crate::files::{self, Links};
use crate::run::LABEL;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The most characters of a label's texts together, which lists read for every run.
const MOST: usize = 4000;

/// The name, the note and the tags of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunLabel {
    /// The name, in place of the directory's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A note of the user's, any text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Words to find the run by, in alphabetical order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl RunLabel {
    /// The label of the run in a directory; `None` where there is none that can be read.
    pub fn read(run: &Path) -> Option<Self> {
        let bytes = files::read(&run.join(LABEL), Links::Refused, 8 * MOST as u64).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|label| *label != Self::default())
    }

    /// The same label without space around texts, without empty texts, and with sorted tags.
    ///
    /// # Errors
    /// When a tag is not one word.
    pub fn tidied(self) -> Result<Self> {
        let full = |text: Option<String>| {
            text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let mut tags = self.tags;
        if let Some(tag) = tags.iter().find(|tag| tag.split_whitespace().count() != 1) {
            return Err(Error::input(format!("tag `{}`", shorten(tag)), "not one word")
                .remedy("write a tag without spaces, as night-run"));
        }
        tags.iter_mut().for_each(|tag| *tag = tag.trim().to_owned());
        tags.sort();
        tags.dedup();
        Ok(Self { name: full(self.name), note: full(self.note), tags })
    }

    /// Writes the label into the directory of a run.
    ///
    /// # Errors
    /// When a text has control characters, the texts are too long together, or the file cannot be
    /// written.
    pub fn write(&self, run: &Path) -> Result<()> {
        let texts = self.name.iter().chain(&self.note).chain(&self.tags);
        let wrong = |reason: &str, remedy: &str| Err(Error::input("label", reason).remedy(remedy));
        if texts.clone().any(|text| text.chars().any(char::is_control)) {
            return wrong("a text has a line break or another control character", "leave it out");
        }
        if texts.map(|text| text.chars().count()).sum::<usize>() > MOST {
            return wrong("name, note and tags are too long", "give at most 4,000 characters");
        }
        let path = run.join(LABEL);
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::failed(path.display(), error))?;
        files::write_atomically(&path, format!("{text}\n").as_bytes(), Links::Refused)
    }
}
