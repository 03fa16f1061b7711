//! A file of positions for the fit, written game by game, so that writing can continue after an
//! interruption.

use super::append::AppendFile;
use super::position_progress::{WriteProgress, crc_of_beginning, progress_path};
use super::positions::read_header;
use crate::error::{Error, Result};
use crate::files::{Links, sweep_beside};
use crate::tune::logistic::samples::Header;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The beginning of the end of a complete file, before the CRC-32 of everything earlier
/// (little-endian). Readers that do not know the end take it for a record that was cut off.
pub(super) const END: &[u8; 4] = b"DONE";
/// The length of the end, in bytes.
pub(super) const END_BYTES: u64 = 8;

/// A file of positions that is being written.
pub struct PositionWriter {
    progress_path: PathBuf,
    file: AppendFile,
    progress: WriteProgress,
    /// The CRC-32 of the bytes that the progress counts.
    crc: u32,
    /// Bytes before the first record, and of each record.
    header: u64,
    record: usize,
    pending: Vec<u8>,
    pending_games: u64,
}

impl PositionWriter {
    /// Begins a file, or continues with one that the same settings began.
    ///
    /// The file with the progress is written first, so that a process killed at any moment leaves a
    /// file that can be continued.
    ///
    /// # Errors
    /// When the file cannot be written, holds something else, is complete, or another process works
    /// on it.
    pub fn open(path: &Path, header: &Header) -> Result<Self> {
        if path.is_dir() {
            return Err(
                Error::input(path.display(), "a directory").remedy("name a file to write to")
            );
        }
        let mut file = AppendFile::open(path, Links::Followed)?;
        lock(path, file.file())?;
        let progress_path = progress_path(path);
        sweep_beside(&progress_path);
        let known = known_progress(path, file.file(), header)?;
        let begin = header.to_bytes();
        let (progress, crc) = known.unwrap_or_else(|| {
            let crc = crc32fast::hash(&begin);
            (WriteProgress::new(0, begin.len() as u64, crc), crc)
        });
        let record = header.record;
        let mut writer = Self {
            progress_path,
            file,
            progress,
            crc,
            header: begin.len() as u64,
            record,
            pending: Vec::new(),
            pending_games: 0,
        };
        if known.is_none() {
            progress.save(path)?;
            writer.file.cut(0)?;
            writer.file.append(&begin)?;
        }
        writer.file.cut(progress.bytes)?;
        Ok(writer)
    }

    /// Games whose positions are in the file, or about to be.
    pub fn games(&self) -> u64 {
        self.progress.games + self.pending_games
    }

    /// Bytes of the file with them.
    pub fn bytes(&self) -> u64 {
        self.progress.bytes + self.pending.len() as u64
    }

    /// The number of positions in the file, or about to be.
    pub fn positions(&self) -> u64 {
        self.bytes().saturating_sub(self.header) / self.record.max(1) as u64
    }

    /// Adds the records of a game; they are safe after the next [`commit`](Self::commit).
    pub fn add(&mut self, records: &[u8]) {
        self.pending.extend_from_slice(records);
        self.pending_games += 1;
    }

    /// Writes what was added to disk, and the progress.
    ///
    /// # Errors
    /// When it cannot be written; then the file is as it was.
    pub fn commit(&mut self) -> Result<()> {
        if self.pending_games == 0 {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        self.file.append(&pending)?;
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc);
        hasher.update(&pending);
        self.crc = hasher.finalize();
        let WriteProgress { games, bytes, .. } = self.progress;
        let bytes = bytes + pending.len() as u64;
        self.progress = WriteProgress::new(games + self.pending_games, bytes, self.crc);
        self.pending_games = 0;
        self.progress.save(self.file.path())
    }

    /// Completes the file with its checksum, and returns its length in bytes.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<u64> {
        self.commit()?;
        let path = self.file.path().to_owned();
        let sum = crc_of_beginning(self.file.file(), self.progress.bytes)
            .map_err(|e| Error::io(&path, "read", e))?;
        self.file.append(&[*END, sum.to_le_bytes()].concat())?;
        std::fs::remove_file(&self.progress_path)
            .map_err(|e| Error::io(&self.progress_path, "remove", e))?;
        Ok(self.file.length())
    }
}

