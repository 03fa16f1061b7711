//! Positions and moves as text.

use super::{MoveList, Position};
use crate::error::{Error, Result, shorten};

/// The text of positions and moves. It round-trips: parsing what was printed gives the same value.
pub trait Notation: Position {
    /// How to write a move, for people.
    const MOVE_HELP: &'static str;

    /// Players' names for the first side and the second.
    const SIDE_NAMES: [&'static str; 2] = ["first", "second"];

    /// The signs of each side's pieces in [`fen`](Notation::fen), for boards that are drawn. Empty
    /// where upper-case letters are the first side's and lower-case letters the second's.
    const PIECE_SIGNS: [&'static str; 2] = ["", ""];

    /// How many of the last fields of [`fen`](Notation::fen) are counters that a position does not
    /// keep, so that they stand there for the form only; see [`FenCounters`](super::counters::FenCounters).
    const LOOSE_COUNTERS: usize = 0;

    /// Whether a text is taken for a position of this game where no game is named. Not where another
    /// game writes the same.
    const IS_GUESSED: bool = true;

    /// The position as text.
    fn fen(&self) -> String;

    /// The position as the engines for many games that speak UCI write it, in the dialect of
    /// Fairy-Stockfish, where that differs from the notation of the game.
    /// [`from_fen`](Notation::from_fen) reads both.
    fn uci_fen(&self) -> String {
        self.fen()
    }

    /// Reads what [`fen`](Notation::fen) and [`uci_fen`](Notation::uci_fen) write, and what other
    /// programs for the game write; `startpos` is the start on the usual board. Of a board alone
    /// the first side is to move.
    ///
    /// # Errors
    /// When the text is not a position of this game; the error names the place in the text.
    fn from_fen(text: &str) -> Result<Self>;

    /// How much of a text that cannot be read is in the notation of the game: the number of signs
    /// that are known.
    fn likeness(text: &str) -> usize {
        let _ = text;
        0
    }

    /// A move as text, in the notation of the game. Boards on pages find its squares by their names, a
    /// letter and a number, such as `a2a3` or `d6-e6`; the last one is where the move ends.
    fn move_text(&self, mv: Self::Move) -> String;

    /// A move as the engines for many games that speak UCI write it, in the dialect of
    /// Fairy-Stockfish, where that differs from the notation of the game.
    /// [`parse_move`](Notation::parse_move) reads both.
    fn uci_move_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// A legal move as PGN has it, where that differs from the notation of the game.
    /// [`parse_move`](Notation::parse_move) reads both.
    fn pgn_move_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// Moves played from here one after the other as text, separated by spaces.
    fn line_text(&self, moves: &[Self::Move]) -> String {
        line_text_by(self, moves, Self::move_text)
    }

    /// The move of a text, legal or not; `None` when the text is not a move.
    fn read_move(&self, text: &str) -> Option<Self::Move>;

    /// Whether a legal move may be what was meant by one that is illegal.
    fn is_near(illegal: Self::Move, legal: Self::Move) -> bool {
        let _ = (illegal, legal);
        false
    }

    /// Reads a legal move.
    ///
    /// # Errors
    /// When the text is not a move, or the move is illegal here; the error lists the legal ones
    /// that are near.
    fn parse_move(&self, text: &str) -> Result<Self::Move> {
        let bad = |reason: &str, remedy: &str| {
            Err(Error::input(format!("move `{}`", shorten(text)), reason).remedy(remedy))
        };
        let Some(mv) = self.read_move(text) else { return bad("not a move", Self::MOVE_HELP) };
        if self.is_legal(mv) {
            return Ok(mv);
        }
        if self.outcome().is_some() {
            return bad("the game is over", "take a move back or begin a new game");
        }
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        if moves.iter().any(|&legal| Self::is_near(mv, legal)) {
            moves.retain(|legal| Self::is_near(mv, *legal));
        }
        let names: Vec<String> = moves.iter().map(|&legal| self.move_text(legal)).collect();
        bad("illegal here", &format!("legal are: {}", names.join(" ")))
    }

    /// The board drawn for people, several lines, with coordinates.
    fn diagram(&self) -> String;
}

/// Moves played one after the other as text, each of them as `text` has it, separated by spaces.
pub fn line_text_by<P: Position>(
    start: &P,
    moves: &[P::Move],
    text: impl Fn(&P, P::Move) -> String,
) -> String {
    let mut position = start.clone();
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(text(&position, mv));
        position = position.play_unchecked(mv);
    }
    words.join(" ")
}
