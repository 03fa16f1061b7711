//! A match within a run: its pairs are kept in batches, and those on record are not played again.

use super::ledger::{BatchRecord, BatchSummary, Ledger, Stage};
use super::settings::TuneSettings;
use super::validation::Validation;
use crate::arena::queue::Threads;
use crate::arena::{
    Book, BookState, GameRecord, Match, MatchConfig, MatchSettings, PairDone, PairRunner,
};
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::Board;
use crate::player::Player;
use crate::search::{Limits, SearchConstants, Stop};
use crate::stats::{CapRule, Decision, PairCounts, Sprt, Summary};
use crate::weights::{Weight, WeightSet};

/// A match that decides about a candidate, or measures it.
pub(super) struct ProofMatch<'a> {
    /// The configuration of the run.
    pub(super) config: &'a TuneSettings,
    /// The threads that play.
    pub(super) threads: &'a Threads,
    /// Once set, no further batch begins.
    pub(super) interrupt: &'a Stop,
    /// The candidate and the player that it must beat.
    pub(super) players: [&'a Player; 2],
    /// Their names in the records of games.
    pub(super) names: [&'static str; 2],
    /// The limits of each move.
    pub(super) limits: Limits,
    /// How long it goes on. The test counts only where there is a rule.
    pub(super) settings: Validation,
    /// What decides when the pairs are used up; `None` in a match that only measures, and plays all
    /// of them.
    pub(super) rule: Option<CapRule>,
    /// The stage that its batches are recorded under.
    pub(super) stage: Stage,
    /// The number of its first batch: those before it belong to earlier matches.
    pub(super) first_batch: u64,
    /// Games of the run before it.
    pub(super) games_before: u64,
}

/// The result of such a match.
pub(super) struct ProofResult {
    /// Its numbers, from the candidate; the verdict is the frozen one.
    pub(super) summary: Summary,
    /// What was decided; `None` where there was no rule, or no pair to play.
    pub(super) decision: Option<Decision>,
    /// The number of the batch after its last one.
    pub(super) next_batch: u64,
}

impl ProofMatch<'_> {
    /// Plays the match, or the rest of it. `given` are the candidate numbers of the book's openings
    /// that earlier matches took; those of this one are added.
    ///
    /// # Errors
    /// When the record belongs to other settings, a batch cannot be kept, or the run is
    /// interrupted.
    pub(super) fn play<G: Game>(
        &self,
        book: &mut Book<G>,
        given: &mut Vec<u64>,
        ledger: &mut dyn Ledger,
        on_pair: &mut dyn FnMut(PairCounts),
    ) -> Result<ProofResult> {
        let Validation { pairs, least_pairs, sprt, .. } = self.settings;
        let sprt = self.rule.map(|_| sprt);
        let config = MatchConfig { pairs, sprt, least_pairs: least_pairs.min(pairs) };
        let [a, b] = self.players;
        let evaluator = G::evaluator(&b.weights)?;
        let evaluators = match a.weights == b.weights {
            true => [evaluator.clone(), evaluator],
            false => [G::evaluator(&a.weights)?, evaluator],
        };
        let constants = [a.constants.clone(), b.constants.clone()];
        let settings =
            MatchSettings { limits: [self.limits; 2], ..self.config.match_settings(constants) };
        let runner = PairRunner::new(settings, Stop::default());
        let mut game_match = Match::new(config, runner, evaluators);
        let mut writer = BatchWriter::new(self, book.state(), ledger)?;
        writer.recall(&mut game_match, book, given)?;
        let stop_between_batches =
            |writer: &BatchWriter| match self.interrupt.is_set() && writer.points.is_empty() {
                true => Err(Error::interrupted("match", "stopped early")),
                false => Ok(()),
            };
        if game_match.ended().is_none() {
            stop_between_batches(&writer)?;
        }
        // A batch in progress is finished even after an interruption: half a batch cannot be kept.
        game_match.run(book, self.threads, &Stop::default(), &mut |done| {
            given.push(done.candidate);
            writer.add::<G>(done)?;
            on_pair(done.counts);
            stop_between_batches(&writer)
        })?;
        writer.flush()?;
        // Pairs in progress took further openings when the match ended: how many depends on the
        // threads.
        book.restore(given, writer.book.clone());
        let summary = game_match
            .tracker()
            .map_or_else(|| Summary::of(&game_match.counts(), None), |t| t.summary());
        let tracker = game_match.tracker().filter(|tracker| tracker.counts().pairs() > 0);
        let decision = tracker.zip(self.rule).map(|(tracker, rule)| Decision::of(tracker, rule));
        Ok(ProofResult { summary, decision, next_batch: writer.batch })
    }
}

