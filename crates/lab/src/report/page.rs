//! The report of a tune as a page.

use super::advice::{advice, next};
use super::history::RunHistory;
use super::html_page::html_page;
use super::plot::{self, NARROW, PlotSize, SMALL, WIDE};
use super::rounds_page::{first_fit, rounds};
use super::run_summary::{RunState, RunSummary, WeightRow};
use super::units;
use super::words::{
    decision_text, elo_text, llr_text, unbiased_text, verdict_text, yardstick_lines,
};
use crate::error::Result;
use crate::shell;
use crate::stats::Summary;
use crate::tune::Target;
use maud::{Markup, PreEscaped, html};
use std::path::Path;

/// The most points of a large plot, and of a small one.
const POINTS: usize = 400;
const SMALL_POINTS: usize = 160;
/// The most small plots.
const PLOTS: usize = 60;

/// The files of a run that a reader may want, and what is in them.
const FILES: [(&str, &str); 3] = [
    ("games.jsonl.zst", "every game, for spar show"),
    ("journal.jsonl", "the record of the batches"),
    ("weights.json", "the best set that is proven"),
];

/// The page about a run that lives at `path`.
///
/// # Errors
/// When a plot cannot be drawn.
pub fn page(summary: &RunSummary, history: &RunHistory, path: &Path) -> Result<String> {
    let contents = html! {
        p.soft.run { "Run " (summary.run) }
        (headline(summary, path))
        @if summary.method.has_rounds() {
            (rounds(summary)?)
        } @else {
            (first_fit(summary))
            (strength(summary, history)?)
            (paths(summary, history)?)
            (table(summary))
        }
        (validation(summary))
        (outlook(summary, path))
    };
    Ok(html_page(&title(summary), &contents, "the run's journal"))
}

fn title(summary: &RunSummary) -> String {
    let what = match summary.target {
        Target::Weights => summary.start.clone(),
        Target::Search => "The search".into(),
    };
    format!("{what} tuned by {} on {}", summary.method, summary.board)
}

/// A text with the sign that pages have for an error, and a real minus.
pub(super) fn typeset(text: &str) -> String {
    text.replace("+-", "\u{b1}").replace(" -", " \u{2212}").replace("95 %", "95\u{a0}%")
}

/// The Elo of a match, large: the number with its error, or the interval.
pub(super) fn large_elo(summary: &Summary) -> Markup {
    let text = match (summary.elo, summary.elo_error) {
        (Some(elo), Some(error)) => format!("{elo:+.0} +- {error:.0} Elo"),
        _ => format!("Elo {}", elo_text(summary).trim_end_matches(" (95 %)")),
    };
    html! { (typeset(&format!(" {text}")).trim_start()) " " small { "(95\u{a0}% interval)" } }
}

fn headline(summary: &RunSummary, path: &Path) -> Markup {
    let class = match summary.state {
        RunState::Accepted => "head accepted",
        RunState::Rejected => "head rejected",
        RunState::Tuning | RunState::Validating => "head",
    };
    let resume = format!("spar resume {}", shell::quote_path(path));
    let (one, many) = (summary.target.one(), summary.target.many());
    let file = path.join(summary.target.file()).display().to_string();
    html! {
        section class=(class) {
            @match summary.state {
                RunState::Accepted => {
                    p.big { (large_elo(&summary.validation)) }
                    p { strong { "Accepted." } " The tuned " (many) " beat " (summary.start) " on openings that the tune \
                        never saw, and are now in " code { (file) } "." }
                }
                RunState::Rejected if !summary.changed => {
                    p.big { @if summary.method.has_rounds() { "No round won its match" } @else { "No " (one) " changed" } }
                    p { strong { "Nothing to accept." } " The tune ended at the " (many) " that it began with; "
                        (summary.start) " stays." }
                }
                RunState::Rejected => {
                    p.big { (large_elo(&summary.validation)) }
                    p { strong { "Not accepted." } " The tuned " (many) " did not pass the match against " (summary.start)
                        ", which stays in " code { (file) } "." }
                }
                RunState::Tuning => {
                    p.big { (format!("{:.0}", (summary.share_done() * 100.0).floor())) " % of the games "
                        small { "(" (units::count(summary.tune_games)) " of " (units::count(summary.planned_games)) ")" } }
                    progress max="1" value=(format!("{:.4}", summary.share_done())) {}
                    p { strong { "Not finished." } @if summary.recent.games > 0 {
                        " The latest answers against " (summary.method.probed_against()) ": Elo " (typeset(&elo_text(&summary.recent))) "." } }
                }
                RunState::Validating => {
                    p.big { "Being validated "
                        small { "(" (units::count(summary.validation.pairs.pairs())) " of at most "
                            (units::count(summary.validation_pairs)) " pairs)" } }
                    p { strong { "Not finished." } " The tune is done, and its answer is playing the start on fresh \
                        openings." }
                }
            }
            @if let Some(failure) = &summary.failure {
                p { "It ended with an error that a resume cannot put right: " (failure) "." }
            } @else if !summary.state.is_finished() {
                p { "If nothing is working on the run, go on with it:" }
                pre.command { code { (resume) } }
            }
            (facts(summary))
        }
    }
}

