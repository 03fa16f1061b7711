//! `spar tune`: from a weight set to a better one that is proven better.

mod args;
mod beginning;
mod engine;
mod from;
mod matches;
mod method_args;
mod probe;
mod speed;

use crate::arena::Adjudication;
use crate::cli::drive::interrupt;
use crate::cli::opponents::OpenEngines;
use crate::cli::players::warn_board;
use crate::cli::referee_args::JudgedGame;
use crate::cli::run_tune::TuneRun;
use crate::cli::weights::new::blank;
use crate::cli::{
    Console, Ended, LoadedPlayer, ResumedEngineArgs, ResumedEngines, older, runs_folder,
};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::report::units;
use crate::run::{RunDir, TuneWork, Work};
use crate::runs::{Removal, Removed};
use crate::search::{Algorithm, Limits};
use crate::tune::{
    Beginning, Method, Plan, Target, TrainingPlan, TuneSettings, Validation, Yardsticks,
    rounds_within,
};
pub use args::TuneArgs;
pub(super) use args::{explain, of_one_method};
pub(super) use beginning::{BeginningWork, Prepared};
pub(super) use engine::EngineKnobArgs;
use from::EarlierTune;
use method_args::MethodArgs;
pub(super) use probe::{names, probe_text};
use speed::SpeedTrial;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The name of the player that stands for an external engine in games that our engine cannot play.
const ENGINE: &str = "engine";

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or the run directory cannot be made or written.
pub fn run(args: &TuneArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let common = &args.common;
    let mut tune = tune(args, console)?;
    let TuneSettings { game, board, seed, .. } = &tune.config;
    let title = format!("tune of {game} on {board}, seed {seed}");
    let threads = common.cluster.threads(&common.threads, (&title, game), console)?;
    let work = Work::Tune(tune.clone());
    let path = match &common.run {
        Some(path) => path.clone(),
        None => RunDir::reserve(runs_folder().path(), &work)?,
    };
    let interrupt = interrupt(&path);
    let mut run = RunDir::create(&path, work, &[])?;
    let beginning = BeginningWork {
        engines: ResumedEngineArgs::default(),
        threads: &threads,
        interrupt: &interrupt,
        begun,
        console,
    };
    let prepared = match tune.config.engine().is_some() {
        true => beginning.finish(&mut run, &mut tune),
        false => plan_by_time(args, &mut run, &mut tune, &beginning).map(Some),
    };
    let prepared = match prepared {
        Ok(Some(prepared)) => prepared,
        Ok(None) => return Ok(Ended::Stopped),
        Err(error) if beginning::has_kept(&run) => return Err(error),
        Err(error) => {
            drop(run);
            // The run has played nothing yet.
            let _ = Removal::plan(&path, Removed::Run).and_then(|run| run.carry_out());
            return Err(error);
        }
    };
    note_plan(args, &tune, console);
    TuneRun { prepared, ..TuneRun::new(run, &tune, begun, console) }.drive(&threads, &interrupt)
}

/// The tune that the arguments ask for.
fn tune(args: &TuneArgs, console: &Console) -> Result<TuneWork> {
    let earlier = args.of_method.earlier(console)?;
    let judged = match &earlier {
        Some(earlier) => earlier.game()?,
        None => judged_game(args, console)?,
    };
    let (game, board) = (judged.game, judged.board);
    let mut start = start(args, game, board, console)?;
    let settings = match &earlier {
        Some(earlier) => continued_settings(earlier, args, console)?,
        None => settings(args, game, board, &start, console)?,
    };
    let yardstick_pairs = yardstick_pairs(earlier.as_ref(), args);
    let settings = TuneSettings { referee: judged.referee, ..settings };
    start.options = start_options(&settings, &start)?;
    let limits = settings.opponents().and_then(|opponents| opponents.limits);
    if !limits.into_iter().chain([settings.limits]).all(|limits| limits.is_deterministic()) {
        console.note("with a time limit a resumed run differs from one that was never interrupted");
    }
    settings.check_for(&start)?;
    Ok(TuneWork::new(finished(settings, yardstick_pairs)?, start))
}

