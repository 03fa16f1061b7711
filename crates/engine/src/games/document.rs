//! FEATURES.md, which defines every feature for other frontends. It is generated from the feature
//! lists and the evaluation code, so it cannot drift from them.

use super::GameId;
use super::conformance::every_network;
use crate::error::Result;
use crate::eval::features::{NetworkTerm, patterns};
use crate::eval::{Explanation, Feature, Game, GamePhase, Guide, PatternTable, explain};
use crate::weights;
use std::fmt::Display;

/// The placeholder for the tables of features in the text of a [`Guide`].
const MARKER: &str = "<!-- features -->\n";

const INTRODUCTION: &str = "\
# Features

Generated from the program's own feature lists; do not edit. The tests compare this file with what the program
would write, and `SPARRING_BLESS=1 cargo test --test library frontend` rewrites it.

## How to read a weight file

A file `<game>/<name>.json` gives every feature of a game a weight. This is its whole meaning:

    score = (sum over all features of weight * feature) / scale, rounded toward zero

(A file with a `network` adds the network's value; see the section on networks. A weight may depend on the phase of the
game; see the section on weights by phase.)

- The score is for the side to move, in units of the set: more is better. The other side's score of the same
  position is the negative. (With the other side to move it would be another position, whose score may differ.)
- Features, weights and the scale are whole numbers. Take the sum in 64 bits: weights go to a million and features to
  some hundreds, so that 32 bits are too few. Divide the whole sum, once. Rounding toward zero is what the division
  of whole numbers does in C, Java and Rust: -7 / 2 is -3. In JavaScript write `Math.trunc(sum / scale) + 0`, as
  `Math.trunc` alone turns -1 / 2 into -0. In Python, where `//` rounds down, divide `abs(sum) // scale` and put the
  sign back.
- A finished game has no score but a result. A search must rank a win above all scores, a loss below them, and a draw
  between wins and losses.
- `board` names the board that a set was made for, or is null. The features are defined on every board of the game, so
  a set without tables and networks works on any. A reader may say that a set was made for another board, but should
  not refuse it.
- A feature with a table of weights has a value for each *cell* of the table, and the file has an array with the weight
  of each cell, cell 0 first. Their products belong to the sum like all others. Few cells of a position are not 0, and
  most of these are 1, so a reader looks the weights up and adds them. A table belongs to the board that the file
  names: on any other board its features are 0. A file may leave a table out, or leave its array empty: then all its
  weights are 0.
- A file may lack a feature that came with a later format than its own `format`: the weight is 0 then. Such features
  say so below; all others came with format 1.
- Refuse a file in which any other feature is missing (unless there is a network), or which has a feature unknown to
  the reader. A feature with the weight 0 need not be counted. `schema.json` is a JSON Schema of the files.

`<game>/conformance.json` lists positions with the value of every feature and the score under several sets, to test
a reader with. A reader that gets all of them right plays the tuned sets exactly. Its `units` serve to show scores to
people: a score divided by `unit` is in pieces, and the side to move wins with a probability of about
`1 / (1 + exp(-score / win_scale))`, a rough figure for games between equals. The keys of its `scores` are names of
sets; the file of a shipped set is `<game>/<name>.json`.

In the tables below, *formula* defines the feature and *count* says it in words; no absolute value is greater than
*at most*, on any board.
";

/// The definition of networks, for every game.
const NETWORKS: &str = include_str!("networks.md");

/// The definition of weights by phase, for every game.
const PHASES: &str = include_str!("phases.md");

/// The text of `weights/FEATURES.md`: how to read a weight file, and every feature of every game in
/// words and as a formula.
///
/// # Errors
/// When a game's [`Guide`] names an invalid position or set.
pub fn features_markdown() -> Result<String> {
    let mut text = format!("{INTRODUCTION}\n{PHASES}{NETWORKS}");
    for &game in GameId::with_engine() {
        text += &game.features_markdown()?;
    }
    Ok(text)
}

pub(crate) fn section<G: Game>() -> Result<String> {
    let families = G::FEATURES.chunk_by(|a, b| a.family == b.family);
    let families: String = families.map(family_table).collect();
    let title = G::GAME[..1].to_uppercase() + &G::GAME[1..];
    let tables = families + &tables::<G>() + &phase::<G>();
    let text = G::GUIDE.text.replace(MARKER, tables.trim_start());
    Ok(format!("\n## {title}\n\n{text}{}", example::<G>()?))
}

/// The table of the features of one family, which must not be empty.
fn family_table<Inputs>(features: &[Feature<Inputs>]) -> String {
    let since = |f: &Feature<Inputs>| {
        if f.since > 1 { format!(" (Since format {}.)", f.since) } else { String::new() }
    };
    let row = |f: &Feature<Inputs>| {
        format!("| `{}` | {}{} | `{}` | {} |\n", f.name, f.words, since(f), f.formula, f.limit)
    };
    let rows: String = features.iter().map(row).collect();
    let family = features[0].family;
    format!(
        "\n### {family}\n\n| feature | count | formula | at most |\n| --- | --- | --- | ---: |\n{rows}"
    )
}

