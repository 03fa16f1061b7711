//! Plays a match or a tournament, or the rest of it.

use super::settings::TournamentSettings;
use crate::arena::queue::Threads;
use crate::arena::{
    Book, ForfeitWatch, GameRecord, MatchConfig, MatchEnd, MatchSettings, PairDone, PairRunner,
    PlayerFactory,
};
use crate::error::Result;
use crate::eval::Game;
use crate::game::Board;
use crate::player::{DefaultWeights, Player};
use crate::search::{SearchConstants, Stop};
use crate::tune::{BatchConfig, KeptMatch, Ledger, Playing, Stage};
use crate::weights::WeightSet;
use std::sync::Arc;

/// A player that is ready to play.
pub struct ReadyPlayer<G: Game> {
    /// Its evaluator; `None` of an engine of others.
    pub evaluator: Option<G::Evaluator>,
    /// The weights of it, which workers need; `None` likewise.
    pub weights: Option<WeightSet>,
    /// The constants of its search.
    pub constants: SearchConstants,
    /// What makes its players, if it is an engine of others.
    pub factory: Option<Arc<dyn PlayerFactory<G>>>,
}

/// A pair of a tournament that has just been counted.
pub struct TournamentPair<'a, G: Game> {
    /// The number of its match, from 0.
    pub number: u64,
    /// The places of the match's players.
    pub players: [usize; 2],
    /// The pair.
    pub done: &'a PairDone<'a, G>,
}

/// A match or a tournament to play.
pub struct Tournament<'a, G: Game> {
    /// All that decides it.
    pub settings: &'a TournamentSettings,
    /// Its players, in their order.
    pub players: &'a [ReadyPlayer<G>],
    /// The threads that play.
    pub threads: &'a Threads,
    /// Once set, no further pair begins.
    pub interrupt: &'a Stop,
}

impl<G: Game> Tournament<'_, G> {
    /// Plays whatever the ledger has not on record; `on_pair` sees each pair once it is counted.
    ///
    /// # Errors
    /// When there are no such openings, the record belongs to other settings, a batch cannot be
    /// kept, an engine of others does not play, or the interruption came first.
    pub fn play(
        &self,
        ledger: &mut dyn Ledger,
        on_pair: &mut dyn FnMut(&TournamentPair<G>),
    ) -> Result<()> {
        let board: Board = self.settings.board.parse()?;
        let (mut judge, mut watch) = (None, ForfeitWatch::default());
        let mut games_before = 0;
        for (number, players) in (0..).zip(self.settings.matches()) {
            let [first, next] = [number, number + 1].map(|n| self.settings.first_batch(n));
            let last = ledger.recall(Stage::Match, next - 1).map(|last| &last.summary);
            if let Some(last) = last.filter(|last| last.end.is_some()) {
                games_before = last.games;
                continue;
            }
            let judge: &G::Evaluator = match &judge {
                Some(judge) => judge,
                None => judge.insert(self.judge(board)?),
            };
            let batches = BatchConfig {
                stage: Stage::Match,
                first_batch: first,
                batch_pairs: self.settings.batch_pairs,
                check: format!("{}-{}", players[0], players[1]),
                games_before,
            };
            let mut on_done = |done: &PairDone<G>| {
                on_pair(&TournamentPair { number, players, done });
                watch.count_pair(done.result, players.map(|place| self.watched(place)))
            };
            games_before += self.play_match(players, (judge, batches), ledger, &mut on_done)?;
        }
        Ok(())
    }

    /// The name of a player that is an engine of others, and how many games it may forfeit in a row.
    fn watched(&self, place: usize) -> Option<(&str, u64)> {
        let player = &self.settings.players[place];
        player.engine().map(|engine| (player.name.as_str(), engine.forfeit_limit))
    }

    /// Plays one match, or the rest of it, and gives its games.
    fn play_match(
        &self,
        players: [usize; 2],
        (judge, batches): (&G::Evaluator, BatchConfig),
        ledger: &mut dyn Ledger,
        on_pair: &mut dyn FnMut(&PairDone<G>) -> Result<()>,
    ) -> Result<u64> {
        let settings = self.settings;
        let both = players.map(|index| &self.players[index]);
        let names = players.map(|index| settings.players[index].name.as_str());
        let board: Board = settings.board.parse()?;
        let constants = both.map(|player| &player.constants);
        let is_usual = constants.iter().all(|constants| **constants == SearchConstants::default());
        let match_settings = MatchSettings {
            constants: constants.map(SearchConstants::clone),
            ..settings.match_settings(players)
        };
        let stop = Stop::default();
        let shared = match both.map(|player| player.weights.as_ref()) {
            [Some(a), Some(b)] => self.threads.shared([a, b])?,
            _ => None,
        };
        let runner = PairRunner::new(match_settings, stop.clone())
            .with_interrupt(self.interrupt.clone())
            .with_factories(both.map(|player| player.factory.clone()))
            .with_shared(shared);
        let evaluators = both.map(|player| player.evaluator.as_ref().unwrap_or(judge).clone());
        let config = MatchConfig::new(settings.pairs, settings.sprt);
        let mut kept = KeptMatch::new(config, runner.clone(), evaluators, batches);
        let to_records = |done: &PairDone<G>| {
            let (opening, result) = (done.opening, done.result);
            let pair = GameRecord::of_pair(done.number, board, names, opening, result, None);
            if is_usual { pair } else { GameRecord::with_constants(pair, constants) }
        };
        let playing =
            Playing { threads: self.threads, interrupt: self.interrupt, to_records: &to_records };
        let mut book = Book::<G>::new(settings.book_of(players), judge.clone())?;
        let end = kept.play(&playing, &mut book, &mut Vec::new(), ledger, on_pair);
        // Pairs still in progress after a verdict would keep threads and engines busy.
        stop.set();
        match end? {
            MatchEnd::Stopped => Err(runner.stop_error("match")),
            _ => Ok(kept.game_match().counts().games()),
        }
    }

    /// The evaluator that judges openings: that of the board's default set, so that the openings do
    /// not depend on the players.
    fn judge(&self, board: Board) -> Result<G::Evaluator> {
        let default = Player::find::<G>(None, DefaultWeights::Strongest(board));
        default.and_then(|default| G::evaluator(&default.weights)).or_else(|error| {
            let own = self.players.iter().find_map(|player| player.evaluator.clone());
            own.ok_or(error)
        })
    }
}
