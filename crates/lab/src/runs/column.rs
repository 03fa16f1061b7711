//! A run as a column beside others.

use super::live::RunDocument;
use crate::report::comparison::ComparedRun;
use crate::report::units;
use std::time::Duration;

impl RunDocument {
    /// What a comparison shows of the run.
    pub fn column(&self) -> ComparedRun<'_> {
        let line = &self.line;
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".into());
        let worked = Duration::try_from_secs_f64(self.series.seconds_worked).unwrap_or_default();
        let mut facts = vec![
            ("state", line.state.name().to_owned()),
            ("game", text(&line.game)),
            ("board", text(&line.board)),
            ("method", text(&line.method)),
            ("start", text(&line.start)),
            ("games", line.games_text()),
            ("time worked", units::time(worked)),
            ("Elo", units::with_error(line.elo, line.elo_error)),
            ("against", text(&line.against)),
        ];
        if let Some(summary) = &self.summary {
            facts.push(("limits of a move", summary.limits.to_string()));
            facts.push(("seed", summary.seed.to_string()));
        }
        let curve = &self.series.strength;
        let strength = curve.games.iter().zip(&curve.elo);
        let strength = strength.filter_map(|(&games, &elo)| Some((games as f64, elo?))).collect();
        ComparedRun { name: &line.run, facts, summary: self.summary.as_ref(), strength }
    }
}
