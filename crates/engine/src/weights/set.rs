//! The weight set itself.

use super::{FORMAT, MAX_WEIGHT, Network, Weight, Weights, fields};
use crate::error::{Error, Result};
use crate::game::Board;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A weight set of Sparring. The value of a position is exactly the sum of weight x feature over
/// the named features, divided by the scale and rounded toward zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a weight set, which is an object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WeightSet {
    /// The version of the file format: search constants came with 3, networks with 5, weights by
    /// phase with 6.
    #[serde(deserialize_with = "fields::format")]
    pub format: u32,
    /// The name of the game, in lower case.
    #[serde(deserialize_with = "fields::name")]
    pub game: String,
    /// The board that the set was made for, columns x rows; null when it was made for any.
    #[serde(deserialize_with = "fields::board")]
    pub board: Option<String>,
    /// The name of the set.
    #[serde(deserialize_with = "fields::name")]
    pub name: String,
    /// A description of the set and its origin, for people.
    pub description: String,
    /// The divisor of the weighted sum.
    #[serde(deserialize_with = "fields::scale")]
    pub scale: i32,
    /// The weight of every feature: a whole number, or an array of them for a table of patterns. In
    /// place of `NAME` a feature may have `NAME@early` and `NAME@late`. Empty in a file of search
    /// constants alone.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "std::collections::BTreeMap<String, super::Weight>")
    )]
    pub weights: Weights,
    /// The network, whose value is one more summand; absent where there is none. A set with one may
    /// leave out single weights, which are then 0.
    #[serde(
        default,
        deserialize_with = "fields::network",
        skip_serializing_if = "Option::is_none"
    )]
    pub network: Option<Network>,
    /// The constants of Sparring's full search that the set plays with; absent when they are the
    /// default ones. Other engines have no use for them.
    #[serde(default, deserialize_with = "fields::search", skip_serializing_if = "Option::is_none")]
    pub search: Option<BTreeMap<String, i32>>,
    /// How the set was tuned; null for a set made by hand.
    #[serde(deserialize_with = "Option::deserialize")]
    pub provenance: Option<Provenance>,
}

/// How a weight set came about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// The name of the run that made the set.
    pub run: String,
    /// The optimizer, as the command line calls it.
    pub method: String,
    /// The number of games that the run played, the final match included.
    #[serde(deserialize_with = "fields::count")]
    pub games: u64,
    /// The name of the set that the run started from and that the final match was played against.
    pub baseline: String,
    /// Of search constants: the name of the weight set that both sides played with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// The fingerprint of that weight set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights_fingerprint: Option<String>,
    /// The strength above the baseline, in logistic Elo, measured by the final match; null when not
    /// defined.
    #[serde(deserialize_with = "Option::deserialize")]
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval around `elo`, in logistic Elo; null when not defined.
    #[serde(deserialize_with = "fields::not_negative")]
    pub elo_error: Option<f64>,
    /// The same strength, median-unbiased: it allows for the test's having stopped the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elo_unbiased: Option<f64>,
    /// Matches of the set against others, on openings that the run never saw, after the final
    /// match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yardsticks: Vec<YardstickElo>,
    /// The limits of each move's search, with units, for example `10000 nodes`.
    pub limits: String,
    /// The seed of the run's random numbers.
    #[serde(deserialize_with = "fields::count")]
    pub seed: u64,
    /// The version of the program that made the set.
    pub version: String,
    /// The positions that the network was trained on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trained_on: Vec<TrainedOn>,
    /// A digest of the weights that the run made; absent in files of older versions and of search
    /// constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
}

/// Positions that a network was trained on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainedOn {
    /// The name of their file.
    pub name: String,
    /// Their number, repetitions included.
    #[serde(deserialize_with = "fields::count")]
    pub positions: u64,
    /// The SHA-256 of their records, in hexadecimal digits.
    pub digest: String,
}

/// The strength of a set against another, by a match of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct YardstickElo {
    /// The name of the other set.
    pub against: String,
    /// The limits of each move's search, with units.
    pub limits: String,
    /// The number of games.
    #[serde(deserialize_with = "fields::count")]
    pub games: u64,
    /// The strength above the other set, in logistic Elo; null when not defined.
    #[serde(deserialize_with = "Option::deserialize")]
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval around `elo`, in logistic Elo; null when not defined.
    #[serde(deserialize_with = "fields::not_negative")]
    pub elo_error: Option<f64>,
}

