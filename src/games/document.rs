//! What other frontends need to use the weights: FEATURES.md, which defines every feature, and
//! conformance files, which say what their own counting must come to. Both are made from the
//! feature lists and the code that counts, so they cannot drift from it.

use super::{GameId, with_game};
use crate::error::{Error, Result};
use crate::eval::features::{patterns, sample_positions, table_weights};
use crate::eval::{Explanation, Feature, Game, Guide, PatternTable, explain};
use crate::weights::{self, FORMAT, ShippedSet, Weight, WeightSet};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;

/// Where the tables of features go in the text of a [`Guide`].
const MARKER: &str = "<!-- features -->\n";

/// The version of the conformance files' format.
const CONFORMANCE_FORMAT: u32 = 2;

/// The positions from random play on each board of a conformance file.
const SAMPLE_SIZE: usize = 5;

/// The seed of the first board's sample; each later board takes the next one.
const SAMPLE_SEED: u64 = 2009;

const NOTE: &str = "What a reader of the weight files must arrive at. For each position: the value of every \
    feature, and the score under each of the sets, both from the side to move, as FEATURES.md defines them; the \
    value of a table is the list of the cells that are not 0, each with its count. The sets are whole weight files: \
    the shipped ones without tables, and one made for this file that weighs every single feature and has a scale \
    above 1. The files beside this one that are named under `files` have tables; their scores are given on their \
    own boards.";

const INTRODUCTION: &str = "\
# Features

Generated from the program's own feature lists; do not edit. The tests compare this file with what the program
would write, and `SPARRING_BLESS=1 cargo test --test library frontend` writes it anew.

## How to read a weight file

A file `<game>/<name>.json` gives every feature of a game a weight. It has no other meaning than this:

    score = (sum over all features of weight * feature) / scale, rounded toward zero

- The score is that of the side to move, in units of its own: more is better. The other side's score of the same
  position is the negative. (With the other side to move it would be another position, whose score may differ.)
- Features, weights and the scale are whole numbers. Take the sum in 64 bits: weights go to a million and features to
  some hundreds, so that 32 bits are too few. Divide the whole sum, once. Rounding toward zero is what the division
  of whole numbers does in C, Java and Rust: -7 / 2 is -3. In JavaScript write `Math.trunc(sum / scale) + 0`, as
  `Math.trunc` alone makes -0 of -1 / 2. In Python, where `//` rounds down, divide `abs(sum) // scale` and put the
  sign back.
- A finished game has no score but a result: a win, a loss or a draw, which a search must hold above, below or
  between all scores.
- `board` names the board that a set was made for, or is null; the features are defined on every board of the game, so
  a set without tables can be used on any. A reader may say that it was made for another board, but should not refuse.
- A feature with a table of weights has a value for each *cell* of the table, and the file an array with the weight of
  each cell, cell 0 first: their products belong to the sum like all others. Few cells are not 0 in a position, and
  their value is mostly 1, so a reader looks the weights up and adds them. A table belongs to the board that the file
  names: on any other board its features are 0. A file may leave a table out, or leave its array empty: then all its
  weights are 0.
- A file may lack a feature that came with a later format than its own `format`: the weight is 0 then. Such features
  say so below; all others came with format 1.
- Any other feature that is missing, or one unknown to the reader, makes a file useless: refuse it. A weight of 0
  leaves a feature out, which need not be counted then. `schema.json` is a JSON Schema of the files.

`<game>/conformance.json` lists positions with the value of every feature and the score under several sets, to test
a reader with: when it gets all of them right, it plays what was tuned here. The keys of its `scores` are names of
sets; the file of a shipped set is `<game>/<name>.json`.

In the tables below, *formula* defines the feature and *count* says it in words; no absolute value is greater than
*at most*, on any board.
";

/// The text of `weights/FEATURES.md`: how to read a weight file, and every feature of every game,
/// in words and formula.
///
/// # Errors
/// When a game's [`Guide`] names a position or a set that does not exist.
pub fn features_markdown() -> Result<String> {
    let mut text = INTRODUCTION.to_owned();
    for &game in GameId::ALL {
        text += &with_game!(game, G => section::<G>())?;
    }
    Ok(text)
}

fn section<G: Game>() -> Result<String> {
    let families = G::FEATURES.chunk_by(|a, b| a.family == b.family);
    let families: String = families.map(family_table).collect();
    let title = G::GAME[..1].to_uppercase() + &G::GAME[1..];
    let tables = families + &tables::<G>();
    let text = G::GUIDE.text.replace(MARKER, tables.trim_start());
    Ok(format!("\n## {title}\n\n{text}{}", example::<G>()?))
}

/// The features of one family, which must not be empty.
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

/// The features with tables, or nothing where the game has none.
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
         The sum is {sum}, the scale {scale}, the score {sum} / {scale} = **{score}**.\n{cells}",
        game = G::GAME,
    ))
}

/// The cells that the example shows of a table.
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

/// A position of a conformance file, and what a reader must make of it.
#[derive(Serialize)]
struct Row {
    board: String,
    fen: String,
    features: serde_json::Map<String, serde_json::Value>,
    scores: BTreeMap<String, i32>,
}

