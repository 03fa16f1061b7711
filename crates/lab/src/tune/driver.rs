//! A whole tune: optimize, then prove or discard the answer on openings that the tune never saw.

use super::batches::SpsaSource;
use super::joined::on_the_scale_of;
use super::logistic::round_ledger::RoundLedger;
use super::logistic::{FitError, FitResult};
use super::opponents::TuneOpponents;
use super::pace::StepClock;
use super::proof_match::ProofMatch;
use super::yardsticks::START;
use crate::arena::{Book, PlayerFactory, Sets, Threads};
use crate::error::{ErrorKind, Result};
use crate::game::Board;
use crate::player::{DefaultWeights, Player};
use crate::search::Stop;
use crate::session::{Cast, Ledger, Session, Stage, Verdicts};
use crate::stats::{CapRule, Decision, Summary};
use crate::tune::{
    MatchPlan, Observer, Optimizer, Plan, PlanChange, Progress, RoundEvent, Spsa, Target, TunePace,
    TuneSettings, Validation, YardstickMatch, Yardsticks,
};
use crate::weights::Provenance;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The result of a tune.
#[derive(Clone, Debug)]
pub struct TuneResult {
    /// The candidate if it was accepted, otherwise the start.
    pub player: Player,
    /// The candidate, accepted or not.
    pub candidate: Player,
    /// Whether the candidate was accepted.
    pub accepted: bool,
    /// The match of the candidate against the start, with the frozen verdict.
    pub validation: Summary,
    /// How that match was decided; `None` if it was not played.
    pub decision: Option<Decision>,
    /// The matches of the candidate against the yardsticks.
    pub yardsticks: Vec<YardstickMatch>,
    /// Games played, tune, validation and yardsticks together.
    pub games: u64,
}

impl TuneResult {
    /// The contents of the journal's last line.
    pub fn verdicts(&self) -> Verdicts {
        Verdicts {
            accepted: self.accepted,
            elo: self.validation.elo,
            elo_error: self.validation.elo_error,
            weights: self.player.fingerprint(),
        }
    }
}

/// A tune that is ready to run.
#[derive(Clone)]
pub struct Tune<'a> {
    /// The configuration of the tune.
    pub config: &'a TuneSettings,
    /// The player it starts from.
    pub start: &'a Player,
    /// The run's name, for the provenance of its set.
    pub run: &'a str,
    /// The threads that play.
    pub threads: Threads,
    /// The external engines that the configuration names as opponents, and after them the tuned
    /// engine, if there is one. A tune whose steps are on record needs no opponents.
    pub engines: Vec<Arc<dyn PlayerFactory>>,
    /// Once set, no further game begins; those in progress are finished.
    pub interrupt: Stop,
    /// Decides how many games are played, if the tune has a time limit.
    pub pace: Option<TunePace>,
}

impl<'a> Tune<'a> {
    /// A tune without external opponents and without an interrupt.
    pub fn new(config: &'a TuneSettings, start: &'a Player, threads: &Threads) -> Self {
        let (engines, interrupt) = (Vec::new(), Stop::default());
        Self {
            config,
            start,
            run: "tune",
            threads: threads.clone(),
            engines,
            interrupt,
            pace: None,
        }
    }

    /// Runs the tune to its end, whatever its method. Work on record in the ledger is not repeated.
    ///
    /// # Errors
    /// When the configuration is not sound, the record belongs to another run, something cannot be
    /// kept, there is nothing to fit, or the run is interrupted; and when a step is to be played,
    /// but there are not as many engines as the configuration names.
    pub fn run(
        &self,
        ledger: &mut dyn RoundLedger,
        observer: &mut dyn Observer,
    ) -> FitResult<TuneResult> {
        self.config.check()?;
        match &self.config.plan {
            Plan::Matches(plan) => self.play_matches(plan, ledger, observer),
            Plan::Fitting(_) | Plan::Training(_) => {
                let (best, games, book) = self.play_rounds(ledger, observer)?;
                let mut progress = Progress::new(self.config.games, Vec::new());
                progress.games = games;
                Ok(self.validate(best, &book, progress, ledger, observer)?)
            }
        }
    }

    /// A session for the pairs of this tune.
    pub(super) fn session<'l>(&'l self, ledger: &'l mut dyn Ledger) -> Session<'l> {
        Session { threads: &self.threads, interrupt: &self.interrupt, ledger }
    }

