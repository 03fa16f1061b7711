//! Breakthrough (Dan Troyka, 2000) on every board of 2 to 8 columns and 5 to 8 rows.
//!
//! Each side has two rows of pieces; White begins, at the bottom. A piece moves one square forward
//! to an empty square, straight or diagonally, or captures one square diagonally forward, never
//! straight. A side wins by reaching the far row or by capturing the last enemy piece. There are no
//! draws: a side's foremost piece always has a diagonal move, so the side to move always has a
//! move.

#[cfg(feature = "endgames")]
mod endgames;
mod features;
mod geometry;
mod hints;
mod inputs;
mod pack;
mod text;

pub use geometry::Geometry;

use crate::error::{Error, Result};
use crate::game::bitboard::{MAX_SIDE, each};
use crate::game::{Board, MoveCode, MoveList, Outcome, Position, Side, Zobrist};
use geometry::{MIN_COLS, MIN_ROWS};
use std::sync::LazyLock;

/// The random numbers of the keys: the pieces of each side, and the second side to move.
static ZOBRIST: LazyLock<Zobrist<2, 64, 1>> = LazyLock::new(Zobrist::new);
/// The index of the number that marks the second side's turn.
const TURN: usize = 0;

/// A position of Breakthrough: a bitboard for each side, 40 bytes, copied for each move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Breakthrough {
    pieces: [u64; 2],
    key: u64,
    geometry: &'static Geometry,
    side: Side,
}

/// A move of a piece from one square to another; squares are 8 * row + column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    /// A move between two squares (0 to 63 each; higher bits are cut off).
    pub const fn new(from: u8, to: u8) -> Self {
        Self { from: from & 63, to: to & 63 }
    }

    /// The square it leaves.
    pub const fn from(self) -> u8 {
        self.from
    }

    /// The square it goes to.
    pub const fn to(self) -> u8 {
        self.to
    }
}

impl MoveCode for Move {
    /// A piece has at most three moves.
    const HISTORY_SIZE: usize = 64 * 3;

    #[inline]
    fn code(self) -> u16 {
        u16::from(self.from) << 6 | u16::from(self.to)
    }

    #[inline]
    fn from_code(code: u16) -> Self {
        Self::new((code >> 6) as u8, code as u8)
    }

    /// Replies are stored by the target square of the move that they answer.
    const CONTEXTS: usize = 64;

    #[inline]
    fn context(self) -> usize {
        self.to.into()
    }

    #[inline]
    fn history_index(self) -> usize {
        let sideways = (self.to & 7) + 1 - (self.from & 7).min((self.to & 7) + 1);
        usize::from(self.from) * 3 + usize::from(sideways.min(2))
    }
}

/// The board from the side to move, whose pieces move up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The pieces of the side to move.
    pub own: u64,
    /// The pieces of the other side.
    pub other: u64,
    /// The board.
    pub geometry: &'static Geometry,
}

impl View {
    /// The same board seen by the opponent.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Self {
        let g = self.geometry;
        Self { own: g.flip(self.other), other: g.flip(self.own), geometry: g }
    }
}

impl Breakthrough {
    /// A position from its bitboards.
    ///
    /// # Errors
    /// When the game does not support the board, pieces are outside it or share a square, nobody
    /// has a piece, or both sides have reached their goals.
    pub fn from_pieces(board: Board, white: u64, black: u64, side: Side) -> Result<Self> {
        let geometry = Geometry::get(board.cols(), board.rows()).ok_or_else(|| no_board(board))?;
        let refuse = |reason: &str| Err(Error::input("position", reason));
        if (white | black) & !geometry.mask != 0 {
            return refuse("a piece stands outside the board");
        }
        if white & black != 0 {
            return refuse("two pieces stand on one square");
        }
        if white | black == 0 {
            return refuse("the board is empty")
                .map_err(|e: Error| e.remedy("put at least one piece on it"));
        }
        if white & geometry.top != 0 && black & geometry.bottom != 0 {
            return refuse("both sides have reached the far row")
                .map_err(|e: Error| e.remedy("a game ends when the first of them does"));
        }
        let mut position = Self { pieces: [white, black], key: 0, geometry, side };
        position.key = position.recomputed_key();
        Ok(position)
    }

    /// The pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// The masks of the board.
    #[inline]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The board from the side to move.
    #[inline]
    pub fn view(&self) -> View {
        let g = self.geometry;
        match self.side {
            Side::First => View { own: self.pieces[0], other: self.pieces[1], geometry: g },
            Side::Second => {
                View { own: g.flip(self.pieces[1]), other: g.flip(self.pieces[0]), geometry: g }
            }
        }
    }

