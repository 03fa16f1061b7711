//! `spar config`: the user's defaults, and where each comes from.

use super::defaults::{COMMON, DefaultValue, Defaults, FILE, Origin};
use crate::cli::{Console, Ended};
use crate::error::Result;
use crate::report::TextTable;
use serde::Serialize;

/// A file of defaults, for the help.
pub(super) const EXAMPLE: &str = "A sparring.toml:
  threads = 8
  nodes = 2000

  [tune]
  games = \"100k\"";

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ConfigJson {
    /// The files that were read, the project's first.
    files: Vec<ConfigFile>,
    /// The defaults that these files set.
    values: Vec<ConfigValue>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ConfigFile {
    /// The user's own file, or the project's.
    owner: Origin,
    /// The path of the file.
    file: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ConfigValue {
    /// The command; null for all that have the option.
    command: Option<String>,
    /// The option, without dashes.
    name: String,
    /// The value, as it is typed.
    value: String,
    /// Whose file sets it.
    owner: Origin,
    /// The path of the file.
    file: String,
    /// The line, from 1.
    line: usize,
    /// Whether the value is in effect: the project's file overrides the user's.
    holds: bool,
}

/// Runs the command.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(defaults: &Defaults, console: &Console) -> Result<Ended> {
    if console.json {
        let files = defaults.files.iter();
        let files = files
            .map(|(owner, path)| ConfigFile { owner: *owner, file: path.display().to_string() });
        let values = defaults.values.iter().map(|value| row(value, defaults));
        console.document(&ConfigJson { files: files.collect(), values: values.collect() })?;
        return Ok(Ended::Done);
    }
    if defaults.files.is_empty() {
        console.say(format!(
            "no {FILE} here, in a folder above or in your configuration: the built-in defaults \
             apply"
        ))?;
        return Ok(Ended::Done);
    }
    console.say(table(defaults).fit(console.width()))?;
    Ok(Ended::Done)
}

fn row(value: &DefaultValue, defaults: &Defaults) -> ConfigValue {
    let is_same =
        |other: &&DefaultValue| other.command == value.command && other.option == value.option;
    // The project's come first.
    let holds = defaults.values.iter().find(is_same) == Some(value);
    ConfigValue {
        command: (!value.command.is_empty()).then(|| value.command.join(" ")),
        name: value.option.clone(),
        value: value.text.clone(),
        owner: value.owner,
        file: value.path.display().to_string(),
        line: value.line,
        holds,
    }
}

fn table(defaults: &Defaults) -> TextTable {
    let mut table = TextTable::new().left("command").left("option").left("value").left("from");
    for value in &defaults.values {
        let ConfigValue { command, name, value: text, holds, .. } = row(value, defaults);
        let place = match holds {
            true => value.place(),
            false => format!("{} (the project's takes precedence)", value.place()),
        };
        table.row([command.unwrap_or_else(|| "all".into()), name, text, place]);
    }
    let is_set = |name: &&str| {
        defaults.values.iter().any(|value| value.option == *name && value.command.is_empty())
    };
    for name in COMMON.iter().filter(|name| !is_set(name)) {
        table.row(["all".into(), (*name).to_owned(), "-".into(), "built in".into()]);
    }
    table
}
