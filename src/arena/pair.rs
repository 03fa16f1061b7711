//! A game pair: the unit of all statistics.

use super::play::{Adjudication, GameEnding, GameResult, SideTotals, play_game};
use super::player::{PlayerFactories, PlayerFactory, PlayerSlot};
use super::pool::Pool;
use super::remote::{RemoteJob, SharedSet};
use super::sent_pair::{SentOpponent, SentPair, SentPlayer, unusual};
use crate::error::Error;
use crate::eval::Game;
use crate::game::Side;
use crate::game::openings::Opening;
use crate::search::{Algorithm, Engine, Limits, Options, SearchConstants, Stop, Switches};
use std::sync::Arc;

/// Moves of a side in a game, roughly.
const MOVES_OF_A_GAME: u64 = 30;

/// The settings that all games of a match share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSettings {
    /// The limits of each move of player A and player B.
    pub limits: [Limits; 2],
    /// The algorithms of player A and player B.
    pub algorithms: [Algorithm; 2],
    /// The constants of the full search of player A and player B.
    pub constants: [SearchConstants; 2],
    /// The size of each engine's transposition table, in bytes.
    pub table_bytes: usize,
    /// When games are ended early.
    pub adjudication: Adjudication,
}

impl MatchSettings {
    /// The full search under these limits, with a table that suits them, and no adjudication.
    pub fn new(limits: Limits) -> Self {
        Self::with_limits([limits; 2])
    }

    /// As [`new`](Self::new), but with limits for each player, and tables that suit the wider ones.
    pub fn with_limits(limits: [Limits; 2]) -> Self {
        Self {
            limits,
            algorithms: [Algorithm::Full; 2],
            constants: Default::default(),
            table_bytes: limits.iter().map(Options::table_for).fold(0, usize::max),
            adjudication: Adjudication::Never,
        }
    }

    fn options(&self, player: usize) -> Options {
        Options {
            algorithm: self.algorithms[player],
            table_bytes: self.table_bytes,
            constants: self.constants[player].clone(),
            switches: Switches::ALL,
            threads: 1,
        }
    }
}

/// A pair to play.
#[derive(Clone)]
pub struct PairJob<G: Game> {
    /// The opening of both games.
    pub opening: Arc<Opening<G>>,
    /// The evaluators of player A and player B; an engine of others does not use its own.
    pub evaluators: [G::Evaluator; 2],
    /// The constants of player A and player B in this pair, where they are not those of the match.
    pub constants: Option<[SearchConstants; 2]>,
    /// The limits of both players in this pair, where they are not those of the match.
    pub limits: Option<Limits>,
    /// The opponent of both, where they do not play each other.
    pub opponent: Option<AgainstOpponent<G>>,
}

/// A pair that may be put as data.
pub struct DuelData<'a, G: Game> {
    /// The opening of both games.
    pub opening: &'a Opening<G>,
    /// All single weights of the players, where they are not those of the runner's sets.
    pub weights: Option<[Vec<i32>; 2]>,
    /// As in [`PairJob`].
    pub constants: Option<&'a [SearchConstants; 2]>,
    /// As in [`PairJob`].
    pub limits: Option<Limits>,
    /// As in [`PairJob`].
    pub opponent: Option<&'a AgainstOpponent<G>>,
}

/// A pair in which player A and player B do not play each other: each plays one game against the
/// same opponent, from the same opening and with the same side. What A scores more than B counts as
/// if A had scored it against B.
#[derive(Clone)]
pub struct AgainstOpponent<G: Game> {
    /// Who it is.
    pub opponent: Opponent<G>,
    /// Its side in both games, where it replaces A or B.
    pub side: Side,
    /// The limits of each of its moves, where they are not those of the player that it replaces.
    pub limits: Option<Limits>,
}

/// Whom player A and player B are measured against in a pair.
#[derive(Clone)]
pub enum Opponent<G: Game> {
    /// The engine of this program.
    Set {
        /// Its evaluator.
        evaluator: G::Evaluator,
        /// The constants of its search.
        constants: SearchConstants,
        /// Its set, where workers are to play.
        shared: Option<SharedSet>,
    },
    /// An engine of others, by its place among [those of the runner](PairRunner::with_engines).
    Engine(usize),
}

/// A pair that has been played. In the first game player A is the first side, in the second one
/// player B; an opponent of both has replaced one of them in each game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairResult<G: Game> {
    /// The two games.
    pub games: [GameResult<G>; 2],
}

