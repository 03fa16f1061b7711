//! Breakthru (3M, 1965) on its board of 11 x 11 squares.
//!
//! Gold has a flagship in the middle and twelve escorts around it; Silver has twenty ships around
//! them. A turn is one capture, one move of the flagship, or two moves by two different small
//! ships: any ships except the flagship. Ships move along rows and columns like rooks, any distance
//! over empty squares, and capture one square diagonally, as the flagship does too. Gold wins when
//! the flagship is on the edge of the board, Silver when it captures it. A *ply* is the action of
//! one ship: after the first of two moves the same side is to move.
//!
//! The printed rules leave some questions open. Here:
//!
//! - Gold decides who begins; by default it begins itself. [`Breakthru::begun_by`] and the text of
//!   a position also support the other start.
//! - A side ends its turn after one ship's move if it has no other small ship that can move.
//! - A side without any action at the beginning of its turn has lost, and so has Silver without
//!   ships.
//! - After 200 turns of both sides together the game is a draw, unless the last turn decides it.
//! - The third occurrence of a position is a draw, if the side to move and the moves left in the
//!   turn are the same. This needs the whole game, so positions do not know it: see
//!   [`Position::REPEATS`].
//!
//! The first ship's move of an unfinished turn belongs to the position, including its origin. This
//! lets a search skip turns that repeat the same two moves in the other order.

#[cfg(feature = "endgames")]
mod endgames;
mod features;
mod generate;
mod hints;
mod inputs;
mod moves;
mod pack;
mod rules;
pub mod squares;
mod text;
mod threats;
mod view;

pub use moves::Move;
pub use view::ShipsView;

use crate::error::{Error, Result};
use crate::game::{Notation, Position, Side, Zobrist};
use squares::{BOARD, EDGE, SQUARES, each, image, is_on_way};
use std::sync::LazyLock;

/// The greatest number of turns of both sides together.
const LAST_TURN: u8 = 200;
/// The greatest number of ships of each kind: flagship, escorts, silver ships.
const MOST: [u32; 3] = [1, 12, 20];
/// The plies of an opening: one turn for each side.
const OPENING_PLIES: u32 = 4;

/// The standard layout, as FEN.
const START: &str =
    "11/3sssss3/11/1s2ggg2s1/1s1g3g1s1/1s1g1F1g1s1/1s1g3g1s1/1s2ggg2s1/11/3sssss3/11 gold - 1";

/// The random numbers of the keys: each kind of ship, and the squares that the first ship of a turn
/// leaves and enters; the turns, Silver to move, and half a turn for repetitions.
static ZOBRIST: LazyLock<Zobrist<5, SQUARES, { HALF_TURN + 1 }>> = LazyLock::new(Zobrist::new);
const LEFT: usize = 3;
const ENTERED: usize = 4;
const SILVER: usize = LAST_TURN as usize + 2;
const HALF_TURN: usize = SILVER + 1;

/// The kinds of ships in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Gold's flagship.
    Flagship,
    /// One of Gold's other ships.
    Escort,
    /// One of Silver's ships.
    Ship,
}

impl Piece {
    /// Every kind.
    pub const ALL: [Piece; 3] = [Piece::Flagship, Piece::Escort, Piece::Ship];
}

/// A position of Breakthru: a bitboard for each kind of ship. Gold is always the first side, even
/// if Silver began.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Breakthru {
    /// By [`Piece`].
    pieces: [u128; 3],
    /// The key, excluding the number of the turn.
    key: u64,
    /// The first ship's move of an unfinished turn.
    first: Option<Move>,
    /// The number of the turn, from 1; 201 after the last turn.
    turn: u8,
    side: Side,
}

impl Breakthru {
    /// A position from its sets of squares (square = 11 * row + column), by [`Piece`]; the side to
    /// move; the first ship's move of an unfinished turn; and the number of the turn, from 1.
    ///
    /// # Errors
    /// When there are too many ships, something is outside the board, or two ships share a square;
    /// when no piece could have won; or when the turn is impossible, because its first move was
    /// illegal, decided the game or ended the turn.
    pub fn from_squares(
        pieces: [u128; 3],
        side: Side,
        first: Option<Move>,
        turn: u8,
    ) -> Result<Self> {
        let refuse = |reason: &str| Err(Error::input("position", reason));
        let [flagship, escorts, ships] = pieces;
        if (flagship | escorts | ships) & !BOARD != 0 {
            return refuse("something stands outside the board");
        }
        if flagship & escorts | (flagship | escorts) & ships != 0 {
            return refuse("two ships stand on one square");
        }
        if pieces.iter().zip(MOST).any(|(set, most)| set.count_ones() > most) {
            return refuse(
                "there are more ships than the game has: 1 flagship, 12 escorts, 20 silver ships",
            );
        }
        if flagship == 0 && ships == 0 {
            return refuse("neither the flagship nor a silver ship is on the board");
        }
        if turn == 0 || turn > LAST_TURN + 1 {
            return refuse("the number of the turn is not from 1 to 201");
        }
        let mut position = Self { pieces, key: 0, first, turn, side };
        if first.is_some_and(|first| !position.can_have_begun_with(first)) {
            return refuse("the turn cannot have begun with this move, or is over");
        }
        position.key = position.recomputed_key() ^ position.turn_key();
        Ok(position)
    }

