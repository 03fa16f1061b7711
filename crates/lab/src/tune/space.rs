//! The space that is searched: one number for each tuned weight or constant, with steps, bounds and
//! constraints.

use crate::arena::spec::{change_weights, unusual};
use crate::arena::{PlayerBody, PlayerSpec};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::player::Player;
use crate::search::SearchConstants;
use crate::tune::{Knob, Target};
use crate::weights::WeightSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::str::FromStr;

/// The most rounds of the projection onto several constraints that share weights.
const PROJECTION_ROUNDS: usize = 64;

/// A condition between weights, kept at every step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Constraint {
    /// The first weight is at least the second: `high_danger >= danger`.
    AtLeast(String, String),
    /// Both weights are the same: `connection_horizontal = connection_vertical`.
    Equal(String, String),
}

impl Constraint {
    /// The two weights, constants or knobs that it compares.
    pub fn names(&self) -> [&str; 2] {
        match self {
            Self::AtLeast(a, b) | Self::Equal(a, b) => [a, b],
        }
    }
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

/// A constraint with the places of its two weights in the full weight list.
#[derive(Clone, Debug)]
struct Relation {
    constraint: Constraint,
    places: [usize; 2],
}

impl Relation {
    /// The two places, if these values break the constraint.
    fn broken_by(&self, values: &[f64]) -> Option<(usize, usize)> {
        let [a, b] = self.places;
        let is_broken = match self.constraint {
            Constraint::AtLeast(..) => values[a] < values[b],
            Constraint::Equal(..) => values[a] != values[b],
        };
        is_broken.then_some((a, b))
    }
}

/// The tuned numbers among all numbers of their kind.
#[derive(Clone, Debug)]
pub struct Space {
    /// The player that the tune starts from. Everything that is not tuned stays as in this player.
    start: Player,
    /// All single weights of the start in the order of the feature list if weights are tuned, all
    /// constants in their order if constants are, or the knobs if these are options of an engine.
    all: Vec<f64>,
    /// The kind and the name of each number in `all`.
    names: Vec<(Target, String)>,
    knobs: Vec<Knob>,
    /// The place of each knob in the full list.
    places: Vec<usize>,
    relations: Vec<Relation>,
    /// The names of the game's features.
    features: Vec<&'static str>,
}

/// The numbers of a player that the knobs are among, each with what it belongs to and its name:
/// all weights, all constants of the search, and the tuned options.
fn numbers(game: GameId, start: &Player, knobs: &[Knob]) -> Result<Vec<((Target, String), f64)>> {
    let is_tuned = |target: Target| knobs.iter().any(|knob| knob.target == target);
    let mut numbers = Vec::new();
    if is_tuned(Target::Weights) {
        let single = game.single_weights(&start.weights)?.into_iter();
        numbers
            .extend(single.map(|weight| ((Target::Weights, weight.name), f64::from(weight.value))));
    }
    if is_tuned(Target::Search) {
        for info in SearchConstants::every() {
            let value = start.constants.get(info.name).unwrap_or(info.default);
            numbers.push(((Target::Search, info.name.to_owned()), f64::from(value)));
        }
    }
    let options = knobs.iter().filter(|knob| knob.target == Target::Option);
    numbers.extend(options.map(|knob| ((Target::Option, knob.name.clone()), knob.start)));
    Ok(numbers)
}

impl Space {
    /// The space of these knobs around a player.
    ///
    /// # Errors
    /// When the player's weights do not fit the game, a name is unknown, the start lies outside the
    /// bounds, nothing is tuned, or a constraint names only numbers that are not tuned.
    pub fn new(
        game: GameId,
        start: Player,
        knobs: Vec<Knob>,
        constraints: &[Constraint],
    ) -> Result<Self> {
        let Some(target) = knobs.first().map(|knob| knob.target) else {
            return Err(Error::input("tuned numbers", "none is left")
                .remedy("name some with --only, or freeze fewer"));
        };
        let (names, all): (Vec<_>, Vec<_>) = numbers(game, &start, &knobs)?.into_iter().unzip();
        let unknown = |target: Target, name: &str| {
            let of_target = names.iter().filter(|(known, _)| *known == target);
            target.unknown(&of_target.map(|(_, name)| name.as_str()).collect::<Vec<_>>(), name)
        };
        let place = |knob: &Knob| {
            let known =
                |(target, name): &(Target, String)| *target == knob.target && *name == knob.name;
            knob.check()?;
            names.iter().position(known).ok_or_else(|| unknown(knob.target, &knob.name))
        };
        let places = knobs.iter().map(place).collect::<Result<Vec<_>>>()?;
        let place = |name: &str| {
            let place = names.iter().position(|(_, known)| known == name);
            place.ok_or_else(|| unknown(target, name))
        };
        let mut relations = Vec::new();
        for constraint in constraints {
            let [a, b] = constraint.names();
            let at = [place(a)?, place(b)?];
            if !at.iter().any(|place| places.contains(place)) {
                let reason = format!("neither {} is tuned", target.one());
                return Err(Error::input(format!("constraint `{constraint}`"), reason)
                    .remedy("tune one of them, or leave the constraint out"));
            }
            relations.push(Relation { constraint: constraint.clone(), places: at });
        }
        let features = game.feature_names();
        Ok(Self { start, all, names, knobs, places, relations, features })
    }

