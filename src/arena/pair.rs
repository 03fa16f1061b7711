//! A game pair: the unit of all statistics.

use super::play::{Adjudication, GameEnding, GameResult, SideTotals, play_game};
use super::player::{Opponents, PlayerFactories, PlayerSlot};
use super::spare::Pool;
use crate::eval::Game;
use crate::game::Side;
use crate::game::openings::Opening;
use crate::search::{Algorithm, Engine, Limits, Options, SearchConstants, Stop, Switches};
use std::sync::Arc;

/// What all games of a match have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSettings {
    /// The limits of each move of player A and player B.
    pub limits: [Limits; 2],
    /// The algorithms of player A and player B.
    pub algorithms: [Algorithm; 2],
    /// The constants of the full search of player A and player B.
    pub params: [SearchConstants; 2],
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
            params: [SearchConstants::default(), SearchConstants::default()],
            table_bytes: limits.iter().map(Options::table_for).fold(0, usize::max),
            adjudication: Adjudication::Never,
        }
    }

    fn options(&self, player: usize) -> Options {
        Options {
            algorithm: self.algorithms[player],
            table_bytes: self.table_bytes,
            params: self.params[player].clone(),
            switches: Switches::ALL,
            threads: 1,
        }
    }
}

/// A pair to play.
#[derive(Clone, Debug)]
pub struct PairJob<G: Game> {
    /// The opening of both games.
    pub opening: Arc<Opening<G>>,
    /// The evaluators of player A and player B. That of a place which a guest takes is not used.
    pub players: [G::Evaluator; 2],
    /// The constants of player A and player B in this pair, where they are not those of the
    /// conditions.
    pub params: Option<[SearchConstants; 2]>,
    /// Who sits opposite both of them, where they do not meet each other.
    pub visit: Option<AgainstOpponent>,
}

/// A pair in which player A and player B do not meet each other: each plays one game against the
/// same engine, from the same opening and with the same side. What A scores more than B counts as
/// if A had scored it against B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgainstOpponent {
    /// The engine's place in the workshop's gauntlet.
    pub engine: usize,
    /// Its side in both games. It sits where A or B would have sat.
    pub side: Side,
}

/// A pair that has been played. In the first game player A is the first side, in the second one
/// player B; a visiting engine has taken one of the two places in each game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairResult<G: Game> {
    /// The two games.
    pub games: [GameResult<G>; 2],
}

impl<G: Game> PairResult<G> {
    /// Player A's points in both games, doubled: 0 to 4, the cell of the pentanomial count.
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
}

/// Where pairs are played: it keeps players from pair to pair, so that tables are cleared and not
/// allocated anew. Clones share it.
#[derive(Clone)]
pub struct PairRunner<G: Game> {
    conditions: Arc<MatchSettings>,
    hosts: PlayerFactories<G>,
    gauntlet: Arc<Opponents<G>>,
    idle: Pool<Seats<G>>,
    stop: Stop,
}

/// A board with everybody who has sat at it.
struct Seats<G: Game> {
    players: [PlayerSlot<G>; 2],
    /// Those of the gauntlet who have been here, by their places in it.
    visitors: Vec<Option<PlayerSlot<G>>>,
}

impl<G: Game> PairRunner<G> {
    /// A workshop without engines yet. Setting `stop` ends running games at once; they do not
    /// count.
    pub fn new(conditions: MatchSettings, stop: Stop) -> Self {
        let gauntlet = Arc::new(Opponents::none(conditions.limits[0]));
        Self {
            conditions: Arc::new(conditions),
            hosts: [None, None],
            gauntlet,
            idle: Pool::default(),
            stop,
        }
    }

    /// Lets guests take the places that have a host.
    #[must_use]
    pub fn with_hosts(mut self, hosts: PlayerFactories<G>) -> Self {
        self.hosts = hosts;
        self
    }

    /// Lets these engines visit pairs that ask for them.
    #[must_use]
    pub fn with_gauntlet(mut self, gauntlet: Arc<Opponents<G>>) -> Self {
        self.gauntlet = gauntlet;
        self
    }

    /// What all games here have in common.
    pub fn conditions(&self) -> &MatchSettings {
        &self.conditions
    }

    /// Plays a pair on the calling thread.
    pub fn play(&self, job: &PairJob<G>) -> PairResult<G> {
        let mut table = self.table(job);
        let Seats { players: [a, b], visitors } = &mut table;
        let mut visitor = job.visit.and_then(|visit| {
            let host = self.gauntlet.engines.get(visit.engine)?;
            let seat = visitors
                .get_mut(visit.engine)?
                .get_or_insert_with(|| PlayerSlot::Guest(host.invite()));
            Some((seat, visit.side))
        });
        let MatchSettings { limits: [limits_a, limits_b], adjudication, .. } = &*self.conditions;
        let games = [false, true].map(|is_second_game| {
            let mut sides = [(&mut *a, limits_a), (&mut *b, limits_b)];
            if is_second_game {
                sides.reverse();
            }
            if let Some((seat, side)) = &mut visitor {
                sides[side.index()] = (seat, &self.gauntlet.limits);
            }
            play_game(&job.opening, sides, *adjudication, &self.stop)
        });
        self.idle.give(table);
        PairResult { games }
    }

    /// A board with the players of a job at it.
    fn table(&self, job: &PairJob<G>) -> Seats<G> {
        let [evaluator_a, evaluator_b] = job.players.clone();
        let mut table = match self.idle.take() {
            Some(mut table) => {
                let [a, b] = &mut table.players;
                a.set_evaluator(evaluator_a);
                b.set_evaluator(evaluator_b);
                table
            }
            None => Seats {
                players: [self.seat(0, evaluator_a), self.seat(1, evaluator_b)],
                visitors: self.gauntlet.engines.iter().map(|_| None).collect(),
            },
        };
        let params = job.params.as_ref().unwrap_or(&self.conditions.params);
        table.players.iter_mut().zip(params).for_each(|(seat, params)| seat.set_params(params));
        table
    }

    fn seat(&self, player: usize, evaluator: G::Evaluator) -> PlayerSlot<G> {
        match &self.hosts[player] {
            Some(host) => PlayerSlot::Guest(host.invite()),
            None => PlayerSlot::Engine(Box::new(Engine::new(
                evaluator,
                self.conditions.options(player),
            ))),
        }
    }
}
