//! Ataxx (Dave Crummack, Craig Galley 1988) on every board of 4 to 8 columns and rows, with any
//! squares blocked.
//!
//! `x` begins, with pieces in the top left and bottom right corners; `o` has the other two corners.
//! A piece clones itself to one of the eight adjacent squares, or jumps to one of the sixteen
//! squares at distance two, over anything in between. The target must be empty. All enemy pieces
//! next to it then change colour. A side that can do neither must pass; otherwise it may not pass.
//!
//! The game ends as soon as a side has no pieces or nobody can move. The side with more pieces
//! wins; equal numbers are a draw. It also ends after 100 plies without a clone, passes included.
//! This is a draw whatever the pieces, unless the same ply ended the game by one of the other
//! rules.

mod features;
mod hints;
mod inputs;
mod moves;
mod pack;
pub mod squares;
mod text;

pub use moves::{Kind, Move};

use crate::error::{Error, Result};
use crate::game::bitboard::{self, MAX_SIDE, each};
use crate::game::{Board, MoveList, Outcome, Position, Side, Zobrist};
use squares::{FAR, NEAR, grown};
use std::sync::LazyLock;

/// The fewest columns and rows. On three, the starting corners are one jump apart.
const MIN_SIDE: u8 = 4;
/// The number of plies without a clone that ends the game.
const CLOCK_LIMIT: u8 = 100;

/// The random numbers of the keys: the pieces of each side and the blocked squares, the plies since
/// the last clone (from 1), and the second side to move.
static ZOBRIST: LazyLock<Zobrist<3, 64, { TURN + 1 }>> = LazyLock::new(Zobrist::new);
/// The index of the set of blocked squares.
const BLOCKED: usize = 2;
/// The index of the number that marks the second side's turn.
const TURN: usize = CLOCK_LIMIT as usize;

/// A position of Ataxx: a bitboard for each side and one of the squares that are not blocked; 40
/// bytes, copied for each move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ataxx {
    pieces: [u64; 2],
    /// The squares of the board that are not blocked.
    open: u64,
    /// The key, excluding the clock.
    key: u64,
    cols: u8,
    rows: u8,
    /// The plies since the last clone.
    clock: u8,
    side: Side,
}

/// The board from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The pieces of the side to move.
    pub own: u64,
    /// The pieces of the other side.
    pub other: u64,
    /// The empty squares that are not blocked.
    pub empty: u64,
}

impl View {
    /// The same board seen by the opponent.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Self {
        Self { own: self.other, other: self.own, ..self }
    }
}

impl Ataxx {
    /// A position from its sets of squares (square = 8 * row + column): the pieces of each side and
    /// the blocked squares, the side to move, and the plies since the last clone.
    ///
    /// # Errors
    /// When the game does not support the board, something is outside it, two things share a
    /// square, or the plies since the last clone exceed the limit.
    pub fn from_squares(
        board: Board,
        pieces: [u64; 2],
        blocked: u64,
        side: Side,
        clock: u8,
    ) -> Result<Self> {
        let (cols, rows) = (board.cols(), board.rows());
        let sides = MIN_SIDE..=MAX_SIDE;
        if !sides.contains(&cols) || !sides.contains(&rows) {
            return Err(no_board(board));
        }
        let refuse = |reason: &str| Err(Error::input("position", reason));
        let [first, second] = pieces;
        let squares = bitboard::board_squares(cols, rows);
        if (first | second | blocked) & !squares != 0 {
            return refuse("something stands outside the board");
        }
        if first & second | (first | second) & blocked != 0 {
            return refuse("two things stand on one square");
        }
        if clock > CLOCK_LIMIT {
            return refuse("more plies have passed without a clone than a game has");
        }
        let mut position =
            Self { pieces, open: squares & !blocked, key: 0, cols, rows, clock, side };
        position.key = position.recomputed_key() ^ clock_key(clock);
        Ok(position)
    }

