//! Mends a copy of a run that was made while the run was under way: its journal may count games and
//! positions that its other files, copied earlier, do not have, and may lack games that they,
//! copied later, have.

use super::append::AppendFile;
use super::files::{CANDIDATE, GAMES, JOURNAL, MANIFEST, positions_path};
use super::journal::{Event, JournalLine, read_lines};
use super::lock::lock;
use super::manifest::Manifest;
use super::reach::without_journal;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What a copy of a run lost when it was mended. The run plays it again when it is resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MendedCopy {
    /// The last lines of the journal, from the first one on whose games or positions are missing.
    pub lines: usize,
    /// The bytes of games that no line of the journal counts.
    pub games: u64,
    /// Whether a candidate was there without the line of the result.
    pub candidate: bool,
}

/// Makes the journal and the games of the run in a directory end together, where the first of them
/// ends.
///
/// # Errors
/// When the directory is not a run's, another process works on it, or its journal is missing,
/// damaged or cannot be written.
pub fn mend_copy(run: &Path) -> Result<MendedCopy> {
    let manifest = Manifest::load(&run.join(MANIFEST))?;
    let _lock = lock(run)?;
    let path = run.join(JOURNAL);
    if !files::exists(&path, Links::Refused)? {
        return Err(without_journal(&path));
    }
    let (lines, _) = read_lines(files::open(&path, Links::Refused)?, &path, &manifest.run)?;
    let is_fitted = |round| {
        lines.iter().any(|line| matches!(&line.event, Event::Fit(fit) if fit.round == round))
    };
    let kept = lines.iter().take_while(|line| is_covered(run, line, is_fitted)).count();
    if kept < lines.len() {
        let length = length_of(&path, kept).map_err(|e| Error::io(&path, "read the journal", e))?;
        AppendFile::open(&path, Links::Refused)?.cut(length)?;
    }
    let candidate = drop_candidate(run, &lines[..kept])?;
    let games = drop_uncounted(run, &lines[..kept])?;
    Ok(MendedCopy { lines: lines.len() - kept, games, candidate })
}

/// Removes a candidate whose result is not among the lines, and returns whether there was one.
fn drop_candidate(run: &Path, lines: &[JournalLine]) -> Result<bool> {
    let candidate = run.join(CANDIDATE);
    let has_result = lines.iter().any(|line| matches!(line.event, Event::Result(_)));
    if has_result || !files::exists(&candidate, Links::Refused)? {
        return Ok(false);
    }
    std::fs::remove_file(&candidate).map_err(|e| Error::io(&candidate, "remove", e))?;
    Ok(true)
}

/// Drops the last games, which no line of the journal counts, and returns their bytes.
fn drop_uncounted(run: &Path, lines: &[JournalLine]) -> Result<u64> {
    let (games, counted) = (run.join(GAMES), lines.last().map_or(0, |line| line.games_bytes));
    let found = Links::Refused.metadata(&games).map_or(0, |found| found.len());
    if found <= counted {
        return Ok(0);
    }
    AppendFile::open(&games, Links::Refused)?.cut(counted)?;
    Ok(found - counted)
}

/// Whether the files of a run have everything that a line counts. Positions of a fitted round may
/// be missing altogether.
fn is_covered(run: &Path, line: &JournalLine, is_fitted: impl Fn(u64) -> bool) -> bool {
    let length = |path: &Path| Links::Refused.metadata(path).ok().map(|found| found.len());
    let has_positions = match &line.event {
        Event::Positions(record) => match length(&positions_path(run, record.round)) {
            Some(length) => length >= record.bytes,
            None => is_fitted(record.round),
        },
        _ => true,
    };
    has_positions && length(&run.join(GAMES)).unwrap_or(0) >= line.games_bytes
}

/// The length of the first lines of a file, in bytes.
fn length_of(path: &Path, lines: usize) -> std::io::Result<u64> {
    let mut file = BufReader::new(File::open(path)?);
    let mut length = 0;
    for _ in 0..lines {
        length += file.skip_until(b'\n')? as u64;
    }
    Ok(length)
}
