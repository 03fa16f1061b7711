//! FEN as in Fairy-Stockfish: rows from the top, `P` White, `p` Black, digits for empty squares;
//! the side to move; two dashes; two counters, which a position does not store. The reader also
//! accepts texts without the dashes, and `w`, `b` or `W`, `B` for the pieces.

use super::geometry::{MIN_COLS, MIN_ROWS};
use super::{Breakthrough, Move};
use crate::error::{Error, Result, shorten};
use crate::game::bitboard::MAX_SIDE;
use crate::game::fen::lacks_side;
use crate::game::{FenCounters, FenFormat, Notation, Position};

const FORMAT: FenFormat = FenFormat {
    least: (MIN_COLS, MIN_ROWS),
    most: (MAX_SIDE, MAX_SIDE),
    stride: 8,
    signs: &["PWw", "pBb"],
    empty: "",
    sides: [&["w", "W"], &["b", "B"]],
    example: "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
};

impl Notation for Breakthrough {
    const MOVE_HELP: &'static str = "write the two squares, for example a2a3";
    const SIDE_NAMES: [&'static str; 2] = ["White", "Black"];

    const LOOSE_COUNTERS: usize = 2;

    fn fen(&self) -> String {
        FORMAT.text(self.board(), &self.pieces.map(u128::from), self.side) + " - - 0 1"
    }

    fn from_fen(text: &str) -> Result<Self> {
        if lacks_side(text) && text.contains(['w', 'W', 'b', 'B']) {
            let place = format!("FEN `{}`, side to move", shorten(text));
            let reason = "missing: White begins by our rules, Black in OpenSpiel, which writes the \
                          pieces so";
            return Err(Error::input(place, reason).remedy("add `w` or `b` behind the board"));
        }
        FORMAT.read(text, |board, [white, black], side, rest| {
            FenCounters::read(rest)?;
            Ok(Self::from_pieces(board, white as u64, black as u64, side))
        })
    }

    fn likeness(text: &str) -> usize {
        FORMAT.likeness(text)
    }

    fn move_text(&self, mv: Move) -> String {
        FORMAT.square_text(mv.from) + &FORMAT.square_text(mv.to)
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        let (from, rest) = FORMAT.read_square(text)?;
        let (to, rest) = FORMAT.read_square(rest)?;
        rest.is_empty().then(|| Move::new(from, to))
    }

    fn is_near(illegal: Move, legal: Move) -> bool {
        illegal.from == legal.from
    }

    fn diagram(&self) -> String {
        FORMAT.diagram(self.board(), &self.pieces.map(u128::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Breakthrough {
        Breakthrough::from_fen(text).unwrap()
    }

    #[test]
    fn other_programs_notations_are_read() {
        let rows = "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P";
        let white = read(&format!("{rows} w - - 0 1"));
        for rest in
            ["", " w", " w -", " w - -", " w 0 1", " w 7", " w - - 1 26", "[] w 0 1", "[-] W"]
        {
            assert_eq!(read(&format!("{rows}{rest}")), white, "{rest}");
        }
        for (own, other) in [('w', 'b'), ('W', 'B')] {
            let letters = rows.replace('P', &own.to_string()).replace('p', &other.to_string());
            assert_eq!(read(&format!("{letters} w")), white);
            let black = read(&format!("{rows} b - - 0 1"));
            assert_eq!(read(&format!("{letters} b")), black);
            let error = Breakthrough::from_fen(&letters).unwrap_err().to_string();
            assert!(error.contains("OpenSpiel") && error.contains("add `w` or `b`"), "{error}");
        }
        assert_eq!(read("startpos"), Breakthrough::start(Breakthrough::default_board()).unwrap());
    }

    #[test]
    fn refusals_name_the_place() {
        for (rest, place) in [
            (" x - - 0 1", ", side to move: "),
            (" w KQkq - 0 1", ", third field: "),
            (" w - e3 0 1", ", fourth field: "),
            (" w - 0 1", ", fourth field: "),
            (" w - - 0 1 2", ", fields: "),
            ("[Pp] w - - 0 1", ", row 1: "),
        ] {
            let text = FORMAT.example.replace(" w - - 0 1", rest);
            let error = Breakthrough::from_fen(&text).unwrap_err().to_string();
            assert!(error.contains(place), "{text}: {error}");
        }
    }
}
