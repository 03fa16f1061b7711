//! The sequential probability ratio test: play until the evidence decides between two hypotheses.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::elo::score_of_elo;
use super::likelihood::Observed;
use super::pairs::PairCounts;
use crate::error::{Error, Result};

/// The largest bound of an [`Sprt`], in Elo or normalised Elo. Beyond it a score is 1 to a dozen
/// digits.
pub const MAX_SPRT_ELO: f64 = 5000.0;

/// Normalised Elo per standard deviation of one game's score: 800 / ln 10.
pub(super) const NELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// The unit of the bounds of an [`Sprt`]. In text and JSON: `normalized`, `logistic`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Model {
    /// Normalised Elo: the edge in standard deviations. The games a test takes then depend on its
    /// bounds alone, not on the share of draws.
    #[default]
    Normalized,
    /// Logistic Elo: the mean score.
    Logistic,
}

impl Model {
    /// The name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a test ended. In text and JSON: `H0`, `H1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Verdict {
    /// The first player failed: not as good as `elo1`.
    H0,
    /// The first player passed: better than `elo0`. It need not be as good as `elo1`.
    H1,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// A test of H0, that the first player is `elo0` stronger, against H1, that it is `elo1` stronger.
///
/// The LLR is the generalised one of M. Van den Bergh, as in fishtest and fastchess; the bounds are
/// Wald's.
///
/// ```
/// use sparring_stats::{Model, PairCounts, Sprt, Verdict};
/// let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized)?;
/// let llr = sprt.llr(&PairCounts::from_array([34, 54, 63, 64, 75])).unwrap();
/// assert!((llr - 2.48370).abs() < 1e-5);
/// assert_eq!(sprt.verdict_at(llr), None); // the upper bound is 2.944
/// # Ok::<(), sparring_stats::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sprt {
    /// The difference under H0, in the Elo of `model`.
    pub elo0: f64,
    /// The difference under H1, in the Elo of `model`; above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 is true.
    pub alpha: f64,
    /// The probability of accepting H0 when H1 is true.
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: Model,
}

/// An [`Sprt`] as it is read, before its values are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Unchecked {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    #[serde(default)]
    model: Model,
}

impl TryFrom<Unchecked> for Sprt {
    type Error = Error;

    fn try_from(read: Unchecked) -> Result<Self> {
        Self::new(read.elo0, read.elo1, read.alpha, read.beta, read.model)
    }
}

impl Sprt {
    /// The probability of each error, 0 to 1, where none is given.
    pub const USUAL_ERROR: f64 = 0.05;

    /// A test with the usual errors and model.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn usual(elo0: f64, elo1: f64) -> Result<Self> {
        Self::new(elo0, elo1, Self::USUAL_ERROR, Self::USUAL_ERROR, Model::default())
    }

    /// A test with checked values.
    ///
    /// # Errors
    /// Bad input, unless -5000 <= `elo0` < `elo1` <= 5000 ([`MAX_SPRT_ELO`]), `alpha` and `beta`
    /// are above 0, and `alpha` + `beta` is below 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self> {
        let bounds = format!("SPRT bounds {elo0},{elo1}");
        for elo in [elo0, elo1] {
            if elo.is_nan() || elo.abs() > MAX_SPRT_ELO {
                let remedy = format!("give bounds from -{MAX_SPRT_ELO} to {MAX_SPRT_ELO} Elo");
                return Err(Error::input(bounds, format!("{elo} is out of range")).remedy(remedy));
            }
        }
        if elo0 >= elo1 {
            return Err(
                Error::input(bounds, "the first is not below the second").remedy("give E0 < E1")
            );
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(Error::input(
                    format!("SPRT {name} {value}"),
                    "not a probability of error",
                )
                .remedy("give a number between 0 and 1, for example 0.05"));
            }
        }
        if alpha + beta >= 1.0 {
            let place = format!("SPRT alpha {alpha}, beta {beta}");
            return Err(
                Error::input(place, "together they are not below 1").remedy("give 0.05 for each")
            );
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The LLR at or below which H0 is accepted: ln(beta / (1 - alpha)), negative.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The LLR at or above which H1 is accepted: ln((1 - beta) / alpha), positive.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 to H0. An empty cell counts as a thousandth of a pair. `None`
    /// without pairs, and for a test that [`Sprt::new`] would refuse.
    pub fn llr(&self, counts: &PairCounts) -> Option<f64> {
        let observed = Observed::new(counts)?;
        let llr = match self.model {
            Model::Normalized => observed.llr_of_t_values(t_value(self.elo0), t_value(self.elo1)),
            Model::Logistic => observed.llr_of_elos(self.elo0, self.elo1),
        };
        llr.filter(|llr| llr.is_finite())
    }

    /// The two hypotheses as edges over an even score, for pair scores with this standard
    /// deviation.
    pub(super) fn edges(&self, deviation: f64) -> [f64; 2] {
        [self.elo0, self.elo1].map(|elo| match self.model {
            Model::Normalized => t_value(elo),
            Model::Logistic => (score_of_elo(elo) - 0.5) / deviation,
        })
    }

    /// The verdict at this LLR; `None` while it is between the bounds.
    pub fn verdict_at(&self, llr: f64) -> Option<Verdict> {
        if llr >= self.upper() {
            Some(Verdict::H1)
        } else if llr <= self.lower() {
            Some(Verdict::H0)
        } else {
            None
        }
    }
}

