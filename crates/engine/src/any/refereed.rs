//! Games whose rules another program supplies.
//!
//! Positions and moves are text here. A position is a list of moves from a start. Its ruling is
//! requested from the [`Referee`] on first use, and then kept.

use super::AnyPosition;
use super::refereed_position::RefereedPosition;
use super::variant_functions::RulesFunctions;
use crate::error::{Error, ErrorKind, Result, shorten};
use crate::game::{Board, Outcome, Side};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The default number of random plies in an opening.
const OPENING_PLIES: u32 = 8;

/// The referee's description of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The position as FEN. Two positions are the same if their FENs differ only in the counters.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// The legal moves, sorted; empty when the game is over.
    pub moves: Vec<String>,
    /// The result of the game if it is over, repetitions excluded.
    pub outcome: Option<Outcome>,
}

impl Ruling {
    /// The side to move in a FEN, by the usual signs: `w` for the first side, `b` for the second.
    /// `None` for other signs.
    pub fn side_by_sign(fen: &str) -> Option<Side> {
        match fen.split_whitespace().nth(1) {
            Some("w") => Some(Side::First),
            Some("b") => Some(Side::Second),
            _ => None,
        }
    }
}

/// A program that implements the rules of a game.
pub trait Referee: Send + Sync {
    /// Its name in error messages.
    fn name(&self) -> &str;

    /// Describes the position after moves from a FEN, or from the start of the game.
    ///
    /// # Errors
    /// When the program fails; the error names it.
    fn rule(&self, start: Option<&str>, moves: &[&str]) -> Result<Arc<Ruling>>;

    /// Whether it accepts every move and lists none: the players are trusted to know the rules.
    fn trusts(&self) -> bool {
        false
    }
}

/// A game with its referee.
pub(super) struct RefereedGame {
    pub(super) name: &'static str,
    pub(super) board: Board,
    pub(super) referee: Arc<dyn Referee>,
    moves: Mutex<MoveTexts>,
}

/// All moves seen so far. A move's code is its index in order of first appearance.
#[derive(Default)]
struct MoveTexts {
    codes: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl RefereedGame {
    pub(super) fn new(name: &'static str, board: Board, referee: Arc<dyn Referee>) -> Self {
        Self { name, board, referee, moves: Mutex::default() }
    }

    pub(super) fn code(&self, text: &str) -> u32 {
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&code) = moves.codes.get(text) {
            return code;
        }
        let (code, text): (u32, Arc<str>) = (moves.texts.len() as u32, text.into());
        moves.texts.push(text.clone());
        moves.codes.insert(text, code);
        code
    }

    pub(super) fn text(&self, code: u32) -> Arc<str> {
        let moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        moves.texts.get(code as usize).cloned().unwrap_or_default()
    }
}

impl RulesFunctions for Arc<RefereedGame> {
    fn start(&self, board: Board) -> Result<AnyPosition> {
        if board == self.board {
            return Ok(RefereedPosition::new(self.clone(), None).any());
        }
        let reason = format!("{} is played on {}", self.name, self.board);
        Err(Error::input(format!("board `{board}`"), reason).remedy("leave out --board"))
    }

    /// If the referee fails, the result is a position with a fault.
    fn from_fen(&self, text: &str) -> Result<AnyPosition> {
        let fen = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = (fen != "startpos").then(|| fen.as_str().into());
        let position = RefereedPosition::new(self.clone(), start);
        let read = position.ruled().filter(|_| position.start.is_some());
        if let Some(read) = read.filter(|read| !is_same_board(&fen, &read.fen)) {
            let reason = format!("the referee `{}` reads `{}`", self.referee.name(), read.fen);
            return Err(Error::input(format!("FEN `{}`", shorten(text)), reason)
                .remedy("write it as the referee's command `d` does"));
        }
        Ok(position.any())
    }

    fn likeness(&self, _: &str) -> usize {
        0
    }

    fn default_opening_plies(&self, _: Board) -> u32 {
        if self.referee.trusts() { 0 } else { OPENING_PLIES }
    }
}

