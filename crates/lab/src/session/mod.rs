//! A session plays what a source asks for: the steps of an optimizer, a match, the matches of a
//! tournament.
//!
//! ```text
//! Source --Batch--> Session --PairTask--> threads or workers --PairRecord, in order--> Source
//!                     |  `--openings--> Book
//!                     `--finished batches--> Ledger
//! ```
//!
//! Only the session knows how to recall pairs from a ledger and keep them in it, how to bring a
//! book into the state after recalled openings, how to continue an unfinished batch, and how an
//! interrupt ends everything. A batch that the [`Ledger`] has on record is not played again. The
//! source learns its recorded results, and so reaches its state of that time.

mod keeper;
pub mod ledger;
mod match_source;
mod source;

pub use ledger::{
    BatchRecord, BatchSummary, Ledger, MemoryLedger, PlanChange, Stage, UnfinishedBatch, Verdicts,
};
pub use match_source::{MatchBatches, MatchSource, MatchWatcher};
pub use source::{Batch, Learned, PairDone, Source};

pub(crate) use keeper::while_keeping;

use crate::any::AnyOpening;
use crate::arena::{
    Book, BookState, EarlyEnds, GameRecord, PairRecord, PairRunner, PairSpec, PairTask,
    PlayerFactory, Queue, Sets, Threads,
};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::search::Stop;
use keeper::Keeper;
use std::collections::VecDeque;
use std::sync::Arc;

/// The players of pairs, and the place where pairs are kept.
pub struct Session<'a> {
    /// The threads that play.
    pub threads: &'a Threads,
    /// Once set, no further pair begins; those in progress are finished.
    pub interrupt: &'a Stop,
    /// Keeps finished batches, and knows earlier ones.
    pub ledger: &'a mut dyn Ledger,
}

/// Who takes part in the pairs of a source.
#[derive(Clone)]
pub struct Cast {
    /// The game that is played.
    pub game: GameId,
    /// The sets that pairs name by their digests.
    pub sets: Sets,
    /// The external engines that pairs name by their places.
    pub engines: Vec<Arc<dyn PlayerFactory>>,
}

/// The pair score of a draw.
const DRAW: u8 = 2;

impl Session<'_> {
    /// Plays what a source asks for, until it has all that it wants. The book then has given out the
    /// openings of the pairs that the source has learned.
    ///
    /// # Errors
    /// When the record belongs to other settings, a batch cannot be kept, a pair cannot be played,
    /// the source finds a fault, or the session is interrupted.
    pub fn play(&mut self, source: &mut dyn Source, cast: Cast, book: &mut Book) -> Result<()> {
        let Cast { game, sets, engines } = cast;
        let stop = Stop::default();
        let stops = [stop.clone(), self.interrupt.clone()];
        book.judge_on(self.threads);
        let ended = while_keeping(&mut *self.ledger, |keeper| {
            let play = Play {
                next: source.first_batch(),
                learned: (book.given(), book.state().clone()),
                source,
                book,
                runner: PairRunner::with_engines(game, engines, stops),
                sets: Arc::new(sets),
                queue: Queue::new(self.threads),
                interrupt: self.interrupt,
                keeper,
                is_replay: true,
                begun: VecDeque::new(),
                unsafe_batches: VecDeque::new(),
                pairs: 0,
            };
            play.run()
        });
        // Pairs that are no longer needed would keep threads and engines busy.
        stop.set();
        ended
    }
}

/// A batch that has begun.
struct Begun {
    number: u64,
    batch: Batch,
    progress: BatchProgress,
}

enum BatchProgress {
    Recalled(BatchRecord),
    /// In play from these openings. An interrupted process may have played the first pairs.
    Playing(Vec<OpenedPair>, Option<UnfinishedBatch>),
}

/// A pair with its opening.
struct OpenedPair {
    candidate: u64,
    opening: AnyOpening,
    /// The state of the book after giving it out.
    book: BookState,
    spec: PairSpec,
}

/// A session under way.
struct Play<'p, 'scope, 'env, 'l> {
    source: &'p mut dyn Source,
    book: &'p mut Book,
    runner: PairRunner,
    sets: Arc<Sets>,
    queue: Queue<Result<PairRecord>>,
    interrupt: &'p Stop,
    keeper: &'p mut Keeper<'scope, 'env, dyn Ledger + 'l>,
    /// Whether all batches so far are on record.
    is_replay: bool,
    begun: VecDeque<Begun>,
    /// The number of the next batch to begin.
    next: u64,
    /// Batches that are being kept.
    unsafe_batches: VecDeque<BatchRecord>,
    /// Pairs learned so far.
    pairs: u64,
    /// The number of the book's openings that they used, and the book's state after these.
    learned: (usize, BookState),
}

