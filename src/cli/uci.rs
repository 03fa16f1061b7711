//! `spar uci`: the engine for frontends and match runners that speak UCI, on standard input and
//! output.

use super::args::{SearchThreadsArg, check_memory, game_parser};
use super::limit_args::ClockPolicyArg;
use super::players::warn_board;
use crate::cli::{Console, Ended, NamedSet, SearchArg};
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::protocol::Protocol;
use crate::search::Algorithm;
use crate::uci::{MAX_HASH, Output, Server, Settings, UciVariant};
use clap::Args;
use std::borrow::Cow;
use std::io;

/// Serves a frontend or match runner that speaks UCI
///
/// It reads standard input and answers on standard output.
#[derive(Args, Debug)]
pub struct UciArgs {
    #[command(flatten)]
    serve: ProtocolArgs,
}

/// The arguments of both protocols: the first values of their options.
#[derive(Args, Debug)]
#[command(
    after_help = "All but --algorithm can also be set as options of the protocol, and every single weight and constant of \
    the search is an option too. Type `help` for the commands."
)]
pub struct ProtocolArgs {
    /// The game to begin with [default: the first of these; for uai the protocol's own game if it is one of them]
    #[arg(long, value_parser = game_parser())]
    game: Option<GameId>,
    /// The board to begin with, columns x rows, for example 6x6 [default: the game's usual one]
    #[arg(long, value_name = "COLSxROWS")]
    board: Option<Board>,
    /// Weights: a shipped set, a file or a run [default: the strongest set of the board]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// How the engine searches
    #[arg(long, value_enum, default_value_t)]
    algorithm: Algorithm,
    #[command(flatten)]
    threads: SearchThreadsArg,
    /// Transposition table, or tree of a tree search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Settings::HASH, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH))]
    hash: u64,
    #[command(flatten)]
    policy: ClockPolicyArg,
    #[command(flatten)]
    search: SearchArg,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong.
pub fn run(args: &UciArgs, console: &Console) -> Result<Ended> {
    serve(&args.serve, Protocol::Uci, GameId::default(), console)
}

/// Serves until the input ends.
///
/// # Errors
/// When an argument is wrong. Wrong input later is answered, not an error.
pub fn serve(
    args: &ProtocolArgs,
    protocol: Protocol,
    game: GameId,
    console: &Console,
) -> Result<Ended> {
    let settings = settings(args, args.game.unwrap_or(game), console)?;
    let output = Output::new(anstream::stdout());
    Server::new(protocol, settings, player_named, output)?.run(io::stdin().lock());
    Ok(Ended::Done)
}

fn settings(args: &ProtocolArgs, game: GameId, console: &Console) -> Result<Settings> {
    let usual = UciVariant::usual(game);
    let variant = UciVariant { board: args.board.unwrap_or(usual.board), ..usual };
    game.start(variant.board)?;
    let mut settings = Settings::new(variant);
    let named = named_set(args, game)?;
    check_player(named.as_ref(), variant, console)?;
    settings.algorithm = args.algorithm;
    let constants = args.search.values(game.name(), variant.board, console)?;
    constants.into_iter().for_each(|(name, value)| settings.set_constant(name, value));
    settings.threads = args.threads.count(args.algorithm, console);
    settings.clock_policy = args.policy.clock_policy;
    // The set stays, even if the name stands for another run later.
    let place = |named: &NamedSet| named.place().map(Cow::into_owned);
    settings.eval_file = named.map(|named| place(&named).unwrap_or_else(|| named.name()));
    check_memory((args.hash as usize) << 20, &format!("--hash {}", args.hash))?;
    settings.hash = args.hash;
    Ok(settings)
}

/// The player that `EvalFile` names, and a note if it is not an accepted set of a run.
fn player_named(game: GameId, name: &str, board: Board) -> Result<(Player, Option<String>)> {
    let named = NamedSet::find(name, game.name())?;
    let note = named.run_set().and_then(|set| set.note.clone());
    Ok((named.player(game, DefaultWeights::Strongest(board))?, note))
}

/// The set that `--weights` names, if it is given.
fn named_set(args: &ProtocolArgs, game: GameId) -> Result<Option<NamedSet<'_>>> {
    game.needs_engine()?;
    args.weights.as_deref().map(|name| NamedSet::find(name, game.name())).transpose()
}

/// Refuses a player that cannot be loaded: later the default one would take its place.
fn check_player(named: Option<&NamedSet>, variant: UciVariant, console: &Console) -> Result<()> {
    let UciVariant { game, board } = variant;
    let default = DefaultWeights::Strongest(board);
    let player = match named {
        Some(named) => {
            named.tell(console);
            named.player(game, default)?
        }
        None => Player::find(game, None, default)?,
    };
    warn_board(&player, board, console)
}
