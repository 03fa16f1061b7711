//! FEN: rows from the top, `x` the side that begins, `o` the other side, `-` a blocked square,
//! digits for empty squares; the side to move; the plies since the last clone; the move number,
//! which a position does not store. The reader also accepts the notation of libataxx and
//! python-ataxx. They call the side that begins Black: `b` for `x` and `w` for `o`, and capital
//! letters.
//!
//! UCI positions use Fairy-Stockfish's notation, which calls the side that begins White: `P`, `p`
//! and `*` for the three signs, `w` and `b` for the sides, two dashes before the numbers. The
//! meaning of `w` and `b` therefore depends on the pieces before them.
//!
//! Moves: `g2` is a clone, `g1g3` a jump, `0000` a pass. In UCI a clone is `P@g2`, and a pass moves
//! a piece to its own square, `g2g2`; both are accepted everywhere. So is the notation of
//! CuteAtaxx: a clone with the square of an adjacent piece, such as `g1g2`, or as a drop of `x`,
//! and `null` or `pass`.

use super::squares::NEAR;
use super::{Ataxx, CLOCK_LIMIT, Kind, MIN_SIDE, Move};
use crate::error::{Error, Result, shorten};
use crate::game::bitboard::MAX_SIDE;
use crate::game::{FenCounters, FenFormat, Notation, Position};

const FORMAT: FenFormat = FenFormat {
    least: (MIN_SIDE, MIN_SIDE),
    most: (MAX_SIDE, MAX_SIDE),
    stride: 8,
    signs: &["xXbB", "oOwW", "-*"],
    empty: "",
    sides: [&["x", "X", "b", "B"], &["o", "O", "w", "W"]],
    example: "x5o/7/7/7/7/7/o5x x 0 1",
};
/// The format in Fairy-Stockfish's notation.
const UCI_FORMAT: FenFormat = FenFormat {
    signs: &["P", "p", "*-"],
    sides: [&["w", "W", "x", "X"], &["b", "B", "o", "O"]],
    example: "P5p/7/7/7/7/7/p5P w 0 1",
    ..FORMAT
};
const PASS: &str = "0000";

impl Ataxx {
    /// The sets of the format's signs.
    fn shown(&self) -> [u128; 3] {
        [self.pieces[0], self.pieces[1], self.blocked()].map(u128::from)
    }
}

