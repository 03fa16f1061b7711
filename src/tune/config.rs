//! Everything that decides a tune, as the manifest of its run keeps it.

use super::logistic::columns::Columns;
use super::logistic::schedule::RoundsConfig;
use super::opponents::OpponentsConfig;
use super::space::{Constraint, Knob, Space};
use super::target::Target;
use crate::arena::{Adjudication, Book, BookConfig, MatchSettings};
use crate::error::{Error, Result, by_name};
use crate::eval::Game;
use crate::search::{ConstantSet, Limits, SearchConstants};
use crate::stats::{Sprt, chi_square_95};
use crate::weights::WeightSet;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The Elo that a weight at half its range is taken to lose, for planning steps. Ranges are
/// measured so that they move typical values by a set number of pieces' worths; of the plans for
/// 50, 20 and 10 Elo the last one led to the strongest answers on 8x8 Breakthrough (16,000 games at
/// 1,000 nodes; +38 Elo over the first, +-20).
const ELO_AT_HALF_RANGE: f64 = 10.0;
/// 800 / ln 10: Elo per unit of score difference, near equality.
const ELO_PER_SCORE: f64 = 347.435_585_522_601_44;

/// A way to tune.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Simultaneous perturbation stochastic approximation (Spall 1992), paired and antithetic.
    #[default]
    Spsa,
    /// Covariance matrix adaptation (Hansen, Ostermeier 2001).
    Cma,
    /// The downhill simplex of Nelder and Mead (1965).
    NelderMead,
    /// Particle swarm (Kennedy, Eberhart 1995).
    Pso,
    /// Simulated annealing (Kirkpatrick, Gelatt, Vecchi 1983).
    Annealing,
    /// Logistic regression on positions of self-play games, in rounds.
    Logistic,
}

impl Method {
    /// Every method, the default first.
    pub const ALL: [Method; 6] = [
        Method::Spsa,
        Method::Cma,
        Method::NelderMead,
        Method::Pso,
        Method::Annealing,
        Method::Logistic,
    ];

    /// Those that learn from the results of pairs.
    pub const BY_PAIRS: [Method; 5] =
        [Method::Spsa, Method::Cma, Method::NelderMead, Method::Pso, Method::Annealing];

    /// The name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Method::Spsa => "spsa",
            Method::Cma => "cma",
            Method::NelderMead => "nelder-mead",
            Method::Pso => "pso",
            Method::Annealing => "annealing",
            Method::Logistic => "logistic",
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        by_name("method", text, &Self::ALL, Self::name)
    }
}

/// The match of the candidate against the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// The most pairs played; 0 leaves the validation out, and with it any claim.
    pub pairs: u64,
    /// Even after a verdict so many pairs are played.
    pub least_pairs: u64,
    /// The test: the candidate is accepted when it ends with H1.
    pub sprt: Sprt,
    /// Pairs on one line of the journal.
    pub batch_pairs: u64,
}

/// The whole configuration of a tune. With a node or depth limit the run is a function of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneConfig {
    /// The game.
    pub game: String,
    /// The board.
    pub board: String,
    /// The method.
    pub method: Method,
    /// What is tuned.
    #[serde(default, skip_serializing_if = "Target::is_weights")]
    pub target: Target,
    /// The constants of the full search that all sides play with, or that their tune starts from;
    /// the usual ones when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<ConstantSet>,
    /// Games played for tuning; those of the validation come on top.
    pub games: u64,
    /// The limits of each move.
    pub limits: Limits,
    /// The seed of everything.
    pub seed: u64,
    /// The tuned weights or constants.
    pub params: Vec<Knob>,
    /// Conditions between them.
    pub constraints: Vec<Constraint>,
    /// Pairs of one step of the optimizer.
    pub batch_pairs: u64,
    /// Pairs added to each step in which the current answer meets the start: the running Elo
    /// estimate.
    pub probe_pairs: u64,
    /// Half the distance between the two sides of a pair, as a share of a weight's range.
    pub perturbation: f64,
    /// How far a game moves the weights, as a share of the perturbation (SPSA's a/c^2); planned
    /// from the number of games when absent.
    pub gain: Option<f64>,
    /// The openings of the tune.
    pub book: BookConfig,
    /// The openings of the validation.
    pub validation_book: BookConfig,
    /// The validation.
    pub validation: Validation,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Engines of others that take part in some of the pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponents: Option<OpponentsConfig>,
    /// The rounds of a logistic tune; other methods have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<RoundsConfig>,
}

impl TuneConfig {
    /// Half the distance between the sides of a pair by default, as a share of a weight's range
    /// (van den Bergh).
    pub const PERTURBATION: f64 = 1.0 / 6.0;
    /// Pairs of one step by default.
    pub const BATCH_PAIRS: u64 = 24;
    /// Probe pairs of one step by default.
    pub const PROBE_PAIRS: u64 = 1;

