//! When a search must end: nodes, depth, time per move, a clock; any of them together.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The share of the time left on a clock that one move may take, as a divisor.
const CLOCK_SHARE: u32 = 20;
/// The part of the increment that one move may take, in percent.
const INCREMENT_PERCENT: u32 = 75;
/// Time kept back on a clock for whatever happens outside the search.
const CLOCK_RESERVE: Duration = Duration::from_millis(20);
/// Nodes between two looks at the clock and at the stop flag.
pub(super) const NODES_PER_CHECK: u64 = 512;

/// The time left for a side and what each move adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// The limits of one search. A search ends at the first limit that it reaches.
///
/// With nothing but a node or depth limit a search is a function of the position, the weights and what the tables
/// hold; with a time limit it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Positions visited, counted exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth of the last iteration, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time for the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movetime: Option<Duration>,
    /// Time for this and the coming moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
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
            return Err(Error::input("limits", "a limit of 0 leaves nothing to search").remedy(remedy));
        }
        Ok(())
    }

    /// The time a move may take, if time is limited at all.
    fn budget(&self) -> Option<Duration> {
        let from_clock = self.clock.map(|clock| {
            let spare = clock.left.saturating_sub(CLOCK_RESERVE);
            let increment = clock.increment.saturating_mul(INCREMENT_PERCENT) / 100;
            (spare / CLOCK_SHARE).saturating_add(increment).min(spare)
        });
        match (self.movetime, from_clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Starts the clock. A time beyond what the clock can show is no limit.
    pub(super) fn start(&self, stop: &Stop) -> Deadline {
        let begun = Instant::now();
        Deadline {
            begun,
            until: self.budget().and_then(|budget| begun.checked_add(budget)),
            // Time that a fixed time per move leaves over is lost; on a clock it helps the coming moves.
            saves: self.clock.is_some() && self.movetime.is_none(),
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
        parts.extend(self.clock.map(|c| {
            format!("clock {:.1} s + {:.2} s a move", c.left.as_secs_f64(), c.increment.as_secs_f64())
        }));
        f.write_str(&parts.join(", "))
    }
}

/// A flag that tells searches to end at once; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Tells every holder of the flag to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The end of a running search's time.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    begun: Instant,
    until: Option<Instant>,
    /// Whether time not used now is of use later.
    saves: bool,
    stop: Stop,
}

impl Deadline {
    /// Whether the search must end now.
    pub(super) fn is_over(&self) -> bool {
        self.stop.is_set() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Whether so much of a clock's time for this move is gone that another iteration would hardly finish.
    pub(super) fn is_half_over(&self) -> bool {
        self.saves && self.until.is_some_and(|until| self.begun.elapsed() * 2 > until - self.begun)
    }

    /// The time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}
