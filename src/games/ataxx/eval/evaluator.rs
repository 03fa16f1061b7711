//! The same features added up with their weights, as fast as popcounts go.

use super::count::{Army, class_squares, exactly, ones};
use super::list::CLASSES;
use super::windows::{self, TABLES, Windows};
use crate::error::Result;
use crate::eval::features::weights_in_order;
use crate::eval::unit::{UnitSamples, pick_piece};
use crate::eval::{Evaluator, Score};
use crate::game::{Position, Side};
use crate::games::Ataxx;
use crate::games::ataxx::View;
use crate::games::ataxx::squares::{grown, neighbour_counts};
use crate::weights::WeightSet;

/// What the worth of a piece is measured on.
static SAMPLES: UnitSamples<Ataxx> = UnitSamples::new();

/// The weights of a set, made ready for the search.
#[derive(Clone, Debug)]
pub struct AtaxxEvaluator {
    scale: Score,
    unit: Score,
    w: Weights,
    windows: Option<Windows>,
}

/// The weights by feature. Groups are left out of the count when none of their weights is used.
#[derive(Clone, Debug)]
struct Weights {
    piece: i32,
    mobility: i32,
    territory: i32,
    frontier: i32,
    safe: i32,
    best_gain: i32,
    best_threat: i32,
    tempo: i32,
    /// By the number of own neighbours less one.
    holes: Option<[i32; 8]>,
    classes: Option<[i32; CLASSES]>,
}

impl Weights {
    fn new(set: &WeightSet) -> Result<Self> {
        let list = weights_in_order::<Ataxx>(set)?;
        let place = |name: &str| super::FEATURES.iter().position(|feature| feature.name == name);
        let of = |name: &str| place(name).map_or(0, |place| list[place]);
        Ok(Self {
            piece: of("piece"),
            mobility: of("mobility"),
            territory: of("territory"),
            frontier: of("frontier"),
            safe: of("safe"),
            best_gain: of("best_gain"),
            best_threat: of("best_threat"),
            tempo: of("tempo"),
            holes: group(&list, place("hole_1")),
            classes: group(&list, place("corner")),
        })
    }
}

/// The weights of features that follow one another in the list, unless all of them are 0.
fn group<const SIZE: usize>(list: &[i32], first: Option<usize>) -> Option<[i32; SIZE]> {
    let weights: [i32; SIZE] = *list.get(first?..)?.first_chunk()?;
    weights.iter().any(|&weight| weight != 0).then_some(weights)
}

impl AtaxxEvaluator {
    /// Prepares a weight set.
    ///
    /// # Errors
    /// When the set does not fit Ataxx's features.
    pub fn new(set: &WeightSet) -> Result<Self> {
        let (w, windows) = (Weights::new(set)?, Windows::new(set, &TABLES));
        let mut evaluator = Self { scale: set.scale.max(1), unit: 1, w, windows };
        let board = set.board.as_deref().and_then(|board| board.parse().ok());
        let board = board.unwrap_or_else(Ataxx::default_board);
        evaluator.unit = SAMPLES.median_change(&evaluator, board, lacking_one);
        Ok(evaluator)
    }

    /// What the pieces can do and what can be done to them.
    #[inline]
    fn space(&self, view: View) -> i32 {
        let (w, empty) = (&self.w, view.empty);
        let (us, them) = (Army::new(view.own, empty), Army::new(view.other, empty));
        let mut sum = 0;
        if w.mobility != 0 {
            sum += w.mobility * (us.moves(empty) - them.moves(empty));
        }
        if w.territory != 0 {
            sum += w.territory * (ones(us.reach & !them.reach) - ones(them.reach & !us.reach));
        }
        if w.frontier != 0 {
            let beside = grown(empty);
            sum += w.frontier * (ones(view.own & beside) - ones(view.other & beside));
        }
        if w.safe != 0 {
            sum += w.safe * (ones(us.safe(&them)) - ones(them.safe(&us)));
        }
        if w.best_gain | w.best_threat != 0 || w.holes.is_some() {
            sum += self.neighbours(view, us, them);
        }
        sum
    }

    /// The features that ask how many pieces stand beside empty squares.
    #[inline]
    fn neighbours(&self, view: View, us: Army, them: Army) -> i32 {
        let (near_us, near_them) = (neighbour_counts(view.own), neighbour_counts(view.other));
        let mut sum = self.w.best_gain * us.best_gain(near_them)
            + self.w.best_threat * them.best_gain(near_us);
        if let Some(weights) = &self.w.holes {
            for (weight, neighbours) in weights.iter().zip(1..) {
                let holes = |near| ones(exactly(view.empty, near, neighbours));
                sum += weight * (holes(near_us) - holes(near_them));
            }
        }
        sum
    }
}

impl Evaluator<Ataxx> for AtaxxEvaluator {
    #[inline]
    fn evaluate(&self, position: &Ataxx) -> Score {
        let view = position.view();
        let mut sum = self.w.tempo + self.w.piece * (ones(view.own) - ones(view.other));
        if let Some(windows) = &self.windows {
            sum += windows::sum(windows, position);
        }
        sum += self.space(view);
        if let Some(weights) = &self.w.classes {
            for (weight, squares) in weights.iter().zip(class_squares(position.board())) {
                sum += weight * (ones(view.own & squares) - ones(view.other & squares));
            }
        }
        if self.scale == 1 { sum } else { sum / self.scale }
    }

    #[inline]
    fn unit(&self) -> Score {
        self.unit
    }
}

/// The same position without one of the pieces of the side to move, unless that ends the game.
fn lacking_one(position: &Ataxx) -> Option<Ataxx> {
    let side = position.side_to_move();
    let gone = pick_piece(position.pieces(side), position.key());
    let pieces = Side::BOTH.map(|side| position.pieces(side) & !gone);
    let (blocked, clock) = (position.blocked(), position.plies_since_clone());
    let without = Ataxx::from_squares(position.board(), pieces, blocked, side, clock).ok()?;
    without.outcome().is_none().then_some(without)
}
