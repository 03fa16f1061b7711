//! Files of positions that do not end with a checksum: unfinished ones, and the files of runs.

use super::append::check_segments;
use super::position_progress::WriteProgress;
use super::record::{Record, is_run, read};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// Checks such files: a run's against its journal, others against the progress beside them. Returns
/// the length of the proven part of each, in bytes.
///
/// # Errors
/// When one has been damaged or cut, or a journal or progress cannot be read.
pub(super) fn check_unsealed(paths: &[PathBuf]) -> Result<Vec<u64>> {
    let mut lengths = Vec::new();
    let mut records: BTreeMap<PathBuf, Record> = BTreeMap::new();
    for path in paths {
        let path = real(path)?;
        let folder = files::folder_of(&path);
        lengths.push(match round_of(&path).filter(|_| is_run(folder)) {
            None => check_unfinished(&path)?,
            Some(round) => {
                let record = match records.entry(folder.into()) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(read(folder)?.1),
                };
                check_of_run(&path, record, round)?
            }
        });
    }
    Ok(lengths)
}

/// The file that a path leads to.
fn real(path: &Path) -> Result<PathBuf> {
    match path.is_symlink() {
        true => path.canonicalize().map_err(|e| Error::io(path, "find", e)),
        false => Ok(path.into()),
    }
}

/// The round whose positions a file of a run has, by its name.
fn round_of(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix("positions-")?.strip_suffix(".pos")?.parse().ok()
}

fn check_of_run(path: &Path, record: &Record, round: u64) -> Result<u64> {
    let segments = record.position_segments(round);
    check_segments(path, &segments)?;
    // The run may be adding more at this moment, which is not on record yet.
    Ok(segments.last().map_or(0, |last| last.end))
}

fn check_unfinished(path: &Path) -> Result<u64> {
    let Some(progress) = WriteProgress::load(path)? else {
        return Err(cut_file(path));
    };
    progress.check(path, &mut files::open(path, Links::Followed)?)?;
    Ok(progress.bytes)
}

/// The error for a file that should end with a checksum, and does not.
pub(super) fn cut_file(path: &Path) -> Error {
    Error::input(path.display(), "does not end with a checksum: it was cut, or damaged at its end")
        .remedy("make it again with `spar generate`; name a run's own file, or the run, in place of a copy")
}
