//! Progress of long commands: a bar on a terminal, else lines of a log.

use super::documents::ProgressReport;
use super::live_terminal::LiveTerminal;
use super::progress_text::ProgressText;
use crate::arena::Forfeit;
use crate::cli::{CommandEvent, Console, PROCESS, Standing};
use crate::report::units;
use crate::stats::Summary;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// Time between two lines of a log.
const LOG_EVERY: Duration = Duration::from_secs(60);
/// Time between two lines of a log with `--verbose`.
const VERBOSE_LOG_EVERY: Duration = Duration::from_secs(10);
/// Time between two progress events.
const EVENT_EVERY: Duration = Duration::from_secs(1);
/// The most draws of a bar in a second.
const DRAWS: u8 = 10;
/// Earlier than this, the rate says little about the time left.
const WARM_UP: Duration = Duration::from_secs(1);
/// Updates this soon after the start are replayed from the journal.
const REPLAY: Duration = Duration::from_millis(300);

/// Makes the progress show who plays.
#[cfg(feature = "cluster")]
pub fn show_players(players: impl Fn() -> Option<String> + Send + 'static) {
    *PROCESS.players.lock() = Some(Box::new(players));
}

/// The words, followed by the players' names.
fn with_players(words: &str) -> String {
    let players = PROCESS.players.lock();
    let players = players.as_ref().and_then(|players| players());
    match players {
        None => words.to_owned(),
        Some(players) if words.is_empty() => players,
        Some(players) => format!("{words}; {players}"),
    }
}

/// Writes a line to stderr from a thread that has no handle of the bar, without breaking the bar.
pub fn aside_of_any(console: &Console, text: &str) {
    let bar = PROCESS.bar.lock().clone();
    match bar {
        Some(bar) => bar.suspend(|| console.aside(text)),
        None => console.aside(text),
    }
}

/// Details beside the count.
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
}

/// How fast things are done, measured from the first update.
#[derive(Clone, Copy, Debug)]
struct ProgressRate {
    begun: Instant,
    origin: (Instant, u64),
}

impl ProgressRate {
    fn new(before: u64) -> Self {
        let now = Instant::now();
        Self { begun: now, origin: (now, before) }
    }

    /// Records that `done` things are done in all.
    fn see(&mut self, done: u64) {
        if done <= self.origin.1 || self.begun.elapsed() < REPLAY {
            self.origin = (Instant::now(), done.max(self.origin.1));
        }
    }

    /// Things a second; `None` while it is too early to tell.
    fn rate(&self, done: u64) -> Option<f64> {
        let (since, before) = self.origin;
        let rate = units::per_second(done.saturating_sub(before), since.elapsed());
        rate.filter(|&rate| rate > 0.0 && since.elapsed() >= WARM_UP)
    }

