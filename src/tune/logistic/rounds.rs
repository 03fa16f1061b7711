//! The tune in rounds: games of the best set so far, a fit to their positions, and a match that
//! says whether it gained; the same again with the fitted set, as long as it does.
//!
//! Each round fits to the positions of the newer half of the rounds. Those of earlier ones would
//! make many more, but weaker weights played and judged them: two rounds of five made the stronger
//! set (see docs/measurements/2026-11-22-design-choices.md). A number that grows with the rounds
//! gives the late fits, which have the least to gain, the most positions. A scale of its own (K)
//! for each round makes the scores comparable.

use super::fit::{PenaltyResult, Step};
use super::generate::run as play_games;
use super::samples::{Header, PositionSource};
use super::schedule::FittingPlan;
use super::task::FitTask;
use super::uncertainty::Uncertainty;
use crate::arena::Book;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::player::Player;
use crate::stats::{PairCounts, Summary, Verdict};
use crate::tune::driver::{Tune, TuneResult};
use crate::tune::ledger::{Ledger, Stage};
use crate::tune::progress::{Observer, Progress};
use crate::tune::proof_match::ProofMatch;
use crate::weights::WeightSet;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The progress of a round's positions: a line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionsRecord {
    /// The round, from 1.
    pub round: u64,
    /// Its games until now.
    pub games: u64,
    /// Its records until now.
    pub positions: u64,
    /// The length of the file with them.
    pub bytes: u64,
    /// The checksum of what this line added to the file: records, after the header in the first
    /// line.
    pub digest: String,
}

/// The result of a round's fit: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitRecord {
    /// The round, from 1.
    pub round: u64,
    /// Training and validation positions, repetitions left out.
    pub positions: [u64; 2],
    /// The divisors of the scores, for each round's positions, in percent of a piece's worth.
    pub k: Vec<f64>,
    /// The share of the scores in what was fitted, where that was not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<f64>,
    /// Units of the set's weights that make a logit.
    pub units: f64,
    /// The loss per validation position at the start, in nats.
    pub start: f64,
    /// The penalties tried.
    pub trials: Vec<PenaltyResult>,
    /// The place of the one that won.
    pub best: usize,
    /// The fingerprint of the fitted set.
    pub weights: String,
}

impl FitRecord {
    /// The penalty that won.
    pub fn penalty(&self) -> Option<f64> {
        self.trials.get(self.best).map(|trial| trial.penalty)
    }

    /// The loss per validation position after the fit, in nats.
    pub fn loss(&self) -> Option<f64> {
        self.trials.get(self.best).map(|trial| trial.validation)
    }
}

/// The result of a round: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// The round, from 1.
    pub round: u64,
    /// Whether its set is better than the best before it, and has taken its place.
    pub accepted: bool,
    /// Pairs of the match.
    pub pairs: PairCounts,
    /// The Elo over the best before it; `None` where it is not defined.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
}

/// The record of a tune in rounds.
pub trait RoundLedger: Ledger {
    /// The progress of a round's positions, if there are any.
    fn positions(&self, round: u64) -> Option<&PositionsRecord>;

    /// Adds the records of further games to those of a round. When this returns, they are safe.
    ///
    /// # Errors
    /// When they cannot be written; then nothing of them is on record.
    fn keep_positions(
        &mut self,
        round: u64,
        header: &Header,
        games: u64,
        records: &[u8],
    ) -> Result<()>;

    /// The positions of these rounds.
    ///
    /// # Errors
    /// When they cannot be read, or have changed since they were kept.
    fn samples(&mut self, rounds: RangeInclusive<u64>) -> Result<Box<dyn PositionSource>>;

    /// The fit of a round, if it is done.
    fn fit(&self, round: u64) -> Option<&FitRecord>;

    /// Keeps a fit and its set.
    ///
    /// # Errors
    /// When they cannot be written, or the fit on record is another one.
    fn keep_fit(&mut self, record: FitRecord, set: &WeightSet) -> Result<()>;

