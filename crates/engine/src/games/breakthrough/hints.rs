//! Search hints: immediate wins, unstoppable races to the goal, and forced moves.

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

    /// Captures rank above quiet moves. A capture ranks by how near the captured piece is to its
    /// goal, a quiet move by how far it advances.
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

    /// All pieces are worth the same, so the exchange is decided by counting. A piece that has
    /// moved to a square is lost exactly if more enemy pieces attack the square than own pieces
    /// guard it.
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
        // A piece that moves diagonally was itself a guard of the square, and no longer is.
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

/// Own pieces one row before the goal. Each of them wins on its next move: an adjacent goal square
/// is either empty or holds an enemy piece, and a board has at least two columns.
#[inline]
fn runners(view: View) -> u64 {
    view.own & view.geometry.row(view.geometry.rows - 2)
}

/// The opponent's pieces that win on their next move, as squares of the position.
#[inline]
fn enemy_runners(position: &Breakthrough) -> u64 {
    let g = position.geometry;
    match position.side {
        Side::First => position.pieces[1] & g.row(1),
        Side::Second => position.pieces[0] & g.row(g.rows - 2),
    }
}

/// Proves the result of an unfinished position, if that is possible; unknown for a finished one.
///
/// - A runner wins in one ply, and so does capturing the last enemy piece.
/// - Two enemy runners, or one that cannot be captured, lose in two plies.
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

/// Whether the side to move can capture the other side's last piece. It must have a piece.
#[inline]
fn takes_last(View { own, other, geometry }: View) -> bool {
    let is_last = other & (other - 1) == 0;
    is_last && other & (geometry.up_left(own) | geometry.up_right(own)) != 0
}

/// The number of moves that each side's foremost piece needs to reach its goal, the side to move
/// first. Both sides must have pieces.
#[inline]
fn distances(View { own, other, geometry }: View) -> [u32; 2] {
    let own_row = (63 - own.leading_zeros()) / 8;
    [u32::from(geometry.rows) - 1 - own_row, other.trailing_zeros() / 8]
}

/// Whether [`foresight`] finds a win within [`THREAT_PLIES`], for a side without runners.
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
    // An opposing piece one row before its goal shows as a distance of 1.
    own_distance <= other_distance
        && own_distance <= MOVES
        && other_distance > 1
        && wins_race(view, other_distance.min(MOVES), false).is_some()
}

/// The number of moves in which an own piece reaches the goal by force, if at most `most`.
/// `enemy_begins` tells who moves first.
///
/// All pieces advance at once. A piece may enter a square only if no enemy piece could then capture
/// it. It may go straight only if no enemy piece could be in the way. Each enemy piece is assumed
/// to have made all moves so far, and own pieces stay in place as obstacles. A race found this way
/// is certainly won, but not every won race is found.
#[inline]
fn wins_race(view: View, most: u32, enemy_begins: bool) -> Option<u32> {
    let View { own, other, geometry: g } = view;
    let strikes = |pieces: u64| g.down_left(pieces) | g.down_right(pieces);
    // The squares that enemy pieces may have reached.
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