impl Provenance {
    /// Whether the search constants were tuned, and not the weights.
    pub fn is_of_constants(&self) -> bool {
        self.weights.is_some()
    }
}

impl WeightSet {
    /// The weight of a single-valued feature; `None` if there is no such feature or it is a table.
    pub fn one(&self, name: &str) -> Option<i32> {
        match self.weights.get(name)? {
            Weight::One(value) => Some(*value),
            Weight::Table(_) => None,
        }
    }

    /// Changes the weight of a single-valued feature.
    ///
    /// # Errors
    /// When there is no such feature, it is a table, or the value exceeds ±[`MAX_WEIGHT`].
    pub fn set_one(&mut self, name: &str, value: i32) -> Result<()> {
        let refused = |reason: String| Err(Error::input(format!("weight `{name}`"), reason));
        if value.unsigned_abs() > MAX_WEIGHT.unsigned_abs() {
            return refused(format!("{value} does not lie between -{MAX_WEIGHT} and {MAX_WEIGHT}"));
        }
        match self.weights.get_mut(name) {
            Some(Weight::One(old)) => *old = value,
            Some(Weight::Table(_)) => return refused("a table, not a single number".into()),
            None => return refused("no such feature in the set".into()),
        }
        Ok(())
    }

    /// The set without its network.
    #[must_use]
    pub fn without_network(&self) -> Self {
        Self { network: None, ..self.clone() }
    }

    /// Changes the weight of a single-valued feature. A set of an older format may lack the
    /// feature; a nonzero weight adds it.
    ///
    /// # Errors
    /// When it is a table, or the value exceeds ±[`MAX_WEIGHT`].
    pub fn set_or_add(&mut self, name: &str, value: i32) -> Result<()> {
        if self.weights.get(name).is_some() {
            return self.set_one(name, value);
        }
        if value != 0 {
            self.weights.insert(name, Weight::One(value));
            self.format = self.format.max(FORMAT);
        }
        Ok(())
    }

    /// Whether the set has search constants and no weights.
    pub fn has_only_constants(&self) -> bool {
        self.weights.is_empty() && self.network.is_none() && self.search.is_some()
    }

    /// Whether the set was made for this board or for any board. Other boards are allowed: this is
    /// for a warning.
    pub fn fits_board(&self, board: Board) -> bool {
        self.board.as_ref().is_none_or(|own| *own == board.to_string())
    }

    /// Records how the set was made, with a digest of its weights unless only its search constants
    /// were.
    pub fn set_provenance(&mut self, made: Provenance) {
        let values = (!made.is_of_constants()).then(|| self.digest_of_weights());
        self.provenance = Some(Provenance { values, ..made });
    }

    /// Whether its weights have changed since it was made, so that the measurements in its
    /// provenance are of another set.
    pub fn is_edited(&self) -> bool {
        let made = self.provenance.as_ref().and_then(|made| made.values.as_ref());
        made.is_some_and(|values| *values != self.digest_of_weights())
    }

    /// A digest of weights and network. Zero weights do not count, since newer formats add some.
    fn digest_of_weights(&self) -> String {
        let mut hash = Fnv::default();
        hash.number(self.scale.into());
        let is_used = |weight: &Weight| weight.cells().iter().any(|&cell| cell != 0);
        hash.weights(self.weights.iter().filter(|(_, weight)| is_used(weight)));
        self.network.iter().for_each(|network| hash.network(network));
        hash.digits()
    }

    /// 16 hexadecimal digits that identify how the set plays: a digest of game, board, scale,
    /// weights and search constants, independent of the order of names. Files with the same
    /// fingerprint play alike, and editing a weight changes it. It is FNV-1a with 64 bits: safe
    /// against accidents, not against forgery.
    pub fn fingerprint(&self) -> String {
        let mut hash = Fnv::default();
        hash.text(&self.game);
        hash.text(self.board.as_deref().unwrap_or_default());
        hash.number(self.scale.into());
        hash.weights(self.weights.iter());
        self.network.iter().for_each(|network| hash.network(network));
        for (name, &value) in self.search.iter().flatten() {
            hash.text(name);
            hash.number(value.into());
        }
        hash.digits()
    }
}