impl<G: Game> PairResult<G> {
    /// Twice player A's points in both games: 0 to 4, the cell of the pentanomial count.
    pub fn pair_score(&self) -> u8 {
        self.games[0].outcome.half_points(Side::First)
            + self.games[1].outcome.half_points(Side::Second)
    }

    /// The totals of player A and player B over both games.
    pub fn totals(&self) -> [SideTotals; 2] {
        let [one, two] = &self.games;
        let mut totals = one.totals;
        totals[0].add(two.totals[1]);
        totals[1].add(two.totals[0]);
        totals
    }

    /// The games that player A and player B forfeited.
    pub fn forfeits(&self) -> [u64; 2] {
        let [one, two] = self.games.each_ref().map(GameResult::forfeited_by);
        let count =
            |first: Side| u64::from(one == Some(first)) + u64::from(two == Some(first.other()));
        [count(Side::First), count(Side::Second)]
    }

    /// Whether both games were played to their end.
    pub fn is_complete(&self) -> bool {
        self.games.iter().all(|game| game.ending != GameEnding::Stopped)
    }

    /// A pair that was not begun.
    pub fn stopped() -> Self {
        Self { games: [GameResult::stopped(), GameResult::stopped()] }
    }
}

/// Plays pairs. It keeps players from pair to pair, so that tables are cleared and not allocated
/// anew. Clones share them.
#[derive(Clone)]
pub struct PairRunner<G: Game> {
    settings: Arc<MatchSettings>,
    factories: PlayerFactories<G>,
    engines: Arc<Vec<Arc<dyn PlayerFactory<G>>>>,
    /// The sets of player A and player B, where workers are to play.
    shared: Option<Arc<[SharedSet; 2]>>,
    idle: Pool<Seats<G>>,
    stop: Stop,
    interrupt: Stop,
}

/// The players of one thread.
struct Seats<G: Game> {
    players: [PlayerSlot<G>; 2],
    /// The engine of this program as an opponent; `None` before its first game.
    opponent: Option<PlayerSlot<G>>,
    /// The engines of others, in the order of the runner's; `None` before the first game of each.
    engines: Vec<Option<PlayerSlot<G>>>,
}

impl<G: Game> PairRunner<G> {
    /// A runner whose players are both the engine of this program. Setting `stop` ends running
    /// games at once; they do not count.
    pub fn new(settings: MatchSettings, stop: Stop) -> Self {
        let factories = [None, None];
        Self {
            settings: Arc::new(settings),
            factories,
            engines: Arc::default(),
            shared: None,
            idle: Pool::default(),
            stop,
            interrupt: Stop::default(),
        }
    }

    /// Once this flag is set, engines that hang are given up, and their pairs do not count.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Stop) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Makes player A, player B or both by these factories.
    #[must_use]
    pub fn with_factories(mut self, factories: PlayerFactories<G>) -> Self {
        self.factories = factories;
        self
    }

    /// Adds the engines of others that [`Opponent::Engine`] may name.
    #[must_use]
    pub fn with_engines(mut self, engines: Vec<Arc<dyn PlayerFactory<G>>>) -> Self {
        self.engines = Arc::new(engines);
        self
    }

    /// Lets workers on other machines play: they need the sets of player A and player B.
    #[must_use]
    pub fn with_shared(mut self, sets: Option<[SharedSet; 2]>) -> Self {
        self.shared = sets.map(Arc::new);
        self
    }

    /// A pair as data; `None` where it cannot be played elsewhere.
    pub fn remote_job(&self, duel: DuelData<G>) -> Option<RemoteJob> {
        let DuelData { opening, weights, constants, limits, opponent } = duel;
        let sets = self.shared.as_ref().filter(|_| self.factories.iter().all(Option::is_none))?;
        let settings = &*self.settings;
        let constants = constants.unwrap_or(&settings.constants);
        let limits = limits.map_or(settings.limits, |limits| [limits; 2]);
        let of_opponent = opponent.map(|against| against.limits.unwrap_or(limits[0]));
        let mut sets = sets.to_vec();
        if let Some(AgainstOpponent { opponent: Opponent::Set { shared, .. }, .. }) = opponent {
            sets.extend(shared.clone());
        }
        let [weights_a, weights_b] = weights.map_or([None, None], |both| both.map(Some));
        let player = |index: usize, weights| SentPlayer {
            set: sets[index].digest().into(),
            weights,
            constants: unusual(&constants[index]),
            algorithm: settings.algorithms[index],
            limits: limits[index],
        };
        let board = opening.position.board();
        let pair = SentPair {
            board: board.to_string(),
            opening: opening.text(board),
            players: [player(0, weights_a), player(1, weights_b)],
            table_bytes: settings.table_bytes,
            adjudication: settings.adjudication,
            opponent: match opponent {
                Some(against) => Some(SentOpponent::new(against)?),
                None => None,
            },
        };
        let all_limits = || limits.iter().chain(&of_opponent);
        let nodes = all_limits().filter_map(|limits| limits.nodes).fold(0, u64::saturating_add);
        Some(RemoteJob {
            game: G::GAME,
            kind: SentPair::KIND,
            body: serde_json::to_value(pair).ok()?,
            sets,
            is_repeatable: all_limits().all(Limits::is_deterministic),
            nodes: nodes.saturating_mul(MOVES_OF_A_GAME),
        })
    }

