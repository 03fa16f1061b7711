//! Plays pairs: the only place where a pair as data becomes games.

use super::pair_record::{PairRecord, PlayedGame};
use super::play::{GameEnding, play_game};
use super::player::{Forfeit, GamePlayer, MoveChoice, PlayerFactory, Turn};
use super::sent_engine::SentEngines;
use super::spec::{PairSpec, PlayerBody, PlayerSpec, Sets, change_weights};
use crate::any::{AnyEngine, AnyEvaluator, AnyOpening};
use crate::error::{Error, Result, shorten};
use crate::eval::features::check_board;
use crate::game::Board;
use crate::games::GameId;
use crate::search::{Algorithm, Options, SearchConstants, Stop, Switches};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most evaluators of sets that are kept ready.
const EVALUATORS: usize = 16;

/// Plays pairs of one game on the calling thread. It keeps players from pair to pair, so that
/// tables are cleared, not allocated again. Clones share them.
#[derive(Clone)]
pub struct PairRunner(Arc<RunnerState>);

struct RunnerState {
    game: GameId,
    engines: Vec<Arc<dyn PlayerFactory>>,
    /// Evaluators by the digest of their sets, the last used at the end.
    evaluators: Mutex<Vec<(String, AnyEvaluator)>>,
    /// Players that no thread is using at the moment.
    idle: Mutex<Vec<Seat>>,
    stop: Stop,
    interrupt: Stop,
}

/// The kind of a player: an idle player of the same kind can be used again.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SeatKind {
    Engine(Algorithm, usize),
    External(usize),
}

/// A player kept from pair to pair.
struct Seat {
    kind: SeatKind,
    player: SeatPlayer,
}

enum SeatPlayer {
    Engine(AnyEngine),
    External(Box<dyn GamePlayer>),
}

impl PairRunner {
    /// A runner without external engines. Setting `stop` ends running games at once; they do not
    /// count.
    pub fn new(game: GameId, stop: Stop) -> Self {
        Self::with_engines(game, Vec::new(), [stop, Stop::default()])
    }

    /// A runner with the external engines that pairs may name by their places. Setting the first of
    /// the `stops` ends running games at once; once the second one is set, engines that hang are
    /// given up. Such games do not count.
    pub fn with_engines(
        game: GameId,
        engines: Vec<Arc<dyn PlayerFactory>>,
        [stop, interrupt]: [Stop; 2],
    ) -> Self {
        let (evaluators, idle) = (Mutex::default(), Mutex::default());
        Self(Arc::new(RunnerState { game, engines, evaluators, idle, stop, interrupt }))
    }

    /// The game of the pairs that it plays.
    pub fn game(&self) -> GameId {
        self.0.game
    }

    /// The number of external engines.
    pub fn engines(&self) -> usize {
        self.0.engines.len()
    }

    /// The error of an external engine that has given up its games, if there is one; otherwise an
    /// error that says the user has stopped.
    pub fn stop_error(&self, place: &str) -> Error {
        self.fault().unwrap_or_else(|| Error::interrupted(place, "stopped early"))
    }

    /// The error of an external engine that has given up its games, if there is one.
    pub fn fault(&self) -> Option<Error> {
        self.0.engines.iter().find_map(|factory| factory.fault())
    }

    /// The external engines as jobs name them; `None` where workers cannot have one of them.
    pub fn sent_engines(&self) -> Option<SentEngines> {
        let wanted = self.0.engines.first()?.sent()?.1.clone();
        let engines = self.0.engines.iter().map(|factory| Some(factory.sent()?.0.clone()));
        Some(SentEngines { engines: engines.collect::<Option<_>>()?, wanted })
    }

    /// Plays a pair.
    ///
    /// # Errors
    /// When the pair is not of this game, when it names a set that is not in `sets` or an engine
    /// that the runner does not have, or when the rules of the game are at fault.
    pub fn play(&self, spec: &PairSpec, sets: &Sets) -> Result<PairRecord> {
        spec.check()?;
        let opening = spec.read_opening(self.0.game)?;
        if let Some(fault) = opening.position.fault() {
            return Ok(PairRecord::void(&Forfeit::of_referee(fault)));
        }
        let mut seats = Vec::with_capacity(3);
        let taken = self.take_seats(spec, opening.position.board(), sets, &mut seats);
        let record = taken.and_then(|()| self.play_games(spec, &opening, &mut seats));
        self.0.idle.lock().append(&mut seats);
        record
    }

    /// The evaluator of one of these sets on a board.
    ///
    /// # Errors
    /// When the set is not among them, or does not fit the game and the board.
    pub fn evaluator_of(&self, digest: &str, board: &str, sets: &Sets) -> Result<AnyEvaluator> {
        self.evaluator(digest, &BTreeMap::new(), board.parse()?, sets)
    }

    fn play_games(
        &self,
        spec: &PairSpec,
        opening: &AnyOpening,
        seats: &mut [Seat],
    ) -> Result<PairRecord> {
        let stops = [&self.0.stop, &self.0.interrupt];
        let is_noted = spec.has_engines();
        let (mut is_stopped, mut fault) = (false, None);
        let mut play = |is_second_game| -> Result<PlayedGame> {
            if is_stopped {
                return Ok(PlayedGame::stopped());
            }
            if let Some(fault) = &fault {
                return Ok(PlayedGame::void(fault));
            }
            let [a, b, rest @ ..] = &mut *seats else { return Ok(PlayedGame::stopped()) };
            let [limits_a, limits_b] = spec.players.each_ref().map(|player| &player.limits);
            let mut sides = [(a, limits_a), (b, limits_b)];
            if is_second_game {
                sides.reverse();
            }
            if let (Some(opponent), Some(seat)) = (&spec.opponent, rest.first_mut()) {
                let side = &mut sides[opponent.side().index()];
                *side = (seat, opponent.limits.as_ref().unwrap_or(side.1));
            }
            let sides = sides.map(|(seat, limits)| (seat as &mut dyn GamePlayer, limits));
            let mut game = play_game(opening, sides, spec.ends(), stops)?;
            if !is_noted {
                game.searches.clear();
            }
            is_stopped = game.ending == GameEnding::Stopped;
            fault = game.referee_fault().cloned();
            Ok(game)
        };
        Ok(PairRecord { games: [play(false)?, play(true)?] })
    }

