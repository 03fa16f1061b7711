//! Board sizes, written columns x rows.

use crate::error::{Error, Result};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The size of a board. Each game defines the sizes that it supports.
///
/// ```
/// use sparring_engine::game::Board;
/// let board: Board = "6x8".parse().unwrap();
/// assert_eq!((board.cols(), board.rows()), (6, 8));
/// assert_eq!(board.to_string(), "6x8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Board {
    cols: u8,
    rows: u8,
}

impl Board {
    /// The greatest number of columns or rows in any game.
    pub const MAX_SIDE: u8 = 26;

    /// A board of `cols` columns and `rows` rows.
    ///
    /// # Panics
    /// When a side is 0 or longer than [`Board::MAX_SIDE`].
    pub const fn new(cols: u8, rows: u8) -> Self {
        assert!(cols >= 1 && rows >= 1 && cols <= Self::MAX_SIDE && rows <= Self::MAX_SIDE);
        Self { cols, rows }
    }

    /// All boards within these ranges of columns and rows, largest first.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn all(cols: RangeInclusive<u8>, rows: RangeInclusive<u8>) -> Vec<Self> {
        let of_rows = |rows| cols.clone().rev().map(move |cols| Self::new(cols, rows));
        rows.rev().flat_map(of_rows).collect()
    }

    /// The number of columns.
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// The number of rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.cols, self.rows)
    }
}

impl FromStr for Board {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad = || {
            Error::input(format!("board `{text}`"), "not a board size")
                .remedy("write columns x rows, for example 8x8 or 6x6")
        };
        let (cols, rows) = text.split_once(['x', 'X']).ok_or_else(bad)?;
        let side = |part: &str| match part.parse::<u8>() {
            Ok(n) if (1..=Self::MAX_SIDE).contains(&n) && !part.starts_with('+') => Ok(n),
            _ => Err(bad()),
        };
        Ok(Self { cols: side(cols)?, rows: side(rows)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_sizes_are_refused() {
        for text in ["", "8", "8x", "x8", "0x8", "27x8", "8x8x8", "-1x5", "+5x5", "8×8", "999x8"] {
            assert!(text.parse::<Board>().is_err(), "{text}");
        }
    }
}
