//! The optimizers that learn from matches, and their options, which are both options of `spar tune`
//! and a part of a run's manifest.

use super::knob_file::KnobLine;
use crate::error::{Error, Result};
use crate::report::units::counted;
use crate::tune::{GainSchedule, Method};
use serde::{Deserialize, Serialize};

/// The most pairs of a step, and of its probes: all of them are in memory at once.
const MOST_PAIRS_OF_A_STEP: u64 = 100_000;
/// A tune should take at least this many times as many steps as it starts blind
/// (docs/measurements/archive/2026-11-24-cluster.md).
const FEW_STEPS: u64 = 10;
/// Steps begun ahead of the current one by default, and at most.
const AHEAD: u64 = 1;
const MOST_AHEAD: u64 = 1_000;
/// Unfinished pairs for each processor: pairs take different times, and their results are used in
/// order.
const PAIRS_A_CORE: u64 = 3;
/// The number of steps over which these pairs are spread, if they are more than a small step holds.
const STEPS_IN_HAND: u64 = 8;
/// The least and the greatest Elo that a weight at half its range may be taken to lose.
const LEAST_ELO_AT_HALF_RANGE: f64 = 0.1;
const MOST_ELO_AT_HALF_RANGE: f64 = 100_000.0;
/// The perturbation that the formula for the gain is for, as a share of a weight's range.
const PLANNED_C: f64 = 1.0 / 6.0;
/// 800 / ln 10: Elo per unit of score difference, near equality.
pub(super) const ELO_PER_SCORE: f64 = 347.435_585_522_601_44;

/// An optimizer that learns from matches, with its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Optimizer {
    /// The options of [`Method::Spsa`].
    Spsa(SpsaOptions),
}

/// The options of SPSA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpsaOptions {
    /// Pairs of one step
    #[cfg_attr(feature = "clap", arg(long, value_name = "PAIRS", value_parser = crate::count::parse_count, default_value_t = Optimizer::BATCH, help_heading = "Steps"))]
    pub batch: u64,
    /// Pairs added to each step for the running Elo estimate
    #[cfg_attr(feature = "clap", arg(long, value_name = "PAIRS", value_parser = crate::count::parse_count, default_value_t = Optimizer::PROBES, help_heading = "Steps"))]
    pub probes: u64,
    /// Look-ahead: steps started before the current one is finished, so that no thread idles at the
    /// end of a step [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "STEPS", value_parser = crate::count::parse_count, help_heading = "Steps"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ahead: Option<u64>,
    /// Choose --batch and --ahead to keep this many processors busy, here or on workers
    #[cfg_attr(feature = "clap", arg(long, value_name = "CORES", value_parser = parse_processors, conflicts_with_all = ["batch", "ahead"], help_heading = "Steps"))]
    #[serde(skip)]
    pub scale: Option<u64>,
    /// Half the distance between the two sides of a pair, as a share of a weight's range
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", default_value_t = Optimizer::C, help_heading = "Steps"))]
    pub c: f64,
    /// How far a game moves the weights, as a share of that distance (a/c^2 in Spall's terms)
    /// [default: planned from the games and from --c]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", help_heading = "Steps"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub a: Option<f64>,
    /// How steps and gains change over the tune; with `fishtest` --c and --a are those at its end
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t, help_heading = "Steps"))]
    #[serde(default, skip_serializing_if = "GainSchedule::is_constant")]
    pub schedule: GainSchedule,
    /// The games for which the gain is planned, if the tune's time limit has changed their number
    /// since.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_games: Option<u64>,
    /// Assumed Elo loss of a weight half a range from its optimum, for which steps and answer are
    /// planned [default: 10, and 250 around the weights of a fit]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ELO", help_heading = "Steps"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_at_half_range: Option<f64>,
    /// How the answer is computed from the results
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t = Answer::Regression, help_heading = "Steps"))]
    #[serde(default)]
    pub answer: Answer,
}

/// How SPSA computes its answer from the results: the average in a manifest without it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Answer {
    /// An average of the iterates, weighted toward the later ones
    #[default]
    Average,
    /// The optimum of a regression of all results on all perturbations
    Regression,
    /// The values with the least expected loss, over all slopes that explain the results
    LeastLoss,
    /// The values after the last step, as in fishtest
    Last,
}

