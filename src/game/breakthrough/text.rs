//! FEN, moves and diagrams.
//!
//! FEN as Fairy-Stockfish writes it: rows from the top, `P` White, `p` Black, digits for empty squares; the side
//! to move; two dashes; two counters, which are read and not kept.

use super::geometry::{MAX_SIDE, MIN_COLS, MIN_ROWS};
use super::{Breakthrough, Move};
use crate::error::{Error, Result};
use crate::game::{Board, MoveList, Position, Side};

const EXAMPLE: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

pub(super) fn fen(position: &Breakthrough) -> String {
    let board = position.board();
    let rows: Vec<String> = (0..board.rows()).rev().map(|row| fen_row(position, row)).collect();
    let side = if position.side == Side::First { 'w' } else { 'b' };
    format!("{} {side} - - 0 1", rows.join("/"))
}

fn fen_row(position: &Breakthrough, row: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for col in 0..position.board().cols() {
        match piece_at(position, row * 8 + col) {
            None => empty += 1,
            Some(side) => {
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text.push(letter(side));
            }
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

fn piece_at(position: &Breakthrough, square: u8) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| position.pieces(side) >> square & 1 == 1)
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'P',
        Side::Second => 'p',
    }
}

pub(super) fn parse_fen(text: &str) -> Result<Breakthrough> {
    let bad = |place: &str, reason: String| {
        Error::input(format!("FEN `{}`, {place}", shorten(text)), reason)
            .remedy(format!("an example is `{EXAMPLE}`"))
    };
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let [placement, side, rest @ ..] = fields.as_slice() else {
        return Err(bad("fields", format!("{} of them, at least 2 are needed", fields.len())));
    };
    let (board, pieces) = parse_placement(placement).map_err(|(place, reason)| bad(&place, reason))?;
    let side = match *side {
        "w" => Side::First,
        "b" => Side::Second,
        other => return Err(bad("side to move", format!("`{}` is neither `w` nor `b`", shorten(other)))),
    };
    check_rest(rest).map_err(|(place, reason)| bad(place, reason))?;
    Breakthrough::from_pieces(board, pieces[0], pieces[1], side)
        .map_err(|error| error.within(format!("FEN `{}`", shorten(text))))
}

/// The counters and the two unused fields: `- - 0 1`, each of which may be missing from the end.
fn check_rest(rest: &[&str]) -> std::result::Result<(), (&'static str, String)> {
    const PLACES: [&str; 4] = ["third field", "fourth field", "ply counter", "move number"];
    if rest.len() > PLACES.len() {
        return Err(("fields", format!("{} of them, at most 6 are read", rest.len() + 2)));
    }
    for (index, (field, place)) in rest.iter().zip(PLACES).enumerate() {
        let good = if index < 2 { *field == "-" } else { field.parse::<u32>().is_ok() };
        if !good {
            let wanted = if index < 2 { "`-`" } else { "a number" };
            return Err((place, format!("`{}` is not {wanted}", shorten(field))));
        }
    }
    Ok(())
}

type Placement = (Board, [u64; 2]);

fn parse_placement(placement: &str) -> std::result::Result<Placement, (String, String)> {
    let rows: Vec<&str> = placement.split('/').collect();
    let row_count = u8::try_from(rows.len()).unwrap_or(u8::MAX);
    if !(MIN_ROWS..=MAX_SIDE).contains(&row_count) {
        let reason = format!("{} of them, the game takes {MIN_ROWS} to {MAX_SIDE}", rows.len());
        return Err(("rows".into(), reason));
    }
    let mut pieces = [0u64; 2];
    let mut cols = None;
    for (index, text) in rows.iter().enumerate() {
        let row = row_count - 1 - index as u8;
        let place = || format!("row {}", row + 1);
        let width = parse_row(text, row, &mut pieces).map_err(|reason| (place(), reason))?;
        if !(MIN_COLS..=MAX_SIDE).contains(&width) {
            return Err((place(), format!("{width} squares, the game takes {MIN_COLS} to {MAX_SIDE}")));
        }
        if *cols.get_or_insert(width) != width {
            return Err((place(), format!("{width} squares, the rows above have {}", cols.unwrap_or(width))));
        }
    }
    Ok((Board::new(cols.unwrap_or(MAX_SIDE), row_count), pieces))
}

/// Sets the pieces of a row and gives its width in squares.
fn parse_row(text: &str, row: u8, pieces: &mut [u64; 2]) -> std::result::Result<u8, String> {
    let mut col = 0u8;
    for symbol in text.chars() {
        let side = match symbol {
            'P' => Some(Side::First),
            'p' => Some(Side::Second),
            '1'..='8' => None,
            _ => return Err(format!("`{}` is none of `P`, `p` and 1 to 8", symbol.escape_debug())),
        };
        let width = if side.is_some() { 1 } else { symbol as u8 - b'0' };
        if col + width > MAX_SIDE {
            return Err(format!("more than {MAX_SIDE} squares"));
        }
        if let Some(side) = side {
            pieces[side.index()] |= 1 << (row * 8 + col);
        }
        col += width;
    }
    Ok(col)
}

/// Text from outside as it may stand in an error: short, without control characters.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

pub(super) fn move_text(mv: Move) -> String {
    [mv.from, mv.to]
        .iter()
        .flat_map(|&square| [(b'a' + (square & 7)) as char, (b'1' + (square >> 3)) as char])
        .collect()
}

pub(super) fn parse_move(position: &Breakthrough, text: &str) -> Result<Move> {
    let bad = |reason: &str, remedy: String| {
        Err(Error::input(format!("move `{}`", shorten(text)), reason).remedy(remedy))
    };
    let Some(mv) = read_move(text) else {
        return bad("not a move", "write the two squares, for example a2a3".into());
    };
    if position.is_legal(mv) {
        return Ok(mv);
    }
    if position.outcome().is_some() {
        return bad("the game is over", "take a move back or begin a new game".into());
    }
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let from_there: Vec<Move> = moves.iter().copied().filter(|legal| legal.from == mv.from).collect();
    let offered = if from_there.is_empty() { moves.as_slice() } else { &from_there };
    let names: Vec<String> = offered.iter().map(|&mv| move_text(mv)).collect();
    bad("illegal here", format!("legal are: {}", names.join(" ")))
}

fn read_move(text: &str) -> Option<Move> {
    let [from_col, from_row, to_col, to_row] = <[u8; 4]>::try_from(text.as_bytes()).ok()?;
    let square = |col: u8, row: u8| {
        ((b'a'..=b'h').contains(&col) && (b'1'..=b'8').contains(&row))
            .then(|| (row - b'1') * 8 + (col - b'a'))
    };
    Some(Move::new(square(from_col, from_row)?, square(to_col, to_row)?))
}

pub(super) fn diagram(position: &Breakthrough) -> String {
    let board = position.board();
    let mut text = String::new();
    for row in (0..board.rows()).rev() {
        text += &format!("{:>2} ", row + 1);
        for col in 0..board.cols() {
            text.push(' ');
            text.push(piece_at(position, row * 8 + col).map_or('.', letter));
        }
        text.push('\n');
    }
    text += "   ";
    for col in 0..board.cols() {
        text.push(' ');
        text.push((b'a' + col) as char);
    }
    text + "\n"
}
