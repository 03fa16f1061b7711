//! Search hints: moves that gain much, and endings that are decided.

use super::squares::{FAR, NEAR, each, grown, neighbour_counts};
use super::{Ataxx, CLOCK_LIMIT, Kind, Move};
use crate::game::{Foresight, MoveList, Position, SearchHints};

/// The greatest number of neighbours of a square.
const MOST_NEIGHBOURS: u32 = 8;
/// The search treats a move that turns at least this many pieces as a capture. Nearly every second
/// move turns one or two, and these are as quiet as the others. 3 was stronger than 1, and as good
/// as 4 (docs/measurements/archive/2026-11-22-design-choices.md).
const CAPTURE: u32 = 3;

impl SearchHints for Ataxx {
    #[inline]
    fn pass(&self) -> Option<Self> {
        self.may_give_up_the_move().then(|| self.play_unchecked(Move::PASS))
    }

    /// If a side that can move passes, its opponent cannot be stuck, so it can only win at once.
    #[inline]
    fn is_threatened(&self) -> bool {
        let (own, other, empty) = (self.own(), self.other(), self.empty());
        wins_at_once(other, own, empty, grown(grown(other)) & empty) && self.may_give_up_the_move()
    }

    /// - A move next to all remaining enemy pieces wins at once, and so may a clone to the last
    ///   empty square.
    /// - A side that cannot move never moves again if its opponent only clones, since that opens no
    ///   square. The opponent then fills the board, and wins if it ends up with more pieces.
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

    /// The moves that turn at least four pieces: a clone if it can enter the square, else all jumps
    /// to it. Resolving no captures at all, or only captures of at least five pieces, was weaker
    /// (docs/measurements/archive/2026-11-22-design-choices.md).
    ///
    /// Jumps could follow jumps without end on a nearly full board, so jumps are listed only
    /// directly after a clone. Clones fill the board and end by themselves. Listing all jumps was
    /// no better, and listing none was worse.
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

    /// Whether a move turns enough pieces to count as a capture.
    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        turned(self, mv) >= CAPTURE
    }

    /// The growth of the difference in pieces, at most 15.
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
    /// Whether the side to move has moves, and a pass would not end the game.
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

/// Whether an enterable square is next to all enemy pieces.
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

/// Whether a clone to the only empty square makes the side's pieces the majority.
#[inline]
fn fills_last(own: u64, other: u64, empty: u64) -> bool {
    if empty & empty.wrapping_sub(1) != 0 || empty & grown(own) == 0 {
        return false;
    }
    let taken = (grown(empty) & other).count_ones();
    own.count_ones() + 1 + taken > other.count_ones() - taken
}

/// The number of clones by which a side wins against a stuck enemy: clones to every square that
/// they can reach. `None` if a remaining empty square could still be entered, or if the enemy then
/// has at least as many pieces.
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

/// The number of enemy pieces that a move turns.
#[inline]
fn turned(position: &Ataxx, mv: Move) -> u32 {
    match mv.kind() {
        Kind::Pass => 0,
        _ => (NEAR[usize::from(mv.to())] & position.other()).count_ones(),
    }
}