    /// The set of a fit that is done; `None` when it is gone and must be fitted again.
    ///
    /// # Errors
    /// When it cannot be read, or has changed since it was kept.
    fn fitted(&self, round: u64) -> Result<Option<WeightSet>>;

    /// The end of a round, if it is over.
    fn round(&self, round: u64) -> Option<&RoundRecord>;

    /// Keeps the end of a round.
    ///
    /// # Errors
    /// When it cannot be written, or the one on record is another one.
    fn keep_round(&mut self, record: RoundRecord) -> Result<()>;
}

/// What observers of a tune in rounds see.
#[derive(Clone, Copy, Debug)]
pub enum RoundEvent<'a> {
    /// Games of a round.
    Generated {
        /// The round.
        round: u64,
        /// Its games until now, and all of them.
        games: [u64; 2],
        /// Its positions until now.
        positions: u64,
    },
    /// A step of a round's fit.
    Fitting(u64, Step),
    /// A round's fit is done. How sure it is of the weights is known unless it was read from the
    /// record.
    Fitted(&'a FitRecord, Option<&'a Uncertainty>),
    /// A pair of a round's match.
    Pair(u64, PairCounts),
    /// A round is over.
    Judged(&'a RoundRecord),
}

/// The state of a tune in rounds.
struct Rounds<'s, 'o> {
    tune: &'s Tune<'s>,
    plan: &'s FittingPlan,
    ledger: &'o mut dyn RoundLedger,
    observer: &'o mut dyn Observer,
    best: Player,
    games: u64,
    batches: u64,
    /// The candidate numbers of the openings of all matches.
    given: Vec<u64>,
}

impl Tune<'_> {
    /// Runs a tune in rounds to its end; what the ledger has on record is not done again.
    ///
    /// # Errors
    /// When the configuration is not sound, the record belongs to another run, something cannot be
    /// kept, or the run is interrupted.
    pub fn run_rounds<G: Game>(
        &self,
        ledger: &mut dyn RoundLedger,
        observer: &mut dyn Observer,
    ) -> Result<TuneResult> {
        self.config.check()?;
        let Some(plan) = self.config.fitting() else {
            return Err(Error::input("plan", "has no rounds")
                .remedy("restore the manifest as the run wrote it"));
        };
        let mut book = Book::<G>::new(self.config.book.clone(), G::evaluator(self.start)?)?;
        let best = self.config.start_player(self.start);
        let mut rounds = Rounds {
            tune: self,
            plan,
            ledger,
            observer,
            best,
            games: 0,
            batches: 0,
            given: Vec::new(),
        };
        let mut in_vain = 0;
        for round in 1..=plan.most_rounds(self.config.games) {
            rounds.generate::<G>(round)?;
            let set = rounds.fit::<G>(round)?;
            let gained = rounds.judge::<G>(round, set, &mut book)?;
            in_vain = if gained { 0 } else { in_vain + 1 };
            if in_vain == plan.patience {
                break;
            }
        }
        let Rounds { best, games, ledger, observer, .. } = rounds;
        let mut progress = Progress::new(self.config.games, Vec::new());
        progress.games = games;
        self.validate(best, book, progress, ledger, observer)
    }
}

impl Rounds<'_, '_> {
    /// Plays the games of a round.
    fn generate<G: Game>(&mut self, round: u64) -> Result<()> {
        let settings = self.tune.config;
        let config = self.plan.games_of::<G>(settings, round)?;
        let known = self.ledger.positions(round);
        let (first, mut positions) = known.map_or((0, 0), |known| (known.games, known.positions));
        self.games += config.games;
        let all = config.games;
        if first >= all {
            self.observer.on_round(RoundEvent::Generated { round, games: [all, all], positions });
            return Ok(());
        }
        let header = Header::new::<G>(config.board.parse()?, config.source(&self.best));
        let (mut records, mut games) = (Vec::new(), first);
        let per_line = self.plan.games_per_line(settings.games);
        let Self { ledger, observer, tune, best, .. } = self;
        let evaluator = G::evaluator(&best.weights)?;
        let (threads, interrupt) = (&tune.threads, &tune.interrupt);
        play_games::<G>(
            &config,
            (&evaluator, &best.constants),
            threads,
            (first, per_line),
            interrupt,
            &mut |harvest| {
                records.extend_from_slice(&harvest.records);
                games += 1;
                if games.is_multiple_of(per_line) || games == all {
                    ledger.keep_positions(round, &header, games, &records)?;
                    positions += (records.len() / header.record.max(1)) as u64;
                    records.clear();
                }
                observer.on_round(RoundEvent::Generated { round, games: [games, all], positions });
                Ok(())
            },
        )?;
        if games < all {
            return Err(Error::interrupted("tune", "stopped early"));
        }
        Ok(())
    }

