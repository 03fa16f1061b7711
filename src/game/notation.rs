//! What the notations of the games on boards of up to 8x8 squares have in common. Squares are 8 *
//! row + column, and rows are written from the top.

use super::{Board, MoveList, Position};
use crate::error::{Error, Result};

/// The most columns and rows of these boards.
pub(crate) const MAX_SIDE: u8 = 8;

/// What is wrong with a text: where, and why.
pub(crate) type NotationError = (String, String);

/// Text from outside as it may stand in an error: short, without control characters.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut short: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

/// A square's name, `a1` to `h8`.
pub(crate) fn square_text(square: u8) -> String {
    [(b'a' + (square & 7)) as char, (b'1' + (square >> 3)) as char].iter().collect()
}

/// The square of a name.
pub(crate) fn read_square(text: &str) -> Option<u8> {
    let [col, row] = <[u8; 2]>::try_from(text.as_bytes()).ok()?;
    let known = (b'a'..=b'h').contains(&col) && (b'1'..=b'8').contains(&row);
    known.then(|| (row - b'1') * 8 + (col - b'a'))
}

/// The rows of a FEN: signs, and digits for squares without one.
pub(crate) fn rows_text(board: Board, sign: impl Fn(u8) -> Option<char>) -> String {
    let rows = (0..board.rows())
        .rev()
        .map(|row| row_text((0..board.cols()).map(|col| sign(row * 8 + col))));
    rows.collect::<Vec<_>>().join("/")
}

fn row_text(signs: impl Iterator<Item = Option<char>>) -> String {
    let (mut text, mut empty) = (String::new(), 0);
    for sign in signs.map(Some).chain([None]) {
        match sign {
            Some(None) => empty += 1,
            _ if empty > 0 => {
                text += &empty.to_string();
                empty = 0;
                text.extend(sign.flatten());
            }
            _ => text.extend(sign.flatten()),
        }
    }
    text
}

/// A game's way of writing rows.
pub(crate) struct Rows {
    /// The fewest columns and rows.
    pub(crate) least: (u8, u8),
    /// The signs for people, as in "`P`, `p`".
    pub(crate) signs: &'static str,
    /// The set that a sign's squares belong to.
    pub(crate) set_of: fn(char) -> Option<usize>,
}

impl Rows {
    /// Reads the rows of a FEN: the board, and the squares of each set.
    pub(crate) fn read<const SETS: usize>(
        &self,
        text: &str,
    ) -> std::result::Result<(Board, [u64; SETS]), NotationError> {
        let (least_cols, least_rows) = self.least;
        let rows: Vec<&str> = text.split('/').collect();
        let row_count = u8::try_from(rows.len()).unwrap_or(u8::MAX);
        if !(least_rows..=MAX_SIDE).contains(&row_count) {
            let reason =
                format!("{} of them, the game takes {least_rows} to {MAX_SIDE}", rows.len());
            return Err(("rows".into(), reason));
        }
        let mut sets = [0; SETS];
        let mut cols = None;
        for (row, text) in (0..row_count).rev().zip(rows) {
            let fault = |reason| (format!("row {}", row + 1), reason);
            let width = self.read_row(text, row, &mut sets).map_err(fault)?;
            if !(least_cols..=MAX_SIDE).contains(&width) {
                return Err(fault(format!(
                    "{width} squares, the game takes {least_cols} to {MAX_SIDE}"
                )));
            }
            let above = *cols.get_or_insert(width);
            if above != width {
                return Err(fault(format!("{width} squares, the rows above have {above}")));
            }
        }
        Ok((Board::new(cols.unwrap_or(MAX_SIDE), row_count), sets))
    }

    /// Adds the squares of a row to their sets and gives its width.
    fn read_row(&self, text: &str, row: u8, sets: &mut [u64]) -> std::result::Result<u8, String> {
        let mut col = 0;
        for sign in text.chars() {
            let set = (self.set_of)(sign);
            let width = match sign {
                _ if set.is_some() => 1,
                '1'..='8' => sign as u8 - b'0',
                _ => {
                    return Err(format!(
                        "`{}` is none of {} and 1 to 8",
                        sign.escape_debug(),
                        self.signs
                    ));
                }
            };
            if col + width > MAX_SIDE {
                return Err(format!("more than {MAX_SIDE} squares"));
            }
            if let Some(squares) = set.and_then(|set| sets.get_mut(set)) {
                *squares |= 1 << (row * 8 + col);
            }
            col += width;
        }
        Ok(col)
    }
}

/// A game's way of reading moves.
pub(crate) struct Reading<P: Position> {
    /// The move of a text, legal or not.
    pub(crate) read: fn(&P, &str) -> Option<P::Move>,
    /// What to do about a text that is none.
    pub(crate) remedy: &'static str,
    /// Whether a legal move, the second one, may be what was meant by the first one.
    pub(crate) near: fn(P::Move, P::Move) -> bool,
}

impl<P: Position> Reading<P> {
    /// Reads a legal move, as [`Position::parse_move`] promises.
    ///
    /// # Errors
    /// When the text is not a move, or the move is illegal here.
    pub(crate) fn legal(&self, position: &P, text: &str) -> Result<P::Move> {
        let bad = |reason: &str, remedy: &str| {
            Err(Error::input(format!("move `{}`", shorten(text)), reason).remedy(remedy))
        };
        let Some(mv) = (self.read)(position, text) else { return bad("not a move", self.remedy) };
        if position.is_legal(mv) {
            return Ok(mv);
        }
        if position.outcome().is_some() {
            return bad("the game is over", "take a move back or begin a new game");
        }
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        if moves.iter().any(|&legal| (self.near)(mv, legal)) {
            moves.retain(|legal| (self.near)(mv, *legal));
        }
        let names: Vec<String> = moves.iter().map(|&legal| position.move_text(legal)).collect();
        bad("illegal here", &format!("legal are: {}", names.join(" ")))
    }
}

/// The board drawn for people, with coordinates; `sign` takes a column and a row. For boards of
/// every size.
pub(crate) fn diagram(board: Board, sign: impl Fn(u8, u8) -> char) -> String {
    let mut text = String::new();
    for row in (0..board.rows()).rev() {
        text += &format!("{:>2} ", row + 1);
        for col in 0..board.cols() {
            text.push(' ');
            text.push(sign(col, row));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_have_names() {
        assert_eq!((0..64).map(square_text).filter_map(|name| read_square(&name)).count(), 64);
        assert_eq!(["a1", "h1", "a2", "h8"].map(read_square), [0, 7, 8, 63].map(Some));
        assert_eq!(["", "a", "a0", "a9", "i1", "A1", "a11", "\u{e9}"].map(read_square), [None; 8]);
    }

    #[test]
    fn long_text_is_cut_and_control_characters_are_shown() {
        assert_eq!(shorten("a\tb"), "a\\tb");
        assert_eq!(shorten(&"x".repeat(81)), "x".repeat(80) + "...");
    }
}
