//! FEN as Fairy-Stockfish writes it: rows from the top, `P` White, `p` Black, digits for empty
//! squares; the side to move; two dashes; two counters, which are read and not kept.

use super::geometry::{MIN_COLS, MIN_ROWS};
use super::{Breakthrough, Move};
use crate::error::{Result, shorten};
use crate::game::bitboard::MAX_SIDE;
use crate::game::fen::{FenFault, FenFormat};
use crate::game::{Notation, Position};

const FORMAT: FenFormat = FenFormat {
    least: (MIN_COLS, MIN_ROWS),
    most: (MAX_SIDE, MAX_SIDE),
    stride: 8,
    signs: &["P", "p"],
    empty: "",
    sides: [&["w"], &["b"]],
    example: "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
};

impl Notation for Breakthrough {
    const MOVE_HELP: &'static str = "write the two squares, for example a2a3";
    const SIDE_NAMES: [&'static str; 2] = ["White", "Black"];

    fn fen(&self) -> String {
        FORMAT.text(self.board(), &self.pieces.map(u128::from), self.side) + " - - 0 1"
    }

    fn from_fen(text: &str) -> Result<Self> {
        FORMAT.read(text, |board, [white, black], side, rest| {
            check_rest(rest)?;
            Ok(Self::from_pieces(board, white as u64, black as u64, side))
        })
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

/// The counters and the two unused fields: `- - 0 1`, each of which may be missing from the end.
fn check_rest(rest: &[&str]) -> std::result::Result<(), FenFault> {
    const PLACES: [&str; 4] = ["third field", "fourth field", "ply counter", "move number"];
    if rest.len() > PLACES.len() {
        return Err(("fields".into(), format!("{} of them, at most 6 are read", rest.len() + 2)));
    }
    for (index, (field, place)) in rest.iter().zip(PLACES).enumerate() {
        let good = if index < 2 { *field == "-" } else { field.parse::<u32>().is_ok() };
        if !good {
            let wanted = if index < 2 { "`-`" } else { "a number" };
            return Err((place.into(), format!("`{}` is not {wanted}", shorten(field))));
        }
    }
    Ok(())
}
