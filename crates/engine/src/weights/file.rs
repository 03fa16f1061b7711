//! Weight sets in files. Writing replaces a file completely or not at all.

use super::{MAX_FILE, WeightSet};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use std::io::Read;
use std::path::Path;

impl WeightSet {
    /// Reads a weight file.
    ///
    /// # Errors
    /// When the file cannot be read, or as for [`WeightSet::from_json`].
    pub fn load(path: &Path) -> Result<Self> {
        Self::load_with(path, Links::Followed)
    }

    /// As [`load`](Self::load), from a path that the user need not have named.
    ///
    /// # Errors
    /// As there, and when a link at the path is refused.
    pub fn load_with(path: &Path, links: Links) -> Result<Self> {
        let mut bytes = Vec::new();
        // Reading one more byte than the limit shows that the file is too large.
        let mut start = files::open(path, links)?.take(MAX_FILE as u64 + 1);
        start.read_to_end(&mut bytes).map_err(|error| Error::io(path, "read", error))?;
        Self::from_bytes(&bytes, &path.display().to_string())
    }

    /// Writes a weight file atomically: the file always holds either the old set or the new one.
    ///
    /// # Errors
    /// When the file cannot be written, or the set could not be read back, for example because a
    /// weight is out of range. The old file then stays unchanged.
    #[cfg(feature = "save")]
    pub fn save(&self, path: &Path) -> Result<()> {
        files::sweep_beside(path);
        self.save_with(path, Links::Followed)
    }

    /// As [`save`](Self::save), to a path that the user need not have named.
    ///
    /// # Errors
    /// As there, and when a link at the path is refused.
    #[cfg(feature = "save")]
    pub fn save_with(&self, path: &Path, links: Links) -> Result<()> {
        files::write_atomically(path, self.text_of_file(path)?.as_bytes(), links)
    }

    /// The text of its file, which can be read back.
    ///
    /// # Errors
    /// When it cannot, for example because a weight is out of range.
    #[cfg(feature = "save")]
    pub fn text_of_file(&self, path: &Path) -> Result<String> {
        let text = self.to_json();
        Self::from_json(&text, "the new text").map_err(|error| {
            let reason = format!("not written, as nothing could read it: {error}");
            Error::failed(path.display(), reason)
        })?;
        Ok(text)
    }
}

#[cfg(all(test, feature = "save"))]
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
}
