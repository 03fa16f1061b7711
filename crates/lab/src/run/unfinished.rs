//! The finished pairs of unfinished batches, left by an interrupted process: the journal has whole
//! batches only, so that it is the same however often a run is interrupted.
//!
//! The file is written at an interruption. Batches that are on record by now, or that were played
//! with other settings, are ignored.

use super::checksum::Seal;
use super::files::UNFINISHED;
use crate::error::{Error, Result};
use crate::files::{self, Links, write_atomically};
use crate::tune::UnfinishedBatch;
use crate::tune::logistic::round_ledger::UnfinishedGames;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The largest such file that is read, in bytes: thousands of games.
const MOST: u64 = 256 << 20;

/// The finished pairs of incomplete batches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Unfinished {
    /// Batches of pairs, in order.
    #[serde(default)]
    pub(super) batches: Vec<UnfinishedBatch>,
    /// Games of a round.
    #[serde(default)]
    pub(super) games: Option<UnfinishedGames>,
}

impl Unfinished {
    /// Reads the file in the directory of the run with this id; empty if there is none.
    ///
    /// # Errors
    /// When the file cannot be read, or has been damaged or edited.
    pub(super) fn load(directory: &Path, run: &str) -> Result<Self> {
        let path = directory.join(UNFINISHED);
        if !files::exists(&path, Links::Refused)? {
            return Ok(Self::default());
        }
        let damaged = || {
            Error::input(path.display(), "has been edited or damaged")
                .remedy("delete the file: its games are played again")
        };
        let bytes = files::read(&path, Links::Refused, MOST)?;
        let text = String::from_utf8(bytes).map_err(|_| damaged())?;
        let body = Seal::FILE.open(run, &text).ok_or_else(damaged)?;
        serde_json::from_str(&format!("{body}}}")).map_err(|_| damaged())
    }

    /// Writes it for the run with this id.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn save(&self, directory: &Path, run: &str) -> Result<()> {
        let path = directory.join(UNFINISHED);
        let object = serde_json::to_string(self).map_err(|e| Error::failed(path.display(), e))?;
        let body = object.strip_suffix('}').unwrap_or(&object);
        let text = body.to_owned() + &Seal::FILE.of(run, body);
        write_atomically(&path, text.as_bytes(), Links::Refused)
    }

    /// Removes the file: the run is finished.
    pub(super) fn remove(directory: &Path) {
        // A file that stays is ignored.
        let _ = std::fs::remove_file(directory.join(UNFINISHED));
    }
}
