//! The limits of a search: nodes, depth, time per move, a clock, or a combination.

use super::clock::{Clock, ClockPolicy, MoveTime, percent};
use crate::error::{Error, Result};
use crate::game::Position;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use web_time::Instant;

/// The number of nodes between two checks of the clock and the stop flag.
pub(super) const NODES_PER_CHECK: u64 = 512;

/// The limits of one search. A search ends at the first limit that it reaches.
///
/// With only a node or depth limit a search is a function of the position, the weights and the
/// contents of the tables. With a time limit it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// Positions visited, counted exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of the last iteration, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time for the move; in JSON in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "milliseconds")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub movetime: Option<Duration>,
    /// The clock for this move and the moves after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// A time in JSON, in milliseconds; whole numbers are written as integers.
mod milliseconds {
    use super::Duration;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    const PER_SECOND: f64 = 1e3;

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let Some(time) = time else { return to.serialize_none() };
        match Duration::from_millis(time.as_millis() as u64) == *time {
            true => to.serialize_u64(time.as_millis() as u64),
            false => to.serialize_f64(time.as_secs_f64() * PER_SECOND),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        let Some(time) = Option::<f64>::deserialize(from)? else { return Ok(None) };
        Duration::try_from_secs_f64(time / PER_SECOND).map(Some).map_err(D::Error::custom)
    }
}

impl Limits {
    /// A node limit for each move.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A depth limit in plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A time limit for each move.
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }

    /// Whether the result of the search depends on its input only.
    pub fn is_deterministic(&self) -> bool {
        self.movetime.is_none() && self.clock.is_none()
    }

    /// Checks that there is a limit and that none is zero.
    ///
    /// # Errors
    /// When a search under these limits would not end or could not begin.
    pub fn check(&self) -> Result<()> {
        let remedy = "give --nodes, --depth or --movetime";
        if self.nodes.is_none() && self.depth.is_none() && self.is_deterministic() {
            return Err(Error::input("limits", "none is set").remedy(remedy));
        }
        if self.nodes == Some(0) || self.depth == Some(0) || self.movetime == Some(Duration::ZERO) {
            return Err(Error::input("limits", "a limit of 0 is below the least, 1").remedy(remedy));
        }
        Ok(())
    }

    /// The limits with this share of the nodes and of all times, at least 1 node. A depth limit is
    /// unchanged.
    #[must_use]
    pub fn share(self, share: f64) -> Self {
        let nodes = self.nodes.map(|nodes| ((nodes as f64 * share) as u64).max(1));
        let movetime = self.movetime.map(|time| time.mul_f64(share));
        let clock = self.clock.map(|clock| {
            let [left, increment] = [clock.left, clock.increment].map(|time| time.mul_f64(share));
            Clock { left, increment, ..clock }
        });
        Self { nodes, movetime, clock, ..self }
    }

    /// The limits that remain after some of their time is used up.
    #[must_use]
    pub fn after(self, spent: Duration) -> Self {
        let rest = |time: Duration| time.saturating_sub(spent);
        let clock = self.clock.map(|clock| Clock { left: rest(clock.left), ..clock });
        Self { movetime: self.movetime.map(rest), clock, ..self }
    }

    /// The limits for a position. If the policy of the clock sets a depth, it becomes a limit in
    /// plies. A turn in progress counts as a whole turn.
    #[must_use]
    pub(super) fn at<P: Position>(self, position: &P) -> Self {
        let Some(turns) = self.clock.and_then(|clock| clock.turns()) else { return self };
        let plies = (turns * P::TURN_PLIES).saturating_sub(position.plies_made()).max(1);
        Self { depth: Some(self.depth.map_or(plies, |depth| depth.min(plies))), ..self }
    }

    /// Starts the time of a search.
    pub(super) fn start(&self, stop: &Stop) -> Deadline {
        let move_time = self.clock.map(|clock| clock.move_time());
        let by_depth = self.clock.is_some_and(|clock| clock.policy == ClockPolicy::Stages);
        Deadline {
            begun: Instant::now(),
            // Unused time is lost with a fixed time per move; on a clock it helps later moves.
            soft: move_time
                .filter(|_| self.movetime.is_none() && !by_depth)
                .map(|move_time| move_time.soft),
            hard: [self.movetime, move_time.map(|MoveTime { hard, .. }| hard)]
                .into_iter()
                .flatten()
                .min(),
            enough: Cell::new(false),
            stop: stop.clone(),
        }
    }
}

