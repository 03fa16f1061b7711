//! `spar match`: two participants, pair by pair, until enough pairs are played, a test decides, or
//! Ctrl-C stops it.

use super::args::{GameArgs, LimitArgs, SprtArgs, parse_count};
use super::console::Console;
use super::constants::{ConstantChange, parse_change};
use super::ended::Ended;
use super::interrupt::Interrupt;
use super::on_done::{OnDoneArg, note_match};
use super::participant::{Participant, number_namesakes};
use super::play_match::{
    ArenaArgs, MatchContext, MatchSetup, PlayedMatch, check_pairs, note_time_limit,
};
use super::progress::{Detail, ForfeitLog, ProgressLine};
use super::summary::summary_facts;
use crate::arena::queue::Threads;
use crate::arena::{MatchConfig, MatchEnd, MatchSettings};
use crate::error::Result;
use crate::eval::Game;
use crate::game::Board;
use crate::games::with_game;
use crate::protocol::StartedEngine;
use crate::protocol::external_engine::parse_option;
use crate::report::names::short_names;
use crate::report::table::TextTable;
use crate::report::units;
use crate::search::{Algorithm, Limits};
use crate::stats::{Sprt, Summary};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;

/// Pairs played by default.
const PAIRS: u64 = 100;
/// The most pairs by default with a test.
const TEST_PAIRS: u64 = 20_000;
/// Nodes a move by default.
const NODES: u64 = 1000;

/// Plays two weight sets or engines against each other in pairs of games: one opening, colours
/// swapped.
#[derive(Args, Debug)]
#[command(
    after_help = "Limits given for one player replace the common ones for that player; with no limit at \
    all each move gets --nodes 1000. An engine that crashes, makes an illegal move, is late or hangs forfeits the \
    game, and is started again for the next one. Ctrl-C once: finish the pairs in progress and report; twice: stop at once."
)]
pub struct MatchArgs {
    /// Player A: a weight file, a shipped set (`spar weights list`), or "cmd:PROGRAM ARGS" for an
    /// engine that speaks UCI or UAI
    #[arg(value_name = "A")]
    a: String,
    /// Player B, likewise
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    pub(super) on_done: OnDoneArg,
    /// Pairs to play, at the most [default: 100, or 20000 with --sprt]
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
    /// Constants of the full search for player A only: a file that `tune --target search` wrote, or
    /// NAME=VALUE; may be given again, the last one counts
    #[arg(long, value_name = "FILE|NAME=VALUE", value_parser = parse_change, allow_hyphen_values = true, help_heading = "Search")]
    search_a: Vec<ConstantChange>,
    /// Constants of the full search for player B only: a file that `tune --target search` wrote, or
    /// NAME=VALUE; may be given again, the last one counts
    #[arg(long, value_name = "FILE|NAME=VALUE", value_parser = parse_change, allow_hyphen_values = true, help_heading = "Search")]
    search_b: Vec<ConstantChange>,
    /// An option of player A, an engine; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    option_a: Vec<(String, String)>,
    /// An option of player B, an engine; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    option_b: Vec<(String, String)>,
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
}

impl OwnLimits {
    fn of(self, player: usize) -> LimitArgs {
        match player {
            0 => LimitArgs { nodes: self.nodes_a, depth: self.depth_a, movetime: self.movetime_a },
            _ => LimitArgs { nodes: self.nodes_b, depth: self.depth_b, movetime: self.movetime_b },
        }
    }
}

impl MatchArgs {
    fn sets(&self) -> [&str; 2] {
        [&self.a, &self.b]
    }

    fn settings(&self) -> Result<MatchSettings> {
        let common = self.arena.limits.or(Limits::nodes(NODES))?;
        let limits = [self.own.of(0).or(common)?, self.own.of(1).or(common)?];
        let algorithms =
            [self.algorithm_a, self.algorithm_b].map(|own| own.unwrap_or(self.algorithm));
        let table_bytes = self.arena.hash.bytes(&limits)?;
        Ok(MatchSettings { algorithms, table_bytes, ..MatchSettings::with_limits(limits) })
    }

