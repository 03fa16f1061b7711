//! `spar generate`: positions of self-play games for the fit.

use super::Ended;
use super::args::{GameArgs, LimitArgs, SeedArg, ThreadArgs, parse_count};
use super::console::Console;
use super::interrupt::Interrupt;
use super::players::Player;
use super::progress::Progress;
use crate::arena::Queue;
use crate::arena::queue::Threads;
use crate::error::{Error, Result};
use crate::eval::Evaluated;
use crate::game::with_game;
use crate::run::positions::PositionWriter;
use crate::search::{Engine, Limits, Options, Stop};
use crate::tune::logistic::generate::{GenerateConfig, Harvest, play};
use crate::tune::logistic::samples::{Header, record_bytes};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Games between two moments at which the file is made safe.
const GAMES_PER_COMMIT: u64 = 512;
/// Games on their way for each thread.
const GAMES_PER_THREAD: u64 = 16;
/// Nodes a move when no limit is given.
const NODES: u64 = 1_000;

/// Plays games of an engine against itself and keeps their quiet positions with the results, for `spar fit`.
///
/// When it is interrupted, the same command goes on where it was.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// The file to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    game: GameArgs,
    /// The weights that play: a shipped set or a file [default: the game's default set]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = parse_count)]
    games: u64,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadArgs,
    /// The chance of a random move instead of the best one, for each ply after the opening
    #[arg(long, value_name = "SHARE", default_value_t = GenerateConfig::DEVIATE)]
    deviate: f64,
    /// The fewest random plies that open a game [default: half of the usual number]
    #[arg(long, value_name = "PLIES")]
    least_plies: Option<u32>,
    /// The most random plies that open a game [default: twice the usual number]
    #[arg(long, value_name = "PLIES")]
    most_plies: Option<u32>,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or the file cannot be written.
pub fn run(args: &GenerateArgs, console: &Console) -> Result<Ended> {
    with_game!(args.game.game, P => run_game::<P>(args, console))
}

fn run_game<P: Evaluated>(args: &GenerateArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    let board = args.game.checked_board::<P>()?;
    let player = Player::<P>::find_or_default(args.weights.as_deref())?;
    player.mind_board(board, console)?;
    let usual = P::default_opening_plies(board);
    let config = GenerateConfig {
        game: P::GAME.into(),
        board: board.to_string(),
        games: args.games,
        limits: args.limits.or(Limits::nodes(NODES))?,
        seed: args.seed.seed,
        opening_plies: (args.least_plies.unwrap_or(usual / 2), args.most_plies.unwrap_or(usual * 2)),
        deviate: args.deviate,
    };
    config.check()?;
    let source = json!({
        "weights": player.name, "fingerprint": player.set.fingerprint(), "config": config,
        "version": env!("CARGO_PKG_VERSION"),
    });
    let mut writer = PositionWriter::open(&args.file, &Header::new::<P>(board, source))?;
    let threads = Threads::new(args.threads.count())?;
    let mut queue: Queue<Result<Option<Harvest>>> = Queue::new(&threads);
    let engines: Arc<Mutex<Vec<Engine<P>>>> = Arc::default();
    let config = Arc::new(config);
    let stop = Stop::default();
    let interrupt = Interrupt::new("finishing the games in hand; press again to stop at once");
    let mut next = writer.games();
    let mut progress = Progress::new(console, Some(config.games), "games").resumed_at(next);
    let in_hand = GAMES_PER_THREAD * threads.count() as u64;
    let mut nodes = 0;
    loop {
        while next < config.games && queue.pending() < in_hand && !interrupt.stop().is_set() {
            let (engines, config, stop, number) = (engines.clone(), config.clone(), stop.clone(), next);
            let evaluator = player.evaluator.clone();
            queue.submit(move || {
                let idle = engines.lock().unwrap_or_else(PoisonError::into_inner).pop();
                let options =
                    || Options { table_bytes: Options::table_for(&config.limits), ..Options::default() };
                let mut engine = idle.unwrap_or_else(|| Engine::new(evaluator, options()));
                let harvest = play(&mut engine, config.board.parse()?, &config, number, &stop);
                engines.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
                harvest
            });
            next += 1;
        }
        let Some(harvest) = queue.take() else { break };
        let Some(harvest) = harvest? else { break };
        nodes += harvest.nodes;
        writer.add(&harvest.records);
        if writer.games().is_multiple_of(GAMES_PER_COMMIT) {
            writer.commit()?;
        }
        let positions = writer.bytes() / record_bytes::<P>() as u64;
        progress.update(writer.games(), || format!("{} positions", super::units::count(positions)));
    }
    progress.finish();
    writer.commit()?;
    let (games, positions) = (writer.games(), writer.bytes() / record_bytes::<P>() as u64);
    let seconds = begun.elapsed().as_secs_f64();
    let done = games == config.games;
    if done {
        writer.finish()?;
    }
    let file = args.file.display().to_string();
    if console.json {
        console.document(&json!({ "file": file, "games": games, "positions": positions, "nodes": nodes, "seconds": seconds }))?;
    } else {
        console.say(format!("{positions} positions of {games} games in {file} ({seconds:.1} s)"))?;
    }
    if done {
        Ok(Ended::Done)
    } else {
        Err(Error::interrupted("generate", "stopped early").remedy("run the same command again to go on"))
    }
}
