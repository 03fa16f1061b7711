//! Positions and moves as text.

use super::{MoveList, Position};
use crate::error::{Error, Result, shorten};

/// The text of positions and moves. It round-trips: parsing printed text returns the same value.
pub trait Notation: Position {
    /// The notation of a move, explained to people.
    const MOVE_HELP: &'static str;

    /// The players' names for the first and the second side.
    const SIDE_NAMES: [&'static str; 2] = ["first", "second"];

    /// The signs of each side's pieces in [`fen`](Notation::fen), for drawing boards. Empty if the
    /// first side has the upper-case letters and the second side the lower-case letters.
    const PIECE_SIGNS: [&'static str; 2] = ["", ""];

    /// The number of counters at the end of [`fen`](Notation::fen) that a position does not store;
    /// they are mere placeholders. See [`FenCounters`](super::counters::FenCounters).
    const LOOSE_COUNTERS: usize = 0;

    /// Whether a text without a game's name may be taken for a position of this game. False if
    /// another game has the same notation.
    const IS_GUESSED: bool = true;

    /// The position as text.
    fn fen(&self) -> String;

    /// The position as multi-game UCI engines write it, in Fairy-Stockfish's dialect, if that
    /// differs from the notation of the game. [`from_fen`](Notation::from_fen) reads both.
    fn uci_fen(&self) -> String {
        self.fen()
    }

    /// Reads the text of [`fen`](Notation::fen) and [`uci_fen`](Notation::uci_fen), and of other
    /// programs for the game. `startpos` is the start on the default board. If the text has a board
    /// only, the first side is to move.
    ///
    /// # Errors
    /// When the text is not a position of this game; the error names the place in the text.
    fn from_fen(text: &str) -> Result<Self>;

    /// The number of signs in an unreadable text that belong to the notation of the game.
    fn likeness(text: &str) -> usize {
        let _ = text;
        0
    }

    /// A move as text, in the notation of the game. Boards on pages find its squares by their
    /// names, a letter and a number, as in `a2a3` or `d6-e6`; the last square is the move's
    /// destination.
    fn move_text(&self, mv: Self::Move) -> String;

    /// A move as multi-game UCI engines write it, in Fairy-Stockfish's dialect, if that differs
    /// from the notation of the game. [`parse_move`](Notation::parse_move) reads both.
    fn uci_move_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// A legal move in PGN, if that differs from the notation of the game.
    /// [`parse_move`](Notation::parse_move) reads both.
    fn pgn_move_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// A line of moves from here as text, separated by spaces.
    fn line_text(&self, moves: &[Self::Move]) -> String {
        line_text_by(self, moves, Self::move_text)
    }

    /// Reads a move, legal or not; `None` when the text is not a move.
    fn read_move(&self, text: &str) -> Option<Self::Move>;

    /// Whether somebody who wrote an illegal move may have meant this legal one.
    fn is_near(illegal: Self::Move, legal: Self::Move) -> bool {
        let _ = (illegal, legal);
        false
    }

    /// Reads a legal move.
    ///
    /// # Errors
    /// When the text is not a move, or the move is illegal here. The error lists similar legal
    /// moves.
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

    /// A drawing of the board as several lines of text, with coordinates.
    fn diagram(&self) -> String;
}

/// A line of moves as text, separated by spaces, with `text` writing each move.
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
