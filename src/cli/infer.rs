//! The game and the board that the other arguments of a command imply: by the weight sets, the
//! runs and the position that they name.

use crate::cli::NamedSet;
use crate::error::{Error, Result, shorten};
use crate::files::{self, Links};
use crate::game::fen::lacks_side;
use crate::game::{Board, STARTPOS};
use crate::games::GameId;
use crate::weights::{MAX_FILE, find_shipped, json_head};
use serde::Deserialize;
use std::path::Path;

/// The fields of a weight file that name its game; all else is skipped.
#[derive(Deserialize)]
struct SetHead {
    game: Option<String>,
    board: Option<String>,
}

/// The game that the named weight sets imply, or the default game if they leave it open. An
/// unreadable set implies nothing; its own error comes later.
pub fn game(sets: &[&str]) -> GameId {
    games(sets).first().copied().unwrap_or_default()
}

/// The game that the named weight sets and a position imply, and whether the position decides.
///
/// # Errors
/// When the position may be of several games.
pub fn game_of_position(sets: &[&str], fen: Option<&str>) -> Result<(GameId, bool)> {
    let open = games(sets);
    let first = open.first().copied().unwrap_or_default();
    let Some(fen) = fen.filter(|fen| fen.trim() != STARTPOS && open.len() > 1) else {
        return Ok((first, false));
    };
    let guessed: Vec<GameId> = open.iter().copied().filter(|game| game.is_guessed).collect();
    match games_of_fen(fen, &guessed).as_slice() {
        [] => Ok((first, false)),
        [game] => Ok((*game, true)),
        several => {
            let names: Vec<&str> = several.iter().map(|game| game.name()).collect();
            let reason = format!("a position of {}", names.join(" as well as of "));
            Err(Error::input(format!("FEN `{}`", shorten(fen)), reason)
                .remedy(format!("say which with --game {}", names.join(" or --game "))))
        }
    }
}

/// The games that weight sets leave open.
fn games(sets: &[&str]) -> Vec<GameId> {
    let mut open = GameId::all().to_vec();
    // A file or a full name has one game, so it goes before a name that several games share.
    let mut implied: Vec<Vec<GameId>> = sets.iter().map(|name| implied(name, None).0).collect();
    implied.sort_by_key(Vec::len);
    for games in implied.iter().filter(|games| !games.is_empty()) {
        let both: Vec<GameId> = open.iter().copied().filter(|id| games.contains(id)).collect();
        if !both.is_empty() {
            open = both;
        }
    }
    open
}

/// The games that a word of the command line fits, and its board, if it names a shipped set or a
/// weight file. Runs are left out: the folder that they are in is not known yet.
pub fn implied_by_word(word: &str) -> (Vec<GameId>, Option<Board>) {
    let is_file = [".json", ".bin"].iter().any(|end| word.ends_with(end));
    shipped(word, None)
        .or_else(|| Some(head_of_file(word).filter(|_| is_file)?.implied()))
        .unwrap_or_default()
}

/// The board that weight sets of a game imply, if all sets with a board agree.
pub fn board(sets: &[&str], game: GameId) -> Option<Board> {
    let mut boards: Vec<Board> =
        sets.iter().filter_map(|name| implied(name, Some(game)).1).collect();
    boards.dedup();
    if boards.len() == 1 { boards.pop() } else { None }
}

/// The games in `open` that can read a text as a position. If several can, only those remain whose
/// programs write positions this way: in the game's own notation or, on its usual board, in
/// Fairy-Stockfish's. If none can, the game with which the text shares most signs, for the error.
fn games_of_fen(fen: &str, open: &[GameId]) -> Vec<GameId> {
    let keep = |fits: &dyn Fn(GameId) -> bool| -> Vec<GameId> {
        open.iter().copied().filter(|&id| fits(id)).collect()
    };
    // A game may refuse a board only because it is unclear whose turn it is.
    let with_side = [fen.to_owned(), format!("{fen} w"), format!("{fen} b")];
    let tried = if lacks_side(fen) { &with_side[..] } else { &with_side[..1] };
    let readers = keep(&|id| tried.iter().any(|fen| id.from_fen(fen).is_ok()));
    if readers.is_empty() {
        let likeness = |id: GameId| id.likeness(fen);
        let most = open.iter().map(|&id| likeness(id)).max().unwrap_or(0);
        return keep(&|id| most > 0 && likeness(id) == most).into_iter().take(1).collect();
    }
    let writers: Vec<GameId> = readers.iter().copied().filter(|&id| is_written(id, fen)).collect();
    if writers.is_empty() { readers } else { writers }
}

/// Whether the game's programs write the signs of a text this way.
fn is_written(game: GameId, fen: &str) -> bool {
    let rows = |text: &str| -> String {
        let rows = text.split(['[', ' ']).next().unwrap_or_default();
        rows.chars().filter(|sign| !sign.is_ascii_digit()).collect()
    };
    game.from_fen(fen).is_ok_and(|position| {
        let is_usual = position.board() == game.default_board;
        rows(&position.fen()) == rows(fen) || is_usual && rows(&position.uci_fen()) == rows(fen)
    })
}

