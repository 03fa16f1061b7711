//! An engine for games in progress, with moves as text, as frontends use it.

use super::{AnyEngine, AnyGame, AnyLine, AnyMove, AnyPosition, AnyReport, lines_among};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::eval::features::check_board;
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::{Limits, Lines, Options, Stop};
use crate::weights::WeightSet;
use std::time::Duration;

/// The recommended size of the transposition table for frontends, in bytes.
pub const TABLE_BYTES: usize = 16 << 20;

/// An engine for one game and board, with its weights and transposition table.
pub struct TextEngine {
    id: GameId,
    engine: AnyEngine,
    player: Player,
}

/// A line found by a search, with moves as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLine {
    /// The depth of its search, in plies.
    pub depth: u32,
    /// The score from the side to move, in units of the weight set.
    pub score: Score,
    /// Its moves, at least one.
    pub pv: Vec<String>,
}

/// The result of a search, with moves as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextReport {
    /// The move to play; `None` only when the game is over.
    pub best: Option<String>,
    /// The score from the side to move, in units of the weight set.
    pub score: Score,
    /// The last completed depth, in plies.
    pub depth: u32,
    /// The number of positions visited.
    pub nodes: u64,
    /// The time from the start of the search.
    pub elapsed: Duration,
    /// The best line, beginning with the best move.
    pub pv: Vec<String>,
    /// Every requested line, best first, beginning with the best line.
    pub lines: Vec<TextLine>,
}

/// Makes an engine for a board from a weight set and the set's search constants.
///
/// # Errors
/// When the set names no game, lacks a feature, or has tables for another board.
pub fn engine(set: &WeightSet, board: Board, table_bytes: usize) -> Result<TextEngine> {
    let place = format!("weight set `{}`", set.name);
    let id: GameId = set.game.parse().map_err(|error: Error| error.within(&place))?;
    id.start(board)?;
    let default = DefaultWeights::Strongest(board);
    let player = Player::from_set(id, place.clone(), set.clone(), default)?;
    check_board(&player.weights, &place, board)?;
    let options =
        Options { table_bytes, constants: player.constants.clone(), ..Options::default() };
    let engine = id.evaluator(&player.weights)?.engine(options);
    Ok(TextEngine { id, engine, player })
}

impl TextEngine {
    /// The game that it plays.
    pub fn id(&self) -> GameId {
        self.id
    }

    /// Searches the position of a game until a limit is reached, and reports each completed depth.
    /// Table entries of earlier searches help, and may change the nodes visited.
    /// [`clear`](Self::clear) the table for results that depend on this search alone.
    ///
    /// # Errors
    /// When the game differs from the engine's, its board does not suit the weights, or no limit is
    /// set.
    pub fn search(
        &mut self,
        game: &AnyGame,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&TextReport),
    ) -> Result<TextReport> {
        self.search_lines(&Lines::default(), game, limits, stop, on_depth)
    }

    /// As [`search`](Self::search), for several lines or some moves only: see
    /// [`lines_of`](Self::lines_of).
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn search_lines(
        &mut self,
        lines: &Lines,
        game: &AnyGame,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&TextReport),
    ) -> Result<TextReport> {
        limits.check()?;
        if game.id() != self.id {
            let reason = format!("an engine of {}, not of {}", self.id, game.id());
            return Err(Error::input("engine", reason).remedy("make one with weights of the game"));
        }
        check_board(&self.player.weights, &self.player.name, game.board())?;
        let position = game.position();
        if game.outcome().is_some() {
            return Ok(TextReport::of(position, &AnyReport::empty()));
        }
        let mut on_depth = |found: &AnyReport| on_depth(&TextReport::of(position, found));
        let (met, on_depth) = (&game.met(), Some(&mut on_depth as &mut dyn FnMut(&AnyReport)));
        let report = self.engine.search_lines(lines, met, position, limits, stop, on_depth);
        Ok(TextReport::of(position, &report))
    }

    /// The lines that a search is to report for a game's position: this many, from 1, starting with
    /// one of these moves, or with any move if the list is empty.
    ///
    /// # Errors
    /// When the number is 0, or a text is not a legal move of the position.
    pub fn lines_of(game: &AnyGame, count: usize, moves: &[String]) -> Result<Lines> {
        if count == 0 {
            return Err(Error::input("lines", "0 is out of range").remedy("give at least 1"));
        }
        let parse = |text: &String| game.position().parse_move(text);
        let moves = moves.iter().map(parse).collect::<Result<Vec<_>>>()?;
        Ok(lines_among(count, &moves))
    }

    /// The value of a piece, at least 1, in units of the weight set.
    pub fn unit(&self) -> Score {
        self.engine.unit()
    }

    /// Clears all memory, as before each game.
    pub fn clear(&mut self) {
        self.engine.clear();
    }
}

