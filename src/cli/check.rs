//! `spar check`: what is wrong with an external engine and its knobs.

use super::tune::{EngineKnobArgs, names, probe_text};
use crate::cli::{Console, Ended, RefereedGameArgs};
use crate::error::Result;
use crate::protocol::ExternalEngine;
use crate::report::{Facts, units};
use crate::tune::engine_check::{EngineCheck, KnobVerdict, PROBE_TIME, examine};
use crate::tune::{Optimizer, Selection, names_typed};
use clap::Args;
use serde::Serialize;

/// Examines an external engine before a tune of its options
///
/// Reports within two minutes which limits the engine respects, whether it repeats itself, and
/// which knobs have no effect. The exit code is 1 if it cannot be tuned.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The engine: cmd:PROGRAM ARGS
    #[arg(value_name = "cmd:PROGRAM")]
    program: String,
    #[command(flatten)]
    game: RefereedGameArgs,
    #[command(flatten)]
    knobs: EngineKnobArgs,
    #[command(flatten)]
    common: ExternalEngine,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct CheckJson {
    /// The engine's name for itself.
    name: String,
    /// The names of the options that it offers, in its own order.
    options: Vec<String>,
    /// The result.
    #[serde(flatten)]
    check: EngineCheck,
    /// Whether a tune can be played with it.
    fit: bool,
}

/// Runs the command.
///
/// # Errors
/// When the engine does not start or does not play the game, or the file of knobs cannot be read or
/// does not fit it.
pub fn run(args: &CheckArgs, console: &Console) -> Result<Ended> {
    let common = args.common.clone();
    let usual = args.game.usual_of_engines()?;
    let judged = args.game.find(&[&args.program], usual, Some(&common), console)?;
    let (game, board) = (judged.game, judged.board);
    let on = (game, board);
    let (engine, started, lines) = args.knobs.examine(&args.program, &common, on, console)?;
    let knobs = lines
        .and_then(|lines| Selection::default().options(lines, started.offered(), Optimizer::C));
    let restarts = engine.restarts;
    // Started again with the usual options: only the first start shows which ones it offers.
    let started = engine.start(game, board, &crate::search::Stop::default())?;
    console.aside(format!("examining {}; this takes up to two minutes", started.engine().name()));
    let (knobs, fault) = match knobs {
        Ok(knobs) => (knobs, None),
        Err(error) if args.knobs.has_file() => return Err(error),
        Err(error) => (Vec::new(), Some(format!("knobs: {error}"))),
    };
    let mut check = examine(&started, on, &knobs, Optimizer::C, PROBE_TIME)?;
    let is_unfit = check.is_unfit() || fault.is_some();
    check.problems.extend(fault);
    let document = CheckJson {
        name: started.engine().name().to_owned(),
        options: started.offered().iter().map(|option| option.name.clone()).collect(),
        fit: !is_unfit,
        check,
    };
    match console.json {
        true => console.document(&document)?,
        false => console.say(text(&document, restarts, console))?,
    }
    Ok(if is_unfit { Ended::Unfit } else { Ended::Done })
}

fn text(document: &CheckJson, restarts: bool, console: &Console) -> String {
    let CheckJson { name, options, check, fit } = document;
    let word = |is_so: bool| if is_so { "yes" } else { "NO" }.to_owned();
    let mut facts = Facts::default();
    facts.add("engine", name.clone()).add("options", options.len().to_string());
    facts.add("go nodes", word(check.limits.nodes)).add("go depth", word(check.limits.depth));
    facts.add("go movetime", word(check.limits.movetime)).add("clock", word(check.limits.clock));
    facts.add("repeats itself", word(check.deterministic));
    check.nodes_per_second.iter().for_each(|&speed| {
        facts.add("nodes a second", units::count(speed));
    });
    let mut parts = vec![facts.to_string().trim_end().to_owned()];
    parts.extend(check.problems.iter().map(|problem| format!("problem: {problem}")));
    let EngineCheck { knobs, not_probed, positions, .. } = check;
    parts.extend(probe_text(knobs, not_probed, *positions, restarts, console));
    let dead = names(knobs, KnobVerdict::Dead);
    if !dead.is_empty() {
        parts.push(advice(&dead));
    }
    if !fit {
        let reason = if check.is_unfit() { "it respects no limit" } else { "it has no knobs" };
        parts.push(format!("it cannot be tuned: {reason}"));
    }
    parts.join("\n\n")
}

/// How to leave these knobs out of a tune.
fn advice(dead: &[&str]) -> String {
    format!("leave dead knobs out with --freeze {}", names_typed(dead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::options::EngineOption;
    use crate::tune::KnobKind;
    use crate::tune::knob_file::KnobLine;

    #[test]
    fn a_tune_takes_the_list_of_dead_knobs() {
        let names = ["Rook value bonus", "A, B", "value", "C"];
        let line = |name: &str| KnobLine::new(name.into(), KnobKind::Int, 1.0, [0.0, 9.0]);
        let option = |name: &&str| {
            EngineOption::parse(&format!("name {name} type spin default 1 min 0 max 9"))
        };
        let offered: Vec<EngineOption> = names.iter().filter_map(option).collect();
        let words = shlex::split(&advice(&names[..3])).unwrap();
        let freeze = words.last().unwrap().split(',').map(str::to_owned).collect();
        let selection = Selection { freeze, ..Selection::default() };
        let left = selection.options(names.map(line).into(), &offered, Optimizer::C).unwrap();
        assert_eq!(left.iter().map(|knob| &*knob.name).collect::<Vec<_>>(), ["C"]);
    }
}
