//! The part that a game offers for endgame databases: its positions by material.

use super::{Board, Position};

/// The most kinds of pieces that a database tells apart.
pub const KINDS: usize = 4;

/// Positions with the same material and the same kind of turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MaterialClass {
    /// The pieces of each kind.
    pub counts: [u8; KINDS],
    /// The rest of what decides the moves, such as the side to move where it matters.
    pub state: u8,
}

impl MaterialClass {
    /// The pieces on the board.
    pub fn pieces(self) -> u32 {
        self.counts.into_iter().map(u32::from).sum()
    }
}

/// A position as sets of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Its class, which counts the squares of each set.
    pub class: MaterialClass,
    /// The squares of each kind of piece.
    pub sets: [u128; KINDS],
}

impl Placement {
    /// The placement of these sets.
    #[inline]
    pub fn new(sets: [u128; KINDS], state: u8) -> Self {
        let counts = sets.map(|set| set.count_ones() as u8);
        Self { class: MaterialClass { counts, state }, sets }
    }
}

/// A game whose endgames can be solved by retrograde analysis.
///
/// # Contract
/// - A move that captures nothing leads to a class of the same [group](Endgames::groups); a capture
///   leads to a class with fewer pieces, or ends the game.
/// - Positions that are equal under a [symmetry](Endgames::symmetries) have the same value.
/// - Only a limit of turns ([`turns_left`](Endgames::turns_left)) may tell positions with the same
///   placement apart.
pub trait Endgames: Position {
    /// The numbers that bound the material of a database, in words.
    const MATERIAL: &'static [&'static str];

    /// The bounds by default: a database has the positions within any of them.
    const USUAL: &'static [&'static [u8]];

    /// Where the game has a limit of turns: the most turns that a solver gets through in
    /// milliseconds.
    const SOLVABLE_TURNS: Option<u32> = None;

    /// The classes within bounds, as many numbers as [`MATERIAL`](Endgames::MATERIAL) has, in groups
    /// that moves without captures do not leave. The first kind of piece is on the board in each.
    fn groups(most: &[u8]) -> Vec<Vec<MaterialClass>>;

    /// The name of a class.
    fn class_name(class: MaterialClass) -> String;

    /// The plies that the side to move has made in its turn in a class.
    fn plies_made_in(class: MaterialClass) -> u32 {
        let _ = class;
        0
    }

    /// The squares that each kind of piece can stand on in an unfinished position.
    fn zones(board: Board) -> [u128; KINDS];

    /// The images of the squares 0 to 127 under each symmetry of the board, at most eight, the
    /// identity first.
    fn symmetries(board: Board) -> Vec<[u8; 128]>;

    /// The position as sets of squares.
    fn placement(&self) -> Placement;

    /// The unfinished position of a placement, early enough in the game for every limit of turns;
    /// `None` where no game has one.
    fn of_placement(board: Board, placement: &Placement) -> Option<Self>;

    /// Visits the placements that a move without a capture leads here from. Some of them may be of
    /// no position.
    fn predecessors(&self, visit: &mut dyn FnMut(Placement));

    /// The turns left until the game is a draw, the one under way included.
    fn turns_left(&self) -> Option<u32> {
        None
    }

    /// The same position with this many turns left, where there is such a limit.
    #[must_use]
    fn with_turns_left(self, turns: u32) -> Self {
        let _ = turns;
        self
    }
}