impl TextReport {
    /// A report on a position, with moves as text.
    pub fn of(position: &AnyPosition, report: &AnyReport) -> Self {
        let best = report.best.map(|mv| position.move_text(mv));
        let words = |pv: &[AnyMove]| -> Vec<String> {
            position.line_text(pv).split_whitespace().map(str::to_owned).collect()
        };
        let text =
            |AnyLine { depth, score, pv }: AnyLine| TextLine { depth, score, pv: words(&pv) };
        let &AnyReport { score, depth, counters, elapsed, .. } = report;
        let lines = report.lines().into_iter().map(text).collect();
        Self { best, score, depth, nodes: counters.nodes, elapsed, pv: words(&report.pv), lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::{game_from_fen, new_game};
    use crate::eval::Game;
    use crate::games::{Ataxx, Breakthrough, Breakthru};
    use crate::search::Engine;
    use crate::weights;

    const TABLE: usize = 1 << 20;

    fn piece(game: GameId) -> WeightSet {
        weights::find("piece", game.name()).unwrap()
    }

    fn finds_what_the_engine_of_the_game_finds<G: Game>() {
        let id = GameId::of::<G>();
        let game = new_game(id, None).unwrap();
        let mut any = engine(&piece(id), game.board(), TABLE).unwrap();
        let mut depths = 0;
        let limits = Limits::depth(4);
        let found = any.search(&game, &limits, &Stop::default(), &mut |_| depths += 1).unwrap();
        let options = Options { table_bytes: TABLE, ..Options::default() };
        let start = G::start(G::default_board()).unwrap();
        let mut engine = Engine::<G>::new(G::evaluator(&piece(id)).unwrap(), options);
        let report = engine.search(&start, &limits, &Stop::default(), &mut |_| {});
        let best = report.best.map(|mv| start.move_text(mv));
        assert_eq!((&found.best, found.score, found.depth), (&best, report.score, report.depth));
        assert_eq!(found.nodes, report.counters.nodes);
        assert_eq!((found.pv.join(" "), depths), (start.line_text(&report.pv), 4));
    }

    #[test]
    fn it_finds_what_the_engine_of_the_game_finds() {
        finds_what_the_engine_of_the_game_finds::<Breakthrough>();
        finds_what_the_engine_of_the_game_finds::<Ataxx>();
        finds_what_the_engine_of_the_game_finds::<Breakthru>();
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let game = new_game(GameId::of::<Breakthrough>(), None).unwrap();
        let mut other = engine(&piece(GameId::of::<Ataxx>()), Board::new(7, 7), TABLE).unwrap();
        let mut search = |game: &AnyGame, limits| {
            other.search(game, &limits, &Stop::default(), &mut |_| {}).unwrap_err().to_string()
        };
        assert!(search(&game, Limits::depth(1)).contains("an engine of ataxx, not of break"));
        let ataxx = new_game(GameId::of::<Ataxx>(), None).unwrap();
        assert!(search(&ataxx, Limits::default()).contains("none is set"));
        assert!(engine(&piece(GameId::of::<Ataxx>()), Board::new(9, 9), TABLE).is_err());
        let mut unknown = piece(GameId::of::<Ataxx>());
        unknown.game = "atax".into();
        let error = engine(&unknown, Board::new(7, 7), TABLE).err().unwrap().to_string();
        assert_eq!(error, "weight set `piece`, game `atax`: unknown; did you mean `ataxx`?");
    }

    #[test]
    fn a_search_asks_whether_to_end() {
        use std::sync::atomic::{AtomicU32, Ordering};
        static ASKED: AtomicU32 = AtomicU32::new(0);
        let stop = Stop::polling(|| ASKED.fetch_add(1, Ordering::Relaxed) >= 20);
        let game = new_game(GameId::of::<Breakthrough>(), None).unwrap();
        let mut engine = engine(&piece(game.id()), game.board(), TABLE).unwrap();
        let found = engine.search(&game, &Limits::depth(99), &stop, &mut |_| {}).unwrap();
        assert!(found.best.is_some() && found.nodes < 100_000, "{found:?}");
        assert!(stop.is_set());
    }

    #[test]
    fn nothing_is_searched_when_the_game_is_over() {
        let game =
            game_from_fen(GameId::of::<Breakthrough>(), "3P4/8/8/8/8/8/pp6/8 b - - 0 1").unwrap();
        let mut engine = engine(&piece(game.id()), game.board(), TABLE).unwrap();
        let found = engine.search(&game, &Limits::depth(5), &Stop::default(), &mut |_| {});
        assert_eq!(found.unwrap(), TextReport::of(game.position(), &AnyReport::empty()));
    }
}
