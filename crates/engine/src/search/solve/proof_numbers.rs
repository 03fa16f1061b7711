//! Proof numbers: how much is left to do until a position is known to be won, and until it is known
//! to be lost.

use crate::game::SearchHints;

/// The number of what cannot be proven.
pub(super) const INFINITE: u32 = (1 << 27) - 1;
/// The worth of each piece more than the other side's in first guesses; chosen by trial on 4x5 to
/// 5x5 Breakthrough.
const PIECE: i64 = 10;
/// The worth of a move of one's own there, each of which a proof of the loss must refute.
const MOVE: i64 = 2;
/// The divisor of all parts but the greatest in a sum: see [`ProofSum`].
const SHARE: u64 = 4;

/// How far a position is from being solved, as one side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// The effort left to prove that this side wins: 0 when that is proven, [`INFINITE`] when it
    /// loses.
    pub(super) win: u32,
    /// The effort left to prove that it does not.
    pub(super) loss: u32,
    /// When solved: the plies that the proof takes at most.
    pub(super) plies: u32,
}

impl ProofNumbers {
    /// A solved position.
    pub(super) fn solved(won: bool, plies: u32) -> Self {
        let (win, loss) = if won { (0, INFINITE) } else { (INFINITE, 0) };
        Self { win, loss, plies }
    }

    /// Numbers of a position that is not solved yet.
    pub(super) fn open(win: u64, loss: u64) -> Self {
        let bound = |number: u64| number.clamp(1, u64::from(INFINITE) - 1) as u32;
        Self { win: bound(win), loss: bound(loss), plies: 0 }
    }

    /// A first guess for a position of which nothing is known, as the side to move sees it: a win
    /// is the nearer the fewer moves the other side has and the more pieces this one has, a loss
    /// the fewer moves there are to refute.
    #[inline]
    pub(super) fn guess<P: SearchHints>(position: &P) -> Self {
        let own = relevant_moves(position) as i64;
        let (other, lead) = match position.pass() {
            Some(passed) => (
                passed.count_moves() as i64,
                i64::from(position.piece_count()) - i64::from(passed.piece_count()),
            ),
            None => (own, 0),
        };
        let bound = |number: i64| number.max(1) as u64;
        Self::open(bound(other - PIECE * lead), bound(MOVE * own + PIECE * lead))
    }

    pub(super) fn is_solved(self) -> bool {
        self.win == 0 || self.loss == 0
    }

    /// The same as the side sees it that moved to this position, whose turn may go on.
    #[inline]
    pub(super) fn seen_by_mover(self, turns: bool) -> Self {
        if turns { Self { win: self.loss, loss: self.win, ..self } } else { self }
    }
}

/// The number of moves that cannot be left out.
#[inline]
fn relevant_moves<P: SearchHints>(position: &P) -> u64 {
    if !position.must_answer() {
        return position.count_moves();
    }
    let mut moves = crate::game::MoveList::new();
    position.relevant_moves(&mut moves);
    moves.len() as u64
}

/// The effort to refute every move of a node: the greatest part and a quarter of the others. All of
/// the others would count again and again what the same moves in another order lead to; none of
/// them (nearly so in weak proof numbers, Ueda et al. 2008) would make no difference between one
/// hard task and many. On small boards of Breakthrough this took a third fewer nodes than either.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProofSum {
    parts: u64,
    greatest: u64,
}

impl ProofSum {
    #[inline]
    pub(super) fn add(&mut self, part: u32) {
        self.parts += u64::from(part);
        self.greatest = self.greatest.max(u64::from(part));
    }

    #[inline]
    pub(super) fn value(self) -> u64 {
        self.greatest + (self.parts - self.greatest) / SHARE
    }

    /// The value of one part from which on the whole reaches `limit`, if that part is the greatest.
    #[inline]
    pub(super) fn limit_of(self, part: u32, limit: u32) -> u32 {
        if limit >= INFINITE {
            return INFINITE;
        }
        let others = (self.parts - u64::from(part)) / SHARE;
        let limit = (u64::from(limit) + 1).saturating_sub(others);
        limit.clamp(u64::from(part) + 1, u64::from(INFINITE)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Notation, Position};
    use crate::games::Breakthrough;

    #[test]
    fn first_guesses_are_open_and_favour_the_side_with_more_pieces() {
        let start = Breakthrough::start(Board::new(5, 5)).unwrap();
        let even = ProofNumbers::guess(&start);
        let ahead = ProofNumbers::guess(
            &Breakthrough::from_fen("1pppp/ppppp/5/PPPPP/PPPPP w - - 0 1").unwrap(),
        );
        assert!(ahead.win < even.win && ahead.loss > even.loss);
        for guess in [even, ahead] {
            assert!(!guess.is_solved() && guess.win < INFINITE && guess.loss < INFINITE);
        }
    }

    #[test]
    fn a_part_below_its_limit_keeps_the_sum_below_the_whole_limit() {
        for parts in [[1, 1, 1], [9, 2, 4], [100, 3, 50]] {
            let mut sum = ProofSum::default();
            parts.into_iter().for_each(|part| sum.add(part));
            let limit = sum.value() as u32 + 7;
            let greatest = sum.limit_of(parts[0], limit);
            let mut grown = ProofSum::default();
            [greatest, parts[1], parts[2]].into_iter().for_each(|part| grown.add(part));
            assert!(grown.value() >= u64::from(limit) && grown.value() <= u64::from(limit) + 1);
        }
    }
}
