//! A running engine that speaks UCI or UAI: greeting, options, games, moves.

use super::dialect::{Info, Protocol};
use super::options::EngineOption;
use super::process::{NoLine, OutputLine, Process};
use crate::search::Stop;
use std::cell::OnceCell;
use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// The timeout of one protocol's greeting, after which the next one is tried.
const DETECTION: Duration = Duration::from_secs(3);
/// How often a waiting thread checks whether it should stop.
const POLL: Duration = Duration::from_millis(50);
/// How long an engine is still waited for, at each answer, once the user wants to end.
const GIVE_UP: Duration = Duration::from_secs(3);
/// Options kept at most: more than any engine has.
const MAX_OPTIONS: usize = 10_000;

/// A way in which an engine fails.
#[derive(Debug)]
pub enum EngineFault {
    /// The system could not start it.
    Start(io::Error),
    /// Its output ended where this word was expected; with its exit status, if it has exited.
    Closed(&'static str, Option<ExitStatus>),
    /// It did not answer with this word in this time.
    NoAnswer(&'static str, Duration),
    /// It took longer for a move than the limit and the margin.
    Late(Duration, Duration),
    /// It answered with a move that is not legal: the text, and the reason.
    Illegal(String, String),
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineFault::Start(error) => write!(f, "cannot be started: {error}"),
            EngineFault::Closed(wanted, Some(status)) => {
                write!(f, "ended before `{wanted}` ({status})")
            }
            EngineFault::Closed(wanted, None) => write!(f, "closed its output before `{wanted}`"),
            EngineFault::NoAnswer(wanted, time) => {
                write!(f, "no `{wanted}` within {} s", time.as_secs_f64())
            }
            EngineFault::Late(limit, margin) => {
                write!(
                    f,
                    "no move within {} ms and a margin of {} ms",
                    limit.as_millis(),
                    margin.as_millis()
                )
            }
            EngineFault::Illegal(text, reason) => write!(f, "move `{text}`: {reason}"),
        }
    }
}

/// The timeout of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// The time of the move and the margin beyond it: a later move loses the game.
    Limit(Duration, Duration),
    /// The time after which the engine is taken to hang; the move itself has no limit of time.
    Hang(Duration),
}

impl Patience {
    fn total(self) -> Duration {
        match self {
            Patience::Limit(limit, margin) => limit.saturating_add(margin),
            Patience::Hang(time) => time,
        }
    }

    fn fault(self) -> EngineFault {
        match self {
            Patience::Limit(limit, margin) => EngineFault::Late(limit, margin),
            Patience::Hang(time) => EngineFault::NoAnswer("bestmove", time),
        }
    }
}

/// An engine's move, and what its `info` lines said about the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMove {
    /// The move as text; empty when there was none.
    pub best: String,
    /// Depth and nodes.
    pub info: Info,
}

/// How the wait for an engine's line ended.
enum Waited<T> {
    /// The line came.
    For(T),
    /// The deadline came first.
    TooLong,
    /// The user wants to end.
    NoMore,
}

/// What the user wants while an engine is waited for.
struct Wishes<'a> {
    /// Set when the answer is of no more use.
    stop: &'a Stop,
    /// Set when the program should end soon.
    interrupt: &'a Stop,
    /// When that was noticed.
    noticed: OnceCell<Instant>,
}

impl<'a> Wishes<'a> {
    fn new(stop: &'a Stop, interrupt: &'a Stop) -> Self {
        Self { stop, interrupt, noticed: OnceCell::new() }
    }

    /// Whether the engine is not to be waited for any longer.
    fn are_to_end(&self) -> bool {
        let give_up = || self.noticed.get_or_init(Instant::now).elapsed() >= GIVE_UP;
        self.stop.is_set() || (self.interrupt.is_set() && give_up())
    }
}

/// A running engine.
pub struct Client {
    process: Process,
    timeout: Duration,
    /// The protocol that it speaks.
    pub protocol: Protocol,
    /// What it calls itself, if it does.
    pub name: Option<String>,
    /// The options that it offers.
    pub options: Vec<EngineOption>,
}

impl Client {
    /// Starts a program (its path and arguments) and greets it. Without a protocol each one is
    /// tried. Gives `None` when it was given up since `interrupt` is set.
    ///
    /// # Errors
    /// When it does not start or does not answer the greeting within `timeout`; with its last
    /// words.
    pub fn start(
        words: &[String],
        protocol: Option<Protocol>,
        timeout: Duration,
        interrupt: &Stop,
    ) -> Result<Option<Self>, (EngineFault, Vec<String>)> {
        let greet = |protocols: &[Protocol]| Self::greet(words, protocols, timeout, interrupt);
        match protocol {
            Some(protocol) => greet(&[protocol]),
            None => greet(&Protocol::ALL).or_else(|failed| match failed.0 {
                // An engine that ends at a word it does not know may still know the other one.
                EngineFault::Closed(..) => greet(&[Protocol::Uai]).map_err(|_| failed),
                _ => Err(failed),
            }),
        }
    }

