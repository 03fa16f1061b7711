//! `--force`: whether a file that is there may be overwritten.

use crate::error::{Error, Result};
use crate::files::{self, Links, NewFile};
use std::path::{Path, PathBuf};

/// Checks that a file can be written to a path, and that nothing is there unless `force` is given.
/// So a path that cannot be written is refused before the work, not after it.
///
/// # Errors
/// When the file exists and `force` is not given, or the path cannot be written.
pub fn check_free(path: &Path, force: bool) -> Result<()> {
    if files::exists(path, Links::Followed)? && !force {
        return Err(exists_already(path));
    }
    NewFile::create(path, Links::Followed).map(drop)
}

/// Checks the output with [`check_free`] and [`check_not_read`].
///
/// # Errors
/// When either check fails.
pub fn check_output(output: &Path, force: bool, inputs: &[PathBuf]) -> Result<()> {
    check_not_read(output, inputs)?;
    check_free(output, force)
}

/// Checks that the file to write is not one of the files that the command reads.
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

/// The error for an existing file that may not be overwritten.
pub fn exists_already(path: &Path) -> Error {
    Error::input(path.display(), "the file exists already")
        .remedy("name another one, or give --force to overwrite it")
}
