//! `--force`: whether a file that is there may be overwritten.

use crate::error::{Error, Result};
use std::path::Path;

/// Checks that a file may be written to a path: nothing is there, or `force` is given.
///
/// # Errors
/// When it may not, as [`exists_already`].
pub fn check_free(path: &Path, force: bool) -> Result<()> {
    if path.exists() && !force { Err(exists_already(path)) } else { Ok(()) }
}

/// The error for a file that is there and may not be overwritten.
pub fn exists_already(path: &Path) -> Error {
    Error::input(path.display(), "the file exists already")
        .remedy("name another one, or give --force to overwrite it")
}
