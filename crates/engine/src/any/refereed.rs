//! Games whose rules another program knows.
//!
//! Positions and moves are text here. A position is the moves from a start; what the rules say of
//! it is asked of the [`Referee`] when it is first needed, and kept.

use super::evaluated::Evaluated;
use super::position::PositionObject;
use super::variant::RulesFunctions;
use super::{AnyMove, AnyOpening, AnyPosition};
use crate::error::{Error, ErrorKind, Result, shorten};
use crate::game::openings::below;
use crate::game::{Board, Outcome, Repetitions, Side};
use rand_mt::Mt64;
use std::any::Any;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Random plies of an opening by default.
const OPENING_PLIES: u32 = 8;

/// All that the rules say of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The position as FEN. Positions whose FENs differ in the counters alone are the same.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// The legal moves, sorted; none when the game is over.
    pub moves: Vec<String>,
    /// How the game has ended, repetitions aside.
    pub outcome: Option<Outcome>,
}

/// A program that knows the rules of a game.
pub trait Referee: Send + Sync {
    /// Its name in errors.
    fn name(&self) -> &str;

    /// Rules on the position after moves from a FEN, or from the start of the game.
    ///
    /// # Errors
    /// When the program fails; the error names it.
    fn rule(&self, start: Option<&str>, moves: &[&str]) -> Result<Arc<Ruling>>;
}

/// A game with its referee.
pub(super) struct RefereedGame {
    name: &'static str,
    board: Board,
    referee: Arc<dyn Referee>,
    moves: Mutex<MoveTexts>,
}

/// The moves that have been met. Their codes are their places in the order in which they came.
#[derive(Default)]
struct MoveTexts {
    codes: HashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl RefereedGame {
    pub(super) fn new(name: &'static str, board: Board, referee: Arc<dyn Referee>) -> Self {
        Self { name, board, referee, moves: Mutex::default() }
    }

    fn code(&self, text: &str) -> u32 {
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&code) = moves.codes.get(text) {
            return code;
        }
        let (code, text): (u32, Arc<str>) = (moves.texts.len() as u32, text.into());
        moves.texts.push(text.clone());
        moves.codes.insert(text, code);
        code
    }

    fn text(&self, code: u32) -> Arc<str> {
        let moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        moves.texts.get(code as usize).cloned().unwrap_or_default()
    }
}

/// The rules of a game with a referee.
pub(super) struct RefereedRules(pub(super) Arc<RefereedGame>);

impl RulesFunctions for RefereedRules {
    fn start(&self, board: Board) -> Result<AnyPosition> {
        if board == self.0.board {
            return Ok(RefereedPosition::new(self.0.clone(), None).any());
        }
        let reason = format!("{} is played on {}", self.0.name, self.0.board);
        Err(Error::input(format!("board `{board}`"), reason).remedy("leave out --board"))
    }

    /// A position on which the referee fails is one with a fault.
    fn from_fen(&self, text: &str) -> Result<AnyPosition> {
        let fen = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let start = (fen != "startpos").then(|| fen.as_str().into());
        let position = RefereedPosition::new(self.0.clone(), start);
        let read = position.ruled().filter(|_| position.start.is_some());
        if let Some(read) = read.filter(|read| !is_same_board(&fen, &read.fen)) {
            let reason = format!("the referee `{}` reads `{}`", self.0.referee.name(), read.fen);
            return Err(Error::input(format!("FEN `{}`", shorten(text)), reason)
                .remedy("write it as the referee's command `d` does"));
        }
        Ok(position.any())
    }

    fn likeness(&self, _: &str) -> usize {
        0
    }

    fn default_opening_plies(&self, _: Board) -> u32 {
        OPENING_PLIES
    }
}

/// A position of a game with a referee.
#[derive(Clone)]
struct RefereedPosition {
    game: Arc<RefereedGame>,
    start: Option<Arc<str>>,
    line: Arc<Vec<u32>>,
    /// The ruling before the last move, where it was asked for.
    before: Option<Arc<Ruling>>,
    ruling: OnceLock<std::result::Result<Arc<Ruling>, Arc<Error>>>,
    /// Whether it belongs to a recorded game, so that nobody is asked.
    is_recorded: bool,
}

impl RefereedPosition {
    fn new(game: Arc<RefereedGame>, start: Option<Arc<str>>) -> Self {
        let (line, ruling) = (Arc::default(), OnceLock::new());
        Self { game, start, line, before: None, ruling, is_recorded: false }
    }

