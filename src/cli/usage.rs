//! Rewords the errors of unreadable arguments, so that they say everything once.

use crate::error::{Error, shorten};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use std::error::Error as _;
use std::ffi::OsString;
use std::net::AddrParseError;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

/// Why the value of an option is refused.
pub(super) struct Cause {
    reason: String,
    pub(super) remedy: Option<String>,
    /// Whether the parser's own message names the value twice.
    names_value: bool,
}

impl Cause {
    /// The cause that the parser reports, if it is an error of the program's own or of a number.
    pub(super) fn of(error: &clap::Error) -> Option<Self> {
        let source = error.source()?;
        if let Some(own) = source.downcast_ref::<Error>() {
            let value = context(error, ContextKind::InvalidValue)?;
            return Some(Self {
                reason: own.reason().into(),
                remedy: own.remedy_text().map(str::to_owned),
                names_value: own.place().contains(&format!("`{value}`")),
            });
        }
        let (reason, remedy) = match source.downcast_ref::<ParseIntError>().map(ParseIntError::kind)
        {
            Some(IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
                ("too large a number", "give a smaller one")
            }
            Some(_) => ("not a whole number", "give for example 8"),
            None if source.is::<ParseFloatError>() => ("not a number", "give for example 0.5"),
            None if source.is::<AddrParseError>() => {
                ("not an IP address", "give for example 127.0.0.1")
            }
            None => return None,
        };
        Some(Self { reason: reason.into(), remedy: Some(remedy.into()), names_value: true })
    }
}

/// The commands, whose options take negative numbers as their values: then `--games -1` is an error
/// of that option.
pub(super) fn with_negative_values(command: Command) -> Command {
    let take = |arg: Arg| {
        let is_option = arg.get_action().takes_values() && !arg.is_positional();
        if is_option { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(take).mut_subcommands(with_negative_values)
}

/// Joins each value that only begins like a negative number (`--for -5m`) to its option: by itself,
/// the parser would take it for options.
pub(super) fn with_joined_values(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_option =
        |text: &str| text.len() > 1 && text.starts_with('-') && text != "--" && !text.contains('=');
    let mut joined: Vec<OsString> = Vec::with_capacity(arguments.len());
    let mut are_options_over = false;
    for argument in arguments {
        are_options_over |= argument == "--";
        let value = argument.to_str().filter(|text| is_odd_negative(text) && !are_options_over);
        let last = joined.last().and_then(|last| last.to_str()).filter(|last| is_option(last));
        match (value, last) {
            (Some(value), Some(option)) => {
                let both = format!("{option}={value}").into();
                joined.pop();
                joined.push(both);
            }
            _ => joined.push(argument),
        }
    }
    joined
}

/// Whether a text begins like a negative number but is not one.
fn is_odd_negative(text: &str) -> bool {
    let rest = text.strip_prefix('-').unwrap_or_default();
    rest.starts_with(|first: char| first.is_ascii_digit()) && text.parse::<f64>().is_err()
}

/// The values that an option takes, as a remedy; `None` if they are too many to list.
pub(super) fn valid_values(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::ValidValue) {
        Some(ContextValue::Strings(values)) if !values.is_empty() => {
            Some(format!("give one of: {}", values.join(", ")))
        }
        _ => None,
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text),
        _ => None,
    }
}

/// The message to print instead of the parser's own, which names a value twice if the cause names
/// it too: ``invalid value 'x' for '--nodes <N>': count `x`: not a count``. Without a leading
/// `error: `.
pub(super) fn reworded(error: &clap::Error) -> Option<String> {
    if error.kind() == ErrorKind::MissingSubcommand {
        return no_command(error);
    }
    let Cause { reason, remedy, .. } = Cause::of(error).filter(|cause| cause.names_value)?;
    let value = context(error, ContextKind::InvalidValue)?;
    let option = context(error, ContextKind::InvalidArg)?;
    let remedy = remedy.map_or(String::new(), |remedy| format!("; {remedy}"));
    Some(format!(
        "invalid value '{value}' for '{option}': {reason}{remedy}\n\nFor more information, try '--help'."
    ))
}

/// The error for arguments that must be UTF-8 and are not, of which the parser names none.
pub(super) fn not_utf8(error: &clap::Error, arguments: &[OsString]) -> Option<Error> {
    let is_bad = |argument: &&OsString| argument.to_str().is_none();
    let named: Vec<String> = arguments
        .iter()
        .skip(1)
        .filter(is_bad)
        .map(|argument| format!("`{}`", shorten(&argument.to_string_lossy())))
        .collect();
    (error.kind() == ErrorKind::InvalidUtf8).then(|| {
        Error::input(format!("argument {}", named.join(", ")), "not in UTF-8")
            .remedy("if it names a file, give the file another name")
    })
}

/// The message for a command line that names no command, or not the one of a group.
fn no_command(error: &clap::Error) -> Option<String> {
    let group = context(error, ContextKind::InvalidSubcommand)?;
    let commands = match error.get(ContextKind::ValidSubcommand) {
        // Those of the whole program are too many to list.
        Some(ContextValue::Strings(names)) if group.contains(' ') => {
            let names = names.iter().map(String::as_str).filter(|&name| name != "help");
            let mut names: Vec<&str> = names.collect();
            names.sort_unstable();
            format!(": {}", names.join(", "))
        }
        _ => "; `--help` lists them".into(),
    };
    Some(format!("{group} needs one of its commands{commands}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_begin_like_negative_numbers_are_joined_to_their_options() {
        let joined = |line: &str| {
            let arguments = line.split(' ').map(OsString::from).collect();
            let joined = with_joined_values(arguments);
            joined.iter().map(|text| text.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(joined("spar tune --for -5m"), "spar tune --for=-5m");
        assert_eq!(joined("spar tune --games -5k --json"), "spar tune --games=-5k --json");
        assert_eq!(joined("spar x -n -1h30m"), "spar x -n=-1h30m");
        for same in [
            "spar tune --games -5",
            "spar tune --a -1e-3",
            "spar tune --for=5m -5m",
            "spar tune -q --json",
            "spar x -- --for -5m",
            "spar x -5m",
        ] {
            assert_eq!(joined(same), same);
        }
    }
}