/// The section on pattern tables; empty for a game without tables.
fn tables<G: Game>() -> String {
    let cells = |table: &PatternTable| {
        let sizes = G::boards().into_iter().map(|board| (board, (table.cells)(board)));
        let sizes = sizes.filter(|&(board, cells)| cells > 0 && board.cols() == board.rows());
        sizes.map(|(board, cells)| format!("{cells} on {board}")).collect::<Vec<_>>().join(", ")
    };
    let row = |t: &PatternTable| {
        format!("| `{}` | {} | {} | {} |\n", t.name, t.words, t.formula, cells(t))
    };
    let rows: String = G::TABLES.iter().map(row).collect();
    match G::TABLES.first() {
        Some(first) => {
            let family = first.family;
            format!(
                "\n### {family}\n\n| table | count | formula | cells |\n| --- | --- | --- | --- |\n{rows}"
            )
        }
        None => String::new(),
    }
}

/// The section on the phase; empty for a game without phases.
fn phase<G: Game>() -> String {
    let text = |phase: GamePhase<G::Inputs>| {
        format!("\n### Phase\n\n{}\n\n    phase = {}\n", phase.words, phase.formula)
    };
    G::PHASE.map_or(String::new(), text)
}

fn example<G: Game>() -> Result<String> {
    let Guide { example, example_set, .. } = G::GUIDE;
    let position = G::from_fen(example)?;
    let explanation = explain(&position, &weights::find(example_set, G::GAME)?)?;
    let diagram = position.diagram();
    let rows = example_rows(&explanation);
    let cells: String = (0..G::TABLES.len()).map(|table| example_cells(&position, table)).collect();
    let Explanation { sum, scale, score, .. } = explanation;
    Ok(format!(
        "\n### Example\n\n`{example}`\n\n```text\n{diagram}```\n\n\
         Under `{game}/{example_set}.json`; every feature that is not listed is 0 here.\n\n\
         | feature | value | weight | product |\n| --- | ---: | ---: | ---: |\n{rows}\n\
         The sum is {sum}, the scale {scale}, the score {sum} / {scale} = **{score}**.\n{cells}{network}",
        game = G::GAME,
        network = example_network(&position)?,
    ))
}

/// The results of the conformance file's network for the example; empty for a game without
/// networks.
fn example_network<G: Game>(position: &G) -> Result<String> {
    let Some(set) = every_network::<G>()? else { return Ok(String::new()) };
    let explanation = explain(position, &set)?;
    let (Some(network), Some(NetworkTerm { inputs, hidden, product })) =
        (&set.network, &explanation.network)
    else {
        return Ok(String::new());
    };
    let active: Vec<i64> =
        hidden.iter().map(|&sum| i64::from(sum.clamp(0, network.limit.into())).pow(2)).collect();
    let outputs = active.iter().zip(&network.output_weights);
    let outputs = outputs.map(|(active, &weight)| active * i64::from(weight)).sum::<i64>();
    let Explanation { sum, scale, score, .. } = explanation;
    let with_bias = outputs + i64::from(network.output_bias);
    let quotient = with_bias / i64::from(network.divisor);
    let value = match quotient == *product {
        true => format!("the network's value is {product}"),
        false => {
            let [owner, other] = G::SIDE_NAMES;
            format!(
                "it is {quotient} for {owner}; {other} is to move, so the network's value is {product}"
            )
        }
    };
    Ok(format!(
        "\nUnder `{name}` of `conformance.json`, a network of {units} units over windows of {window}: \
         the inputs that are 1 are {inputs}. The hidden sums are {hidden}; with the limit {limit} \
         the units give {active}. The outputs sum up to {outputs}, with the bias to {with_bias}; over \
         the divisor, {with_bias} / {divisor}, {value}. The features of the \
         set add {features}; the score is {sum} / {scale} = **{score}**.\n",
        name = set.name,
        units = network.units,
        window = network.window,
        inputs = list(inputs),
        hidden = list(hidden),
        limit = network.limit,
        active = list(&active),
        divisor = network.divisor,
        features = sum - product,
    ))
}

/// Numbers separated by commas.
fn list(numbers: &[impl Display]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The cells of a table that match the example.
fn example_cells<G: Game>(position: &G, table: usize) -> String {
    let cell = |(cell, count): (usize, i32)| {
        if count == 1 { cell.to_string() } else { format!("{cell} ({count} times)") }
    };
    let cells: Vec<String> = patterns(position, table).into_iter().map(cell).collect();
    format!(
        "\nThe position shows these cells of `{}`: {}.\n",
        G::TABLES[table].name,
        cells.join(", ")
    )
}

fn example_rows(explanation: &Explanation) -> String {
    let tables = explanation.tables.iter();
    let tables = tables.map(|t| {
        format!("| `{}` | {} cells | table | {} |\n", t.name, t.patterns.len(), t.product)
    });
    let counted = explanation.terms.iter().filter(|term| term.value != 0);
    counted
        .map(|t| format!("| `{}` | {} | {} | {} |\n", t.name, t.value, t.weight, t.product))
        .chain(tables)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_breaks_its_table() {
        fn check<G: Game>() {
            for feature in G::FEATURES {
                let cells = [feature.name, feature.words, feature.formula];
                assert!(cells.iter().all(|cell| !cell.contains(['|', '`', '\n'])), "{cells:?}");
            }
        }
        check::<crate::games::Breakthrough>();
        check::<crate::games::Ataxx>();
        check::<crate::games::Breakthru>();
    }
}
