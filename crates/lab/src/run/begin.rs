//! The beginning of a run: its directory, its first files, its plan.

use super::dir::{RunDir, now, sum_of};
use super::files::{JOURNAL, LOCK, MANIFEST, PLAYER, RunFile};
use super::journal::FileChecksums;
use super::lock::lock;
use super::manifest::Manifest;
use super::trust::TrustMark;
use super::work::{Work, run_name};
use crate::error::{Error, Result};
use crate::files::{Links, is_temporary, sync_name};
use crate::shell::quote_path;
use crate::weights::WeightSet;
use std::fs::DirEntry;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name that an error proposes for a new directory.
const NEW: &str = "run";
const MAKE: &str = "make the run directory";

impl RunDir {
    /// Makes a new directory for a run below `runs`, named by the present time:
    /// `<utc>-<game>-<method>-<seed>`. If the name is taken, for example by a run begun in the same
    /// second, a number is added.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn reserve(runs: &Path, work: &Work) -> Result<PathBuf> {
        Self::reserve_for(runs, work.game(), &work.method(), work.seed())
    }

    /// As [`reserve`](Self::reserve), if no more is known of the run yet.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn reserve_for(runs: &Path, game: &str, method: &str, seed: u64) -> Result<PathBuf> {
        let time = now().replace([':', '-'], "");
        let name = format!("{time}-{}", run_name(game, method, seed));
        make_dirs(runs)?;
        let mut path = runs.join(&name);
        for number in 2.. {
            match std::fs::create_dir(&path) {
                Ok(()) => break,
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                    path = runs.join(format!("{name}-{number}"))
                }
                Err(e) => return Err(Error::io(&path, MAKE, e)),
            }
        }
        sync_name(&path).map_err(|e| Error::io(&path, MAKE, e))?;
        Ok(path)
    }

    /// Begins a run in a directory, which is made unless it is there. `sets` are files of weights
    /// that belong to the manifest, by name.
    ///
    /// The manifest is written once these files, the journal and the game file are in place, so
    /// that a directory with a manifest has them all. A directory without one, left by a process
    /// that died, starts over.
    ///
    /// # Errors
    /// When the directory holds a run or other files already, or cannot be made or written.
    pub fn create(path: &Path, work: Work, sets: &[(String, WeightSet)]) -> Result<Self> {
        check_vacant(path)?;
        make_dirs(path)?;
        let lock = lock(path)?;
        // Another process may have begun a run since.
        check_vacant(path)?;
        sets.iter().try_for_each(|(name, set)| set.save_with(&path.join(name), Links::Refused))?;
        let mut files: FileChecksums =
            sets.iter().map(|(name, set)| (name.clone(), sum_of(set))).collect();
        files.extend(work.tune().map(|tune| tune.checksums_of(&tune.start)).unwrap_or_default());
        let run = Self::assemble(path, Manifest::new(now(), work, files)?, lock)?;
        run.save_manifest()?;
        run.restore_player()?;
        Ok(run)
    }

    /// Replaces the plan of a run that has not played yet. Its player stays.
    ///
    /// # Errors
    /// When the run has played already, or its manifest cannot be written.
    pub fn replan(&mut self, work: Work) -> Result<()> {
        if self.record.time().is_some() {
            return Err(Error::failed(self.path.display(), "has already played by another plan"));
        }
        self.check_place()?;
        let Manifest { time, files, .. } = self.manifest.clone();
        self.manifest = Manifest::new(time, work, files)?;
        self.journal.belong_to(&self.manifest.run);
        self.save_manifest()
    }

    pub(super) fn save_manifest(&self) -> Result<()> {
        self.manifest.save(&self.path.join(MANIFEST))?;
        if !self.manifest.work.engines().is_empty() {
            // Without the mark the user is asked before the run is resumed.
            let _ = TrustMark::of(&self.manifest).and_then(|mark| mark.make(&self.path));
        }
        Ok(())
    }
}

/// Makes a directory and any missing ones above it, so that a power cut does not lose their names.
fn make_dirs(path: &Path) -> Result<()> {
    let is_missing = |path: &&Path| *path != Path::new("") && !path.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    if path.exists() && !path.is_dir() {
        return Err(Error::input(path.display(), "not a directory").remedy("name one for the run"));
    }
    let made =
        std::fs::create_dir_all(path).and_then(|()| missing.into_iter().try_for_each(sync_name));
    made.map_err(|e| Error::io(path, MAKE, e))
}

/// Checks that a run can begin in a directory without overwriting anything.
fn check_vacant(path: &Path) -> Result<()> {
    if path.join(MANIFEST).exists() {
        return Err(Error::input(path.display(), "holds a run already").remedy(format!(
            "continue with `spar resume {}`, or name another directory",
            quote_path(path)
        )));
    }
    let names = used_names(path);
    if let Some(file) = leftover(&names) {
        let reason =
            format!("holds a {file}, but no manifest.json that says which run it belongs to");
        return Err(Error::input(path.display(), reason)
            .remedy("restore the manifest and resume the run, or name another directory"));
    }
    match names.iter().find(|name| RunFile::of_name(name).is_none() && !name.starts_with('.')) {
        Some(name) => Err(Error::input(
            path.display(),
            format!("not empty: it holds {name}, which is no file of a run"),
        )
        .remedy(format!("name a new directory, such as {}", quote_path(&path.join(NEW))))),
        None => Ok(()),
    }
}

/// The folder that file systems of Linux reserve at their mount point.
const OF_FILE_SYSTEM: &str = "lost+found";

/// The sorted names in a directory, without empty files and `lost+found`.
fn used_names(path: &Path) -> Vec<String> {
    let is_used = |entry: &DirEntry| {
        entry.metadata().is_ok_and(|found| match found.is_dir() {
            true => entry.file_name() != OF_FILE_SYSTEM,
            false => !found.is_file() || found.len() > 0,
        })
    };
    let entries = path.read_dir().into_iter().flatten().flatten().filter(is_used);
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    names
}

/// A file among these that a run would overwrite or take for its own, the journal first.
fn leftover(names: &[String]) -> Option<&String> {
    // A process that died before it wrote the manifest leaves an empty journal, an empty game file,
    // and the players' sets.
    let is_first = |name: &str| name == LOCK || name.starts_with(PLAYER) || is_temporary(name);
    names
        .iter()
        .filter(|name| RunFile::of_name(name).is_some() && !is_first(name))
        .min_by_key(|name| *name != JOURNAL)
}
