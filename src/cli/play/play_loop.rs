//! The loop of `spar play`: reads what is typed and lets the engine answer until the game is left.

use super::command::{PlayCommand, help};
use super::game_in_play::Over;
use super::input::InputLine;
use super::marked_board::marked_board;
use super::{PlayJson, PlayLoop, SavedGame};
use crate::any::{AnyPosition, AnyReport};
use crate::cli::analyze::score_text;
use crate::cli::{Ended, Interrupt};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::game::{Outcome, Side};
use crate::opening_tree::BookMove;
use crate::report::explanation::term_table;
use crate::report::{Role, units};
use crate::search::score::plies_to_win;
use crate::search::{Limits, Stop};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

impl PlayLoop<'_> {
    pub(super) fn greet(&self) -> Result<()> {
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

    pub(super) fn run(&mut self) -> Result<Ended> {
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

    /// A score in pieces or another unit, and as a chance to win, for the side whose score it is.
    fn worth(&self, score: Score) -> String {
        if plies_to_win(score).is_some() {
            return score_text(score);
        }
        let units = f64::from(score) / f64::from(self.engine.unit());
        let word = if self.id.counts_in_pieces() { " pieces" } else { "" };
        format!("{units:+.2}{word}, {:.0} %", 100.0 * chance(units * self.id.guide.piece_logit))
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
        // The game continues even if the file cannot be written.
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

    pub(super) fn print_document(&self) -> Result<()> {
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
