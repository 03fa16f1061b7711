//! A match as a source: pairs between two players until enough are played or a test has its
//! verdict.

use super::ledger::{BatchRecord, BatchSummary, Stage};
use super::source::{Batch, Learned, PairDone, Source};
use crate::arena::{Book, GameRecord, Match, MatchConfig, MatchTally, PairSpec, Threads};
use crate::error::Result;
use crate::stats::{PairCounts, Summary};
use std::collections::HashSet;

/// Nodes of the unfinished pairs per player thread: enough that no thread waits for its next pair
/// while the counting thread is busy.
const NODES_IN_HAND: u64 = 100_000;
/// The fewest and the most unfinished pairs per player thread.
const PAIRS_IN_HAND: (u64, u64) = (3, 32);

/// Pairs of a batch that is kept in memory alone.
const PAIRS_IN_MEMORY: u64 = 64;

/// How the batches of a match are kept.
#[derive(Clone, Debug)]
pub struct MatchBatches {
    /// The stage that they are recorded under.
    pub stage: Stage,
    /// The number of the first one. Lower numbers belong to earlier matches.
    pub first: u64,
    /// Pairs of each; the last one may have fewer.
    pub pairs: u64,
    /// A fingerprint of the players.
    pub check: String,
    /// Games of the run before the match.
    pub games_before: u64,
}

impl MatchBatches {
    /// Batches that are kept in memory alone.
    pub fn in_memory() -> Self {
        let (stage, check) = (Stage::Match, String::new());
        Self { stage, first: 0, pairs: PAIRS_IN_MEMORY, check, games_before: 0 }
    }
}

/// Observes a match as it is played.
pub trait MatchWatcher {
    /// The records of a pair's games.
    fn records(&self, pair: &PairDone) -> [GameRecord; 2];

    /// A pair was counted.
    ///
    /// # Errors
    /// When the match should end here.
    fn on_pair(&mut self, pair: &PairDone, counts: PairCounts) -> Result<()>;

    /// A batch is safe.
    fn on_kept(&mut self, record: &BatchRecord) {
        let _ = record;
    }
}

/// Counts pairs whose records nobody wants.
impl<F: FnMut(PairCounts)> MatchWatcher for F {
    fn records(&self, pair: &PairDone) -> [GameRecord; 2] {
        GameRecord::of_pair(pair.number, ["a", "b"], pair.spec, pair.record, None)
    }

    fn on_pair(&mut self, _: &PairDone, counts: PairCounts) -> Result<()> {
        self(counts);
        Ok(())
    }
}

/// The pairs of a match.
pub struct MatchSource<'a> {
    score: Match,
    batches: MatchBatches,
    /// Every pair, without its opening.
    pair: PairSpec,
    watcher: &'a mut dyn MatchWatcher,
    /// Pairs that may be unfinished.
    in_hand: u64,
    /// Pairs begun, including the pairs on record.
    begun: u64,
    /// Pairs learned of the oldest batch.
    of_batch: u64,
    /// The number after the last batch learned.
    next_batch: u64,
    /// The totals of a tournament's match, and the positions of its openings.
    tally: Option<MatchTally>,
    seen: HashSet<u64>,
    /// The digests of the oldest batch's pairs, where equal pairs count once.
    digests: Vec<u64>,
}

impl<'a> MatchSource<'a> {
    /// A match before its first pair. All pairs are like `pair`, each from an opening of its own.
    pub fn new(
        config: MatchConfig,
        batches: MatchBatches,
        pair: PairSpec,
        threads: &Threads,
        watcher: &'a mut dyn MatchWatcher,
    ) -> Self {
        let of_each = NODES_IN_HAND.checked_div(pair.nodes()).unwrap_or(PAIRS_IN_HAND.0);
        let of_each = of_each.clamp(PAIRS_IN_HAND.0, PAIRS_IN_HAND.1);
        Self {
            score: Match::new(config),
            in_hand: of_each * threads.players() as u64,
            begun: 0,
            of_batch: 0,
            next_batch: batches.first,
            tally: (batches.stage == Stage::Match).then(MatchTally::default),
            seen: HashSet::new(),
            digests: Vec::new(),
            batches,
            pair,
            watcher,
        }
    }

    /// The score so far.
    pub fn score(&self) -> &Match {
        &self.score
    }

    /// The totals of the games so far, for a match outside of a tune.
    pub fn tally(&self) -> Option<&MatchTally> {
        self.tally.as_ref()
    }