/// The player that the tune starts from.
fn start(args: &TuneArgs, game: GameId, board: Board, console: &Console) -> Result<Player> {
    let TuneArgs { common, of_method, .. } = args;
    // Weights are tuned from the hand-made set, since it can gain most; the search is tuned for the
    // strongest set, since that is the one in use.
    let default = match of_method.target() {
        Target::Weights | Target::Option => DefaultWeights::HandMade,
        Target::Search => DefaultWeights::Strongest(board),
    };
    let mut start = match of_method.tunes_engine() && !game.has_engine() {
        // The player only stands in for the engine.
        true => Player { name: ENGINE.into(), ..blank(game) },
        false => LoadedPlayer::find(game, common.start.as_deref(), default, console)?.player,
    };
    if game.has_engine() {
        warn_board(&start, board, console)?;
        common.search.change(&mut start, Algorithm::Full, board, console)?;
    }
    start.weights.name.clone_from(&start.name);
    if let MethodArgs::Matches(args, _) = of_method {
        start.weights = args.split_by_phase(game, &start.weights)?;
    }
    Ok(start)
}

/// The options of a tuned engine's start, as its knobs set them; none without an engine.
fn start_options(settings: &TuneSettings, start: &Player) -> Result<BTreeMap<String, String>> {
    let Some(plan) = settings.matches().filter(|plan| plan.engine.is_some()) else {
        return Ok(BTreeMap::new());
    };
    let space = settings.space(start, plan)?;
    Ok(space.options(&space.nearest(&space.start())))
}

/// Plans the games of a tune of this program's engine that has a time, by a trial of speed.
fn plan_by_time(
    args: &TuneArgs,
    run: &mut RunDir,
    tune: &mut TuneWork,
    work: &BeginningWork,
) -> Result<Prepared> {
    let Some(time) = args.common.time else { return Ok(Prepared::default()) };
    let BeginningWork { threads, interrupt, begun, console, .. } = *work;
    console.aside(format!("{}: measuring the speed", run.path().display()));
    let mut settings = tune.config.clone();
    let interrupt = interrupt.stop();
    let engines = OpenEngines::start(&settings, ResumedEngines::default(), threads, interrupt)?;
    let (start, engines) = (&tune.start, engines);
    let speed = SpeedTrial { settings: &settings, start, engines: &engines, threads, interrupt };
    let game = settings.game_id()?;
    let of_fit = |games| match &args.of_method {
        MethodArgs::Matches(args, _) => {
            args.fit_first(games, game, &settings.book).map_or(0, |fit| fit.games)
        }
        MethodArgs::Fitting(_) | MethodArgs::Training(_) => 0,
    };
    let yardstick_pairs = args.common.yardstick_pairs;
    let plan = speed.plan_within((time, begun), of_fit)?;
    let pace = plan.map(|plan| plan.apply(&mut settings, yardstick_pairs));
    if let Some(plan) = plan {
        plan_for(&mut settings, plan.games, game, &args.of_method);
    }
    let rounds = pace.and_then(|pace| rounds_within(pace, &settings));
    rounds.into_iter().for_each(|change| settings.change(change));
    tune.config = finished(settings, yardstick_pairs)?;
    run.replan(Work::Tune(tune.clone()))?;
    console.aside(planned_text(time, tune.config.planned_games()));
    Ok(Prepared { opened: Some(engines), pace })
}

/// The number of games planned for a time, in words.
fn planned_text(time: Duration, games: u64) -> String {
    let (time, games) = (humantime::format_duration(time), units::counted(games, "game"));
    format!("{time} is planned as about {games}")
}

/// Completes the settings that depend on the number of games, and checks them all.
fn finished(mut settings: TuneSettings, yardstick_pairs: Option<u64>) -> Result<TuneSettings> {
    let (game, board) = (settings.game_id()?, settings.board.parse()?);
    let (limits, games) = (settings.limits, settings.games);
    settings.yardsticks = match settings.engine() {
        Some(_) => Yardsticks::at_longer_limits(limits, games, yardstick_pairs),
        None => Yardsticks::of(game, board, limits, games, yardstick_pairs),
    };
    settings.check().map(|()| settings)
}

/// Plans another number of games.
fn plan_for(settings: &mut TuneSettings, games: u64, game: GameId, of_method: &MethodArgs) {
    settings.games = games;
    if let (Plan::Matches(plan), MethodArgs::Matches(args, optimizer)) =
        (&mut settings.plan, of_method)
    {
        args.plan_beginning(plan, optimizer, games, game, &settings.book);
    }
}