    /// The gain of a game: given, or planned from the number of games.
    ///
    /// The plan is van den Bergh's: with c a sixth of the range, E0 the Elo lost at half range and
    /// draw rate d, the final loss stays below p Elo in 95 % of the runs when games = 101,850
    /// chi2_95(n) (1-d) / (p E0), with gain 8 p / (C (1-d) chi2_95(n)), C = 800 / ln 10. Solved for
    /// the gain at a given number of games, n and d cancel.
    pub fn planned_gain(&self) -> f64 {
        self.gain.unwrap_or_else(|| {
            let precision_times_chi = 101_850.0 / (self.games.max(1) as f64 * ELO_AT_HALF_RANGE);
            8.0 * precision_times_chi / ELO_PER_SCORE
        })
    }

    /// The Elo that the answer is planned to stay within of the best, in 95 % of the runs (for
    /// games without draws; with them it is better).
    pub fn planned_precision(&self) -> f64 {
        let n = u32::try_from(self.params.len()).unwrap_or(u32::MAX);
        101_850.0 * chi_square_95(n.max(1)) / (self.games.max(1) as f64 * ELO_AT_HALF_RANGE)
    }

    /// The constants that the tune starts from, or that all sides play with.
    pub fn constants(&self) -> ConstantSet {
        self.search.clone().unwrap_or_else(|| ConstantSet::of_defaults(&self.game))
    }

    /// What the games of the tune have in common when the players search with these constants.
    pub fn conditions(&self, constants: [SearchConstants; 2]) -> MatchSettings {
        MatchSettings {
            constants,
            adjudication: self.adjudication,
            ..MatchSettings::new(self.limits)
        }
    }

    /// The space that is searched, around the weights that the tune starts from.
    ///
    /// # Errors
    /// When the set does not fit the game, or the parameters or constraints do not fit what is
    /// tuned.
    pub fn space<G: Game>(&self, start: &WeightSet) -> Result<Space> {
        match self.target {
            Target::Weights => Space::new::<G>(start, self.params.clone(), &self.constraints),
            Target::Search => {
                let constants = self.constants().constants;
                Space::of_constants(start, &constants, self.params.clone(), &self.constraints)
            }
        }
    }

    /// Checks what can be checked without playing.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn check(&self) -> Result<()> {
        self.limits.check()?;
        let refuse = |place: &str, reason: String, remedy: &str| {
            Err(Error::input(place, reason).remedy(remedy))
        };
        if self.validation.batch_pairs == 0 {
            return refuse("validation", "batches of 0 pairs".into(), "give at least 1");
        }
        if let Some(opponents) = &self.opponents {
            opponents.check()?;
            if self.method == Method::Logistic {
                return refuse(
                    "opponents",
                    "the method logistic has self-play only".into(),
                    "leave them out",
                );
            }
        }
        match (&self.rounds, self.method) {
            (Some(rounds), Method::Logistic) => return rounds.check(),
            (_, Method::Logistic) if self.target != Target::Weights => {
                return refuse(
                    "target",
                    "the method logistic has weights only".into(),
                    "restore the manifest",
                );
            }
            (None, Method::Logistic) => {
                return refuse("rounds", "missing".into(), "restore the manifest");
            }
            (Some(_), _) => {
                return refuse("rounds", "only for the logistic method".into(), "leave them out");
            }
            (None, _) => {}
        }
        if self.games < 2 * (self.batch_pairs + self.probe_pairs) {
            let least = 2 * (self.batch_pairs + self.probe_pairs);
            return refuse(
                "games",
                format!("{} are fewer than one step takes", self.games),
                &format!("give at least {least}, or smaller steps with --batch"),
            );
        }
        if self.batch_pairs == 0 {
            return refuse(
                "pairs of a step",
                "0 teach nothing".into(),
                "give at least 1 with --batch",
            );
        }
        if !(self.perturbation > 0.0 && self.perturbation <= 1.0) {
            return refuse(
                "perturbation",
                format!("{} is out of range", self.perturbation),
                "give 0 to 1 with --c",
            );
        }
        if self.gain.is_some_and(|gain| !(gain > 0.0 && gain <= 1.0)) {
            return refuse(
                "gain",
                "out of range".into(),
                "give a number above 0 and at most 1 with --a",
            );
        }
        Ok(())
    }

    /// Checks also what depends on the game and on the weights that the tune starts from.
    ///
    /// # Errors
    /// When a number is out of range, a name is unknown, or there are no such openings.
    pub fn check_for<G: Game>(&self, start: &WeightSet) -> Result<()> {
        self.check()?;
        match &self.rounds {
            None => drop(self.space::<G>(start)?),
            Some(rounds) => {
                let board = self.board.parse()?;
                drop(Columns::new::<G>(board, &rounds.fit.names::<G>(start, board).0)?);
            }
        }
        for book in [&self.book, &self.validation_book] {
            Book::<G>::new(book.clone(), G::evaluator(start)?)?;
        }
        Ok(())
    }
}
