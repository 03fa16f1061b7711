//! The plan of a tune: by matches of changed players, or by fitting weights to positions, with
//! exactly the options that it uses.
//!
//! The structs here are both the options of `spar tune` and a part of a run's manifest.

use super::engine_check::KnobsProbe;
use crate::error::{Error, Result};
use crate::protocol::ExternalEngine;
use crate::search::{Algorithm, Limits};
use crate::tune::{
    Constraint, FitFirst, FittingPlan, Knob, KnobKind, OpponentsConfig, Optimizer, Target,
    TrainingPlan,
};
use serde::{Deserialize, Serialize};

/// Games left over are noted where they are more than one in this many.
const MANY_LEFT_OVER: u64 = 20;

/// A way to tune.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Method {
    /// A fit to positions of self-play games, and SPSA by matches from there
    #[default]
    Joined,
    /// Simultaneous perturbation stochastic approximation (Spall 1992), paired and antithetic
    Spsa,
    /// Logistic regression on positions of self-play games, in rounds of games, fit and match
    Logistic,
    /// A network trained on positions of self-play games, in rounds of games, training and match
    Network,
}

impl Method {
    /// Every method, the default first.
    pub const ALL: [Method; 4] = [Method::Joined, Method::Spsa, Method::Logistic, Method::Network];

    /// Methods of versions up to 0.2.0. Game results are too noisy for them: they answered with the
    /// luckiest point, or covered a fraction of SPSA's way in the same games.
    pub const DROPPED: [&str; 4] = ["cma", "nelder-mead", "pso", "annealing"];

    /// Whether it works in rounds of games, a fit and a match. Otherwise it learns from matches.
    pub fn has_rounds(self) -> bool {
        matches!(self, Method::Logistic | Method::Network)
    }

    /// The name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Method::Joined => "joined",
            Method::Spsa => "spsa",
            Method::Logistic => "logistic",
            Method::Network => "network",
        }
    }

    /// The opponent in the probe pairs of a running tune: the start of its optimizer.
    pub fn probed_against(self) -> &'static str {
        match self {
            Method::Joined => "the fit",
            Method::Spsa | Method::Logistic | Method::Network => "the start",
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The plan of a tune, with the options of each kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Plan {
    /// An optimizer changes knobs by the results of matches.
    Matches(Box<MatchPlan>),
    /// Weights are fitted to positions of self-play games, in rounds.
    Fitting(Box<FittingPlan>),
    /// A network is trained on positions of self-play games, in rounds.
    Training(Box<TrainingPlan>),
}

/// The changes that a probe of an engine's knobs makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Probing {
    /// Freezes dead knobs
    #[default]
    Freeze,
    /// Freezes dead knobs, and scales the steps of the others toward equal effect
    Steps,
}

/// The work of an external engine's tune before its matches begin. The plan loses each part once it
/// is done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Beginning {
    /// A probe of the knobs, which comes before everything else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probing>,
    /// Quiet positions of the engine's own games to fit its options to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit_positions: Option<u64>,
    /// The seconds that the whole tune may take. A trial of speed decides how many games fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The Elo that the tune may leave to gain. A trial decides how many games that takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// The pairs of the match at longer limits, if they do not follow from the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yardstick_pairs: Option<u64>,
}

impl Beginning {
    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        let is_planned = self.seconds.is_none() && self.precision.is_none();
        self.probe.is_none() && self.fit_positions.is_none() && is_planned
    }

    /// Checks that the numbers are in range.
    ///
    /// # Errors
    /// When one is out of range.
    fn check(&self) -> Result<()> {
        let is_time = |seconds: &f64| seconds.is_finite() && *seconds > 0.0;
        if self.fit_positions == Some(0) {
            return Err(Error::input("positions", "a fit needs some")
                .remedy("give for example --fit-positions 20k, or leave out --method joined"));
        }
        match [self.seconds, self.precision].iter().flatten().all(is_time) {
            true => Ok(()),
            false => Err(Error::input("time or precision", "not a number above 0")
                .remedy("give for example --for 8h or --precision 2")),
        }
    }
}

/// A tune by matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchPlan {
    /// The optimizer and its options.
    pub optimizer: Optimizer,
    /// The external engine whose options the knobs set; `None` where the engine of this program is
    /// tuned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<ExternalEngine>,
    /// The search of the players, where the engine of this program is tuned.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub algorithm: Algorithm,
    /// The variables of the optimizer, with bounds and steps.
    pub knobs: Vec<Knob>,
    /// Conditions between knobs, such as `a < b`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<Constraint>,
    /// Opponents that take part in some of the pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponents: Option<OpponentsConfig>,
    /// The share of the limits at which the quick pairs are played, if there are some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick_share: Option<f64>,
    /// The share of the quick pairs among all; half of them by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick_pairs: Option<f64>,
    /// The fit with which the optimizer begins, if it does not begin with the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit_first: Option<FitFirst>,
    /// The run of an earlier tune of the engine, with whose values this tune begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// The probe of the knobs before the tune, once it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<KnobsProbe>,
    /// The work that is left before the matches of an external engine's tune.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beginning: Option<Beginning>,
}

