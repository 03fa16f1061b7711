//! Text for a terminal: the styles of this program, and an escape for everything else that a
//! terminal would obey.
//!
//! The output of commands mixes words of this program with text of files and engines, which may
//! hold control sequences too. So a [`Style`] writes sequences with a mark that nobody else knows,
//! and [`printable`], which all output passes, leaves these alone.
//!
//! ```
//! use sparring_lab::terminal::{BOLD, printable};
//! let text = format!("{BOLD}name{BOLD:#} \x1b[31mred\x1b[0m");
//! assert_eq!(printable(&text), "\x1b[1mname\x1b[0m \\u{1b}[31mred\\u{1b}[0m");
//! ```

use std::fmt::{self, Write};
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

/// How a control sequence begins.
const BEGIN: &str = "\x1b[";

/// How the sequences of a [`Style`] begin: with a parameter that is drawn by each process.
static MARKED: LazyLock<String> =
    LazyLock::new(|| format!("{BEGIN}{:020};", RandomState::new().hash_one("style")));

/// The style of headings.
pub const BOLD: Style = Style::new(anstyle::Style::new().bold());

/// A style of text: `{STYLE}` begins it in a format string, `{STYLE:#}` ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style(anstyle::Style);

impl Style {
    /// A style of this look.
    pub const fn new(look: anstyle::Style) -> Self {
        Self(look)
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sequences = match f.alternate() {
            false => self.0.render().to_string(),
            true => self.0.render_reset().to_string(),
        };
        f.write_str(&sequences.replace(BEGIN, &MARKED))
    }
}

/// Makes text safe for a terminal. [`Style`]s, line ends and tabs stay. Every other character that
/// is not plain is written as its number.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((sequence, behind)) = style(rest) {
            shown.push_str(BEGIN);
            shown.push_str(sequence);
            rest = behind;
            continue;
        }
        match is_plain(c) || matches!(c, '\n' | '\t') {
            true => shown.push(c),
            false => shown.extend(c.escape_default()),
        }
        rest = &rest[c.len_utf8()..];
    }
    shown
}

/// The sequence of a [`Style`] with which a text begins, without its mark, and the text after it.
fn style(text: &str) -> Option<(&str, &str)> {
    let parameters = text.strip_prefix(BEGIN).and_then(|_| text.strip_prefix(MARKED.as_str()))?;
    Some(parameters.split_at(parameters.find('m')? + 1))
}

/// Makes a JSON document safe for a terminal: the same document, with characters that are not plain
/// escaped.
pub fn printable_json(document: &str) -> String {
    let mut shown = String::with_capacity(document.len());
    for c in document.chars() {
        if is_plain(c) || c == '\n' {
            shown.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        }
    }
    shown
}

/// Whether a character is plain: it neither controls a terminal nor changes the order or the look
/// of the text around it (Unicode's categories Cc, Zl and Zp, and Cf as far as it is not bound to
/// one script).
pub fn is_plain(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        let hostile = "a\x1b]0;title\x07\u{9b}31m\r\u{202e}\u{200b}\x7f\0b";
        let shown = "a\\u{1b}]0;title\\u{7}\\u{9b}31m\\r\\u{202e}\\u{200b}\\u{7f}\\u{0}b";
        assert_eq!(printable(hostile), shown);
        assert_eq!(printable("Zhú 中文 👍\n\tx"), "Zhú 中文 👍\n\tx");
    }

    #[test]
    fn sequences_of_others_are_no_styles() {
        for text in ["\x1b[1m", "\x1b[00000000000000000000;1m", "\x1b[", "\x1b"] {
            assert!(!printable(text).contains('\x1b'), "{text:?}");
        }
        assert_eq!(printable(&format!("{BOLD}x{BOLD:#}\x1b")), "\x1b[1mx\x1b[0m\\u{1b}");
        let red = Style::new(anstyle::AnsiColor::Red.on_default().bold());
        assert_eq!(printable(&format!("{red}x{red:#}")), "\x1b[1m\x1b[31mx\x1b[0m");
    }

    #[test]
    fn a_document_stays_the_same() {
        let text = "a\x1b\u{9b}\u{202e}\u{e0041}\"\\ é";
        let document = serde_json::to_string(text).unwrap();
        let shown = printable_json(&document);
        assert!(shown.chars().all(is_plain), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }
}
