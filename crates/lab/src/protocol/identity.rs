//! Checks that an external engine has not changed since its run began, by the files that its
//! command and its options name, and by its name for itself.

use crate::arena::remote::hex;
use crate::error::{Error, Result, shorten};
use crate::files::{self, Links};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Bytes of a file that are read at a time.
const CHUNK: usize = 1 << 20;
/// Digits of a digest that a message shows.
const SHOWN_DIGITS: usize = 12;
/// The remedy for an engine that has changed under a run.
const REMEDY: &str = "restore the former engine, or give --changed-engines to continue with this \
     one; the run records the change";

/// An engine as it was when a run began with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineIdentity {
    /// Its own full name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id_name: Option<String>,
    /// The SHA-256 digests of the files that its command and options name, by the words that name
    /// them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// The replacement of a run's engine by another one, as the user allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EngineChange {
    /// The name of the engine in results.
    pub engine: String,
    /// The difference, in words.
    pub what: String,
    /// The identity of the engine from then on.
    pub identity: EngineIdentity,
}

impl EngineIdentity {
    /// Checks that the files are the same as before; a file that was not there before is no change.
    ///
    /// # Errors
    /// When one has changed or is gone.
    pub(super) fn check_files(&self, files: &EngineFiles) -> Result<()> {
        let now = files.digests(self.files.keys());
        match self.files.iter().find_map(|(word, old)| changed_file(word, old, &now)) {
            None => Ok(()),
            Some(what) => Err(Error::input("", what).remedy(REMEDY)),
        }
    }

    /// Checks that the engine calls itself as before.
    ///
    /// # Errors
    /// When it does not.
    pub(super) fn check_name(&self, id_name: Option<&str>) -> Result<()> {
        match changed_name(self.id_name.as_deref(), id_name) {
            None => Ok(()),
            Some(what) => Err(Error::input("", what).remedy(REMEDY)),
        }
    }

    /// The difference of another engine from this one, in words; `None` when there is none.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let names = changed_name(self.id_name.as_deref(), other.id_name.as_deref());
        let files =
            self.files.iter().filter_map(|(word, old)| changed_file(word, old, &other.files));
        let parts: Vec<String> = names.into_iter().chain(files).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

fn changed_file(word: &str, old: &str, now: &BTreeMap<String, String>) -> Option<String> {
    let short = |digest: &str| digest.chars().take(SHOWN_DIGITS).collect::<String>();
    let shown = shorten(word);
    match now.get(word) {
        Some(new) if new == old => None,
        Some(new) => Some(format!(
            "the file `{shown}` is not the one that the run began with (SHA-256 {}..., it was {}...)",
            short(new),
            short(old)
        )),
        None => Some(format!("the file `{shown}`, which the run began with, is not there")),
    }
}

/// The difference between the two names of an engine, in words; `None` when there is none.
pub(super) fn changed_name(old: Option<&str>, new: Option<&str>) -> Option<String> {
    let shown = |name: Option<&str>| match name {
        Some(name) => format!("`{}`", shorten(name)),
        None => "nothing".into(),
    };
    (old != new).then(|| {
        format!("it calls itself {}, the engine that the run began with {}", shown(new), shown(old))
    })
}

/// The error for an engine that is not as its run began with it.
pub(super) fn changed(what: impl std::fmt::Display) -> Error {
    Error::input("", what).remedy(REMEDY)
}

/// The files that the command and the options of an engine name, found before it is started.
pub(super) struct EngineFiles(BTreeMap<String, (PathBuf, Stamp)>);

/// A stamp that changes when a file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl EngineFiles {
    /// The files that these words and the values of these options name, for an engine that is
    /// started in `folder`. A word may have a file's name after an equals sign, or be a command
    /// line for a shell; it may name a program, too, which a value such as `false` never means.
    pub(super) fn find(words: &[String], options: &[(String, String)], folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut keep = |part: &str, found: Option<(PathBuf, Stamp)>| {
            found.map(|found| files.insert(part.to_owned(), found))
        };
        for part in words.iter().skip(1).flat_map(|word| parts(word)) {
            keep(&part, find_file(&part, folder).or_else(|| find_program(&part, folder)));
        }
        for part in options.iter().flat_map(|(_, value)| parts(value)) {
            keep(&part, find_file(&part, folder));
        }
        words.first().map(|program| keep(program, find_program(program, folder)));
        Self(files)
    }

    /// The digests of the files that nothing has written to since they were found: a file that the
    /// engine writes itself, such as a log, does not identify it.
    pub(super) fn digests_of_unchanged(&self) -> BTreeMap<String, String> {
        let is_unchanged = |path: &Path, stamp: &Stamp| Stamp::of(path).as_ref() == Some(stamp);
        let unchanged = self.0.iter().filter(|(_, (path, stamp))| is_unchanged(path, stamp));
        self.digests(unchanged.map(|(word, _)| word))
    }

    /// The digests of the files that these words name.
    fn digests<'w>(&self, words: impl Iterator<Item = &'w String>) -> BTreeMap<String, String> {
        let digest = |word: &String| Some((word.clone(), digest(&self.0.get(word)?.0).ok()?));
        words.filter_map(digest).collect()
    }
}

impl Stamp {
    /// The stamp of the file at a path, if there is a file.
    fn of(path: &Path) -> Option<Self> {
        let found = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Self { length: found.len(), modified: found.modified().ok() })
    }
}

/// The parts of a word that may name files.
fn parts(word: &str) -> Vec<String> {
    let mut parts = vec![word.to_owned()];
    if word.contains(char::is_whitespace) {
        parts.extend(shlex::split(word).unwrap_or_default());
    }
    let values: Vec<String> =
        parts.iter().filter_map(|part| Some(part.split_once('=')?.1.to_owned())).collect();
    parts.extend(values);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The file that a word names in a folder.
fn find_file(word: &str, folder: &Path) -> Option<(PathBuf, Stamp)> {
    stamped(folder.join(word))
}

/// The program that a word names: by its path, or by its name in one of the folders for programs.
fn find_program(word: &str, folder: &Path) -> Option<(PathBuf, Stamp)> {
    if word.contains(std::path::is_separator) {
        return stamped(folder.join(word));
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|place| stamped(folder.join(place).join(word)))
}

fn stamped(path: PathBuf) -> Option<(PathBuf, Stamp)> {
    Stamp::of(&path).map(|stamp| (path, stamp))
}

fn digest(path: &Path) -> Result<String> {
    let mut file = files::open(path, Links::Followed)?;
    let (mut hasher, mut chunk) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        match file.read(&mut chunk).map_err(|error| Error::io(path, "read", error))? {
            0 => return Ok(hex(&hasher.finalize())),
            read => hasher.update(&chunk[..read]),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_an_option_names_a_file_but_no_program() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("net.bin"), "1").unwrap();
        let words = ["sh", "-c", "env ./engine"].map(str::to_owned);
        let option = |value: &str| ("name".to_owned(), value.to_owned());
        let options = ["false", "net.bin", "none.bin"].map(option);
        let found = EngineFiles::find(&words, &options, folder.path()).digests_of_unchanged();
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["env", "net.bin", "sh"]);
    }
}
