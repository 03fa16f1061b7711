//! The maximum of the likelihood of one pool of players, and its robust covariance.

use crate::graph::SpringNetwork;
use crate::pairs::{CELL_SCORES, PairingResult};
use crate::root::root;

/// Newton steps before giving up. Each gains about one unit of log-odds at worst, and a hundred
/// players on a chain of lopsided matches took under two hundred.
const MAX_STEPS: u32 = 2000;

/// The most that one Newton step changes the difference of two players who met, in log-odds.
/// Further out the likelihood is flat, and the next step would be wild.
const LONGEST_STEP: f64 = 4.0;

/// A step this small, in log-odds, ends the search: 1e-10 of a logit is a fifty-millionth of an
/// Elo.
const SMALL_STEP: f64 = 1e-10;

/// A step this small ends the search if it is no smaller than the one before: the rest is rounding.
const ROUNDING_STEP: f64 = 1e-5;

/// Pairs of two independent drawless games that are added to each pairing's variance.
const EXTRA_PAIRS: f64 = 1.0;

/// As many where all pairs scored the same: n pairs are all alike in one of forty matches if the
/// share of others is 1 - 0.025^(1 / n), nearly 3.69 / n. Seven pairs put that share at the end of
/// the interval.
const EXTRA_EQUAL_PAIRS: f64 = 7.0;

/// The most pairs that a pairing weighs in the fit. A larger pairing is scaled down, so that its
/// rounding does not swallow the other points.
const MOST_PAIRS: f64 = 1e9;

/// A pairing as the fit sees it.
#[derive(Clone, Copy, Debug)]
struct PairingTerm {
    a: usize,
    b: usize,
    cells: [f64; 5],
    pairs: f64,
    won: f64,
    lost: f64,
}

impl From<&PairingResult> for PairingTerm {
    fn from(&PairingResult { a, b, counts }: &PairingResult) -> Self {
        let weight = (MOST_PAIRS / counts.total()).min(1.0);
        let cells = counts.to_array().map(|count| weight * count as f64);
        let [pairs, won, lost] =
            [counts.total(), counts.won(), counts.lost()].map(|sum| weight * sum);
        Self { a, b, cells, pairs, won, lost }
    }
}

/// Fitted ratings in log-odds, and their covariance.
#[derive(Clone, Debug)]
pub(super) struct RatingFit {
    ratings: Vec<f64>,
    covariance: Vec<Vec<f64>>,
}

impl RatingFit {
    /// Fits `players` players who are all joined by chains of points taken. `None` if there are
    /// fewer than two, or if counts of very different size leave the search stuck in rounding.
    pub(super) fn new(players: usize, pairings: &[PairingResult]) -> Option<Self> {
        if players < 2 {
            return None;
        }
        let terms: Vec<PairingTerm> = pairings.iter().map(PairingTerm::from).collect();
        let ratings = maximum(players, &terms)?;
        let covariance = covariance(&ratings, &terms);
        let finite = covariance.iter().flatten().chain(&ratings).all(|value| value.is_finite());
        finite.then_some(Self { ratings, covariance })
    }

    /// The rating of player `i` and its variance.
    pub(super) fn rating(&self, i: usize) -> (f64, f64) {
        (self.ratings[i], self.covariance[i][i].max(0.0))
    }

    /// How much stronger `i` is than `j`, and the variance of that.
    pub(super) fn difference(&self, i: usize, j: usize) -> (f64, f64) {
        let c = &self.covariance;
        (self.ratings[i] - self.ratings[j], (c[i][i] + c[j][j] - (c[i][j] + c[j][i])).max(0.0))
    }
}

/// The expected scores of both sides at a difference in log-odds, each to full precision.
fn expected(difference: f64) -> (f64, f64) {
    let (win, lose) = ((-difference).exp(), difference.exp());
    (1.0 / (1.0 + win), 1.0 / (1.0 + lose))
}

/// The network whose springs are the curvature of the log-likelihood at these ratings.
fn curvature(ratings: &[f64], terms: &[PairingTerm]) -> SpringNetwork {
    let spring = |e: &PairingTerm| {
        let (win, lose) = expected(ratings[e.a] - ratings[e.b]);
        (e.a, e.b, e.pairs * win * lose)
    };
    SpringNetwork::new(ratings.len(), terms.iter().map(spring))
}