impl Row {
    fn new<G: Game>(position: &G, sets: &[WeightSet]) -> Result<Self> {
        let names = G::FEATURES.iter().map(|feature| feature.name.to_owned());
        let score = |set: &WeightSet| Ok((set.name.clone(), explain(position, set)?.score));
        let tables = G::TABLES.iter().enumerate().map(|(index, table)| {
            let cells = patterns(position, index).into_iter();
            (table.name.to_owned(), cells.map(|(cell, count)| json!([cell, count])).collect())
        });
        // A table means nothing on other boards than its own.
        let fitting = |set: &&WeightSet| !has_tables::<G>(set) || set.fits_board(position.board());
        Ok(Self {
            board: position.board().to_string(),
            fen: position.fen(),
            features: names
                .zip(position.features().into_iter().map(Into::into))
                .chain(tables)
                .collect(),
            scores: sets.iter().filter(fitting).map(score).collect::<Result<_>>()?,
        })
    }
}

/// The text of `weights/<game>/conformance.json`: positions with the value of every feature and the
/// score under every shipped set of the game, one to a line. It is the same in every run.
///
/// # Errors
/// When the game's [`Guide`] names a position or a board that does not exist, or a finished
/// position.
pub fn conformance_json<G: Game>() -> Result<String> {
    let sets = conformance_sets::<G>()?;
    let (long, short): (Vec<&WeightSet>, Vec<_>) =
        sets.iter().partition(|set| has_tables::<G>(set));
    let files: Vec<_> = long.iter().map(|set| format!("{}.json", set.name)).collect();
    let rows = conformance_positions::<G>()?
        .iter()
        .map(|p| Row::new(p, &sets))
        .collect::<Result<Vec<_>>>()?;
    Ok(format!(
        "{{\n  \"format\": {CONFORMANCE_FORMAT},\n  \"game\": {},\n  \"note\": {},\n  \"sets\": [\n{}\n  ],\n  \
         \"files\": {},\n  \"positions\": [\n{}\n  ]\n}}\n",
        text(&G::GAME)?,
        text(&NOTE)?,
        lines(&short)?,
        text(&files)?,
        lines(&rows)?,
    ))
}

fn text(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::failed("conformance file", error.to_string()))
}

/// Whether a set has a table, which makes it too long to be repeated here.
fn has_tables<G: Game>(set: &WeightSet) -> bool {
    G::TABLES.iter().any(|table| table_weights(set, table).is_some())
}

/// The elements of an array, one to a line.
fn lines(values: &[impl Serialize]) -> Result<String> {
    let lines: Vec<String> =
        values.iter().map(|value| Ok(format!("    {}", text(value)?))).collect::<Result<_>>()?;
    Ok(lines.join(",\n"))
}

/// The shipped sets of a game and [`every_feature`].
fn conformance_sets<G: Game>() -> Result<Vec<WeightSet>> {
    let own = |name: &str| name.split_once('/').is_some_and(|(game, _)| game == G::GAME);
    let shipped = weights::shipped().iter().filter(|set| own(set.name));
    let mut sets: Vec<_> = shipped.map(ShippedSet::read).collect::<Result<_>>()?;
    sets.push(every_feature::<G>());
    Ok(sets)
}

/// A set under which a mistake in any feature shows in the score, and so does rounding the wrong
/// way: the weights are 3, -5, 7, -9 and so on, the scale is 10.
fn every_feature<G: Game>() -> WeightSet {
    let mut next = 3_i32;
    let mut weights = weights::Weights::new();
    for feature in G::FEATURES {
        weights.insert(feature.name, Weight::One(next));
        next = -(next + 2 * next.signum());
    }
    WeightSet {
        format: FORMAT,
        game: G::GAME.into(),
        board: None,
        name: "every-feature".into(),
        description:
            "Made to test readers, not to play: a weight on every feature, and a scale above 1."
                .into(),
        scale: 10,
        weights,
        network: None,
        search: None,
        provenance: None,
    }
}

/// The positions picked by hand and those from random play, each once.
fn conformance_positions<G: Game>() -> Result<Vec<G>> {
    let fens = G::GUIDE.positions.lines().filter(|line| !line.starts_with('#'));
    let mut positions = fens.map(G::from_fen).collect::<Result<Vec<_>>>()?;
    for (seed, &board) in (SAMPLE_SEED..).zip(G::GUIDE.boards) {
        for position in sample_positions(&G::start(board)?, SAMPLE_SIZE, seed) {
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
    }
    match positions.iter().find(|position| position.outcome().is_some()) {
        Some(over) => Err(Error::input(over.fen(), "a finished position has no score")),
        None => Ok(positions),
    }
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
        for &game in GameId::ALL {
            with_game!(game, G => check::<G>());
        }
    }

    #[test]
    fn every_feature_has_a_weight_of_its_own() {
        for &game in GameId::ALL {
            let set = with_game!(game, G => every_feature::<G>());
            let mut cells: Vec<i32> =
                set.weights.iter().flat_map(|(_, weight)| weight.cells().to_vec()).collect();
            assert_eq!(cells[..4], [3, -5, 7, -9]);
            let count = cells.len();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), count);
        }
    }
}
