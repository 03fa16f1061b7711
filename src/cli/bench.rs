//! `spar bench`: the engine's speed, and a signature of its behaviour.

use super::Ended;
use super::args::{GameArgs, HashArg, LimitArgs};
use super::console::Console;
use super::constants::SearchArg;
use super::players::Player;
use super::table::Facts;
use super::units;
use crate::error::{Error, Result};
use crate::eval::Evaluated;
use crate::eval::features::sample_positions;
use crate::game::{Board, MoveList, Position, with_game};
use crate::search::{Algorithm, Engine, Limits, Options, Params, STACK_BYTES, Stop};
use clap::Args;
use serde::Serialize;
use std::time::Duration;

/// The largest table by default, in bytes.
const TABLE: usize = 16 << 20;
/// Positions from random play.
const SAMPLE: usize = 22;
/// The seed of that sample.
const SAMPLE_SEED: u64 = 2009;

/// Searches a fixed set of positions: the number of nodes changes only when the engine's behaviour does.
#[derive(Args, Debug)]
pub struct BenchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Weights: a shipped set or a file [default: the set called like the board, or the game's usual one]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    hash: HashArg,
    #[command(flatten)]
    search: SearchArg,
    /// Threads, each of which searches all positions by itself
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
}

#[derive(Serialize)]
struct Measured {
    /// Of one thread: the signature.
    nodes: u64,
    seconds: f64,
    /// Of all threads together.
    nps: Option<f64>,
    positions: usize,
    threads: u64,
    limits: String,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or a thread cannot be had.
pub fn run(args: &BenchArgs, console: &Console) -> Result<Ended> {
    with_game!(args.game.game, P => run_game::<P>(args, console))
}

fn run_game<P: Evaluated>(args: &BenchArgs, console: &Console) -> Result<Ended> {
    let limits = args.limits.or(Limits::depth(P::guide().bench_depth))?;
    let board = args.game.checked_board::<P>()?;
    let player = Player::<P>::find_or_default(args.weights.as_deref(), board)?;
    player.mind_board(board, console)?;
    let params = args.search.params(Algorithm::Full, P::GAME, board, console)?;
    let options = options(&limits, args.hash.given()?, params);
    let positions = positions::<P>(board)?;
    if !limits.is_deterministic() {
        console.note("with a time limit the number of nodes is no signature");
    }
    let stop = Stop::default();
    let passes =
        on_threads(args.threads, || pass::<P>(&positions, &player.evaluator, &options, &limits, &stop))?;
    report(args, limits, positions.len(), &passes, console)
}

/// How the benchmark searches, with a table of so many bytes or of what suits the limits.
pub(super) fn options(limits: &Limits, table_bytes: Option<usize>, params: Params) -> Options {
    let table_bytes = table_bytes.unwrap_or_else(|| Options::table_for(limits).min(TABLE));
    Options { table_bytes, params, ..Options::default() }
}

/// The start, the position after the first move by name, and some from random play.
pub(super) fn positions<P: Position>(board: Board) -> Result<Vec<P>> {
    let start = P::start(board)?;
    let mut moves = MoveList::new();
    start.moves(&mut moves);
    let first = moves.iter().min_by_key(|&&mv| start.move_text(mv)).map(|&mv| start.play_unchecked(mv));
    let sample = sample_positions(&start, SAMPLE, SAMPLE_SEED);
    Ok([start]
        .into_iter()
        .chain(first)
        .chain(sample)
        .filter(|position| position.outcome().is_none())
        .collect())
}

/// Every position searched once.
pub(super) struct Pass {
    pub(super) nodes: u64,
    /// The time of the searches; clearing tables between them is not among it.
    pub(super) time: Duration,
}

/// Searches every position, each with empty tables, until the flag is set.
pub(super) fn pass<P: Evaluated>(
    positions: &[P],
    evaluator: &P::Evaluator,
    options: &Options,
    limits: &Limits,
    stop: &Stop,
) -> Pass {
    let mut engine = Engine::<P>::new(evaluator.clone(), options.clone());
    let mut total = Pass { nodes: 0, time: Duration::ZERO };
    for position in positions {
        engine.clear();
        let report = engine.search(position, limits, stop, &mut |_| {});
        total.nodes += report.counters.nodes;
        total.time += report.elapsed;
    }
    total
}

/// Does the same work on every thread.
fn on_threads<R: Send>(threads: u64, work: impl Fn() -> R + Sync) -> Result<Vec<R>> {
    let failed = |reason: String| Error::failed("threads", reason).remedy("ask for fewer with --threads");
    std::thread::scope(|scope| {
        let begin = |_| std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, &work);
        let started: std::io::Result<Vec<_>> = (0..threads).map(begin).collect();
        let started = started.map_err(|error| failed(error.to_string()))?;
        let results = started.into_iter().map(|thread| thread.join());
        results.map(|result| result.map_err(|_| failed("a search failed".into()))).collect()
    })
}

fn report(
    args: &BenchArgs,
    limits: Limits,
    positions: usize,
    passes: &[Pass],
    console: &Console,
) -> Result<Ended> {
    let nodes = passes.first().map_or(0, |pass| pass.nodes);
    let all: u64 = passes.iter().map(|pass| pass.nodes).sum();
    let time = passes.iter().map(|pass| pass.time).max().unwrap_or_default();
    if console.json {
        console.document(&Measured {
            nodes,
            seconds: time.as_secs_f64(),
            nps: units::per_second(all, time),
            positions,
            threads: args.threads,
            limits: limits.to_string(),
        })?;
        return Ok(Ended::Done);
    }
    let mut facts = Facts::default();
    facts.add("positions", format!("{positions}, {limits}"));
    facts.add("nodes", format!("{} (the signature)", nodes));
    facts.add("time", units::time(time));
    facts.add("speed", format!("{}, {} thread(s)", units::rate(all, time, "nodes"), args.threads));
    console.say(facts)?;
    Ok(Ended::Done)
}