impl Play<'_, '_, '_, '_> {
    fn run(mut self) -> Result<()> {
        while !self.source.is_done() {
            self.begin()?;
            let Some(Begun { number, batch, progress }) = self.begun.pop_front() else {
                return Err(self.stopped());
            };
            match progress {
                BatchProgress::Recalled(record) => self.recall(&batch, &record)?,
                BatchProgress::Playing(opened, known) => {
                    self.finish(number, batch, opened, known)?
                }
            }
        }
        let kept = self.keeper.settle()?;
        self.tell(kept);
        if self.book.given() > self.learned.0 {
            self.book.rewind(self.learned.0, self.learned.1.clone());
        }
        Ok(())
    }

    /// Begins all batches that the source asks for. After an interrupt, only batches on record
    /// begin.
    fn begin(&mut self) -> Result<()> {
        while let Some(batch) = self.source.ask(self.is_replay) {
            self.note_plan()?;
            let number = self.next;
            let progress = match self.recorded(number) {
                Some(record) => {
                    record.check(&batch.check, record.openings.len())?;
                    self.book.recall(&record.openings, record.book.clone());
                    BatchProgress::Recalled(record)
                }
                None if self.interrupt.is_set() => return Ok(()),
                None => self.open(number, &batch)?,
            };
            self.next += 1;
            self.begun.push_back(Begun { number, batch, progress });
        }
        Ok(())
    }

    /// Makes the ledger note new plans of the source, before any batch of it is played.
    fn note_plan(&mut self) -> Result<()> {
        let Some(change) = self.source.replanned() else { return Ok(()) };
        let kept = self.keeper.settle()?;
        self.tell(kept);
        self.keeper.ledger()?.note_plan(change)
    }

    fn recorded(&self, number: u64) -> Option<BatchRecord> {
        let ledger = self.keeper.unchanged().filter(|_| self.is_replay)?;
        ledger.recall(self.source.stage(), number).cloned()
    }

    /// Draws the openings of a batch, and submits its pairs.
    fn open(&mut self, number: u64, batch: &Batch) -> Result<BatchProgress> {
        self.source.check_playable(number)?;
        self.is_replay = false;
        let opened: Vec<OpenedPair> =
            (0..batch.pairs).map(|index| self.draw(number, index)).collect();
        let known = self.known_pairs(number, batch, &opened);
        let played = known.as_ref().map_or(0, |known| known.record.points.len());
        for pair in &opened[played..] {
            self.queue.submit(PairTask {
                runner: self.runner.clone(),
                sets: self.sets.clone(),
                spec: pair.spec.clone(),
                interrupt: self.interrupt.clone(),
            });
        }
        Ok(BatchProgress::Playing(opened, known))
    }

    fn draw(&mut self, number: u64, index: u64) -> OpenedPair {
        let (candidate, opening) = self.book.draw();
        let spec = self.source.pair(number, index).from_opening(&opening);
        OpenedPair { candidate, opening, book: self.book.state().clone(), spec }
    }

    /// The first pairs of a batch, if an interrupted process has played them.
    fn known_pairs(
        &self,
        number: u64,
        batch: &Batch,
        opened: &[OpenedPair],
    ) -> Option<UnfinishedBatch> {
        let ledger = self.keeper.unchanged()?;
        let known = ledger.recall_unfinished(self.source.stage(), number)?;
        let drawn = opened.iter().map(|pair| pair.candidate).take(known.record.points.len());
        let is_it = known.fits(&batch.check, opened.len())
            && drawn.eq(known.record.openings.iter().copied().take(known.record.points.len()));
        is_it.then(|| known.clone())
    }

    /// Lets the source learn a batch that is on record.
    fn recall(&mut self, batch: &Batch, record: &BatchRecord) -> Result<()> {
        self.source.recall(record, self.book);
        self.pairs += record.points.len() as u64;
        self.learned = (self.learned.0 + record.openings.len(), record.book.clone());
        // Only a source that has all it wants ends a batch early.
        let pairs = usize::try_from(batch.pairs).unwrap_or(usize::MAX);
        match record.points.len() == pairs || self.source.is_done() {
            true => Ok(()),
            false => record.check(&batch.check, pairs),
        }
    }

