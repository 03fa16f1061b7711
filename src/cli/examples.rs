//! Examples at the end of each command's help.

use crate::games::GameId;
use clap::Command;

/// The game that the examples are about.
const GAME: &str = "breakthrough";

/// The examples of each command: its name, and below it a line for each.
const EXAMPLES: &str = include_str!("examples.txt");

/// The commands by name, with their examples.
fn examples() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    EXAMPLES.split("\n\n").filter_map(|block| {
        let (name, examples) = block.split_once('\n')?;
        Some((name, examples.lines().map(str::trim).collect()))
    })
}

/// Adds the examples to the help of the commands.
#[must_use]
pub(super) fn add(mut program: Command) -> Command {
    let has_all = GameId::all().iter().any(|game| game.name == GAME);
    for (name, mut examples) in examples() {
        let path: Vec<&str> = name.split(' ').collect();
        examples.retain(|text| has_all || is_general(text));
        if !examples.is_empty() {
            program = add_to(program, &path, &examples);
        }
    }
    program
}

/// Whether an example holds for every game: it names no game, board, move or weight set.
fn is_general(example: &str) -> bool {
    let special =
        ["--game", "--board", "--moves", "--set", "8x8", "endgame", "hand", "piece", "spsa"];
    !example.split(' ').any(|word| special.contains(&word) || word.contains(GAME))
}

fn add_to(command: Command, path: &[&str], examples: &[&str]) -> Command {
    let Some((first, rest)) = path.split_first() else {
        let before = command.get_after_help().map(|text| format!("{text}\n\n")).unwrap_or_default();
        return command.after_help(format!("{before}Examples:\n  {}", examples.join("\n  ")));
    };
    if command.find_subcommand(first).is_none() {
        return command;
    }
    command.mut_subcommand(*first, |inner| add_to(inner, rest, examples))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::parse;
    use std::ffi::OsString;

    /// Commands without examples of their own: their help says how they are used.
    const WITHOUT: [&str; 2] = ["completions", "man"];

    #[test]
    fn every_example_is_understood() {
        for example in examples().flat_map(|(_, examples)| examples) {
            let words = shlex::split(example).unwrap();
            let arguments: Vec<OsString> = words.into_iter().map(Into::into).collect();
            let parsed = parse(&arguments, &Default::default());
            assert!(parsed.is_ok(), "{example}: {}", parsed.err().unwrap());
        }
    }

    #[test]
    fn every_command_has_examples() {
        for command in
            crate::cli::program().get_subcommands().filter(|command| !command.is_hide_set())
        {
            let name = command.get_name();
            let mut has_examples = std::iter::once(command).chain(command.get_subcommands());
            let any = has_examples.any(|command| {
                command.get_after_help().is_some_and(|text| text.to_string().contains("Examples:"))
            });
            assert!(any || WITHOUT.contains(&name), "{name}");
        }
    }
}
