//! Which weights or constants are tuned, within which bounds.

use super::knob_file::pattern_of;
use super::scale::Spread;
use super::space::unknown_weight;
use crate::any::SingleWeight;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::search::{Algorithm, SearchConstants};
use crate::shell::quote;
use crate::tune::{Knob, Target};
use crate::weights::{MAX_WEIGHT, Phase, Weight, WeightSet};

/// The terminal score, which users may name among the weights; it is never tuned.
const TERMINAL: &str = "win";
/// Default bounds lie this many ranges from the start.
const RANGES_TO_BOUND: f64 = 4.0;
/// The least range of a constant: with the usual perturbation its two sides then differ by one.
const LEAST_RANGE: i32 = 3;
/// The range of a constant is at least one in this many of its span.
const SPAN_SHARE: i32 = 8;

/// Which weights or constants to tune. By default: all constants; all weights in games whose
/// hand-made set leaves most features out ([`Guide::tunes_all`](crate::eval::Guide::tunes_all)),
/// and the weights that are not zero in others. One weight stays as it is: multiplying all weights
/// by one number changes nothing, so something must hold the scale.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "What is tuned"))]
pub struct Selection {
    /// Tune only these weights or constants [default: all constants; all non-zero weights, in some
    /// games all weights, except one, which fixes the scale]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME,...", value_delimiter = ','))]
    pub only: Vec<String>,
    /// Tune these too, even if --only omits them or they are zero
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME,...", value_delimiter = ','))]
    pub add: Vec<String>,
    /// Leave these as they are
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME,...", value_delimiter = ','))]
    pub freeze: Vec<String>,
    /// Tune all single weights of the game, zero or not
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "only"))]
    pub all: bool,
    /// Give each tuned weight two values, one for the beginning of a game and one for its end:
    /// NAME@early and NAME@late, which --only, --add and the like may name without this option too.
    /// Both begin with the value of the start
    #[cfg_attr(feature = "clap", arg(long))]
    pub phases: bool,
    /// Keep a weight or constant within bounds; may be repeated [default: four ranges around the
    /// start; for a constant its whole range]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME=MIN..MAX", value_parser = parse_bounds, allow_hyphen_values = true))]
    pub bounds: Vec<(String, f64, f64)>,
    /// The range over which a weight or constant matters, for planning steps; may be repeated
    /// [default: measured; for a constant the size of its default, at least an eighth of its
    /// whole range, and at least 3]
    #[cfg_attr(feature = "clap", arg(long = "range", value_name = "NAME=RANGE", value_parser = parse_range))]
    pub ranges: Vec<(String, f64)>,
}

impl Selection {
    /// The knobs of this choice for a weight set, with ranges measured in quick games.
    /// Deterministic.
    ///
    /// # Errors
    /// When a name is unknown, the set does not fit the game, or nothing is left to tune.
    pub fn weights(
        &self,
        game: GameId,
        start: &WeightSet,
        board: Board,
        plies: u32,
        seed: u64,
    ) -> Result<Vec<Knob>> {
        let single = game.single_weights(start)?;
        self.check_names(game, &single)?;
        let spread = Spread::measure(game, start, board, plies, seed)?;
        let chosen = self.choose(game, &single, has_tables(start));
        if chosen.is_empty() {
            return Err(nothing_left());
        }
        let knob = |index: usize| {
            let weight = f64::from(single[index].value);
            // The name of a feature stands for both of its weights by phase.
            let names = [&single[index].name, game.features[single[index].feature].name];
            let given = names.iter().find_map(|name| self.ranges.iter().find(|(k, _)| k == name));
            let range = given.map_or_else(|| spread.range(index).round(), |(_, range)| *range);
            let limit = f64::from(MAX_WEIGHT);
            let given = names.iter().find_map(|name| self.bounds.iter().find(|(k, ..)| k == name));
            let knob = Knob {
                target: Target::Weights,
                name: single[index].name.clone(),
                start: weight,
                range,
                ..Knob::default()
            };
            let (min, max) =
                given.map_or_else(|| knob.bounds_around(range), |(_, min, max)| (*min, *max));
            Knob { min: min.max(-limit), max: max.min(limit), ..knob }
        };
        Ok(chosen.into_iter().map(knob).collect())
    }

