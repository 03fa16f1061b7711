//! The rules in the form that searches use, with data kept from move to move.

use super::constants::check_constants;
use super::squares::{MAX_SETS, MAX_SQUARES};
use super::{Move, Moves, Rules, Squares};
use crate::error::{Error, Result};
use crate::game::{Board, MoveList, Notation, Outcome, Position, Side, Zobrist};
use std::sync::LazyLock;

/// The random numbers of the keys: the squares of each sign, the second side to move, each clock.
static ZOBRIST: LazyLock<Zobrist<MAX_SETS, MAX_SQUARES, 257>> = LazyLock::new(Zobrist::new);

/// A position of a game that implements [`Rules`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Simple<R> {
    rules: R,
    key: u64,
    outcome: Option<Outcome>,
}

impl<R: Rules> Simple<R> {
    /// Wraps a position of the game.
    pub fn new(rules: R) -> Self {
        const { check_constants::<R>() };
        Self { key: key(&rules), outcome: rules.outcome(), rules }
    }

    /// The position in the game's own type.
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The position with these pieces, provided that the game reproduces them unchanged.
    pub(super) fn set_up(squares: &Squares, side: Side, clock: u8) -> Result<Self> {
        let refuse = |reason| Err(Error::input("position", reason));
        let mut rules = match R::from_squares(squares, side) {
            Ok(rules) => rules,
            Err(reason) => return refuse(reason),
        };
        if R::HAS_CLOCK {
            rules.set_clock(clock);
        }
        if rules.squares() != *squares || rules.side_to_move() != side {
            return refuse("`from_squares` gives another position");
        }
        Ok(Self::new(rules))
    }
}

/// The key of a position, excluding its clock.
fn timeless_key<R: Rules>(rules: &R) -> u64 {
    let turn = if rules.side_to_move() == Side::Second { ZOBRIST.other(0) } else { 0 };
    let squares = rules.squares();
    let sets = squares.sets().iter().enumerate();
    sets.fold(turn, |key, (set, &squares)| key ^ ZOBRIST.squares(set, squares))
}

fn key<R: Rules>(rules: &R) -> u64 {
    timeless_key(rules) ^ ZOBRIST.other(1 + usize::from(rules.clock()))
}

impl<R: Rules> Position for Simple<R> {
    type Move = Move;
    const GAME: &'static str = R::NAME;
    const HAS_DRAWS: bool = R::HAS_DRAWS;
    const REPEATS: bool = R::REPEATS;

    fn default_board() -> Board {
        R::BOARD
    }

    fn boards() -> Vec<Board> {
        vec![R::BOARD]
    }

    fn default_opening_plies(_: Board) -> u32 {
        R::OPENING_PLIES
    }

    fn start(board: Board) -> Result<Self> {
        if board != R::BOARD {
            let reason = format!("{} is not played on it", R::NAME);
            return Err(Error::input(format!("board `{board}`"), reason)
                .remedy(format!("use {}", R::BOARD)));
        }
        Self::from_fen(R::START)
    }

    fn board(&self) -> Board {
        R::BOARD
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.rules.side_to_move()
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn moves(&self, list: &mut MoveList<Move>) {
        if self.outcome.is_none() {
            self.rules.moves(&mut Moves::of(list));
        }
    }

    #[inline]
    fn play_unchecked(&self, mv: Move) -> Self {
        let mut rules = self.rules.clone();
        rules.play(mv);
        Self::new(rules)
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        key(&self.rules)
    }

    fn repetition_key(&self) -> u64 {
        timeless_key(&self.rules)
    }
}
