//! Weight sets as JavaScript modules.

use super::{SourceSet, SourceTable};
use crate::error::Result;
use crate::weights::{LAST_PHASE, Network, WeightSet};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// The function that evaluates a position.
const EVALUATE: &str = include_str!("evaluate.js");

/// A JavaScript module with the set's numbers and its evaluation. Errors name the set by `place`.
///
/// # Errors
/// When the set does not fit its game.
pub fn js_module(set: &WeightSet, place: &str) -> Result<String> {
    let source = SourceSet::new(set, place)?;
    let WeightSet { game, name, description, scale, .. } = set;
    let (cols, rows) = source.size();
    let names: Vec<_> = source.features.iter().map(|&(name, _)| name).collect();
    let [early, late] = [0, 1]
        .map(|end| source.features.iter().map(|(_, weights)| weights[end]).collect::<Vec<_>>());
    let phases = if set.has_phases() { LAST_PHASE } else { 0 };
    let tables: Vec<String> = source.tables.iter().map(table).collect();
    let network = source.network.map_or("null".into(), network);
    Ok(format!(
        "// Made by `spar weights export --to js`. An ECMAScript module without dependencies.\n\n\
         export const game = {game};\nexport const name = {name};\n\
         export const description = {description};\n\
         export const fingerprint = \"{fingerprint}\";\n\
         // 0 where the set is for any board.\n\
         export const cols = {cols};\nexport const rows = {rows};\nexport const scale = {scale};\n\
         // {about_unit}\n\
         export const unit = {unit};\n\
         // The chance to win is about 1 / (1 + Math.exp(-value / winScale)).\n\
         export const winScale = {win_scale};\n\
         // The features that the set weighs, in the order that `evaluate` wants their values.\n\
         export const features = {names};\n\
         // The last phase that `evaluate` takes; 0 where the weights are the same in all.\n\
         export const phases = {phases};\n\
         const early = {early};\nconst late = {late};\n\n{EVALUATE}\n\
         const tables = [{tables}];\nconst network = {network};\n",
        about_unit = source.about_unit,
        unit = source.units.unit,
        win_scale = source.units.win_scale,
        game = json!(game),
        name = json!(name),
        description = json!(description),
        fingerprint = set.fingerprint(),
        names = json!(names),
        early = json!(early),
        late = json!(late),
        tables = tables.join(", "),
    ))
}

fn table(table: &SourceTable<'_>) -> String {
    let SourceTable { name, height, width, is_folded, cells } = table;
    let bytes: Vec<u8> = cells.iter().flat_map(|&cell| (cell as i16).to_le_bytes()).collect();
    let cells = STANDARD.encode(bytes);
    format!(
        "{{ name: \"{name}\", height: {height}, width: {width}, folded: {is_folded}, \
         cells: int16(\"{cells}\") }}"
    )
}

fn network(network: &Network) -> String {
    let bytes: Vec<u8> =
        network.hidden_weights.iter().map(|weight| weight.to_le_bytes()[0]).collect();
    format!(
        "{{ height: {}, width: {}, units: {}, limit: {}, divisor: {}, outputBias: {}, \
         hiddenBiases: {}, outputWeights: {}, hiddenWeights: int8(\"{}\") }}",
        network.window.rows,
        network.window.cols,
        network.units,
        network.limit,
        network.divisor,
        network.output_bias,
        json!(network.hidden_biases),
        json!(network.output_weights),
        STANDARD.encode(bytes),
    )
}