    /// The time until `total` things are done.
    fn left(&self, done: u64, total: u64) -> Option<Duration> {
        let seconds = total.saturating_sub(done) as f64 / self.rate(done)?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

/// The progress of a command. On a terminal it is a bar on stderr; else a line on stderr every
/// minute, with `--verbose` every ten seconds; with `--quiet` nothing.
pub struct ProgressLine {
    console: Console,
    bar: Option<ProgressBar>,
    unit: &'static str,
    total: Option<u64>,
    until: Option<Instant>,
    pace: ProgressRate,
    /// The time left for the whole command, if this is one part of it.
    whole_left: Option<Duration>,
    logged: Instant,
    /// The time of the last progress event.
    told: Option<Instant>,
}

impl ProgressLine {
    /// Begins at nothing done of `total` (if known) things called `unit`.
    pub fn new(console: &Console, total: Option<u64>, unit: &'static str) -> Self {
        let bar = (console.is_live() && !console.quiet).then(|| {
            let target = ProgressDrawTarget::term_like_with_hz(Box::new(LiveTerminal), DRAWS);
            ProgressBar::with_draw_target(None, target).with_style(style("{msg}"))
        });
        PROCESS.bar.lock().clone_from(&bar);
        Self {
            console: *console,
            bar,
            unit,
            total,
            until: None,
            pace: ProgressRate::new(0),
            whole_left: None,
            logged: Instant::now(),
            told: None,
        }
    }

    /// Leaves the first `done` things out of the rate: an earlier process did them.
    #[must_use]
    pub fn resumed_at(mut self, done: u64) -> Self {
        self.pace = ProgressRate::new(done);
        self
    }

    /// The work has a time limit, if one is given, and ends then if not sooner.
    #[must_use]
    pub fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Changes the planned number of things.
    pub fn set_total(&mut self, total: u64) {
        self.total = Some(total);
    }

    /// Sets the time left for the whole command.
    pub fn set_whole_left(&mut self, left: Option<Duration>) {
        self.whole_left = left;
    }

    /// Shows that `done` things are done in all; `detail` is called only when it is shown.
    pub fn update<D: Into<Detail>>(&mut self, done: u64, detail: impl FnOnce() -> D) {
        self.pace.see(done);
        let is_told = self.told.is_some_and(|told| told.elapsed() < EVENT_EVERY);
        let is_event = self.console.events && (!is_told || Some(done) == self.total);
        let every = if self.console.verbose { VERBOSE_LOG_EVERY } else { LOG_EVERY };
        let is_line = self.bar.is_none() && !self.console.quiet && self.logged.elapsed() >= every;
        if self.bar.is_none() && !is_event && !is_line {
            return;
        }
        let detail: Detail = detail().into();
        if is_event {
            self.told = Some(Instant::now());
            self.tell(done, &detail);
        }
        if let Some(bar) = &self.bar {
            let lines = self.text(done, &detail).lines(self.console.live_width());
            bar.set_message(self.console.on_stderr(&lines.join("\n")));
        } else if is_line {
            self.logged = Instant::now();
            self.console.aside(self.text(done, &detail).line());
        }
    }

    fn tell(&self, done: u64, detail: &Detail) {
        let report = ProgressReport {
            unit: self.unit.into(),
            done,
            total: self.total,
            rate: self.pace.rate(done),
            seconds_left: self.time_left(done).map(|left| left.as_secs_f64()),
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
            PROCESS.bar.lock().take();
            bar.finish_and_clear();
        }
    }

    fn text(&self, done: u64, detail: &Detail) -> ProgressText {
        ProgressText {
            done,
            total: self.total,
            unit: self.unit,
            rate: self.pace.rate(done),
            left: self.time_left(done),
            whole_left: self.whole_left,
            words: with_players(&detail.text),
            summary: detail.summary,
        }
    }

    fn time_left(&self, done: u64) -> Option<Duration> {
        let by_clock = self.until.map(|end| end.saturating_duration_since(Instant::now()));
        let by_rate = self.total.and_then(|total| self.pace.left(done, total));
        by_clock.into_iter().chain(by_rate).min()
    }
}

/// The time left of work in several parts, each with its own progress line.
#[derive(Clone, Copy, Debug)]
pub struct WholeWork {
    total: u64,
    /// Things done in the parts before the one shown.
    earlier: u64,
    current: u64,
    pace: ProgressRate,
    /// When a time limit ends it.
    until: Option<Instant>,
}

impl WholeWork {
    /// Work of `total` things, `before` of which an earlier process did.
    pub fn new(total: u64, before: u64) -> Self {
        Self { total, earlier: 0, current: 0, pace: ProgressRate::new(before), until: None }
    }

    /// The work has a time limit, if one is given, and ends then.
    #[must_use]
    pub fn until(self, until: Option<Instant>) -> Self {
        Self { until, ..self }
    }

    /// Begins the next part of the work.
    pub fn next_part(&mut self) {
        self.earlier += self.current;
        self.current = 0;
    }

    /// The time left when `done` things of the part are done; `None` while it is too early to tell.
    pub fn left(&mut self, done: u64) -> Option<Duration> {
        self.current = done;
        if let Some(end) = self.until {
            return Some(end.saturating_duration_since(Instant::now()));
        }
        let done = self.earlier + done;
        self.pace.see(done);
        self.pace.left(done, self.total)
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
        forfeit.shown_words().iter().for_each(|line| progress.aside(&format!("    {line}")));
        if self.0 == MANY {
            progress.aside("(forfeits after these are only counted)");
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    // The template is well formed; if not, indicatif's default bar will do.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_on_record_is_no_speed() {
        let mut pace = ProgressRate::new(0);
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        pace.see(100_000);
        assert_eq!((pace.origin.1, pace.rate(100_000)), (100_000, None));
        (pace.begun, pace.origin.0) = (ago(10), ago(10));
        pace.see(100_050);
        assert_eq!(pace.rate(100_050).map(f64::round), Some(5.0));
        assert_eq!(pace.left(100_050, 100_100).map(|left| left.as_secs_f64().round()), Some(10.0));
        let mut resumed = ProgressRate::new(500);
        resumed.begun = ago(10);
        resumed.see(400);
        assert_eq!(resumed.origin.1, 500, "the record is still being read");
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let mut whole = WholeWork::new(1000, 0);
        assert_eq!(whole.left(100), None);
        whole.next_part();
        let ago = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        (whole.pace.begun, whole.pace.origin.0) = (ago, ago);
        assert_eq!(whole.left(100).map(|left| left.as_secs_f64().round()), Some(80.0));
    }
}
