//! Reads commands and carries them out, one after the other.

use super::command::{EngineCommand, HELP, Start};
use super::engine_state::{EngineState, PlayerFinder};
use super::go::Go;
use super::input::{EngineInput, LineReader};
use super::output::Output;
use super::settings::{SettingChange, Settings, check_memory};
use super::variant::UciVariant;
use crate::error::Result;
use crate::protocol::Protocol;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::time::Instant;

/// The engine as a frontend sees it.
pub struct Server {
    protocol: Protocol,
    settings: Settings,
    finder: PlayerFinder,
    state: EngineState,
    output: Output,
}

impl Server {
    /// An engine that is set up for its variant; `finder` finds the players that `EvalFile` names.
    ///
    /// # Errors
    /// When the game is not played on the board.
    pub fn new(
        protocol: Protocol,
        settings: Settings,
        finder: PlayerFinder,
        output: Output,
    ) -> Result<Self> {
        let UciVariant { game, board } = settings.variant;
        let state = EngineState::new(game, board, finder, &output)?;
        Ok(Self { protocol, settings, finder, state, output })
    }

    /// Serves until `quit`, the end of the input, or until the output cannot be written. A search
    /// is answered before that.
    pub fn run(&mut self, input: impl BufRead) {
        let mut lines = LineReader::new(input);
        while !self.output.is_closed() {
            match lines.next_line() {
                Ok(EngineInput::Line(line)) => {
                    if self.handle(&line).is_break() {
                        break;
                    }
                }
                Ok(EngineInput::TooLong(most)) => {
                    // Only a `position` command of a long game can have that many bytes.
                    self.state.refuse();
                    self.output.remark(format!("a line of more than {most} bytes: ignored"))
                }
                Ok(EngineInput::End) | Err(_) => break,
            }
        }
        self.state.finish();
    }

    /// Executes a line. An error becomes a remark and changes nothing, except that a refused
    /// position leaves the engine without one.
    fn handle(&mut self, line: &str) -> ControlFlow<()> {
        let asked = Instant::now();
        match EngineCommand::parse(line) {
            Ok(EngineCommand::Quit) => return ControlFlow::Break(()),
            Ok(command) => {
                if let Err(error) = self.execute(command, asked) {
                    self.output.remark(error);
                }
            }
            Err(error) => {
                if line.split_whitespace().next() == Some("position") {
                    self.state.refuse();
                }
                self.output.remark(error);
            }
        }
        ControlFlow::Continue(())
    }

    fn execute(&mut self, command: EngineCommand, asked: Instant) -> Result<()> {
        match command {
            EngineCommand::Nothing | EngineCommand::Quit => Ok(()),
            EngineCommand::Greet(protocol) => self.greet(protocol),
            EngineCommand::IsReady => {
                let prepared = self.state.prepare(&self.settings);
                self.output.say("readyok");
                prepared
            }
            EngineCommand::SetOption(name, value) => self.set_option(&name, value.as_deref()),
            EngineCommand::NewGame => {
                self.state.forget();
                self.state.set_up(&Start::Usual, &[], &self.settings)
            }
            EngineCommand::Position(start, moves) => {
                self.state.set_up(&start, &moves, &self.settings)
            }
            EngineCommand::Go(go) => self.go(&go, asked),
            EngineCommand::Stop => {
                self.state.stop();
                Ok(())
            }
            EngineCommand::PonderHit => {
                self.state.ponder_hit();
                Ok(())
            }
            EngineCommand::Display => {
                self.output.say(self.state.display());
                Ok(())
            }
            EngineCommand::Eval => {
                let explained = self.state.explain(&self.settings)?;
                self.output.say(explained);
                Ok(())
            }
            EngineCommand::Perft(depth) => self.state.perft(depth, self.protocol),
            EngineCommand::Bench(depth) => self.state.bench(depth, &self.settings),
            EngineCommand::Help => {
                self.output.say(HELP);
                Ok(())
            }
        }
    }

    /// Answers a greeting: the engine's name and its options.
    fn greet(&mut self, protocol: Protocol) -> Result<()> {
        self.protocol = protocol;
        self.output.say(format!("id name Sparring {}", env!("CARGO_PKG_VERSION")));
        self.output.say("id author the Sparring developers");
        let offered = self.state.player(&self.settings).map(|player| self.settings.offers(player));
        let listed = offered.map(|offers| offers.iter().for_each(|offer| self.output.say(offer)));
        self.output.say(protocol.welcome());
        listed
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        let mut settings = self.settings.clone();
        let change = settings.set(name, value)?;
        if settings.hash != self.settings.hash {
            check_memory((settings.hash as usize) << 20, "Hash")?;
        }
        let old = std::mem::replace(&mut self.settings, settings);
        match change {
            SettingChange::Nothing | SettingChange::Engine => Ok(()),
            SettingChange::Clear => {
                self.state.forget();
                Ok(())
            }
            SettingChange::Variant => self.change_variant(&old),
        }
    }

    /// Sets up the start of another game or board.
    fn change_variant(&mut self, old: &Settings) -> Result<()> {
        let variant = self.settings.variant;
        self.state.finish();
        if variant.game == old.variant.game {
            return self.state.set_up(&Start::Usual, &[], &self.settings);
        }
        self.state = EngineState::new(variant.game, variant.board, self.finder, &self.output)?;
        Ok(())
    }

    fn go(&mut self, go: &Go, asked: Instant) -> Result<()> {
        if !go.ignored.is_empty() {
            self.output.remark(format!("go: ignored: {}", go.ignored.join(" ")));
        }
        self.state.go(go, asked, self.protocol, &self.settings)
    }
}
