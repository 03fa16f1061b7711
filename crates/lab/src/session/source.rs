//! Sources of pairs for a session, which also learn the results.

use super::ledger::{BatchRecord, BatchSummary, PlanChange, Stage};
use crate::any::AnyOpening;
use crate::arena::{Book, BookState, GameRecord, PairRecord, PairSpec};
use crate::error::Result;

/// A batch that a source begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its number of pairs. A source that has enough may end it sooner.
    pub pairs: u64,
    /// A fingerprint of the players that meet in it, so that a record cannot be taken for another
    /// run's.
    pub check: String,
}

/// A pair that was played just now.
#[derive(Debug)]
pub struct PairDone<'a> {
    /// The number of its batch.
    pub batch: u64,
    /// Its place in the batch, from 0.
    pub index: u64,
    /// Its number among all pairs of the source, from 0.
    pub number: u64,
    /// The candidate number of its opening.
    pub candidate: u64,
    /// The state of the book after giving out the opening.
    pub book: &'a BookState,
    /// The opening of both games.
    pub opening: &'a AnyOpening,
    /// The pair as it was planned.
    pub spec: &'a PairSpec,
    /// The two games and their score.
    pub record: &'a PairRecord,
}

/// Asks for pairs, batch by batch, and learns their results in the same order.
///
/// The session asks for batches as long as there are some, and plays them at once: the source
/// decides how far ahead of the results batches begin, and this may change what it asks for.
pub trait Source {
    /// A word for what is played, for errors.
    fn name(&self) -> &'static str;

    /// The stage under which the journal records its batches.
    fn stage(&self) -> Stage;

    /// The number of its first batch.
    fn first_batch(&self) -> u64 {
        0
    }

    /// Begins the next batch; `None` while further ones wait for results, and at the end. During a
    /// replay all batches until now are on record, and any of them may turn out to be the last one.
    fn ask(&mut self, is_replay: bool) -> Option<Batch>;

    /// The new plan, if the batch that has just begun goes beyond the one on record.
    fn replanned(&mut self) -> Option<PlanChange> {
        None
    }

    /// Whether it has all that it wants.
    fn is_done(&self) -> bool;

    /// Checks that a batch that is not on record can be played.
    ///
    /// # Errors
    /// When it cannot be.
    fn check_playable(&self, batch: u64) -> Result<()> {
        let _ = batch;
        Ok(())
    }

    /// A pair of a batch that has begun, without its opening.
    fn pair(&self, batch: u64, index: u64) -> PairSpec;

    /// Learns the oldest batch, which is on record.
    fn recall(&mut self, record: &BatchRecord, book: &Book);

    /// Learns the first pairs of the oldest batch, which an interrupted process has played. Returns
    /// the summary of the batch if it ends with them.
    fn take_up(
        &mut self,
        record: &BatchRecord,
        games: &[GameRecord],
        book: &Book,
    ) -> Option<BatchSummary>;

    /// Learns the next pair of the oldest batch.
    fn learn(&mut self, pair: &PairDone) -> Learned;

    /// The summary with which the first pairs of the oldest batch are kept at an interrupt.
    fn summary(&self) -> BatchSummary {
        BatchSummary::default()
    }

    /// The games of a pair as they are kept, before it is learned.
    fn records(&mut self, pair: &PairDone) -> [GameRecord; 2];

    /// The void pairs among the games of a batch, with their forfeited games; they are kept as
    /// draws.
    fn void(&self, games: &[GameRecord]) -> Vec<(usize, u8)> {
        let _ = games;
        Vec::new()
    }

    /// A batch is safe.
    fn on_kept(&mut self, record: &BatchRecord) {
        let _ = record;
    }
}

/// The consequence of a pair.
#[derive(Debug)]
pub struct Learned {
    /// The summary of the batch if it ends with this pair.
    pub ended: Option<BatchSummary>,
    /// An error ends the session, once a batch that ends with this pair is kept.
    pub fault: Result<()>,
}
