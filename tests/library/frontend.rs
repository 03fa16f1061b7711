//! The sources of other frontends: FEATURES.md, and the conformance files, checked as such a
//! frontend would check itself.

use crate::bless::{assert_generated, folder};
use crate::networks::definition::define;
use serde_json::{Value, json};
use sparring::game::{Outcome, Repetitions, Side};
use sparring::games::GameId;
use sparring::games::document::features_markdown;
use sparring::search::{Algorithm, Limits, Options, Stop};
use sparring::weights::WeightSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// The conformance file of a game, which must be the generated one, parsed.
pub(crate) fn conformance(game: GameId) -> Value {
    let name = format!("{game}/conformance.json");
    assert_generated(&name, &game.conformance_json().unwrap());
    serde_json::from_str(&fs::read_to_string(folder().join(name)).unwrap()).unwrap()
}

/// The elements of an array in a document.
pub(crate) fn array<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document[key].as_array().unwrap()
}

pub(crate) fn text<'a>(document: &'a Value, key: &str) -> &'a str {
    document[key].as_str().unwrap()
}

/// A set in the document.
pub(crate) fn made<'a>(document: &'a Value, name: &str) -> &'a Value {
    array(document, "sets").iter().find(|set| set["name"] == name).unwrap()
}

/// The WebAssembly module that is committed was made from the sources as they are.
#[test]
fn the_module_is_of_these_sources() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/frontends/npm/digest.py");
    let output = Command::new("python3").args([script, "--check"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_features_file_is_the_generated_one() {
    assert_generated("FEATURES.md", &features_markdown().unwrap());
}

#[test]
fn the_conformance_files_are_the_generated_ones() {
    for &game in GameId::with_engine() {
        assert_eq!(text(&conformance(game), "game"), game.name());
    }
}

fn check_rows_of_features(game: GameId, markdown: &str) {
    for feature in &game.features {
        let start = format!("| `{}` | ", feature.name);
        let mut rows = markdown.lines().filter(|line| line.starts_with(&start));
        assert!(rows.any(|row| row.contains(feature.words) && row.contains(feature.formula)));
    }
}

#[test]
fn every_feature_is_in_the_features_file() {
    let markdown = features_markdown().unwrap();
    for &game in GameId::with_engine() {
        check_rows_of_features(game, &markdown);
    }
}

/// The weight sets that a conformance file gives scores for: sets in the file, and sets in files
/// beside it.
pub(crate) fn sets(document: &Value) -> Vec<Value> {
    let beside = |name: &Value| {
        let path = folder().join(text(document, "game")).join(name.as_str().unwrap());
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    };
    array(document, "files")
        .iter()
        .map(beside)
        .chain(array(document, "sets").iter().cloned())
        .collect()
}

/// Whether a set scores positions of a board: tables and networks belong to one.
pub(crate) fn is_for(set: &Value, board: &Value) -> bool {
    let has_table = set["weights"].as_object().unwrap().values().any(Value::is_array);
    !(has_table || set["network"].is_object()) || set["board"] == *board
}

/// The program reads the rows of the file back and gets the same values, term by term and in total
/// as the search would.
fn check_rows(game: GameId, document: &Value) {
    let read = |set: &Value| {
        (set.clone(), WeightSet::from_json(&set.to_string(), "conformance.json").unwrap())
    };
    let sets: Vec<(Value, WeightSet)> = sets(document).iter().map(read).collect();
    for row in array(document, "positions") {
        let position = game.from_fen(text(row, "fen")).unwrap();
        assert_eq!(position.board().to_string(), text(row, "board"));
        assert_eq!(position.outcome(), None);
        let fitting =
            || sets.iter().filter(|(set, _)| is_for(set, &row["board"])).map(|(_, set)| set);
        assert_eq!(row["scores"].as_object().unwrap().len(), fitting().count());
        for set in fitting() {
            let explanation = position.explain(set).unwrap();
            assert!(
                explanation
                    .terms
                    .iter()
                    .all(|term| row["features"][term.name] == json!(term.value))
            );
            let shown = |cells: &[(usize, i32, i32)]| {
                json!(cells.iter().map(|c| (c.0, c.1)).collect::<Vec<_>>())
            };
            assert!(
                explanation
                    .tables
                    .iter()
                    .all(|table| row["features"][table.name] == shown(&table.patterns))
            );
            let score = row["scores"][&set.name].as_i64().unwrap();
            assert_eq!(i64::from(explanation.score), score, "{} in {}", set.name, position.fen());
            let evaluator = game.evaluator(set).unwrap();
            assert_eq!(
                i64::from(evaluator.evaluate(&position)),
                score,
                "{} in {}",
                set.name,
                position.fen()
            );
        }
        assert_eq!(row["phase"].as_i64(), game.has_phases.then(|| position.phase().into()));
        let tables = game.tables.iter().map(|table| table.name);
        let features = game.feature_names().into_iter().chain(tables);
        assert!(features.eq(row["features"].as_object().unwrap().keys().map(String::as_str)));
    }
}

#[test]
fn the_program_comes_to_every_row() {
    for &game in GameId::with_engine() {
        check_rows(game, &conformance(game));
    }
}

/// A reader's rules and a search without pruning, with nothing but the texts: the moves of each
/// position, the lines of a few plies, the values of searches, and games to their end.
fn check_rules(game: GameId, document: &Value) {
    let set = WeightSet::from_json(&made(document, "every-feature").to_string(), "a set").unwrap();
    for row in array(document, "positions") {
        let position = game.from_fen(text(row, "fen")).unwrap();
        let moves: Vec<&str> = array(row, "moves").iter().map(|mv| mv.as_str().unwrap()).collect();
        assert!(moves.is_sorted() && moves.len() == position.moves().len());
        assert!(moves.iter().all(|mv| position.parse_move(mv).is_ok()), "{}", row["fen"]);
        let perft: Vec<u64> = (1..=3).map(|depth| position.perft(depth)).collect();
        assert_eq!(json!(perft), row["perft"], "{}", row["fen"]);
        let options = Options { algorithm: Algorithm::Plain, ..Options::default() };
        let mut engine = game.evaluator(&set).unwrap().engine(options);
        for (depth, value) in (1..).zip(array(row, "minimax")) {
            let (met, stop) = (Repetitions::default(), Stop::default());
            let found = engine.search(&met, &position, &Limits::depth(depth), &stop, None);
            assert_eq!(json!(found.score), *value, "{} {depth}", row["fen"]);
        }
    }
    for row in array(document, "games") {
        let mut position = game.start(text(row, "board").parse().unwrap()).unwrap();
        for mv in array(row, "moves") {
            assert_eq!(position.outcome(), None);
            position.advance(position.parse_move(mv.as_str().unwrap()).unwrap());
        }
        assert_eq!(position.fen(), text(row, "fen"));
        let result = match position.outcome() {
            Some(Outcome::Win(Side::First)) => "1-0",
            Some(Outcome::Win(Side::Second)) => "0-1",
            // By the rules, or by repetition.
            _ => "1/2-1/2",
        };
        assert_eq!(result, text(row, "result"));
    }
}

#[test]
fn the_rules_of_the_files_are_those_of_the_games() {
    for &game in GameId::with_engine() {
        let document = conformance(game);
        assert!(!array(&document, "games").is_empty());
        check_rules(game, &document);
    }
}

/// The row of a feature in FEATURES.md.
fn row_of(game: GameId, name: &str) -> String {
    let markdown = game.features_markdown().unwrap();
    let start = format!("| `{name}` | ");
    markdown.lines().find(|line| line.starts_with(&start)).unwrap().to_owned()
}

/// The format that a feature came with, as FEATURES.md says.
fn since(game: GameId, name: &str) -> i64 {
    let row = row_of(game, name);
    let format = row.split_once("(Since format ").and_then(|(_, rest)| rest.split_once(".)"));
    format.map_or(1, |(format, _)| format.parse().unwrap())
}

/// An independent frontend: it knows JSON and the sentence "sum of weight x feature, divided by the
/// scale and rounded toward zero", and nothing of the program. For a table it adds the weights of
/// the cells that are not 0. It evaluates a network square by square.
fn frontend_score(set: &Value, row: &Value) -> i64 {
    let weights = set["weights"].as_object().unwrap();
    let features = row["features"].as_object().unwrap();
    let game: GameId = text(set, "game").parse().unwrap();
    let network = set["network"].is_object().then(|| define(game, set, text(row, "fen")).value);
    // The weight at the row's phase, rounded toward zero by hand.
    let by_phase = |name: &str| {
        let weight = |phase: &str| weights.get(&format!("{name}@{phase}"))?.as_i64();
        let (early, late) = (weight("early")?, weight("late")?);
        let phase = row["phase"].as_i64().unwrap();
        let sixteenths = early * (16 - phase) + late * phase;
        let size = (sixteenths.abs() - sixteenths.abs() % 16) / 16;
        Some(Value::from(if sixteenths < 0 { -size } else { size }))
    };
    let weight = |name: &str| weights.get(name).cloned().or_else(|| by_phase(name));
    let product = |(name, value): (&String, &Value)| match (weight(name), value) {
        (Some(Value::Array(weights)), Value::Array(cells)) => {
            let product = |cell: &Value| {
                let [cell, count] = [&cell[0], &cell[1]].map(|number| number.as_i64().unwrap());
                weights[cell as usize].as_i64().unwrap() * count
            };
            cells.iter().map(product).sum()
        }
        // A file may leave out a table, and an older format may lack later features.
        (None, Value::Array(_)) => 0,
        // A file with a network may leave out any.
        (None, _) if network.is_some() => 0,
        (None, _) if since(game, name) > set["format"].as_i64().unwrap() => 0,
        (weight, value) => weight.unwrap().as_i64().unwrap() * value.as_i64().unwrap(),
    };
    let feature = |name: &str| name.split('@').next().unwrap().to_owned();
    assert!(weights.keys().all(|name| features.contains_key(&feature(name))));
    let sum = features.iter().map(product).sum::<i64>() + network.unwrap_or(0);
    let scale = set["scale"].as_i64().unwrap();
    // Written out, to be independent of the language's own division.
    let size = (0..=sum.abs()).step_by(usize::try_from(scale).unwrap()).count() as i64 - 1;
    if sum < 0 { -size } else { size }
}

#[test]
fn a_frontend_that_knows_only_the_json_comes_to_every_score() {
    for &game in GameId::with_engine() {
        let document = conformance(game);
        for set in sets(&document) {
            let name = text(&set, "name");
            for row in
                array(&document, "positions").iter().filter(|row| is_for(&set, &row["board"]))
            {
                let score = frontend_score(&set, row);
                assert_eq!(
                    Value::from(score),
                    row["scores"][name],
                    "{name} in {}",
                    text(row, "fen")
                );
            }
        }
    }
}

/// A set with tables for a board, with weights that tell all cells apart.
fn with_tables(game: GameId, set: &Value, board: &str) -> Value {
    let mut set = set.clone();
    set["board"] = board.into();
    for table in game.tables {
        let weight = |cell: usize| (cell as i64 * 7919).rem_euclid(2001) - 1000;
        let cells = (table.cells)(board.parse().unwrap());
        set["weights"][table.name] = (0..cells).map(weight).collect();
    }
    set
}

fn check_tables(game: GameId, document: &Value) {
    let last = made(document, "every-feature");
    let rows = array(document, "positions");
    for board in rows.iter().map(|row| text(row, "board")).collect::<BTreeSet<_>>() {
        let set = with_tables(game, last, board);
        let read = WeightSet::from_json(&set.to_string(), "made here").unwrap();
        let evaluator = game.evaluator(&read).unwrap();
        for row in rows.iter().filter(|row| text(row, "board") == board) {
            let fen = text(row, "fen");
            let position = game.from_fen(fen).unwrap();
            let score = evaluator.evaluate(&position);
            assert_eq!(frontend_score(&set, row), i64::from(score), "{fen}");
            assert_eq!(position.explain(&read).unwrap().score, score);
        }
    }
}

#[test]
fn a_frontend_that_knows_only_the_json_adds_up_tables() {
    for &game in GameId::with_engine() {
        check_tables(game, &conformance(game));
    }
}

/// The windows of a game by FEATURES.md.
struct Windows {
    game: &'static str,
    /// The table, and the rows and columns of its windows.
    table: (&'static str, i64, i64),
    /// The signs of the sides that begin and answer.
    signs: [char; 2],
    /// Whether rows are counted from the home of the side to move; else windows that mirror each
    /// other top to bottom share their cells.
    turned: bool,
}

impl Windows {
    /// The cells as FEATURES.md defines them, from the FEN alone.
    fn cells(&self, fen: &str) -> BTreeMap<i64, i64> {
        let (_, height, width) = self.table;
        let (rows, side) = (fen.split(' ').next().unwrap(), fen.split(' ').nth(1).unwrap());
        let first = side == "w" || side == "x";
        let digit = |sign: char| match self.signs.iter().position(|&known| known == sign) {
            None => 0,
            Some(side) => {
                if (side == 0) == first {
                    1
                } else {
                    2
                }
            }
        };
        let squares = |row: &str| -> Vec<i64> {
            let square = |sign: char| match sign.to_digit(10) {
                Some(count) => vec![0; count as usize],
                None => vec![digit(sign)],
            };
            row.chars().flat_map(square).collect()
        };
        let mut view: Vec<Vec<i64>> = rows.split('/').map(squares).collect();
        if first || !self.turned {
            view.reverse();
        }
        let (all_rows, columns) = (view.len() as i64, view[0].len() as i64);
        let classes = (columns - width + 2) / 2;
        let mut cells = BTreeMap::new();
        for r in 0..(all_rows - height + 1).max(0) {
            let above = all_rows - height - r;
            for c in 0..(columns - width + 1).max(0) {
                let right = columns - width - c;
                let mut pattern = 0;
                for k in 0..height * width {
                    let column = if c > right { c + width - 1 - k % width } else { c + k % width };
                    let down = !self.turned && r > above;
                    let row = if down { r + height - 1 - k / width } else { r + k / width };
                    pattern += view[row as usize][column as usize] * 3_i64.pow(k as u32);
                }
                let row_class = if self.turned { r } else { r.min(above) };
                let cell = (row_class * classes + c.min(right))
                    * 3_i64.pow((height * width) as u32)
                    + pattern;
                *cells.entry(cell).or_insert(0) += 1;
            }
        }
        cells
    }

    /// The definition gives the cells of the conformance file and of the worked example, whose text
    /// names one of them.
    fn check(&self, example: &str, named: Option<i64>) {
        let (name, ..) = self.table;
        let document = conformance(self.game.parse().unwrap());
        for row in array(&document, "positions") {
            let cells: Vec<_> = self.cells(text(row, "fen")).into_iter().collect();
            assert_eq!(json!(cells), row["features"][name], "{}", text(row, "fen"));
        }
        let markdown = features_markdown().unwrap();
        let fen = markdown.lines().find(|line| line.starts_with(example)).unwrap();
        let cells = self.cells(fen.trim_matches('`'));
        let is_right =
            |cell: i64| cells.contains_key(&cell) && markdown.contains(&format!("= {cell}`"));
        assert!(named.is_none_or(is_right));
        let shown = |(cell, count): (&i64, &i64)| match count {
            1 => cell.to_string(),
            _ => format!("{cell} ({count} times)"),
        };
        let cells: Vec<String> = cells.iter().map(shown).collect();
        assert!(markdown.contains(&format!("cells of `{name}`: {}.", cells.join(", "))));
    }
}

#[test]
fn the_definition_of_windows_suffices() {
    let breakthrough =
        |table| Windows { game: "breakthrough", table, signs: ['P', 'p'], turned: true };
    breakthrough(("windows_3x3", 3, 3)).check("`2p2p/", Some(72495));
    breakthrough(("windows_5x2", 5, 2)).check("`2p2p/", None);
    let table = ("windows_3x3", 3, 3);
    let ataxx = Windows { game: "ataxx", table, signs: ['x', 'o'], turned: false };
    ataxx.check("`xx1-o/", Some(13447));
}

/// The file's sets are all shipped sets, equal to their files, and the sets made for it, among them
/// one with a network if the game has networks. Sets with tables are only named.
#[test]
fn the_sets_are_the_files_beside_it() {
    for &game in GameId::with_engine() {
        let document = conformance(game);
        let mut shipped = 0;
        for set in sets(&document) {
            let path = folder().join(game.name()).join(format!("{}.json", text(&set, "name")));
            if let Ok(file) = fs::read_to_string(path) {
                assert_eq!(set, serde_json::from_str::<Value>(&file).unwrap());
                shipped += 1;
            }
        }
        let files = fs::read_dir(folder().join(game.name())).unwrap();
        let is_json = |path: std::path::PathBuf| {
            path.extension().is_some_and(|extension| extension == "json")
        };
        let weight_files =
            files.filter(|entry| is_json(entry.as_ref().unwrap().path())).count() - 1;
        // Made for the file: a set of every feature, one by phase, and one with a network.
        let made = 1 + usize::from(game.has_phases) + usize::from(game.symmetry.is_some());
        assert_eq!((shipped, sets(&document).len()), (weight_files, weight_files + made));
    }
}

/// The greatest absolute value of a feature, as FEATURES.md says.
fn limit(game: GameId, name: &str) -> u64 {
    let row = row_of(game, name);
    row.trim_end_matches(" |").rsplit(' ').next().unwrap().parse().unwrap()
}

/// Enough positions to check a reader against.
const ENOUGH: usize = 60;

/// The games with this many positions. A new one may begin with a few, which differ less.
const RICH: [&str; 3] = ["ataxx", "breakthrough", "breakthru"];

/// The positions are worth checking against: both sides to move, every feature at work, and sums of
/// either sign that rounding changes.
fn check_variety(game: GameId, document: &Value) {
    let rows = array(document, "positions");
    let distinct = |key| rows.iter().map(|row| text(row, key)).collect::<BTreeSet<_>>().len();
    assert_eq!(distinct("fen"), rows.len());
    assert!(game.boards.len() < 2 || distinct("board") >= 2);
    for side in Side::BOTH {
        let to_move = rows
            .iter()
            .filter(|row| game.from_fen(text(row, "fen")).unwrap().side_to_move() == side);
        assert!(to_move.count() * 4 >= rows.len(), "{side:?}");
    }
    for feature in &game.features {
        let limit = limit(game, feature.name);
        let values: BTreeSet<i64> =
            rows.iter().map(|row| row["features"][feature.name].as_i64().unwrap()).collect();
        let least = if feature.formula == "1" { 1 } else { 3.min(limit as usize + 1) };
        assert!(values.len() >= least, "`{}` takes the values {values:?} only", feature.name);
        assert!(values.iter().all(|value| value.unsigned_abs() <= limit));
    }
    if game.has_phases {
        let phases: BTreeSet<i64> = rows.iter().map(|row| row["phase"].as_i64().unwrap()).collect();
        assert!(phases.len() >= 5 && phases.contains(&0), "{phases:?}");
    }
    let last = made(document, "every-feature");
    let rounded = |sign: i64| rows.iter().filter(move |row| remainder(last, row) * sign > 0);
    assert!(rounded(1).count() >= 10 && rounded(-1).count() >= 10);
}

/// The remainder of the division by the scale, with the sign of the sum.
fn remainder(set: &Value, row: &Value) -> i64 {
    let mut undivided = set.clone();
    undivided["scale"] = 1.into();
    let scale = set["scale"].as_i64().unwrap();
    frontend_score(&undivided, row) - scale * frontend_score(set, row)
}

#[test]
fn the_positions_differ_in_what_matters() {
    for &game in GameId::with_engine() {
        let document = conformance(game);
        let count = array(&document, "positions").len();
        if count >= ENOUGH {
            check_variety(game, &document);
        }
        assert!(count >= ENOUGH || !RICH.contains(&game.name()), "{count} positions of {game}");
    }
}
