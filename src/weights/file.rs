//! Weight sets in files. A file is replaced as a whole or not at all.

use super::{MAX_FILE, WeightSet};
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// How the names of temporary files begin and end.
#[cfg(not(target_arch = "wasm32"))]
const TEMPORARY: (&str, &str) = (".sparring-", ".tmp");

impl WeightSet {
    /// Reads a weight file.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`WeightSet::from_json`].
    pub fn load(path: &Path) -> Result<Self> {
        let bytes = read_limited(path).map_err(|error| Error::io(path, "read", error))?;
        Self::from_bytes(&bytes, &path.display().to_string())
    }

    /// Writes a weight file atomically: whatever happens, the file holds the old set or the new
    /// one.
    ///
    /// # Errors
    /// When the file cannot be written, or the set is one that could not be read back, for example
    /// with a weight that is out of range. The old file then stays as it was.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn save(&self, path: &Path) -> Result<()> {
        let text = self.to_json();
        let place = path.display().to_string();
        if let Err(error) = Self::from_json(&text, "the new text") {
            return Err(Error::failed(
                place,
                format!("not written, as nothing could read it: {error}"),
            ));
        }
        write_atomically(path, text.as_bytes())
    }
}

/// Reads a file, but stops after one byte more than [`MAX_FILE`].
fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Replaces a file as a whole: a temporary file beside it is written and synced, then renamed over
/// it, and the folder synced. The old file's permissions are kept, and a symbolic link stays one.
///
/// # Errors
/// When that fails, which leaves the old file as it was, or when the path is not that of a file.
#[cfg(not(target_arch = "wasm32"))]
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    // A device such as /dev/null must not be replaced by a file.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(Error::input(path.display(), "not a file").remedy("name a file to write to"));
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    replace(&target, bytes).map_err(|error| Error::io(path, "write", error))
}

#[cfg(not(target_arch = "wasm32"))]
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::io::Write;
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
    let mut file = builder.tempfile_in(folder)?;
    if let Ok(old) = path.metadata() {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_name(path)
}

/// Whether a file of this name was left behind by a write that was cut short, as by a kill.
#[cfg(not(target_arch = "wasm32"))]
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

/// Removes the temporary files of writes that were cut short, as by a kill, from a folder in which
/// no other process writes now.
#[cfg(not(target_arch = "wasm32"))]
pub fn sweep(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_temporary) {
            // One that stays does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes the name of a new or renamed file or folder last: syncs the folder that it is in. Only
/// Unix can open a folder for that.
///
/// # Errors
/// When the folder cannot be opened or synced.
#[cfg(not(target_arch = "wasm32"))]
pub fn sync_name(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::weights::{Weight, find};
    use std::fs;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        entries.map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn a_saved_set_is_loaded_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let mut set = find("atachiants", "breakthrough").unwrap();
        set.save(&path).unwrap();
        set.set_one("piece", 5).unwrap();
        set.save(&path).unwrap();
        assert_eq!(WeightSet::load(&path).unwrap(), set);
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_refused_save_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let mut set = find("atachiants", "breakthrough").unwrap();
        set.save(&path).unwrap();
        let old = fs::read(&path).unwrap();
        set.weights.insert("piece", Weight::One(i32::MAX));
        let error = set.save(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failed);
        assert!(
            error.to_string().contains("key `weights.piece`: 2147483647 is out of range"),
            "{error}"
        );
        assert_eq!(
            (fs::read(&path).unwrap(), names(folder.path())),
            (old, vec!["a.json".to_owned()])
        );
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let set = find("atachiants", "breakthrough").unwrap();
        for path in [folder.path().join("no/such/a.json"), folder.path().to_owned()] {
            let place = path.display().to_string();
            for error in [set.save(&path).unwrap_err(), WeightSet::load(&path).unwrap_err()] {
                assert!(error.to_string().starts_with(&place), "{error}");
                assert_eq!(error.exit_code(), 2);
            }
        }
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    #[cfg(unix)]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.json"), folder.path().join("link.json"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    #[cfg(unix)]
    fn a_device_is_not_replaced() {
        let error = write_atomically(Path::new("/dev/null"), b"new").unwrap_err();
        assert_eq!(error.to_string(), "/dev/null: not a file; name a file to write to");
    }
}
