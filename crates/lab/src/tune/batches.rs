//! The arena as an optimizer's problem: batches of pairs, played or recalled.

use super::ledger::{BatchRecord, BatchSummary, Ledger, Stage, UnfinishedBatch};
use super::opponents::{PairPlace, TuneOpponents, is_quick};
use super::progress::{Observer, Progress};
use super::regression::Posterior;
use super::space::Space;
use super::target::Target;
use crate::any::AnyOpening;
use crate::arena::queue::Threads;
use crate::arena::{
    Book, BookState, ForfeitWatch, GameRecord, PairRecord, PairRunner, PairSpec, PairTask, Queue,
    Sets,
};
use crate::error::{Error, Result};
use crate::game::Side;
use crate::search::{Limits, Stop};
use std::collections::VecDeque;
use std::sync::Arc;

/// A pair to be played: the weights, or the constants of the search, of its two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duel {
    /// All weights of both players in the order of the feature list, or all their constants in that
    /// of theirs.
    pub values: [Vec<i32>; 2],
    /// Which opening of the batch is played: duels with the same number share one.
    pub opening: usize,
    /// Whether this is the current answer meeting the start, for the running estimate. Probes stand
    /// at the end of a batch.
    pub probe: bool,
}

/// A batch that is begun and not yet collected.
struct Batch {
    number: u64,
    duels: Vec<Duel>,
    /// The place of the first probe: probes stand at the end.
    probes: usize,
    fingerprint: String,
    source: Source,
}

/// The scores and the games of the first pairs of a batch.
type FirstPairs = (Vec<u8>, Vec<GameRecord>);

enum Source {
    /// On record, with these pair scores, and so many forfeited pairs until then.
    Recalled(Vec<u8>, u64),
    /// In progress on these openings; `book` is the state of the book after drawing them, and
    /// `known` are its first pairs, if an earlier process has played them.
    Played { openings: Vec<(u64, AnyOpening)>, book: BookState, known: FirstPairs },
}

/// The candidate numbers of the openings given out in recalled batches, and where the book stood
/// afterwards.
#[derive(Default)]
struct Recalled {
    given: Vec<u64>,
    book: Option<BookState>,
}

/// Batches of pairs, played by the arena or recalled from the record.
pub struct Batches<'a> {
    space: Space,
    /// The pair of the start against itself, without an opening.
    pair: PairSpec,
    sets: Arc<Sets>,
    runner: PairRunner,
    queue: Queue<Result<PairRecord>>,
    book: Book,
    ledger: &'a mut dyn Ledger,
    observer: &'a mut dyn Observer,
    interrupt: Stop,
    batches: VecDeque<Batch>,
    next: u64,
    opponents: Option<TuneOpponents>,
    quick_limits: Option<Limits>,
    quick_pairs: f64,
    /// What recalled batches did to the book, until the first batch is played.
    recalled: Option<Recalled>,
    watch: ForfeitWatch,
    progress: Progress,
}

/// What [`Batches`] are made of.
pub struct BatchesConfig<'a> {
    /// What is tuned.
    pub space: Space,
    /// The pair of the start against itself, without an opening.
    pub pair: PairSpec,
    /// The sets of the start and of the opponents.
    pub sets: Sets,
    /// Plays the pairs.
    pub runner: PairRunner,
    /// The threads that it plays on.
    pub threads: Threads,
    /// Where openings come from.
    pub book: Book,
    /// Where finished batches are kept.
    pub ledger: &'a mut dyn Ledger,
    /// Sees each batch.
    pub observer: &'a mut dyn Observer,
    /// Once set, no further pair begins; those in progress are finished.
    pub interrupt: Stop,
    /// The opponents, and when they take part.
    pub opponents: Option<TuneOpponents>,
    /// The limits of quick pairs, where there are some.
    pub quick_limits: Option<Limits>,
    /// The share of the pairs that are quick.
    pub quick_pairs: f64,
    /// Games that the tune has played before the first batch.
    pub games_before: u64,
    /// Games planned.
    pub planned: u64,
}

