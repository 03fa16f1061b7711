//! The interface of a game with endgame databases: its positions by material.

use super::{Board, Position};

/// The greatest number of piece kinds that a database distinguishes.
pub const KINDS: usize = 4;

/// Positions with the same material and the same state of the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialClass {
    /// The number of pieces of each kind.
    pub counts: [u8; KINDS],
    /// Everything else that affects the moves, such as the side to move where it matters.
    pub state: u8,
}

impl MaterialClass {
    /// The number of pieces on the board.
    pub fn pieces(self) -> u32 {
        self.counts.into_iter().map(u32::from).sum()
    }
}

/// A position as sets of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Its class, which holds the size of each set.
    pub class: MaterialClass,
    /// The squares of each kind of piece.
    pub sets: [u128; KINDS],
}

impl Placement {
    /// The placement of these sets of squares.
    #[inline]
    pub fn new(sets: [u128; KINDS], state: u8) -> Self {
        let counts = sets.map(|set| set.count_ones() as u8);
        Self { class: MaterialClass { counts, state }, sets }
    }
}

/// A game whose endgames can be solved by retrograde analysis.
///
/// - A move without a capture leads to a class of the same [group](Endgames::groups). A capture
///   leads to a class with fewer pieces, or ends the game.
/// - Positions that are equal under a [symmetry](Endgames::symmetries) have the same value.
/// - Positions with the same placement differ at most in a turn limit
///   ([`turns_left`](Endgames::turns_left)).
pub trait Endgames: Position {
    /// The numbers that bound the material of a database, each described in words.
    const MATERIAL: &'static [&'static str];

    /// The default bounds. A database has the positions within any of them.
    const USUAL: &'static [&'static [u8]];

    /// For a game with a turn limit: the most turns that a solver can handle in milliseconds.
    const SOLVABLE_TURNS: Option<u32> = None;

    /// The classes within bounds, which have one number for each entry of
    /// [`MATERIAL`](Endgames::MATERIAL). Moves without captures stay within a group. The first kind
    /// of piece is on the board in every class.
    fn groups(most: &[u8]) -> Vec<Vec<MaterialClass>>;

    /// The name of a class.
    fn class_name(class: MaterialClass) -> String;

    /// The plies that the side to move has made in its turn, in a position of this class.
    fn plies_made_in(class: MaterialClass) -> u32 {
        let _ = class;
        0
    }

    /// The squares that each kind of piece can occupy in an unfinished position.
    fn zones(board: Board) -> [u128; KINDS];

    /// The images of the squares 0 to 127 under each symmetry of the board. There are at most
    /// eight; the identity comes first.
    fn symmetries(board: Board) -> Vec<[u8; 128]>;

    /// The position as sets of squares.
    fn placement(&self) -> Placement;

    /// The unfinished position of a placement, early enough in the game for any turn limit; `None`
    /// if no game can reach one.
    fn of_placement(board: Board, placement: &Placement) -> Option<Self>;

    /// Visits the placements from which a move without a capture leads here. Some of them may not
    /// be legal positions.
    fn predecessors(&self, visit: &mut dyn FnMut(Placement));

    /// The turns left before the game is drawn, the current turn included.
    fn turns_left(&self) -> Option<u32> {
        None
    }

    /// The same position with this many turns left, in a game with a turn limit.
    #[must_use]
    fn with_turns_left(self, turns: u32) -> Self {
        let _ = turns;
        self
    }
}
