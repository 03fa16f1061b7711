//! The tune in rounds: games of the best set so far, a fit to their positions, and a match that
//! refuses the fitted set if it is likely worse; then the same with the better set.
//!
//! The match is a step of a search, not a claim. A test as strict as the validation would discard
//! most small gains, and the validation of all rounds together needs many of them.
//!
//! Each round fits to the positions of the newer half of the rounds. Positions of earlier ones
//! would make many more, but weaker weights played and judged them: two rounds of five made the
//! stronger set (see docs/measurements/archive/2026-11-22-design-choices.md). A number that grows
//! with the rounds gives the late fits, which have the least to gain, the most positions. A scale
//! (K) for each round, shrunk toward the scale of all rounds by its error, makes the scores
//! comparable.

use super::fit_error::FitResult;
use super::generate::{GenerateConfig, run as play_games};
use super::round_clock::RoundClock;
use super::round_ledger::{FitRecord, RoundEvent, RoundLedger, RoundRecord, UnfinishedGames};
use super::samples::{Header, PositionSource};
use super::schedule::{FittingPlan, Schedule, TrainingPlan};
use super::task::FitTask;
use super::uncertainty::Uncertainty;
use crate::arena::Book;
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::player::Player;
use crate::session::{Stage, while_keeping};
use crate::stats::{CapRule, Summary};
use crate::tune::driver::Tune;
use crate::tune::network::{CheckpointStore, TrainTask, TrainingMemory, weights_beside};
use crate::tune::plan::Plan;
use crate::tune::progress::Observer;
use crate::tune::proof_match::ProofMatch;
use crate::tune::validation::MOST_GAMES;
use crate::weights::{Provenance, WeightSet};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// The state of a tune in rounds.
struct Rounds<'s, 'o> {
    tune: &'s Tune<'s>,
    game: GameId,
    schedule: Schedule,
    /// Plans the rounds of a tune with a time limit.
    clock: Option<RoundClock<'s>>,
    /// The games of each round that is over.
    done: Vec<u64>,
    ledger: &'o mut dyn RoundLedger,
    observer: &'o mut dyn Observer,
    best: Player,
    games: u64,
    batches: u64,
    /// The positions of earlier runs.
    older: Option<Box<dyn PositionSource>>,
}

impl Tune<'_> {
    /// Plays the rounds. Returns the best player, the number of games played, and the book of the
    /// matches.
    pub(in crate::tune) fn play_rounds(
        &self,
        ledger: &mut dyn RoundLedger,
        observer: &mut dyn Observer,
    ) -> FitResult<(Player, u64, Book)> {
        let Some(schedule) = self.config.schedule() else {
            return Err(no_rounds().into());
        };
        let game = self.config.game_id()?;
        let evaluator = game.evaluator(&self.start.weights)?;
        let mut book = Book::new(game, self.config.book.clone(), Some(&evaluator))?;
        let best = self.start.clone();
        let older = match &self.config.plan {
            Plan::Training(plan) => ledger.older(&plan.fit.older)?,
            Plan::Matches(_) | Plan::Fitting(_) => None,
        };
        let (tune, games, batches) = (self, 0, 0);
        let clock = self.pace.map(|pace| RoundClock::new(pace, self.config, &schedule));
        let done = Vec::new();
        let mut rounds = Rounds {
            tune,
            game,
            schedule,
            clock,
            done,
            ledger,
            observer,
            best,
            games,
            batches,
            older,
        };
        let (mut round, mut in_vain) = (0, 0);
        while round < rounds.schedule.most_rounds(self.config.games)
            && in_vain < rounds.schedule.patience
        {
            round += 1;
            rounds.generate(round)?;
            let set = rounds.learn(round)?;
            let gained = rounds.judge(round, set, &mut book)?;
            in_vain = if gained { 0 } else { in_vain + 1 };
            rounds.replan()?;
        }
        Ok((rounds.best, rounds.games, book))
    }
}

impl Rounds<'_, '_> {
    /// Plans the rounds that follow by the time left, if the tune has a time limit.
    fn replan(&mut self) -> Result<()> {
        let Some(clock) = &mut self.clock else { return Ok(()) };
        let change = clock.plan_after(&self.done);
        self.schedule.timed = change.round_games.clone().unwrap_or_default();
        self.ledger.note_plan(change)
    }

    /// Plays the games of a round that are not on record.
    fn generate(&mut self, round: u64) -> Result<()> {
        let settings = self.tune.config;
        let mut config = settings.round_games(&self.schedule, round)?;
        let known = self.ledger.positions(round);
        let (first, positions) = known.map_or((0, 0), |known| (known.games, known.positions));
        let mut all = config.games;
        if first < all {
            all = self.play(round, &mut config, (first, positions))?;
        } else {
            self.observer.on_round(RoundEvent::Generated { round, games: [all, all], positions });
        }
        self.games += all;
        self.done.push(all);
        Ok(())
    }

