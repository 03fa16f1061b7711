//! `spar tune`: from a weight set to a better one that is proven better.

mod args;
mod engine;
mod matches;

use crate::arena::queue::Threads;
use crate::arena::seed::derive;
use crate::arena::{Adjudication, Book, BookConfig, MatchConfig, PlayerFactory, PlayerSpec, Sets};
use crate::cli::args::GameArgs;
use crate::cli::console::Console;
use crate::cli::drive::interrupt;
use crate::cli::ended::Ended;
use crate::cli::named::runs_folder;
use crate::cli::opponents;
use crate::cli::players::{LoadedPlayer, warn_board};
use crate::cli::resumed_engines::ResumedEngines;
use crate::cli::run_tune::TuneRun;
use crate::cli::weights::new::blank;
use crate::error::{Error, ErrorKind, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::report::units;
use crate::run::{RunDir, TuneWork, Work};
use crate::search::{Algorithm, Limits, Stop};
use crate::session::{Cast, MatchBatches, MatchSource, MemoryLedger, Session};
use crate::stats::PairCounts;
use crate::tune::{MatchPlan, Method, Plan, Target, TuneSettings, Validation, Yardsticks, judge};
use args::MethodArgs;
pub use args::TuneArgs;
pub(super) use args::{explain, of_one_method};
pub(super) use engine::EngineKnobArgs;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name of the player that stands for an external engine, where the game has none of ours.
const ENGINE: &str = "engine";
/// The game of a tune of an external engine.
const CHESS: &str = "chess";
/// The stream below the run's seed for the openings of a trial of speed.
const TRIAL_BOOK: u64 = 0xb00e;
/// The share of the time for `--for` that a trial of speed may take, and its bounds.
const TRIAL_SHARE: u32 = 50;
const TRIAL: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(30));
/// The share of the time for `--for` that goes to the games of a tune by fitting; fits and matches
/// take the rest. The rate is that of the start, and tables make the search slower.
const GENERATING: f64 = 0.5;

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or the run directory cannot be made or written.
pub fn run(args: &TuneArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let common = &args.common;
    let is_of_engine = args.of_method.engine().is_some();
    let game = match is_of_engine {
        true => game_of_engine(&common.game),
        false => common.game.id(common.start.as_deref().as_slice()),
    };
    let board = common.game.checked_board(game, common.start.as_deref().as_slice())?;
    // Weights are tuned from the hand-made set, since it can gain most; the search is tuned for the
    // strongest set, since that is the one in use.
    let default = match args.of_method.target() {
        Target::Weights | Target::Option => DefaultWeights::HandMade,
        Target::Search => DefaultWeights::Strongest(board),
    };
    let mut start = match is_of_engine && !game.has_engine() {
        // It only stands for the engine.
        true => Player { name: ENGINE.into(), ..blank(game) },
        false => LoadedPlayer::find(game, common.start.as_deref(), default, console)?.player,
    };
    if game.has_engine() {
        warn_board(&start, board, console)?;
        common.search.change(&mut start, Algorithm::Full, board, console)?;
    }
    start.weights.name.clone_from(&start.name);
    let mut settings = settings(args, game, board, &start, console)?;
    if let Some(plan) = settings.matches().filter(|plan| plan.engine.is_some()) {
        let space = settings.space(&start, plan)?;
        start.options = space.options(&space.nearest(&space.start()));
    }
    let limits = settings.opponents().and_then(|opponents| opponents.limits);
    if !limits.into_iter().chain([settings.limits]).all(|limits| limits.is_deterministic()) {
        console.note("with a time limit a resumed run differs from one that was never interrupted");
    }
    settings.check_for(&start)?;
    let opponents = settings.matches().and_then(|plan| plan.opponents.as_ref());
    let engine = opponents.and_then(|opponents| opponents.engines.first());
    let engine = settings.engine().or(engine);
    common.cluster.note_engine(engine.map(|engine| engine.name()), console);
    let title = format!("tune of {game} on {board}, seed {}", settings.seed);
    let threads = common.cluster.threads(&common.threads, &title, console)?;
    if let Some(time) = common.time {
        settings.games = games_within(time, args, &settings, &start, &threads, begun)?;
        if let (Plan::Matches(plan), MethodArgs::Matches(args, optimizer)) =
            (&mut settings.plan, &args.of_method)
        {
            args.plan_beginning(plan, optimizer, settings.games, settings.book.plies);
        }
        console.aside(format!(
            "{} is planned as about {}",
            humantime::format_duration(time),
            units::counted(settings.games, "game")
        ));
    }
    // They are sets of this program.
    let yardstick_pairs = if is_of_engine { Some(0) } else { common.yardstick_pairs };
    settings.yardsticks =
        Yardsticks::of(game, board, settings.limits, settings.games, yardstick_pairs);
    settings.check()?;
    if let Some(reason) = settings.matches().and_then(|plan| plan.too_few_steps(settings.games)) {
        console.note(reason);
    }
    let tune = TuneWork::new(settings, start);
    let work = Work::Tune(tune.clone());
    let path = match &common.run {
        Some(path) => path.clone(),
        None => RunDir::reserve(runs_folder().path(), &work)?,
    };
    let interrupt = interrupt(&path);
    let run = RunDir::create(&path, work, &[])?;
    TuneRun::new(run, &tune, begun, console).drive(&threads, &interrupt)
}

/// The game that an external engine is tuned for.
pub(super) fn game_of_engine(args: &GameArgs) -> GameId {
    args.game.unwrap_or_else(|| CHESS.parse().unwrap_or_default())
}