    /// The pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// The blocked squares.
    pub fn blocked(&self) -> u64 {
        bitboard::board_squares(self.cols, self.rows) & !self.open
    }

    /// The plies since the last clone, 0 to 100.
    pub fn plies_since_clone(&self) -> u8 {
        self.clock
    }

    /// The board from the side to move.
    #[inline]
    pub fn view(&self) -> View {
        View { own: self.own(), other: self.other(), empty: self.empty() }
    }

    #[inline]
    fn own(&self) -> u64 {
        self.pieces[self.side.index()]
    }

    #[inline]
    fn other(&self) -> u64 {
        self.pieces[self.side.other().index()]
    }

    #[inline]
    fn empty(&self) -> u64 {
        self.open & !(self.pieces[0] | self.pieces[1])
    }

    /// Whether neither side can clone or jump.
    #[inline]
    fn is_dead(&self) -> bool {
        grown(grown(self.pieces[0] | self.pieces[1])) & self.empty() == 0
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.pieces[0] == 0 || self.pieces[1] == 0 || self.clock >= CLOCK_LIMIT || self.is_dead()
    }

    /// Whether the side to move can clone or jump.
    #[inline]
    fn can_move(&self) -> bool {
        grown(grown(self.own())) & self.empty() != 0
    }

    /// The side with more pieces.
    fn majority(&self) -> Outcome {
        let [first, second] = self.pieces.map(u64::count_ones);
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }

    /// The sets that a key consists of under a symmetry of the board.
    fn image(&self, flip: bool, mirror: bool, transpose: bool) -> (u64, u64) {
        let blocked = self.blocked();
        let turn = |mut set: u64| {
            set = if flip { bitboard::flip(set, self.rows) } else { set };
            set = if mirror { bitboard::mirror(set, self.cols) } else { set };
            if transpose { bitboard::transpose(set) } else { set }
        };
        (turn(self.pieces[0] | blocked), turn(self.pieces[1] | blocked))
    }
}

/// The part of a key for the plies since the last clone. It is 0 just after a clone, so the key
/// needs no change there.
#[inline]
fn clock_key(plies: u8) -> u64 {
    if plies == 0 { 0 } else { ZOBRIST.other(usize::from(plies.min(CLOCK_LIMIT)) - 1) }
}

fn no_board(board: Board) -> Error {
    Error::input(format!("board `{board}`"), "Ataxx is not played on it")
        .remedy(format!("it takes {MIN_SIDE} to {MAX_SIDE} columns and rows, for example 7x7"))
}

impl Position for Ataxx {
    type Move = Move;
    const GAME: &'static str = "ataxx";
    const HAS_DRAWS: bool = true;

    fn default_board() -> Board {
        Board::new(7, 7)
    }

    fn boards() -> Vec<Board> {
        Board::all(MIN_SIDE..=MAX_SIDE, MIN_SIDE..=MAX_SIDE)
    }

    fn default_opening_plies(board: Board) -> u32 {
        // 350,000 lines even on the smallest board; the balanced half of them is kept.
        u32::from(board.rows().max(5))
    }

    fn start(board: Board) -> Result<Self> {
        let (cols, rows) = (board.cols(), board.rows());
        if !(MIN_SIDE..=MAX_SIDE).contains(&cols) || !(MIN_SIDE..=MAX_SIDE).contains(&rows) {
            return Err(no_board(board));
        }
        let (bottom_right, top_left) = (1 << (cols - 1), 1 << (8 * (rows - 1)));
        let top_right = bottom_right << (8 * (rows - 1));
        Self::from_squares(board, [top_left | bottom_right, 1 | top_right], 0, Side::First, 0)
    }

    fn board(&self) -> Board {
        Board::new(self.cols, self.rows)
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
        let settled = self.pieces[0] == 0 || self.pieces[1] == 0 || self.is_dead();
        Some(if settled { self.majority() } else { Outcome::Draw })
    }