    /// Plays the games of a round from `first` on, and returns the number of all of them.
    fn play(
        &mut self,
        round: u64,
        config: &mut GenerateConfig,
        (first, mut positions): (u64, u64),
    ) -> Result<u64> {
        let settings = self.tune.config;
        let header = Header::new(self.game, config.board.parse()?, config.source(&self.best));
        let (mut records, mut games, mut all) = (Vec::new(), first, config.games);
        if let Some(known) = self.ledger.unfinished_games(round).filter(|g| g.before == first) {
            records.clone_from(&known.records);
            games += known.games;
        }
        let per_line = self.schedule.games_per_line(settings.games);
        let Self { ledger, observer, tune, best, game, clock, done, .. } = self;
        if let Some(clock) = clock {
            clock.begin_games(all);
            // The clock ends them.
            config.games = MOST_GAMES;
        }
        let evaluator = game.evaluator(&best.weights)?;
        let player = (&evaluator, &*best);
        let (threads, interrupt) = (&tune.threads, &tune.interrupt);
        // The number of positions on each line that is being kept.
        let mut lines = VecDeque::new();
        while_keeping(&mut **ledger, |keeper| {
            play_games(*game, config, player, threads, games, interrupt, &mut |harvest| {
                records.extend_from_slice(&harvest.records);
                games += 1;
                if games.is_multiple_of(per_line) || games == all {
                    let mut change = None;
                    if let Some(clock) = clock {
                        (all, change) = clock.games_of_round(done, games, per_line);
                    }
                    lines.push_back((records.len() / header.record.max(1)) as u64);
                    let (header, records) = (header.clone(), std::mem::take(&mut records));
                    keeper.keep(move |ledger| {
                        change.map_or(Ok(()), |change| ledger.note_plan(change))?;
                        ledger.keep_positions(round, &header, games, &records)
                    })?;
                }
                let is_over = games == all;
                let kept = if is_over { keeper.settle()? } else { keeper.kept()? };
                positions += lines.drain(..kept).sum::<u64>();
                let games = [games, all];
                observer.on_round(RoundEvent::Generated { round, games, positions });
                Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })
        })?;
        if games < all {
            let before = ledger.positions(round).map_or(0, |known| known.games);
            let unfinished = UnfinishedGames { round, before, games: games - before, records };
            ledger.keep_unfinished_games(unfinished)?;
            return Err(Error::interrupted("tune", "stopped early"));
        }
        Ok(all)
    }

    /// Makes a set from the positions of the newer rounds.
    fn learn(&mut self, round: u64) -> FitResult<WeightSet> {
        let Self { ledger, observer, tune, clock, .. } = self;
        if let Some(clock) = clock {
            clock.begin();
        }
        if let Some(record) = ledger.fit(round)
            && let Some(set) = ledger.fitted(round)?
        {
            observer.on_round(RoundEvent::Fitted(record, None));
            return Ok(set);
        }
        let set = match &tune.config.plan {
            Plan::Training(plan) => self.train(plan, round),
            Plan::Fitting(plan) => self.fit(plan, round),
            Plan::Matches(_) => Err(no_rounds().into()),
        }?;
        let first = self.schedule.fitted_rounds(round).start().saturating_sub(1);
        let fitted = self.done.iter().skip(usize::try_from(first).unwrap_or(usize::MAX)).sum();
        if let Some(clock) = &mut self.clock {
            clock.end_fit(fitted);
        }
        Ok(set)
    }

    /// Trains a network on the positions of the newer rounds.
    fn train(&mut self, plan: &TrainingPlan, round: u64) -> FitResult<WeightSet> {
        let Self { ledger, observer, tune, schedule, game, games, older, .. } = self;
        let samples = ledger.samples(schedule.fitted_rounds(round))?;
        let beside = plan.fit.beside_start.then(|| weights_beside(*game, &tune.start.weights));
        let beside = beside.transpose()?;
        let task = TrainTask {
            game: *game,
            samples: &*samples,
            board: tune.config.board.parse()?,
            config: &plan.fit,
            beside: beside.as_ref(),
            start: plan.fit.from_start.then_some(&tune.start.weights),
            older: older.as_deref(),
            seed: schedule.round_seed(tune.config.seed, round),
            memory: TrainingMemory::default(),
            threads: tune.threads.clone(),
            stop: tune.interrupt.clone(),
        };
        let watcher = std::cell::RefCell::new(&mut **observer);
        let mut checkpoints = RoundCheckpoints { ledger: &mut **ledger, round };
        let fit = task.run(&mut checkpoints, &|step| {
            watcher.borrow_mut().on_round(RoundEvent::Training(round, step, plan.fit.epochs));
        })?;
        let mut set = fit.set;
        describe(&mut set, tune, round);
        set.set_provenance(Provenance {
            run: tune.run.into(),
            method: tune.config.method().name().into(),
            games: *games,
            baseline: tune.start.name.clone(),
            limits: tune.config.limits.to_string(),
            seed: tune.config.seed,
            version: env!("CARGO_PKG_VERSION").into(),
            trained_on: fit.trained_on,
            ..Provenance::default()
        });
        let record = FitRecord {
            round,
            positions: fit.positions,
            k: fit.scales.iter().map(|scale| scale.k).collect(),
            k_errors: fit.scales.iter().filter_map(|scale| scale.error).collect(),
            blend: plan.fit.blend.is_none().then_some(fit.blend),
            units: fit.units,
            start: None,
            trials: Vec::new(),
            epochs: fit.epochs,
            best: fit.best,
            weights: set.fingerprint(),
        };
        ledger.keep_fit(record.clone(), &set)?;
        observer.on_round(RoundEvent::Fitted(&record, None));
        Ok(set)
    }

