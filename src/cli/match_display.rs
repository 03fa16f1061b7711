//! The progress of a match or a tournament: for people, and its batches as events for programs.

use super::documents::BatchReport;
use crate::arena::{Forfeit, GameEnding};
use crate::cli::{CommandEvent, Console, Detail, ForfeitLog, Participant, ProgressLine, Standing};
use crate::game::Side;
use crate::report::names::short_names;
use crate::run::TournamentWork;
use crate::session::{BatchRecord, Ledger, PairDone, Stage};
use crate::stats::Summary;
use crate::tournament::{TournamentKind, TournamentObserver, TournamentPair, TournamentSettings};

/// Shows the progress of a match or a tournament.
pub(super) struct MatchDisplay<'a> {
    pub(super) work: &'a TournamentWork,
    pub(super) players: &'a [Participant],
    pub(super) progress: ProgressLine,
    pub(super) forfeits: ForfeitLog,
    /// The console that prints the events.
    pub(super) console: &'a Console,
}

impl MatchDisplay<'_> {
    /// Emits an event for every batch on record, in order.
    pub(super) fn tell_recorded(&self, ledger: &dyn Ledger) {
        let settings = &self.work.config;
        if !self.console.events {
            return;
        }
        for (number, _) in (0..).zip(settings.matches()) {
            let batches = settings.first_batch(number)..settings.first_batch(number + 1);
            let recorded = batches.map_while(|batch| ledger.recall(Stage::Match, batch));
            recorded.for_each(|record| self.tell(record));
        }
    }

    /// Emits the event of a batch that is safe on disk.
    fn tell(&self, record: &BatchRecord) {
        if self.console.events {
            let report = batch_report(record, &self.work.config);
            // A closed stdout ends the command at its result.
            let _ = self.console.event(&CommandEvent::Batch(report));
        }
    }
}

impl TournamentObserver for MatchDisplay<'_> {
    fn on_pair(&mut self, pair: &TournamentPair) {
        let both = pair.players.map(|index| &self.players[index]);
        for (index, loser, ending, forfeit) in forfeits(pair.done) {
            let game = pair.done.number * 2 + index as u64 + 1;
            let lost = ending.of_loser();
            let what = format!("game {game}, {lost} {}", both[loser].name);
            self.forfeits.add(&what, forfeit, &self.progress);
        }
        if let Some(fault) = pair.done.record.referee_fault() {
            let what = format!("pair {}, void by the referee", pair.done.number + 1);
            self.forfeits.add(&what, fault, &self.progress);
        }
        let TournamentWork { kind, config, .. } = self.work;
        let before = pair.number.saturating_mul(config.pairs);
        self.progress.update(before + pair.done.number + 1, || {
            let which = match kind {
                TournamentKind::Match => String::new(),
                TournamentKind::Tournament => {
                    short_names(&both.map(|player| &player.name)).join(" - ")
                }
            };
            Detail::of_match(which, Summary::of(&pair.counts, config.sprt.as_ref()))
        });
    }

    fn on_kept(&mut self, record: &BatchRecord) {
        self.tell(record);
    }
}

/// The games of a pair that were forfeited or lost on time: which of them, who lost (0 for the
/// first player), and why.
fn forfeits<'a>(
    pair: &'a PairDone,
) -> impl Iterator<Item = (usize, usize, GameEnding, &'a Forfeit)> {
    pair.record.games.iter().enumerate().filter_map(|(index, game)| {
        let side = game.forfeited_by()?;
        let loser = if index == 0 { side } else { side.other() };
        let forfeit = game.forfeit.as_ref()?;
        Some((index, usize::from(loser == Side::Second), game.ending, forfeit))
    })
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