    fn any(self) -> AnyPosition {
        AnyPosition(Box::new(self))
    }

    fn ruling(&self) -> &std::result::Result<Arc<Ruling>, Arc<Error>> {
        self.ruling.get_or_init(|| self.ask().map_err(Arc::new))
    }

    fn ask(&self) -> Result<Arc<Ruling>> {
        if self.is_recorded {
            let place = format!("referee `{}`", self.game.referee.name());
            return Err(Error::failed(place, "not asked about a recorded game"));
        }
        let line: Vec<Arc<str>> = self.line.iter().map(|&code| self.game.text(code)).collect();
        let words: Vec<&str> = line.iter().map(AsRef::as_ref).collect();
        let ruling = self.game.referee.rule(self.start.as_deref(), &words)?;
        match (&self.before, words.last()) {
            (Some(before), Some(last)) if before.fen == ruling.fen => {
                let reason = format!("does not play the move `{last}`, which it called legal");
                Err(Error::failed(format!("referee `{}`", self.game.referee.name()), reason))
            }
            _ => Ok(ruling),
        }
    }

    fn ruled(&self) -> Option<&Ruling> {
        self.ruling().as_ref().ok().map(AsRef::as_ref)
    }

    /// The lines of this many plies.
    fn lines(&self, depth: u32) -> u64 {
        let moves = PositionObject::moves(self);
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|mv| self.after(mv).lines(depth - 1)).sum(),
        }
    }

    fn after(&self, mv: AnyMove) -> Self {
        let mut next = self.clone();
        next.advance(mv);
        next
    }

    fn hash_of(&self, text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self.ruling() {
            Ok(_) => text.hash(&mut hasher),
            Err(_) => (&self.start, &self.line).hash(&mut hasher),
        }
        hasher.finish()
    }
}

impl PositionObject for RefereedPosition {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn clone_box(&self) -> AnyPosition {
        self.clone().any()
    }

    fn clone_from_object(&mut self, source: &AnyPosition) {
        if let Some(position) = source.0.as_any().downcast_ref::<Self>() {
            self.clone_from(position);
        }
    }

    fn equals(&self, other: &AnyPosition) -> bool {
        let Some(other) = other.0.as_any().downcast_ref::<Self>() else { return false };
        let is_same_line = self.start == other.start && self.line == other.line;
        self.game.name == other.game.name && (is_same_line || self.fen() == other.fen())
    }

