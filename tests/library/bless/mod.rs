//! Files under `weights/` that the program generates.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folder of the weight files.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("weights")
}

/// Checks that a file under `weights/` is what the code generates, or writes it when
/// SPARRING_BLESS=1. Once that has passed, the file can be read: no other test of the program
/// writes it again.
pub(crate) fn assert_generated(name: &str, text: &str) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let path = folder().join(name);
    let is_current = || fs::read_to_string(&path).is_ok_and(|file| file == text);
    if !is_current() && std::env::var_os("SPARRING_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, text).unwrap();
    }
    assert!(is_current(), "run the tests with SPARRING_BLESS=1 to write {}", path.display());
}
