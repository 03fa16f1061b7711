//! `spar match`: two participants, pair by pair, until enough pairs are played, a test decides, or
//! Ctrl-C stops it.

use super::args::{SprtArgs, parse_count};
use super::constants::{ConstantChange, parse_change};
use super::limit_args::{parse_time_control, with_clock};
use super::participant::{contestants, name_participants, note_unnamed_game, parse_label};
use super::play_match::begin;
use crate::cli::{
    ArenaArgs, Console, Ended, EngineWishes, LimitArgs, OnDoneArg, Participant, RefereedGameArgs,
};
use crate::error::{Error, Result, shorten};
use crate::game::Board;
use crate::games::GameId;
use crate::protocol::external_engine::parse_option;
use crate::run::TournamentWork;
use crate::search::{Algorithm, Clock, Limits};
use crate::stats::Sprt;
use crate::tournament::{TournamentKind, check_pairs};
use clap::Args;

/// Pairs played by default.
const PAIRS: u64 = 100;
/// The most pairs by default with a test.
const TEST_PAIRS: u64 = 20_000;
/// Nodes a move by default.
const NODES: u64 = 1000;

/// Plays two weight sets or engines against each other, with a test
///
/// They play pairs of games: one opening, colours swapped.
#[derive(Args, Debug)]
#[command(
    after_help = "Limits given for one player replace the common ones for that player; with no limit at \
    all each move gets --nodes 1000. An engine that crashes, makes an illegal move, is late or hangs forfeits the \
    game, and is started again for the next one. Ctrl-C once: finish the pairs in progress and report; twice: stop at once."
)]
pub struct MatchArgs {
    /// Player A: a weight file, a shipped set (`spar weights list`), a run, or "cmd:PROGRAM ARGS"
    /// for an engine that speaks UCI, UAI or USI
    #[arg(value_name = "A")]
    a: String,
    /// Player B, likewise
    #[arg(value_name = "B")]
    b: String,
    /// Name of player A in results and games [default: the set's name, the file's path, or what the
    /// engine calls itself]
    #[arg(long, value_name = "NAME", value_parser = parse_label, allow_hyphen_values = true, help_heading = "Output")]
    name_a: Option<String>,
    /// Name of player B, likewise
    #[arg(long, value_name = "NAME", value_parser = parse_label, allow_hyphen_values = true, help_heading = "Output")]
    name_b: Option<String>,
    #[command(flatten)]
    game: RefereedGameArgs,
    #[command(flatten)]
    pub(super) on_done: OnDoneArg,
    /// Maximum pairs to play [default: 100, or 20000 with --sprt]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pairs: Option<u64>,
    #[command(flatten)]
    sprt: SprtArgs,
    #[command(flatten)]
    arena: ArenaArgs,
    #[command(flatten)]
    own: OwnLimits,
    /// How both players search
    #[arg(long, value_enum, default_value_t, help_heading = "Search")]
    algorithm: Algorithm,
    /// How player A searches [default: as --algorithm says]
    #[arg(long, value_enum, help_heading = "Search")]
    algorithm_a: Option<Algorithm>,
    /// How player B searches [default: as --algorithm says]
    #[arg(long, value_enum, help_heading = "Search")]
    algorithm_b: Option<Algorithm>,
    /// Constants of the search for player A only: a file that `tune --target search` wrote, or
    /// NAME=VALUE; may be repeated, the last one counts
    #[arg(long, value_name = "FILE|NAME=VALUE", value_parser = parse_change, allow_hyphen_values = true, help_heading = "Search")]
    search_a: Vec<ConstantChange>,
    /// Constants of the search for player B only: a file that `tune --target search` wrote, or
    /// NAME=VALUE; may be repeated, the last one counts
    #[arg(long, value_name = "FILE|NAME=VALUE", value_parser = parse_change, allow_hyphen_values = true, help_heading = "Search")]
    search_b: Vec<ConstantChange>,
    /// An option of player A, an engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    option_a: Vec<(String, String)>,
    /// An option of player B, an engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    option_b: Vec<(String, String)>,
    /// Working directory of player A, an engine; its relative paths start there [default: the
    /// current one]
    #[arg(long, value_name = "DIR", help_heading = "Engines (cmd:)")]
    dir_a: Option<String>,
    /// Working directory of player B, likewise
    #[arg(long, value_name = "DIR", help_heading = "Engines (cmd:)")]
    dir_b: Option<String>,
}

