//! The batches of a match or a tournament as programs see them, with `--json-events`.

use super::documents::BatchReport;
use crate::cli::{CommandEvent, Console, Standing};
use crate::session::{BatchRecord, Ledger, Stage};
use crate::stats::Summary;
use crate::tournament::TournamentSettings;

/// Tells of batches that are safe.
pub struct MatchEvents<'a> {
    /// The settings of the match or tournament.
    pub settings: &'a TournamentSettings,
    /// Where the events go.
    pub console: &'a Console,
}

impl MatchEvents<'_> {
    /// Tells of the batches that are on record already, in their order.
    pub fn tell_recorded(&self, ledger: &dyn Ledger) {
        if !self.console.events {
            return;
        }
        for (number, _) in (0..).zip(self.settings.matches()) {
            let batches = self.settings.first_batch(number)..self.settings.first_batch(number + 1);
            let recorded = batches.map_while(|batch| ledger.recall(Stage::Match, batch));
            recorded.for_each(|record| self.tell(record));
        }
    }

    /// Tells of a batch.
    pub fn tell(&self, record: &BatchRecord) {
        if self.console.events {
            let report = batch_report(record, self.settings);
            // A closed stdout ends the command at its result.
            let _ = self.console.event(&CommandEvent::Batch(report));
        }
    }
}

/// A batch of a match: all games so far, and the numbers of its own match.
fn batch_report(record: &BatchRecord, settings: &TournamentSettings) -> BatchReport {
    let number = record.batch / settings.first_batch(1).max(1);
    let players = usize::try_from(number).ok().and_then(|number| settings.matches().nth(number));
    let name = |place: usize| settings.players.get(place).map(|player| player.name.clone());
    let summary = Summary::of(&record.summary.pairs, settings.sprt.as_ref());
    BatchReport {
        stage: record.stage,
        against: None,
        players: players.map_or(Vec::new(), |both| both.into_iter().filter_map(name).collect()),
        games: record.summary.games,
        knobs: Vec::new(),
        errors: Vec::new(),
        elo_left: None,
        score: Standing::from(&summary),
    }
}
