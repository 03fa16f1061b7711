//! `spar tournament`: a round robin, and ratings from all pairs together.

use super::args::parse_count;
use super::participant::{contestants, name_participants, note_unnamed_game, parse_label};
use super::play_match::begin;
use crate::cli::{
    ArenaArgs, Console, Ended, EngineWishes, OnDoneArg, Participant, RefereedGameArgs,
};
use crate::error::{Error, Result, shorten};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::external_engine::{COMMAND_PREFIX, parse_option};
use crate::run::TournamentWork;
use crate::search::{Algorithm, Limits};
use crate::tournament::{TournamentKind, check_pairs};
use clap::Args;

/// Nodes a move by default.
const NODES: u64 = 1000;

/// Plays a round robin of weight sets and engines, and rates them
#[derive(Args, Debug)]
#[command(
    after_help = "With no limit each move gets --nodes 1000. Ctrl-C once: finish the pairs in progress and \
    report; twice: stop at once."
)]
pub struct TournamentArgs {
    /// The players: weight files, shipped sets (`spar weights list`), runs, or "cmd:PROGRAM ARGS"
    /// for engines that speak UCI, UAI or USI
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<String>,
    /// The name of player number N (from 1) in results and games; may be repeated [default: the
    /// set's name, the file's path, or what the engine calls itself]
    #[arg(long, value_name = "N:NAME", value_parser = parse_some_name, help_heading = "Output")]
    name: Vec<(usize, String)>,
    #[command(flatten)]
    game: RefereedGameArgs,
    #[command(flatten)]
    pub(super) on_done: OnDoneArg,
    /// Pairs of each match
    #[arg(long, value_name = "N", default_value = "50", value_parser = parse_count)]
    pairs: u64,
    #[command(flatten)]
    arena: ArenaArgs,
    /// How all weight sets search
    #[arg(long, value_enum, default_value_t, help_heading = "Search")]
    algorithm: Algorithm,
    /// An option of player number N (from 1), or of every engine; may be repeated
    #[arg(long, value_name = "[N:]NAME=VALUE", value_parser = parse_some_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    option: Vec<(Option<usize>, (String, String))>,
    /// Working directory of the engine that is player number N (from 1), or of every engine;
    /// relative paths start there; may be repeated [default: the current one]
    #[arg(long, value_name = "[N:]DIR", value_parser = parse_some_folder, help_heading = "Engines (cmd:)")]
    dir: Vec<(Option<usize>, String)>,
}

impl TournamentArgs {
    fn sets(&self) -> Vec<&str> {
        self.players.iter().map(String::as_str).collect()
    }
}

/// Reads the number of a player, and its name.
fn parse_some_name(text: &str) -> Result<(usize, String)> {
    match text.split_once(':').map(|(number, name)| (number.trim().parse(), name)) {
        Some((Ok(number), name)) => Ok((number, parse_label(name)?)),
        _ => Err(Error::input(format!("name `{}`", shorten(text)), "it names no player")
            .remedy("put the player's number before it, as in 2:NAME")),
    }
}

/// Reads a folder, and the number of the player that it is for, if it is for one only.
fn parse_some_folder(text: &str) -> Result<(Option<usize>, String)> {
    Ok(match text.split_once(':').map(|(number, rest)| (number.trim().parse(), rest)) {
        Some((Ok(number), rest)) => (Some(number), rest.into()),
        _ => (None, text.into()),
    })
}

/// Reads an engine option, and the number of its player likewise.
fn parse_some_option(text: &str) -> Result<(Option<usize>, (String, String))> {
    match text.split_once(':').map(|(number, rest)| (number.trim().parse(), rest)) {
        Some((Ok(number), rest)) => Ok((Some(number), parse_option(rest)?)),
        _ => Ok((None, parse_option(text)?)),
    }
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or games cannot be saved.
pub fn run(args: &TournamentArgs, console: &Console) -> Result<Ended> {
    let limits = args.arena.limits.or(Limits::nodes(NODES))?;
    check_pairs(args.pairs)?;
    let judged = args.game.find(&args.sets(), None, Some(&args.arena.engines), console)?;
    let players = players(args, (judged.game, judged.board), console)?;
    note_unnamed_game(&args.game, judged.game, &players, console);
    let (contestants, sets) = contestants(&players, |_| limits, |_| args.algorithm);
    let config = args.arena.settings(judged, contestants, args.pairs, None)?;
    let work =
        TournamentWork { kind: TournamentKind::Tournament, config, copies: args.arena.copies() };
    begin(work, players, &sets, &args.arena, console)
}

fn players(
    args: &TournamentArgs,
    (game, board): (GameId, Board),
    console: &Console,
) -> Result<Vec<Participant>> {
    let options = args.option.iter().map(|(number, _)| ("--option", *number));
    let folders = args.dir.iter().map(|(number, _)| ("--dir", *number));
    let names = args.name.iter().map(|(number, _)| ("--name", Some(*number)));
    for (option, number) in options.chain(folders).chain(names) {
        if let Some(number) = number.filter(|&n| n == 0 || n > args.players.len()) {
            return Err(Error::input(format!("{option} {number}:..."), "there is no such player")
                .remedy(format!("number them from 1 to {}", args.players.len())));
        }
    }
    let mut players: Vec<Participant> = Vec::new();
    for (index, text) in args.players.iter().enumerate() {
        let is_engine = text.starts_with(COMMAND_PREFIX);
        let options: Vec<(String, String)> = args
            .option
            .iter()
            .filter(|(number, _)| number.map_or(is_engine, |number| number == index + 1))
            .map(|(_, option)| option.clone())
            .collect();
        let is_own = |number: Option<usize>| number.map_or(is_engine, |n| n == index + 1);
        let folder = args.dir.iter().rfind(|(number, _)| is_own(*number));
        let wishes = EngineWishes {
            common: &args.arena.engines,
            options: &options,
            folder: folder.map(|(_, folder)| folder.as_str()),
        };
        let player = Participant::find(text, (game, board), wishes, console)?;
        player.warn_board(board, console)?;
        players.push(player);
    }
    let wanted: Vec<_> = args.name.iter().map(|(number, name)| (number - 1, &**name)).collect();
    match name_participants(&mut players, &wanted) {
        Some(name) => Err(Error::input(format!("player `{}`", shorten(&name)), "named twice")
            .remedy("name each once, or give one another name with --name N:NAME")),
        None => Ok(players),
    }
}
