//! `spar analyze`: searches a position, depth by depth.

use super::engine_args::EngineArgs;
use crate::any::{AnyLine, AnyMove, AnyPosition, AnyReport, lines_among};
use crate::arena::record::result_text;
use crate::cli::{Console, Ended, Interrupt, LoadedPlayer, PositionArgs};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::MAX_MOVES;
use crate::player::Player;
use crate::report::{TextTable, units};
use crate::search::score::plies_to_win;
use crate::search::{Algorithm, Counters, Limits, Lines};
use clap::Args;
use serde::Serialize;
use std::time::Duration;

/// The time for a position when no limit is given.
const TIME: Duration = Duration::from_secs(1);
/// The least columns of a terminal for the best line.
const SHORT_LINE: usize = 20;

/// Searches a position and shows score and best line
///
/// It shows for each depth the time, nodes, table, cutoffs, score and best line.
#[derive(Args, Debug)]
pub struct AnalyzeArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Weights: a shipped set, a file or a run [default: the strongest set of the board]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// Show this many of the best lines, each beginning with another move
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_MOVES as i64))]
    multipv: u16,
    /// Search only these moves of the position [default: all]
    #[arg(long, value_name = "\"MOVE MOVE ...\"")]
    searchmoves: Option<String>,
    #[command(flatten)]
    engine: EngineArgs,
}

impl AnalyzeArgs {
    /// How many lines the search reports, and the moves that may begin them.
    fn lines(&self, position: &AnyPosition) -> Result<Lines> {
        let parse =
            |text: &str| position.parse_move(text).map_err(|error| error.within("--searchmoves"));
        let words = self.searchmoves.as_deref().unwrap_or_default().split_whitespace();
        let moves = words.map(parse).collect::<Result<Vec<_>>>()?;
        if self.searchmoves.is_some() && moves.is_empty() {
            return Err(Error::input("--searchmoves", "no move is named")
                .remedy("separate the moves by spaces"));
        }
        Ok(lines_among(self.multipv.into(), &moves))
    }
}

/// The result of a finished depth.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DepthRow {
    depth: u32,
    seconds: f64,
    #[serde(flatten)]
    counters: Counters,
    /// Moves tried before a cutoff, the refuting one included.
    moves_before_cutoff: Option<f64>,
    score: Score,
    pv: Vec<String>,
}

