//! The space that is searched: one number for each tuned weight or constant, with steps, bounds and
//! constraints.

use super::target::Target;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::eval::features::weights_in_order;
use crate::search::SearchConstants;
use crate::weights::{FORMAT, Weight, WeightSet};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Rounds of the projection onto several constraints that touch each other.
const PROJECTION_ROUNDS: usize = 64;

/// What an optimizer changes: a named number with bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knob {
    /// What the number is. An option of an engine of others would be a further kind.
    pub target: Target,
    /// The name of the feature or constant.
    pub name: String,
    /// The value that the tune starts from.
    pub start: f64,
    /// The least value allowed.
    pub min: f64,
    /// The greatest value allowed.
    pub max: f64,
    /// The range over which the value is expected to matter: steps are planned from it.
    pub range: f64,
}

/// A condition between weights, kept at every step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Constraint {
    /// The first weight is at least the second: `high_danger >= danger`.
    AtLeast(String, String),
    /// Both weights are the same: `connection_horizontal = connection_vertical`.
    Equal(String, String),
}

impl FromStr for Constraint {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let sides = |a: &str, b: &str| (a.trim().to_string(), b.trim().to_string());
        let (constraint, names) = if let Some((a, b)) = text.split_once(">=") {
            let (a, b) = sides(a, b);
            (Self::AtLeast(a.clone(), b.clone()), [a, b])
        } else if let Some((a, b)) = text.split_once("<=") {
            let (a, b) = sides(a, b);
            (Self::AtLeast(b.clone(), a.clone()), [a, b])
        } else if let Some((a, b)) = text.split_once('=') {
            let (a, b) = sides(a, b);
            (Self::Equal(a.clone(), b.clone()), [a, b])
        } else {
            return Err(Error::input(format!("constraint `{text}`"), "no `>=`, `<=` or `=` in it")
                .remedy("write for example `high_danger >= danger`"));
        };
        if names[0] == names[1] || names.iter().any(String::is_empty) {
            return Err(Error::input(
                format!("constraint `{text}`"),
                "needs two different weights",
            )
            .remedy("write for example `high_danger >= danger`"));
        }
        Ok(constraint)
    }
}

impl TryFrom<String> for Constraint {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Constraint> for String {
    fn from(constraint: Constraint) -> Self {
        constraint.to_string()
    }
}

impl std::fmt::Display for Constraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtLeast(a, b) => write!(f, "{a} >= {b}"),
            Self::Equal(a, b) => write!(f, "{a} = {b}"),
        }
    }
}

/// A constraint between two places of the full weight list.
#[derive(Clone, Copy, Debug)]
enum Relation {
    AtLeast(usize, usize),
    Equal(usize, usize),
}

/// The tuned weights among all weights of a set, or the tuned constants among all of them.
#[derive(Clone, Debug)]
pub struct Space {
    target: Target,
    /// The weights that the tune starts from; constants are tuned with all of them as they are.
    base: WeightSet,
    /// All weights in the order of the feature list, or all constants in the order of theirs.
    all: Vec<i32>,
    /// The names of all of them.
    names: Vec<&'static str>,
    params: Vec<Knob>,
    /// The place of each parameter in the full list.
    places: Vec<usize>,
    relations: Vec<Relation>,
}

impl Space {
    /// The space of these parameters around a weight set.
    ///
    /// # Errors
    /// When the set does not fit the game, a name is unknown, the start lies outside the bounds,
    /// nothing is tuned, or a constraint names only weights that are not tuned.
    pub fn new<G: Game>(
        base: &WeightSet,
        params: Vec<Knob>,
        constraints: &[Constraint],
    ) -> Result<Self> {
        let all = weights_in_order::<G>(base)?;
        let names = G::FEATURES.iter().map(|feature| feature.name).collect();
        Self::assemble(Target::Weights, base, (names, all), params, constraints)
    }

