//! Hints that a game gives the search beyond its rules.

use super::{MoveList, Position};

/// What the rules alone can prove about a position without searching: see
/// [`SearchHints::foresight`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// Nothing is proven.
    Unknown,
    /// The side to move wins, with best play, at the latest after this many plies.
    Win(u8),
    /// The side to move loses, with best play, at the latest after this many plies.
    Loss(u8),
}

/// Wins after more plies than this are no threat yet.
pub const THREAT_PLIES: u8 = 3;

/// Hints of a game for the search. None of them changes what is legal or how a game ends; they
/// decide how soon the search finds out.
pub trait SearchHints: Position {
    /// The position after the side to move has passed, for the null-move heuristic; `None` where a
    /// pass would be unsound or is legal anyway.
    fn pass(&self) -> Option<Self>;

    /// What the rules prove about this unfinished position without any search. It must be right,
    /// and cheap.
    fn foresight(&self) -> Foresight {
        Foresight::Unknown
    }

    /// Whether the other side would win with its next turn or the one after, as far as the rules
    /// prove that, if the side to move passed; or a move is forced. A game may find that out sooner
    /// than by a pass and its foresight.
    fn is_threatened(&self) -> bool {
        let wins = |passed: Self| matches!(passed.foresight(), Foresight::Win(..=THREAT_PLIES));
        self.must_answer() || self.pass().is_some_and(wins)
    }

    /// Whether the side to move must answer a threat to win at once. Its static value then means
    /// little.
    fn must_answer(&self) -> bool {
        false
    }

    /// Appends the moves that cannot be left out: when [`must_answer`](SearchHints::must_answer),
    /// the answers that do not lose at once; otherwise all legal moves.
    fn relevant_moves(&self, list: &mut MoveList<Self::Move>) {
        self.moves(list);
    }

    /// Appends the legal moves but for those that a search has seen in another order, when it has
    /// come here by searching the position before: where a turn is several moves, each order of the
    /// same ones leads to the same position. Not for the position that a search begins with. All
    /// moves where there are no such turns.
    fn distinct_moves(&self, list: &mut MoveList<Self::Move>) {
        self.moves(list);
    }

    /// Appends the moves that a quiescence search looks at: captures, or where they abound the
    /// greatest ones, and what decides games.
    fn noisy_moves(&self, list: &mut MoveList<Self::Move>);

    /// Whether a legal move captures something; where most moves do, whether it captures more than
    /// they. The search leaves out and puts off quiet moves only.
    fn is_capture(&self, mv: Self::Move) -> bool;

    /// A first guess of a move's worth for move ordering: more is better, captures well above quiet
    /// moves. Between 0 and 15.
    fn move_rank(&self, mv: Self::Move) -> u8;

    /// The material that legal moves and the following captures on their targets win for the mover,
    /// in pieces, when each side stops taking as soon as that is better for it (static exchange
    /// evaluation). 0 where the game has no such exchanges. What all moves have in common is found
    /// out once.
    fn exchanges(&self) -> impl Fn(Self::Move) -> i32 {
        |_| 0
    }

    /// The number of pieces of the side to move, for heuristics that distrust endgames.
    fn piece_count(&self) -> u32;
}
