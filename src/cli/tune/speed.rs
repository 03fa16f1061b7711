//! How many games fit into a time, by a trial of speed.

use crate::arena::seed::derive;
use crate::arena::{
    Book, BookConfig, MatchConfig, PairSpec, PlayerFactory, PlayerSpec, Sets, Threads,
};
use crate::cli::opponents::OpenEngines;
use crate::error::{ErrorKind, Result};
use crate::player::{DefaultWeights, Player};
use crate::search::Stop;
use crate::session::{Cast, MatchBatches, MatchSource, MemoryLedger, Session};
use crate::stats::PairCounts;
use crate::tune::{MatchPlan, Plan, TunePace, TuneSettings, Validation, Yardsticks};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The stream below the run's seed for the openings of a trial.
const TRIAL_BOOK: u64 = 0xb00e;
/// The time divided by this is the length of a trial, and the bounds of that length.
const TRIAL_SHARE: u32 = 50;
const TRIAL: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(30));
/// The share of the time that goes to the games of a tune by fitting; fits and matches take the
/// rest. The rate is measured with the start, and tables make the search slower.
const GENERATING: f64 = 0.5;

/// The time and the pairs of a trial for a precision.
const PRECISION_TRIAL: (Duration, u64) = (Duration::from_secs(30), 40);

/// The largest share of the time for the validation, and its fewest pairs then.
const VALIDATION_SHARE: f64 = 0.25;
const LEAST_PAIRS: u64 = 16;

/// The length of a trial divided by this is the length of each yardstick's own trial.
const OF_YARDSTICK: u32 = 4;

/// The second player of a trial.
enum Against<'a> {
    Itself,
    Set(&'a Player),
    Engine(Arc<dyn PlayerFactory>),
}

/// The plan of a tune that has a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimedPlan {
    /// The games of the tune.
    pub(super) games: u64,
    /// The most pairs of its validation.
    pub(super) validation_pairs: u64,
    /// Keeps measuring the speed during the tune.
    pub(super) pace: TunePace,
}

impl TimedPlan {
    /// Applies the plan to settings: the validation that fits into the time, and the pace of a tune
    /// whose reference matches follow the time left unless `yardstick_pairs` says otherwise.
    pub(super) fn apply(
        self,
        settings: &mut TuneSettings,
        yardstick_pairs: Option<u64>,
    ) -> TunePace {
        let Validation { least_pairs, .. } = settings.validation;
        settings.validation.pairs = self.validation_pairs;
        settings.validation.least_pairs = least_pairs.min(self.validation_pairs);
        TunePace { fills: yardstick_pairs.is_none(), ..self.pace }
    }
}

/// The speed of a tune's games, by trials.
struct TuneSpeed {
    /// Games a second at the limits of the tune.
    at_limits: f64,
    /// Games a second at the limits of quick pairs.
    quick: f64,
    /// Seconds of a game of the steps, on average.
    of_steps: f64,
}

