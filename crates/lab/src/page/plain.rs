//! A report for readers without scripts: the result, the strength curve, the numbers.

use super::course::Course;
use crate::report::comparison::rows;
use crate::report::units;
use crate::report::words::{decision_text, elo_text, unbiased_text, verdict_text, yardstick_lines};
use crate::report::{RoundRow, RunSummary, TuneState};
use crate::runs::{RunState, RunView};
use maud::{Markup, html};

/// A text with the signs that pages have for an error and a minus.
fn typeset(text: &str) -> String {
    let text = text.replace("+-", "\u{b1}").replace("95 %", "95\u{a0}%");
    let (mut typeset, mut before) = (String::new(), ' ');
    for (place, sign) in text.char_indices() {
        let is_minus = sign == '-' && matches!(before, ' ' | '(');
        let of_number = text[place..].chars().nth(1).is_some_and(|next| next.is_ascii_digit());
        typeset.push(if is_minus && of_number { '\u{2212}' } else { sign });
        before = sign;
    }
    typeset
}

/// The contents of a run's page.
pub(super) fn run(view: &RunView) -> Markup {
    html! {
        h1 { (view.title.as_deref().unwrap_or(&view.run)) }
        section.head {
            p.states { (state(view)) }
            p.big { (elo(view)) }
            @for remark in &view.remarks { p { strong { "Note." } " " (typeset(remark)) "." } }
            @if let Some(reason) = &view.reason { p.reason { (reason) } }
            @if let Some(course) = Course::of(view) { (course.svg()) }
            @else { p.soft { "There are too few games for a curve." } }
        }
        @if let Some(summary) = &view.summary { (tune(summary)) }
        @if let Some(contest) = &view.contest { (match_(view, contest.sprt.as_ref())) }
        section {
            h2 { "How sure is this, and what next?" }
            @if let Some(outcome) = &view.outcome { p.outcome { (typeset(outcome)) } }
            @for sentence in &view.advice { p { (typeset(sentence)) } }
            @for command in &view.next { pre { code { (command) } } }
        }
    }
}

/// The state in words, and how much is played of a run that is not finished.
fn state(view: &RunView) -> String {
    let word = match (view.state, view.summary.as_ref()) {
        (RunState::Accepted, Some(summary)) => format!("accepted: better than {}", summary.start),
        (RunState::Rejected, Some(summary)) => format!("not accepted: {} stays", summary.start),
        (RunState::Running | RunState::Stopped, _) => "not finished".into(),
        (state, _) => state.name().into(),
    };
    match view.part_of_plan() {
        Some((played, planned)) => {
            format!("{word}, {} of {} games", units::count(played), units::count(planned))
        }
        None => format!("{word}, {} games", units::count(view.games)),
    }
}

fn elo(view: &RunView) -> Markup {
    let against = view.against.as_deref();
    html! {
        @match view.elo {
            Some(_) => {
                (typeset(&units::with_error(view.elo, view.elo_error))) " Elo "
                small { "(95\u{a0}% interval)" @if let Some(against) = against { " against " (against) } }
            }
            None if view.state.is_finished() => "No Elo",
            None => "No Elo yet",
        }
    }
}

fn tune(summary: &RunSummary) -> Markup {
    let match_ = &summary.validation;
    html! {
        @if match_.games > 0 {
            section {
                h2 { "Validation" }
                p { (typeset(&format!("{} pairs, Elo {}", units::count(match_.pairs.pairs()), elo_text(match_)))) }
                p { (typeset(&match &summary.decision {
                    Some(decision) => decision_text(decision, match_.verdict, &summary.sprt),
                    None => verdict_text(match_.verdict, &summary.sprt),
                })) }
                @if let Some(decision) = &summary.decision {
                    p { (typeset(&format!("unbiased Elo {}", unbiased_text(decision)))) }
                }
                @for (against, elo) in yardstick_lines(&summary.yardsticks) {
                    p { (typeset(&format!("against {against}: {elo}"))) }
                }
            }
        }
        @if !summary.weights.is_empty() { (weights(summary)) }
        (rounds(&first_fit_title(summary), &summary.first_fit))
        (rounds("Rounds", &summary.rounds))
    }
}

