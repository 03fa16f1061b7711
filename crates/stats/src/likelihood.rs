//! The generalised log-likelihood ratio of two hypotheses about a match.
//!
//! Each hypothesis fixes one number of the unknown distribution of pair scores: its mean
//! (logistic), or its t-value, the mean's edge in standard deviations (normalised). Each is
//! represented by the likeliest distribution that obeys it, and LLR = N sum q ln(p1 / p0) for
//! observed shares q. With the divergence K = sum q ln(q / p), that is N (K0 - K1), so everything
//! here computes a divergence.
//!
//! Van den Bergh finds the likeliest distribution with a given t-value by linearising the
//! constraint about the last estimate and repeating. That converges to a stationary point for
//! ordinary matches, and does not end for lopsided ones. Here the same stationary points are found
//! along a line: each standard deviation gives one linearised problem, whose solution has some
//! mean; the solution is stationary where that mean is t times the standard deviation. So the
//! search has one dimension, is bracketed, and cannot diverge. Of several solutions it takes the
//! likeliest.

use super::elo::score_of_elo;
use super::pairs::{CELL_SCORES, PairCounts};
use super::root::root;

/// The count of an empty cell, in pairs, so that no hypothesis is impossible. As in fishtest and
/// fastchess.
const EMPTY_CELL: f64 = 1e-3;

/// Scores of the cells less the even score, 1/2.
const EDGES: [f64; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// The largest standard deviation a distribution on these cells can have.
const LARGEST_DEVIATION: f64 = 0.5;

/// Points of the coarse search for the best standard deviation, about each cell.
const GRID: u32 = 24;

/// A t-value below this counts as zero: it moves no LLR by 1e-6 for fewer than 10^12 pairs.
const NO_EDGE: f64 = 1e-9;

/// The share of each cell among the observed pairs, none of them zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observed {
    shares: [f64; 5],
    pairs: f64,
}

impl Observed {
    /// The shares of `counts`, an empty cell counted as [`EMPTY_CELL`]; `None` without pairs.
    pub(super) fn new(counts: &PairCounts) -> Option<Self> {
        let cells =
            counts.to_array().map(|count| if count == 0 { EMPTY_CELL } else { count as f64 });
        let pairs: f64 = cells.iter().sum();
        (counts.total() > 0.0).then(|| Self { shares: cells.map(|cell| cell / pairs), pairs })
    }

    /// The log-likelihood ratio of a mean score of `elo1` Elo to one of `elo0`.
    pub(super) fn llr_of_elos(&self, elo0: f64, elo1: f64) -> Option<f64> {
        // A cell minus the mean score; written with both sides' scores, it keeps its digits near 0
        // and 1.
        let edge =
            |elo: f64, cell: f64| cell * score_of_elo(-elo) - (1.0 - cell) * score_of_elo(elo);
        let divergence = |elo| {
            Some(constrained(&self.shares, CELL_SCORES.map(|cell| edge(elo, cell)))?.divergence)
        };
        Some(self.pairs * (divergence(elo0)? - divergence(elo1)?))
    }

    /// The log-likelihood ratio of t-value `t1` to `t0`.
    pub(super) fn llr_of_t_values(&self, t0: f64, t1: f64) -> Option<f64> {
        Some(
            self.pairs
                * (t_value_divergence(&self.shares, t0)? - t_value_divergence(&self.shares, t1)?),
        )
    }
}

/// The likeliest distribution under one linear constraint.
#[derive(Clone, Copy, Debug)]
struct Constrained {
    /// Sum of q ln(q / p): 0 when the observed shares obey the constraint themselves, else
    /// positive.
    divergence: f64,
    /// Its mean edge: sum of p times [`EDGES`].
    mean: f64,
}

/// The likeliest p with sum p g = 0, which is p = q / (1 + x g) for the x that solves the
/// constraint. `None` when `g` has no change of sign, so that no distribution obeys.
///
/// x is written as (w - 1) / max g, with the sign of `g` chosen so that 0 < w <= 1, and the
/// equation is solved for ln w: then neither an x near its pole (shares of 1e-22) nor one near 0
/// loses digits.
fn constrained(shares: &[f64; 5], g: [f64; 5]) -> Option<Constrained> {
    let sign = if dot(shares, &g) > 0.0 { -1.0 } else { 1.0 };
    let g = g.map(|value| sign * value);
    let top = (0..5).max_by(|&i, &j| g[i].total_cmp(&g[j]))?;
    if !(g[top] > 0.0 && g.iter().any(|&value| value < 0.0)) {
        return None;
    }
    let slope = g.map(|value| value / g[top]);
    let rest = g.map(|value| (g[top] - value) / g[top]);
    let divisors = |log_w: f64| -> [f64; 5] {
        let (w, less) = (log_w.exp(), log_w.exp_m1());
        std::array::from_fn(
            |i| if w < 0.5 { rest[i] + slope[i] * w } else { 1.0 + slope[i] * less },
        )
    };
    let excess = |log_w: f64| -> f64 {
        let divisors = divisors(log_w);
        (0..5).map(|i| shares[i] * slope[i] / divisors[i]).sum()
    };
    let log_w = root(excess, shares[top].ln(), 0.0);
    let (w, less) = (log_w.exp(), log_w.exp_m1());
    let log_divisor =
        |i: usize| if w < 0.5 { (rest[i] + slope[i] * w).ln() } else { (slope[i] * less).ln_1p() };
    let divergence = (0..5).map(|i| shares[i] * log_divisor(i)).sum::<f64>().max(0.0);
    let divisors = divisors(log_w);
    let mean = (0..5).map(|i| shares[i] / divisors[i] * EDGES[i]).sum();
    Some(Constrained { divergence, mean })
}

