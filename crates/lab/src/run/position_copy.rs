//! Files of positions that are made from other files.

use super::position_blocks::{BLOCK_RECORDS, pack};
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
    /// Bytes of a record.
    record: usize,
    /// The records of the block under way, in a packed file.
    block: Option<Vec<u8>>,
}

impl PositionCopy {
    /// Begins a file, packed or not, for positions of other files; `how` says which of them.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(
        (path, packed): (&Path, bool),
        game: GameId,
        files: &PositionFiles,
        how: &str,
    ) -> Result<Self> {
        // A killed command may have left a part of the file.
        sweep_beside(path);
        let header = header(game, files, how);
        let header = if packed { header.packed(BLOCK_RECORDS) } else { header };
        let file = BufWriter::new(NewFile::create(path, Links::Followed)?);
        let (sum, record) = (crc32fast::Hasher::new(), header.record);
        let block = packed.then(Vec::new);
        let mut copy = Self { file, path: path.into(), sum, bytes: 0, record, block };
        copy.write(&header.to_bytes())?;
        Ok(copy)
    }

    /// Adds a record.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, record: &[u8]) -> Result<()> {
        let Some(block) = &mut self.block else { return self.write(record) };
        block.extend_from_slice(record);
        match block.len() < BLOCK_RECORDS * self.record {
            true => Ok(()),
            false => self.end_block(),
        }
    }

    /// Writes the records of the block under way, if there are any.
    fn end_block(&mut self) -> Result<()> {
        let Some(records) = self.block.as_mut().filter(|records| !records.is_empty()) else {
            return Ok(());
        };
        let block = pack(records, self.record);
        records.clear();
        self.write(&block.map_err(|e| Error::io(&self.path, "pack", e))?)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sum.update(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|e| Error::io(&self.path, "write", e))
    }

    /// Ends the file with its checksum, and returns its length in bytes.
    ///
    /// # Errors
    /// When it cannot be written, or the file is there and may not be replaced.
    pub fn finish(mut self, may_replace: bool) -> Result<u64> {
        self.end_block()?;
        let sum = self.sum.clone().finalize();
        self.write(&[*END, sum.to_le_bytes()].concat())?;
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
