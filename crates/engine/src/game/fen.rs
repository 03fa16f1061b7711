//! The text of positions, as far as games share it: rows from the top, the side to move, and any
//! further fields; names of squares; diagrams.

use super::{Board, Position, Side};
use crate::error::{Error, Result, shorten};

/// The word for the starting position in place of a FEN.
pub const STARTPOS: &str = "startpos";

/// A fault in a text: the place and the reason.
pub type FenFault = (String, String);

/// The text format of a game's positions.
pub struct FenFormat {
    /// The fewest columns and rows.
    pub least: (u8, u8),
    /// The most columns and rows. From ten columns on, numbers of empty squares have two digits.
    pub most: (u8, u8),
    /// The offset of a row in square numbers; a column adds 1.
    pub stride: u8,
    /// The signs that each set of squares is read from; the first one is written.
    pub signs: &'static [&'static str],
    /// Further signs for an empty square, besides numbers.
    pub empty: &'static str,
    /// The words that each side is read from; the first one is written.
    pub sides: [&'static [&'static str]; 2],
    /// An example position for error messages.
    pub example: &'static str,
}

impl FenFormat {
    /// The rows and the side to move. `sets` has the squares of each of the signs.
    pub fn text(&self, board: Board, sets: &[u128], side: Side) -> String {
        let row = |row| self.row_text((0..board.cols()).map(|col| self.sign(sets, col, row)));
        let rows: Vec<String> = (0..board.rows()).rev().map(row).collect();
        format!("{} {}", rows.join("/"), self.sides[side.index()][0])
    }

    /// A drawing of the board for people, with coordinates.
    pub fn diagram(&self, board: Board, sets: &[u128]) -> String {
        let mut text = String::new();
        for row in (0..board.rows()).rev() {
            text += &format!("{:>2} ", row + 1);
            for col in 0..board.cols() {
                text.extend([' ', self.sign(sets, col, row).unwrap_or('.')]);
            }
            text.push('\n');
        }
        text += "   ";
        for col in 0..board.cols() {
            text.extend([' ', (b'a' + col) as char]);
        }
        text + "\n"
    }

    fn sign(&self, sets: &[u128], col: u8, row: u8) -> Option<char> {
        let mut signs = sets.iter().zip(self.signs);
        let here = signs.find(|(set, _)| *set >> (row * self.stride + col) & 1 == 1);
        here.and_then(|(_, signs)| signs.chars().next())
    }

    fn row_text(&self, signs: impl Iterator<Item = Option<char>>) -> String {
        let (mut text, mut empty) = (String::new(), 0);
        for sign in signs.map(Some).chain([None]) {
            if sign == Some(None) {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            text.extend(sign.flatten());
        }
        text
    }

    /// Reads a position. `make` builds it from the board, the squares of each of the signs, the
    /// side to move and the fields after it. The first side moves by default; empty pockets are
    /// ignored.
    ///
    /// # Errors
    /// When the text does not have this format, or `make` fails. The inner error of `make` is about
    /// the fields after the side to move, the outer one about the position as a whole.
    pub fn read<P: Position, const SETS: usize>(
        &self,
        text: &str,
        make: impl FnOnce(
            Board,
            [u128; SETS],
            Side,
            &[&str],
        ) -> std::result::Result<Result<P>, FenFault>,
    ) -> Result<P> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let read = || match fields.as_slice() {
            [] => Err(("fields".into(), "there are none".into())),
            [STARTPOS] => Ok(P::start(P::default_board())),
            [rows, rest @ ..] => {
                let (board, sets) = self.read_rows(without_pockets(rows))?;
                let side = rest.first().map_or(Ok(Side::First), |side| self.read_side(side))?;
                make(board, sets, side, rest.get(1..).unwrap_or_default())
            }
        };
        let place = format!("FEN `{}`", shorten(text));
        match read() {
            Ok(made) => made.map_err(|error| error.within(place)),
            Err((field, reason)) => Err(Error::input(format!("{place}, {field}"), reason)
                .remedy(format!("an example is `{}`", self.example))),
        }
    }

    fn read_side(&self, text: &str) -> std::result::Result<Side, FenFault> {
        let of = |side: &Side| self.sides[side.index()].contains(&text);
        Side::BOTH.into_iter().find(of).ok_or_else(|| {
            let [first, second] = self.sides.map(|words| words[0]);
            let reason = format!("`{}` is neither `{first}` nor `{second}`", shorten(text));
            ("side to move".into(), reason)
        })
    }

    /// Reads the rows: the board size, and the squares of each of the signs.
    fn read_rows<const SETS: usize>(
        &self,
        text: &str,
    ) -> std::result::Result<(Board, [u128; SETS]), FenFault> {
        let rows: Vec<&str> = text.split('/').collect();
        let allowed = |count: usize, least: u8, most: u8, what: &str| {
            let takes = if least == most { most.to_string() } else { format!("{least} to {most}") };
            let known = u8::try_from(count).ok().filter(|count| (least..=most).contains(count));
            known.ok_or_else(|| format!("{count} {what}, the game takes {takes}"))
        };
        let count = allowed(rows.len(), self.least.1, self.most.1, "of them")
            .map_err(|reason| ("rows".to_owned(), reason))?;
        let (mut sets, mut cols) = ([0; SETS], None);
        for (row, text) in (0..count).rev().zip(rows) {
            let fault = |reason| (format!("row {}", row + 1), reason);
            let width = self.read_row(text, row, &mut sets).map_err(fault)?;
            allowed(width.into(), self.least.0, self.most.0, "squares").map_err(fault)?;
            let above = *cols.get_or_insert(width);
            if above != width {
                return Err(fault(format!("{width} squares, the rows above have {above}")));
            }
        }
        Ok((Board::new(cols.unwrap_or(self.most.0), count), sets))
    }

