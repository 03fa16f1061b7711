//! `spar bench`: the engine's speed, and a signature of its behaviour.

use crate::cli::{Console, Ended, GameArgs, HashArg, LimitArgs, LoadedPlayer, SearchArg};
use crate::error::{Error, Result};
use crate::player::DefaultWeights;
use crate::report::{Facts, units};
use crate::search::bench::{Pass, options, pass, positions, searches};
use crate::search::{Algorithm, Limits, Options, STACK_BYTES, Stop};
use clap::Args;
use serde::Serialize;
use std::time::Duration;

/// Positions that take one thread less than this are left out of the comparison of threads: such
/// short searches are mostly start-up time.
const LEAST_TIME: Duration = Duration::from_millis(20);

/// Measures the speed of the search
///
/// It searches a fixed set of positions. The number of nodes is a signature: it changes only when
/// the engine's behaviour does.
#[derive(Args, Debug)]
pub struct BenchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Weights: a shipped set, a file or a run [default: the set named after the board, or the
    /// game's usual one; never a network, since networks are retrained more often]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// How the engine searches
    #[arg(long, value_enum, default_value_t)]
    algorithm: Algorithm,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    hash: HashArg,
    #[command(flatten)]
    search: SearchArg,
    /// Threads, each of which searches all positions by itself
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    /// Let the threads search each position together instead, and print how much faster than one
    /// thread they are
    #[arg(long)]
    together: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Measured {
    /// Nodes that one thread visited: the signature.
    nodes: u64,
    seconds: f64,
    /// Nodes a second of all threads together; null if no time passed.
    nps: Option<f64>,
    #[serde(flatten)]
    of: Benched,
}

/// The result of one searched position.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Benched {
    positions: usize,
    threads: u64,
    limits: Limits,
    game: &'static str,
    board: String,
    /// The name of the weight set.
    weights: String,
}

/// The comparison of one thread with several that search together.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Compared {
    alone: Total,
    together: Total,
    /// The time of one thread divided by the time of all threads: the geometric mean over the
    /// counted positions.
    speedup: Option<f64>,
    /// Positions that took one thread long enough to count.
    counted: usize,
    #[serde(flatten)]
    of: Benched,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Total {
    nodes: u64,
    seconds: f64,
    /// Nodes a second; null if no time passed.
    nps: Option<f64>,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or a thread cannot be started.
pub fn run(args: &BenchArgs, console: &Console) -> Result<Ended> {
    let sets = args.weights.as_deref();
    let game = args.game.id(sets.as_slice());
    let limits = args.limits.or(Limits::depth(game.guide.bench_depth))?;
    let board = args.game.checked_board(game, sets.as_slice())?;
    // Not the strongest set: the signature measures the search, and networks are retrained more
    // often than tables are fitted.
    let usual = DefaultWeights::WithoutNetwork(board).name(game)?;
    let weights = sets.unwrap_or(usual);
    let search = (&args.search, args.algorithm);
    let LoadedPlayer { player, evaluator } =
        LoadedPlayer::on_board(game, Some(weights), board, search, console)?;
    if args.together && !args.algorithm.uses_threads() {
        let place = format!("--together with --algorithm {}", args.algorithm);
        return Err(Error::input(place, "that search uses one thread")
            .remedy("leave out --together, or name the full search, mcts or uct"));
    }
    let tables = if args.together { 1 } else { args.threads as usize };
    let options = Options {
        algorithm: args.algorithm,
        ..options(&limits, args.hash.given(tables)?, player.constants)
    };
    let positions = positions(game, board)?;
    if !limits.is_deterministic() {
        console.note("with a time limit the number of nodes is no signature");
    }
    let of = Benched {
        positions: positions.len(),
        threads: args.threads,
        limits,
        game: game.name(),
        board: board.to_string(),
        weights: player.name,
    };
    let stop = Stop::default();
    if args.together {
        let threads = args.threads as usize;
        let each = |threads| {
            let options = Options { threads, ..options.clone() };
            searches(&positions, &evaluator, &options, &limits, &stop).collect::<Vec<_>>()
        };
        // On a thread with a stack for the recursion, like the passes below.
        let [alone, together] = on_threads(1, || [1, threads].map(each))?.pop().unwrap_or_default();
        return compare(of, &alone, &together, console);
    }
    let passes =
        on_threads(args.threads, || pass(&positions, &evaluator, &options, &limits, &stop))?;
    report(of, &passes, console)
}

/// Runs `work` on this many threads, each with a stack large enough for the search's recursion.
///
/// # Errors
/// When a thread cannot be started, or its work fails.
pub(super) fn on_threads<R: Send>(threads: u64, work: impl Fn() -> R + Sync) -> Result<Vec<R>> {
    let failed =
        |reason: String| Error::failed("threads", reason).remedy("ask for fewer with --threads");
    std::thread::scope(|scope| {
        let begin =
            |_| std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, &work);
        let started: std::io::Result<Vec<_>> = (0..threads).map(begin).collect();
        let started = started.map_err(|error| failed(error.to_string()))?;
        let results = started.into_iter().map(|thread| thread.join());
        results.map(|result| result.map_err(|_| failed("a search failed".into()))).collect()
    })
}

