//! Features of a position, and the evaluator: the score is the sum of weight x feature, divided by
//! the set's scale.
//!
//! A game defines each of its features once, in a table of [`Feature`]s: name, words, formula and
//! the code that counts it. FEATURES.md, the help texts, the checks of weight files, the
//! explanations and the search's [`LinearEvaluator`] are all derived from this table.

pub(crate) mod check;
pub mod features;
mod guide;
mod linear;
mod network;
mod pattern_table;
pub(crate) mod phase;
pub mod pieces;
mod unit;
mod windows;

pub use check::check_game;
pub use features::{Explanation, Feature, explain};
pub use guide::{Guide, ScoreUnits};
pub use linear::LinearEvaluator;
pub use network::{Accumulators, NetworkInputs, NetworkView, Replaced, WindowReader};
pub use pattern_table::{BoardView, Cells, PatternTable, SubPattern};
pub use phase::GamePhase;
pub use windows::Windows;

use crate::error::Result;
use crate::game::{Notation, Packing, Position, SearchHints, Side};
use crate::weights::WeightSet;

/// A score from the side to move, in units of the weight set, except for wins and losses.
pub type Score = i32;

/// The static evaluation of positions.
pub trait Evaluator<P: Game>: Clone + Send + Sync + 'static {
    /// Prepares a weight set for search.
    ///
    /// # Errors
    /// When the set does not fit the game's features.
    fn new(weights: &WeightSet) -> Result<Self>;

    /// The static value of an unfinished position from the side to move: exactly the sum of weight
    /// x feature, divided by the scale and rounded toward zero.
    fn evaluate(&self, position: &P) -> Score;

    /// Begins a search of at most `plies` plies, which evaluates with
    /// [`evaluate_near`](Self::evaluate_near).
    fn begin(&self, plies: usize, accumulators: &mut Accumulators<P::NetworkView>) {
        let _ = (plies, accumulators);
    }

    /// The same value as [`evaluate`](Self::evaluate), computed faster from the accumulators of
    /// positions that the search has evaluated at other plies.
    #[inline]
    fn evaluate_near(
        &self,
        position: &P,
        ply: usize,
        accumulators: &mut Accumulators<P::NetworkView>,
    ) -> Score {
        let _ = (ply, accumulators);
        self.evaluate(position)
    }

    /// The value of a piece under these weights, at least 1: the unit of the search's margins. If
    /// the game does not define a piece ([`without_a_piece`](Game::without_a_piece)), it is the
    /// spread of the values.
    fn unit(&self) -> Score;
}

/// The symmetries of the board that leave a game unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Left and right may be exchanged.
    Mirror,
    /// Top and bottom may be exchanged too, and on square boards rows and columns.
    Dihedral,
}

/// A game whose positions can be evaluated.
pub trait Game: Position + Notation + Packing + SearchHints {
    /// The evaluator made from a weight set: [`LinearEvaluator`].
    type Evaluator: Evaluator<Self>;

    /// The data that features are counted on: the position from the side to move, with values that
    /// several features share.
    type Inputs;

    /// The network's view of a position: [`BoardView`] if the pieces on the board say everything.
    type NetworkView: NetworkView;

    /// Every feature with one weight, in the order of weight files; at most
    /// [`MAX_FEATURES`](LinearEvaluator::MAX_FEATURES).
    const FEATURES: &'static [Feature<Self::Inputs>];

    /// The features with a weight for each pattern. In weight files they follow the other features.
    const TABLES: &'static [PatternTable] = &[];

    /// The phase of a position; `None` for a game whose sets have no weights by phase.
    const PHASE: Option<GamePhase<Self::Inputs>> = None;

    /// The game's part of the generated documents, and the default sets and depth of commands.
    const GUIDE: Guide;

    /// Whether this project's test suites check the rules. For any other game an evaluator is made
    /// only after a few random games have kept the contract of the traits, as in [`check_game`].
    const IS_TESTED: bool = false;

    /// The weight of the search score in the training target when a fit has very many positions;
    /// the rest is the game result. The less the results of short games say about a position, the
    /// greater it is. It is specific to the game, and was measured by matches of sets that differ
    /// in nothing else.
    const LEAST_BLEND: f64 = 0.9;

    /// The single-weight features that a table fit includes by default, since patterns do not cover
    /// them.
    const BESIDE_TABLES: &'static [&'static str] = &["tempo"];

    /// Prepares a position for counting its features.
    fn inputs(&self) -> Self::Inputs;

    /// The symmetries of the game that hold for its windows; `None` for a game without networks.
    const SYMMETRY: Option<Symmetry> = None;

    /// The board contents that the windows of the [tables](Game::TABLES) read.
    fn board_view(&self) -> BoardView {
        BoardView::default()
    }

    /// The board contents that the windows of networks read.
    fn network_view(&self) -> Self::NetworkView;

    /// The same board seen by the opponent. `None` if both sides see the board alike, since
    /// consecutive positions are then similar without turning.
    fn turned_view(view: Self::NetworkView) -> Option<Self::NetworkView> {
        let _ = view;
        None
    }

    /// The same position without one of the pieces of the side to move; `None` if that ends the
    /// game or there is no piece. The difference in value is the worth of a piece: the
    /// [unit](Evaluator::unit) of the search's margins, of the ranges of tuned weights and of
    /// displayed scores. Without this method the unit is the standard deviation of the value over
    /// positions from random play. Implement it in games with captures, where the worth of a piece
    /// is the better measure.
    fn without_a_piece(&self) -> Option<Self> {
        None
    }

    /// The same position without the piece at a column and row (from 0), and the owner of that
    /// piece; `None` if that ends the game or there is no piece. Only games with
    /// [networks](Self::SYMMETRY) need it.
    fn without_piece(&self, col: u8, row: u8) -> Option<(Self, Side)> {
        let _ = (col, row);
        None
    }

    /// The value of every feature of [`FEATURES`](Game::FEATURES), in its order.
    fn features(&self) -> Vec<i32> {
        let inputs = self.inputs();
        Self::FEATURES.iter().map(|feature| (feature.count)(&inputs)).collect()
    }

    /// The cells of a table that match the position, the table given by its index in
    /// [`TABLES`](Game::TABLES). A cell that matches twice appears twice.
    #[inline]
    fn cells(&self, table: usize) -> Cells {
        (Self::TABLES[table].read)(self.board_view())
    }

    /// Prepares a weight set for search.
    ///
    /// # Errors
    /// When the set does not fit the game's features.
    fn evaluator(weights: &WeightSet) -> Result<Self::Evaluator> {
        Self::Evaluator::new(weights)
    }
}
