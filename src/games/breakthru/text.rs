//! The text of positions and moves, and diagrams.
//!
//! A position is written like the FEN of chess: the rows from the top, separated by slashes, `F`
//! the flagship, `g` an escort, `s` a silver ship, a number for as many empty squares; `gold` or
//! `silver`, the side to move; the move of the turn's first ship, as `d6-e6`, while the second
//! one's is due, else `-`; the number of the turn, from 1 to 200, or 201 when all are over. The
//! last two may be missing. The usual layout with Silver to begin is that of the start with
//! `silver` for `gold`. Read, though not written, are also a dot for an empty square and a bar
//! between rows.
//!
//! Moves: `d6-e6` a move, `h6xg6` a capture; a turn of two moves is two plies. The sign between the
//! squares may be missing, as over UCI, or the other one.

use super::squares::SIDE;
use super::{Breakthru, Move, Piece, START};
use crate::error::{Error, Result};
use crate::game::notation::{self, NotationError, Reading, shorten};
use crate::game::{Position, Side};

fn sign(position: &Breakthru, square: u8) -> Option<char> {
    let piece = Piece::ALL.into_iter().find(|&piece| position.squares(piece) >> square & 1 == 1)?;
    Some(match piece {
        Piece::Flagship => 'F',
        Piece::Escort => 'g',
        Piece::Ship => 's',
    })
}

fn side_text(side: Side) -> &'static str {
    if side == Side::First { "gold" } else { "silver" }
}

pub(super) fn fen(position: &Breakthru) -> String {
    let rows =
        (0..SIDE).rev().map(|row| row_text((0..SIDE).map(|col| sign(position, row * SIDE + col))));
    let rows = rows.collect::<Vec<_>>().join("/");
    let first = position.first.map_or("-".into(), move_text);
    format!("{rows} {} {first} {}", side_text(position.side), position.turn)
}

fn row_text(signs: impl Iterator<Item = Option<char>>) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    let mut count = |text: &mut String, sign: Option<char>| match sign {
        None => empty += 1,
        Some(sign) => {
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            empty = 0;
            text.push(sign);
        }
    };
    signs.for_each(|sign| count(&mut text, sign));
    // What is left at the end of the row is counted up to a sign that is taken away again.
    count(&mut text, Some('/'));
    text.pop();
    text
}

pub(super) fn parse_fen(text: &str) -> Result<Breakthru> {
    let bad = |(place, reason): NotationError| {
        Error::input(format!("FEN `{}`, {place}", shorten(text)), reason)
            .remedy(format!("an example is `{START} gold - 1`"))
    };
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [rows, side, rest @ ..] = fields.as_slice() else {
        return Err(bad((
            "fields".into(),
            format!("{} of them, at least 2 are needed", fields.len()),
        )));
    };
    let pieces = read_rows(rows).map_err(bad)?;
    let Some(side) = Side::BOTH.into_iter().find(|&known| side_text(known) == *side) else {
        let reason = format!("`{}` is neither `gold` nor `silver`", shorten(side));
        return Err(bad(("side to move".into(), reason)));
    };
    let (first, turn) = read_turn(rest).map_err(bad)?;
    Breakthru::from_squares(pieces, side, first, turn)
        .map_err(|error| error.within(format!("FEN `{}`", shorten(text))))
}

fn read_rows(text: &str) -> std::result::Result<[u128; 3], NotationError> {
    let rows: Vec<&str> = text.split(['/', '|']).collect();
    if rows.len() != usize::from(SIDE) {
        return Err(("rows".into(), format!("{} of them, the board has {SIDE}", rows.len())));
    }
    let mut pieces = [0; 3];
    for (row, text) in (0..SIDE).rev().zip(rows) {
        read_row(text, row, &mut pieces).map_err(|reason| (format!("row {}", row + 1), reason))?;
    }
    Ok(pieces)
}

fn read_row(text: &str, row: u8, pieces: &mut [u128; 3]) -> std::result::Result<(), String> {
    let (mut col, mut rest) = (0u8, text);
    while let Some(sign) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
        let (piece, width) = match sign {
            'F' => (Some(Piece::Flagship), 1),
            'g' => (Some(Piece::Escort), 1),
            's' => (Some(Piece::Ship), 1),
            '.' => (None, 1),
            '1'..='9' => (None, rest[..digits].parse().unwrap_or(u8::MAX)),
            _ => {
                return Err(format!(
                    "`{}` is none of `F`, `g`, `s` and 1 to {SIDE}",
                    sign.escape_debug()
                ));
            }
        };
        if width > SIDE - col {
            return Err(format!("more than {SIDE} squares"));
        }
        if let Some(piece) = piece {
            pieces[piece as usize] |= 1 << (row * SIDE + col);
        }
        col += width;
        rest = &rest[digits.max(1)..];
    }
    if col < SIDE { Err(format!("{col} squares, the board has {SIDE}")) } else { Ok(()) }
}

