//! What the training positions say of a fit's errors: the curvature of the loss, and how the games
//! pull at the weights.
//!
//! The fitted weights w solve S(w) = 0, where S sums up the derivatives of the penalised loss. Near
//! the solution they move by -H^-1 times what chance adds to S, so their covariance is H^-1 J H^-1
//! with the covariance J of S: the sandwich (Huber 1967; White 1982). J is taken from sums over
//! clusters that are independent of each other (Liang and Zeger 1986), here the games, since the
//! positions of a game share its result. It holds for any target: with scores in it, chance moves
//! the target by less than a coin flip would.

use super::columns::Columns;
use super::pass::{Data, SeenPosition, Split, add, sigmoid};
use super::samples::{FOLDS, Sample};
use super::scale::ScoreScale;
use crate::error::Result;
use crate::eval::Game;

/// The sums over the training positions for the single weights, in logits.
#[derive(Clone, Debug, Default)]
pub(super) struct SingleSums {
    /// The Hessian of the loss, its lower triangle row by row.
    pub(super) hessian: Vec<f64>,
    /// The derivatives of the loss, for each fold.
    pub(super) scores: Vec<Vec<f64>>,
    /// The labels of each fold; those of a position count as one together.
    pub(super) labels: Vec<f64>,
    /// The derivatives of the loss by a weight and by 1 / K, for each part of the records.
    pub(super) by_scale: Vec<Vec<f64>>,
    /// The positions where each feature is not 0.
    pub(super) shown: Vec<u64>,
}

impl SingleSums {
    fn new(weights: usize, parts: usize) -> Self {
        let folds = usize::from(FOLDS);
        Self {
            hessian: vec![0.0; weights * (weights + 1) / 2],
            scores: vec![vec![0.0; weights]; folds],
            labels: vec![0.0; folds],
            by_scale: vec![vec![0.0; weights]; parts],
            shown: vec![0; weights],
        }
    }

    /// One pass over the training positions.
    ///
    /// # Errors
    /// When records cannot be read, or the pass was stopped.
    pub(super) fn of<G: Game>(data: &Data<G>, columns: &Columns, point: &[f64]) -> Result<Self> {
        let (weights, parts) = (columns.names().len(), data.samples.parts().len());
        let fresh = || (Self::new(weights, parts), Vec::new());
        let lanes = data.lanes(&data.all(Split::Training), fresh, |(sums, row), seen| {
            let p = sigmoid(data.logit(columns, point, &seen.sample.position, row));
            // The columns of single weights come first, one after the other.
            sums.see(data, seen, p, &row[..weights]);
        })?;
        Ok(lanes.into_iter().fold(fresh().0, |total, (part, _)| total.plus(&part)))
    }

    fn see<G: Game>(&mut self, data: &Data<G>, seen: &SeenPosition<G>, p: f64, row: &[(u32, f64)]) {
        let mut cells = self.hessian.iter_mut();
        for (i, &(_, value)) in row.iter().enumerate() {
            let weighted = p * (1.0 - p) * value;
            row[..=i].iter().zip(&mut cells).for_each(|(&(_, other), cell)| {
                *cell += weighted * other;
            });
            self.shown[i] += u64::from(value != 0.0);
        }
        let share = 1.0 / seen.labels.len() as f64;
        for label in seen.labels {
            let error = share * (p - data.label_target(label));
            let by_scale = -share * data.target_slope(label);
            let fold = usize::from(label.fold);
            self.labels[fold] += share;
            add_multiple(&mut self.scores[fold], error, row);
            add_multiple(&mut self.by_scale[label.part as usize], by_scale, row);
        }
    }

    fn plus(mut self, other: &Self) -> Self {
        add(&mut self.hessian, &other.hessian);
        add(&mut self.labels, &other.labels);
        for (totals, parts) in
            [(&mut self.scores, &other.scores), (&mut self.by_scale, &other.by_scale)]
        {
            totals.iter_mut().zip(parts).for_each(|(total, part)| add(total, part));
        }
        self.shown.iter_mut().zip(&other.shown).for_each(|(total, part)| *total += part);
        self
    }

