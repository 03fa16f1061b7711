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

use super::RowTerm;
use super::check_stop;
use super::ridge::Ridge;
use super::split::{FoldSplit, PART, add_square_of, add_terms};
use crate::error::Result;
use crate::stats::t_95;
use crate::tune::logistic::linear::{add_multiple, dependent, dot, quadratic_form, solve};
use crate::tune::logistic::pass::sigmoid;
use rayon::prelude::*;
use std::ops::Range;

/// The largest system that is solved for a game, of its rows or of all columns. In larger ones each
/// weight has only its own share of the information to correct it.
const MOST_SOLVED: usize = 256;
/// The least share of the information about a weight that the other games are taken to have.
const LEAST_REST: f64 = 1e-9;
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
struct MoveSums {
    /// The squares of the moves.
    squares: Vec<f64>,
    /// The moves, each times the move of the first weight.
    with_first: Vec<f64>,
    /// The powers 1, 2 and 4 of d_g.
    shares: [Vec<f64>; 3],
    /// The derivatives, and their absolute values.
    pulls: [Vec<f64>; 2],
}

/// A row at the minimum.
struct FittedRow<'a> {
    terms: &'a [RowTerm],
    /// The derivative of its loss by the logit.
    error: f64,
    /// The second derivative.
    curvature: f64,
}

/// The minimum, from which games are left out.
struct Minimum<'a> {
    data: &'a FoldSplit<'a>,
    point: &'a [f64],
    /// The penalised Hessian, its lower triangle row by row.
    hessian: Vec<f64>,
    inverse: Vec<Vec<f64>>,
    /// The information of all games about each weight, in the variance that it makes.
    information: Vec<f64>,
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
    fn new(width: usize) -> Self {
        let zeros = || vec![0.0; width];
        Self {
            squares: zeros(),
            with_first: zeros(),
            shares: [zeros(), zeros(), zeros()],
            pulls: [zeros(), zeros()],
        }
    }

    fn add(&mut self, other: &Self) {
        add_multiple(&mut self.squares, 1.0, &other.squares);
        add_multiple(&mut self.with_first, 1.0, &other.with_first);
        let own = self.shares.iter_mut().chain(&mut self.pulls);
        own.zip(other.shares.iter().chain(&other.pulls))
            .for_each(|(own, other)| add_multiple(own, 1.0, other));
    }

    /// Adds a game: the moves without it, its derivatives, and its shares of the information.
    fn see(&mut self, moves: &[f64], pulls: &[f64], shares: impl Iterator<Item = f64>) {
        let first = moves.first().copied().unwrap_or_default();
        for (place, share) in shares.enumerate() {
            self.squares[place] += moves[place] * moves[place];
            self.with_first[place] += moves[place] * first;
            let share = share.min(1.0 - LEAST_REST);
            let d = share / (1.0 - share);
            self.shares[0][place] += d;
            self.shares[1][place] += d * d;
            self.shares[2][place] += (d * d) * (d * d);
            self.pulls[0][place] += pulls[place];
            self.pulls[1][place] += pulls[place].abs();
        }
    }
}

impl Minimum<'_> {
    fn sums(&self) -> Result<MoveSums> {
        let games = self.data.training_games();
        // The parts are added in order, so the number of threads changes nothing.
        let parts: Vec<&[Range<usize>]> =
            games.chunk_by(|a, b| a.start / PART == b.start / PART).collect();
        let sums = |games: &[Range<usize>]| {
            let mut sums = MoveSums::new(self.point.len());
            for game in games.iter().filter(|_| !self.data.stop.is_set()) {
                self.see(&mut sums, game.clone());
            }
            sums
        };
        let parts: Vec<MoveSums> = parts.into_par_iter().map(sums).collect();
        check_stop(self.data.stop)?;
        let mut total = MoveSums::new(self.point.len());
        parts.iter().for_each(|part| total.add(part));
        Ok(total)
    }

    /// Adds the game of these rows.
    fn see(&self, sums: &mut MoveSums, game: Range<usize>) {
        let width = self.point.len();
        let rows: Vec<FittedRow> = game.map(|row| self.row(row)).collect();
        let mut pulls = vec![0.0; width];
        rows.iter().for_each(|row| add_terms(&mut pulls, row.error, row.terms));
        let mut information = vec![0.0; width];
        let by_rows = rows.len() <= width.min(MOST_SOLVED);
        let mut reached: Vec<Vec<f64>> = Vec::new();
        for row in &rows {
            let reach = self.reach(row);
            for (sum, value) in information.iter_mut().zip(&reach) {
                *sum += row.curvature * value * value;
            }
            if by_rows {
                reached.push(reach);
            }
        }
        let moves = match by_rows {
            true => moves_by_rows(&rows, &reached),
            false if width <= MOST_SOLVED => self.moves_by_columns(&rows, &pulls),
            false => None,
        };
        let moves = moves.unwrap_or_else(|| self.moves_by_shares(&pulls, &information));
        let shares = information.iter().zip(&self.information).map(|(own, all)| own / all);
        sums.see(&moves, &pulls, shares);
    }

    fn row(&self, row: usize) -> FittedRow<'_> {
        let terms = self.data.rows.row(row);
        let p = sigmoid(FoldSplit::logit(terms, self.point));
        let error = p - f64::from(self.data.rows.results[row]);
        FittedRow { terms, error, curvature: p * (1.0 - p) }
    }

    /// The inverse Hessian times a row.
    fn reach(&self, row: &FittedRow) -> Vec<f64> {
        let mut reach = vec![0.0; self.point.len()];
        for term in row.terms {
            let column = &self.inverse[usize::from(term.column)];
            add_multiple(&mut reach, f64::from(term.value), column);
        }
        reach
    }

    /// The moves without a game, from the Hessian without it.
    fn moves_by_columns(&self, rows: &[FittedRow], pulls: &[f64]) -> Option<Vec<f64>> {
        let mut hessian = self.hessian.clone();
        let mut scratch = vec![0.0; pulls.len()];
        for row in rows {
            add_square_of(&mut hessian, -row.curvature, row.terms, &mut scratch);
        }
        solve(&hessian, 0.0, pulls.to_vec())
    }

    /// The moves without a game, each weight's corrected by the game's share of its information
    /// alone.
    fn moves_by_shares(&self, pulls: &[f64], information: &[f64]) -> Vec<f64> {
        let moved = |(place, row): (usize, &Vec<f64>)| {
            dot(row, pulls) / (1.0 - information[place] / row[place]).max(LEAST_REST)
        };
        self.inverse.iter().enumerate().map(moved).collect()
    }
}

