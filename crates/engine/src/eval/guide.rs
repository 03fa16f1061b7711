//! A game's words and examples for documents and commands.

use crate::game::Board;

/// What the documents and the commands take of a game besides its features.
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
