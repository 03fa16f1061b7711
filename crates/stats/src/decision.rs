//! The end of a match that must accept or reject a candidate: by its test, or at its last pair.

use serde::{Deserialize, Serialize};

use super::elo::elo_of_odds;
use super::pairs::PairCounts;
use super::quantile::los_of_z;
use super::root::root;
use super::sprt::{Model, Sprt, Verdict, t_value};
use super::sprt_tracker::SprtTracker;
use super::wiener::Corridor;

/// The rule for a match that uses up its pairs before its test has a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapRule {
    /// The first player passes if it scores so far above `elo0` that the whole match, its test
    /// included, passes a player of strength `elo0` with probability `alpha`. For claims.
    Significant,
    /// The first player passes when `elo1` is the likelier hypothesis (LLR above 0), which for
    /// symmetric bounds is a score above 1/2. For steps of a search.
    Likelier,
}

/// How a match was decided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decision {
    /// Whether the first player passed.
    pub accepted: bool,
    /// Whether the pairs were used up without a verdict of the test.
    pub at_cap: bool,
    /// The pairs of the match.
    pub pairs: u64,
    /// At the cap under [`CapRule::Significant`]: the edge over `elo0` in standard errors.
    pub z: Option<f64>,
    /// The bound that `z` had to exceed.
    pub needed: Option<f64>,
    /// The median-unbiased Elo difference, see [`SprtTracker::unbiased_elo`].
    pub elo_unbiased: Option<f64>,
}

impl Decision {
    /// The decision about the match that `tracker` has followed to its end.
    pub fn of(tracker: &SprtTracker, rule: CapRule) -> Self {
        let pairs = tracker.counts().pairs();
        let elo_unbiased = tracker.unbiased_elo();
        let open =
            Self { accepted: false, at_cap: false, pairs, z: None, needed: None, elo_unbiased };
        match (tracker.verdict(), rule) {
            (Some(verdict), _) => Self { accepted: verdict == Verdict::H1, ..open },
            (None, CapRule::Likelier) => {
                Self { accepted: tracker.llr() > Some(0.0), at_cap: true, ..open }
            }
            (None, CapRule::Significant) => {
                let (z, needed) = (tracker.z(), tracker.needed_z());
                let accepted = z.zip(needed).is_some_and(|(z, needed)| z > needed);
                Self { accepted, at_cap: true, z, needed, ..open }
            }
        }
    }
}

/// A test in the limit of many pairs, in standard deviations of a pair's score: the sum of the
/// pairs' edges over the middle of the two hypotheses is a Wiener process, and the LLR is about
/// this process times the distance of the hypotheses.
#[derive(Clone, Copy, Debug)]
struct WienerTest {
    hypotheses: [f64; 2],
    corridor: Corridor,
}

impl WienerTest {
    fn new(sprt: &Sprt, deviation: f64) -> Self {
        let hypotheses = sprt.edges(deviation);
        let apart = hypotheses[1] - hypotheses[0];
        let corridor = Corridor { above: sprt.upper() / apart, below: -sprt.lower() / apart };
        Self { hypotheses, corridor }
    }

    /// The drift of a player with this edge.
    fn drift(&self, edge: f64) -> f64 {
        edge - (self.hypotheses[0] + self.hypotheses[1]) / 2.0
    }

    /// The pairs as time of the process, capped at a number that the test practically never
    /// reaches.
    fn time(&self, pairs: f64) -> f64 {
        pairs.min(LONGEST / (self.hypotheses[1] - self.hypotheses[0]).powi(2))
    }

    /// The place at the last pair above which a player passes, so that the whole match passes a
    /// player of strength `elo0` with probability `alpha`: the last pair spends the part of `alpha`
    /// that the test's upper bound has left.
    fn critical(&self, pairs: f64, alpha: f64) -> f64 {
        let excess = |place: f64| self.passes(self.hypotheses[0], place, pairs) - alpha;
        root(excess, -self.corridor.below, self.corridor.above)
    }

    /// The probability that a player with this edge passes, if `critical` is the place to exceed at
    /// the last pair.
    fn passes(&self, edge: f64, critical: f64, pairs: f64) -> f64 {
        let (drift, time) = (self.drift(edge), self.time(pairs));
        let Self { corridor, .. } = self;
        corridor.reaches_above(drift, time) + corridor.ends_above(critical, drift, time)
    }
}

/// Divided by the square of the distance of the hypotheses: the number of pairs after which all but
/// one in ten million matches have ended.
const LONGEST: f64 = 100.0;

/// An estimate is sought within this many standard errors of the observed edge.
const WIDEST: f64 = 8.0;