/// The settings that the arguments describe.
fn settings(
    args: &TuneArgs,
    game: GameId,
    board: Board,
    start: &Player,
    console: &Console,
) -> Result<TuneSettings> {
    let common = &args.common;
    let seed = common.seed.seed;
    let book = common.openings.book(game, board, TuneSettings::book_seed(seed))?;
    let limits = match (common.limits.given()?, args.of_method.engine()) {
        (Some(limits), _) => limits,
        (None, None) => Limits::nodes(TuneSettings::NODES),
        (None, Some(_)) => {
            return Err(Error::input("limit of a move", "not given, and engines differ in speed")
                .remedy("give for example --nodes 20k, --depth 6 or --movetime 100"));
        }
    };
    let games = common.games.unwrap_or_else(|| match &args.of_method {
        MethodArgs::Matches(args, _) if !args.has_fit() => Method::Spsa.usual_games(),
        MethodArgs::Matches(..) | MethodArgs::Fitting(_) | MethodArgs::Training(_) => {
            Method::default().usual_games()
        }
    });
    let plan = match &args.of_method {
        MethodArgs::Fitting(plan) => Plan::Fitting(plan.clone()),
        MethodArgs::Training(plan) => Plan::Training(plan.clone()),
        MethodArgs::Matches(args, optimizer) => Plan::Matches(Box::new(args.plan(
            optimizer,
            start,
            (game, board),
            &book,
            (seed, games),
            console,
        )?)),
    };
    let adjudication = match common.adjudicate {
        true => Adjudication::Proven,
        false => Adjudication::Never,
    };
    let validation = Validation::usual(common.validation_pairs)?;
    let usual = TuneSettings::new(game, book, limits, seed, games, plan)?;
    Ok(TuneSettings { validation, adjudication, ..usual })
}

/// The games that fit into a time, by a trial of speed. Its games are not counted.
fn games_within(
    time: Duration,
    args: &TuneArgs,
    settings: &TuneSettings,
    start: &Player,
    threads: &Threads,
    begun: Instant,
) -> Result<u64> {
    let trial = (time / TRIAL_SHARE).clamp(TRIAL.0, TRIAL.1);
    let own = rate(settings, start, threads, trial, None)?;
    // Some of the pairs may have smaller limits, and with them the games of a fit before the
    // matches.
    let limits = settings.matches().and_then(|plan| plan.quick_limits(&settings.limits));
    let quick = match limits {
        Some(limits) => {
            rate(&TuneSettings { limits, ..settings.clone() }, start, threads, trial, None)?
        }
        None => own,
    };
    let quick_pairs = settings.matches().map_or(0.0, MatchPlan::quick_pairs);
    let mut seconds = (1.0 - quick_pairs) / own + quick_pairs / quick;
    if let Some(opponents) = settings.opponents()
        && let Some(engine) =
            opponents::open(settings, &mut ResumedEngines::default(), &Stop::default())?
                .into_iter()
                .next()
    {
        let against = rate(settings, start, threads, trial, Some(engine))?;
        let share = opponents.share * opponents.engines.len() as f64 / opponents.count() as f64;
        seconds = (1.0 - share) * seconds + share / against;
    }
    let left = time.saturating_sub(begun.elapsed()).as_secs_f64();
    Ok(match &settings.plan {
        Plan::Fitting(_) | Plan::Training(_) => (left / seconds * GENERATING) as u64,
        Plan::Matches(plan) => {
            let validation = 2.0 * settings.validation.least_pairs as f64 / own;
            let within = |time: f64| (time.max(0.0) / seconds) as u64;
            let games = within(left - validation);
            let of_fit = match &args.of_method {
                MethodArgs::Matches(args, _) => {
                    args.fit_first(games, settings.book.plies).map_or(0, |fit| fit.games)
                }
                MethodArgs::Fitting(_) | MethodArgs::Training(_) => 0,
            };
            let games = of_fit + within(left - validation - of_fit as f64 / quick);
            games.max(2 * plan.optimizer.pairs_of_a_step())
        }
    })
}

/// Games a second of the start against itself, or against an opponent.
fn rate(
    settings: &TuneSettings,
    start: &Player,
    threads: &Threads,
    trial: Duration,
    opponent: Option<Arc<dyn PlayerFactory>>,
) -> Result<f64> {
    let book = BookConfig { seed: derive(settings.seed, &[TRIAL_BOOK]), ..settings.book.clone() };
    let game = settings.game_id()?;
    let mut book = Book::new(game, book, judge(game, &start.weights)?.as_ref())?;
    let mut sets = Sets::new();
    let mut pair = settings.pair([start; 2], settings.limits, &mut sets)?;
    if let Some(opponents) = settings.opponents().filter(|_| opponent.is_some()) {
        let limits = opponents.limits.unwrap_or(settings.limits);
        pair.players[1] = PlayerSpec::of_engine(0, limits);
    }
    let engines = match settings.engine() {
        Some(_) => opponents::open(settings, &mut ResumedEngines::default(), &Stop::default())?,
        None => opponent.into_iter().collect(),
    };
    let cast = Cast { game, sets, engines };
    let (enough, clock) = (Stop::default(), Instant::now());
    let mut count = |_: PairCounts| {
        if clock.elapsed() >= trial {
            enough.set();
        }
    };
    let (config, batches) = (MatchConfig::new(u64::MAX, None), MatchBatches::in_memory());
    let mut source = MatchSource::new(config, batches, pair, threads, &mut count);
    let mut session = Session { threads, interrupt: &enough, ledger: &mut MemoryLedger::default() };
    match session.play(&mut source, cast, &mut book) {
        Err(error) if error.kind() != ErrorKind::Interrupted => Err(error),
        _ => Ok(source.score().counts().games() as f64 / clock.elapsed().as_secs_f64()),
    }
}
