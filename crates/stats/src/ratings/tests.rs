use proptest::prelude::*;
use rand_mt::Mt64;

use super::*;
use crate::{Summary, elo_of_score, score_of_elo};

fn pairing(a: usize, b: usize, counts: [u64; 5]) -> PairingResult {
    PairingResult { a, b, counts: PairCounts::from_array(counts) }
}

/// A number from 0 to 1.
fn uniform(generator: &mut Mt64) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// The dependence of the two games of a simulated pair.
#[derive(Clone, Copy)]
enum GameLink {
    /// One result decides both: the variance is twice the variance of independent games.
    Same,
    /// One game is always drawn: the variance is far below the variance of independent drawless
    /// games.
    OneDrawn,
    /// Independent games without draws.
    Independent,
}

/// The score of a pair whose mean score is `mean`, which is from 0.25 to 0.75.
fn pair(generator: &mut Mt64, mean: f64, link: GameLink) -> u8 {
    let mut win = |chance: f64| u8::from(uniform(generator) < chance);
    match link {
        GameLink::Same => 4 * win(mean),
        GameLink::OneDrawn => 1 + 2 * win(2.0 * mean - 0.5),
        GameLink::Independent => 2 * win(mean) + 2 * win(mean),
    }
}

/// A round robin with `pairs` pairs a pairing.
fn tournament(generator: &mut Mt64, elo: &[f64], pairs: u32, link: GameLink) -> Vec<PairingResult> {
    let mut pairings = Vec::new();
    for a in 0..elo.len() {
        for b in a + 1..elo.len() {
            let mut counts = PairCounts::default();
            (0..pairs)
                .for_each(|_| counts.add(pair(generator, score_of_elo(elo[a] - elo[b]), link)));
            pairings.push(PairingResult { a, b, counts });
        }
    }
    pairings
}

/// The shares of simulated tournaments whose intervals hold the true rating, and the true
/// difference.
fn coverage(seed: u64, pairs: u32, link: GameLink) -> (f64, f64) {
    const ELO: [f64; 6] = [-95.0, -60.0, -10.0, 25.0, 60.0, 80.0];
    const TOURNAMENTS: u32 = 600;
    let generator = &mut Mt64::new(seed);
    let (mut ratings, mut differences) = (0, 0);
    for _ in 0..TOURNAMENTS {
        let fitted = rate(ELO.len(), &tournament(generator, &ELO, pairs, link)).unwrap();
        for (i, rating) in fitted.players().iter().enumerate() {
            ratings += u32::from((rating.elo.unwrap() - ELO[i]).abs() <= rating.error.unwrap());
            for (j, elo) in ELO.iter().enumerate().skip(i + 1) {
                let found = fitted.difference(i, j);
                differences +=
                    u32::from((found.elo.unwrap() - (ELO[i] - elo)).abs() <= found.error.unwrap());
            }
        }
    }
    (
        f64::from(ratings) / f64::from(6 * TOURNAMENTS),
        f64::from(differences) / f64::from(15 * TOURNAMENTS),
    )
}

/// Error bars that took games for independent would cover 83 % of the first kind, over 99 % of the
/// second.
#[test]
fn error_bars_cover_the_truth_nineteen_times_in_twenty() {
    for (link, name) in [
        (GameLink::Same, "same"),
        (GameLink::OneDrawn, "one drawn"),
        (GameLink::Independent, "independent"),
    ] {
        for (seed, pairs) in [(1, 20), (2, 200)] {
            let (ratings, differences) = coverage(seed, pairs, link);
            println!("{name}, {pairs} pairs: ratings {ratings:.3}, differences {differences:.3}");
            for share in [ratings, differences] {
                assert!((0.935..0.970).contains(&share), "{name}, {pairs} pairs: {share}");
            }
        }
    }
}

#[test]
fn two_players_get_the_numbers_of_their_match() {
    let counts = [184, 15, 508, 17, 290];
    let summary = Summary::of(&PairCounts::from_array(counts), None);
    let ratings = rate(2, &[pairing(1, 0, counts)]).unwrap();
    let difference = ratings.difference(1, 0);
    assert!((difference.elo.unwrap() - summary.elo.unwrap()).abs() < 1e-9);
    assert!((difference.error.unwrap() / summary.elo_error.unwrap() - 1.0).abs() < 1e-3);
    assert!((difference.los.unwrap() - summary.los.unwrap()).abs() < 1e-6);
    let [loser, winner] = [ratings.players()[0], ratings.players()[1]];
    assert!((winner.elo.unwrap() - summary.elo.unwrap() / 2.0).abs() < 1e-9);
    assert!((winner.error.unwrap() - difference.error.unwrap() / 2.0).abs() < 1e-9);
    assert_eq!((winner.score, winner.games), (summary.score, 2028));
    assert!((loser.elo.unwrap() + winner.elo.unwrap()).abs() < 1e-9);
}

