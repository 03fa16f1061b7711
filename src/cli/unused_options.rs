//! Options that would have no effect beside the other ones: they are refused. The parser does not
//! see these cases: it drops `requires` for an option whose requirement conflicts with another one.

use crate::protocol::external_engine::COMMAND_PREFIX;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use std::ffi::OsStr;

/// The heading of the options of external engines, and the commands that play without any, too.
const ENGINES: (&str, [&str; 3]) = ("Engines (cmd:)", ["match", "tournament", "tune"]);
/// Options of `fit` that take or need an engine's games, by the headings of the help.
const OF_ENGINE: [&str; 3] = ["Options of an engine", ENGINES.0, "Openings"];
/// The heading of the options of a fit to rows.
const OF_ROWS: &str = "Rows of other programs";
/// The heading of limits, and the ones that the matches of `fit --ablate` have, too.
const LIMITS: (&str, [&str; 3]) = ("Limits of a move", ["nodes", "depth", "movetime"]);
/// Options of a test.
const OF_TEST: [&str; 3] = ["alpha", "beta", "model"];
/// Options of a tune that an external engine, which has its own search, does not see.
const OF_OWN_SEARCH: [&str; 2] = ["algorithm", "search"];
/// Arguments that name players.
const PLAYERS: [&str; 3] = ["a", "b", "players"];
/// Options of commands with `--cluster` that only workers need.
const OF_WORKERS: [&str; 2] = ["credentials", "check_share"];

/// Checks the options of the command that was called.
///
/// # Errors
/// When one of them would have no effect; the error says beside which option it has one.
pub(super) fn check(found: &ArgMatches, program: &mut Command) -> Result<(), clap::Error> {
    let Some((name, found)) = found.subcommand() else { return Ok(()) };
    let Some(command) = program.find_subcommand_mut(name) else { return Ok(()) };
    let is_unused = |arg: &&Arg| is_given(found, arg.get_id().as_str());
    let unused = command.get_arguments().filter(is_unused).find_map(|arg| {
        if let Some(needed) = needed(name, arg, found) {
            let text = format!("--{} has no effect without {needed}", arg.get_long()?);
            return Some((ErrorKind::MissingRequiredArgument, text));
        }
        let id = arg.get_id().as_str();
        let beside = match name {
            "tune" if OF_OWN_SEARCH.contains(&id) => {
                let engine = ["engine", "from"].into_iter().find(|id| has(found, id))?;
                format!("with --{engine}: an external engine has its own search")
            }
            "match" | "tournament" if id == "hash" && only_engines(found) => {
                "on external engines; give for example --option Hash=64".into()
            }
            _ => return None,
        };
        let text = format!("--{} has no effect {beside}", arg.get_long()?);
        Some((ErrorKind::ArgumentConflict, text))
    });
    unused.map_or(Ok(()), |(kind, text)| Err(command.error(kind, text)))
}

/// What an option needs that is not there.
fn needed(command: &str, arg: &Arg, found: &ArgMatches) -> Option<&'static str> {
    let id = arg.get_id().as_str();
    let has = |id: &str| has(found, id);
    if OF_WORKERS.contains(&id) && !has("cluster") {
        return Some("--cluster");
    }
    let stands_alone = ["engine", "referee", "rules"].contains(&id);
    if ENGINES.1.contains(&command) && arg.get_help_heading() == Some(ENGINES.0) && !stands_alone {
        return (!has("from") && !names_engine(found)).then_some("an engine, as cmd:PROGRAM");
    }
    match command {
        "fit" => needed_by_fit(arg, found),
        "match" | "stats" if OF_TEST.contains(&id) && !has("sprt") => Some("--sprt"),
        // A joined tune has a share of its own.
        "tune" if id == "quick_pairs" && !has("quick_share") && !has("from") => {
            let method = found.try_get_raw("method").ok()??.next()?;
            (method == "spsa").then_some("--quick-share")
        }
        _ => None,
    }
}

/// Whether an argument names an external engine.
fn names_engine(found: &ArgMatches) -> bool {
    let values = found.ids().filter_map(|id| found.try_get_raw(id.as_str()).ok()?);
    let mut texts = values.flatten().filter_map(OsStr::to_str);
    texts.any(|text| text.starts_with(COMMAND_PREFIX))
}

/// Whether all players are external engines.
fn only_engines(found: &ArgMatches) -> bool {
    let values = PLAYERS.iter().filter_map(|id| found.try_get_raw(id).ok()?);
    let mut players = values.flatten().peekable();
    let is_engine =
        |player: &OsStr| player.to_str().is_some_and(|it| it.starts_with(COMMAND_PREFIX));
    players.peek().is_some() && players.all(is_engine)
}

/// What an option of a fit needs that is not there.
fn needed_by_fit(arg: &Arg, found: &ArgMatches) -> Option<&'static str> {
    let id = arg.get_id().as_str();
    let has = |id: &str| has(found, id);
    let (rows, engine) = (has("rows"), has("engine"));
    match arg.get_help_heading()? {
        OF_ROWS if !rows => Some("--rows"),
        heading if OF_ENGINE.contains(&heading) && !engine && id != "option" => Some("--engine"),
        heading if heading == LIMITS.0 && !engine => match LIMITS.1.contains(&id) {
            false => Some("--engine"),
            true if !has("ablate") => Some("--ablate or --engine"),
            true => None,
        },
        _ if id == "phases" && rows => Some("files of positions"),
        _ => None,
    }
}

/// Whether an option of the command has a value.
fn has(found: &ArgMatches, id: &str) -> bool {
    matches!(found.try_get_raw(id), Ok(Some(_)))
}

/// Whether the user gave an option, rather than a file of defaults.
fn is_given(found: &ArgMatches, id: &str) -> bool {
    has(found, id) && found.value_source(id) == Some(ValueSource::CommandLine)
}
