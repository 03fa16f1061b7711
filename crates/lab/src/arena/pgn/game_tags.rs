//! The game and the board that the tags of a recorded game name.

use crate::error::{Error, Result, shorten};
use crate::game::Board;
use crate::games::GameId;
use crate::variants::{common_name, letters_and_digits, named_variant};

/// The tags of a recorded game that say what is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTags<'a> {
    /// The tag `Variant`: a game, or a game with its board, such as `ataxx5x5`.
    pub variant: Option<&'a str>,
    /// The tag `Board`, columns x rows. In team events it is the number of a table, which says
    /// nothing here.
    pub board: Option<&'a str>,
}

impl GameTags<'_> {
    /// The game that the tags name, if they name one.
    ///
    /// # Errors
    /// When it is none of this program's.
    pub fn game(&self) -> Result<Option<GameId>> {
        let named = self.variant.map_or(Ok(None), game_and_board)?;
        Ok(named.map(|(game, _)| game))
    }

    /// The board that the tags name, if they name one.
    ///
    /// # Errors
    /// When the tags name two.
    pub fn board(&self) -> Result<Option<Board>> {
        let of_variant = self.variant.and_then(|tag| game_and_board(tag).ok()??.1);
        let own = self.board.and_then(|tag| tag.trim().parse::<Board>().ok());
        match (of_variant, own) {
            (Some(a), Some(b)) if a != b => {
                Err(Error::input("the tags Variant and Board", format!("they name {a} and {b}"))
                    .remedy("correct one of them"))
            }
            (a, b) => Ok(a.or(b)),
        }
    }

    /// Checks that the tags do not name another game or board than these.
    ///
    /// # Errors
    /// When they do.
    pub fn check(&self, game: GameId, board: Option<Board>) -> Result<()> {
        // The names of games with a referee are its engine's.
        let is_known = GameId::all().contains(&game);
        if is_known
            && let Some(named) = self.game()?
            && common_name(named) != common_name(game)
        {
            return Err(Error::input("tag Variant", format!("the tags say {named}, not {game}"))
                .remedy(format!("name the game with --game {named}, or correct the tag")));
        }
        match (self.board()?, board) {
            (Some(named), Some(board)) if named != board => {
                Err(Error::input("tag Board", format!("the tags say {named}, not {board}"))
                    .remedy(format!("give --board {named}, or correct the tag")))
            }
            _ => Ok(()),
        }
    }
}

/// The game, and the board if there is one, in the value of a tag `Variant`; `None` for `?` and
/// other values that name nothing.
fn game_and_board(tag: &str) -> Result<Option<(GameId, Option<Board>)>> {
    if letters_and_digits(tag).is_empty() {
        return Ok(None);
    }
    named_variant(tag).map(Some).ok_or_else(|| {
        let names: Vec<&str> = GameId::all().iter().map(|game| game.name()).collect();
        Error::input(format!("tag Variant `{}`", shorten(tag)), "none of this program's games")
            .remedy(format!("leave the tag out if it is one of {}", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(variant: Option<&str>, board: Option<&str>, game: &str) -> String {
        let game: GameId = game.parse().unwrap();
        let tags = GameTags { variant, board };
        tags.check(game, Some(game.default_board))
            .map_or_else(|e| e.to_string(), |()| "good".into())
    }

    #[test]
    fn games_and_boards_are_known_by_the_names_that_programs_write() {
        for (tag, game) in [
            ("Standard", "chess"),
            ("From Position", "chess"),
            ("Fischerandom", "chess960"),
            ("Chess 960", "chess960"),
            ("fischerandom", "chess"),
            ("Ataxx", "ataxx"),
            ("ataxx7x7", "ataxx"),
            ("Breakthrough", "breakthrough"),
            ("breakthrough8", "breakthrough"),
        ] {
            assert_eq!(said(Some(tag), None, game), "good", "{tag}");
        }
        for nothing in ["?", "-", ""] {
            assert_eq!(said(Some(nothing), None, "breakthrough"), "good");
            assert_eq!(GameTags { variant: Some(nothing), board: None }.game().unwrap(), None);
        }
        assert_eq!(said(None, Some("3"), "chess"), "good");
        assert_eq!(said(None, Some("1.4"), "ataxx"), "good");
        let tags = GameTags { variant: Some("ataxx5"), board: None };
        assert_eq!(tags.board().unwrap(), Some("5x5".parse().unwrap()));
    }

    #[test]
    fn another_game_or_board_is_refused() {
        for (variant, board, game, words) in [
            (Some("Crazyhouse"), None, "chess", "none of this program's games"),
            (Some("Antichess"), None, "chess", "Antichess"),
            (Some("ataxx"), None, "breakthrough", "--game ataxx"),
            (Some("ataxx"), Some("5x5"), "ataxx", "--board 5x5"),
            (Some("ataxx5x5"), Some("6x6"), "ataxx", "5x5 and 6x6"),
        ] {
            let said = said(variant, board, game);
            assert!(said.contains(words), "{variant:?} {board:?}: {said}");
        }
    }
}
