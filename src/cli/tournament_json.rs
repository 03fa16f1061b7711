//! The result of a match or a tournament as JSON.

use crate::arena::EarlyEnds;
use crate::arena::{BookFile, MatchEnd};
use crate::cli::Console;
use crate::error::Result;
use crate::report::TournamentReport;
use crate::report::tournament::ContestPlayer;
use crate::run::RecordedChange;
use crate::session::ledger::is_zero;
use crate::stats::{Rating, Sprt, Summary};
use crate::tournament::{Contestant, MatchResult};
use serde::Serialize;
use std::path::Path;

/// The result of a match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MatchJson<'a> {
    #[serde(flatten)]
    summary: Summary,
    /// How long it took, over all resumes.
    seconds: f64,
    ended: MatchEnd,
    /// Null when the game has no draws.
    draws: Option<u64>,
    /// Games forfeited by A and by B.
    forfeits: [u64; 2],
    /// Pairs in which a player forfeited a game.
    forfeited_pairs: u64,
    /// Games that ended before their rules ended them.
    #[serde(skip_serializing_if = "EarlyEnds::is_empty")]
    early: EarlyEnds,
    /// A warning if too many pairs rest on forfeits; null otherwise.
    warning: Option<String>,
    /// The external engines that were replaced over a stop and a resume.
    engine_changes: &'a [RecordedChange],
    /// Pairs whose opening was not played before.
    distinct_pairs: u64,
    /// Pairs that repeat no earlier pair move by move. With a book, and in games that only external
    /// engines play, only these count.
    distinct: u64,
    /// Pairs without a result, since the referee failed.
    void: u64,
    sprt: Option<Sprt>,
    players: Vec<ContestPlayer>,
    openings: OpeningsJson<'a>,
    #[serde(flatten)]
    origin: OriginJson<'a>,
}

/// The game that was played, and the files about it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OriginJson<'a> {
    game: &'a str,
    board: &'a str,
    /// The command of the engine that knows the rules, where this program does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    referee: Option<&'a str>,
    seed: u64,
    /// The directory of its run; null where nothing was kept.
    run: Option<String>,
    /// The path of its report; null where none was written.
    report: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OpeningsJson<'a> {
    /// Their random plies; null with a book.
    plies: Option<u32>,
    /// The file of the openings; null if they are random.
    book: Option<&'a BookFile>,
    /// The random openings that were drawn; null with a book.
    drawn: Option<u64>,
    /// The share of the drawn openings that was used; null with a book.
    kept: Option<f64>,
}

/// The result of a tournament.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TournamentJson<'a> {
    players: Vec<TournamentPlayerJson<'a>>,
    #[serde(rename = "encounters")]
    matches: Vec<TournamentMatchJson<'a>>,
    /// How long it took, over all resumes.
    seconds: f64,
    /// Whether nothing is left to play: every match has all its pairs, or has ended early.
    complete: bool,
    /// A warning if too many pairs rest on forfeits; null otherwise.
    warning: Option<String>,
    /// The external engines that were replaced over a stop and a resume.
    engine_changes: &'a [RecordedChange],
    #[serde(flatten)]
    origin: OriginJson<'a>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TournamentPlayerJson<'a> {
    name: &'a str,
    #[serde(flatten)]
    rating: Rating,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TournamentMatchJson<'a> {
    a: &'a str,
    b: &'a str,
    #[serde(flatten)]
    summary: Summary,
    /// Games forfeited by `a` and by `b`.
    forfeits: [u64; 2],
    /// Pairs in which a player forfeited a game.
    forfeited_pairs: u64,
    /// Games that ended before their rules ended them.
    #[serde(skip_serializing_if = "EarlyEnds::is_empty")]
    early: EarlyEnds,
    distinct_pairs: u64,
    /// Pairs equal move by move to earlier ones, which did not count.
    #[serde(skip_serializing_if = "is_zero")]
    repeats: u64,
    /// Void pairs, which did not count: the referee failed, or could not judge.
    #[serde(skip_serializing_if = "is_zero")]
    void: u64,
}

/// Prints the result, kept in the run with this directory, and shown on this page.
///
/// # Errors
/// When stdout cannot be written.
pub(super) fn print_json(
    report: &TournamentReport,
    run: Option<&Path>,
    page: Option<&Path>,
    console: &Console,
) -> Result<()> {
    let settings = report.settings;
    let shown = |path: &Path| path.display().to_string();
    let origin = OriginJson {
        game: &settings.game,
        board: &settings.board,
        referee: settings.referee.as_ref().map(|engine| engine.command.as_str()),
        seed: settings.seed,
        run: run.map(shown),
        report: page.map(shown),
    };
    match report.only_match() {
        Some(played) => console.document(&match_json(report, played, origin)),
        None => console.document(&ratings_json(report, origin)),
    }
}

fn match_json<'a>(
    report: &'a TournamentReport,
    played: &MatchResult,
    origin: OriginJson<'a>,
) -> MatchJson<'a> {
    let settings = report.settings;
    let is_random = settings.book.file.is_none();
    MatchJson {
        summary: played.summary,
        seconds: report.worked.as_secs_f64(),
        ended: played.end.unwrap_or(MatchEnd::Stopped),
        draws: report.has_draws.then_some(played.tally.draws),
        forfeits: played.tally.forfeits,
        forfeited_pairs: played.forfeited_pairs,
        early: played.early,
        warning: report.warning(),
        engine_changes: report.engine_changes,
        distinct_pairs: played.tally.distinct_pairs,
        distinct: played.distinct(),
        void: played.void,
        sprt: settings.sprt,
        players: report.players(),
        openings: OpeningsJson {
            plies: is_random.then_some(settings.book.plies),
            book: settings.book.file.as_ref(),
            drawn: is_random.then_some(played.tally.drawn),
            kept: played.kept().filter(|_| is_random),
        },
        origin,
    }
}

fn ratings_json<'a>(report: &'a TournamentReport, origin: OriginJson<'a>) -> TournamentJson<'a> {
    let settings = report.settings;
    let rated = settings.players.iter().zip(report.result.ratings.players());
    let name = |place: usize| settings.players.get(place).map_or("", |player| &player.name);
    let match_json = |played: &MatchResult| TournamentMatchJson {
        a: name(played.players[0]),
        b: name(played.players[1]),
        summary: played.summary,
        forfeits: played.tally.forfeits,
        forfeited_pairs: played.forfeited_pairs,
        early: played.early,
        distinct_pairs: played.tally.distinct_pairs,
        repeats: played.repeats,
        void: played.void,
    };
    TournamentJson {
        players: rated
            .map(|(Contestant { name, .. }, &rating)| TournamentPlayerJson { name, rating })
            .collect(),
        matches: report.result.matches.iter().map(match_json).collect(),
        seconds: report.worked.as_secs_f64(),
        complete: report.result.is_complete,
        warning: report.warning(),
        engine_changes: report.engine_changes,
        origin,
    }
}