    /// The standard layout with either side to begin.
    pub fn begun_by(side: Side) -> Self {
        Self::from_fen(START)
            .and_then(|start| Self::from_squares(start.pieces, side, None, 1))
            .unwrap_or_else(|_| unreachable!("the usual layout is a position"))
    }

    /// The pieces of a kind.
    #[inline]
    pub fn squares(&self, piece: Piece) -> u128 {
        self.pieces[piece as usize]
    }

    /// The flagship's square as a set; empty once it is captured.
    #[inline]
    pub fn flagship(&self) -> u128 {
        self.squares(Piece::Flagship)
    }

    /// The pieces of a side, Gold being the first side.
    #[inline]
    pub fn pieces(&self, side: Side) -> u128 {
        match side {
            Side::First => self.squares(Piece::Flagship) | self.squares(Piece::Escort),
            Side::Second => self.squares(Piece::Ship),
        }
    }

    /// The pieces of a side except the flagship.
    #[inline]
    pub fn small_ships(&self, side: Side) -> u128 {
        self.squares(if side == Side::First { Piece::Escort } else { Piece::Ship })
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> u128 {
        BOARD & !self.pieces.iter().fold(0, |all, set| all | set)
    }

    /// The first ship's move of an unfinished turn.
    #[inline]
    pub fn first_move(&self) -> Option<Move> {
        self.first
    }

    /// The number of the turn, from 1; 201 after the last one.
    pub fn turn(&self) -> u8 {
        self.turn
    }

    /// Whether an unfinished turn can have begun with this move: a small ship has moved along a
    /// line that is still empty, nothing is decided, and another small ship can move.
    fn can_have_begun_with(&self, first: Move) -> bool {
        let (from, to) = (first.from(), first.to());
        let way = squares::each(BOARD)
            .filter(|&square| is_on_way(square, to, from))
            .fold(0, |way, s| way | 1u128 << s);
        let moved = self.small_ships(self.side) >> to & 1 == 1
            && way & 1 << from != 0
            && way & !self.empty() == 0;
        moved
            && !self.is_decided()
            && self.turn <= LAST_TURN
            && generate::has_second(self, self.side, to)
    }

    /// Whether the ships on the board have decided the game.
    #[inline]
    fn is_decided(&self) -> bool {
        self.flagship() == 0 || self.flagship() & EDGE != 0 || self.squares(Piece::Ship) == 0
    }

    #[inline]
    fn is_over(&self) -> bool {
        // In the middle of a turn another ship can move; otherwise the turn would have ended.
        self.is_decided()
            || self.turn > LAST_TURN
            || self.first.is_none() && !generate::can_act(self)
    }

    /// Whether a legal move is a capture.
    #[inline]
    fn is_taken(&self, mv: Move) -> bool {
        self.pieces(self.side.other()) >> mv.to() & 1 == 1
    }

    /// The kind of the side to move's ship on a square; its small ships if the square has none.
    #[inline]
    fn mover(&self, square: u8) -> Piece {
        match self.side {
            Side::First if self.flagship() >> square & 1 == 1 => Piece::Flagship,
            Side::First => Piece::Escort,
            Side::Second => Piece::Ship,
        }
    }

    /// Adds or removes a ship on a square and updates the key.
    #[inline]
    fn toggle(&mut self, piece: Piece, square: u8) {
        self.pieces[piece as usize] ^= 1 << square;
        self.key ^= ZOBRIST.square(piece as usize, square);
    }

    /// The key of the first ship's move in an unfinished turn; 0 if there is none.
    #[inline]
    fn first_key(&self) -> u64 {
        let key = |mv: Move| ZOBRIST.square(LEFT, mv.from()) ^ ZOBRIST.square(ENTERED, mv.to());
        self.first.map_or(0, key)
    }

    /// The key of the turn's number.
    #[inline]
    fn turn_key(&self) -> u64 {
        ZOBRIST.other(self.turn.into())
    }

    /// Ends the turn and updates the key.
    #[inline]
    fn end_turn(&mut self) {
        self.key ^= ZOBRIST.other(SILVER) ^ self.first_key();
        self.first = None;
        self.side = self.side.other();
        self.turn = (self.turn + 1).min(LAST_TURN + 1);
    }

    /// The sets, and the squares of the first ship's move, under a symmetry.
    fn turned(&self, symmetry: u8) -> ([u128; 3], [u8; 2]) {
        let turn = |set: u128| each(set).fold(0, |all, square| all | 1 << image(square, symmetry));
        let first = self
            .first
            .map_or([0; 2], |mv| [mv.from(), mv.to()].map(|square| image(square, symmetry)));
        (self.pieces.map(turn), first)
    }
}