/// A copy of an error, which cannot be cloned.
pub(super) fn again(error: &Error) -> Error {
    let (place, reason) = (error.place(), error.reason());
    let same = match error.kind() {
        ErrorKind::Input => Error::input(place, reason),
        ErrorKind::Failed => Error::failed(place, reason),
        ErrorKind::Interrupted => Error::interrupted(place, reason),
    };
    match error.remedy_text() {
        Some(remedy) => same.remedy(remedy),
        None => same,
    }
}

/// A FEN without the counters at its end.
pub(super) fn without_counters(fen: &str) -> &str {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    (0..2).fold(fen, |fen, _| match fen.rsplit_once(' ') {
        Some((rest, last)) if is_number(last) => rest,
        _ => fen,
    })
}

/// The longest move accepted from a trusted player, in characters.
const MOVE_CHARS: usize = 16;

/// Whether a trusted player's answer is a move and not a word such as `none` or `resign`.
pub(super) fn is_move_word(text: &str) -> bool {
    let is_none = matches!(text, "0000" | "none" | "null" | "NULL" | "resign");
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
    !text.is_empty()
        && text.len() <= MOVE_CHARS
        && !text.starts_with('(')
        && is_word(text)
        && !is_none
}

/// Whether two FENs agree in the pieces on the board and in the side to move.
pub fn is_same_board(asked: &str, read: &str) -> bool {
    let board = |fen: &str| {
        let pieces = fen.split_whitespace().next().unwrap_or_default();
        pieces.split('[').next().unwrap_or_default().to_owned()
    };
    let side = |fen: &str| fen.split_whitespace().nth(1).map(str::to_owned);
    board(asked) == board(read) && side(asked).is_none_or(|asked| Some(asked) == side(read))
}