/// The Fowler-Noll-Vo hash, variant 1a, with 64 bits.
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds bytes to the hash.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn number(&mut self, value: i64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Hashes a text after its length, so that different lists of texts differ.
    fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.bytes(text.as_bytes());
    }

    /// Hashes weights in the order of their names.
    fn weights<'a>(&mut self, weights: impl Iterator<Item = (&'a str, &'a Weight)>) {
        let mut sorted: Vec<_> = weights.collect();
        sorted.sort_by_key(|&(name, _)| name);
        for (name, weight) in sorted {
            self.text(name);
            self.number(match weight {
                Weight::One(_) => -1,
                Weight::Table(values) => values.len() as i64,
            });
            weight.cells().iter().for_each(|&value| self.number(value.into()));
        }
    }

    fn network(&mut self, network: &Network) {
        let Network { window, units, activation, limit, divisor, output_bias, .. } = network;
        self.text(&format!("{window} {units} {activation:?} {limit} {divisor} {output_bias}"));
        network.hidden_biases.iter().for_each(|&bias| self.number(bias.into()));
        network.output_weights.iter().for_each(|&weight| self.number(weight.into()));
        network.hidden_weights.iter().for_each(|weight| self.bytes(&weight.to_le_bytes()));
    }

    /// The hash as 16 hexadecimal digits.
    pub fn digits(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> WeightSet {
        let weights = [("a", Weight::One(1)), ("b", Weight::Table(vec![2, 3]))];
        WeightSet {
            format: crate::weights::FORMAT,
            game: "breakthrough".into(),
            board: Some("8x8".into()),
            name: "sample".into(),
            description: String::new(),
            scale: 1,
            weights: weights.into_iter().collect(),
            network: None,
            search: None,
            provenance: None,
        }
    }

    #[test]
    fn fnv_is_the_published_one() {
        let mut hash = Fnv::default();
        hash.bytes(b"foobar");
        assert_eq!(hash.0, 0x85944171f73967e8);
    }

    #[test]
    fn fingerprint_sees_what_is_computed_and_nothing_else() {
        let set = sample();
        let mut same = sample();
        same.name = "other".into();
        same.description = "other".into();
        same.weights.sort_by_names(&["b", "a"]);
        assert_eq!(same.fingerprint(), set.fingerprint());
        let edits: [fn(&mut WeightSet); 6] = [
            |set| set.search = Some([("null_base".to_owned(), 4)].into()),
            |set| set.board = None,
            |set| set.scale = 2,
            |set| set.game = "ataxx".into(),
            |set| set.set_one("a", 2).unwrap(),
            |set| drop(set.weights.insert("a", Weight::Table(vec![1]))),
        ];
        for edit in edits {
            let mut edited = sample();
            edit(&mut edited);
            assert_ne!(edited.fingerprint(), set.fingerprint(), "{edited:?}");
        }
    }

    #[test]
    fn an_edited_set_differs_from_its_provenance() {
        let mut set = sample();
        assert!(!set.is_edited());
        set.set_provenance(Provenance::default());
        set.name = "other".into();
        set.weights.insert("unused", Weight::One(0));
        assert!(!set.is_edited());
        set.set_one("a", 99).unwrap();
        assert!(set.is_edited());
        set.set_provenance(Provenance { weights: Some("hand".into()), ..Provenance::default() });
        set.set_one("a", 98).unwrap();
        assert!(!set.is_edited());
    }

    #[test]
    fn only_single_weights_within_range_are_set() {
        let mut set = sample();
        assert_eq!((set.one("a"), set.one("b"), set.one("c")), (Some(1), None, None));
        set.set_one("a", -MAX_WEIGHT).unwrap();
        assert_eq!(set.one("a"), Some(-MAX_WEIGHT));
        for (name, value) in [("a", MAX_WEIGHT + 1), ("a", i32::MIN), ("b", 1), ("c", 1)] {
            assert!(set.set_one(name, value).is_err(), "{name} {value}");
        }
    }

    #[test]
    fn a_set_fits_its_own_board_or_all() {
        let mut set = sample();
        assert!(set.fits_board(Board::new(8, 8)) && !set.fits_board(Board::new(6, 6)));
        set.board = None;
        assert!(set.fits_board(Board::new(6, 6)));
    }
}
