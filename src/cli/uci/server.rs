//! Reads commands and sees to them, one after the other.

use super::seat::{Seat, take};
use super::voice::Voice;
use crate::cli::args::check_memory;
use crate::cli::console::Console;
use crate::error::Result;
use crate::protocol::Protocol;
use crate::protocol::server::{Change, Command, Go, HELP, Input, LineReader, Settings, Start};
use std::io::BufRead;
use std::ops::ControlFlow;
use std::time::Instant;

/// The engine as a frontend sees it.
pub(super) struct Server {
    protocol: Protocol,
    settings: Settings,
    seat: Box<dyn Seat>,
    voice: Voice,
}

impl Server {
    /// An engine that is set up for its variant.
    ///
    /// # Errors
    /// When the game is not played on the board.
    pub(super) fn new(protocol: Protocol, settings: Settings, console: &Console) -> Result<Self> {
        let voice = Voice::new(console);
        let seat = take(settings.variant.game, settings.variant.board, &voice)?;
        Ok(Self { protocol, settings, seat, voice })
    }

    /// Serves until `quit`, the end of the input, or the end of whoever listens. A search is answered before that.
    pub(super) fn run(&mut self, input: impl BufRead) {
        let mut lines = LineReader::new(input);
        while !self.voice.is_closed() {
            match lines.next_line() {
                Ok(Input::Line(line)) => {
                    if self.hear(&line).is_break() {
                        break;
                    }
                }
                Ok(Input::TooLong(most)) => {
                    self.voice.remark(format!("a line of more than {most} bytes: ignored"))
                }
                Ok(Input::End) | Err(_) => break,
            }
        }
        self.seat.finish();
    }

    /// Sees to a line. Whatever is wrong with it is remarked upon, and changes nothing.
    fn hear(&mut self, line: &str) -> ControlFlow<()> {
        let asked = Instant::now();
        match Command::parse(line) {
            Ok(Command::Quit) => return ControlFlow::Break(()),
            Ok(command) => {
                if let Err(error) = self.obey(command, asked) {
                    self.voice.remark(error);
                }
            }
            Err(error) => self.voice.remark(error),
        }
        ControlFlow::Continue(())
    }

    fn obey(&mut self, command: Command, asked: Instant) -> Result<()> {
        match command {
            Command::Nothing | Command::Quit => Ok(()),
            Command::Greet(protocol) => self.greet(protocol),
            Command::IsReady => {
                let prepared = self.seat.prepare(&self.settings);
                self.voice.say("readyok");
                prepared
            }
            Command::SetOption(name, value) => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.seat.forget();
                Ok(())
            }
            Command::Position(start, moves) => self.seat.set_up(&start, &moves, &self.settings),
            Command::Go(go) => self.go(&go, asked),
            Command::Stop => {
                self.seat.stop();
                Ok(())
            }
            Command::PonderHit => {
                self.seat.ponder_hit();
                Ok(())
            }
            Command::Display => {
                self.voice.say(self.seat.display());
                Ok(())
            }
            Command::Eval => {
                let explained = self.seat.explain(&self.settings)?;
                self.voice.say(explained);
                Ok(())
            }
            Command::Perft(depth) => self.seat.perft(depth),
            Command::Bench(depth) => self.seat.bench(depth, &self.settings),
            Command::Help => {
                self.voice.say(HELP);
                Ok(())
            }
        }
    }

    /// Says who is here and what can be set.
    fn greet(&mut self, protocol: Protocol) -> Result<()> {
        self.protocol = protocol;
        self.voice.say(format!("id name Sparring {}", env!("CARGO_PKG_VERSION")));
        self.voice.say("id author the Sparring developers");
        let offered = self.seat.weights(&self.settings).map(|set| self.settings.offers(set));
        let told = offered.map(|offers| offers.iter().for_each(|offer| self.voice.say(offer)));
        self.voice.say(protocol.welcome());
        told
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<()> {
        let mut settings = self.settings.clone();
        let change = settings.set(name, value)?;
        if settings.hash != self.settings.hash {
            check_memory((settings.hash as usize) << 20, "Hash")?;
        }
        let old = std::mem::replace(&mut self.settings, settings);
        match change {
            Change::Nothing | Change::Engine => Ok(()),
            Change::Clear => {
                self.seat.forget();
                Ok(())
            }
            Change::Variant => self.change_variant(&old),
        }
    }

    /// Begins with the start of another game or board.
    fn change_variant(&mut self, old: &Settings) -> Result<()> {
        let variant = self.settings.variant;
        self.seat.finish();
        if variant.game == old.variant.game {
            return self.seat.set_up(&Start::Usual, &[], &self.settings);
        }
        self.seat = take(variant.game, variant.board, &self.voice)?;
        Ok(())
    }

    fn go(&mut self, go: &Go, asked: Instant) -> Result<()> {
        if !go.ignored.is_empty() {
            self.voice.remark(format!("go: ignored: {}", go.ignored.join(" ")));
        }
        self.seat.go(go, asked, self.protocol, &self.settings)
    }
}