    /// The move targets of the side to move: one file to the left, straight, and one file to the
    /// right.
    #[inline]
    fn targets(&self) -> [u64; 3] {
        let (own, g) = (self.pieces[self.side.index()], self.geometry);
        let empty = !(self.pieces[0] | self.pieces[1]);
        match self.side {
            Side::First => [g.up_left(own) & !own, g.up(own) & empty, g.up_right(own) & !own],
            Side::Second => {
                [g.down_left(own) & !own, g.down(own) & empty, g.down_right(own) & !own]
            }
        }
    }

    /// Lists the moves to squares of `allowed`.
    #[inline]
    fn moves_onto(&self, allowed: u64, list: &mut MoveList<Move>) {
        let backward: [i8; 3] = match self.side {
            Side::First => [-7, -8, -9],
            Side::Second => [9, 8, 7],
        };
        for (targets, step) in self.targets().into_iter().zip(backward) {
            for to in each(targets & allowed) {
                list.push(Move { from: to.wrapping_add_signed(step), to });
            }
        }
    }

    fn is_over(&self) -> bool {
        let [white, black] = self.pieces;
        (white & self.geometry.top) | (black & self.geometry.bottom) != 0
            || white == 0
            || black == 0
    }
}

fn no_board(board: Board) -> Error {
    Error::input(format!("board `{board}`"), "Breakthrough is not played on it").remedy(format!(
        "it takes {MIN_COLS} to {MAX_SIDE} columns and {MIN_ROWS} to {MAX_SIDE} rows, for example 8x8"
    ))
}

impl Position for Breakthrough {
    type Move = Move;
    const GAME: &'static str = "breakthrough";
    const HAS_DRAWS: bool = false;

    fn default_board() -> Board {
        Board::new(8, 8)
    }

    fn boards() -> Vec<Board> {
        Board::all(MIN_COLS..=MAX_SIDE, MIN_ROWS..=MAX_SIDE)
    }

    fn default_opening_plies(board: Board) -> u32 {
        // About a ninth of a game: enough for variety, too few to decide it.
        u32::from(board.rows())
    }

    fn start(board: Board) -> Result<Self> {
        let g = Geometry::get(board.cols(), board.rows()).ok_or_else(|| no_board(board))?;
        let white = g.row(0) | g.row(1);
        Self::from_pieces(board, white, g.flip(white), Side::First)
    }

    fn board(&self) -> Board {
        Board::new(self.geometry.cols, self.geometry.rows)
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if !self.is_over() {
            return None;
        }
        let [white, black] = self.pieces;
        let white_won = white & self.geometry.top != 0 || black == 0;
        Some(Outcome::Win(if white_won { Side::First } else { Side::Second }))
    }

    #[inline]
    fn moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            self.moves_onto(!0, list);
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        if self.is_over() {
            return 0;
        }
        self.targets().into_iter().map(|targets| u64::from(targets.count_ones())).sum()
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        let (g, from, to) = (self.geometry, 1u64 << mv.from, 1u64 << mv.to);
        let own = self.pieces[self.side.index()];
        let empty = !(self.pieces[0] | self.pieces[1]);
        let (diagonal, straight) = match self.side {
            Side::First => (g.up_left(from) | g.up_right(from), g.up(from)),
            Side::Second => (g.down_left(from) | g.down_right(from), g.down(from)),
        };
        from & own != 0 && to & (diagonal & !own | straight & empty) != 0 && !self.is_over()
    }

    #[inline]
    fn play_unchecked(&self, mv: Move) -> Self {
        let (from, to) = (1u64 << mv.from, 1u64 << mv.to);
        let (mover, other) = (self.side, self.side.other());
        let z = &*ZOBRIST;
        let moved = self.pieces[mover.index()] ^ (from | to);
        let others = self.pieces[other.index()];
        let mut key = self.key
            ^ z.other(TURN)
            ^ z.square(mover.index(), mv.from)
            ^ z.square(mover.index(), mv.to);
        if others & to != 0 {
            key ^= z.square(other.index(), mv.to);
        }
        // Built from its fields. A copy would have to wait until this position's fields, just
        // written one by one, are in memory.
        Self {
            pieces: mover.ordered(moved, others & !to),
            key,
            geometry: self.geometry,
            side: other,
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        let turn = if self.side == Side::Second { ZOBRIST.other(TURN) } else { 0 };
        ZOBRIST.squares(0, self.pieces[0]) ^ ZOBRIST.squares(1, self.pieces[1]) ^ turn
    }

    #[inline]
    fn canonical_key(&self) -> u128 {
        let View { own, other, geometry: g } = self.view();
        let (own, other) = (own, other).min((g.mirror(own), g.mirror(other)));
        // Up to 32 squares this fits into 64 bits, and on every board it is unique.
        u128::from(g.pack(own)) | u128::from(g.pack(other)) << (g.cols * g.rows)
    }
}
