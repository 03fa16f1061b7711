//! The constants of the full search and of the tree searches, each defined once with name and
//! range.
//!
//! Margins are percentages of a piece's value under the current weight set ([`Evaluator::unit`]),
//! so they mean the same for every set.
//!
//! [`Evaluator::unit`]: crate::eval::Evaluator::unit

use crate::error::{Error, Result, shorten, suggest};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

/// The definition of a constant: name, default, range and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantInfo {
    /// Its name.
    pub name: &'static str,
    /// Its default value.
    pub default: i32,
    /// The least value allowed.
    pub min: i32,
    /// The greatest value allowed.
    pub max: i32,
    /// Its effect on the search, in words.
    pub words: &'static str,
}

impl ConstantInfo {
    /// Checks a value of the constant.
    ///
    /// # Errors
    /// When it is out of range.
    pub fn check(&self, value: i64) -> Result<i32> {
        let Self { name, min, max, default, words } = self;
        let fitting = i32::try_from(value).ok().filter(|value| (min..=max).contains(&value));
        fitting.ok_or_else(|| {
            Error::input(format!("constant `{name}`"), format!("{value} is out of range"))
                .remedy(format!("give {min} to {max} (default {default}): {}", words.trim()))
        })
    }
}

macro_rules! constants {
    (@list $($(#[doc = $words:literal])+ $name:ident: $default:literal in $min:literal..=$max:literal,)+) => {
        &[$(ConstantInfo {
            name: stringify!($name), default: $default, min: $min, max: $max, words: concat!($($words),+),
        }),+]
    };
    ($list:ident { $($one:tt)+ } $tree_list:ident { $($two:tt)+ }) => {
        constants!(@struct [$($one)+] [$($two)+]);

        impl SearchConstants {
            /// The constants of the full search.
            pub const $list: &'static [ConstantInfo] = constants!(@list $($one)+);

            /// The constants of the tree searches.
            pub const $tree_list: &'static [ConstantInfo] = constants!(@list $($two)+);
        }
    };
    (@struct
        [$($(#[doc = $words:literal])+ $name:ident: $default:literal in $min:literal..=$max:literal,)+]
        [$($(#[doc = $tree_words:literal])+ $tree:ident: $tree_default:literal in $tree_min:literal..=$tree_max:literal,)+]
    ) => {
        /// The constants of the full search and of the tree searches.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct SearchConstants {
            $($(#[doc = $words])+ pub $name: i32,)+
            $(
                $(#[doc = $tree_words])+
                #[cfg_attr(feature = "schema", schemars(with = "Option<i32>", skip_serializing_if = "Option::is_none"))]
                pub $tree: i32,
            )+
        }

        impl SearchConstants {
            /// The value of a constant by name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)+
                    $(stringify!($tree) => Some(self.$tree),)+
                    _ => None,
                }
            }

            /// Sets a constant by name, clamped to its range; false if there is no such constant.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.clamp($min, $max),)+
                    $(stringify!($tree) => self.$tree = value.clamp($tree_min, $tree_max),)+
                    _ => return false,
                }
                true
            }
        }

        impl Default for SearchConstants {
            fn default() -> Self {
                Self { $($name: $default,)+ $($tree: $tree_default,)+ }
            }
        }
    };
}

constants! {
    LIST {
        /// Half the width of the first aspiration window, in percent of a piece.
        aspiration_window: 18 in 1..=400,
        /// The least depth searched with an aspiration window.
        aspiration_depth: 4 in 2..=20,
        /// The least depth at which a null move is tried.
        null_depth: 2 in 1..=10,
        /// The constant part of a null move's reduction, in plies.
        null_base: 3 in 1..=6,
        /// The plies of depth that add one ply to a null move's reduction.
        null_divisor: 3 in 2..=10,
        /// A null move is tried only if the side to move has more pieces than this.
        null_pieces: 3 in 0..=16,
        /// The greatest depth of reverse futility pruning, which cuts off a node whose static value
        /// is far above beta.
        reverse_futility_depth: 7 in 0..=16,
        /// The margin above beta of reverse futility pruning for each ply of depth, in percent of a
        /// piece.
        reverse_futility_margin: 73 in 5..=400,
        /// The greatest depth of razoring, by which a node far below alpha goes straight to the
        /// quiescence search.
        razor_depth: 2 in 0..=10,
        /// The margin below alpha of razoring for each ply of depth, in percent of a piece.
        razor_margin: 227 in 10..=800,
        /// The greatest depth, after the reduction, of futility pruning, which skips quiet moves if
        /// the static value is far below alpha.
        futility_depth: 6 in 0..=16,
        /// The constant part of the margin of futility pruning, in percent of a piece.
        futility_base: 94 in 0..=600,
        /// The part of the margin of futility pruning for each ply of depth after the reduction, in
        /// percent of a piece.
        futility_margin: 56 in 5..=400,
        /// The greatest depth of late move pruning, which skips the last quiet moves.
        late_move_depth: 6 in 0..=16,
        /// The fewest quiet moves searched before late move pruning.
        late_move_base: 5 in 1..=40,
        /// The least depth at which late moves are reduced.
        reduction_depth: 2 in 1..=10,
        /// The number of moves searched before the first reduction.
        reduction_moves: 3 in 1..=20,
        /// The constant part of a reduction, in hundredths of a ply.
        reduction_base: 46 in -100..=300,
        /// The factor of ln(depth) ln(move number) in a reduction, in hundredths of a ply.
        reduction_factor: 83 in 5..=200,
        /// The history score that changes a reduction by one ply.
        reduction_history: 6900 in 500..=30000,
        /// The least depth of internal iterative reduction, which searches a node without a table
        /// move one ply shallower.
        internal_depth: 4 in 2..=20,
        /// The plies of quiescence in which any move may answer a threat to win; only where a turn
        /// is one ply.
        threat_plies: 2 in 0..=10,
        /// The margin of delta pruning: a capture in quiescence must come this near to alpha, in
        /// percent of a piece.
        delta_margin: 450 in 20..=1000,
        /// The weight of a move's history as an answer to the previous move, in percent of the
        /// weight of its history anywhere.
        answer_weight: 95 in 0..=400,
        /// The least depth at which a table move is tested for a singular extension.
        singular_depth: 6 in 4..=40,
        /// How far below the table move's score the others must stay, for each ply of depth, in
        /// percent of a piece.
        singular_margin: 2 in 1..=50,
        /// The ordering penalty of a quiet move that loses a piece on its target square, in units
        /// of history.
        exchange_weight: 1800 in 0..=30000,
        /// How much less a capture is reduced than a quiet move without history, in hundredths of a
        /// ply.
        capture_reduction: 127 in -200..=300,
        /// How much less a move is reduced if the static value has risen since the side's previous
        /// turn, in hundredths of a ply.
        improving_reduction: 51 in -100..=300,
        /// How much less a move is reduced in a node with an open window, in hundredths of a ply.
        pv_reduction: 57 in -100..=300,
        /// How much more a move is reduced in an expected cut node, in hundredths of a ply.
        cut_reduction: 33 in -100..=300,
        /// The weight of a move's rank in the ordering of quiet moves, in units of history.
        rank_weight: 734 in 0..=4000,
    }
    TREE_LIST {
        /// How much `mcts` favours moves with a high prior, in hundredths.
        tree_exploration: 150 in 1..=1000,
        /// How much lower a move without visits is valued, in hundredths of a win.
        tree_first_play: 10 in 0..=200,
        /// The difference in value that makes a move's prior greater by a factor of e, in percent of
        /// a piece.
        tree_temperature: 130 in 1..=1000,
        /// The value at which the odds are e to 1, in percent of a piece.
        tree_scale: 150 in 10..=2000,
        /// The share of the minimax value in the value of a move for `mcts`, in percent; the rest
        /// is the mean of its visits.
        tree_minimax: 40 in 0..=100,
        /// The losses that a visit counts as while another thread is making it.
        tree_virtual_loss: 1 in 1..=20,
        /// How much `uct` favours moves with few visits, in hundredths.
        uct_exploration: 70 in 1..=500,
        /// The plies after which the evaluation decides a playout of `uct`.
        playout_plies: 200 in 0..=1000,
    }
}

impl SearchConstants {
    /// The description of the constant of this name.
    ///
    /// # Errors
    /// When there is none; the error suggests the nearest name.
    pub fn info(name: &str) -> Result<&'static ConstantInfo> {
        Self::every().find(|info| info.name == name).ok_or_else(|| {
            let place = format!("constant `{}`", shorten(name));
            let names = Self::every().map(|info| info.name);
            Error::input(place, "unknown").remedy(suggest(name, names, "the constants are"))
        })
    }

    /// The constants of all algorithms.
    pub fn every() -> impl Iterator<Item = &'static ConstantInfo> + Clone {
        Self::LIST.iter().chain(Self::TREE_LIST)
    }

    /// The constants in files and records: all constants of the full search, and the tree search
    /// constants that differ from the defaults.
    fn written(&self) -> impl Iterator<Item = (&'static str, i32)> {
        let own = Self::LIST.iter().filter_map(|info| Some((info.name, self.get(info.name)?)));
        own.chain(Self::TREE_LIST.iter().filter_map(|info| {
            let value = self.get(info.name).filter(|&value| value != info.default)?;
            Some((info.name, value))
        }))
    }

    /// The values in the order of [`LIST`](Self::LIST).
    pub fn values(&self) -> Vec<i32> {
        Self::LIST.iter().filter_map(|info| self.get(info.name)).collect()
    }

    /// Reads constants from the values in a file. `place` is the file's name, for the error.
    ///
    /// # Errors
    /// When a constant of the full search is missing, or one is unknown or out of range.
    pub fn from_map(values: &BTreeMap<String, i32>, place: &str) -> Result<Self> {
        let mut constants = Self::default();
        let within = |error: Error| error.within(format!("{place}, key `search`"));
        for (name, &value) in values {
            let info = Self::info(name).map_err(within)?;
            constants.set(name, info.check(value.into()).map_err(within)?);
        }
        match Self::LIST.iter().find(|info| !values.contains_key(info.name)) {
            Some(ConstantInfo { name, default, .. }) => {
                Err(within(Error::input(format!("constant `{name}`"), "missing"))
                    .remedy(format!("add `\"{name}\": {default}`, its default")))
            }
            None => Ok(constants),
        }
    }

    /// The values by name.
    pub fn to_map(&self) -> BTreeMap<String, i32> {
        self.written().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

impl Serialize for SearchConstants {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.written())
    }
}

/// Missing constants get their defaults: the record of a run may be older than a constant.
impl<'de> Deserialize<'de> for SearchConstants {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(SearchConstantsReader)
    }
}

struct SearchConstantsReader;

impl<'de> Visitor<'de> for SearchConstantsReader {
    type Value = SearchConstants;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of names and values of constants")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<SearchConstants, A::Error> {
        let (mut constants, mut seen) = (SearchConstants::default(), HashSet::new());
        while let Some(name) = map.next_key::<String>()? {
            let info = SearchConstants::info(&name).map_err(de::Error::custom)?;
            if !seen.insert(info.name) {
                return Err(de::Error::custom(format!(
                    "constant `{name}`: it is there twice; keep one of the two"
                )));
            }
            // Read as any value, so that the error can name the constant.
            let value = map.next_value::<Value>()?;
            let value = value.as_i64().ok_or_else(|| {
                let bounds = format!("write one from {} to {}", info.min, info.max);
                de::Error::custom(format!("constant `{name}`: not a whole number; {bounds}"))
            })?;
            constants.set(info.name, info.check(value).map_err(de::Error::custom)?);
        }
        Ok(constants)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_constant_can_be_read_and_set_by_name_within_its_range() {
        let mut constants = SearchConstants::default();
        for info in SearchConstants::every() {
            assert!(info.min <= info.default && info.default <= info.max, "{}", info.name);
            assert_eq!(constants.get(info.name), Some(info.default));
            assert!(constants.set(info.name, i32::MAX));
            assert_eq!(constants.get(info.name), Some(info.max));
        }
        assert!(!constants.set("no_such_constant", 1));
    }

    #[test]
    fn values_out_of_range_and_unknown_names_are_refused() {
        let info = SearchConstants::info("null_base").unwrap();
        assert_eq!(info.check(6).unwrap(), 6);
        for value in [0, 7, i64::MAX, i64::MIN] {
            assert!(info.check(value).unwrap_err().to_string().contains("give 1 to 6 (default 3)"));
        }
        let error = |name: &str| SearchConstants::info(name).unwrap_err().to_string();
        assert!(error("null_bas").contains("did you mean `null_base`?"));
        assert!(error("queen_safety").contains("the constants are: aspiration_window, "));
        assert!(!error("\u{1b}[2J").contains('\u{1b}'));
    }

    #[test]
    fn values_are_in_the_order_of_the_list() {
        let values = SearchConstants::default().values();
        assert!(values.iter().eq(SearchConstants::LIST.iter().map(|info| &info.default)));
    }

    #[test]
    fn a_file_must_name_every_constant_within_its_range() {
        let good = SearchConstants::default().to_map();
        assert_eq!(SearchConstants::from_map(&good, "s.json").unwrap(), SearchConstants::default());
        let missing = "constant `razor_depth`: missing; add `\"razor_depth\": 2`";
        let cases = [
            ("razor_depth", None, missing),
            ("razor_depth", Some(11), "11 is out of range; give 0 to 10 (default 2)"),
            ("razor_dept", Some(2), "unknown; did you mean `razor_depth`?"),
        ];
        for (name, value, expected) in cases {
            let mut values = good.clone();
            values.remove(name);
            values.extend(value.map(|value| (name.to_owned(), value)));
            let error = SearchConstants::from_map(&values, "s.json").unwrap_err().to_string();
            assert!(error.starts_with("s.json, key `search`, "), "{error}");
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn records_may_lack_a_constant() {
        let read: SearchConstants = serde_json::from_str("{\"razor_depth\": 5}").unwrap();
        assert_eq!(read, SearchConstants { razor_depth: 5, ..SearchConstants::default() });
    }
}
