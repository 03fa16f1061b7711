//! Values of positions that are known without any search.

/// The result of a position with best play, from its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownValue {
    /// The side to move wins in this many turns of both sides together, the current one included.
    Win(u32),
    /// The side to move loses in this many turns of both sides together.
    Loss(u32),
    /// Neither side can win.
    Draw,
}

impl KnownValue {
    /// The turns until the end of the game; `None` for a draw.
    pub fn turns(self) -> Option<u32> {
        match self {
            KnownValue::Win(turns) | KnownValue::Loss(turns) => Some(turns),
            KnownValue::Draw => None,
        }
    }
}

/// A source of exact values, such as an endgame database. A lookup is cheap and allocates nothing.
pub trait KnownValues<P>: Send + Sync {
    /// The value of an unfinished position if it is known. Earlier repetitions are ignored.
    fn known_value(&self, position: &P) -> Option<KnownValue>;
}