/// The board size of a FEN: its number of rows, and the squares of its first row.
pub fn board_of_fen(fen: &str) -> Option<Board> {
    let pieces = fen.split_whitespace().next()?.split('[').next()?;
    let (mut cols, mut empty) = (0_usize, 0_usize);
    for sign in pieces.split('/').next()?.chars() {
        match sign.to_digit(10) {
            Some(digit) => empty = (10 * empty).saturating_add(digit as usize),
            None => {
                // A promoted piece has an additional sign.
                cols += std::mem::take(&mut empty) + usize::from(!matches!(sign, '+' | '~'));
            }
        }
    }
    let rows = pieces.split('/').count();
    let side =
        |count: usize| u8::try_from(count).ok().filter(|side| (1..=Board::MAX_SIDE).contains(side));
    Some(Board::new(side(cols + empty)?, side(rows)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::{AnyOpening, GameId};
    use rand_mt::Mt64;

    /// The sides count in turn from 0 by 1 or 2; reaching 4 wins. `fault` makes it fail at 3.
    struct Counting {
        fault: bool,
    }

    impl Referee for Counting {
        fn name(&self) -> &str {
            "counting"
        }

        fn rule(&self, start: Option<&str>, moves: &[&str]) -> Result<Arc<Ruling>> {
            let from = start.map_or(0, |fen| fen.split(' ').next().unwrap().parse().unwrap());
            let at: u32 = moves.iter().map(|mv| mv.parse::<u32>().unwrap()).sum::<u32>() + from;
            if at == 3 && self.fault {
                return Err(Error::failed("referee `counting`", "cannot count so far"));
            }
            let second = start.is_some_and(|fen| fen.contains(" b "));
            let side = Side::BOTH[(usize::from(second) + moves.len()) % 2];
            let outcome = (at >= 4).then_some(Outcome::Win(side.other()));
            let moves = (1..=2).filter(|_| outcome.is_none()).map(|n: u32| n.to_string()).collect();
            let fen = format!("{at} {} 0 1", ["w", "b"][side.index()]);
            Ok(Arc::new(Ruling { fen, side, moves, outcome }))
        }
    }

    fn game(name: &str, fault: bool) -> GameId {
        GameId::refereed(name, Board::new(1, 1), Arc::new(Counting { fault })).unwrap()
    }

    #[test]
    fn a_game_is_played_by_its_referee() {
        let game = game("counting", false);
        assert!(!game.has_engine() && "counting".parse::<GameId>().unwrap() == game);
        let mut opening = AnyOpening::new(game.start(Board::new(1, 1)).unwrap());
        for word in ["1", "2"] {
            opening.push(opening.position.parse_move(word).unwrap());
        }
        assert_eq!((opening.text().as_str(), opening.own_start()), ("1 2", None));
        assert_eq!(opening.position, game.from_fen("3 w 0 9").unwrap());
        assert_eq!([1, 2].map(|depth| opening.position.perft(depth)), [2, 0], "both moves end it");
        let error = opening.position.parse_move("3").unwrap_err().to_string();
        assert!(error.contains("legal are: 1 2"), "{error}");
        opening.push(opening.position.parse_move("2").unwrap());
        assert_eq!(opening.position.outcome(), Some(Outcome::Win(Side::First)));
        assert!(opening.position.moves().is_empty());
    }

    #[test]
    fn nobody_is_asked_about_recorded_games() {
        let game = game("counting-recorded", true);
        let mut position = game.from_fen("1 b 0 1").unwrap().recorded(false);
        for (word, fen) in [("2", "1 b 0 1 moves 2"), ("1", "1 b 0 1 moves 2 1")] {
            let mv = position.parse_move(word).unwrap();
            position.advance(mv);
            assert_eq!((position.fen().as_str(), position.fault().is_some()), (fen, false));
        }
        assert_eq!(position.side_to_move(), Side::Second);
    }

    #[test]
    fn a_fault_of_the_referee_ends_lines() {
        let game = game("counting-wrong", true);
        let mut generator = Mt64::new(1);
        let start = game.start(Board::new(1, 1)).unwrap();
        let lines = (0..20).filter_map(|_| start.random_line(3, &mut generator));
        let faulty: Vec<AnyOpening> =
            lines.filter(|line| line.position.fault().is_some()).collect();
        let line = &faulty[0];
        assert!(line.position.outcome().is_none() && line.position.moves().is_empty());
        let error = line.position.parse_move("1").unwrap_err().to_string();
        assert_eq!(error, "referee `counting`: cannot count so far");
    }

    /// A referee that trusts the players.
    struct Trusting;

    impl Referee for Trusting {
        fn name(&self) -> &str {
            "trusting"
        }

        fn rule(&self, start: Option<&str>, moves: &[&str]) -> Result<Arc<Ruling>> {
            let fen = format!("{} moves {}", start.unwrap_or("startpos"), moves.join(" "));
            let side = Side::BOTH[moves.len() % 2];
            Ok(Arc::new(Ruling { fen, side, moves: Vec::new(), outcome: None }))
        }

        fn trusts(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_trusted_player_may_move_as_it_likes() {
        let referee = Arc::new(Trusting);
        let game = GameId::refereed("trusted", Board::new(9, 9), referee).unwrap();
        let mut position = game.start(Board::new(9, 9)).unwrap();
        assert!(position.trusts_players() && position.outcome().is_none());
        for word in ["e2e4", "P*5e", "7g7f+"] {
            let mv = position.parse_move(word).unwrap();
            assert!(position.is_legal(mv));
            position.advance(mv);
        }
        assert_eq!(position.fen(), "startpos moves e2e4 P*5e 7g7f+");
        for word in ["", "(none)", "0000", "resign", "a b"] {
            assert!(position.parse_move(word).is_err(), "{word}");
        }
        assert_eq!(game.default_opening_plies(Board::new(9, 9)), 0);
    }

    #[test]
    fn games_of_ours_have_no_referee() {
        let referee = Arc::new(Counting { fault: false });
        for name in ["breakthrough", "Shogi", "", "a b"] {
            assert!(GameId::refereed(name, Board::new(1, 1), referee.clone()).is_err(), "{name}");
        }
    }

    #[test]
    fn boards_are_read_from_positions() {
        for (fen, board) in [
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[] w - - 0 1", "9x9"),
            ("r8r/1nbqkcabn1/10/10 w - - 0 1", "10x4"),
            ("3+R+r~3/8 w - - 0 1", "8x2"),
        ] {
            assert_eq!(board_of_fen(fen).unwrap().to_string(), board);
        }
        assert!(["", "/", "99/1"].iter().all(|fen| board_of_fen(fen).is_none()));
        assert_eq!(without_counters("8/8 w - 3+3 0 1"), "8/8 w - 3+3");
        assert_eq!(without_counters("8/8 w"), "8/8 w");
    }
}
