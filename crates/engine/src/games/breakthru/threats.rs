//! Threats to end the game within a turn, found without a search: open lines of the flagship, and
//! ships that attack it.

use super::squares::{EDGE, STRAIGHT, attacked, reached};
use super::{Breakthru, Move};
use crate::game::{Foresight, Side};
use arrayvec::ArrayVec;

/// The flagship's open lines to the edge; none while it is not on the board.
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

/// Whether Gold would win with a turn now: the flagship has an open line to the edge, or can
/// capture a ship there.
#[inline]
pub(super) fn gold_wins(position: &Breakthru) -> bool {
    let targets = position.pieces(Side::Second) & EDGE;
    attacked(position.flagship()) & targets != 0 || !open_lines(position).is_empty()
}

/// Whether Silver could capture the flagship with a turn now.
#[inline]
pub(super) fn silver_wins(position: &Breakthru) -> bool {
    attacked(position.flagship()) & position.pieces(Side::Second) != 0
}

/// Gold's defences, at the beginning of its turn, against ships that attack the flagship.
pub(super) struct Rescue {
    /// The safe squares for the flagship: those that no ship attacks, and the edge, where it wins.
    pub(super) refuge: u128,
    /// The only ship that attacks the flagship, which can be captured; 0 if there are several.
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

    /// Whether Gold has any such move.
    #[inline]
    pub(super) fn is_possible(&self, position: &Breakthru) -> bool {
        let (flagship, silver) = (position.flagship(), position.pieces(Side::Second));
        let small = position.small_ships(Side::First);
        attacked(small) & self.attacker != 0
            || attacked(flagship) & silver & self.refuge != 0
            || reached(flagship, position.empty()) & self.refuge != 0
    }
}

/// The squares of which Silver must enter one with its next ship: two lines are open and two ships
/// can still move, or one line is open and one ship can move.
#[inline]
pub(super) fn gaps(position: &Breakthru) -> Option<u128> {
    match (position.first, open_lines(position).as_slice()) {
        (Some(_), &[line]) => Some(line),
        (None, &[one, two, ..]) => Some(one | two),
        _ => None,
    }
}

/// The proven result of a position with Silver to move, from the open lines and the ships that can
/// still move.
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
