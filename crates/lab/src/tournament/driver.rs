//! Plays a match or a tournament, or the rest of it.

use super::settings::TournamentSettings;
use crate::any::AnyEvaluator;
use crate::arena::{
    Book, EngineJudge, ForfeitWatch, GameRecord, PairSpec, PlayerFactory, PlayerSpec, Sets,
};
use crate::error::{Error, Result};
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::SearchConstants;
use crate::session::{
    BatchRecord, Cast, MatchBatches, MatchSource, MatchWatcher, PairDone, Session, Stage,
};
use crate::stats::PairCounts;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A player that is ready to play.
#[derive(Clone)]
pub enum ReadyPlayer {
    /// The engine of this program with these weights and constants.
    Own(Box<Player>),
    /// An external engine, by the factory of its players.
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
    /// The pair that is finished.
    pub done: &'a PairDone<'a>,
    /// The pairs of the match until now.
    pub counts: PairCounts,
}

/// Observes the pairs of a tournament.
pub trait TournamentObserver {
    /// A pair was counted.
    fn on_pair(&mut self, pair: &TournamentPair);

    /// A batch is safe.
    fn on_kept(&mut self, record: &BatchRecord) {
        let _ = record;
    }
}

impl<F: FnMut(&TournamentPair)> TournamentObserver for F {
    fn on_pair(&mut self, pair: &TournamentPair) {
        self(pair);
    }
}

/// A match or a tournament to play.
pub struct Tournament<'a> {
    /// Everything that decides its games.
    pub settings: &'a TournamentSettings,
    /// Its players, in the order of the settings.
    pub players: &'a [ReadyPlayer],
}

/// Records the games of one match, and watches for engines that fail to play.
struct GameRecorder<'a> {
    settings: &'a TournamentSettings,
    number: u64,
    players: [usize; 2],
    /// The constants of both, unless both have the usual ones.
    constants: Option<[SearchConstants; 2]>,
    forfeits: &'a mut ForfeitWatch,
    observer: &'a mut dyn TournamentObserver,
}

impl MatchWatcher for GameRecorder<'_> {
    fn records(&self, pair: &PairDone) -> [GameRecord; 2] {
        let names = self.players.map(|place| self.settings.players[place].name.as_str());
        let games = GameRecord::of_pair(pair.number, names, pair.spec, pair.record, None);
        match &self.constants {
            Some(constants) => GameRecord::with_constants(games, constants.each_ref()),
            None => games,
        }
    }

    fn on_pair(&mut self, done: &PairDone, counts: PairCounts) -> Result<()> {
        let Self { settings, number, players, .. } = *self;
        self.observer.on_pair(&TournamentPair { number, players, done, counts });
        // The name of a player that is an external engine, and the games it may forfeit in a row.
        let watched = |place: usize| {
            let player = &settings.players[place];
            player.engine().map(|engine| (player.name.as_str(), engine.forfeit_limit))
        };
        self.forfeits.count_pair(done.record, players.map(watched))
    }

    fn on_kept(&mut self, record: &BatchRecord) {
        self.observer.on_kept(record);
    }
}

impl Tournament<'_> {
    /// Plays whatever the session's ledger does not have on record.
    ///
    /// # Errors
    /// When there are no such openings, when an external engine fails to play, and as
    /// [`Session::play`].
    pub fn play(&self, session: &mut Session, observer: &mut dyn TournamentObserver) -> Result<()> {
        let game: GameId = self.settings.game.parse()?;
        let board: Board = self.settings.board.parse()?;
        let (mut judge, mut forfeits) = (None, ForfeitWatch::default());
        let mut games_before = 0;
        for (number, players) in (0..).zip(self.settings.matches()) {
            let [first, next] = [number, number + 1].map(|n| self.settings.first_batch(n));
            let last = session.ledger.recall(Stage::Match, next - 1).map(|last| &last.summary);
            if let Some(last) = last.filter(|last| last.end.is_some()) {
                games_before = last.games;
                continue;
            }
            if judge.is_none() && game.has_engine() {
                judge = Some(self.judge(game, board)?);
            }
            let batches = MatchBatches {
                stage: Stage::Match,
                first,
                pairs: self.settings.batch_pairs,
                check: format!("{}-{}", players[0], players[1]),
                games_before,
            };
            let mut watcher = GameRecorder {
                settings: self.settings,
                number,
                players,
                constants: self.constants(players),
                forfeits: &mut forfeits,
                observer,
            };
            let book = self.settings.book_of(players);
            let book = Book::new(game, book, judge.as_ref())?;
            let mut book = book.judged_by(self.engine_judge(players));
            games_before += self.play_match(game, batches, &mut book, session, &mut watcher)?;
        }
        Ok(())
    }

    /// The first external engine of a match as the judge of its openings.
    fn engine_judge(&self, players: [usize; 2]) -> Option<EngineJudge> {
        players.into_iter().find_map(|place| match &self.players[place] {
            ReadyPlayer::Engine(engine) => {
                let limits = self.settings.players[place].limits;
                Some(EngineJudge::new(engine, &BTreeMap::new(), limits))
            }
            ReadyPlayer::Own(_) => None,
        })
    }

    /// The constants of two players, unless both have the usual ones.
    fn constants(&self, players: [usize; 2]) -> Option<[SearchConstants; 2]> {
        let own = |place: usize| self.players[place].own().map(|own| own.constants.clone());
        let both = players.map(|place| own(place).unwrap_or_default());
        both.iter().any(|constants| *constants != SearchConstants::default()).then_some(both)
    }

    /// Plays one match, or the rest of it, and returns the number of its games.
    fn play_match(
        &self,
        game: GameId,
        batches: MatchBatches,
        book: &mut Book,
        session: &mut Session,
        watcher: &mut GameRecorder,
    ) -> Result<u64> {
        let (mut sets, mut engines) = (Sets::new(), Vec::new());
        let pair = self.pair(game, watcher.players, &mut sets, &mut engines)?;
        let config = self.settings.match_config();
        let mut source = MatchSource::new(config, batches, pair, session.threads, watcher);
        session.play(&mut source, Cast { game, sets, engines }, book)?;
        Ok(source.score().played().saturating_mul(2))
    }

    /// A pair of two players without an opening. Adds their sets and engines to `sets` and
    /// `engines`.
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
        let TournamentSettings { table_bytes, adjudication, max_plies, .. } = *settings;
        Ok(PairSpec { table_bytes, adjudication, max_plies, ..pair })
    }

    /// The evaluator that judges openings: the board's default set, so that the openings do not
    /// depend on the players.
    fn judge(&self, game: GameId, board: Board) -> Result<AnyEvaluator> {
        let default = Player::find(game, None, DefaultWeights::Strongest(board));
        default.and_then(|default| game.evaluator(&default.weights)).or_else(|error| {
            let own = self.players.iter().find_map(ReadyPlayer::own);
            own.map_or(Err(error), |own| game.evaluator(&own.weights))
        })
    }
}
