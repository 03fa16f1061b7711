//! `spar tune`: from a weight set to a better one that is proven better.

mod rounds;

use crate::arena::queue::Threads;
use crate::arena::seed::derive;
use crate::arena::{Adjudication, Book, BookConfig, Match, MatchConfig, PairRunner, PlayerFactory};
use crate::cli::Ended;
use crate::cli::args::{GameArgs, LimitArgs, OpeningArgs, SeedArg, ThreadArgs, parse_count};
use crate::cli::console::Console;
use crate::cli::constants::{ConstantChange, constants, parse_change};
use crate::cli::drive::{Drive, drive, interrupt};
use crate::cli::opponents::{self, OpponentArgs};
use crate::cli::players::{LoadedPlayer, warn_board};
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::Board;
use crate::games::with_game;
use crate::player::DefaultWeights;
use crate::run::RunDir;
use crate::search::{Limits, Stop};
use crate::stats::{Model, Sprt};
use crate::tune::{Constraint, Method, Selection, Target, TuneConfig, Validation};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rounds::RoundArgs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games of a tune when neither games nor time are given.
const GAMES: u64 = 30_000;
/// Nodes a move when no limit is given.
const NODES: u64 = 1_000;
/// The most pairs of the validation.
const VALIDATION_PAIRS: u64 = 1_000;
/// Pairs of the validation even when the verdict comes sooner.
const LEAST_VALIDATION_PAIRS: u64 = 200;
/// Pairs on a line of the journal during the validation.
const VALIDATION_BATCH: u64 = 16;
/// The hypotheses of the validation, in normalised Elo.
const VALIDATION_ELO: (f64, f64) = (0.0, 10.0);
/// The error probabilities of the validation.
const VALIDATION_ERROR: f64 = 0.05;
/// The streams below the run's seed for the openings of the tune, of the validation, and of a trial
/// of speed.
const BOOKS: [u64; 3] = [0xb00c, 0xb00d, 0xb00e];
/// The share of the time for `--for` that a trial of speed may take, and its bounds.
const TRIAL_SHARE: u32 = 50;
const TRIAL: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(30));
/// Where runs are made.
const RUNS: &str = "runs";

/// Tunes a weight set by self-play and proves or discards the result on fresh openings.
///
/// Without arguments it tunes the hand-set weights of the 2009 article for 8x8 Breakthrough within
/// a few minutes. The run directory keeps everything: `spar resume DIR` goes on after any
/// interruption, exactly where it was.
#[derive(Args, Debug)]
pub struct TuneArgs {
    #[command(flatten)]
    game: GameArgs,
    /// What is tuned: the weights of the evaluation, or the constants of the full search
    #[arg(long, default_value_t, value_parser = target_parser())]
    target: Target,
    /// Weights to start from: a shipped set or a file [default: the game's hand-made set]; with
    /// --target search those that both sides play with [default: the board's usual ones]
    #[arg(long, value_name = "WEIGHTS")]
    start: Option<String>,
    /// The optimizer; `logistic` fits weights to positions of self-play games, in rounds, the
    /// others learn from matches
    #[arg(long, default_value_t, value_parser = method_parser())]
    method: Method,
    /// Games to tune with; matches that decide come on top [default: 30000, for logistic 60000]
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "time")]
    games: Option<u64>,
    /// Time to tune for, as 90s, 30m or 8h: a trial of speed turns it into a number of games
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadArgs,
    /// The run directory [default: runs/UTC-GAME-METHOD-SEED]
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    steps: StepArgs,
    #[command(flatten)]
    rounds: RoundArgs,
    #[command(flatten)]
    opponents: OpponentArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Constants of the full search that both sides play with, or that --target search starts from:
    /// a file that it wrote, or NAME=VALUE; may be given again, the last one counts [default: the
    /// usual ones]
    #[arg(long, value_name = "FILE|NAME=VALUE", value_parser = parse_change, allow_hyphen_values = true, help_heading = "What is tuned")]
    search: Vec<ConstantChange>,
    /// The most pairs of the validation
    #[arg(long, value_name = "N", default_value_t = VALIDATION_PAIRS, value_parser = parse_count, help_heading = "Validation")]
    validation_pairs: u64,
    /// End games when both sides have proven the result
    #[arg(long)]
    adjudicate: bool,
}