    /// The set that a tune of this choice starts from. It plays like the given one, but the weights
    /// that are named by phase (with [`phases`](Self::phases), all tuned ones) have an early and a
    /// late value.
    ///
    /// # Errors
    /// When the set does not fit the game, the game has no phases, or the set has a network.
    pub fn split_by_phase(&self, game: GameId, start: &WeightSet) -> Result<WeightSet> {
        let mut features: Vec<&str> =
            self.named().filter_map(|name| Some(Phase::split(name)?.0)).collect();
        if !features.is_empty() {
            self.check_names(game, &[])?;
        }
        if self.phases {
            let single = game.single_weights(start)?;
            let chosen = self.choose(game, &single, has_tables(start)).into_iter();
            features.extend(chosen.map(|index| game.features[single[index].feature].name));
        }
        game.split_by_phase(start, features)
    }

    /// Refuses `--phases` where no weights are tuned.
    pub(super) fn check_no_phases(&self, target: Target) -> Result<()> {
        if !self.phases {
            return Ok(());
        }
        let reason = format!("{} have no phases", target.many());
        Err(Error::input("--phases", reason).remedy("leave it out, or tune weights"))
    }

    /// The knobs of this choice among the constants of a search: without any choice, all of them.
    /// The list gives bounds and ranges unless the choice does.
    ///
    /// # Errors
    /// When a name is unknown, or nothing is left to tune.
    pub fn constants(&self, start: &SearchConstants, algorithm: Algorithm) -> Result<Vec<Knob>> {
        self.check_no_phases(Target::Search)?;
        let names: Vec<&str> = algorithm.constants_of_one_thread().map(|info| info.name).collect();
        if names.is_empty() {
            let reason = "it has no constants";
            return Err(Error::input(format!("algorithm `{algorithm}`"), reason)
                .remedy("tune full, mcts or uct, or the weights"));
        }
        if let Some(name) = self.named().find(|name| !names.contains(name)) {
            return Err(Target::Search.unknown(&names, name));
        }
        let listed = |list: &[String], name: &str| list.iter().any(|known| known == name);
        let chosen = names.into_iter().filter(|name| {
            let named = self.only.is_empty() || listed(&self.only, name) || listed(&self.add, name);
            named && !listed(&self.freeze, name)
        });
        let chosen = chosen.map(|name| {
            let mut knob = constant(start, name)?;
            if let Some((_, range)) = self.ranges.iter().find(|(known, _)| known == name) {
                knob.range = *range;
            }
            if let Some((_, min, max)) = self.bounds.iter().find(|(known, ..)| known == name) {
                (knob.min, knob.max) = (*min, *max);
            }
            Ok(knob)
        });
        let chosen = chosen.collect::<Result<Vec<Knob>>>()?;
        if chosen.is_empty() {
            return Err(Error::input("tuned constants", "none is left")
                .remedy("name some with --only or --add, or freeze fewer"));
        }
        Ok(chosen)
    }

    /// Checks the names for a weight set, and that something is left to tune.
    ///
    /// # Errors
    /// When a name is unknown, nothing is left, or the set cannot have the weights by phase.
    pub fn check(&self, game: GameId, start: &WeightSet) -> Result<()> {
        self.check_names(game, &game.single_weights(start)?)?;
        let start = self.split_by_phase(game, start)?;
        let single = game.single_weights(&start)?;
        self.check_names(game, &single)?;
        match self.choose(game, &single, has_tables(&start)).is_empty() {
            true => Err(nothing_left()),
            false => Ok(()),
        }
    }

