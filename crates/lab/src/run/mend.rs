//! Mends a copy of a run that was made while the run was under way: its journal may count games and
//! positions that its other files, copied earlier, do not have.

use super::append::AppendFile;
use super::files::{GAMES, JOURNAL, MANIFEST, positions_path};
use super::journal::{Event, JournalLine, read_lines};
use super::lock::lock;
use super::manifest::Manifest;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Drops the last lines of the journal of the run in a directory, from the first one on whose games
/// or positions are missing, and returns their number. The run plays them again when it is resumed.
///
/// # Errors
/// When the directory is not a run's, another process works on it, or its journal is damaged or
/// cannot be written.
pub fn drop_uncovered(run: &Path) -> Result<usize> {
    let manifest = Manifest::load(&run.join(MANIFEST))?;
    let _lock = lock(run)?;
    let path = run.join(JOURNAL);
    let (lines, _) = read_lines(files::open(&path, Links::Refused)?, &path, &manifest.run)?;
    let is_fitted = |round| {
        lines.iter().any(|line| matches!(&line.event, Event::Fit(fit) if fit.round == round))
    };
    let kept = lines.iter().take_while(|line| is_covered(run, line, is_fitted)).count();
    if kept < lines.len() {
        let length = length_of(&path, kept).map_err(|e| Error::io(&path, "read the journal", e))?;
        AppendFile::open(&path, Links::Refused)?.cut(length)?;
    }
    Ok(lines.len() - kept)
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
