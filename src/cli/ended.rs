//! How commands end.

/// How a command ended, errors aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It did what it was asked to.
    Done,
    /// A signal stopped it early; what it had is printed.
    Stopped,
}
