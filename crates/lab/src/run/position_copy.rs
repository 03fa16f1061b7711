//! Files of positions that are made from other files.

use super::position_writer::END;
use crate::error::{Error, Result};
use crate::files::{Links, NewFile};
use crate::tune::logistic::samples::Header;
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
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn create(path: &Path, header: &Header) -> Result<Self> {
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
