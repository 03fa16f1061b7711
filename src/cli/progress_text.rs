//! The words of a progress line, and how they fit a width: the result goes before the speed.

use crate::report::table::{cut, display_width};
use crate::report::words::{elo_short, llr_short};
use crate::report::{Role, units};
use crate::stats::Summary;
use std::time::Duration;

/// Columns of the bar.
const BAR: usize = 20;
const GAP: &str = "  ";

/// The progress of a command.
#[derive(Clone, Debug)]
pub struct ProgressText {
    /// Units that are done.
    pub done: u64,
    /// The total, if it is known.
    pub total: Option<u64>,
    /// The name of the units, in the plural.
    pub unit: &'static str,
    /// Units a second; `None` before it is known.
    pub rate: Option<f64>,
    /// The time until they are done.
    pub left: Option<Duration>,
    /// The time left for the whole command.
    pub whole_left: Option<Duration>,
    /// The activity; may be empty.
    pub words: String,
    /// The match under way.
    pub summary: Option<Summary>,
}

/// A part of a line; the part with the lowest rank is the last to go.
struct Part {
    rank: u8,
    text: String,
}

impl ProgressText {
    /// Everything in a line, for a log.
    pub fn line(&self) -> String {
        let parts = self.result().into_iter().chain(self.speed());
        parts.map(|part| part.text).collect::<Vec<_>>().join(GAP)
    }

    /// One line if everything fits, else two, each at most `width` columns wide: the result above
    /// the speed.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let all = self.bar().into_iter().chain(self.result()).chain(self.speed()).collect();
        if let Some(line) = whole(all, width) {
            return vec![line];
        }
        let speed = fitted(self.bar().into_iter().chain(self.speed()).collect(), width);
        let result = fitted(self.result(), width);
        [result, speed].into_iter().filter(|line| !line.is_empty()).collect()
    }

    fn bar(&self) -> Option<Part> {
        let total = self.total.filter(|&total| total > 0)?;
        let full = BAR as u64;
        let filled = self.done.min(total).saturating_mul(full).checked_div(total).unwrap_or(full);
        let (done, open) = (filled as usize, BAR - filled as usize);
        let text = format!("{}{}", "━".repeat(done), Role::Minor.paint("─".repeat(open)));
        Some(Part { rank: 9, text })
    }

    /// The match under way, and which one it is.
    fn result(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        if let Some(summary) = self.summary.as_ref().filter(|summary| summary.games > 0) {
            let role = Role::of_interval(summary.elo_low, summary.elo_high);
            parts.push(Part { rank: 0, text: role.paint(elo_short(summary)) });
            parts.extend(llr_short(summary).map(|text| Part { rank: 1, text }));
        }
        if !self.words.is_empty() {
            parts.push(Part { rank: 8, text: self.words.clone() });
        }
        parts
    }

    fn speed(&self) -> Vec<Part> {
        let of = self.total.map_or(String::new(), |total| format!("/{}", units::count(total)));
        let mut parts =
            vec![Part { rank: 2, text: format!("{}{of} {}", units::count(self.done), self.unit) }];
        // A test may end its match at any pair.
        let is_test = self.summary.as_ref().is_some_and(|summary| summary.llr_low.is_some());
        let up_to = if is_test { "up to " } else { "" };
        let left = |rank, time: Option<Duration>, of: &str| {
            let time = time.filter(|time| time.as_secs() > 0)?;
            Some(Part { rank, text: format!("{up_to}{} left{of}", units::span(time)) })
        };
        // If this is a part of the command, the time left for the whole matters more.
        let is_part = self.whole_left.is_some();
        parts.extend(left(if is_part { 5 } else { 3 }, self.left, ""));
        parts.extend(left(3, self.whole_left, " of the run"));
        if let Some(rate) = self.rate {
            parts.push(Part { rank: 6, text: format!("{} {}/s", units::scaled(rate), self.unit) });
        }
        parts
    }
}