/// Points scored above expectation in one pairing, written in the form that keeps its digits if
/// nearly all is won.
fn surplus(e: &PairingTerm, difference: f64) -> f64 {
    let (win, lose) = expected(difference);
    e.won * lose - e.lost * win
}

/// Points scored above expectation by each player: the slope of the log-likelihood.
fn slope(ratings: &[f64], terms: &[PairingTerm]) -> Vec<f64> {
    let mut slope = vec![0.0; ratings.len()];
    for e in terms {
        let points = surplus(e, ratings[e.a] - ratings[e.b]);
        slope[e.a] += points;
        slope[e.b] -= points;
    }
    slope
}

/// The ratings of maximum likelihood, by Newton's method. The likelihood is concave, and no step
/// passes its maximum along the step, so each step raises it.
fn maximum(players: usize, terms: &[PairingTerm]) -> Option<Vec<f64>> {
    let mut ratings = vec![0.0; players];
    let mut previous = f64::INFINITY;
    for _ in 0..MAX_STEPS {
        let step = curvature(&ratings, terms).solve(slope(&ratings, terms));
        let largest = greatest(&step);
        let after = moved(&ratings, &step, terms);
        let stuck = largest >= previous && after == ratings;
        let scale = greatest(&after).max(1.0);
        ratings = after;
        if largest < SMALL_STEP * scale || (largest < ROUNDING_STEP * scale && largest >= previous)
        {
            return Some(ratings);
        }
        if stuck || !largest.is_finite() {
            return None;
        }
        previous = largest;
    }
    None
}

/// The largest magnitude; NaN if there is one.
fn greatest(values: &[f64]) -> f64 {
    values.iter().fold(
        0.0,
        |most: f64, value| if value.is_nan() || value.abs() > most { value.abs() } else { most },
    )
}

/// The ratings after `step`, or after the part of it that is safe.
fn moved(ratings: &[f64], step: &[f64], terms: &[PairingTerm]) -> Vec<f64> {
    let after =
        |share: f64| -> Vec<f64> { ratings.iter().zip(step).map(|(r, s)| r + share * s).collect() };
    let slope_after = |share: f64| -> f64 {
        let rise = |e: &PairingTerm| {
            let apart = step[e.a] - step[e.b];
            surplus(e, ratings[e.a] - ratings[e.b] + share * apart) * apart
        };
        terms.iter().map(rise).sum()
    };
    let longest = terms.iter().map(|e| (step[e.a] - step[e.b]).abs()).fold(0.0, f64::max);
    let share = (LONGEST_STEP / longest).min(1.0);
    if slope_after(share) >= 0.0 { after(share) } else { after(root(slope_after, 0.0, share)) }
}

/// The sandwich: the sum, over the pairings, of the variance of their points times the outer square
/// of the ratings' change for one point more.
fn covariance(ratings: &[f64], terms: &[PairingTerm]) -> Vec<Vec<f64>> {
    let network = curvature(ratings, terms);
    let mut covariance = vec![vec![0.0; ratings.len()]; ratings.len()];
    for e in terms {
        let moves = network.pull(e.a, e.b);
        let variance = points_variance(e, ratings[e.a] - ratings[e.b], moves[e.a] - moves[e.b]);
        for (row, left) in covariance.iter_mut().zip(&moves) {
            row.iter_mut().zip(&moves).for_each(|(cell, right)| *cell += variance * left * right);
        }
    }
    covariance
}

/// The variance of the points of one pairing: its pairs times the variance of one pair about its
/// expectation. `resistance` is the change of the difference for one point more in this pairing.
fn points_variance(e: &PairingTerm, difference: f64, resistance: f64) -> f64 {
    let (win, lose) = expected(difference);
    let leverage = (e.pairs * win * lose * resistance).min(1.0);
    // A cell's distance from the expectation, without cancellation near a score of 1.
    let distance = |cell: f64| cell * lose - (1.0 - cell) * win;
    let cells = e.cells.into_iter().zip(CELL_SCORES);
    let squares: f64 = cells.map(|(count, cell)| count * distance(cell).powi(2)).sum();
    let is_equal = e.cells.iter().filter(|&&count| count > 0.0).count() == 1;
    let extra_pairs = if is_equal { EXTRA_EQUAL_PAIRS } else { EXTRA_PAIRS };
    let extra = extra_pairs * win * lose / 2.0;
    e.pairs * (squares + extra) / (e.pairs - leverage + EXTRA_PAIRS)
}
