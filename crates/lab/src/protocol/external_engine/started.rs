//! An engine that has been started: its processes, and its answers so far.

use super::super::client::Client;
use super::super::dialect::Protocol;
use super::super::fault::{EngineFault, Patience};
use super::super::identity::{changed, changed_name};
use super::super::options::{EngineOption, find, listed};
use super::super::process::EngineProgram;
use super::ExternalEngine;
use crate::arena::Forfeit;
use crate::error::{Error, shorten};
use crate::search::{Limits, Stop};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// An engine that has been started once and plays the wanted game. It makes players, each with a
/// process of its own. Clones share it.
#[derive(Clone)]
pub struct StartedEngine(pub(super) Arc<StartedInner>);

pub(super) struct StartedInner {
    pub(super) engine: ExternalEngine,
    pub(super) program: EngineProgram,
    pub(super) own_name: Option<String>,
    pub(super) protocol: Protocol,
    /// The commands that set its options and its game.
    pub(super) settings: Vec<String>,
    /// The options that it offers, in its own order.
    pub(super) offered: Vec<EngineOption>,
    /// Other lines that it wrote before it was ready.
    pub(super) remarks: Vec<String>,
    /// Warnings about its options.
    pub(super) notes: Vec<String>,
    /// The process that showed that it plays: the first player takes it.
    pub(super) idle: Mutex<Option<Client>>,
    /// The difference of a later process from the first one, in words.
    pub(super) changed: OnceLock<String>,
    /// Its answers so far, to searches without a limit of time.
    pub(super) answers: Answers,
}

/// Counts and times the answers to searches without a limit of time.
#[derive(Debug, Default)]
pub(super) struct Answers {
    count: AtomicU64,
    /// The slowest one, in milliseconds.
    slowest: AtomicU64,
}

/// The answers after which the slowest one says how long an engine may take.
const ANSWERS_TO_TRUST: u64 = 100;
/// An engine that takes this many times longer than ever before is taken to hang.
const TIMES_THE_SLOWEST: u64 = 20;
/// The least time after which an engine is taken to hang, in milliseconds: a machine may be busy.
const LEAST_HANG: u64 = 10_000;

impl Answers {
    fn add(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.slowest.fetch_max(ms, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    /// The time after which an engine is taken to hang, at most `timeout`.
    fn hang_time(&self, timeout: Duration) -> Duration {
        if self.count.load(Ordering::Relaxed) < ANSWERS_TO_TRUST {
            return timeout;
        }
        let slowest = self.slowest.load(Ordering::Relaxed);
        let ms = slowest.saturating_mul(TIMES_THE_SLOWEST).max(LEAST_HANG);
        timeout.min(Duration::from_millis(ms))
    }
}

impl StartedEngine {
    /// Its description, with the name and the protocol that it has shown.
    pub fn engine(&self) -> &ExternalEngine {
        &self.0.engine
    }

    /// The options that it offers, in its own order.
    pub fn offered(&self) -> &[EngineOption] {
        &self.0.offered
    }

    /// Checks that it offers these options: it may have changed since they were chosen.
    ///
    /// # Errors
    /// When it does not offer one.
    pub fn check_offers<'a>(
        &self,
        mut names: impl Iterator<Item = &'a str>,
    ) -> crate::error::Result<()> {
        let place = format!("engine `{}`", self.0.engine.command);
        names.try_for_each(|name| match find(self.offered(), name) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.within(&place)),
        })
    }

    /// The lines that it wrote at its start beside the protocol's own.
    pub fn remarks(&self) -> &[String] {
        &self.0.remarks
    }

    /// Warnings about its options, for the user.
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }

    /// The engine's full name for itself.
    pub fn own_name(&self) -> Option<&str> {
        self.0.own_name.as_deref()
    }

    /// The protocol that it speaks.
    pub fn protocol(&self) -> Protocol {
        self.0.protocol
    }

    /// The error that ends the match, once another engine has taken this one's place.
    pub(in super::super) fn fault(&self) -> Option<Error> {
        let what = self.0.changed.get()?;
        Some(changed(what).within(format!("engine `{}`, started again", self.0.engine.command)))
    }

    /// A running process with its options set; `None` if it gave up because `interrupt` is set, or
    /// if another engine has taken its place.
    pub(in super::super) fn client(
        &self,
        interrupt: &Stop,
    ) -> std::result::Result<Option<Client>, Forfeit> {
        let inner = &*self.0;
        if let Some(client) = inner.idle.lock().take() {
            return Ok(Some(client));
        }
        let timeout = inner.engine.timeout();
        let client = Client::start(&inner.program, Some(inner.protocol), timeout, interrupt)
            .map_err(|(fault, last_words)| {
                let (kind, reason) = (fault.kind(), fault.to_string());
                Forfeit { kind, reason, last_words }
            })?;
        let Some(mut client) = client else { return Ok(None) };
        let difference = changed_name(inner.own_name.as_deref(), client.name.as_deref());
        if let Some(what) = difference.or_else(|| lost_option(&inner.offered, &client.options)) {
            // Set once: the first one counts.
            let _ = inner.changed.set(what);
            return Ok(None);
        }
        match client.prepare(&inner.settings, interrupt) {
            Ok(is_ready) => Ok(is_ready.then_some(client)),
            Err(fault) => Err(forfeit(&fault, &mut client)),
        }
    }

    /// The timeout of a move under these limits.
    pub(in super::super) fn patience(&self, limits: &Limits) -> Patience {
        let engine = &self.0.engine;
        let limit =
            [limits.movetime, limits.clock.map(|clock| clock.left)].into_iter().flatten().min();
        match limit {
            Some(limit) => Patience::Limit(limit, Duration::from_millis(engine.margin_ms)),
            None => Patience::Hang(self.0.answers.hang_time(engine.timeout())),
        }
    }

    /// Notes the time of an answer under these limits.
    pub(in super::super) fn note_answer(&self, limits: &Limits, time: Duration) {
        if limits.is_deterministic() {
            self.0.answers.add(time);
        }
    }
}

/// The first option that a later process does not offer any more, in words.
fn lost_option(before: &[EngineOption], now: &[EngineOption]) -> Option<String> {
    let lost = before.iter().find(|option| listed(now, &option.name).is_none())?;
    Some(format!("it does not offer the option `{}` any more", shorten(&lost.name)))
}

pub(in super::super) fn forfeit(fault: &EngineFault, client: &mut Client) -> Forfeit {
    Forfeit { kind: fault.kind(), reason: fault.to_string(), last_words: client.last_words() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_hangs_at_many_times_its_slowest_answer() {
        let (answers, seconds) = (Answers::default(), Duration::from_secs);
        answers.add(seconds(1));
        assert_eq!(answers.hang_time(seconds(60)), seconds(60), "too few answers");
        (0..ANSWERS_TO_TRUST).for_each(|_| answers.add(Duration::from_millis(3)));
        assert_eq!(answers.hang_time(seconds(60)), seconds(20));
        assert_eq!(answers.hang_time(seconds(5)), seconds(5));
        let quick = Answers { count: ANSWERS_TO_TRUST.into(), slowest: 3.into() };
        assert_eq!(quick.hang_time(seconds(60)), seconds(10));
    }
}
