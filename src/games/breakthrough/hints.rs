//! What can be seen without a search: immediate wins, races to the goal that nothing can stop,
//! moves that must be made.

use super::{Breakthrough, Move, TURN, View, ZOBRIST};
use crate::game::{Foresight, MoveList, SearchHints, Side};

impl SearchHints for Breakthrough {
    #[inline]
    fn pass(&self) -> Option<Self> {
        let mut next = self.clone();
        next.side = self.side.other();
        next.key ^= ZOBRIST.other(TURN);
        Some(next)
    }

    #[inline]
    fn foresight(&self) -> Foresight {
        foresight(self.view())
    }

    #[inline]
    fn must_answer(&self) -> bool {
        runners(self.view().turned()) != 0
    }

    #[inline]
    fn relevant_moves(&self, list: &mut MoveList<Move>) {
        let runners = enemy_runners(self);
        self.moves_onto(if runners == 0 { !0 } else { runners }, list);
    }

    #[inline]
    fn noisy_moves(&self, list: &mut MoveList<Move>) {
        self.moves_onto(self.pieces[self.side.other().index()], list);
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        (self.pieces[0] | self.pieces[1]) >> mv.to & 1 == 1
    }

    /// Captures above quiet moves, and among captures the one of the piece that stands nearest to
    /// its goal; among quiet moves the farther advanced one.
    #[inline]
    fn move_rank(&self, mv: Move) -> u8 {
        const CAPTURE: u8 = 8;
        let row = mv.to >> 3;
        let advanced = match self.side {
            Side::First => row,
            Side::Second => self.geometry.rows - 1 - row.min(self.geometry.rows - 1),
        };
        let captures = self.pieces[self.side.other().index()] >> mv.to & 1 == 1;
        if captures { CAPTURE + (7 - advanced.min(7)) } else { advanced.min(7) }
    }

    /// All pieces are worth the same, so whoever has more pieces that strike the square keeps the
    /// last word: the side that moved there loses its piece just when it is struck by more enemy
    /// pieces than own ones guard it.
    #[inline]
    fn exchange(&self, mv: Move) -> i32 {
        let (g, from, to) = (self.geometry, 1u64 << mv.from, 1u64 << mv.to);
        let (own, other) = (self.pieces[self.side.index()], self.pieces[self.side.other().index()]);
        let above = g.up_left(to) | g.up_right(to);
        let below = g.down_left(to) | g.down_right(to);
        let (ahead, behind) = match self.side {
            Side::First => (above, below),
            Side::Second => (below, above),
        };
        let strikers = (other & ahead).count_ones();
        let guards = (own & !from & behind).count_ones();
        i32::from(other & to != 0) - i32::from(strikers > guards)
    }

    #[inline]
    fn piece_count(&self) -> u32 {
        self.pieces[self.side.index()].count_ones()
    }
}

/// Own pieces one row before the goal: each of them wins on its next move, because a goal square
/// beside it is either empty or holds an enemy piece, and a board has at least two columns.
#[inline]
fn runners(view: View) -> u64 {
    view.own & view.geometry.row(view.geometry.rows - 2)
}

/// The pieces of the other side that win on their next move, as squares of the position.
#[inline]
fn enemy_runners(position: &Breakthrough) -> u64 {
    let g = position.geometry;
    match position.side {
        Side::First => position.pieces[1] & g.row(1),
        Side::Second => position.pieces[0] & g.row(g.rows - 2),
    }
}

/// What is certain about an unfinished position; of a finished one nothing is said.
///
/// - A runner wins in one ply, and so does taking the last enemy piece.
/// - Two enemy runners, or one that cannot be taken, lose in two plies.
/// - Otherwise the side whose foremost piece is nearer to its goal may have won the
///   [race](wins_race).
#[inline]
fn foresight(view: View) -> Foresight {
    let View { own, other, geometry: g } = view;
    if own == 0 || other == 0 {
        return Foresight::Unknown;
    }
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
    // Moves that the foremost piece of each side needs.
    let own_distance = (u32::from(g.rows) * 8 - 1 - (63 - own.leading_zeros())) / 8;
    let other_distance = other.trailing_zeros() / 8;
    if own_distance <= other_distance {
        wins_race(view, other_distance, false)
            .map_or(Foresight::Unknown, |moves| Foresight::Win(2 * moves as u8 - 1))
    } else {
        wins_race(view.turned(), own_distance - 1, true)
            .map_or(Foresight::Unknown, |moves| Foresight::Loss(2 * moves as u8))
    }
}

/// The moves that an own piece needs to reach the goal if it can do so in at most `most` of them,
/// whatever the enemy does. `enemy_begins` says who moves first.
///
/// All pieces run at once. A piece may step on a square only if no enemy piece can be there to take
/// it back on the next move, and may go straight only if no enemy piece can have got in the way; of
/// the enemy pieces each is taken to have made all the moves so far. Own pieces stay where they are
/// and block. So what is found is certain, but not all that is certain is found.
#[inline]
fn wins_race(view: View, most: u32, enemy_begins: bool) -> Option<u32> {
    let View { own, other, geometry: g } = view;
    let strikes = |pieces: u64| g.down_left(pieces) | g.down_right(pieces);
    // Where enemy pieces can be by now.
    let (mut runners, mut reach) = (own, other);
    if enemy_begins {
        let struck = strikes(reach);
        runners &= !struck;
        reach |= struck | g.down(reach);
    }
    for moves in 1..=most {
        let diagonal = (g.up_left(runners) | g.up_right(runners)) & !own;
        let steps = diagonal | (g.up(runners) & !(own | reach));
        if steps & g.top != 0 {
            return Some(moves);
        }
        let struck = strikes(reach);
        runners = steps & !struck;
        if runners == 0 {
            return None;
        }
        reach |= struck | g.down(reach);
    }
    None
}