#[test]
fn expected_points_are_the_points_scored() {
    let pairings = [
        pairing(0, 1, [3, 5, 9, 8, 4]),
        pairing(2, 1, [1, 5, 9, 9, 9]),
        pairing(3, 0, [20, 5, 9, 2, 0]),
        pairing(2, 3, [0, 0, 0, 1, 9]),
    ];
    let ratings = rate(4, &pairings).unwrap();
    let elo: Vec<f64> = ratings.players().iter().map(|rating| rating.elo.unwrap()).collect();
    for player in 0..4 {
        let of = |e: &PairingResult| {
            let expected = score_of_elo(elo[e.a] - elo[e.b]) * e.counts.total();
            let points = e.counts.won() - expected;
            if player == e.a { points } else { -points }
        };
        let met = pairings.iter().filter(|e| e.a == player || e.b == player);
        assert!(met.map(of).sum::<f64>().abs() < 1e-8);
    }
}

#[test]
fn results_that_do_not_fit_one_scale_widen_the_errors() {
    let strong = [10, 10, 20, 30, 30];
    let weak = PairCounts::from_array(strong).mirrored().to_array();
    let circle =
        rate(3, &[pairing(0, 1, strong), pairing(1, 2, strong), pairing(2, 0, strong)]).unwrap();
    let line =
        rate(3, &[pairing(0, 1, strong), pairing(1, 2, [20; 5]), pairing(0, 2, strong)]).unwrap();
    assert!(circle.players().iter().all(|rating| rating.elo.unwrap().abs() < 1e-9));
    assert!(circle.players()[0].error > line.players()[0].error);
    // The order in which a pairing names its players, or is split up, changes nothing.
    let half = strong.map(|count| count / 2);
    let split =
        [pairing(0, 1, half), pairing(1, 0, weak.map(|count| count / 2)), pairing(1, 2, strong)];
    let whole = [pairing(1, 2, strong), pairing(0, 1, strong)];
    assert_eq!(rate(3, &split).unwrap().players(), rate(3, &whole).unwrap().players());
}

#[test]
fn equal_pairs_claim_no_certainty() {
    let ratings = rate(2, &[pairing(0, 1, [0, 0, 100, 0, 0])]).unwrap();
    let difference = ratings.difference(0, 1);
    assert_eq!((difference.elo, difference.los), (Some(0.0), Some(0.5)));
    // The share of won pairs that 100 pairs do not show in one of forty matches.
    let unseen = elo_of_score((1.0 + 1.0 - TAIL.powf(0.01)) / 2.0).unwrap();
    assert!((difference.error.unwrap() / unseen - 1.0).abs() < 0.05, "{difference:?} {unseen}");
}

#[test]
fn sweepers_are_bounded_on_one_side() {
    let even = [10, 10, 20, 10, 10];
    let ratings = rate(
        5,
        &[
            pairing(0, 1, even),
            pairing(2, 0, [0, 0, 0, 0, 50]),
            pairing(1, 2, [50, 0, 0, 0, 0]),
            pairing(0, 3, [0, 0, 0, 0, 50]),
        ],
    )
    .unwrap();
    let [a, b, best, worst, idle] = ratings.players() else { panic!() };
    assert!(a.elo.unwrap().abs() < 1e-9 && b.elo.unwrap().abs() < 1e-9);
    // Of 100 pairs against the low end of the opponents' intervals: the rating at which all are won
    // in one of forty tournaments.
    let swept = elo_of_score(TAIL.powf(0.01)).unwrap() + a.low.unwrap();
    assert!((best.low.unwrap() - swept).abs() < 1e-6, "{best:?} {swept}");
    assert_eq!(
        (best.elo, best.error, best.high, best.score, best.games),
        (None, None, None, Some(1.0), 200)
    );
    let lost = -elo_of_score(TAIL.powf(0.02)).unwrap() + a.high.unwrap();
    assert!((worst.high.unwrap() - lost).abs() < 1e-6, "{worst:?} {lost}");
    assert_eq!((worst.elo, worst.low), (None, None));
    assert_eq!(*idle, Rating::default());
    assert_eq!(ratings.los(2, 0), None);
    let difference = ratings.difference(2, 0);
    assert!(
        difference.elo.is_none() && difference.low.unwrap() > 400.0 && difference.high.is_none()
    );
    assert_eq!(ratings.difference(0, 2).high, difference.low.map(|elo| -elo));
    assert_eq!(ratings.difference(2, 4), ratings.difference(4, 3));
}

