//! Features of a position, and the evaluator: score = sum of weight x feature, over the set's
//! scale.
//!
//! A game writes each of its features once, in a table of [`Feature`]s: name, words, formula and
//! the code that counts it. FEATURES.md, the help texts, the checks of weight files, the
//! explanations and the search's [`LinearEvaluator`] are all made from that table.

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

/// A score from the side to move, in units of the weight set, wins aside.
pub type Score = i32;

/// Static values of positions.
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

    /// The same as [`evaluate`](Self::evaluate), with what is kept of the positions that the search
    /// has evaluated at other plies.
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

    /// The worth of a piece under these weights, at least 1: the unit of the search's margins. The
    /// spread of the values where the game does not say what a piece is
    /// ([`without_a_piece`](Game::without_a_piece)).
    fn unit(&self) -> Score;
}

/// The turns of a board under which a game stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Left and right may be exchanged.
    Mirror,
    /// So may top and bottom, and on square boards rows and columns.
    Dihedral,
}

/// A game whose positions can be evaluated.
pub trait Game: Position + Notation + Packing + SearchHints {
    /// The evaluator made from a weight set: [`LinearEvaluator`].
    type Evaluator: Evaluator<Self>;

    /// What the features are counted on: the position as the side to move sees it, with what
    /// several features have in common.
    type Inputs;

    /// What networks see of a position: [`BoardView`] where it shows all that there is.
    type NetworkView: NetworkView;

    /// Every feature with one weight, in the order of weight files; at most
    /// [`MAX_FEATURES`](LinearEvaluator::MAX_FEATURES).
    const FEATURES: &'static [Feature<Self::Inputs>];

    /// The features with a weight for each pattern; in weight files they follow the others.
    const TABLES: &'static [PatternTable] = &[];

    /// How far a position is in a game; `None` for a game whose sets have no weights by phase.
    const PHASE: Option<GamePhase<Self::Inputs>> = None;

    /// The game's part of the generated documents, and the sets and depth that commands use.
    const GUIDE: Guide;

    /// Whether the test suites of this project check the rules, so that nothing else need. Of any other
    /// game an evaluator is made only after a few random games have kept the contract of the traits,
    /// as [`check_game`] tries it.
    const IS_TESTED: bool = false;

    /// The share of the search's score, as against the game's result, in what a fit to very many
    /// positions foretells: the greater, the less the result of a game of short searches says of a
    /// position. A matter of the game, measured by matches of sets that differ in nothing else.
    const LEAST_BLEND: f64 = 0.9;

    /// The features of one weight that a fit of the tables takes too by default, since patterns do
    /// not cover them.
    const BESIDE_TABLES: &'static [&'static str] = &["tempo"];

    /// Prepares a position for counting its features.
    fn inputs(&self) -> Self::Inputs;

    /// What turns of the board are the same to the game, as windows show it; `None` for a game
    /// without networks.
    const SYMMETRY: Option<Symmetry> = None;

    /// The contents of the windows of the [tables](Game::TABLES).
    fn board_view(&self) -> BoardView {
        BoardView::default()
    }

    /// The contents of the windows of networks.
    fn network_view(&self) -> Self::NetworkView;

    /// The same board seen by the opponent; `None` where the sides see it alike,
    /// so that a position looks much like the one a ply before.
    fn turned_view(view: Self::NetworkView) -> Option<Self::NetworkView> {
        let _ = view;
        None
    }

    /// The same position without one of the pieces of the side to move, unless that ends the game
    /// or there is none: the difference in value is what a piece is worth, the
    /// [unit](Evaluator::unit) of the search's margins, of the ranges of tuned weights and of scores
    /// for people. Without this method the unit is the standard deviation of the value over
    /// positions from random play. Write it where pieces are taken: their worth is the better
    /// measure.
    fn without_a_piece(&self) -> Option<Self> {
        None
    }

    /// The same position without the piece in a column and row, from 0, and whose piece it was;
    /// `None` where that ends the game or there is none. Only games with
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

    /// The cells of the patterns that the position shows of a table, given by its place in
    /// [`TABLES`](Game::TABLES); a cell that is shown twice comes twice.
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
