//! `spar generate`: positions of self-play games for the fit.

use super::args::parse_count;
use super::cluster_args::ClusterArgs;
use super::on_done::{self};
use crate::any::AnyEvaluator;
use crate::arena::Threads;
use crate::cli::{
    Console, Ended, ErrorDetails, GameArgs, Interrupt, LimitArgs, LoadedPlayer, OnDoneArg,
    ProgressLine, SearchArg, SeedArg, ThreadArgs, check_name,
};
use crate::error::Result;
use crate::games::GameId;
use crate::player::Player;
use crate::report::units;
use crate::run::positions::PositionWriter;
use crate::search::{Algorithm, Limits, Stop};
use crate::shell::quote_path;
use crate::tune::logistic::generate::run as play_games;
use crate::tune::logistic::samples::Header;
use crate::tune::{GenerateConfig, SelfPlay};
use clap::Args;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

/// Games between two syncs of the file to disk.
const GAMES_PER_COMMIT: u64 = 512;

/// Plays self-play games and keeps their positions
///
/// After an interruption or a kill, the same command continues, and writes the same file, byte for
/// byte, on any number of threads. Until the file is complete, FILE.part beside it has the
/// progress.
#[derive(Args, Debug)]
pub struct GenerateArgs {
    /// The file to write, for example games.pos
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    pub(super) on_done: OnDoneArg,
    /// The player: a shipped set, a file or a run [default: the board's strongest]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// Games to play; k, M and G are understood
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = parse_count)]
    games: u64,
    #[command(flatten)]
    search: SearchArg,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    seed: SeedArg,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
    #[command(flatten)]
    play: SelfPlay,
}

impl GenerateArgs {
    fn sets(&self) -> Vec<&str> {
        self.weights.as_deref().into_iter().collect()
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct GenerateJson {
    /// The path of the file.
    file: String,
    /// Whether all games are in it.
    complete: bool,
    /// Games in it, earlier processes included.
    games: u64,
    /// Positions in the file, repetitions included.
    positions: u64,
    /// Bytes of the file.
    bytes: u64,
    /// Nodes visited by this process.
    nodes: u64,
    /// Nodes a second; null if no time passed.
    nps: Option<f64>,
    /// Seconds of this process.
    seconds: f64,
    game: &'static str,
    board: String,
    /// The name of the weight set that played.
    weights: String,
    limits: Limits,
    seed: u64,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or the file cannot be written.
pub fn run(args: &GenerateArgs, console: &Console) -> Result<Ended> {
    let begun = Instant::now();
    check_name(&args.file)?;
    let game = args.game.id(&args.sets());
    let board = args.game.checked_board(game, &args.sets())?;
    let search = (&args.search, Algorithm::Full);
    let LoadedPlayer { player, evaluator } =
        LoadedPlayer::on_board(game, args.weights.as_deref(), board, search, console)?;
    let limits = args.limits.or(Limits::nodes(GenerateConfig::NODES))?;
    let config = args.play.config(game, board, args.games, limits, args.seed.seed)?;
    if !limits.is_deterministic() {
        console.note("with a time limit the positions differ from run to run");
    }
    let title = format!("games of {game} for a fit, seed {}", args.seed.seed);
    let threads = args.cluster.threads(&args.threads, (&title, game.name), console)?;
    let interrupt = Interrupt::new(
        "finishing the games in progress; press Ctrl-C again to stop at once. Either way, the same command continues later",
    );
    let header = Header::new(game, board, config.source(&player));
    let mut writer = PositionWriter::open(&args.file, &header)?;
    let players = (&evaluator, &player);
    let nodes = play(game, (&config, players, &threads), interrupt.stop(), &mut writer, console)?;
    let mut document = GenerateJson {
        file: args.file.display().to_string(),
        complete: writer.games() >= config.games,
        games: writer.games(),
        positions: writer.positions(),
        bytes: writer.bytes(),
        nodes,
        nps: units::per_second(nodes, begun.elapsed()),
        seconds: begun.elapsed().as_secs_f64(),
        game: game.name,
        board: board.to_string(),
        weights: player.name,
        limits,
        seed: args.seed.seed,
    };
    on_done::note("FILE", &document.file);
    on_done::note("GAMES", document.games);
    if !document.complete {
        console.aside("stopped early; all finished work is kept. Continue with the same command");
        console.failure(ErrorDetails::of_stop(args.file.display(), "the same command"))?;
        return Ok(Ended::Stopped);
    }
    document.bytes = writer.finish()?;
    report(&document, args, console)?;
    Ok(Ended::Done)
}

/// Plays the games that the file lacks, and writes their positions. Returns the nodes searched.
fn play(
    game: GameId,
    (config, players, threads): (&GenerateConfig, (&AnyEvaluator, &Player), &Threads),
    stop: &Stop,
    writer: &mut PositionWriter,
    console: &Console,
) -> Result<u64> {
    let first = writer.games();
    let mut progress = ProgressLine::new(console, Some(config.games), "games").resumed_at(first);
    progress.update(first, String::new);
    let mut nodes = 0;
    let played = play_games(game, config, players, threads, first, stop, &mut |harvest| {
        nodes += harvest.nodes;
        writer.add(&harvest.records);
        if writer.games().is_multiple_of(GAMES_PER_COMMIT) {
            writer.commit()?;
        }
        progress
            .update(writer.games(), || format!("{} positions", units::count(writer.positions())));
        Ok(ControlFlow::Continue(()))
    });
    progress.finish();
    played?;
    writer.commit()?;
    Ok(nodes)
}

fn report(document: &GenerateJson, args: &GenerateArgs, console: &Console) -> Result<()> {
    let GenerateJson { games, positions, bytes, seconds, .. } = *document;
    if positions == 0 {
        console
            .note("no game lasted beyond its opening: give smaller --least-plies and --most-plies");
    }
    if console.json {
        return console.document(document);
    }
    let file = quote_path(&args.file);
    console.say(format!(
        "{} positions of {} games in {file} ({}, {seconds:.1} s)\n\nnext\n  spar fit {file} --game {} -o fitted.json",
        units::count(positions),
        units::count(games),
        units::bytes(bytes),
        args.game.id(&args.sets()),
    ))
}