    /// One more than the number of the last batch.
    pub fn next_batch(&self) -> u64 {
        self.next_batch
    }

    /// Counts pairs that were played earlier.
    fn count_recorded(&mut self, record: &BatchRecord, book: &Book) {
        record.digested_points().for_each(|(points, digest)| self.score.note(points, digest));
        if self.tally.is_some() {
            let openings = record.openings.iter().filter_map(|&number| book.candidate(number));
            self.seen.extend(openings.map(|opening| opening.position.key()));
            self.tally = record.summary.tally.or(self.tally);
        }
    }

    /// The summary for the batch if it ends with the pairs learned so far.
    fn end_of_batch(&mut self) -> Option<BatchSummary> {
        if self.of_batch < self.batches.pairs && self.score.ended().is_none() {
            return None;
        }
        self.of_batch = 0;
        self.next_batch += 1;
        let end = self.score.ended().filter(|_| self.tally.is_some());
        let summary = BatchSummary { end, ..self.summary() };
        self.digests.clear();
        Some(summary)
    }
}

impl Source for MatchSource<'_> {
    fn name(&self) -> &'static str {
        "match"
    }

    fn stage(&self) -> Stage {
        self.batches.stage
    }

    fn first_batch(&self) -> u64 {
        self.batches.first
    }

    fn ask(&mut self, is_replay: bool) -> Option<Batch> {
        let in_hand = self.begun - self.score.played();
        let most = if is_replay { 1 } else { self.in_hand };
        let pairs = self.batches.pairs.min(self.score.config().pairs.saturating_sub(self.begun));
        if in_hand >= most || pairs == 0 || self.is_done() {
            return None;
        }
        self.begun += pairs;
        Some(Batch { pairs, check: self.batches.check.clone() })
    }

    fn is_done(&self) -> bool {
        self.score.ended().is_some()
    }

    fn pair(&self, _batch: u64, _index: u64) -> PairSpec {
        self.pair.clone()
    }

    fn recall(&mut self, record: &BatchRecord, book: &Book) {
        self.count_recorded(record, book);
        self.begun = self.score.played();
        self.next_batch += 1;
    }

    fn take_up(
        &mut self,
        record: &BatchRecord,
        games: &[GameRecord],
        book: &Book,
    ) -> Option<BatchSummary> {
        // Pairs are marked as void with the whole batch.
        self.count_recorded(&BatchRecord { void: self.void(games), ..record.clone() }, book);
        self.of_batch = record.points.len() as u64;
        self.digests.clone_from(&record.summary.digests);
        self.end_of_batch()
    }

    fn learn(&mut self, pair: &PairDone) -> Learned {
        let digest = self.score.config().counts_once.then(|| pair.record.digest(pair.opening));
        let is_void = pair.record.referee_fault().is_some();
        self.score.note((!is_void).then(|| pair.record.pair_score()), digest);
        self.digests.extend(digest);
        if let Some(tally) = &mut self.tally {
            let is_distinct = self.seen.insert(pair.opening.position.key());
            tally.add(pair.record, pair.candidate, is_distinct);
        }
        self.of_batch += 1;
        let fault = self.watcher.on_pair(pair, self.score.counts());
        Learned { ended: self.end_of_batch(), fault }
    }

    fn summary(&self) -> BatchSummary {
        let (counts, sprt) = (self.score.counts(), self.score.config().sprt);
        let Summary { pairs, elo, elo_error, llr, .. } = Summary::of(&counts, sprt.as_ref());
        BatchSummary {
            games: self.batches.games_before.saturating_add(self.score.played().saturating_mul(2)),
            pairs,
            elo,
            elo_error,
            llr,
            tally: self.tally,
            digests: self.digests.clone(),
            ..BatchSummary::default()
        }
    }

    fn records(&mut self, pair: &PairDone) -> [GameRecord; 2] {
        self.watcher.records(pair)
    }

    fn void(&self, games: &[GameRecord]) -> Vec<(usize, u8)> {
        let faults =
            |pair: &[GameRecord]| pair.iter().filter(|game| game.has_referee_fault()).count();
        let pairs = games.chunks(2).map(faults).enumerate();
        pairs.filter(|&(_, faults)| faults > 0).map(|(pair, faults)| (pair, faults as u8)).collect()
    }

    fn on_kept(&mut self, record: &BatchRecord) {
        self.watcher.on_kept(record);
    }
}
