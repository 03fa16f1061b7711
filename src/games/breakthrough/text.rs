//! FEN, moves and diagrams.
//!
//! FEN as Fairy-Stockfish writes it: rows from the top, `P` White, `p` Black, digits for empty
//! squares; the side to move; two dashes; two counters, which are read and not kept.

use super::geometry::{MIN_COLS, MIN_ROWS};
use super::{Breakthrough, Move};
use crate::error::{Error, Result};
use crate::game::notation::{self, Reading, Rows, read_square, shorten, square_text};
use crate::game::{Position, Side};

const EXAMPLE: &str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

const ROWS: Rows = Rows {
    least: (MIN_COLS, MIN_ROWS),
    signs: "`P`, `p`",
    set_of: |sign| match sign {
        'P' => Some(0),
        'p' => Some(1),
        _ => None,
    },
};

pub(super) fn fen(position: &Breakthrough) -> String {
    let rows = notation::rows_text(position.board(), |square| piece_at(position, square));
    let side = if position.side == Side::First { 'w' } else { 'b' };
    format!("{rows} {side} - - 0 1")
}

fn piece_at(position: &Breakthrough, square: u8) -> Option<char> {
    let owner = Side::BOTH.into_iter().find(|&side| position.pieces(side) >> square & 1 == 1)?;
    Some(if owner == Side::First { 'P' } else { 'p' })
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
    let (board, [white, black]) =
        ROWS.read(placement).map_err(|(place, reason)| bad(&place, reason))?;
    let side = match *side {
        "w" => Side::First,
        "b" => Side::Second,
        other => {
            return Err(bad(
                "side to move",
                format!("`{}` is neither `w` nor `b`", shorten(other)),
            ));
        }
    };
    check_rest(rest).map_err(|(place, reason)| bad(place, reason))?;
    Breakthrough::from_pieces(board, white, black, side)
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

pub(super) fn move_text(mv: Move) -> String {
    square_text(mv.from) + &square_text(mv.to)
}

pub(super) fn parse_move(position: &Breakthrough, text: &str) -> Result<Move> {
    let reading = Reading {
        read: |_, text| read_move(text),
        remedy: "write the two squares, for example a2a3",
        near: |read: Move, legal: Move| legal.from == read.from,
    };
    reading.legal(position, text)
}

fn read_move(text: &str) -> Option<Move> {
    let (from, to) = text.split_at_checked(2)?;
    Some(Move::new(read_square(from)?, read_square(to)?))
}

pub(super) fn diagram(position: &Breakthrough) -> String {
    notation::diagram(position.board(), |col, row| piece_at(position, row * 8 + col).unwrap_or('.'))
}
