//! The machine: its processor, its speed and its memory.

use super::Check;
use crate::any::{AnyEvaluator, AnyPosition};
use crate::arena::queue::processors;
use crate::cli::bench::on_threads;
use crate::error::Result;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::report::units;
use crate::search::bench::{Pass, options, pass, positions};
use crate::search::{Limits, SearchConstants, Stop};

/// Nodes of each of the searches whose speed is measured.
const NODES: u64 = 20_000;
/// All processors together should search at least this share of their number times as fast as one.
const LEAST_SCALING: f64 = 0.6;
/// The memory that a thread of a run takes, its tables included, in bytes: a generous figure.
const THREAD_BYTES: u64 = 64 << 20;

/// The processor: what the program was built for, and how many there are.
pub(super) fn processor() -> Check {
    let built_for = match (cfg!(target_arch = "x86_64"), cfg!(target_feature = "avx2")) {
        (true, true) => "built for x86-64-v3 (AVX2)".to_owned(),
        (true, false) => "built for any x86-64 processor".to_owned(),
        _ => format!("built for {}", std::env::consts::ARCH),
    };
    let number = units::counted(processors() as u64, "processor");
    let finding = format!("{number}, {built_for}");
    if cfg!(debug_assertions) {
        let remedy = "build with --release: searches are several times as fast";
        return Check::warning("processor", format!("{finding}, a development build"), remedy);
    }
    Check::ok("processor", finding)
}

/// The speed of the search on one processor and on all at once.
///
/// # Errors
/// When the game's set cannot be read, or threads cannot be started.
pub(super) fn speed(game: GameId) -> Result<Check> {
    if !game.has_engine() {
        return Ok(Check::ok("speed", format!("{game} has no engine to measure")));
    }
    let board = game.default_board;
    let default = DefaultWeights::WithoutNetwork(board);
    let player = Player::find(game, None, default)?;
    let evaluator = game.evaluator(&player.weights)?;
    let positions = positions(game, board)?;
    let threads = processors();
    let (one, _) = passes(1, &positions, &evaluator)?;
    let (all, nodes) = passes(threads, &positions, &evaluator)?;
    let scaling = all / one.max(f64::MIN_POSITIVE);
    let finding = format!(
        "{} nodes/s on one processor, {scaling:.1} times that on {threads} ({game} {board}, {nodes} nodes)",
        units::scaled(one)
    );
    if scaling < LEAST_SCALING * threads as f64 {
        let remedy = "other programs may be busy, or processors share a core: give fewer --threads";
        return Ok(Check::warning("speed", finding, remedy));
    }
    Ok(Check::ok("speed", finding))
}

/// Nodes a second of this many threads together, and the nodes that they searched.
fn passes(
    threads: usize,
    positions: &[AnyPosition],
    evaluator: &AnyEvaluator,
) -> Result<(f64, u64)> {
    let limits = Limits::nodes(NODES);
    let options = options(&limits, None, SearchConstants::default());
    let stop = Stop::default();
    let work = || pass(positions, evaluator, &options, &limits, &stop);
    let passes: Vec<Pass> = on_threads(threads as u64, work)?;
    let speed = passes.iter().map(|pass| pass.nodes as f64 / pass.time.as_secs_f64().max(1e-9));
    Ok((speed.sum(), passes.iter().map(|pass| pass.nodes).sum()))
}

/// The memory that is free, where the system says.
pub(super) fn memory() -> Check {
    let Some(free) = free_memory() else {
        return Check::ok("memory", "this system does not say how much is free");
    };
    let wanted = THREAD_BYTES.saturating_mul(processors() as u64);
    let finding = format!("{} free", units::bytes(free));
    if free < wanted {
        let remedy = format!(
            "a run on all processors may take {}: give fewer --threads or a smaller --hash",
            units::bytes(wanted)
        );
        return Check::warning("memory", finding, remedy);
    }
    Check::ok("memory", finding)
}

/// The bytes that new programs can take without swapping, from `/proc/meminfo`.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