fn facts(summary: &RunSummary) -> Markup {
    let fact = |name: &str, what: String| html! { div { dt { (name) } dd { (what) } } };
    html! {
        dl {
            (fact("game", format!("{}, {}", summary.game, summary.board)))
            @if !summary.method.has_rounds() {
                (fact(&format!("{} tuned", summary.target.many()), summary.weights.len().to_string()))
            }
            @if let Some(weights) = &summary.played_with { (fact("playing with", weights.clone())) }
            (fact("games to tune", units::count(summary.tune_games)))
            (fact("games to validate", units::count(summary.validation.games)))
            (fact("limits of a move", summary.limits.to_string()))
            (fact("method", summary.method.to_string()))
            @if let Some(opponents) = &summary.opponents { (fact("opponents", opponents.clone())) }
            @for remark in summary.remarks() { (fact("note", remark)) }
            (fact("seed", summary.seed.to_string()))
            (fact("program", format!("spar {}", summary.version)))
            (fact("begun", minute(&summary.begun)))
            @if let Some(latest) = &summary.latest {
                (fact(if summary.state.is_finished() { "finished" } else { "latest batch" },
                    minute(latest)))
            }
            @if let Some(worked) = summary.worked { (fact("run time", units::time(worked))) }
        }
    }
}

/// A time of a journal to the minute: `2026-01-31 12:00 UTC`.
pub(super) fn minute(time: &str) -> String {
    time.get(..16).map_or_else(|| time.to_owned(), |time| format!("{} UTC", time.replace('T', " ")))
}

/// A name that may be broken after each underscore.
fn breakable(name: &str) -> Markup {
    html! { @for (number, part) in name.split('_').enumerate() { @if number > 0 { "_" wbr; } (part) } }
}

fn strength(summary: &RunSummary, history: &RunHistory) -> Result<Markup> {
    let estimates = history.estimates(POINTS);
    let proof = summary
        .state
        .is_finished()
        .then_some(&summary.validation)
        .filter(|match_| match_.games > 0);
    let plot = |size: PlotSize| plot::strength(size, history.games, &estimates, proof);
    let shown = estimates.iter().any(|estimate| estimate.summary.elo.is_some());
    Ok(html! {
        section {
            h2 { "Strength over the games" }
            @if let Some(window) = history.window().filter(|_| shown) {
                p.soft {
                    "Elo of the optimizer's answers against " (summary.method.probed_against()) ", over " (window) " probe pairs around each moment, down to half as many at the ends. There is nothing where the \
                    Elo is not defined, as where all pairs were won."
                }
                div.legend {
                    span { i {} "estimate" } span { i.band {} "95\u{a0}% interval" } span { i.start {} (summary.method.probed_against()) }
                    @if proof.is_some() { span { i.proof {} "validation" } }
                }
                figure role="img" aria-label="Elo against the start over the games of the tune" {
                    div.wide { (PreEscaped(plot(WIDE)?)) }
                    div.narrow { (PreEscaped(plot(NARROW)?)) }
                }
            } @else {
                p { "Too few probe pairs for a curve" @if !summary.state.is_finished() { " so far" } "." }
            }
        }
    })
}

