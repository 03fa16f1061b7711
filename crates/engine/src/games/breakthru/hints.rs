//! Search hints: games that end at once, and the ranks of moves.

use super::squares::{attacked, distance, each};
use super::threats::{Rescue, gaps, gold_wins, lost_for_silver, silver_wins};
use super::{Breakthru, LAST_TURN, Move, generate};
use crate::game::{Foresight, MoveList, SearchHints, Side};

/// The ranks of moves, at most 15.
const TAKES_FLAGSHIP: u8 = 15;
const TAKES: u8 = 12;
const FLAGSHIP_TAKES: u8 = 11;
/// The value of the flagship in ships: more than the other side has.
const FLAGSHIP_WORTH: i32 = 21;
/// The rank of a quiet move to a square next to the flagship. Each step away costs one.
const BESIDE_FLAGSHIP: u8 = 7;

impl Breakthru {
    /// The static exchange evaluation of a move, in ships. All ships are worth the same, so
    /// exchanges are decided by counting. The ship that moves is lost exactly if more enemy ships
    /// attack its target than other own ships do; a capture then makes the exchange even.
    #[inline]
    fn exchange(&self, mv: Move) -> i32 {
        let (target, mover) = (1u128 << mv.to(), 1u128 << mv.from());
        let around = attacked(target);
        let others = (self.pieces(self.side.other()) & around).count_ones();
        let won = match self.is_taken(mv) {
            true if self.flagship() & target != 0 => return FLAGSHIP_WORTH,
            taken => i32::from(taken),
        };
        if others == 0 {
            return won;
        }
        if self.flagship() & mover != 0 {
            return won - FLAGSHIP_WORTH;
        }
        let own = (self.pieces(self.side) & around & !mover).count_ones();
        won - i32::from(others > own)
    }
}

impl SearchHints for Breakthru {
    /// Passes at the beginning of a turn, unless that ends the game.
    #[inline]
    fn pass(&self) -> Option<Self> {
        if self.first.is_some() || self.is_over() {
            return None;
        }
        let mut next = self.clone();
        next.end_turn();
        (!next.is_over()).then_some(next)
    }

    /// - At the beginning of its turn Gold wins if the flagship can reach the edge, and Silver wins
    ///   if a ship can capture the flagship.
    /// - In the middle of its turn Gold cannot answer an attack on the flagship. At the beginning
    ///   only the moves of `Rescue` do.
    /// - Silver cannot close two open lines with one ship's move, nor three with two. It cannot
    ///   close lines that none of its ships can enter, and to close two lines the first ship must
    ///   enter one.
    #[inline]
    fn foresight(&self) -> Foresight {
        match (self.side, self.first) {
            (Side::First, None) if gold_wins(self) => return Foresight::Win(1),
            (Side::Second, None) if silver_wins(self) => return Foresight::Win(1),
            _ => {}
        }
        // The opponent needs another turn.
        if self.turn >= LAST_TURN {
            return Foresight::Unknown;
        }
        match (self.side, self.first) {
            (Side::First, Some(_)) if silver_wins(self) => Foresight::Loss(2),
            (Side::First, None) if silver_wins(self) && !Rescue::of(self).is_possible(self) => {
                Foresight::Loss(3)
            }
            (Side::Second, first) => lost_for_silver(self, first),
            _ => Foresight::Unknown,
        }
    }

    /// Whether only a few moves do not lose at once: see `gaps` and `Rescue`. The position must be
    /// undecided.
    #[inline]
    fn must_answer(&self) -> bool {
        self.turn < LAST_TURN
            && match self.side {
                Side::First => self.first.is_none() && silver_wins(self),
                Side::Second => gaps(self).is_some(),
            }
    }

    #[inline]
    fn exchanges(&self) -> impl Fn(Move) -> i32 {
        |mv| self.exchange(mv)
    }

    /// Ranks moves for move ordering: captures first, then moves that approach the flagship.
    #[inline]
    fn move_rank(&self, mv: Move) -> u8 {
        let (flagship, target) = (self.flagship(), 1u128 << mv.to());
        let by_flagship = flagship >> mv.from() & 1 == 1;
        if self.is_taken(mv) {
            return match (flagship & target != 0, by_flagship) {
                (true, _) => TAKES_FLAGSHIP,
                (_, true) => FLAGSHIP_TAKES,
                _ => TAKES,
            };
        }
        if by_flagship {
            return BESIDE_FLAGSHIP;
        }
        let away =
            each(flagship).next().map_or(BESIDE_FLAGSHIP, |square| distance(square, mv.to()));
        (BESIDE_FLAGSHIP + 1).saturating_sub(away).min(BESIDE_FLAGSHIP)
    }

    fn relevant_moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            if self.must_answer() {
                generate::answers(self, list)
            } else {
                generate::moves(self, list)
            }
        }
    }

    #[inline]
    fn distinct_moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            generate::distinct_moves(self, list);
        }
    }

    /// The captures that win something. Even exchanges are frequent and long.
    #[inline]
    fn noisy_moves(&self, list: &mut MoveList<Move>) {
        if !self.is_over() {
            generate::captures(self, list, |mv| self.exchange(mv) > 0);
        }
    }

    #[inline]
    fn is_capture(&self, mv: Move) -> bool {
        self.is_taken(mv)
    }

    #[inline]
    fn piece_count(&self) -> u32 {
        self.pieces(self.side).count_ones()
    }
}
