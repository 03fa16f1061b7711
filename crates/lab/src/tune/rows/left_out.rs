//! The minimum of a fit to rows without single games.

use super::check_stop;
use super::errors::{LEAST_REST, MoveSums};
use super::inverse::{FittedRow, Inverse, Reached};
use super::split::{FoldSplit, PART, add_square_of, add_terms};
use crate::error::Result;
use crate::tune::logistic::linear::{add_multiple, dot, solve};
use crate::tune::logistic::pass::sigmoid;
use rayon::prelude::*;
use std::mem;
use std::ops::Range;

/// The largest system that is solved for a game, of its rows or of all columns. In larger ones each
/// weight has only its own share of the information to correct it.
const MOST_SOLVED: usize = 256;

/// The minimum, from which games are left out.
pub(super) struct Minimum<'a> {
    pub(super) data: &'a FoldSplit<'a>,
    pub(super) point: &'a [f64],
    /// The penalised Hessian, its lower triangle row by row.
    pub(super) hessian: Vec<f64>,
    pub(super) inverse: Inverse,
    /// The information of all games about each weight, in the variance that it makes.
    pub(super) information: Vec<f64>,
}

/// Memory that the games of a part share.
struct Scratch {
    /// The products of rows with the inverse Hessian.
    reached: Reached,
    /// A game's derivatives. Zero between two games.
    pulls: Vec<f64>,
    /// A game's information about each weight.
    information: Vec<f64>,
}

impl Minimum<'_> {
    /// Sums over the games, each left out alone.
    ///
    /// # Errors
    /// When the fit is stopped.
    pub(super) fn sums(&self) -> Result<MoveSums> {
        let games = self.data.training_games();
        // The parts are added in order, so the number of threads changes nothing.
        let parts: Vec<&[Range<usize>]> =
            games.chunk_by(|a, b| a.start / PART == b.start / PART).collect();
        let sums = |games: &[Range<usize>]| {
            let width = self.point.len();
            let (mut sums, mut scratch) = (MoveSums::new(width), Scratch::new(width));
            for group in groups(games).filter(|_| !self.data.stop.is_set()) {
                self.see(&mut sums, group, &mut scratch);
            }
            sums
        };
        let parts: Vec<MoveSums> = parts.into_par_iter().map(sums).collect();
        check_stop(self.data.stop)?;
        let mut total = MoveSums::new(self.point.len());
        parts.iter().for_each(|part| total.add(part));
        Ok(total)
    }

    /// Adds a group of games.
    fn see(&self, sums: &mut MoveSums, games: &[Range<usize>], scratch: &mut Scratch) {
        let rows: Vec<FittedRow> =
            games.iter().cloned().flatten().map(|row| self.row(row)).collect();
        let mut first = 0;
        if rows.len() <= MOST_SOLVED {
            self.inverse.reach(&rows, &mut scratch.reached);
        }
        for game in games {
            let rows = &rows[first..first + game.len()];
            scratch.information.fill(0.0);
            if rows.len() <= MOST_SOLVED {
                scratch.inform(rows, first);
            } else {
                // Rows of a large game are reached a few at a time, and not kept.
                for rows in rows.chunks(MOST_SOLVED) {
                    self.inverse.reach(rows, &mut scratch.reached);
                    scratch.inform(rows, 0);
                }
            }
            rows.iter().for_each(|row| add_terms(&mut scratch.pulls, row.error, row.terms));
            sums.add_moves(&self.moves(rows, first, scratch));
            sums.add_shares(&scratch.information, &self.information);
            scratch.close(sums, rows);
            first += game.len();
        }
    }

    fn row(&self, row: usize) -> FittedRow<'_> {
        let terms = self.data.rows.row(row);
        let p = sigmoid(FoldSplit::logit(terms, self.point));
        let error = p - f64::from(self.data.rows.results[row]);
        FittedRow { terms, error, curvature: p * (1.0 - p) }
    }

    /// The moves without a game of these rows, the first of which was reached at this place.
    fn moves(&self, rows: &[FittedRow], first: usize, scratch: &Scratch) -> Vec<f64> {
        let width = self.point.len();
        let moves = match rows.len() <= width.min(MOST_SOLVED) {
            true => moves_by_rows(rows, &scratch.reached, first),
            false if width <= MOST_SOLVED => self.moves_by_columns(rows, &scratch.pulls),
            false => None,
        };
        moves.unwrap_or_else(|| self.moves_by_shares(scratch))
    }

    /// The moves without a game, from the Hessian without it.
    fn moves_by_columns(&self, rows: &[FittedRow], pulls: &[f64]) -> Option<Vec<f64>> {
        let mut hessian = self.hessian.clone();
        let mut zeros = vec![0.0; pulls.len()];
        for row in rows {
            add_square_of(&mut hessian, -row.curvature, row.terms, &mut zeros);
        }
        solve(&hessian, 0.0, pulls.to_vec())
    }

    /// The moves without a game, each weight's corrected by the game's share of its information
    /// alone.
    fn moves_by_shares(&self, Scratch { pulls, information, .. }: &Scratch) -> Vec<f64> {
        let moved = |(place, row): (usize, &Vec<f64>)| {
            dot(row, pulls) / (1.0 - information[place] / row[place]).max(LEAST_REST)
        };
        self.inverse.rows.iter().enumerate().map(moved).collect()
    }
}

