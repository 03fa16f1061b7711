//! The state of the engine in one game: position, weights, engine, and the job under way.

use super::command::Start;
use super::go::Go;
use super::info::best_move;
use super::job::{Job, JobSignals};
use super::output::Output;
use super::perft::divide;
use super::search_task::{self, SearchTask};
use super::settings::Settings;
use crate::error::{Error, Result};
use crate::eval::Game;
use crate::eval::features::{check_board, explain};
use crate::game::{Board, MoveList, Repetitions};
use crate::games::{GameId, with_game};
use crate::player::{DefaultWeights, Player};
use crate::protocol::Protocol;
use crate::report::explanation::{score_facts, term_table};
use crate::runs::RunSet;
use crate::search::bench;
use crate::search::{Engine, Limits, Options, Stop};
use crate::weights::Weight;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the next command waits for a perft or a benchmark to end.
const COUNT_WAIT: Duration = Duration::from_secs(30);

/// The engine as the server sees it, whatever the type of its game.
pub(super) trait EngineState {
    /// Sets up a position; on an error the old one stays.
    fn set_up(&mut self, start: &Start, moves: &[String], settings: &Settings) -> Result<()>;
    /// The player in use, without what was set since.
    fn player(&mut self, settings: &Settings) -> Result<&Player>;
    /// Gets ready for a search, unless a job is under way.
    fn prepare(&mut self, settings: &Settings) -> Result<()>;
    /// Lets the next search begin with empty tables.
    fn forget(&mut self);
    /// Starts a search.
    fn go(
        &mut self,
        go: &Go,
        asked: Instant,
        protocol: Protocol,
        settings: &Settings,
    ) -> Result<()>;
    /// Starts counting the lines of a number of plies.
    fn perft(&mut self, depth: u32) -> Result<()>;
    /// Starts the benchmark, to the game's usual depth where none is given.
    fn bench(&mut self, depth: Option<u32>, settings: &Settings) -> Result<()>;
    /// The position as a diagram, FEN and key.
    fn display(&self) -> String;
    /// The static score, term by term.
    fn explain(&mut self, settings: &Settings) -> Result<String>;
    /// Asks the running job to end.
    fn stop(&self);
    /// Starts the clock of a pondering search: the expected move was played.
    fn ponder_hit(&self);
    /// Ends the job under way, its answer included: a search at once, another job when it is done
    /// or has had its time.
    fn finish(&mut self);
}

/// The state of a game at the start position of a board.
///
/// # Errors
/// When the game is not played on the board.
pub(super) fn new_state(
    game: GameId,
    board: Board,
    output: &Output,
) -> Result<Box<dyn EngineState>> {
    with_game!(game, G => Ok(Box::new(GameEngineState::<G>::new(board, output)?) as Box<dyn EngineState>))
}

/// What a job does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JobKind {
    /// A search, which can be answered at any time.
    Search,
    /// A perft or a benchmark, whose result is of use only when it is complete.
    Count,
}

/// The settings that an engine is made from: others need another engine.
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

/// The engine in a game of one type.
struct GameEngineState<G: Game> {
    output: Output,
    position: G,
    /// How often each position of the game before this one has been met, where that counts.
    met: Repetitions,
    /// The most time that each side was seen to have left in this game.
    most_time: [Option<Duration>; 2],
    loaded: Option<CachedPlayer>,
    /// The engine, unless a search has it.
    engine: Option<Engine<G>>,
    made_from: Option<EngineSettings>,
    /// Whether the next search begins with empty tables.
    is_stale: bool,
    /// Whether the weights are still to be named in a remark.
    is_unnamed: bool,
    job: Option<(JobKind, Job<Option<Engine<G>>>)>,
}

impl<G: Game> GameEngineState<G> {
    fn new(board: Board, output: &Output) -> Result<Self> {
        let position = G::start(board)?;
        let output = output.clone();
        Ok(Self {
            output,
            position,
            met: Repetitions::default(),
            most_time: [None; 2],
            loaded: None,
            engine: None,
            made_from: None,
            is_stale: false,
            is_unnamed: false,
            job: None,
        })
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
        let find = |name: Option<&str>| {
            let player = Player::find::<G>(name, DefaultWeights::Strongest(board))?;
            check_board(&player.weights, &player.name, board)?;
            Ok::<_, Error>(player)
        };
        if let Some(note) = name.and_then(|name| RunSet::of_file(Path::new(name))?.note) {
            self.output.remark(note);
        }
        find(name).or_else(|error| {
            self.output.remark(format!("{error}; the default weights are used"));
            find(None)
        })
    }

    /// The player with what was set since.
    fn changed_player(&mut self, settings: &Settings) -> Result<Player> {
        let mut player = self.load(settings)?.clone();
        let is_known = |name: &str| G::FEATURES.iter().any(|feature| feature.name == name);
        for (name, value) in settings.weights.iter().filter(|(name, _)| is_known(name)) {
            player.weights.weights.insert(name, Weight::One(*value));
        }
        player.constants = settings.constants(&player);
        Ok(player)
    }

