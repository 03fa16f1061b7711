//! `--force`: whether a file that is there may be overwritten.

use crate::error::{Error, Result};
use crate::files::{self, Links, NewFile};
use std::path::{Path, PathBuf};

/// Checks that a file can be written to a path, and that nothing is there unless `force` is given.
/// So a path that cannot be written is refused before the work, not after it.
///
/// # Errors
/// When it may not, as [`exists_already`], or cannot be written.
pub fn check_free(path: &Path, force: bool) -> Result<()> {
    if files::exists(path, Links::Followed)? && !force {
        return Err(exists_already(path));
    }
    NewFile::create(path, Links::Followed).map(drop)
}

/// As [`check_free`] and [`check_not_read`] together.
///
/// # Errors
/// As these.
pub fn check_output(output: &Path, force: bool, inputs: &[PathBuf]) -> Result<()> {
    check_not_read(output, inputs)?;
    check_free(output, force)
}

/// Checks that a file to write is none of those that the command reads.
///
/// # Errors
/// When it is one of them.
pub fn check_not_read(output: &Path, inputs: &[PathBuf]) -> Result<()> {
    let real = |path: &Path| path.canonicalize().ok();
    let place = real(output);
    if place.is_some() && inputs.iter().any(|input| real(input) == place) {
        return Err(Error::input(output.display(), "the file is one of those to read")
            .remedy("name another file with -o"));
    }
    Ok(())
}

/// The error for a file that is there and may not be overwritten.
pub fn exists_already(path: &Path) -> Error {
    Error::input(path.display(), "the file exists already")
        .remedy("name another one, or give --force to overwrite it")
}
