//! Scores, Elo, and intervals for them.

use std::f64::consts::LN_10;

use super::pairs::{CELL_SCORES, PairCounts};
use super::quantile::{TAIL, Z_95};
use super::root::root;

/// Elo in one unit of log-odds (logit).
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// The Elo difference at which a player scores `s`: 400 log10(s / (1 - s)). `None` unless 0 < `s` <
/// 1.
///
/// ```
/// use sparring_stats::elo_of_score;
/// assert_eq!(elo_of_score(0.5), Some(0.0));
/// assert_eq!(elo_of_score(1.0), None);
/// ```
pub fn elo_of_score(s: f64) -> Option<f64> {
    elo_of_odds(s, 1.0 - s)
}

/// The expected score, from 0 to 1, of a player who is `elo` Elo the stronger: 1 / (1 + 10^(-elo /
/// 400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + f64::powf(10.0, -elo / 400.0))
}

/// The Elo of `won` points to `lost`, which need not add up to 1. `None` unless both are positive.
pub(super) fn elo_of_odds(won: f64, lost: f64) -> Option<f64> {
    (won > 0.0 && lost > 0.0).then(|| 400.0 * (won / lost).log10())
}

/// A 95 % interval of the Elo difference; an end that is `None` is not bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
}

impl Interval {
    /// The interval without bounds, which says nothing.
    pub(super) const UNKNOWN: Self = Self { low: None, high: None };