    fn players<G: Game>(&self, board: Board) -> Result<[Participant<G>; 2]> {
        let find = |text, options| Participant::find(text, board, &self.arena.engines, options);
        let mut players = [find(&self.a, &self.option_a)?, find(&self.b, &self.option_b)?];
        number_namesakes(&mut players);
        Ok(players)
    }

    fn change_constants<G: Game>(
        &self,
        players: &mut [Participant<G>; 2],
        algorithms: [Algorithm; 2],
        board: Board,
        console: &Console,
    ) -> Result<()> {
        let [a, b] = players;
        a.change_constants(&self.search_a, algorithms[0], board, console)?;
        b.change_constants(&self.search_b, algorithms[1], board, console)
    }

    fn config(&self) -> Result<MatchConfig> {
        let sprt = self.sprt.test()?;
        let pairs = self.pairs.unwrap_or(if sprt.is_some() { TEST_PAIRS } else { PAIRS });
        check_pairs(pairs)?;
        Ok(MatchConfig { pairs, sprt, least_pairs: 0 })
    }
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or games cannot be saved.
pub fn run(args: &MatchArgs, console: &Console) -> Result<Ended> {
    with_game!(args.game.id(&args.sets()), G => run_game::<G>(args, console))
}

fn run_game<G: Game>(args: &MatchArgs, console: &Console) -> Result<Ended> {
    let board = args.game.checked_board::<G>(&args.sets())?;
    let (settings, config) = (args.settings()?, args.config()?);
    let mut players = args.players::<G>(board)?;
    args.change_constants(&mut players, settings.algorithms, board, console)?;
    let book = args.arena.openings.book::<G>(board, args.arena.seed.seed);
    let threads = Threads::new(args.arena.threads.count())?;
    players.iter().try_for_each(|player| player.warn_board(board, console))?;
    note_time_limit(&settings, console);
    let setup = MatchSetup { players: [&players[0], &players[1]], settings, config, book };
    let interrupt = Interrupt::new("finishing the pairs in progress; Ctrl-C again stops at once");
    let mut context = MatchContext::new(&args.arena, board, &threads, &interrupt)?;
    let mut progress = ProgressLine::new(console, Some(config.pairs), "pairs");
    progress.update(0, String::new);
    let mut forfeit_log = ForfeitLog::default();
    let played = setup.play(&mut context, &mut |pair| {
        setup.report_forfeits(pair, &mut forfeit_log, &progress);
        progress.update(pair.counts.pairs(), || {
            Detail::of_match("", Summary::of(&pair.counts, config.sprt.as_ref()))
        });
    })?;
    progress.finish();
    context.close()?;
    note_match(&played.summary);
    if console.json {
        console.document(&match_json(&setup, board, &played))?;
    } else {
        console.say(report(&setup, board, &played, console.width()))?;
    }
    if played.end == MatchEnd::Stopped {
        let pairs = units::count(played.summary.pairs.pairs());
        console
            .note(format!("stopped early, after {pairs} of {} pairs", units::count(config.pairs)));
        return Ok(Ended::Stopped);
    }
    Ok(Ended::Done)
}

#[derive(Serialize)]
struct MatchJson<'a> {
    #[serde(flatten)]
    summary: Summary,
    seconds: f64,
    ended: MatchEnd,
    /// Null when the game has no draws.
    draws: Option<u64>,
    /// Games forfeited by A and by B.
    forfeits: [u64; 2],
    /// Pairs with an opening of their own.
    distinct_pairs: u64,
    sprt: Option<Sprt>,
    players: [MatchPlayerJson<'a>; 2],
    openings: OpeningsJson,
    game: &'static str,
    board: String,
    seed: u64,
}

#[derive(Serialize)]
struct MatchPlayerJson<'a> {
    name: &'a str,
    /// A digest of the weights and constants; null for an engine.
    fingerprint: Option<String>,
    limits: Limits,
    /// Null for an engine.
    algorithm: Option<Algorithm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<ExternalEngineJson<'a>>,
    moves: u64,
    nodes: u64,
    mean_depth: Option<f64>,
}

#[derive(Serialize)]
struct ExternalEngineJson<'a> {
    command: &'a str,
    protocol: &'static str,
    /// What the engine calls itself.
    name: Option<&'a str>,
    options: BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
