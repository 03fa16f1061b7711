//! How engines fail, and how long the program waits for them.

use crate::arena::{Forfeit, ForfeitKind};
use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

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

impl EngineFault {
    /// The kind of forfeit that it causes.
    pub(super) fn kind(&self) -> ForfeitKind {
        match self {
            Self::Start(_) | Self::Closed(..) => ForfeitKind::Crash,
            Self::NoAnswer(..) => ForfeitKind::Stall,
            Self::Late(..) => ForfeitKind::Late,
            Self::Illegal(..) => ForfeitKind::Illegal,
        }
    }
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineFault::Start(error) => write!(f, "cannot be started: {error}"),
            EngineFault::Closed(wanted, Some(status)) => {
                let cause = if is_kill(*status) { KILLED } else { "" };
                write!(f, "ended before `{wanted}` ({status}{cause})")
            }
            EngineFault::Closed(wanted, None) => write!(f, "closed its output before `{wanted}`"),
            EngineFault::NoAnswer(wanted, time) => {
                write!(f, "no `{wanted}` within {} s", time.as_secs_f64())
            }
            EngineFault::Late(limit, margin) => f.write_str(&Forfeit::late(*limit, *margin).reason),
            EngineFault::Illegal(text, reason) => write!(f, "move `{text}`: {reason}"),
        }
    }
}

/// The usual cause when a process ends by the signal that it cannot catch.
const KILLED: &str =
    "; the system may have run out of memory: fewer threads or a smaller Hash need less";

#[cfg(unix)]
fn is_kill(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::KILL.as_raw())
}

#[cfg(not(unix))]
fn is_kill(_: ExitStatus) -> bool {
    false
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
    pub(super) fn total(self) -> Duration {
        match self {
            Patience::Limit(limit, margin) => limit.saturating_add(margin),
            Patience::Hang(time) => time,
        }
    }

    pub(super) fn fault(self) -> EngineFault {
        match self {
            Patience::Limit(limit, margin) => EngineFault::Late(limit, margin),
            Patience::Hang(time) => EngineFault::NoAnswer("bestmove", time),
        }
    }
}
