//! Decides which runs may start the programs that their manifests name: runs that this user began
//! on this machine, and runs that the user has decided to trust.
//!
//! A manifest holds command lines of engines, and whoever wrote it chose them. So the user's state
//! folder, which no run directory can write to, has a file for every manifest with engines that was
//! begun or trusted here, named by the SHA-256 digest of the manifest. Nothing in a run directory
//! can stand for it, and an edited manifest is another one.

use super::manifest::Manifest;
use crate::arena::remote::hex;
use crate::error::{Error, Result};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The user's mark for a manifest: a file of the state folder, which need not be there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustMark(PathBuf);

impl TrustMark {
    /// The mark for a manifest with exactly this content.
    ///
    /// # Errors
    /// When the user has no state folder, or the manifest cannot be written as JSON.
    pub fn of(manifest: &impl Serialize) -> Result<Self> {
        let folder = state_folder(|name| std::env::var_os(name)).ok_or_else(|| {
            Error::failed("trusted runs", "this user has no folder for them")
                .remedy("set XDG_STATE_HOME, or HOME")
        })?;
        Self::in_folder(&folder, manifest)
    }

    fn in_folder(folder: &Path, manifest: &impl Serialize) -> Result<Self> {
        let text = serde_json::to_vec(manifest).map_err(|e| Error::failed("manifest", e))?;
        let digest = hex(&Sha256::digest(text));
        Ok(Self(folder.join("sparring").join("trusted").join(digest)))
    }

    /// Whether the engines of a run may be started without a question: it names none, or the user
    /// began it here or has trusted it before.
    pub fn is_needless(manifest: &Manifest) -> bool {
        manifest.work.engines().is_empty() || Self::of(manifest).is_ok_and(|mark| mark.is_made())
    }

    /// Whether the mark has been made.
    pub fn is_made(&self) -> bool {
        self.0.symlink_metadata().is_ok_and(|found| found.is_file())
    }

    /// Makes the mark. `run` is where the run is, for people who look into the folder.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn make(&self, run: &Path) -> Result<()> {
        if let Some(folder) = self.0.parent() {
            private_folder(folder).map_err(|e| Error::io(folder, "make the folder", e))?;
        }
        match OpenOptions::new().write(true).create_new(true).open(&self.0) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            file => file.and_then(|mut file| writeln!(file, "{}", run.display())),
        }
        .map_err(|e| Error::io(&self.0, "write", e))
    }
}

/// The folder in which programs keep a user's state, by the rules of XDG.
fn state_folder(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    folder("XDG_STATE_HOME")
        .or_else(|| Some(folder("HOME")?.join(".local").join("state")))
        .or_else(|| folder("LOCALAPPDATA"))
}

/// Makes a folder that only its user can look into, and any missing ones above it.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stands_for_one_manifest_only() {
        let folder = tempfile::tempdir().unwrap();
        let mark = |text: &str| TrustMark::in_folder(folder.path(), &text).unwrap();
        assert!(!mark("a").is_made());
        mark("a").make(Path::new("runs/a")).unwrap();
        mark("a").make(Path::new("runs/a")).unwrap();
        assert!(mark("a").is_made() && !mark("b").is_made());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = folder.path().join("sparring").metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
    }

    #[test]
    fn the_state_folder_is_an_absolute_one() {
        let folder = |xdg: &str, home: &str| {
            state_folder(|name| match name {
                "XDG_STATE_HOME" => Some(xdg.into()),
                "HOME" => Some(home.into()),
                _ => None,
            })
        };
        assert_eq!(folder("/x", "/h"), Some("/x".into()));
        assert_eq!(folder("x", "/h"), Some("/h/.local/state".into()));
        assert_eq!(folder("", ""), None);
    }
}
