//! The batches of a match or a tournament as programs see them, with `--json-events`.

use super::console::Console;
use super::documents::{BatchReport, CommandEvent, Standing};
use crate::arena::GameRecord;
use crate::error::Result;
use crate::stats::Summary;
use crate::tournament::TournamentSettings;
use crate::tune::{BatchRecord, Ledger, Stage, UnfinishedBatch};

/// A ledger that tells of each batch once it is kept.
pub struct EventLedger<'a> {
    /// Keeps the batches.
    pub ledger: &'a mut dyn Ledger,
    /// What they belong to.
    pub settings: &'a TournamentSettings,
    /// Where the events go.
    pub console: &'a Console,
}

impl EventLedger<'_> {
    /// Tells of the batches that are on record already, in their order.
    pub fn tell_recorded(&self) {
        if !self.console.events {
            return;
        }
        for (number, _) in (0..).zip(self.settings.matches()) {
            let batches = self.settings.first_batch(number)..self.settings.first_batch(number + 1);
            let recorded = batches.map_while(|batch| self.ledger.recall(Stage::Match, batch));
            recorded.for_each(|record| self.tell(record));
        }
    }

    fn tell(&self, record: &BatchRecord) {
        let report = batch_report(record, self.settings);
        // A closed stdout ends the command at its result.
        let _ = self.console.event(&CommandEvent::Batch(report));
    }
}

impl Ledger for EventLedger<'_> {
    fn recall(&self, stage: Stage, batch: u64) -> Option<&BatchRecord> {
        self.ledger.recall(stage, batch)
    }

    fn recall_unfinished(&self, stage: Stage, batch: u64) -> Option<&UnfinishedBatch> {
        self.ledger.recall_unfinished(stage, batch)
    }

    fn keep_unfinished(&mut self, batches: Vec<UnfinishedBatch>) -> Result<()> {
        self.ledger.keep_unfinished(batches)
    }

    fn keep(&mut self, record: BatchRecord, games: &[GameRecord]) -> Result<()> {
        let (stage, batch) = (record.stage, record.batch);
        self.ledger.keep(record, games)?;
        if let Some(record) = self.ledger.recall(stage, batch).filter(|_| self.console.events) {
            self.tell(record);
        }
        Ok(())
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