    /// Fits a set to the positions of the newer rounds.
    fn fit<G: Game>(&mut self, round: u64) -> Result<WeightSet> {
        let Self { ledger, observer, tune, plan, best, .. } = self;
        if let Some(record) = ledger.fit(round)
            && let Some(set) = ledger.fitted(round)?
        {
            observer.on_round(RoundEvent::Fitted(record, None));
            return Ok(set);
        }
        let samples = ledger.samples(plan.fitted_rounds(round))?;
        let mut fit_config = plan.fit.clone();
        let chosen = plan.chooser(round).and_then(|chooser| ledger.fit(chooser));
        if let Some(penalty) = chosen.and_then(FitRecord::penalty) {
            fit_config.penalties = vec![penalty];
        }
        let task = FitTask {
            samples: &*samples,
            board: tune.config.board.parse()?,
            start: &best.weights,
            config: &fit_config,
            threads: tune.threads.clone(),
            stop: tune.interrupt.clone(),
        };
        let watcher = std::cell::RefCell::new(&mut **observer);
        let fit =
            task.run::<G>(&|step| watcher.borrow_mut().on_round(RoundEvent::Fitting(round, step)))?;
        let uncertainty = Uncertainty::of(&fit)?;
        let mut set = fit.set;
        set.name = format!("{}-logistic-{round}", tune.start.name);
        set.description = format!(
            "Round {round} of a logistic tune from {}. Its validation is that of the run.",
            tune.start.name
        );
        let record = FitRecord {
            round,
            positions: fit.fitted.positions,
            k: fit.data.score_scales,
            blend: plan.fit.blend.is_none().then_some(fit.data.blend),
            units: fit.units,
            start: fit.fitted.start,
            trials: fit.fitted.trials,
            best: fit.fitted.best,
            weights: set.fingerprint(),
        };
        ledger.keep_fit(record.clone(), &set)?;
        observer.on_round(RoundEvent::Fitted(&record, Some(&uncertainty)));
        Ok(set)
    }

    /// Plays a round's set against the best so far and replaces that when the test accepts the set.
    /// Returns whether it was accepted.
    fn judge<G: Game>(&mut self, round: u64, set: WeightSet, book: &mut Book<G>) -> Result<bool> {
        let candidate = self.tune.config.start_player(&set);
        let proof = ProofMatch {
            tune: self.tune,
            players: [&candidate, &self.best],
            names: ["candidate", "best"],
            settings: self.plan.round_match(self.tune.config),
            stage: Stage::Round,
            first_batch: self.batches,
            games_before: self.games,
        };
        let Self { ledger, observer, given, .. } = self;
        let ledger: &mut dyn Ledger = &mut **ledger;
        let result = proof.play::<G>(book, given, ledger, &mut |counts| {
            observer.on_round(RoundEvent::Pair(round, counts));
        })?;
        let Summary { verdict, pairs, elo, elo_error, .. } = result.summary;
        let accepted = verdict == Some(Verdict::H1);
        let record = RoundRecord { round, accepted, pairs, elo, elo_error };
        self.observer.on_round(RoundEvent::Judged(&record));
        self.ledger.keep_round(record)?;
        self.games += pairs.games();
        self.batches = result.next_batch;
        if accepted {
            self.best = candidate;
        }
        Ok(accepted)
    }
}
