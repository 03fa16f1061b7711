//! Errors of arguments that cannot be read, in words that say everything once.

use crate::error::Error;
use clap::error::{ContextKind, ContextValue};
use std::error::Error as _;

/// The error of the program's own that the parser reports, if it is one: of the value of an option.
pub(super) fn cause(error: &clap::Error) -> Option<&Error> {
    error.source()?.downcast_ref()
}

/// What to print in place of the parser's own words, which name a value that the cause names, too:
/// ``invalid value 'x' for '--nodes <N>': count `x`: not a count``. Without the `error: ` before
/// it.
pub(super) fn reworded(error: &clap::Error) -> Option<String> {
    let cause = cause(error)?;
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (value, option) = (context(ContextKind::InvalidValue)?, context(ContextKind::InvalidArg)?);
    if !cause.place().contains(&format!("`{value}`")) {
        return None;
    }
    let remedy = cause.remedy_text().map_or(String::new(), |remedy| format!("; {remedy}"));
    let reason = cause.reason();
    Some(format!(
        "invalid value '{value}' for '{option}': {reason}{remedy}\n\nFor more information, try '--help'."
    ))
}
