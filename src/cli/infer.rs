//! The game and the board that the other arguments of a command imply: by the weight sets, the
//! runs and the position that they name.

use super::named::NamedSet;
use crate::files::{self, Links};
use crate::game::{Board, Notation};
use crate::games::{GameId, with_game};
use crate::weights::{MAX_FILE, find_shipped, json_head};
use serde::Deserialize;
use std::path::Path;

/// What a weight file says of its game; all else is skipped.
#[derive(Deserialize)]
struct SetHead {
    game: Option<String>,
    board: Option<String>,
}

/// What one name implies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Implied {
    /// The games that it can be of; empty when it says nothing.
    games: Vec<GameId>,
    board: Option<Board>,
}

/// The game that weight sets, as they are named, and a position imply; the default one where they
/// leave it open. What cannot be read implies nothing: its own error comes later.
pub fn game(sets: &[&str], fen: Option<&str>) -> GameId {
    let mut open = GameId::ALL.to_vec();
    let by_fen = fen.map(games_of_fen).unwrap_or_default();
    // A file or a full name is of one game, so it goes before a name that several games have.
    let mut implied: Vec<Vec<GameId>> = sets.iter().map(|name| implied(name).games).collect();
    implied.push(by_fen);
    implied.sort_by_key(Vec::len);
    for games in implied.iter().filter(|games| !games.is_empty()) {
        let both: Vec<GameId> = open.iter().copied().filter(|id| games.contains(id)).collect();
        if !both.is_empty() {
            open = both;
        }
    }
    open.first().copied().unwrap_or_default()
}

/// The board that weight sets of a game imply, if those with a board agree.
pub fn board(sets: &[&str], game: GameId) -> Option<Board> {
    let mut boards: Vec<Board> =
        sets.iter().filter_map(|name| implied_of(name, Some(game)).board).collect();
    boards.dedup();
    if boards.len() == 1 { boards.pop() } else { None }
}

fn games_of_fen(fen: &str) -> Vec<GameId> {
    let reads = |id: &GameId| with_game!(*id, G => G::from_fen(fen).is_ok());
    GameId::ALL.iter().copied().filter(reads).collect()
}

fn implied(name: &str) -> Implied {
    implied_of(name, None)
}

/// What a name implies, where it is that of a set of `game`, or of any.
fn implied_of(name: &str, game: Option<GameId>) -> Implied {
    let of_game = |id: &GameId| game.is_none_or(|game| game == *id);
    let shipped: Vec<_> = GameId::ALL
        .iter()
        .copied()
        .filter(of_game)
        .filter_map(|id| {
            let set = find_shipped(name, id.name())?;
            set.name.starts_with(id.name()).then_some((id, set))
        })
        .collect();
    if let [(_, set), ..] = shipped.as_slice() {
        let board = set.without_tables().ok().and_then(|set| set.board?.parse().ok());
        return Implied { games: shipped.iter().map(|(id, _)| *id).collect(), board };
    }
    let Some(head) = head_of(name) else { return Implied::default() };
    let id = head.game.and_then(|game| game.parse().ok());
    let board = head.board.and_then(|board| board.parse().ok());
    Implied { games: id.into_iter().collect(), board }
}

fn head_of(name: &str) -> Option<SetHead> {
    let game = GameId::default().name();
    let named = NamedSet::find(name, game).ok()?;
    let Some(place) = named.place() else {
        let set = named.read(game).ok()?;
        return Some(SetHead { game: Some(set.game), board: set.board });
    };
    let bytes = files::read(Path::new(place.as_ref()), Links::Followed, MAX_FILE as u64).ok()?;
    serde_json::from_slice(json_head(&bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_game_follows_from_names() {
        let of = |sets: &[&str]| game(sets, None).name();
        assert_eq!(of(&[]), "breakthrough");
        assert_eq!(of(&["ataxx/hand"]), "ataxx");
        assert_eq!(of(&["grassi"]), "breakthru");
        assert_eq!(of(&["piece", "general"]), "ataxx");
        assert_eq!(of(&["piece", "hand"]), "breakthrough");
        assert_eq!(of(&["cmd:engine", "no such set"]), "breakthrough");
        assert_eq!(of(&["ataxx/hand", "zhu"]), "ataxx", "the error names the other");
    }

    #[test]
    fn the_game_follows_from_a_position() {
        for id in GameId::ALL {
            let fen = with_game!(*id, G => {
                crate::game::Notation::fen(&<G as crate::game::Position>::start(
                    <G as crate::game::Position>::default_board()).unwrap())
            });
            assert_eq!(game(&["piece"], Some(&fen)), *id);
        }
        assert_eq!(game(&[], Some("rubbish")), GameId::default());
    }

    #[test]
    fn the_board_follows_where_sets_agree() {
        let of = |sets: &[&str]| board(sets, GameId::default()).map(|board| board.to_string());
        assert_eq!(of(&["5x5", "piece"]).as_deref(), Some("5x5"));
        assert_eq!(of(&["5x5", "breakthrough/5x5"]).as_deref(), Some("5x5"));
        assert_eq!(of(&["5x5", "6x6"]), None);
        assert_eq!(of(&["piece", "cmd:x"]), None);
    }

    #[test]
    fn a_file_says_its_game_and_board() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.json");
        fs::write(&path, r#"{"game":"ataxx","board":"5x5","weights":{"piece":[1,2]}}"#).unwrap();
        let name = path.to_str().unwrap();
        assert_eq!(game(&[name], None).name(), "ataxx");
        assert_eq!(board(&["zhu", name], game(&[name], None)), Some(Board::new(5, 5)));
    }
}