impl Optimizer {
    /// Pairs of one step by default.
    pub const BATCH: u64 = 24;
    /// Probe pairs of one step by default.
    pub const PROBES: u64 = 1;
    /// Half the distance between the sides of a pair by default, as a share of a weight's range.
    /// The information of a pair grows with its square, and on simulated surfaces a quarter is
    /// better than this sixth. But tunes of 8x8 and 6x6 Breakthrough and Ataxx, six seeds each, did
    /// not gain from a quarter (docs/measurements/archive/2026-11-24-perturbation.md): real
    /// surfaces are sharp.
    pub const C: f64 = 0.1667;
    /// The Elo that a weight at half its range is taken to lose, by default. Ranges are measured so
    /// that they move typical values by a set number of pieces' worths; of the plans for 50, 20 and
    /// 10 Elo the last one led to the strongest answers from a weak start on 8x8 Breakthrough
    /// (docs/measurements/archive/2026-11-22-design-choices.md). Near the best values the loss is
    /// many times that: see [`ELO_AROUND_A_FIT`](Self::ELO_AROUND_A_FIT).
    pub const ELO_AT_HALF_RANGE: f64 = 10.0;
    /// The same around the weights of a fit, where play soon gets worse and the surface is flat
    /// only far away (docs/measurements/archive/2026-11-23-sharpness.md).
    pub const ELO_AROUND_A_FIT: f64 = 250.0;

    /// The method that these options belong to.
    pub fn method(&self) -> Method {
        match self {
            Self::Spsa(_) => Method::Spsa,
        }
    }

    /// The perturbation, as a share of a knob's range.
    pub fn perturbation(&self) -> f64 {
        let Self::Spsa(options) = self;
        options.c
    }

    /// Pairs of one step, probes included.
    pub fn pairs_of_a_step(&self) -> u64 {
        let Self::Spsa(options) = self;
        options.batch + options.probes
    }

    /// A warning if this many games give too few steps for the look-ahead; `None` with the usual
    /// look-ahead.
    pub(super) fn too_few_steps(&self, games: u64) -> Option<String> {
        let Self::Spsa(options) = self;
        let blind = options.ahead().saturating_add(1);
        let games_of_a_step = 2 * self.pairs_of_a_step();
        let steps = games / games_of_a_step;
        let wanted = FEW_STEPS.saturating_mul(blind);
        (options.ahead() > AHEAD && steps < wanted).then(|| {
            let least = wanted.saturating_mul(games_of_a_step);
            format!(
                "{} of its {steps} steps begin before there is any result: for that many processors tune with \
                 {least} games or more, or take a smaller --scale (or --ahead)",
                blind.min(steps)
            )
        })
    }

    /// A warning, with a suitable gain, if a given gain hardly moves the knobs in this many games.
    pub(super) fn too_small_gain(&self, games: u64) -> Option<String> {
        let Self::Spsa(options) = self;
        let gain = options.a?;
        let planned = SpsaOptions { a: None, ..options.clone() }.planned_gain(games);
        let reach = options.schedule.reach();
        let moved = 1.0 - (-PLANNED_APPROACH * reach * gain / planned).exp();
        // Plans assume that the optimum is half a range away.
        (moved < FEW_MOVED).then(|| {
            let share = (50.0 * moved).max(0.1);
            let enough = (games as f64 * planned / gain / reach).ceil() as u64;
            let [games, enough] = [games, enough].map(|number| counted(number, "game"));
            format!(
                "the steps of a gain of {gain} move a knob by about {share:.1} % of its range at most in {games}: \
                 give --a {:.2} (in a file of knobs it is the last number of a line), or about {enough}",
                (planned / reach).min(1.0)
            )
        })
    }

    pub(super) fn check(&self) -> Result<()> {
        let Self::Spsa(SpsaOptions { batch, probes, ahead, c, a, elo_at_half_range, .. }) = self;
        if !(1..=MOST_PAIRS_OF_A_STEP).contains(batch) {
            return Err(Error::input("pairs of a step", format!("{batch} are out of range"))
                .remedy(format!("give 1 to {MOST_PAIRS_OF_A_STEP} with --batch")));
        }
        if *probes > MOST_PAIRS_OF_A_STEP {
            return Err(Error::input("probe pairs of a step", format!("{probes} are too many"))
                .remedy(format!("give at most {MOST_PAIRS_OF_A_STEP} with --probes")));
        }
        if ahead.is_some_and(|ahead| ahead > MOST_AHEAD) {
            return Err(Error::input("steps begun ahead", "too many")
                .remedy(format!("give at most {MOST_AHEAD} with --ahead")));
        }
        let is_share = |number: f64| number > 0.0 && number <= 1.0;
        if !is_share(*c) {
            return Err(Error::input("perturbation", format!("{c} is out of range"))
                .remedy("give a number above 0 and at most 1 with --c"));
        }
        if let Some(elo) = elo_at_half_range
            && !(LEAST_ELO_AT_HALF_RANGE..=MOST_ELO_AT_HALF_RANGE).contains(elo)
        {
            let reason = format!("{elo} is out of range");
            return Err(Error::input("Elo at half range", reason).remedy(format!(
                "give {LEAST_ELO_AT_HALF_RANGE} to {MOST_ELO_AT_HALF_RANGE} with --elo-at-half-range"
            )));
        }
        match a {
            Some(a) if !is_share(*a) => Err(Error::input("gain", format!("{a} is out of range"))
                .remedy("give a number above 0 and at most 1 with --a")),
            _ => Ok(()),
        }
    }
}

