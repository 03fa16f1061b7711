//! `spar candidates`: the names that a shell may complete, for the scripts of `spar completions`.

use crate::cli::{Console, Ended, runs_folder};
use crate::error::Result;
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::runs::folder::LAST;
use crate::weights::shipped;
use clap::{Args, ValueEnum};
use serde::Serialize;

/// Prints the names of weight sets, of runs, or of both, one a line.
#[derive(Args, Debug)]
pub struct CandidatesArgs {
    /// The kind of names
    #[arg(value_enum)]
    of: ListedNames,
    /// End each name with a zero byte and escape nothing, so that every name comes through whole
    #[arg(long)]
    null: bool,
}

/// The listed items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ListedNames {
    /// Shipped weight sets
    Sets,
    /// Runs
    Runs,
    /// Both: what may stand where a player is named
    Players,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CandidatesJson {
    names: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(args: &CandidatesArgs, console: &Console) -> Result<Ended> {
    let mut names = Vec::new();
    if args.of != ListedNames::Runs {
        names.extend(shipped().iter().map(|set| set.name.to_owned()));
    }
    if args.of != ListedNames::Sets {
        // Without a folder of runs there is nothing to complete.
        let runs = runs_folder().names().unwrap_or_default();
        names.extend(runs.into_iter().filter_map(as_argument));
        names.push(LAST.into());
    }
    match console.json {
        true => console.document(&CandidatesJson { names })?,
        false if args.null => console.names(&names)?,
        false => names.iter().try_for_each(|name| console.say(name))?,
    }
    Ok(Ended::Done)
}

/// The name of a run as an argument: where a command would take the name for an option, an engine
/// or another run, the path of its directory.
fn as_argument(name: String) -> Option<String> {
    if !name.starts_with(['-']) && !name.starts_with(COMMAND_PREFIX) && name != LAST {
        return Some(name);
    }
    let path = runs_folder().join(&name).into_os_string().into_string().ok()?;
    Some(if path.starts_with('-') { format!("./{path}") } else { path })
}
