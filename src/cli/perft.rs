//! `spar perft`: counts the lines of a number of plies, to check and to time the rules.

use crate::any::AnyPosition;
use crate::cli::{Console, Ended, PositionArgs};
use crate::error::Result;
use crate::game::perft::MAX_PERFT_DEPTH;
use crate::report::{Facts, TextTable, units};
use clap::Args;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Counts the lines of a given length, to check the rules
#[derive(Args, Debug)]
pub struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Length of the lines, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Count each move separately
    #[arg(long)]
    divide: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Counted {
    /// Lines of play of that depth.
    nodes: u64,
    seconds: f64,
    /// Nodes a second; null if no time passed.
    nps: Option<f64>,
    depth: u32,
    game: String,
    board: String,
    fen: String,
    /// The lines of each move.
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<serde_json::Map<String, serde_json::Value>>,
}

/// Runs the command.
///
/// # Errors
/// When the position is wrong.
pub fn run(args: &PerftArgs, console: &Console) -> Result<Ended> {
    let game = args.position.game(None, console)?;
    let position = args.position.position(game, None)?;
    let begun = Instant::now();
    let divided = (args.divide && args.depth > 0).then(|| divide(&position, args.depth));
    let nodes = match &divided {
        Some(parts) => parts.iter().map(|(_, nodes)| nodes).sum(),
        None => position.perft(args.depth),
    };
    let time = begun.elapsed();
    if !console.json {
        return report(nodes, time, divided.as_deref(), console);
    }
    let divide =
        divided.map(|parts| parts.into_iter().map(|(mv, nodes)| (mv, nodes.into())).collect());
    console.document(&Counted {
        nodes,
        seconds: time.as_secs_f64(),
        nps: units::per_second(nodes, time),
        depth: args.depth,
        game: position.game().into(),
        board: position.board().to_string(),
        fen: args.position.text(game, None)?,
        divide,
    })?;
    Ok(Ended::Done)
}

fn divide(position: &AnyPosition, depth: u32) -> Vec<(String, u64)> {
    let part = |mv| (position.move_text(mv), position.after(mv).perft(depth - 1));
    position.moves().into_iter().map(part).collect()
}

fn report(
    nodes: u64,
    time: Duration,
    parts: Option<&[(String, u64)]>,
    console: &Console,
) -> Result<Ended> {
    if let Some(parts) = parts {
        let mut table = TextTable::new().left("move").right("nodes");
        parts.iter().for_each(|(mv, nodes)| table.row([mv.clone(), nodes.to_string()]));
        console.say(format!("{table}\n"))?;
    }
    let mut facts = Facts::default();
    facts.add("nodes", nodes.to_string());
    facts.add("time", units::time(time));
    facts.add("speed", units::rate(nodes, time, "nodes"));
    console.say(facts)?;
    Ok(Ended::Done)
}
