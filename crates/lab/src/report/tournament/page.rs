//! The page about a match or a tournament.

use super::TournamentReport;
use super::command::repeat;
use crate::error::Result;
use crate::report::history::Estimate;
use crate::report::html_page::html_page;
use crate::report::page::{large_elo, minute, pair_bars, typeset};
use crate::report::plot::{self, NARROW, PlotSize, WIDE};
use crate::report::units;
use crate::report::words::{elo_text, interval_text, llr_text, verdict_text};
use crate::run::{Manifest, Record};
use crate::shell::quote_path;
use crate::stats::{Sprt, Summary};
use crate::tournament::{MatchResult, TournamentKind};
use crate::tune::{BatchRecord, Stage};
use maud::{Markup, PreEscaped, html};
use std::path::Path;

/// The most points of a curve.
const POINTS: usize = 400;

impl TournamentReport<'_> {
    /// The page about the run of this manifest and record, which lives at `path`.
    ///
    /// # Errors
    /// When a plot cannot be drawn.
    pub fn page(&self, manifest: &Manifest, record: &Record, path: &Path) -> Result<String> {
        let batches: Vec<&BatchRecord> = record.batches(Stage::Match).collect();
        let contents = html! {
            p.soft.run { "Run " (manifest.run) }
            (self.headline(manifest, record))
            @if let Some(played) = self.only_match() {
                (self.course(&batches)?)
                (self.pairs(played))
            } @else {
                (self.ratings())
                (self.crosses())
            }
            (self.players())
            (self.again(path))
        };
        Ok(html_page(&self.title(), &contents, "the run's journal"))
    }

    fn headline(&self, manifest: &Manifest, record: &Record) -> Markup {
        let fact = |name: &str, what: String| html! { div { dt { (name) } dd { (what) } } };
        let (pairs, all) = (self.result.pairs(), self.settings.all_pairs());
        let share = pairs as f64 / all.max(1) as f64;
        html! {
            section.head {
                @if let Some(played) = self.only_match() {
                    p.big { (large_elo(&played.summary)) }
                    @if let Some(sprt) = &self.settings.sprt {
                        p { strong { "Test." } " " (typeset(&verdict_text(played.summary.verdict, sprt))) "." }
                    }
                } @else {
                    p.big { (units::count(self.result.matches.len() as u64)) " matches" }
                }
                @for remark in self.remarks() { p { strong { "Note." } " " (typeset(&remark)) "." } }
                @if !self.result.is_complete {
                    progress max="1" value=(format!("{share:.4}")) {}
                    p { strong { "Not finished." } " " (units::count(pairs)) " of at most " (units::count(all)) " pairs are played." }
                    @if let Some(failure) = record.failure() { p { (failure) "." } }
                }
                dl {
                    (fact("game", format!("{}, {}", self.settings.game, self.settings.board)))
                    (fact("pairs", units::count(pairs)))
                    (fact("openings", self.settings.book.words()))
                    (fact("seed", self.settings.seed.to_string()))
                    (fact("time", units::time(self.worked)))
                    (fact("speed", units::rate(pairs.saturating_mul(2), self.worked, "games")))
                    (fact("program", format!("spar {}", manifest.program)))
                    (fact("begun", minute(&manifest.time)))
                    @if let Some(latest) = record.time() {
                        (fact(if self.result.is_complete { "finished" } else { "latest batch" }, minute(latest)))
                    }
                }
            }
        }
    }

    /// The Elo and the LLR over the games.
    fn course(&self, batches: &[&BatchRecord]) -> Result<Markup> {
        if batches.len() < 2 {
            return Ok(html! {});
        }
        let every = batches.len().div_ceil(POINTS).max(1);
        let last = batches.len() - 1;
        let shown = batches.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
        let estimates: Vec<Estimate> = shown
            .map(|(_, batch)| Estimate {
                games: batch.summary.pairs.games(),
                summary: Summary::of(&batch.summary.pairs, self.settings.sprt.as_ref()),
            })
            .collect();
        let games = estimates.last().map_or(0, |last| last.games);
        let elo = |size: PlotSize| plot::strength(size, games, &estimates, None);
        Ok(html! {
            section {
                h2 { "Elo over the games" }
                p.soft { "Of all pairs until each moment, from the first player." }
                div.legend { span { i {} "Elo" } span { i.band {} "95\u{a0}% interval" } span { i.start {} "even" } }
                figure role="img" aria-label="Elo over the games" {
                    div.wide { (PreEscaped(elo(WIDE)?)) }
                    div.narrow { (PreEscaped(elo(NARROW)?)) }
                }
            }
            @if let Some(sprt) = &self.settings.sprt { (likelihood(sprt, &estimates)?) }
        })
    }

    fn pairs(&self, played: &MatchResult) -> Markup {
        let fact = |name: &str, what: String| html! { div { dt { (name) } dd { (typeset(&format!(" {what}"))) } } };
        let (summary, tally) = (&played.summary, &played.tally);
        html! {
            section {
                h2 { "Pairs" }
                p.soft { (units::count(summary.pairs.pairs())) " pairs from the first player's side, one opening with both \
                    colours each; " (units::count(tally.distinct_pairs)) " openings were different." }
                (pair_bars(summary))
                dl {
                    (fact("Elo", elo_text(summary)))
                    (fact("normalised Elo", units::with_error(summary.nelo, summary.nelo_error)))
                    (fact("score", units::percent(summary.score)))
                    (fact("LOS", units::percent(summary.los)))
                    @if let Some(sprt) = &self.settings.sprt { (fact("LLR", llr_text(summary, sprt))) }
                    @if self.has_draws { (fact("drawn games", units::count(tally.draws))) }
                    (fact("openings kept", units::percent(played.kept())))
                }
            }
        }
    }

    fn ratings(&self) -> Markup {
        let ranking = self.ranking();
        let ratings = &self.result.ratings;
        html! {
            section {
                h2 { "Ratings" }
                p.soft { "By all pairs together, with 95\u{a0}% errors; their mean is 0." }
                div.scroll { table {
                    thead { tr { th {} th { "player" } th.n { "Elo" } th.n { "score" } th.n { "games" } th.n { "LOS to next" } } }
                    tbody { @for (place, &index) in ranking.iter().enumerate() {
                        @let rating = ratings.players()[index];
                        @let elo = match rating.elo {
                            Some(_) => units::with_error(rating.elo, rating.error),
                            None => interval_text(rating.low, rating.high),
                        };
                        @let los = ranking.get(place + 1).and_then(|&next| ratings.los(index, next));
                        tr {
                            td { (place + 1) }
                            td { (self.settings.players[index].name) }
                            td.n { (typeset(&format!(" {elo}"))) }
                            td.n { (units::percent(rating.score)) }
                            td.n { (units::count(rating.games)) }
                            td.n { (units::percent(los)) }
                        }
                    } }
                } }
                @let pools = self.pools();
                @if !pools.is_empty() {
                    p.soft { "No chain of points joins these groups, so each is rated on a scale of its own:" }
                    ul { @for pool in &pools { li { (pool) } } }
                }
            }
        }
    }

    fn crosses(&self) -> Markup {
        let ranking = self.ranking();
        html! {
            section {
                h2 { "Who beat whom" }
                p.soft { "Score of the row's player against the column's, and pairs played." }
                div.scroll { table {
                    thead { tr { th {} th { "player" } @for place in 1..=ranking.len() { th.n { (place) } } } }
                    tbody { @for (place, &row) in ranking.iter().enumerate() { tr {
                        td { (place + 1) }
                        td { (self.settings.players[row].name) }
                        @for &column in &ranking { td.n {
                            @match self.result.counts_of(row, column) {
                                Some(counts) => { (units::percent(counts.score())) " /" (counts.pairs()) }
                                None => { "\u{2013}" }
                            }
                        } }
                    } } }
                } }
            }
        }
    }

    fn players(&self) -> Markup {
        let players = &self.settings.players;
        let forfeits = self.result.forfeits(players.len());
        let totals = self.only_match().map(|played| played.tally.totals);
        let total = |place: usize| totals.and_then(|totals| totals.get(place).copied());
        html! {
            section {
                h2 { "Players" }
                div.scroll { table {
                    thead { tr {
                        th { "player" } th { "limits" } th { "search" }
                        @if self.kind == TournamentKind::Match { th.n { "nodes a move" } th.n { "mean depth" } }
                        th.n { "forfeits" }
                    } }
                    tbody { @for (place, player) in players.iter().enumerate() { tr {
                        td { (player.name) @if let Some(engine) = player.engine() { br; code { (engine.command) } } }
                        td { (player.limits) }
                        td { (player.search()) }
                        @if let Some(total) = total(place) {
                            td.n { (units::share(total.nodes, total.moves).map_or("\u{2013}".into(), units::scaled)) }
                            td.n { (total.mean_depth().map_or("\u{2013}".into(), |depth| format!("{depth:.1}"))) }
                        }
                        td.n { (units::count(forfeits[place])) }
                    } } }
                } }
            }
        }
    }

    /// The commands that go on with the run, show its games and play it again.
    fn again(&self, path: &Path) -> Markup {
        let run = quote_path(path);
        let mut commands = Vec::new();
        if !self.result.is_complete {
            commands.push(format!("spar resume {run}"));
        }
        commands.push(format!("spar show {run}"));
        commands.push(repeat(self.kind, self.settings, path));
        html! {
            section {
                h2 { "Next" }
                p { "The games, and the same once more; another " code { "--seed" } " has other openings." }
                pre { code { (commands.join("\n")) } }
            }
        }
    }
}

/// The LLR over the games, between the bounds of the test.
fn likelihood(sprt: &Sprt, estimates: &[Estimate]) -> Result<Markup> {
    let path: Vec<(f64, f64)> = estimates
        .iter()
        .filter_map(|estimate| Some((estimate.games as f64, estimate.summary.llr?)))
        .collect();
    let bounds = [sprt.lower(), sprt.upper()];
    Ok(html! {
        section {
            h2 { "Evidence over the games" }
            p.soft { "The log-likelihood ratio. At the upper bound the test accepts H1, at the lower one H0." }
            div.legend { span { i {} "LLR" } span { i.bound {} "bounds" } }
            figure role="img" aria-label="Log-likelihood ratio over the games" {
                div.wide { (PreEscaped(plot::evidence(WIDE, &path, bounds)?)) }
                div.narrow { (PreEscaped(plot::evidence(NARROW, &path, bounds)?)) }
            }
        }
    })
}
