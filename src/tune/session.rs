//! A whole tune: optimize, then prove or discard the answer on openings that the tune never saw.

use super::builtin;
use super::cma::Cma;
use super::config::{Method, TuneConfig};
use super::ledger::{BatchRecord, Ledger, Stage, Verdicts};
use super::objective::{Objective, Parts};
use super::progress::{Monitor, Progress};
use super::space::Space;
use super::spsa::{Spsa, TuneState};
use crate::arena::queue::Threads;
use crate::arena::{Book, Conditions, Contest, ContestConfig, GameRecord, PairDone, Workshop};
use crate::error::{Error, ErrorKind, Result};
use crate::eval::Evaluated;
use crate::game::Board;
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
        }
    }

    /// The match that decides whether the candidate replaces the start.
    fn validate<P: Evaluated>(
        &self,
        candidate: WeightSet,
        workshop: Workshop<P>,
        tuned_on: Book<P>,
        mut progress: Progress,
        ledger: &mut dyn Ledger,
        monitor: &mut dyn Monitor,
    ) -> Result<Answer> {
        let settings = self.config.validation;
        let players = [P::evaluator(&candidate)?, P::evaluator(self.start)?];
        let mut book = Book::new(self.config.validation_book.clone(), P::evaluator(self.start)?)?;
        book.avoid(&tuned_on);
        let changed = candidate.fingerprint() != self.start.fingerprint();
        // A candidate that is the start cannot be better than it.
        let pairs = if changed { settings.pairs } else { 0 };
        let least_pairs = settings.least_pairs.min(pairs);
        let config = ContestConfig { pairs, sprt: Some(settings.sprt), least_pairs };
        let mut contest = Contest::new(config, workshop, players);
        progress.validating = true;
        let mut keeper = Keeper::new(self, &candidate, ledger)?;
        keeper.recall(&mut contest, &mut book)?;
        let stop_between_batches = |keeper: &Keeper| match self.interrupt.is_set() && keeper.points.is_empty()
        {
            true => Err(Error::interrupted("validation", "stopped early")),
            false => Ok(()),
        };
        if contest.ended().is_none() {
            stop_between_batches(&keeper)?;
        }
        // A batch in hand is finished even after an interruption: of half a batch nothing would be on record.
        contest.run(&mut book, &self.threads, &Stop::default(), &mut |done| {
            keeper.add::<P>(done)?;
            progress.validation = done.counts;
            progress.played += 2;
            monitor.on_batch(&progress);
            stop_between_batches(&keeper)
        })?;
        keeper.flush()?;
        let summary = contest.tracker().map_or_else(|| Summary::of(&contest.counts(), None), |t| t.summary());
        let accepted = changed && summary.verdict == Some(Verdict::H1);
        let games = progress.games + contest.counts().games();
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

/// Gathers validation pairs into batches and keeps each whole batch.
struct Keeper<'k> {
    ledger: &'k mut dyn Ledger,
    board: Board,
    weights: [Vec<i32>; 2],
    check: String,
    batch_pairs: usize,
    batch: u64,
    openings: Vec<u64>,
    points: Vec<u8>,
    games: Vec<GameRecord>,
    book: crate::arena::BookState,
}

impl<'k> Keeper<'k> {
    fn new(session: &Session, candidate: &WeightSet, ledger: &'k mut dyn Ledger) -> Result<Self> {
        let cells = |set: &WeightSet| set.weights.iter().flat_map(|(_, w)| w.cells().to_vec()).collect();
        Ok(Self {
            ledger,
            board: session.config.board.parse()?,
            weights: [cells(candidate), cells(session.start)],
            check: format!("{}-{}", candidate.fingerprint(), session.start.fingerprint()),
            batch_pairs: session.config.validation.batch_pairs as usize,
            batch: 0,
            openings: Vec::new(),
            points: Vec::new(),
            games: Vec::new(),
            book: crate::arena::BookState::default(),
        })
    }

    /// Counts the pairs on record and takes the book to where they left it.
    fn recall<P: Evaluated>(&mut self, contest: &mut Contest<P>, book: &mut Book<P>) -> Result<()> {
        let mut given = Vec::new();
        while let Some(record) = self.ledger.recall(Stage::Validate, self.batch) {
            record.check(&self.check, record.openings.len())?;
            record.points.iter().for_each(|&points| contest.count(points));
            given.extend(&record.openings);
            self.book = record.book.clone();
            self.batch += 1;
        }
        if self.batch > 0 {
            book.restore(&given, self.book.clone());
        }
        Ok(())
    }

    fn add<P: Evaluated>(&mut self, done: &PairDone<P>) -> Result<()> {
        let [a, b] = &self.weights;
        let names = ["candidate", "start"];
        let weights = Some([a.as_slice(), b.as_slice()]);
        self.games.extend(GameRecord::of_pair(
            done.number,
            self.board,
            names,
            done.opening,
            done.result,
            weights,
        ));
        self.openings.push(done.candidate);
        self.points.push(done.result.half_points());
        self.book = done.book.clone();
        if self.points.len() == self.batch_pairs { self.flush() } else { Ok(()) }
    }

    /// Keeps what has gathered.
    fn flush(&mut self) -> Result<()> {
        if self.points.is_empty() {
            return Ok(());
        }
        let record = BatchRecord {
            stage: Stage::Validate,
            batch: self.batch,
            openings: std::mem::take(&mut self.openings),
            points: std::mem::take(&mut self.points),
            check: self.check.clone(),
            book: self.book.clone(),
        };
        self.batch += 1;
        self.ledger.keep(record, &std::mem::take(&mut self.games))
    }
}
