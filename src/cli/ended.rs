//! How commands end, and the exit codes.

/// How a command ended, errors aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It ran to its end.
    Done,
    /// It ran to its end, and the checked item is bad: the errors are printed.
    Refused,
    /// It ran to its end, and the examined item cannot be used: the reasons are printed.
    Unfit,
    /// It ended early, since its pairs had become repeats of earlier ones; the result is printed.
    Repeats,
    /// It ran to its end, and no pair of a match counts; the result is printed.
    Void,
    /// A signal stopped it early; what was finished by then is printed.
    Stopped,
}

impl Ended {
    /// The name of this end.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused",
            Self::Unfit => "unfit",
            Self::Repeats => "repeats",
            Self::Void => "void",
            Self::Stopped => "stopped",
        }
    }
}
