//! A tune from code in one expression, kept in a run directory.

use super::dir::RunDir;
use super::files::MANIFEST;
use super::work::TuneWork;
use crate::any::Variants;
use crate::arena::Threads;
use crate::arena::queue::processors;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::game::Board;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::{Limits, Stop};
use crate::tune::{Method, Observer, Progress, RoundEvent, Tune, TuneResult, TuneSettings};
use crate::weights::WeightSet;
use std::path::Path;

impl Tune<'static> {
    /// A tune of the weights of a set, with the defaults of `spar tune`.
    ///
    /// The game becomes known to the program, beside the games of this crate. A program with
    /// several games of its own makes them known by [`Variants::install`] before it asks for any.
    ///
    /// ```
    /// use sparring_lab::simple::*;
    /// use sparring_lab::tune::{Method, Tune};
    /// use sparring_lab::weights::WeightSet;
    ///
    /// #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    /// struct TicTacToe { taken: [u64; 2], side: Side }
    ///
    /// const BOARD: u64 = board_squares(3, 3);
    /// const LINES: [u64; 8] = [0x7, 0x700, 0x70000, 0x10101, 0x20202, 0x40404, 0x40201, 0x10204];
    ///
    /// impl TicTacToe {
    ///     fn lines(&self, side: Side, count: i32) -> i32 {
    ///         let [own, other] = side.ordered(self.taken[0], self.taken[1]);
    ///         LINES.iter().filter(|&line| line & other == 0 && ones(line & own) == count).count() as i32
    ///     }
    /// }
    ///
    /// impl Rules for TicTacToe {
    ///     const NAME: &'static str = "tictactoe";
    ///     const BOARD: Board = Board::new(3, 3);
    ///     const SIGNS: [&'static str; 2] = ["x", "o"];
    ///     const START: &'static str = "3/3/3 x";
    ///
    ///     fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str> {
    ///         Ok(Self { taken: squares.narrow(), side })
    ///     }
    ///     fn squares(&self) -> Squares {
    ///         Squares::of_sets(&self.taken)
    ///     }
    ///     fn side_to_move(&self) -> Side {
    ///         self.side
    ///     }
    ///     fn outcome(&self) -> Option<Outcome> {
    ///         let winner = Side::BOTH.into_iter().find(|&side| self.lines(side, 3) > 0);
    ///         let is_full = self.taken[0] | self.taken[1] == BOARD;
    ///         winner.map(Outcome::Win).or(is_full.then_some(Outcome::Draw))
    ///     }
    ///     fn moves(&self, list: &mut Moves) {
    ///         for square in each(BOARD & !(self.taken[0] | self.taken[1])) {
    ///             list.drop(square);
    ///         }
    ///     }
    ///     fn play(&mut self, mv: Move) {
    ///         self.taken[self.side.index()] |= 1 << mv.to();
    ///         self.side = self.side.other();
    ///     }
    /// }
    ///
    /// impl Features for TicTacToe {
    ///     const FEATURES: &'static [SideFeature<Self>] = &[
    ///         side("open_one", "Lines with one own square and none of the other side.", |p, s| p.lines(s, 1)),
    ///         side("open_two", "Lines with two own squares and none of the other side.", |p, s| p.lines(s, 2)),
    ///     ];
    /// }
    ///
    /// let hand = WeightSet::from_json(
    ///     r#"{
    ///         "format": 4, "game": "tictactoe", "board": null, "name": "hand", "description": "", "scale": 1,
    ///         "weights": { "open_one": 10, "open_two": 20 }, "provenance": null
    ///     }"#,
    ///     "hand",
    /// )?;
    /// let folder = tempfile::tempdir().unwrap();
    /// let done = Tune::of::<Simple<TicTacToe>>(hand)
    ///     .method(Method::Spsa)
    ///     .games(200)
    ///     .nodes(20)
    ///     .threads(1)
    ///     .observe(|progress| println!("{progress}"))
    ///     .run_in(folder.path().join("first"))?;
    /// println!("{}, Elo {:?} +- {:?}", done.accepted, done.elo, done.elo_error);
    /// # Ok::<(), sparring_lab::error::Error>(())
    /// ```
    pub fn of<G: Game>(start: WeightSet) -> TuneInDir<'static> {
        // Fails if games are installed already, which may include this one.
        let _ = Variants::shipped().with::<G>().install();
        let is_known = GameId::all().iter().any(|game| {
            let own = G::FEATURES.iter().map(|feature| feature.name);
            game.name() == G::GAME && own.eq(game.features.iter().map(|feature| feature.name))
        });
        TuneInDir {
            game: G::GAME,
            is_known,
            start,
            board: None,
            method: Method::default(),
            games: None,
            limits: Limits::nodes(TuneSettings::NODES),
            seed: 1,
            threads: None,
            stop: Stop::default(),
            observer: Box::new(|_| {}),
        }
    }
}

/// A tune that is kept in a run directory; see [`Tune::of`].
pub struct TuneInDir<'a> {
    game: &'static str,
    /// Whether the game of this name in the program is this one.
    is_known: bool,
    start: WeightSet,
    board: Option<Board>,
    method: Method,
    games: Option<u64>,
    limits: Limits,
    seed: u64,
    threads: Option<usize>,
    stop: Stop,
    observer: Box<dyn FnMut(&Progress) + 'a>,
}

