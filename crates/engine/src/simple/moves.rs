//! Moves named by their squares.

use crate::game::{MAX_MOVES, MoveCode, MoveList};

/// The bits of a square's number.
const SQUARE: u16 = 0x7f;
const STEP: u16 = 0x4000;
const DROP: u16 = 0x8000;
const PASS: u16 = 0xc000;
const KIND: u16 = 0xc000;

/// A move: a drop on a square, a step from one square to another, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// A pass, for games whose rules have passes.
    pub const PASS: Self = Self(PASS);

    /// A drop of a new piece on a square.
    pub const fn drop(square: u8) -> Self {
        Self(DROP | square as u16 & SQUARE)
    }

    /// A step of a piece from one square to another.
    pub const fn step(from: u8, to: u8) -> Self {
        Self(STEP | (from as u16 & SQUARE) << 7 | to as u16 & SQUARE)
    }

    /// Whether it is a pass.
    pub const fn is_pass(self) -> bool {
        self.0 & KIND == PASS
    }

    /// The square that a piece leaves; `None` for drops and passes.
    pub const fn from(self) -> Option<u8> {
        if self.0 & KIND == STEP { Some((self.0 >> 7 & SQUARE) as u8) } else { None }
    }

    /// The square that a piece enters; 0 for a pass.
    pub const fn to(self) -> u8 {
        (self.0 & SQUARE) as u8
    }
}

impl MoveCode for Move {
    const HISTORY_SIZE: usize = 1 << 14;

    fn code(self) -> u16 {
        self.0
    }

    fn from_code(code: u16) -> Self {
        match code & KIND {
            STEP => Self(code),
            PASS => Self::PASS,
            _ => Self::drop((code & SQUARE) as u8),
        }
    }

    /// Drops share history entries with steps from a1: few games have both.
    fn history_index(self) -> usize {
        usize::from(self.0 & !KIND)
    }
}

/// The list that [`Rules::moves`](super::Rules::moves) fills.
#[derive(Debug)]
pub struct Moves<'a> {
    list: &'a mut MoveList<Move>,
}

impl<'a> Moves<'a> {
    pub(super) fn of(list: &'a mut MoveList<Move>) -> Self {
        Self { list }
    }

    /// Adds a move.
    ///
    /// # Panics
    /// When there are more than [`MAX_MOVES`].
    pub fn push(&mut self, mv: Move) {
        let is_added = self.list.try_push(mv).is_ok();
        assert!(is_added, "more than {MAX_MOVES} moves in a position");
    }

    /// Adds a drop of a new piece on a square.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    pub fn drop(&mut self, square: u8) {
        self.push(Move::drop(square));
    }

    /// Adds a pass to the list.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    pub fn pass(&mut self) {
        self.push(Move::PASS);
    }

    /// Adds a step of a piece from one square to another, or any other move named by two squares,
    /// such as a domino covering both.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    pub fn step(&mut self, from: u8, to: u8) {
        self.push(Move::step(from, to));
    }
}