/// The games that the name of a set fits (none if it says nothing), and the set's board; judged by
/// the sets of `game` alone, or of all games.
fn implied(name: &str, game: Option<GameId>) -> (Vec<GameId>, Option<Board>) {
    shipped(name, game).or_else(|| Some(head_of(name)?.implied())).unwrap_or_default()
}

/// As [`implied`], for the name of a shipped set; `None` for other names.
fn shipped(name: &str, game: Option<GameId>) -> Option<(Vec<GameId>, Option<Board>)> {
    let of_game = |id: &GameId| game.is_none_or(|game| game == *id);
    let shipped: Vec<_> = GameId::all()
        .iter()
        .copied()
        .filter(of_game)
        .filter_map(|id| {
            let set = find_shipped(name, id.name())?;
            set.name.starts_with(id.name()).then_some((id, set))
        })
        .collect();
    let (_, set) = shipped.first()?;
    let board = set.without_tables().ok().and_then(|set| set.board?.parse().ok());
    Some((shipped.iter().map(|(id, _)| *id).collect(), board))
}

impl SetHead {
    /// The game and the board, as far as they are named and known.
    fn implied(self) -> (Vec<GameId>, Option<Board>) {
        let id = self.game.and_then(|game| game.parse().ok());
        let board = self.board.and_then(|board| board.parse().ok());
        (id.into_iter().collect(), board)
    }
}

fn head_of(name: &str) -> Option<SetHead> {
    let game = GameId::default().name();
    let named = NamedSet::find(name, game).ok()?;
    let Some(place) = named.place() else {
        let set = named.read(game).ok()?;
        return Some(SetHead { game: Some(set.game), board: set.board });
    };
    head_of_file(place.as_ref())
}

fn head_of_file(path: &str) -> Option<SetHead> {
    let bytes = files::read(Path::new(path), Links::Followed, MAX_FILE as u64).ok()?;
    serde_json::from_slice(json_head(&bytes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Ataxx;
    use std::fs;

    #[test]
    fn the_game_follows_from_names() {
        let of = |sets: &[&str]| game(sets).name();
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
        for id in GameId::all().iter().filter(|game| game.is_guessed) {
            let fen = id.start(id.default_board).unwrap().fen();
            let of = |sets: &[&str]| game_of_position(sets, Some(&fen)).unwrap();
            assert_eq!(of(&[]), (*id, true));
            assert_eq!(of(&["ataxx/hand"]), (GameId::of::<Ataxx>(), false));
        }
    }

    #[test]
    fn a_text_is_taken_for_the_game_that_writes_it() {
        for (fen, games) in [
            ("7/7/7/7/ppppppp/ppppppp/PPPPPPP w 0 1", &["breakthrough", "ataxx"][..]),
            ("ppppppp/ppppppp/7/7/7/PPPPPPP/PPPPPPP w - - 0 1", &["breakthrough", "ataxx"]),
            ("pppppp/pppppp/6/6/PPPPPP/PPPPPP w - - 0 1", &["breakthrough"]),
            ("bbbbbbbb/bbbbbbbb/8/8/8/8/wwwwwwww/wwwwwwww w", &["breakthrough", "ataxx"]),
            ("P5p/7/7/7/7/7/p5P w 0 1", &["ataxx"]),
            ("P5p/7/2*1*2/7/2*1*2/7/p5P b - - 0 1", &["ataxx"]),
            ("b5w/7/7/7/7/7/w5b b 0 1", &["ataxx"]),
            ("b5w/7/7/7/7/7/w5b", &["ataxx"]),
            ("bbbbbb/bbbbbb/6/6/wwwwww/wwwwww", &["breakthrough", "ataxx"]),
            ("pppppp/pppppp/6/6/PPPPPP/PPPPPP", &["breakthrough"]),
            ("pppppp/pp1111/6/6/PPPPPP/PPPPPP[] w", &["breakthrough"]),
            ("x3o/5/5/5/o3x", &["ataxx"]),
            ("x5o/7/7/7/7/7/o5 x 0 1", &["ataxx"]),
            ("x5o/7/7q/7/7/7/o5x x 0 1", &["ataxx"]),
            ("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPP w - - 0 1", &["breakthrough"]),
            ("7/7/7/7/7/7/7 x 0 1", &["ataxx"]),
            ("?!", &[]),
        ] {
            let found = games_of_fen(fen, GameId::all());
            assert_eq!(found.iter().map(|id| id.name()).collect::<Vec<_>>(), games, "{fen}");
        }
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
        assert_eq!(game(&[name]).name(), "ataxx");
        assert_eq!(board(&["zhu", name], game(&[name])), Some(Board::new(5, 5)));
    }
}
