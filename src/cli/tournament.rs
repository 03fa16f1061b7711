//! `spar tournament`: a round robin, and ratings from all pairs together.

use super::args::{GameArgs, parse_count};
use super::console::Console;
use super::ended::Ended;
use super::interrupt::Interrupt;
use super::on_done::OnDoneArg;
use super::participant::{Participant, number_namesakes};
use super::play_match::{
    ArenaArgs, MatchContext, MatchSetup, PlayedMatch, check_pairs, note_time_limit,
};
use super::progress::{Detail, ForfeitLog, ProgressLine};
use super::summary::interval_text;
use crate::arena::queue::Threads;
use crate::arena::seed::derive;
use crate::arena::{MatchConfig, MatchEnd, MatchSettings};
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::Board;
use crate::games::with_game;
use crate::protocol::external_engine::{COMMAND_PREFIX, parse_option};
use crate::report::names::short_names;
use crate::report::table::TextTable;
use crate::report::units;
use crate::search::{Algorithm, Limits};
use crate::stats::{self, PairCounts, Rating, Ratings, Summary, rate};
use clap::Args;
use serde::Serialize;
use std::cmp::Ordering;
use std::time::{Duration, Instant};

/// Nodes a move by default.
const NODES: u64 = 1000;

/// Plays a round robin of weight sets and engines and rates them by all pairs together.
#[derive(Args, Debug)]
#[command(
    after_help = "With no limit each move gets --nodes 1000. Ctrl-C once: finish the pairs in progress and \
    report; twice: stop at once."
)]
pub struct TournamentArgs {
    /// The players: weight files, shipped sets (`spar weights list`), or "cmd:PROGRAM ARGS" for
    /// engines that speak UCI or UAI
    #[arg(value_name = "PLAYER", required = true, num_args = 2..)]
    players: Vec<String>,
    #[command(flatten)]
    game: GameArgs,
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
    /// An option of player number N (from 1), or of every engine; may be given again
    #[arg(long, value_name = "[N:]NAME=VALUE", value_parser = parse_some_option, allow_hyphen_values = true, help_heading = "Engines (cmd:)")]
    option: Vec<SomeOption>,
}

impl TournamentArgs {
    fn sets(&self) -> Vec<&str> {
        self.players.iter().map(String::as_str).collect()
    }
}

/// An engine option, and the number of the player that it is for, if it is for one only.
type SomeOption = (Option<usize>, (String, String));

fn parse_some_option(text: &str) -> Result<SomeOption> {
    match text.split_once(':').map(|(number, rest)| (number.trim().parse(), rest)) {
        Some((Ok(number), rest)) => Ok((Some(number), parse_option(rest)?)),
        _ => Ok((None, parse_option(text)?)),
    }
}

/// The match of two players, by their indices.
struct TournamentMatch {
    a: usize,
    b: usize,
    played: PlayedMatch,
}

