//! `--force`: whether a file that is there may be overwritten.

use crate::error::{Error, Result};
use crate::files::{self, Links, NewFile};
use crate::run::{RunFile, is_run};
use crate::weights::WeightSet;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Checks that a file can be written to a path, and that nothing is there unless `force` is given.
/// So a path that cannot be written is refused before the work, not after it.
///
/// # Errors
/// When the file exists and `force` is not given, or the path cannot be written.
pub fn check_free(path: &Path, force: bool) -> Result<()> {
    check_name(path)?;
    if files::exists(path, Links::Followed)? && !force {
        return Err(exists_already(path));
    }
    NewFile::create(path, Links::Followed).map(drop)
}

/// Writes a weight set, as [`write_free`].
///
/// # Errors
/// As there, and when the set could not be read back.
pub fn write_set(path: &Path, set: &WeightSet, force: bool) -> Result<()> {
    write_free(path, set.text_of_file(path)?.as_bytes(), force)
}

/// Writes the result of a command to a path that [`check_free`] found free before the work.
///
/// # Errors
/// When a file has appeared there since then and `force` is not given, or it cannot be written.
pub fn write_free(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    files::sweep_beside(path);
    let mut file = NewFile::create(path, Links::Followed)?;
    file.write_all(bytes).map_err(|error| Error::io(path, "write", error))?;
    finish_free(file, path, force)
}

/// Gives a written file its name, as [`write_free`].
///
/// # Errors
/// As there.
pub fn finish_free(file: NewFile, path: &Path, force: bool) -> Result<()> {
    file.finish(force).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists_already(path),
        _ => Error::io(path, "write", error),
    })
}

/// Checks that the file to write is not called `-`, which other programs take for stdout.
///
/// # Errors
/// When it is.
pub fn check_not_stdout(path: &Path) -> Result<()> {
    if path != Path::new("-") {
        return Ok(());
    }
    Err(Error::input("-", "the result is written to a file, not to stdout")
        .remedy("name a file; `./-` is one of this name"))
}

/// Checks that the file to write is none of the files that a run writes itself, and not `-`.
///
/// # Errors
/// When it is one of them, whether it exists or not.
pub fn check_name(path: &Path) -> Result<()> {
    check_not_stdout(path)?;
    let name = path.file_name().and_then(OsStr::to_str).and_then(RunFile::of_name);
    if name.is_none() || !is_run(files::folder_of(path)) {
        return Ok(());
    }
    Err(Error::input(path.display(), "the run in this directory has a file of this name")
        .remedy("name another file"))
}

/// Checks that several files can be written, before any of them is.
///
/// # Errors
/// When two are the same file, or one of them exists and `force` is not given, belongs to a run, or
/// cannot be written.
pub fn check_all_free(paths: &[&Path], force: bool) -> Result<()> {
    for (place, path) in paths.iter().enumerate() {
        if paths[..place].iter().any(|other| is_same_file(other, path)) {
            return Err(Error::input(path.display(), "two options name this file")
                .remedy("name another file for one of them"));
        }
        // What exists may be a pipe, beside which no file can be made.
        match files::exists(path, Links::Followed)? && force {
            true => check_name(path)?,
            false => check_free(path, force)?,
        }
    }
    Ok(())
}

/// Whether two paths name one file or folder, which need not exist.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| {
        let folder = files::folder_of(path).canonicalize().ok();
        path.canonicalize().ok().or_else(|| Some(folder?.join(path.file_name()?)))
    };
    one == other || (real(one).is_some() && real(one) == real(other))
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
    if output.exists() && inputs.iter().any(|input| is_same_file(input, output)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_appears_during_the_work_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fitted.json");
        check_free(&path, false).unwrap();
        std::fs::write(&path, "precious").unwrap();
        let error = write_free(&path, b"new", false).unwrap_err().to_string();
        assert!(error.contains("exists already"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"precious");
        write_free(&path, b"new", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
