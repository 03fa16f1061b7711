//! A running engine that speaks UCI, UAI or USI: greeting, options, games, moves.

use super::dialect::{Info, Protocol, first_word, main_move};
use super::fault::{EngineFault, Patience};
use super::options::EngineOption;
use super::pipes::{NoLine, OutputLine};
use super::process::{EngineProgram, Process};
use super::wishes::Wishes;
use crate::search::Stop;
use std::time::{Duration, Instant};

/// The timeout of one protocol's greeting, after which the next one is tried.
const DETECTION: Duration = Duration::from_secs(3);
/// How often a waiting thread checks whether it should stop.
const POLL: Duration = Duration::from_millis(50);
/// Characters of an illegal move that are shown.
const SHOWN_CHARS: usize = 20;
/// Options kept at most: more than any engine has.
const MAX_OPTIONS: usize = 10_000;

/// An engine's move, and what its `info` lines said about the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The move as text; empty when there was none.
    pub best: String,
    /// Depth, nodes and score.
    pub info: Info,
    /// The time from the command to the arrival of the answer.
    pub time: Duration,
}

/// How the wait for an engine's line ended.
enum Waited<T> {
    For(T),
    /// The deadline came first.
    TooLong,
    /// The user wants to end.
    NoMore,
}

/// A running external engine, and the protocol that it speaks.
pub struct Client {
    process: Process,
    timeout: Duration,
    /// The protocol that it speaks.
    pub protocol: Protocol,
    /// Its own name, if it gives one.
    pub name: Option<String>,
    /// The options that it offers.
    pub options: Vec<EngineOption>,
    /// Lines of options that are not understood.
    pub misread: Vec<String>,
    /// Other lines that it wrote before it was ready.
    pub remarks: Vec<String>,
    /// Its moves in this game, and in the game before.
    played: [Vec<String>; 2],
    /// Whether it has answered more often than it was asked.
    has_surplus: bool,
}

impl Client {
    /// Starts a program and greets it. If no protocol is given, tries each one. Returns `None` if
    /// it gave up because `interrupt` is set.
    ///
    /// # Errors
    /// When it does not start or does not answer the greeting within `timeout`. Its last words come
    /// with the error.
    pub(super) fn start(
        program: &EngineProgram,
        protocol: Option<Protocol>,
        timeout: Duration,
        interrupt: &Stop,
    ) -> Result<Option<Self>, (EngineFault, Vec<String>)> {
        let greet = |protocols: &[Protocol]| Self::greet(program, protocols, timeout, interrupt);
        let Some(protocol) = protocol else {
            return greet(&Protocol::ALL).or_else(|failed| match failed.0 {
                // An engine may exit at a word that it does not know: at the first greeting, or,
                // when it is slow to start, at the second. So each greeting is tried alone.
                EngineFault::Closed(..) => {
                    let mut alone = Protocol::ALL.iter();
                    alone.find_map(|&protocol| greet(&[protocol]).ok()).ok_or(failed)
                }
                _ => Err(failed),
            });
        };
        greet(&[protocol])
    }

    fn greet(
        program: &EngineProgram,
        protocols: &[Protocol],
        timeout: Duration,
        interrupt: &Stop,
    ) -> Result<Option<Self>, (EngineFault, Vec<String>)> {
        let process =
            Process::start(program).map_err(|error| (EngineFault::Start(error), Vec::new()))?;
        let mut client = Self {
            process,
            timeout,
            protocol: protocols.first().copied().unwrap_or(Protocol::Uci),
            name: None,
            options: Vec::new(),
            misread: Vec::new(),
            remarks: Vec::new(),
            played: Default::default(),
            has_surplus: false,
        };
        let introduced = match client.introduce(protocols, interrupt) {
            // It may know the first greeting only, and has yet to read the second.
            Ok(2..) => client.prepare(&[], interrupt),
            introduced => introduced.map(|greetings| greetings > 0),
        };
        match introduced {
            Ok(is_ready) => Ok(is_ready.then_some(client)),
            Err(fault) => Err((fault, client.last_words())),
        }
    }

