//! The positions of a training, as windows show them.

use crate::error::Result;
use crate::eval::features::shapes;
use crate::eval::{BoardView, Evaluator, Game, NetworkInputs, Symmetry};
use crate::game::Board;
use crate::game::bitboard::{flip, mirror, transpose};
use crate::tune::logistic::pass::{Data, Split, sigmoid};
use crate::tune::logistic::scale::bisect;
use crate::weights::{Weight, WeightSet};

/// A position with what the network is to foretell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrainingExample {
    /// The pieces of the side to move.
    own: u64,
    /// The pieces of the other side.
    other: u64,
    /// The points that the side to move is to expect, 0 to 1.
    pub(super) points: f32,
    /// What the weights beside the network make of the position, in logits; 0 where there are none.
    pub(super) beside: f32,
}

/// What reads positions as inputs of a network.
#[derive(Clone, Copy)]
pub(super) struct InputReader {
    pub(super) board: Board,
    pub(super) symmetry: Symmetry,
    pub(super) read: fn(BoardView) -> NetworkInputs,
}

impl TrainingExample {
    /// All of it as bytes, for a digest.
    pub(super) fn to_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.own.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.other.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.points.to_le_bytes());
        bytes[20..].copy_from_slice(&self.beside.to_le_bytes());
        bytes
    }
}

/// The distinct positions of a split, in the order of the records, with their values under the
/// weights beside the network, which are no logits yet.
pub(super) fn targets<G: Game>(
    data: &Data<G>,
    split: Split,
    beside: Option<&G::Evaluator>,
) -> Result<Vec<TrainingExample>> {
    let lanes = data.lanes(&data.all(split), Vec::new, |targets, seen| {
        let position = &seen.sample.position;
        let BoardView { own, other, .. } = position.board_view();
        let beside = beside.map_or(0.0, |evaluator| evaluator.evaluate(position) as f32);
        targets.push(TrainingExample { own, other, points: data.target(seen) as f32, beside });
    })?;
    Ok(lanes.concat())
}

/// A set's single weights and tables, beside which a network can be trained. Sets with a network, and
/// those of older formats, may leave features out, whose weights are 0.
pub fn weights_beside<G: Game>(set: &WeightSet) -> WeightSet {
    let mut set = set.without_network();
    for feature in G::FEATURES {
        if set.weights.get(feature.name).is_none() {
            set.weights.insert(feature.name, Weight::One(0));
        }
    }
    set.sort_by_features(&shapes::<G>(None));
    set
}

/// How many units of the weights beside the network make a logit: the divisor with which their
/// values foretell the points of the positions best. `None` where they foretell nothing. The loss is
/// convex in 1 / divisor, whose best value bisection finds.
pub(super) fn units_per_logit(examples: &[TrainingExample]) -> Option<f64> {
    const STEPS: u32 = 40;
    const SLOPES: (f64, f64) = (1e-7, 10.0);
    let derivative = |slope: f64| -> f64 {
        let term = |example: &TrainingExample| {
            let value = f64::from(example.beside);
            (sigmoid(value * slope) - f64::from(example.points)) * value
        };
        examples.iter().map(term).sum()
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

    /// The inputs of an image of a position, given by its number below [`images`](Self::images).
    pub(super) fn inputs(&self, example: &TrainingExample, image: u64) -> NetworkInputs {
        let (cols, rows) = (self.board.cols(), self.board.rows());
        let [own, other] = [example.own, example.other].map(|squares| {
            let squares = if image & 1 == 0 { squares } else { mirror(squares, cols) };
            let squares = if image & 2 == 0 { squares } else { flip(squares, rows) };
            if image & 4 == 0 { squares } else { transpose(squares) }
        });
        (self.read)(BoardView { own, other, cols, rows })
    }
}
