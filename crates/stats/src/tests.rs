//! Tests against published numbers, and over counts of all sizes.

use proptest::prelude::*;
use serde::Deserialize;

use super::*;

const VECTORS: &str = include_str!("../../../tests/data/statistics.json");

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
    edge: Vec<Edge>,
}

#[derive(Deserialize)]
struct Case {
    penta: [u64; 5],
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    lower: f64,
    upper: f64,
    score: f64,
    var_pair: f64,
    elo: f64,
    elo_err95: Option<f64>,
    nelo: Option<f64>,
    nelo_err95: Option<f64>,
    los: Option<f64>,
    llr_normalized: f64,
    llr_logistic: f64,
}

#[derive(Deserialize)]
struct Edge {
    penta: [u64; 5],
    elo0: f64,
    elo1: f64,
    llr_normalized: Option<f64>,
    llr_logistic: f64,
}

fn vectors() -> Vectors {
    serde_json::from_str(VECTORS).unwrap()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, what: &str, penta: [u64; 5]) {
    assert!(
        (found - expected).abs() <= 1e-6 * expected.abs(),
        "{what} of {penta:?}: {found}, not {expected}"
    );
}

#[track_caller]
fn assert_llr(sprt: &Sprt, penta: [u64; 5], expected: f64) {
    let found = sprt.llr(&PairCounts::from_array(penta)).unwrap();
    assert!(
        (found - expected).abs() <= 1e-5,
        "{} LLR of {penta:?}: {found}, not {expected}",
        sprt.model
    );
}

#[test]
fn counts_give_the_published_elo_and_errors() {
    let cases = vectors().cases;
    assert_eq!(cases.len(), 12);
    for Case { penta, score, var_pair, elo, elo_err95, nelo, nelo_err95, los, .. } in cases {
        let counts = PairCounts::from_array(penta);
        let summary = Summary::of(&counts, None);
        assert_close(summary.score.unwrap(), score, "score", penta);
        assert_close(counts.variance().unwrap(), var_pair, "variance", penta);
        assert_close(summary.elo.unwrap(), elo, "elo", penta);
        assert_eq!(summary.elo_error.is_some(), elo_err95.is_some(), "{penta:?}");
        let pairs = [
            (summary.elo_error, elo_err95, "elo_error"),
            (summary.nelo, nelo, "nelo"),
            (summary.nelo_error, nelo_err95, "nelo_error"),
            (summary.los, los, "los"),
        ];
        for (found, expected, what) in pairs {
            if let Some(expected) = expected {
                assert_close(found.unwrap(), expected, what, penta);
            }
        }
    }
}

#[test]
fn counts_give_the_published_llr_in_both_models() {
    for case in vectors().cases {
        let sprt = |model| Sprt::new(case.elo0, case.elo1, case.alpha, case.beta, model).unwrap();
        let (normalized, logistic) = (sprt(Model::Normalized), sprt(Model::Logistic));
        assert_close(normalized.lower(), case.lower, "lower bound", case.penta);
        assert_close(normalized.upper(), case.upper, "upper bound", case.penta);
        assert_llr(&normalized, case.penta, case.llr_normalized);
        assert_llr(&logistic, case.penta, case.llr_logistic);
    }
}

#[test]
fn counts_that_break_other_tools_have_an_llr() {
    let edge = vectors().edge;
    assert_eq!(edge.len(), 3);
    for Edge { penta, elo0, elo1, llr_normalized, llr_logistic } in edge {
        let sprt = |model| Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
        assert_llr(&sprt(Model::Logistic), penta, llr_logistic);
        match llr_normalized {
            Some(expected) => assert_llr(&sprt(Model::Normalized), penta, expected),
            // The iteration of other tools does not end here. The match is at -2207 nElo, far below
            // both bounds, so the test must stop with H0.
            None => {
                let sprt = sprt(Model::Normalized);
                let llr = sprt.llr(&PairCounts::from_array(penta)).unwrap();
                assert_eq!(sprt.verdict_at(llr), Some(Verdict::H0), "{llr}");
            }
        }
    }
}

/// Counts of every size, many of them zero, some beyond what a float holds exactly.
fn counts() -> impl Strategy<Value = PairCounts> {
    let count = prop_oneof![
        3 => Just(0u64),
        3 => 1u64..10,
        3 => 10u64..5000,
        1 => 1u64 << 50..=u64::MAX,
        1 => Just(u64::MAX),
    ];
    prop::array::uniform5(count).prop_map(PairCounts::from_array)
}

/// Tests from the usual to the absurd.
fn sprt() -> impl Strategy<Value = Sprt> {
    let elo = || prop_oneof![3 => -20.0..20.0f64, 2 => -1500.0..1500.0f64, 1 => -5000.0..5000.0f64, 1 => Just(0.0)];
    let model = prop_oneof![Just(Model::Normalized), Just(Model::Logistic)];
    (elo(), elo(), 0.001..0.4f64, 0.001..0.4f64, model)
        .prop_filter_map("equal", |(a, b, alpha, beta, model)| {
            Sprt::new(a.min(b), a.max(b), alpha, beta, model).ok()
        })
}

