//! A match whose pairs are kept in batches: those on record are not played again.

use super::ledger::{BatchRecord, BatchSummary, Ledger, Stage, UnfinishedBatch};
use crate::arena::queue::Threads;
use crate::arena::{
    Book, BookState, GameRecord, Match, MatchConfig, MatchEnd, MatchTally, PairDone, PairRunner,
    PairSpec, Sets,
};
use crate::error::Result;
use crate::search::Stop;
use crate::stats::{PairCounts, Sprt, Summary};
use std::collections::HashSet;

/// How the batches of a match are kept.
#[derive(Clone, Debug)]
pub struct BatchConfig {
    /// The stage that they are recorded under.
    pub stage: Stage,
    /// The number of the first one: those before it belong to earlier matches.
    pub first_batch: u64,
    /// Pairs of each; the last one may have fewer.
    pub batch_pairs: u64,
    /// A fingerprint of the players.
    pub check: String,
    /// Games of the run before the match.
    pub games_before: u64,
}

/// What a match needs to be played.
pub struct Playing<'a> {
    /// The threads that play.
    pub threads: &'a Threads,
    /// Once set, no further pair begins.
    pub interrupt: &'a Stop,
    /// Makes the records of a pair's games.
    pub to_records: &'a dyn Fn(&PairDone) -> [GameRecord; 2],
}

/// A match that is kept batch by batch. An interruption ends it after the pairs in progress, and
/// what is finished of their batch is kept aside for the next process.
pub struct KeptMatch {
    game_match: Match,
    batches: MatchBatches,
}

impl KeptMatch {
    /// A match before its first pair.
    pub fn new(
        config: MatchConfig,
        runner: PairRunner,
        (pair, sets): (PairSpec, Sets),
        batches: BatchConfig,
    ) -> Self {
        let batches = MatchBatches::new(batches, config.sprt);
        Self { game_match: Match::new(config, runner, pair, sets), batches }
    }

    /// The match, as far as it is played.
    pub fn game_match(&self) -> &Match {
        &self.game_match
    }

    /// The number of the batch after the last one kept.
    pub fn next_batch(&self) -> u64 {
        self.batches.current.batch
    }

    /// Plays the match, or the rest of it, and leaves the book as it was when its last pair was
    /// given out. `given` are the candidate numbers of the book's openings that were taken before;
    /// those of this match are added. `on_pair` sees every pair that is played now; where it fails,
    /// the match ends once that pair is kept.
    ///
    /// # Errors
    /// When the record belongs to other settings, or a batch cannot be kept; and as `on_pair`.
    pub fn play(
        &mut self,
        playing: &Playing,
        book: &mut Book,
        given: &mut Vec<u64>,
        ledger: &mut dyn Ledger,
        on_pair: &mut dyn FnMut(&PairDone) -> Result<()>,
    ) -> Result<MatchEnd> {
        let Self { game_match, batches } = self;
        batches.recall(game_match, book, given, ledger)?;
        let end = game_match.run(book, playing.threads, playing.interrupt, &mut |done| {
            given.push(done.candidate);
            let seen = on_pair(done);
            batches.add(done, (playing.to_records)(done), ledger).and(seen)
        })?;
        if end == MatchEnd::Stopped {
            batches.keep_unfinished(&game_match.counts(), ledger)?;
        }
        // Pairs in progress took further openings when the match ended: how many depends on the
        // threads.
        book.restore(given, batches.current.book.clone());
        Ok(end)
    }
}

/// Collects pairs in batches and keeps each full batch.
struct MatchBatches {
    batch_pairs: usize,
    games_before: u64,
    sprt: Option<Sprt>,
    /// The batch that is being played.
    current: BatchRecord,
    games: Vec<GameRecord>,
    /// The totals of a tournament's match.
    tally: Option<MatchTally>,
    /// The positions of its openings.
    seen: HashSet<u64>,
}