#[test]
fn every_group_is_rated_on_a_scale_of_its_own() {
    let (even, better) = ([1, 1, 1, 1, 1], [1, 1, 2, 4, 8]);
    let groups = [
        pairing(0, 1, better),
        pairing(2, 3, even),
        pairing(3, 4, even),
        pairing(4, 0, [9, 0, 0, 0, 0]),
        pairing(0, 5, [0, 0, 0, 0, 9]),
    ];
    let ratings = rate(6, &groups).unwrap();
    let pools: Vec<_> = ratings.players().iter().map(|rating| rating.pool).collect();
    assert_eq!(pools, [Some(1), Some(1), Some(0), Some(0), Some(0), None]);
    let elo = |player: usize| ratings.players()[player].elo;
    assert!((elo(0).unwrap() + elo(1).unwrap()).abs() < 1e-9);
    assert_eq!(ratings.difference(0, 1).elo, rate(2, &groups[..1]).unwrap().difference(0, 1).elo);
    // Across pools there is no rating; the difference comes from the two players' own match.
    let across = ratings.difference(0, 4);
    assert!(across.elo.is_none() && across.los.is_none() && across.low.is_some());
    // A player who lost everything to a player of one pool is bounded on that pool's scale.
    assert!(ratings.players()[5].high < ratings.players()[0].high);
    // Of groups of one size, the one with most pairs comes first.
    let more = [pairing(0, 1, even), pairing(2, 3, [2; 5]), pairing(4, 5, even)];
    let ratings = rate(6, &more).unwrap();
    let pools: Vec<_> = ratings.players().iter().filter_map(|rating| rating.pool).collect();
    assert_eq!(pools, [1, 1, 0, 0, 2, 2]);
    // No player took a point from a better one, so none can be rated.
    let sweeps = [pairing(0, 1, [0, 0, 0, 0, 3]), pairing(1, 2, [0, 0, 0, 0, 3])];
    assert!(rate(3, &sweeps).unwrap().players().iter().all(|rating| rating.elo.is_none()));
    assert!(rate(0, &[]).unwrap().players().is_empty());
}

#[test]
fn impossible_pairings_are_refused() {
    let refused = |a, b| rate(3, &[pairing(a, b, [1; 5])]).unwrap_err();
    assert_eq!(
        refused(1, 3).to_string(),
        "pairing 0: there is no player 3; the 3 players are numbered from 0"
    );
    assert_eq!(refused(2, 2).to_string(), "pairing 0: player 2 against itself; name two players");
    assert_eq!(refused(2, 2).exit_code(), 2);
}

#[test]
fn a_long_chain_of_lopsided_matches_is_rated() {
    let lopsided = [0, 1, 0, 0, u64::MAX];
    let chain: Vec<PairingResult> = (0..99).map(|i| pairing(i, i + 1, lopsided)).collect();
    let ratings = rate(100, &chain).unwrap();
    let step = Summary::of(&PairCounts::from_array(lopsided), None).elo.unwrap();
    for i in 0..99 {
        let found = ratings.difference(i, i + 1).elo.unwrap();
        assert!((found - step).abs() < 1e-6 * step, "{found} {step}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_counts_give_finite_ratings_and_an_end(
        players in 2usize..7,
        met in prop::collection::vec((0usize..7, 0usize..7, prop::array::uniform5(prop_oneof![
            12 => Just(0u64), 6 => 1u64..20, 3 => 1000u64..10_000_000, 1 => 1u64 << 40..=u64::MAX,
        ])), 0..12),
    ) {
        let met: Vec<PairingResult> = met
            .into_iter()
            .map(|(a, b, counts)| pairing(a % players, b % players, counts))
            .filter(|e| e.a != e.b)
            .collect();
        let ratings = rate(players, &met).unwrap();
        let fitted = |i: usize| ratings.places[i].is_some_and(|at| ratings.fits[at.pool].is_some());
        // Beyond the counts that can be played, rounding may leave the ratings undefined.
        let playable = met.iter().all(|e| e.counts.pairs() < 1 << 30);
        prop_assert!(!playable || ratings.fits.iter().all(Option::is_some));
        let rated: Vec<f64> = ratings.players().iter().filter_map(|rating| rating.elo).collect();
        prop_assert!(rated.iter().sum::<f64>().abs() < 1e-6);
        for (i, r) in ratings.players().iter().enumerate() {
            let numbers = [r.elo, r.error, r.low, r.high, r.score];
            prop_assert!(numbers.into_iter().flatten().all(f64::is_finite), "{r:?}");
            prop_assert_eq!(r.elo.is_some(), fitted(i));
            prop_assert_eq!(r.elo.is_some(), r.error.is_some_and(|error| error > 0.0));
            for j in 0..players {
                let (d, back) = (ratings.difference(i, j), ratings.difference(j, i));
                let numbers = [d.elo, d.error, d.low, d.high, d.los];
                prop_assert!(numbers.into_iter().flatten().all(f64::is_finite), "{d:?}");
                prop_assert!(d.los.is_none_or(|los| (0.0..=1.0).contains(&los)));
                prop_assert_eq!(d.low, back.high.map(|elo| -elo));
            }
        }
    }
}