/// All parts in one line, if they fit.
fn whole(parts: Vec<Part>, width: usize) -> Option<String> {
    let texts: Vec<String> = parts.into_iter().map(|part| part.text).collect();
    let line = texts.join(GAP);
    (display_width(&line) <= width).then_some(line)
}

/// The parts that fit, dropping the least important first; if only one is left, it is cut.
fn fitted(mut parts: Vec<Part>, width: usize) -> String {
    loop {
        let line = parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(GAP);
        if display_width(&line) <= width || parts.len() < 2 {
            return cut(&line, width);
        }
        let least = (0..parts.len()).max_by_key(|&index| parts[index].rank);
        least.map(|index| parts.remove(index));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Model, PairCounts, Sprt};
    use crate::terminal::printable;
    use anstream::adapter::strip_str;

    fn text(counts: &str, sprt: bool) -> ProgressText {
        let counts: PairCounts = counts.parse().unwrap();
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Normalized).unwrap();
        ProgressText {
            done: 43,
            total: Some(4000),
            unit: "pairs",
            rate: Some(8.87),
            left: Some(Duration::from_secs(446)),
            whole_left: None,
            words: "against the start".into(),
            summary: Some(Summary::of(&counts, sprt.then_some(&test))),
        }
    }

    fn shown(text: &ProgressText, width: usize) -> String {
        let lines = text.lines(width);
        assert!(lines.iter().all(|line| display_width(line) <= width), "{width}: {lines:?}");
        strip_str(&printable(&lines.join("\n"))).to_string()
    }

    #[test]
    fn elo_and_llr_are_seen_at_every_usual_width() {
        let text = text("10,3,15,5,10", true);
        assert_eq!(
            shown(&text, 60),
            "Elo +8.1 +- 75.4  LLR 0.02 of -2.94..2.94  against the start\n\
             43/4,000 pairs  up to 7:26 min left  8.87 pairs/s"
        );
        assert_eq!(
            shown(&text, 80),
            "Elo +8.1 +- 75.4  LLR 0.02 of -2.94..2.94  against the start\n\
             ────────────────────  43/4,000 pairs  up to 7:26 min left  8.87 pairs/s"
        );
        assert_eq!(shown(&text, 140).lines().count(), 1);
        for width in 1..=140 {
            let shown = shown(&text, width);
            assert!(width < 18 || shown.contains("Elo +8.1 +- 75.4"), "{width}: {shown}");
            assert!(width < 42 || shown.contains("LLR 0.02 of -2.94..2.94"), "{width}: {shown}");
        }
    }

    #[test]
    fn only_a_test_may_end_before_its_pairs_are_played() {
        let line = shown(&text("10,3,15,5,10", false), 80);
        assert!(line.ends_with("43/4,000 pairs  7:26 min left  8.87 pairs/s"), "{line}");
    }

    #[test]
    fn an_elo_without_an_error_is_short() {
        let line = shown(&text("0,0,0,0,2", false), 60);
        assert!(line.starts_with("Elo above "), "{line}");
        let line = shown(&text("0,0,1,0,0", false), 60);
        assert!(line.starts_with("Elo -") && line.contains(" to +"), "{line}");
        assert!(!shown(&text("0,0,0,0,0", false), 60).contains("Elo"));
    }

    #[test]
    fn the_time_left_of_the_run_stays_longest_and_the_last_second_is_none() {
        let mut text = text("0,0,0,0,0", false);
        text.whole_left = Some(Duration::from_secs(4000));
        assert!(shown(&text, 46).ends_with("1:06:40 h left of the run"), "{}", shown(&text, 46));
        (text.whole_left, text.left) = (None, Some(Duration::from_millis(900)));
        assert!(!shown(&text, 80).contains("left"));
        assert_eq!(text.line(), "against the start  43/4,000 pairs  8.87 pairs/s");
    }
}