    /// Runs a tune by matches, after a fit if the plan has one.
    fn play_matches(
        &self,
        plan: &MatchPlan,
        ledger: &mut dyn RoundLedger,
        observer: &mut dyn Observer,
    ) -> FitResult<TuneResult> {
        if let Some(begun) = plan.begun_at_fitted() {
            let space = self.config.space(self.start, &begun)?;
            let from = space.player(&space.nearest(&space.start()))?;
            return self.optimize(&begun, &from, 0, ledger, observer);
        }
        let Some(config) = self.config.fit_first(self.start) else {
            return self.optimize(plan, self.start, 0, ledger, observer);
        };
        let fit = Tune { config: &config, pace: None, ..self.clone() };
        let (from, games) = match fit.play_rounds(ledger, observer) {
            Ok((best, games, _)) => (on_the_scale_of(self.start, &best.weights, plan)?, games),
            // The games give nothing to fit. They are on record, so a resume finds the same.
            Err(FitError::NothingToFit(error)) => {
                observer.on_round(RoundEvent::NothingToFit(&error));
                (self.start.clone(), config.games)
            }
            Err(FitError::Failed(error)) => return Err(error.into()),
        };
        self.optimize(&plan.begun_at(&from.weights), &from, games, ledger, observer)
    }

    /// Plays the matches of a plan from a player, and the validation. `games` were played before.
    fn optimize(
        &self,
        plan: &MatchPlan,
        from: &Player,
        games: u64,
        ledger: &mut dyn Ledger,
        observer: &mut dyn Observer,
    ) -> FitResult<TuneResult> {
        let (config, game) = (self.config, self.config.game_id()?);
        let board: Board = config.board.parse()?;
        let mut sets = Sets::new();
        let pair = config.pair([from; 2], config.limits, &mut sets)?;
        let opponents =
            plan.opponents.clone().map(|all| TuneOpponents::new(game, all, board, &mut sets));
        let space = config.space(from, plan)?;
        let Optimizer::Spsa(options) = &plan.optimizer;
        let games_of_matches = plan.games_of_matches(config.games);
        let spsa = Spsa::new(options, games_of_matches, config.seed, space.clone());
        let mut progress = Progress::new(config.games, space.start());
        progress.games = games;
        let mut source = SpsaSource::new(spsa, space.clone(), pair, progress, observer);
        source.games_of_fit = config.games - games_of_matches;
        (source.opponents, source.engines) = (opponents.transpose()?, self.engines.len());
        source.quick_limits = plan.quick_limits(&config.limits);
        source.quick_pairs = plan.quick_pairs();
        source.may_stop = plan.engine.as_ref().is_none_or(|engine| engine.forfeit_limit > 0);
        source.clock = self
            .pace
            .map(|pace| StepClock::new(pace, config, 2 * plan.optimizer.pairs_of_a_step()));
        let mut book = config.judged_book(config.book.clone(), from, &self.engines)?;
        let cast = Cast { game, sets, engines: self.engines.clone() };
        let played = self.session(ledger).play(&mut source, cast, &mut book);
        // A resume would end the same way.
        source.end_for_good().map_err(FitError::NothingToFit).or_else(|error| match &played {
            Err(stop) if stop.kind() == ErrorKind::Interrupted => Ok(()),
            _ => Err(error),
        })?;
        played?;
        source.unnoted().map_or(Ok(()), |change| ledger.note_plan(change))?;
        let candidate = space.player(&space.nearest(&source.spsa.posterior().means))?;
        let SpsaSource { progress, observer, .. } = source;
        Ok(self.validate(candidate, &book, progress, ledger, observer)?)
    }

    /// The match that decides whether the candidate replaces the start.
    pub(super) fn validate(
        &self,
        candidate: Player,
        tuned_on: &Book,
        mut progress: Progress,
        ledger: &mut dyn Ledger,
        observer: &mut dyn Observer,
    ) -> Result<TuneResult> {
        let changed = candidate.fingerprint() != self.start.fingerprint();
        // A candidate that is the start cannot be better than it.
        let pairs = if changed { self.config.validation.pairs } else { 0 };
        let game = self.config.game_id()?;
        let mut book = self.validation_book(tuned_on)?;
        progress.validating = true;
        let proof = ProofMatch {
            config: self.config,
            engines: &self.engines,
            players: [&candidate, self.start],
            names: ["candidate", "start"],
            limits: self.config.limits,
            settings: Validation { pairs, ..self.config.validation },
            rule: Some(CapRule::Significant),
            stage: Stage::Validate,
            first_batch: 0,
            games_before: progress.games,
        };
        let begun = Instant::now();
        let mut session = self.session(&mut *ledger);
        let result = proof.play(game, &mut book, &mut session, &mut |counts| {
            progress.validation = counts;
            progress.played += 2;
            observer.on_batch(&progress);
        })?;
        let (summary, decision) = (result.summary, result.decision);
        let accepted = decision.is_some_and(|decision| decision.accepted);
        let games = progress.games + summary.pairs.games();
        let yardsticks = match changed {
            true => {
                let spent = (summary.pairs.games(), begun.elapsed());
                let yardsticks = self.timed_yardsticks(spent, ledger)?;
                self.measure(&candidate, (games, &yardsticks), book, progress, ledger, observer)?
            }
            false => Vec::new(),
        };
        let games = games + yardsticks.iter().map(|played| played.summary.games).sum::<u64>();
        let measured = TuneResult {
            player: self.start.clone(),
            candidate,
            accepted,
            validation: summary,
            decision,
            yardsticks,
            games,
        };
        let candidate = self.describe(&measured);
        let player = if accepted { candidate.clone() } else { self.start.clone() };
        Ok(TuneResult { player, candidate, ..measured })
    }

