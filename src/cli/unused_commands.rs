//! Commands, options and values that no game of the program can use: its help leaves them out.

use super::args::EngineGameParser;
use crate::games::GameId;
use crate::web;
use clap::builder::StyledStr;
use clap::{Arg, Command};

/// The words about the page to play on, in the descriptions of two commands.
const PLAY: [&str; 2] = [", and a page to play on", ", or the play page"];
/// Commands that search or evaluate, or whose own commands do: their `--game` lists no game that has
/// rules alone.
const OF_ENGINES: [&str; 12] = [
    "analyze", "bench", "book", "endgame", "features", "generate", "play", "solve", "train", "uai",
    "uci", "weights",
];
/// The option of commands that search with an endgame database.
const DATABASE: &str = "endgame";

/// Hides them. They still answer, with the reason why they are useless.
#[must_use]
pub(super) fn hide(program: Command) -> Command {
    hide_of(program, GameId::all())
}

fn hide_of(mut program: Command, games: &[GameId]) -> Command {
    if !games.iter().any(|game| game.has_endgames()) {
        program = program.mut_subcommand("endgame", hidden).mut_subcommands(without_endgames);
    }
    if !games.iter().any(|game| game.symmetry.is_some()) {
        program = program.mut_subcommand("train", hidden);
    }
    if !games.iter().any(|game| web::GAMES.contains(&game.name)) {
        program = program.mut_subcommand("serve", without_play);
        program = program
            .mut_subcommand("export", |export| without_play(export.mut_subcommand("web", hidden)));
    }
    OF_ENGINES
        .iter()
        .fold(program, |program, name| program.mut_subcommand(name, without_rules_alone))
}

/// Leaves games without an engine out of the values of `--game`.
fn without_rules_alone(command: Command) -> Command {
    let narrowed = |arg: Arg| match arg.get_id() == "game" {
        true => arg.value_parser(EngineGameParser),
        false => arg,
    };
    command.mut_args(narrowed).mut_subcommands(without_rules_alone)
}

fn hidden(command: Command) -> Command {
    command.hide(true)
}

/// Leaves the page to play on out of the command's description.
fn without_play(command: Command) -> Command {
    let shortened = |text: Option<&StyledStr>| {
        let text = text.map(ToString::to_string).unwrap_or_default();
        PLAY.iter().fold(text, |text, words| text.replace(words, ""))
    };
    let (about, long) = (shortened(command.get_about()), shortened(command.get_long_about()));
    command.about(about).long_about(long)
}

/// Hides the command's option for a database, if it has one.
fn without_endgames(command: Command) -> Command {
    command.mut_args(|arg| if arg.get_id() == DATABASE { arg.hide(true) } else { arg })
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

    #[test]
    fn a_game_without_an_engine_is_listed_only_where_it_is_of_use() {
        let program = hide_of(Cli::command(), GameId::all());
        let listed = |path: &[&str]| {
            let step = |command: &Command, name: &&str| command.find_subcommand(name).cloned();
            let command = path
                .iter()
                .try_fold(program.clone(), |command, name| step(&command, name))
                .unwrap();
            let games = command.get_arguments().find(|arg| arg.get_id() == "game").unwrap();
            games.get_possible_values().iter().any(|value| value.get_name() == "chess")
        };
        for path in [&["match"][..], &["perft"], &["fit"]] {
            assert!(listed(path), "{path:?}");
        }
        for name in
            OF_ENGINES.into_iter().filter(|name| !["book", "endgame", "weights"].contains(name))
        {
            assert!(!listed(&[name]), "{name}");
        }
        for path in [["book", "build"], ["endgame", "build"], ["weights", "new"]] {
            assert!(!listed(&path), "{path:?}");
        }
    }

    #[test]
    fn the_page_to_play_on_is_named_where_it_plays_a_game() {
        let first_lines = |games: &[GameId]| {
            let mut program = hide_of(Cli::command(), games);
            ["serve", "export"].map(|name| {
                let command = program.find_subcommand_mut(name).unwrap();
                let helps = [command.render_help(), command.render_long_help()];
                let [short, long] = helps.map(|help| help.to_string());
                let first = short.lines().next().unwrap().to_owned();
                assert!(long.starts_with(&format!("{first}\n")), "{long}");
                first
            })
        };
        let [serve, export] = first_lines(GameId::all());
        assert!(serve.ends_with(PLAY[0]) && export.ends_with(PLAY[1]), "{serve}, {export}");
        let [serve, export] = first_lines(&[]);
        assert_eq!(serve, "Serves web pages of all runs");
        assert_eq!(export, "Writes games and histories for other programs");
    }

    #[test]
    fn databases_are_asked_for_where_a_game_has_them() {
        let ask = |games: &[GameId]| {
            let program = hide_of(Cli::command(), games);
            let asks = |command: &&Command| {
                command.get_arguments().any(|arg| arg.get_id() == DATABASE && !arg.is_hide_set())
            };
            program.get_subcommands().filter(asks).count()
        };
        assert!(ask(GameId::all()) > 1);
        assert_eq!(ask(&["ataxx".parse().unwrap()]), 0);
    }
}
