//! `spar features`: a position's score, term by term.

use super::players::warn_board;
use crate::any::AnyPosition;
use crate::arena::record::result_text;
use crate::cli::{Console, Ended, PositionArgs, find_player};
use crate::error::{Error, Result};
use crate::eval::features::{NetworkTerm, TableTerm, Term};
use crate::eval::pieces::{PieceWorth, piece_worths};
use crate::eval::{Explanation, ScoreUnits};
use crate::files::{self, Links, without_byte_order_mark};
use crate::game::Board;
use crate::games::GameId;
use crate::player::DefaultWeights;
use crate::report::TextTable;
use crate::report::explanation::{piece_board, score_facts, term_table};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Explains the static score of a position term by term
///
/// It lists feature, value, weight and product; with a network also how much the score loses
/// without each piece.
#[derive(Args, Debug)]
pub struct FeaturesArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Explain every position of a file instead, a FEN on each line, to check a reader of weight
    /// files; with --json only
    #[arg(long, value_name = "FENS", conflicts_with_all = ["fen", "moves"])]
    file: Option<PathBuf>,
    /// Weights: a shipped set, a file or a run [default: the strongest set of the board]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// Show the features without a weight too
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct FeaturesJson<'a> {
    /// The phase of the position, 0 to 16, where the set has weights by phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<i32>,
    features: Map<String, Value>,
    score: i32,
    sum: i64,
    scale: i32,
    #[serde(flatten)]
    units: ScoreUnits,
    terms: &'a [Term],
    tables: &'a [TableTerm],
    /// The network's term; null where the set has none for the board.
    network: Option<&'a NetworkTerm>,
    /// What the score loses without each piece; empty where the set has no network for the board,
    /// and without the pieces whose loss ends the game.
    pieces: &'a [PieceWorth],
    game: &'static str,
    board: String,
    fen: String,
    /// The name of the weight set.
    weights: &'a str,
    /// The result of a position that is finished: then a search gives it a win, a loss or a draw
    /// instead.
    result: Option<&'static str>,
}

/// The positions of a file.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PositionsJson<'a> {
    game: &'static str,
    /// The name of the weight set.
    weights: &'a str,
    scale: i32,
    #[serde(flatten)]
    units: ScoreUnits,
    positions: Vec<PositionFeatures>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PositionFeatures {
    /// The position, as the file writes it.
    fen: String,
    board: String,
    /// The phase of the position, 0 to 16, where the set has weights by phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<i32>,
    /// The value of each feature; of a table the cells with their counts.
    features: Map<String, Value>,
    /// From the side to move.
    score: i32,
    /// The result of a position that is finished.
    result: Option<&'static str>,
}

/// The largest file of positions, in bytes.
const MAX_POSITIONS: u64 = 1 << 28;

/// Explains the positions of a file.
fn run_file(args: &FeaturesArgs, path: &Path, console: &Console) -> Result<Ended> {
    if !console.json {
        return Err(Error::input("--file", "positions of a file are explained in JSON only")
            .remedy("add --json"));
    }
    let game = args.position.game(args.weights.as_deref(), console)?;
    let bytes = files::read(path, Links::Followed, MAX_POSITIONS)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Error::input(path.display(), "not text in UTF-8").remedy("write one FEN a line")
    })?;
    let read = |(number, line): (usize, &str)| {
        let place = format!("{}, line {}", path.display(), number + 1);
        let position = game.from_fen(line).map_err(|error| error.within(&place))?;
        Ok((place, line.to_owned(), position))
    };
    let text = without_byte_order_mark(&text);
    let lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    let positions = lines.map(read).collect::<Result<Vec<_>>>()?;
    let Some((_, _, first)) = positions.first() else {
        return Err(Error::input(path.display(), "no position").remedy("write one FEN a line"));
    };
    let default = DefaultWeights::Strongest(first.board());
    let player = find_player(game, args.weights.as_deref(), default, console)?;
    let row = |(place, fen, position): (String, String, AnyPosition)| {
        let explained = position.explain(&player.weights).map_err(|error| error.within(place))?;
        Ok(PositionFeatures {
            fen,
            board: position.board().to_string(),
            phase: explained.phase,
            features: values(game, &position, &explained),
            score: explained.score,
            result: position.outcome().map(result_text),
        })
    };
    console.document(&PositionsJson {
        game: game.name(),
        weights: &player.name,
        scale: player.weights.scale,
        units: game.score_units(&player.weights)?,
        positions: positions.into_iter().map(row).collect::<Result<_>>()?,
    })?;
    Ok(Ended::Done)
}