/// Which weights or constants are tuned.
#[derive(Args, Debug)]
struct ChoiceArgs {
    /// Tune only these weights or constants [default: all constants; of the weights those that are
    /// not zero, one of them kept to hold the scale; for logistic, which takes tables too, as in
    /// `spar fit`]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "What is tuned")]
    only: Vec<String>,
    /// Tune these too, although --only does not name them or they are zero
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "What is tuned")]
    add: Vec<String>,
    /// Leave these as they are
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "What is tuned")]
    freeze: Vec<String>,
    /// Tune all single weights of the game, zero or not
    #[arg(long, help_heading = "What is tuned", conflicts_with = "only")]
    all: bool,
    /// Keep a weight or constant within bounds; may be given again [default: four ranges around the
    /// start; for a constant all that it may be]
    #[arg(long, value_name = "NAME=MIN..MAX", value_parser = parse_bounds, allow_hyphen_values = true, help_heading = "What is tuned")]
    bounds: Vec<(String, f64, f64)>,
    /// The range over which a weight or constant matters, for planning steps; may be given again
    /// [default: measured; for a constant the size of its default, at least an eighth of all that
    /// it may be, and at least 3]
    #[arg(long, value_name = "NAME=RANGE", value_parser = parse_range, help_heading = "What is tuned")]
    range: Vec<(String, f64)>,
    /// Keep a condition between two of them, as "high_danger >= danger" or "a = b"; may be given
    /// again
    #[arg(long, value_name = "CONDITION", help_heading = "What is tuned")]
    constrain: Vec<Constraint>,
}

/// How the optimizer steps.
#[derive(Args, Debug)]
struct StepArgs {
    /// Pairs of one step
    #[arg(long, value_name = "PAIRS", default_value_t = TuneConfig::BATCH_PAIRS, help_heading = "Steps")]
    batch: u64,
    /// Pairs added to each step for the running Elo estimate
    #[arg(long, value_name = "PAIRS", default_value_t = TuneConfig::PROBE_PAIRS, help_heading = "Steps")]
    probes: u64,
    /// Half the distance between the two sides of a pair, as a share of a weight's range
    #[arg(long, value_name = "SHARE", default_value_t = TuneConfig::PERTURBATION, help_heading = "Steps")]
    c: f64,
    /// How far a game moves the weights, as a share of that distance [default: planned from the
    /// games]
    #[arg(long, value_name = "SHARE", help_heading = "Steps")]
    a: Option<f64>,
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::ALL.map(Target::name)).try_map(|name| name.parse::<Target>())
}

fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

fn parse_time(text: &str) -> Result<Duration> {
    let bad = || {
        Error::input(format!("time `{text}`"), "not a time")
            .remedy("give for example 90s, 30m or 8h")
    };
    let time = humantime::parse_duration(text).map_err(|_| bad())?;
    if time < TRIAL.0 * 4 {
        return Err(bad().remedy("give at least 8s"));
    }
    Ok(time)
}

fn parse_bounds(text: &str) -> Result<(String, f64, f64)> {
    let read = || {
        let (name, bounds) = text.split_once('=')?;
        let (min, max) = bounds.split_once("..")?;
        let (min, max) = (min.trim().parse::<f64>().ok()?, max.trim().parse::<f64>().ok()?);
        (min <= max).then(|| (name.trim().to_string(), min, max))
    };
    read().ok_or_else(|| {
        Error::input(format!("bounds `{text}`"), "not bounds")
            .remedy("write NAME=MIN..MAX, for example danger=0..500")
    })
}

