//! Where the records of a file of positions lie.

use super::position_blocks::Blocks;
use super::position_writer::{END_BYTES, is_complete};
use super::unsealed::cut_file;
use crate::error::{Error, Result};
use crate::tune::logistic::samples::Header;
use parking_lot::Mutex;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The records between the header and the end of a file.
pub(super) enum Layout {
    /// One after the other, `record` bytes each.
    Plain { begin: u64, end: u64, record: usize },
    /// In the compressed blocks of a packed file.
    Packed(Blocks),
}

impl Layout {
    /// Finds the records after a header, which ends at `begin`, and returns whether the file is
    /// complete.
    ///
    /// # Errors
    /// When the file cannot be read, has been damaged, or is packed and cut off.
    pub(super) fn find(
        path: &Path,
        file: &mut File,
        (header, begin): (&Header, u64),
    ) -> Result<(Self, bool)> {
        let size = file.metadata().map_err(|e| Error::io(path, "read", e))?.len();
        let record = header.record;
        let Some(records) = header.block else {
            let is_complete = is_complete(path, file, size, begin, record as u64)?;
            let end = size - if is_complete { END_BYTES } else { 0 };
            return Ok((Self::Plain { begin, end, record }, is_complete));
        };
        // A block may have any size.
        if !is_complete(path, file, size, begin, 1)? {
            return Err(cut_file(path));
        }
        let blocks = Blocks::find(path, file, (begin, size - END_BYTES), (record, records))?;
        Ok((Self::Packed(blocks), true))
    }

    /// The number of whole records.
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Plain { end, .. } => self.count_before(*end),
            Self::Packed(blocks) => blocks.count(),
        }
    }

    /// The number of whole records in the first `length` bytes of a file that is not packed.
    pub(super) fn count_before(&self, length: u64) -> u64 {
        match self {
            Self::Plain { begin, record, .. } => length.saturating_sub(*begin) / *record as u64,
            Self::Packed(blocks) => blocks.count(),
        }
    }

    /// Appends records to `bytes`, from number `first` on.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(super) fn read(
        &self,
        (path, file): (&Path, &Mutex<File>),
        (first, count): (u64, usize),
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        match self {
            Self::Plain { begin, record, .. } => {
                let before = bytes.len();
                bytes.resize(before + count * record, 0);
                let mut file = file.lock();
                file.seek(SeekFrom::Start(begin + first * *record as u64))
                    .and_then(|_| file.read_exact(&mut bytes[before..]))
                    .map_err(|e| Error::io(path, "read", e))
            }
            Self::Packed(blocks) => blocks.read((path, file), (first, count), bytes),
        }
    }
}
