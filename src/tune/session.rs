//! A whole tune: optimize, then prove or discard the answer on openings that the tune never saw.

use super::bout::Bout;
use super::builtin;
use super::cma::Cma;
use super::config::{Method, TuneConfig, Validation};
use super::ledger::{Ledger, Stage, Verdicts};
use super::objective::{Objective, Parts};
use super::progress::{Monitor, Progress};
use super::space::Space;
use super::spsa::{Spsa, TuneState};
use crate::arena::queue::Threads;
use crate::arena::{Book, Conditions, Workshop};
use crate::error::{Error, ErrorKind, Result};
use crate::eval::Evaluated;
use crate::search::Stop;
use crate::stats::{Summary, Verdict};
use crate::weights::{Provenance, WeightSet};
use argmin::core::{Executor, Solver, State};

/// What a tune came to.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The weights that the run ends with: the candidate's if it was accepted, else the start's.
    pub weights: WeightSet,
    /// The candidate, accepted or not.
    pub candidate: WeightSet,
    /// Whether the candidate was accepted.
    pub accepted: bool,
    /// The match of the candidate against the start; its verdict is the frozen one.
    pub validation: Summary,
    /// Games played, tune and validation together.
    pub games: u64,
}

impl Answer {
    /// What the journal's last line says.
    pub fn verdicts(&self) -> Verdicts {
        Verdicts {
            accepted: self.accepted,
            elo: self.validation.elo,
            elo_error: self.validation.elo_error,
            weights: self.weights.fingerprint(),
        }
    }
}

/// A tune about to run.
pub struct Session<'a> {
    /// Its configuration.
    pub config: &'a TuneConfig,
    /// The weights it starts from.
    pub start: &'a WeightSet,
    /// The run's name, for the provenance of what it makes.
    pub run: &'a str,
    /// Who plays.
    pub threads: Threads,
    /// Lets the batches in hand finish, and no others begin.
    pub interrupt: Stop,
}