    /// A space of numbers that mean nothing to the player, to run an optimizer on a simulated
    /// surface: [`round`](Self::round) gives the knobs' values in this order.
    pub fn of_numbers(start: Player, knobs: Vec<Knob>) -> Self {
        let all = knobs.iter().map(|knob| knob.start.round()).collect();
        let places = (0..knobs.len()).collect();
        let (names, relations, features) = Default::default();
        Self { start, all, names, knobs, places, relations, features }
    }

    /// The knobs that span the space.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// The number of knobs.
    pub fn len(&self) -> usize {
        self.knobs.len()
    }

    /// Whether there is nothing to tune; never true for a space from [`Space::new`].
    pub fn is_empty(&self) -> bool {
        self.knobs.is_empty()
    }

    /// The point that the tune starts from.
    pub fn start(&self) -> Vec<f64> {
        self.knobs.iter().map(|knob| knob.start).collect()
    }

    /// The constraints that the start breaks, each in a sentence, although every played point meets
    /// them.
    pub fn broken_at_start(&self) -> impl Iterator<Item = String> {
        self.relations.iter().filter_map(|relation| {
            let (a, b) = relation.broken_by(&self.all)?;
            Some(format!(
                "the start breaks `{}` with {} and {}: the tune brings the two together",
                relation.constraint, self.all[a], self.all[b]
            ))
        })
    }

    /// The nearest point (nearly: constraints are met one after the other) within bounds and
    /// constraints.
    pub fn project(&self, point: &[f64]) -> Vec<f64> {
        let mut full = self.all.clone();
        for (&place, &value) in self.places.iter().zip(point) {
            full[place] = value;
        }
        for _ in 0..PROJECTION_ROUNDS {
            let before = full.clone();
            for relation in &self.relations {
                self.meet(relation, &mut full);
            }
            for (knob, &place) in self.knobs.iter().zip(&self.places) {
                full[place] = full[place].clamp(knob.min, knob.max);
            }
            if full == before {
                break;
            }
        }
        self.places.iter().map(|&place| full[place]).collect()
    }

    /// Moves the two weights of a relation together. A weight that is not tuned stays where it is.
    fn meet(&self, relation: &Relation, full: &mut [f64]) {
        let Some((a, b)) = relation.broken_by(full) else { return };
        let meeting = match (self.places.contains(&a), self.places.contains(&b)) {
            (true, false) => full[b],
            (false, true) => full[a],
            _ => (full[a] + full[b]) / 2.0,
        };
        full[a] = meeting;
        full[b] = meeting;
    }

