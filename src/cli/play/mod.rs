//! `spar play`: a game against the engine in the terminal.

mod command;
mod game_in_play;
mod input;
mod marked_board;
pub(in crate::cli) mod typed_move;

use super::analyze::score_text;
use super::book::{PlayerBook, PlayerBookArgs};
use super::engine_args::EngineArgs;
use super::limit_args::{ClockPolicyArg, ClockText};
use crate::any::{AnyEngine, AnyOpening, AnyPosition, AnyReport};
use crate::cli::{Console, Ended, Interrupt, LoadedPlayer, PositionArgs};
use crate::error::{Error, Result, shorten};
use crate::eval::Score;
use crate::files::{self, Links};
use crate::game::counters::FenCounters;
use crate::game::{Outcome, Side};
use crate::games::GameId;
use crate::opening_tree::BookMove;
use crate::player::Player;
use crate::report::explanation::term_table;
use crate::report::{Role, units};
use crate::search::score::plies_to_win;
use crate::search::{Clock, Limits, Stop};
use clap::{Args, ValueEnum};
use command::{PlayCommand, help};
use game_in_play::{GameInPlay, Over};
use input::{InputLine, LineInput};
use marked_board::marked_board;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The engine's time for a move when no limit is given.
const TIME: Duration = Duration::from_secs(1);

/// Plays a game against you in the terminal
#[derive(Args, Debug)]
#[command(
    after_help = "With neither a limit nor a clock the engine gets --movetime 1000. Ctrl-C while it thinks: \
    it moves at once. Type `help` in the game for what can be typed."
)]
pub struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The engine's weights: a shipped set or a file [default: the board's strongest]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// The side you play; the first one begins
    #[arg(long, value_enum, default_value_t = HumanSide::First)]
    side: HumanSide,
    /// Seconds for the game and seconds added after each move, for both sides; a side that runs out
    /// of time loses
    #[arg(long, value_name = "GAME+MOVE")]
    clock: Option<ClockText>,
    #[command(flatten)]
    policy: ClockPolicyArg,
    #[command(flatten)]
    book: PlayerBookArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Which sides a person plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum HumanSide {
    /// The side that begins
    First,
    /// The side that moves second
    Second,
    /// Two people play, the engine only gives hints
    Both,
    /// The engine plays itself
    None,
}

impl HumanSide {
    fn flags(self) -> [bool; 2] {
        [matches!(self, Self::First | Self::Both), matches!(self, Self::Second | Self::Both)]
    }
}

/// Runs the command.
///
/// # Errors
/// When an argument is wrong, or the terminal fails.
pub fn run(args: &PlayArgs, console: &Console) -> Result<Ended> {
    let weights = args.weights.as_deref();
    let id = args.position.game(weights, console)?;
    let given = args.engine.limits.given()?;
    let limits = match args.clock {
        Some(_) => given.unwrap_or_default(),
        None => given.unwrap_or(Limits::movetime(TIME)),
    };
    let line = args.position.line(id, weights)?;
    let (LoadedPlayer { player, evaluator }, options) =
        args.engine.player(id, weights, line.start.board(), &limits, console)?;
    let board = line.start.board();
    let book = args.book.read(id, board)?;
    let engine = args.engine.engine(&evaluator, options, (id, board), console)?;
    let policy = args.policy.clock_policy;
    let clock =
        args.clock.map(|ClockText(clock)| Clock { policy, whole: Some(clock.left), ..clock });
    let mut game = GameInPlay::new(line.start, args.side.flags(), clock);
    game.count_from(args.position.counters(id));
    line.moves.into_iter().for_each(|mv| game.play(mv));
    let input = LineInput::open()?;
    let mut play_loop =
        PlayLoop { id, game, engine, player, limits, book, input, shown: None, console };
    play_loop.greet()?;
    let ended = play_loop.run()?;
    play_loop.print_document()?;
    Ok(ended)
}

/// Reads what is typed and lets the engine answer until the game is left.
struct PlayLoop<'a> {
    id: GameId,
    game: GameInPlay,
    engine: AnyEngine,
    player: Player,
    limits: Limits,
    book: Option<PlayerBook>,
    input: LineInput,
    /// The plies of the game when the board was drawn last.
    shown: Option<usize>,
    console: &'a Console,
}

