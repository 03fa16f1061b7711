//! What can be seen without a search: games that end at once, and how much a move promises.

use super::squares::{EDGE, STRAIGHT, attacked, distance, each, reached};
use super::{Breakthru, LAST_TURN, Move};
use crate::game::{Foresight, Side};

/// Ranks of moves, at most 15.
const TAKES_FLAGSHIP: u8 = 15;
const TAKES: u8 = 12;
const FLAGSHIP_TAKES: u8 = 11;
/// The flagship's worth in ships: more than the other side has.
const FLAGSHIP_WORTH: i32 = 21;
/// A quiet move that ends beside the flagship; each square further away is worth one less.
const BESIDE_FLAGSHIP: u8 = 7;

/// The open lines of the flagship to the edge: none while it is not on the board.
#[inline]
fn open_lines(position: &Breakthru) -> impl Iterator<Item = u128> {
    let (flagship, empty) = (position.flagship(), position.empty());
    STRAIGHT.into_iter().map(move |direction| direction.line(flagship, empty)).filter(|line| line & EDGE != 0)
}

/// Whether Gold, if its turn began, would win by it: the flagship has an open line to the edge, or can capture a ship on
/// it.
#[inline]
fn gold_wins(position: &Breakthru) -> bool {
    let targets = position.pieces(Side::Second) & EDGE;
    attacked(position.flagship()) & targets != 0 || open_lines(position).next().is_some()
}

/// Whether Silver, if its turn began, could capture the flagship.
#[inline]
fn silver_wins(position: &Breakthru) -> bool {
    attacked(position.flagship()) & position.pieces(Side::Second) != 0
}

/// What is certain about an unfinished position:
///
/// - At the beginning of a turn Gold wins by a flagship that can reach the edge, Silver by a ship that can capture it.
/// - Gold with one ship's move left can do nothing about a ship that attacks the flagship.
/// - Silver cannot close two open lines with one ship's move, nor three with two. A line that none of its ships can enter
///   it cannot close either.
#[inline]
pub(super) fn foresight(position: &Breakthru) -> Foresight {
    match (position.side, position.first) {
        (Side::First, None) if gold_wins(position) => return Foresight::Win(1),
        (Side::Second, None) if silver_wins(position) => return Foresight::Win(1),
        _ => {}
    }
    // The other side needs a turn of its own.
    if position.turn >= LAST_TURN {
        return Foresight::Unknown;
    }
    match (position.side, position.first) {
        (Side::First, Some(_)) if silver_wins(position) => Foresight::Loss(2),
        (Side::Second, first) => lost_for_silver(position, first),
        _ => Foresight::Unknown,
    }
}

#[inline]
fn lost_for_silver(position: &Breakthru, first: Option<Move>) -> Foresight {
    let mut lines = open_lines(position);
    let Some(line) = lines.next() else { return Foresight::Unknown };
    let more = lines.count();
    let Some(first) = first else {
        return if more >= 2 { Foresight::Loss(3) } else { Foresight::Unknown };
    };
    let movers = position.pieces(Side::Second) & !(1 << first.to());
    if more >= 1 || reached(movers, position.empty()) & line == 0 {
        return Foresight::Loss(2);
    }
    Foresight::Unknown
}

/// What a move wins in ships, when the sides take on its target in turn for as long as that is good for them. Ships are
/// worth the same, so the side that takes first keeps its gain exactly when it has more ships around the square than the
/// other one; if it has not, the exchange is even.
#[inline]
pub(super) fn exchange(position: &Breakthru, mv: Move) -> i32 {
    let (target, mover) = (1u128 << mv.to(), 1u128 << mv.from());
    let around = attacked(target);
    let others = (position.pieces(position.side.other()) & around).count_ones();
    let won = match position.is_taken(mv) {
        true if position.flagship() & target != 0 => return FLAGSHIP_WORTH,
        taken => i32::from(taken),
    };
    if others == 0 {
        return won;
    }
    if position.flagship() & mover != 0 {
        return won - FLAGSHIP_WORTH;
    }
    let own = (position.pieces(position.side) & around & !mover).count_ones();
    won - i32::from(others > own)
}

/// A first guess of a move's worth: captures before all else, then what comes near the flagship.
#[inline]
pub(super) fn move_rank(position: &Breakthru, mv: Move) -> u8 {
    let (flagship, target) = (position.flagship(), 1u128 << mv.to());
    let by_flagship = flagship >> mv.from() & 1 == 1;
    if position.is_taken(mv) {
        return match (flagship & target != 0, by_flagship) {
            (true, _) => TAKES_FLAGSHIP,
            (_, true) => FLAGSHIP_TAKES,
            _ => TAKES,
        };
    }
    if by_flagship {
        return BESIDE_FLAGSHIP;
    }
    let away = each(flagship).next().map_or(BESIDE_FLAGSHIP, |square| distance(square, mv.to()));
    (BESIDE_FLAGSHIP + 1).saturating_sub(away).min(BESIDE_FLAGSHIP)
}
