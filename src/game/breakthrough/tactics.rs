//! What can be seen at a glance: wins in one and three plies, losses in two, moves that must be made.

use super::{Breakthrough, Move, View};
use crate::game::{Foresight, Side};

/// Own pieces one row before the goal: each of them wins on its next move, because a goal square beside it is
/// either empty or holds an enemy piece, and a board has at least two columns.
#[inline]
pub(super) fn runners(view: View) -> u64 {
    view.own & view.geometry.row(view.geometry.rows - 2)
}

/// The pieces of the other side that win on their next move, as squares of the position.
#[inline]
pub(super) fn enemy_runners(position: &Breakthrough) -> u64 {
    let g = position.geometry;
    match position.side {
        Side::First => position.pieces[1] & g.row(1),
        Side::Second => position.pieces[0] & g.row(g.rows - 2),
    }
}

/// What is certain about an unfinished position.
///
/// - A runner wins in one ply, and so does taking the last enemy piece.
/// - Two enemy runners, or one that cannot be taken, lose in two plies.
/// - Without enemy runners, a piece that can step to the row before the goal where nothing can take it wins in
///   three plies: nothing can happen in between.
#[inline]
pub(super) fn foresight(view: View) -> Foresight {
    let View { own, other, geometry: g } = view;
    let before_goal = g.row(g.rows - 2);
    let diagonal = g.up_left(own) | g.up_right(own);
    if own & before_goal != 0 || (other & (other - 1) == 0 && other & diagonal != 0) {
        return Foresight::Win(1);
    }
    let threats = other & g.row(1);
    if threats != 0 {
        let stoppable = threats & (threats - 1) == 0 && threats & diagonal != 0;
        return if stoppable { Foresight::Unknown } else { Foresight::Loss(2) };
    }
    let attacked = g.down_left(other) | g.down_right(other);
    let steps = (diagonal | (g.up(own) & !other)) & before_goal;
    if steps & !attacked != 0 { Foresight::Win(3) } else { Foresight::Unknown }
}

/// A first guess of a move's worth: captures above quiet moves, and among captures the one of the piece that
/// stands nearest to its goal; among quiet moves the farther advanced one.
#[inline]
pub(super) fn move_rank(position: &Breakthrough, mv: Move) -> u8 {
    const CAPTURE: u8 = 8;
    let row = mv.to >> 3;
    let advanced = match position.side {
        Side::First => row,
        Side::Second => position.geometry.rows - 1 - row.min(position.geometry.rows - 1),
    };
    let captures = position.pieces[position.side.other().index()] >> mv.to & 1 == 1;
    if captures { CAPTURE + (7 - advanced.min(7)) } else { advanced.min(7) }
}
