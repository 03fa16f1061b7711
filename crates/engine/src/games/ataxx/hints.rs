//! Knowledge without a search: moves that gain much, and endings that are decided.

use super::squares::{FAR, NEAR, each, grown, neighbour_counts};
use super::{Ataxx, CLOCK_LIMIT, Kind, Move};
use crate::game::{Foresight, MoveList, Position, SearchHints};

/// No square has more neighbours.
const MOST_NEIGHBOURS: u32 = 8;
/// The search takes a move that turns at least this many pieces for a capture. Nearly every second
/// move turns one or two, which are as quiet as the others: 3 was stronger than 1, and as good as 4
/// (docs/measurements/archive/2026-11-22-design-choices.md).
const CAPTURE: u32 = 3;

impl SearchHints for Ataxx {
    #[inline]
    fn pass(&self) -> Option<Self> {
        self.may_give_up_the_move().then(|| self.play_unchecked(Move::PASS))
    }

    /// The other side cannot be stuck after a pass of a side that can move, and so only wins at
    /// once.
    #[inline]
    fn is_threatened(&self) -> bool {
        let (own, other, empty) = (self.own(), self.other(), self.empty());
        wins_at_once(other, own, empty, grown(grown(other)) & empty) && self.may_give_up_the_move()
    }

    /// - A move beside all the pieces that the enemy has left wins at once, and so may a clone to
    ///   the last empty square.
    /// - A side that cannot move will never move again if the other one only clones, for that
    ///   leaves no square empty that was not. The other side then fills the board, and wins if that
    ///   gives it more pieces.
    #[inline]
    fn foresight(&self) -> Foresight {
        let (own, other, empty) = (self.own(), self.other(), self.empty());
        let own_reach = grown(grown(own)) & empty;
        if wins_at_once(own, other, empty, own_reach) {
            return Foresight::Win(1);
        }
        if own_reach == 0 && self.clock + 1 < CLOCK_LIMIT {
            return fills_board(other, own, empty)
                .map_or(Foresight::Unknown, |moves| Foresight::Loss(2 * moves));
        }
        if own_reach != 0 && grown(grown(other)) & empty == 0 {
            return fills_board(own, other, empty)
                .map_or(Foresight::Unknown, |moves| Foresight::Win(2 * moves - 1));
        }
        Foresight::Unknown
    }

    /// The moves that turn at least four pieces: a clone where that is possible, else all jumps.
    /// Resolving no captures at all, or only captures of five pieces and more, was weaker
    /// (docs/measurements/archive/2026-11-22-design-choices.md).
    ///
    /// Jumps could follow jumps without end on a board that is nearly full, so none is named that
    /// does not follow a clone; clones fill the board and come to an end by themselves. Naming all
    /// jumps was no better, and none at all worse.
    #[inline]
    fn noisy_moves(&self, list: &mut MoveList<Move>) {
        if self.is_over() {
            return;
        }
        let (own, empty) = (self.own(), self.empty());
        let [_, _, fours, eights] = neighbour_counts(self.other());
        let entered = (fours | eights) & empty;
        let clones = grown(own) & entered;
        for to in each(clones) {
            list.push(Move::clone_to(to));
        }
        if self.clock > 0 {
            return;
        }
        for to in each(entered & !clones) {
            for from in each(FAR[usize::from(to)] & own) {
                list.push(Move::jump(from, to));
            }
        }
    }

    /// Whether a move turns too many pieces to be quiet.
    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        turned(self, mv) >= CAPTURE
    }

    /// By how much the difference of pieces grows, up to 15.
    #[inline]
    fn move_rank(&self, mv: Move) -> u8 {
        let gain = 2 * turned(self, mv) + u32::from(mv.kind() == Kind::Clone);
        gain.min(15) as u8
    }

    #[inline]
    fn piece_count(&self) -> u32 {
        self.own().count_ones()
    }
}

impl Ataxx {
    /// Whether a pass would only give up the move: neither is it forced, nor does it end the game.
    #[inline]
    fn may_give_up_the_move(&self) -> bool {
        self.clock + 1 < CLOCK_LIMIT && !self.is_over() && self.can_move()
    }
}

/// Whether a side that can enter the squares of `reach` wins with its next move.
#[inline]
fn wins_at_once(own: u64, other: u64, empty: u64, reach: u64) -> bool {
    takes_all(other, reach) || fills_last(own, other, empty)
}

/// Whether one of the squares that can be entered is beside all enemy pieces.
#[inline]
fn takes_all(other: u64, reach: u64) -> bool {
    let mut beside = reach;
    if other.count_ones() > MOST_NEIGHBOURS {
        return false;
    }
    for piece in each(other) {
        beside &= NEAR[usize::from(piece)];
        if beside == 0 {
            return false;
        }
    }
    beside != 0
}

/// Whether a clone to the only empty square gives more pieces than the enemy then has.
#[inline]
fn fills_last(own: u64, other: u64, empty: u64) -> bool {
    if empty & empty.wrapping_sub(1) != 0 || empty & grown(own) == 0 {
        return false;
    }
    let taken = (grown(empty) & other).count_ones();
    own.count_ones() + 1 + taken > other.count_ones() - taken
}

/// The clones by which a side wins whose enemy cannot move: all that it takes to fill the board, if
/// nothing that can be entered is then left empty, and if that makes more pieces than the enemy
/// has.
fn fills_board(own: u64, other: u64, empty: u64) -> Option<u8> {
    let mut filled = grown(own) & empty;
    loop {
        let more = grown(filled) & empty;
        if more | filled == filled {
            break;
        }
        filled |= more;
    }
    let left = empty & !filled;
    let settled = grown(grown(own | other | filled)) & left == 0;
    let moves = filled.count_ones();
    (moves > 0 && settled && own.count_ones() + moves > other.count_ones()).then_some(moves as u8)
}

/// The enemy pieces that a move turns.
#[inline]
fn turned(position: &Ataxx, mv: Move) -> u32 {
    match mv.kind() {
        Kind::Pass => 0,
        _ => (NEAR[usize::from(mv.to())] & position.other()).count_ones(),
    }
}
