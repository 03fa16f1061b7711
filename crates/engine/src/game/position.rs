//! The rules of a game: sides, outcomes, moves and the [`Position`] trait.

use super::{Board, perft};
use crate::error::Result;
use arrayvec::ArrayVec;
use rand_mt::Mt64;
use std::fmt::Debug;
use std::hash::Hash;

/// One of the two sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that begins in the standard start of the game (White in Breakthrough).
    First,
    /// The side that moves second in the standard start.
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

    /// The values of this side and of the other side, reordered so that the first side's comes
    /// first.
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

/// The result of a finished game. It is absolute: unlike a score it does not depend on the side to
/// move.
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

/// A move in the form that the search's tables use.
pub trait MoveCode: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The size of the history tables, an exclusive bound of [`MoveCode::history_index`].
    const HISTORY_SIZE: usize;

    /// A 16-bit code, never 0; [`MoveCode::from_code`] is its inverse.
    fn code(self) -> u16;

    /// The move of a code. A damaged code may give an illegal move, but always some move: users of
    /// the tables check that it is among the legal ones.
    fn from_code(code: u16) -> Self;

    /// The cell of this move in a history table.
    fn history_index(self) -> usize;

    /// The number of kinds of moves for which the search keeps separate replies; 1 for a single
    /// table.
    const CONTEXTS: usize = 1;

    /// The kind of this move, below [`MoveCode::CONTEXTS`].
    fn context(self) -> usize {
        0
    }
}

/// A position of a game together with its rules: everything that decides which moves are legal and
/// how the game continues.
///
/// # Contract
/// - Two positions are equal exactly if the same moves lead to the same outcomes by the rules.
///   Equal positions have equal [`key`](Position::key)s.
/// - A finished position has no moves; an unfinished one has at least one.
/// - [`moves`](Position::moves) lists each legal move once, in an order that depends on the
///   position alone.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// The game's moves.
    type Move: MoveCode;

    /// The game's name in files and commands: lower-case letters and digits.
    const GAME: &'static str;

    /// Whether a game can end in a draw.
    const HAS_DRAWS: bool;

    /// Whether the third occurrence of a position makes the game a draw. A position does not know
    /// the earlier ones of its game, so [`outcome`](Position::outcome) ignores repetitions. The
    /// caller counts them ([`Repetitions`](super::Repetitions)), and a search looks for them in its
    /// lines.
    const REPEATS: bool = false;

    /// The greatest number of plies in a turn.
    const TURN_PLIES: u32 = 1;

    /// The board that is used when none is named.
    fn default_board() -> Board;

    /// Every board that the game supports.
    fn boards() -> Vec<Board>;

    /// The default number of random plies in an opening.
    fn default_opening_plies(board: Board) -> u32;

    /// The starting position.
    ///
    /// # Errors
    /// When the game does not support the board.
    fn start(board: Board) -> Result<Self>;

    /// A random start of a game that has several; `None` for a game that always begins with
    /// [`start`](Position::start).
    fn random_start(generator: &mut Mt64) -> Option<Self> {
        let _ = generator;
        None
    }

    /// The size of this position's board.
    fn board(&self) -> Board;

    /// The side to move. It may be the same side again after a ply.
    fn side_to_move(&self) -> Side;

    /// The plies that the side to move has already made in this turn: fewer than
    /// [`TURN_PLIES`](Position::TURN_PLIES).
    fn plies_made(&self) -> u32 {
        0
    }

    /// The result of the game, or `None` if it is unfinished.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move; nothing when the game is over.
    fn moves(&self, list: &mut MoveList<Self::Move>);

    /// The number of legal moves, without listing them if that is faster.
    fn count_moves(&self) -> u64 {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.len() as u64
    }

    /// The number of lines of exactly `depth` plies from here, see [`perft()`]. If a game's
    /// published counts ignore some kinds of draws, this count ignores them too.
    fn perft(&self, depth: u32) -> u64 {
        perft(self, depth)
    }

    /// Whether a move is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut list = MoveList::new();
        self.moves(&mut list);
        list.contains(&mv)
    }

    /// The position after a move. The caller knows that it is legal. After an illegal move the
    /// position is arbitrary, and whether this panics depends on the move alone.
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

    /// The Zobrist key, updated with each move.
    fn key(&self) -> u64;

    /// The key computed from scratch: it must equal [`key`](Position::key).
    fn recomputed_key(&self) -> u64;

    /// For games with [`REPEATS`](Position::REPEATS): a key of everything that makes a position a
    /// repetition. It excludes counts of plies or turns that [`key`](Position::key) includes.
    fn repetition_key(&self) -> u64 {
        self.key()
    }

    /// A key shared by symmetric positions: mirror images, and in a game without draws also
    /// positions with the sides exchanged, whose values are from the side to move. All other
    /// positions have different keys, as far as the bits suffice.
    fn canonical_key(&self) -> u128 {
        self.key().into()
    }
}
