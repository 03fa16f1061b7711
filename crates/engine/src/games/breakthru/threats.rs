//! Threats that end a game within a turn, found without a search: open lines of the flagship, and
//! ships that attack it.

use super::squares::{EDGE, STRAIGHT, attacked, reached};
use super::{Breakthru, Move};
use crate::game::{Foresight, Side};
use arrayvec::ArrayVec;

/// The open lines of the flagship to the edge: none while it is not on the board.
#[inline]
fn open_lines(position: &Breakthru) -> ArrayVec<u128, 4> {
    let (flagship, empty) = (position.flagship(), position.empty());
    let mut lines = ArrayVec::new();
    for direction in STRAIGHT {
        let line = direction.line(flagship, empty);
        if line & EDGE != 0 {
            lines.push(line);
        }
    }
    lines
}

/// Whether Gold, if its turn began, would win by it: the flagship has an open line to the edge, or
/// can capture a ship on it.
#[inline]
pub(super) fn gold_wins(position: &Breakthru) -> bool {
    let targets = position.pieces(Side::Second) & EDGE;
    attacked(position.flagship()) & targets != 0 || !open_lines(position).is_empty()
}

/// Whether Silver, if its turn began, could capture the flagship.
#[inline]
pub(super) fn silver_wins(position: &Breakthru) -> bool {
    attacked(position.flagship()) & position.pieces(Side::Second) != 0
}

/// Gold's remedies, at the beginning of its turn, against ships that attack the flagship.
pub(super) struct Rescue {
    /// The squares that the flagship may go to: those that no ship attacks, and the edge, where the
    /// game is won.
    pub(super) refuge: u128,
    /// The one ship that attacks it, which can be captured; 0 where there are several.
    pub(super) attacker: u128,
}

impl Rescue {
    #[inline]
    pub(super) fn of(position: &Breakthru) -> Self {
        let silver = position.pieces(Side::Second);
        let attackers = attacked(position.flagship()) & silver;
        let attacker = if attackers.is_power_of_two() { attackers } else { 0 };
        Self { refuge: !attacked(silver) | EDGE, attacker }
    }

    /// Whether there is any such move.
    #[inline]
    pub(super) fn is_possible(&self, position: &Breakthru) -> bool {
        let (flagship, silver) = (position.flagship(), position.pieces(Side::Second));
        let small = position.small_ships(Side::First);
        attacked(small) & self.attacker != 0
            || attacked(flagship) & silver & self.refuge != 0
            || reached(flagship, position.empty()) & self.refuge != 0
    }
}

/// The squares that Silver must enter with its next ship, since two lines are open to the flagship
/// and two ships can move, or one and one.
#[inline]
pub(super) fn gaps(position: &Breakthru) -> Option<u128> {
    match (position.first, open_lines(position).as_slice()) {
        (Some(_), &[line]) => Some(line),
        (None, &[one, two, ..]) => Some(one | two),
        _ => None,
    }
}

/// What is sure of a position where Silver is to move, by the lines that are open and the ships it
/// has left to move.
#[inline]
pub(super) fn lost_for_silver(position: &Breakthru, first: Option<Move>) -> Foresight {
    let open = open_lines(position);
    let (count, lines) = (open.len(), open.iter().fold(0, |all, line| all | line));
    let moved = first.map_or(0, |first| 1 << first.to());
    let can_enter =
        || reached(position.pieces(Side::Second) & !moved, position.empty()) & lines != 0;
    match (first, count) {
        (_, 0) | (None, 1) => Foresight::Unknown,
        (Some(_), 1) | (None, 2) if can_enter() => Foresight::Unknown,
        (Some(_), _) => Foresight::Loss(2),
        (None, _) => Foresight::Loss(3),
    }
}