    /// All values at a point, whole knobs rounded down after adding the knob's share of
    /// `lift` (one number in [0, 1) for each knob; 0.5 everywhere rounds to the nearest). Bounds
    /// and constraints hold for the result.
    pub fn round(&self, point: &[f64], lift: &[f64]) -> Vec<f64> {
        let point = self.project(point);
        let lifted = self.knobs.iter().zip(point.iter().zip(lift));
        let lifted: Vec<f64> = lifted.map(|(knob, (&x, &u))| knob.kind.lift(x, u)).collect();
        // Rounding can break a constraint by one; meeting it again may end between two integers.
        let met = self.project(&lifted);
        let mut all = self.all.clone();
        for ((&place, value), knob) in self.places.iter().zip(met).zip(&self.knobs) {
            all[place] = knob.kind.settle(value, [knob.min, knob.max]);
        }
        for relation in &self.relations {
            self.meet_rounded(relation, &mut all);
        }
        all
    }

    fn meet_rounded(&self, relation: &Relation, all: &mut [f64]) {
        match relation.broken_by(all) {
            Some((a, b)) if self.places.contains(&b) => all[b] = all[a],
            Some((a, b)) => all[a] = all[b],
            None => {}
        }
    }

    /// All values at a point, rounded to the nearest values that the knobs can have.
    pub fn nearest(&self, point: &[f64]) -> Vec<f64> {
        self.round(point, &vec![0.5; self.len()])
    }

    /// The whole values of one kind.
    fn of_target<'a>(
        &'a self,
        target: Target,
        all: &'a [f64],
    ) -> impl Iterator<Item = (&'a str, i32)> + 'a {
        let own = self.names.iter().zip(all).filter(move |((known, _), _)| *known == target);
        own.map(|((_, name), &value)| (name.as_str(), value as i32))
    }

    /// All weights with these values, in the order of the feature list, where weights are tuned.
    pub fn weights(&self, all: &[f64]) -> Option<Vec<i32>> {
        let weights: Vec<i32> =
            self.of_target(Target::Weights, all).map(|(_, value)| value).collect();
        (!weights.is_empty()).then_some(weights)
    }

    /// The constants with these values.
    pub fn constants(&self, all: &[f64]) -> SearchConstants {
        let mut constants = self.start.constants.clone();
        self.of_target(Target::Search, all).for_each(|(name, value)| {
            constants.set(name, value);
        });
        constants
    }

    /// The options that the knobs set with these values, as the engine reads them.
    pub fn options(&self, all: &[f64]) -> BTreeMap<String, String> {
        let knobs = self.knobs.iter().zip(&self.places);
        let options = knobs.filter(|(knob, _)| knob.target == Target::Option);
        options.map(|(knob, &at)| (knob.option().to_owned(), knob.kind.text(all[at]))).collect()
    }

    /// Gives a player of a pair, so far the start, these values in place of its own.
    pub fn apply(&self, all: &[f64], player: &mut PlayerSpec) {
        let own = |name: &str| self.start.weights.one(name).unwrap_or(0);
        let changed = self.of_target(Target::Weights, all).filter(|&(name, v)| own(name) != v);
        player.weights = changed.map(|(name, value)| (name.to_owned(), value)).collect();
        player.options = self.options(all);
        player.constants = match player.body {
            PlayerBody::Set(_) => unusual(&self.constants(all)),
            PlayerBody::Engine(_) => None,
        };
    }

    fn weight_set(&self, all: &[f64]) -> Result<WeightSet> {
        let mut set = self.start.weights.clone();
        change_weights(&mut set, self.of_target(Target::Weights, all), &self.features)?;
        Ok(set)
    }

    /// The player with these values in place of its own.
    ///
    /// # Errors
    /// Never for values that this space made.
    pub fn player(&self, all: &[f64]) -> Result<Player> {
        let (name, weights) = (self.start.name.clone(), self.weight_set(all)?);
        Ok(Player { name, weights, constants: self.constants(all), options: self.options(all) })
    }
}

/// The error for a weight that the game does not have.
pub fn unknown_weight(names: &[&str], name: &str) -> Error {
    Target::Weights.unknown(names, name)
}
