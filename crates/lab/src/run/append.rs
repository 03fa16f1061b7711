//! Files that only grow, segment by segment: the journal, the games, the positions.

use super::checksum::checksum_of_next;
use crate::error::{Error, Result};
use crate::files::{self, Links, sync_name};
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The remedy when a file does not match the journal.
const RESTORE: &str = "restore the file as the run wrote it, or begin a new run";
/// The remedy when it is shorter than the journal counts.
const RESTORE_OR_MEND: &str = "restore the file as the run wrote it; if this is a copy made while the run was under way, \
    `spar resume --mend` drops the last lines of the journal and plays their games again";

/// A file that only grows. Bytes beyond its whole segments are what a killed process left behind.
#[derive(Debug)]
pub(super) struct AppendFile {
    path: PathBuf,
    links: Links,
    file: File,
    /// The length of all whole segments, in bytes.
    length: u64,
}

impl AppendFile {
    /// Opens or creates a file; [`cut`](Self::cut) must set its length before use.
    ///
    /// # Errors
    /// When it cannot be opened, is no ordinary file, or has another name in a run directory.
    pub(super) fn open(path: &Path, links: Links) -> Result<Self> {
        let file = files::open_to_change(path, links)?;
        Ok(Self { path: path.into(), links, file, length: 0 })
    }

    /// Cuts off what lies beyond the whole segments, which take `length` bytes.
    ///
    /// # Errors
    /// When the file is shorter than that, or cannot be cut.
    pub(super) fn cut(&mut self, length: u64) -> Result<()> {
        let failed = |e| Error::io(&self.path, "write", e);
        let found = self.file.metadata().map_err(failed)?.len();
        if found < length {
            return Err(too_short(&self.path, found, length));
        }
        if found > length {
            self.file.set_len(length).map_err(failed)?;
        }
        if length == 0 {
            sync_name(&self.path).map_err(failed)?;
        }
        self.length = length;
        self.file.seek(SeekFrom::Start(length)).map(drop).map_err(failed)
    }

    /// Appends a segment; when this returns it is on disk.
    ///
    /// # Errors
    /// When it cannot be written, for example because the disk is full; then the file is as it was.
    pub(super) fn append(&mut self, segment: &[u8]) -> Result<()> {
        self.check_place()?;
        if let Err(error) = self.file.write_all(segment).and_then(|()| self.file.sync_data()) {
            // The part that was written is cut off now, or when the file is opened again.
            let _ = self.file.set_len(self.length);
            let _ = self.file.seek(SeekFrom::Start(self.length));
            return Err(Error::io(&self.path, "write", error));
        }
        self.length += segment.len() as u64;
        Ok(())
    }

    /// Checks that the file is still the one at its path: anything written to a removed file is
    /// lost.
    ///
    /// # Errors
    /// When it is not, or the system cannot tell.
    pub(super) fn check_place(&self) -> Result<()> {
        match self.is_in_place()? {
            true => Ok(()),
            false => Err(lost(&self.path).remedy("if it was moved, put it back and resume")),
        }
    }

    /// Whether the file is still the one at its path.
    ///
    /// # Errors
    /// When the system cannot tell.
    fn is_in_place(&self) -> Result<bool> {
        is_same(&self.file, &self.path, self.links).map_err(|e| Error::io(&self.path, "check", e))
    }

    /// The error if the file is not at its path any more, without a remedy. `None` also if the
    /// system cannot tell.
    pub(super) fn lost(&self) -> Option<Error> {
        matches!(self.is_in_place(), Ok(false)).then(|| lost(&self.path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// The length of all whole segments, in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

/// A segment of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segment {
    /// Its end, in bytes from the file's beginning.
    pub(super) end: u64,
    pub(super) checksum: String,
}

impl Segment {
    /// Checks that the segment which begins at byte `begin` of a file has the checksum that it was
    /// written with.
    ///
    /// # Errors
    /// When `found`, the checksum of the segment as it is now, differs.
    pub(super) fn check(&self, path: &Path, begin: u64, found: &str) -> Result<()> {
        if found == self.checksum {
            return Ok(());
        }
        let reason = format!("has been edited or damaged between bytes {begin} and {}", self.end);
        Err(Error::input(path.display(), reason).remedy(RESTORE))
    }
}

/// Checks that a file begins with these segments. What follows them is ignored.
///
/// # Errors
/// When the file cannot be read, is shorter, or has been damaged.
pub(super) fn check_segments(path: &Path, segments: &[Segment]) -> Result<()> {
    if segments.is_empty() {
        return Ok(());
    }
    let failed = |e: io::Error| Error::io(path, "read", e).remedy(RESTORE);
    let mut file = match files::exists(path, Links::Refused)? {
        true => files::open(path, Links::Refused)?,
        false => return Err(failed(io::ErrorKind::NotFound.into())),
    };
    let found = file.metadata().map_err(failed)?.len();
    let mut begin = 0;
    for segment in segments {
        let end = segment.end;
        if found < end {
            return Err(too_short(path, found, end));
        }
        let there = checksum_of_next(&mut file, end.saturating_sub(begin)).map_err(failed)?;
        segment.check(path, begin, &there)?;
        begin = end;
    }
    Ok(())
}

/// Whether an open file is the one at a path. Only Unix can tell.
#[cfg(unix)]
fn is_same(file: &File, path: &Path, links: Links) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let open = file.metadata()?;
    match links.metadata(path) {
        Ok(there) => Ok((open.dev(), open.ino()) == (there.dev(), there.ino())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

#[cfg(not(unix))]
fn is_same(_: &File, _: &Path, _: Links) -> io::Result<bool> {
    Ok(true)
}

/// The error for a file that is not at its path any more, without a remedy.
pub(super) fn lost(path: &Path) -> Error {
    Error::failed(path.display(), "has been removed, moved or replaced since it was opened")
}

fn too_short(path: &Path, found: u64, wanted: u64) -> Error {
    Error::input(path.display(), format!("{found} bytes, the journal counts {wanted}"))
        .remedy(RESTORE_OR_MEND)
}