impl<'a> Batches<'a> {
    /// Batches of which none is begun.
    pub fn new(config: BatchesConfig<'a>) -> Self {
        let mut progress = Progress::new(config.planned, config.space.start());
        progress.games = config.games_before;
        let mut book = config.book;
        book.judge_on(&config.threads);
        Self {
            space: config.space,
            pair: config.pair,
            sets: Arc::new(config.sets),
            runner: config.runner,
            queue: Queue::new(&config.threads),
            book,
            ledger: config.ledger,
            observer: config.observer,
            interrupt: config.interrupt,
            batches: VecDeque::new(),
            next: 0,
            opponents: config.opponents,
            quick_limits: config.quick_limits,
            quick_pairs: config.quick_pairs,
            recalled: Some(Recalled::default()),
            watch: ForfeitWatch::default(),
            progress,
        }
    }

    /// The progress so far.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// The book with all openings given out, which the validation must avoid, the ledger and the
    /// observer.
    pub fn into_parts(mut self) -> (Book, &'a mut dyn Ledger, &'a mut dyn Observer) {
        self.end_replay();
        (self.book, self.ledger, self.observer)
    }

    /// Begins a batch. When the run is interrupted nothing begins.
    ///
    /// # Errors
    /// When the record of this batch belongs to other settings, or it has to be played without the
    /// engines of others.
    pub fn submit(&mut self, duels: Vec<Duel>) -> Result<()> {
        let fingerprint = fingerprint(&duels);
        let number = self.next;
        let probes = duels.iter().position(|duel| duel.probe).unwrap_or(duels.len());
        if let Some(record) = self.ledger.recall(Stage::Tune, number) {
            record.check(&fingerprint, duels.len())?;
            if let Some(recalled) = &mut self.recalled {
                recalled.given.extend(&record.openings);
                recalled.book = Some(record.book.clone());
            }
            let source = Source::Recalled(record.points.clone(), record.summary.forfeited_pairs);
            self.next += 1;
            self.batches.push_back(Batch { number, duels, probes, fingerprint, source });
            return Ok(());
        }
        if self.interrupt.is_set() {
            return Ok(());
        }
        self.check_engines(number)?;
        self.end_replay();
        self.next += 1;
        let count = duels.iter().map(|duel| duel.opening + 1).max().unwrap_or(0);
        let openings: Vec<(u64, AnyOpening)> = (0..count).map(|_| self.book.draw()).collect();
        let known = self.known_pairs(number, &fingerprint, &openings, duels.len());
        for (index, duel) in duels.iter().enumerate().skip(known.0.len()) {
            let met = self.opponent(number, index, [probes, duels.len()]);
            let limits = self.quick_limits.filter(|_| is_quick(self.quick_pairs, index as u64));
            let mut spec = self.spec(duel, &openings[duel.opening].1, limits);
            spec.opponent =
                met.and_then(|(place, side)| self.opponents.as_ref()?.against(place, side));
            self.queue.submit(PairTask {
                runner: self.runner.clone(),
                sets: self.sets.clone(),
                spec,
                interrupt: self.interrupt.clone(),
            });
        }
        let source = Source::Played { openings, book: self.book.state().clone(), known };
        self.batches.push_back(Batch { number, duels, probes, fingerprint, source });
        Ok(())
    }

    /// Checks that the engines of others are there for a batch that is to be played.
    fn check_engines(&self, batch: u64) -> Result<()> {
        let wanted = self.opponents.as_ref().map_or(0, TuneOpponents::engines);
        let there = self.runner.engines();
        if there == wanted {
            return Ok(());
        }
        let reason = format!("not on record, and {there} of its {wanted} engines are there");
        Err(Error::input(format!("batch {batch} of the tune"), reason)
            .remedy("if the run is past its tune, its journal has been edited: restore it"))
    }

    /// The pairs of a batch that an interrupted process has played.
    fn known_pairs(
        &self,
        batch: u64,
        fingerprint: &str,
        openings: &[(u64, AnyOpening)],
        pairs: usize,
    ) -> FirstPairs {
        let known = self.ledger.recall_unfinished(Stage::Tune, batch);
        let known = known.filter(|known| known.fits(fingerprint, pairs));
        let drawn = openings.iter().map(|(candidate, _)| candidate);
        match known.filter(|known| drawn.eq(&known.record.openings)) {
            Some(known) => (known.record.points.clone(), known.games.clone()),
            None => FirstPairs::default(),
        }
    }