impl TuneSpeed {
    /// The games of a tune that fit into these seconds; `of_fit` as for
    /// [`plan_within`](SpeedTrial::plan_within).
    fn games_within(&self, seconds: f64, plan: &Plan, of_fit: impl Fn(u64) -> u64) -> u64 {
        let within = |seconds: f64| (seconds.max(0.0) / self.of_steps) as u64;
        match plan {
            Plan::Fitting(_) | Plan::Training(_) => within(seconds * GENERATING).max(1),
            Plan::Matches(plan) => {
                let of_fit = of_fit(within(seconds));
                let games = of_fit + within(seconds - of_fit as f64 / self.quick);
                games.max(of_fit + 2 * plan.optimizer.pairs_of_a_step())
            }
        }
    }
}

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
    /// The plan of a tune that ends within `time` after the command began; `of_fit` maps the games
    /// of a tune to the games of its fit. `None` if the user interrupts it before any game is
    /// played.
    ///
    /// # Errors
    /// When a player cannot be started.
    pub(super) fn plan_within(
        &self,
        (time, begun): (Duration, Instant),
        of_fit: impl Fn(u64) -> u64,
    ) -> Result<Option<TimedPlan>> {
        let trial = (time / TRIAL_SHARE).clamp(TRIAL.0, TRIAL.1);
        let Some(speed) = self.speed(trial)? else { return Ok(None) };
        let settings = self.settings;
        let affordable = (VALIDATION_SHARE * time.as_secs_f64() * speed.at_limits / 2.0) as u64;
        let validation_pairs = settings.validation.pairs.min(affordable.max(LEAST_PAIRS));
        let validation = Validation { pairs: validation_pairs, ..settings.validation };
        let at_limits = 1.0 / speed.at_limits;
        let (of_yardsticks, games_of_yardsticks) =
            self.of_yardsticks(at_limits, trial / OF_YARDSTICK)?;
        let pace = TunePace {
            begun,
            time,
            of_steps: speed.of_steps,
            at_limits,
            of_yardsticks,
            games_of_yardsticks,
            fills: true,
        };
        let proof = pace.proof_seconds(&TuneSettings { validation, ..settings.clone() }, 1.0);
        let left = time.saturating_sub(begun.elapsed()).as_secs_f64() - proof;
        let games = speed.games_within(left, &settings.plan, of_fit);
        Ok(Some(TimedPlan { games, validation_pairs, pace }))
    }

    /// The speed of the tune's games, by trials of this length; `None` when an interruption comes
    /// before any game is played.
    fn speed(&self, trial: Duration) -> Result<Option<TuneSpeed>> {
        let settings = self.settings;
        let Some(own) = self.sample(settings, (trial, u64::MAX), Against::Itself)? else {
            return Ok(None);
        };
        let at_limits = own.rate;
        // Some pairs, and the games of a fit before the matches, may have smaller limits.
        let limits = settings.matches().and_then(|plan| plan.quick_limits(&settings.limits));
        let quick = match limits {
            Some(limits) => {
                let quick = TuneSettings { limits, ..settings.clone() };
                self.sample(&quick, (trial, u64::MAX), Against::Itself)?
                    .map_or(at_limits, |sample| sample.rate)
            }
            None => at_limits,
        };
        let quick_pairs = settings.matches().map_or(0.0, MatchPlan::quick_pairs);
        let mut of_steps = (1.0 - quick_pairs) / at_limits + quick_pairs / quick;
        if let Some(opponents) = settings.opponents().filter(|own| !own.engines.is_empty())
            && let Some(engine) = self.engines.factories.first().cloned()
            && let Some(against) =
                self.sample(settings, (trial, u64::MAX), Against::Engine(engine))?
        {
            let share = opponents.share * opponents.engines.len() as f64 / opponents.count() as f64;
            of_steps = (1.0 - share) * of_steps + share / against.rate;
        }
        Ok(Some(TuneSpeed { at_limits, quick, of_steps }))
    }

    /// Seconds of one game in each reference match, if a game of the start against itself takes
    /// `at_limits`: networks are many times slower than a few weights. Then how many games at the
    /// limits of the tune these games are.
    fn of_yardsticks(&self, at_limits: f64, trial: Duration) -> Result<(f64, f64)> {
        let (settings, game) = (self.settings, self.settings.game_id()?);
        let (limits, board) = (settings.limits, settings.board.parse()?);
        let yardsticks = match settings.engine() {
            Some(_) => Yardsticks::at_longer_limits(limits, 0, Some(1)),
            None => Yardsticks::of(game, board, limits, 0, Some(1)),
        };
        let shares: f64 = yardsticks.limits.iter().map(|&of| TunePace::share(of, limits)).sum();
        let mut seconds = 0.0;
        for name in &yardsticks.sets {
            seconds += match settings.engine() {
                Some(_) => at_limits,
                None => {
                    let set = Player::find(game, Some(name), DefaultWeights::Strongest(board))?;
                    let sample = self.sample(settings, (trial, u64::MAX), Against::Set(&set))?;
                    sample.map_or(at_limits, |sample| 1.0 / sample.rate)
                }
            };
        }
        Ok((seconds * shares, yardsticks.sets.len() as f64 * shares))
    }

    /// Games of the start against itself; `None` when an interruption comes before any is played.
    ///
    /// # Errors
    /// When a player cannot be started.
    pub(super) fn measure(&self) -> Result<Option<TrialRate>> {
        self.sample(self.settings, PRECISION_TRIAL, Against::Itself)
    }

    /// Games of the start against itself or somebody else; `None` when an interruption comes
    /// before any is played.
    fn sample(
        &self,
        settings: &TuneSettings,
        (time, pairs): (Duration, u64),
        against: Against,
    ) -> Result<Option<TrialRate>> {
        let Self { threads, interrupt, .. } = *self;
        if interrupt.is_set() {
            return Ok(None);
        }
        let mut book = self.book(settings)?;
        let (cast, pair) = self.cast(settings, against)?;
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

    /// The openings of a trial.
    fn book(&self, settings: &TuneSettings) -> Result<Book> {
        let seed = derive(settings.seed, &[TRIAL_BOOK]);
        let config = BookConfig { seed, ..settings.book.clone() };
        settings.judged_book(config, self.start, &self.engines.factories)
    }

    /// The players of a trial, and the pair that they play.
    fn cast(&self, settings: &TuneSettings, against: Against) -> Result<(Cast, PairSpec)> {
        let (start, mut sets) = (self.start, Sets::new());
        let (second, opponent) = match against {
            Against::Itself => (start, None),
            Against::Set(player) => (player, None),
            Against::Engine(engine) => (start, Some(engine)),
        };
        let mut pair = settings.pair([start, second], settings.limits, &mut sets)?;
        if let Some(opponents) = settings.opponents().filter(|_| opponent.is_some()) {
            let limits = opponents.limits.unwrap_or(settings.limits);
            pair.players[1] = PlayerSpec::of_engine(0, limits);
        }
        let engines = match settings.engine() {
            Some(_) => self.engines.factories.clone(),
            None => opponent.into_iter().collect(),
        };
        Ok((Cast { game: settings.game_id()?, sets, engines }, pair))
    }
}
