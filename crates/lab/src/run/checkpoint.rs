//! The checkpoint of a training as a file, which is replaced as a whole after each epoch.

use super::files::checkpoint_path;
use crate::error::{Error, Result};
use crate::files::{self, Links, sweep_beside, write_atomically};
use crate::tune::network::{CheckpointStore, check_checkpoint};
use std::path::{Path, PathBuf};

/// The largest checkpoint that is read, in bytes. The largest network's takes some 0.4 GB.
const MOST: u64 = 1 << 30;

/// The file of a checkpoint, which need not be there.
#[derive(Clone, Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    links: Links,
    /// Whether the checkpoint of another training may be replaced.
    replaces_others: bool,
}

impl CheckpointFile {
    /// The file for a training that writes its network to this path. With `replaces_others` it
    /// drops what another training has left there.
    pub fn beside(output: &Path, replaces_others: bool) -> Self {
        let mut path = output.as_os_str().to_owned();
        path.push(".checkpoint");
        Self { path: path.into(), links: Links::Followed, replaces_others }
    }

    /// The file for the training of a round of a run.
    pub(super) fn of_round(run: &Path, round: u64) -> Self {
        Self { path: checkpoint_path(run, round), links: Links::Refused, replaces_others: true }
    }

    /// The path of the checkpoint's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the checkpoint; `None` where there is none.
    ///
    /// # Errors
    /// When it cannot be read, or has been damaged or edited.
    pub(super) fn read(&self) -> Result<Option<Vec<u8>>> {
        if !files::exists(&self.path, self.links)? {
            return Ok(None);
        }
        let bytes = files::read(&self.path, self.links, MOST)?;
        check_checkpoint(&bytes, &self.path.display().to_string())?;
        Ok(Some(bytes))
    }

    /// Removes the file, since the training is over.
    ///
    /// # Errors
    /// When it is there and cannot be removed.
    pub fn remove(&self) -> Result<()> {
        if files::exists(&self.path, self.links)? {
            std::fs::remove_file(&self.path).map_err(|e| Error::io(&self.path, "remove", e))?;
        }
        Ok(())
    }
}

impl CheckpointStore for CheckpointFile {
    fn load(&mut self) -> Result<Option<Vec<u8>>> {
        sweep_beside(&self.path);
        self.read()
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        write_atomically(&self.path, bytes, self.links)
    }

    fn check_replaceable(&self) -> Result<()> {
        if self.replaces_others {
            return Ok(());
        }
        Err(Error::input(self.path.display(), "belongs to another training, with other positions, options or seed")
            .remedy("repeat that training's command to finish it, write to another file, or add --force to drop it"))
    }
}
