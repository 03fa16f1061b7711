//! The roles of pieces of text, and their styles on a terminal: the one place for colours.

use crate::stats::Verdict;
use crate::terminal::{BOLD, Style};
use anstyle::AnsiColor;
use std::fmt::Display;

/// The meaning of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The heading of a table or a part.
    Heading,
    /// A gain, a win, a set that was accepted.
    Good,
    /// A loss, a set that was not accepted.
    Bad,
    /// Not decided yet, or worth a second look.
    Undecided,
    /// The least important columns.
    Minor,
    /// The last change, such as the last move on a board.
    Latest,
}

impl Role {
    /// How it is shown.
    pub const fn style(self) -> Style {
        match self {
            Self::Heading => BOLD,
            Self::Good => Style::new(AnsiColor::Green.on_default()),
            Self::Bad => Style::new(AnsiColor::Red.on_default()),
            Self::Undecided => Style::new(AnsiColor::Yellow.on_default()),
            Self::Minor => Style::new(anstyle::Style::new().dimmed()),
            Self::Latest => Style::new(anstyle::Style::new().bold().invert()),
        }
    }

    /// The text in its style. The printer removes the style where no terminal shows it.
    pub fn paint(self, text: impl Display) -> String {
        let style = self.style();
        format!("{style}{text}{style:#}")
    }

    /// The role of a difference that is known to lie between two ends: good above 0, bad below it,
    /// undecided around it.
    pub fn of_interval(low: Option<f64>, high: Option<f64>) -> Self {
        match (low, high) {
            (Some(low), _) if low > 0.0 => Self::Good,
            (_, Some(high)) if high < 0.0 => Self::Bad,
            _ => Self::Undecided,
        }
    }

    /// The role of a test's verdict: undecided if there is none yet.
    pub fn of_verdict(verdict: Option<Verdict>) -> Self {
        match verdict {
            Some(Verdict::H1) => Self::Good,
            Some(Verdict::H0) => Self::Bad,
            None => Self::Undecided,
        }
    }

    /// The role of a yes or no.
    pub fn of_judgement(accepted: bool) -> Self {
        if accepted { Self::Good } else { Self::Bad }
    }
}

/// A text in the style of a number's sign; without one for 0.
pub fn by_sign(number: f64, text: impl Display) -> String {
    match number {
        _ if number > 0.0 => Role::Good.paint(text),
        _ if number < 0.0 => Role::Bad.paint(text),
        _ => text.to_string(),
    }
}