/// The heading for the tuned numbers.
fn heading(summary: &RunSummary) -> &'static str {
    match summary.target {
        Target::Weights => "Weights",
        Target::Search => "Constants of the search",
    }
}

fn paths(summary: &RunSummary, history: &RunHistory) -> Result<Markup> {
    let heading = heading(summary);
    if history.points.len() < 2 {
        return Ok(html! {
            section { h2 { (heading) " over the games" } p { "No batch is finished yet." } }
        });
    }
    let mut shown: Vec<usize> = (0..summary.weights.len()).collect();
    if shown.len() > PLOTS {
        let moved = |&index: &usize| {
            let row = &summary.weights[index];
            f64::from(row.change().abs()) / row.range
        };
        shown.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
        shown.truncate(PLOTS);
    }
    let figures = shown.iter().map(|&index| figure(&summary.weights[index], index, history));
    let figures = figures.collect::<Result<Vec<Markup>>>()?;
    Ok(html! {
        section {
            h2 { (heading) " over the games" }
            p.soft {
                "What the optimizer would have answered at each moment."
                @if shown.len() < summary.weights.len() {
                    " The " (shown.len()) " that moved furthest for their range are shown." }
            }
            div.legend { span { i {} "value" } span { i.start {} "start" } span { i.bound {} "bound, where it is near" } }
            div.many { @for figure in &figures { (figure) } }
        }
    })
}

fn figure(row: &WeightRow, index: usize, history: &RunHistory) -> Result<Markup> {
    let every = history.points.len().div_ceil(SMALL_POINTS - 1).max(1);
    let last = history.points.len() - 1;
    let path: Vec<(f64, f64)> = history
        .points
        .iter()
        .enumerate()
        .filter(|(number, _)| number % every == 0 || *number == last)
        .filter_map(|(_, point)| Some((point.games as f64, *point.knobs.get(index)?)))
        .collect();
    let svg = plot::weight(SMALL, &path, f64::from(row.start), row.step, [row.min, row.max])?;
    Ok(html! {
        figure {
            figcaption {
                b { (row.name) } span { (number(row.start)) " \u{2192} " (number(row.tuned)) " (" (change(row.change())) ")" }
            }
            div role="img" aria-label=(format!("{} over the games", row.name)) { (PreEscaped(svg)) }
        }
    })
}

fn number(value: i32) -> String {
    value.to_string().replace('-', "\u{2212}")
}

fn change(value: i32) -> String {
    if value == 0 { "0".into() } else { format!("{value:+}").replace('-', "\u{2212}") }
}

fn table(summary: &RunSummary) -> Markup {
    let column = match summary.state {
        RunState::Accepted => "tuned",
        RunState::Rejected | RunState::Validating => "candidate",
        RunState::Tuning => "now",
    };
    let decimal = |value: f64, digits: usize| format!("{value:.digits$}").replace('-', "\u{2212}");
    html! {
        section {
            h2 { (heading(summary)) }
            div.scroll { table {
                thead { tr {
                    th { (summary.target.one()) } th.n { "start" } th.n { (column) } th.n { "error" } th.n { "change" }
                    @if summary.target == Target::Weights { th.n { "in pieces" } }
                    th.n.spare { "range" } th.n.spare { "bounds" } th.n { "last quarter" }
                } }
                tbody { @for row in &summary.weights { tr {
                    td { (breakable(&row.name)) @if row.at_bound { " " span.flag { "at bound" } } }
                    td.n { (number(row.start)) }
                    td.n { (number(row.tuned)) }
                    td.n { @if let Some(error) = row.error { "\u{b1}" (decimal(error, 0)) } @else { "\u{2013}" } }
                    td.n { (change(row.change())) }
                    @if summary.target == Target::Weights {
                        td.n { @if let Some(pieces) = row.change_in_pieces { (decimal(pieces, 2)) } @else { "\u{2013}" } }
                    }
                    td.n.spare { (decimal(row.range, 0)) }
                    td.n.spare { (decimal(row.min, 0)) " \u{2026} " (decimal(row.max, 0)) }
                    td.n { @if row.is_moving() { strong { (decimal(row.late_steps, 1)) } } @else { (decimal(row.late_steps, 1)) } }
                } } }
            } }
            p.soft {
                @if summary.target == Target::Weights {
                    "In pieces: the change divided by what a piece is worth under the start. "
                }
                "Error: half the width of the 95 % interval, if the surface is quadratic and all of them matter alike over \
                their ranges. Range: how far a " (summary.target.one()) " must move to \
                matter, from which the steps were planned. Last quarter: how far it moved in the last quarter of the games, \
                in steps; above 1 it was still under way."
            }
        }
    }
}

