//! Counts as people write them: `5000`, `5k`, `2M`.

use crate::error::{Error, Result, shorten};

/// Parses a count: digits, or digits with k, M or G (thousands, millions, billions).
///
/// # Errors
/// When the text is not such a count, or too large.
pub fn parse_count(text: &str) -> Result<u64> {
    let bad = || {
        Error::input(format!("count `{text}`"), "not a count")
            .remedy("give a whole number, for example 5000 or 5k")
    };
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1_000),
        Some((at, 'm' | 'M')) => (&text[..at], 1_000_000),
        Some((at, 'g' | 'G')) => (&text[..at], 1_000_000_000),
        _ => (text, 1),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad());
    }
    let count = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    count.ok_or_else(|| {
        Error::input(format!("count `{}`", shorten(text)), "too large a number")
            .remedy("give a smaller one")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_units() {
        let read = |text: &str| parse_count(text).ok();
        assert_eq!(
            ["5", "5k", "2M", "1G"].map(read),
            [Some(5), Some(5_000), Some(2_000_000), Some(1_000_000_000)]
        );
        assert_eq!(
            ["", "k", "-5", "1.5k", "5 k", "+5", "99999999999999999999", "99999999999G"].map(read),
            [None; 8]
        );
        for large in ["99999999999999999999", "99999999999G"] {
            let error = parse_count(large).unwrap_err().to_string();
            assert!(error.contains(large) && error.contains("too large a number"), "{error}");
        }
        assert!(parse_count("k").unwrap_err().to_string().contains("not a count"));
    }
}