/// Notes weaknesses of the plan, and options that have no effect on it.
fn note_plan(args: &TuneArgs, tune: &TuneWork, console: &Console) {
    let (settings, given) = (&tune.config, args.common.games);
    let (Some(plan), MethodArgs::Matches(args, _)) = (settings.matches(), &args.of_method) else {
        return;
    };
    if let Some(reason) = plan.too_few_steps(settings.games) {
        console.note(reason);
    }
    if let Some(reason) = plan.too_small_gain(settings.games) {
        console.note(reason);
    }
    if let Some(reason) = given.and_then(|games| plan.left_over(games)) {
        console.note(reason);
    }
    if let Some(option) = args.fit_option().filter(|_| plan.fit_first.is_none()) {
        console.note(format!("{option} changes nothing: no fit comes before the matches"));
    }
    if let Ok(space) = settings.space(&tune.start, plan) {
        space.broken_at_start().for_each(|note| console.note(note));
    }
}

/// The settings of a tune that continues an earlier one.
fn continued_settings(
    earlier: &EarlierTune,
    args: &TuneArgs,
    console: &Console,
) -> Result<TuneSettings> {
    let MethodArgs::Matches(of_matches, optimizer) = &args.of_method else {
        return Err(Error::input("--from", "only a tune by matches continues an earlier one")
            .remedy("give --method spsa"));
    };
    let settings = earlier.settings(args, (of_matches, optimizer), console)?;
    let plan = with_beginning(settings.plan, args, Some(earlier));
    Ok(TuneSettings { plan, ..settings })
}

/// The pairs of the matches after the validation; `None` if they follow from the number of games.
fn yardstick_pairs(earlier: Option<&EarlierTune>, args: &TuneArgs) -> Option<u64> {
    earlier.map_or(args.common.yardstick_pairs, |earlier| earlier.yardstick_pairs(args))
}

/// The game; for an external engine chess or the program's only game, unless another one is given.
fn judged_game(args: &TuneArgs, console: &Console) -> Result<JudgedGame> {
    let common = &args.common;
    if !common.rules.are_known() {
        console.note(
            "no referee: the engine is trusted to know the rules, and its scores decide its games",
        );
        return common.game.trusted();
    }
    let engine = args.of_method.engine();
    let usual = engine.map(|_| common.game.usual_of_engines()).transpose()?.flatten();
    let players = engine.or(common.start.as_deref());
    common.game.find(players.as_slice(), usual, args.of_method.engines(), console)
}

/// The plan of a tune of a network, with the older positions and the start of its trainings.
fn training(
    plan: &TrainingPlan,
    game: GameId,
    board: Board,
    start: &Player,
    console: &Console,
) -> Result<Box<TrainingPlan>> {
    let mut plan = Box::new(plan.clone());
    older::open(&mut plan.fit, game, board, console)?;
    older::begin(&mut plan.fit, Some(&start.weights), board);
    let begun_with = older::text(&plan.fit, Some(&start.weights), board);
    console.aside(format!("each training begins with {begun_with}"));
    Ok(plan)
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
                .remedy("give for example --tc 8+0.08, --nodes 20k, --depth 6 or --movetime 100"));
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
        MethodArgs::Training(plan) => Plan::Training(training(plan, game, board, start, console)?),
        MethodArgs::Matches(args, optimizer) => Plan::Matches(Box::new(args.plan(
            optimizer,
            start,
            (game, board),
            &book,
            (seed, games, &limits),
            console,
        )?)),
    };
    let plan = with_beginning(plan, args, None);
    let adjudication = match common.adjudicate {
        true => Adjudication::Proven,
        false => common.adjudication.of(game),
    };
    let validation = Validation::usual(common.validation_pairs)?;
    let usual = TuneSettings::new(game, book, limits, seed, games, plan)?;
    let max_plies = common.adjudication.max_plies;
    Ok(TuneSettings { validation, adjudication, max_plies, rules: common.rules, ..usual })
}

/// The plan with the work before the matches of an external engine's tune.
fn with_beginning(mut plan: Plan, args: &TuneArgs, earlier: Option<&EarlierTune>) -> Plan {
    if let Plan::Matches(plan) = &mut plan
        && plan.engine.is_some()
    {
        // A file of defaults does not override the earlier tune's settings.
        let counts = |option| earlier.is_none() || args.has(option);
        let time = args.common.time.filter(|_| counts("time"));
        let beginning = Beginning {
            probe: args.of_method.probe().filter(|_| counts("probe")),
            fit_positions: args.of_method.option_fit().map(|first| first.fit_positions),
            seconds: time.map(|time| time.as_secs_f64()),
            precision: args.of_method.precision().filter(|_| counts("precision")),
            yardstick_pairs: yardstick_pairs(earlier, args),
        };
        plan.beginning = (!beginning.is_done()).then_some(beginning);
    }
    plan
}
