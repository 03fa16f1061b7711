//! Reading a file of defaults.

use super::{COMMON, DefaultValue, Origin, check_is_file, check_owner};
use crate::error::{Error, Result, shorten, shorten_to, suggest};
use clap::{Arg, ArgAction, Command};
use std::any::TypeId;
use std::ffi::OsString;
use std::net::IpAddr;
use std::path::{Component, Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The longest file, in bytes; real files have a few hundred.
const LONGEST: u64 = 1 << 20;
/// The most characters shown of why a value is refused.
const LONGEST_REASON: usize = 300;
/// Options whose value is text and that a file may set nevertheless: the sets that play.
const NAMES: [&str; 2] = ["start", "weights"];
/// Flags that a file may set.
const FLAGS: [&str; 4] = ["adjudicate", "all", "divide", "verbose"];

/// A file that is being read.
struct DefaultsReader<'a> {
    path: &'a Path,
    owner: Origin,
    text: &'a str,
    values: Vec<DefaultValue>,
}

/// The values of a file.
///
/// # Errors
/// As [`Defaults::load`](super::Defaults::load).
pub(super) fn read(path: &Path, owner: Origin, program: &Command) -> Result<Vec<DefaultValue>> {
    let failed = |error| Error::io(path, "read", error);
    check_is_file(path)?;
    if owner == Origin::Project {
        check_owner(path)?;
    }
    if std::fs::metadata(path).map_err(failed)?.len() > LONGEST {
        return Err(Error::input(path.display(), "too long for a file of defaults"));
    }
    let text = text_of(path, std::fs::read(path).map_err(failed)?)?;
    let mut reader = DefaultsReader { path, owner, text: &text, values: Vec::new() };
    let table = DeTable::parse(&text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Error::input(reader.place(at), error.message())
            .remedy("write TOML, for example: threads = 4")
    })?;
    reader.table(table.get_ref(), program, &[])?;
    reader.values.sort_by_key(|value| value.line);
    Ok(reader.values)
}

/// The text of a file.
fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        Error::input(format!("{}, line {line}", path.display()), "not in UTF-8")
            .remedy("convert the file to UTF-8")
    })
}

