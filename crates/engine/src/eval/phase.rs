//! The phase of a game: its progress from the opening to the end.

use super::Game;
use crate::weights::LAST_PHASE;

/// A game's measure of progress, for sets with [weights by phase](crate::weights::Phase).
#[derive(Clone, Copy, Debug)]
pub struct GamePhase<Inputs: 'static> {
    /// Its definition in words.
    pub words: &'static str,
    /// The definition as a formula, in the notation that FEATURES.md explains. Quotients are
    /// rounded down, and the result is clamped to the phases.
    pub formula: &'static str,
    /// Computes it for a position. Callers clamp it to 0..=[`LAST_PHASE`].
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
