//! The records of a step's games, and notes of its opponents and of forfeits.

use super::{Duel, SpsaSource, Step};
use crate::arena::{GameRecord, PairRecord};
use crate::error::Result;
use crate::game::Side;
use crate::session::PairDone;
use crate::tune::Target;
use crate::tune::opponents::PairPlace;

impl SpsaSource<'_> {
    /// The place and the side of the opponent in a pair of a step, if there is one. Probes are
    /// played without opponents, unless the step has nothing else.
    pub(super) fn opponent(&self, step: &Step, index: usize) -> Option<(usize, Side)> {
        let taught = if step.probes == 0 { step.duels.len() } else { step.probes };
        let opponents = self.opponents.as_ref().filter(|_| index < taught)?;
        let (index, pairs, quick_pairs) = (index as u64, taught as u64, self.quick_pairs);
        opponents.of_pair(PairPlace { batch: step.number, index, pairs, quick_pairs })
    }

    /// The games of a duel of the oldest step, with the values that both sides played with.
    pub(super) fn games(&self, duel: Option<&Duel>, pair: &PairDone) -> [GameRecord; 2] {
        let Some(duel) = duel else {
            let names = ["plus", "minus"];
            return GameRecord::of_pair(pair.number, names, pair.spec, pair.record, None);
        };
        let names = if duel.probe { ["answer", "start"] } else { ["plus", "minus"] };
        let [a, b] = &duel.values;
        let weights = self.space.weights(a).zip(self.space.weights(b));
        let weights = weights.as_ref().map(|(a, b)| [a.as_slice(), b.as_slice()]);
        let games = GameRecord::of_pair(pair.number, names, pair.spec, pair.record, weights);
        match self.space.knobs().first().map(|knob| knob.target) {
            Some(Target::Search) => {
                let constants = [&self.space.constants(a), &self.space.constants(b)];
                GameRecord::with_constants(games, constants)
            }
            Some(Target::Option) => {
                GameRecord::with_options(games, [self.space.options(a), self.space.options(b)])
            }
            Some(Target::Weights) | None => games,
        }
    }

    /// Notes the games of a pair that the tuned engine forfeited.
    pub(super) fn note_faults(&mut self, pair: &PairDone) {
        if !self.tunes_engine() {
            return;
        }
        let forfeits: u64 = pair.record.forfeits().iter().sum();
        self.faults.add_pair(forfeits as u8);
        let step = self.steps.front();
        let Some(duel) = step.and_then(|step| step.duels.get(pair.index as usize)) else { return };
        let [a, b] = duel.values.each_ref().map(Vec::as_slice);
        for (game, sides) in pair.record.games.iter().zip([[a, b], [b, a]]) {
            if let (Some(loser), Some(forfeit)) = (game.forfeited_by(), &game.forfeit) {
                if game.is_void() {
                    self.faults.add_forfeit(sides, loser, forfeit);
                }
                self.observer.on_forfeit("the tuned engine", game.ending, forfeit);
            }
        }
    }

    /// Ends the tune when an opponent fails to play.
    pub(super) fn watch_opponent(
        &mut self,
        place: usize,
        side: Side,
        result: &PairRecord,
    ) -> Result<()> {
        let watched = self.opponents.as_ref().and_then(|opponents| opponents.watched(place));
        let Some((name, limit)) = watched else { return Ok(()) };
        let mut games = result.games.iter();
        games.try_for_each(|game| self.watch.count_game(name, limit, game, side))
    }

    /// Enters an opponent in the records of its games, and reports its forfeits.
    pub(super) fn note_opponent(&mut self, place: usize, side: Side, records: &mut [GameRecord]) {
        let opponents = self.opponents.as_ref();
        let Some(name) = opponents.and_then(|opponents| opponents.name(place)) else { return };
        let side = side.index();
        for record in records {
            record.players[side] = name.to_owned();
            // It has neither the weights nor the constants of the pair.
            record.weights.iter_mut().for_each(|weights| weights[side].clear());
            record.constants.iter_mut().for_each(|constants| constants[side].clear());
            record.options.iter_mut().for_each(|options| options[side].clear());
            if let Some(forfeit) = &record.forfeit {
                self.observer.on_forfeit(name, record.ending, forfeit);
            }
        }
    }
}
