//! The arguments of commands that search with one engine of ours.

use super::args::SearchThreadsArg;
use crate::any::{AnyEngine, AnyEvaluator};
use crate::cli::{Console, HashArg, LimitArgs, LoadedPlayer, SearchArg};
use crate::endgames::load_for;
use crate::error::Result;
use crate::game::Board;
use crate::games::GameId;
use crate::search::{Algorithm, Limits, Options};
use clap::Args;
use std::path::PathBuf;

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
    /// An endgame database of `endgame build` for the full search
    #[arg(long, value_name = "FILE")]
    endgame: Option<PathBuf>,
}

impl EngineArgs {
    /// The player for a board, as [`LoadedPlayer::on_board`] loads it, and its engine's options,
    /// with a table that suits these limits.
    ///
    /// # Errors
    /// When [`LoadedPlayer::on_board`] fails, or there is not enough memory for the table.
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

    /// The engine with these options and, if one is named, the endgame database.
    ///
    /// # Errors
    /// When the endgame database cannot be read or is for another game or board.
    pub(super) fn engine(
        &self,
        evaluator: &AnyEvaluator,
        options: Options,
        (game, board): (GameId, Board),
        console: &Console,
    ) -> Result<AnyEngine> {
        let mut engine = evaluator.engine(options);
        if let Some(path) = &self.endgame {
            if self.algorithm != Algorithm::Full {
                console.note(format!("the {} search uses no endgame database", self.algorithm));
            }
            engine.set_endgames(Some(&load_for(path, game, board)?));
        }
        Ok(engine)
    }
}
