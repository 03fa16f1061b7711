//! Quotes words for a shell, in commands that are printed for people to type.

use crate::terminal::is_plain;
use std::borrow::Cow;
use std::fmt::{Display, Write};
use std::path::Path;
use std::sync::OnceLock;

/// The name of the program of this crate.
const OWN_PROGRAM: &str = "spar";

static PROGRAM: OnceLock<&str> = OnceLock::new();

/// Names the program, for the commands that it prints. Only the first call counts.
pub fn set_program(name: &'static str) {
    let _ = PROGRAM.set(name);
}

/// The name of the program.
pub fn program() -> &'static str {
    PROGRAM.get().copied().unwrap_or(OWN_PROGRAM)
}

/// Whether the program is this crate's own, not one for other games.
pub fn is_own_program() -> bool {
    program() == OWN_PROGRAM
}

/// Replaces `spar` by the name of the program in the commands of a text.
pub fn for_program(text: &str) -> Cow<'_, str> {
    for_program_named(text, program())
}

fn for_program_named<'a>(text: &'a str, name: &str) -> Cow<'a, str> {
    if name == OWN_PROGRAM {
        return text.into();
    }
    // A command begins the text, an indented line or a text in quotes, or follows a colon.
    let at_start = text.strip_prefix("spar ").map(|rest| format!("{name} {rest}"));
    let text = at_start.as_deref().unwrap_or(text);
    ["`", "\"", "  ", ": "]
        .iter()
        .fold(text.to_owned(), |text, before| {
            text.replace(&format!("{before}spar "), &format!("{before}{name} "))
        })
        .into()
}

/// A word as a shell takes it: in quotes where it needs them.
///
/// ```
/// use sparring_lab::shell::quote;
/// assert_eq!(quote("runs/20260131T120000Z-a_b"), "runs/20260131T120000Z-a_b");
/// assert_eq!(quote("my runs"), "'my runs'");
/// assert_eq!(quote("bell\x07"), r"$'bell\007'");
/// ```
pub fn quote(word: impl Display) -> String {
    quote_bytes(word.to_string().as_bytes())
}

/// A path as a shell takes it, whatever bytes its name has.
pub fn quote_path(path: &Path) -> String {
    quote_bytes(path.as_os_str().as_encoded_bytes())
}

/// Bytes as a shell takes them. Text that is not plain cannot be printed, so it is written as
/// numbers in `$'...'`, which sh (since POSIX 2024), bash, zsh and ksh read.
fn quote_bytes(word: &[u8]) -> String {
    match std::str::from_utf8(word) {
        // A zero byte cannot be quoted, and no argument has one; it is no plain text either.
        Ok(text) if text.chars().all(is_plain) => {
            shlex::try_quote(text).map(String::from).unwrap_or_default()
        }
        _ => quote_as_numbers(word),
    }
}

fn quote_as_numbers(word: &[u8]) -> String {
    let mut quoted = String::from("$'");
    for chunk in word.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' | '\\' => quoted.extend(['\\', c]),
                c if is_plain(c) => quoted.push(c),
                c => push_numbers(&mut quoted, c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        push_numbers(&mut quoted, chunk.invalid());
    }
    quoted + "'"
}

fn push_numbers(quoted: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(quoted, "\\{byte:03o}");
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    #[test]
    fn a_shell_reads_what_was_quoted() {
        let words: [&[u8]; 8] = [
            b"plain/word-1.json",
            b"it's; touch x $(y) `z` \\ \"q\"",
            b"",
            "\u{202e}gnp.exe \u{9b}31m".as_bytes(),
            b"not utf-8: \xff\xfe7 end",
            b"line\nfeed\ttab\x1b[31m",
            b"-rf",
            "Zh\u{fa} \u{4e2d}".as_bytes(),
        ];
        for word in words {
            let quoted = quote_path(Path::new(OsStr::from_bytes(word)));
            assert!(quoted.chars().all(is_plain), "{quoted:?}");
            let script = format!("printf %s {quoted}");
            let Ok(output) = Command::new("bash").args(["-c", &script]).output() else { return };
            assert_eq!(output.stdout, if word == b"-rf" { b"-rf" } else { word }, "{quoted}");
        }
    }

    #[test]
    fn commands_are_those_of_the_program() {
        let text = "spar runs\nnext\n  spar match a b\n`spar show`; a spar is not one: spar uci";
        let wanted = "c4 runs\nnext\n  c4 match a b\n`c4 show`; a spar is not one: c4 uci";
        assert_eq!(for_program_named(text, "c4"), wanted);
        assert_eq!(for_program_named("[\"spar play\"]", "c4"), "[\"c4 play\"]");
        assert_eq!(for_program_named(text, "spar"), text);
    }
}
