//! When a search must end: nodes, depth, time per move, a clock; any of them together.

use super::clock::{Clock, ClockPolicy, MoveTime, percent};
use crate::error::{Error, Result};
use crate::game::Position;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use web_time::Instant;

/// Nodes between two looks at the clock and at the stop flag.
pub(super) const NODES_PER_CHECK: u64 = 512;

/// The limits of one search. A search ends at the first limit that it reaches.
///
/// With nothing but a node or depth limit a search is a function of the position, the weights and
/// what the tables hold; with a time limit it is not.
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
    /// Time for this and the coming moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// A time in JSON: milliseconds, whole ones as an integer.
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
    /// A limit of nodes a move.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A limit of depth in plies.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A limit of time a move.
    pub fn movetime(time: Duration) -> Self {
        Self { movetime: Some(time), ..Self::default() }
    }

    /// Whether the search's result depends on nothing but its input.
    pub fn is_deterministic(&self) -> bool {
        self.movetime.is_none() && self.clock.is_none()
    }

    /// Checks that some limit is set and none is zero.
    ///
    /// # Errors
    /// When a search under these limits would not end, or could not begin.
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

    /// This share of the nodes and of all time, at least 1 node; a depth stays as it is.
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

    /// These limits once some of the time is gone that they count.
    #[must_use]
    pub fn after(self, spent: Duration) -> Self {
        let rest = |time: Duration| time.saturating_sub(spent);
        let clock = self.clock.map(|clock| Clock { left: rest(clock.left), ..clock });
        Self { movetime: self.movetime.map(rest), clock, ..self }
    }

    /// These limits for a position: with a clock whose policy is a depth, that depth, in plies. A
    /// turn that has begun counts as one.
    #[must_use]
    pub(super) fn at<P: Position>(self, position: &P) -> Self {
        let Some(turns) = self.clock.and_then(|clock| clock.turns()) else { return self };
        let plies = (turns * P::TURN_PLIES).saturating_sub(position.plies_made()).max(1);
        Self { depth: Some(self.depth.map_or(plies, |depth| depth.min(plies))), ..self }
    }

    /// Starts the clock.
    pub(super) fn start(&self, stop: &Stop) -> Deadline {
        let move_time = self.clock.map(|clock| clock.move_time());
        let by_depth = self.clock.is_some_and(|clock| clock.policy == ClockPolicy::Stages);
        Deadline {
            begun: Instant::now(),
            // Time that a fixed time per move leaves over is lost; on a clock it helps the coming
            // moves.
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

/// A flag that ends searches at once; clones share it. It can also hold back the time of a
/// search: see [`pondering`](Stop::pondering).
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<StopSignals>);

#[derive(Debug, Default)]
struct StopSignals {
    stopped: AtomicBool,
    /// For a search on the other side's time: when that time ended, once it has.
    ponder_hit: Option<OnceLock<Instant>>,
    /// Says whether the flag is to be set, where nothing else can set it during a search.
    asked: Option<fn() -> bool>,
}

impl Stop {
    /// The flag of a search on the other side's time: its limits of time count from the [ponder
    /// hit](Self::ponder_hit).
    pub fn pondering() -> Self {
        Self(Arc::new(StopSignals { ponder_hit: Some(OnceLock::new()), ..StopSignals::default() }))
    }

    /// A flag that is also set once this function says so. Searches ask it every few hundred nodes:
    /// for systems whose threads share no memory, such as the workers of a browser.
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

    /// The other side has played the expected move: from now on the search is on its own side's
    /// time.
    pub fn ponder_hit(&self) {
        if let Some(hit) = &self.0.ponder_hit {
            hit.get_or_init(Instant::now);
        }
    }

    /// Whether the search is still on the other side's time.
    pub fn is_pondering(&self) -> bool {
        self.0.ponder_hit.as_ref().is_some_and(|hit| hit.get().is_none())
    }

    /// When the time of a search begins that has begun then; `None` while it does not.
    fn time_begins(&self, begun: Instant) -> Option<Instant> {
        self.0.ponder_hit.as_ref().map_or(Some(begun), |hit| hit.get().copied())
    }
}

/// The end of a running search's time.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    begun: Instant,
    /// From the search's beginning: what it found while pondering it need not find again.
    soft: Option<Duration>,
    /// From when its time began.
    hard: Option<Duration>,
    /// Whether the soft time was over while the search was pondering.
    enough: Cell<bool>,
    stop: Stop,
}

impl Deadline {
    /// Whether the search must end now. A time beyond what the clock can show is no limit.
    pub(super) fn is_over(&self) -> bool {
        if self.stop.is_set() {
            return true;
        }
        let Some((begins, hard)) = self.stop.time_begins(self.begun).zip(self.hard) else {
            return false;
        };
        self.enough.get() || begins.checked_add(hard).is_some_and(|until| Instant::now() >= until)
    }

    /// Whether no iteration should begin any more, since this share of a clock's soft time, in
    /// percent, is over.
    pub(super) fn is_enough(&self, share: u32) -> bool {
        let over = self.soft.is_some_and(|soft| self.begun.elapsed() >= percent(soft, share));
        self.enough.set(over);
        over && !self.stop.is_pondering()
    }

    /// The time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}
