//! Hints that a game gives to the search beyond its rules.

use super::{MoveList, Position};

/// The result of a position as far as its rules prove it without any search: see
/// [`SearchHints::foresight`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foresight {
    /// Nothing is proven.
    Unknown,
    /// The side to move wins with best play after at most this many plies.
    Win(u8),
    /// The side to move loses with best play after at most this many plies.
    Loss(u8),
}

/// A win in more plies than this does not count as a threat.
pub const THREAT_PLIES: u8 = 3;

/// A game's hints for the search. They never change legality or results, only how quickly the
/// search finds a result.
pub trait SearchHints: Position {
    /// The position after the side to move has passed, for null-move pruning; `None` if passing
    /// would be unsound or is legal anyway.
    fn pass(&self) -> Option<Self>;

    /// The result that the rules prove for this unfinished position without any search. It must be
    /// correct and cheap to compute.
    fn foresight(&self) -> Foresight {
        Foresight::Unknown
    }

    /// Whether a move is forced, or the rules prove that the opponent would win with its next turn
    /// or the one after if the side to move passed. A game may find this more cheaply than by a
    /// pass and its foresight.
    fn is_threatened(&self) -> bool {
        let wins = |passed: Self| matches!(passed.foresight(), Foresight::Win(..=THREAT_PLIES));
        self.must_answer() || self.pass().is_some_and(wins)
    }

    /// Whether the side to move must answer a threat of an immediate win. Its static value then
    /// means little.
    fn must_answer(&self) -> bool {
        false
    }

    /// Appends the moves that must be searched. If the side to move
    /// [`must_answer`](SearchHints::must_answer), these are the answers that do not lose at once;
    /// otherwise all legal moves.
    fn relevant_moves(&self, list: &mut MoveList<Self::Move>) {
        self.moves(list);
    }

    /// Appends the legal moves except those that only repeat earlier moves of the turn in another
    /// order. If a turn has several moves, every order of the same moves leads to the same
    /// position, and a search that came through the previous position has already seen it. Not for
    /// the root of a search. By default these are all legal moves.
    fn distinct_moves(&self, list: &mut MoveList<Self::Move>) {
        self.moves(list);
    }

    /// Appends the moves of the quiescence search: captures (only the greatest ones if captures
    /// abound) and moves that decide the game.
    fn noisy_moves(&self, list: &mut MoveList<Self::Move>);

    /// Whether a legal move captures something, or if most moves do, whether it captures more than
    /// usual. The search prunes and reduces quiet moves only.
    fn is_capture(&self, mv: Self::Move) -> bool;

    /// A static rank of a move for move ordering, from 0 to 15: higher is better, with captures
    /// well above quiet moves.
    fn move_rank(&self, mv: Self::Move) -> u8;

    /// The static exchange evaluation of legal moves: the material, in pieces, that a move and the
    /// captures on its target square win for the mover, when each side stops capturing as soon as
    /// that is better. 0 for a game without such exchanges. Work that all moves share is done once.
    fn exchanges(&self) -> impl Fn(Self::Move) -> i32 {
        |_| 0
    }

    /// The number of pieces of the side to move, for heuristics that distrust endgames.
    fn piece_count(&self) -> u32;
}
