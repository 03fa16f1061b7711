//! Checks of a weight set against the features of an evaluator.

use super::{MAX_TABLE_WEIGHT, Phase, Weight, WeightSet};
use crate::error::{Error, Result, shorten, suggest};

/// The name of a feature and the shape of its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureShape {
    /// The name in the file.
    pub name: &'static str,
    /// `None` for a single whole number, `Some(n)` for a table: an array of `n` weights. An unused
    /// table may be missing or empty; if `n` is 0 it must be.
    pub table: Option<usize>,
    /// The weight file format that introduced the feature. A set of an older format may lack it.
    pub since: u32,
}

impl FeatureShape {
    fn fits(&self, weight: &Weight) -> bool {
        match weight {
            Weight::One(_) => self.table.is_none(),
            Weight::Table(values) => {
                self.table.is_some_and(|n| values.is_empty() || values.len() == n)
            }
        }
    }

    fn shape(&self) -> String {
        self.table
            .map_or("a whole number".into(), |length| format!("an array of {length} whole numbers"))
    }
}

impl WeightSet {
    /// Checks that the set is for this game, has a weight of the right shape for each of its
    /// features, and has no other weights. `place` is the file's name, for the error.
    ///
    /// # Errors
    /// When it does not; the error gives the place, the key, the nearest known name and the remedy.
    pub fn check(&self, place: &str, game: &str, features: &[FeatureShape]) -> Result<()> {
        self.check_game(place, game)?;
        self.check_names(place, features)?;
        self.check_phases(place, features)?;
        for feature in features {
            if self.early_and_late(feature.name).is_some() {
                continue;
            }
            match self.weights.get(feature.name) {
                Some(weight) if feature.fits(weight) => check_range(place, feature, weight)?,
                Some(weight) => return Err(misshapen(place, feature, weight)),
                None if feature.table.is_some()
                    || self.format < feature.since
                    || self.network.is_some() => {}
                None => return Err(missing(place, feature)),
            }
        }
        Ok(())
    }

    /// Sorts the weights by the order of the features, the canonical order of a file.
    pub fn sort_by_features(&mut self, features: &[FeatureShape]) {
        let of = |feature: &FeatureShape| {
            let by_phase = Phase::BOTH.map(|phase| phase.name(feature.name));
            [feature.name.to_owned()].into_iter().chain(by_phase)
        };
        let names: Vec<String> = features.iter().flat_map(of).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.weights.sort_by_names(&names);
    }

    /// Checks that the set is for this game; `place` is the file's name, for the error.
    ///
    /// # Errors
    /// When it is for a different game.
    pub fn check_game(&self, place: &str, game: &str) -> Result<()> {
        if self.game == game {
            return Ok(());
        }
        let own = shorten(&self.game);
        Err(Error::input("key `game`", format!("the set is for `{own}`, not for `{game}`"))
            .remedy(format!("use a set for `{game}`, or choose the game `{own}`"))
            .within(place))
    }

    fn check_names(&self, place: &str, features: &[FeatureShape]) -> Result<()> {
        let known = || features.iter().map(|feature| feature.name);
        let is_known = |name: &str| {
            let feature = Phase::split(name).map_or(name, |(feature, _)| feature);
            known().any(|known| known == feature)
        };
        match self.weights.iter().find(|&(name, _)| !is_known(name)) {
            Some((name, _)) => Err(unknown(place, name, known())),
            None => Ok(()),
        }
    }

    /// Checks that weights by phase come in pairs and replace single weights only.
    fn check_phases(&self, place: &str, features: &[FeatureShape]) -> Result<()> {
        for (name, weight) in self.weights.iter() {
            let Some((feature, phase)) = Phase::split(name) else { continue };
            let other = phase.other().name(feature);
            let is_table =
                features.iter().any(|shape| shape.name == feature && shape.table.is_some());
            let (reason, remedy) = if self.network.is_some() {
                let remedy = format!("give `{feature}` a single weight, or remove the network");
                ("a set with a network has no weights by phase".to_owned(), remedy)
            } else if is_table || matches!(weight, Weight::Table(_)) {
                ("tables have no weights by phase".to_owned(), format!("write `{feature}`"))
            } else if self.weights.get(feature).is_some() {
                let reason = format!("stands beside `{feature}`, whose place it takes");
                (reason, format!("remove `{feature}`, or the weights by phase"))
            } else if self.weights.get(&other).is_none() {
                (format!("`{other}` is missing beside it"), format!("add `\"{other}\": 0`"))
            } else {
                continue;
            };
            return Err(Error::input(format!("key `{name}`"), reason).within(place).remedy(remedy));
        }
        Ok(())
    }
}

fn unknown<'a>(place: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Error {
    let place = format!("{place}, key `{}`", shorten(name));
    Error::input(place, "unknown feature").remedy(suggest(
        name,
        known,
        "remove it; the features are",
    ))
}

fn missing(place: &str, feature: &FeatureShape) -> Error {
    Error::input(format!("key `{}`", feature.name), "the feature is missing")
        .within(place)
        .remedy(format!("add `\"{}\": 0` to `weights` to leave the feature unused", feature.name))
}

