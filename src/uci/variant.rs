//! The game and the board that `UCI_Variant` chooses.

use crate::error::{Error, Result, nearest};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::dialect::VARIANT_OPTION;
use crate::variants::{named_variant, variant_name};
use std::fmt;
use std::str::FromStr;

/// A game on a board. Its text is the value of `UCI_Variant`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UciVariant {
    /// The game that it names.
    pub game: GameId,
    /// The board that it names.
    pub board: Board,
}

impl UciVariant {
    /// A game on its usual board.
    pub fn usual(game: GameId) -> Self {
        Self { game, board: game.default_board }
    }

    /// Every game on every board; the usual board of a game goes first.
    pub fn all() -> impl Iterator<Item = Self> {
        GameId::with_engine().iter().flat_map(|game| {
            let usual = Self::usual(*game);
            let others = game.boards.iter().map(|&board| Self { game: *game, board });
            std::iter::once(usual).chain(others.filter(move |&variant| variant != usual))
        })
    }
}

impl fmt::Display for UciVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&variant_name(self.game, self.board))
    }
}

impl FromStr for UciVariant {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let named = named_variant(text).map(|(game, board)| {
            let usual = Self::usual(game);
            Self { board: board.unwrap_or(usual.board), ..usual }
        });
        named.filter(|meant| Self::all().any(|known| known == *meant)).ok_or_else(|| {
            let names: Vec<String> = Self::all().map(|variant| variant.to_string()).collect();
            let error = Error::input(VARIANT_OPTION, "no such variant");
            match nearest(text, names.iter().map(String::as_str)) {
                Some(near) => error.remedy(format!("did you mean `{near}`?")),
                None => error.remedy("the option's list has them all"),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_a_name_of_its_own() {
        let mut names: Vec<String> = UciVariant::all().map(|variant| variant.to_string()).collect();
        for (name, variant) in names.iter().zip(UciVariant::all()) {
            assert_eq!(name.parse::<UciVariant>().unwrap(), variant);
        }
        assert_eq!(names[0], GameId::default().name());
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn names_are_read_in_every_case_and_slips_pointed_out() {
        let read = |text: &str| text.parse::<UciVariant>().unwrap().to_string();
        assert_eq!(read("breakthrough8x8"), "breakthrough");
        assert_eq!(read("Breakthrough6x6"), "breakthrough6x6");
        assert_eq!([read("breakthrough5"), read("ataxx7")], ["breakthrough5x5", "ataxx"]);
        let error = "breakthru6x6".parse::<UciVariant>().unwrap_err().to_string();
        assert!(error.contains("did you mean `breakthrough6x6`?"), "{error}");
        assert!("chess".parse::<UciVariant>().is_err() && "".parse::<UciVariant>().is_err());
    }
}