    /// The choice that makes these knobs, without what equals the usual choice. `knobs_of` makes
    /// the knobs of a choice.
    ///
    /// # Errors
    /// When `knobs_of` refuses a choice.
    pub fn of_knobs(knobs: &[Knob], knobs_of: impl Fn(&Self) -> Result<Vec<Knob>>) -> Result<Self> {
        let names = |knobs: &[Knob]| knobs.iter().map(|knob| knob.name.clone()).collect::<Vec<_>>();
        let phases = knobs.iter().all(|knob| Phase::split(&knob.name).is_some());
        let mut features: Vec<String> = knobs
            .iter()
            .map(|knob| Phase::split(&knob.name).map_or(&*knob.name, |(name, _)| name).to_owned())
            .collect();
        features.dedup();
        let usual = Self { phases, ..Self::default() };
        let named = Self { only: features, ..usual.clone() };
        let exact = Self { only: names(knobs), ..Self::default() };
        let is_its =
            |choice: &Self| knobs_of(choice).is_ok_and(|made| names(&made) == names(knobs));
        let mut choice = [usual, named].into_iter().find(is_its).unwrap_or(exact);
        choice.keep_reach(knobs, &knobs_of(&choice)?);
        Ok(choice)
    }

    /// Gives the ranges and bounds of these knobs that are not as in the `usual` ones.
    pub fn keep_reach(&mut self, knobs: &[Knob], usual: &[Knob]) {
        for knob in knobs {
            let Some(usual) = usual.iter().find(|usual| usual.name == knob.name) else { continue };
            if knob.range != usual.range {
                self.ranges.push((knob.name.clone(), knob.range));
            }
            let around = match knob.target {
                Target::Weights => usual.bounds_around(knob.range),
                Target::Search | Target::Option => (usual.min, usual.max),
            };
            if (knob.min, knob.max) != around {
                self.bounds.push((knob.name.clone(), knob.min, knob.max));
            }
        }
    }

    /// The options that give this choice, each word quoted for a shell.
    pub fn typed(&self) -> Vec<String> {
        let list = |option: &str, names: &[String]| {
            (!names.is_empty()).then(|| format!("--{option} {}", names_typed(names)))
        };
        let lists = [
            list("only", &self.only),
            list("add", &self.add),
            list("freeze", &self.freeze),
            self.all.then(|| "--all".to_owned()),
            self.phases.then(|| "--phases".to_owned()),
        ];
        let bounds = self.bounds.iter();
        let bounds =
            bounds.map(|(name, min, max)| format!("--bounds {}={min}..{max}", quote(name)));
        let ranges = self.ranges.iter();
        let ranges = ranges.map(|(name, range)| format!("--range {}={range}", quote(name)));
        lists.into_iter().flatten().chain(bounds).chain(ranges).collect()
    }

    /// Every name that is given.
    fn named(&self) -> impl Iterator<Item = &str> {
        let listed = self.only.iter().chain(&self.add).chain(&self.freeze);
        let bounded = self
            .bounds
            .iter()
            .map(|(name, ..)| name)
            .chain(self.ranges.iter().map(|(name, _)| name));
        listed.chain(bounded).map(String::as_str)
    }

    /// The places of the chosen weights. `held` is whether tables hold the scale.
    fn choose(&self, game: GameId, single: &[SingleWeight], held: bool) -> Vec<usize> {
        let all = self.all || game.guide.tunes_all;
        let listed = |list: &[String], index: usize| {
            let SingleWeight { name, feature, .. } = &single[index];
            list.iter().any(|known| known == name || known == game.features[*feature].name)
        };
        let mut chosen: Vec<usize> = (0..single.len())
            .filter(|&i| match self.only.is_empty() {
                true => all || single[i].value != 0 || listed(&self.add, i),
                false => listed(&self.only, i) || listed(&self.add, i),
            })
            .filter(|&i| !listed(&self.freeze, i))
            .collect();
        // Tables stay as they are, and hold the scale.
        let held = held || (0..single.len()).any(|i| single[i].value != 0 && !chosen.contains(&i));
        if !held && chosen.len() > 1 {
            let anchor = chosen.iter().position(|&i| single[i].value != 0).unwrap_or(0);
            chosen.remove(anchor);
        }
        chosen
    }

    /// Checks that the names are names of features, or of their weights by phase.
    fn check_names(&self, game: GameId, single: &[SingleWeight]) -> Result<()> {
        let mut names = game.feature_names();
        let by_phase = single.iter().filter(|weight| weight.phase.is_some());
        names.extend(by_phase.map(|weight| weight.name.as_str()));
        for name in self.named() {
            if name == TERMINAL && self.freeze.iter().any(|frozen| frozen == name) {
                continue;
            }
            let feature = Phase::split(name).map_or(name, |(feature, _)| feature);
            if !names.contains(&feature) {
                return Err(unknown_weight(&names, name));
            }
        }
        Ok(())
    }
}