/// Checks that the weights of a table fit into 16 bits, as compact evaluators require.
fn check_range(place: &str, feature: &FeatureShape, weight: &Weight) -> Result<()> {
    let Weight::Table(values) = weight else { return Ok(()) };
    match values.iter().position(|value| value.unsigned_abs() > MAX_TABLE_WEIGHT.unsigned_abs()) {
        Some(cell) => Err(Error::input(
            format!("key `{}`, element {cell}", feature.name),
            format!(
                "{} does not lie between -{MAX_TABLE_WEIGHT} and {MAX_TABLE_WEIGHT}",
                values[cell]
            ),
        )
        .within(place)
        .remedy("divide all weights and the scale by the same number")),
        None => Ok(()),
    }
}

fn misshapen(place: &str, feature: &FeatureShape, weight: &Weight) -> Error {
    let found = match weight {
        Weight::One(_) => "a whole number".into(),
        Weight::Table(values) => format!("an array of {}", values.len()),
    };
    if feature.table == Some(0) && matches!(weight, Weight::Table(_)) {
        return Error::input(
            format!("key `{}`", feature.name),
            "the set's board has no such table",
        )
        .within(place)
        .remedy(
            "name the board that the table was made for under `board`, or leave the table out",
        );
    }
    Error::input(
        format!("key `{}`", feature.name),
        format!("{found} where {} belongs", feature.shape()),
    )
    .within(place)
    .remedy("change it to that shape")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::weights::FORMAT;

    const FEATURES: [FeatureShape; 3] = [
        FeatureShape { name: "piece", table: None, since: 1 },
        FeatureShape { name: "ring", table: Some(2), since: 1 },
        FeatureShape { name: "noise", table: None, since: 1 },
    ];

    fn zero(feature: &FeatureShape) -> Weight {
        feature.table.map_or(Weight::One(0), |length| Weight::Table(vec![0; length]))
    }

    fn sample() -> WeightSet {
        WeightSet {
            format: FORMAT,
            game: "breakthrough".into(),
            board: None,
            name: "sample".into(),
            description: String::new(),
            scale: 1,
            weights: FEATURES.iter().map(|feature| (feature.name, zero(feature))).collect(),
            network: None,
            search: None,
            provenance: None,
        }
    }

    fn refusal(set: &WeightSet) -> String {
        let error = set.check("a.json", "breakthrough", &FEATURES).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        error.to_string()
    }

    #[test]
    fn a_set_with_every_feature_passes_in_any_order() {
        let mut set = sample();
        set.weights.sort_by_names(&["noise"]);
        set.check("a.json", "breakthrough", &FEATURES).unwrap();
        set.sort_by_features(&FEATURES);
        assert_eq!(set, sample());
    }

    #[test]
    fn refusals_name_the_key_and_the_remedy() {
        let mut set = sample();
        set.weights.insert("pice", Weight::One(0));
        assert_eq!(refusal(&set), "a.json, key `pice`: unknown feature; did you mean `piece`?");

        let mut set = sample();
        set.weights.insert("queen_safety", Weight::One(0));
        assert!(
            refusal(&set)
                .ends_with("unknown feature; remove it; the features are: piece, ring, noise")
        );

        let mut set = sample();
        set.game = "ataxx".into();
        assert!(
            refusal(&set)
                .starts_with("a.json, key `game`: the set is for `ataxx`, not for `breakthrough`;")
        );

        let mut set = sample();
        set.weights =
            set.weights.iter().take(2).map(|(name, weight)| (name, weight.clone())).collect();
        assert!(
            refusal(&set)
                .starts_with("a.json, key `noise`: the feature is missing; add `\"noise\": 0`")
        );
    }

    #[test]
    fn weights_by_phase_stand_in_the_place_of_a_single_one() {
        let mut set = sample();
        set.split_by_phase("piece");
        set.check("a.json", "breakthrough", &FEATURES).unwrap();
        let names = |set: &WeightSet| set.weights.iter().map(|(name, _)| name.to_owned()).collect();
        let before: Vec<String> = names(&set);
        set.weights.sort_by_names(&["noise", "piece@late"]);
        set.sort_by_features(&FEATURES);
        assert_eq!(names(&set), before);

        let mut both = set.clone();
        both.weights.insert("piece", Weight::One(0));
        assert_eq!(
            refusal(&both),
            "a.json, key `piece@early`: stands beside `piece`, whose place it takes; remove \
             `piece`, or the weights by phase"
        );
        let mut half = sample();
        half.weights.insert("noise@late", Weight::One(3));
        half.weights = half
            .weights
            .iter()
            .filter(|(name, _)| *name != "noise")
            .map(|(name, weight)| (name, weight.clone()))
            .collect();
        assert_eq!(
            refusal(&half),
            "a.json, key `noise@late`: `noise@early` is missing beside it; add `\"noise@early\": 0`"
        );
        let mut table = sample();
        table.weights.insert("ring@early", Weight::One(3));
        assert!(refusal(&table).contains("key `ring@early`: tables have no weights by phase"));
        set.weights.insert("pice@late", Weight::One(3));
        assert!(refusal(&set).starts_with("a.json, key `pice@late`: unknown feature"));
    }

    #[test]
    fn a_wrong_shape_is_refused() {
        for (name, weight) in [
            ("piece", Weight::Table(vec![0])),
            ("ring", Weight::One(0)),
            ("ring", Weight::Table(vec![0; 3])),
        ] {
            let mut set = sample();
            set.weights.insert(name, weight);
            assert!(
                refusal(&set).starts_with(&format!("a.json, key `{name}`: a")),
                "{}",
                refusal(&set)
            );
        }
        let mut set = sample();
        set.weights.insert("ring", Weight::Table(vec![0; 3]));
        assert!(refusal(&set).contains("an array of 3 where an array of 2 whole numbers belongs"));
    }
}
