//! Weight sets as C header files.

use super::{SourceSet, SourceTable, comment, number_lines};
use crate::error::Result;
use crate::weights::{InputScheme, LAST_PHASE, Network, WeightSet};
use std::fmt::Display;

/// The functions that read squares, with placeholders such as `@name@`.
const WINDOWS: &str = include_str!("evaluate.h");
const NETWORK: &str = include_str!("network.h");

/// The ends of the constants that a header may define beside the places of features.
const CONSTANTS: [&str; 11] = [
    "COLS",
    "FEATURES",
    "H",
    "IMPLEMENTATION",
    "IMPLEMENTED",
    "PHASES",
    "ROWS",
    "SCALE",
    "TERMS",
    "UNIT",
    "WIN_SCALE",
];

/// A C99 header with the set's numbers and its evaluation. All names begin with `sparring_`, the
/// game and the set. Including it only declares them. The one file that defines
/// `SPARRING_<GAME>_<SET>_IMPLEMENTATION` gets the numbers and the code. Errors name the set by
/// `place`.
///
/// # Errors
/// When the set does not fit its game.
pub fn c_header(set: &WeightSet, place: &str) -> Result<String> {
    let source = SourceSet::new(set, place)?;
    let name = format!("sparring_{}", source.identifier());
    let parts = [
        introduction(&source, &name),
        declarations(&source, &name),
        feature_lists(&source, &name),
        source.tables.iter().map(|table| table_array(table, &name)).collect(),
        source.network.map_or(String::new(), |network| network_arrays(network, &name)),
        if source.tables.is_empty() { String::new() } else { fill(WINDOWS, &name, &[]) },
        source.network.map_or(String::new(), |network| network_function(network, &name)),
        evaluate(&source, &name),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Ok(format!("{}\n#endif\n", parts.join("\n")))
}

fn introduction(source: &SourceSet<'_>, name: &str) -> String {
    let WeightSet { game, name: set, description, scale, .. } = source.set;
    let guard = name.to_uppercase();
    let reads_squares = source.reads_squares();
    let squares = if reads_squares {
        format!(
            "`squares` has {guard}_ROWS rows of {guard}_COLS squares: 0 empty or blocked,\n\
             \x20* 1 a piece of the side to move, 2 a piece of the other side. FEATURES.md says which\n\
             \x20* row comes first."
        )
    } else {
        "`squares` is not read and may be NULL: the set has features alone.".into()
    };
    let phase = if source.set.has_phases() {
        format!(
            "`phase` is the phase of the position, 0 to {guard}_PHASES,\n\
             \x20* as FEATURES.md defines it; one beyond them counts as the nearest. "
        )
    } else {
        String::new()
    };
    let board = source.board.map_or(String::new(), |board| {
        format!("#define {guard}_COLS {}\n#define {guard}_ROWS {}\n", board.cols(), board.rows())
    });
    format!(
        "/* {title}: {about}\n\
         \x20*\n\
         \x20* Made by `spar weights export --to c`, fingerprint {fingerprint}. C99.\n\
         \x20*\n\
         \x20* Include it wherever it is needed, and in one file after this line, for the numbers:\n\
         \x20*\n\
         \x20*     #define {guard}_IMPLEMENTATION\n\
         \x20*\n\
         \x20* {name}_evaluate gives the static value of an unfinished position from the side to\n\
         \x20* move. {squares}\n\
         \x20* `features` has the values of the features listed below, in their\n\
         \x20* order, as FEATURES.md defines them. {phase}{name}_terms takes the value apart.\n\
         \x20*/\n\
         #ifndef {guard}_H\n#define {guard}_H\n\n\
         #include <stddef.h>\n#include <stdint.h>\n\n\
         {board}#define {guard}_SCALE {scale}\n{phases}\n\
         /* {about_unit} */\n\
         #define {guard}_UNIT {unit}\n\
         /* The chance to win is about 1 / (1 + exp(-value / this)). */\n\
         #define {guard}_WIN_SCALE {win_scale:?}\n",
        phases = match source.set.has_phases() {
            true => format!("#define {guard}_PHASES {LAST_PHASE}\n"),
            false => String::new(),
        },
        about_unit = source.about_unit,
        unit = source.units.unit,
        win_scale = source.units.win_scale,
        // The name of a tuned set already begins with its game.
        title = comment(&match set.strip_prefix(&format!("{game}/")) {
            Some(name) => format!("{game}/{name}"),
            None => format!("{game}/{set}"),
        }),
        about = comment(description),
        fingerprint = source.set.fingerprint(),
    )
}

/// The declarations of the set's parts and constants.
fn declarations(source: &SourceSet<'_>, name: &str) -> String {
    let upper = name.to_uppercase();
    let places = enumerators(source.features.iter().map(|(feature, _)| *feature));
    let places: String = places.iter().map(|place| format!("    {upper}_{place},\n")).collect();
    let more = source.tables.len() + usize::from(source.network.is_some());
    let phase = parameter(source);
    let weights = match source.set.has_phases() {
        true => format!(
            "/* The early and the late weights of the features, and a 0. */\n\
             extern const int32_t {name}_early[{upper}_FEATURES + 1];\n\
             extern const int32_t {name}_late[{upper}_FEATURES + 1];\n\n"
        ),
        false => format!(
            "/* The weights of the features, and a 0. */\n\
             extern const int32_t {name}_weights[{upper}_FEATURES + 1];\n\n"
        ),
    };
    format!(
        "/* The places of the features that the set weighs, and their number; with the tables and the\n\
         \x20* network, the number of terms. */\n\
         enum {{\n{places}    {upper}_FEATURES,\n    {upper}_TERMS = {upper}_FEATURES + {more}\n}};\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         /* The names of the terms, the features first, and a null pointer. */\n\
         extern const char *const {name}_names[{upper}_TERMS + 1];\n\n\
         {weights}\
         /* What each term adds to the sum, which is the value before it is divided. */\n\
         void {name}_terms(const uint8_t *squares, const int32_t *features{phase}, int64_t *terms);\n\n\
         /* The static value. The sum has 64 bits; the division rounds toward zero. */\n\
         int32_t {name}_evaluate(const uint8_t *squares, const int32_t *features{phase});\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n\
         #endif\n\n\
         #if defined({upper}_IMPLEMENTATION) && !defined({upper}_IMPLEMENTED)\n\
         #define {upper}_IMPLEMENTED\n"
    )
}

/// A name in capitals for the place of each feature, no two of them the same and none a constant of
/// every set.
fn enumerators<'a>(features: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for feature in features {
        let wanted =
            feature.to_uppercase().replace(|sign: char| !sign.is_ascii_alphanumeric(), "_");
        let is_free = |name: &String| !CONSTANTS.contains(&name.as_str()) && !names.contains(name);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        names.extend([wanted.clone()].into_iter().chain(numbered).find(is_free));
    }
    names
}