/// The move of the turn's first ship and the number of the turn.
fn read_turn(fields: &[&str]) -> std::result::Result<(Option<Move>, u8), NotationError> {
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

fn square_text(square: u8) -> String {
    format!("{}{}", (b'a' + square % SIDE) as char, square / SIDE + 1)
}

pub(super) fn move_text(mv: Move) -> String {
    let sign = if mv.is_diagonal_step() { 'x' } else { '-' };
    format!("{}{sign}{}", square_text(mv.from()), square_text(mv.to()))
}

/// A move as engines for many games write it: without the sign.
pub(super) fn uci_move_text(mv: Move) -> String {
    square_text(mv.from()) + &square_text(mv.to())
}

/// Reads a square at the beginning of a text, and gives the rest of it.
fn read_square(text: &str) -> Option<(u8, &str)> {
    let col = text.bytes().next()?.checked_sub(b'a').filter(|&col| col < SIDE)?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text[1..].split_at(digits);
    let row = number.parse::<u8>().ok().filter(|_| !number.starts_with('0'))?;
    (1..=SIDE).contains(&row).then(|| ((row - 1) * SIDE + col, rest))
}

fn read_move(text: &str) -> Option<Move> {
    let (from, rest) = read_square(text)?;
    let rest = rest.strip_prefix(['-', 'x']).unwrap_or(rest);
    let (to, rest) = read_square(rest)?;
    rest.is_empty().then(|| Move::new(from, to))
}

pub(super) fn parse_move(position: &Breakthru, text: &str) -> Result<Move> {
    let reading = Reading {
        read: |_, text| read_move(text),
        remedy: "write a move as d6-e6, a capture as h6xg6",
        near: |read: Move, legal: Move| legal.from() == read.from() || legal.to() == read.to(),
    };
    reading.legal(position, text)
}

pub(super) fn diagram(position: &Breakthru) -> String {
    notation::diagram(position.board(), |col, row| sign(position, row * SIDE + col).unwrap_or('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::games::breakthru::squares::SQUARES;

    fn read(text: &str) -> Breakthru {
        parse_fen(text).unwrap()
    }

    #[test]
    fn both_starts_can_be_written() {
        for side in Side::BOTH {
            let fen = format!("{START} {} - 1", side_text(side));
            assert_eq!(
                (read(&fen), Breakthru::begun_by(side).fen()),
                (Breakthru::begun_by(side), fen)
            );
        }
        let dots = START.replace("11", "...........").replace('/', "|").replace('3', "...");
        assert_eq!(read(&format!("{dots} gold")), Breakthru::begun_by(Side::First));
    }

    #[test]
    fn squares_have_names() {
        assert_eq!(
            ["a1", "k1", "a2", "k11", "b10"].map(|name| read_square(name).unwrap().0),
            [0, 10, 11, 120, 100]
        );
        let names = (0..SQUARES as u8).map(square_text);
        assert!((0..).zip(names).all(|(square, name)| read_square(&name) == Some((square, ""))));
        for text in ["", "a", "a0", "a12", "l1", "A1", "a01", "a999", "\u{e9}1"] {
            assert_eq!(read_square(text), None, "{text}");
        }
    }

    #[test]
    fn moves_are_read_with_and_without_signs() {
        let start = Breakthru::begun_by(Side::First);
        for text in ["d6-c6", "d6c6", "d6xc6"] {
            assert_eq!(parse_move(&start, text).unwrap(), Move::new(58, 57), "{text}");
        }
        let refusal = |text: &str| parse_move(&start, text).unwrap_err().to_string();
        assert!(refusal("d6-b6").contains("legal are: d6-e6 d6-c6"), "{}", refusal("d6-b6"));
        assert!(refusal("f6-f8").contains("f6-g6") && refusal("a1-a1").contains("d6-c6"));
        assert!(
            refusal("d6-").contains("not a move") && refusal("d6-e6-f6").contains("not a move")
        );
    }

    #[test]
    fn the_first_ship_of_a_turn_is_kept() {
        let start = Breakthru::begun_by(Side::First);
        let next = start.play(parse_move(&start, "e8-e9").unwrap());
        assert!(next.fen().ends_with(" gold e8-e9 1"), "{}", next.fen());
        assert_eq!(read(&next.fen()), next);
        assert!(parse_move(&next, "e9-e8").is_err(), "the same ship cannot move twice");
    }

    #[test]
    fn refusals_name_the_place() {
        let start = |rest: &str| format!("{START} {rest}");
        for (text, place) in [
            (String::new(), ", fields"),
            (START.into(), ", fields"),
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
            let error = parse_fen(&text).unwrap_err().to_string();
            assert!(error.contains(place), "{text}: {error}");
        }
        assert!(parse_fen(&start("gold e9-e8")).is_ok());
    }
}