    /// The space of these parameters around the constants of the full search, which play with a
    /// weight set.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_constants(
        base: &WeightSet,
        start: &SearchConstants,
        params: Vec<Knob>,
        constraints: &[Constraint],
    ) -> Result<Self> {
        let names = SearchConstants::LIST.iter().map(|info| info.name).collect();
        Self::assemble(Target::Search, base, (names, start.values()), params, constraints)
    }

    fn assemble(
        target: Target,
        base: &WeightSet,
        (names, all): (Vec<&'static str>, Vec<i32>),
        params: Vec<Knob>,
        constraints: &[Constraint],
    ) -> Result<Self> {
        if params.is_empty() {
            return Err(Error::input(format!("tuned {}", target.many()), "none is left")
                .remedy("name some with --only, or freeze fewer"));
        }
        let place = |name: &str| {
            let place = names.iter().position(|&known| known == name);
            place.ok_or_else(|| target.unknown(&names, name))
        };
        let places = params.iter().map(|param| place(&param.name)).collect::<Result<Vec<_>>>()?;
        for param in &params {
            check_param(target, param)?;
        }
        let mut relations = Vec::new();
        for constraint in constraints {
            let (a, b) = match constraint {
                Constraint::AtLeast(a, b) | Constraint::Equal(a, b) => (place(a)?, place(b)?),
            };
            if !places.contains(&a) && !places.contains(&b) {
                let reason = format!("neither {} is tuned", target.one());
                return Err(Error::input(format!("constraint `{constraint}`"), reason)
                    .remedy("tune one of them, or leave the constraint out"));
            }
            relations.push(match constraint {
                Constraint::AtLeast(..) => Relation::AtLeast(a, b),
                Constraint::Equal(..) => Relation::Equal(a, b),
            });
        }
        Ok(Self { target, base: base.clone(), all, names, params, places, relations })
    }

    /// The parameters.
    pub fn params(&self) -> &[Knob] {
        &self.params
    }

    /// The number of parameters.
    pub fn len(&self) -> usize {
        self.params.len()
    }

    /// Whether there is nothing to tune; never so for a space that [`Space::new`] made.
    pub fn is_empty(&self) -> bool {
        self.params.is_empty()
    }

    /// The point that the tune starts from.
    pub fn start(&self) -> Vec<f64> {
        self.params.iter().map(|param| param.start).collect()
    }

    /// The nearest point (nearly: constraints are met one after the other) within bounds and
    /// constraints.
    pub fn project(&self, point: &[f64]) -> Vec<f64> {
        let mut full: Vec<f64> = self.all.iter().map(|&weight| f64::from(weight)).collect();
        for (&place, &value) in self.places.iter().zip(point) {
            full[place] = value;
        }
        for _ in 0..PROJECTION_ROUNDS {
            let before = full.clone();
            for &relation in &self.relations {
                self.meet(relation, &mut full);
            }
            for (param, &place) in self.params.iter().zip(&self.places) {
                full[place] = full[place].clamp(param.min, param.max);
            }
            if full == before {
                break;
            }
        }
        self.places.iter().map(|&place| full[place]).collect()
    }

    /// Moves the two weights of a relation together; one that is not tuned stays where it is.
    fn meet(&self, relation: Relation, full: &mut [f64]) {
        let (a, b, broken) = match relation {
            Relation::AtLeast(a, b) => (a, b, full[a] < full[b]),
            Relation::Equal(a, b) => (a, b, full[a] != full[b]),
        };
        if !broken {
            return;
        }
        let meeting = match (self.places.contains(&a), self.places.contains(&b)) {
            (true, false) => full[b],
            (false, true) => full[a],
            _ => (full[a] + full[b]) / 2.0,
        };
        full[a] = meeting;
        full[b] = meeting;
    }

    /// All weights at a point, rounded down after adding the parameter's share of `lift` (one
    /// number in [0, 1) for each parameter; 0.5 everywhere rounds to the nearest). Bounds and
    /// constraints hold for the result.
    pub fn round(&self, point: &[f64], lift: &[f64]) -> Vec<i32> {
        let lifted: Vec<f64> =
            self.project(point).iter().zip(lift).map(|(x, u)| (x + u).floor()).collect();
        // Rounding can break a constraint by one; meeting it again may end between two integers.
        let met = self.project(&lifted);
        let mut all = self.all.clone();
        for ((&place, value), param) in self.places.iter().zip(met).zip(&self.params) {
            all[place] = value.floor().clamp(param.min.ceil(), param.max.floor()) as i32;
        }
        for &relation in &self.relations {
            self.meet_integers(relation, &mut all);
        }
        all
    }

    fn meet_integers(&self, relation: Relation, all: &mut [i32]) {
        let (a, b, broken) = match relation {
            Relation::AtLeast(a, b) => (a, b, all[a] < all[b]),
            Relation::Equal(a, b) => (a, b, all[a] != all[b]),
        };
        if broken {
            let to = if self.places.contains(&b) { all[a] } else { all[b] };
            if self.places.contains(&b) {
                all[b] = to;
            } else {
                all[a] = to;
            }
        }
    }

    /// All weights at a point, rounded to the nearest integers.
    pub fn nearest(&self, point: &[f64]) -> Vec<i32> {
        self.round(point, &vec![0.5; self.len()])
    }

    /// The constants with these values; `None` in a space of weights.
    pub fn constants(&self, all: &[i32]) -> Option<SearchConstants> {
        (self.target == Target::Search).then(|| {
            let mut params = SearchConstants::default();
            self.names.iter().zip(all).for_each(|(name, &value)| {
                params.set(name, value);
            });
            params
        })
    }

    /// The weight set with these weights in place of its own; in a space of constants, the set as
    /// it is.
    ///
    /// # Errors
    /// Never for weights that this space made.
    pub fn set(&self, all: &[i32]) -> Result<WeightSet> {
        let mut set = self.base.clone();
        if self.target == Target::Search {
            return Ok(set);
        }
        for (name, &weight) in self.names.iter().zip(all) {
            if set.weights.get(name).is_some() {
                set.set_one(name, weight)?;
            } else if weight != 0 {
                // A set of an older format may lack the feature.
                set.weights.insert(name, Weight::One(weight));
                set.format = FORMAT;
            }
        }
        Ok(set)
    }
}

/// The error for a weight that the game does not have.
pub fn unknown_weight(names: &[&str], name: &str) -> Error {
    Target::Weights.unknown(names, name)
}

fn check_param(target: Target, param: &Knob) -> Result<()> {
    let (least, most) = target.limits(&param.name);
    let good = param.min >= least
        && param.max <= most
        && param.min.ceil() <= param.max.floor()
        && (param.min..=param.max).contains(&param.start)
        && param.range > 0.0
        && param.range.is_finite();
    if good {
        return Ok(());
    }
    let reason = format!(
        "start {}, bounds {} to {}, range {} do not fit together",
        param.start, param.min, param.max, param.range
    );
    let mut remedy = "the start must lie within the bounds, and the range be above 0".to_owned();
    if target == Target::Search {
        remedy += &format!("; the constant may be {least} to {most}");
    }
    Err(Error::input(format!("{} `{}`", target.one(), param.name), reason).remedy(remedy))
}
