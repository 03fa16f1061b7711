//! Reads little of a run's files, without a lock: for lists of many runs, and to follow one that
//! continues.

use super::files::{JOURNAL, LOCK};
use super::journal::{Event, JournalLine, JournalPortion, parse};
use super::lock::is_locked;
use super::reach::{RunReach, without_journal};
use super::record::Record;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The bytes of a journal's end that are read first. They are doubled until they suffice.
const FIRST_READ: u64 = 32 << 10;
/// The lines of a journal that are held at once.
const PORTION: usize = 1 << 10;

/// Reads a journal portion by portion, and continues where it stopped.
#[derive(Debug)]
pub struct JournalTail {
    path: PathBuf,
    run: String,
    /// The end of the lines that were read, in bytes from the journal's beginning.
    end: u64,
    /// The number of these lines.
    lines: usize,
    reach: RunReach,
}

impl JournalTail {
    /// The journal of the run with this id in a directory, of which nothing is read yet.
    pub fn new(directory: &Path, run: &str) -> Self {
        let reach = RunReach::of(directory);
        Self { path: directory.join(JOURNAL), run: run.into(), end: 0, lines: 0, reach }
    }

    /// The next lines, a portion of them; none at the end. A last line that is not whole is left for a
    /// later call.
    ///
    /// # Errors
    /// When the journal is missing or shorter than it was, cannot be read, or is damaged.
    pub fn read_on(&mut self) -> Result<Vec<JournalLine>> {
        let Some(mut file) = open(&self.path)? else {
            // A run has its journal before its manifest.
            return Err(match self.end {
                0 => without_journal(&self.path),
                _ => self.gone(),
            });
        };
        let failed = |e| Error::io(&self.path, "read the journal", e);
        let length = file.metadata().map_err(failed)?.len();
        if length < self.end {
            return Err(self.gone());
        }
        if length == self.end {
            return Ok(Vec::new());
        }
        file.seek(SeekFrom::Start(self.end)).map_err(failed)?;
        let Self { path, run, lines: before, .. } = self;
        let portion = JournalPortion { path, run, before: *before, most: PORTION };
        let (lines, read) = portion.read(file.take(length - self.end))?;
        self.end += read;
        self.lines += lines.len();
        Ok(lines)
    }

    /// Checks that the journal, of which this is the record, has lost none of its last lines since
    /// the run wrote them.
    ///
    /// # Errors
    /// When the run's files hold more than a crash leaves without a line.
    pub fn check_reach(&self, record: &Record) -> Result<()> {
        self.reach.check(record.games_bytes(), record.result().is_some())
    }

    /// The end of the lines that were read, in bytes.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    fn gone(&self) -> Error {
        Error::input(self.path.display(), "removed, or replaced, while it was read")
            .remedy("name the run once more")
    }

    /// The last lines of the journal of the run with this id in a directory: as many as are
    /// `enough`, or all.
    ///
    /// # Errors
    /// When the journal is missing, cannot be read, or has lost lines, or these lines are damaged.
    pub fn last_lines(
        directory: &Path,
        run: &str,
        enough: impl Fn(&[JournalLine]) -> bool,
    ) -> Result<Vec<JournalLine>> {
        let (path, reach) = (directory.join(JOURNAL), RunReach::of(directory));
        let mut file = open(&path)?.ok_or_else(|| without_journal(&path))?;
        let failed = |e| Error::io(&path, "read the journal", e);
        let length = file.metadata().map_err(failed)?.len();
        let mut wanted = FIRST_READ;
        loop {
            let begin = length.saturating_sub(wanted);
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(begin)).map_err(failed)?;
            (&mut file).take(length - begin).read_to_end(&mut bytes).map_err(failed)?;
            // The first line is not whole, unless it is the journal's.
            let cut = match begin {
                0 => 0,
                _ => bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| at + 1),
            };
            let (lines, _) = parse(&bytes[cut..], &path, run)?;
            if begin == 0 || enough(&lines) {
                let counted = match lines.last() {
                    Some(last) => Some((last.games_bytes, matches!(last.event, Event::Result(_)))),
                    None => (begin == 0).then_some((0, false)),
                };
                counted.map_or(Ok(()), |(games, has_result)| reach.check(games, has_result))?;
                return Ok(lines);
            }
            wanted *= 2;
        }
    }
}

/// An open journal; `None` when there is none.
fn open(path: &Path) -> Result<Option<File>> {
    match files::exists(path, Links::Refused)? {
        true => files::open(path, Links::Refused).map(Some),
        false => Ok(None),
    }
}

/// The number of the process that works on the run in a directory; `None` when none does.
pub fn worker(directory: &Path) -> Option<u32> {
    /// More digits than any number of a process has.
    const DIGITS: u64 = 16;
    let mut text = String::new();
    let lock = files::open(&directory.join(LOCK), Links::Refused).ok()?;
    is_locked(directory).then_some(())?;
    lock.take(DIGITS).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Whether a process of this number holds the lock of the run in a directory: the number in `lock`
/// may be of a process on another machine or in a container, or somebody may have written it there.
/// Only Linux can tell.
#[cfg(target_os = "linux")]
pub fn holds_lock(directory: &Path, process: u32) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |found: std::fs::Metadata| (found.dev(), found.ino());
    let Ok(lock) = directory.join(LOCK).symlink_metadata().map(id) else { return false };
    let process = PathBuf::from(format!("/proc/{process}"));
    let mut open = process.join("fd").read_dir().into_iter().flatten().flatten();
    open.any(|file| {
        let is_lock = file.path().metadata().is_ok_and(|found| id(found) == lock);
        let facts = || std::fs::read_to_string(process.join("fdinfo").join(file.file_name()));
        let is_held = |line: &str| line.starts_with("lock:") && line.contains(" WRITE ");
        is_lock && facts().is_ok_and(|facts| facts.lines().any(is_held))
    })
}

#[cfg(not(target_os = "linux"))]
pub fn holds_lock(_: &Path, _: u32) -> bool {
    true
}

/// The bytes of all files in a run directory, without following links.
pub fn size(directory: &Path) -> u64 {
    let files = directory.read_dir().into_iter().flatten().flatten();
    let length = |entry: std::fs::DirEntry| entry.metadata().map_or(0, |found| found.len());
    files.map(length).sum()
}