/// Names as they are typed in a list with commas, each quoted for a shell.
pub fn names_typed<T: AsRef<str>>(names: &[T]) -> String {
    let typed: Vec<String> = names.iter().map(|name| quote(pattern_of(name.as_ref()))).collect();
    typed.join(",")
}

impl Knob {
    /// The bounds of a weight that follow from a range around its start.
    fn bounds_around(&self, range: f64) -> (f64, f64) {
        let (reach, limit) = (RANGES_TO_BOUND * range, f64::from(MAX_WEIGHT));
        ((self.start - reach).max(-limit), (self.start + reach).min(limit))
    }
}

fn nothing_left() -> Error {
    Error::input("tuned weights", "none is left")
        .remedy("name some with --only or --add, or freeze fewer")
}

#[cfg(feature = "clap")]
fn parse_bounds(text: &str) -> Result<(String, f64, f64)> {
    let read = || {
        let (name, bounds) = text.split_once('=')?;
        let (min, max) = bounds.split_once("..")?;
        let (min, max) = (min.trim().parse::<f64>().ok()?, max.trim().parse::<f64>().ok()?);
        (!min.is_nan() && !max.is_nan()).then(|| (name.trim().to_string(), min, max))
    };
    let wrong = |reason| Error::input(format!("bounds `{text}`"), reason);
    match read() {
        Some((_, min, max)) if min > max => {
            Err(wrong("the first number is above the second one").remedy("exchange them"))
        }
        Some(bounds) => Ok(bounds),
        None => Err(wrong("not bounds").remedy("write NAME=MIN..MAX, for example danger=0..500")),
    }
}

#[cfg(feature = "clap")]
fn parse_range(text: &str) -> Result<(String, f64)> {
    let read = || {
        let (name, range) = text.split_once('=')?;
        let range =
            range.trim().parse::<f64>().ok().filter(|range| *range > 0.0 && range.is_finite())?;
        Some((name.trim().to_string(), range))
    };
    read().ok_or_else(|| {
        Error::input(format!("range `{text}`"), "not a range")
            .remedy("write NAME=RANGE, for example danger=400")
    })
}

/// Whether a set has a table with a weight that is not zero.
fn has_tables(set: &WeightSet) -> bool {
    let used = |weight: &Weight| matches!(weight, Weight::Table(cells) if cells.iter().any(|&cell| cell != 0));
    set.weights.iter().any(|(_, weight)| used(weight))
}

/// A constant as a knob. Its bounds come from the list. Its range, from which steps are planned, is
/// the size of its default, but at least an eighth of its span, and at least 3.
///
/// Most constants are margins and depths, where half as much or half as much again costs some Elo.
/// A constant with a small default for its span, or 0, must be able to move away from it.
fn constant(start: &SearchConstants, name: &str) -> Result<Knob> {
    let info = SearchConstants::info(name)?;
    let span = info.max - info.min;
    let range = info.default.abs().max(span / SPAN_SHARE).max(LEAST_RANGE).min(span);
    let value = start.get(name).unwrap_or(info.default);
    let [start, min, max, range] = [value, info.min, info.max, range].map(f64::from);
    Ok(Knob {
        target: Target::Search,
        name: name.into(),
        start,
        min,
        max,
        range,
        ..Knob::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_has_a_range_that_lets_it_move() {
        for info in SearchConstants::every() {
            let knob = constant(&SearchConstants::default(), info.name).unwrap();
            assert!(knob.range >= 3.0 && knob.range <= knob.max - knob.min, "{knob:?}");
            assert!((knob.min..=knob.max).contains(&knob.start), "{knob:?}");
        }
        let range = |name| constant(&SearchConstants::default(), name).unwrap().range;
        assert_eq!(["razor_margin", "null_base", "reduction_base"].map(range), [227.0, 3.0, 50.0]);
    }
}
