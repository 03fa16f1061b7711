//! The folder with runs, and how a run is named.

use super::line::RunLine;
use crate::error::{Error, Result, nearest, shorten};
use crate::run::{self, ManifestHead};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name that stands for the run that was begun last.
pub const LAST: &str = "last";
/// The most names that an error lists.
const MOST_LISTED: usize = 8;

/// A folder with runs, each in a directory of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunsFolder {
    path: PathBuf,
}

impl Default for RunsFolder {
    fn default() -> Self {
        Self::new(Self::USUAL)
    }
}

impl RunsFolder {
    /// The usual folder, in the working directory.
    pub const USUAL: &str = "runs";

    /// The folder at a path. It need not exist: then it holds no runs.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the run directories, sorted, which puts those with usual names in the order in
    /// which they were begun. Links are left out.
    ///
    /// # Errors
    /// When the folder cannot be read. One that does not exist has no runs.
    pub fn names(&self) -> Result<Vec<String>> {
        let failed = |error| Error::io(&self.path, "list the runs", error);
        let entries = match self.path.read_dir() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if let Some(name) = entry.file_name().to_str()
                && is_dir
                && run::is_run(&entry.path())
            {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The directory of a run in this folder.
    pub fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The line of every run, the one begun last first.
    ///
    /// # Errors
    /// When the folder cannot be read. What cannot be read of a single run is said by its line.
    pub fn lines(&self) -> Result<Vec<RunLine>> {
        let names = self.names()?;
        let mut lines: Vec<RunLine> =
            names.iter().map(|name| RunLine::read(&self.join(name))).collect();
        lines.sort_by(|a, b| (&b.begun, &b.run).cmp(&(&a.begun, &a.run)));
        Ok(lines)
    }

    /// The directory of the run that was begun last.
    ///
    /// # Errors
    /// When there is no run.
    pub fn last(&self) -> Result<PathBuf> {
        let names = self.names()?;
        let begun = |name: &String| ManifestHead::of(&self.join(name)).ok().map(|head| head.time);
        let last = names.into_iter().map(|name| (begun(&name), name)).max();
        last.map(|(_, name)| self.join(&name)).ok_or_else(|| {
            Error::input(self.path.display(), "no run is in this folder").remedy(NO_RUN)
        })
    }

    /// The directory of the run that a text names: `last`, the path of a run directory, the name of
    /// a directory in this folder, a run's id or the name of its set
    /// (`breakthrough/spsa-1-14d400f8`), or a part of any of these that fits one run alone.
    ///
    /// # Errors
    /// When no run or several are named so, with the nearest name or those that fit.
    pub fn find(&self, text: &str) -> Result<PathBuf> {
        if text == LAST {
            return self.last();
        }
        let path = Path::new(text);
        if run::is_run(path) {
            return Ok(path.to_owned());
        }
        if path.is_dir() && !text.is_empty() {
            return Err(Self::new(path).named_as_a_run());
        }
        self.find_by_name(text)
    }

    /// The directory of a run in this folder, as [`find`](Self::find) but for paths: for names that
    /// come from elsewhere, which must not lead out of the folder.
    ///
    /// # Errors
    /// As there.
    pub fn find_by_name(&self, text: &str) -> Result<PathBuf> {
        let names = self.names()?;
        if let Some(name) = names.iter().find(|name| *name == text) {
            return Ok(self.join(name));
        }
        let by_name: Vec<&str> = fitting(&names, text);
        let ids: Vec<String> = match by_name.is_empty() {
            true => names.iter().map(|name| self.id(name)).collect(),
            false => Vec::new(),
        };
        let wanted = id_of_set(text);
        let by_id =
            names.iter().zip(&ids).filter(|(_, id)| id.contains(&wanted) && !text.is_empty());
        let found: Vec<&str> =
            by_name.into_iter().chain(by_id.map(|(name, _)| name.as_str())).collect();
        match found[..] {
            [name] => Ok(self.join(name)),
            [] => Err(self.unknown(text, &names, &ids)),
            _ => Err(Error::input(format!("run `{}`", shorten(text)), "fits several")
                .remedy(format!("name one of them: {}", listed(&found)))),
        }
    }

    /// The id of the run in a directory; empty where its manifest cannot be read.
    fn id(&self, name: &str) -> String {
        ManifestHead::of(&self.join(name)).map_or(String::new(), |head| head.run)
    }

    fn unknown(&self, text: &str, names: &[String], ids: &[String]) -> Error {
        let known = names.iter().chain(ids).map(String::as_str);
        let remedy = match nearest(&shorten(text), known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => NO_RUN.into(),
            None => {
                let latest: Vec<&str> = names.iter().rev().map(String::as_str).collect();
                format!("the runs in {} are: {}", self.path.display(), listed(&latest))
            }
        };
        Error::input(format!("run `{}`", shorten(text)), "no run has this name").remedy(remedy)
    }

    /// The error where this folder is named in place of a run.
    fn named_as_a_run(&self) -> Error {
        let place = self.path.display().to_string();
        let error = Error::input(&place, "not a run's directory: it has no manifest.json");
        match self.names() {
            Ok(names) if !names.is_empty() => {
                let names: Vec<&str> = names.iter().rev().map(String::as_str).collect();
                error.remedy(format!("name a run in it: {}", listed(&names)))
            }
            _ => error.remedy("name a run directory, such as those under runs/"),
        }
    }
}

const NO_RUN: &str = "begin one with `spar tune`, or name another folder with --runs";

/// The set's name and the run's id differ in one character: `breakthrough/spsa-1-14d400f8`.
fn id_of_set(text: &str) -> String {
    text.replacen('/', "-", 1)
}

fn fitting<'a>(names: &'a [String], part: &str) -> Vec<&'a str> {
    let fits = |name: &&str| !part.is_empty() && name.contains(part);
    names.iter().map(String::as_str).filter(fits).collect()
}

/// A few names, and how many more there are.
fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> = names.iter().take(MOST_LISTED).map(|name| shorten(name)).collect();
    if names.len() > MOST_LISTED {
        shown.push(format!("and {} more", names.len() - MOST_LISTED));
    }
    shown.join(", ")
}
