//! Words for a shell, in commands that are printed to be typed.

use std::fmt::Display;

/// A word as a shell takes it: in quotes where it needs them.
///
/// ```
/// use sparring::shell::quote;
/// assert_eq!(quote("runs/20260131T120000Z-a_b"), "runs/20260131T120000Z-a_b");
/// assert_eq!(quote("my runs"), "'my runs'");
/// ```
pub fn quote(word: impl Display) -> String {
    // A zero byte cannot be quoted, and no argument has one.
    let word = word.to_string().replace('\0', "");
    shlex::try_quote(&word).map(String::from).unwrap_or_default()
}
