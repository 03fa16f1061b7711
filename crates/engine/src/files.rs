//! Careful reading and replacing of files: regular files only, reads with a size limit, and writes
//! that succeed as a whole or change nothing.
//!
//! Reading a pipe would block for ever, opening a device may have any effect, and a symbolic link
//! may lead to somebody else's file. A path that the user names may be a link. A run directory may
//! come from anybody, so nothing in it is read, written or replaced through a link.

use crate::error::{Error, Result};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The treatment of symbolic links at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Links are followed: the user has named the path.
    Followed,
    /// A link is an error, as everywhere in a run directory.
    Refused,
}

impl Links {
    /// The kind of file at a path.
    ///
    /// # Errors
    /// When nothing is there, or its metadata cannot be read.
    pub fn metadata(self, path: &Path) -> io::Result<Metadata> {
        match self {
            Self::Followed => path.metadata(),
            Self::Refused => path.symlink_metadata(),
        }
    }
}

/// The character with which some Windows programs begin text files.
pub const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text without a leading byte order mark.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// The folder that a path lies in, `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Whether a regular file exists at a path.
///
/// # Errors
/// When something other than a file is there, or the path cannot be examined.
pub fn exists(path: &Path, links: Links) -> Result<bool> {
    match links.metadata(path) {
        Ok(found) => check_is_file(path, &found).map(|()| true),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(Error::io(path, "read", e)),
    }
}

fn check_is_file(path: &Path, found: &Metadata) -> Result<()> {
    let reason = match found.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a directory, not a file",
        kind if kind.is_symlink() => "a symbolic link, which a run directory may not have",
        _ => "a pipe or a device, not a file",
    };
    Err(Error::input(path.display(), reason).remedy("name a file, or put one in its place"))
}

/// Opens a file with these options. The result is a regular file even if something else takes its
/// place meanwhile.
///
/// # Errors
/// When the system refuses, or something other than a file is there.
fn open_with(options: &mut OpenOptions, path: &Path, links: Links) -> Result<File> {
    let failed = |e| Error::io(path, "open", e);
    exists(path, links)?;
    #[cfg(all(unix, feature = "save"))]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Opening a pipe must not wait for its other end.
        let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        flags.set(OFlags::NOFOLLOW, links == Links::Refused);
        options.custom_flags(flags.bits() as i32);
    }
    let file = options.open(path).map_err(failed)?;
    check_is_file(path, &file.metadata().map_err(failed)?).map(|()| file)
}

/// Opens a file for reading and changing in place; creates it if it is missing. In a run directory
/// it must not have a second name: a hard link may be somebody else's file.
///
/// # Errors
/// As for [`open`], and when a file in a run directory has a second name.
#[cfg(feature = "save")]
pub fn open_to_change(path: &Path, links: Links) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = open_with(&mut options, path, links)?;
    #[cfg(unix)]
    if links == Links::Refused {
        use std::os::unix::fs::MetadataExt;
        let found = file.metadata().map_err(|e| Error::io(path, "open", e))?;
        if found.nlink() > 1 {
            let reason = "a hard link, so that another file would change with it";
            return Err(Error::input(path.display(), reason).remedy("put a copy in its place"));
        }
    }
    Ok(file)
}

/// Opens a file for reading only.
///
/// # Errors
/// When the system refuses, or something other than a file is there.
pub fn open(path: &Path, links: Links) -> Result<File> {
    open_with(OpenOptions::new().read(true), path, links)
}

/// Reads a file of at most `most` bytes.
///
/// # Errors
/// As for [`open`], and when the file is larger or cannot be read.
pub fn read(path: &Path, links: Links, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut start = open(path, links)?.take(most.saturating_add(1));
    start.read_to_end(&mut bytes).map_err(|e| Error::io(path, "read", e))?;
    match bytes.len() as u64 > most {
        true => Err(Error::input(path.display(), format!("larger than {most} bytes, the limit"))),
        false => Ok(bytes),
    }
}

