//! All numbers of one match.

use serde::{Deserialize, Serialize};

use super::elo::{Interval, elo_of_odds, logit_estimate, normal_interval, robust_interval};
use super::pairs::{CELL_SCORES, PairCounts};
use super::quantile::{Z_95, los_of_z};
use super::sprt::{NELO_PER_DEVIATION, Sprt, Verdict};

/// The normalised Elo up to which its error is that of an even match, the usual one of the field.
const SMALL_EDGE: f64 = 100.0;

/// A match between two players in numbers, seen from the first.
///
/// `None` (null in JSON) means that the number is not defined for these counts. No field is ever
/// NaN or infinite. Without pairs all but the counts are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// The pairs by what they scored.
    pub pairs: PairCounts,
    /// The number of games, two a pair.
    pub games: u64,
    /// The mean score, from 0 to 1.
    pub score: Option<f64>,
    /// The Elo difference of the mean score; null when every game was won, or every game lost.
    pub elo: Option<f64>,
    /// Half the width, in Elo, of the usual 95 % interval (mean score plus and minus 1.96 standard
    /// errors); null when all pairs scored the same or when that interval leaves the scores 0 to 1.
    pub elo_error: Option<f64>,
    /// The lower end of a 95 % interval of the Elo difference: the usual one on the logit scale,
    /// with one even pair added to the counts, which also holds for 20 pairs. If all pairs scored
    /// the same, it is Chernoff's bound. Null only when no points were won: then it has no lower
    /// end.
    pub elo_low: Option<f64>,
    /// The upper end of the same interval. Null only when no points were lost: then it has no upper
    /// end.
    pub elo_high: Option<f64>,
    /// Normalised Elo: the edge in standard deviations of a game's score, times 800 / ln 10; null
    /// when all pairs scored the same.
    pub nelo: Option<f64>,
    /// Half the width of the 95 % interval of `nelo`: 681 / sqrt(games) up to 100 `nelo`, beyond
    /// that by the delta method, and more if few pairs make `los` follow the interval of the Elo
    /// difference; null when `nelo` is.
    pub nelo_error: Option<f64>,
    /// The likelihood of superiority, from 0 to 1; null when all pairs scored the same. It is
    /// computed for a normal score; if few pairs make that contradict `elo_low` and `elo_high`, it
    /// is computed from their interval.
    pub los: Option<f64>,
    /// The log-likelihood ratio of the SPRT, if there is one.
    pub llr: Option<f64>,
    /// The bound at which the SPRT accepts H0.
    #[serde(default)]
    pub llr_low: Option<f64>,
    /// The bound at which the SPRT accepts H1.
    #[serde(default)]
    pub llr_high: Option<f64>,
    /// The verdict of the SPRT; null while there is none. [`Summary::of`] gives the verdict at
    /// these counts; [`SprtTracker::summary`](super::SprtTracker::summary) the one frozen when the
    /// bound was crossed.
    pub verdict: Option<Verdict>,
}

impl Summary {
    /// The numbers for these counts, with an LLR and a verdict if there is a test.
    pub fn of(counts: &PairCounts, sprt: Option<&Sprt>) -> Self {
        let normal = normal_interval(counts);
        let interval = robust_interval(counts);
        let deviations = deviations(counts);
        let edge = deviations.map(|t| Edge::of(t * counts.total().sqrt(), counts, normal));
        let llr = sprt.and_then(|sprt| sprt.llr(counts));
        Self {
            pairs: *counts,
            games: counts.games(),
            score: counts.score(),
            elo: elo_of_odds(counts.won(), counts.lost()),
            elo_error: normal.and_then(|interval| interval.half_width()),
            elo_low: interval.low,
            elo_high: interval.high,
            // A game's deviation is sqrt(2) times the deviation of a pair's mean.
            nelo: deviations.map(|t| NELO_PER_DEVIATION * t / std::f64::consts::SQRT_2),
            nelo_error: edge.map(|edge| {
                let spread = deviations.map_or(1.0, |t| spread(t, counts));
                let usual = NELO_PER_DEVIATION * Z_95 / (2.0 * counts.total()).sqrt();
                usual * edge.widening.max(spread)
            }),
            los: edge.map(|edge| los_of_z(edge.z)),
            llr,
            llr_low: llr.and(sprt).map(Sprt::lower),
            llr_high: llr.and(sprt).map(Sprt::upper),
            verdict: sprt.zip(llr).and_then(|(sprt, llr)| sprt.verdict_at(llr)),
        }
    }
}

/// The edge of the mean score over 1/2 in standard deviations of a pair (the t-value).
fn deviations(counts: &PairCounts) -> Option<f64> {
    let deviation = counts.variance()?.sqrt();
    let edge = (counts.won() - counts.lost()) / counts.total() / 2.0;
    (deviation > 0.0).then(|| edge / deviation)
}

/// The factor by which the error of an edge of `t` standard deviations is larger than that of no
/// edge, since the deviation is an estimate too: sqrt(1 - g t + t^2 (k - 1) / 4) by the delta
/// method, with g the skewness of the pairs and k their kurtosis. 1 for a small edge.
fn spread(t: f64, counts: &PairCounts) -> f64 {
    if (t * NELO_PER_DEVIATION / std::f64::consts::SQRT_2).abs() <= SMALL_EDGE {
        return 1.0;
    }
    let (Some(score), Some(variance)) = (counts.score(), counts.variance()) else { return 1.0 };
    let moment = |power: i32| {
        let cells = counts.to_array().into_iter().zip(CELL_SCORES);
        let sum: f64 = cells.map(|(count, cell)| count as f64 * (cell - score).powi(power)).sum();
        sum / counts.total() / variance.powf(f64::from(power) / 2.0)
    };
    (1.0 - moment(3) * t + t * t * (moment(4) - 1.0) / 4.0).max(1.0).sqrt()
}

