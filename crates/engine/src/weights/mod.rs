//! Weight sets and search constants: the only module that knows the file format.
//!
//! A weight set has a weight for every feature of a game's evaluator. The value of a position is
//! exactly the sum of weight x feature over the named features, divided by the set's `scale` and
//! rounded toward zero, so other frontends need only the file. This module does not know the
//! features. The evaluator supplies them, and [`WeightSet::check`] compares.
//!
//! A file has one of two forms, and every reader detects which: JSON, or the compact form, which
//! stores big tables and networks as bytes.
//!
//! Reading is strict: an unknown or missing key, a duplicate key, a fraction, a number out of range
//! or a newer format is refused with the place, the reason and the remedy. Writing is atomic.
//!
//! ```
//! use sparring_engine::weights::{self, FeatureShape, Weight, WeightSet};
//!
//! let set = weights::find("piece", "breakthrough").unwrap();
//! assert_eq!((set.name.as_str(), set.one("piece")), ("piece", Some(1)));
//!
//! let text = set.to_json();
//! assert_eq!(WeightSet::from_json(&text, "a copy").unwrap(), set);
//!
//! let slip = text.replace("\"piece\": 1,", "\"pice\": 1,");
//! let features = [FeatureShape { name: "piece", table: None, since: 1 }];
//! let error = WeightSet::from_json(&slip, "mine.json").unwrap();
//! let error = error.check("mine.json", "breakthrough", &features).unwrap_err();
//! assert_eq!(error.to_string(), "mine.json, key `pice`: unknown feature; did you mean `piece`?");
//! ```

mod check;
mod compact;
mod fields;
mod file;
mod network;
mod phases;
mod read;
mod set;
pub(crate) mod shipped;
mod table_shape;
mod weight;
mod write;

pub use check::FeatureShape;
pub use compact::{is_compact, json_head};
pub use network::{
    Activation, InputScheme, MAX_HIDDEN_BIAS, MAX_LIMIT, MAX_NETWORK_VALUE, MAX_UNITS, Network,
    WindowShape,
};
pub use phases::{LAST_PHASE, Phase, weight_at};
pub use read::MAX_FILE;
pub use set::{Fnv, Provenance, TrainedOn, WeightSet, YardstickElo};
pub use shipped::{
    PackedSet, ShippedSet, find, find_shipped, shipped, strongest, unknown, yardsticks,
};
pub use table_shape::TableShape;
pub use weight::{Weight, Weights};

/// The format of new sets without a network and without weights by phase.
///
/// Formats 2 and 4 added features that older files may lack. Format 2 also made tables optional.
/// Format 3 added search constants, format 5 networks, format 6 weights by phase.
pub const FORMAT: u32 = 4;

/// The first format that may have search constants.
pub const FORMAT_WITH_SEARCH: u32 = 3;

/// The first format that may have a network, and the format of new sets with one.
pub const FORMAT_WITH_NETWORK: u32 = 5;

/// The first format that may have weights by phase, and the format of new sets with such weights.
pub const FORMAT_WITH_PHASES: u32 = 6;

/// The newest format that this program can read.
pub const NEWEST_FORMAT: u32 = FORMAT_WITH_PHASES;

/// The largest absolute value of a weight.
pub const MAX_WEIGHT: i32 = 1_000_000;

/// The largest absolute value of a weight in a table.
pub const MAX_TABLE_WEIGHT: i32 = i16::MAX as i32;

/// The largest scale.
pub const MAX_SCALE: i32 = 1_000_000;

/// The JSON Schema (draft 2020-12) of weight files. [`WeightSet::from_json`] also refuses duplicate
/// keys, which JSON Schema cannot express.
pub const SCHEMA: &str = include_str!("../../weights/schema.json");
