//! The names that other programs and their files have for a game on a board.

use crate::game::Board;
use crate::games::GameId;

/// Chess960, which engines play as chess with an option.
const CHESS960: &str = "chess960";
/// What programs of chess call it in the tag `Variant`.
const CHESS_NAMES: [&str; 6] =
    ["standard", "normal", "regular", "orthodox", "classical", "fromposition"];
/// What they call Chess960.
const CHESS960_NAMES: [&str; 7] = [
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
    "doublefischerrandom",
    "frc",
    "dfrc",
    "wildfr",
];

/// Whether engines know a game as chess with the option `UCI_Chess960`.
pub fn is_chess960(game: GameId) -> bool {
    game.name == CHESS960
}

/// The name under which others know a game: Chess960 is chess from other starts.
pub fn common_name(game: GameId) -> &'static str {
    if is_chess960(game) { "chess" } else { game.name() }
}

/// The name of a game on a board in `UCI_Variant`: the game's name, with the size of an unusual
/// board.
pub fn variant_name(game: GameId, board: Board) -> String {
    match board == game.default_board {
        true => common_name(game).into(),
        false => format!("{game}{board}"),
    }
}

/// The name of a variant on a square board, as in Fairy-Stockfish's file of variants:
/// `breakthrough6` for `breakthrough6x6`.
pub fn short_variant_name(variant: &str) -> Option<&str> {
    let (name, rows) = variant.rsplit_once('x')?;
    (!rows.is_empty() && name.ends_with(rows)).then_some(name)
}

/// The game that a name means, and the board if it has one: `ataxx`, `ataxx5x6`, `ataxx5`, and what
/// programs of chess call their games. Capitals and signs between the words do not matter.
pub fn named_variant(name: &str) -> Option<(GameId, Option<Board>)> {
    let name = letters_and_digits(name);
    let name = match name.as_str() {
        name if CHESS_NAMES.contains(&name) => "chess",
        name if CHESS960_NAMES.contains(&name) => CHESS960,
        name => name,
    };
    let exact = GameId::all().iter().find(|game| letters_and_digits(game.name()) == name);
    let sized = || {
        GameId::all().iter().find_map(|game| {
            let size = name.strip_prefix(&letters_and_digits(game.name()))?;
            let board = size.parse().or_else(|_| format!("{size}x{size}").parse()).ok()?;
            Some((*game, Some(board)))
        })
    };
    exact.map(|game| (*game, None)).or_else(sized)
}

/// The letters and digits of a name, in small letters.
pub(crate) fn letters_and_digits(name: &str) -> String {
    name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_variants_of_their_own() {
        assert_eq!(variant_name(GameId::default(), "8x8".parse().unwrap()), "breakthrough");
        assert_eq!(variant_name(GameId::default(), "6x6".parse().unwrap()), "breakthrough6x6");
        assert_eq!(short_variant_name("breakthrough6x6"), Some("breakthrough6"));
        assert!(
            ["ataxx", "ataxx5x6", "breakthrough"].iter().all(|v| short_variant_name(v).is_none())
        );
    }

    #[test]
    fn names_mean_games_and_boards() {
        let read = |name: &str| {
            let (game, board) = named_variant(name)?;
            Some(format!("{game} {}", board.map_or("-".into(), |board| board.to_string())))
        };
        for (name, meant) in [
            ("Ataxx", Some("ataxx -")),
            ("ataxx5x6", Some("ataxx 5x6")),
            ("Ataxx 5", Some("ataxx 5x5")),
            ("breakthrough8x8", Some("breakthrough 8x8")),
            ("ataxx5x", None),
            ("Crazyhouse", None),
            ("?", None),
        ] {
            assert_eq!(read(name).as_deref(), meant, "{name}");
        }
    }
}
