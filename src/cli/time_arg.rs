//! Times to work for, as people write them: `90s`, `30m`, `8h`.

use crate::error::{Error, Result, shorten};
use humantime::{DurationError, format_duration, parse_duration};
use std::time::Duration;

/// The longest time to work for: a year.
const MOST_TIME: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// Reads a time to work for, which may not be shorter than `least`.
///
/// # Errors
/// When the text is no time, or one out of range.
pub(super) fn parse(text: &str, least: Duration) -> Result<Duration> {
    let refuse = |reason: &str, remedy: String| {
        Err(Error::input(format!("time `{}`", shorten(text)), reason).remedy(remedy))
    };
    let too_long = || refuse("too long", "give at most 365d".into());
    match parse_duration(text) {
        Ok(time) if time < least => {
            refuse("too short", format!("give at least {}", format_duration(least)))
        }
        Ok(time) if time > MOST_TIME => too_long(),
        Ok(time) => Ok(time),
        Err(DurationError::NumberOverflow) => too_long(),
        Err(_) => refuse("not a time", "give for example 90s, 30m or 8h".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_at_most_a_year() {
        let least = Duration::from_secs(8);
        let read = |text: &str| parse(text, least).map_err(|error| error.to_string());
        assert_eq!(read("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(read("365d"), Ok(MOST_TIME));
        for long in ["365d 1s", "99999999999h", "1000000000000000000000000000h", "2years"] {
            let error = read(long).unwrap_err();
            assert!(error.contains("too long; give at most 365d"), "{error}");
        }
        assert!(read("7s").unwrap_err().contains("too short; give at least 8s"));
        for none in ["-5m", "5", "", "h", "1e9h"] {
            assert!(read(none).unwrap_err().contains("not a time"), "{none}");
        }
    }
}
