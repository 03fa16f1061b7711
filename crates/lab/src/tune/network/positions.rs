//! The positions of a training, as the patterns of their windows.

use crate::any::{AnyEvaluator, AnyPosition, AnyViews};
use crate::error::{Error, Result};
use crate::eval::{NetworkInputs, Symmetry};
use crate::game::Board;
use crate::games::GameId;
use crate::tune::logistic::pass::{Data, Scope, Split, sigmoid};
use crate::tune::logistic::scale::bisect;
use crate::weights::{Weight, WeightSet, WindowShape};
use sha2::{Digest, Sha256};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// With more inputs than this, inputs in fewer than one position in `RAREST` are left out too. They
/// would fill most of the file, and change hardly any value
/// (docs/measurements/archive/2026-11-24-networks-boards.md).
const MANY_INPUTS: usize = 10_000;
const RAREST: u64 = 5_000;
/// Marks an input that is left out: a number beyond all inputs with weights.
pub(super) const NO_INPUT: u32 = u32::MAX;

/// The target of the network for a position, from the side whose value the network gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct LearningTarget {
    /// The expected points of this side, 0 to 1.
    pub(super) points: f32,
    /// The value of the weights beside the network; 0 where there are none.
    pub(super) beside: f32,
}

/// Positions as networks see them, with their targets.
pub(super) struct Examples {
    views: AnyViews,
    pub(super) targets: Vec<LearningTarget>,
    held: Arc<HeldPositions>,
}

/// Counts the positions in memory.
#[derive(Debug, Default)]
pub(super) struct HeldPositions {
    now: AtomicU64,
    most: AtomicU64,
}

impl HeldPositions {
    /// The most positions that were in memory at once.
    pub(super) fn most(&self) -> u64 {
        self.most.load(Ordering::Relaxed)
    }

    fn add(&self, count: u64) {
        let now = self.now.fetch_add(count, Ordering::Relaxed) + count;
        self.most.fetch_max(now, Ordering::Relaxed);
    }
}

impl Drop for Examples {
    fn drop(&mut self) {
        self.held.now.fetch_sub(self.len() as u64, Ordering::Relaxed);
    }
}

/// The reader of positions as network inputs.
pub(super) struct InputReader {
    pub(super) board: Board,
    pub(super) symmetry: Symmetry,
    /// Which inputs take part; empty if all do.
    pub(super) kept: Vec<bool>,
}

impl Examples {
    /// Adds a position, with the expected points of its side to move, and its value for this side
    /// under the weights beside the network.
    fn push(&mut self, position: &AnyPosition, points: f64, beside: f32) {
        self.views.push(position);
        let sign = self.views.sign(self.targets.len());
        let points = if sign < 0 { 1.0 - points } else { points };
        self.targets.push(LearningTarget { points: points as f32, beside: sign as f32 * beside });
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// A digest of all positions.
    pub(super) fn digest(&self) -> Vec<u8> {
        let mut hasher = Sha256::new();
        for (index, LearningTarget { points, beside }) in self.targets.iter().enumerate() {
            self.views.words(index).iter().for_each(|word| hasher.update(word.to_le_bytes()));
            [points, beside].iter().for_each(|number| hasher.update(number.to_le_bytes()));
        }
        hasher.finalize().to_vec()
    }
}

/// The distinct positions of a split among some records, in the order of the records, with their
/// values under the weights beside the network.
pub(super) fn read_examples(
    data: &Data,
    (records, split): (Range<u64>, Split),
    window: WindowShape,
    beside: Option<&AnyEvaluator>,
    held: &Arc<HeldPositions>,
) -> Result<Examples> {
    let views = data.game.views(window);
    let mut examples = Examples { views, targets: Vec::new(), held: Arc::default() };
    let scope = Scope { split, records: records.clone(), every: 1 };
    data.lane(&scope, records, &mut |seen| {
        let position = &seen.sample.position;
        let beside = beside.map_or(0.0, |evaluator| evaluator.evaluate(position) as f32);
        examples.push(position, data.target(seen), beside);
    })?;
    held.add(examples.len() as u64);
    examples.held = held.clone();
    Ok(examples)
}

/// A set's single weights and tables, beside which a network can be trained. Sets with a network, and
/// sets of older formats, may leave features out, whose weights are 0.
///
/// # Errors
/// When the set has weights by phase.
pub fn weights_beside(game: GameId, set: &WeightSet) -> Result<WeightSet> {
    if set.has_phases() {
        let reason = "it has weights by phase, beside which no network can stand";
        return Err(Error::input(format!("weight set `{}`", set.name), reason)
            .remedy("start from another set, or leave out --beside-start"));
    }
    let mut set = set.without_network();
    for feature in &game.features {
        if set.weights.get(feature.name).is_none() {
            set.weights.insert(feature.name, Weight::One(0));
        }
    }
    set.sort_by_features(&game.shapes(None));
    Ok(set)
}

/// The units of the weights beside the network in one logit: the divisor with which their values
/// best predict the points of the positions. `None` if they predict nothing. The loss is convex in
/// 1 / divisor, whose best value bisection finds.
pub(super) fn units_per_logit(targets: &[LearningTarget]) -> Option<f64> {
    const STEPS: u32 = 40;
    const SLOPES: (f64, f64) = (1e-7, 10.0);
    let derivative = |slope: f64| -> f64 {
        let term = |target: &LearningTarget| {
            let value = f64::from(target.beside);
            (sigmoid(value * slope) - f64::from(target.points)) * value
        };
        targets.iter().map(term).sum()
    };
    bisect(STEPS, SLOPES, derivative).map(f64::recip)
}

impl InputReader {
    /// The number of images of a board under its symmetry.
    pub(super) fn images(&self) -> u64 {
        match self.symmetry {
            Symmetry::Mirror => 2,
            Symmetry::Dihedral if self.board.cols() == self.board.rows() => 8,
            Symmetry::Dihedral => 4,
        }
    }

    /// Which inputs take part, by their counts in `positions` positions, all images together. If
    /// there are very many inputs, the rare ones are left out.
    pub(super) fn kept_of(&self, shown: &[u64], positions: usize) -> Vec<bool> {
        let images = positions as u64 * self.images();
        let least = if shown.len() > MANY_INPUTS { images.div_ceil(RAREST) } else { 1 };
        shown.iter().map(|&count| count >= least.max(1)).collect()
    }

    /// The inputs of an image of a position, given by its number below [`images`](Self::images).
    pub(super) fn inputs(&self, examples: &Examples, index: usize, image: u64) -> NetworkInputs {
        let mut inputs = examples.views.inputs(index, image);
        for input in &mut inputs {
            if self.kept.get(*input as usize) == Some(&false) {
                *input = NO_INPUT;
            }
        }
        inputs
    }
}
