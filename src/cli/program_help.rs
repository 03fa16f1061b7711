//! Help texts with the program's own name: a program with other games is not called `spar`.

use crate::shell;
use clap::{Arg, Command};

/// The name that the help texts use.
const WRITTEN: &str = "spar";

/// The help of all commands, with the program's name where the texts say `spar`.
#[must_use]
pub(super) fn rename(program: Command) -> Command {
    if shell::program() == WRITTEN { program } else { rename_in(program, shell::program()) }
}

/// The help of a command and of the commands below it, with another name.
pub(super) fn rename_in(mut command: Command, name: &str) -> Command {
    let renamed = |text: Option<&clap::builder::StyledStr>| {
        text.map(|text| replace_word(&text.to_string(), WRITTEN, name))
    };
    if let Some(about) = renamed(command.get_about()) {
        command = command.about(about);
    }
    if let Some(about) = renamed(command.get_long_about()) {
        command = command.long_about(about);
    }
    if let Some(after) = renamed(command.get_after_help()) {
        command = command.after_help(after);
    }
    let rename_arg = |mut arg: Arg| {
        if let Some(help) = renamed(arg.get_help()) {
            arg = arg.help(help);
        }
        if let Some(help) = renamed(arg.get_long_help()) {
            arg = arg.long_help(help);
        }
        arg
    };
    command.mut_args(rename_arg).mut_subcommands(|inner| rename_in(inner, name))
}

/// The text with `other` in place of `word`, wherever `word` is a whole word.
fn replace_word(text: &str, word: &str, other: &str) -> String {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(word) {
        let (before, after) = (&rest[..place], &rest[place + word.len()..]);
        let last = before.chars().next_back().or(replaced.chars().next_back());
        let is_part = is_letter(last) || is_letter(after.chars().next());
        replaced += before;
        replaced += if is_part { word } else { other };
        rest = after;
    }
    replaced + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_replaced() {
        let text = "`spar fit`, spar.1 and spar-match.1; sparring.toml stays, and so does a_spar";
        let renamed = "`c4 fit`, c4.1 and c4-match.1; sparring.toml stays, and so does a_spar";
        assert_eq!(replace_word(text, "spar", "c4"), renamed);
        assert_eq!(replace_word("sparspar spar", "spar", "c4"), "sparspar c4");
    }

    #[test]
    fn no_help_of_another_program_says_spar() {
        let program = crate::cli::program().name("c4").bin_name("c4");
        let mut program = rename_in(program, "c4");
        let help = |command: &mut Command| command.render_long_help().to_string();
        let mut commands = vec![&mut program];
        while let Some(command) = commands.pop() {
            let text = help(command);
            assert_eq!(replace_word(&text, "spar", "c4"), text, "{}", command.get_name());
            commands.extend(command.get_subcommands_mut());
        }
    }
}
