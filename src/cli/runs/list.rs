use crate::cli::{Console, Ended, Role, runs_folder};
use crate::error::Result;
use crate::report::{TextTable, units};
use crate::runs::{RunState, RunView};
use serde::Serialize;
use std::time::Duration;

/// The least width of a run's name, and of its Elo's opponent, in columns.
const LEAST_NAME: usize = 18;
const LEAST_AGAINST: usize = 9;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct RunsJson<'a> {
    runs: &'a [RunView],
}

pub(super) fn run(console: &Console) -> Result<Ended> {
    let lines = runs_folder().lines()?;
    for (path, why) in runs_folder().unlisted()? {
        console.note(format!("{} is not listed: {why}", path.display()));
    }
    if console.json {
        console.document(&RunsJson { runs: &lines })?;
        return Ok(Ended::Done);
    }
    if lines.is_empty() {
        console.note(format!("no run is in {}", runs_folder().path().display()));
        return Ok(Ended::Done);
    }
    console.say(table(&lines).fit(console.width()))?;
    for line in &lines {
        if let Some(reason) = &line.reason {
            console.note(format!("{}: {reason}", line.run));
        }
    }
    Ok(Ended::Done)
}

fn table(lines: &[RunView]) -> TextTable {
    let mut table = TextTable::new()
        .left("run")
        .shortened(LEAST_NAME)
        .left("state")
        .right("games")
        .right("Elo")
        .left("against")
        .shortened(LEAST_AGAINST)
        .optional(6)
        .left("time")
        .optional(1)
        .left("game")
        .optional(7)
        .left("board")
        .optional(4)
        .left("method")
        .optional(5)
        .right("knobs")
        .optional(8)
        .right("size")
        .optional(2);
    for line in lines {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".into());
        table.row([
            run_text(line),
            role(line.state).map_or(line.state.name().into(), |role| role.paint(line.state.name())),
            line.games_text(),
            elo_text(line),
            line.leader
                .as_ref()
                .map_or_else(|| text(&line.against), |name| format!("{name} leads")),
            time_text(line),
            text(&line.game),
            text(&line.board),
            text(&line.method),
            line.knobs.map_or("-".into(), |knobs| knobs.to_string()),
            line.bytes.map_or_else(String::new, units::bytes),
        ]);
    }
    table
}

/// The directory's name, and the name and the tags that the user gave.
fn run_text(line: &RunView) -> String {
    let label = line.label.iter();
    let given = label.flat_map(|label| {
        let tags = label.tags.iter().map(|tag| format!("#{tag}"));
        label.name.clone().into_iter().chain(tags)
    });
    let given: Vec<String> = given.collect();
    if given.is_empty() { line.run.clone() } else { format!("{} ({})", line.run, given.join(" ")) }
}

/// The Elo, coloured where it is known to be a gain or a loss.
fn elo_text(line: &RunView) -> String {
    let text = units::with_error(line.elo, line.elo_error);
    let ends = |sign: f64| Some(line.elo? + sign * line.elo_error?);
    match Role::of_interval(ends(-1.0), ends(1.0)) {
        Role::Undecided => text,
        role => role.paint(text),
    }
}

/// The style of a state, if it is under way, good or bad.
fn role(state: RunState) -> Option<Role> {
    match state {
        RunState::Running => Some(Role::Heading),
        RunState::Accepted => Some(Role::Good),
        RunState::Rejected | RunState::Failed | RunState::Damaged => Some(Role::Bad),
        RunState::Stopped | RunState::Done => None,
    }
}

/// The time that is left of a running run, and the age of any other.
pub(in crate::cli) fn time_text(line: &RunView) -> String {
    match (line.state, line.seconds_left, line.seconds_since) {
        (RunState::Running, Some(left), _) => format!("{} left", span(left)),
        (RunState::Running, None, _) => "-".into(),
        (_, _, Some(since)) => format!("{} ago", span(since)),
        _ => "-".into(),
    }
}

/// A span of time in one unit.
pub(in crate::cli) fn span(seconds: f64) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "days"), (3_600, "h"), (60, "min"), (1, "s")];
    let seconds = Duration::try_from_secs_f64(seconds).map_or(0, |time| time.as_secs());
    let (length, unit) =
        UNITS.into_iter().find(|&(length, _)| seconds >= 2 * length).unwrap_or((1, "s"));
    format!("{} {unit}", seconds / length)
}