/// The moves without a game, by Woodbury's identity from the products of its rows: with the rows X,
/// their curvatures r^2 and errors e, and K = X H^-1 X', the moves are H^-1 X' (e + r y), where (1 -
/// r K r) y = r K e. `reached` has the rows of X H^-1.
fn moves_by_rows(rows: &[FittedRow], reached: &[Vec<f64>]) -> Option<Vec<f64>> {
    let roots: Vec<f64> = rows.iter().map(|row| row.curvature.sqrt()).collect();
    let mut triangle = Vec::with_capacity(rows.len() * (rows.len() + 1) / 2);
    let mut right = vec![0.0; rows.len()];
    for (i, row) in rows.iter().enumerate() {
        for (j, reach) in reached.iter().enumerate().take(i + 1) {
            let product = FoldSplit::logit(row.terms, reach);
            triangle.push(-roots[i] * product * roots[j]);
            right[i] += roots[i] * product * rows[j].error;
            if j < i {
                right[j] += roots[j] * product * row.error;
            }
        }
    }
    let solved = solve(&triangle, 1.0, right)?;
    let mut moves = vec![0.0; reached.first()?.len()];
    for (place, reach) in reached.iter().enumerate() {
        let factor = rows[place].error + roots[place] * solved[place];
        add_multiple(&mut moves, factor, reach);
    }
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::super::Rows;
    use super::super::fit::{RowsConfig, RowsFit, fit};
    use super::*;
    use crate::arena::seed::{generator, uniform};
    use crate::search::Stop;

    /// Games of 20 rows: a column of noise, and one that is 1 in the first `rare` games and 0 in
    /// the others. The results are even.
    fn even(seed: u64, games: u32, rare: u32) -> Rows {
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

    /// Without a game the weights move as far as one step of Newton's method takes them.
    #[test]
    fn moves_are_the_same_by_rows_and_by_columns() {
        let rows = even(4, 6, 3);
        let stop = Stop::default();
        let data = FoldSplit { rows: &rows, folds: 1, stop: &stop };
        let (point, ridge) = ([0.3, -0.2], Ridge { penalty: 2.0, free: 1 });
        let mut hessian = data.curvature(&point).unwrap();
        let inverse = ridge.inverse(&hessian).unwrap();
        hessian[2] += 2.0;
        let minimum =
            Minimum { data: &data, point: &point, hessian, inverse, information: vec![1.0; 2] };
        for game in data.training_games() {
            let rows: Vec<FittedRow> = game.map(|row| minimum.row(row)).collect();
            let mut pulls = vec![0.0; 2];
            rows.iter().for_each(|row| add_terms(&mut pulls, row.error, row.terms));
            let reached: Vec<Vec<f64>> = rows.iter().map(|row| minimum.reach(row)).collect();
            let by_rows = moves_by_rows(&rows, &reached).unwrap();
            let by_columns = minimum.moves_by_columns(&rows, &pulls).unwrap();
            for (one, other) in by_rows.iter().zip(by_columns) {
                assert!((one - other).abs() < 1e-9 * (1.0 + other.abs()), "{one}, not {other}");
            }
        }
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