impl Default for SpsaOptions {
    /// The defaults of the command line.
    fn default() -> Self {
        Self {
            batch: Optimizer::BATCH,
            probes: Optimizer::PROBES,
            ahead: None,
            scale: None,
            c: Optimizer::C,
            a: None,
            schedule: GainSchedule::Constant,
            planned_games: None,
            elo_at_half_range: None,
            answer: Answer::Regression,
        }
    }
}

/// Reads a number of processors.
#[cfg(feature = "clap")]
fn parse_processors(text: &str) -> Result<u64> {
    match crate::count::parse_count(text)? {
        0 => Err(Error::input("processors 0", "none would play").remedy("give at least 1")),
        processors => Ok(processors),
    }
}

impl SpsaOptions {
    /// Steps begun ahead of the current one.
    pub fn ahead(&self) -> u64 {
        self.ahead.unwrap_or(AHEAD)
    }

    /// The same options with steps for the processors that [`scale`](Self::scale) names.
    #[must_use]
    pub fn scaled(&self) -> Self {
        let Some(cores) = self.scale else { return self.clone() };
        let pairs = cores.saturating_mul(PAIRS_A_CORE);
        let batch = pairs.div_ceil(STEPS_IN_HAND).clamp(Optimizer::BATCH, MOST_PAIRS_OF_A_STEP);
        let ahead = pairs.div_ceil(batch).saturating_sub(1).max(AHEAD);
        Self {
            batch,
            ahead: Some(ahead).filter(|&ahead| ahead > AHEAD),
            scale: None,
            ..self.clone()
        }
    }

    /// Takes the mean gain of the knobs that have one, unless a gain is given. Returns a note if
    /// their gains differ.
    pub fn take_gain(&mut self, knobs: &[KnobLine]) -> Option<String> {
        let gains: Vec<f64> = knobs.iter().filter_map(|knob| knob.gain).collect();
        let (None, Some(&first)) = (self.a, gains.first()) else { return None };
        let mean = gains.iter().sum::<f64>() / gains.len() as f64;
        let differ = gains.iter().any(|&gain| gain != first);
        self.a = Some(mean);
        differ.then(|| {
            format!("the gains of the knobs differ, and a tune has one: their mean, {mean:.3e}; --a sets another")
        })
    }

    /// The Elo that a weight at half its range is taken to lose.
    pub fn elo_at_half_range(&self) -> f64 {
        self.elo_at_half_range.unwrap_or(Optimizer::ELO_AT_HALF_RANGE)
    }

    /// The games after which the best values are at most `elo` ahead of the answer in 95 % of the
    /// tunes of this many knobs, if a share `draws` of the games is drawn. `elo` must be above 0.
    /// The gain is that of [`planned_gain`](Self::planned_gain), which names the source.
    pub fn games_for(&self, elo: f64, knobs: usize, draws: f64) -> u64 {
        (precision_times_games(knobs, draws) / (elo * self.elo_at_half_range())).ceil() as u64
    }

    /// How far a game moves the weights: given, or planned from the number of games.
    ///
    /// The plan is van den Bergh's, in shares of a range: with c a sixth of it, E0 the Elo lost at
    /// half range and draw rate d, the final loss stays below p Elo in 95 % of the runs when games
    /// = 101,850 chi2_95(n) (1-d) / (p E0), with gain 8 p / (C (1-d) chi2_95(n)), C = 800 / ln 10.
    /// Solved for the gain at a given number of games, n and d cancel.
    pub fn planned_gain(&self, games: u64) -> f64 {
        self.a.unwrap_or_else(|| {
            let games = self.planned_games.unwrap_or(games);
            let precision_times_chi = PLAN / (games.max(1) as f64 * self.elo_at_half_range());
            8.0 * precision_times_chi / ELO_PER_SCORE * (PLANNED_C / self.c).powi(2)
        })
    }
}

