//! A fit's errors by the training positions: the curvature of the loss, and how the games
//! pull at the weights.
//!
//! The fitted weights w solve S(w) = 0, where S sums up the derivatives of the penalised loss. Near
//! the solution they move by -H^-1 times the random part of S, so their covariance is H^-1 J H^-1
//! with the covariance J of S: the sandwich (Huber 1967; White 1982). J is taken from sums over
//! clusters that are independent of each other (Liang and Zeger 1986), here the games, since the
//! positions of a game share its result. It holds for any target: with scores in it, chance moves
//! the target by less than a coin flip would.
//!
//! The fit follows its own games, which makes such sums too small if few folds show a feature. So
//! each fold's sum is combined with the Hessian without that fold: to first order, this is the move
//! of the weights when the fold is left out (Bell and McCaffrey 2002 call the covariance of these
//! moves the jackknife's).
//!
//! If a few games hold nearly all the information about a weight, such a covariance is uncertain
//! itself: its effective degrees of freedom are few, and intervals take Student's t with that
//! number (likewise Bell and McCaffrey).

use super::columns::Columns;
use super::game_losses::GameRun;
use super::linear::{add_multiple, dot, quadratic_form};
use super::pass::{Data, SeenPosition, Split, add, sigmoid};
use super::prior::SinglePrior;
use super::samples::FOLDS;
use super::scale::ScoreScale;
use crate::error::Result;

/// The sums over the training positions for the single weights, in logits.
#[derive(Clone, Debug, Default)]
pub(super) struct SingleSums {
    folds: Vec<FoldSums>,
    /// The positions where each feature is not 0.
    pub(super) shown: Vec<u64>,
}

/// The sums over the labels of a fold; a position's labels count as one together.
#[derive(Clone, Debug)]
struct FoldSums {
    labels: f64,
    /// The Hessian of the loss, its lower triangle row by row.
    hessian: Vec<f64>,
    /// The derivatives of the loss.
    gradient: Vec<f64>,
    /// The derivatives of the gradient by 1 / K, for each part of the records.
    by_scale: Vec<Vec<f64>>,
}

impl FoldSums {
    fn new(weights: usize, parts: usize) -> Self {
        Self {
            labels: 0.0,
            hessian: vec![0.0; weights * (weights + 1) / 2],
            gradient: vec![0.0; weights],
            by_scale: vec![vec![0.0; weights]; parts],
        }
    }

    /// Adds a multiple of other sums.
    fn add(&mut self, factor: f64, other: &Self) {
        self.labels += factor * other.labels;
        add_multiple(&mut self.hessian, factor, &other.hessian);
        add_multiple(&mut self.gradient, factor, &other.gradient);
        for (total, part) in self.by_scale.iter_mut().zip(&other.by_scale) {
            add_multiple(total, factor, part);
        }
    }
}

impl SingleSums {
    /// One pass over the training positions.
    ///
    /// # Errors
    /// When records cannot be read, or the pass was stopped.
    pub(super) fn of(data: &Data, columns: &Columns, point: &[f64]) -> Result<Self> {
        let (weights, parts) = (columns.names().len(), data.samples.parts().len());
        let sums = || Self {
            folds: vec![FoldSums::new(weights, parts); usize::from(FOLDS)],
            shown: vec![0; weights],
        };
        let fresh = || (sums(), Vec::new(), Vec::new());
        let lanes =
            data.lanes(&data.all(Split::Training), fresh, |(sums, row, values), seen| {
                let p = sigmoid(data.logit(columns, point, &seen.sample.position, row));
                // The columns of single weights come first, one after the other.
                values.clear();
                values.extend(row[..weights].iter().map(|&(_, value)| value));
                sums.see(data, seen, p, values);
            })?;
        Ok(lanes.into_iter().fold(sums(), |mut total, (lane, ..)| {
            total.folds.iter_mut().zip(&lane.folds).for_each(|(total, fold)| total.add(1.0, fold));
            total.shown.iter_mut().zip(&lane.shown).for_each(|(total, shown)| *total += shown);
            total
        }))
    }

    fn see(&mut self, data: &Data, seen: &SeenPosition, p: f64, values: &[f64]) {
        let share = 1.0 / seen.labels.len() as f64;
        for label in seen.labels {
            let fold = &mut self.folds[usize::from(label.fold)];
            fold.labels += share;
            add_multiple(&mut fold.gradient, share * (p - data.label_target(label)), values);
            let by_scale = &mut fold.by_scale[label.part as usize];
            add_multiple(by_scale, -share * data.target_slope(label), values);
            let mut cells = fold.hessian.as_mut_slice();
            for (i, value) in values.iter().enumerate() {
                let (row, rest) = cells.split_at_mut(i + 1);
                add_multiple(row, share * p * (1.0 - p) * value, &values[..=i]);
                cells = rest;
            }
        }
        self.shown.iter_mut().zip(values).for_each(|(shown, v)| *shown += u64::from(*v != 0.0));
    }

