//! Default search hints, derived from the rules.

use super::{Move, Moves, Rules, Simple};
use crate::game::bitboard::ones;
use crate::game::{Foresight, MoveList, Outcome, Position, SearchHints};

/// The greatest rank of a move.
const WIN: u8 = 15;
/// The rank of a move that captures one piece; each further piece adds 1.
const CAPTURE: u8 = 8;

fn after<R: Rules>(rules: &R, mv: Move) -> R {
    let mut next = rules.clone();
    next.play(mv);
    next
}

/// The number of pieces that a move captures; 0 in games where most moves capture.
pub(super) fn captured<R: Rules>(rules: &R, mv: Move) -> i32 {
    if !R::CAPTURES_ARE_RARE {
        return 0;
    }
    let other = rules.side_to_move().other();
    let count = |rules: &R| ones(rules.squares().of_side(other));
    (count(rules) - count(&after(rules, mv))).max(0)
}

/// See [`Rules::move_rank`].
pub(super) fn rank<R: Rules>(rules: &R, mv: Move) -> u8 {
    if after(rules, mv).outcome() == Some(Outcome::Win(rules.side_to_move())) {
        return WIN;
    }
    match captured(rules, mv) {
        0 => 0,
        count => (i32::from(CAPTURE) + count - 1).min(i32::from(WIN) - 1) as u8,
    }
}

/// See [`Rules::noisy_moves`].
pub(super) fn noisy<R: Rules>(rules: &R, list: &mut Moves) {
    let mut legal = MoveList::new();
    rules.moves(&mut Moves::of(&mut legal));
    let captures = legal.iter().filter(|&&mv| rules.is_capture(mv)).count();
    let are_few = 2 * captures <= legal.len();
    for mv in legal {
        if are_few && rules.is_capture(mv) || after(rules, mv).outcome().is_some() {
            list.push(mv);
        }
    }
}

impl<R: Rules> Simple<R> {
    fn forced(&self) -> MoveList<Move> {
        let mut forced = MoveList::new();
        if self.outcome().is_none() {
            self.rules().forced_moves(&mut Moves::of(&mut forced));
        }
        forced
    }
}

impl<R: Rules> SearchHints for Simple<R> {
    fn pass(&self) -> Option<Self> {
        if self.outcome().is_some() {
            return None;
        }
        self.rules().pass().map(Self::new)
    }

    fn foresight(&self) -> Foresight {
        self.rules().foresight()
    }

    fn must_answer(&self) -> bool {
        !self.forced().is_empty()
    }

    fn relevant_moves(&self, list: &mut MoveList<Move>) {
        let forced = self.forced();
        if forced.is_empty() { self.moves(list) } else { list.extend(forced) }
    }

    fn noisy_moves(&self, list: &mut MoveList<Move>) {
        if self.outcome().is_none() {
            self.rules().noisy_moves(&mut Moves::of(list));
        }
    }

    fn is_capture(&self, mv: Move) -> bool {
        self.rules().is_capture(mv)
    }

    fn move_rank(&self, mv: Move) -> u8 {
        self.rules().move_rank(mv).min(WIN)
    }

    fn piece_count(&self) -> u32 {
        self.rules().squares().of_side(self.side_to_move()).count_ones()
    }
}