/// Limits of one player only.
#[derive(Args, Clone, Copy, Debug)]
struct OwnLimits {
    /// As --nodes, for player A only
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits of a move")]
    nodes_a: Option<u64>,
    /// As --nodes, for player B only
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits of a move")]
    nodes_b: Option<u64>,
    /// As --depth, for player A only
    #[arg(long, value_name = "PLIES", help_heading = "Limits of a move")]
    depth_a: Option<u32>,
    /// As --depth, for player B only
    #[arg(long, value_name = "PLIES", help_heading = "Limits of a move")]
    depth_b: Option<u32>,
    /// As --movetime, for player A only
    #[arg(long, value_name = "MS", help_heading = "Limits of a move")]
    movetime_a: Option<u64>,
    /// As --movetime, for player B only
    #[arg(long, value_name = "MS", help_heading = "Limits of a move")]
    movetime_b: Option<u64>,
    /// As --tc, for player A only
    #[arg(long, value_name = "[MOVES/]TIME[+INC]", value_parser = parse_time_control, help_heading = "Limits of a move")]
    tc_a: Option<Clock>,
    /// As --tc, for player B only
    #[arg(long, value_name = "[MOVES/]TIME[+INC]", value_parser = parse_time_control, help_heading = "Limits of a move")]
    tc_b: Option<Clock>,
}

impl OwnLimits {
    /// The limits of a player, or else these.
    fn of(self, player: usize, common: Limits) -> Result<Limits> {
        let Self { nodes_a, nodes_b, depth_a, depth_b, movetime_a, movetime_b, tc_a, tc_b } = self;
        let (nodes, depth, movetime, tc) = match player {
            0 => (nodes_a, depth_a, movetime_a, tc_a),
            _ => (nodes_b, depth_b, movetime_b, tc_b),
        };
        Ok(with_clock(LimitArgs { nodes, depth, movetime }, tc)?.unwrap_or(common))
    }
}

impl MatchArgs {
    fn sets(&self) -> [&str; 2] {
        [&self.a, &self.b]
    }

    fn limits(&self) -> Result<[Limits; 2]> {
        let common = self.arena.limits.or(Limits::nodes(NODES))?;
        Ok([self.own.of(0, common)?, self.own.of(1, common)?])
    }

    fn algorithms(&self) -> [Algorithm; 2] {
        [self.algorithm_a, self.algorithm_b].map(|own| own.unwrap_or(self.algorithm))
    }

    fn players(&self, game: GameId, board: Board, console: &Console) -> Result<[Participant; 2]> {
        let find = |text, options, folder: &Option<String>| {
            let (common, folder) = (&self.arena.engines, folder.as_deref());
            let wishes = EngineWishes { common, options, folder };
            Participant::find(text, (game, board), wishes, console)
        };
        let mut players = [
            find(&self.a, &self.option_a, &self.dir_a)?,
            find(&self.b, &self.option_b, &self.dir_b)?,
        ];
        let names = [&self.name_a, &self.name_b].into_iter().enumerate();
        let wanted: Vec<_> =
            names.filter_map(|(place, name)| Some((place, name.as_deref()?))).collect();
        match name_participants(&mut players, &wanted).filter(|_| !wanted.is_empty()) {
            Some(name) => {
                Err(Error::input(format!("name `{}`", shorten(&name)), "both players have it")
                    .remedy("give them different ones with --name-a and --name-b"))
            }
            None => Ok(players),
        }
    }

    fn change_constants(
        &self,
        players: &mut [Participant; 2],
        algorithms: [Algorithm; 2],
        board: Board,
        console: &Console,
    ) -> Result<()> {
        let [a, b] = players;
        a.change_constants(&self.search_a, algorithms[0], board, console)?;
        b.change_constants(&self.search_b, algorithms[1], board, console)
    }

    /// The most pairs, and the test.
    fn length(&self) -> Result<(u64, Option<Sprt>)> {
        let sprt = self.sprt.test()?;
        let pairs = self.pairs.unwrap_or(if sprt.is_some() { TEST_PAIRS } else { PAIRS });
        check_pairs(pairs)?;
        Ok((pairs, sprt))
    }
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or what is played cannot be kept.
pub fn run(args: &MatchArgs, console: &Console) -> Result<Ended> {
    let (limits, (pairs, sprt)) = (args.limits()?, args.length()?);
    let judged = args.game.find(&args.sets(), None, Some(&args.arena.engines), console)?;
    let (game, board) = (judged.game, judged.board);
    let algorithms = args.algorithms();
    let mut players = args.players(game, board, console)?;
    note_unnamed_game(&args.game, game, &players, console);
    args.change_constants(&mut players, algorithms, board, console)?;
    players.iter().try_for_each(|player| player.warn_board(board, console))?;
    let (contestants, sets) =
        contestants(&players, |place| limits[place], |place| algorithms[place]);
    let config = args.arena.settings(judged, contestants, pairs, sprt)?;
    let work = TournamentWork { kind: TournamentKind::Match, config, copies: args.arena.copies() };
    begin(work, players.into(), &sets, &args.arena, console)
}
