//! `spar play`: a game against the engine in the terminal.

mod command;
mod game_in_play;
mod input;

use super::analyze::score_text;
use super::args::{ClockPolicyArg, ClockText, HashArg, LimitArgs, PositionArgs, SearchThreadsArg};
use super::console::Console;
use super::constants::SearchArg;
use super::interrupt::Interrupt;
use super::players::{LoadedPlayer, warn_board};
use crate::cli::ended::Ended;
use crate::error::Result;
use crate::eval::Game;
use crate::game::{MoveList, Outcome, Side};
use crate::games::with_game;
use crate::player::DefaultWeights;
use crate::report::units;
use crate::search::{Algorithm, Clock, Engine, Limits, Options, Report, Stop};
use clap::{Args, ValueEnum};
use command::{PlayCommand, help};
use game_in_play::{GameInPlay, Over};
use input::{InputLine, LineInput};
use serde_json::json;
use std::time::Duration;

/// The engine's time for a move when no limit is given.
const TIME: Duration = Duration::from_secs(1);

/// Plays a game against the engine in the terminal.
#[derive(Args, Debug)]
#[command(
    after_help = "With neither a limit nor a clock the engine gets --movetime 1000. Ctrl-C while it thinks: \
    it moves at once. Type `help` in the game for what can be typed."
)]
pub struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// The engine's weights: a shipped set or a file [default: the set called like the board, or
    /// the game's usual one]
    #[arg(long, value_name = "WEIGHTS")]
    weights: Option<String>,
    /// The side you play; the first one begins
    #[arg(long, value_enum, default_value_t = HumanSide::First)]
    side: HumanSide,
    /// Seconds for the game and seconds added after each move, for both sides; who runs out of time
    /// loses
    #[arg(long, value_name = "GAME+MOVE")]
    clock: Option<ClockText>,
    #[command(flatten)]
    policy: ClockPolicyArg,
    /// How the engine searches
    #[arg(long, value_enum, default_value_t)]
    algorithm: Algorithm,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    threads: SearchThreadsArg,
    #[command(flatten)]
    hash: HashArg,
    #[command(flatten)]
    search: SearchArg,
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
    with_game!(args.position.game(args.weights.as_deref()), G => run_game::<G>(args, console))
}

fn run_game<G: Game>(args: &PlayArgs, console: &Console) -> Result<Ended> {
    let given = args.limits.given()?;
    let limits = match args.clock {
        Some(_) => given.unwrap_or_default(),
        None => given.unwrap_or(Limits::movetime(TIME)),
    };
    let (start, moves) = args.position.line::<G>(args.weights.as_deref())?;
    let default = DefaultWeights::Strongest(start.board());
    let LoadedPlayer { mut player, evaluator } =
        LoadedPlayer::<G>::find(args.weights.as_deref(), default)?;
    warn_board(&player, start.board(), console)?;
    args.search.change(&mut player, args.algorithm, start.board(), console)?;
    let options = Options {
        algorithm: args.algorithm,
        table_bytes: args.hash.bytes(&[limits])?,
        threads: args.threads.count(args.algorithm, console),
        constants: player.constants,
        ..Options::default()
    };
    let engine = Engine::new(evaluator, options);
    let policy = args.policy.clock_policy;
    let clock =
        args.clock.map(|ClockText(clock)| Clock { policy, whole: Some(clock.left), ..clock });
    let mut game = GameInPlay::new(start, args.side.flags(), clock);
    moves.into_iter().for_each(|mv| game.play(mv));
    let mut play_loop = PlayLoop { game, engine, limits, input: LineInput::open()?, console };
    play_loop.greet(&player.name)?;
    let ended = play_loop.run()?;
    play_loop.print_document()?;
    Ok(ended)
}

/// Reads what is typed and lets the engine answer until the game is left.
struct PlayLoop<'a, G: Game> {
    game: GameInPlay<G>,
    engine: Engine<G>,
    limits: Limits,
    input: LineInput,
    console: &'a Console,
}