impl Scratch {
    fn new(width: usize) -> Self {
        let zeros = || vec![0.0; width];
        Self { reached: Reached::new(width), pulls: zeros(), information: zeros() }
    }

    /// Adds the information of rows, the first of which was reached at this place.
    fn inform(&mut self, rows: &[FittedRow], first: usize) {
        for (place, row) in rows.iter().enumerate() {
            let reach = self.reached.row(first + place);
            for (sum, value) in self.information.iter_mut().zip(reach) {
                *sum += row.curvature * value * value;
            }
        }
    }

    /// Adds the derivatives of a game of these rows, and forgets them.
    fn close(&mut self, sums: &mut MoveSums, rows: &[FittedRow]) {
        for term in rows.iter().flat_map(|row| row.terms) {
            let place = usize::from(term.column);
            sums.add_pull(place, mem::take(&mut self.pulls[place]));
        }
    }
}

/// Games in groups of at most [`MOST_SOLVED`] rows, or a single larger game.
fn groups(games: &[Range<usize>]) -> impl Iterator<Item = &[Range<usize>]> {
    let mut rest = games;
    std::iter::from_fn(move || {
        let mut rows = 0;
        let fits = |game: &&Range<usize>| {
            rows += game.len();
            rows <= MOST_SOLVED
        };
        let count = rest.iter().take_while(fits).count().max(1);
        let (group, later) = rest.split_at_checked(count)?;
        rest = later;
        Some(group)
    })
}

/// The moves without a game, by Woodbury's identity from the products of its rows: with the rows X,
/// their curvatures r^2 and errors e, and K = X H^-1 X', the moves are H^-1 X' (e + r y), where (1 -
/// r K r) y = r K e. `reached` has the rows of X H^-1 from this place on.
fn moves_by_rows(rows: &[FittedRow], reached: &Reached, first: usize) -> Option<Vec<f64>> {
    let reaches = || (first..first + rows.len()).map(|place| reached.row(place));
    let roots: Vec<f64> = rows.iter().map(|row| row.curvature.sqrt()).collect();
    let mut triangle = Vec::with_capacity(rows.len() * (rows.len() + 1) / 2);
    let mut right = vec![0.0; rows.len()];
    for (i, row) in rows.iter().enumerate() {
        for (j, reach) in reaches().enumerate().take(i + 1) {
            let product = FoldSplit::logit(row.terms, reach);
            triangle.push(-roots[i] * product * roots[j]);
            right[i] += roots[i] * product * rows[j].error;
            if j < i {
                right[j] += roots[j] * product * row.error;
            }
        }
    }
    let solved = solve(&triangle, 1.0, right)?;
    let mut moves = vec![0.0; reached.width];
    for (place, reach) in reaches().enumerate() {
        let factor = rows[place].error + roots[place] * solved[place];
        add_multiple(&mut moves, factor, reach);
    }
    Some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Stop;
    use crate::tune::rows::errors::tests::even;
    use crate::tune::rows::ridge::Ridge;

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
        let (inverse, information) = (Inverse::new(inverse), vec![1.0; 2]);
        let minimum = Minimum { data: &data, point: &point, hessian, inverse, information };
        let games = data.training_games();
        // All games are reached together, like a group.
        let all = games.iter().cloned().flatten();
        let all: Vec<FittedRow> = all.map(|row| minimum.row(row)).collect();
        let mut reached = Reached::new(2);
        minimum.inverse.reach(&all, &mut reached);
        let mut first = 0;
        for game in games {
            let rows = &all[first..first + game.len()];
            let mut pulls = vec![0.0; 2];
            rows.iter().for_each(|row| add_terms(&mut pulls, row.error, row.terms));
            let by_rows = moves_by_rows(rows, &reached, first).unwrap();
            first += game.len();
            let by_columns = minimum.moves_by_columns(rows, &pulls).unwrap();
            for (one, other) in by_rows.iter().zip(by_columns) {
                assert!((one - other).abs() < 1e-9 * (1.0 + other.abs()), "{one}, not {other}");
            }
        }
    }

    /// Games of many rows are left out like small ones.
    #[test]
    fn groups_hold_all_games_in_order() {
        let sizes = [1, 200, 55, 1, 300, 256, 2];
        let mut next = 0;
        let games: Vec<Range<usize>> = sizes
            .iter()
            .map(|size| {
                next += size;
                next - size..next
            })
            .collect();
        let found: Vec<usize> = groups(&games).map(<[_]>::len).collect();
        assert_eq!(found, [3, 1, 1, 1, 1]);
        assert_eq!(groups(&games).flatten().cloned().collect::<Vec<_>>(), games);
        assert_eq!(groups(&[]).count(), 0);
    }
}