    /// For each fold that has positions, what its games add to the derivatives of the penalised
    /// loss, less the mean of the folds. The errors of the scores' scales are in it: an error of
    /// 1 / K moves all targets, and so the derivatives.
    pub(super) fn pulls(&self, scales: &[ScoreScale]) -> Vec<Vec<f64>> {
        let mut pulls: Vec<Vec<f64>> = Vec::new();
        for (fold, score) in self.scores.iter().enumerate().filter(|(f, _)| self.labels[*f] > 0.0) {
            let mut pull = score.clone();
            for (scale, by_scale) in scales.iter().zip(&self.by_scale) {
                let by_scale = by_scale.iter().map(|slope| slope * scale.influence[fold]);
                pull.iter_mut().zip(by_scale).for_each(|(pull, moved)| *pull += moved);
            }
            pulls.push(pull);
        }
        let count = pulls.len().max(1) as f64;
        for weight in 0..self.shown.len() {
            let mean = pulls.iter().map(|pull| pull[weight]).sum::<f64>() / count;
            pulls.iter_mut().for_each(|pull| pull[weight] -= mean);
        }
        pulls
    }
}

fn add_multiple(total: &mut [f64], factor: f64, row: &[(u32, f64)]) {
    total.iter_mut().zip(row).for_each(|(total, &(_, value))| *total += factor * value);
}

/// The sums over the training positions for the cells of tables, in logits.
pub(super) struct CellSums {
    /// The diagonal of the Hessian, by column.
    pub(super) curvature: Vec<f64>,
    /// The sum over the games of the squares of what they add to the derivatives, by column.
    pub(super) squares: Vec<f64>,
}

/// The sums of a lane, with the game that it is in.
struct CellLane {
    sums: CellSums,
    game: GameRun,
    /// What the positions of the game add to the derivatives.
    pulls: Vec<(u32, f64)>,
    row: Vec<(u32, f64)>,
}

impl CellSums {
    /// One pass over the training positions. The scales of the scores are taken as they are: their
    /// errors move all cells together.
    ///
    /// # Errors
    /// When records cannot be read, or the pass was stopped.
    pub(super) fn of<G: Game>(data: &Data<G>, columns: &Columns, point: &[f64]) -> Result<Self> {
        let fresh = || CellLane {
            sums: Self { curvature: vec![0.0; columns.len()], squares: vec![0.0; columns.len()] },
            game: GameRun::default(),
            pulls: Vec::new(),
            row: Vec::new(),
        };
        let lanes = data.lanes(&data.all(Split::Training), fresh, |lane, seen| {
            if lane.game.is_new(seen.sample) {
                lane.end_game();
            }
            let p = sigmoid(data.logit(columns, point, &seen.sample.position, &mut lane.row));
            lane.see(p, p - data.target(seen));
        })?;
        Ok(lanes.into_iter().fold(fresh().sums, |mut total, mut lane| {
            lane.end_game();
            add(&mut total.curvature, &lane.sums.curvature);
            add(&mut total.squares, &lane.sums.squares);
            total
        }))
    }
}

impl CellLane {
    /// A column may stand in the row more than once: its entries count together.
    fn see(&mut self, p: f64, error: f64) {
        self.row.sort_unstable_by_key(|&(column, _)| column);
        for same in self.row.chunk_by(|a, b| a.0 == b.0) {
            let (column, value) = (same[0].0, same.iter().map(|&(_, value)| value).sum::<f64>());
            self.sums.curvature[column as usize] += p * (1.0 - p) * value * value;
            self.pulls.push((column, error * value));
        }
    }

    fn end_game(&mut self) {
        self.pulls.sort_by_key(|&(column, _)| column);
        for same in self.pulls.chunk_by(|a, b| a.0 == b.0) {
            let pull: f64 = same.iter().map(|&(_, pull)| pull).sum();
            self.sums.squares[same[0].0 as usize] += pull * pull;
        }
        self.pulls.clear();
    }
}

/// Tells where another game begins: records stand in the order of the games and of their plies. Two
/// games of the same fold may be taken for one, which does no harm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameRun(Option<(u8, u8)>);

impl GameRun {
    /// Whether this position is of another game than the one before it.
    pub(super) fn is_new<G>(&mut self, sample: &Sample<G>) -> bool {
        let before = self.0.replace((sample.fold, sample.ply));
        before.is_none_or(|(fold, ply)| fold != sample.fold || sample.ply < ply)
    }
}
