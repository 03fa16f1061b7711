//! An engine for any game.

use super::game::{AnyGame, TypedGame};
use crate::error::{Error, Result};
use crate::eval::features::check_board;
use crate::eval::{Evaluator, Game, Score};
use crate::game::Board;
use crate::games::{GameId, with_game};
use crate::player::{DefaultWeights, Player};
use crate::search::{DepthReport, Engine, Limits, Options, Report, Stop};
use crate::weights::WeightSet;
use std::time::Duration;

/// The transposition table that suits most frontends, in bytes.
pub const TABLE_BYTES: usize = 16 << 20;

/// An engine for one game and board, with its weights and its table.
pub trait AnyEngine: Send {
    /// The game that it plays.
    fn id(&self) -> GameId;

    /// Searches the position of a game until a limit is reached, telling of each finished depth.
    /// What the table holds from earlier searches helps, and may change the nodes visited:
    /// [`clear`](AnyEngine::clear) it for results that depend on nothing else.
    ///
    /// # Errors
    /// When the game is another one or on a board that the weights are not for, or when no limit is
    /// set.
    fn search(
        &mut self,
        game: &dyn AnyGame,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport>;

    /// What a piece is worth, at least 1, in units of the weight set.
    fn unit(&self) -> Score;

    /// Forgets everything: before each game.
    fn clear(&mut self);
}

/// What a search has found, with moves as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyReport {
    /// The move to play; `None` only when the game is over.
    pub best: Option<String>,
    /// The score from the side to move, in units of the weight set.
    pub score: Score,
    /// The last depth finished, in plies.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// The best line, beginning with the best move.
    pub pv: Vec<String>,
}

/// An engine that plays a board with a set of weights, and with the search constants of the set.
///
/// # Errors
/// When the set names no game, lacks a feature, or has tables for another board.
pub fn engine(set: &WeightSet, board: Board, table_bytes: usize) -> Result<Box<dyn AnyEngine>> {
    let place = format!("weight set `{}`", set.name);
    let id: GameId = set.game.parse().map_err(|error: Error| error.within(&place))?;
    with_game!(id, G => TypedEngine::<G>::boxed(set, &place, board, table_bytes))
}

/// An engine for games of one type.
struct TypedEngine<G: Game> {
    engine: Engine<G>,
    player: Player,
}

impl<G: Game> TypedEngine<G> {
    fn boxed(
        set: &WeightSet,
        place: &str,
        board: Board,
        table_bytes: usize,
    ) -> Result<Box<dyn AnyEngine>> {
        G::start(board)?;
        let default = DefaultWeights::Strongest(board);
        let player = Player::from_set::<G>(place.to_owned(), set.clone(), default)?;
        check_board(&player.weights, place, board)?;
        let evaluator = G::evaluator(&player.weights)?;
        let constants = player.constants.clone();
        let options = Options { table_bytes, constants, ..Options::default() };
        Ok(Box::new(Self { engine: Engine::new(evaluator, options), player }))
    }
}

impl<G: Game> AnyEngine for TypedEngine<G> {
    fn id(&self) -> GameId {
        G::GAME.parse().unwrap_or_default()
    }

    fn search(
        &mut self,
        game: &dyn AnyGame,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&AnyReport),
    ) -> Result<AnyReport> {
        limits.check()?;
        let Some(game) = game.as_any().downcast_ref::<TypedGame<G>>() else {
            let reason = format!("an engine of {}, not of {}", G::GAME, game.id());
            return Err(Error::input("engine", reason).remedy("make one with weights of the game"));
        };
        check_board(&self.player.weights, &self.player.name, game.board())?;
        if game.outcome().is_some() {
            return Ok(AnyReport::over());
        }
        let (met, position) = (game.met(), &game.position);
        let report = self.engine.search_after(&met, position, limits, stop, &mut |found| {
            on_depth(&AnyReport::of_depth(position, found));
        });
        Ok(AnyReport::of_search(position, &report))
    }

    fn unit(&self) -> Score {
        self.engine.evaluator().unit()
    }

    fn clear(&mut self) {
        self.engine.clear();
    }
}