    /// The place and the side of the opponent in a pair of a batch, given the batch's number, the
    /// pair's place in it, and the number of pairs before the probes and of all. Probes are played
    /// without opponents, unless the batch has nothing else.
    fn opponent(
        &self,
        batch: u64,
        index: usize,
        [probes, all]: [usize; 2],
    ) -> Option<(usize, Side)> {
        let taught = if probes == 0 { all } else { probes };
        let opponents = self.opponents.as_ref().filter(|_| index < taught)?;
        let (index, pairs, quick_pairs) = (index as u64, taught as u64, self.quick_pairs);
        opponents.of_pair(PairPlace { batch, index, pairs, quick_pairs })
    }

    /// Restores the book to its state after the recalled batches.
    fn end_replay(&mut self) {
        if let Some(Recalled { given, book: Some(state) }) = self.recalled.take() {
            self.book.restore(&given, state);
        }
    }

    /// Waits for the oldest batch in progress, and keeps it once `learn` has seen its results: the
    /// pair scores of the first players, 0 to 4, in the order of the duels. `learn` gives what the
    /// optimizer believes then.
    ///
    /// # Errors
    /// When the run is interrupted and no batch is in progress, or the batch cannot be kept.
    pub fn collect(&mut self, learn: impl FnOnce(&[u8]) -> Posterior) -> Result<()> {
        let Some(batch) = self.batches.pop_front() else {
            return Err(Error::interrupted("tune", "stopped early"));
        };
        let (number, probes, pairs) = (batch.number, batch.probes, batch.duels.len());
        if let Source::Recalled(pair_scores, forfeited) = &batch.source {
            self.progress.forfeited_pairs = *forfeited;
            self.count(number, probes, pair_scores, learn);
        } else {
            let UnfinishedBatch { mut record, games } = self.await_pairs(batch)?;
            if record.points.len() < pairs {
                return self.interrupted(UnfinishedBatch { record, games });
            }
            self.progress.played += 2 * pairs as u64;
            self.progress.forfeited_pairs += forfeited_pairs(&games);
            self.count(number, probes, &record.points, learn);
            record.summary = self.progress.summary();
            self.ledger.keep(record, &games)?;
        }
        self.observer.on_batch(&self.progress);
        Ok(())
    }

    /// Takes the results of a batch into account.
    fn count(
        &mut self,
        number: u64,
        probes: usize,
        pair_scores: &[u8],
        learn: impl FnOnce(&[u8]) -> Posterior,
    ) {
        for (index, &pair_score) in pair_scores.iter().enumerate().skip(probes) {
            if self.opponent(number, index, [probes, pair_scores.len()]).is_none() {
                self.progress.add_probe(pair_score);
            }
        }
        self.progress.games += 2 * pair_scores.len() as u64;
        self.progress.learn(learn(pair_scores));
    }

    /// Waits for the pairs of a batch; gives its record, with as many of the first pairs as were
    /// finished.
    fn await_pairs(&mut self, batch: Batch) -> Result<UnfinishedBatch> {
        let Batch { number, duels, probes, fingerprint, source } = batch;
        let Source::Played { openings, book, known: (mut points, mut games) } = source else {
            return Err(Error::failed("tune", "a batch on record is played"));
        };
        let (known, mut is_whole) = (points.len(), true);
        for (index, duel) in duels.iter().enumerate().skip(known) {
            let result =
                self.queue.take().ok_or_else(|| Error::interrupted("tune", "stopped early"))??;
            is_whole &= result.is_complete();
            if !is_whole {
                continue;
            }
            points.push(result.pair_score());
            let pair = number * duels.len() as u64 + index as u64;
            let opening = &openings[duel.opening].1;
            let mut records = self.records(duel, pair, opening, &result);
            if let Some((place, side)) = self.opponent(number, index, [probes, duels.len()]) {
                self.note_opponent(place, side, &mut records);
                self.watch_opponent(place, side, &result)?;
            }
            games.extend(records);
        }
        let record = BatchRecord {
            stage: Stage::Tune,
            batch: number,
            openings: openings.iter().map(|(candidate, _)| *candidate).collect(),
            points,
            check: fingerprint,
            book,
            summary: BatchSummary::default(),
        };
        Ok(UnfinishedBatch { record, games })
    }

