//! The errors of a fit to rows: how far the weights move when single games are left out.
//!
//! To first order the weights move by (H - H_g)^-1 s_g without game g, with the penalised Hessian H
//! of all games, the game's part H_g and its derivatives s_g. The sum of the squares of these moves
//! is the variance (CR3, the jackknife of Bell and McCaffrey 2002, as in `logistic::sandwich`).
//! Without H_g it would be the plain sandwich, which is far too small for a weight that a few games
//! determine, since the fit follows its own games.
//!
//! Such a variance is itself uncertain, so intervals take Student's t. With a game's share h_g of
//! the information about a weight and d_g = h_g / (1 - h_g), the residuals of games of equal
//! scatter make the squared moves vary as if there were (sum of d_g)^2 / (sum of d_g^2 + sum over
//! pairs of d_g^2 d_h^2) degrees of freedom: one less than the games if their shares are equal, and
//! 1 if two games hold everything.

use super::inverse::Inverse;
use super::left_out::Minimum;
use super::ridge::Ridge;
use super::split::FoldSplit;
use crate::error::Result;
use crate::stats::t_95;
use crate::tune::logistic::linear::{add_multiple, dependent, quadratic_form};
use rayon::prelude::*;

/// The least share of the information about a weight that the other games are taken to have.
pub(super) const LEAST_REST: f64 = 1e-9;
/// Derivatives that cancel by a smaller share than this all have one sign.
const LEAST_CANCELLED: f64 = 1e-6;

/// The errors of the weights of a fit.
pub(super) struct WeightErrors {
    sums: MoveSums,
    /// The training rows that show each column.
    pub(super) shown: Vec<u64>,
    /// Columns that follow from others, each after these others.
    pub(super) dependent: Vec<Vec<usize>>,
}

/// Sums over the games for each weight.
#[derive(Clone, Default)]
pub(super) struct MoveSums {
    /// The squares of the moves.
    squares: Vec<f64>,
    /// The moves, each times the move of the first weight.
    with_first: Vec<f64>,
    /// The powers 1, 2 and 4 of d_g.
    shares: [Vec<f64>; 3],
    /// The derivatives, and their absolute values.
    pulls: [Vec<f64>; 2],
}

impl WeightErrors {
    /// Computes the errors at a minimum: three passes over the training rows.
    ///
    /// # Errors
    /// When the columns cannot be told apart, or the fit is stopped.
    pub(super) fn of(data: &FoldSplit, point: &[f64], ridge: Ridge) -> Result<Self> {
        let mut hessian = data.curvature(point)?;
        let inverse = ridge.inverse(&hessian)?;
        let dependent = dependent(&hessian);
        let information = inverse.par_iter().map(|row| quadratic_form(&hessian, row)).collect();
        for place in ridge.free..point.len() {
            hessian[place * (place + 1) / 2 + place] += ridge.penalty;
        }
        let inverse = Inverse::new(inverse);
        let minimum = Minimum { data, point, hessian, inverse, information };
        Ok(Self { sums: minimum.sums()?, shown: data.shown(), dependent })
    }

    /// The effective degrees of freedom of the error of a weight.
    pub(super) fn degrees(&self, place: usize) -> f64 {
        let [sum, squares, fourths] = [0, 1, 2].map(|power: usize| self.sums.shares[power][place]);
        let pairs = (squares * squares - fourths).max(0.0);
        (sum * sum / (squares + pairs)).max(1.0)
    }

    /// Half the width of the 95 % interval of a weight; `None` where the rows do not determine it.
    pub(super) fn of_weight(&self, place: usize) -> Option<f64> {
        self.half_width(place, self.sums.squares[place])
    }

    /// The same for a weight minus this multiple of the first one.
    pub(super) fn of_ratio(&self, place: usize, value: f64) -> Option<f64> {
        let MoveSums { squares, with_first, .. } = &self.sums;
        let variance =
            squares[place] - 2.0 * value * with_first[place] + value * value * squares[0];
        self.half_width(place, variance.max(0.0))
    }

    fn half_width(&self, place: usize, variance: f64) -> Option<f64> {
        let [sum, size] = [0, 1].map(|which: usize| self.sums.pulls[which][place]);
        let is_one_way = sum.abs() >= (1.0 - LEAST_CANCELLED) * size;
        let is_dependent = self.dependent.iter().any(|columns| columns.contains(&place));
        let is_known = self.shown[place] > 0 && !is_one_way && !is_dependent;
        let quantile = t_95(self.degrees(place)).filter(|_| is_known && variance.is_finite())?;
        Some(quantile * variance.sqrt())
    }
}

