//! Plays a match or a tournament, or the rest of it.

use super::settings::TournamentSettings;
use crate::any::AnyEvaluator;
use crate::arena::queue::Threads;
use crate::arena::{
    Book, ForfeitWatch, GameRecord, MatchConfig, MatchEnd, PairDone, PairRunner, PairSpec,
    PlayerFactory, PlayerSpec, Sets,
};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::{SearchConstants, Stop};
use crate::tune::{BatchConfig, KeptMatch, Ledger, Playing, Stage};
use std::sync::Arc;

/// A player that is ready to play.
#[derive(Clone)]
pub enum ReadyPlayer {
    /// The engine of this program with these weights and constants.
    Own(Box<Player>),
    /// An engine of others, by what makes its players.
    Engine(Arc<dyn PlayerFactory>),
}

impl ReadyPlayer {
    fn own(&self) -> Option<&Player> {
        match self {
            Self::Own(player) => Some(player),
            Self::Engine(_) => None,
        }
    }
}

/// A pair of a tournament that has just been counted.
pub struct TournamentPair<'a> {
    /// The number of its match, from 0.
    pub number: u64,
    /// The places of the match's players.
    pub players: [usize; 2],
    /// The pair.
    pub done: &'a PairDone<'a>,
}

/// A match or a tournament to play.
pub struct Tournament<'a> {
    /// All that decides it.
    pub settings: &'a TournamentSettings,
    /// Its players, in their order.
    pub players: &'a [ReadyPlayer],
    /// The threads that play.
    pub threads: &'a Threads,
    /// Once set, no further pair begins.
    pub interrupt: &'a Stop,
}

impl Tournament<'_> {
    /// Plays whatever the ledger has not on record; `on_pair` sees each pair once it is counted.
    ///
    /// # Errors
    /// When there are no such openings, the record belongs to other settings, a batch cannot be
    /// kept, an engine of others does not play, or the interruption came first.
    pub fn play(
        &self,
        ledger: &mut dyn Ledger,
        on_pair: &mut dyn FnMut(&TournamentPair),
    ) -> Result<()> {
        let game: GameId = self.settings.game.parse()?;
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
            if judge.is_none() && game.has_engine() {
                judge = Some(self.judge(game, board)?);
            }
            let batches = BatchConfig {
                stage: Stage::Match,
                first_batch: first,
                batch_pairs: self.settings.batch_pairs,
                check: format!("{}-{}", players[0], players[1]),
                games_before,
            };
            let mut on_done = |done: &PairDone| {
                on_pair(&TournamentPair { number, players, done });
                watch.count_pair(done.record, players.map(|place| self.watched(place)))
            };
            let judged = (judge.as_ref(), batches);
            games_before += self.play_match(game, players, judged, ledger, &mut on_done)?;
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
        game: GameId,
        players: [usize; 2],
        (judge, batches): (Option<&AnyEvaluator>, BatchConfig),
        ledger: &mut dyn Ledger,
        on_pair: &mut dyn FnMut(&PairDone) -> Result<()>,
    ) -> Result<u64> {
        let settings = self.settings;
        let both = players.map(|index| &self.players[index]);
        let names = players.map(|index| settings.players[index].name.as_str());
        let usual = SearchConstants::default();
        let constants = both.map(|player| player.own().map_or(&usual, |own| &own.constants));
        let is_usual = constants.iter().all(|constants| **constants == SearchConstants::default());
        let (mut sets, mut engines) = (Sets::new(), Vec::new());
        let pair = self.pair(game, players, &mut sets, &mut engines)?;
        let stop = Stop::default();
        let runner =
            PairRunner::with_engines(game, engines, [&stop, self.interrupt].map(Stop::clone));
        let config = MatchConfig::new(settings.pairs, settings.sprt);
        let mut kept = KeptMatch::new(config, runner.clone(), (pair, sets), batches);
        let to_records = |done: &PairDone| {
            let pair = GameRecord::of_pair(done.number, names, done.spec, done.record, None);
            if is_usual { pair } else { GameRecord::with_constants(pair, constants) }
        };
        let playing =
            Playing { threads: self.threads, interrupt: self.interrupt, to_records: &to_records };
        let mut book = Book::new(game, settings.book_of(players), judge)?;
        let end = kept.play(&playing, &mut book, &mut Vec::new(), ledger, on_pair);
        // Pairs still in progress after a verdict would keep threads and engines busy.
        stop.set();
        match end? {
            MatchEnd::Stopped => Err(runner.stop_error("match")),
            _ => Ok(kept.game_match().counts().games()),
        }
    }

    /// A pair of two players without an opening. Their sets and engines are put among those of the
    /// pairs.
    fn pair(
        &self,
        game: GameId,
        players: [usize; 2],
        sets: &mut Sets,
        engines: &mut Vec<Arc<dyn PlayerFactory>>,
    ) -> Result<PairSpec> {
        let settings = self.settings;
        let mut spec = |place: usize| {
            let contestant = &settings.players[place];
            let spec = match &self.players[place] {
                ReadyPlayer::Own(player) => PlayerSpec::of_player(player, contestant.limits, sets)?,
                ReadyPlayer::Engine(factory) => {
                    engines.push(factory.clone());
                    PlayerSpec::of_engine(engines.len() - 1, contestant.limits)
                }
            };
            let algorithm = contestant.algorithm().unwrap_or_default();
            Ok::<_, Error>(PlayerSpec { algorithm, ..spec })
        };
        let [a, b] = players.map(&mut spec);
        let pair = PairSpec::new(game, settings.board.parse()?, [a?, b?]);
        let (table_bytes, adjudication) = (settings.table_bytes, settings.adjudication);
        Ok(PairSpec { table_bytes, adjudication, ..pair })
    }

    /// The evaluator that judges openings: that of the board's default set, so that the openings do
    /// not depend on the players.
    fn judge(&self, game: GameId, board: Board) -> Result<AnyEvaluator> {
        let default = Player::find(game, None, DefaultWeights::Strongest(board));
        default.and_then(|default| game.evaluator(&default.weights)).or_else(|error| {
            let own = self.players.iter().find_map(ReadyPlayer::own);
            own.map_or(Err(error), |own| game.evaluator(&own.weights))
        })
    }
}