    /// Keeps what is finished of the batches in progress, of which the first one is given, and
    /// ends.
    fn interrupted(&mut self, first: UnfinishedBatch) -> Result<()> {
        let mut unfinished = vec![first];
        while let Some(batch) = self.batches.pop_front() {
            unfinished.push(self.await_pairs(batch)?);
        }
        unfinished.retain(|batch| !batch.games.is_empty());
        self.ledger.keep_unfinished(unfinished)?;
        Err(self.runner.stop_error("tune"))
    }
}

impl Batches<'_> {
    /// A duel as a pair, with limits of its own where there are some.
    fn spec(&self, duel: &Duel, opening: &AnyOpening, limits: Option<Limits>) -> PairSpec {
        let mut spec = self.pair.from_opening(opening);
        for (player, values) in spec.players.iter_mut().zip(&duel.values) {
            self.space.apply(values, player);
            player.limits = limits.unwrap_or(player.limits);
        }
        spec
    }

    /// The games of a pair, with what both sides played with.
    fn records(
        &self,
        duel: &Duel,
        number: u64,
        opening: &AnyOpening,
        result: &PairRecord,
    ) -> [GameRecord; 2] {
        let names = if duel.probe { ["answer", "start"] } else { ["plus", "minus"] };
        let [a, b] = &duel.values;
        let weights = self.space.weights(a).zip(self.space.weights(b));
        let weights = weights.as_ref().map(|(a, b)| [a.as_slice(), b.as_slice()]);
        let pair =
            GameRecord::of_pair(number, names, &self.pair.from_opening(opening), result, weights);
        if !self.space.knobs().iter().any(|knob| knob.target == Target::Search) {
            return pair;
        }
        GameRecord::with_constants(pair, [&self.space.constants(a), &self.space.constants(b)])
    }

    /// Ends the tune when an opponent does not play.
    fn watch_opponent(&mut self, place: usize, side: Side, result: &PairRecord) -> Result<()> {
        let watched = self.opponents.as_ref().and_then(|opponents| opponents.watched(place));
        let Some((name, limit)) = watched else { return Ok(()) };
        result.games.iter().try_for_each(|game| {
            let lost = game.forfeit.as_ref().filter(|_| game.forfeited_by() == Some(side));
            self.watch.count(name, limit, game.totals[side.index()].moves, lost)
        })
    }

    /// Enters an opponent in the records of its games, and reports those that it forfeited.
    fn note_opponent(&mut self, place: usize, side: Side, records: &mut [GameRecord]) {
        let opponents = self.opponents.as_ref();
        let Some(name) = opponents.and_then(|opponents| opponents.name(place)) else { return };
        let side = side.index();
        for record in records {
            record.players[side] = name.to_owned();
            // It has neither the weights nor the constants of the pair.
            record.weights.iter_mut().for_each(|weights| weights[side].clear());
            record.constants.iter_mut().for_each(|constants| constants[side].clear());
            if let Some(forfeit) = &record.forfeit {
                self.observer.on_forfeit(name, forfeit);
            }
        }
    }
}

/// The pairs with a game that was forfeited.
fn forfeited_pairs(games: &[GameRecord]) -> u64 {
    games.chunks(2).filter(|pair| pair.iter().any(|game| game.forfeit.is_some())).count() as u64
}

/// A short digest of the numbers in a batch (FNV-1a, 64 bits, in hexadecimal).
fn fingerprint(duels: &[Duel]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for duel in duels {
        for value in duel.values.iter().flatten() {
            add(&value.to_le_bytes());
        }
        add(&(duel.opening as u64).to_le_bytes());
    }
    format!("{hash:016x}")
}