    /// Sends the greetings of these protocols, one after the other, until one is answered. Returns
    /// the number of greetings sent, 0 if it gave up.
    fn introduce(
        &mut self,
        protocols: &[Protocol],
        interrupt: &Stop,
    ) -> Result<usize, EngineFault> {
        let start = Instant::now();
        let never = Stop::default();
        let wishes = Wishes::new(&never, interrupt);
        for (index, protocol) in protocols.iter().enumerate() {
            self.process.send(&[protocol.name()]);
            let is_last = index + 1 == protocols.len();
            let turn = DETECTION.min(self.timeout / protocols.len() as u32);
            let patience = if is_last { self.timeout } else { turn * (index as u32 + 1) };
            loop {
                if wishes.are_to_end() {
                    return Ok(0);
                }
                match self.process.receive((start + patience).min(Instant::now() + POLL)) {
                    Ok(line) if start + patience < line.at => break,
                    Ok(line) => {
                        let welcomed =
                            protocols[..=index].iter().find(|p| p.welcome() == line.text);
                        if let Some(&protocol) = welcomed {
                            self.protocol = protocol;
                            return Ok(index + 1);
                        }
                        self.note(&line.text);
                    }
                    Err(NoLine::Late) if Instant::now() >= start + patience => break,
                    Err(NoLine::Late) => {}
                    Err(NoLine::Closed) => {
                        return Err(EngineFault::Closed(protocol.welcome(), self.process.status()));
                    }
                }
            }
        }
        Err(EngineFault::NoAnswer(self.protocol.welcome(), self.timeout))
    }

