//! Weight sets and search constants: the one place that knows the file format.
//!
//! A weight set names a weight for every feature of a game's evaluator. The value of a position is
//! exactly the sum of weight x feature over the named features, divided by the set's `scale` and
//! rounded toward zero, so the file is all that another frontend needs. This module does not know
//! which features there are: the evaluator says so, and [`WeightSet::check`] compares.
//!
//! A file has one of two forms, which every reader tells apart: JSON, or the compact form, which
//! has big tables and networks as bytes.
//!
//! Reading is strict: an unknown or missing key, a key given twice, a fraction, a number out of
//! range or a newer format is refused, with the place, the reason and the remedy. Writing is
//! atomic.
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

/// The format in which new sets without a network and without weights by phase are written.
///
/// Format 2 came with tables that may be left out, format 3 with search constants, format 5 with
/// networks, format 6 with weights by phase. Formats 2 and 4 came with features that files of earlier ones may lack.
pub const FORMAT: u32 = 4;

/// The first format that may have search constants.
pub const FORMAT_WITH_SEARCH: u32 = 3;

/// The first format that may have a network, in which sets with one are written.
pub const FORMAT_WITH_NETWORK: u32 = 5;

/// The first format that may have weights by phase, in which sets with such weights are written.
pub const FORMAT_WITH_PHASES: u32 = 6;

/// The newest format that is read.
pub const NEWEST_FORMAT: u32 = FORMAT_WITH_PHASES;

/// The largest weight, and without its sign the smallest one.
pub const MAX_WEIGHT: i32 = 1_000_000;

/// The largest weight in a table, and without its sign the smallest one.
pub const MAX_TABLE_WEIGHT: i32 = i16::MAX as i32;

/// The largest scale.
pub const MAX_SCALE: i32 = 1_000_000;

/// The JSON Schema (draft 2020-12) of weight files. What JSON Schema cannot say,
/// [`WeightSet::from_json`] checks besides: no key twice, and whole numbers without a decimal
/// point.
pub const SCHEMA: &str = include_str!("../../weights/schema.json");
