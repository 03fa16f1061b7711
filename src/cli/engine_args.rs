//! The engine of a command that searches with one of its own: what it plays with, and how.

use super::args::{HashArg, SearchThreadsArg};
use super::console::Console;
use super::constants::SearchArg;
use super::limit_args::LimitArgs;
use super::players::LoadedPlayer;
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::search::{Algorithm, Limits, Options};
use clap::Args;

/// How an engine searches.
#[derive(Args, Clone, Debug)]
pub struct EngineArgs {
    /// How the engine searches
    #[arg(long, value_enum, default_value_t)]
    pub(super) algorithm: Algorithm,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    threads: SearchThreadsArg,
    #[command(flatten)]
    hash: HashArg,
    #[command(flatten)]
    search: SearchArg,
}

impl EngineArgs {
    /// The player that plays on a board, as [`LoadedPlayer::on_board`] has it, and the options of
    /// its engine, which suit these limits.
    ///
    /// # Errors
    /// As there, and when there is not enough memory for the table.
    pub(super) fn player(
        &self,
        game: GameId,
        weights: Option<&str>,
        board: Board,
        limits: &Limits,
        console: &Console,
    ) -> Result<(LoadedPlayer, Options)> {
        let search = (&self.search, self.algorithm);
        let loaded = LoadedPlayer::on_board(game, weights, board, search, console)?;
        let options = Options {
            algorithm: self.algorithm,
            table_bytes: self.hash.bytes(&[*limits], 1)?,
            threads: self.threads.count(self.algorithm, console),
            constants: loaded.player.constants.clone(),
            ..Options::default()
        };
        Ok((loaded, options))
    }
}