    fn greet(
        words: &[String],
        protocols: &[Protocol],
        timeout: Duration,
        interrupt: &Stop,
    ) -> Result<Option<Self>, (EngineFault, Vec<String>)> {
        let (program, arguments) =
            words.split_first().map_or(("", &[][..]), |(a, b)| (a.as_str(), b));
        let process = Process::start(program, arguments)
            .map_err(|error| (EngineFault::Start(error), Vec::new()))?;
        let first = protocols.first().copied().unwrap_or(Protocol::Uci);
        let mut client =
            Self { process, timeout, protocol: first, name: None, options: Vec::new() };
        match client.introduce(protocols, interrupt) {
            Ok(is_ready) => Ok(is_ready.then_some(client)),
            Err(fault) => Err((fault, client.last_words())),
        }
    }

    /// Sends the greetings of these protocols, one after the other, until one is answered; false
    /// when the engine was given up.
    fn introduce(&mut self, protocols: &[Protocol], interrupt: &Stop) -> Result<bool, EngineFault> {
        let start = Instant::now();
        let never = Stop::default();
        let wishes = Wishes::new(&never, interrupt);
        for (index, protocol) in protocols.iter().enumerate() {
            self.process.send(protocol.name());
            let is_last = index + 1 == protocols.len();
            let patience = if is_last { self.timeout } else { DETECTION.min(self.timeout / 2) };
            loop {
                if wishes.are_to_end() {
                    return Ok(false);
                }
                match self.process.receive((start + patience).min(Instant::now() + POLL)) {
                    Ok(line) if start + patience < line.at => break,
                    Ok(line) => {
                        let welcomed =
                            protocols[..=index].iter().find(|p| p.welcome() == line.text);
                        if let Some(&protocol) = welcomed {
                            self.protocol = protocol;
                            return Ok(true);
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
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().to_owned());
        } else if let Some(option) = line.strip_prefix("option ").and_then(EngineOption::parse)
            && self.options.len() < MAX_OPTIONS
        {
            self.options.push(option);
        }
    }

    /// Sends commands that are not answered, and waits until the engine has done them. False when
    /// it was given up since `interrupt` is set.
    ///
    /// # Errors
    /// When it does not say so in time.
    pub fn prepare(&mut self, commands: &[String], interrupt: &Stop) -> Result<bool, EngineFault> {
        const READY: &str = "readyok";
        commands.iter().for_each(|command| self.process.send(command));
        self.process.forget_lines();
        self.process.send("isready");
        let deadline = after(self.timeout);
        let ready = |line: &OutputLine| (line.text == READY).then_some(());
        let never = Stop::default();
        match self.wait(deadline, READY, &Wishes::new(&never, interrupt), ready)? {
            Waited::For(()) => Ok(true),
            Waited::TooLong => Err(EngineFault::NoAnswer(READY, self.timeout)),
            Waited::NoMore => Ok(false),
        }
    }

    /// Announces a new game. False when the engine was given up since `interrupt` is set.
    ///
    /// # Errors
    /// When the engine does not get ready for it in time.
    pub fn new_game(&mut self, interrupt: &Stop) -> Result<bool, EngineFault> {
        self.prepare(&[self.protocol.new_game().to_owned()], interrupt)
    }

    /// Lets the engine search: a `position` command and a `go` command. Gives `None` when `stop` is
    /// set first, or the engine is given up since `interrupt` is set, which it is not within the
    /// limit of its time; the engine is then of no more use.
    ///
    /// # Errors
    /// When no move comes in time.
    pub fn search(
        &mut self,
        position: &str,
        go: &str,
        patience: Patience,
        [stop, interrupt]: [&Stop; 2],
    ) -> Result<Option<EngineMove>, EngineFault> {
        self.process.forget_lines();
        self.process.send(position);
        let deadline = after(patience.total());
        self.process.send(go);
        let mut info = Info::default();
        let never = Stop::default();
        let wishes = match patience {
            Patience::Limit(..) => Wishes::new(stop, &never),
            Patience::Hang(_) => Wishes::new(stop, interrupt),
        };
        let found = self.wait(deadline, "bestmove", &wishes, |line| {
            let (word, rest) =
                line.text.split_once(char::is_whitespace).unwrap_or((&line.text, ""));
            match word {
                "bestmove" => Some(rest.split_whitespace().next().unwrap_or_default().to_owned()),
                "info" => {
                    info.read(rest);
                    None
                }
                _ => None,
            }
        })?;
        match found {
            Waited::For(best) => Ok(Some(EngineMove { best, info })),
            Waited::TooLong => Err(patience.fault()),
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
    pub fn last_words(&self) -> Vec<String> {
        self.process.last_words()
    }
}

/// The instant after this time, or a year from now if that is sooner: far more than any search
/// takes, and no overflow.
fn after(time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    Instant::now() + time.min(YEAR)
}
