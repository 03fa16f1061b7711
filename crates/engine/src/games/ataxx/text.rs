//! FEN: rows from the top, `x` the side that begins, `o` the other one, `-` a blocked square,
//! digits for empty squares; the side to move; the plies since the last clone; the number of the
//! move, which is read and not kept. Read, though not written, is also what Fairy-Stockfish writes:
//! `P`, `p` and `*` for the three signs, `w` and `b` for the sides, and two dashes before the
//! numbers.
//!
//! Moves: `g2` a clone, `g1g3` a jump, `0000` a pass. Over UCI a clone is `P@g2`, and a pass moves
//! a piece to where it stands, `g2g2`; both are read everywhere. So is a clone that names a piece
//! beside the square, as `g1g2`.

use super::squares::NEAR;
use super::{Ataxx, CLOCK_LIMIT, Kind, MIN_SIDE, Move};
use crate::error::{Result, shorten};
use crate::game::bitboard::MAX_SIDE;
use crate::game::fen::{FenFault, FenFormat};
use crate::game::{Notation, Position};

const FORMAT: FenFormat = FenFormat {
    least: (MIN_SIDE, MIN_SIDE),
    most: (MAX_SIDE, MAX_SIDE),
    stride: 8,
    signs: &["xP", "op", "-*"],
    empty: "",
    sides: [&["x", "w"], &["o", "b"]],
    example: "x5o/7/7/7/7/7/o5x x 0 1",
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

    fn fen(&self) -> String {
        format!("{} {} 1", FORMAT.text(self.board(), &self.shown(), self.side), self.clock)
    }

    fn from_fen(text: &str) -> Result<Self> {
        FORMAT.read(text, |board, sets, side, rest| {
            let [first, second, blocked] = sets.map(|set| set as u64);
            let clock = parse_numbers(rest)?;
            Ok(Self::from_squares(board, [first, second], blocked, side, clock))
        })
    }

    fn move_text(&self, mv: Move) -> String {
        match mv.kind() {
            Kind::Clone => FORMAT.square_text(mv.to()),
            Kind::Jump { from } => FORMAT.square_text(from) + &FORMAT.square_text(mv.to()),
            Kind::Pass => PASS.into(),
        }
    }

    /// Clones are drops there, and a pass is a move of the side's first piece to where it stands.
    fn uci_move_text(&self, mv: Move) -> String {
        match mv.kind() {
            Kind::Clone => format!("P@{}", FORMAT.square_text(mv.to())),
            Kind::Jump { .. } => self.move_text(mv),
            Kind::Pass => FORMAT.square_text(self.own().trailing_zeros() as u8 & 63).repeat(2),
        }
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        if text == PASS {
            return Some(Move::PASS);
        }
        let drop = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"));
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

/// The plies since the last clone, before the number of the move; both may be missing, and two
/// dashes stand before them in some programs' FENs.
fn parse_numbers(fields: &[&str]) -> std::result::Result<u8, FenFault> {
    let numbers = fields.strip_prefix(&["-", "-"]).unwrap_or(fields);
    let number = |field: &str| match field.parse::<u32>() {
        Ok(number) if !field.starts_with('+') => Ok(number),
        _ => Err(format!("`{}` is not a number", shorten(field))),
    };
    if let Some(extra) = numbers.get(2) {
        return Err(("fields".into(), format!("`{}` is one too many", shorten(extra))));
    }
    if let Some(field) = numbers.get(1) {
        number(field).map_err(|reason| ("move number".into(), reason))?;
    }
    let Some(field) = numbers.first() else { return Ok(0) };
    let plies = number(field).and_then(|plies| match u8::try_from(plies) {
        Ok(plies) if plies <= CLOCK_LIMIT => Ok(plies),
        _ => Err(format!("{plies}, but a game ends after {CLOCK_LIMIT} plies without a clone")),
    });
    plies.map_err(|reason| ("plies since the last clone".into(), reason))
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
            "x5o/7/2-1-2/7/2-1-2/7/o5x x",
            "x5o/7/2-1-2/7/2-1-2/7/o5x x 0",
            "x5o/7/11-1-11/7/2-1-2/7/o5x x 0 77",
        ] {
            assert_eq!(read(text), ours, "{text}");
        }
        for text in ["b6", "P@b6", "p@b6", "a7b6"] {
            assert_eq!(ours.parse_move(text).unwrap(), Move::clone_to(41), "{text}");
        }
    }

    #[test]
    fn refusals_name_the_place() {
        for (text, place) in [
            ("", "fields"),
            ("x5o/7/7/7/7/7/o5x", "fields"),
            ("x2/3/3 x 0 1", "rows"),
            ("x5o/7/7/7/7/7/o5 x 0 1", "row 1"),
            ("x5o/7/7/7q/7/7/o5x x 0 1", "row 4"),
            ("x5o/7/7/9/7/7/o5x x 0 1", "row 4"),
            ("x5o/7/7/7/7/7/o5x y 0 1", "side to move"),
            ("x5o/7/7/7/7/7/o5x x 101 1", "plies since the last clone"),
            ("x5o/7/7/7/7/7/o5x x +1 1", "plies since the last clone"),
            ("x5o/7/7/7/7/7/o5x x - 0 1", "fields"),
            ("x5o/7/7/7/7/7/o5x x 0 x", "move number"),
            ("x5o/7/7/7/7/7/o5x x 0 1 2", "fields"),
        ] {
            let error = Ataxx::from_fen(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!(", {place}: ")) && error.contains(FORMAT.example),
                "{error}"
            );
        }
        let start = read(FORMAT.example);
        for text in ["0000", "a7c7a7", "g1g2g3", "g1g4", "a7a7", "h8", "b2"] {
            assert!(start.parse_move(text).is_err(), "{text}");
        }
    }
}
