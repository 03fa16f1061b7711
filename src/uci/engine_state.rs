//! The state of the engine in one game: position, weights, engine, and the job under way.

mod jobs;

use super::command::Start;
use super::job::{Job, JobSignals};
use super::output::Output;
use super::settings::Settings;
use crate::any::{AnyEndgames, AnyEngine, AnyPosition};
use crate::error::{Error, Result};
use crate::eval::features::check_board;
use crate::game::fen::lacks_side;
use crate::game::{Board, FenCounters, Repetitions, STARTPOS};
use crate::games::GameId;
use crate::opening_tree::OpeningBook;
use crate::player::{DefaultWeights, Player};
use crate::search::{Options, Stop};
use crate::weights::Weight;
use std::path::Path;
use std::time::Duration;

/// How long the next command waits for a perft or a benchmark to end.
const COUNT_WAIT: Duration = Duration::from_secs(30);

/// Finds the player that a name stands for, and a note about it for users.
pub type PlayerFinder = fn(GameId, &str, Board) -> Result<(Player, Option<String>)>;

/// The kind of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JobKind {
    /// A search, which can be answered at any time.
    Search,
    /// A perft or a benchmark, whose result is of use only when it is complete.
    Count,
}

/// The settings that an engine is made from: any change needs a new engine.
#[derive(Clone, Debug, PartialEq)]
struct EngineSettings {
    board: Board,
    eval_file: Option<String>,
    weights: Vec<(String, i32)>,
    hash: u64,
    threads: usize,
    constants: Vec<(&'static str, i32)>,
}

impl EngineSettings {
    fn new(settings: &Settings, board: Board) -> Self {
        let Settings { eval_file, weights, hash, threads, constants, .. } = settings.clone();
        Self { board, eval_file, weights, hash, threads, constants }
    }
}

/// A player, and the option and the board that it was loaded for.
struct CachedPlayer {
    asked: (Option<String>, Board),
    player: Player,
}

/// The engine in one game.
pub(super) struct EngineState {
    game: GameId,
    finder: PlayerFinder,
    output: Output,
    /// The position last set up.
    position: AnyPosition,
    /// The counters of its FEN.
    counters: Option<FenCounters>,
    /// Whether the last position sent was refused, so that there is none to search.
    is_refused: bool,
    /// How often each position of the game before this one has been met, where that counts.
    met: Repetitions,
    /// The most time that each side was seen to have left in this game.
    most_time: [Option<Duration>; 2],
    loaded: Option<CachedPlayer>,
    /// The engine, unless a search has it.
    engine: Option<AnyEngine>,
    made_from: Option<EngineSettings>,
    /// Whether the next search begins with empty tables.
    is_stale: bool,
    /// Whether the next search names the weights in a remark.
    is_unnamed: bool,
    job: Option<(JobKind, Job<Option<AnyEngine>>)>,
    /// The plies played to the position.
    plies: usize,
    book: CachedFile<OpeningBook>,
    endgames: CachedFile<AnyEndgames>,
}

/// The book's margin in hundredths of a piece, and the seed of its choice: the engine plays the
/// best move, or one of several equal ones.
const BOOK_VARIETY: u32 = 0;
const BOOK_SEED: u64 = 1;

/// The file last read, with the path, game and board that it was read for.
struct CachedFile<T> {
    asked: Option<(String, GameId, Board)>,
    content: Option<T>,
}

impl<T> CachedFile<T> {
    const NONE: Self = Self { asked: None, content: None };

    /// Reads the file of a path, unless that was the last one.
    ///
    /// # Errors
    /// When the file is of another kind, game or board. A repeated call does not read it again and
    /// succeeds without content.
    fn read(
        &mut self,
        path: Option<&str>,
        (game, board): (GameId, Board),
        load: fn(&Path, GameId, Board) -> Result<T>,
    ) -> Result<()> {
        let asked = path.map(|path| (path.to_owned(), game, board));
        if self.asked == asked {
            return Ok(());
        }
        (self.asked, self.content) = (asked, None);
        self.content = path.map(|path| load(Path::new(path), game, board)).transpose()?;
        Ok(())
    }
}

impl EngineState {
    /// The state of a game at the start position of a board.
    ///
    /// # Errors
    /// When the game is not played on the board.
    pub(super) fn new(
        game: GameId,
        board: Board,
        finder: PlayerFinder,
        output: &Output,
    ) -> Result<Self> {
        let position = game.start(board)?;
        let output = output.clone();
        Ok(Self {
            game,
            finder,
            output,
            position,
            counters: None,
            is_refused: false,
            met: Repetitions::default(),
            most_time: [None; 2],
            loaded: None,
            engine: None,
            made_from: None,
            is_stale: false,
            is_unnamed: false,
            job: None,
            plies: 0,
            book: CachedFile::NONE,
            endgames: CachedFile::NONE,
        })
    }