/// Collects pairs in batches and keeps each full batch.
struct BatchWriter<'k> {
    ledger: &'k mut dyn Ledger,
    board: Board,
    stage: Stage,
    names: [&'static str; 2],
    weights: [Vec<i32>; 2],
    /// The constants that meet, where these make the difference.
    constants: Option<[&'k SearchConstants; 2]>,
    /// The fingerprints of the sets with tables, whose weights are not in the records of games.
    fingerprints: Option<[String; 2]>,
    check: String,
    batch_pairs: usize,
    batch: u64,
    openings: Vec<u64>,
    points: Vec<u8>,
    games: Vec<GameRecord>,
    book: BookState,
    /// All pairs of the match.
    counts: PairCounts,
    sprt: Option<Sprt>,
    games_before: u64,
}

impl<'k> BatchWriter<'k> {
    fn new(proof: &ProofMatch<'k>, book: &BookState, ledger: &'k mut dyn Ledger) -> Result<Self> {
        let single =
            |set: &WeightSet| set.weights.iter().filter_map(|(name, _)| set.one(name)).collect();
        let is_table =
            |set: &&WeightSet| set.weights.iter().any(|(_, w)| matches!(w, Weight::Table(_)));
        let [a, b] = proof.players;
        let sets = [&a.weights, &b.weights];
        let fingerprints = sets.map(WeightSet::fingerprint);
        Ok(Self {
            ledger,
            board: proof.config.board.parse()?,
            stage: proof.stage,
            names: proof.names,
            weights: sets.map(single),
            constants: (a.constants != b.constants).then_some([&a.constants, &b.constants]),
            check: proof.players.map(Player::fingerprint).join("-"),
            fingerprints: sets.iter().any(is_table).then_some(fingerprints),
            batch_pairs: proof.settings.batch_pairs as usize,
            batch: proof.first_batch,
            openings: Vec::new(),
            points: Vec::new(),
            games: Vec::new(),
            book: book.clone(),
            counts: PairCounts::default(),
            sprt: proof.rule.map(|_| proof.settings.sprt),
            games_before: proof.games_before,
        })
    }

    /// Counts the pairs on record and restores the book to its state after them.
    fn recall<G: Game>(
        &mut self,
        game_match: &mut Match<G>,
        book: &mut Book<G>,
        given: &mut Vec<u64>,
    ) -> Result<()> {
        let first = self.batch;
        while game_match.ended().is_none() {
            let Some(record) = self.ledger.recall(self.stage, self.batch) else { break };
            record.check(&self.check, record.openings.len())?;
            record.points.iter().for_each(|&points| game_match.count(points));
            given.extend(&record.openings);
            self.book = record.book.clone();
            self.batch += 1;
        }
        if self.batch > first {
            book.restore(given, self.book.clone());
        }
        Ok(())
    }

    fn add<G: Game>(&mut self, done: &PairDone<G>) -> Result<()> {
        let [a, b] = &self.weights;
        let weights = Some([a.as_slice(), b.as_slice()]);
        let pair = |weights| {
            GameRecord::of_pair(
                done.number,
                self.board,
                self.names,
                done.opening,
                done.result,
                weights,
            )
        };
        if let Some(both) = self.constants {
            self.games.extend(GameRecord::with_constants(pair(None), both));
            return self.count(done);
        }
        let pair = pair(weights);
        let sets = self.fingerprints.as_ref();
        let sets = sets.map(|[a, b]| [[a.clone(), b.clone()], [b.clone(), a.clone()]]);
        let sets = sets.map_or([None, None], |sets| sets.map(Some));
        self.games
            .extend(pair.into_iter().zip(sets).map(|(game, sets)| GameRecord { sets, ..game }));
        self.count(done)
    }

    /// Adds a pair to the batch; its games are added already.
    fn count<G: Game>(&mut self, done: &PairDone<G>) -> Result<()> {
        self.openings.push(done.candidate);
        self.points.push(done.result.pair_score());
        self.book = done.book.clone();
        self.counts = done.counts;
        if self.points.len() == self.batch_pairs { self.flush() } else { Ok(()) }
    }

    /// Keeps the batch, even if it is not full.
    fn flush(&mut self) -> Result<()> {
        if self.points.is_empty() {
            return Ok(());
        }
        let record = BatchRecord {
            stage: self.stage,
            batch: self.batch,
            openings: std::mem::take(&mut self.openings),
            points: std::mem::take(&mut self.points),
            check: self.check.clone(),
            book: self.book.clone(),
            summary: self.summary(),
        };
        self.batch += 1;
        self.ledger.keep(record, &std::mem::take(&mut self.games))
    }

    fn summary(&self) -> BatchSummary {
        let Summary { pairs, elo, elo_error, llr, .. } =
            Summary::of(&self.counts, self.sprt.as_ref());
        let games = self.games_before + pairs.games();
        BatchSummary { games, pairs, elo, elo_error, llr, ..BatchSummary::default() }
    }
}
