//! The state of a training after an epoch: a process that was killed continues from there, to the
//! same network.
//!
//! ```text
//! magic | version | length of the header | header (JSON) | numbers (32 bits) | CRC-32
//! ```
//!
//! All numbers are little-endian. The header identifies the training by a digest of everything that
//! decides its result, including its positions. So a training never continues from the checkpoint
//! of another one.

use super::model::LearningNetwork;
use super::training::Epoch;
use crate::error::{Error, Result};
use crate::weights::Network;
use serde::{Deserialize, Serialize};

/// The first bytes of every checkpoint.
const MAGIC: &[u8; 8] = b"SPARTRN\n";
/// The version of the format, and of the training that continues from it.
const VERSION: u32 = 2;
/// Bytes before the header.
const START: usize = 16;
/// Bytes of the checksum.
const CHECKSUM: usize = 4;

/// Where a training keeps its checkpoint.
pub trait CheckpointStore {
    /// The checkpoint that was kept last; `None` if there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is damaged.
    fn load(&mut self) -> Result<Option<Vec<u8>>>;

    /// Keeps a checkpoint in place of the one before. It is on disk when this returns.
    ///
    /// # Errors
    /// When it cannot be written; then the one before is still there.
    fn keep(&mut self, bytes: &[u8]) -> Result<()>;

    /// Called before the checkpoint of another training is replaced. Unless the store says
    /// otherwise, it may be.
    ///
    /// # Errors
    /// When it must not be.
    fn check_replaceable(&self) -> Result<()> {
        Ok(())
    }
}

/// Keeps no checkpoints: a training that is killed starts over.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCheckpoints;

impl CheckpointStore for NoCheckpoints {
    fn load(&mut self) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }

    fn keep(&mut self, _bytes: &[u8]) -> Result<()> {
        Ok(())
    }
}

/// Checks that the bytes of a checkpoint are as they were written; `place` is the file's name, for
/// the error.
///
/// # Errors
/// When they are not, or a newer version of the program wrote them.
pub fn check_checkpoint(bytes: &[u8], place: &str) -> Result<()> {
    let number = |at: usize| bytes.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four));
    let end = bytes.len().checked_sub(CHECKSUM).filter(|&end| end >= START);
    let is_whole = end.is_some_and(|end| number(end) == Some(crc32fast::hash(&bytes[..end])));
    if !is_whole || !bytes.starts_with(MAGIC) {
        return Err(Error::input(place, "has been edited or damaged")
            .remedy("delete the file to train from the start"));
    }
    match number(MAGIC.len()) {
        Some(VERSION) => Ok(()),
        _ => Err(Error::input(place, "another version of the program wrote this checkpoint")
            .remedy("continue with that version, or delete the file to train from the start")),
    }
}

/// A training after an epoch, without its numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TrainingState {
    /// A digest of the training's settings.
    pub(super) training: String,
    steps: u64,
    /// The epochs that are over.
    pub(super) epochs: Vec<Epoch>,
    /// The place of the best one.
    pub(super) best: usize,
    /// The network after it.
    pub(super) network: Network,
}

impl TrainingState {
    /// The state after the first epoch.
    pub(super) fn first(training: &str, epoch: Epoch, network: Network) -> Self {
        Self { training: training.into(), steps: 0, epochs: vec![epoch], best: 0, network }
    }

    /// Adds an epoch. `network` makes the network after it, and is called only if the epoch is the
    /// best so far.
    pub(super) fn add(&mut self, epoch: Epoch, network: impl FnOnce() -> Network) {
        if epoch.validation < self.epochs[self.best].validation {
            self.best = self.epochs.len();
            self.network = network();
        }
        self.epochs.push(epoch);
    }

    /// The checkpoint of this state and the network as it is.
    pub(super) fn checkpoint(&mut self, model: &mut LearningNetwork) -> Result<Vec<u8>> {
        self.steps = model.steps;
        let header = serde_json::to_vec(self).map_err(|e| Error::failed("checkpoint", e))?;
        let length = u32::try_from(header.len()).map_err(|e| Error::failed("checkpoint", e))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(header);
        model.each_number(&mut |number| bytes.extend(number.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Continues from a checked checkpoint, and puts its numbers into a network that has not
    /// learned yet; `None` if it belongs to another training.
    pub(super) fn restore(
        bytes: &[u8],
        training: &str,
        model: &mut LearningNetwork,
    ) -> Option<Self> {
        let length = u32::from_le_bytes(*bytes.get(START - 4..)?.first_chunk()?);
        let (header, numbers) = bytes.get(START..)?.split_at_checked(length as usize)?;
        let state: Self = serde_json::from_slice(header).ok()?;
        let mut expected = CHECKSUM;
        model.each_number(&mut |_| expected += size_of::<f32>());
        let fits = state.training == training
            && state.best < state.epochs.len()
            && numbers.len() == expected;
        if !fits {
            return None;
        }
        let mut numbers = numbers.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four));
        model.each_number(&mut |number| {
            if let Some(kept) = numbers.next() {
                *number = kept;
            }
        });
        model.steps = state.steps;
        Some(state)
    }
}