/// A pair's edge in standard deviations at a normalised Elo, which refers to single games: the mean
/// of two independent games has a deviation smaller by the square root of 2.
pub(super) fn t_value(nelo: f64) -> f64 {
    nelo / NELO_PER_DEVIATION * std::f64::consts::SQRT_2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap()
    }

    #[test]
    fn values_out_of_range_are_refused_with_a_remedy() {
        let refused = |elo0, elo1, alpha, beta| {
            Sprt::new(elo0, elo1, alpha, beta, Model::Normalized).unwrap_err().to_string()
        };
        assert_eq!(
            refused(5.0, 0.0, 0.05, 0.05),
            "SPRT bounds 5,0: the first is not below the second; give E0 < E1"
        );
        assert!(refused(0.0, 0.0, 0.05, 0.05).contains("not below"));
        assert!(refused(f64::NAN, 5.0, 0.05, 0.05).contains("out of range"));
        assert!(refused(0.0, f64::INFINITY, 0.05, 0.05).contains("out of range"));
        assert!(refused(0.0, 5000.5, 0.05, 0.05).contains("from -5000 to 5000"));
        assert!(refused(0.0, 5.0, 0.0, 0.05).starts_with("SPRT alpha 0:"));
        assert!(refused(0.0, 5.0, 0.05, f64::NAN).starts_with("SPRT beta NaN:"));
        assert!(refused(0.0, 5.0, 0.5, 0.5).contains("not below 1"));
    }

    #[test]
    fn json_is_checked_on_reading() {
        let read =
            serde_json::from_str::<Sprt>(r#"{"elo0":0,"elo1":5,"alpha":0.05,"beta":0.1}"#).unwrap();
        assert_eq!(read.model, Model::Normalized);
        let text = serde_json::to_string(&read).unwrap();
        assert_eq!(text, r#"{"elo0":0.0,"elo1":5.0,"alpha":0.05,"beta":0.1,"model":"normalized"}"#);
        assert_eq!(serde_json::from_str::<Sprt>(&text).unwrap(), read);
        assert!(
            serde_json::from_str::<Sprt>(r#"{"elo0":9,"elo1":5,"alpha":0.05,"beta":0.1}"#).is_err()
        );
    }

    #[test]
    fn the_bounds_themselves_decide() {
        let sprt = sprt(0.0, 5.0, Model::Normalized);
        assert_eq!(sprt.verdict_at(sprt.upper()), Some(Verdict::H1));
        assert_eq!(sprt.verdict_at(sprt.lower()), Some(Verdict::H0));
        assert_eq!(sprt.verdict_at(sprt.upper() * 0.999), None);
        assert_eq!(sprt.verdict_at(0.0), None);
        assert_eq!(serde_json::to_string(&Verdict::H0).unwrap(), "\"H0\"");
        assert_eq!(Verdict::H1.to_string(), "H1");
    }
}