impl Notation for Ataxx {
    const MOVE_HELP: &'static str = "write a clone as g2, a jump as g1g3, a pass as 0000";
    const SIDE_NAMES: [&'static str; 2] = ["x", "o"];
    const PIECE_SIGNS: [&'static str; 2] = ["x", "o"];

    const LOOSE_COUNTERS: usize = 1;

    fn fen(&self) -> String {
        format!("{} {} 1", FORMAT.text(self.board(), &self.shown(), self.side), self.clock)
    }

    fn uci_fen(&self) -> String {
        format!("{} - - {} 1", UCI_FORMAT.text(self.board(), &self.shown(), self.side), self.clock)
    }

    fn from_fen(text: &str) -> Result<Self> {
        // A clock beyond the limit ends the game as well.
        format_of(text)?.read(text, |board, sets, side, rest| {
            let [first, second, blocked] = sets.map(|set| set as u64);
            let plies = FenCounters::read(rest)?.map_or(0, |counters| counters.plies);
            let clock = plies.min(CLOCK_LIMIT.into()) as u8;
            Ok(Self::from_squares(board, [first, second], blocked, side, clock))
        })
    }

    fn likeness(text: &str) -> usize {
        FORMAT.likeness(text).max(UCI_FORMAT.likeness(text))
    }

    fn move_text(&self, mv: Move) -> String {
        match mv.kind() {
            Kind::Clone => FORMAT.square_text(mv.to()),
            Kind::Jump { from } => FORMAT.square_text(from) + &FORMAT.square_text(mv.to()),
            Kind::Pass => PASS.into(),
        }
    }

    /// In UCI clones are drops, and a pass moves the side's first piece to its own square.
    fn uci_move_text(&self, mv: Move) -> String {
        match mv.kind() {
            Kind::Clone => format!("P@{}", FORMAT.square_text(mv.to())),
            Kind::Jump { .. } => self.move_text(mv),
            Kind::Pass => FORMAT.square_text(self.own().trailing_zeros() as u8 & 63).repeat(2),
        }
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        if [PASS, "null", "pass"].contains(&text) {
            return Some(Move::PASS);
        }
        let drop = text.strip_prefix(['P', 'p', 'x', 'o']).and_then(|text| text.strip_prefix('@'));
        let (from, rest) = FORMAT.read_square(drop.unwrap_or(text))?;
        if rest.is_empty() {
            return Some(Move::clone_to(from));
        }
        let (to, rest) = FORMAT.read_square(rest)?;
        if drop.is_some() || !rest.is_empty() {
            return None;
        }
        if from == to && self.own() >> from & 1 == 1 {
            return Some(Move::PASS);
        }
        let clones = self.own() & NEAR[usize::from(to)] & 1 << from != 0;
        Some(if clones { Move::clone_to(to) } else { Move::jump(from, to) })
    }

    fn is_near(illegal: Move, legal: Move) -> bool {
        legal.kind() == illegal.kind() || legal.to() == illegal.to()
    }

    fn diagram(&self) -> String {
        FORMAT.diagram(self.board(), &self.shown())
    }
}

/// The format of a text, recognized by its pieces.
fn format_of(text: &str) -> Result<&'static FenFormat> {
    let (rows, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text, ""));
    let side = rest.split_whitespace().next().unwrap_or_default();
    if rows.contains(['P', 'p']) {
        return Ok(&UCI_FORMAT);
    }
    let has_pieces = rows.contains(|sign: char| sign.is_ascii_alphabetic());
    if !has_pieces && matches!(side, "w" | "W" | "b" | "B") {
        let reason = format!(
            "`{side}` on a board without pieces: libataxx calls the side that begins `b`, \
             Fairy-Stockfish `w`"
        );
        let place = format!("FEN `{}`, side to move", shorten(text));
        return Err(
            Error::input(place, reason).remedy("write `x` for the side that begins, or `o`")
        );
    }
    Ok(&FORMAT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Ataxx {
        Ataxx::from_fen(text).unwrap()
    }

    #[test]
    fn other_programs_notations_are_read() {
        let ours = read("x5o/7/2-1-2/7/2-1-2/7/o5x x 0 1");
        for text in [
            "P5p/7/2*1*2/7/2*1*2/7/p5P w 0 1",
            "P5p/7/2*1*2/7/2*1*2/7/p5P w - - 0 1",
            "P5p/7/2-1-2/7/2-1-2/7/p5P w 0 1",
            "P5p/7/2*1*2/7/2*1*2/7/p5P[] w - - 0 9",
            "P5p/7/2*1*2/7/2*1*2/7/p5P",
            "x5o/7/2-1-2/7/2-1-2/7/o5x",
            "x5o/7/2-1-2/7/2-1-2/7/o5x b 0 1",
            "X5O/7/2-1-2/7/2-1-2/7/O5X X 0 1",
            "b5w/7/2-1-2/7/2-1-2/7/w5b b 0 1",
            "B5W/7/2-1-2/7/2-1-2/7/W5B B",
            "x5o/7/2-1-2/7/2-1-2/7/o5x x",
            "x5o/7/2-1-2/7/2-1-2/7/o5x x 0",
            "x5o/7/11-1-11/7/2-1-2/7/o5x x 0 77",
        ] {
            assert_eq!(read(text), ours, "{text}");
        }
        let answer = read("x5o/7/2-1-2/7/2-1-2/7/o5x o 0 1");
        for text in [
            "P5p/7/2*1*2/7/2*1*2/7/p5P b - - 0 1",
            "x5o/7/2-1-2/7/2-1-2/7/o5x w 0 1",
            "X5O/7/2-1-2/7/2-1-2/7/O5X O",
            "b5w/7/2-1-2/7/2-1-2/7/w5b w 0 1",
        ] {
            assert_eq!(read(text), answer, "{text}");
        }
        assert_eq!(read("startpos"), read(FORMAT.example));
        for text in ["b6", "P@b6", "p@b6", "x@b6", "a7b6"] {
            assert_eq!(ours.parse_move(text).unwrap(), Move::clone_to(41), "{text}");
        }
    }

    #[test]
    fn positions_are_written_as_fairy_stockfish_writes_them() {
        let position = read("x5o/7/2-1-2/7/2-1-2/7/o5x o 3 1");
        assert_eq!(position.uci_fen(), "P5p/7/2*1*2/7/2*1*2/7/p5P b - - 3 1");
        assert_eq!(read(&position.uci_fen()), position);
    }

    #[test]
    fn a_clock_that_has_run_out_is_a_draw() {
        for plies in [100, 101, 4_000_000_000_u32] {
            let position = read(&format!("x5o/7/7/7/7/7/o5x x {plies} 1"));
            assert_eq!(position.outcome(), Some(crate::game::Outcome::Draw), "{plies}");
        }
    }

    #[test]
    fn refusals_name_the_place() {
        for (text, place) in [
            ("", "fields"),
            ("x2/3/3 x 0 1", "rows"),
            ("x5o/7/7/7/7/7/o5 x 0 1", "row 1"),
            ("x5o/7/7/7q/7/7/o5x x 0 1", "row 4"),
            ("x5o/7/7/9/7/7/o5x x 0 1", "row 4"),
            ("x5o/7/7/7/7/7/o5x y 0 1", "side to move"),
            ("x5o/7/7/7/7/7/o5x x +1 1", "third field"),
            ("x5o/7/7/7/7/7/o5x x - 0 1", "fourth field"),
            ("x5o/7/7/7/7/7/o5P x 0 1", "row 7"),
            ("x5o/7/7/7/7/7/o5x x 0 x", "move number"),
            ("x5o/7/7/7/7/7/o5x x 0 1 2", "fields"),
        ] {
            let error = Ataxx::from_fen(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!(", {place}: ")) && error.contains("an example is"),
                "{error}"
            );
        }
        for side in ["w", "b"] {
            let error = Ataxx::from_fen(&format!("7/7/7/7/7/7/7 {side}")).unwrap_err().to_string();
            assert!(error.contains("libataxx") && error.contains("Fairy-Stockfish"), "{error}");
        }
        let start = read(FORMAT.example);
        for text in ["0000", "a7c7a7", "g1g2g3", "g1g4", "a7a7", "h8", "b2"] {
            assert!(start.parse_move(text).is_err(), "{text}");
        }
    }
}
