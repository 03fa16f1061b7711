//! Numbers as text: counts, rates, times, shares.

use std::time::Duration;

/// A count: exact with separators below ten million (`804,367`), else with a unit (`37.5 M`).
pub fn count(n: u64) -> String {
    if n >= 10_000_000 {
        return scaled(n as f64);
    }
    let digits = n.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.into_iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

/// A count with its noun, in the plural if needed: `1 thread`, `2,000 games`.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(n), if n == 1 { "" } else { "s" })
}

/// Three digits and a unit: `950`, `1.23 k`, `45.6 M`, `7.89 G`.
pub fn scaled(n: f64) -> String {
    let (value, unit) = match n {
        _ if n.abs() < 1e3 => (n, ""),
        _ if n.abs() < 1e6 => (n / 1e3, " k"),
        _ if n.abs() < 1e9 => (n / 1e6, " M"),
        _ => (n / 1e9, " G"),
    };
    let digits = match value.abs() {
        _ if unit.is_empty() && value.fract() == 0.0 => 0,
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$}{unit}")
}

/// A number of bytes: `950 B`, `12.3 MB`.
pub fn bytes(n: u64) -> String {
    let text = scaled(n as f64);
    if text.ends_with(char::is_alphabetic) { format!("{text}B") } else { format!("{text} B") }
}

/// Things a second, in a unit: `1.23 M nodes/s`; a dash when no time has passed.
pub fn rate(n: u64, time: Duration, unit: &str) -> String {
    match per_second(n, time) {
        Some(rate) => format!("{} {unit}/s", scaled(rate)),
        None => "-".into(),
    }
}

/// Things a second; `None` when no time has passed.
pub fn per_second(n: u64, time: Duration) -> Option<f64> {
    (time > Duration::ZERO).then(|| n as f64 / time.as_secs_f64())
}

/// A span of time: `12 ms`, `3.4 s`, `2:05 min`, `3:04:05 h`.
pub fn time(time: Duration) -> String {
    let (millis, seconds) = (time.as_secs_f64() * 1e3, time.as_secs());
    match seconds {
        0 if millis < 10.0 => format!("{millis:.2} ms"),
        0 => format!("{millis:.0} ms"),
        1..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{}:{:02} min", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02} h", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// A span of time to come, in whole seconds: `3 s`, `14:24 min`, `1:02:03 h`.
pub fn span(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..60 => format!("{seconds} s"),
        _ => self::time(time),
    }
}

/// A share in percent: `66.7 %`; a dash when it is not defined.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{:.1} %", share * 100.0))
}

/// A part of a whole, if there is a whole.
pub fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A number to the nearest whole one, without a sign before 0.
pub fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}

/// A number with its error: `+12.3 +- 4.5`, `0.0 +- ?` when the error is not known; a dash when the
/// number is not defined.
pub fn with_error(value: Option<f64>, error: Option<f64>) -> String {
    match (value, error) {
        (Some(value), Some(error)) => format!("{} +- {error:.1}", signed(value)),
        (Some(value), None) => format!("{} +- ?", signed(value)),
        (None, _) => "-".into(),
    }
}

/// A number with its sign and one digit: `+12.3`, `0.0`.
pub fn signed(value: f64) -> String {
    // What rounds to zero has no sign.
    if value.abs() < 0.05 { "0.0".into() } else { format!("{value:+.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units() {
        assert_eq!([0, 999, 1000, 804_367].map(count), ["0", "999", "1,000", "804,367"]);
        assert_eq!([37_500_000, 3_751_915_714].map(count), ["37.5 M", "3.75 G"]);
        assert_eq!([12.0, 12.34, 1234.0, 45_600.0].map(scaled), ["12", "12.3", "1.23 k", "45.6 k"]);
        assert_eq!([1, 2000].map(|n| counted(n, "game")), ["1 game", "2,000 games"]);
        assert_eq!(rate(10, Duration::ZERO, "games"), "-");
        assert_eq!(rate(3000, Duration::from_secs(2), "games"), "1.50 k games/s");
    }

    #[test]
    fn times_have_units() {
        let text = |millis| time(Duration::from_millis(millis));
        assert_eq!([4, 40, 3_400].map(text), ["4.00 ms", "40 ms", "3.4 s"]);
        assert_eq!([3_400, 125_000].map(|m| span(Duration::from_millis(m))), ["3 s", "2:05 min"]);
        assert_eq!([125_000, 11_045_000].map(text), ["2:05 min", "3:04:05 h"]);
    }

    #[test]
    fn what_is_not_defined_is_a_dash() {
        assert_eq!(with_error(None, Some(1.0)), "-");
        assert_eq!(with_error(Some(-0.01), Some(1.0)), "0.0 +- 1.0");
        assert_eq!([-0.4, -0.6, 2.4].map(whole), ["0", "-1", "2"]);
        assert_eq!(with_error(Some(-3.0), None), "-3.0 +- ?");
        assert_eq!((percent(share(1, 0)), percent(share(1, 3))), ("-".into(), "33.3 %".into()));
    }
}
