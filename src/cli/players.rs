//! Weight sets named on the command line.

use super::console::Console;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::eval::features::{check_board, check_set};
use crate::game::Board;
use crate::games::GameId;
use crate::weights::{self, WeightSet};

/// The name of the set that is used for a board where none is named: the one called like the board,
/// if it is shipped, else the game's default set.
///
/// # Errors
/// When no set is shipped for the game.
pub fn default_name<G: Game>(board: Board) -> Result<&'static str> {
    shipped_name::<G>(&board.to_string()).or_else(|_| shipped_name::<G>(G::guide().default_set))
}

/// The full name of a shipped set of a game.
fn shipped_name<G: Game>(set: &str) -> Result<&'static str> {
    let full = format!("{}/{set}", G::GAME);
    let name = weights::shipped().iter().map(|&(name, _)| name).find(|&name| name == full);
    name.ok_or_else(|| {
        Error::input(format!("game `{}`", G::GAME), "no weight set is shipped for it")
            .remedy("name one with --weights")
    })
}

/// A weight set with its name and what it evaluates with.
#[derive(Clone)]
pub struct LoadedPlayer<G: Game> {
    /// What it is called: the full shipped name, or the path.
    pub name: String,
    /// The set.
    pub set: WeightSet,
    /// The evaluator made from it.
    pub evaluator: G::Evaluator,
}

impl<G: Game> LoadedPlayer<G> {
    /// The player that a command's argument names: a shipped set, with or without its game, or a
    /// file.
    ///
    /// # Errors
    /// When there is no such set, or it does not fit the game.
    pub fn find(text: &str) -> Result<Self> {
        if text.starts_with("cmd:") {
            return Err(Error::input(format!("player `{text}`"), "only a weight set will do here")
                .remedy("name a weight file or a shipped set; `spar weights list` lists them"));
        }
        let set = weights::find(text, G::GAME)?;
        let name = full_name(text, G::GAME);
        check_set::<G>(&set, &name)?;
        let evaluator = G::evaluator(&set)?;
        Ok(Self { name, set, evaluator })
    }

    /// As [`find`](Self::find); without a name, the default set of the board.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_or_default(text: Option<&str>, board: Board) -> Result<Self> {
        text.map_or_else(|| default_name::<G>(board), Ok).and_then(Self::find)
    }

    /// As [`find`](Self::find); without a name, the hand-made set that tunes start from.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_or_hand_made(text: Option<&str>) -> Result<Self> {
        text.map_or_else(|| shipped_name::<G>(G::guide().hand_made_set), Ok).and_then(Self::find)
    }

    /// The last part of its name, for where there is little room.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// Remarks on stderr that the set was made for another board, if so.
    ///
    /// # Errors
    /// When it has tables for another board, which mean nothing on this one.
    pub fn warn_board(&self, board: Board, console: &Console) -> Result<()> {
        check_board(&self.set, &self.name, board)?;
        if !self.set.fits_board(board) {
            let own = self.set.board.as_deref().unwrap_or_default();
            console.note(format!("{} was made for {own}, and plays on {board}", self.name));
        }
        Ok(())
    }
}

/// A shipped name with its game; any other text as it is.
fn full_name(text: &str, game: &str) -> String {
    let full = format!("{game}/{text}");
    if weights::shipped().iter().any(|&(name, _)| name == full) { full } else { text.to_owned() }
}

/// The game that a weight set says it is for.
///
/// # Errors
/// When the program does not know it.
pub fn game_of(set: &WeightSet, place: &str) -> Result<GameId> {
    set.game.parse().map_err(|error: Error| error.within(format!("{place}, key `game`")))
}