/// Whether a file of `size` bytes that has positions from `begin` on is complete, by its end. The
/// size alone does not tell: a record may be as short as the end, and a killed process may leave a
/// part of any size.
///
/// # Errors
/// When it cannot be read, or has been damaged since it was completed.
pub(super) fn is_complete(
    path: &Path,
    file: &mut File,
    size: u64,
    begin: u64,
    record: u64,
) -> Result<bool> {
    let failed = |e| Error::io(path, "read", e);
    let after_header = size.saturating_sub(begin);
    if after_header < END_BYTES || after_header % record != END_BYTES % record {
        return Ok(false);
    }
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(size - END_BYTES)).map_err(failed)?;
    file.take(END_BYTES).read_to_end(&mut end).map_err(failed)?;
    if !end.starts_with(END) {
        return Ok(false);
    }
    let sum = crc_of_beginning(file, size - END_BYTES).map_err(failed)?;
    if end[END.len()..] == sum.to_le_bytes() {
        return Ok(true);
    }
    Err(Error::input(path.display(), "has been edited or damaged since it was made")
        .remedy("make it again with `spar generate`"))
}

/// Locks the file against other processes while it is open.
fn lock(path: &Path, file: &File) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(Error::input(path.display(), "another process is working on this file")
                .remedy("wait for it, or stop it first"))
        }
        Err(TryLockError::Error(e)) => Err(Error::io(path, "lock", e)),
    }
}

/// The progress of an unfinished file, and the CRC-32 of the bytes that it counts; `None` when there
/// is nothing in it to keep.
fn known_progress(
    path: &Path,
    file: &mut File,
    header: &Header,
) -> Result<Option<(WriteProgress, u32)>> {
    let taken = |reason: &str| {
        Error::input(path.display(), reason).remedy("name another file, or remove this one")
    };
    if file.metadata().map_err(|e| Error::io(path, "read", e))?.len() == 0 {
        return Ok(None);
    }
    let progress = WriteProgress::load(path)?.ok_or_else(|| taken("exists already"))?;
    if progress.games == 0 {
        return Ok(None);
    }
    let crc = progress.check(path, file)?;
    let (found, begin) = read_header(path, file)?;
    if found != *header {
        return Err(taken("holds positions made with other settings"));
    }
    if progress.bytes < begin {
        return Err(taken("is shorter than it was"));
    }
    Ok(Some((progress, crc)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use tempfile::NamedTempFile;

    const HEADER: &[u8] = b"header";

    fn asked(bytes: &[u8], record: u64) -> Result<bool> {
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let size = bytes.len() as u64;
        let mut opened = File::open(file.path()).unwrap();
        is_complete(file.path(), &mut opened, size, HEADER.len() as u64, record)
    }

    #[test]
    fn the_end_of_a_file_is_found_whatever_the_size_of_its_records() {
        for record in 5..=20 {
            for count in 0..5 {
                let mut bytes = HEADER.to_vec();
                bytes.extend((0..record * count).map(|i| i as u8));
                let unfinished = bytes.clone();
                let size = bytes.len() as u64;
                let mut file = tempfile::tempfile().unwrap();
                file.write_all(&bytes).unwrap();
                let sum = crc_of_beginning(&mut file, size).unwrap();
                bytes.extend([*END, sum.to_le_bytes()].concat());
                assert!(asked(&bytes, record).unwrap(), "{count} records of {record} bytes");
                assert!(!asked(&unfinished, record).unwrap(), "{count} of {record}, unfinished");
                // A part of a record, as long as the end.
                let torn = [unfinished.as_slice(), &[7; END_BYTES as usize]].concat();
                assert!(!asked(&torn, record).unwrap(), "{count} of {record}, torn");
                bytes[0] ^= 1;
                let error = asked(&bytes, record).unwrap_err().to_string();
                assert!(error.contains("damaged"), "{error}");
            }
        }
    }
}