impl PlayLoop<'_> {
    fn greet(&self) -> Result<()> {
        let (board, weights) = (self.game.position().board(), &self.player.name);
        self.console.say(format!("{} on {board} against {weights}", self.id))?;
        let played: Vec<&str> = Side::BOTH
            .into_iter()
            .filter(|&side| self.game.is_human(side))
            .map(|side| self.side_name(side))
            .collect();
        if let [side] = played.as_slice() {
            self.console.say(format!("You play {side}."))?;
        }
        self.console.say("Type a move, or `help`.\n")
    }

    fn run(&mut self) -> Result<Ended> {
        let mut announced = false;
        loop {
            let over = self.game.over();
            if over.is_some() || self.game.is_human_turn() || !self.has_person() {
                self.show_board()?;
            }
            if let Some(over) = over.filter(|_| !announced) {
                self.announce(over)?;
            }
            announced = over.is_some();
            if over.is_none() && !self.game.is_human_turn() {
                self.engine_move()?;
                continue;
            }
            let prompt = if announced {
                "game over> ".to_owned()
            } else {
                format!("{}> ", self.turn_text())
            };
            let text = match self.input.line(&prompt)? {
                InputLine::Text(text) => text,
                InputLine::End => return Ok(Ended::Done),
                InputLine::Interrupted => return Ok(Ended::Stopped),
            };
            match PlayCommand::parse(&text, self.game.position()) {
                Ok(PlayCommand::Quit) => return Ok(Ended::Done),
                Ok(command) => self.execute(command)?,
                // The person types again; only the clock continues.
                Err(error) => self.console.error(&error),
            }
        }
    }

    fn execute(&mut self, command: PlayCommand) -> Result<()> {
        match command {
            PlayCommand::Nothing | PlayCommand::Quit => Ok(()),
            PlayCommand::Move(mv) if self.game.over().is_none() => {
                self.game.play(mv);
                Ok(())
            }
            PlayCommand::Move(_) | PlayCommand::Go | PlayCommand::Resign
                if self.game.over().is_some() =>
            {
                self.console.say("The game is over: undo, new or quit.")
            }
            PlayCommand::Move(_) => Ok(()),
            PlayCommand::Go => self.engine_move(),
            PlayCommand::Resign => {
                self.game.resign();
                Ok(())
            }
            PlayCommand::Eval => self.explain(),
            PlayCommand::Save(file) => self.save(Path::new(&file)),
            PlayCommand::Load(file) => self.load(Path::new(&file)),
            PlayCommand::Undo if self.game.undo() => {
                self.shown = None;
                Ok(())
            }
            PlayCommand::Undo => self.console.say("There is no move of yours to take back."),
            PlayCommand::Hint => self.hint(),
            PlayCommand::Side => self.swap_sides(),
            PlayCommand::New => {
                self.game.restart();
                self.engine.clear();
                self.shown = None;
                Ok(())
            }
            PlayCommand::Board => {
                self.shown = None;
                Ok(())
            }
            PlayCommand::Fen => self.console.say(self.game.fen()),
            PlayCommand::Moves => self.console.say(self.legal_moves()),
            PlayCommand::Help => self.console.say(help(self.game.start())),
        }
    }

    fn engine_move(&mut self) -> Result<()> {
        let position = self.game.position().clone();
        if let Some(BookMove { mv, value }) = self.book_move() {
            let text = Role::Heading.paint(position.move_text(mv));
            self.console
                .say(format!("engine plays {text}  {}  from the book", self.worth(value)))?;
            self.game.play(mv);
            return Ok(());
        }
        let report = self.think(&position, "moving now; Ctrl-C again quits");
        let Some(best) = report.best else { return Ok(()) };
        self.console.say(format!(
            "engine plays {}  {}  depth {}  {} nodes  {}",
            Role::Heading.paint(position.move_text(best)),
            self.worth(report.score),
            report.depth,
            units::count(report.counters.nodes),
            units::time(report.elapsed)
        ))?;
        self.game.play(best);
        Ok(())
    }

    fn book_move(&self) -> Option<BookMove> {
        self.book.as_ref()?.choose(self.game.position(), self.engine.unit())
    }

    fn hint(&mut self) -> Result<()> {
        if self.game.over().is_some() {
            return self.console.say("The game is over: undo, new or quit.");
        }
        let position = self.game.position().clone();
        let report = self.think(&position, "");
        self.console.say(format!(
            "hint: {}  {}",
            position.line_text(&report.pv),
            self.worth(report.score)
        ))
    }

    /// Searches. Ctrl-C cuts it short, unless the engine plays itself: then it ends the program.
    fn think(&mut self, position: &AnyPosition, on_interrupt: &str) -> AnyReport {
        let limits = Limits { clock: self.game.clock(), ..self.limits };
        let interrupt = self.has_person().then(|| Interrupt::new(on_interrupt));
        let stop =
            interrupt.as_ref().map_or_else(Stop::default, |interrupt| interrupt.stop().clone());
        self.engine.search(&self.game.repetitions(), position, &limits, &stop, None)
    }

    fn swap_sides(&mut self) -> Result<()> {
        if !self.game.swap_sides() {
            return self.console.say("You play both sides, or none: there is nothing to swap.");
        }
        let side = Side::BOTH.into_iter().find(|&side| self.game.is_human(side));
        let name = side.map_or("the other side", |side| self.side_name(side));
        self.console.say(format!("You play {name} now."))
    }

    fn legal_moves(&self) -> String {
        let position = self.game.position();
        let names: Vec<String> =
            position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
        if names.is_empty() { "There are none: the game is over.".into() } else { names.join(" ") }
    }

    /// Draws the board, unless it is drawn already.
    fn show_board(&mut self) -> Result<()> {
        let plies = self.game.moves().len();
        if self.shown.replace(plies) == Some(plies) {
            return Ok(());
        }
        self.console.say(marked_board(self.game.position(), &self.game.last_turn()))?;
        match self.game.time_left() {
            Some([first, second]) => self.console.say(format!(
                "time left: {} {}, {} {}\n",
                self.side_name(Side::First),
                units::time(first),
                self.side_name(Side::Second),
                units::time(second)
            )),
            None => Ok(()),
        }
    }

    fn turn_text(&self) -> String {
        let name = self.side_name(self.game.position().side_to_move());
        let side = match self.game.is_turn_begun() {
            true => format!("{name}, second move"),
            false => name.to_owned(),
        };
        match self.game.time_left() {
            Some(left) => {
                format!(
                    "{side}, {}",
                    units::time(left[self.game.position().side_to_move().index()])
                )
            }
            None => side,
        }
    }

    fn announce(&self, over: Over) -> Result<()> {
        match over {
            Over::Time(side) => {
                self.console.say(format!("{} has run out of time.", self.side_name(side)))?;
            }
            Over::Resigned(side) => {
                self.console.say(format!("{} resigns.", self.side_name(side)))?;
            }
            Over::Rules(_) => {}
        }
        let [first, second] = Side::BOTH.map(|side| self.game.is_human(side));
        let text = match over.outcome() {
            Outcome::Draw => "The game is drawn.".into(),
            Outcome::Win(side) if first == second => format!("{} wins.", self.side_name(side)),
            Outcome::Win(side) if self.game.is_human(side) => Role::Good.paint("You win!"),
            Outcome::Win(_) => Role::Bad.paint("You lose: the engine wins."),
        };
        self.console.say(format!("{text} ({})", self.game.result()))
    }

    fn has_person(&self) -> bool {
        Side::BOTH.iter().any(|&side| self.game.is_human(side))
    }

    /// A score for the side that it is of: in pieces, and as a chance to win.
    fn worth(&self, score: Score) -> String {
        if plies_to_win(score).is_some() {
            return score_text(score);
        }
        let pieces = f64::from(score) / f64::from(self.engine.unit());
        format!("{pieces:+.2} pieces, {:.0} %", 100.0 * chance(pieces * self.id.guide.piece_logit))
    }

    /// The static score, feature by feature.
    fn explain(&self) -> Result<()> {
        let position = self.game.position();
        let explained = position.explain(&self.player.weights)?;
        let table = term_table(&explained, false).fit(self.console.width());
        let name = self.side_name(position.side_to_move());
        let worth = self.worth(explained.score);
        self.console.say(format!("{table}\n\nstatic score {worth} for {name}\n"))
    }

    /// Writes the game to a new file.
    fn save(&self, path: &Path) -> Result<()> {
        let place = path.display();
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let saved = file.and_then(|mut file| {
            let text = format!("{:#}\n", serde_json::to_value(self.saved_game())?);
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        // The person continues, whatever the disk says.
        match saved {
            Ok(()) => self.console.say(format!("saved to {place}")),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let error = Error::input(place, "the file exists already");
                self.console.error(&error.remedy("name another one"));
                Ok(())
            }
            Err(error) => {
                self.console.error(&Error::io(path, "write", error));
                Ok(())
            }
        }
    }

    /// Continues the game of a file.
    fn load(&mut self, path: &Path) -> Result<()> {
        match SavedGame::read(self.id, path) {
            Ok((line, _)) if line.start.board() != self.game.start().board() => {
                let reason = format!("the game is played on {}", line.start.board());
                let error = Error::input(path.display(), reason);
                self.console.error(&error.remedy("begin the program with that --board"));
            }
            Ok((line, counters)) => {
                self.game.replace(line, counters);
                self.engine.clear();
                self.shown = None;
            }
            Err(error) => self.console.error(&error),
        }
        Ok(())
    }

    fn saved_game(&self) -> SavedGame {
        let start = self.game.start();
        let moves = start.line_text(&self.game.moves());
        SavedGame {
            game: self.id.name().into(),
            board: start.board().to_string(),
            start: self.game.start_fen(),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            result: self.game.over().map(|_| self.game.result().to_owned()),
        }
    }

    /// The players' name for a side.
    fn side_name(&self, side: Side) -> &'static str {
        self.id.side_names[side.index()]
    }

    fn print_document(&self) -> Result<()> {
        if !self.console.json {
            return Ok(());
        }
        let start = self.game.start();
        let ending = match self.game.over() {
            Some(Over::Rules(_)) => Some("rules"),
            Some(Over::Time(_)) => Some("time"),
            Some(Over::Resigned(_)) => Some("resignation"),
            None => None,
        };
        let moves = start.line_text(&self.game.moves());
        self.console.document(&PlayJson {
            game: self.id.name(),
            board: start.board().to_string(),
            start: self.game.start_fen(),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            fen: self.game.fen(),
            result: self.game.over().map(|_| self.game.result().to_owned()),
            ending,
        })
    }
}

