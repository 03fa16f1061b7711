//! The list of commands in the program's help, in groups by purpose; and the few lines that the
//! program prints without arguments.

use clap::Command;
use clap::builder::styling::Style;
use std::fmt::Write;

/// The groups of commands and their members, in the order of the help. Every command that the help
/// shows stands in one of them.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Tune", &["tune", "resume", "check", "generate", "positions", "fit", "train"]),
    ("Compare", &["match", "tournament", "stats"]),
    (
        "Play and look",
        &["play", "analyze", "solve", "book", "endgame", "features", "show", "perft", "bench"],
    ),
    ("Ship", &["weights", "export", "uci", "uai"]),
    ("Runs", &["runs", "watch", "report", "serve"]),
    ("Machines", &["worker", "cluster", "doctor", "config", "completions", "man"]),
];

/// The columns of the commands' names.
const NAME_WIDTH: usize = 13;

/// Where the book is.
const BOOK: &str = "docs/src of the sources";

/// Puts the list of commands in the program's help into groups.
pub(super) fn arrange(program: Command) -> Command {
    let styles = program.get_styles();
    let (heading, name) = (*styles.get_header(), *styles.get_literal());
    let list = list(&program, heading, name);
    let rest = "\n{all-args}{after-help}".replace("{all-args}", "{options-heading}{options}");
    let rest = rest.replace("{options-heading}", &format!("{heading}Output:{heading:#}\n"));
    program
        .help_template(format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}{rest}"))
}

fn list(program: &Command, heading: Style, literal: Style) -> String {
    let mut list = String::new();
    for (group, names) in GROUPS {
        let _ = write!(list, "\n{heading}{group}:{heading:#}\n");
        for name in names {
            let command = program.find_subcommand(name).filter(|command| !command.is_hide_set());
            let Some(command) = command else { continue };
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {literal}{name:NAME_WIDTH$}{literal:#}{about}");
        }
    }
    list
}

/// The lines that the program prints without arguments: the three things that most people come
/// for, and where to read on.
pub(super) fn first_words(program: &str) -> String {
    let line = |command: &str, about: &str| format!("  {program} {command:12} {about}\n");
    [
        "Sparring tunes the evaluation of a board-game engine by letting the engine play\n",
        "itself.\n\n",
        &line("tune", "tune weights, and prove the answer: two to four minutes"),
        &line("match A B", "compare two weight sets or engines, in pairs of games"),
        &line("play", "play against the engine in the terminal"),
        &format!("\n`{program} --help` lists all commands; the book is in {BOOK}.\n\n"),
        &format!("Usage: {program} [OPTIONS] <COMMAND>"),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{program, tune};
    use crate::tune::Method;
    use std::ffi::OsString;

    #[test]
    fn every_command_is_in_one_group() {
        let program = program();
        let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut shown: Vec<&str> =
            shown.map(Command::get_name).filter(|&name| name != "help").collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
    }

    /// Clap takes the description of flattened arguments for the command's, unless told otherwise.
    fn assert_described(command: &Command) {
        for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let verb = about.split(' ').next().unwrap_or_default().trim_end_matches(',');
            assert!(verb.ends_with('s') && verb != "This", "{}: {about}", command.get_name());
            assert_described(command);
        }
    }

    #[test]
    fn every_description_begins_with_a_verb() {
        assert_described(&program());
        for method in Method::ALL {
            let arguments = ["spar", "tune", "--method", method.name()].map(OsString::from);
            assert_described(&tune::of_one_method(program(), &arguments));
        }
    }

    #[test]
    fn every_line_fits_a_terminal_and_every_program() {
        let program = program();
        for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(about.len() + NAME_WIDTH + 2 <= 80, "{}: {about}", command.get_name());
            assert!(!about.contains("spar "), "{}: {about}", command.get_name());
        }
    }
}