impl Session<'_> {
    /// Runs the tune to its end, or goes on with it as far as the ledger does not know it.
    ///
    /// # Errors
    /// When the configuration is not sound, the record belongs to another run, a batch cannot be kept, or the run is
    /// interrupted.
    pub fn run<P: Evaluated>(&self, ledger: &mut dyn Ledger, monitor: &mut dyn Monitor) -> Result<Answer> {
        let parts = self.parts::<P>(ledger, monitor)?;
        let (space, workshop) = (parts.space.clone(), parts.workshop.clone());
        let (point, objective) = self.optimize(&space, Objective::new(parts))?;
        let progress = objective.progress();
        let (book, ledger, monitor) = objective.into_parts();
        let candidate = space.set(&space.nearest(&point))?;
        self.validate(candidate, workshop, book, progress, ledger, monitor)
    }

    /// Runs the optimizer once more over the batches on record, and plays nothing: for those who want to see the way
    /// that a run took. Gives the optimizer's answer, or `None` when the record ends before the tune does.
    ///
    /// # Errors
    /// When the configuration is not sound, or the record belongs to another run.
    pub fn retrace<P: Evaluated>(
        &self,
        ledger: &mut dyn Ledger,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Vec<f64>>> {
        /// Batches from one check of the record to the next.
        const CHECK_EVERY: u64 = 1000;
        let interrupt = Stop::default();
        interrupt.set();
        let parts = Parts { interrupt, check_every: CHECK_EVERY, ..self.parts::<P>(ledger, monitor)? };
        let space = parts.space.clone();
        match self.optimize(&space, Objective::new(parts)) {
            Ok((point, _)) => Ok(Some(point)),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What the objective of this tune is made of.
    fn parts<'o, P: Evaluated>(
        &self,
        ledger: &'o mut dyn Ledger,
        monitor: &'o mut dyn Monitor,
    ) -> Result<Parts<'o, P>> {
        let config = self.config;
        config.check()?;
        let mut conditions = Conditions::new(config.limits);
        conditions.adjudication = config.adjudication;
        Ok(Parts {
            space: Space::new::<P>(self.start, config.params.clone(), &config.constraints)?,
            board: config.board.parse()?,
            workshop: Workshop::<P>::new(conditions, Stop::default()),
            threads: self.threads.clone(),
            book: Book::new(config.book.clone(), P::evaluator(self.start)?)?,
            ledger,
            monitor,
            interrupt: self.interrupt.clone(),
            planned: config.games,
            check_every: 1,
        })
    }

    /// Runs the solver and gives its answer.
    fn optimize<'o, P: Evaluated>(
        &self,
        space: &Space,
        objective: Objective<'o, P>,
    ) -> Result<(Vec<f64>, Objective<'o, P>)> {
        match self.config.method {
            Method::Spsa => execute(objective, Spsa::new(self.config, space.clone()), space),
            Method::Cma => execute(objective, Cma::new(self.config, space.clone()), space),
            Method::NelderMead | Method::Pso | Method::Annealing => {
                let point = builtin::run(self.config, space, &objective)?;
                Ok((point, objective))
            }
            Method::Logistic => Err(Error::input("method logistic", "works in rounds, not by pairs")),
        }
    }

    /// The match that decides whether the candidate replaces the start.
    pub(super) fn validate<P: Evaluated>(
        &self,
        candidate: WeightSet,
        workshop: Workshop<P>,
        tuned_on: Book<P>,
        mut progress: Progress,
        ledger: &mut dyn Ledger,
        monitor: &mut dyn Monitor,
    ) -> Result<Answer> {
        let changed = candidate.fingerprint() != self.start.fingerprint();
        // A candidate that is the start cannot be better than it.
        let pairs = if changed { self.config.validation.pairs } else { 0 };
        let mut book = Book::new(self.config.validation_book.clone(), P::evaluator(self.start)?)?;
        book.avoid(&tuned_on);
        progress.validating = true;
        let bout = Bout {
            session: self,
            sets: [&candidate, self.start],
            names: ["candidate", "start"],
            settings: Validation { pairs, ..self.config.validation },
            stage: Stage::Validate,
            first_batch: 0,
        };
        let bouted = bout.play(workshop, &mut book, &mut Vec::new(), ledger, &mut |counts| {
            progress.validation = counts;
            progress.played += 2;
            monitor.on_batch(&progress);
        })?;
        let summary = bouted.summary;
        let accepted = changed && summary.verdict == Some(Verdict::H1);
        let games = progress.games + summary.pairs.games();
        let candidate = self.describe(candidate, &summary, games);
        let weights = if accepted { candidate.clone() } else { self.start.clone() };
        Ok(Answer { weights, candidate, accepted, validation: summary, games })
    }

    /// The candidate with its name and provenance.
    fn describe(&self, mut set: WeightSet, summary: &Summary, games: u64) -> WeightSet {
        let config = self.config;
        set.name = format!("{}-{}", self.start.name, config.method);
        set.description = format!(
            "Tuned by {} from {} in {games} games of self-play on {}.",
            config.method, self.start.name, config.board
        );
        set.board = Some(config.board.clone());
        set.provenance = Some(Provenance {
            run: self.run.into(),
            method: config.method.name().into(),
            games,
            baseline: self.start.name.clone(),
            elo: summary.elo,
            elo_error: summary.elo_error,
            limits: config.limits.to_string(),
            seed: config.seed,
            version: env!("CARGO_PKG_VERSION").into(),
        });
        set
    }
}

/// Runs one of our solvers in argmin's executor.
fn execute<'o, P, S>(
    objective: Objective<'o, P>,
    solver: S,
    space: &Space,
) -> Result<(Vec<f64>, Objective<'o, P>)>
where
    P: Evaluated,
    S: Solver<Objective<'o, P>, TuneState>,
{
    let start = space.start();
    let ended = Executor::new(objective, solver)
        .configure(|state: TuneState| state.param(start.clone()))
        .timer(false)
        .run()
        .map_err(|error| match error.downcast::<Error>() {
            Ok(ours) => ours,
            Err(other) => Error::failed("solver", other),
        })?;
    let point = ended.state.get_param().cloned().unwrap_or(start);
    let objective = ended.problem.get_problem().ok_or_else(|| Error::failed("solver", "lost its problem"))?;
    Ok((point, objective))
}
