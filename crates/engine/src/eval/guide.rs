//! A game's words and examples for documents and commands.

use super::Score;
use crate::game::Board;
use serde::Serialize;

/// A game's texts and figures for documents and commands, besides its features.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    /// The game's section of FEATURES.md, as Markdown: the notation of the formulas, enough to
    /// count every feature with no other source. Its line `<!-- features -->` is replaced by
    /// the tables of features.
    pub text: &'static str,
    /// The position of the worked example, as FEN.
    pub example: &'static str,
    /// The shipped set that values it.
    pub example_set: &'static str,
    /// The shipped set that is used on boards without a set of their own where none is named.
    pub default_set: &'static str,
    /// The shipped set, made by hand, that tunes start from.
    pub hand_made_set: &'static str,
    /// Whether tunes take all single weights where none are named, and not only the weights that
    /// are not zero: true where the hand-made set leaves most features out.
    pub tunes_all: bool,
    /// Unfinished positions for the conformance file, one FEN a line; lines with `#` are comments.
    pub positions: &'static str,
    /// The boards on which random play adds more of them.
    pub boards: &'static [Board],
    /// The depth in plies to which `spar bench` searches: about a second's work.
    pub bench_depth: u32,
    /// The logarithm of the odds that a lead of one piece gives, as `Evaluator::unit` has it: a
    /// rough figure from the fitted sets, in which a score of 100 is 1.
    pub piece_logit: f64,
}

impl Guide {
    /// The meaning of scores in which a piece is worth `unit`.
    pub fn score_units(&self, unit: Score) -> ScoreUnits {
        let scale = f64::from(unit) / self.piece_logit;
        ScoreUnits { unit, win_scale: (scale * 1000.0).round() / 1000.0 }
    }
}

/// The meaning of a weight set's scores to people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoreUnits {
    /// The worth of a piece, in units of the score, at least 1.
    pub unit: Score,
    /// The units of the score that make one logit: the chance to win of the side to move is about
    /// 1 / (1 + exp(-score / win_scale)).
    pub win_scale: f64,
}