    /// Refuses a command that needs the position, if there is none.
    fn check_position(&self) -> Result<()> {
        if !self.is_refused {
            return Ok(());
        }
        Err(Error::input("position", "the last one was refused, so there is none")
            .remedy("send a valid one, or ucinewgame"))
    }

    /// Sets up a position and the moves from there.
    fn try_set_up(&mut self, start: &Start, moves: &[String], settings: &Settings) -> Result<()> {
        let mut position = match start {
            Start::Usual => self.game.start(settings.variant.board)?,
            Start::Fen(fen) if fen == STARTPOS => self.game.start(settings.variant.board)?,
            Start::Fen(fen) => self.game.from_fen(fen)?,
        };
        let mut counters = match start {
            Start::Fen(fen) => FenCounters::of(&self.game, fen),
            Start::Usual => None,
        };
        let mut met = Repetitions::default();
        for (index, word) in moves.iter().enumerate() {
            let mv = position.parse_move(word);
            let mv = mv.map_err(|error| error.within(format!("position, ply {}", index + 1)))?;
            position.meet(&mut met);
            let next = position.after(mv);
            counters = counters.map(|counters| counters.after(&position, &next));
            position = next;
        }
        if matches!(start, Start::Fen(fen) if lacks_side(fen)) {
            let [first, _] = self.game.side_names;
            self.output.remark(format!("position: no side to move is named, so {first} begins"));
        }
        (self.position, self.met, self.counters) = (position, met, counters);
        self.plies = moves.len();
        Ok(())
    }

    /// The player for the board of the position. One that does not fit it gives way to the default
    /// one, with a remark.
    fn load(&mut self, settings: &Settings) -> Result<&Player> {
        let board = self.position.board();
        let asked = (settings.eval_file.clone(), board);
        let loaded = match self.loaded.take() {
            Some(loaded) if loaded.asked == asked => loaded,
            _ => {
                let player = self.find_player(settings.eval_file.as_deref(), board)?;
                CachedPlayer { asked, player }
            }
        };
        Ok(&self.loaded.insert(loaded).player)
    }

    fn find_player(&self, name: Option<&str>, board: Board) -> Result<Player> {
        let usual = || Player::find(self.game, None, DefaultWeights::Strongest(board));
        let Some(name) = name else { return usual() };
        let found = (self.finder)(self.game, name, board).and_then(|found| {
            let (player, _) = &found;
            check_board(&player.weights, &player.name, board).map(|()| found)
        });
        match found {
            Ok((player, note)) => {
                note.into_iter().for_each(|note| self.output.remark(note));
                Ok(player)
            }
            Err(error) => {
                self.output.remark(format!("{error}; the default weights are used"));
                usual()
            }
        }
    }

    /// The player with the options set since it was loaded.
    fn changed_player(&mut self, settings: &Settings) -> Result<Player> {
        let mut player = self.load(settings)?.clone();
        let is_known = |name: &str| self.game.features.iter().any(|feature| feature.name == name);
        for (name, value) in settings.weights.iter().filter(|(name, _)| is_known(name)) {
            if player.weights.early_and_late(name).is_some() {
                self.output.remark(format!(
                    "option {name} changes nothing: {} has an early and a late weight for it",
                    player.name
                ));
                continue;
            }
            player.weights.weights.insert(name, Weight::One(*value));
        }
        player.constants = settings.constants(&player);
        Ok(player)
    }