#[cfg(feature = "save")]
pub use writing::{NewFile, is_temporary, sweep, sweep_beside, sync_name, write_atomically};

#[cfg(feature = "save")]
mod writing {
    use super::{Links, exists, folder_of, open};
    use crate::error::{Error, Result};
    use std::ffi::OsStr;
    use std::fs::{DirEntry, File};
    use std::io::{self, Write};
    use std::path::{Path, PathBuf};
    use std::time::Duration;
    use tempfile::NamedTempFile;

    /// The prefix and suffix of the names of temporary files.
    const TEMPORARY: (&str, &str) = (".sparring-", ".tmp");
    /// The longest time that an empty temporary file may wait for its first byte.
    const BEGINNING: Duration = Duration::from_secs(60);

    /// Replaces a file as a whole: writes and syncs a temporary file beside it, renames it over the
    /// old file, and syncs the folder. The old file's permissions are kept, and so is a followed
    /// symbolic link.
    ///
    /// # Errors
    /// When a step fails, which leaves the old file unchanged, or when the path holds something
    /// other than a file.
    pub fn write_atomically(path: &Path, bytes: &[u8], links: Links) -> Result<()> {
        let mut file = NewFile::create(path, links)?;
        let written = file.write_all(bytes).and_then(|()| file.finish(true));
        written.map_err(|error| Error::io(path, "write", error))
    }

    /// A file that is written in parts and gets its name once it is complete, as with
    /// [`write_atomically`]. Dropping it unfinished removes it.
    #[derive(Debug)]
    pub struct NewFile {
        file: NamedTempFile,
        path: PathBuf,
    }

    impl NewFile {
        /// Begins a file, which may replace an old one of the same name.
        ///
        /// # Errors
        /// When it cannot be created, or the path holds something other than a file.
        pub fn create(path: &Path, links: Links) -> Result<Self> {
            // A device such as /dev/null must not be replaced by a file.
            exists(path, links)?;
            let target = match links {
                Links::Followed => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
                Links::Refused => path.to_owned(),
            };
            Self::beside(target).map_err(|error| Error::io(path, "write", error))
        }

        fn beside(path: PathBuf) -> io::Result<Self> {
            let file = temporary(&path)?;
            // The lock is held until the file has its name, so a file whose lock is free was
            // abandoned. Some file systems have no locks.
            let _ = file.as_file().try_lock();
            if let Ok(old) = path.symlink_metadata() {
                file.as_file().set_permissions(old.permissions())?;
            }
            Ok(Self { file, path })
        }

        /// Gives the file its final name, replacing an old file if allowed.
        ///
        /// # Errors
        /// When renaming fails, or when an old file exists and may not be replaced.
        pub fn finish(self, may_replace: bool) -> io::Result<()> {
            self.file.as_file().sync_all()?;
            let placed = match may_replace {
                true => self.file.persist(&self.path),
                false => self.file.persist_noclobber(&self.path),
            };
            placed.map_err(|error| error.error)?;
            sync_name(&self.path)
        }
    }