/// The chance to win that these logarithmic odds give.
fn chance(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct PlayJson {
    game: &'static str,
    board: String,
    /// The position before the first move.
    start: String,
    moves: Vec<String>,
    /// The position after the last one.
    fen: String,
    /// `1-0`, `0-1` or `1/2-1/2`; null when the game is not over.
    result: Option<String>,
    /// `rules`, `time` or `resignation`; null when it is not over.
    ending: Option<&'static str>,
}

/// The largest file of a saved game that is read, in bytes: a game has some kilobytes.
const MOST_SAVED: u64 = 1 << 20;

/// A game as `save` writes it.
#[derive(Serialize, Deserialize)]
struct SavedGame {
    game: String,
    board: String,
    start: String,
    moves: Vec<String>,
    result: Option<String>,
}

impl SavedGame {
    /// The first position and the moves of a file, which must be of this game, and the position's
    /// counters.
    fn read(game: GameId, path: &Path) -> Result<(AnyOpening, Option<FenCounters>)> {
        let text = files::read(path, Links::Followed, MOST_SAVED)?;
        let saved: Self = serde_json::from_slice(&text).map_err(|error| {
            Error::input(path.display(), format!("not a saved game: {error}"))
                .remedy("name a file that `save` wrote")
        })?;
        if saved.game != game.name() {
            let reason = format!("a game of {}, not of {game}", shorten(&saved.game));
            return Err(
                Error::input(path.display(), reason).remedy("begin the program with that --game")
            );
        }
        let start = game.from_fen(&saved.start).map_err(|error| error.within(path.display()))?;
        let mut line = AnyOpening::new(start);
        for (index, text) in saved.moves.iter().enumerate() {
            let within =
                |error: Error| error.within(format!("{}, ply {}", path.display(), index + 1));
            line.push(line.position.parse_move(text).map_err(within)?);
        }
        Ok((line, FenCounters::of(&game, &saved.start)))
    }
}
