//! The phase of a game: how far a position is from the beginning of a game to its end.

use super::Game;
use crate::weights::LAST_PHASE;

/// A game's measure of how far a position is, for sets with [weights by
/// phase](crate::weights::Phase).
#[derive(Clone, Copy, Debug)]
pub struct GamePhase<Inputs: 'static> {
    /// Its definition in words.
    pub words: &'static str,
    /// The same as a formula, in the notation that FEATURES.md explains. Quotients are rounded
    /// down, and the result is limited to the phases.
    pub formula: &'static str,
    /// Counts it in a position: it is limited to 0 to [`LAST_PHASE`].
    pub count: fn(&Inputs) -> i32,
}

/// The phase of a position, 0 to [`LAST_PHASE`]; 0 in games without phases.
#[inline(always)]
pub(crate) fn phase_of<G: Game>(inputs: &G::Inputs) -> i32 {
    match const { G::PHASE } {
        Some(phase) => (phase.count)(inputs).clamp(0, LAST_PHASE),
        None => 0,
    }
}
