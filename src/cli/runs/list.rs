//! `spar runs list`.

use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::cli::named::runs_folder;
use crate::error::Result;
use crate::report::table::TextTable;
use crate::report::units;
use crate::runs::{RunLine, RunStatus};
use clap::Args;
use serde::Serialize;
use std::time::Duration;

/// Lists the runs, the one begun last first
#[derive(Args, Debug)]
pub(super) struct ListArgs {}

#[derive(Serialize)]
struct RunListJson<'a> {
    runs: &'a [RunLine],
}

pub(super) fn run(console: &Console) -> Result<Ended> {
    let lines = runs_folder().lines()?;
    if console.json {
        console.document(&RunListJson { runs: &lines })?;
        return Ok(Ended::Done);
    }
    if lines.is_empty() {
        console.note(format!("no run is in {}", runs_folder().path().display()));
        return Ok(Ended::Done);
    }
    console.say(table(&lines))?;
    for line in &lines {
        if let Some(reason) = &line.reason {
            console.note(format!("{}: {reason}", line.run));
        }
    }
    Ok(Ended::Done)
}

fn table(lines: &[RunLine]) -> TextTable {
    let mut table = TextTable::new()
        .left("run")
        .left("state")
        .right("games")
        .right("of")
        .right("Elo")
        .left("against")
        .left("time")
        .left("game")
        .left("board")
        .right("knobs")
        .right("size");
    for line in lines {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".into());
        table.row([
            line.run.clone(),
            line.state.name().into(),
            units::count(line.games),
            line.planned_games.map_or("-".into(), units::count),
            units::with_error(line.elo, line.elo_error),
            text(&line.against),
            time_text(line),
            text(&line.game),
            text(&line.board),
            line.knobs.map_or("-".into(), |knobs| knobs.to_string()),
            units::bytes(line.bytes),
        ]);
    }
    table
}

/// The time that is left of a running run, and the age of any other.
fn time_text(line: &RunLine) -> String {
    match (line.state, line.seconds_left, line.seconds_since) {
        (RunStatus::Running, Some(left), _) => format!("{} left", span(left)),
        (RunStatus::Running, None, _) => "-".into(),
        (_, _, Some(since)) => format!("{} ago", span(since)),
        _ => "-".into(),
    }
}

/// A span of time in one unit.
fn span(seconds: f64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "days"), (3_600, "h"), (60, "min"), (1, "s")];
    let seconds = Duration::try_from_secs_f64(seconds).map_or(0, |time| time.as_secs());
    let (length, unit) =
        UNITS.into_iter().find(|&(length, _)| seconds >= 2 * length).unwrap_or((1, "s"));
    format!("{} {unit}", seconds / length)
}
