//! `spar uai`: the engine for frontends and match runners that speak UAI.

use super::uci::{ProtocolArgs, serve};
use crate::cli::{Console, Ended};
use crate::error::Result;
use crate::games::GameId;
use crate::protocol::Protocol;
use clap::Args;

/// The game that this protocol was made for.
const OWN_GAME: &str = "ataxx";

/// Serves a frontend or match runner that speaks UAI
///
/// It reads standard input and answers on standard output.
#[derive(Args, Debug)]
pub struct UaiArgs {
    #[command(flatten)]
    serve: ProtocolArgs,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong.
pub fn run(args: &UaiArgs, console: &Console) -> Result<Ended> {
    let own = GameId::all().iter().copied().find(|game| game.name() == OWN_GAME);
    serve(&args.serve, Protocol::Uai, own.unwrap_or_default(), console)
}