/// The additional parameter of sets with weights by phase.
fn parameter(source: &SourceSet<'_>) -> &'static str {
    if source.set.has_phases() { ", int phase" } else { "" }
}

fn feature_lists(source: &SourceSet<'_>, name: &str) -> String {
    let upper = name.to_uppercase();
    let features = source.features.iter().map(|&(feature, _)| feature);
    let tables = source.tables.iter().map(|table| table.name);
    let names = features.chain(tables).chain(source.network.map(|_| "network"));
    let names: String = names.map(|name| format!("    \"{name}\",\n")).collect();
    let list = |kind: &str, end: usize| {
        let weights = source.features.iter().map(|(_, weights)| weights[end]);
        let weights: String = weights.map(|weight| format!("    {weight},\n")).collect();
        format!("const int32_t {name}_{kind}[{upper}_FEATURES + 1] = {{\n{weights}    0\n}};\n")
    };
    let weights = match source.set.has_phases() {
        true => format!("{}\n{}", list("early", 0), list("late", 1)),
        false => list("weights", 0),
    };
    format!(
        "const char *const {name}_names[{upper}_TERMS + 1] = {{\n{names}    NULL\n}};\n\n\
         {weights}"
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
    // C cannot write the least 32-bit integer as one literal.
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
    let table = |SourceTable { name: table, height, width, is_folded, .. }: &SourceTable<'_>| {
        let folded = u8::from(*is_folded);
        format!("{name}_windows(squares, {name}_{table}, {height}, {width}, {folded})")
    };
    let network = source.network.map(|_| format!("{name}_network(squares)"));
    let calls = source.tables.iter().map(table).chain(network).enumerate();
    let calls =
        calls.map(|(place, call)| format!("    terms[{upper}_FEATURES + {place}] = {call};\n"));
    let mut filled: String = calls.collect();
    if !source.reads_squares() {
        filled = "    (void)squares;\n".into();
    }
    let (phase, passed, limited, weight) = match source.set.has_phases() {
        true => (
            parameter(source),
            ", phase",
            format!(
                "    phase = phase < 0 ? 0 : phase > {upper}_PHASES ? {upper}_PHASES : phase;\n"
            ),
            format!(
                "(({name}_early[feature] * ({upper}_PHASES - phase)\n\
                 \x20           + {name}_late[feature] * phase) / {upper}_PHASES)"
            ),
        ),
        false => ("", "", String::new(), format!("{name}_weights[feature]")),
    };
    format!(
        "void {name}_terms(const uint8_t *squares, const int32_t *features{phase}, int64_t *terms)\n\
         {{\n    int feature;\n{limited}\
         \x20   for (feature = 0; feature < {upper}_FEATURES; feature++)\n\
         \x20       terms[feature] = (int64_t){weight} * features[feature];\n\
         {filled}}}\n\n\
         int32_t {name}_evaluate(const uint8_t *squares, const int32_t *features{phase})\n\
         {{\n    int64_t terms[{upper}_TERMS + 1], sum = 0;\n    int term;\n\
         \x20   {name}_terms(squares, features{passed}, terms);\n\
         \x20   for (term = 0; term < {upper}_TERMS; term++)\n\
         \x20       sum += terms[term];\n\
         \x20   sum /= {upper}_SCALE;\n\
         \x20   return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;\n\
         }}\n"
    )
}

/// Fills a template with the name of the set and with values.
fn fill(template: &str, name: &str, values: &[(&str, &dyn Display)]) -> String {
    let text = template.replace("@name@", name).replace("@NAME@", &name.to_uppercase());
    let put = |text: String, (key, value): &(&str, &dyn Display)| {
        text.replace(&format!("@{key}@"), &value.to_string())
    };
    values.iter().fold(text, put)
}

#[cfg(test)]
mod tests {
    use super::{CONSTANTS, c_header, enumerators};
    use crate::weights::find;

    #[test]
    fn places_have_names_of_their_own() {
        let features = ["a", "A", "captain-room", "captain_room", "scale", "h", "win-scale", "a_2"];
        let wanted = [
            "A",
            "A_2",
            "CAPTAIN_ROOM",
            "CAPTAIN_ROOM_2",
            "SCALE_2",
            "H_2",
            "WIN_SCALE_2",
            "A_2_2",
        ];
        assert_eq!(enumerators(features.into_iter()), wanted);
    }

    /// A constant that is missing in the list could have the name of a feature's place.
    #[test]
    fn all_constants_are_known() {
        for name in ["ataxx/7x7-network", "breakthrough/8x8", "breakthru/hand"] {
            let set = find(name, name.split('/').next().unwrap()).unwrap();
            let header = c_header(&set, name).unwrap();
            let guard = header.lines().find_map(|line| line.strip_prefix("#ifndef ")).unwrap();
            let start = guard.strip_suffix('H').unwrap();
            for line in header.lines().filter_map(|line| line.trim().strip_prefix("#define ")) {
                let name = line.split_whitespace().next().unwrap();
                let end = name.strip_prefix(start).unwrap_or_else(|| panic!("{name}"));
                assert!(CONSTANTS.contains(&end), "{end}");
            }
        }
    }
}