fn is_usual(algorithm: &Algorithm) -> bool {
    *algorithm == Algorithm::default()
}

impl MatchPlan {
    /// A plan without conditions, opponents, quick pairs or a fit.
    pub fn new(optimizer: Optimizer, knobs: Vec<Knob>) -> Self {
        Self {
            optimizer,
            engine: None,
            algorithm: Algorithm::default(),
            knobs,
            constraints: Vec::new(),
            opponents: None,
            quick_share: None,
            quick_pairs: None,
            fit_first: None,
            continues: None,
            probe: None,
            beginning: None,
        }
    }

    /// Fixes these knobs at their starts on both sides, by options of the tuned engine.
    pub fn fix<'a>(&mut self, knobs: impl Iterator<Item = (&'a str, KnobKind, f64)>) {
        let Some(engine) = &mut self.engine else { return };
        for (option, kind, start) in knobs {
            let is_set = engine.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(option));
            if !is_set {
                engine.options.push((option.to_owned(), kind.text(start)));
            }
        }
    }

    /// The search of the players, where it is not the usual one.
    pub fn other_algorithm(&self) -> Option<Algorithm> {
        (!is_usual(&self.algorithm)).then_some(self.algorithm)
    }

    pub(super) fn method(&self) -> Method {
        let is_to_be_fitted =
            self.beginning.as_ref().is_some_and(|beginning| beginning.fit_positions.is_some());
        let is_fitted = is_to_be_fitted || self.knobs.iter().any(|knob| knob.fitted.is_some());
        match self.fit_first.is_some() || is_fitted {
            true => Method::Joined,
            false => self.optimizer.method(),
        }
    }

    /// Games that the optimizer plays, of this many of the whole tune.
    pub(super) fn games_of_matches(&self, games: u64) -> u64 {
        games.saturating_sub(self.fit_first.as_ref().map_or(0, |first| first.games))
    }

    /// A warning if `games` gives too few steps for the look-ahead; `None` with the usual
    /// look-ahead.
    pub fn too_few_steps(&self, games: u64) -> Option<String> {
        self.optimizer.too_few_steps(self.games_of_matches(games))
    }

    /// A warning if many of `games` are left over, since the optimizer plays whole steps.
    pub fn left_over(&self, games: u64) -> Option<String> {
        let step = 2 * self.optimizer.pairs_of_a_step();
        let rest = self.games_of_matches(games).checked_rem(step)?;
        (rest * MANY_LEFT_OVER > games).then(|| {
            format!(
                "plays {} of the {games} games, since a step has {step}; --games {} uses all, or \
                 take a smaller --batch",
                games - rest,
                games - rest + step
            )
        })
    }

    /// A warning if the given gain hardly moves the knobs in `games`.
    pub fn too_small_gain(&self, games: u64) -> Option<String> {
        self.optimizer.too_small_gain(self.games_of_matches(games))
    }

    /// The kind of the tuned number.
    pub fn target(&self) -> Target {
        self.knobs.first().map_or(Target::Weights, |knob| knob.target)
    }

    /// The share of the pairs with [limits of their own](Self::quick_limits); 0 if there are none.
    pub fn quick_pairs(&self) -> f64 {
        self.quick_share.map_or(0.0, |_| self.quick_pairs.unwrap_or(0.5))
    }

    /// The limits of quick pairs, if there are some.
    pub fn quick_limits(&self, limits: &Limits) -> Option<Limits> {
        self.quick_share.map(|share| limits.share(share))
    }

    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// When a number is out of range, or the games are fewer than a step takes.
    pub(super) fn check(&self, games: u64) -> Result<()> {
        self.optimizer.check()?;
        self.opponents.as_ref().map_or(Ok(()), OpponentsConfig::check)?;
        self.fit_first.as_ref().map_or(Ok(()), FitFirst::check)?;
        self.beginning.as_ref().map_or(Ok(()), Beginning::check)?;
        if self.quick_share.is_some_and(|share| !(share > 0.0 && share <= 1.0)) {
            return Err(Error::input("share of the limits", "out of range")
                .remedy("give a number above 0 and at most 1 with --quick-share"));
        }
        if self.quick_pairs.is_some_and(|share| !(0.0..=1.0).contains(&share)) {
            return Err(Error::input("share of the quick pairs", "out of range")
                .remedy("give a number from 0 to 1 with --quick-pairs"));
        }
        if let Some(first) = self.fit_first.as_ref().filter(|first| first.games >= games) {
            let reason = format!("{} leave none of the tune's {games} for matches", first.games);
            return Err(Error::input("games of the fit", reason)
                .remedy("give fewer with --fit-games, or more with --games"));
        }
        let least = 2 * self.optimizer.pairs_of_a_step();
        let games = self.games_of_matches(games);
        if games >= least {
            return Ok(());
        }
        Err(Error::input("games", format!("{games} are fewer than one step takes"))
            .remedy(format!("give at least {least}, or smaller steps with --batch")))
    }
}
