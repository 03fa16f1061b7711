//! How commands end.

/// How a command ended, errors aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ran to its end.
    Done,
    /// A signal stopped it early; what was finished by then is printed.
    Stopped,
}