impl MatchBatches {
    fn new(config: BatchConfig, sprt: Option<Sprt>) -> Self {
        Self {
            batch_pairs: usize::try_from(config.batch_pairs).unwrap_or(usize::MAX),
            games_before: config.games_before,
            sprt,
            tally: (config.stage == Stage::Match).then(MatchTally::default),
            current: BatchRecord {
                stage: config.stage,
                batch: config.first_batch,
                openings: Vec::new(),
                points: Vec::new(),
                check: config.check,
                book: BookState::default(),
                summary: BatchSummary::default(),
            },
            games: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Counts the pairs on record and restores the book to its state after them.
    fn recall(
        &mut self,
        game_match: &mut Match,
        book: &mut Book,
        given: &mut Vec<u64>,
        ledger: &dyn Ledger,
    ) -> Result<()> {
        self.current.book = book.state().clone();
        let first = self.current.batch;
        while game_match.ended().is_none() {
            let Some(record) = ledger.recall(self.current.stage, self.current.batch) else { break };
            record.check(&self.current.check, record.openings.len())?;
            record.points.iter().for_each(|&points| game_match.count(points));
            given.extend(&record.openings);
            self.recall_tally(record, book);
            self.current.book = record.book.clone();
            self.current.batch += 1;
        }
        if self.current.batch > first {
            book.restore(given, self.current.book.clone());
        }
        if game_match.ended().is_none() {
            self.recall_unfinished(game_match, book, given, ledger);
        }
        Ok(())
    }

    /// Counts the first pairs of the next batch, where an interrupted process has played them.
    fn recall_unfinished(
        &mut self,
        game_match: &mut Match,
        book: &mut Book,
        given: &mut Vec<u64>,
        ledger: &dyn Ledger,
    ) {
        let BatchRecord { stage, batch, check, .. } = &self.current;
        let known = ledger.recall_unfinished(*stage, *batch);
        let Some(known) = known.filter(|known| known.fits(check, self.batch_pairs)) else { return };
        let UnfinishedBatch { record, games } = known;
        let drawn: Vec<u64> = record.points.iter().map(|_| book.draw().0).collect();
        if drawn != record.openings || record.summary.tally.is_some() != self.tally.is_some() {
            book.restore(given, self.current.book.clone());
            return;
        }
        record.points.iter().for_each(|&points| game_match.count(points));
        given.extend(&drawn);
        self.recall_tally(record, book);
        self.current.openings = drawn;
        self.current.points.clone_from(&record.points);
        self.current.book = book.state().clone();
        self.games.clone_from(games);
    }

    /// Takes over the totals after a record, and the positions of its openings.
    fn recall_tally(&mut self, record: &BatchRecord, book: &Book) {
        if self.tally.is_some() {
            let openings = record.openings.iter().filter_map(|&number| book.candidate(number));
            self.seen.extend(openings.map(|opening| opening.position.key()));
            self.tally = record.summary.tally.or(self.tally);
        }
    }

    /// Keeps the pairs of a batch that is not whole; `counts` are those of the match with them.
    fn keep_unfinished(&self, counts: &PairCounts, ledger: &mut dyn Ledger) -> Result<()> {
        if self.current.points.is_empty() {
            return Ok(());
        }
        let record = BatchRecord { summary: self.summary(counts, None), ..self.current.clone() };
        let games = self.games.clone();
        ledger.keep_unfinished(vec![UnfinishedBatch { record, games }])
    }

    fn add(
        &mut self,
        done: &PairDone,
        games: [GameRecord; 2],
        ledger: &mut dyn Ledger,
    ) -> Result<()> {
        if let Some(tally) = &mut self.tally {
            tally.add(done, self.seen.insert(done.opening.position.key()));
        }
        self.games.extend(games);
        self.current.openings.push(done.candidate);
        self.current.points.push(done.record.pair_score());
        self.current.book.clone_from(done.book);
        if self.current.points.len() < self.batch_pairs && done.end.is_none() {
            return Ok(());
        }
        self.current.summary = self.summary(&done.counts, done.end);
        let next = BatchRecord {
            batch: self.current.batch + 1,
            openings: Vec::new(),
            points: Vec::new(),
            ..self.current.clone()
        };
        ledger.keep(std::mem::replace(&mut self.current, next), &std::mem::take(&mut self.games))
    }

    fn summary(&self, counts: &PairCounts, end: Option<MatchEnd>) -> BatchSummary {
        let Summary { pairs, elo, elo_error, llr, .. } = Summary::of(counts, self.sprt.as_ref());
        BatchSummary {
            games: self.games_before.saturating_add(pairs.games()),
            pairs,
            elo,
            elo_error,
            llr,
            tally: self.tally,
            end: end.filter(|_| self.tally.is_some()),
            ..BatchSummary::default()
        }
    }
}
