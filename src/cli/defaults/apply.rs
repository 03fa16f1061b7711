//! Giving the options of commands their defaults.

use super::{COMMON, DefaultValue, Defaults, Origin};
use crate::cli::command_word::command_place;
use crate::cli::infer;
use crate::error::shorten;
use crate::game::Board;
use crate::games::GameId;
use clap::{Arg, Command};
use std::ffi::OsString;

/// Groups of options that exclude each other: once a place of higher precedence sets one of a
/// group, places of lower precedence set none.
const GROUPS: [&[&str]; 2] = [&["nodes", "depth", "movetime", "tc"], &["games", "for"]];
/// Options whose values imply a game, and below options whose values imply a board.
const IMPLY_GAME: [&str; 4] = ["weights", "start", "from", "fen"];
const IMPLY_BOARD: [&str; 5] = ["game", "weights", "start", "from", "fen"];
/// Commands that ignore the values set for all commands: their measurements are comparable only
/// with the built-in defaults.
const FIXED: [&str; 2] = ["bench", "perft"];

impl Defaults {
    /// The program's arguments, with the method that a file sets for `tune` inserted: the other
    /// options of `tune` depend on it.
    pub fn with_method(&self, mut arguments: Vec<OsString>) -> Vec<OsString> {
        let of_tune =
            self.values.iter().find(|value| value.command == ["tune"] && value.option == "method");
        let place = command_place(&arguments).filter(|&place| arguments[place] == "tune");
        if let (Some(place), Some(method)) = (place, of_tune)
            && !is_given(&arguments, "method")
        {
            arguments.insert(place + 1, format!("--method={}", method.text).into());
        }
        arguments
    }

    /// Makes the values the defaults of the program's options, unless its arguments say otherwise.
    #[must_use]
    pub fn apply(&self, program: Command, arguments: &[OsString]) -> Command {
        match self.without_contradicted(arguments) {
            fitting if fitting.values.is_empty() => program,
            fitting => fitting.apply_to(program, &[], arguments),
        }
    }

    /// The values, without the game and the board for all commands if the arguments name a weight
    /// set of another game or board.
    fn without_contradicted(&self, arguments: &[OsString]) -> Self {
        let common =
            |value: &DefaultValue, option: &str| value.command.is_empty() && value.option == option;
        let of = |option: &str| self.values.iter().find(|value| common(value, option));
        let (game, board) = (of("game"), of("board"));
        let can_contradict = game.or(board).is_some();
        let words = arguments.iter().skip(1).filter_map(|word| word.to_str());
        let words = words.filter(|word| can_contradict && !word.starts_with('-'));
        let named: Vec<_> = words.map(infer::implied_by_word).collect();
        let is_other_game = game.is_some_and(|value| {
            let is_other = |games: &[GameId]| games.iter().all(|id| id.name() != value.text);
            named.iter().any(|(games, _)| !games.is_empty() && is_other(games))
        });
        let is_other_board = board.is_some_and(|value| {
            let is_other = |own: Board| own.to_string() != value.text;
            is_other_game || named.iter().any(|(_, own)| own.is_some_and(is_other))
        });
        let fits = |value: &&DefaultValue| {
            !(common(value, "game") && is_other_game || common(value, "board") && is_other_board)
        };
        let values = self.values.iter().filter(fits).cloned().collect();
        Self { values, ..Self::default() }
    }

    fn apply_to(&self, mut command: Command, path: &[String], arguments: &[OsString]) -> Command {
        let options: Vec<(clap::Id, String)> = command
            .get_arguments()
            .filter_map(|arg| Some((arg.get_id().clone(), arg.get_long()?.to_owned())))
            .collect();
        for (id, name) in options {
            if let Some(value) = self.holding(&command, path, &name, arguments) {
                command = command.mut_arg(id, |arg| with_default(arg, value));
            }
        }
        let commands: Vec<String> =
            command.get_subcommands().map(|known| known.get_name().to_owned()).collect();
        for name in commands {
            let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            command = command.mut_subcommand(name, |inner| self.apply_to(inner, &path, arguments));
        }
        command
    }

    /// The value in effect for an option of a command, if a file sets one.
    fn holding(
        &self,
        command: &Command,
        path: &[String],
        name: &str,
        arguments: &[OsString],
    ) -> Option<&DefaultValue> {
        let group = GROUPS.into_iter().find(|group| group.contains(&name));
        let rivals = group.unwrap_or_default();
        if is_given(arguments, name) || rivals.iter().any(|rival| is_given(arguments, rival)) {
            return None;
        }
        let (rank, value) = self.best(command, path, name)?;
        let implied_by: &[&str] = match name {
            _ if !value.command.is_empty() => &[],
            "game" => &IMPLY_GAME,
            "board" => &IMPLY_BOARD,
            _ => &[],
        };
        if implied_by.iter().any(|option| is_given(arguments, option)) {
            return None;
        }
        let is_beaten =
            |rival: &&str| self.best(command, path, rival).is_some_and(|(other, _)| other < rank);
        (!rivals.iter().any(is_beaten)).then_some(value)
    }

    /// The value of highest precedence for an option, and its rank: the project's file goes before
    /// the user's, and in each the command's own table before the values for all commands.
    fn best(
        &self,
        command: &Command,
        path: &[String],
        name: &str,
    ) -> Option<((bool, bool), &DefaultValue)> {
        let arg = command.get_arguments().find(|arg| arg.get_long() == Some(name))?;
        let is_for = |value: &&DefaultValue| {
            value.option == name
                && (value.command == path || value.command.is_empty() && inherits(command, arg))
        };
        let rank = |value: &DefaultValue| (value.owner == Origin::User, value.command != path);
        self.values
            .iter()
            .filter(is_for)
            .map(|value| (rank(value), value))
            .min_by_key(|(rank, _)| *rank)
    }
}

/// Whether an option of a command takes the value that a file sets for all commands.
fn inherits(command: &Command, arg: &Arg) -> bool {
    let name = arg.get_long().unwrap_or_default();
    if !COMMON.contains(&name) || FIXED.contains(&command.get_name()) {
        return false;
    }
    match name {
        // Several threads on one position make results vary, so a file sets them by the command's
        // name.
        "threads" => arg.get_default_values().is_empty(),
        "nodes" | "depth" | "movetime" => {
            let has = |name: &&str| command.get_arguments().any(|arg| arg.get_long() == Some(name));
            ["nodes", "depth", "movetime"].iter().all(has)
        }
        _ => true,
    }
}

/// Whether the arguments have an option.
fn is_given(arguments: &[OsString], name: &str) -> bool {
    let rest =
        |word: &OsString| word.to_str()?.strip_prefix("--")?.strip_prefix(name).map(str::to_owned);
    arguments.iter().filter_map(rest).any(|rest| rest.is_empty() || rest.starts_with('='))
}

fn with_default(arg: Arg, value: &DefaultValue) -> Arg {
    let note = format!(
        "[default: {}, from {}]",
        shorten(&value.text),
        shorten(&value.path.display().to_string())
    );
    let told = |help: String| {
        let own = help.split(" [default: ").next().unwrap_or_default();
        format!("{own} {note}")
    };
    let help = arg.get_help().map(|help| told(help.to_string()));
    let long = arg.get_long_help().map(|help| told(help.to_string()));
    // The defaults of clap live as long as the program.
    let text: &'static str = value.text.clone().leak();
    let mut arg = arg.default_value(text).hide_default_value(true).required(false);
    if let Some(help) = help {
        arg = arg.help(help);
    }
    match long {
        Some(long) => arg.long_help(long),
        None => arg,
    }
}
