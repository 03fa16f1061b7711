//! The interface to workers on other machines.
//!
//! Callers submit tasks to a [`Queue`](super::Queue), and take the results in order. If there are
//! [`Workers`], they do each task that can be sent as a [`RemoteJob`]. The threads do all others. A
//! worker's result is checked before it is taken.

use super::sent_engine::SentEngines;
use super::spec::Sets;
use crate::error::{Error, Result};
use crate::weights::{MAX_FILE, WeightSet};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// A weight set as it is sent: its compact form, named by the SHA-256 of its bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedSet {
    digest: Arc<str>,
    bytes: Arc<[u8]>,
    set: Arc<WeightSet>,
}

impl SharedSet {
    /// A set to be sent.
    ///
    /// # Errors
    /// When it has no compact form.
    pub fn new(set: &WeightSet) -> Result<Self> {
        let bytes = set.to_compact()?;
        let (digest, set) = (digest(&bytes).into(), Arc::new(set.clone()));
        Ok(Self { digest, bytes: bytes.into(), set })
    }

    /// Adds a set to the sets that pairs may name.
    ///
    /// # Errors
    /// When it has no compact form.
    pub fn add(set: &WeightSet, sets: &mut Sets) -> Result<Self> {
        let known = sets.values().find(|known| *known.set == *set).cloned();
        let shared = known.map_or_else(|| Self::new(set), Ok)?;
        sets.insert(shared.digest().to_owned(), shared.clone());
        Ok(shared)
    }

    /// The weight set that is sent.
    pub fn set(&self) -> &WeightSet {
        &self.set
    }

    /// The SHA-256 of its bytes, in 64 hexadecimal digits: its name.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The compact form of the set.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads a set that came under this name.
    ///
    /// # Errors
    /// When the bytes are too many, do not match the name, or are no weight set.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self> {
        let place = format!("set {name}");
        if bytes.len() > MAX_FILE || digest(bytes) != name {
            return Err(Error::input(place, "the set received does not match its name"));
        }
        let set = WeightSet::from_bytes(bytes, &place)?;
        Ok(Self { digest: name.into(), bytes: bytes.into(), set: Arc::new(set) })
    }
}

pub(super) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A task as data: all that another machine needs to do it.
#[derive(Clone, Debug)]
pub struct RemoteJob {
    /// The game by name, such as `breakthrough`.
    pub game: String,
    /// The kind of the task, which decides how `body` is read.
    pub kind: &'static str,
    /// The task, in terms of its kind.
    pub body: Value,
    /// The sets that it names.
    pub sets: Vec<SharedSet>,
    /// Whether the result depends on the job alone, so that doing it twice exposes a faulty
    /// machine.
    pub is_repeatable: bool,
    /// The nodes that it takes, roughly; 0 when unknown. Small jobs travel together.
    pub nodes: u64,
    /// The external engines that it needs.
    pub engines: Option<SentEngines>,
}

/// A task that workers do. Its result is taken once.
pub trait RemoteTask: Send + Sync {
    /// Takes the result that a worker gave.
    ///
    /// # Errors
    /// When it cannot be the result of this task. Then nothing is taken.
    fn accept(&self, result: &Value) -> Result<()>;

    /// Notes that no result will come.
    fn give_up(&self);

    /// Does the task on the calling thread, to see who is right where two workers disagree.
    ///
    /// # Errors
    /// When it was interrupted.
    fn play_here(&self) -> Result<Value>;

    /// Whether the user wants to end.
    fn is_interrupted(&self) -> bool;
}

/// Workers on other machines.
pub trait Workers: Send + Sync {
    /// The processors that play at the moment, or are expected to.
    fn cores(&self) -> usize;

    /// Queues a job. Returns the number by which [`cancel`](Self::cancel) knows it.
    fn submit(&self, job: RemoteJob, task: Arc<dyn RemoteTask>) -> u64;

    /// Cancels these jobs: their results are no longer needed.
    fn cancel(&self, numbers: &[u64]);

    /// Publishes the workers' status in this run's directory from now on.
    fn show_in(&self, run: &Path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_arrives_as_it_left_or_not_at_all() {
        let set = crate::weights::find("piece", "breakthrough").unwrap();
        let shared = SharedSet::new(&set).unwrap();
        assert_eq!(SharedSet::read(shared.digest(), shared.bytes()).unwrap().set(), &set);
        let mut changed = shared.bytes().to_vec();
        changed[20] ^= 1;
        let error = SharedSet::read(shared.digest(), &changed).unwrap_err().to_string();
        assert!(error.contains("the set received does not match its name"), "{error}");
        assert!(SharedSet::read("", shared.bytes()).is_err());
    }

    #[test]
    fn the_digest_is_the_published_one() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), expected);
    }
}
