//! A knob: a named number that an optimizer changes, and how it reaches the player.

use crate::error::{Error, Result};
use crate::tune::Target;
use serde::{Deserialize, Serialize};

/// Significant digits of a knob that is not whole.
const DIGITS: i32 = 6;
/// A share of a unit by which a scaled value may miss the whole number that it stands for.
const SLACK: f64 = 1e-6;

/// Which values a knob takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum KnobKind {
    /// Whole numbers; values are rounded before they are sent.
    #[default]
    Int,
    /// Any number; the player gets six significant digits.
    Float,
    /// A number whose product with this factor is whole: the player gets that product. A negative
    /// factor reverses the sign.
    Scaled(f64),
}

impl KnobKind {
    /// Whether the values are whole numbers, the kind that the manifest leaves out.
    pub fn is_int(&self) -> bool {
        *self == Self::Int
    }

    /// The number of steps in 1; `None` if there is no least step.
    fn grid(self) -> Option<f64> {
        match self {
            Self::Int => Some(1.0),
            Self::Float => None,
            Self::Scaled(factor) => Some(factor.abs()),
        }
    }

    /// The least half-distance between the two sides of a pair: both may not round to one value.
    pub fn least_step(self) -> f64 {
        self.grid().map_or(0.0, |grid| 0.5 / grid)
    }

    /// The value rounded down after adding `lift` steps, 0 to 1; unchanged if there is no step.
    pub fn lift(self, value: f64, lift: f64) -> f64 {
        match self {
            Self::Int => (value + lift).floor(),
            Self::Float => value,
            Self::Scaled(factor) => (value * factor.abs() + lift).floor() / factor.abs(),
        }
    }

    /// The nearest value that the knob can have, from below, within bounds.
    pub fn settle(self, value: f64, [min, max]: [f64; 2]) -> f64 {
        match self {
            Self::Int => value.floor().clamp(min.ceil(), max.floor()),
            Self::Float => rounded(value).clamp(min, max),
            Self::Scaled(factor) => {
                let grid = factor.abs();
                let [least, most] = [(min * grid - SLACK).ceil(), (max * grid + SLACK).floor()];
                (value * grid + SLACK).floor().clamp(least, most) / grid
            }
        }
    }

    /// The nearest value that the knob can have within bounds.
    pub fn nearest(self, value: f64, bounds: [f64; 2]) -> f64 {
        self.settle(self.lift(value, 0.5), bounds)
    }

    /// The value as the player gets it.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Int => format!("{}", value.round() as i64),
            Self::Float => format!("{}", rounded(value)),
            Self::Scaled(factor) => format!("{}", (value * factor).round() as i64),
        }
    }

    /// The value as people read it, in the knob's own units.
    pub fn shown(self, value: f64) -> String {
        format!("{}", if self.is_int() { value.round() + 0.0 } else { rounded(value) })
    }
}

/// A number with six significant digits.
fn rounded(value: f64) -> f64 {
    let digits = DIGITS as usize - 1;
    let text = format!("{value:.digits$e}");
    // Without the sign of a zero.
    text.parse::<f64>().map_or(value, |value| value + 0.0)
}

/// A named number with bounds, tuned by an optimizer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Knob {
    /// Its target: a weight, a constant, or an option of an engine.
    pub target: Target,
    /// The name of the feature, the constant or the knob.
    pub name: String,
    /// Which values it takes.
    #[serde(default, skip_serializing_if = "KnobKind::is_int")]
    pub kind: KnobKind,
    /// The option that it sets, if it has another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The group that it belongs to, for choices of knobs by patterns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The value that the tune starts from.
    pub start: f64,
    /// The value with which the matches begin, if a fit has found one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fitted: Option<f64>,
    /// The least value allowed.
    pub min: f64,
    /// The greatest value allowed.
    pub max: f64,
    /// The range over which the value is expected to matter: steps are planned from it.
    pub range: f64,
}

impl Knob {
    /// The name of the option that it sets.
    pub fn option(&self) -> &str {
        self.option.as_deref().unwrap_or(&self.name)
    }

    /// Half the distance between the two sides of a pair, planned as this share of its range.
    pub fn step(&self, share: f64) -> f64 {
        (self.range * share).max(self.kind.least_step())
    }

    /// Checks that its numbers fit together.
    ///
    /// # Errors
    /// When they do not.
    pub(super) fn check(&self) -> Result<()> {
        let (least, most) = self.target.limits(&self.name);
        let bounds = [self.min, self.max];
        let can_have = |value: f64| (self.min..=self.max).contains(&value);
        let good = bounds.into_iter().chain([self.start]).all(f64::is_finite)
            && self.min >= least
            && self.max <= most
            && self.min <= self.max
            && self.kind.grid().is_none_or(|grid| grid > 0.0 && grid.is_finite())
            && can_have(self.kind.lift(self.max, 0.0))
            && can_have(self.start)
            && self.fitted.is_none_or(can_have)
            && self.range > 0.0
            && self.range.is_finite();
        if good {
            return Ok(());
        }
        let reason = format!(
            "start {}, bounds {} to {}, range {} do not fit together",
            self.start, self.min, self.max, self.range
        );
        let mut remedy =
            "the start must lie within the bounds, and the range be above 0".to_owned();
        if self.target == Target::Search {
            remedy += &format!("; the constant may be {least} to {most}");
        }
        Err(Error::input(format!("{} `{}`", self.target.one(), self.name), reason).remedy(remedy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_becomes_what_the_player_reads() {
        let text = |kind: KnobKind, value| kind.text(kind.settle(value, [-10.0, 10.0]));
        assert_eq!(text(KnobKind::Int, 3.7), "3");
        assert_eq!(text(KnobKind::Float, 0.123_456_789), "0.123457");
        assert_eq!(text(KnobKind::Float, 10.5), "10");
        assert_eq!(text(KnobKind::Float, -0.0), "0");
        assert_eq!(text(KnobKind::Scaled(100.0), 0.03), "3");
        assert_eq!(text(KnobKind::Scaled(100.0), 0.29), "29");
        assert_eq!(text(KnobKind::Scaled(-4.0), 1.3), "-5");
        assert_eq!(KnobKind::Scaled(100.0).shown(0.29), "0.29");
    }

    #[test]
    fn the_two_sides_of_a_pair_differ() {
        for kind in [KnobKind::Int, KnobKind::Scaled(100.0), KnobKind::Scaled(-0.5)] {
            let knob = Knob { kind, range: 1e-9, ..Knob::default() };
            let step = knob.step(0.1667);
            for lift in [0.0, 0.3, 0.999] {
                let [a, b] = [step, -step].map(|step| kind.text(kind.lift(7.0 + step, lift)));
                assert_ne!(a, b, "{kind:?}");
            }
        }
        assert_eq!(Knob { kind: KnobKind::Float, range: 0.6, ..Knob::default() }.step(0.5), 0.3);
    }

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let good =
            Knob { target: Target::Option, start: 0.5, max: 1.0, range: 1.0, ..Knob::default() };
        let check = |edit: fn(&mut Knob)| {
            let mut knob = good.clone();
            edit(&mut knob);
            knob.check()
        };
        check(|_| ()).unwrap();
        check(|knob| knob.kind = KnobKind::Float).unwrap();
        check(|knob| knob.start = 2.0).unwrap_err();
        check(|knob| knob.max = f64::NAN).unwrap_err();
        check(|knob| knob.kind = KnobKind::Scaled(0.0)).unwrap_err();
        check(|knob| (knob.min, knob.max) = (0.2, 0.8)).unwrap_err();
    }
}
