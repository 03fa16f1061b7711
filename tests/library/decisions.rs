//! The worth of the decisions of a tune's matches, on simulated matches: how often a
//! candidate of known strength is accepted, and whether the estimate is as often too high as too
//! low. The matches go through the tracker and the decision that tunes use.

use rand_mt::Mt64;
use sparring::stats::{
    CapRule, Decision, Model, PairCounts, Sprt, SprtTracker, elo_of_score, score_of_elo,
};

/// Normalised Elo in one standard deviation of a game.
const NELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The law of pairs of games without draws on openings that give one side `SPREAD` Elo or take it.
struct Law {
    /// The probabilities of two losses and of two wins.
    ends: [f64; 2],
    /// The Elo of the mean score, which the openings make smaller than that of a game.
    elo: f64,
}

const SPREAD: f64 = 200.0;

impl Law {
    fn of_elo(elo: f64) -> Self {
        let [with, against] = [elo + SPREAD, elo - SPREAD].map(score_of_elo);
        let ends = [(1.0 - with) * (1.0 - against), with * against];
        Self { ends, elo: elo_of_score((with + against) / 2.0).unwrap() }
    }

    /// The law whose edge in deviations is this normalised Elo.
    fn of_nelo(nelo: f64) -> Self {
        let (mut low, mut high) = (-1000.0, 1000.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if Self::of_elo(middle).nelo() < nelo { low = middle } else { high = middle }
        }
        Self::of_elo(low)
    }

    fn nelo(&self) -> f64 {
        let [ll, ww] = self.ends;
        let edge = (ww - ll) / 2.0;
        let deviation = ((ll + ww) / 4.0 - edge * edge).sqrt();
        NELO_PER_DEVIATION * edge / deviation / std::f64::consts::SQRT_2
    }

    fn pair(&self, random: &mut Mt64) -> u8 {
        let x = random.next_u64() as f64 / 2f64.powi(64);
        match x {
            x if x < self.ends[0] => 0,
            x if x >= 1.0 - self.ends[1] => 4,
            _ => 2,
        }
    }
}

/// When a simulated match ends.
#[derive(Clone, Copy)]
struct Design {
    sprt: [f64; 2],
    pairs: u64,
    least_pairs: u64,
    rule: CapRule,
}

/// The share accepted, the share whose unbiased estimate was above the truth, the mean of the plain
/// Elo less the truth among the accepted, and the mean pairs.
struct Measured {
    accepted: f64,
    above: f64,
    flattery: f64,
    pairs: f64,
}

fn play(design: Design, law: &Law, random: &mut Mt64) -> (Decision, PairCounts) {
    let [elo0, elo1] = design.sprt;
    let mut tracker =
        SprtTracker::new(Sprt::new(elo0, elo1, 0.05, 0.05, Model::Normalized).unwrap());
    while tracker.counts().pairs() < design.pairs
        && (tracker.verdict().is_none() || tracker.counts().pairs() < design.least_pairs)
    {
        tracker.add(law.pair(random));
    }
    (Decision::of(&tracker, design.rule), *tracker.counts())
}

fn measure(design: Design, nelo: f64, matches: u32, seed: u64) -> Measured {
    let (law, mut random) = (Law::of_nelo(nelo), Mt64::new(seed));
    let (mut accepted, mut above, mut flattery, mut pairs) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..matches {
        let (decision, counts) = play(design, &law, &mut random);
        pairs += counts.pairs() as f64;
        above += f64::from(decision.elo_unbiased.unwrap() > law.elo);
        if decision.accepted {
            accepted += 1.0;
            let score = counts.score().unwrap();
            flattery += 400.0 * (score / (1.0 - score)).log10() - law.elo;
        }
    }
    let matches = f64::from(matches);
    let flattery = flattery / accepted;
    Measured {
        accepted: accepted / matches,
        above: above / matches,
        flattery,
        pairs: pairs / matches,
    }
}

/// A small validation: its cap relates to its test's natural length as a tune's does.
const SMALL: Design =
    Design { sprt: [0.0, 50.0], pairs: 50, least_pairs: 10, rule: CapRule::Significant };

#[test]
fn a_match_at_its_cap_keeps_alpha_and_has_power() {
    let even = measure(SMALL, 0.0, 600, 1);
    // Three standard errors of 600 matches are 2.7 %.
    assert!((0.02..0.077).contains(&even.accepted), "{}", even.accepted);
    let strong = measure(SMALL, 100.0, 200, 2);
    assert!(strong.accepted > 0.85, "{}", strong.accepted);
}

#[test]
fn the_unbiased_estimate_is_as_often_too_high_as_too_low() {
    for (nelo, seed) in [(0.0, 3), (100.0, 4)] {
        let found = measure(SMALL, nelo, 400, seed);
        // Three standard errors are 7.5 %; the scores of few pairs are coarse.
        assert!((found.above - 0.5).abs() < 0.1, "{nelo}: {}", found.above);
    }
}

#[test]
fn a_step_goes_to_the_likelier_side() {
    let round = Design { sprt: [-50.0, 50.0], rule: CapRule::Likelier, ..SMALL };
    let [worse, even, better] =
        [(-40.0, 5), (0.0, 6), (40.0, 7)].map(|(nelo, seed)| measure(round, nelo, 150, seed));
    assert!(worse.accepted < 0.25 && better.accepted > 0.75);
    assert!((even.accepted - 0.5).abs() < 0.15, "{}", even.accepted);
}

/// Prints the table of docs/measurements/archive/2026-11-23-decisions.md.
#[test]
#[ignore = "takes a quarter of an hour"]
fn table_of_decisions() {
    let validation =
        Design { sprt: [0.0, 10.0], pairs: 1000, least_pairs: 200, rule: CapRule::Significant };
    let round =
        Design { sprt: [-10.0, 10.0], pairs: 1000, least_pairs: 50, rule: CapRule::Likelier };
    let wide = Design { sprt: [0.0, 20.0], ..validation };
    let designs = [
        ("[0,10], cap 1000", validation),
        ("[0,20], cap 1000", wide),
        ("[0,10], cap 300", Design { pairs: 300, ..validation }),
        ("[0,20], cap 3000", Design { pairs: 3000, ..wide }),
        ("[-10,10], cap 1000, LLR > 0", round),
    ];
    for (name, design) in designs {
        for nelo in [-10.0, -5.0, 0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 60.0, 100.0] {
            let found = measure(design, nelo, 1000, 20_261_123);
            println!(
                "| {name} | {nelo} | {:.1} % | {:.0} | {:.1} % | {:+.1} |",
                100.0 * found.accepted,
                found.pairs,
                100.0 * found.above,
                found.flattery
            );
        }
    }
}
