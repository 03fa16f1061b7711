//! Commands that no game of the program can use: its help leaves them out.

use crate::games::GameId;
use crate::web;
use clap::Command;

/// Hides these commands. They still answer, with the reason why they are useless.
#[must_use]
pub(super) fn hide(program: Command) -> Command {
    hide_of(program, GameId::all())
}

fn hide_of(mut program: Command, games: &[GameId]) -> Command {
    if !games.iter().any(|game| game.has_endgames()) {
        program = program.mut_subcommand("endgame", hidden);
    }
    if !games.iter().any(|game| game.symmetry.is_some()) {
        program = program.mut_subcommand("train", hidden);
    }
    if !games.iter().any(|game| web::GAMES.contains(&game.name)) {
        program = program.mut_subcommand("export", |export| export.mut_subcommand("web", hidden));
    }
    program
}

fn hidden(command: Command) -> Command {
    command.hide(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn shown(games: &[GameId]) -> [bool; 3] {
        let program = hide_of(Cli::command(), games);
        [&["endgame"][..], &["train"], &["export", "web"]].map(|path| {
            let step = |command: &Command, name: &&str| command.find_subcommand(name).cloned();
            let command =
                path.iter().try_fold(program.clone(), |command, name| step(&command, name));
            command.is_some_and(|command| !command.is_hide_set())
        })
    }

    #[test]
    fn a_command_is_shown_where_a_game_has_a_use_for_it() {
        let of = |name: &str| name.parse::<GameId>().unwrap();
        assert_eq!(shown(GameId::all()), [true; 3]);
        assert_eq!(shown(&[of("ataxx")]), [false, true, true]);
        assert_eq!(shown(&[]), [false; 3]);
    }
}