    /// Names the weights that the engine plays with, if the engine is new since the last search.
    fn name_weights(&mut self) {
        if let Some(loaded) = self.loaded.as_ref().filter(|_| self.is_unnamed) {
            let Player { name, weights, .. } = &loaded.player;
            let board = self.position.board();
            let own = weights.board.as_deref().filter(|_| !weights.fits_board(board));
            let origin = own.map_or(String::new(), |own| format!(", made for {own}"));
            let game = self.game;
            self.output.remark(format!("{game} on {board} with the weights {name}{origin}"));
        }
        self.is_unnamed = false;
    }

    /// Takes the engine back from a search that has been answered.
    fn collect(&mut self) {
        if self.job.as_ref().is_some_and(|(_, job)| job.is_answered()) {
            self.finish();
        }
    }

    fn begin(
        &mut self,
        kind: JobKind,
        stop: Stop,
        work: impl FnOnce(&JobSignals) -> Option<AnyEngine> + Send + 'static,
    ) -> Result<()> {
        let job = Job::begin(stop, work).map_err(|error| Error::failed("no thread", error))?;
        self.job = Some((kind, job));
        Ok(())
    }

    /// The engine, ready for a search.
    fn ready(&mut self, settings: &Settings) -> Result<AnyEngine> {
        self.prepare(settings)?;
        self.engine.take().ok_or_else(|| Error::failed("engine", "not ready"))
    }

    /// Sets up a position. After an error there is none to search until the next one: a frontend
    /// would take an answer about the old position for one about the new.
    pub(super) fn set_up(
        &mut self,
        start: &Start,
        moves: &[String],
        settings: &Settings,
    ) -> Result<()> {
        let set_up = self.try_set_up(start, moves, settings);
        self.is_refused = set_up.is_err();
        set_up
    }

    /// Leaves the engine without a position: one that was sent could not be read.
    pub(super) fn refuse(&mut self) {
        self.is_refused = true;
    }

    /// The player in use, without the options set since.
    pub(super) fn player(&mut self, settings: &Settings) -> Result<&Player> {
        self.load(settings)
    }

    /// Gets ready for a search, unless a job is under way.
    pub(super) fn prepare(&mut self, settings: &Settings) -> Result<()> {
        self.collect();
        self.read_book(settings);
        self.read_endgames(settings);
        if self.job.is_some() {
            return Ok(());
        }
        let made_from = EngineSettings::new(settings, self.position.board());
        if self.made_from.as_ref() != Some(&made_from) || self.engine.is_none() {
            // Two tables at once may not fit into memory.
            self.engine = None;
            let player = self.changed_player(settings)?;
            let evaluator = self.game.evaluator(&player.weights)?;
            let options = Options {
                table_bytes: (made_from.hash as usize) << 20,
                algorithm: settings.algorithm,
                threads: made_from.threads,
                constants: player.constants,
                ..Options::default()
            };
            self.engine = Some(evaluator.engine(options));
            self.made_from = Some(made_from);
            self.is_unnamed = true;
        } else if self.is_stale {
            self.engine.iter_mut().for_each(|engine| engine.clear());
        }
        let endgames = self.endgames.content.as_ref();
        self.engine.iter_mut().for_each(|engine| engine.set_endgames(endgames));
        self.is_stale = false;
        Ok(())
    }

    /// Lets the next search begin with empty tables.
    pub(super) fn forget(&mut self) {
        self.is_stale = true;
        self.most_time = [None; 2];
    }

    /// Asks the running job to end.
    pub(super) fn stop(&self) {
        self.job.iter().for_each(|(_, job)| job.stop());
    }

    /// Starts the clock of a pondering search: the expected move was played.
    pub(super) fn ponder_hit(&self) {
        self.job.iter().for_each(|(_, job)| job.ponder_hit());
    }

    /// Ends the job under way, its answer included: a search at once, another job when it is done
    /// or has had its time.
    pub(super) fn finish(&mut self) {
        if let Some((kind, job)) = self.job.take() {
            if kind == JobKind::Count {
                job.wait(COUNT_WAIT);
            }
            job.stop();
            // A job that failed has lost the engine; the next one gets another.
            if let Some(Some(engine)) = job.join() {
                self.engine = Some(engine);
            }
        }
    }
}
