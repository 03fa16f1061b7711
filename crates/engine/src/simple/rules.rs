//! The rules of a game, as a user of the simple layer writes them.

use super::{Move, Moves, Squares};
use crate::game::{Board, Foresight, Outcome, Side};
use std::fmt::Debug;
use std::hash::Hash;

/// A position of a game, and with it the rules. Ten items are required; the rest has defaults, and
/// can be written once the game plays.
///
/// # Contract
/// - An unfinished position has a move, each legal move is listed once, and the order depends on
///   the position alone. A side that must pass has the move [`pass`](Moves::pass).
/// - Games end: by their moves, a [clock](Self::clock) or [repetitions](Self::REPEATS).
/// - After a move the other side is to move.
/// - Positions are equal exactly when their squares, sides to move and [clocks](Self::clock) are.
///
/// [`check_rules`](super::check_rules) checks all this on random games. A game that meets a breach
/// while it is played ends its run with an error.
pub trait Rules: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// The game's name in files and commands: lower-case letters and digits.
    const NAME: &'static str;

    /// The board.
    const BOARD: Board;

    /// The signs of the first side's pieces and of the second side's, one for each kind, such as
    /// `["x", "o"]` or `["MK", "mk"]`. Digits stand for empty squares.
    const SIGNS: [&'static str; 2];

    /// The starting position as text: rows from the top, and the [name](Self::SIDE_NAMES) of the
    /// side to move. Either side may begin.
    const START: &'static str;

    /// The position with these pieces, by which texts and packed positions are read.
    ///
    /// # Errors
    /// With the reason when the game knows no such position.
    fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str>;

    /// The pieces: text, diagrams, keys and packed positions are made from them.
    fn squares(&self) -> Squares;

    /// The side whose move it is.
    fn side_to_move(&self) -> Side;

    /// How the game has ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move of an unfinished position.
    fn moves(&self, list: &mut Moves);

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// Players' names for the sides, a word each. The page of a game draws the first side's pieces
    /// light, unless it is called `black` and the second one `white`.
    const SIDE_NAMES: [&'static str; 2] = Self::SIGNS;

    /// Whether a game can end in a draw.
    const HAS_DRAWS: bool = true;

    /// Whether the game is a draw when a position is met for the third time.
    const REPEATS: bool = false;

    /// Whether captures are the exception among the moves. Where most moves take pieces, as in Othello,
    /// none is a sign of a forced answer, and the search may treat all alike.
    const CAPTURES_ARE_RARE: bool = true;

    /// The number of random plies that open a game by default: enough for thousands of openings,
    /// too few to decide the game.
    const OPENING_PLIES: u32 = 6;

    /// Whether positions have a [clock](Self::clock).
    const HAS_CLOCK: bool = false;

    /// The plies counted toward a rule, such as a draw after fifty of them without a capture.
    fn clock(&self) -> u8 {
        0
    }

    /// Sets the [clock](Self::clock) of a position that has been read; more plies than the rule
    /// takes count as those.
    fn set_clock(&mut self, clock: u8) {
        let _ = clock;
    }

    /// The position after the side to move has passed, where the rules know no pass and giving up
    /// the move would be a loss: the search saves much time where even that keeps a position good.
    /// `None` in games where having to move can be a burden, such as Connect Four.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// What the rules prove about an unfinished position without a search. It must be right, and
    /// cheap.
    fn foresight(&self) -> Foresight {
        Foresight::Unknown
    }

    /// Appends the only moves that do not lose at once where the other side threatens to win with
    /// its next move; nothing where it does not, or where no move helps.
    fn forced_moves(&self, list: &mut Moves) {
        let _ = list;
    }

    /// Whether a legal move captures something. By default it does when the other side has fewer
    /// pieces after it, unless captures are [not rare](Self::CAPTURES_ARE_RARE).
    fn is_capture(&self, mv: Move) -> bool {
        super::hints::captured(self, mv) > 0
    }

    /// A first guess of a legal move's worth, 0 to 15, by which the search orders moves. By default
    /// wins come first, then captures.
    fn move_rank(&self, mv: Move) -> u8 {
        super::hints::rank(self, mv)
    }

    /// Appends the moves that the search follows beyond its depth. By default those that end the
    /// game, and captures unless most moves are captures. Lines of such moves must be short.
    fn noisy_moves(&self, list: &mut Moves) {
        super::hints::noisy(self, list);
    }
}