impl DefaultsReader<'_> {
    fn line(&self, at: usize) -> usize {
        self.text.as_bytes().iter().take(at).filter(|&&byte| byte == b'\n').count() + 1
    }

    fn place(&self, at: usize) -> String {
        format!("{}, line {}", self.path.display(), self.line(at))
    }

    fn table(&mut self, table: &DeTable, command: &Command, of: &[String]) -> Result<()> {
        for (key, value) in table {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            if let DeValue::Table(inner) = value.get_ref() {
                let found = command.get_subcommands().find(|known| known.get_name() == name);
                let Some(found) = found else { return Err(self.unknown(at, name, command, of)) };
                let path: Vec<String> = of.iter().cloned().chain([name.to_owned()]).collect();
                self.table(inner, found, &path)?;
                continue;
            }
            let arg =
                option(command, name, of).ok_or_else(|| self.unknown(at, name, command, of))?;
            let text = self.value(at, name, value.get_ref(), arg)?;
            self.values.push(DefaultValue {
                command: of.to_vec(),
                option: name.into(),
                text,
                owner: self.owner,
                path: self.path.into(),
                line: self.line(at),
            });
        }
        Ok(())
    }

    fn unknown(&self, at: usize, name: &str, command: &Command, of: &[String]) -> Error {
        let place = format!("{}, key `{}`", self.place(at), shorten(name));
        if command.get_subcommands().any(|known| known.get_name() == name) {
            let table = [of, &[name.to_owned()]].concat().join(".");
            return Error::input(place, "a command, whose options are in a table")
                .remedy(format!("write [{table}] on a line, and its options on lines below it"));
        }
        if option(command, name, of).is_some() {
            return Error::input(place, "an option, not a table")
                .remedy(format!("give its value, as in {name} = VALUE, without [ and ]"));
        }
        let commands = command.get_subcommands().filter(|known| !known.is_hide_set());
        let commands = commands.map(Command::get_name);
        let options = command.get_arguments().filter_map(Arg::get_long);
        let known: Vec<&str> = match of.is_empty() {
            true => COMMON.into_iter().chain(commands).collect(),
            false => options.chain(commands).collect(),
        };
        let what = match of {
            [] => "neither an option of all commands nor a command".into(),
            of => format!("no option of `spar {}`", of.join(" ")),
        };
        Error::input(place, what).remedy(suggest(name, known, "known are"))
    }

    /// A value as it is typed on the command line.
    fn value(&self, at: usize, name: &str, value: &DeValue, arg: &Arg) -> Result<String> {
        let refuse = |reason: &str, remedy: &str| {
            let place = format!("{}, key `{name}`", self.place(at));
            Err(Error::input(place, reason).remedy(remedy))
        };
        if !may_be_set(arg) {
            return refuse("a file cannot set it", "give it on the command line");
        }
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) if number.radix() != 10 => {
                return refuse("not a decimal number", "write it with the digits 0 to 9");
            }
            DeValue::Integer(number) => number.as_str().into(),
            DeValue::Float(number) => number.as_str().into(),
            DeValue::Boolean(value) => value.to_string(),
            _ => {
                return refuse(
                    "neither a number nor text",
                    "give one value, as on the command line",
                );
            }
        };
        if let Err(reason) = check(arg, name, &text) {
            return refuse(
                &shorten_to(&reason, LONGEST_REASON),
                &format!("see the help of --{name}"),
            );
        }
        if name != "runs" {
            return Ok(text);
        }
        match self.runs_folder(Path::new(&text)) {
            Some(folder) => Ok(folder.display().to_string()),
            None if self.owner == Origin::User => {
                refuse("a folder below another", "give it from the root, with a /")
            }
            None => refuse("outside the project", "name a folder inside the folder of the file"),
        }
    }

    /// The folder of runs that a file names: the project's is in the project.
    fn runs_folder(&self, named: &Path) -> Option<PathBuf> {
        if self.owner == Origin::User {
            return named.is_absolute().then(|| named.into());
        }
        let is_inside = named.components().all(|part| matches!(part, Component::Normal(_)));
        Some(self.path.parent()?.join(named)).filter(|_| is_inside)
    }
}

/// An option that a command has, or with no command one of all.
fn option<'c>(command: &'c Command, name: &str, of: &[String]) -> Option<&'c Arg> {
    if !of.is_empty() {
        return command.get_arguments().find(|arg| arg.get_long() == Some(name));
    }
    if !COMMON.contains(&name) {
        return None;
    }
    let commands = std::iter::once(command).chain(command.get_subcommands());
    commands.flat_map(Command::get_arguments).find(|arg| arg.get_long() == Some(name))
}

/// Whether a file may set an option; the module's documentation gives the rule.
fn may_be_set(arg: &Arg) -> bool {
    let name = arg.get_long().unwrap_or_default();
    if COMMON.contains(&name) || NAMES.contains(&name) {
        return true;
    }
    let parser = arg.get_value_parser().type_id();
    let is_text = [
        TypeId::of::<String>(),
        TypeId::of::<PathBuf>(),
        TypeId::of::<OsString>(),
        // An address that others reach this machine by.
        TypeId::of::<IpAddr>(),
        // Options of engines.
        TypeId::of::<(String, String)>(),
    ]
    .iter()
    .any(|text| parser == *text);
    match arg.get_action() {
        ArgAction::Set => !is_text,
        ArgAction::SetTrue => FLAGS.contains(&name),
        _ => false,
    }
}

/// Checks a value as the command line would.
fn check(arg: &Arg, name: &str, text: &str) -> std::result::Result<(), String> {
    let probe = Arg::new("value").long(name.to_owned().leak() as &'static str);
    let probe = probe.value_parser(arg.get_value_parser().clone());
    let found =
        Command::new("spar").arg(probe).try_get_matches_from(["spar", &format!("--{name}={text}")]);
    found.map(drop).map_err(|error| {
        let said = error.to_string();
        let lines = said.trim_start_matches("error: ").lines().map(str::trim);
        lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
    })
}
