//! A position is written like a chess FEN: the rows from the top, separated by slashes, with `F`
//! for the flagship, `g` for an escort, `s` for a silver ship, and a number for consecutive empty
//! squares; `gold` or `silver` for the side to move; the first ship's move of an unfinished turn,
//! such as `d6-e6`, else `-`; the number of the turn, from 1 to 200, or 201 after the last turn.
//! The last two fields may be missing. So may the side, if nothing follows it: then Gold moves. The
//! standard layout with Silver to begin has `silver` instead of `gold`. The reader also accepts a
//! dot for an empty square and a bar between rows.
//!
//! Moves: `d6-e6` is a move, `h6xg6` a capture; a turn of two moves is two plies. The reader
//! ignores which of the two signs is between the squares, and it may be missing, as in UCI.

use super::squares::SIDE;
use super::{Breakthru, Move, START};
use crate::error::{Result, shorten};
use crate::game::{FenFault, FenFormat, Notation, Position};

const FORMAT: FenFormat = FenFormat {
    least: (SIDE, SIDE),
    most: (SIDE, SIDE),
    stride: SIDE,
    signs: &["F", "g", "s"],
    empty: ".",
    sides: [&["gold"], &["silver"]],
    example: START,
};

impl Notation for Breakthru {
    const MOVE_HELP: &'static str = "write a move as d6-e6, a capture as h6xg6";
    const SIDE_NAMES: [&'static str; 2] = ["Gold", "Silver"];
    const PIECE_SIGNS: [&'static str; 2] = ["gF", "s"];

    fn fen(&self) -> String {
        let first = self.first.map_or("-".into(), |first| self.move_text(first));
        format!("{} {first} {}", FORMAT.text(self.board(), &self.pieces, self.side), self.turn)
    }

    fn from_fen(text: &str) -> Result<Self> {
        FORMAT.read(&text.replace('|', "/"), |_, pieces, side, rest| {
            let (first, turn) = read_turn(rest)?;
            Ok(Self::from_squares(pieces, side, first, turn))
        })
    }

    fn likeness(text: &str) -> usize {
        FORMAT.likeness(text)
    }

    fn move_text(&self, mv: Move) -> String {
        let sign = if mv.is_diagonal_step() { 'x' } else { '-' };
        format!("{}{sign}{}", FORMAT.square_text(mv.from()), FORMAT.square_text(mv.to()))
    }

    fn uci_move_text(&self, mv: Move) -> String {
        FORMAT.square_text(mv.from()) + &FORMAT.square_text(mv.to())
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        read_move(text)
    }

    fn is_near(illegal: Move, legal: Move) -> bool {
        legal.from() == illegal.from() || legal.to() == illegal.to()
    }

    fn diagram(&self) -> String {
        FORMAT.diagram(self.board(), &self.pieces)
    }
}

/// Reads the first ship's move of the turn and the number of the turn.
fn read_turn(fields: &[&str]) -> std::result::Result<(Option<Move>, u8), FenFault> {
    let first = match fields.first() {
        None | Some(&"-") => None,
        Some(text) => Some(read_move(text).ok_or_else(|| {
            (
                "move of the first ship".to_owned(),
                format!("`{}` is neither a move nor `-`", shorten(text)),
            )
        })?),
    };
    if let Some(extra) = fields.get(2) {
        return Err(("fields".into(), format!("`{}` is one too many", shorten(extra))));
    }
    let number = |text: &&str| match text.parse() {
        Ok(number) if !text.starts_with('+') => Ok(number),
        _ => {
            Err(("number of the turn".into(), format!("`{}` is not from 1 to 201", shorten(text))))
        }
    };
    Ok((first, fields.get(1).map_or(Ok(1), number)?))
}

fn read_move(text: &str) -> Option<Move> {
    let (from, rest) = FORMAT.read_square(text)?;
    let rest = rest.strip_prefix(['-', 'x']).unwrap_or(rest);
    let (to, rest) = FORMAT.read_square(rest)?;
    rest.is_empty().then(|| Move::new(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Side;

    const LAYOUT: &str = START.split_at(START.len() - " gold - 1".len()).0;

    fn read(text: &str) -> Breakthru {
        Breakthru::from_fen(text).unwrap()
    }

    #[test]
    fn both_starts_can_be_written() {
        for side in Side::BOTH {
            let fen = START.replace("gold", FORMAT.sides[side.index()][0]);
            assert_eq!(
                (read(&fen), Breakthru::begun_by(side).fen()),
                (Breakthru::begun_by(side), fen)
            );
        }
        let dots = LAYOUT.replace("11", "...........").replace('/', "|").replace('3', "...");
        for text in [format!("{dots} gold"), dots, "startpos".into()] {
            assert_eq!(read(&text), Breakthru::begun_by(Side::First), "{text}");
        }
    }

    #[test]
    fn moves_are_read_with_and_without_signs() {
        let start = Breakthru::begun_by(Side::First);
        for text in ["d6-c6", "d6c6", "d6xc6"] {
            assert_eq!(start.parse_move(text).unwrap(), Move::new(58, 57), "{text}");
        }
        let refusal = |text: &str| start.parse_move(text).unwrap_err().to_string();
        assert!(refusal("d6-b6").contains("legal are: d6-e6 d6-c6"), "{}", refusal("d6-b6"));
        assert!(refusal("f6-f8").contains("f6-g6") && refusal("a1-a1").contains("d6-c6"));
        assert!(
            refusal("d6-").contains("not a move") && refusal("d6-e6-f6").contains("not a move")
        );
    }

    #[test]
    fn the_first_ship_of_a_turn_is_kept() {
        let start = Breakthru::begun_by(Side::First);
        let next = start.play(start.parse_move("e8-e9").unwrap());
        assert!(next.fen().ends_with(" gold e8-e9 1"), "{}", next.fen());
        assert_eq!(read(&next.fen()), next);
        assert!(next.parse_move("e9-e8").is_err(), "the same ship cannot move twice");
    }

    #[test]
    fn refusals_name_the_place() {
        let start = |rest: &str| format!("{LAYOUT} {rest}");
        for (text, place) in [
            (String::new(), ", fields"),
            ("11/11 gold".into(), ", rows"),
            (start("gold").replacen("11/", "12/", 1), ", row 11"),
            (start("gold").replacen("11/", "9/", 1), ", row 11"),
            (start("gold").replacen("11/", "0/", 1), ", row 11"),
            (start("gold").replacen("11/", "99999999999/", 1), ", row 11"),
            (start("gold").replacen('F', "f", 1), ", row 6"),
            (start("white"), ", side to move"),
            (start("gold f6"), ", move of the first ship"),
            (start("gold - x"), ", number of the turn"),
            (start("gold - +1"), ", number of the turn"),
            (start("gold - 256"), ", number of the turn"),
            (start("gold - 1 1"), ", fields"),
            (start("gold - 0"), "number of the turn"),
            (start("gold - 202"), "number of the turn"),
            (start("gold e9-e8 201"), "cannot have begun"),
            (start("gold f6-e6"), "cannot have begun"),
            (start("silver e9-e8"), "cannot have begun"),
            (start("gold e8-e8"), "cannot have begun"),
            (start("gold e11-e8"), "cannot have begun"),
            (start("gold").replacen("3sssss3", "3sssss1ss", 1), "more ships"),
            (start("gold").replacen('F', ".", 1).replace('s', "."), "neither the flagship"),
        ] {
            let error = Breakthru::from_fen(&text).unwrap_err().to_string();
            assert!(error.contains(place), "{text}: {error}");
        }
        assert!(Breakthru::from_fen(&start("gold e9-e8")).is_ok());
    }
}