    impl Write for NewFile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.file.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.file.flush()
        }
    }

    fn temporary(path: &Path) -> io::Result<NamedTempFile> {
        let prefix = prefix(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(TEMPORARY.1);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
        builder.tempfile_in(folder_of(path))
    }

    /// The prefix of the names of a file's temporary files: a digest, since its name might be too
    /// long.
    fn prefix(path: &Path) -> String {
        let name = path.file_name().unwrap_or_default();
        format!("{}{:08x}-", TEMPORARY.0, crc32fast::hash(name.as_encoded_bytes()))
    }

    /// Whether a file name belongs to an interrupted write, for instance of a killed process.
    pub fn is_temporary(name: &str) -> bool {
        name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
    }

    /// Removes the temporary files of interrupted writes from a folder. No other process may be
    /// writing in the folder now.
    pub fn sweep(folder: &Path) {
        for entry in temporaries(folder, TEMPORARY.0) {
            // A file that cannot be removed does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }

    /// As [`sweep`], but removes only what interrupted writes of this file left behind, and nothing
    /// that another process is still writing.
    pub fn sweep_beside(path: &Path) {
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        for entry in temporaries(folder_of(&target), &prefix(&target)) {
            if is_abandoned(&entry) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn temporaries(folder: &Path, prefix: &str) -> impl Iterator<Item = DirEntry> {
        let is_temporary = move |name: &OsStr| {
            let name = name.as_encoded_bytes();
            name.starts_with(prefix.as_bytes()) && name.ends_with(TEMPORARY.1.as_bytes())
        };
        let entries = folder.read_dir().into_iter().flatten().flatten();
        entries.filter(move |entry| is_temporary(&entry.file_name()))
    }

    /// Whether no process holds the lock of a temporary file. A file made a moment ago may not be
    /// locked yet.
    fn is_abandoned(entry: &DirEntry) -> bool {
        let Ok(file) = open(&entry.path(), Links::Refused) else { return false };
        let has_begun = file.metadata().is_ok_and(|found| {
            found.len() > 0
                || found.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > BEGINNING))
        });
        has_begun && file.try_lock().is_ok()
    }

    /// Makes the name of a new or renamed file or folder durable by syncing its parent folder. Only
    /// Unix can open a folder for this.
    ///
    /// # Errors
    /// When the folder cannot be opened or synced.
    pub fn sync_name(path: &Path) -> io::Result<()> {
        if cfg!(unix) { File::open(folder_of(path))?.sync_all() } else { Ok(()) }
    }
}

#[cfg(all(test, unix, feature = "save"))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn refused<T: std::fmt::Debug>(result: Result<T>, wanted: &str) {
        let error = result.unwrap_err();
        assert!(error.to_string().contains(wanted) && error.exit_code() == 2, "{error}");
    }

    #[test]
    fn permissions_and_followed_links_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.json"), folder.path().join("link.json"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_atomically(&link, b"new", Links::Followed).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn refused_links_are_neither_followed_nor_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.json"), folder.path().join("link.json"));
        for exists in [false, true] {
            if exists {
                fs::write(&path, "old").unwrap();
            } else {
                symlink(&path, &link).unwrap();
            }
            refused(open_to_change(&link, Links::Refused), "symbolic link");
            refused(write_atomically(&link, b"new", Links::Refused), "symbolic link");
            refused(read(&link, Links::Refused, 9), "symbolic link");
            assert!(link.symlink_metadata().unwrap().is_symlink());
            assert_eq!(path.exists(), exists);
        }
        assert_eq!(read(&link, Links::Followed, 3).unwrap(), b"old");
        refused(read(&link, Links::Followed, 2), "larger than 2 bytes");
    }

    #[test]
    fn pipes_and_devices_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        for path in [pipe.as_path(), Path::new("/dev/null"), Path::new("/dev/zero")] {
            refused(open(path, Links::Followed), "a pipe or a device");
            refused(read(path, Links::Refused, 9), "a pipe or a device");
            refused(write_atomically(path, b"new", Links::Followed), "a pipe or a device");
        }
        refused(open(folder.path(), Links::Followed), "a directory");
    }

    #[test]
    fn only_abandoned_files_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a.pos.part"), folder.path().join("b.pos.part"));
        let leave = |path: &Path| {
            write_atomically(path, b"x", Links::Followed).unwrap();
            let name = path.file_name().unwrap().as_encoded_bytes();
            let name = format!(".sparring-{:08x}-abc.tmp", crc32fast::hash(name));
            fs::write(folder.path().join(&name), "half").unwrap();
            folder.path().join(name)
        };
        let (mine, others) = (leave(&path), leave(&other));
        let held = File::open(&mine).unwrap();
        held.lock().unwrap();
        sweep_beside(&path);
        assert!(mine.exists(), "another process is writing it");
        drop(held);
        sweep_beside(&path);
        assert!(!mine.exists() && others.exists() && path.exists());
        sweep(folder.path());
        assert!(!others.exists());
    }
}
