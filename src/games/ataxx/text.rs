//! FEN, moves and diagrams.
//!
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
use crate::error::{Error, Result};
use crate::game::notation::{
    self, NotationError, Reading, Rows, read_square, shorten, square_text,
};
use crate::game::{Position, Side};

const EXAMPLE: &str = "x5o/7/7/7/7/7/o5x x 0 1";
const PASS: &str = "0000";

const ROWS: Rows = Rows {
    least: (MIN_SIDE, MIN_SIDE),
    signs: "`x`, `o`, `-`",
    set_of: |sign| match sign {
        'x' | 'P' => Some(0),
        'o' | 'p' => Some(1),
        '-' | '*' => Some(2),
        _ => None,
    },
};

pub(super) fn fen(position: &Ataxx) -> String {
    let rows = notation::rows_text(position.board(), |square| sign(position, square));
    let side = if position.side == Side::First { 'x' } else { 'o' };
    format!("{rows} {side} {} 1", position.clock)
}

fn sign(position: &Ataxx, square: u8) -> Option<char> {
    let holds = |squares: u64| squares >> square & 1 == 1;
    let sets = [(position.pieces[0], 'x'), (position.pieces[1], 'o'), (!position.open, '-')];
    sets.into_iter().find(|&(squares, _)| holds(squares)).map(|(_, sign)| sign)
}

pub(super) fn parse_fen(text: &str) -> Result<Ataxx> {
    let bad = |(place, reason): NotationError| {
        Error::input(format!("FEN `{}`, {place}", shorten(text)), reason)
            .remedy(format!("an example is `{EXAMPLE}`"))
    };
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [rows, side, rest @ ..] = fields.as_slice() else {
        return Err(bad((
            "fields".into(),
            format!("{} of them, at least 2 are needed", fields.len()),
        )));
    };
    let (board, [first, second, blocked]) = ROWS.read(rows).map_err(bad)?;
    let side = match *side {
        "x" | "w" => Side::First,
        "o" | "b" => Side::Second,
        other => {
            let reason = format!("`{}` is neither `x` nor `o`", shorten(other));
            return Err(bad(("side to move".into(), reason)));
        }
    };
    let clock = parse_numbers(rest).map_err(bad)?;
    Ataxx::from_squares(board, [first, second], blocked, side, clock)
        .map_err(|error| error.within(format!("FEN `{}`", shorten(text))))
}

/// The plies since the last clone, before the number of the move; both may be missing, and two
/// dashes stand before them in some programs' FENs.
fn parse_numbers(fields: &[&str]) -> std::result::Result<u8, NotationError> {
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

pub(super) fn move_text(mv: Move) -> String {
    match mv.kind() {
        Kind::Clone => square_text(mv.to()),
        Kind::Jump { from } => square_text(from) + &square_text(mv.to()),
        Kind::Pass => PASS.into(),
    }
}

/// Clones are drops there, and a pass is a move of the side's first piece to where it stands.
pub(super) fn uci_move_text(position: &Ataxx, mv: Move) -> String {
    match mv.kind() {
        Kind::Clone => format!("P@{}", square_text(mv.to())),
        Kind::Jump { .. } => move_text(mv),
        Kind::Pass => square_text(position.own().trailing_zeros() as u8 & 63).repeat(2),
    }
}

pub(super) fn parse_move(position: &Ataxx, text: &str) -> Result<Move> {
    let reading = Reading {
        read: read_move,
        remedy: "write a clone as g2, a jump as g1g3, a pass as 0000",
        near: |read: Move, legal: Move| legal.kind() == read.kind() || legal.to() == read.to(),
    };
    reading.legal(position, text)
}

fn read_move(position: &Ataxx, text: &str) -> Option<Move> {
    if text == PASS {
        return Some(Move::PASS);
    }
    let drop = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"));
    if let Some(to) = read_square(drop.unwrap_or(text)) {
        return Some(Move::clone_to(to));
    }
    let (from, to) = text.split_at_checked(2)?;
    let (from, to) = (read_square(from)?, read_square(to)?);
    if from == to && position.own() >> from & 1 == 1 {
        return Some(Move::PASS);
    }
    let clones = position.own() & NEAR[usize::from(to)] & 1 << from != 0;
    Some(if clones { Move::clone_to(to) } else { Move::jump(from, to) })
}

pub(super) fn diagram(position: &Ataxx) -> String {
    notation::diagram(position.board(), |col, row| sign(position, row * 8 + col).unwrap_or('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Ataxx {
        parse_fen(text).unwrap()
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
            assert_eq!(parse_move(&ours, text).unwrap(), Move::clone_to(41), "{text}");
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
            let error = parse_fen(text).unwrap_err().to_string();
            assert!(error.contains(&format!(", {place}: ")) && error.contains(EXAMPLE), "{error}");
        }
        let start = read(EXAMPLE);
        for text in ["0000", "a7c7a7", "g1g2g3", "g1g4", "a7a7", "h8", "b2"] {
            assert!(parse_move(&start, text).is_err(), "{text}");
        }
    }
}
