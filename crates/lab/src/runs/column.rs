//! A run as a column beside others.

use super::view::RunView;
use crate::report::comparison::ComparedRun;
use crate::report::units;
use std::time::Duration;

impl RunView {
    /// The run's column in a comparison.
    pub fn column(&self) -> ComparedRun<'_> {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".into());
        let series = self.series.as_ref();
        let worked = series.map_or(0.0, |series| series.seconds_worked);
        let worked = Duration::try_from_secs_f64(worked).unwrap_or_default();
        let mut facts = vec![
            ("state", self.state.name().to_owned()),
            ("game", text(&self.game)),
            ("board", text(&self.board)),
            ("method", text(&self.method)),
            ("start", text(&self.start)),
            ("games", self.games_text()),
            ("time worked", units::time(worked)),
            ("Elo", units::with_error(self.elo, self.elo_error)),
            ("against", text(&self.against)),
        ];
        if let Some(summary) = &self.summary {
            facts.push(("limits of a move", summary.limits.to_string()));
            facts.push(("seed", summary.seed.to_string()));
        }
        ComparedRun { name: &self.run, facts, summary: self.summary.as_ref() }
    }
}