    fn total(&self) -> Option<FoldSums> {
        let mut folds = self.folds.iter();
        let first = folds.next()?.clone();
        Some(folds.fold(first, |mut total, fold| {
            total.add(1.0, fold);
            total
        }))
    }

    /// The step of Newton's method from these weights towards the least penalised loss; `None`
    /// where the Hessian has no inverse.
    pub(super) fn newton_step(&self, weights: &[f64], prior: &SinglePrior) -> Option<Vec<f64>> {
        let total = self.total()?;
        let mut gradient = total.gradient.clone();
        prior.pull(weights, &mut gradient);
        let inverse = prior.inverse(&total.hessian);
        let step: Vec<f64> = inverse.iter().map(|row| -dot(row, &gradient)).collect();
        (step.len() == weights.len()).then_some(step)
    }

    /// The inverse of the Hessian of the penalised loss; empty where it has none.
    pub(super) fn inverse(&self, prior: &SinglePrior) -> Vec<Vec<f64>> {
        self.total().map_or(Vec::new(), |total| prior.inverse(&total.hessian))
    }

    /// The effective degrees of freedom of each weight's variance: with the inverse B of the
    /// Hessian and each fold's part H_f in it, a fold's part in the variance of weight i is taken
    /// to be v_f = (B H_f B)_ii, and the degrees are (sum of v_f)^2 / (sum of v_f^2), after
    /// Satterthwaite: from 1, if one fold tells everything, to the number of folds. NaN if no
    /// position shows the feature; empty if the inverse is.
    pub(super) fn degrees(&self, inverse: &[Vec<f64>]) -> Vec<f64> {
        let degrees = |row: &Vec<f64>| {
            let parts = self.folds.iter().map(|fold| quadratic_form(&fold.hessian, row));
            let (sum, squares) =
                parts.fold((0.0, 0.0), |(sum, squares), v| (sum + v, squares + v * v));
            if squares > 0.0 { (sum * sum / squares).max(1.0) } else { f64::NAN }
        };
        inverse.iter().map(degrees).collect()
    }

    /// For each fold that has games, the move of the weights when it is left out, to first order,
    /// minus the mean of these moves. The scales of the scores move with it, and the targets with
    /// them.
    pub(super) fn moves(&self, prior: &SinglePrior, scales: &[ScoreScale]) -> Vec<Vec<f64>> {
        let Some(total) = self.total() else { return Vec::new() };
        let mut moves: Vec<Vec<f64>> = Vec::new();
        for (place, fold) in self.folds.iter().enumerate().filter(|(_, fold)| fold.labels > 0.0) {
            let mut others = total.clone();
            others.add(-1.0, fold);
            let mut pull = fold.gradient.clone();
            for (scale, by_scale) in scales.iter().zip(&others.by_scale) {
                add_multiple(&mut pull, -scale.left_out[place], by_scale);
            }
            let inverse = prior.inverse(&others.hessian);
            moves.push(inverse.iter().map(|row| dot(row, &pull)).collect());
        }
        if moves.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        let count = moves.len() as f64;
        for weight in 0..self.shown.len() {
            let mean = moves.iter().map(|pull| pull[weight]).sum::<f64>() / count;
            moves.iter_mut().for_each(|pull| pull[weight] -= mean);
        }
        moves
    }
}

/// The sums over the training positions for the cells of tables, in logits.
pub(super) struct CellSums {
    /// The diagonal of the Hessian, by column.
    pub(super) curvature: Vec<f64>,
    /// The sum over the games of their squared contributions to the derivatives, by column.
    pub(super) squares: Vec<f64>,
}

/// The sums of a lane, with the game that it is in.
struct CellLane {
    sums: CellSums,
    game: GameRun,
    /// The derivatives' terms from the positions of the game.
    pulls: Vec<(u32, f64)>,
    row: Vec<(u32, f64)>,
}

impl CellSums {
    /// One pass over the training positions. The scales of the scores are taken as they are: their
    /// errors move all cells together.
    ///
    /// # Errors
    /// When records cannot be read, or the pass was stopped.
    pub(super) fn of(data: &Data, columns: &Columns, point: &[f64]) -> Result<Self> {
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
    /// A column may occur in the row more than once: its entries count together.
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