    #[inline]
    fn moves(&self, list: &mut MoveList<Move>) {
        if self.is_over() {
            return;
        }
        let (own, empty) = (self.own(), self.empty());
        for to in each(grown(own) & empty) {
            list.push(Move::clone_to(to));
        }
        for from in each(own) {
            for to in each(FAR[usize::from(from)] & empty) {
                list.push(Move::jump(from, to));
            }
        }
        if list.is_empty() {
            list.push(Move::PASS);
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        let (own, empty) = (self.own(), self.empty());
        if own == 0 || self.other() == 0 || self.clock >= CLOCK_LIMIT {
            return 0;
        }
        let count = (grown(own) & empty).count_ones() + squares::jumps(own, empty);
        if count > 0 { count.into() } else { u64::from(!self.is_dead()) }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.is_over() {
            return false;
        }
        let enters = |from: u64| self.empty() >> mv.to() & 1 == 1 && from != 0;
        match mv.kind() {
            Kind::Clone => enters(self.own() & NEAR[usize::from(mv.to())]),
            Kind::Jump { from } => enters(self.own() & FAR[usize::from(mv.to())] & 1 << from),
            Kind::Pass => !self.can_move(),
        }
    }

    #[inline]
    fn play_unchecked(&self, mv: Move) -> Self {
        let z = &*ZOBRIST;
        let mut next = self.clone();
        let (mover, other) = (self.side, self.side.other());
        next.side = other;
        next.key ^= z.other(TURN);
        next.clock = (self.clock + 1).min(CLOCK_LIMIT);
        match mv.kind() {
            Kind::Pass => return next,
            Kind::Clone => next.clock = 0,
            Kind::Jump { from } => {
                next.pieces[mover.index()] ^= 1 << from;
                next.key ^= z.square(mover.index(), from);
            }
        }
        let to = mv.to();
        let turned = NEAR[usize::from(to)] & next.pieces[other.index()];
        next.pieces[mover.index()] ^= turned | 1 << to;
        next.pieces[other.index()] ^= turned;
        next.key ^= z.square(mover.index(), to);
        each(turned).for_each(|square| next.key ^= z.square(0, square) ^ z.square(1, square));
        next
    }

    /// The key includes the clock, so the table never confuses a position near the draw with one
    /// further from it. A key without the clock would find more positions in the table, but was not
    /// stronger (docs/measurements/archive/2026-11-22-design-choices.md).
    #[inline]
    fn key(&self) -> u64 {
        self.key ^ clock_key(self.clock)
    }

    fn recomputed_key(&self) -> u64 {
        let z = &*ZOBRIST;
        let turn = if self.side == Side::Second { z.other(TURN) } else { 0 };
        let pieces = z.squares(0, self.pieces[0]) ^ z.squares(1, self.pieces[1]);
        pieces ^ z.squares(BLOCKED, self.blocked()) ^ turn ^ clock_key(self.clock)
    }

    /// Two bits for each square, then the clock and the side to move. 8x8 leaves no room for these;
    /// there they are mixed into the other bits.
    fn canonical_key(&self) -> u128 {
        const SPREAD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let square = self.cols == self.rows;
        let images = (0..if square { 8 } else { 4 })
            .map(|symmetry| self.image(symmetry & 1 != 0, symmetry & 2 != 0, symmetry & 4 != 0));
        let (first, second) = images.min().unwrap_or_default();
        let rest = u128::from(self.clock) << 1 | self.side.index() as u128;
        let size = u32::from(self.cols) * u32::from(self.rows);
        if size == u64::BITS {
            return u128::from(first) ^ u128::from(second) << u64::BITS ^ rest.wrapping_mul(SPREAD);
        }
        let [first, second] =
            [first, second].map(|set| bitboard::without_gaps(set, self.cols, self.rows));
        u128::from(first) | u128::from(second) << size | rest << (2 * size)
    }
}