    /// Takes the name or an option from a line of the engine's answer to the greeting.
    fn note(&mut self, line: &str) {
        let (word, rest) = first_word(line);
        match (word, first_word(rest)) {
            ("id", ("name", name)) => {
                self.name = Some(name.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            ("option", _) if self.options.len() + self.misread.len() < MAX_OPTIONS => {
                match EngineOption::parse(rest) {
                    Some(option) => self.options.push(option),
                    None => self.misread.push(line.to_owned()),
                }
            }
            _ if self.remarks.len() < MAX_OPTIONS => self.remarks.push(line.to_owned()),
            _ => {}
        }
    }

    /// Sends commands that have no answer, and waits until the engine has processed them. Returns
    /// false if it gave up because `interrupt` is set.
    ///
    /// # Errors
    /// When the engine is not ready in time.
    pub fn prepare(&mut self, commands: &[String], interrupt: &Stop) -> Result<bool, EngineFault> {
        commands.iter().for_each(|command| self.process.send(&[command]));
        self.forget_lines();
        let mut has_surplus = false;
        let is_ready = self.until_ready(interrupt, |line| has_surplus |= is_move(line));
        self.has_surplus |= has_surplus;
        is_ready
    }

    /// Sends a command of the engine's own, and keeps the lines of its answer as remarks. Returns
    /// false if it gave up because `interrupt` is set.
    ///
    /// # Errors
    /// When it is not ready again in time.
    pub(super) fn ask(&mut self, command: &str, interrupt: &Stop) -> Result<bool, EngineFault> {
        self.process.send(&[command]);
        let mut lines = Vec::new();
        let is_ready = self.until_ready(interrupt, |line| {
            if lines.len() < MAX_OPTIONS {
                lines.push(line.text.clone());
            }
        });
        self.remarks = lines;
        is_ready
    }

    /// Sends commands, and returns the lines that follow, up to a line that begins with `last` in
    /// any case. `last` is in lower case.
    ///
    /// # Errors
    /// When that line does not come in time.
    pub(super) fn answer(
        &mut self,
        commands: &[&str],
        last: &'static str,
    ) -> Result<Vec<String>, EngineFault> {
        self.forget_lines();
        self.process.send(commands);
        let (never, mut lines) = (Stop::default(), Vec::new());
        let wishes = Wishes::new(&never, &never);
        let waited = self.wait(after(self.timeout), last, &wishes, |line| {
            let is_last = line.text.to_ascii_lowercase().starts_with(last);
            if lines.len() < MAX_OPTIONS {
                lines.push(line.text.clone());
            }
            is_last.then_some(())
        })?;
        match waited {
            Waited::For(()) => Ok(lines),
            Waited::TooLong | Waited::NoMore => Err(EngineFault::NoAnswer(last, self.timeout)),
        }
    }

    /// Waits until the engine has processed all commands. `see` gets its lines until then. Returns
    /// false if it gave up because `interrupt` is set.
    fn until_ready(
        &mut self,
        interrupt: &Stop,
        mut see: impl FnMut(&OutputLine),
    ) -> Result<bool, EngineFault> {
        const READY: &str = "readyok";
        self.process.send(&["isready"]);
        let never = Stop::default();
        let wishes = Wishes::new(&never, interrupt);
        let waited = self.wait(after(self.timeout), READY, &wishes, |line| {
            if line.text == READY {
                return Some(());
            }
            see(line);
            None
        })?;
        match waited {
            Waited::For(()) => Ok(true),
            Waited::TooLong => Err(EngineFault::NoAnswer(READY, self.timeout)),
            Waited::NoMore => Ok(false),
        }
    }

    /// Announces a new game. Returns false if it gave up because `interrupt` is set.
    ///
    /// # Errors
    /// When the engine does not get ready for it in time.
    pub fn new_game(&mut self, interrupt: &Stop) -> Result<bool, EngineFault> {
        // Answers of the game before may still come again.
        self.played[1] = std::mem::take(&mut self.played[0]);
        self.process.bring_here();
        let is_ready = self.prepare(&[self.protocol.new_game().to_owned()], interrupt)?;
        // A game's record must not depend on earlier games of the process.
        self.process.forget_words();
        Ok(is_ready)
    }

    /// Drops the lines that have come unasked.
    fn forget_lines(&mut self) {
        for line in self.process.unasked_lines() {
            self.has_surplus |= is_move(&line);
        }
    }

    /// Lets the engine search, by a `position` command and a `go` command. `refusal` returns the
    /// reason why a move is illegal, or `None` for a legal move. Returns `None` if `stop` is set
    /// first, or if it gave up because `interrupt` is set, which it does only without a limit of
    /// time. The engine is then of no more use.
    ///
    /// An answer may come late or twice. An answer from before this search is ignored. So is an
    /// illegal move that repeats an earlier move of the game, unless the main line of this search
    /// begins with it.
    ///
    /// # Errors
    /// When no legal move comes in time.
    pub fn search(
        &mut self,
        [position, go]: [&str; 2],
        patience: Patience,
        [stop, interrupt]: [&Stop; 2],
        refusal: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<EngineMove>, EngineFault> {
        self.forget_lines();
        if self.has_surplus && !self.prepare(&[], interrupt)? {
            return Ok(None);
        }
        let (begun, deadline) = (Instant::now(), after(patience.total()));
        self.process.send(&[position, go]);
        let mut info = Info::default();
        let never = Stop::default();
        let wishes = match patience {
            Patience::Limit(..) => Wishes::new(stop, &never),
            Patience::Hang(_) => Wishes::new(stop, interrupt),
        };
        let (played, mut repeated) = (std::mem::take(&mut self.played), None);
        let mut favourite = String::new();
        let found = self.wait(deadline, "bestmove", &wishes, |line| {
            let (word, rest) = first_word(&line.text);
            match word {
                "bestmove" => {
                    let best = first_word(rest).0.to_owned();
                    let refused = refusal(&best).map(|why| {
                        EngineFault::Illegal(best.chars().take(SHOWN_CHARS).collect(), why)
                    });
                    match refused {
                        Some(fault)
                            if best != favourite
                                && played.iter().flatten().any(|known| *known == best) =>
                        {
                            repeated = Some(fault)
                        }
                        Some(fault) => return Some(Err(fault)),
                        None => return Some(Ok((best, line.at))),
                    }
                    None
                }
                "info" => {
                    if let Some(mv) = main_move(rest) {
                        mv.clone_into(&mut favourite);
                    }
                    info.read(rest);
                    None
                }
                _ => None,
            }
        })?;
        self.played = played;
        self.has_surplus |= repeated.is_some();
        match found {
            Waited::For(answer) => {
                let (best, at) = answer?;
                self.played[0].push(best.clone());
                let time = at.saturating_duration_since(begun);
                Ok(Some(EngineMove { best, info, time }))
            }
            Waited::TooLong => Err(repeated.unwrap_or_else(|| patience.fault())),
            Waited::NoMore => Ok(None),
        }
    }

    /// Waits for a line that `take` accepts, until `deadline` or until the user wants to end.
    fn wait<T>(
        &mut self,
        deadline: Instant,
        wanted: &'static str,
        wishes: &Wishes,
        mut take: impl FnMut(&OutputLine) -> Option<T>,
    ) -> Result<Waited<T>, EngineFault> {
        loop {
            match self.process.receive(deadline.min(Instant::now() + POLL)) {
                Ok(line) if line.at > deadline => return Ok(Waited::TooLong),
                Ok(line) => {
                    if let Some(taken) = take(&line) {
                        return Ok(Waited::For(taken));
                    }
                }
                Err(NoLine::Closed) => {
                    return Err(EngineFault::Closed(wanted, self.process.status()));
                }
                Err(NoLine::Late) if Instant::now() >= deadline => return Ok(Waited::TooLong),
                Err(NoLine::Late) => {}
            }
            if wishes.are_to_end() {
                return Ok(Waited::NoMore);
            }
        }
    }

    /// The last lines that the engine wrote.
    pub fn last_words(&mut self) -> Vec<String> {
        self.process.last_words()
    }
}

/// Whether a line is the answer to a search.
fn is_move(line: &OutputLine) -> bool {
    first_word(&line.text).0 == "bestmove"
}

/// The instant after this time, or a year from now if that is sooner: far more than any search
/// takes, and no overflow.
fn after(time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    Instant::now() + time.min(YEAR)
}
