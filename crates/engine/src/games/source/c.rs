//! A set as a header of C.

use super::{SourceSet, SourceTable, comment, number_lines};
use crate::error::Result;
use crate::weights::{InputScheme, Network, WeightSet};
use std::fmt::{Display, Write};

/// The functions that read squares; `@name@` and the like are filled in.
const WINDOWS: &str = include_str!("evaluate.h");
const NETWORK: &str = include_str!("network.h");

/// A header of C99 with the set's numbers and its evaluation, all names beginning with
/// `sparring_`, the game and the set. `place` is what errors call the set.
///
/// # Errors
/// When the set does not fit its game.
pub fn c_header(set: &WeightSet, place: &str) -> Result<String> {
    let source = SourceSet::new(set, place)?;
    let name = format!("sparring_{}", source.identifier());
    let parts = [
        introduction(&source, &name),
        features(&source, &name),
        source.tables.iter().map(|table| table_array(table, &name)).collect(),
        source.network.map_or(String::new(), |network| network_arrays(network, &name)),
        if source.tables.is_empty() { String::new() } else { fill(WINDOWS, &name, &[]) },
        source.network.map_or(String::new(), |network| network_function(network, &name)),
        evaluate(&source, &name),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Ok(parts.join("\n"))
}

fn introduction(source: &SourceSet<'_>, name: &str) -> String {
    let WeightSet { game, name: set, description, scale, .. } = source.set;
    let (guard, (cols, rows)) = (name.to_uppercase(), source.size());
    format!(
        "/* {title}: {about}\n\
         \x20*\n\
         \x20* Made by `spar weights export --to c`, fingerprint {fingerprint}. C99.\n\
         \x20*\n\
         \x20* {name}_evaluate gives the static value of an unfinished position from the side to\n\
         \x20* move. `squares` has {guard}_ROWS rows of {guard}_COLS squares: 0 empty or blocked,\n\
         \x20* 1 a piece of the side to move, 2 a piece of the other side. FEATURES.md says which\n\
         \x20* row comes first. It is not read where a set has no tables and no network, and may\n\
         \x20* be NULL then. `features` has the values of the features listed below, in their\n\
         \x20* order, as FEATURES.md defines them. {name}_terms takes the value apart.\n\
         \x20*/\n\
         #ifndef {guard}_H\n#define {guard}_H\n\n\
         #include <stddef.h>\n#include <stdint.h>\n\n\
         #define {guard}_COLS {cols}\n#define {guard}_ROWS {rows}\n#define {guard}_SCALE {scale}\n\n\
         /* What a piece is worth, in units of the value: divide by it to show pieces. */\n\
         #define {guard}_UNIT {unit}\n",
        unit = source.unit,
        title = comment(&format!("{game}/{set}")),
        about = comment(description),
        fingerprint = source.set.fingerprint(),
    )
}

fn features(source: &SourceSet<'_>, name: &str) -> String {
    let upper = name.to_uppercase();
    let list = |line: &dyn Fn(&(&'static str, i32)) -> String| -> String {
        source.features.iter().map(line).collect()
    };
    format!(
        "/* The places of the features that the set weighs, and their number. */\n\
         enum {{\n{places}    {upper}_FEATURES\n}};\n\n\
         /* Their names, and a null pointer. */\n\
         static const char *const {name}_names[] = {{\n{names}    NULL\n}};\n\n\
         /* Their weights, and a 0. */\n\
         static const int32_t {name}_weights[] = {{\n{weights}    0\n}};\n",
        places = list(&|(feature, _)| format!("    {upper}_{},\n", feature.to_uppercase())),
        names = list(&|(feature, _)| format!("    \"{feature}\",\n")),
        weights = list(&|(_, weight)| format!("    {weight},\n")),
    )
}

fn table_array(table: &SourceTable<'_>, name: &str) -> String {
    let cells = number_lines(table.cells.iter());
    array("int16_t", &format!("{name}_{}", table.name), table.cells.len(), &cells)
}

fn network_arrays(network: &Network, name: &str) -> String {
    let units = network.units;
    let biases = number_lines(network.hidden_biases.iter());
    let outputs = number_lines(network.output_weights.iter());
    let hidden = number_lines(network.hidden_weights.iter());
    array("int16_t", &format!("{name}_hidden_biases"), units, &biases)
        + &array("int16_t", &format!("{name}_output_weights"), units, &outputs)
        + &array("int8_t", &format!("{name}_hidden_weights"), network.hidden_weights.len(), &hidden)
}

fn array(kind: &str, name: &str, length: usize, numbers: &str) -> String {
    format!("static const {kind} {name}[{length}] = {{\n{numbers}\n}};\n")
}

fn network_function(network: &Network, name: &str) -> String {
    let window = network.window;
    // The least number of 32 bits cannot be written as one in C.
    let bias = format!("(int64_t){} - {}", i64::from(network.output_bias) + 1, 1);
    let values: [(&str, &dyn Display); 7] = [
        ("height", &window.rows),
        ("width", &window.cols),
        ("units", &network.units),
        ("patterns", &InputScheme::SIDES.patterns(window)),
        ("output_bias", &bias),
        ("limit", &network.limit),
        ("divisor", &network.divisor),
    ];
    fill(NETWORK, name, &values)
}

fn evaluate(source: &SourceSet<'_>, name: &str) -> String {
    let upper = name.to_uppercase();
    let mut names = String::new();
    let mut calls = Vec::new();
    for SourceTable { name: table, height, width, is_folded, .. } in &source.tables {
        let folded = u8::from(*is_folded);
        let call = format!("squares, {name}_{table}, {height}, {width}, {folded}");
        let _ = write!(names, "\"{table}\", ");
        calls.push(format!("{name}_windows({call})"));
    }
    if source.network.is_some() {
        names += "\"network\", ";
        calls.push(format!("{name}_network(squares)"));
    }
    let count = calls.len();
    let mut filled = String::new();
    for (place, call) in calls.iter().enumerate() {
        let _ = writeln!(filled, "    terms[{upper}_FEATURES + {place}] = {call};");
    }
    if filled.is_empty() {
        filled = "    (void)squares;\n".into();
    }
    format!(
        "/* The terms of a value: the features, then these, and a null pointer. */\n\
         enum {{ {upper}_TERMS = {upper}_FEATURES + {count} }};\n\
         static const char *const {name}_more_names[] = {{ {names}NULL }};\n\n\
         /* What each term adds to the sum, which is the value before it is divided. */\n\
         static inline void {name}_terms(const uint8_t *squares, const int32_t *features,\n\
         \x20                               int64_t *terms)\n\
         {{\n    int feature;\n\
         \x20   for (feature = 0; feature < {upper}_FEATURES; feature++)\n\
         \x20       terms[feature] = (int64_t){name}_weights[feature] * features[feature];\n\
         {filled}}}\n\n\
         /* The static value. The sum has 64 bits; the division rounds toward zero. */\n\
         static inline int32_t {name}_evaluate(const uint8_t *squares, const int32_t *features)\n\
         {{\n    int64_t terms[{upper}_TERMS + 1], sum = 0;\n    int term;\n\
         \x20   {name}_terms(squares, features, terms);\n\
         \x20   for (term = 0; term < {upper}_TERMS; term++)\n\
         \x20       sum += terms[term];\n\
         \x20   sum /= {upper}_SCALE;\n\
         \x20   return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;\n\
         }}\n\n#endif\n"
    )
}

/// A template with the name of the set and values in their places.
fn fill(template: &str, name: &str, values: &[(&str, &dyn Display)]) -> String {
    let text = template.replace("@name@", name).replace("@NAME@", &name.to_uppercase());
    let put = |text: String, (key, value): &(&str, &dyn Display)| {
        text.replace(&format!("@{key}@"), &value.to_string())
    };
    values.iter().fold(text, put)
}