    /// Fits a set to the positions of the newer rounds.
    fn fit(&mut self, plan: &FittingPlan, round: u64) -> FitResult<WeightSet> {
        let Self { ledger, observer, tune, schedule, best, game, .. } = self;
        let samples = ledger.samples(schedule.fitted_rounds(round))?;
        let mut fit_config = plan.fit.clone();
        let chosen = schedule.chooser(round).and_then(|chooser| ledger.fit(chooser));
        if let Some(penalty) = chosen.and_then(FitRecord::penalty) {
            fit_config.penalties = vec![penalty];
        }
        let task = FitTask {
            game: *game,
            samples: &*samples,
            board: tune.config.board.parse()?,
            start: &best.weights,
            config: &fit_config,
            threads: tune.threads.clone(),
            stop: tune.interrupt.clone(),
        };
        let watcher = std::cell::RefCell::new(&mut **observer);
        let fit =
            task.run(&|step| watcher.borrow_mut().on_round(RoundEvent::Fitting(round, step)))?;
        let uncertainty = Uncertainty::of(&fit)?;
        let mut set = fit.set;
        describe(&mut set, tune, round);
        let record = FitRecord {
            round,
            positions: fit.fitted.positions,
            k: fit.data.score_scales,
            k_errors: fit.scales.iter().filter_map(|scale| scale.error).collect(),
            blend: plan.fit.blend.is_none().then_some(fit.data.blend),
            units: fit.units,
            start: Some(fit.fitted.start),
            trials: fit.fitted.trials,
            epochs: Vec::new(),
            best: fit.fitted.best,
            weights: set.fingerprint(),
        };
        ledger.keep_fit(record.clone(), &set)?;
        observer.on_round(RoundEvent::Fitted(&record, Some(&uncertainty)));
        Ok(set)
    }

    /// Plays a round's set against the best so far, and replaces that unless the set is likely
    /// worse. Returns whether it was replaced.
    fn judge(&mut self, round: u64, set: WeightSet, book: &mut Book) -> Result<bool> {
        let candidate = Player { name: set.name.clone(), weights: set, ..self.tune.start.clone() };
        let proof = ProofMatch {
            config: self.tune.config,
            engines: &self.tune.engines,
            players: [&candidate, &self.best],
            names: ["candidate", "best"],
            limits: self.tune.config.limits,
            settings: self
                .schedule
                .round_match(self.tune.config.games, &self.tune.config.validation),
            rule: Some(CapRule::Likelier),
            stage: Stage::Round,
            first_batch: self.batches,
            games_before: self.games,
        };
        let Self { ledger, observer, clock, .. } = self;
        if let Some(clock) = clock {
            clock.begin();
        }
        let mut session = self.tune.session(&mut **ledger);
        let result = proof.play(self.game, book, &mut session, &mut |counts| {
            observer.on_round(RoundEvent::Pair(round, counts));
        })?;
        let Summary { pairs, elo, elo_error, .. } = result.summary;
        let accepted = result.decision.is_some_and(|decision| decision.accepted);
        let record = RoundRecord { round, accepted, pairs, elo, elo_error };
        self.observer.on_round(RoundEvent::Judged(&record));
        self.ledger.keep_round(record)?;
        if let Some(clock) = &mut self.clock {
            clock.end_match(&pairs, accepted);
        }
        self.games += pairs.games();
        self.batches = result.next_batch;
        if accepted {
            self.best = candidate;
        }
        Ok(accepted)
    }
}

/// The checkpoints of a round's training.
struct RoundCheckpoints<'l> {
    ledger: &'l mut dyn RoundLedger,
    round: u64,
}

impl CheckpointStore for RoundCheckpoints<'_> {
    fn load(&mut self) -> Result<Option<Vec<u8>>> {
        self.ledger.checkpoint(self.round)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<()> {
        self.ledger.keep_checkpoint(self.round, bytes)
    }
}

fn no_rounds() -> Error {
    Error::input("plan", "has no rounds").remedy("restore the manifest as the run wrote it")
}

/// Names the set of a round, and describes its origin.
fn describe(set: &mut WeightSet, tune: &Tune, round: u64) {
    let (method, start) = (tune.config.method(), &tune.start.name);
    set.name = format!("{start}-{method}-{round}");
    set.description =
        format!("Round {round} of a {method} tune from {start}. The run's validation tested it.");
}