    /// Adds the squares of a row to their sets and returns its width.
    fn read_row(&self, text: &str, row: u8, sets: &mut [u128]) -> std::result::Result<u8, String> {
        let (mut col, mut rest) = (0, text);
        while let Some(sign) = rest.chars().next() {
            let set = self.signs.iter().position(|signs| signs.contains(sign));
            let single = set.is_some() || self.empty.contains(sign);
            let (width, length) = if single {
                (1, sign.len_utf8())
            } else {
                self.read_number(rest).ok_or_else(|| self.no_sign(sign))?
            };
            if width > self.most.0 - col {
                return Err(format!("more than {} squares", self.most.0));
            }
            if let Some(squares) = set.and_then(|set| sets.get_mut(set)) {
                *squares |= 1 << (row * self.stride + col);
            }
            col += width;
            rest = &rest[length..];
        }
        Ok(col)
    }

    /// Reads the number of empty squares at the start of a text; returns also its number of digits.
    fn read_number(&self, text: &str) -> Option<(u8, usize)> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let digits = if self.most.0 < 10 { digits.min(1) } else { digits };
        let number = text[..digits].parse().unwrap_or(u8::MAX);
        (digits > 0 && !text.starts_with('0')).then_some((number, digits))
    }

    fn no_sign(&self, sign: char) -> String {
        let signs: Vec<String> =
            self.signs.iter().filter_map(|s| s.chars().next()).map(|s| format!("`{s}`")).collect();
        let (signs, most) = (signs.join(", "), self.most.0);
        format!("`{}` is none of {signs} and 1 to {most}", sign.escape_debug())
    }

    /// The number of signs in a text's board that this format knows. If no game can read a text,
    /// its game is guessed by this number.
    pub fn likeness(&self, text: &str) -> usize {
        let rows = text.split_ascii_whitespace().next().unwrap_or_default();
        rows.chars().filter(|&sign| self.signs.iter().any(|signs| signs.contains(sign))).count()
    }

    /// A square's name, such as `a1`.
    pub fn square_text(&self, square: u8) -> String {
        format!("{}{}", (b'a' + square % self.stride) as char, square / self.stride + 1)
    }

    /// Reads a square at the start of a text and returns the rest of the text.
    pub fn read_square<'t>(&self, text: &'t str) -> Option<(u8, &'t str)> {
        let col = text.bytes().next()?.checked_sub(b'a').filter(|&col| col < self.most.0)?;
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = text[1..].split_at(digits);
        let row = number.parse::<u8>().ok().filter(|_| !number.starts_with('0'))?;
        (1..=self.most.1).contains(&row).then(|| ((row - 1) * self.stride + col, rest))
    }
}

/// Whether a text has a board only. The first side is then taken to move.
pub fn lacks_side(text: &str) -> bool {
    let mut fields = text.split_ascii_whitespace();
    fields.next().is_some_and(|field| field != STARTPOS) && fields.next().is_none()
}

/// The rows without the empty pockets that some programs append.
fn without_pockets(rows: &str) -> &str {
    ["[]", "[-]"].iter().find_map(|pockets| rows.strip_suffix(pockets)).unwrap_or(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHESS: FenFormat = FenFormat {
        least: (2, 5),
        most: (8, 8),
        stride: 8,
        signs: &["P", "p"],
        empty: "",
        sides: [&["w"], &["b"]],
        example: "",
    };
    const WIDE: FenFormat =
        FenFormat { least: (11, 11), most: (11, 11), stride: 11, empty: ".", ..CHESS };

    #[test]
    fn squares_have_names() {
        let is_read = |format: &FenFormat, square: u8| {
            format.read_square(&format.square_text(square)) == Some((square, ""))
        };
        assert!((0..64).all(|square| is_read(&CHESS, square)));
        assert!((0..121).all(|square| is_read(&WIDE, square)));
        assert_eq!(
            ["a1", "h1", "a2", "h8"].map(|s| CHESS.read_square(s).unwrap().0),
            [0, 7, 8, 63]
        );
        assert_eq!(
            ["k1", "a2", "k11", "b10"].map(|s| WIDE.read_square(s).unwrap().0),
            [10, 11, 120, 100]
        );
        for name in ["", "a", "a0", "a9", "i1", "A1", "a11", "a01", "a999", "\u{e9}1"] {
            assert_eq!(CHESS.read_square(name), None, "{name}");
        }
        for name in ["", "a", "a0", "a12", "l1", "A1", "a01", "a999", "\u{e9}1"] {
            assert_eq!(WIDE.read_square(name), None, "{name}");
        }
    }
}
