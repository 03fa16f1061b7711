//! Weight sets in the server's object store, and the sets that a worker keeps in memory.

use super::connect::Store;
use crate::arena::SharedSet;
use crate::error::{Error, Result};
use crate::weights::MAX_FILE;
use std::collections::HashSet;
use tokio::io::AsyncReadExt;
use tokio::sync::Mutex;

/// The most sets that a worker keeps in memory.
const KEPT: usize = 32;

/// The sets that a coordinator has put into the store.
#[derive(Default)]
pub(super) struct SentSets(Mutex<HashSet<String>>);

impl SentSets {
    /// Stores a set unless the store has it.
    ///
    /// # Errors
    /// When the server does not take it.
    pub(super) async fn send(&self, store: &Store, set: &SharedSet) -> Result<()> {
        // Locked while sending, so that each set is sent once.
        let mut sent = self.0.lock().await;
        if sent.contains(set.digest()) {
            return Ok(());
        }
        let is_there = store.sets.info(set.digest()).await;
        if !is_there.is_ok_and(|info| info.size == set.bytes().len() && !info.deleted) {
            let put = store.sets.put(set.digest(), &mut set.bytes()).await;
            put.map_err(|error| Error::failed("store of sets", error))?;
        }
        sent.insert(set.digest().into());
        Ok(())
    }

    /// Forgets which sets the store has: they may be gone.
    pub(super) async fn forget(&self) {
        self.0.lock().await.clear();
    }
}

/// The sets that a worker keeps in memory, the last used at the end.
#[derive(Default)]
pub(super) struct KeptSets(Mutex<Vec<SharedSet>>);

impl KeptSets {
    /// The set of this digest.
    ///
    /// # Errors
    /// When the store has none, or something else under this name.
    pub(super) async fn find(&self, store: &Store, digest: &str) -> Result<SharedSet> {
        let mut kept = self.0.lock().await;
        if let Some(place) = kept.iter().position(|set| set.digest() == digest) {
            let found = kept.remove(place);
            kept.push(found);
        } else {
            let set = fetch(store, digest).await?;
            if kept.len() == KEPT {
                kept.remove(0);
            }
            kept.push(set);
        }
        let last = kept.last().cloned();
        last.ok_or_else(|| Error::failed("sets", "none is kept"))
    }
}

async fn fetch(store: &Store, digest: &str) -> Result<SharedSet> {
    let bad = |reason: &dyn std::fmt::Display| {
        Error::input(format!("set {}", crate::error::shorten(digest)), reason)
    };
    if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(bad(&"not the name of a set"));
    }
    let object = store.sets.get(digest).await.map_err(|error| bad(&error))?;
    let size = object.info().size;
    if size > MAX_FILE {
        return Err(bad(&format!("{size} bytes are too many")));
    }
    let mut bytes = Vec::new();
    let mut start = object.take(MAX_FILE as u64 + 1);
    start.read_to_end(&mut bytes).await.map_err(|error| bad(&error))?;
    SharedSet::read(digest, &bytes)
}