fn report(of: Benched, passes: &[Pass], console: &Console) -> Result<Ended> {
    let nodes = passes.first().map_or(0, |pass| pass.nodes);
    let all: u64 = passes.iter().map(|pass| pass.nodes).sum();
    let time = passes.iter().map(|pass| pass.time).max().unwrap_or_default();
    if console.json {
        console.document(&Measured {
            nodes,
            seconds: time.as_secs_f64(),
            nps: units::per_second(all, time),
            of,
        })?;
        return Ok(Ended::Done);
    }
    let mut facts = Facts::default();
    facts.add("positions", format!("{}, {}", of.positions, of.limits));
    let mark = if of.limits.is_deterministic() { " (the signature)" } else { "" };
    facts.add("nodes", format!("{nodes}{mark}"));
    facts.add("time", units::time(time));
    let threads = units::counted(of.threads, "thread");
    facts.add("speed", format!("{}, {threads}", units::rate(all, time, "nodes")));
    console.say(facts)?;
    Ok(Ended::Done)
}

/// Prints how much faster several threads are than one, position by position.
fn compare(of: Benched, alone: &[Pass], together: &[Pass], console: &Console) -> Result<Ended> {
    let pairs = alone.iter().zip(together).filter(|(alone, _)| alone.time >= LEAST_TIME);
    let ratios: Vec<f64> = pairs
        .map(|(alone, together)| alone.time.as_secs_f64() / together.time.as_secs_f64().max(1e-9))
        .collect();
    let counted = ratios.len();
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / counted as f64;
    let speedup = (counted > 0).then(|| mean.exp());
    let [all_alone, all_together] =
        [alone, together].map(|passes| passes.iter().copied().sum::<Pass>());
    if console.json {
        let total = |pass: Pass| Total {
            nodes: pass.nodes,
            seconds: pass.time.as_secs_f64(),
            nps: units::per_second(pass.nodes, pass.time),
        };
        console.document(&Compared {
            alone: total(all_alone),
            together: total(all_together),
            speedup,
            counted,
            of,
        })?;
        return Ok(Ended::Done);
    }
    let pass_text = |pass: Pass| {
        let speed = units::rate(pass.nodes, pass.time, "nodes");
        format!("{} nodes in {}, {speed}", units::count(pass.nodes), units::time(pass.time))
    };
    let mut facts = Facts::default();
    facts.add("positions", format!("{}, {}", of.positions, of.limits));
    facts.add("one thread", pass_text(all_alone));
    facts.add(&format!("{} together", of.threads), pass_text(all_together));
    let words = match speedup {
        Some(ratio) => {
            format!("{ratio:.2} times as fast over {counted} positions (geometric mean)")
        }
        None => format!("no position took one thread {}: search deeper", units::time(LEAST_TIME)),
    };
    facts.add("speed-up", words);
    console.say(facts)?;
    Ok(Ended::Done)
}