impl MoveSums {
    pub(super) fn new(width: usize) -> Self {
        let zeros = || vec![0.0; width];
        Self {
            squares: zeros(),
            with_first: zeros(),
            shares: [zeros(), zeros(), zeros()],
            pulls: [zeros(), zeros()],
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        add_multiple(&mut self.squares, 1.0, &other.squares);
        add_multiple(&mut self.with_first, 1.0, &other.with_first);
        let own = self.shares.iter_mut().chain(&mut self.pulls);
        own.zip(other.shares.iter().chain(&other.pulls))
            .for_each(|(own, other)| add_multiple(own, 1.0, other));
    }

    /// Adds the moves without a game.
    pub(super) fn add_moves(&mut self, moves: &[f64]) {
        let first = moves.first().copied().unwrap_or_default();
        self.squares.iter_mut().zip(moves).for_each(|(sum, moved)| *sum += moved * moved);
        add_multiple(&mut self.with_first, first, moves);
    }

    /// Adds a game's derivative by a weight.
    pub(super) fn add_pull(&mut self, place: usize, pull: f64) {
        self.pulls[0][place] += pull;
        self.pulls[1][place] += pull.abs();
    }

    /// Adds a game's shares of the information.
    pub(super) fn add_shares(&mut self, own: &[f64], all: &[f64]) {
        let [first, second, fourth] = &mut self.shares;
        let sums = first.iter_mut().zip(second).zip(fourth);
        for (((first, second), fourth), (own, all)) in sums.zip(own.iter().zip(all)) {
            let share = (own / all).min(1.0 - LEAST_REST);
            let d = share / (1.0 - share);
            *first += d;
            *second += d * d;
            *fourth += (d * d) * (d * d);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::Rows;
    use super::super::fit::{RowsConfig, RowsFit, fit};
    use crate::arena::seed::{generator, uniform};
    use crate::search::Stop;

    /// Games of 20 rows: a column of noise, and one that is 1 in the first `rare` games and 0 in
    /// the others. The results are even.
    pub(in super::super) fn even(seed: u64, games: u32, rare: u32) -> Rows {
        let mut generator = generator(seed, &[3]);
        let mut rows = Rows::new(["noise", "rare"].map(Into::into).into());
        for game in 0..games {
            let result = f32::from(u8::from(uniform(&mut generator) < 0.5));
            let lean = uniform(&mut generator) - 0.5;
            for _ in 0..20 {
                let noise = lean + uniform(&mut generator) - 0.5;
                rows.push(&[noise as f32, f32::from(u8::from(game < rare))]);
                rows.results.push(result);
                rows.games.push(game);
            }
        }
        rows
    }

    fn fitted(rows: &Rows, penalty: f64) -> RowsFit {
        let config = RowsConfig { penalties: vec![penalty], iterations: 50, validation_folds: 6 };
        fit(rows, &config, &Stop::default()).unwrap()
    }

    /// The share of intervals of a column without effect that miss 0; unknown errors miss nothing.
    fn misses(column: usize, games: u32, rare: u32) -> f64 {
        let is_miss = |seed: &u64| {
            let weight = &fitted(&even(*seed, games, rare), 0.1).weights[column];
            weight.error.is_some_and(|error| weight.weight.abs() > error)
        };
        (0..200).filter(is_miss).count() as f64 / 200.0
    }

    #[test]
    fn few_games_widen_the_errors() {
        for rare in [2, 3, 5, 10] {
            let share = misses(1, 100, rare);
            assert!(share <= 0.08, "{share} missed, not 5 %, with {rare} games of 100");
        }
        for games in [12, 30, 200] {
            let share = misses(0, games, games / 2);
            assert!(share <= 0.08, "{share} missed, not 5 %, with {games} games");
        }
    }

    #[test]
    fn the_error_of_a_column_of_one_game_is_unknown() {
        let found = fitted(&even(1, 100, 1), 0.1);
        assert!(found.weights[1].shown == 0 || found.weights[1].error.is_none());
        let found = fitted(&even(1, 100, 50), 0.1);
        let degrees = found.weights[1].degrees.unwrap();
        assert!((30.0..50.0).contains(&degrees), "{degrees}");
    }

    #[test]
    fn columns_that_say_the_same_have_no_errors() {
        let all = even(2, 100, 50);
        let names = ["noise", "rare", "nothing", "again"].map(Into::into);
        let mut rows = Rows::new(names.into());
        for row in 0..all.len() {
            let mut values = [0.0; 4];
            all.row(row).iter().for_each(|term| values[usize::from(term.column)] = term.value);
            values[3] = values[0] - 2.0 * values[1];
            rows.push(&values);
        }
        (rows.results, rows.games) = (all.results, all.games);
        let found = fitted(&rows, 0.1);
        assert_eq!(found.dependent_names(), [["noise", "rare", "again"]]);
        assert!(found.weights.iter().all(|weight| weight.error.is_none()));
        assert!(fitted(&even(2, 100, 50), 0.1).dependent.is_empty());
    }

    #[test]
    fn results_that_are_all_equal_are_refused() {
        for (result, said) in [(0.5, "drawn"), (1.0, "won"), (0.0, "lost"), (0.25, "0.25")] {
            let mut rows = even(1, 30, 3);
            rows.results.fill(result);
            let config = RowsConfig { penalties: vec![1.0], iterations: 9, validation_folds: 6 };
            let error = fit(&rows, &config, &Stop::default()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