fn first_fit_title(summary: &RunSummary) -> String {
    let limits = summary.first_fit_limits.map(|limits| format!(", its match at {limits}"));
    format!("The initial fit{}", limits.unwrap_or_default())
}

fn weights(summary: &RunSummary) -> Markup {
    let column = if summary.state == TuneState::Accepted { "tuned" } else { "candidate" };
    html! {
        section {
            h2 { @if summary.played_with.is_some() { "Constants of the search" } @else { "Weights" } }
            div.scroll { table {
                thead { tr {
                    th scope="col" { (summary.target.one()) } th.n scope="col" { "start" }
                    th.n scope="col" { (column) } th.n scope="col" { "error (95\u{a0}%)" }
                } }
                tbody { @for row in &summary.weights { tr {
                    td { (row.name) } td.n { (typeset(&row.start.to_string())) } td.n { (typeset(&row.tuned.to_string())) }
                    td.n { @if let Some(error) = row.error { "\u{b1} " (format!("{error:.0}")) } }
                } } }
            } }
        }
    }
}

fn rounds(title: &str, rows: &[RoundRow]) -> Markup {
    html! {
        @if !rows.is_empty() {
            section {
                h2 { (title) }
                div.scroll { table {
                    thead { tr { @for title in RoundRow::TITLES {
                        th.n scope="col" { @if title.is_empty() { "judged" } @else { (title) } }
                    } } }
                    tbody { @for row in rows { tr {
                        @for cell in row.cells() { td.n { (typeset(&cell)) } }
                    } } }
                } }
            }
        }
    }
}

/// The match of two players, or the ratings of several.
fn match_(view: &RunView, sprt: Option<&crate::stats::Sprt>) -> Markup {
    let Some(contest) = &view.contest else { return html! {} };
    html! {
        section {
            @if let Some(played) = &view.match_ {
                h2 { "Match" }
                p { (typeset(&format!("{} pairs, Elo {}", units::count(played.pairs.pairs()), elo_text(played)))) }
                @if let Some(sprt) = sprt { p { (typeset(&verdict_text(played.verdict, sprt))) } }
            } @else {
                h2 { "Ratings" }
            }
            div.scroll { table {
                thead { tr {
                    th scope="col" { "player" } th scope="col" { "limits" } th.n scope="col" { "Elo" }
                    th.n scope="col" { "score" } th.n scope="col" { "games" }
                } }
                tbody { @for &place in &contest.ranking {
                    @let (player, rating) = (&contest.players[place], &contest.ratings[place]);
                    tr {
                        td { (player.name) } td { (player.limits) }
                        td.n { (typeset(&units::with_error(rating.elo, rating.error))) }
                        td.n { (units::percent(rating.score)) } td.n { (units::count(rating.games)) }
                    }
                } }
            } }
        }
    }
}

/// The contents of the page of several runs.
pub(super) fn side_by_side(title: &str, views: &[RunView]) -> Markup {
    let columns: Vec<_> = views.iter().map(RunView::column).collect();
    html! {
        h1 { (title) }
        section { div.scroll { table {
            thead { tr { th scope="col" { "run" } @for column in &columns { th.n scope="col" { (column.name) } } } }
            tbody { @for (name, cells) in rows(&columns) { tr {
                th scope="row" { (name) } @for cell in &cells { td.n { (typeset(cell)) } }
            } } }
        } } }
        @for view in views {
            @if let Some(course) = Course::of(view) { section { h2 { (view.run) } (course.svg()) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{side_by_side, typeset};
    use crate::runs::RunView;

    #[test]
    fn runs_stand_side_by_side_in_a_table_without_styles_of_terminals() {
        let run = |name: &str| RunView { run: name.into(), ..RunView::default() };
        let page = side_by_side("two", &[run("one"), run("other")]).into_string();
        assert!(page.contains("<th class=\"n\" scope=\"col\">other</th>"), "{page}");
        assert!(page.contains("<th scope=\"row\">state</th>"), "{page}");
        assert!(!page.contains('\u{1b}') && !page.contains("[1m"), "{page}");
    }

    #[test]
    fn only_numbers_have_a_minus() {
        assert_eq!(
            typeset("-1.5 +- 2, (-3) --pairs -a H-0"),
            "\u{2212}1.5 \u{b1} 2, (\u{2212}3) --pairs -a H-0"
        );
    }
}
