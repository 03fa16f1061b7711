//! Draws by repetition: see [`Position::REPEATS`].

use super::Position;
use std::collections::HashMap;

/// The occurrence of a position that makes the game a draw.
const DRAWN_AT: u8 = 3;

/// The number of times that each position of a game has occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repetitions(HashMap<u64, u8>);

impl Repetitions {
    /// Counts an occurrence of a position; true if it makes the game a draw.
    pub fn meet<P: Position>(&mut self, position: &P) -> bool {
        if !P::REPEATS {
            return false;
        }
        self.meet_key(position.repetition_key())
    }

    /// The same for a position's repetition key.
    pub(crate) fn meet_key(&mut self, key: u64) -> bool {
        let times = self.0.entry(key).or_insert(0);
        *times = times.saturating_add(1);
        *times >= DRAWN_AT
    }

    /// The keys of positions whose next occurrence makes the game a draw.
    pub fn at_the_last(&self) -> impl Iterator<Item = u64> {
        self.0.iter().filter(|&(_, &times)| times + 1 >= DRAWN_AT).map(|(&key, _)| key)
    }

    /// Counts the positions of a line of legal moves except the last, which it returns.
    pub fn follow<P: Position>(&mut self, start: &P, moves: &[P::Move]) -> P {
        let mut position = start.clone();
        for &mv in moves {
            self.meet(&position);
            position = position.play_unchecked(mv);
        }
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::{Breakthrough, Breakthru};

    fn line<P: Notation>(moves: &str) -> (Repetitions, P) {
        let (mut met, mut position) =
            (Repetitions::default(), P::start(P::default_board()).unwrap());
        for mv in moves.split(' ').filter(|mv| !mv.is_empty()) {
            let mv = position.parse_move(mv).unwrap();
            position = met.follow(&position, &[mv]);
        }
        (met, position)
    }

    #[test]
    fn a_position_met_for_the_third_time_is_a_draw() {
        // Both sides move back and forth, each turn with two ships.
        let round = " e8-e9 e4-e3 b4-b3 j4-j3 e9-e8 e3-e4 b3-b4 j3-j4";
        for (rounds, drawn) in [(1, false), (2, true), (3, true)] {
            let (mut met, last) = line::<Breakthru>(&round.repeat(rounds));
            assert_eq!(met.meet(&last), drawn, "{rounds}");
            assert_eq!(last.outcome(), None);
        }
        // The same board with one move of the turn left is a different position.
        let (mut met, last) = line::<Breakthru>(&(round.repeat(2) + " e8-e9"));
        assert!(met.meet(&last), "met in the middle of the first turn and the fifth, and now");
        let (mut met, last) = line::<Breakthru>(&(round.to_owned() + " e8-e9"));
        assert!(!met.meet(&last));
    }

    #[test]
    fn games_that_cannot_repeat_are_not_counted() {
        let (mut met, last) = line::<Breakthrough>("a2a3 a7a6");
        assert!((0..5).all(|_| !met.meet(&last)));
        assert_eq!(met, Repetitions::default());
    }
}