/// Whether two optional numbers are negatives of each other, to rounding.
fn opposite(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a + b).abs() <= 1e-9 * (1.0 + a.abs()),
        (None, None) => true,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_output_is_nan_or_infinite(counts in counts(), sprt in sprt()) {
        let s = Summary::of(&counts, Some(&sprt));
        let numbers =
            [s.score, s.elo, s.elo_error, s.elo_low, s.elo_high, s.nelo, s.nelo_error, s.los, s.llr];
        prop_assert!(numbers.into_iter().flatten().all(f64::is_finite), "{s:?}");
        // With pairs there is always a score, an LLR, and an interval with at least one bounded
        // end.
        if counts.pairs() > 0 {
            prop_assert!(s.score.is_some() && s.llr.is_some(), "{s:?}");
            prop_assert_eq!(s.elo_low.is_some(), counts.won() > 0.0);
            prop_assert_eq!(s.elo_high.is_some(), counts.lost() > 0.0);
            prop_assert_eq!(s.elo.is_some(), counts.won() > 0.0 && counts.lost() > 0.0);
        }
        if let (Some(low), Some(elo), Some(high)) = (s.elo_low, s.elo, s.elo_high) {
            let slack = 1e-9 * (1.0 + elo.abs());
            prop_assert!(low <= elo + slack && elo <= high + slack, "{s:?}");
        }
        prop_assert!(s.los.is_none_or(|los| (0.0..=1.0).contains(&los)));
        // The likelihood of superiority and the interval agree on the sign of the difference.
        if let (Some(los), Some(low), Some(high)) = (s.los, s.elo_low, s.elo_high) {
            prop_assert_eq!(low > 0.0, los > 0.975 + 1e-12, "{:?}", s);
            prop_assert_eq!(high < 0.0, los < 0.025 - 1e-12, "{:?}", s);
        }
    }

    #[test]
    fn the_other_side_sees_the_opposite(counts in counts()) {
        let (ours, theirs) = (Summary::of(&counts, None), Summary::of(&counts.mirrored(), None));
        prop_assert!(opposite(ours.elo, theirs.elo));
        prop_assert!(opposite(ours.elo_low, theirs.elo_high));
        prop_assert!(opposite(ours.elo_high, theirs.elo_low));
        prop_assert!(opposite(ours.nelo, theirs.nelo));
        prop_assert!(opposite(ours.elo_error, theirs.elo_error.map(|error| -error)));
        prop_assert!(opposite(ours.los.map(|los| los - 0.5), theirs.los.map(|los| los - 0.5)));
        if let Some(elo) = ours.elo {
            prop_assert_eq!(elo > 0.0, counts.won() > counts.lost());
        }
    }

    #[test]
    fn swapped_hypotheses_and_sides_negate_the_llr(counts in counts(), sprt in sprt()) {
        let swapped = Sprt { elo0: -sprt.elo1, elo1: -sprt.elo0, ..sprt };
        let (ours, theirs) = (sprt.llr(&counts), swapped.llr(&counts.mirrored()));
        if let (Some(ours), Some(theirs)) = (ours, theirs) {
            // Rounding differences grow with the number of pairs.
            let slack = 1e-9 * (1.0 + ours.abs()) + 1e-13 * counts.pairs() as f64;
            prop_assert!((ours + theirs).abs() <= slack, "{} {}", ours, theirs);
        }
    }

    /// The logistic likelihood ratio is monotone: a better pair in the place of a worse one raises
    /// it.
    #[test]
    fn a_better_pair_raises_elo_and_logistic_llr(
        cells in prop::array::uniform5(2u64..500), worse in 0usize..4, by in 1usize..5, sprt in sprt(),
    ) {
        let sprt = Sprt { model: Model::Logistic, ..sprt };
        let mut better = cells;
        better[worse] -= 1;
        better[(worse + by).min(4)] += 1;
        let summary = |cells| Summary::of(&PairCounts::from_array(cells), Some(&sprt));
        let (before, after) = (summary(cells), summary(better));
        prop_assert!(after.elo > before.elo);
        prop_assert!(after.llr.unwrap() > before.llr.unwrap() - 1e-9);
    }

    #[test]
    fn elo_and_score_are_monotone(a in -1500.0..1500.0f64, step in 0.01..500.0f64) {
        prop_assert!(score_of_elo(a) < score_of_elo(a + step));
        prop_assert!(elo_of_score(score_of_elo(a)) < elo_of_score(score_of_elo(a + step)));
    }

    #[test]
    fn a_verdict_is_frozen(pairs in prop::collection::vec(0u8..=4, 1..120), elo1 in 20.0..400.0f64) {
        let mut tracker = SprtTracker::new(Sprt::new(0.0, elo1, 0.1, 0.1, Model::Normalized).unwrap());
        let mut first = None;
        for pair in pairs {
            let verdict = tracker.add(pair);
            first = first.or(verdict.map(|verdict| (verdict, tracker.counts().pairs())));
            prop_assert_eq!(first, verdict.zip(tracker.decided_at()));
        }
    }
}
