//! A game's guide text and examples for documents and commands.

use super::Score;
use crate::game::Board;
use serde::Serialize;

/// A game's texts and settings for documents and commands, apart from its features.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    /// The game's section of FEATURES.md, as Markdown. It explains the notation of the formulas
    /// well enough to count every feature without any other source. The tables of features replace
    /// its line `<!-- features -->`.
    pub text: &'static str,
    /// The position of the worked example, as FEN.
    pub example: &'static str,
    /// The shipped set that evaluates the example.
    pub example_set: &'static str,
    /// The default shipped set for boards without a set of their own.
    pub default_set: &'static str,
    /// The hand-made shipped set, from which tunes start.
    pub hand_made_set: &'static str,
    /// Whether tunes include all single weights by default, and not only the nonzero ones. True if
    /// the hand-made set leaves most features out.
    pub tunes_all: bool,
    /// Unfinished positions for the conformance file, one FEN a line; lines with `#` are comments.
    pub positions: &'static str,
    /// The boards on which random play adds more conformance positions.
    pub boards: &'static [Board],
    /// The search depth of `spar bench`, in plies: about a second's work.
    pub bench_depth: u32,
    /// The logarithm of the winning odds that a lead of one piece gives, with a piece valued as by
    /// `Evaluator::unit`. A rough figure from the fitted sets, whose score of 100 is one logit.
    pub piece_logit: f64,
}

impl Guide {
    /// The scale of scores in which a piece is worth `unit`.
    pub fn score_units(&self, unit: Score) -> ScoreUnits {
        let scale = f64::from(unit) / self.piece_logit;
        ScoreUnits { unit, win_scale: (scale * 1000.0).round() / 1000.0 }
    }
}

/// The scale that turns a weight set's scores into pieces and winning chances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreUnits {
    /// The value of a piece, in units of the score, at least 1.
    pub unit: Score,
    /// The units of the score that make one logit: the side to move wins with a probability of
    /// about 1 / (1 + exp(-score / win_scale)).
    pub win_scale: f64,
}
