//! The rows of a fit, split into training and validation rows, and the sums over them: loss,
//! gradient and curvature.

use super::{RowTerm, Rows, check_stop};
use crate::error::Result;
use crate::search::Stop;
use crate::tune::logistic::linear::add_multiple;
use crate::tune::logistic::pass::{cross_entropy, sigmoid};
use crate::tune::logistic::samples::FOLDS;
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a part of a pass. The parts are added in order, so the number of threads changes
/// nothing.
pub(super) const PART: usize = 1 << 15;

/// Rows in which at least this share of the features is not zero are multiplied as whole vectors,
/// which is then faster than picking the features out.
const DENSE: f64 = 0.25;

/// The rows, of which some folds are kept for validation.
pub(super) struct FoldSplit<'a> {
    pub(super) rows: &'a Rows,
    pub(super) folds: u8,
    pub(super) stop: &'a Stop,
}

#[derive(Clone, Default)]
pub(super) struct RowSums {
    pub(super) count: u64,
    pub(super) loss: f64,
    /// The losses of the folds that are kept for validation.
    pub(super) by_fold: Vec<f64>,
    pub(super) gradient: Vec<f64>,
}

impl RowSums {
    pub(super) fn mean(&self) -> f64 {
        self.loss / self.count.max(1) as f64
    }
}

impl FoldSplit<'_> {
    pub(super) fn width(&self) -> usize {
        self.rows.names.len()
    }

    /// The game of a row.
    pub(super) fn game(&self, row: usize) -> u64 {
        self.rows.games.get(row).map_or(row as u64, |&game| u64::from(game))
    }

    pub(super) fn games(&self) -> u64 {
        self.rows.games.last().map_or(self.rows.len() as u64, |&last| u64::from(last) + 1)
    }

    /// The fold of a row's game: SplitMix64's mixing spreads games evenly.
    fn fold(&self, row: usize) -> u8 {
        let mut mixed = self.game(row).wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(FOLDS)) as u8
    }

    /// Adds up the contributions of the training or of the validation rows, part by part.
    fn sum<T: Send>(
        &self,
        held_out: bool,
        fresh: impl Fn() -> T + Sync,
        see: impl Fn(&mut T, usize, &[RowTerm]) + Sync,
        add: impl Fn(&mut T, T),
    ) -> Result<T> {
        let count = self.rows.len();
        let parts: Vec<T> = (0..count.div_ceil(PART))
            .into_par_iter()
            .map(|part| {
                let mut sums = fresh();
                let rows = part * PART..(part * PART + PART).min(count);
                let is_stopped = self.stop.is_set();
                for row in rows.filter(|&row| !is_stopped && self.is_of(row, held_out)) {
                    see(&mut sums, row, self.rows.row(row));
                }
                sums
            })
            .collect();
        check_stop(self.stop)?;
        let mut total = fresh();
        parts.into_iter().for_each(|part| add(&mut total, part));
        Ok(total)
    }

    pub(super) fn is_of(&self, row: usize, held_out: bool) -> bool {
        (self.fold(row) < self.folds) == held_out
    }

    pub(super) fn logit(terms: &[RowTerm], point: &[f64]) -> f64 {
        terms.iter().map(|term| f64::from(term.value) * point[usize::from(term.column)]).sum()
    }

    pub(super) fn loss(&self, point: &[f64], held_out: bool) -> Result<RowSums> {
        let fresh =
            || RowSums { by_fold: vec![0.0; usize::from(self.folds)], ..RowSums::default() };
        let see = |sums: &mut RowSums, row: usize, terms: &[RowTerm]| {
            let target = f64::from(self.rows.results[row]);
            let loss = cross_entropy(Self::logit(terms, point), target);
            sums.count += 1;
            sums.loss += loss;
            if held_out {
                sums.by_fold[usize::from(self.fold(row))] += loss;
            }
        };
        self.sum(held_out, fresh, see, |total, part| {
            total.count += part.count;
            total.loss += part.loss;
            add_multiple(&mut total.by_fold, 1.0, &part.by_fold);
        })
    }

    /// The loss of the training rows with its derivatives.
    pub(super) fn gradient(&self, point: &[f64]) -> Result<RowSums> {
        let fresh = || RowSums { gradient: vec![0.0; self.width()], ..RowSums::default() };
        let see = |sums: &mut RowSums, row: usize, terms: &[RowTerm]| {
            let target = f64::from(self.rows.results[row]);
            let logit = Self::logit(terms, point);
            sums.count += 1;
            sums.loss += cross_entropy(logit, target);
            add_terms(&mut sums.gradient, sigmoid(logit) - target, terms);
        };
        self.sum(false, fresh, see, |total, part| {
            total.count += part.count;
            total.loss += part.loss;
            add_multiple(&mut total.gradient, 1.0, &part.gradient);
        })
    }

    pub(super) fn triangle(&self) -> Vec<f64> {
        vec![0.0; self.width() * (self.width() + 1) / 2]
    }

    /// The Hessian of the loss of the training rows, its lower triangle row by row.
    pub(super) fn curvature(&self, point: &[f64]) -> Result<Vec<f64>> {
        let fresh = || (self.triangle(), vec![0.0; self.width()]);
        let see = |(triangle, row): &mut (Vec<f64>, Vec<f64>), _: usize, terms: &[RowTerm]| {
            let p = sigmoid(Self::logit(terms, point));
            add_square_of(triangle, p * (1.0 - p), terms, row);
        };
        let total = self.sum(false, fresh, see, |total, (part, _)| {
            add_multiple(&mut total.0, 1.0, &part);
        })?;
        Ok(total.0)
    }

    /// The training rows game by game.
    pub(super) fn training_games(&self) -> Vec<Range<usize>> {
        let mut games: Vec<Range<usize>> = Vec::new();
        for row in (0..self.rows.len()).filter(|&row| self.is_of(row, false)) {
            match games.last_mut() {
                Some(last) if self.game(last.start) == self.game(row) => last.end = row + 1,
                _ => games.push(row..row + 1),
            }
        }
        games
    }

    /// The training rows that show each feature.
    pub(super) fn shown(&self) -> Vec<u64> {
        let mut shown = vec![0; self.width()];
        for row in (0..self.rows.len()).filter(|&row| self.is_of(row, false)) {
            self.rows.row(row).iter().for_each(|term| shown[usize::from(term.column)] += 1);
        }
        shown
    }
}