/// The edge over an even score in standard errors.
#[derive(Clone, Copy, Debug)]
struct Edge {
    z: f64,
    /// The factor of the usual error that puts the edge at this `z`.
    widening: f64,
}

impl Edge {
    /// The usual edge, from the observed variance, unless it contradicts the interval of the Elo
    /// difference: few pairs may have hardly any variance by luck. Then the edge behind that
    /// interval.
    fn of(usual: f64, counts: &PairCounts, normal: Option<Interval>) -> Self {
        let robust = logit_estimate(counts).map_or(usual, |(elo, error)| elo / error);
        let agrees = (usual.abs() > Z_95) == (robust.abs() > Z_95);
        if (normal.is_some() && agrees) || robust == 0.0 {
            return Self { z: usual, widening: 1.0 };
        }
        Self { z: robust, widening: (usual / robust).max(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn of(counts: [u64; 5]) -> Summary {
        Summary::of(&PairCounts::from_array(counts), None)
    }

    #[test]
    fn nothing_played_defines_nothing() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let summary = Summary::of(&PairCounts::default(), Some(&sprt));
        let expected = Summary {
            pairs: PairCounts::default(),
            games: 0,
            score: None,
            elo: None,
            elo_error: None,
            elo_low: None,
            elo_high: None,
            nelo: None,
            nelo_error: None,
            los: None,
            llr: None,
            llr_low: None,
            llr_high: None,
            verdict: None,
        };
        assert_eq!(summary, expected);
    }

    #[test]
    fn a_clean_sweep_is_bounded_below_only() {
        let summary = of([0, 0, 0, 0, 50]);
        assert_eq!((summary.score, summary.elo, summary.elo_error), (Some(1.0), None, None));
        assert!(summary.elo_low.unwrap() > 440.0);
        assert_eq!((summary.elo_high, summary.nelo, summary.los), (None, None, None));
    }

    #[test]
    fn splits_only_have_an_elo_and_no_false_certainty() {
        let summary = of([0, 0, 100, 0, 0]);
        assert_eq!((summary.elo, summary.elo_error), (Some(0.0), None));
        assert_eq!((summary.nelo, summary.nelo_error, summary.los), (None, None, None));
        assert!(summary.elo_low.unwrap() < -10.0 && summary.elo_high.unwrap() > 10.0);
    }

    #[test]
    fn a_lopsided_match_keeps_its_elo_and_gets_a_bounded_interval() {
        let summary = of([0, 0, 1, 0, 2]);
        assert!(summary.elo.is_some() && summary.elo_error.is_none() && summary.nelo.is_some());
        assert!(summary.elo_low < summary.elo && summary.elo < summary.elo_high);
    }

    #[test]
    fn few_pairs_prove_nothing_that_the_interval_denies() {
        // Three pairs; Student's t with two degrees of freedom gives 91 %, a normal score 99.3 %.
        let few = of([0, 0, 1, 0, 2]);
        assert!((few.los.unwrap() - 0.91).abs() < 0.01, "{few:?}");
        assert!(few.elo_low < Some(0.0) && few.nelo < few.nelo_error, "{few:?}");
        // Six pairs; Student's t with five gives 96.2 %.
        let six = of([0, 0, 3, 0, 3]);
        assert!((six.los.unwrap() - 0.962).abs() < 0.01, "{six:?}");
        assert!(six.elo_low < Some(0.0) && six.nelo < six.nelo_error, "{six:?}");
    }

    #[test]
    fn the_error_of_a_large_edge_counts_that_its_deviation_is_an_estimate() {
        // One pair of n was halved, the others won: n (1 - 1 / n) halved pairs are a binomial
        // count, from whose share p the edge is (1 - p) / sqrt(p (1 - p)) = sqrt(1 / p - 1).
        for (halved, won) in [(50_u64, 950_u64), (10, 990)] {
            let found = of([0, 0, halved, 0, won]);
            let p = halved as f64 / (halved + won) as f64;
            let slope = 0.5 / (p * p) / (1.0 / p - 1.0).sqrt();
            let error = Z_95 * slope * (p * (1.0 - p) / (halved + won) as f64).sqrt();
            let nelo = NELO_PER_DEVIATION / std::f64::consts::SQRT_2;
            assert!((found.nelo.unwrap() - nelo * (1.0 / p - 1.0).sqrt()).abs() < 1e-6);
            assert!((found.nelo_error.unwrap() - nelo * error).abs() < 1e-6, "{found:?}");
        }
        let errors = [[950, 0, 50, 0, 0], [0, 0, 50, 0, 950]].map(|counts| of(counts).nelo_error);
        assert!((errors[0].unwrap() - errors[1].unwrap()).abs() < 1e-9, "{errors:?}");
    }

    #[test]
    fn json_has_null_for_what_is_not_defined() {
        let json = serde_json::to_value(of([0, 0, 0, 0, 1])).unwrap();
        assert_eq!(json["pairs"]["ww"], 1);
        assert_eq!(json["games"], 2);
        for field in ["elo", "elo_error", "elo_high", "nelo", "nelo_error", "los", "llr", "verdict"]
        {
            assert!(json.get(field).is_some_and(serde_json::Value::is_null), "{field}");
        }
    }
}
