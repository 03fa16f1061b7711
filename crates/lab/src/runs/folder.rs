//! The folder with runs, and how a run is named.

use super::view::RunView;
use crate::error::{Error, Result, nearest, shorten};
use crate::run::{self, FIRST_POSITIONS, MANIFEST, ManifestHead, WEIGHTS};
use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The sorted names of the run directories: the usual names sort by the time at which the runs
    /// began. Links are left out.
    ///
    /// # Errors
    /// When the folder cannot be read. One that does not exist has no runs.
    pub fn names(&self) -> Result<Vec<String>> {
        let names = self.directories(run::is_run)?.into_iter();
        Ok(names.filter_map(|name| name.into_string().ok()).collect())
    }

    /// The paths of run directories that no list shows, and the reason: their names are not UTF-8,
    /// or they have no manifest.
    ///
    /// # Errors
    /// As [`names`](Self::names).
    pub fn unlisted(&self) -> Result<Vec<(PathBuf, &'static str)>> {
        let path = |name: &OsString| self.path.join(name);
        let (runs, others) = (self.directories(run::is_run)?, self.directories(run::is_rest)?);
        let unnamed = runs.iter().filter(|name| name.to_str().is_none());
        let unnamed =
            unnamed.map(|name| (path(name), "its name is not UTF-8; rename the directory"));
        let rest = others.iter().map(|name| (path(name), REST));
        Ok(unnamed.chain(rest).collect())
    }

    /// The sorted names of the directories for which `is_such` holds.
    fn directories(&self, is_such: impl Fn(&Path) -> bool) -> Result<Vec<OsString>> {
        let failed = |error| Error::io(&self.path, "list the runs", error);
        let entries = match self.path.read_dir() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_dir && is_such(&entry.path()) {
                names.push(entry.file_name());
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
    /// When the folder cannot be read. A run that cannot be read has a line that says so.
    pub fn lines(&self) -> Result<Vec<RunView>> {
        let names = self.names()?;
        let mut lines: Vec<RunView> =
            names.iter().map(|name| RunView::read(&self.join(name))).collect();
        lines.sort_by_cached_key(|line| {
            Reverse((line.begun.clone(), self.written(&line.run), line.run.clone()))
        });
        Ok(lines)
    }

    /// When the manifest of a run was written: it orders runs that began in one second.
    fn written(&self, name: &str) -> Option<SystemTime> {
        self.join(name).join(MANIFEST).metadata().ok()?.modified().ok()
    }

    /// The directory of the run that was begun last.
    ///
    /// # Errors
    /// When there is no run.
    pub fn last(&self) -> Result<PathBuf> {
        self.last_of(self.names()?)
    }

    /// The directory of the run begun last among the runs with this file.
    ///
    /// # Errors
    /// When there is none.
    pub fn last_with(&self, file: &str) -> Result<PathBuf> {
        let wanted = match file {
            WEIGHTS => "has a weight set, as tunes of weights and constants have".into(),
            FIRST_POSITIONS => "has positions, as tunes by fitting have".into(),
            file => format!("has the file {file}"),
        };
        self.last_where(|run| run.join(file).is_file(), &wanted)
    }

    /// The directory of the run begun last among the runs for whose directories `is_wanted` holds;
    /// `wanted` says in words what such a run does.
    ///
    /// # Errors
    /// When there is none.
    pub fn last_where(&self, is_wanted: impl Fn(&Path) -> bool, wanted: &str) -> Result<PathBuf> {
        let is_wanted = |name: &String| is_wanted(&self.join(name));
        let (names, others): (Vec<_>, Vec<_>) = self.names()?.into_iter().partition(is_wanted);
        match names.is_empty() && !others.is_empty() {
            true => Err(self.all_others(wanted, &others)),
            false => self.last_of(names),
        }
    }

    /// The error when none of these runs is as `wanted` says.
    fn all_others(&self, wanted: &str, names: &[String]) -> Error {
        let described = |name: &String| match ManifestHead::of(&self.join(name)) {
            Ok(head) => (head.time, format!("{name} ({})", head.work.method())),
            Err(_) => (String::new(), name.clone()),
        };
        let mut runs: Vec<(String, String)> = names.iter().map(described).collect();
        runs.sort_by(|a, b| b.cmp(a));
        let runs = listed(runs.iter().map(|(_, run)| run));
        Error::input(self.path.display(), format!("no run in this folder {wanted}"))
            .remedy(format!("name something else; the latest runs are: {runs}"))
    }

    fn last_of(&self, names: Vec<String>) -> Result<PathBuf> {
        let begun = |name: &String| ManifestHead::of(&self.join(name)).ok().map(|head| head.time);
        let order = |name: &String| (begun(name), self.written(name));
        let last = names.into_iter().map(|name| (order(&name), name)).max();
        last.map(|(_, name)| self.join(&name)).ok_or_else(|| {
            Error::input(self.path.display(), "no run is in this folder").remedy(NO_RUN)
        })
    }

    /// The directory of the run that a text names: `last`, the path of a run directory, the name of
    /// a directory in this folder, a run's id or the name of its set
    /// (`breakthrough/spsa-1-14d400f8`), or a part of any of these that fits exactly one run.
    ///
    /// # Errors
    /// When no run or several have this name. The error lists the nearest name, or the names that
    /// fit.
    pub fn find(&self, named: &Path) -> Result<PathBuf> {
        match self.find_any(named)? {
            Some(run) => Ok(run),
            None if named.is_dir() => Err(Self::new(named).named_as_a_run()),
            None => Err(self.unknown(&named.to_string_lossy())),
        }
    }

    /// As [`find`](Self::find), but `None` when no run has this name.
    ///
    /// # Errors
    /// When several runs have this name, or the folder cannot be read.
    pub fn find_any(&self, named: &Path) -> Result<Option<PathBuf>> {
        match named.to_str() {
            Some(LAST) => self.last().map(Some),
            _ if run::is_run(named) => Ok(Some(named.to_owned())),
            Some(text) if !named.is_dir() => self.find_by_name(text),
            _ => run::without_manifest(named).map_or(Ok(None), Err),
        }
    }

    /// The run and the file of it that a path names: a run as for [`find_any`](Self::find_any), a
    /// slash, and the file's name, as in `last/candidate.json`. `None` when the part before the
    /// slash names no run. The file need not exist. `last` is the run begun last among the runs
    /// with the file `needs`.
    ///
    /// # Errors
    /// As [`find_any`](Self::find_any).
    pub fn find_file(&self, named: &Path, needs: &str) -> Result<Option<(PathBuf, String)>> {
        let parent = named.parent().filter(|parent| !parent.as_os_str().is_empty());
        let (Some(run), Some(file)) = (parent, named.file_name().and_then(OsStr::to_str)) else {
            return Ok(None);
        };
        let run = match run.to_str() {
            Some(LAST) => Some(self.last_with(needs)?),
            _ => self.find_any(run)?,
        };
        Ok(run.map(|run| (run, file.to_owned())))
    }

    /// The directory of a run in this folder by its name, its id or a part of these, never one
    /// outside of the folder. `None` when no run has this name.
    ///
    /// # Errors
    /// As [`find_any`](Self::find_any).
    pub fn find_by_name(&self, text: &str) -> Result<Option<PathBuf>> {
        let names = self.names()?;
        if let Some(name) = names.iter().find(|name| *name == text) {
            return Ok(Some(self.join(name)));
        }
        if text.is_empty() {
            return Ok(None);
        }
        if let (Some(name), true) = (Path::new(text).file_name(), !text.contains('/'))
            && let Some(error) = run::without_manifest(&self.path.join(name))
        {
            return Err(error);
        }
        let mut found: Vec<&String> = names.iter().filter(|name| name.contains(text)).collect();
        if found.is_empty() {
            // The name of a run's set differs from the run's id in one character.
            let id = text.replacen('/', "-", 1);
            found.extend(names.iter().filter(|name| self.id(name).contains(&id)));
        }
        match found[..] {
            [] => Ok(None),
            [name] => Ok(Some(self.join(name))),
            _ => Err(Error::input(format!("run `{}`", shorten(text)), "fits several")
                .remedy(format!("name one of them: {}", listed(found)))),
        }
    }

    /// The id of the run in a directory; empty where its manifest cannot be read.
    fn id(&self, name: &str) -> String {
        ManifestHead::of(&self.join(name)).map_or(String::new(), |head| head.run)
    }

    fn unknown(&self, text: &str) -> Error {
        let names = self.names().unwrap_or_default();
        let ids: Vec<String> = names.iter().map(|name| self.id(name)).collect();
        let known = names.iter().chain(&ids).map(String::as_str);
        let remedy = match nearest(&shorten(text), known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => NO_RUN.into(),
            None => {
                format!("the runs in {} are: {}", self.path.display(), listed(names.iter().rev()))
            }
        };
        Error::input(format!("run `{}`", shorten(text)), "no run has this name").remedy(remedy)
    }

    /// The error when this folder is named in place of a run.
    fn named_as_a_run(&self) -> Error {
        let place = self.path.display().to_string();
        let error = Error::input(&place, "not a run's directory: it has no manifest.json");
        match self.names() {
            Ok(names) if !names.is_empty() => {
                error.remedy(format!("name a run in it: {}", listed(names.iter().rev())))
            }
            _ => error.remedy(
                "name a run directory, such as one in runs/; a run without a manifest has played no games, \
                 so start it again with `spar tune`",
            ),
        }
    }
}

/// Why the rest of a run is not listed as a run.
const REST: &str = "it has a journal and no manifest.json; restore that file";

const NO_RUN: &str = "begin one with `spar tune`, or name another folder with --runs";

/// A few names, and how many more there are.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let mut names = names.into_iter();
    let mut shown: Vec<String> =
        names.by_ref().take(MOST_LISTED).map(|name| shorten(name)).collect();
    let more = names.count();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown.join(", ")
}
