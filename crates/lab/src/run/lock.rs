//! Locks of a run directory: one process at a time writes to it.
//!
//! The lock is a file of its own. People remove such files, since other programs leave theirs
//! behind, and a second process would then lock a new one. So the writer locks the journal too.

use super::files::{JOURNAL, LOCK};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// How often to ask again for a lock that only readers hold, and the pause between two attempts.
const LOCK_TRIES: u32 = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(5);
/// How often to ask again for a lock that a writer holds: a child that a killed or closed writer
/// was just starting keeps its files open until the child's program begins.
const WRITER_TRIES: u32 = 20;

/// Takes the lock of the run in a directory for as long as the file is open. The system releases it
/// when the process ends, even by a kill.
///
/// # Errors
/// When another process works on the run, or the lock cannot be opened.
pub fn lock(run: &Path) -> Result<File> {
    lock_after(run, &mut pause)
}

/// As [`lock`], with this pause between two attempts.
fn lock_after(run: &Path, pause: &mut dyn FnMut()) -> Result<File> {
    let path = run.join(LOCK);
    let file = files::open_to_change(&path, Links::Refused)?;
    take(run, &path, &file, pause)?;
    let mut tries = 0;
    while is_shut(&run.join(JOURNAL)) {
        if tries == WRITER_TRIES {
            return Err(taken(run));
        }
        tries += 1;
        pause();
    }
    // Whoever wants to stop the run finds its process by this number. Nothing else depends on it.
    let _ = file.set_len(0).and_then(|()| write!(&file, "{}", std::process::id()));
    Ok(file)
}

/// Locks the journal of a run for as long as the file is open. Windows would keep readers out, too.
///
/// # Errors
/// When another process writes to it.
pub(super) fn lock_journal(path: &Path, journal: &File) -> Result<()> {
    match cfg!(unix) {
        true => take(path.parent().unwrap_or(path), path, journal, &mut pause),
        false => Ok(()),
    }
}

/// Whether a process works on the run in a directory. The process keeps its lock: readers share a
/// lock for a moment, and writers wait for that.
pub fn is_locked(directory: &Path) -> bool {
    [LOCK, JOURNAL].iter().any(|name| is_shut(&directory.join(name)))
}

/// Whether a writer has locked a file.
fn is_shut(path: &Path) -> bool {
    files::open(path, Links::Refused)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Locks the file of a run.
fn take(run: &Path, path: &Path, file: &File, pause: &mut dyn FnMut()) -> Result<()> {
    // Readers that ask whether a process works on the run share the lock for a moment.
    let mut tries = 0;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock)
                if tries < WRITER_TRIES || tries < LOCK_TRIES && file.try_lock_shared().is_ok() =>
            {
                tries += 1;
                pause();
            }
            Err(TryLockError::WouldBlock) => return Err(taken(run)),
            Err(TryLockError::Error(e)) => return Err(Error::io(path, "lock the run", e)),
        }
    }
}

fn pause() {
    std::thread::sleep(LOCK_PAUSE);
}

fn taken(run: &Path) -> Error {
    Error::input(run.display(), "another process is working on this run")
        .remedy("wait for it, or stop it first")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_let_go_in_a_moment_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        for name in [JOURNAL, LOCK] {
            let held = File::create(folder.path().join(name)).unwrap();
            held.lock().unwrap();
            let mut held = Some(held);
            assert!(lock_after(folder.path(), &mut || drop(held.take())).is_ok(), "{name}");
            assert!(held.is_none(), "{name}");
        }
        let held = lock(folder.path()).unwrap();
        let error = lock(folder.path()).unwrap_err().to_string();
        assert!(error.contains("another process is working on this run"), "{error}");
        drop(held);
        assert!(lock(folder.path()).is_ok());
    }
}