    /// Half its width, if both ends are bounded.
    pub(super) fn half_width(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// The usual interval: the mean score plus and minus 1.96 standard errors of the pairs, as Elo.
/// `None` where it does not hold: without variance, or where it leaves the scores 0 to 1.
pub(super) fn normal_interval(counts: &PairCounts) -> Option<Interval> {
    let (variance, pairs) = (counts.variance()?, counts.total());
    let (won, lost) = (counts.won() / pairs, counts.lost() / pairs);
    let margin = Z_95 * (variance / pairs).sqrt();
    if margin == 0.0 {
        return None;
    }
    let low = elo_of_odds(won - margin, lost + margin)?;
    let high = elo_of_odds(won + margin, lost - margin)?;
    Some(Interval { low: Some(low), high: Some(high) })
}

/// The prior counts for the interval on the logit scale: one pair of two independent even games
/// without draws, in the order of [`PairCounts::to_array`].
const PSEUDO_PAIR: [f64; 5] = [0.25, 0.0, 0.5, 0.0, 0.25];

/// The Elo difference and its standard error on the logit scale, with one pseudo pair added. The
/// interval of 1.96 standard errors about it holds the truth in 95 % of matches even for 20 pairs,
/// where the [`normal_interval`] reaches 94 %; its two tails are more even far from an even score
/// (measured over 20 laws of pairs). `None` if all pairs scored the same.
pub(super) fn logit_estimate(counts: &PairCounts) -> Option<(f64, f64)> {
    if counts.variance()? == 0.0 {
        return None;
    }
    let cells = counts.to_array().into_iter().zip(PSEUDO_PAIR);
    let cells: Vec<f64> = cells.map(|(count, pseudo)| count as f64 + pseudo).collect();
    let pairs = counts.total() + 1.0;
    let (won, lost) = ((counts.won() + 0.5) / pairs, (counts.lost() + 0.5) / pairs);
    // A cell minus the mean, without cancellation near a score of 1.
    let squares = |(count, cell): (f64, f64)| count * (cell * lost - (1.0 - cell) * won).powi(2);
    let variance: f64 = cells.into_iter().zip(CELL_SCORES).map(squares).sum::<f64>() / pairs;
    let error = (variance / pairs).sqrt() / (won * lost);
    // Seen from the other side, a difference of logarithms is exactly the opposite.
    Some((ELO_PER_LOGIT * (won.ln() - lost.ln()), ELO_PER_LOGIT * error))
}

/// The 95 % interval of the Elo difference shown beside the usual one: from [`logit_estimate`], or
/// the [`certain_interval`] if all pairs scored the same.
pub(super) fn robust_interval(counts: &PairCounts) -> Interval {
    logit_estimate(counts).map_or_else(
        || certain_interval(counts),
        |(elo, error)| Interval { low: Some(elo - Z_95 * error), high: Some(elo + Z_95 * error) },
    )
}

/// An interval that holds for any counts and any number of pairs: all mean scores m with N kl(s, m)
/// <= ln(2 / 0.05), where kl is the Kullback-Leibler divergence of two coins. By Chernoff and
/// Hoeffding, the true mean is outside in at most one of twenty matches, whatever the distribution
/// of the pairs. It is wide, since it trusts no observed variance. If every pair was won, it is the
/// exact bound 0.025^(1/N), with no upper end.
pub(super) fn certain_interval(counts: &PairCounts) -> Interval {
    if counts.total() == 0.0 {
        return Interval::UNKNOWN;
    }
    let high = |counts: &PairCounts| chernoff_above(counts).map(|logit| logit * ELO_PER_LOGIT);
    Interval { low: high(&counts.mirrored()).map(|elo| -elo), high: high(counts) }
}

/// The upper end of [`certain_interval`] in logits; `None` where no pair lost a point.
fn chernoff_above(counts: &PairCounts) -> Option<f64> {
    let (won, lost, pairs) = (counts.won(), counts.lost(), counts.total());
    let allowance = -TAIL.ln() / pairs;
    if lost == 0.0 {
        return None;
    }
    if won == 0.0 {
        return Some(allowance.exp_m1().ln());
    }
    let (won, lost) = (won / pairs, lost / pairs);
    let entropy = -won * won.ln() - lost * lost.ln();
    let excess = |logit: f64| won * softplus(-logit) + lost * softplus(logit) - entropy - allowance;
    let centre = (won / lost).ln();
    let mut step = 1e-9;
    while excess(centre + step) < 0.0 && step < f64::MAX / 2.0 {
        step *= 2.0;
    }
    Some(root(excess, centre, centre + step))
}

/// ln(1 + e^x) without overflow: minus the logarithm of a score, for x = minus its logit.
pub(super) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certain(counts: [u64; 5]) -> Interval {
        certain_interval(&PairCounts::from_array(counts))
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-1200.0, -3.5, 0.0, 0.25, 100.0, 800.0] {
            assert!((elo_of_score(score_of_elo(elo)).unwrap() - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert_eq!((score_of_elo(1e9), score_of_elo(-1e9)), (1.0, 0.0));
        for none in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert_eq!(elo_of_score(none), None);
        }
    }

    #[test]
    fn a_clean_sweep_gets_the_exact_bound() {
        let Interval { low, high } = certain([0, 0, 0, 0, 50]);
        assert_eq!(high, None);
        // The score m at which 50 of 50 pairs are won in one of forty matches: m^50 = 0.025.
        assert!((score_of_elo(low.unwrap()) - 0.025f64.powf(0.02)).abs() < 1e-12);
        let lost = certain([50, 0, 0, 0, 0]);
        assert_eq!((lost.low, lost.high), (None, low.map(|elo| -elo)));
    }

    #[test]
    fn the_certain_interval_solves_its_equation() {
        let Interval { low, high } = certain([0, 0, 3, 0, 40]);
        let score: f64 = 41.5 / 43.0;
        for end in [low, high] {
            let m = score_of_elo(end.unwrap());
            let divergence =
                score * (score / m).ln() + (1.0 - score) * ((1.0 - score) / (1.0 - m)).ln();
            assert!((43.0 * divergence - 40f64.ln()).abs() < 1e-9, "{divergence}");
        }
        assert!(low < elo_of_score(score) && elo_of_score(score) < high);
    }

    #[test]
    fn splits_are_bounded_on_both_sides_and_more_pairs_say_more() {
        let few = certain([0, 0, 1, 0, 0]);
        let many = certain([0, 0, 100, 0, 0]);
        assert_eq!(few.low.map(|elo| -elo), few.high);
        assert!(many.half_width() < few.half_width());
        assert!(many.half_width().unwrap() < 100.0 && few.half_width().unwrap() < 1600.0);
        assert_eq!(certain([0; 5]), Interval::UNKNOWN);
    }
}