impl std::fmt::Display for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.nodes.map(|n| format!("{n} nodes a move")));
        parts.extend(self.depth.map(|d| format!("depth {d}")));
        parts.extend(self.movetime.map(|t| format!("{} ms a move", t.as_millis())));
        parts.extend(self.clock.map(|clock| format!("clock {} s", clock.time_control())));
        f.write_str(&parts.join(", "))
    }
}

/// A flag that ends searches immediately; clones share it. It can also delay the start of a
/// search's time: see [`pondering`](Stop::pondering).
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<StopSignals>);

#[derive(Debug, Default)]
struct StopSignals {
    stopped: AtomicBool,
    /// For a search during the opponent's time: the instant when the opponent moved.
    ponder_hit: Option<OnceLock<Instant>>,
    /// A function that tells whether to set the flag, if nothing else can set it during a search.
    asked: Option<fn() -> bool>,
}

impl Stop {
    /// The flag of a search during the opponent's time. Its time limits start at the [ponder
    /// hit](Self::ponder_hit).
    pub fn pondering() -> Self {
        Self(Arc::new(StopSignals { ponder_hit: Some(OnceLock::new()), ..StopSignals::default() }))
    }

    /// A flag that is also set once this function returns true. Searches call it every few hundred
    /// nodes. It is for systems whose threads share no memory, such as the workers of a browser.
    pub fn polling(asked: fn() -> bool) -> Self {
        Self(Arc::new(StopSignals { asked: Some(asked), ..StopSignals::default() }))
    }

    /// Sets the flag.
    pub fn set(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        if self.0.asked.is_some_and(|asked| asked()) {
            self.set();
        }
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Signals that the opponent has played the expected move: the search now uses its own side's
    /// time.
    pub fn ponder_hit(&self) {
        if let Some(hit) = &self.0.ponder_hit {
            hit.get_or_init(Instant::now);
        }
    }

    /// Whether the search still runs during the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.0.ponder_hit.as_ref().is_some_and(|hit| hit.get().is_none())
    }

    /// The start of the time of a search that began at this instant; `None` while it is pondering.
    fn time_begins(&self, begun: Instant) -> Option<Instant> {
        self.0.ponder_hit.as_ref().map_or(Some(begun), |hit| hit.get().copied())
    }
}

/// The time limits of a running search.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    begun: Instant,
    /// Measured from the beginning of the search, so work done while pondering counts.
    soft: Option<Duration>,
    /// Measured from the start of its time.
    hard: Option<Duration>,
    /// Whether the soft time ended while the search was pondering.
    enough: Cell<bool>,
    stop: Stop,
}

impl Deadline {
    /// Whether the search must end now. A time that the clock cannot represent is no limit.
    pub(super) fn is_over(&self) -> bool {
        if self.stop.is_set() {
            return true;
        }
        let Some((begins, hard)) = self.stop.time_begins(self.begun).zip(self.hard) else {
            return false;
        };
        self.enough.get() || begins.checked_add(hard).is_some_and(|until| Instant::now() >= until)
    }

    /// Whether no further iteration should begin, because this share of a clock's soft time, in
    /// percent, is used up.
    pub(super) fn is_enough(&self, share: u32) -> bool {
        let over = self.soft.is_some_and(|soft| self.begun.elapsed() >= percent(soft, share));
        self.enough.set(over);
        over && !self.stop.is_pondering()
    }

    /// The time from the start of the search.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}
