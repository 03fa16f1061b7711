use crate::error::shorten;
use crate::game::Side;
use crate::protocol::Protocol;
use crate::search::{Clock, Limits};
use std::time::Duration;

/// The words without a number.
const FLAGS: [&str; 3] = ["searchmoves", "infinite", "ponder"];

/// A fixed time divided by this is the least time of a search, whatever the overhead.
const LEAST_PART: u32 = 2;

/// The limits of a search, as the command states them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Depth in plies, at least 1.
    pub depth: Option<u32>,
    /// Positions visited, at least 1.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub movetime: Option<Duration>,
    /// The time left, as `wtime` and `btime` state it.
    pub left: [Option<Duration>; 2],
    /// The increments, as `winc` and `binc` state them.
    pub increment: [Duration; 2],
    /// Moves until more time is added.
    pub moves_to_go: Option<u32>,
    /// End once a win in this many moves is proven.
    pub mate: Option<u32>,
    /// The moves to choose from, as text; empty for all.
    pub search_moves: Vec<String>,
    /// Whether the answer waits for `stop`.
    pub infinite: bool,
    /// Whether the answer waits for `ponderhit` or `stop`, and time does so too.
    pub ponder: bool,
    /// The text that was not understood, for a remark.
    pub ignored: Vec<String>,
}

impl Go {
    /// Reads what follows the word `go`. Unknown words are left out and noted, since `go` must be
    /// answered in any case. Numbers out of range become the nearest valid ones.
    pub fn parse(text: &str) -> Self {
        let mut go = Self::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    // The moves end with the next word of the command.
                    let is_move =
                        |word: &&str| !FLAGS.contains(word) && !Self::default().take(word, 1);
                    while let Some(mv) = words.next_if(is_move) {
                        go.search_moves.push(mv.to_owned());
                    }
                }
                _ => match words.peek().and_then(|value| whole(value)) {
                    Some(value) if go.take(word, value) => drop(words.next()),
                    _ => go.ignore(word),
                },
            }
        }
        go
    }

    /// Takes a word and its number; false when there is no such word.
    fn take(&mut self, word: &str, value: u64) -> bool {
        let count = u32::try_from(value).unwrap_or(u32::MAX);
        let time = Duration::from_millis(value);
        match word {
            "depth" => self.depth = Some(count.max(1)),
            "nodes" => self.nodes = Some(value.max(1)),
            "mate" => self.mate = Some(count.max(1)),
            "movetime" => self.movetime = Some(time),
            "movestogo" => self.moves_to_go = Some(count),
            "wtime" => self.left[0] = Some(time),
            "btime" => self.left[1] = Some(time),
            "winc" => self.increment[0] = time,
            "binc" => self.increment[1] = time,
            _ => return false,
        }
        true
    }

    fn ignore(&mut self, word: &str) {
        const MOST: usize = 5;
        if self.ignored.len() < MOST {
            self.ignored.push(shorten(word));
        }
    }

    /// The place of a side's time: the first player is White in UCI, and Black in UAI.
    fn place(protocol: Protocol, side: Side) -> usize {
        match protocol {
            Protocol::Uci => side.index(),
            Protocol::Uai | Protocol::Usi => side.other().index(),
        }
    }

    /// The time left for a side. Where only the other side's time is given, this side's is taken to
    /// be the same.
    pub fn time_left(&self, protocol: Protocol, side: Side) -> Option<Duration> {
        let own = Self::place(protocol, side);
        self.left[own].or(self.left[1 - own])
    }

    /// The limits of the search for a side; a clock takes its policy, its overhead and the initial
    /// time of the game from `usual`.
    pub fn limits(&self, protocol: Protocol, side: Side, usual: &Clock) -> Limits {
        let overhead = usual.overhead;
        let clock = self.time_left(protocol, side).map(|left| Clock {
            left,
            increment: self.increment[Self::place(protocol, side)],
            moves_to_go: self.moves_to_go,
            ..*usual
        });
        let movetime =
            self.movetime.map(|time| time.saturating_sub(overhead).max(time / LEAST_PART));
        // An endless search has no limits of time; others still end it, though the answer waits.
        let timed = !self.infinite;
        Limits {
            nodes: self.nodes,
            depth: self.depth,
            movetime: movetime.filter(|_| timed),
            clock: clock.filter(|_| timed),
        }
    }

    /// Whether the answer waits for `stop` even after the search has come to its end: it has no
    /// limit at all, or none was wanted.
    pub fn is_endless(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.left.iter().any(Option::is_some);
        self.infinite || !limited
    }
}