fn validation(summary: &RunSummary) -> Markup {
    let match_ = &summary.validation;
    if match_.games == 0 {
        let why = match summary.state {
            RunState::Tuning => {
                "It follows the tune: the answer plays the start on openings that the tune never saw."
            }
            RunState::Validating => "No batch of it is finished yet.",
            RunState::Rejected if !summary.changed => {
                "The candidate is the start, so there was nothing to play."
            }
            RunState::Accepted | RunState::Rejected => "It was left out, so nothing is proven.",
        };
        return html! { section { h2 { "Validation" } p { (why) } } };
    }
    let openings = match summary.openings_renewed {
        0 => "All openings were different, and none of them was seen in the tune.".to_string(),
        times => format!(
            "This board has too few openings: they were used up {times} times, so pairs repeat and the error is larger than \
             it says."
        ),
    };
    let fact = |name: &str, what: String| html! { div { dt { (name) } dd { (typeset(&format!(" {what}"))) } } };
    html! {
        section {
            h2 { "Validation" }
            p.soft { (units::count(match_.pairs.pairs())) " pairs of the candidate against the start, one opening with both \
                colours each. " (openings) }
            (pair_bars(match_))
            dl {
                (fact("Elo", elo_text(match_)))
                @if let Some(decision) = &summary.decision { (fact("unbiased Elo", unbiased_text(decision))) }
                (fact("normalised Elo", units::with_error(match_.nelo, match_.nelo_error)))
                (fact("score", units::percent(match_.score)))
                (fact("likelihood of superiority", likelihood(match_.los)))
                (fact("LLR", llr_text(match_, &summary.sprt)))
                @match &summary.decision {
                    Some(decision) => (fact("decision", decision_text(decision, match_.verdict, &summary.sprt))),
                    None => (fact("verdict", verdict_text(match_.verdict, &summary.sprt))),
                }
            }
            @if !summary.yardsticks.is_empty() {
                p.soft { "How good is that? The candidate against sets that come with the program:" }
                dl { @for (against, elo) in yardstick_lines(&summary.yardsticks) {
                    (fact(&format!("against {against}"), elo))
                } }
            }
        }
    }
}

/// How many pairs came to what, as bars.
pub(super) fn pair_bars(summary: &Summary) -> Markup {
    let names = ["won both", "won one, drew one", "even", "lost one, drew one", "lost both"];
    let classes = ["bar w", "bar w", "bar", "bar l", "bar l"];
    let mut counts = summary.pairs.to_array();
    counts.reverse();
    let most = counts.into_iter().max().unwrap_or(1).max(1);
    html! {
        table.bars { tbody { @for ((name, class), count) in names.iter().zip(classes).zip(counts) { tr {
            td { (name) }
            td { span class=(class) style=(format!("width:{:.1}%", count as f64 * 100.0 / most as f64)) {} }
            td.n { (units::count(count)) }
        } } } }
    }
}

/// A likelihood in percent; one that rounds to certainty is not certain.
fn likelihood(share: Option<f64>) -> String {
    match share {
        Some(share) if share > 0.9995 => "above 99.9 %".into(),
        Some(share) if share < 0.0005 => "below 0.1 %".into(),
        share => units::percent(share),
    }
}

fn outlook(summary: &RunSummary, path: &Path) -> Markup {
    html! {
        section {
            h2 { "How sure is this, and when is it done?" }
            @for sentence in advice(summary) { p { (typeset(&sentence)) } }
            p { "Next, a click selects a command:" }
            @for command in next(summary, path) { pre.command { code { (command) } } }
            p.soft { "Beside this page in the run's directory: "
                @for (index, (file, what)) in FILES.iter().enumerate() {
                    @if index > 0 { ", " } a href=(file) { (file) } " (" (what) ")"
                } "." }
        }
    }
}
