//! The progress of a file of positions, in a file beside it until it is complete.

use super::checksum::crc_of_next;
use crate::error::{Error, Result};
use crate::files::{self, Links, write_atomically};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

/// The largest file with the progress, in bytes: it has three numbers.
const MAX_PROGRESS: u64 = 1 << 10;

/// The games in an unfinished file of positions, and the bytes that hold them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteProgress {
    /// Games whose positions are in the file.
    pub(super) games: u64,
    /// The length of the file with them.
    pub(super) bytes: u64,
    /// The CRC-32 of these bytes and of both numbers; earlier versions wrote none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<u32>,
}

impl WriteProgress {
    /// The progress of a file whose first `bytes` bytes have the CRC-32 `crc`.
    pub(super) fn new(games: u64, bytes: u64, crc: u32) -> Self {
        Self { games, bytes, check: Some(check_of(games, bytes, crc)) }
    }

    /// Reads the progress of a file of positions; `None` if there is no file with it.
    ///
    /// # Errors
    /// When that file cannot be read, or is damaged.
    pub(super) fn load(positions: &Path) -> Result<Option<Self>> {
        let path = progress_path(positions);
        if !files::exists(&path, Links::Followed)? {
            return Ok(None);
        }
        let text = files::read(&path, Links::Followed, MAX_PROGRESS)?;
        let progress = serde_json::from_slice(&text).map_err(|e| {
            Error::input(path.display(), e)
                .remedy("remove this file and the positions that it belongs to")
        })?;
        Ok(Some(progress))
    }

    /// Writes the progress beside its file of positions.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn save(&self, positions: &Path) -> Result<()> {
        let path = progress_path(positions);
        let text = serde_json::to_vec(self).map_err(|e| Error::failed(path.display(), e))?;
        write_atomically(&path, &text, Links::Followed)
    }

    /// Checks the file of positions against the progress, and returns the CRC-32 of the bytes that
    /// it counts.
    ///
    /// # Errors
    /// When the file cannot be read, or either has been damaged.
    pub(super) fn check(&self, positions: &Path, file: &mut File) -> Result<u32> {
        let failed = |e| Error::io(positions, "read", e);
        let crc = crc_of_beginning(file, self.bytes).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length < self.bytes {
            return Err(Error::input(positions.display(), "is shorter than it was")
                .remedy("name another file, or remove this one"));
        }
        match self.check {
            Some(check) if check != check_of(self.games, self.bytes, crc) => {
                let part = progress_path(positions);
                let reason = format!("this file or {} has been edited or damaged", part.display());
                Err(Error::input(positions.display(), reason)
                    .remedy("remove both, and make them again with `spar generate`"))
            }
            _ => Ok(crc),
        }
    }
}

/// The CRC-32 of a file's progress, its numbers included.
fn check_of(games: u64, bytes: u64, crc: u32) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(crc);
    hasher.update(&games.to_le_bytes());
    hasher.update(&bytes.to_le_bytes());
    hasher.finalize()
}

/// The CRC-32 (IEEE 802.3) of the first `bytes` bytes of a file, which is read up to there.
pub(super) fn crc_of_beginning(file: &mut File, bytes: u64) -> io::Result<u32> {
    file.rewind()?;
    crc_of_next(file, bytes)
}

/// The path of the progress of a file of positions.
pub(super) fn progress_path(positions: &Path) -> PathBuf {
    let mut name = positions.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