/// The divergence from `shares` of the likeliest distribution whose mean edge is `t` standard
/// deviations.
fn t_value_divergence(shares: &[f64; 5], t: f64) -> Option<f64> {
    if t.abs() < NO_EDGE {
        return Some(constrained(shares, EDGES)?.divergence);
    }
    let mut shares = *shares;
    if t < 0.0 {
        shares.reverse();
    }
    let t = t.abs();
    let mean = dot(&shares, &EDGES);
    let variance: f64 = (0..5).map(|i| shares[i] * (EDGES[i] - mean).powi(2)).sum();
    let log_deviation = if mean > t * variance.sqrt() {
        from_above(&shares, t, mean, variance)
    } else {
        from_below(&shares, t)?
    };
    Some(at_deviation(&shares, t, log_deviation)?.divergence)
}

/// The solution of the constraint linearised about the standard deviation e^`log_deviation` and the
/// mean edge `t` times that: E[b - t (d + (b - t d)^2 / d) / 2] = 0 for a cell's edge b and the
/// deviation d.
fn at_deviation(shares: &[f64; 5], t: f64, log_deviation: f64) -> Option<Constrained> {
    let deviation = log_deviation.exp();
    let mean = t * deviation;
    constrained(shares, EDGES.map(|b| b - t * (deviation + (b - mean).powi(2) / deviation) / 2.0))
}

/// How far the solution's mean is above the one it was linearised about; zero where it is
/// stationary. Rounding can make the ends of the range impossible: there the mean is its `limit`.
fn surplus(shares: &[f64; 5], t: f64, log_deviation: f64, limit: f64) -> f64 {
    let mean = at_deviation(shares, t, log_deviation).map_or(limit, |fit| fit.mean);
    mean - t * log_deviation.exp()
}

/// The stationary ln deviation when the observed t-value is above `t` > 0. The distributions with
/// at most that t-value form a convex set, so there is one solution; it lies among the means m
/// whose linearised constraint the observed shares break, which is a quadratic inequality in m, and
/// [`surplus`] is positive at its lower end and negative at its upper.
fn from_above(shares: &[f64; 5], t: f64, mean: f64, variance: f64) -> f64 {
    let squares = mean * mean + variance;
    let reach = ((mean * mean - t * t * variance) / (1.0 + t * t)).max(0.0).sqrt();
    let high = mean + reach;
    let low = t * t * squares / (1.0 + t * t) / high;
    root(|x| surplus(shares, t, x, mean), (low / t).ln(), (high / t).ln())
}

/// The best ln deviation when the observed t-value is below `t` > 0. The allowed distributions do
/// not form a convex set, so there may be a solution about each of the two cells above even. Both
/// are searched on a grid, the best point of each is refined to a zero of [`surplus`], which has
/// the sign of the likelihood's slope, and the better one is taken. Without refining both, nearly
/// equal solutions would be confused.
fn from_below(shares: &[f64; 5], t: f64) -> Option<f64> {
    let cost =
        |point: f64| at_deviation(shares, t, point).map_or(f64::INFINITY, |fit| fit.divergence);
    let refined = |cell: f64| {
        let (low, high) = deviations_about(cell, t);
        let step = (high - low) / f64::from(GRID);
        let points = (0..GRID).map(|i| low + (f64::from(i) + 0.5) * step);
        let best = points.min_by(|&a, &b| cost(a).total_cmp(&cost(b)))?;
        let surplus = |x: f64| surplus(shares, t, x, cell);
        Some(if surplus(best) > 0.0 {
            root(surplus, best, (best + step).min(high))
        } else {
            root(surplus, (best - step).max(low), best)
        })
    };
    let found = [EDGES[3], EDGES[4]].into_iter().filter_map(refined);
    found.min_by(|&a, &b| cost(a).total_cmp(&cost(b)))
}

