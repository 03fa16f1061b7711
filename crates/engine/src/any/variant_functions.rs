//! The functions of a game whose type is known, behind its [`Variant`](super::Variant).

use super::evaluated::PositionKind;
use super::variant::AnySolved;
use super::{AnyEvaluator, AnyMove, AnyPosition, AnyViews};
use crate::error::Result;
use crate::eval::Game;
use crate::eval::features::{check_set, shapes};
use crate::game::{Board, KnownValues, Rules};
#[cfg(feature = "documents")]
use crate::games::conformance::conformance_json;
#[cfg(feature = "documents")]
use crate::games::document::section;
use crate::search::{SolveOptions, SolveProgress, Solved, Stop, solve_knowing};
use crate::weights::{FeatureShape, WeightSet, WindowShape};
use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

/// The functions of a game's rules.
pub(super) trait RulesFunctions: Send + Sync {
    fn start(&self, board: Board) -> Result<AnyPosition>;
    fn from_fen(&self, text: &str) -> Result<AnyPosition>;
    fn likeness(&self, text: &str) -> usize;
    fn default_opening_plies(&self, board: Board) -> u32;
}

impl<R: Rules, K: PositionKind<R>> RulesFunctions for PhantomData<fn() -> (R, K)> {
    fn start(&self, board: Board) -> Result<AnyPosition> {
        R::start(board).map(AnyPosition::of_kind::<R, K>)
    }

    fn from_fen(&self, text: &str) -> Result<AnyPosition> {
        R::from_fen(text).map(AnyPosition::of_kind::<R, K>)
    }

    fn likeness(&self, text: &str) -> usize {
        R::likeness(text)
    }

    fn default_opening_plies(&self, board: Board) -> u32 {
        R::default_opening_plies(board)
    }
}

/// The functions that need the game's built-in engine.
pub(super) trait EngineFunctions: Send + Sync {
    fn evaluator(&self, set: &WeightSet) -> Result<AnyEvaluator>;
    fn check_set(&self, set: &WeightSet, place: &str) -> Result<()>;
    fn counts_in_pieces(&self) -> bool;
    fn shapes(&self, board: Option<Board>) -> Vec<FeatureShape>;
    fn views(&self, window: WindowShape) -> AnyViews;
    fn solve(
        &self,
        position: &AnyPosition,
        known: Option<&dyn Any>,
        options: &SolveOptions,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&SolveProgress),
    ) -> Option<AnySolved>;
    #[cfg(feature = "documents")]
    fn features_markdown(&self) -> Result<String>;
    #[cfg(feature = "documents")]
    fn conformance_json(&self) -> Result<String>;
}

impl<G: Game> EngineFunctions for PhantomData<fn() -> G> {
    fn evaluator(&self, set: &WeightSet) -> Result<AnyEvaluator> {
        G::evaluator(set).map(AnyEvaluator::of::<G>)
    }

    fn check_set(&self, set: &WeightSet, place: &str) -> Result<()> {
        check_set::<G>(set, place)
    }

    fn counts_in_pieces(&self) -> bool {
        let start = G::start(G::default_board());
        start.is_ok_and(|start| start.without_a_piece().is_some())
    }

    fn shapes(&self, board: Option<Board>) -> Vec<FeatureShape> {
        shapes::<G>(board)
    }

    fn views(&self, window: WindowShape) -> AnyViews {
        AnyViews::of::<G>(window)
    }

    fn solve(
        &self,
        position: &AnyPosition,
        known: Option<&dyn Any>,
        options: &SolveOptions,
        stop: &Stop,
        on_progress: &mut dyn FnMut(&SolveProgress),
    ) -> Option<AnySolved> {
        let known = known.and_then(|known| known.downcast_ref::<Arc<dyn KnownValues<G>>>());
        let (position, known) = (position.typed::<G>()?, known.map(AsRef::as_ref));
        let solved = solve_knowing(position, known, options, stop, on_progress);
        let pv = solved.pv.into_iter().map(AnyMove::of).collect();
        let Solved { outcome, is_endless, nodes, .. } = solved;
        Some(AnySolved { outcome, is_endless, pv, nodes })
    }

    #[cfg(feature = "documents")]
    fn features_markdown(&self) -> Result<String> {
        section::<G>()
    }

    #[cfg(feature = "documents")]
    fn conformance_json(&self) -> Result<String> {
        conformance_json::<G>()
    }
}
