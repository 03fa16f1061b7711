//! The book that a player takes its first moves from.

use crate::any::AnyPosition;
use crate::error::Result;
use crate::eval::Score;
use crate::game::Board;
use crate::games::GameId;
use crate::opening_tree::{BookMove, OpeningBook};
use crate::search::score::is_proven;
use clap::Args;
use std::path::PathBuf;

/// The book of a player, and how it chooses from it.
#[derive(Args, Clone, Debug)]
pub(in crate::cli) struct PlayerBookArgs {
    /// Take the engine's first moves from this opening book of `book build` or `book export`;
    /// `shipped` is the one that comes with the program for the board, as is a name of `book list`
    #[arg(long, value_name = "FILE", help_heading = "Opening book")]
    book: Option<PathBuf>,
    /// Choose among book moves at most this much worse than the best, in hundredths of a piece
    #[arg(long, value_name = "CP", requires = "book", default_value_t = OpeningBook::VARIETY, help_heading = "Opening book")]
    book_variety: u32,
    /// Seed of that choice: the same seed gives the same moves
    #[arg(
        long,
        value_name = "N",
        requires = "book",
        default_value_t = 1,
        help_heading = "Opening book"
    )]
    book_seed: u64,
}

/// A book in memory, and how a player chooses from it.
pub(in crate::cli) struct PlayerBook {
    book: OpeningBook,
    variety: u32,
    seed: u64,
}

impl PlayerBookArgs {
    /// The book, if one is named.
    ///
    /// # Errors
    /// When it cannot be read, or is for another game or board.
    pub(in crate::cli) fn read(&self, game: GameId, board: Board) -> Result<Option<PlayerBook>> {
        let Some(path) = &self.book else { return Ok(None) };
        let book = OpeningBook::load_for(path, game, board)?;
        Ok(Some(PlayerBook { book, variety: self.book_variety, seed: self.book_seed }))
    }
}

impl PlayerBook {
    /// The move for a position, with its value where a piece scores `unit`; `None` where the book
    /// ends.
    pub(in crate::cli) fn choose(&self, position: &AnyPosition, unit: Score) -> Option<BookMove> {
        let found = self.book.choose(position, self.variety, self.seed)?;
        let scaled = i64::from(found.value) * i64::from(unit) / i64::from(self.book.unit());
        let value = match is_proven(found.value) {
            true => found.value,
            false => Score::try_from(scaled).unwrap_or(found.value),
        };
        Some(BookMove { value, ..found })
    }
}
