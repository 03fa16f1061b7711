//! Proof numbers: the estimated work left to prove that a position is won, and that it is lost.

use crate::game::SearchHints;

/// The proof number of a result that cannot be proven.
pub(super) const INFINITE: u32 = (1 << 27) - 1;
/// The value of each piece of lead in initial estimates; chosen by trial on 4x5 to 5x5
/// Breakthrough.
const PIECE: i64 = 10;
/// The value of each own move in initial estimates: a proof of the loss must refute every move.
const MOVE: i64 = 2;
/// The divisor of all parts except the greatest in a sum: see [`ProofSum`].
const SHARE: u64 = 4;

/// The work left to solve a position, from one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// The work left to prove that this side wins: 0 if proven, [`INFINITE`] if it loses.
    pub(super) win: u32,
    /// The work left to prove that this side does not win.
    pub(super) loss: u32,
    /// For a solved position: the greatest length of the proof, in plies.
    pub(super) plies: u32,
}

impl ProofNumbers {
    /// The numbers of a solved position.
    pub(super) fn solved(won: bool, plies: u32) -> Self {
        let (win, loss) = if won { (0, INFINITE) } else { (INFINITE, 0) };
        Self { win, loss, plies }
    }

    /// The numbers of a position that is not solved yet.
    pub(super) fn open(win: u64, loss: u64) -> Self {
        let bound = |number: u64| number.clamp(1, u64::from(INFINITE) - 1) as u32;
        Self { win: bound(win), loss: bound(loss), plies: 0 }
    }

    /// The initial estimate for an unknown position, from the side to move. A win is easier to
    /// prove with fewer enemy moves and with a lead in pieces. A loss is easier to prove with fewer
    /// moves to refute.
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

    /// The same numbers from the side that made the last move, whose turn may continue.
    #[inline]
    pub(super) fn seen_by_mover(self, turns: bool) -> Self {
        if turns { Self { win: self.loss, loss: self.win, ..self } } else { self }
    }
}

/// The number of moves that must be searched.
#[inline]
fn relevant_moves<P: SearchHints>(position: &P) -> u64 {
    if !position.must_answer() {
        return position.count_moves();
    }
    let mut moves = crate::game::MoveList::new();
    position.relevant_moves(&mut moves);
    moves.len() as u64
}

/// The work to refute every move of a node: the greatest part plus a quarter of the other parts.
/// Adding all parts fully would count transpositions again and again. Ignoring the other parts
/// (nearly as weak proof numbers do, Ueda et al. 2008) would not distinguish one hard task from
/// many. On small boards of Breakthrough this sum took a third fewer nodes than either.
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

    /// The value of one part at which the sum reaches `limit`, if that part is the greatest.
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