    fn game(&self) -> &'static str {
        self.game.name
    }

    fn board(&self) -> Board {
        self.game.board
    }

    fn side_to_move(&self) -> Side {
        let second = self.start.as_deref().and_then(|fen| fen.split(' ').nth(1)) == Some("b");
        let by_turns = Side::BOTH[(usize::from(second) + self.line.len()) % 2];
        self.ruled().map_or(by_turns, |ruling| ruling.side)
    }

    fn plies_made(&self) -> u32 {
        0
    }

    fn is_start(&self) -> bool {
        self.start.is_none() && self.line.is_empty()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ruled().and_then(|ruling| ruling.outcome)
    }

    fn fault(&self) -> Option<&Error> {
        let error = self.ruling().as_ref().err().filter(|_| !self.is_recorded);
        error.map(AsRef::as_ref)
    }

    fn recorded(&self) -> Option<AnyPosition> {
        let (ruling, before) = (OnceLock::new(), None);
        Some(Self { is_recorded: true, ruling, before, ..self.clone() }.any())
    }

    fn moves(&self) -> Vec<AnyMove> {
        let moves = self.ruled().map_or(&[][..], |ruling| &ruling.moves);
        moves.iter().map(|text| AnyMove(self.game.code(text))).collect()
    }

    fn is_legal(&self, mv: AnyMove) -> bool {
        let text = self.game.text(mv.0);
        self.ruled().is_some_and(|ruling| ruling.moves.iter().any(|legal| **legal == *text))
    }

    fn advance(&mut self, mv: AnyMove) {
        self.before = self.ruling.take().and_then(std::result::Result::ok);
        Arc::make_mut(&mut self.line).push(mv.0);
    }

    fn key(&self) -> u64 {
        self.hash_of(without_counters(&self.fen()))
    }

    fn canonical_key(&self) -> u128 {
        self.key().into()
    }

    fn meet(&self, met: &mut Repetitions) -> bool {
        self.ruled().is_some() && met.meet_key(self.key())
    }

    fn fen(&self) -> String {
        if let Some(ruling) = self.ruled() {
            return ruling.fen.clone();
        }
        let start = self.start.as_deref().unwrap_or("startpos");
        let moves = self.line.iter().map(|&code| self.game.text(code));
        moves.enumerate().fold(start.to_owned(), |text, (index, mv)| {
            text + if index == 0 { " moves " } else { " " } + &mv
        })
    }

    fn uci_fen(&self) -> String {
        self.fen()
    }

    fn loose_counters(&self) -> usize {
        0
    }

    fn move_text(&self, mv: AnyMove) -> String {
        self.game.text(mv.0).as_ref().to_owned()
    }

    fn uci_move_text(&self, mv: AnyMove) -> String {
        self.move_text(mv)
    }

    fn pgn_move_text(&self, mv: AnyMove) -> String {
        self.move_text(mv)
    }

    fn parse_move(&self, text: &str) -> Result<AnyMove> {
        if self.is_recorded {
            return Ok(AnyMove(self.game.code(text)));
        }
        let ruling = self.ruling().as_ref().map_err(|error| again(error))?;
        if ruling.moves.iter().any(|legal| legal == text) {
            return Ok(AnyMove(self.game.code(text)));
        }
        let (reason, remedy) = match ruling.moves.is_empty() {
            true => ("the game is over", "take a move back or begin a new game".to_owned()),
            false => ("illegal here", format!("legal are: {}", ruling.moves.join(" "))),
        };
        Err(Error::input(format!("move `{}`", shorten(text)), reason).remedy(remedy))
    }

    fn diagram(&self) -> String {
        format!("{}\n", self.fen())
    }

    fn perft(&self, depth: u32) -> u64 {
        self.lines(depth)
    }

    fn sample(&self, _: usize, _: u64) -> Vec<AnyPosition> {
        Vec::new()
    }

    /// Where the referee fails the line ends: whoever plays on from there meets the fault.
    fn random_line(&self, plies: u32, generator: &mut Mt64) -> Option<AnyOpening> {
        let mut opening = AnyOpening::new(self.clone_box());
        for _ in 0..plies {
            let moves = opening.position.moves();
            if opening.position.fault().is_some() {
                return Some(opening);
            }
            let place = below(generator, moves.len() as u64) as usize;
            opening.push(*moves.get(place)?);
        }
        opening.position.outcome().is_none().then_some(opening)
    }

    fn packed(&self) -> usize {
        0
    }

    fn pack(&self, _: &mut [u8]) -> bool {
        false
    }

    fn unpack(&mut self, _: &[u8]) -> Result<()> {
        Err(Error::input("packed position", "this game has none"))
    }

    fn evaluated(&self) -> Option<&dyn Evaluated> {
        None
    }
}

/// The same error once more.
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

/// A FEN without the numbers at its end.
fn without_counters(fen: &str) -> &str {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    (0..2).fold(fen, |fen, _| match fen.rsplit_once(' ') {
        Some((rest, last)) if is_number(last) => rest,
        _ => fen,
    })
}

/// Whether two FENs have the same pieces on the board, and the same side to move.
fn is_same_board(asked: &str, read: &str) -> bool {
    let board = |fen: &str| {
        let pieces = fen.split_whitespace().next().unwrap_or_default();
        pieces.split('[').next().unwrap_or_default().to_owned()
    };
    let side = |fen: &str| fen.split_whitespace().nth(1).map(str::to_owned);
    board(asked) == board(read) && side(asked).is_none_or(|asked| Some(asked) == side(read))
}

/// The board of a FEN: its rows, and the squares of the first of them.
pub fn board_of_fen(fen: &str) -> Option<Board> {
    let pieces = fen.split_whitespace().next()?.split('[').next()?;
    let (mut cols, mut empty) = (0_usize, 0_usize);
    for sign in pieces.split('/').next()?.chars() {
        match sign.to_digit(10) {
            Some(digit) => empty = (10 * empty).saturating_add(digit as usize),
            None => {
                // A promoted piece has a sign more.
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
    use crate::any::GameId;

    /// Side by side both count from 0 by 1 or 2; who reaches 4 wins. Its `fault` is its answer at 3.
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
        let mut position = game.from_fen("1 b 0 1").unwrap().recorded();
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
