//! The clocks of a game.

use crate::game::Side;
use crate::search::{Clock, Limits};
use std::time::Duration;

/// The clocks of both sides, as they began and as they stand; `None` for a side without a clock.
#[derive(Clone, Debug)]
pub(super) struct GameClocks {
    begun: [Option<Clock>; 2],
    now: [Option<Clock>; 2],
}

impl GameClocks {
    /// The clocks before the first move, of the first and the second side.
    pub(super) fn new(limits: [&Limits; 2]) -> Self {
        let begun = limits.map(|limits| limits.clock);
        Self { begun, now: begun }
    }

    /// Both clocks as they stand.
    pub(super) fn now(&self) -> [Option<Clock>; 2] {
        self.now
    }

    /// Subtracts the time of a move from a side's clock. Then adds the increment, and the time of
    /// the next control if one begins.
    pub(super) fn charge(&mut self, side: Side, time: Duration) {
        let place = side.index();
        let (Some(begun), Some(now)) = (&self.begun[place], &mut self.now[place]) else { return };
        now.left = now.left.saturating_sub(time).saturating_add(now.increment);
        if let (Some(moves), Some(control)) = (now.moves_to_go, begun.moves_to_go) {
            let is_next = moves <= 1;
            now.moves_to_go = Some(if is_next { control } else { moves - 1 });
            now.left = now.left.saturating_add(if is_next { begun.left } else { Duration::ZERO });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_costs_its_time_and_earns_the_increment_and_the_next_control() {
        let seconds = Duration::from_secs;
        let control = Clock { moves_to_go: Some(2), ..Clock::new(seconds(60), seconds(1)) };
        let limits = Limits { clock: Some(control), ..Limits::default() };
        let mut clocks = GameClocks::new([&limits, &Limits::nodes(9)]);
        let mut left = |spent: u64| {
            clocks.charge(Side::First, seconds(spent));
            let clock = clocks.now()[0].unwrap();
            (clock.left.as_secs(), clock.moves_to_go)
        };
        assert_eq!(left(10), (51, Some(1)));
        assert_eq!(left(50), (62, Some(2)));
        assert_eq!(left(99), (1, Some(1)), "a margin may have been used");
        clocks.charge(Side::Second, seconds(5));
        assert!(clocks.now()[1].is_none());
    }
}
