//! Positions as text: rows from the top with digits for empty squares, the side to move, the clock
//! (0 in games without one), and the move number, which a position does not store. Moves are named
//! by their squares: `d1` is a drop, `a2a3` a step, `0000` a pass.

use super::squares::{MAX_SETS, sign_count, stride};
use super::{Move, Rules, Simple, Squares};
use crate::error::Result;
use crate::game::{FenCounters, FenFormat, Notation};

const PASS: &str = "0000";

impl<R: Rules> Simple<R> {
    /// The signs as separate texts, padded with empty ones.
    const ALL_SIGNS: &'static [&'static str; MAX_SETS] = &{
        let (mut signs, mut set) = ([""; MAX_SETS], 0);
        while set < sign_count::<R>() {
            let kinds = R::SIGNS[0].len();
            let of_side = R::SIGNS[set / kinds];
            signs[set] = of_side.split_at(set % kinds).1.split_at(1).0;
            set += 1;
        }
        signs
    };

    const FORMAT: FenFormat = FenFormat {
        least: (R::BOARD.cols(), R::BOARD.rows()),
        most: (R::BOARD.cols(), R::BOARD.rows()),
        stride: stride(R::BOARD),
        signs: Self::ALL_SIGNS.split_at(sign_count::<R>()).0,
        empty: "",
        sides: [&[R::SIDE_NAMES[0]], &[R::SIDE_NAMES[1]]],
        example: R::START,
    };
}

impl<R: Rules> Notation for Simple<R> {
    const MOVE_HELP: &'static str =
        "write the square of a drop, as d1, the two squares of a step, as a2a3, a pass as 0000";
    const SIDE_NAMES: [&'static str; 2] = R::SIDE_NAMES;
    const PIECE_SIGNS: [&'static str; 2] = R::SIGNS;
    const LOOSE_COUNTERS: usize = if R::HAS_CLOCK { 1 } else { 2 };

    fn fen(&self) -> String {
        let rules = self.rules();
        let (squares, side) = (rules.squares(), rules.side_to_move());
        format!("{} {} 1", Self::FORMAT.text(R::BOARD, squares.sets(), side), rules.clock())
    }

    fn from_fen(text: &str) -> Result<Self> {
        Self::FORMAT.read(text, |_, sets: [u128; MAX_SETS], side, rest| {
            let squares = Squares::of_sets(&sets[..sign_count::<R>()]);
            let plies = FenCounters::read(rest)?.map_or(0, |counters| counters.plies);
            Ok(Self::set_up(&squares, side, plies.try_into().unwrap_or(u8::MAX)))
        })
    }

    fn likeness(text: &str) -> usize {
        Self::FORMAT.likeness(text)
    }

    fn move_text(&self, mv: Move) -> String {
        match mv.from() {
            _ if mv.is_pass() => PASS.into(),
            Some(from) => Self::FORMAT.square_text(from) + &Self::FORMAT.square_text(mv.to()),
            None => Self::FORMAT.square_text(mv.to()),
        }
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        if [PASS, "null", "pass"].contains(&text) {
            return Some(Move::PASS);
        }
        let (first, rest) = Self::FORMAT.read_square(text)?;
        if rest.is_empty() {
            return Some(Move::drop(first));
        }
        let (to, rest) = Self::FORMAT.read_square(rest)?;
        rest.is_empty().then(|| Move::step(first, to))
    }

    /// Similar are moves to the same square, steps from the same square, and drops in the same
    /// column.
    fn is_near(illegal: Move, legal: Move) -> bool {
        if illegal.is_pass() || legal.is_pass() {
            return false;
        }
        let column = |mv: Move| mv.to() % stride(R::BOARD);
        let shares_begin = match (illegal.from(), legal.from()) {
            (None, None) => column(illegal) == column(legal),
            (illegal, legal) => illegal == legal,
        };
        shares_begin || illegal.to() == legal.to()
    }

    fn diagram(&self) -> String {
        Self::FORMAT.diagram(R::BOARD, self.rules().squares().sets())
    }
}