/// Runs the command.
///
/// # Errors
/// When the position or the weights are wrong.
pub fn run(args: &FeaturesArgs, console: &Console) -> Result<Ended> {
    if let Some(path) = &args.file {
        return run_file(args, path, console);
    }
    let weights = args.weights.as_deref();
    let game = args.position.game(weights, console)?;
    let position = args.position.position(game, weights)?;
    let default = DefaultWeights::Strongest(position.board());
    let player = find_player(game, args.weights.as_deref(), default, console)?;
    warn_board(&player, position.board(), console)?;
    let explained = position.explain(&player.weights)?;
    let evaluator = game.evaluator(&player.weights)?;
    let pieces = match (&explained.network, position.outcome()) {
        (Some(_), None) => piece_worths(&position, &evaluator),
        _ => Vec::new(),
    };
    let result = position.outcome().map(result_text);
    if !console.json {
        let explained = (&explained, player.name.as_str(), pieces.as_slice());
        print((game, &position), explained, args.all, console)?;
        if let Some(result) = result {
            console.note(format!(
                "the game is over: {result}. A search scores it by the result, not by features"
            ));
        }
        return Ok(Ended::Done);
    }
    console.document(&FeaturesJson {
        phase: explained.phase,
        features: values(game, &position, &explained),
        score: explained.score,
        sum: explained.sum,
        scale: explained.scale,
        units: game.guide.score_units(evaluator.unit()),
        terms: &explained.terms,
        tables: &explained.tables,
        network: explained.network.as_ref(),
        pieces: &pieces,
        game: game.name(),
        board: position.board().to_string(),
        fen: args.position.text(game, weights)?,
        weights: &player.name,
        result,
    })?;
    Ok(Ended::Done)
}

/// Prints the terms of a position's score under the named weights, and what each piece is worth
/// where that is known; with `all` also the features without a weight, and the patterns.
fn print(
    (game, position): (GameId, &AnyPosition),
    (explained, weights, pieces): (&Explanation, &str, &[PieceWorth]),
    all: bool,
    console: &Console,
) -> Result<()> {
    console.say(format!(
        "{}\n{}\n",
        position.diagram(),
        term_table(explained, all).fit(console.width())
    ))?;
    if all && !explained.tables.is_empty() {
        console.say(format!(
            "{}\n",
            pattern_table(game, position.board(), explained).fit(console.width())
        ))?;
    }
    if !pieces.is_empty() {
        let drawn = piece_board(position.board(), pieces);
        console.say(format!("The score loses without each piece:\n\n{drawn}\n"))?;
    }
    console.say(score_facts(explained, weights))
}

/// The patterns of all tables, each drawn in a line.
fn pattern_table(game: GameId, board: Board, explained: &Explanation) -> TextTable {
    let mut table = TextTable::new()
        .left("table")
        .shortened(8)
        .right("cell")
        .optional(1)
        .right("count")
        .right("weight")
        .left("pattern");
    for term in &explained.tables {
        let shape = game.tables.iter().find(|shape| shape.name == term.name);
        for &(cell, count, weight) in &term.patterns {
            let drawn = shape.map_or(String::new(), |shape| (shape.draw)(board, cell));
            let cells = [cell.to_string(), count.to_string(), weight.to_string(), drawn];
            table.row([term.name.to_owned()].into_iter().chain(cells));
        }
    }
    table
}

/// The value of every feature: a number, or a table's list of cells with their counts.
fn values(game: GameId, position: &AnyPosition, explained: &Explanation) -> Map<String, Value> {
    let single = explained.terms.iter().map(|term| (term.name.to_owned(), term.value.into()));
    let tables = game.tables.iter().enumerate().map(|(index, table)| {
        let cells = position.patterns(index).into_iter();
        (table.name.to_owned(), cells.map(|(cell, count)| json!([cell, count])).collect())
    });
    single.chain(tables).collect()
}
