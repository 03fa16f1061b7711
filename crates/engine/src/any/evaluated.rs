//! Features of positions beyond the rules, for games that the built-in engine plays.

use super::{AnyMove, AnyPosition};
use crate::error::Result;
use crate::eval::features::patterns;
use crate::eval::phase::phase_of;
use crate::eval::{Cells, Explanation, Game, explain};
use crate::game::{Rules, Side};
use crate::weights::WeightSet;
use std::collections::BTreeMap;

/// Tells at compile time whether the built-in engine plays the game of a position.
pub(super) trait PositionKind<R>: Send + Sync + 'static {
    /// The position's features and the like, if the built-in engine plays its game.
    fn evaluated(position: &R) -> Option<&dyn Evaluated>;
}

/// The built-in engine plays the game.
pub(super) struct WithEngine;

impl<G: Game> PositionKind<G> for WithEngine {
    fn evaluated(position: &G) -> Option<&dyn Evaluated> {
        Some(position)
    }
}

/// The game has rules only.
pub(super) struct RulesAlone;

impl<R: Rules> PositionKind<R> for RulesAlone {
    fn evaluated(_: &R) -> Option<&dyn Evaluated> {
        None
    }
}

/// A position of a game with an engine; see the methods of [`AnyPosition`].
pub trait Evaluated {
    fn is_quiet(&self, mv: AnyMove) -> bool;
    fn features(&self) -> Vec<i32>;
    fn phase(&self) -> i32;
    fn cells(&self, table: usize) -> Cells;
    fn patterns(&self, table: usize) -> BTreeMap<usize, i32>;
    fn without_piece(&self, col: u8, row: u8) -> Option<(AnyPosition, Side)>;
    fn explain(&self, set: &WeightSet) -> Result<Explanation>;
}

impl<G: Game> Evaluated for G {
    fn is_quiet(&self, mv: AnyMove) -> bool {
        !self.must_answer() && !self.is_capture(mv.typed())
    }

    fn features(&self) -> Vec<i32> {
        Game::features(self)
    }

    fn phase(&self) -> i32 {
        phase_of::<G>(&self.inputs())
    }

    fn cells(&self, table: usize) -> Cells {
        Game::cells(self, table)
    }

    fn patterns(&self, table: usize) -> BTreeMap<usize, i32> {
        patterns(self, table)
    }

    fn without_piece(&self, col: u8, row: u8) -> Option<(AnyPosition, Side)> {
        Game::without_piece(self, col, row).map(|(next, side)| (AnyPosition::of(next), side))
    }

    fn explain(&self, set: &WeightSet) -> Result<Explanation> {
        explain(self, set)
    }
}