/// One of the best lines.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LineRow {
    /// The first move of the line.
    best: Option<String>,
    /// In units of the weight set; a win in n plies is 1,000,000,000 - n.
    score: Score,
    /// Plies until the side to move has won.
    win_in: Option<u32>,
    /// Plies until the side to move has lost.
    loss_in: Option<u32>,
    /// The depth it was searched to, in plies.
    depth: u32,
    pv: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Analysis {
    best: Option<String>,
    /// In units of the weight set; a win in n plies is 1,000,000,000 - n.
    score: Option<Score>,
    /// Plies until the side to move has won.
    win_in: Option<u32>,
    /// Plies until the side to move has lost.
    loss_in: Option<u32>,
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// Nodes a second; null for a search too short to tell.
    nps: Option<f64>,
    pv: Vec<String>,
    /// The lines that were asked for, best first: the one above, and lines of other moves.
    lines: Vec<LineRow>,
    game: &'static str,
    board: String,
    fen: String,
    /// The name of the weight set.
    weights: String,
    algorithm: Algorithm,
    limits: Limits,
    /// The result of a position that is finished.
    result: Option<&'static str>,
    depths: Vec<DepthRow>,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong.
pub fn run(args: &AnalyzeArgs, console: &Console) -> Result<Ended> {
    let weights = args.weights.as_deref();
    let game = args.position.game(weights, console)?;
    let limits = args.engine.limits.or(Limits::movetime(TIME))?;
    let (met, position) = args.position.with_history(game, weights)?;
    let (board, lines) = (position.board(), args.lines(&position)?);
    let (LoadedPlayer { player, evaluator }, options) =
        args.engine.player(game, weights, board, &limits, console)?;
    let mut engine = args.engine.engine(&evaluator, options, (game, board), console)?;
    if !console.json {
        let title = format!("{}, {}, {limits}", player.name, args.engine.algorithm);
        console.say(format!("{}\n{title}\n", position.diagram()))?;
    }
    let interrupt = Interrupt::new("");
    let table = depth_table().fit(console.width());
    if !console.json && position.outcome().is_none() {
        table.heading().map_or(Ok(()), |heading| console.say(heading))?;
    }
    let (mut depths, mut printed) = (Vec::new(), Ok(()));
    let mut on_depth = |found: &AnyReport| {
        if !console.json && printed.is_ok() {
            printed = console.say(rows(&table, &position, found));
            // The reader has closed stdout, so the search can stop.
            printed.is_err().then(|| interrupt.stop().set());
        }
        depths.push(row(&position, found));
    };
    let (stop, on_depth) = (interrupt.stop(), Some(&mut on_depth as &mut dyn FnMut(&AnyReport)));
    let report = engine.search_lines(&lines, &met, &position, &limits, stop, on_depth);
    printed?;
    let ended = if interrupt.came() { Ended::Stopped } else { Ended::Done };
    if console.json {
        let search = (args.engine.algorithm, limits);
        console.document(&Analysis {
            fen: args.position.text(game, weights)?,
            ..analysis(&position, &player, search, &report, depths)
        })?;
    } else {
        console.say(verdict(&position, &report))?;
    }
    Ok(ended)
}

/// The table, with columns wide enough for most searches.
fn depth_table() -> TextTable {
    TextTable::new()
        .wide("depth", 5)
        .wide("sel", 3)
        .optional(3)
        .wide("time", 8)
        .wide("nodes", 10)
        .wide("nodes/s", 7)
        .optional(1)
        .wide("queries", 7)
        .optional(6)
        .wide("hits", 6)
        .optional(5)
        .wide("cutoffs", 7)
        .optional(4)
        .wide("tried", 5)
        .optional(2)
        .wide("score", 10)
        .left("best line")
        // The last depth's whole line is printed below the table.
        .cut(SHORT_LINE)
}

/// The row of a depth, and below it the scores of further lines.
fn rows(table: &TextTable, position: &AnyPosition, found: &AnyReport) -> String {
    let cells = cells(position, found);
    let below = found.alternatives.iter().map(|line| {
        let mut below = vec![String::new(); cells.len()];
        below[cells.len() - 2] = score_text(line.score);
        below[cells.len() - 1] = position.line_text(&line.pv);
        table.line(&below)
    });
    std::iter::once(table.line(&cells)).chain(below).collect::<Vec<_>>().join("\n")
}

fn cells(position: &AnyPosition, found: &AnyReport) -> Vec<String> {
    let c = &found.counters;
    vec![
        found.depth.to_string(),
        c.seldepth.to_string(),
        units::time(found.elapsed),
        units::count(c.nodes),
        units::per_second(c.nodes, found.elapsed).map_or("-".into(), units::scaled),
        units::scaled(c.table_queries as f64),
        units::scaled(c.table_hits as f64),
        units::scaled(c.table_cutoffs as f64),
        c.moves_before_cutoff().map_or("-".into(), |tried| format!("{tried:.2}")),
        score_text(found.score),
        position.line_text(&found.pv),
    ]
}

/// A score as text:  `+120`, `0`, `win in 5`, `loss in 4` (plies).
pub fn score_text(score: Score) -> String {
    match plies_to_win(score) {
        Some(plies) if plies < 0 => format!("loss in {}", -plies),
        Some(plies) => format!("win in {plies}"),
        None if score == 0 => "0".into(),
        None => format!("{score:+}"),
    }
}

fn words(position: &AnyPosition, line: &[AnyMove]) -> Vec<String> {
    position.line_text(line).split_whitespace().map(str::to_owned).collect()
}

fn row(position: &AnyPosition, found: &AnyReport) -> DepthRow {
    DepthRow {
        depth: found.depth,
        seconds: found.elapsed.as_secs_f64(),
        counters: found.counters,
        moves_before_cutoff: found.counters.moves_before_cutoff(),
        score: found.score,
        pv: words(position, &found.pv),
    }
}

fn line_row(position: &AnyPosition, line: &AnyLine) -> LineRow {
    let plies = plies_to_win(line.score);
    LineRow {
        best: line.pv.first().map(|&mv| position.move_text(mv)),
        score: line.score,
        win_in: plies.filter(|&plies| plies > 0).map(i32::unsigned_abs),
        loss_in: plies.filter(|&plies| plies < 0).map(i32::unsigned_abs),
        depth: line.depth,
        pv: words(position, &line.pv),
    }
}

fn analysis(
    position: &AnyPosition,
    player: &Player,
    (algorithm, limits): (Algorithm, Limits),
    report: &AnyReport,
    depths: Vec<DepthRow>,
) -> Analysis {
    let score = report.best.map(|_| report.score);
    let plies = score.and_then(plies_to_win);
    Analysis {
        best: report.best.map(|mv| position.move_text(mv)),
        score,
        win_in: plies.filter(|&plies| plies > 0).map(i32::unsigned_abs),
        loss_in: plies.filter(|&plies| plies < 0).map(i32::unsigned_abs),
        depth: report.depth,
        nodes: report.counters.nodes,
        seconds: report.elapsed.as_secs_f64(),
        nps: units::per_second(report.counters.nodes, report.elapsed),
        pv: words(position, &report.pv),
        lines: report.lines().iter().map(|line| line_row(position, line)).collect(),
        game: position.game(),
        board: position.board().to_string(),
        fen: position.fen(),
        weights: player.name.clone(),
        algorithm,
        limits,
        result: position.outcome().map(result_text),
        depths,
    }
}

fn verdict(position: &AnyPosition, report: &AnyReport) -> String {
    match (position.outcome(), report.best) {
        (Some(outcome), _) => {
            format!("The game is over: {}. There is nothing to search.", result_text(outcome))
        }
        (None, Some(best)) => {
            let first = format!(
                "\nbest {}, score {} for the side to move (wins and losses in plies)\nline {}",
                position.move_text(best),
                score_text(report.score),
                position.line_text(&report.pv)
            );
            let next = |(index, line): (usize, &AnyLine)| {
                let (score, text) = (score_text(line.score), position.line_text(&line.pv));
                format!("\nline {} {score}: {text}", index + 2)
            };
            first + &report.alternatives.iter().enumerate().map(next).collect::<String>()
        }
        (None, None) => "No move was found.".into(),
    }
}
