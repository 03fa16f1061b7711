use super::list::time_text;
use crate::cli::report::result_text;
use crate::cli::summary::summary_facts;
use crate::cli::{Console, Ended, Role, find_run};
use crate::error::Result;
use crate::report::{Facts, units};
use crate::runs::{LiveRun, RunView};
use crate::tune::Target;
use clap::Args;
use std::path::PathBuf;

/// Points of each curve in the document by default.
const POINTS: usize = 300;

/// Shows where a run stands; nothing is locked and nothing is written
#[derive(Args, Debug)]
pub(super) struct RunsShowArgs {
    /// The run: `last`, its name or a part of it, or its directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// With --json, the most points of each curve
    #[arg(long, value_name = "N", default_value_t = POINTS)]
    points: usize,
}

pub(super) fn run(args: &RunsShowArgs, console: &Console) -> Result<Ended> {
    let path = find_run(&args.run)?;
    let live = LiveRun::open(&path)?;
    let view = live.view(args.points)?;
    if console.json {
        console.document(&view)?;
        return Ok(Ended::Done);
    }
    let mut parts = vec![facts(&view).to_string()];
    if let Some(summary) = &view.match_ {
        let config = live.manifest().work.tournament().map(|work| &work.config);
        let sprt = config.and_then(|config| config.sprt.as_ref());
        parts.push(summary_facts(summary, sprt, None).to_string());
    }
    parts.extend(result_text(&view, None, console));
    console.say(parts.join("\n\n"))?;
    Ok(Ended::Done)
}

/// The lines of a run in the list.
fn facts(line: &RunView) -> Facts {
    let mut facts = Facts::default();
    let mut add = |name: &str, what: Option<String>| {
        if let Some(what) = what {
            facts.add(name, what);
        }
    };
    add("run", Some(Role::Heading.paint(&line.run)));
    add("id", line.id.clone());
    if let Some(label) = &line.label {
        add("name", label.name.clone());
        add("note", label.note.clone());
        add("tags", Some(label.tags.join(", ")).filter(|tags| !tags.is_empty()));
    }
    add("state", Some(format!("{}, {}", line.state.name(), time_text(line))));
    add("reason", line.reason.clone());
    add(
        "game",
        line.game.clone().zip(line.board.clone()).map(|(game, board)| format!("{game}, {board}")),
    );
    add("method", line.method.clone());
    let is_of_engine = line.target == Some(Target::Option);
    add(if is_of_engine { "engine" } else { "start" }, line.start.clone());
    add("games", Some(line.games_text()));
    add("speed", line.games_per_second.map(|rate| format!("{} games/s", units::scaled(rate))));
    let against =
        line.against.as_ref().map_or(String::new(), |against| format!(" against {against}"));
    add("leader", line.leader.clone());
    add("Elo", line.elo.map(|_| units::with_error(line.elo, line.elo_error) + &against));
    add("begun", line.begun.clone());
    add("latest", line.latest.clone());
    add("size", line.bytes.map(units::bytes));
    facts
}
