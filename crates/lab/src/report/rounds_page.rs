//! The section of the page about the rounds.

use super::history::Estimate;
use super::plot::{self, NARROW, PlotSize, WIDE};
use super::rounds::RoundRow;
use super::run_summary::RunSummary;
use crate::error::Result;
use maud::{Markup, PreEscaped, html};

/// The least range of the loss that its plot shows, in nats.
const LEAST_LOSS: f64 = 0.003;

/// The section: the result of each fit and each match.
///
/// # Errors
/// When a plot cannot be drawn.
pub(super) fn rounds(summary: &RunSummary) -> Result<Markup> {
    let rows = &summary.rounds;
    if rows.is_empty() {
        return Ok(html! { section { h2 { "Rounds" } p { "No game is finished yet." } } });
    }
    Ok(html! {
        section {
            h2 { "Rounds" }
            p.soft {
                "Each round plays games with the best set so far, fits a set to the positions of the last rounds, and plays \
                it against that best set, which it replaces unless it is likely worse. Several lost matches in a row end the \
                tune. The matches are steps, not proofs, and the gains of those that were won are flattered: their sum says \
                nothing, the validation does."
            }
            (elo(summary, rows)?)
            (loss(rows)?)
            (table(rows))
            p.soft {
                "Loss: the cross-entropy per validation position, in nats, before the fit and after it. The validation \
                positions are those of the last rounds, so the losses of different rounds compare only roughly."
            }
        }
    })
}

/// The section about the fit that a joined tune begins with; nothing for other tunes.
pub(super) fn first_fit(summary: &RunSummary) -> Markup {
    let rows = &summary.first_fit;
    html! {
        @if !rows.is_empty() {
            section {
                h2 { "The fit that it began with" }
                p.soft {
                    "Games of the start against itself, a fit to their positions, and a match of the fitted set against the \
                    start. The games below go on from there. Loss: the cross-entropy per validation position, in nats."
                }
                (table(rows))
            }
        }
    }
}

fn table(rows: &[RoundRow]) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { @for title in RoundRow::TITLES { th.n { (title) } } } }
            tbody { @for row in rows { tr {
                @for cell in row.cells() { td.n { (cell.replace("+-", "\u{b1}").replace('-', "\u{2212}")) } }
            } } }
        } }
    }
}

fn elo(summary: &RunSummary, rows: &[RoundRow]) -> Result<Markup> {
    let played = rows.iter().filter(|row| row.match_.games > 0);
    let estimates: Vec<Estimate> =
        played.map(|row| Estimate { games: row.games_until, summary: row.match_ }).collect();
    let games = rows.last().map_or(1, |row| row.games_until);
    if !estimates.iter().any(|estimate| estimate.summary.elo.is_some()) {
        return Ok(
            html! { p { "No match of a round has an Elo" @if !summary.state.is_finished() { " so far" } "." } },
        );
    }
    let plot = |size: PlotSize| plot::strength(size, games, &estimates, None);
    Ok(html! {
        div.legend {
            span { i {} "Elo of each round's set over the best before it" } span { i.band {} "95\u{a0}% interval" }
        }
        figure role="img" aria-label="Elo of each round over the games" {
            div.wide { (PreEscaped(plot(WIDE)?)) }
            div.narrow { (PreEscaped(plot(NARROW)?)) }
        }
    })
}

fn loss(rows: &[RoundRow]) -> Result<Markup> {
    let path: Vec<(f64, f64)> =
        rows.iter().filter_map(|row| Some((row.games_until as f64, row.loss?))).collect();
    let Some(&(_, first)) = path.first() else { return Ok(html! {}) };
    let start = rows.first().and_then(|row| row.loss_before).unwrap_or(first);
    let path: Vec<(f64, f64)> = [(0.0, start)].into_iter().chain(path).collect();
    let svg = plot::weight(NARROW, &path, start, LEAST_LOSS, [f64::NEG_INFINITY, f64::INFINITY])?;
    Ok(html! {
        div.many { figure {
            figcaption { b { "validation loss" } span { "after each round's fit, in nats a position" } }
            div role="img" aria-label="validation loss over the games" { (PreEscaped(svg)) }
        } }
    })
}