    /// Takes a seat for each player of the pair, and sets it up: A, B, and the opponent if there is
    /// one.
    fn take_seats(
        &self,
        spec: &PairSpec,
        board: Board,
        sets: &Sets,
        seats: &mut Vec<Seat>,
    ) -> Result<()> {
        for PlayerSpec { body, weights, constants, options, algorithm, .. } in &spec.players {
            let kind = SeatKind::of(body, *algorithm, spec.table_bytes);
            let mut seat = self.seat(kind, (body, weights, constants.as_ref()), (board, sets))?;
            seat.configure(options);
            seats.push(seat);
        }
        if let Some(opponent) = &spec.opponent {
            let kind = SeatKind::of(&opponent.body, spec.players[0].algorithm, spec.table_bytes);
            let (weights, constants) = (BTreeMap::new(), opponent.constants.as_ref());
            let mut seat = self.seat(kind, (&opponent.body, &weights, constants), (board, sets))?;
            seat.configure(&BTreeMap::new());
            seats.push(seat);
        }
        Ok(())
    }

    fn seat(
        &self,
        kind: SeatKind,
        (body, weights, constants): (&PlayerBody, &BTreeMap<String, i32>, Option<&SearchConstants>),
        (board, sets): (Board, &Sets),
    ) -> Result<Seat> {
        let known = {
            let mut idle = self.0.idle.lock();
            let place = idle.iter().rposition(|seat| seat.kind == kind);
            place.map(|place| idle.swap_remove(place))
        };
        let digest = match body {
            PlayerBody::Engine(place) => {
                let missing = || Error::input(format!("engine {place}"), "not among the run's");
                let factory = self.0.engines.get(*place).ok_or_else(missing)?;
                return Ok(known.unwrap_or_else(|| Seat {
                    kind,
                    player: SeatPlayer::External(factory.new_player()),
                }));
            }
            PlayerBody::Set(digest) => digest,
        };
        let evaluator = self.evaluator(digest, weights, board, sets)?;
        let usual = SearchConstants::default();
        let constants = constants.unwrap_or(&usual);
        let seat = match (known, &kind) {
            (Some(mut seat), _) => {
                if let SeatPlayer::Engine(engine) = &mut seat.player {
                    engine.set_evaluator(&evaluator);
                    engine.set_constants(constants);
                }
                seat
            }
            (None, &SeatKind::Engine(algorithm, table_bytes)) => {
                let (constants, switches) = (constants.clone(), Switches::ALL);
                let options = Options { algorithm, table_bytes, constants, switches, threads: 1 };
                Seat { kind, player: SeatPlayer::Engine(evaluator.engine(options)) }
            }
            (None, SeatKind::External(_)) => {
                return Err(Error::failed("pair", "a set plays in an engine's seat"));
            }
        };
        Ok(seat)
    }

    /// The evaluator of a set, with `weights` in place of its own weights of these names.
    fn evaluator(
        &self,
        digest: &str,
        weights: &BTreeMap<String, i32>,
        board: Board,
        sets: &Sets,
    ) -> Result<AnyEvaluator> {
        let game = self.0.game;
        let missing = || Error::input(format!("set {}", shorten(digest)), "not among the pair's");
        let set = sets.get(digest).ok_or_else(missing)?.set();
        check_board(set, "set of a pair", board)?;
        if !weights.is_empty() {
            let mut set = set.clone();
            let weights = weights.iter().map(|(name, &weight)| (name.as_str(), weight));
            change_weights(&mut set, weights, &game.feature_names())?;
            return game.evaluator(&set);
        }
        let known = {
            let mut evaluators = self.0.evaluators.lock();
            let place = evaluators.iter().position(|(name, _)| name == digest);
            place.map(|place| evaluators.remove(place))
        };
        let kept = match known {
            Some(kept) => kept,
            None => (digest.to_owned(), game.evaluator(set)?),
        };
        let evaluator = kept.1.clone();
        let mut evaluators = self.0.evaluators.lock();
        if evaluators.len() == EVALUATORS {
            evaluators.remove(0);
        }
        evaluators.push(kept);
        Ok(evaluator)
    }
}

impl SeatKind {
    fn of(body: &PlayerBody, algorithm: Algorithm, table_bytes: usize) -> Self {
        match body {
            PlayerBody::Set(_) => Self::Engine(algorithm, table_bytes),
            PlayerBody::Engine(place) => Self::External(*place),
        }
    }
}

impl GamePlayer for Seat {
    fn configure(&mut self, options: &BTreeMap<String, String>) {
        if let SeatPlayer::External(player) = &mut self.player {
            player.configure(options);
        }
    }

    fn new_game(&mut self, interrupt: &Stop) -> std::result::Result<bool, Forfeit> {
        match &mut self.player {
            SeatPlayer::Engine(engine) => engine.new_game(interrupt),
            SeatPlayer::External(player) => player.new_game(interrupt),
        }
    }

    fn choose(&mut self, turn: &Turn) -> std::result::Result<MoveChoice, Forfeit> {
        match &mut self.player {
            SeatPlayer::Engine(engine) => engine.choose(turn),
            SeatPlayer::External(player) => player.choose(turn),
        }
    }
}