/// The range of ln deviation d in which the linearised constraint can be met thanks to `cell`:
/// where (cell - t d)^2 (1 + t^2) < cell^2, and d is one that a distribution can have.
fn deviations_about(cell: f64, t: f64) -> (f64, f64) {
    let k = t.hypot(1.0);
    let low = cell * t / (k * (k + 1.0));
    let high = (cell * (1.0 + 1.0 / k) / t).min(LARGEST_DEVIATION);
    (low.ln(), high.ln())
}

/// The sum of products.
fn dot(a: &[f64; 5], b: &[f64; 5]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The t-value fixed by linearising and repeating from the given start, as in Van den Bergh's
    /// text; the divergence if it converges to a distribution that has the t-value.
    fn repeated(shares: &[f64; 5], t: f64, start: [f64; 5]) -> Option<f64> {
        let moments = |p: &[f64; 5]| {
            let mean = dot(p, &EDGES);
            (mean, (0..5).map(|i| p[i] * (EDGES[i] - mean).powi(2)).sum::<f64>().sqrt())
        };
        let mut p = start;
        for _ in 0..3000 {
            let (mean, deviation) = moments(&p);
            let g =
                EDGES.map(|b| b - t * deviation * (1.0 + ((mean - b) / deviation).powi(2)) / 2.0);
            let (low, high) =
                g.iter().fold((0f64, 0f64), |(low, high), &v| (low.min(v), high.max(v)));
            if !(low < 0.0 && high > 0.0) {
                return None;
            }
            let excess = |x: f64| (0..5).map(|i| shares[i] * g[i] / (1.0 + x * g[i])).sum::<f64>();
            let x = root(excess, -1.0 / high * (1.0 - 1e-13), -1.0 / low * (1.0 - 1e-13));
            p = std::array::from_fn(|i| shares[i] / (1.0 + x * g[i]));
        }
        let (mean, deviation) = moments(&p);
        let holds =
            (mean - t * deviation).abs() < 1e-9 && (p.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        holds.then(|| (0..5).map(|i| shares[i] * (shares[i] / p[i]).ln()).sum())
    }

    /// A uniform start, the observed shares, and starts that favour each cell.
    fn starts(shares: [f64; 5]) -> Vec<[f64; 5]> {
        let favouring = |cell| std::array::from_fn(|i| if i == cell { 0.9 } else { 0.025 });
        [[0.2; 5], shares].into_iter().chain((0..5).map(favouring)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// The oracle is the published iteration from several starts: ours is never worse than any,
        /// and the same as the best wherever one of them comes to rest.
        #[test]
        fn no_start_of_the_published_iteration_beats_the_search(
            counts in prop::array::uniform5(0u64..200),
            t in -3.0..3.0f64,
        ) {
            let Some(Observed { shares, .. }) = Observed::new(&PairCounts::from_array(counts)) else {
                return Ok(());
            };
            let ours = t_value_divergence(&shares, t).unwrap();
            let theirs = starts(shares).into_iter().filter_map(|start| repeated(&shares, t, start));
            if let Some(best) = theirs.min_by(f64::total_cmp) {
                prop_assert!((ours - best).abs() < 1e-8 * (1.0 + best), "{ours} {best}");
            }
        }

        /// The observed distribution is the most likely one.
        #[test]
        fn the_observed_t_value_costs_nothing(counts in prop::array::uniform5(1u64..1000)) {
            let shares = Observed::new(&PairCounts::from_array(counts)).unwrap().shares;
            let mean = dot(&shares, &EDGES);
            let deviation = (0..5).map(|i| shares[i] * (EDGES[i] - mean).powi(2)).sum::<f64>().sqrt();
            prop_assert!(t_value_divergence(&shares, mean / deviation).unwrap() < 1e-12);
            prop_assert!(t_value_divergence(&shares, mean / deviation + 0.1).unwrap() > 1e-6);
            prop_assert!(t_value_divergence(&shares, mean / deviation - 0.1).unwrap() > 1e-6);
        }
    }

    /// Two solutions of nearly the same likelihood, of which a coarse grid would choose the worse.
    #[test]
    fn the_better_of_two_solutions_that_are_close_is_taken() {
        let shares = Observed::new(&PairCounts::from_array([27, 168, 104, 93, 31])).unwrap().shares;
        let found = t_value_divergence(&shares, 2.521949779150349).unwrap();
        assert!((found - 1.7086170909875198).abs() < 1e-9, "{found}");
    }

    #[test]
    fn a_constraint_that_nothing_obeys_has_no_fit() {
        assert!(constrained(&[0.2; 5], [1.0; 5]).is_none());
        assert!(constrained(&[0.2; 5], [-1.0; 5]).is_none());
        assert!(constrained(&[0.2; 5], [f64::NAN; 5]).is_none());
        assert!(constrained(&[0.2; 5], EDGES).unwrap().divergence < 1e-15);
    }
}
