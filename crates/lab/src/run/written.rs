//! Checks that files of weights are as a run wrote them, without reading all of its record.

use super::checksum::checksum_of_next;
use super::files::{CANDIDATE, SEARCH, WEIGHTS};
use super::manifest::ManifestHead;
use super::record::is_run;
use super::tail::JournalTail;
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::path::Path;

/// Checks that a file of weights or constants is as the run in a directory wrote it. A file that is
/// not on record is not checked. Reads the manifest, and the journal's end as far back as the
/// checksum.
///
/// # Errors
/// When the file, or what is read of the run, has been damaged or edited.
pub fn check_written(directory: &Path, name: &str) -> Result<()> {
    if !name.ends_with(".json") {
        return Ok(());
    }
    check_known(directory, name, known_checksums(directory, name)?)
}

/// As [`check_written`], for a file of weights or constants anywhere: it is not checked outside of
/// run directories, nor if the run's record cannot be read.
///
/// # Errors
/// When a run wrote the file, and it has been damaged or edited since.
pub fn check_path(file: &Path) -> Result<()> {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return Ok(()) };
    let directory = files::folder_of(file);
    if !name.ends_with(".json") || !is_run(directory) {
        return Ok(());
    }
    known_checksums(directory, name).map_or(Ok(()), |known| check_known(directory, name, known))
}

/// Whether a resume of the run in a directory writes a set of this name if its file is missing.
pub fn is_written_again(directory: &Path, name: &str) -> bool {
    let is_of_result = [WEIGHTS, SEARCH, CANDIDATE].contains(&name);
    is_of_result && known_checksums(directory, name).is_ok_and(|known| !known.is_empty())
}

/// The checksums that a run wrote a file with, from the manifest and the journal's end.
fn known_checksums(directory: &Path, name: &str) -> Result<Vec<String>> {
    let manifest = ManifestHead::of(directory)?;
    let written_first = manifest.files.get(name);
    let lines = JournalTail::last_lines(directory, &manifest.run, |lines| {
        // A file of the manifest is written again only with the result, the last line.
        written_first.is_some() && !lines.is_empty()
            || lines.iter().any(|line| line.files.contains_key(name))
    })?;
    let again = lines.iter().filter_map(|line| line.files.get(name));
    Ok(written_first.into_iter().chain(again).cloned().collect())
}

/// Checks that a file has one of these checksums; without any it is not checked.
fn check_known(directory: &Path, name: &str, mut known: Vec<String>) -> Result<()> {
    while !known.is_empty() {
        let sums: Vec<&str> = known.iter().map(String::as_str).collect();
        let Err(error) = check_file(&directory.join(name), &sums) else { break };
        // The run may have written the file since.
        let before = std::mem::replace(&mut known, known_checksums(directory, name)?);
        if known == before {
            return Err(error);
        }
    }
    Ok(())
}

/// Checks that a file, if it is there, has one of these checksums.
pub(super) fn check_file(path: &Path, checksums: &[&str]) -> Result<()> {
    if !files::exists(path, Links::Refused)? {
        return Ok(());
    }
    let mut file = files::open(path, Links::Refused)?;
    let found = checksum_of_next(&mut file, u64::MAX).map_err(|e| Error::io(path, "read", e))?;
    match checksums.contains(&found.as_str()) {
        true => Ok(()),
        false => Err(Error::input(
            path.display(),
            "has been edited or damaged since the run wrote it",
        )
        .remedy(
            "move it elsewhere if you want to keep it, then resume: the run writes its own copy again",
        )),
    }
}