/// Adds a multiple of a row to a vector.
pub(super) fn add_terms(total: &mut [f64], factor: f64, terms: &[RowTerm]) {
    for term in terms {
        total[usize::from(term.column)] += factor * f64::from(term.value);
    }
}

/// Adds a multiple of a row's outer product with itself to a lower triangle. `scratch` is as long
/// as a row, and zero before and after.
pub(super) fn add_square_of(
    triangle: &mut [f64],
    factor: f64,
    terms: &[RowTerm],
    scratch: &mut [f64],
) {
    if terms.len() as f64 >= DENSE * scratch.len() as f64 {
        add_terms(scratch, 1.0, terms);
        add_square(triangle, factor, scratch);
        terms.iter().for_each(|term| scratch[usize::from(term.column)] = 0.0);
        return;
    }
    for (place, high) in terms.iter().enumerate() {
        let column = usize::from(high.column);
        let row = &mut triangle[column * (column + 1) / 2..][..=column];
        add_terms(row, factor * f64::from(high.value), &terms[..=place]);
    }
}

/// Adds a multiple of a vector's outer product with itself to a lower triangle.
fn add_square(triangle: &mut [f64], factor: f64, vector: &[f64]) {
    let mut rest = triangle;
    for (i, &value) in vector.iter().enumerate() {
        let (row, others) = rest.split_at_mut(i + 1);
        if value != 0.0 {
            add_multiple(row, factor * value, &vector[..=i]);
        }
        rest = others;
    }
}
