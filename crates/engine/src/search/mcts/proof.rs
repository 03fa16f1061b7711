//! Proofs of results for positions and moves.

use crate::eval::Score;
use crate::game::{Foresight, Outcome, Side};
use crate::search::score::{DRAWN, MAX_PLY, win_at};

/// The longest win whose length is recorded, in plies.
const LONGEST: u16 = 4 * MAX_PLY as u16;

/// A proven result, from the side to move or from the side that makes the move. Plies count from
/// the position, or from the position before the move. Best play may end the game sooner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Proven {
    /// Nothing is proven.
    #[default]
    None,
    /// A win within this many plies.
    Win(u16),
    /// A loss within this many plies.
    Loss(u16),
    /// A draw.
    Draw,
}

impl Proven {
    /// The result of a finished game.
    pub(super) fn of_outcome(outcome: Outcome, side: Side) -> Self {
        match outcome {
            Outcome::Win(winner) if winner == side => Self::Win(0),
            Outcome::Win(_) => Self::Loss(0),
            Outcome::Draw => Self::Draw,
        }
    }

    /// The result that the rules' foresight proves.
    pub(super) fn of_foresight(foresight: Foresight) -> Self {
        match foresight {
            Foresight::Unknown => Self::None,
            Foresight::Win(plies) => Self::Win(plies.into()),
            Foresight::Loss(plies) => Self::Loss(plies.into()),
        }
    }

    /// The result of a move from the result of the position after it. `turns` tells whether the
    /// side to move changed.
    pub(super) fn before_move(self, turns: bool) -> Self {
        let later = |plies: u16| (plies + 1).min(LONGEST);
        match self {
            Self::Win(plies) if turns => Self::Loss(later(plies)),
            Self::Loss(plies) if turns => Self::Win(later(plies)),
            Self::Win(plies) => Self::Win(later(plies)),
            Self::Loss(plies) => Self::Loss(later(plies)),
            Self::None | Self::Draw => self,
        }
    }

    pub(super) fn is_some(self) -> bool {
        self != Self::None
    }

    pub(super) fn is_loss(self) -> bool {
        matches!(self, Self::Loss(_))
    }

    /// The value of a proven result: 1 for a win, -1 for a loss.
    pub(super) fn value(self) -> Option<f32> {
        match self {
            Self::None => None,
            Self::Win(_) => Some(1.0),
            Self::Loss(_) => Some(-1.0),
            Self::Draw => Some(0.0),
        }
    }

    /// The score of a proven result.
    pub(super) fn score(self) -> Option<Score> {
        match self {
            Self::None => None,
            Self::Win(plies) => Some(win_at(plies.into())),
            Self::Loss(plies) => Some(-win_at(plies.into())),
            Self::Draw => Some(DRAWN),
        }
    }

    /// The result of a position from the results of all its moves: a win by any move, otherwise
    /// `None` until every move has a result.
    pub(super) fn of_moves(moves: impl Iterator<Item = Self>) -> Self {
        let (mut best, mut all) = (Score::MIN, true);
        let mut proof = Self::None;
        for found in moves {
            match found.score() {
                None => all = false,
                Some(score) if score > best => (best, proof) = (score, found),
                Some(_) => {}
            }
        }
        if all || matches!(proof, Self::Win(_)) { proof } else { Self::None }
    }
}

#[cfg(test)]
mod tests {
    use super::Proven::{self, Draw, Loss, None, Win};

    #[test]
    fn one_win_or_every_move_proves_a_position() {
        let of = |moves: &[Proven]| Proven::of_moves(moves.iter().copied());
        assert_eq!(of(&[None, Win(5), Win(3), Loss(2)]), Win(3));
        assert_eq!(of(&[None, Draw, Loss(2)]), None);
        assert_eq!(of(&[Loss(4), Draw, Loss(2)]), Draw);
        assert_eq!(of(&[Loss(4), Loss(6), Loss(2)]), Loss(6), "the longest resistance");
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn a_proof_is_turned_where_the_side_to_move_changes() {
        assert_eq!(Loss(0).before_move(true), Win(1));
        assert_eq!(Win(2).before_move(false), Win(3));
        assert_eq!(Win(u16::MAX - 1).before_move(true).score().map(|score| score < 0), Some(true));
        assert_eq!(Draw.before_move(true), Draw);
    }
}