/// A tournament that was played, to its end or not.
struct TournamentResult {
    matches: Vec<TournamentMatch>,
    ratings: Ratings,
    time: Duration,
    ended: Ended,
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or games cannot be saved.
pub fn run(args: &TournamentArgs, console: &Console) -> Result<Ended> {
    with_game!(args.game.id(&args.sets()), G => run_game::<G>(args, console))
}

fn run_game<G: Game>(args: &TournamentArgs, console: &Console) -> Result<Ended> {
    let board = args.game.checked_board::<G>(&args.sets())?;
    let limits = args.arena.limits.or(Limits::nodes(NODES))?;
    check_pairs(args.pairs)?;
    let players = players::<G>(args, board, console)?;
    let table_bytes = args.arena.hash.bytes(&[limits])?;
    let settings = MatchSettings {
        algorithms: [args.algorithm; 2],
        table_bytes,
        ..MatchSettings::new(limits)
    };
    note_time_limit(&settings, console);
    let result = play_all(args, board, &players, &settings, console)?;
    if console.json {
        console.document(&tournament_json(&players, &result))?;
    } else {
        console.say(report(&players, &result, console.width()))?;
    }
    if result.ended == Ended::Stopped {
        console.note("stopped early: the ratings stand on what was played");
    }
    Ok(result.ended)
}

fn players<G: Game>(
    args: &TournamentArgs,
    board: Board,
    console: &Console,
) -> Result<Vec<Participant<G>>> {
    if let Some((Some(number), _)) = args
        .option
        .iter()
        .find(|(number, _)| number.is_some_and(|n| n == 0 || n > args.players.len()))
    {
        return Err(Error::input(format!("--option {number}:..."), "there is no such player")
            .remedy(format!("number them from 1 to {}", args.players.len())));
    }
    let mut players: Vec<Participant<G>> = Vec::new();
    for (index, text) in args.players.iter().enumerate() {
        let is_engine = text.starts_with(COMMAND_PREFIX);
        let options: Vec<(String, String)> = args
            .option
            .iter()
            .filter(|(number, _)| number.map_or(is_engine, |number| number == index + 1))
            .map(|(_, option)| option.clone())
            .collect();
        let player = Participant::find(text, board, &args.arena.engines, &options)?;
        if player.player().is_some() && players.iter().any(|earlier| earlier.name == player.name) {
            return Err(Error::input(format!("player `{}`", player.name), "named twice")
                .remedy("name each once"));
        }
        player.warn_board(board, console)?;
        players.push(player);
    }
    number_namesakes(&mut players);
    Ok(players)
}

fn play_all<G: Game>(
    args: &TournamentArgs,
    board: Board,
    players: &[Participant<G>],
    settings: &MatchSettings,
    console: &Console,
) -> Result<TournamentResult> {
    let start = Instant::now();
    let threads = Threads::new(args.arena.threads.count())?;
    let interrupt = Interrupt::new("finishing the pairs in progress; Ctrl-C again stops at once");
    let mut context = MatchContext::new(&args.arena, board, &threads, &interrupt)?;
    let schedule = schedule(players.len());
    let mut progress =
        ProgressLine::new(console, Some(args.pairs * schedule.len() as u64), "pairs");
    let config = MatchConfig { pairs: args.pairs, sprt: None, least_pairs: 0 };
    let mut matches: Vec<TournamentMatch> = Vec::new();
    let mut forfeit_log = ForfeitLog::default();
    for (a, b) in schedule {
        // Each match has openings of its own: the ratings' errors take matches to be independent.
        let seed = derive(args.arena.seed.seed, &[a as u64, b as u64]);
        let book = args.arena.openings.book::<G>(board, seed);
        let pair = [&players[a], &players[b]];
        let setup = MatchSetup { players: pair, settings: settings.clone(), config, book };
        let before = matches.len() as u64 * args.pairs;
        let played = setup.play(&mut context, &mut |done| {
            setup.report_forfeits(done, &mut forfeit_log, &progress);
            let [a, b] = pair.map(Participant::short_name);
            let detail = || Detail::of_match(format!("{a} - {b}"), Summary::of(&done.counts, None));
            progress.update(before + done.counts.pairs(), detail);
        })?;
        matches.push(TournamentMatch { a, b, played });
        if interrupt.came() {
            break;
        }
    }
    progress.finish();
    context.close()?;
    let ratings = rate(players.len(), &pairings(&matches))?;
    let stopped = matches.iter().any(|one| one.played.end == MatchEnd::Stopped) || interrupt.came();
    let ended = if stopped { Ended::Stopped } else { Ended::Done };
    Ok(TournamentResult { matches, ratings, time: start.elapsed(), ended })
}

/// Every two players once.
fn schedule(players: usize) -> Vec<(usize, usize)> {
    (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect()
}

fn pairings(matches: &[TournamentMatch]) -> Vec<stats::PairingResult> {
    let pairing = |m: &TournamentMatch| stats::PairingResult {
        a: m.a,
        b: m.b,
        counts: m.played.summary.pairs,
    };
    matches.iter().map(pairing).filter(|pairing| pairing.counts.pairs() > 0).collect()
}

#[derive(Serialize)]
struct TournamentJson<'a> {
    players: Vec<TournamentPlayerJson<'a>>,
    #[serde(rename = "encounters")]
    matches: Vec<TournamentMatchJson<'a>>,
    seconds: f64,
    /// Whether everything was played.
    complete: bool,
}

#[derive(Serialize)]
struct TournamentPlayerJson<'a> {
    name: &'a str,
    #[serde(flatten)]
    rating: stats::Rating,
}

#[derive(Serialize)]
struct TournamentMatchJson<'a> {
    a: &'a str,
    b: &'a str,
    #[serde(flatten)]
    summary: Summary,
    /// Games forfeited by `a` and by `b`.
    forfeits: [u64; 2],
    distinct_pairs: u64,
}

fn tournament_json<'a, G: Game>(
    players: &'a [Participant<G>],
    result: &TournamentResult,
) -> TournamentJson<'a> {
    let rated = players.iter().zip(result.ratings.players());
    let match_json = |m: &TournamentMatch| TournamentMatchJson {
        a: &players[m.a].name,
        b: &players[m.b].name,
        summary: m.played.summary,
        forfeits: m.played.tally.forfeits,
        distinct_pairs: m.played.tally.distinct_pairs(),
    };
    TournamentJson {
        players: rated
            .map(|(player, &rating)| TournamentPlayerJson { name: &player.name, rating })
            .collect(),
        matches: result.matches.iter().map(match_json).collect(),
        seconds: result.time.as_secs_f64(),
        complete: result.ended == Ended::Done,
    }
}

fn report<G: Game>(
    players: &[Participant<G>],
    result: &TournamentResult,
    width: Option<usize>,
) -> String {
    let ranking = ranking(&result.ratings);
    let pairs: u64 = result.matches.iter().map(|one| one.played.summary.pairs.pairs()).sum();
    let speed = units::rate(pairs * 2, result.time, "games");
    format!(
        "{}{}\n\nScore of the row's player against the column's, and pairs played:\n\n{}\n\n{} pairs in {}, {speed}{}",
        rating_table(players, &result.ratings, &ranking).fit(width),
        pools_text(players, &result.ratings),
        cross_table(players, result, &ranking).fit(width),
        units::count(pairs),
        units::time(result.time),
        forfeit_text(players, result),
    )
}