    /// The openings of the validation, without those that the tune was played on.
    fn validation_book(&self, tuned_on: &Book) -> Result<Book> {
        let book = self.config.validation_book.clone();
        let mut book = self.config.judged_book(book, self.start, &self.engines)?;
        book.avoid(tuned_on);
        Ok(book)
    }

    /// The yardsticks, with as many pairs as fit into the time of the tune, if it has one.
    /// `validated` is the number of games of the validation, and its time.
    fn timed_yardsticks(
        &self,
        validated: (u64, Duration),
        ledger: &mut dyn Ledger,
    ) -> Result<Yardsticks> {
        let planned = &self.config.yardsticks;
        let pace = self.pace.filter(|pace| pace.fills && !planned.is_empty());
        let pairs = pace.map_or(planned.pairs, |pace| {
            let has_rounds = self.config.schedule().is_some();
            pace.yardstick_pairs(planned.pairs, validated, has_rounds)
        });
        if pairs != planned.pairs {
            ledger
                .note_plan(PlanChange { yardstick_pairs: Some(pairs), ..PlanChange::default() })?;
        }
        Ok(Yardsticks { pairs, ..planned.clone() })
    }

    /// The matches of the candidate against the yardsticks, on the openings that are left in the
    /// validation's book. `games` were played before.
    fn measure(
        &self,
        candidate: &Player,
        (games, yardsticks): (u64, &Yardsticks),
        mut book: Book,
        mut progress: Progress,
        ledger: &mut dyn Ledger,
        observer: &mut dyn Observer,
    ) -> Result<Vec<YardstickMatch>> {
        let game = self.config.game_id()?;
        let (mut played, mut first_batch) = (Vec::<YardstickMatch>::new(), 0);
        for (name, limits) in yardsticks.matches() {
            let board = DefaultWeights::Strongest(self.config.board.parse()?);
            let yardstick = match name {
                START => self.start.clone(),
                _ => Player::find(game, Some(name), board)?,
            };
            let proof = ProofMatch {
                config: self.config,
                engines: &self.engines,
                players: [candidate, &yardstick],
                names: ["candidate", "yardstick"],
                limits,
                settings: yardsticks.length(&self.config.validation),
                rule: None,
                stage: Stage::Yardstick,
                first_batch,
                games_before: games + 2 * yardsticks.pairs * played.len() as u64,
            };
            let title = format!("{name}, {limits}");
            let mut session = self.session(&mut *ledger);
            let result = proof.play(game, &mut book, &mut session, &mut |counts| {
                progress.yardstick = Some((title.clone(), counts));
                progress.played += 2;
                observer.on_batch(&progress);
            })?;
            first_batch = result.next_batch;
            let against = name.into();
            let trained = self.config.has_opponent(name);
            played.push(YardstickMatch { against, limits, trained, summary: result.summary });
        }
        Ok(played)
    }

    /// The candidate with a name and provenance.
    fn describe(&self, result: &TuneResult) -> Player {
        let (config, start) = (self.config, self.start);
        let Player { mut weights, constants, options, .. } = result.candidate.clone();
        let games = result.games;
        let (tuned, is_search) = match config.target() {
            Target::Weights => ("Tuned", false),
            Target::Search => ("Search tuned", true),
            Target::Option => ("Options tuned", false),
        };
        let name = set_name(&config.game, self.run);
        weights.name.clone_from(&name);
        weights.description = format!(
            "{tuned} by {} from {} in {games} games on {}{}, games of its checks included.",
            config.method(),
            start.name,
            config.board,
            match config.opponents() {
                Some(opponents) => format!(", a part of them against {}", opponents.listed()),
                None => String::new(),
            }
        );
        weights.board = Some(config.board.clone());
        let known = weights.provenance.take();
        weights.set_provenance(Provenance {
            run: self.run.into(),
            method: config.method().name().into(),
            games,
            baseline: start.name.clone(),
            weights: is_search.then(|| start.name.clone()),
            weights_fingerprint: is_search.then(|| start.weights.fingerprint()),
            elo: result.validation.elo,
            elo_error: result.validation.elo_error,
            elo_unbiased: result.decision.and_then(|decision| decision.elo_unbiased),
            yardsticks: result.yardsticks.iter().map(YardstickMatch::elo).collect(),
            limits: config.limits.to_string(),
            seed: config.seed,
            version: env!("CARGO_PKG_VERSION").into(),
            trained_on: known.map_or_else(Vec::new, |known| known.trained_on),
            values: None,
        });
        Player { name, weights, constants, options }
    }
}

/// The name of the set that a run makes: the run's id with a slash after the game, as in the names
/// of the shipped sets.
fn set_name(game: &str, run: &str) -> String {
    let rest = run.strip_prefix(game).and_then(|rest| rest.strip_prefix('-'));
    format!("{game}/{}", rest.unwrap_or(run))
}
