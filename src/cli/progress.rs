//! Progress of long commands: a bar on a terminal, else lines of a log.

use super::console::Console;
use super::documents::{CommandEvent, ProgressReport, Standing};
use super::summary::short_text;
use crate::arena::Forfeit;
use crate::report::units;
use crate::stats::Summary;
use crate::terminal::printable;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// How often a log gets a line.
const LOG_EVERY: Duration = Duration::from_secs(10);
/// Before this much time the rate says little about the time left.
const WARM_UP: Duration = Duration::from_secs(1);
/// How often programs get an event.
const EVENT_EVERY: Duration = Duration::from_secs(1);

/// What is known beside the count.
#[derive(Clone, Debug, Default)]
pub struct Detail {
    /// In words, without the match; may be empty.
    pub text: String,
    /// The match under way.
    pub summary: Option<Summary>,
}

impl From<String> for Detail {
    fn from(text: String) -> Self {
        Self { text, summary: None }
    }
}

impl Detail {
    /// A match under way; `text` says which, or is empty.
    pub fn of_match(text: impl Into<String>, summary: Summary) -> Self {
        Self { text: text.into(), summary: Some(summary) }
    }

    fn line(&self) -> String {
        let summary = self.summary.as_ref().map(short_text);
        match (self.text.as_str(), summary) {
            (text, None) => text.into(),
            ("", Some(summary)) => summary,
            (text, Some(summary)) => format!("{text}: {summary}"),
        }
    }
}

/// The progress of a command. On a terminal it is a bar on stderr; else, with `--verbose`, a line
/// on stderr every ten seconds; else nothing.
pub struct ProgressLine {
    console: Console,
    bar: Option<ProgressBar>,
    unit: &'static str,
    total: Option<u64>,
    until: Option<Instant>,
    before: u64,
    begun: Instant,
    logged: Instant,
    /// When programs got the last event.
    told: Option<Instant>,
}

impl ProgressLine {
    /// Begins at nothing done of `total` (if known) things called `unit`.
    pub fn new(console: &Console, total: Option<u64>, unit: &'static str) -> Self {
        let bar = console.is_live().then(|| match total {
            Some(total) => ProgressBar::new(total).with_style(style("{bar:20} {wide_msg}")),
            None => ProgressBar::new_spinner().with_style(style("{spinner} {wide_msg}")),
        });
        let now = Instant::now();
        Self {
            console: *console,
            bar,
            unit,
            total,
            until: None,
            before: 0,
            begun: now,
            logged: now,
            told: None,
        }
    }

    /// Leaves the first `done` things out of the rate: an earlier process did them.
    #[must_use]
    pub fn resumed_at(mut self, done: u64) -> Self {
        self.before = done;
        self
    }

    /// The work ends at this time, if not sooner.
    #[must_use]
    pub fn until(mut self, end: Instant) -> Self {
        self.until = Some(end);
        self
    }

    /// Shows that `done` things are done in all; `detail` is called only when it is shown.
    pub fn update<D: Into<Detail>>(&mut self, done: u64, detail: impl FnOnce() -> D) {
        let is_told = self.told.is_some_and(|told| told.elapsed() < EVENT_EVERY);
        let is_event = self.console.events && (!is_told || Some(done) == self.total);
        let is_line = self.console.verbose && self.logged.elapsed() >= LOG_EVERY;
        if self.bar.is_none() && !is_event && !is_line {
            return;
        }
        let detail: Detail = detail().into();
        if is_event {
            self.told = Some(Instant::now());
            self.tell(done, &detail);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(printable(&self.text(done, &detail.line())));
        } else if is_line {
            self.logged = Instant::now();
            self.console.aside(self.text(done, &detail.line()));
        }
    }

    /// Tells programs.
    fn tell(&self, done: u64, detail: &Detail) {
        let (elapsed, fresh) = (self.begun.elapsed(), done.saturating_sub(self.before));
        let report = ProgressReport {
            unit: self.unit.into(),
            done,
            total: self.total,
            rate: units::per_second(fresh, elapsed).filter(|_| fresh > 0),
            seconds_left: self.time_left(done, fresh, elapsed).map(|left| left.as_secs_f64()),
            detail: detail.text.clone(),
            score: detail.summary.as_ref().map(Standing::from),
        };
        // A closed stdout ends the command at its result.
        let _ = self.console.event(&CommandEvent::Progress(report));
    }

    /// Tells programs that an engine has forfeited a game.
    fn tell_forfeit(&self, what: &str, forfeit: &Forfeit) {
        let (what, forfeit) = (what.into(), forfeit.clone());
        let _ = self.console.event(&CommandEvent::Forfeit { what, forfeit });
    }

    /// Writes a line without disturbing the bar.
    pub fn aside(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.console.aside(text)),
            None => self.console.aside(text),
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    fn text(&self, done: u64, detail: &str) -> String {
        let (elapsed, fresh) = (self.begun.elapsed(), done.saturating_sub(self.before));
        let of = self.total.map_or(String::new(), |total| format!("/{}", units::count(total)));
        let mut parts = vec![format!("{}{of} {}", units::count(done), self.unit)];
        if fresh > 0 {
            parts.push(units::rate(fresh, elapsed, self.unit));
        }
        if let Some(left) = self.time_left(done, fresh, elapsed) {
            parts.push(format!("{} left", units::time(Duration::from_secs(left.as_secs()))));
        }
        parts.push(detail.to_owned());
        parts.retain(|part| !part.is_empty());
        parts.join("  ")
    }

    fn time_left(&self, done: u64, fresh: u64, elapsed: Duration) -> Option<Duration> {
        let by_clock = self.until.map(|end| end.saturating_duration_since(Instant::now()));
        let by_rate = self.total.filter(|_| fresh > 0 && elapsed >= WARM_UP).and_then(|total| {
            let left = total.saturating_sub(done) as f64;
            Duration::try_from_secs_f64(elapsed.as_secs_f64() * left / fresh as f64).ok()
        });
        by_clock.into_iter().chain(by_rate).min()
    }
}

/// Prints the first ten forfeited games; further ones are only counted.
#[derive(Default)]
pub struct ForfeitLog(u64);

impl ForfeitLog {
    /// Prints `what` was forfeited, the reason, and the engine's last lines on stderr.
    pub fn add(&mut self, what: &str, forfeit: &Forfeit, progress: &ProgressLine) {
        const MANY: u64 = 10;
        progress.tell_forfeit(what, forfeit);
        self.0 += 1;
        if self.0 > MANY {
            return;
        }
        progress.aside(&format!("{what}: {}", forfeit.reason));
        forfeit.last_words.iter().for_each(|line| progress.aside(&format!("    {line}")));
        if self.0 == MANY {
            progress.aside("(forfeits after these are only counted)");
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    // The templates above are well formed; if not, indicatif's own bar will do.
    ProgressStyle::with_template(template)
        .map_or_else(|_| ProgressStyle::default_bar(), |style| style.progress_chars("=> "))
}
