//! The JSON Schema of weight files, made from the types and their documentation.

use super::WeightSet;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The JSON Schema (draft 2020-12) of weight files, as `weights/schema.json` holds it. What JSON
/// Schema cannot say, [`WeightSet::from_json`] checks besides: no key twice, and whole numbers
/// without a decimal point.
pub fn schema_json() -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    format!("{:#}\n", Value::from(introduced(generator.into_root_schema_for::<WeightSet>())))
}

/// The schema with what says what it is at the front.
fn introduced(mut schema: Schema) -> Map<String, Value> {
    let rest = schema.ensure_object();
    let mut ordered: Map<_, _> = ["$schema", "title", "description"]
        .iter()
        .filter_map(|key| rest.shift_remove_entry(*key))
        .collect();
    ordered.append(rest);
    ordered
}