/// The result of a tune.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Whether the tuned weights were proven better than the start.
    pub accepted: bool,
    /// The tuned weights if they were accepted, otherwise the start.
    pub weights: WeightSet,
    /// The Elo of the tuned weights over the start in the validation; `None` where it is not
    /// defined.
    pub elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub elo_error: Option<f64>,
    /// The result with all its matches.
    pub result: TuneResult,
}

impl<'a> TuneInDir<'a> {
    /// The board [default: the set's own, or else the usual one of the game].
    #[must_use]
    pub fn board(mut self, board: Board) -> Self {
        self.board = Some(board);
        self
    }

    /// The method [default: joined].
    #[must_use]
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// Games to tune with; matches that decide come on top [default: 60,000, for SPSA 30,000].
    #[must_use]
    pub fn games(mut self, games: u64) -> Self {
        self.games = Some(games);
        self
    }

    /// Nodes of each move [default: 1,000].
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        self.limits(Limits::nodes(nodes))
    }

    /// The limits of each move, in place of nodes.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The seed of all random numbers [default: 1]. The same seed gives the same result, on any
    /// number of threads.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The number of threads [default: one for each processor].
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Ends the tune with an error of its own kind,
    /// [`ErrorKind::Interrupted`](crate::error::ErrorKind), once the flag is set and the games in
    /// progress are finished. The same call continues later.
    #[must_use]
    pub fn stop(mut self, stop: &Stop) -> Self {
        self.stop = stop.clone();
        self
    }

    /// Calls `observer` with the progress of the tune, whenever something is finished.
    #[must_use]
    pub fn observe<'b>(self, observer: impl FnMut(&Progress) + 'b) -> TuneInDir<'b>
    where
        'a: 'b,
    {
        TuneInDir { observer: Box::new(observer), ..self }
    }

    /// Begins the run in a directory, or continues it exactly where it was. Finished work is not
    /// repeated.
    ///
    /// # Errors
    /// When a number is out of range, the set does not fit the game, the directory holds another
    /// run, its files cannot be written, or the tune is stopped.
    pub fn run_in(self, dir: impl AsRef<Path>) -> Result<Tuned> {
        let work = self.work()?;
        let mut run = open_or_create(dir.as_ref(), &work)?;
        let threads = Threads::new(self.threads.unwrap_or_else(processors))?;
        let name = run.manifest().run.clone();
        let tune = Tune {
            run: &name,
            interrupt: self.stop,
            ..Tune::new(&work.config, &work.start, &threads)
        };
        let mut watch = Watch::new(&work.config, self.observer);
        let result = tune.run(&mut run, &mut watch)?;
        run.finish(&result)?;
        Ok(Tuned {
            accepted: result.accepted,
            weights: result.player.to_set(),
            elo: result.validation.elo,
            elo_error: result.validation.elo_error,
            result,
        })
    }

    fn work(&self) -> Result<TuneWork> {
        let game: GameId = self.game.parse().map_err(|error: Error| {
            error.remedy("make it known first: Variants::shipped().with::<Game>().install()")
        })?;
        if !self.is_known {
            return Err(Error::input(format!("game `{game}`"), "another game has this name")
                .remedy("give yours a name of its own"));
        }
        let own = self.start.board.as_deref().map(str::parse).transpose()?;
        let board = self.board.or(own).unwrap_or(game.default_board);
        let (name, set) = (self.start.name.clone(), self.start.clone());
        let start = Player::from_set(game, name, set, DefaultWeights::HandMade)?;
        let Self { method, games, limits, seed, .. } = *self;
        let settings = TuneSettings::usual(game, board, &start, method, games, limits, seed)?;
        settings.check_for(&start)?;
        Ok(TuneWork::new(settings, start))
    }
}

fn open_or_create(path: &Path, work: &TuneWork) -> Result<RunDir> {
    if !path.join(MANIFEST).exists() {
        return RunDir::create(path, work.clone().into(), &[]);
    }
    let run = RunDir::open(path)?;
    match run.manifest().work.tune() == Some(work) {
        true => Ok(run),
        false => Err(Error::input(path.display(), "holds another run, or one with other settings")
            .remedy("give the settings that it began with, or name another directory")),
    }
}

/// Passes the progress of a tune, including its rounds, to a closure.
struct Watch<'a> {
    observer: Box<dyn FnMut(&Progress) + 'a>,
    /// The progress of the rounds, before the first step of a tune by matches.
    rounds: Progress,
    /// The games of the earlier rounds.
    earlier: u64,
}

impl<'a> Watch<'a> {
    fn new(config: &TuneSettings, observer: Box<dyn FnMut(&Progress) + 'a>) -> Self {
        let mut rounds = Progress::default();
        rounds.planned = config.games;
        Self { observer, rounds, earlier: 0 }
    }
}

impl Observer for Watch<'_> {
    fn on_batch(&mut self, progress: &Progress) {
        (self.observer)(progress);
    }

    fn on_round(&mut self, event: RoundEvent) {
        let games = match event {
            RoundEvent::Generated { games: [games, _], .. } => games,
            RoundEvent::Judged(_) => {
                self.earlier = self.rounds.games;
                return;
            }
            _ => return,
        };
        self.rounds.games = self.earlier + games;
        (self.observer)(&self.rounds);
    }
}