/// A whole number; one below 0 is 0, and one too large is the largest. `None` for anything else.
fn whole(text: &str) -> Option<u64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ClockPolicy;

    const NONE: Duration = Duration::ZERO;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    /// The clock's state without a command.
    fn usual(overhead: Duration) -> Clock {
        Clock {
            overhead,
            policy: ClockPolicy::Stages,
            whole: Some(ms(99)),
            ..Clock::new(NONE, NONE)
        }
    }

    #[test]
    fn every_limit_is_read() {
        let limits =
            |text: &str| Go::parse(text).limits(Protocol::Uci, Side::First, &usual(ms(10)));
        assert_eq!(limits("depth 7"), Limits::depth(7));
        assert_eq!(limits("nodes 5000"), Limits::nodes(5000));
        assert_eq!(limits("movetime 250"), Limits::movetime(ms(240)));
        assert_eq!(limits("movetime 12"), Limits::movetime(ms(6)));
        let go = Go::parse("wtime 60000 btime 50000 winc 100 binc 200 movestogo 30");
        let clock = |protocol, side| go.limits(protocol, side, &usual(ms(5))).clock.unwrap();
        let first =
            Clock { left: ms(60_000), increment: ms(100), moves_to_go: Some(30), ..usual(ms(5)) };
        assert_eq!(clock(Protocol::Uci, Side::First), first);
        assert_eq!(clock(Protocol::Uai, Side::Second), first);
        assert_eq!(clock(Protocol::Uai, Side::First).left, ms(50_000));
        assert_eq!(clock(Protocol::Uci, Side::Second).increment, ms(200));
        assert_eq!(Go::parse("mate 3").mate, Some(3));
    }

    #[test]
    fn a_search_without_limits_waits_for_stop() {
        for text in ["", "infinite", "infinite depth 5 wtime 10", "ponder", "depth x"] {
            assert!(Go::parse(text).is_endless(), "{text}");
        }
        for text in ["depth 1", "nodes 1", "movetime 1", "btime 1", "mate 1", "ponder wtime 1"] {
            assert!(!Go::parse(text).is_endless(), "{text}");
        }
        let go = Go::parse("infinite wtime 1 movetime 1 depth 9");
        assert_eq!(go.limits(Protocol::Uci, Side::First, &usual(NONE)), Limits::depth(9));
    }

    #[test]
    fn numbers_out_of_range_become_the_nearest() {
        let go =
            Go::parse("depth 99999999999999999999 nodes 0 wtime -250 winc -99999999999999999999");
        assert_eq!((go.depth, go.nodes), (Some(u32::MAX), Some(1)));
        assert_eq!((go.left, go.increment), ([Some(NONE), None], [NONE; 2]));
    }

    #[test]
    fn what_is_not_understood_is_noted() {
        let go = Go::parse("depth x nodes 5 a2a3 -- movetime ponder");
        assert_eq!((go.depth, go.nodes, go.ponder), (None, Some(5), true));
        assert_eq!(go.ignored, ["depth", "x", "a2a3", "--", "movetime"]);
        assert_eq!(Go::parse(&"y ".repeat(1000)).ignored.len(), 5);
    }

    #[test]
    fn the_moves_to_search_end_with_the_next_word_of_the_command() {
        let go = Go::parse("searchmoves a2a3 b2b3 depth 5 searchmoves c2c3 infinite");
        assert_eq!(go.search_moves, ["a2a3", "b2b3", "c2c3"]);
        assert_eq!((go.depth, go.infinite, go.ignored.len()), (Some(5), true, 0));
    }

    #[test]
    fn one_clock_will_do() {
        let clock =
            Go::parse("btime 700").limits(Protocol::Uci, Side::First, &usual(NONE)).clock.unwrap();
        assert_eq!(clock.left, ms(700));
    }
}
