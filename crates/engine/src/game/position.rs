//! The rules of a game: sides, outcomes, moves and the [`Position`] trait.

use super::{Board, perft};
use crate::error::Result;
use arrayvec::ArrayVec;
use rand_mt::Mt64;
use std::fmt::Debug;
use std::hash::Hash;

/// The side that moves first in the game's starting position, or the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that begins (White in Breakthrough).
    First,
    /// The side that answers.
    Second,
}

impl Side {
    /// Both sides, the first one first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent of this side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// What belongs to this side and what belongs to the other, with that of the first side first.
    #[inline]
    pub fn ordered<T>(self, own: T, other: T) -> [T; 2] {
        match self {
            Side::First => [own, other],
            Side::Second => [other, own],
        }
    }

    /// 0 for the first side, 1 for the second: an index into per-side containers.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended. Absolute: it does not depend on the side to move, unlike a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Neither side has won.
    Draw,
}

impl Outcome {
    /// The points of `side` in half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, side: Side) -> u8 {
        match self {
            Outcome::Win(winner) if winner == side => 2,
            Outcome::Win(_) => 0,
            Outcome::Draw => 1,
        }
    }
}

/// The most moves that a position of any game can have.
pub const MAX_MOVES: usize = 512;

/// A list of moves on the stack.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// A move as the search's tables see it.
pub trait MoveCode: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The size of the history tables: [`MoveCode::history_index`] stays below it.
    const HISTORY_SIZE: usize;

    /// A 16-bit code, never 0, that [`MoveCode::from_code`] takes back.
    fn code(self) -> u16;

    /// The move of a code. The move of a damaged code may be illegal, but is still a value: tables
    /// are checked by looking for the move among the legal ones.
    fn from_code(code: u16) -> Self;

    /// The cell of this move in a history table.
    fn history_index(self) -> usize;

    /// The number of kinds of moves for which the search keeps separate answers; 1 for
    /// none.
    const CONTEXTS: usize = 1;

    /// The kind of this move, below [`MoveCode::CONTEXTS`].
    fn context(self) -> usize {
        0
    }
}

/// A position of a game, and with it the rules: everything that decides which moves are legal and
/// how the game continues.
///
/// # Contract
/// - Two positions are equal exactly when the same moves lead from them to the same outcomes by the
///   rules, and equal positions have equal [`key`](Position::key)s.
/// - A finished position has no moves; an unfinished one has at least one.
/// - [`moves`](Position::moves) gives each legal move once, in an order that depends on the
///   position alone.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// The game's moves.
    type Move: MoveCode;

    /// The game's name in files and commands, in lower case.
    const GAME: &'static str;

    /// Whether a game can end in a draw.
    const HAS_DRAWS: bool;

    /// Whether the game is a draw when a position is met for the third time. The positions of a
    /// game before this one are no part of it, so [`outcome`](Position::outcome) does not know of
    /// repetitions: the caller counts them ([`Repetitions`](super::Repetitions)), and a
    /// search looks for them in its lines.
    const REPEATS: bool = false;

    /// The most plies of a turn.
    const TURN_PLIES: u32 = 1;

    /// The board that is used when none is named.
    fn default_board() -> Board;

    /// Every board that the game can be played on.
    fn boards() -> Vec<Board>;

    /// The number of random plies that open a game by default.
    fn default_opening_plies(board: Board) -> u32;

    /// The starting position.
    ///
    /// # Errors
    /// When the game is not played on such a board.
    fn start(board: Board) -> Result<Self>;

    /// One of the starts between which chance decides, for a game that has several; `None` for one
    /// that always begins with [`start`](Position::start).
    fn random_start(generator: &mut Mt64) -> Option<Self> {
        let _ = generator;
        None
    }

    /// The board that this position stands on.
    fn board(&self) -> Board;

    /// The side whose ply it is. It may be the same side after a ply.
    fn side_to_move(&self) -> Side;

    /// The plies that the side to move has made in its turn: fewer than
    /// [`TURN_PLIES`](Position::TURN_PLIES).
    fn plies_made(&self) -> u32 {
        0
    }

    /// How the game has ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move; nothing when the game is over.
    fn moves(&self, list: &mut MoveList<Self::Move>);

    /// The number of legal moves, counted without listing them where that is faster.
    fn count_moves(&self) -> u64 {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.len() as u64
    }

    /// The number of lines of exactly `depth` plies from here, see [`perft()`]. A game whose counts
    /// are published without some ways to draw leaves these out here too.
    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    /// Whether a move is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.contains(&mv)
    }

    /// The position after a move that is known to be legal. An illegal move gives some position or
    /// other, never a panic that depends on more than the move.
    #[must_use]
    fn play_unchecked(&self, mv: Self::Move) -> Self;

    /// The position after a move; `None` when the move is illegal.
    #[must_use]
    fn try_play(&self, mv: Self::Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play_unchecked(mv))
    }

    /// The position after a move.
    ///
    /// # Panics
    /// When the move is illegal.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self {
        assert!(self.is_legal(mv), "illegal move {mv:?} in {self:?}");
        self.play_unchecked(mv)
    }

    /// The Zobrist key, kept up to date move by move.
    fn key(&self) -> u64;

    /// The key computed from nothing but the position: what [`key`](Position::key) must equal.
    fn recomputed_key(&self) -> u64;

    /// Where [`REPEATS`](Position::REPEATS): a key of all that must be the same for a position to
    /// be met again, which is less than [`key`](Position::key) where that counts plies or turns.
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// A key that symmetric positions share: mirror images, and where the game has no draws also
    /// positions with the sides exchanged, since what is said of them is said from the side to
    /// move. All others differ, as far as the bits suffice.
    fn canonical_key(&self) -> u128 {
        self.key().into()
    }
}