struct OpeningsJson {
    plies: u32,
    drawn: u64,
    /// The share of the drawn openings that was used.
    kept: Option<f64>,
}

fn match_json<'a, G: Game>(
    setup: &MatchSetup<'a, G>,
    board: Board,
    played: &PlayedMatch,
) -> MatchJson<'a> {
    let player = |index: usize| MatchPlayerJson {
        name: &setup.players[index].name,
        fingerprint: setup.players[index].player().map(|loaded| loaded.player.fingerprint()),
        limits: setup.settings.limits[index],
        algorithm: setup.players[index].player().map(|_| setup.settings.algorithms[index]),
        engine: setup.players[index].engine().map(engine_json),
        moves: played.tally.totals[index].moves,
        nodes: played.tally.totals[index].nodes,
        mean_depth: played.tally.totals[index].mean_depth(),
    };
    MatchJson {
        summary: played.summary,
        seconds: played.time.as_secs_f64(),
        ended: played.end,
        draws: G::HAS_DRAWS.then_some(played.tally.draws),
        forfeits: played.tally.forfeits,
        distinct_pairs: played.tally.distinct_pairs(),
        sprt: setup.config.sprt,
        players: [player(0), player(1)],
        openings: OpeningsJson {
            plies: setup.book.plies,
            drawn: played.tally.drawn,
            kept: played.tally.kept(),
        },
        game: G::GAME,
        board: board.to_string(),
        seed: setup.book.seed,
    }
}

fn engine_json(started: &StartedEngine) -> ExternalEngineJson<'_> {
    let engine = started.engine();
    let options = engine.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    ExternalEngineJson {
        command: &engine.command,
        protocol: started.protocol().name(),
        name: started.own_name(),
        options: options.collect(),
    }
}

fn report<G: Game>(
    setup: &MatchSetup<G>,
    board: Board,
    played: &PlayedMatch,
    width: Option<usize>,
) -> String {
    let tally = &played.tally;
    let mut facts = summary_facts(&played.summary, setup.config.sprt.as_ref(), None);
    if G::HAS_DRAWS {
        facts.add("draws", units::count(tally.draws));
    }
    if setup.players.iter().any(|player| player.engine().is_some()) {
        let [a, b] = tally.forfeits.map(units::count);
        facts.add("forfeits", format!("{a} by A, {b} by B"));
    }
    let kept = units::percent(tally.kept());
    facts.add(
        "openings",
        format!(
            "{} distinct, of {} plies; {kept} of the random ones kept",
            tally.distinct_pairs(),
            setup.book.plies
        ),
    );
    facts.add(
        "speed",
        format!(
            "{}, {}, {} in all",
            units::rate(played.summary.games, played.time, "games"),
            units::rate(tally.nodes(), played.time, "nodes"),
            units::time(played.time)
        ),
    );
    let [a, b] = setup.players.map(|player| &player.name);
    let title = format!("{a} against {b}, {} on {board}, seed {}", G::GAME, setup.book.seed);
    format!("{title}\n\n{facts}\n\n{}", player_table(setup, played).fit(width))
}

fn player_table<G: Game>(setup: &MatchSetup<G>, played: &PlayedMatch) -> TextTable {
    let mut table = TextTable::new()
        .left("player")
        .shortened(12)
        .left("limits")
        .left("search")
        .optional(2)
        .right("nodes")
        .optional(3)
        .right("a move")
        .right("mean depth")
        .optional(1);
    let names = short_names(&setup.players.map(|player| &player.name));
    for (index, player) in setup.players.iter().enumerate() {
        let totals = played.tally.totals[index];
        table.row([
            names[index].clone(),
            setup.settings.limits[index].to_string(),
            match player.engine() {
                Some(engine) => engine.protocol().name().to_owned(),
                None => setup.settings.algorithms[index].to_string(),
            },
            units::count(totals.nodes),
            units::share(totals.nodes, totals.moves).map_or("-".into(), units::scaled),
            totals.mean_depth().map_or("-".into(), |depth| format!("{depth:.1}")),
        ]);
    }
    table
}
