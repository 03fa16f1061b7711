//! Removes runs, or the parts of them that are not needed any more.

use crate::error::{Error, Result};
use crate::run::{self, RunFile};
use std::fs;
use std::path::{Path, PathBuf};

/// The removed part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removed {
    /// The whole run, with its directory.
    Run,
    /// The positions that a fit was made from, which a finished run does not need.
    Positions,
}

/// The files of a run that would be removed, and their length in bytes together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    directory: PathBuf,
    files: Vec<PathBuf>,
    /// The length of the files, in bytes.
    pub bytes: u64,
}

impl Removal {
    /// The files of the run in a directory to remove. If there are files that no run writes, they
    /// stay, and so does the directory.
    ///
    /// # Errors
    /// When it is not a run's directory, or is a link to one, or cannot be read.
    pub fn plan(directory: &Path, removed: Removed) -> Result<Self> {
        let failed = |error| Error::io(directory, "remove the run", error);
        if !directory.symlink_metadata().map_err(failed)?.is_dir() {
            return Err(Error::input(directory.display(), "a link, or no directory")
                .remedy("name the run's own directory"));
        }
        if !run::is_run(directory) {
            return Err(Error::input(
                directory.display(),
                "not a run's directory: it has no manifest.json",
            )
            .remedy("name a run; `spar runs` lists them"));
        }
        let mut files = Vec::new();
        let mut bytes = 0;
        for entry in directory.read_dir().map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let kind = entry.file_name().to_str().and_then(RunFile::of_name);
            let is_wanted = match removed {
                Removed::Run => kind.is_some(),
                Removed::Positions => kind == Some(RunFile::Positions),
            };
            // The metadata of an entry describes a link itself.
            if let Ok(found) = entry.metadata()
                && is_wanted
                && !found.is_dir()
            {
                bytes += found.len();
                files.push((kind, entry.path()));
            }
        }
        // The manifest goes last but for the lock: until then the rest can be removed again.
        files.sort();
        let files = files.into_iter().map(|(_, path)| path).collect();
        Ok(Self { directory: directory.into(), files, bytes })
    }

    /// Whether there is nothing to remove.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The path of the run's directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Removes the files, and the directory if nothing is left in it. Returns whether the directory
    /// is gone.
    ///
    /// # Errors
    /// When a process works on the run, or a file cannot be removed.
    pub fn carry_out(&self) -> Result<bool> {
        let _lock = run::lock(&self.directory)?;
        for file in &self.files {
            fs::remove_file(file).map_err(|error| Error::io(file, "remove", error))?;
        }
        // It stays when something else is in it.
        Ok(fs::remove_dir(&self.directory).is_ok())
    }
}