impl AnyReport {
    fn over() -> Self {
        let (score, depth, nodes) = (0, 0, 0);
        Self { best: None, score, depth, nodes, elapsed: Duration::ZERO, pv: Vec::new() }
    }

    fn of_depth<G: Game>(position: &G, found: &DepthReport<G>) -> Self {
        let &DepthReport { depth, score, pv, counters, elapsed } = found;
        let best = pv.first().map(|&mv| position.move_text(mv));
        Self { best, score, depth, nodes: counters.nodes, elapsed, pv: words(position, pv) }
    }

    fn of_search<G: Game>(position: &G, report: &Report<G>) -> Self {
        let &Report { best, score, depth, counters, elapsed, .. } = report;
        let best = best.map(|mv| position.move_text(mv));
        let pv = words(position, &report.pv);
        Self { best, score, depth, nodes: counters.nodes, elapsed, pv }
    }
}

fn words<G: Game>(position: &G, line: &[G::Move]) -> Vec<String> {
    position.line_text(line).split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::{game_from_fen, new_game};
    use crate::weights;

    const TABLE: usize = 1 << 20;

    fn piece(game: GameId) -> WeightSet {
        weights::find("piece", game.name()).unwrap()
    }

    #[test]
    fn it_finds_what_the_engine_of_the_game_finds() {
        use crate::game::Position;
        for &id in GameId::ALL {
            let game = new_game(id, None).unwrap();
            let mut any = engine(&piece(id), game.board(), TABLE).unwrap();
            let mut depths = 0;
            let limits = Limits::depth(4);
            let found = any.search(&*game, &limits, &Stop::default(), &mut |_| depths += 1);
            let found = found.unwrap();
            let expected = with_game!(id, G => {
                let options = Options { table_bytes: TABLE, ..Options::default() };
                let start = G::start(G::default_board()).unwrap();
                let mut engine = Engine::<G>::new(G::evaluator(&piece(id)).unwrap(), options);
                let report = engine.search(&start, &limits, &Stop::default(), &mut |_| {});
                AnyReport { elapsed: found.elapsed, ..AnyReport::of_search(&start, &report) }
            });
            assert_eq!((found, depths), (expected, 4));
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let game = new_game(GameId::Breakthrough, None).unwrap();
        let mut other = engine(&piece(GameId::Ataxx), Board::new(7, 7), TABLE).unwrap();
        let mut search = |game: &dyn AnyGame, limits| {
            other.search(game, &limits, &Stop::default(), &mut |_| {}).unwrap_err().to_string()
        };
        assert!(search(&*game, Limits::depth(1)).contains("an engine of ataxx, not of break"));
        let ataxx = new_game(GameId::Ataxx, None).unwrap();
        assert!(search(&*ataxx, Limits::default()).contains("none is set"));
        assert!(engine(&piece(GameId::Ataxx), Board::new(9, 9), TABLE).is_err());
        let mut unknown = piece(GameId::Ataxx);
        unknown.game = "atax".into();
        let error = engine(&unknown, Board::new(7, 7), TABLE).err().unwrap().to_string();
        assert_eq!(error, "weight set `piece`, game `atax`: unknown; did you mean `ataxx`?");
    }

    #[test]
    fn a_search_asks_whether_to_end() {
        use std::sync::atomic::{AtomicU32, Ordering};
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let stop = Stop::polling(|| ASKED.fetch_add(1, Ordering::Relaxed) >= 20);
        let game = new_game(GameId::Breakthrough, None).unwrap();
        let mut engine = engine(&piece(game.id()), game.board(), TABLE).unwrap();
        let found = engine.search(&*game, &Limits::depth(99), &stop, &mut |_| {}).unwrap();
        assert!(found.best.is_some() && found.nodes < 100_000, "{found:?}");
        assert!(stop.is_set());
    }

    #[test]
    fn nothing_is_searched_when_the_game_is_over() {
        let game = game_from_fen(GameId::Breakthrough, "3P4/8/8/8/8/8/pp6/8 b - - 0 1").unwrap();
        let mut engine = engine(&piece(game.id()), game.board(), TABLE).unwrap();
        let found = engine.search(&*game, &Limits::depth(5), &Stop::default(), &mut |_| {});
        assert_eq!(found.unwrap(), AnyReport::over());
    }
}