impl<G: Game> PlayLoop<'_, G> {
    fn greet(&self, weights: &str) -> Result<()> {
        self.console.say(format!(
            "{} on {} against {weights}",
            G::GAME,
            self.game.position().board()
        ))?;
        self.console.say("Type a move, or `help`.\n")?;
        self.show_board()
    }

    fn run(&mut self) -> Result<Ended> {
        let mut announced = false;
        loop {
            let over = self.game.over();
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
                // The person types again; only the clock goes on.
                Err(error) => self.console.error(&error),
            }
        }
    }

    fn execute(&mut self, command: PlayCommand<G::Move>) -> Result<()> {
        match command {
            PlayCommand::Nothing | PlayCommand::Quit => Ok(()),
            PlayCommand::Move(mv) if self.game.over().is_none() => {
                self.game.play(mv);
                self.show_board()
            }
            PlayCommand::Move(_) => self.console.say("The game is over: undo, new or quit."),
            PlayCommand::Undo if self.game.undo() => self.show_board(),
            PlayCommand::Undo => self.console.say("There is no move of yours to take back."),
            PlayCommand::Hint => self.hint(),
            PlayCommand::Side => self.swap_sides(),
            PlayCommand::New => {
                self.game.restart();
                self.engine.clear();
                self.show_board()
            }
            PlayCommand::Board => self.show_board(),
            PlayCommand::Fen => self.console.say(self.game.position().fen()),
            PlayCommand::Moves => self.console.say(self.legal_moves()),
            PlayCommand::Help => self.console.say(help(self.game.start())),
        }
    }

    fn engine_move(&mut self) -> Result<()> {
        let position = self.game.position().clone();
        let report = self.think(&position, "moving now; Ctrl-C again quits");
        let Some(best) = report.best else { return Ok(()) };
        self.console.say(format!(
            "engine plays {}  {}  depth {}  {} nodes  {}",
            position.move_text(best),
            score_text(report.score),
            report.depth,
            units::count(report.counters.nodes),
            units::time(report.elapsed)
        ))?;
        self.game.play(best);
        self.show_board()
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
            score_text(report.score)
        ))
    }

    /// Searches. Ctrl-C cuts it short, unless the engine plays itself: then it ends the program.
    fn think(&mut self, position: &G, on_interrupt: &str) -> Report<G> {
        let limits = Limits { clock: self.game.clock(), ..self.limits };
        let has_person = Side::BOTH.iter().any(|&side| self.game.is_human(side));
        let interrupt = has_person.then(|| Interrupt::new(on_interrupt));
        let stop =
            interrupt.as_ref().map_or_else(Stop::default, |interrupt| interrupt.stop().clone());
        self.engine.search_after(&self.game.repetitions(), position, &limits, &stop, &mut |_| {})
    }

    fn swap_sides(&mut self) -> Result<()> {
        if !self.game.swap_sides() {
            return self.console.say("You play both sides, or none: there is nothing to swap.");
        }
        let side = Side::BOTH.into_iter().find(|&side| self.game.is_human(side));
        self.console.say(format!("You play the {} side now.", side.map_or("other", side_text)))
    }

    fn legal_moves(&self) -> String {
        let mut moves = MoveList::new();
        self.game.position().moves(&mut moves);
        let names: Vec<String> =
            moves.iter().map(|&mv| self.game.position().move_text(mv)).collect();
        if names.is_empty() { "There are none: the game is over.".into() } else { names.join(" ") }
    }

    fn show_board(&self) -> Result<()> {
        self.console.say(self.game.position().diagram())?;
        match self.game.time_left() {
            Some([first, second]) => self.console.say(format!(
                "time left: first side {}, second side {}\n",
                units::time(first),
                units::time(second)
            )),
            None => Ok(()),
        }
    }

    fn turn_text(&self) -> String {
        let side = side_text(self.game.position().side_to_move());
        match self.game.time_left() {
            Some(left) => {
                format!(
                    "{side}, {}",
                    units::time(left[self.game.position().side_to_move().index()])
                )
            }
            None => side.to_owned(),
        }
    }

    fn announce(&self, over: Over) -> Result<()> {
        if let Over::Time(side) = over {
            self.console.say(format!("The {} side has run out of time.", side_text(side)))?;
        }
        let [first, second] = Side::BOTH.map(|side| self.game.is_human(side));
        let text = match over.outcome() {
            Outcome::Draw => "The game is drawn.".into(),
            Outcome::Win(side) if first == second => format!("The {} side wins.", side_text(side)),
            Outcome::Win(side) if self.game.is_human(side) => "You win!".into(),
            Outcome::Win(_) => "You lose: the engine wins.".into(),
        };
        self.console.say(format!("{text} ({})", self.game.result()))
    }

    fn print_document(&self) -> Result<()> {
        if !self.console.json {
            return Ok(());
        }
        let start = self.game.start();
        let ending = match self.game.over() {
            Some(Over::Rules(_)) => Some("rules"),
            Some(Over::Time(_)) => Some("time"),
            None => None,
        };
        self.console.document(&json!({
            "game": G::GAME,
            "board": start.board().to_string(),
            "start": start.fen(),
            "moves": start.line_text(&self.game.moves()).split_whitespace().collect::<Vec<_>>(),
            "fen": self.game.position().fen(),
            "result": self.game.over().map(|_| self.game.result()),
            "ending": ending,
        }))
    }
}

fn side_text(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}