    /// The settings that all games share.
    pub fn settings(&self) -> &MatchSettings {
        &self.settings
    }

    /// The error of an engine of others that has given up its games, if there is one; else that
    /// the user has stopped what is played.
    pub fn stop_error(&self, place: &str) -> Error {
        let factories = self.factories.iter().flatten().chain(self.engines.iter());
        let fault = factories.filter_map(|factory| factory.fault()).next();
        fault.unwrap_or_else(|| Error::interrupted(place, "stopped early"))
    }

    /// Plays a pair on the calling thread.
    pub fn play(&self, job: &PairJob<G>) -> PairResult<G> {
        let mut seats = self.seats(job);
        let Seats { players: [a, b], opponent, engines } = &mut seats;
        let mut against = job.opponent.as_ref().and_then(|against| {
            let player = match &against.opponent {
                Opponent::Set { evaluator, constants, .. } => {
                    let player = opponent.get_or_insert_with(|| self.engine(0, evaluator));
                    player.set_up(evaluator.clone(), constants);
                    player
                }
                &Opponent::Engine(place) => {
                    let factory = self.engines.get(place)?;
                    let new_player = || PlayerSlot::External(factory.new_player());
                    engines.get_mut(place)?.get_or_insert_with(new_player)
                }
            };
            Some((player, against.side, against.limits.as_ref()))
        });
        let MatchSettings { limits, adjudication, .. } = &*self.settings;
        let [limits_a, limits_b] = &job.limits.map_or(*limits, |limits| [limits; 2]);
        let mut is_stopped = false;
        let games = [false, true].map(|is_second_game| {
            if is_stopped {
                return GameResult::stopped();
            }
            let mut sides = [(&mut *a, limits_a), (&mut *b, limits_b)];
            if is_second_game {
                sides.reverse();
            }
            if let Some((player, side, limits)) = &mut against {
                let (_, own) = sides[side.index()];
                sides[side.index()] = (player, limits.unwrap_or(own));
            }
            let game = play_game(&job.opening, sides, *adjudication, [&self.stop, &self.interrupt]);
            is_stopped = game.ending == GameEnding::Stopped;
            game
        });
        self.idle.give(seats);
        PairResult { games }
    }

    /// Players that are set up for a job.
    fn seats(&self, job: &PairJob<G>) -> Seats<G> {
        let [evaluator_a, evaluator_b] = job.evaluators.clone();
        let constants = job.constants.as_ref().unwrap_or(&self.settings.constants);
        let mut seats = self.idle.take().unwrap_or_else(|| Seats {
            players: [self.player(0, &evaluator_a), self.player(1, &evaluator_b)],
            opponent: None,
            engines: self.engines.iter().map(|_| None).collect(),
        });
        let [a, b] = &mut seats.players;
        a.set_up(evaluator_a, &constants[0]);
        b.set_up(evaluator_b, &constants[1]);
        seats
    }

    fn player(&self, index: usize, evaluator: &G::Evaluator) -> PlayerSlot<G> {
        match &self.factories[index] {
            Some(factory) => PlayerSlot::External(factory.new_player()),
            None => self.engine(index, evaluator),
        }
    }

    /// The engine of this program as player A, 0, or player B, 1.
    fn engine(&self, index: usize, evaluator: &G::Evaluator) -> PlayerSlot<G> {
        let options = self.settings.options(index);
        PlayerSlot::Engine(Box::new(Engine::new(evaluator.clone(), options)))
    }
}
