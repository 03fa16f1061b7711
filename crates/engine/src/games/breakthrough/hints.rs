//! Knowledge without a search: immediate wins, races to the goal that nothing can stop,
//! moves that must be made.

use super::{Breakthrough, Move, TURN, View, ZOBRIST};
use crate::game::bitboard::more_often;
use crate::game::{Foresight, MoveList, SearchHints, Side, THREAT_PLIES};

impl SearchHints for Breakthrough {
    #[inline]
    fn pass(&self) -> Option<Self> {
        let &Self { pieces, key, geometry, side } = self;
        Some(Self { pieces, key: key ^ ZOBRIST.other(TURN), geometry, side: side.other() })
    }

    #[inline]
    fn foresight(&self) -> Foresight {
        foresight(self.view())
    }

    #[inline]
    fn is_threatened(&self) -> bool {
        let view = self.view().turned();
        runners(view) != 0 || wins_soon(view)
    }

    #[inline]
    fn must_answer(&self) -> bool {
        enemy_runners(self) != 0
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
    fn exchanges(&self) -> impl Fn(Move) -> i32 {
        let (g, [white, black]) = (self.geometry, self.pieces);
        let up = [g.up_left(white), g.up_right(white)];
        let down = [g.down_left(black), g.down_right(black)];
        let (guarded, struck, other) = match self.side {
            Side::First => (up, down, black),
            Side::Second => (down, up, white),
        };
        let lost_straight = more_often(struck, guarded);
        // A piece that moves diagonally has guarded the square itself and does so no longer.
        let lost_diagonally = !more_often(guarded, struck);
        move |mv| {
            let is_straight = (mv.from ^ mv.to) & 7 == 0;
            let lost = if is_straight { lost_straight } else { lost_diagonally };
            (other >> mv.to & 1) as i32 - (lost >> mv.to & 1) as i32
        }
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

/// The proven part of an unfinished position; nothing for a finished one.
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
    if own & before_goal != 0 || takes_last(view) {
        return Foresight::Win(1);
    }
    let threats = other & g.row(1);
    if threats != 0 {
        let diagonal = g.up_left(own) | g.up_right(own);
        let stoppable = threats & (threats - 1) == 0 && threats & diagonal != 0;
        return if stoppable { Foresight::Unknown } else { Foresight::Loss(2) };
    }
    let [own_distance, other_distance] = distances(view);
    if own_distance <= other_distance {
        wins_race(view, other_distance, false)
            .map_or(Foresight::Unknown, |moves| Foresight::Win(2 * moves as u8 - 1))
    } else {
        wins_race(view.turned(), own_distance - 1, true)
            .map_or(Foresight::Unknown, |moves| Foresight::Loss(2 * moves as u8))
    }
}

/// Whether the side to move can take the last piece of the other side, which must have one.
#[inline]
fn takes_last(View { own, other, geometry }: View) -> bool {
    let is_last = other & (other - 1) == 0;
    is_last && other & (geometry.up_left(own) | geometry.up_right(own)) != 0
}

/// The moves that the foremost piece of each side needs to reach its goal, the side to move first.
/// Both must have pieces.
#[inline]
fn distances(View { own, other, geometry }: View) -> [u32; 2] {
    let own_row = (63 - own.leading_zeros()) / 8;
    [u32::from(geometry.rows) - 1 - own_row, other.trailing_zeros() / 8]
}

/// Whether [`foresight`] sees a win within [`THREAT_PLIES`], for a side that has no runner.
#[inline]
fn wins_soon(view: View) -> bool {
    const MOVES: u32 = THREAT_PLIES as u32 / 2 + 1;
    if view.own == 0 || view.other == 0 {
        return false;
    }
    if takes_last(view) {
        return true;
    }
    let [own_distance, other_distance] = distances(view);
    // Pieces of the other side one row before their goal are told of by a distance of 1.
    own_distance <= other_distance
        && own_distance <= MOVES
        && other_distance > 1
        && wins_race(view, other_distance.min(MOVES), false).is_some()
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
    let near_enough = !0 << (8 * (u32::from(g.rows) - 1 - most));
    let (mut runners, mut reach) = (own & near_enough, other);
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
