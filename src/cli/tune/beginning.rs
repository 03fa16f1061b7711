//! The beginning of a run that tunes an external engine: a fit of its options, and a trial of speed
//! from which the number of games follows. Both belong to the run, so that a resume continues them.

use super::speed::SpeedTrial;
use super::{finished, planned_text, probe, start_options};
use crate::arena::{Book, GameEnds, Threads};
use crate::cli::console::Console;
use crate::cli::documents::ErrorDetails;
use crate::cli::drive::resume_command;
use crate::cli::fit::engine::{knob_table, note_unused, small_table, watched};
use crate::cli::interrupt::Interrupt;
use crate::cli::opponents::OpenEngines;
use crate::cli::{ResumedEngineArgs, ResumedEngines};
use crate::error::{Error, ErrorKind, Result};
use crate::player::Player;
use crate::protocol::StartedEngine;
use crate::report::units;
use crate::run::{HarvestFile, RunDir, TuneWork, Work};
use crate::tune::engine_check::{PROBE_TIME, probe_knobs};
use crate::tune::logistic::FitConfig;
use crate::tune::option_fit::{FittedOptions, OptionFitConfig};
use crate::tune::rows::RowsConfig;
use crate::tune::{Beginning, MatchPlan, Optimizer, Plan, Probing, TunePace, judge};
use std::time::{Duration, Instant};

/// The most games that a precision plans, and the most seconds that are shown.
const MOST_PLANNED: u64 = 1_000_000_000;
const MOST_SECONDS: f64 = 3e9;

/// Inputs of the work before the matches of a run.
#[derive(Clone, Copy)]
pub(in crate::cli) struct BeginningWork<'a> {
    /// How to treat the engines that the run began with.
    pub(in crate::cli) engines: ResumedEngineArgs,
    /// The threads that play.
    pub(in crate::cli) threads: &'a Threads,
    /// Whether the user has asked to stop.
    pub(in crate::cli) interrupt: &'a Interrupt,
    /// When the command began.
    pub(in crate::cli) begun: Instant,
    /// The console for progress and answers.
    pub(in crate::cli) console: &'a Console,
}

/// Results of the work before the matches of a run.
#[derive(Default)]
pub(in crate::cli) struct Prepared {
    /// The external engines, if they had to be started.
    pub(in crate::cli) opened: Option<OpenEngines>,
    /// The pace of a tune that has a time.
    pub(in crate::cli) pace: Option<TunePace>,
}

/// Whether a run has games of an unfinished fit, which a resume continues.
pub(super) fn has_kept(run: &RunDir) -> bool {
    HarvestFile::open(run.path(), &run.manifest().run).is_ok_and(|file| file.count() > 0)
}

/// The work that is left, if any.
fn left(pending: &Beginning) -> Option<Beginning> {
    Some(pending.clone()).filter(|pending| !pending.is_done())
}

