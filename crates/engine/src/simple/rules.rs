//! The rules of a game, as users of the simple layer write them.

use super::{Move, Moves, Squares};
use crate::game::{Board, Foresight, Outcome, Side};
use std::fmt::Debug;
use std::hash::Hash;

/// A position of a game together with its rules. Ten items are required. The rest has defaults, and
/// can be written once the game is playable.
///
/// # Contract
/// - An unfinished position has a move, each legal move is listed once, and the order depends on
///   the position alone. A side that must pass has the move [`pass`](Moves::pass).
/// - Games end: by their moves, a [clock](Self::clock) or [repetitions](Self::REPEATS).
/// - After a move the other side is to move.
/// - Positions are equal exactly if they agree in squares, side to move and [clock](Self::clock).
///
/// [`check_rules`](super::check_rules) checks all this on random games. A breach that is found
/// during play ends the run with an error.
pub trait Rules: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// The game's name in files and commands: lower-case letters and digits.
    const NAME: &'static str;

    /// The board.
    const BOARD: Board;

    /// The signs of the first and of the second side's pieces, one for each kind, such as `["x",
    /// "o"]` or `["MK", "mk"]`. Digits stand for empty squares.
    const SIGNS: [&'static str; 2];

    /// The starting position as text: rows from the top, and the [name](Self::SIDE_NAMES) of the
    /// side to move. Either side may begin.
    const START: &'static str;

    /// Makes the position with these pieces, to read texts and packed positions.
    ///
    /// # Errors
    /// With the reason when the game rejects the position.
    fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str>;

    /// The pieces, from which text, diagrams, keys and packed positions are made.
    fn squares(&self) -> Squares;

    /// The side whose move it is.
    fn side_to_move(&self) -> Side;

    /// The result of the game, or `None` if it is unfinished.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move of an unfinished position.
    fn moves(&self, list: &mut Moves);

    /// Plays a legal move.
    fn play(&mut self, mv: Move);

    /// The players' names for the sides, one word each. Pages draw the first side's pieces light,
    /// unless the sides are called `black` and `white` in this order.
    const SIDE_NAMES: [&'static str; 2] = Self::SIGNS;

    /// Whether a game can end in a draw.
    const HAS_DRAWS: bool = true;

    /// Whether the third occurrence of a position makes the game a draw.
    const REPEATS: bool = false;

    /// Whether captures are rare among the moves. If most moves capture, as in Othello, a capture
    /// is no sign of a forced answer, and the search may treat all moves alike.
    const CAPTURES_ARE_RARE: bool = true;

    /// The default number of random plies in an opening: enough for thousands of openings, too few
    /// to decide the game.
    const OPENING_PLIES: u32 = 6;

    /// Whether positions have a [clock](Self::clock).
    const HAS_CLOCK: bool = false;

    /// The plies counted by a rule, such as a draw after fifty plies without a capture.
    fn clock(&self) -> u8 {
        0
    }

    /// Sets the [clock](Self::clock) of a position that was read from text. Values beyond the
    /// rule's limit count as the limit.
    fn set_clock(&mut self, clock: u8) {
        let _ = clock;
    }

    /// The position after a pass that the rules do not allow, for null-move pruning. It saves the
    /// search much time in games where giving up the move is a loss. `None` in games with zugzwang,
    /// where having to move can be a burden, such as Connect Four.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// The result that the rules prove for an unfinished position without a search. It must be
    /// correct and cheap to compute.
    fn foresight(&self) -> Foresight {
        Foresight::Unknown
    }

    /// Appends the only moves that do not lose at once, if the opponent threatens to win with its
    /// next move. Appends nothing without such a threat, or if no move helps.
    fn forced_moves(&self, list: &mut Moves) {
        let _ = list;
    }

    /// Whether a legal move captures something. By default it does if it leaves the opponent fewer
    /// pieces, unless captures are [not rare](Self::CAPTURES_ARE_RARE).
    fn is_capture(&self, mv: Move) -> bool {
        super::hints::captured(self, mv) > 0
    }

    /// A static rank of a legal move for move ordering, from 0 to 15. By default wins come first,
    /// then captures.
    fn move_rank(&self, mv: Move) -> u8 {
        super::hints::rank(self, mv)
    }

    /// Appends the moves of the quiescence search. By default these are the moves that end the
    /// game, and captures unless most moves are captures. Lines of such moves must be short.
    fn noisy_moves(&self, list: &mut Moves) {
        super::hints::noisy(self, list);
    }
}
