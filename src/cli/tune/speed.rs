//! How many games fit into a time, by a trial of speed.

use crate::arena::seed::derive;
use crate::arena::{Book, BookConfig, MatchConfig, PlayerFactory, PlayerSpec, Sets, Threads};
use crate::cli::opponents::OpenEngines;
use crate::error::{ErrorKind, Result};
use crate::player::Player;
use crate::search::Stop;
use crate::session::{Cast, MatchBatches, MatchSource, MemoryLedger, Session};
use crate::stats::PairCounts;
use crate::tune::{MatchPlan, Plan, TuneSettings, judge};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The stream below the run's seed for the openings of a trial.
const TRIAL_BOOK: u64 = 0xb00e;
/// The share of the time that a trial may take, and its bounds.
const TRIAL_SHARE: u32 = 50;
const TRIAL: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(30));
/// The share of the time that goes to the games of a tune by fitting; fits and matches take the
/// rest. The rate is that of the start, and tables make the search slower.
const GENERATING: f64 = 0.5;

/// The time and the pairs of a trial for a precision.
const PRECISION_TRIAL: (Duration, u64) = (Duration::from_secs(30), 40);

/// The result of a trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrialRate {
    /// Games a second, of all threads together.
    pub(super) rate: f64,
    /// The share of drawn games.
    pub(super) draws: f64,
}

/// A trial of the speed of a tune, whose games are not counted.
pub(super) struct SpeedTrial<'a> {
    /// The settings of the tune.
    pub(super) settings: &'a TuneSettings,
    /// The player that it starts from.
    pub(super) start: &'a Player,
    /// The engines that it plays with.
    pub(super) engines: &'a OpenEngines,
    /// The threads that play.
    pub(super) threads: &'a Threads,
    /// Cuts the trial short.
    pub(super) interrupt: &'a Stop,
}

impl SpeedTrial<'_> {
    /// The games that fit into a time since the command began, where `of_fit` are the games of the
    /// fit in a tune of this many; `None` when an interruption comes before any is played.
    ///
    /// # Errors
    /// When a player cannot be started.
    pub(super) fn games_within(
        &self,
        (time, begun): (Duration, Instant),
        of_fit: impl Fn(u64) -> u64,
    ) -> Result<Option<u64>> {
        let settings = self.settings;
        let trial = (time / TRIAL_SHARE).clamp(TRIAL.0, TRIAL.1);
        let Some(own) = self.sample(settings, (trial, u64::MAX), None)? else { return Ok(None) };
        let own = own.rate;
        // Some of the pairs may have smaller limits, and with them the games of a fit before the
        // matches.
        let limits = settings.matches().and_then(|plan| plan.quick_limits(&settings.limits));
        let quick = match limits {
            Some(limits) => {
                let quick = TuneSettings { limits, ..settings.clone() };
                self.sample(&quick, (trial, u64::MAX), None)?.map_or(own, |sample| sample.rate)
            }
            None => own,
        };
        let quick_pairs = settings.matches().map_or(0.0, MatchPlan::quick_pairs);
        let mut seconds = (1.0 - quick_pairs) / own + quick_pairs / quick;
        if let Some(opponents) = settings.opponents().filter(|own| !own.engines.is_empty())
            && let Some(engine) = self.engines.factories.first().cloned()
            && let Some(against) = self.sample(settings, (trial, u64::MAX), Some(engine))?
        {
            let share = opponents.share * opponents.engines.len() as f64 / opponents.count() as f64;
            seconds = (1.0 - share) * seconds + share / against.rate;
        }
        let left = time.saturating_sub(begun.elapsed()).as_secs_f64();
        Ok(Some(match &settings.plan {
            Plan::Fitting(_) | Plan::Training(_) => (left / seconds * GENERATING) as u64,
            Plan::Matches(plan) => {
                let validation = 2.0 * settings.validation.least_pairs as f64 / own;
                let within = |time: f64| (time.max(0.0) / seconds) as u64;
                let games = within(left - validation);
                let of_fit = of_fit(games);
                let games = of_fit + within(left - validation - of_fit as f64 / quick);
                games.max(2 * plan.optimizer.pairs_of_a_step())
            }
        }))
    }

    /// Games of the start against itself; `None` when an interruption comes before any is played.
    ///
    /// # Errors
    /// When a player cannot be started.
    pub(super) fn measure(&self) -> Result<Option<TrialRate>> {
        self.sample(self.settings, PRECISION_TRIAL, None)
    }

    /// Games of the start against itself, or against an opponent; `None` when an interruption comes
    /// before any is played.
    fn sample(
        &self,
        settings: &TuneSettings,
        (time, pairs): (Duration, u64),
        opponent: Option<Arc<dyn PlayerFactory>>,
    ) -> Result<Option<TrialRate>> {
        let Self { start, threads, interrupt, .. } = *self;
        if interrupt.is_set() {
            return Ok(None);
        }
        let book =
            BookConfig { seed: derive(settings.seed, &[TRIAL_BOOK]), ..settings.book.clone() };
        let game = settings.game_id()?;
        let book = Book::new(game, book, judge(game, &start.weights)?.as_ref())?;
        let engine = settings.engine_judge(&self.engines.factories, &start.options);
        let mut book = book.judged_by(engine);
        let mut sets = Sets::new();
        let mut pair = settings.pair([start; 2], settings.limits, &mut sets)?;
        if let Some(opponents) = settings.opponents().filter(|_| opponent.is_some()) {
            let limits = opponents.limits.unwrap_or(settings.limits);
            pair.players[1] = PlayerSpec::of_engine(0, limits);
        }
        let engines = match settings.engine() {
            Some(_) => self.engines.factories.clone(),
            None => opponent.into_iter().collect(),
        };
        let cast = Cast { game, sets, engines };
        let (enough, clock) = (Stop::default(), Instant::now());
        let mut count = |counts: PairCounts| {
            let is_enough = clock.elapsed() >= time || counts.pairs() >= pairs;
            if is_enough || interrupt.is_set() {
                enough.set();
            }
        };
        let (config, batches) = (MatchConfig::new(u64::MAX, None), MatchBatches::in_memory());
        let mut source = MatchSource::new(config, batches, pair, threads, &mut count);
        let mut session =
            Session { threads, interrupt: &enough, ledger: &mut MemoryLedger::default() };
        match session.play(&mut source, cast, &mut book) {
            Err(error) if error.kind() != ErrorKind::Interrupted => Err(error),
            _ => {
                let games = source.score().counts().games() as f64;
                let draws = source.tally().map_or(0, |tally| tally.draws) as f64;
                let rate = games / clock.elapsed().as_secs_f64();
                Ok((games > 0.0).then(|| TrialRate { rate, draws: draws / games }))
            }
        }
    }
}