fn parse_range(text: &str) -> Result<(String, f64)> {
    let read = || {
        let (name, range) = text.split_once('=')?;
        let range =
            range.trim().parse::<f64>().ok().filter(|range| *range > 0.0 && range.is_finite())?;
        Some((name.trim().to_string(), range))
    };
    read().ok_or_else(|| {
        Error::input(format!("range `{text}`"), "not a range")
            .remedy("write NAME=RANGE, for example danger=400")
    })
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or the run directory cannot be made or written.
pub fn run(args: &TuneArgs, console: &Console) -> Result<Ended> {
    with_game!(args.game.game, G => run_game::<G>(args, console))
}

fn run_game<G: Game>(args: &TuneArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let board = args.game.checked_board::<G>()?;
    // Weights have something to gain on the hand-made set; the search is to fit the weights that
    // people play with.
    let default = match args.target {
        Target::Weights => DefaultWeights::HandMade,
        Target::Search => DefaultWeights::Strongest(board),
    };
    let start = LoadedPlayer::<G>::find(args.start.as_deref(), default)?;
    warn_board(&start.player, board, console)?;
    let threads = Threads::new(args.threads.count())?;
    let mut config = configure::<G>(args, board, &start, console)?;
    let opponents = config.opponents.iter().map(|opponents| opponents.limits);
    if !opponents.chain([config.limits]).all(|limits| limits.is_deterministic()) {
        console.note("with a time limit a resumed run differs from one that was never interrupted");
    }
    config.check_for::<G>(&start.player.weights)?;
    if let Some(time) = args.time {
        let games = games_within(time, &config, &start, &threads, begun)?;
        rounds::plan(&mut config, &args.rounds, games);
        console.aside(format!(
            "{} is planned as {} games",
            humantime::format_duration(time),
            config.games
        ));
        config.check()?;
    }
    let mut set = start.player.weights;
    set.name = start.player.name;
    let path = match &args.run {
        Some(path) => path.clone(),
        None => RunDir::reserve(Path::new(RUNS), &config)?,
    };
    let interrupt = interrupt(&path);
    let run = RunDir::create(&path, config, set)?;
    drive::<G>(Drive { run, threads, begun, interrupt }, console)
}

/// The configuration that the arguments describe.
fn configure<G: Game>(
    args: &TuneArgs,
    board: Board,
    start: &LoadedPlayer<G>,
    console: &Console,
) -> Result<TuneConfig> {
    rounds::check_choice(args)?;
    let seed = args.seed.seed;
    let book = args.openings.book::<G>(board, derive(seed, &[BOOKS[0]]));
    let choice = &args.choice;
    let selection = Selection {
        only: choice.only.clone(),
        add: choice.add.clone(),
        freeze: choice.freeze.clone(),
        all: choice.all,
        bounds: choice.bounds.clone(),
        ranges: choice.range.clone(),
    };
    let is_logistic = args.method == Method::Logistic;
    let constants = constants(&args.search, G::GAME, board, console)?;
    let params = match args.target {
        Target::Search => selection.constants(&constants.constants)?,
        Target::Weights if is_logistic => Vec::new(),
        Target::Weights => selection.params::<G>(&start.player.weights, board, book.plies, seed)?,
    };
    let limits = args.limits.or(Limits::nodes(NODES))?;
    let (elo0, elo1) = VALIDATION_ELO;
    let mut config = TuneConfig {
        game: G::GAME.into(),
        board: board.to_string(),
        method: args.method,
        target: args.target,
        search: (args.target == Target::Search || !args.search.is_empty()).then_some(constants),
        games: args.games.unwrap_or(GAMES),
        limits,
        seed,
        params,
        constraints: choice.constrain.clone(),
        batch_pairs: args.steps.batch,
        probe_pairs: args.steps.probes,
        perturbation: args.steps.c,
        gain: args.steps.a,
        validation_book: BookConfig { seed: derive(seed, &[BOOKS[1]]), ..book.clone() },
        book,
        validation: Validation {
            pairs: args.validation_pairs,
            least_pairs: LEAST_VALIDATION_PAIRS.min(args.validation_pairs),
            sprt: Sprt::new(elo0, elo1, VALIDATION_ERROR, VALIDATION_ERROR, Model::Normalized)?,
            batch_pairs: VALIDATION_BATCH,
        },
        adjudication: if args.adjudicate { Adjudication::Proven } else { Adjudication::Never },
        opponents: args.opponents.config::<G>(board, limits)?,
        rounds: None,
    };
    if is_logistic {
        let rounds = args.rounds.config::<G>(board, &config, &rounds::fitted::<G>(choice))?;
        config.rounds = Some(rounds);
        rounds::plan(&mut config, &args.rounds, args.games.unwrap_or(rounds::GAMES));
    }
    Ok(config)
}

/// The games that fit into a time, by a trial of speed. Its games are not counted.
fn games_within<G: Game>(
    time: Duration,
    config: &TuneConfig,
    start: &LoadedPlayer<G>,
    threads: &Threads,
    begun: Instant,
) -> Result<u64> {
    let trial = (time / TRIAL_SHARE).clamp(TRIAL.0, TRIAL.1);
    let own = rate(config, start, threads, trial, None)?;
    let mut seconds = 1.0 / own;
    if let Some(opponents) = &config.opponents {
        let host = opponents::open::<G>(config)?.into_iter().next();
        let against = rate(config, start, threads, trial, host)?;
        seconds = (1.0 - opponents.share) / own + opponents.share / against;
    }
    let left = time.saturating_sub(begun.elapsed()).as_secs_f64();
    if config.rounds.is_some() {
        return Ok((left / seconds * rounds::GENERATING) as u64);
    }
    let validation = 2.0 * config.validation.least_pairs as f64 / own;
    let step = 2 * (config.batch_pairs + config.probe_pairs);
    Ok((((left - validation) / seconds).max(0.0) as u64).max(step))
}

/// Games a second of the start against itself, or against an opponent.
fn rate<G: Game>(
    config: &TuneConfig,
    start: &LoadedPlayer<G>,
    threads: &Threads,
    trial: Duration,
    opponent: Option<Arc<dyn PlayerFactory<G>>>,
) -> Result<f64> {
    let book = BookConfig { seed: derive(config.seed, &[BOOKS[2]]), ..config.book.clone() };
    let mut book = Book::new(book, start.evaluator.clone())?;
    let constants = config.constants().constants;
    let mut conditions = config.conditions([constants.clone(), constants]);
    if let Some(opponents) = config.opponents.as_ref().filter(|_| opponent.is_some()) {
        conditions.limits[1] = opponents.limits;
    }
    let workshop =
        PairRunner::<G>::new(conditions, Stop::default()).with_factories([None, opponent]);
    let contest = MatchConfig { pairs: u64::MAX, sprt: None, least_pairs: 0 };
    let players = [start.evaluator.clone(), start.evaluator.clone()];
    let mut contest = Match::new(contest, workshop, players);
    let (enough, clock) = (Stop::default(), Instant::now());
    contest.run(&mut book, threads, &enough, &mut |_| {
        if clock.elapsed() >= trial {
            enough.set();
        }
        Ok(())
    })?;
    Ok(contest.counts().games() as f64 / clock.elapsed().as_secs_f64())
}
