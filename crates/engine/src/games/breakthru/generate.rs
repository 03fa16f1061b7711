//! Move generation for Breakthru.

use super::squares::{BOARD, DIAGONAL, STRAIGHT, attacked, beside, count_moves, each, is_on_way};
use super::threats::{Rescue, gaps};
use super::{Breakthru, Move};
use crate::game::{MoveList, SearchHints, Side};
use std::cmp::Reverse;

/// The movable pieces of a position and their targets.
struct Fleet {
    /// The pieces that may move. In the middle of a turn these are the small ships except the one
    /// that has moved.
    movers: u128,
    /// The pieces that may capture; none in the middle of a turn.
    hunters: u128,
    enemy: u128,
    empty: u128,
}

impl Fleet {
    #[inline]
    fn new(position: &Breakthru) -> Self {
        let side = position.side;
        let (enemy, empty) = (position.pieces(side.other()), position.empty());
        match position.first {
            Some(first) => {
                let movers = position.small_ships(side) & !(1 << first.to());
                Self { movers, hunters: 0, enemy, empty }
            }
            None => {
                let own = position.pieces(side);
                Self { movers: own, hunters: own, enemy, empty }
            }
        }
    }
}

/// Whether the side to move has any action.
#[inline]
pub(super) fn can_act(position: &Breakthru) -> bool {
    let Fleet { movers, hunters, enemy, empty } = Fleet::new(position);
    beside(movers) & empty != 0 || attacked(hunters) & enemy != 0
}

/// Whether a side has a small ship that can move, except the one on `moved`.
#[inline]
pub(super) fn has_second(position: &Breakthru, side: Side, moved: u8) -> bool {
    beside(position.small_ships(side) & !(1 << moved)) & position.empty() != 0
}

/// Appends the moves to these squares that `wanted` accepts.
#[inline(always)]
fn push_wanted(
    list: &mut MoveList<Move>,
    squares: u128,
    move_to: impl Fn(u8) -> Move,
    wanted: impl Fn(Move) -> bool,
) {
    for to in each(squares) {
        let mv = move_to(to);
        if wanted(mv) {
            list.push(mv);
        }
    }
}

/// Appends the captures that `wanted` accepts.
#[inline]
pub(super) fn captures(
    position: &Breakthru,
    list: &mut MoveList<Move>,
    wanted: impl Fn(Move) -> bool,
) {
    let fleet = Fleet::new(position);
    for direction in DIAGONAL {
        let targets = direction.step(fleet.hunters) & fleet.enemy;
        push_wanted(list, targets, |to| Move::new(direction.origin(to, 1), to), &wanted);
    }
}

/// Appends the moves along rows and columns that `wanted` accepts.
#[inline]
fn quiet(position: &Breakthru, list: &mut MoveList<Move>, wanted: impl Fn(Move) -> bool) {
    let fleet = Fleet::new(position);
    for direction in STRAIGHT {
        let mut reached = direction.step(fleet.movers) & fleet.empty;
        let mut steps = 1;
        while reached != 0 {
            push_wanted(list, reached, |to| Move::new(direction.origin(to, steps), to), &wanted);
            reached = direction.step(reached) & fleet.empty;
            steps += 1;
        }
    }
}

/// Appends every action of an unfinished position.
#[inline]
pub(super) fn moves(position: &Breakthru, list: &mut MoveList<Move>) {
    captures(position, list, |_| true);
    quiet(position, list, |_| true);
}

/// The number of actions of an unfinished position.
#[inline]
pub(super) fn count(position: &Breakthru) -> u64 {
    let Fleet { movers, hunters, enemy, empty } = Fleet::new(position);
    let captures = DIAGONAL.map(|direction| (direction.step(hunters) & enemy).count_ones());
    u64::from(count_moves(movers, empty) + captures.iter().sum::<u32>())
}

/// Appends every action, except second moves of a turn whose two moves commute and are listed in
/// the other order. The move of greater rank comes first, since a search looks at it more closely.
/// At least one action is listed.
#[inline]
pub(super) fn distinct_moves(position: &Breakthru, list: &mut MoveList<Move>) {
    let Some(first) = position.first else { return moves(position, list) };
    let before = list.len();
    let place = |mv| (Reverse(position.move_rank(mv)), mv);
    quiet(position, list, |second| place(second) > place(first) || !commute(first, second));
    if list.len() == before {
        moves(position, list);
    }
}

/// Appends the moves that do not lose at once, for a side that must answer.
pub(super) fn answers(position: &Breakthru, list: &mut MoveList<Move>) {
    let on = |set: u128, square: u8| set >> square & 1 == 1;
    if position.side == Side::Second {
        let gaps = gaps(position).unwrap_or(BOARD);
        return quiet(position, list, |mv| on(gaps, mv.to()));
    }
    let Rescue { refuge, attacker } = Rescue::of(position);
    let flees = |mv: Move| on(position.flagship(), mv.from()) && on(refuge, mv.to());
    captures(position, list, |mv| {
        flees(mv) || !on(position.flagship(), mv.from()) && on(attacker, mv.to())
    });
    quiet(position, list, flees);
}

/// Whether the two moves of a turn could have been made in the opposite order: neither the first
/// move's origin nor the second move's target is in the way of the other move. Everything else is
/// known to be clear, since both moves were legal in their actual order.
#[inline]
fn commute(first: Move, second: Move) -> bool {
    !is_on_way(first.from(), second.from(), second.to())
        && !is_on_way(second.to(), first.from(), first.to())
}

/// Whether an action of an unfinished position is legal.
pub(super) fn is_legal(position: &Breakthru, mv: Move) -> bool {
    let Fleet { movers, hunters, enemy, empty } = Fleet::new(position);
    let (from, to) = (1u128 << mv.from(), 1u128 << mv.to());
    if mv.is_diagonal_step() {
        return hunters & from != 0 && enemy & to != 0;
    }
    let reaches = || STRAIGHT.into_iter().any(|direction| direction.line(from, empty) & to != 0);
    movers & from != 0 && empty & to != 0 && reaches()
}
