//! Perft that prints the count of each move and can be stopped.

use super::output::Output;
use crate::any::AnyPosition;
use crate::protocol::Protocol;
use crate::search::Stop;

/// From this depth on, a count checks for `stop` between two moves; shallower ones take no time.
const INSTANT_PERFT: u32 = 4;

/// Writes for each move, in the protocol's notation, how many lines of this depth begin with it,
/// and returns their sum; `None` when stopped.
pub(super) fn divide(
    position: &AnyPosition,
    depth: u32,
    protocol: Protocol,
    stop: &Stop,
    output: &Output,
) -> Option<u64> {
    position.moves().into_iter().try_fold(0, |sum: u64, mv| {
        let nodes = count(&position.after(mv), depth.saturating_sub(1), stop)?;
        output.say(format!("{}: {nodes}", protocol.move_text(position, mv)));
        Some(sum.saturating_add(nodes))
    })
}

/// As [`Position::perft`](crate::game::Position::perft), unless it is stopped.
fn count(position: &AnyPosition, depth: u32, stop: &Stop) -> Option<u64> {
    if stop.is_set() {
        return None;
    }
    if depth <= INSTANT_PERFT {
        return Some(position.perft(depth));
    }
    position.moves().into_iter().try_fold(0, |sum: u64, mv| {
        Some(sum.saturating_add(count(&position.after(mv), depth - 1, stop)?))
    })
}
