//! Programs on this machine and others: workers and external engines.

use super::Check;
use crate::cli::referee_args::JudgedGame;
use crate::cli::{Console, EngineWishes, Participant, RefereedGameArgs};
use crate::error::{Error, Result};
use crate::protocol::ExternalEngine;
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::report::units;
use std::path::Path;

/// Seconds after which an engine that does not answer is given up.
const PATIENCE: u64 = 5;

/// The workers at a server, where one is named.
#[cfg(feature = "cluster")]
pub(super) fn workers(url: Option<&str>, credentials: Option<&Path>) -> Check {
    use crate::cluster::{Credentials, status};
    let Some(url) = url else {
        return Check::ok("workers", "not checked: name a server with --cluster");
    };
    let found = Credentials::find(credentials).and_then(|credentials| status(url, &credentials));
    let check = found.map(|status| {
        let count = units::counted(status.workers.len() as u64, "worker");
        let finding = format!("{url} answers (NATS {}), {count}", status.server);
        match status.workers.is_empty() {
            true => {
                let remedy = format!("start one with `spar worker --cluster {url}`");
                Check::warning("workers", finding, remedy)
            }
            false => Check::ok("workers", finding),
        }
    });
    Check::of("workers", check)
}

/// The workers at a server: this build knows of none.
#[cfg(not(feature = "cluster"))]
pub(super) fn workers(url: Option<&str>, _: Option<&Path>) -> Check {
    match url {
        None => Check::ok("workers", "this build has none (a build with --features cluster does)"),
        Some(_) => {
            Check::problem("workers", &crate::cli::cluster_args::without_feature("`spar doctor`"))
        }
    }
}

/// Whether an external engine starts for the game.
pub(super) fn engine(
    program: &str,
    game: &RefereedGameArgs,
    common: &ExternalEngine,
    console: &Console,
) -> Check {
    Check::of("engine", started(program, game, common, console))
}

fn started(
    program: &str,
    args: &RefereedGameArgs,
    common: &ExternalEngine,
    console: &Console,
) -> Result<Check> {
    if !program.starts_with(COMMAND_PREFIX) {
        return Err(Error::input(format!("engine `{program}`"), "not a command")
            .remedy(format!("write {COMMAND_PREFIX}PROGRAM ARGS")));
    }
    let common =
        ExternalEngine { timeout_seconds: common.timeout_seconds.min(PATIENCE), ..common.clone() };
    let usual = args.usual_of_engines()?;
    let JudgedGame { game, board, .. } = args.find(&[program], usual, Some(&common), console)?;
    let wishes = EngineWishes { common: &common, options: &[], folder: None };
    let found = Participant::find(program, (game, board), wishes, console)?;
    let options = found.engine().map_or(0, |engine| engine.offered().len());
    let options = units::counted(options as u64, "option");
    let starts = format!("{} starts for {game} on {board} and offers {options}", found.name);
    Ok(Check::ok("engine", format!("{starts}; `spar check` tries its moves")))
}