/// The probability that a player of normalised Elo `nelo` passes a match of at most `pairs` pairs,
/// under [`CapRule::Significant`]. `None` for a test of logistic Elo, for which it depends on the
/// share of draws, and without pairs.
///
/// ```
/// use sparring_stats::{Model, Sprt, acceptance};
/// let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized)?;
/// assert!((acceptance(&sprt, 1000, 0.0).unwrap() - 0.05).abs() < 1e-6);
/// assert!(acceptance(&sprt, 1000, 20.0).unwrap() > 0.8);
/// # Ok::<(), sparring_stats::error::Error>(())
/// ```
pub fn acceptance(sprt: &Sprt, pairs: u64, nelo: f64) -> Option<f64> {
    if sprt.model != Model::Normalized || pairs == 0 {
        return None;
    }
    let (limit, pairs) = (WienerTest::new(sprt, 1.0), pairs as f64);
    Some(limit.passes(t_value(nelo), limit.critical(pairs, sprt.alpha), pairs).clamp(0.0, 1.0))
}

/// The observed score, and the standard deviation of a pair's score about it.
struct ScoreSpread {
    score: f64,
    deviation: f64,
}

impl ScoreSpread {
    /// `None` without pairs, and where all scored the same.
    fn of(counts: &PairCounts) -> Option<Self> {
        let (score, deviation) = (counts.score()?, counts.variance()?.sqrt());
        (deviation > 0.0).then_some(Self { score, deviation })
    }

    fn edge(&self) -> f64 {
        (self.score - 0.5) / self.deviation
    }
}

impl SprtTracker {
    /// How far the score is above `elo0` in standard errors; `None` without pairs.
    ///
    /// The variance is taken about `elo0`, not about the observed score (a self-normalised sum). So
    /// z cannot exceed the root of the number of pairs, and the normal quantile holds for few pairs
    /// too: for 10 pairs, 1.645 corresponds to 1.833 of Student's t, its quantile at 9 degrees of
    /// freedom.
    pub fn z(&self) -> Option<f64> {
        let counts = self.counts();
        let root = counts.total().sqrt();
        let Some(observed) = ScoreSpread::of(counts) else {
            // All pairs scored the same: no sum can be further from the hypothesis.
            return counts.score().map(|score| root * signum(score - 0.5));
        };
        let above = observed.edge() - self.sprt().edges(observed.deviation)[0];
        Some(root * above / above.hypot(1.0))
    }

    /// The z to exceed at the last pair for the first player to pass under
    /// [`CapRule::Significant`]: the quantile of a single look (1.645) if the pairs are few for the
    /// test, more if its bounds have already passed some players. `None` without pairs.
    fn needed_z(&self) -> Option<f64> {
        let (alpha, pairs) = (self.sprt().alpha, self.counts().total());
        let Some(observed) = ScoreSpread::of(self.counts()) else {
            return (pairs > 0.0).then(|| root(|z| los_of_z(-z) - alpha, -WIDEST, WIDEST));
        };
        let limit = WienerTest::new(self.sprt(), observed.deviation);
        let expected = limit.drift(limit.hypotheses[0]) * pairs;
        Some((limit.critical(pairs, alpha) - expected) / pairs.sqrt())
    }

    /// The Elo difference that a match like this one overestimates as often as it underestimates
    /// it: the median-unbiased estimate in the order of stages (Siegmund 1978; Tsiatis, Rosner and
    /// Mehta 1984). A match that passed early counts as better than one that passed late, which
    /// counts as better than any match at its last pair; these are ordered by score. The plain Elo
    /// of a match stopped by a test flatters, since a lucky streak stops it too.
    ///
    /// The test is modelled as a Wiener process between two boundaries. The upper boundary goes
    /// through the point of the crossing, as the LLR of large differences grows more slowly than
    /// linearly. Pairs played after the verdict are free of selection and count as they are. `None`
    /// if the plain Elo has no error, or the estimate is no finite Elo.
    pub fn unbiased_elo(&self) -> Option<f64> {
        let counts = self.counts();
        let stopped = self.counts_at_verdict().unwrap_or(*counts);
        let (observed, time) = (ScoreSpread::of(&stopped)?, stopped.total());
        let limit = WienerTest::new(self.sprt(), observed.deviation);
        let (mut corridor, place) = (limit.corridor, limit.drift(observed.edge()) * time);
        match self.verdict() {
            Some(Verdict::H1) => corridor.above = place.max(f64::MIN_POSITIVE),
            Some(Verdict::H0) => corridor.below = (-place).max(f64::MIN_POSITIVE),
            None => {
                corridor.above = corridor.above.max(place);
                corridor.below = corridor.below.max(-place);
            }
        }
        // The probability of a match at least as good as this one, minus 1/2.
        let excess = |edge: f64| {
            let drift = limit.drift(edge);
            let above = || corridor.reaches_above(drift, time);
            match self.verdict() {
                Some(Verdict::H1) => above() - 0.5,
                Some(Verdict::H0) => 0.5 - corridor.mirrored().reaches_above(-drift, time),
                None => above() + corridor.ends_above(place, drift, time) - 0.5,
            }
        };
        let reach = WIDEST / time.sqrt();
        let edge = root(excess, observed.edge() - reach, observed.edge() + reach);
        let score = observed.score + (edge - observed.edge()) * observed.deviation;
        let won = time * score + counts.won() - stopped.won();
        elo_of_odds(won, counts.total() - won)
    }
}

/// The sign of a number, or zero.
fn signum(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}