impl BeginningWork<'_> {
    /// Finishes the work that the run's plan has before the matches. `None` after an interruption,
    /// which the user has been told about.
    ///
    /// # Errors
    /// When an engine does not start or cannot be fitted, no knob is visible to the fit, or a file
    /// cannot be written.
    pub(in crate::cli) fn finish(
        &self,
        run: &mut RunDir,
        tune: &mut TuneWork,
    ) -> Result<Option<Prepared>> {
        let pending = tune.config.matches().and_then(|plan| plan.beginning.clone());
        let Some(pending) = pending else {
            return Ok(Some(Prepared::default()));
        };
        match self.finish_pending(pending, run, tune) {
            Ok(prepared) => Ok(Some(prepared)),
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                self.show_stopped(run).map(|()| None)
            }
            Err(error) => Err(error),
        }
    }

    fn finish_pending(
        &self,
        mut pending: Beginning,
        run: &mut RunDir,
        tune: &mut TuneWork,
    ) -> Result<Prepared> {
        let resumed = ResumedEngines::new(run.record(), self.engines);
        let engines =
            OpenEngines::start(&tune.config, resumed, self.threads, self.interrupt.stop())?;
        if let (Some(probing), Some(started)) = (pending.probe, &engines.tuned) {
            self.probe(probing, &mut pending, started, run, tune)?;
        }
        let mut worked = Duration::ZERO;
        if let (Some(positions), Some(started)) = (pending.fit_positions, &engines.tuned) {
            let mut file = HarvestFile::open(run.path(), &run.manifest().run)?;
            if !engines.changes.is_empty() {
                file.start_over()?;
            }
            worked = file.worked_before();
            let fitted = self.fit(positions, started, tune, &mut file);
            let fitted = fitted.inspect_err(|_| self.tell_kept(&file, run))?;
            self.console.aside(format!("\n{}\n", knob_table(&fitted, self.console)));
            note_unused(&fitted, self.console);
            pending.fit_positions = None;
            self.replan(run, tune, |plan| {
                plan.knobs = fitted.with_fitted(&plan.knobs);
                plan.beginning = left(&pending);
            })?;
            HarvestFile::remove(run.path());
        }
        let pace = match pending.is_done() {
            true => None,
            false => self.plan_games(&pending, worked, &engines, run, tune)?,
        };
        Ok(Prepared { opened: Some(engines), pace })
    }

    /// Changes the plan of the run.
    fn replan(
        &self,
        run: &mut RunDir,
        tune: &mut TuneWork,
        change: impl FnOnce(&mut MatchPlan),
    ) -> Result<()> {
        if let Plan::Matches(plan) = &mut tune.config.plan {
            change(plan);
        }
        run.replan(Work::Tune(tune.clone()))
    }

    /// Probes the knobs of the engine. The plan keeps the result, so that a resume does not repeat
    /// the probe.
    fn probe(
        &self,
        probing: Probing,
        pending: &mut Beginning,
        started: &StartedEngine,
        run: &mut RunDir,
        tune: &mut TuneWork,
    ) -> Result<()> {
        let on = (tune.config.game_id()?, tune.config.board.parse()?);
        let Some(plan) = tune.config.matches() else { return Ok(()) };
        let steps = (plan.optimizer.perturbation(), &tune.config.limits);
        self.console.aside(format!(
            "{}: probing {}, for at most 100 s",
            run.path().display(),
            units::counted(plan.knobs.len() as u64, "knob")
        ));
        let interrupt = self.interrupt.stop();
        let found = probe_knobs(started, on, &plan.knobs, steps, PROBE_TIME, interrupt)?;
        pending.probe = None;
        let mut planned = tune.clone();
        if let Plan::Matches(plan) = &mut planned.config.plan {
            plan.probe = Some(found);
            plan.beginning = left(pending);
            probe::apply(plan, probing, self.console)?;
        }
        let options = start_options(&planned.config, &planned.start)?;
        let start = Player { options, ..planned.start };
        *tune = TuneWork::new(planned.config, start);
        run.replan(Work::Tune(tune.clone()))
    }

    /// Fits the knobs of the engine to its own games.
    fn fit(
        &self,
        positions: u64,
        started: &StartedEngine,
        tune: &TuneWork,
        file: &mut HarvestFile,
    ) -> Result<FittedOptions> {
        let settings = &tune.config;
        let game = settings.game_id()?;
        let judge = judge(game, &tune.start.weights)?;
        let mut book = Book::new(game, settings.book.clone(), judge.as_ref())?;
        let Some(plan) = settings.matches() else {
            return Err(Error::failed("fit", "is not for tunes by matches"));
        };
        let Optimizer::Spsa(options) = &plan.optimizer;
        let config = OptionFitConfig {
            while_valued: small_table(started.offered()),
            knobs: plan.knobs.clone(),
            c: options.c,
            positions,
            limits: settings.limits,
            ends: GameEnds::new(settings.adjudication, settings.max_plies),
            seed: settings.seed,
            blend: OptionFitConfig::BLEND,
            rows: RowsConfig::from(&FitConfig::default()),
        };
        if file.count() > 0 {
            let games = units::counted(file.count(), "game");
            self.console.aside(format!("continuing the fit after {games}"));
        }
        let work = (self.threads, self.interrupt.stop());
        watched(started, &config, &mut book, work, Some(file), self.console)
    }

    /// Notes after an error that the games of the fit are safe.
    fn tell_kept(&self, file: &HarvestFile, run: &RunDir) {
        if file.count() > 0 && !self.interrupt.came() {
            self.console.aside(format!(
                "the games of the fit are safe; once this is fixed, continue with:\n  {}",
                resume_command(run.path())
            ));
        }
    }

    /// Plans the number of games by a trial of speed: for a time, of which `worked` is already
    /// spent, or for a precision.
    fn plan_games(
        &self,
        pending: &Beginning,
        worked: Duration,
        engines: &OpenEngines,
        run: &mut RunDir,
        tune: &mut TuneWork,
    ) -> Result<Option<TunePace>> {
        let Self { threads, begun, console, .. } = *self;
        let interrupt = self.interrupt.stop();
        console.aside(format!("{}: measuring the speed", run.path().display()));
        let (settings, start) = (&tune.config, &tune.start);
        let speed = SpeedTrial { settings, start, engines, threads, interrupt };
        let time = pending.seconds.map(Duration::try_from_secs_f64).and_then(|time| time.ok());
        let timed = match time {
            Some(time) => speed.plan_within((time.saturating_sub(worked), begun), |_| 0)?,
            None => None,
        };
        let games = match pending.precision.filter(|_| time.is_none()) {
            Some(elo) => self.games_for(elo, &speed)?,
            None => timed.map(|plan| plan.games),
        };
        let games = games.filter(|_| !interrupt.is_set()).ok_or_else(|| {
            Error::interrupted(run.path().display(), "stopped while its speed was measured")
        })?;
        let mut planned = tune.config.clone();
        let pace = timed.map(|plan| plan.apply(&mut planned, pending.yardstick_pairs));
        planned.games = games;
        if let Plan::Matches(plan) = &mut planned.plan {
            plan.beginning = None;
        }
        tune.config = finished(planned, pending.yardstick_pairs)?;
        run.replan(Work::Tune(tune.clone()))?;
        time.into_iter().for_each(|time| console.aside(planned_text(time, games)));
        Ok(pace)
    }

    /// The games that leave at most this Elo, by a trial; `None` when an interruption comes before
    /// any game is played.
    fn games_for(&self, elo: f64, speed: &SpeedTrial) -> Result<Option<u64>> {
        let (Some(plan), Some(sample)) = (speed.settings.matches(), speed.measure()?) else {
            return Ok(None);
        };
        let Optimizer::Spsa(options) = &plan.optimizer;
        let step = 2 * plan.optimizer.pairs_of_a_step();
        let games = options.games_for(elo, plan.knobs.len(), sample.draws);
        let games = games.clamp(step, MOST_PLANNED);
        self.console.aside(format!(
            "to end within {elo} Elo of the best in 95 of 100 tunes of {} with {} draws: {}, about {}",
            units::counted(plan.knobs.len() as u64, "knob"),
            units::percent(Some(sample.draws)),
            units::counted(games, "game"),
            units::time(Duration::from_secs_f64((games as f64 / sample.rate).min(MOST_SECONDS))),
        ));
        Ok(Some(games))
    }

    /// Says how to continue a run that was interrupted before its matches.
    fn show_stopped(&self, run: &RunDir) -> Result<()> {
        let (path, console) = (run.path(), self.console);
        let resume = resume_command(path);
        console.note("stopped early, before the matches");
        console.failure(ErrorDetails::of_stop(path.display(), &resume))?;
        console.aside(format!("all finished work is kept. Continue with:\n  {resume}"));
        Ok(())
    }
}
