//! The result of a match or a tournament as text.

use super::summary::{interval_text, summary_facts};
use crate::report::names::short_names;
use crate::report::{TextTable, TournamentReport, repeats_text, units};
use crate::tournament::{MatchResult, TournamentKind};

/// The result for people, with tables that fit the width.
pub(super) fn tournament_text(report: &TournamentReport, width: Option<usize>) -> String {
    match (report.kind, report.only_match()) {
        (TournamentKind::Match, Some(played)) => match_text(report, played, width),
        _ => tables_text(report, width),
    }
}

fn match_text(report: &TournamentReport, played: &MatchResult, width: Option<usize>) -> String {
    let tally = &played.tally;
    let mut facts = summary_facts(&played.summary, report.settings.sprt.as_ref(), None);
    if played.repeats > 0 {
        facts.add("pairs played", repeats_text(played));
    }
    if report.has_draws {
        let draws = units::count(tally.draws);
        let games = units::counted(played.played().saturating_mul(2), "game");
        let counts_all = played.repeats + played.void == 0;
        facts.add("draws", if counts_all { draws } else { format!("{draws} of {games} played") });
    }
    if report.settings.players.iter().any(|player| player.engine().is_some()) {
        let [a, b] = tally.forfeits.map(units::count);
        let share = units::share(played.forfeited_pairs, played.played());
        let share = units::percent(share);
        facts.add("forfeits", format!("{a} by A, {b} by B, in {share} of the pairs"));
    }
    if let Some(referee) = &report.settings.referee {
        facts.add("referee", referee.name().to_owned());
    }
    let book = &report.settings.book;
    facts.add(
        "openings",
        match &book.file {
            Some(file) => format!("{} distinct, of {}", tally.distinct_pairs, file.name()),
            None => format!(
                "{} distinct, of {} plies; {} of the random ones kept",
                tally.distinct_pairs,
                book.plies,
                units::percent(played.kept())
            ),
        },
    );
    facts.add(
        "speed",
        format!(
            "{}, {}, {} in all",
            units::rate(played.played().saturating_mul(2), report.worked, "games"),
            units::rate(tally.nodes(), report.worked, "nodes"),
            units::time(report.worked)
        ),
    );
    let table = player_table(report, played).fit(width);
    format!("{}\n\n{facts}\n\n{table}{}", report.title(), remarks_text(report))
}

/// Caveats of the result; may be empty.
fn remarks_text(report: &TournamentReport) -> String {
    let lines: Vec<String> =
        report.remarks().into_iter().map(|remark| format!("\n{remark}")).collect();
    if lines.is_empty() { String::new() } else { format!("\n{}", lines.concat()) }
}

fn player_table(report: &TournamentReport, played: &MatchResult) -> TextTable {
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
    let players = report.settings.players.iter().zip(played.tally.totals);
    for ((player, totals), name) in players.zip(names(report)) {
        table.row([
            name,
            player.limits.to_string(),
            player.search(),
            units::count(totals.nodes),
            units::share(totals.nodes, totals.moves).map_or("-".into(), units::scaled),
            totals.mean_depth().map_or("-".into(), |depth| format!("{depth:.1}")),
        ]);
    }
    table
}

fn tables_text(report: &TournamentReport, width: Option<usize>) -> String {
    let ranking = report.ranking();
    let pairs = report.result.pairs();
    format!(
        "{}{}\n\nScore of the row's player against the column's, and pairs played:\n\n{}\n\n{} pairs in {}, {}{}{}",
        rating_table(report, &ranking).fit(width),
        pools_text(report),
        cross_table(report, &ranking).fit(width),
        units::count(pairs),
        units::time(report.worked),
        units::rate(pairs.saturating_mul(2), report.worked, "games"),
        forfeit_text(report),
        remarks_text(report),
    )
}

/// The players that forfeited games, with the number of games; empty if no game was forfeited.
fn forfeit_text(report: &TournamentReport) -> String {
    let players = &report.settings.players;
    let counts = report.result.forfeits(players.len());
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

/// A note on the groups of players that no results connect; empty if there is just one.
fn pools_text(report: &TournamentReport) -> String {
    let lines: Vec<String> = report.pools().iter().map(|pool| format!("  {pool}")).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "\n\nNo chain of points joins these groups, so each is rated on a scale of its own:\n{}",
        lines.join("\n")
    )
}

/// The names of the players as tables show them.
fn names(report: &TournamentReport) -> Vec<String> {
    let players = &report.settings.players;
    short_names(&players.iter().map(|player| &player.name).collect::<Vec<_>>())
}

fn rating_table(report: &TournamentReport, ranking: &[usize]) -> TextTable {
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
    let names = names(report);
    for (place, &index) in ranking.iter().enumerate() {
        let rating = report.result.ratings.players()[index];
        let los = ranking.get(place + 1).and_then(|&next| report.result.ratings.los(index, next));
        table.row([
            (place + 1).to_string(),
            names[index].clone(),
            match rating.elo {
                Some(_) => units::with_error(rating.elo, rating.error),
                None => interval_text(rating.low, rating.high),
            },
            units::percent(rating.score),
            units::count(rating.games),
            units::percent(los),
        ]);
    }
    table
}

fn cross_table(report: &TournamentReport, ranking: &[usize]) -> TextTable {
    let mut table = TextTable::new().right("").left("player").shortened(8);
    let names = names(report);
    for place in 1..=ranking.len() {
        table = table.right(place.to_string());
    }
    for (place, &row) in ranking.iter().enumerate() {
        let cells = ranking.iter().map(|&column| match report.result.counts_of(row, column) {
            Some(counts) => format!("{} /{}", units::percent(counts.score()), counts.pairs()),
            None => "-".into(),
        });
        table.row([(place + 1).to_string(), names[row].clone()].into_iter().chain(cells));
    }
    table
}
