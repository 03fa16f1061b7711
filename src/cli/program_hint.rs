//! Recognizes programs named without `cmd:` in front.

use crate::files::{self, Links};
use crate::protocol::external_engine::COMMAND_PREFIX;
use crate::shell::quote;
use std::io::Read;
use std::path::Path;

/// The first bytes of programs and scripts: ELF, a script, Windows, and Mach-O in its three forms.
const MAGICS: [&[u8]; 6] = [
    b"\x7fELF",
    b"#!",
    b"MZ",
    &[0xcf, 0xfa, 0xed, 0xfe],
    &[0xce, 0xfa, 0xed, 0xfe],
    &[0xca, 0xfe, 0xba, 0xbe],
];
const LONGEST_MAGIC: u64 = 4;
/// The interpreters of scripts without a `#!` line, by the endings of their names.
const INTERPRETERS: [(&str, &str); 4] =
    [("py", "python3"), ("jar", "java -jar"), ("js", "node"), ("sh", "sh")];

/// The `cmd:` argument for the program that a text names; `None` when it names none.
pub(super) fn program_command(text: &str) -> Option<String> {
    let words = shlex::split(text).unwrap_or_default();
    let is_whole = Path::new(text).is_file();
    let first = if is_whole { text } else { words.first()? };
    let path = Path::new(first);
    let interpreter = INTERPRETERS
        .iter()
        .find(|(end, _)| path.extension().is_some_and(|extension| extension == *end))
        .map(|(_, program)| *program);
    let is_path = first.contains(std::path::is_separator);
    let quoted = if is_whole { quote(text) } else { text.to_owned() };
    let begins_as_program = path.is_file() && begins_as_program(path);
    if let Some(interpreter) = interpreter.filter(|_| path.is_file() && !is_executable(path)) {
        return Some(format!("{COMMAND_PREFIX}{interpreter} {quoted}"));
    }
    if begins_as_program {
        let here = if is_path { "" } else { "./" };
        return Some(format!("{COMMAND_PREFIX}{here}{quoted}"));
    }
    let folders = std::env::var_os("PATH").filter(|_| !is_path && !is_whole)?;
    std::env::split_paths(&folders)
        .any(|folder| is_executable(&folder.join(first)))
        .then(|| format!("{COMMAND_PREFIX}{text}"))
}

fn begins_as_program(path: &Path) -> bool {
    let mut start = Vec::new();
    let file = files::open(path, Links::Followed).map(|file| file.take(LONGEST_MAGIC));
    file.is_ok_and(|mut file| file.read_to_end(&mut start).is_ok())
        && MAGICS.iter().any(|magic| start.starts_with(magic))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
