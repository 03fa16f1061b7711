//! Features of a position, and the evaluator: score = sum of weight x feature, over the set's
//! scale.
//!
//! A game describes its features once, in a list of [`Feature`]s; FEATURES.md, the help texts and
//! the checks of weight files are made from that list. It evaluates in two ways that tests hold
//! equal: [`Game::features`] counts every feature (for explaining, fitting and conformance), an
//! [`Evaluator`] made from a weight set adds them up as fast as it can (for search).

pub mod document;
pub mod features;
pub(crate) mod unit;
pub(crate) mod windows;

pub use features::{Explanation, Feature, PatternTable, explain};
pub use windows::SubPattern;

use crate::error::Result;
use crate::game::{Notation, Packing, Position, SearchHints};
use crate::weights::WeightSet;

/// A score from the side to move, in units of the weight set, wins aside.
pub type Score = i32;

/// Static values of positions.
pub trait Evaluator<P: Position>: Clone + Send + Sync + 'static {
    /// The static value of an unfinished position from the side to move: exactly the sum of weight
    /// x feature, divided by the scale and rounded toward zero.
    fn evaluate(&self, position: &P) -> Score;

    /// What a piece is worth under these weights, at least 1: the unit of the search's margins.
    fn unit(&self) -> Score;
}

/// A game whose positions can be evaluated.
pub trait Game: Position + Notation + Packing + SearchHints {
    /// The evaluator made from a weight set.
    type Evaluator: Evaluator<Self>;

    /// The game's part of the generated documents, and the sets and depth that commands use.
    const GUIDE: document::Guide;

    /// The share of the search's score, as against the game's result, in what a fit to very many
    /// positions foretells: the greater, the less the result of a game of short searches says of a
    /// position. A matter of the game, measured by matches of sets that differ in nothing else.
    const LEAST_BLEND: f64 = 0.9;

    /// The features of one weight that a fit of the tables takes too, unless it is told otherwise:
    /// what patterns cannot tell.
    const BESIDE_TABLES: &'static [&'static str] = &["tempo"];

    /// Every feature with one weight, in the order of weight files.
    fn feature_list() -> &'static [Feature];

    /// The value of every feature of [`feature_list`](Game::feature_list), in its order.
    fn features(&self) -> Vec<i32>;

    /// The features with a weight for each pattern; in weight files they follow the others.
    fn tables() -> &'static [PatternTable] {
        &[]
    }

    /// Calls `each` with the cell of every pattern that the position shows of a table, given by its
    /// place in [`tables`](Game::tables); a cell that is shown twice comes twice.
    #[inline]
    fn each_cell(&self, table: usize, each: impl FnMut(usize)) {
        let _ = (table, each);
    }

    /// Prepares a weight set for search.
    ///
    /// # Errors
    /// When the set does not fit this game's features.
    fn evaluator(weights: &WeightSet) -> Result<Self::Evaluator>;
}