    /// Names the weights that the engine plays with, if it is another engine than at the last
    /// search.
    fn name_weights(&mut self) {
        if let Some(loaded) = self.loaded.as_ref().filter(|_| self.is_unnamed) {
            let Player { name, weights, .. } = &loaded.player;
            let board = self.position.board();
            let own = weights.board.as_deref().filter(|_| !weights.fits_board(board));
            let origin = own.map_or(String::new(), |own| format!(", made for {own}"));
            self.output.remark(format!("{} on {board} with the weights {name}{origin}", G::GAME));
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
        work: impl FnOnce(&JobSignals) -> Option<Engine<G>> + Send + 'static,
    ) -> Result<()> {
        let job = Job::begin(stop, work).map_err(|error| Error::failed("no thread", error))?;
        self.job = Some((kind, job));
        Ok(())
    }

    /// The engine, ready for a search.
    fn ready(&mut self, settings: &Settings) -> Result<Engine<G>> {
        self.prepare(settings)?;
        self.engine.take().ok_or_else(|| Error::failed("engine", "not ready"))
    }
}

impl<G: Game> EngineState for GameEngineState<G> {
    fn set_up(&mut self, start: &Start, moves: &[String], settings: &Settings) -> Result<()> {
        let mut position = match start {
            Start::Usual => G::start(settings.variant.board)?,
            Start::Fen(fen) => G::from_fen(fen)?,
        };
        let mut met = Repetitions::default();
        for (index, word) in moves.iter().enumerate() {
            let mv = position.parse_move(word);
            let mv = mv.map_err(|error| error.within(format!("position, ply {}", index + 1)))?;
            position = met.follow(&position, &[mv]);
        }
        (self.position, self.met) = (position, met);
        Ok(())
    }

    fn player(&mut self, settings: &Settings) -> Result<&Player> {
        self.load(settings)
    }

    fn prepare(&mut self, settings: &Settings) -> Result<()> {
        self.collect();
        if self.job.is_some() {
            return Ok(());
        }
        let made_from = EngineSettings::new(settings, self.position.board());
        if self.made_from.as_ref() != Some(&made_from) || self.engine.is_none() {
            // Two tables at once may be too much.
            self.engine = None;
            let player = self.changed_player(settings)?;
            let evaluator = G::evaluator(&player.weights)?;
            let options = Options {
                table_bytes: (made_from.hash as usize) << 20,
                threads: made_from.threads,
                constants: player.constants,
                ..Options::default()
            };
            self.engine = Some(Engine::new(evaluator, options));
            self.made_from = Some(made_from);
            self.is_unnamed = true;
        } else if self.is_stale {
            self.engine.iter_mut().for_each(Engine::clear);
        }
        self.is_stale = false;
        Ok(())
    }

    fn forget(&mut self) {
        self.is_stale = true;
        self.most_time = [None; 2];
    }

    fn go(
        &mut self,
        go: &Go,
        asked: Instant,
        protocol: Protocol,
        settings: &Settings,
    ) -> Result<()> {
        self.finish();
        let side = self.position.side_to_move();
        let most = &mut self.most_time[side.index()];
        *most = (*most).max(go.time_left(protocol, side));
        let clock = settings.clock(*most);
        let task = SearchTask {
            position: self.position.clone(),
            met: self.met.clone(),
            limits: go.limits(protocol, side, &clock),
            endless: go.is_endless(),
            mate: go.mate,
            asked,
            protocol,
            output: self.output.clone(),
        };
        let stop = if go.ponder { Stop::pondering() } else { Stop::default() };
        let engine = self.ready(settings);
        self.name_weights();
        let started = engine.and_then(|engine| {
            self.begin(JobKind::Search, stop, move |signals| {
                Some(search_task::run(engine, &task, signals))
            })
        });
        started.inspect_err(|_| {
            // A `go` is always answered: here with the first legal move.
            let mut moves = MoveList::new();
            self.position.moves(&mut moves);
            let best = moves.first().map(|&mv| protocol.move_text(&self.position, mv));
            self.output.say(best_move(protocol, best.as_deref(), None));
        })
    }

    fn perft(&mut self, depth: u32) -> Result<()> {
        self.finish();
        let (position, output) = (self.position.clone(), self.output.clone());
        self.begin(JobKind::Count, Stop::default(), move |signals| {
            let counted = divide(&position, depth, &signals.stop, &output);
            signals.announce_answer();
            match counted {
                Some(nodes) => output.say(format!("\nNodes searched: {nodes}")),
                None => output.remark("perft: stopped"),
            }
            None
        })
    }

    fn bench(&mut self, depth: Option<u32>, settings: &Settings) -> Result<()> {
        self.finish();
        let limits = Limits::depth(depth.unwrap_or(G::GUIDE.bench_depth));
        let positions = bench::positions::<G>(self.position.board())?;
        let player = self.changed_player(settings)?;
        let evaluator = G::evaluator(&player.weights)?;
        let options = bench::options(&limits, None, player.constants);
        let output = self.output.clone();
        self.begin(JobKind::Count, Stop::default(), move |signals| {
            let pass = bench::pass::<G>(&positions, &evaluator, &options, &limits, &signals.stop);
            signals.announce_answer();
            if signals.stop.is_set() {
                output.remark("bench: stopped");
            } else {
                let nps = u128::from(pass.nodes) * 1_000_000 / pass.time.as_micros().max(1);
                output.say(format!("{} nodes {nps} nps", pass.nodes));
            }
            None
        })
    }

    fn display(&self) -> String {
        let position = &self.position;
        format!("{}\nfen {}\nkey {:016x}", position.diagram(), position.fen(), position.key())
    }

    fn explain(&mut self, settings: &Settings) -> Result<String> {
        let player = self.changed_player(settings)?;
        let explained = explain(&self.position, &player.weights)?;
        let facts = score_facts(&explained, &player.name);
        Ok(format!("{}\n{facts}", term_table(&explained, false)))
    }

    fn stop(&self) {
        self.job.iter().for_each(|(_, job)| job.stop());
    }

    fn ponder_hit(&self) {
        self.job.iter().for_each(|(_, job)| job.ponder_hit());
    }

    fn finish(&mut self) {
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
