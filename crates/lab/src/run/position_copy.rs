//! Files of positions that are made from other files.

use super::position_writer::END;
use super::positions::{PositionFiles, SOURCES};
use crate::error::{Error, Result};
use crate::files::{Links, NewFile, sweep_beside};
use crate::games::GameId;
use crate::tune::PositionSource;
use crate::tune::logistic::samples::{Header, MAX_HEADER};
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file of positions that is written as a whole.
pub struct PositionCopy {
    file: BufWriter<NewFile>,
    path: PathBuf,
    sum: crc32fast::Hasher,
    bytes: u64,
}

impl PositionCopy {
    /// Begins a file for positions of other files; `how` says which of them.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(path: &Path, game: GameId, files: &PositionFiles, how: &str) -> Result<Self> {
        // A killed command may have left a part of the file.
        sweep_beside(path);
        let header = header(game, files, how);
        let file = BufWriter::new(NewFile::create(path, Links::Followed)?);
        let sum = crc32fast::Hasher::new();
        let mut copy = Self { file, path: path.into(), sum, bytes: 0 };
        copy.add(&header.to_bytes())?;
        Ok(copy)
    }

    /// Adds records.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add(&mut self, bytes: &[u8]) -> Result<()> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|e| Error::io(&self.path, "write", e))
    }

    /// Ends the file with its checksum; gives its length in bytes.
    ///
    /// # Errors
    /// When it cannot be written, or the file is there and may not be replaced.
    pub fn finish(mut self, may_replace: bool) -> Result<u64> {
        let sum = self.sum.clone().finalize();
        self.add(&[*END, sum.to_le_bytes()].concat())?;
        let (path, bytes) = (self.path, self.bytes);
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error);
        match file.and_then(|file| file.finish(may_replace)) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::input(path.display(), "the file exists already")
                    .remedy("name another one, or give --force to overwrite it"))
            }
            Err(e) => Err(Error::io(&path, "write", e)),
            Ok(()) => Ok(bytes),
        }
    }
}

/// The header of such a file. It names the files and their sources, unless they are too many for a
/// header that can be read again.
fn header(game: GameId, files: &PositionFiles, how: &str) -> Header {
    let (names, sources) = (files.names(), files.sources());
    let count = names.len();
    [
        json!({ "from": names, "how": how, SOURCES: sources }),
        json!({ "from": names, "how": how }),
        json!({ "from": count, "how": how }),
    ]
    .map(|source| Header::new(game, files.board(), source))
    .into_iter()
    .reduce(|full, short| if full.to_bytes().len() <= MAX_HEADER { full } else { short })
    .unwrap_or_else(|| Header::new(game, files.board(), json!(null)))
}
