//! The command among the program's arguments, before they are parsed.

use clap::ArgMatches;
use std::ffi::OsString;
use std::iter::successors;

/// The options of all commands whose value may be a word of its own.
const WITH_VALUE: [&str; 2] = ["--color", "--runs"];

/// The place of the command's name: the first word that is neither an option nor the value of one.
pub(super) fn command_place(arguments: &[OsString]) -> Option<usize> {
    let mut words = arguments.iter().enumerate().skip(1);
    while let Some((place, word)) = words.next() {
        let word = word.to_string_lossy();
        if WITH_VALUE.contains(&&*word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(place);
        }
    }
    None
}

/// The name of a command, for example `weights list`.
pub(super) fn command_name(found: &ArgMatches) -> String {
    let chain = successors(found.subcommand(), |(_, found)| found.subcommand());
    chain.map(|(name, _)| name).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_values_of_options_are_no_commands() {
        let place = |line: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            command_place(&arguments)
        };
        assert_eq!(place("spar tune --runs x"), Some(1));
        assert_eq!(place("spar --runs tune -q --color never match a b"), Some(6));
        assert_eq!(place("spar --runs=x --json tune"), Some(3));
        assert_eq!((place("spar"), place("spar --runs tune")), (None, None));
    }

    #[test]
    fn every_option_of_all_commands_with_a_value_is_known() {
        let program = Cli::command();
        let with_value = program.get_arguments().filter(|arg| arg.get_action().takes_values());
        let mut names: Vec<String> =
            with_value.filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
        names.sort();
        assert_eq!(names, WITH_VALUE);
    }
}
