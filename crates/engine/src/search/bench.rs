//! The benchmark: a fixed set of positions. Its node count is a signature of the engine's
//! behaviour.

use super::constants::SearchConstants;
use super::limits::{Limits, Stop};
use super::options::Options;
use crate::any::{AnyEvaluator, AnyPosition};
use crate::error::Result;
use crate::game::{Board, Repetitions};
use crate::games::GameId;
use std::iter::Sum;
use std::time::Duration;

/// The largest default size of the table, in bytes.
const TABLE: usize = 16 << 20;
/// The number of positions from random play.
const SAMPLE: usize = 22;
/// The random seed of the sample.
const SAMPLE_SEED: u64 = 2009;

/// The benchmark's options, with a table of the given size or of the size that suits the limits.
pub fn options(limits: &Limits, table_bytes: Option<usize>, constants: SearchConstants) -> Options {
    let table_bytes = table_bytes.unwrap_or_else(|| Options::table_for(limits).min(TABLE));
    Options { table_bytes, constants, ..Options::default() }
}

/// The benchmark's positions: the start, the position after the alphabetically first move, and some
/// from random play.
///
/// # Errors
/// When the game does not support the board.
pub fn positions(game: GameId, board: Board) -> Result<Vec<AnyPosition>> {
    let start = game.start(board)?;
    let first = start.moves().into_iter().min_by_key(|&mv| start.move_text(mv));
    let first = first.map(|mv| start.after(mv));
    let sample = start.sample(SAMPLE, SAMPLE_SEED);
    Ok([start]
        .into_iter()
        .chain(first)
        .chain(sample)
        .filter(|position| position.outcome().is_none())
        .collect())
}

/// The node count and time of one search, or of a pass over all positions.
#[derive(Clone, Copy, Default)]
pub struct Pass {
    /// The nodes of all searches.
    pub nodes: u64,
    /// The time of the searches, without the clearing of tables between them.
    pub time: Duration,
}

impl Sum for Pass {
    fn sum<I: Iterator<Item = Self>>(passes: I) -> Self {
        passes
            .fold(Self::default(), |a, b| Self { nodes: a.nodes + b.nodes, time: a.time + b.time })
    }
}

/// Searches every position with empty tables, until the stop flag is set.
pub fn pass(
    positions: &[AnyPosition],
    evaluator: &AnyEvaluator,
    options: &Options,
    limits: &Limits,
    stop: &Stop,
) -> Pass {
    searches(positions, evaluator, options, limits, stop).sum()
}

/// An iterator over the searches of all positions, each with empty tables, until the stop flag is
/// set.
pub fn searches(
    positions: &[AnyPosition],
    evaluator: &AnyEvaluator,
    options: &Options,
    limits: &Limits,
    stop: &Stop,
) -> impl Iterator<Item = Pass> {
    let mut engine = evaluator.engine(options.clone());
    let met = Repetitions::default();
    positions.iter().map(move |position| {
        engine.clear();
        let report = engine.search(&met, position, limits, stop, None);
        Pass { nodes: report.counters.nodes, time: report.elapsed }
    })
}