/// The players that forfeited games, with the number of games; empty when there are none.
fn forfeit_text<G: Game>(players: &[Participant<G>], result: &TournamentResult) -> String {
    let mut counts = vec![0; players.len()];
    for one in &result.matches {
        let [a, b] = one.played.tally.forfeits;
        counts[one.a] += a;
        counts[one.b] += b;
    }
    let losers = players.iter().zip(counts).filter(|&(_, count)| count > 0);
    let parts: Vec<String> = losers
        .map(|(player, count)| format!("{} by {}", units::count(count), player.name))
        .collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!("\nforfeited games: {}", parts.join(", "))
    }
}

/// The players by pools, in each the strongest first; those without a rating by their score.
fn ranking(ratings: &Ratings) -> Vec<usize> {
    let rated = ratings.players();
    // A player outside the pools has won or lost all games against them.
    let place = |&index: &usize| match rated[index] {
        Rating { pool: Some(pool), elo: Some(elo), .. } => (pool as f64, -elo),
        Rating { score, .. } if score > Some(0.5) => (-1.0, 0.0),
        _ => (f64::INFINITY, 0.0),
    };
    let score = |index: &usize| rated[*index].score.unwrap_or(0.0);
    let mut order: Vec<usize> = (0..rated.len()).collect();
    order.sort_by(|a, b| {
        let places = place(a).partial_cmp(&place(b)).unwrap_or(Ordering::Equal);
        places.then(score(b).total_cmp(&score(a)))
    });
    order
}

/// Says so when the players cannot all be compared.
fn pools_text<G: Game>(players: &[Participant<G>], ratings: &Ratings) -> String {
    let rated = ratings.players();
    let pools = rated.iter().filter_map(|rating| rating.pool).max().map_or(0, |last| last + 1);
    if pools < 2 {
        return String::new();
    }
    let members = |pool: usize| -> Vec<&str> {
        let of_pool = |(_, rating): &(_, &Rating)| rating.pool == Some(pool);
        let named = players.iter().zip(rated).filter(of_pool);
        named.map(|(player, _)| player.name.as_str()).collect()
    };
    let lines: Vec<String> =
        (0..pools).map(|pool| format!("  {}", members(pool).join(", "))).collect();
    format!(
        "\n\nNo chain of points joins these groups, so each is rated on a scale of its own:\n{}",
        lines.join("\n")
    )
}

/// The names of the players as tables show them.
fn names<G: Game>(players: &[Participant<G>]) -> Vec<String> {
    short_names(&players.iter().map(|player| &player.name).collect::<Vec<_>>())
}

fn rating_table<G: Game>(
    players: &[Participant<G>],
    ratings: &Ratings,
    ranking: &[usize],
) -> TextTable {
    let mut table = TextTable::new()
        .right("")
        .left("player")
        .shortened(12)
        .right("Elo (95 %)")
        .right("score")
        .right("games")
        .optional(2)
        .right("LOS to next")
        .optional(1);
    let names = names(players);
    for (place, &index) in ranking.iter().enumerate() {
        let rating = ratings.players()[index];
        let elo = match rating.elo {
            Some(_) => units::with_error(rating.elo, rating.error),
            None => interval_text(rating.low, rating.high),
        };
        let los = ranking.get(place + 1).and_then(|&next| ratings.los(index, next));
        table.row([
            (place + 1).to_string(),
            names[index].clone(),
            elo,
            units::percent(rating.score),
            units::count(rating.games),
            units::percent(los),
        ]);
    }
    table
}

fn cross_table<G: Game>(
    players: &[Participant<G>],
    result: &TournamentResult,
    ranking: &[usize],
) -> TextTable {
    let mut table = TextTable::new().right("").left("player").shortened(8);
    let names = names(players);
    for place in 1..=ranking.len() {
        table = table.right(place.to_string());
    }
    for (place, &row) in ranking.iter().enumerate() {
        let cells = ranking.iter().map(|&column| match counts_of(&result.matches, row, column) {
            Some(counts) => format!("{} /{}", units::percent(counts.score()), counts.pairs()),
            None => "-".into(),
        });
        table.row([(place + 1).to_string(), names[row].clone()].into_iter().chain(cells));
    }
    table
}

/// The pairs of two players as the first of them sees them.
fn counts_of(matches: &[TournamentMatch], a: usize, b: usize) -> Option<PairCounts> {
    matches.iter().find_map(|one| match (one.a, one.b) {
        pair if pair == (a, b) => Some(one.played.summary.pairs),
        pair if pair == (b, a) => Some(one.played.summary.pairs.mirrored()),
        _ => None,
    })
}