    /// The record of a batch without pairs yet.
    fn begun(&self, number: u64, batch: Batch) -> BatchRecord {
        BatchRecord {
            stage: self.source.stage(),
            batch: number,
            openings: Vec::new(),
            points: Vec::new(),
            void: Vec::new(),
            early: EarlyEnds::default(),
            check: batch.check,
            book: self.learned.1.clone(),
            summary: BatchSummary::default(),
        }
    }

    /// Waits for the pairs of a batch, lets the source learn them, and keeps the batch.
    fn finish(
        &mut self,
        number: u64,
        batch: Batch,
        opened: Vec<OpenedPair>,
        known: Option<UnfinishedBatch>,
    ) -> Result<()> {
        let mut record = self.begun(number, batch);
        let mut games: Vec<GameRecord> = Vec::new();
        let mut ended = None;
        let mut opened = opened.into_iter().zip(0..);
        if let Some(known) = known {
            ended = self.source.take_up(&known.record, &known.games, self.book);
            for (pair, _) in opened.by_ref().take(known.record.points.len()) {
                record.openings.push(pair.candidate);
                record.book = pair.book;
            }
            self.pairs += record.openings.len() as u64;
            (record.points, games) = (known.record.points, known.games);
        }
        while ended.is_none() {
            let Some((pair, index)) = opened.next() else {
                return Err(Error::failed(self.source.name(), "a batch does not end"));
            };
            let Some(result) = self.take()? else {
                return self.end_early(UnfinishedBatch { record, games });
            };
            let done = PairDone {
                batch: number,
                index,
                number: self.pairs,
                candidate: pair.candidate,
                book: &pair.book,
                opening: &pair.opening,
                spec: &pair.spec,
                record: &result,
            };
            games.extend(self.source.records(&done));
            let learned = self.source.learn(&done);
            self.pairs += 1;
            record.openings.push(pair.candidate);
            record.points.push(result.pair_score());
            record.book = pair.book;
            ended = learned.ended;
            if ended.is_none() {
                learned.fault?;
            } else if learned.fault.is_err() {
                self.keep(record, games, ended)?;
                self.keeper.settle()?;
                return learned.fault;
            }
        }
        self.keep(record, games, ended)
    }

    /// The next pair; `None` if it was not played because the session is interrupted. Everything
    /// that is being kept becomes safe before a wait for a pair.
    fn take(&mut self) -> Result<Option<PairRecord>> {
        let kept = match self.queue.is_ready() {
            true => self.keeper.kept()?,
            false => self.keeper.settle()?,
        };
        self.tell(kept);
        let record = self.queue.take().transpose()?;
        Ok(record.filter(PairRecord::is_complete))
    }

    fn keep(
        &mut self,
        mut record: BatchRecord,
        games: Vec<GameRecord>,
        summary: Option<BatchSummary>,
    ) -> Result<()> {
        record.summary = summary.unwrap_or_default();
        record.void = self.source.void(&games);
        record.early = EarlyEnds::of(&games);
        record.void.iter().for_each(|&(pair, _)| record.points[pair] = DRAW);
        self.learned = (self.learned.0 + record.openings.len(), record.book.clone());
        self.unsafe_batches.push_back(record.clone());
        self.keeper.keep(move |ledger| ledger.keep(record, &games))
    }

    /// Tells the source that this many more batches are safe.
    fn tell(&mut self, kept: usize) {
        for record in self.unsafe_batches.drain(..kept) {
            self.source.on_kept(&record);
        }
    }

    /// Keeps the finished pairs of the batch in progress, and ends.
    fn end_early(&mut self, mut unfinished: UnfinishedBatch) -> Result<()> {
        // Pairs in progress are finished, though none can be kept behind one that was not played.
        while self.queue.take().is_some() {}
        let kept = self.keeper.settle()?;
        self.tell(kept);
        if !unfinished.games.is_empty() {
            unfinished.record.summary = self.source.summary();
            self.keeper.ledger()?.keep_unfinished(vec![unfinished])?;
        }
        Err(self.stopped())
    }

    fn stopped(&self) -> Error {
        self.runner.stop_error(self.source.name())
    }
}