/// With the planned gain the distance to the optimum falls to e^-3 over the run: the sides of a pair
/// differ by 8 c E0 Elo at half range, so that the exponent is 16 a c^2 E0 N / C.
const PLANNED_APPROACH: f64 = 3.0;
/// The least share of that distance that a tune should cover.
const FEW_MOVED: f64 = 0.1;

/// The factor of the plan.
const PLAN: f64 = 101_850.0;
/// The 95 % point of the normal distribution, one-sided.
const Z_95_ONE_SIDED: f64 = 1.644_854;
/// The smallest share of decided games that a plan assumes.
const LEAST_DECIDED: f64 = 0.02;

/// The plan's product of precision, games and the Elo lost at half range.
fn precision_times_games(knobs: usize, draws: f64) -> f64 {
    PLAN * chi_squared_95(knobs) * (1.0 - draws).max(LEAST_DECIDED)
}

/// The 95 % point of the chi-squared distribution with `n` degrees of freedom, by the approximation
/// of Wilson and Hilferty (1931); within 1 % from two on, 2 % for one.
fn chi_squared_95(n: usize) -> f64 {
    let n = n.max(1) as f64;
    let ninth = 2.0 / (9.0 * n);
    n * (1.0 - ninth + Z_95_ONE_SIDED * ninth.sqrt()).powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_games_and_precision_one_follows_from_the_other() {
        for (n, table) in [(1, 3.841), (2, 5.991), (12, 21.026), (44, 60.481)] {
            assert!((chi_squared_95(n) / table - 1.0).abs() < 0.03, "{n}: {}", chi_squared_95(n));
        }
        let options = SpsaOptions { elo_at_half_range: Some(50.0), ..SpsaOptions::default() };
        let games = options.games_for(2.0, 12, 0.5);
        assert!((10_600..=10_800).contains(&games), "{games}");
        let left = precision_times_games(12, 0.5) / (games as f64 * options.elo_at_half_range());
        assert!((left - 2.0).abs() < 0.01);
        assert!(options.games_for(2.0, 12, 1.0) > 0);
    }

    #[test]
    fn steps_grow_with_the_processors() {
        let scaled = |cores| SpsaOptions { scale: Some(cores), ..SpsaOptions::default() }.scaled();
        for (cores, steps) in [(1, (24, 1)), (16, (24, 1)), (256, (96, 7)), (4_096, (1_536, 7))] {
            let options = scaled(cores);
            assert_eq!((options.batch, options.ahead()), steps, "{cores}");
            assert!(options.batch * (options.ahead() + 1) >= 3 * cores);
            Optimizer::Spsa(options).check().unwrap();
        }
        assert_eq!(scaled(1), SpsaOptions::default(), "an answer of a few threads stays as it is");
        Optimizer::Spsa(scaled(u64::MAX)).check().unwrap_err();
    }

    #[test]
    fn a_gain_that_moves_nothing_is_told_with_one_that_does() {
        let said = |a, games| {
            let options = SpsaOptions { a, ..SpsaOptions::default() };
            Optimizer::Spsa(options).too_small_gain(games)
        };
        // The usual gain of OpenBench is for tens of thousands of games.
        assert_eq!((said(Some(0.002), 30_000), said(None, 100)), (None, None));
        let warning = said(Some(0.002), 400).unwrap();
        assert!(
            warning.contains("0.5 % of its range") && warning.contains("--a 0.59"),
            "{warning}"
        );
        // The plan covers what it says: 16 a c^2 E0 N / C = 3.
        let options = SpsaOptions::default();
        let gain = options.planned_gain(5_000);
        let exponent = 16.0 * gain * options.c.powi(2) * 10.0 * 5_000.0 / ELO_PER_SCORE;
        assert!((exponent - PLANNED_APPROACH).abs() < 0.01, "{exponent}");
    }

    #[test]
    fn few_steps_for_many_processors_are_told() {
        let said = |cores, games| {
            let scaled = SpsaOptions { scale: Some(cores), ..SpsaOptions::default() }.scaled();
            Optimizer::Spsa(scaled).too_few_steps(games)
        };
        assert!(said(4_096, 30_000).unwrap().starts_with("8 of its 9 steps begin"));
        assert_eq!((said(4_096, 300_000), said(256, 30_000), said(16, 100)), (None, None, None));
    }
}
