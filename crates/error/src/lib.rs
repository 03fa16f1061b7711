//! The program's only error type: the place, the reason and the remedy.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// A result whose error is [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// The kind of an [`Error`]. It determines the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Invalid usage or input: exit code 2.
    Input,
    /// A failure despite valid input: exit code 1.
    Failed,
    /// Stopped early by a signal, exit code 3.
    Interrupted,
}

impl ErrorKind {
    /// The exit code of a process that ends with such an error: 1, 2 or 3.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Failed => 1,
            Self::Input => 2,
            Self::Interrupted => 3,
        }
    }
}

/// An error with its place, its reason and, if known, its remedy.
///
/// ```
/// use sparring_error::Error;
/// let e = Error::input("weights/a.json, key `pice`", "unknown feature");
/// let e = e.remedy("did you mean `piece`?");
/// assert_eq!(e.to_string(), "weights/a.json, key `pice`: unknown feature; did you mean `piece`?");
/// assert_eq!(format!("{e:?}"), e.to_string());
/// assert_eq!(e.exit_code(), 2);
/// ```
pub struct Error {
    kind: ErrorKind,
    place: String,
    reason: String,
    remedy: Option<String>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    fn new(kind: ErrorKind, place: impl fmt::Display, reason: impl fmt::Display) -> Self {
        Self {
            kind,
            place: place.to_string(),
            reason: reason.to_string(),
            remedy: None,
            source: None,
        }
    }

    /// An error for invalid usage or input, found at `place`.
    pub fn input(place: impl fmt::Display, reason: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Input, place, reason)
    }

    /// An error for a failure despite valid input.
    pub fn failed(place: impl fmt::Display, reason: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Failed, place, reason)
    }

    /// An error for work that a signal stopped.
    pub fn interrupted(place: impl fmt::Display, reason: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Interrupted, place, reason)
    }

    /// A failed operation on a file. A missing or unreadable file is invalid input; anything else,
    /// such as a full disk, is a failure.
    pub fn io(path: &Path, doing: &str, source: std::io::Error) -> Self {
        use std::io::ErrorKind as Io;
        let source = of_system(source);
        let kind = match source.kind() {
            Io::NotFound
            | Io::PermissionDenied
            | Io::IsADirectory
            | Io::NotADirectory
            | Io::AlreadyExists => ErrorKind::Input,
            _ => ErrorKind::Failed,
        };
        // For errors without an OS error number, the standard library only says "entity not found".
        let reason = match (source.kind(), source.raw_os_error()) {
            (Io::NotFound, None) => format!("cannot {doing}: no such file"),
            _ => format!("cannot {doing}: {source}"),
        };
        let mut error = Self::new(kind, path.display(), reason);
        error.remedy = match source.kind() {
            Io::NotFound => Some("check the path".into()),
            Io::NotADirectory => Some("check the path: a file stands in place of a folder".into()),
            Io::AlreadyExists => Some("name another one, or remove what is there".into()),
            Io::PermissionDenied => Some("check the permissions".into()),
            Io::FileTooLarge => Some("raise the limit of file sizes (ulimit -f)".into()),
            Io::StorageFull | Io::QuotaExceeded => {
                Some("free some space and run the command again".into())
            }
            _ => None,
        };
        error.source = Some(Box::new(source));
        error
    }

    /// Adds a remedy to the error.
    #[must_use]
    pub fn remedy(mut self, remedy: impl fmt::Display) -> Self {
        self.remedy = Some(remedy.to_string());
        self
    }

    /// Puts a wider place before the current one.
    #[must_use]
    pub fn within(mut self, place: impl fmt::Display) -> Self {
        self.place = if self.place.is_empty() {
            place.to_string()
        } else {
            format!("{place}, {}", self.place)
        };
        self
    }

    /// The kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The kind of an operating system error; `None` for other errors.
    pub fn io_kind(&self) -> Option<std::io::ErrorKind> {
        let source = self.source.as_deref()?;
        source.downcast_ref::<std::io::Error>().map(std::io::Error::kind)
    }

    /// The file, option or value that the error is about; may be empty.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The cause, without the place and the remedy.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The remedy, if known.
    pub fn remedy_text(&self) -> Option<&str> {
        self.remedy.as_deref()
    }

    /// The exit code of a process that ends with this error.
    pub fn exit_code(&self) -> u8 {
        self.kind.exit_code()
    }
}

/// The error of the operating system inside another one, which may name a temporary file.
fn of_system(error: std::io::Error) -> std::io::Error {
    let inner = error.get_ref().and_then(|outer| outer.source());
    let code = inner.and_then(|inner| inner.downcast_ref::<std::io::Error>()?.raw_os_error());
    code.map_or(error, std::io::Error::from_raw_os_error)
}

/// Calls a function and catches its panic.
///
/// # Errors
/// The message of the panic.
pub fn catch_panic<T>(work: impl FnOnce() -> T) -> std::result::Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("no message").to_owned()
    })
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.reason)?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

/// The same text as [`Display`](fmt::Display), since a `main` that returns an error prints this
/// one.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// The known name nearest to `given` by edit distance, if it is near enough for a typing error.
pub fn nearest<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = given.chars().count().div_ceil(3).max(1);
    known
        .into_iter()
        .map(|name| (strsim::levenshtein(given, name), name))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// The remedy for an unknown name: the nearest known name, or else all known names after
/// `introduction`.
pub fn suggest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
    introduction: &str,
) -> String {
    // The distance to a long text takes too long to compute.
    match nearest(&shorten(given), known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{introduction}: {}", known.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// Untrusted text that is safe in an error: shortened, and without terminal control characters.
pub fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    shorten_to(text, LONGEST)
}

/// As [`shorten`], with at most `longest` characters.
pub fn shorten_to(text: &str, longest: usize) -> String {
    let mut short = String::new();
    for c in text.chars().take(longest) {
        match c {
            '"' | '\'' | '\\' => short.push(c),
            _ => short.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(longest).is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name_is_offered_only_for_a_slip() {
        let known = ["piece", "danger", "high_danger"];
        assert_eq!(nearest("pice", known), Some("piece"));
        assert_eq!(nearest("high-danger", known), Some("high_danger"));
        assert_eq!(nearest("queen_safety", known), None);
    }

    #[test]
    fn long_text_is_cut_and_control_characters_are_shown() {
        assert_eq!(shorten("a\t\"b\"\u{1b}\u{202e}"), "a\\t\"b\"\\u{1b}\\u{202e}");
        assert_eq!(shorten(&"x".repeat(81)), "x".repeat(80) + "...");
    }

    #[test]
    fn the_systems_sort_of_failure_is_kept() {
        let io = |kind: std::io::ErrorKind| Error::io(Path::new("a"), "read", kind.into());
        for kind in [std::io::ErrorKind::BrokenPipe, std::io::ErrorKind::NotFound] {
            assert_eq!(io(kind).within("b").io_kind(), Some(kind));
        }
        assert_eq!(Error::failed("a", "broken pipe").io_kind(), None);
    }

    #[test]
    fn a_wrapped_error_of_the_system_is_told_as_its_own() {
        use std::io::Error as IoError;
        #[derive(Debug)]
        struct At(IoError);
        impl fmt::Display for At {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, "{} at path .tmpABC", self.0)
            }
        }
        impl std::error::Error for At {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&self.0)
            }
        }
        let inner = IoError::from_raw_os_error(13);
        let expected = Error::io(Path::new("a"), "write", IoError::from_raw_os_error(13));
        let wrapped = IoError::new(inner.kind(), At(inner));
        assert_eq!(Error::io(Path::new("a"), "write", wrapped).to_string(), expected.to_string());
    }

    #[test]
    fn within_widens_the_place() {
        let error = Error::input("key `x`", "unknown").within("file.json");
        assert_eq!(error.to_string(), "file.json, key `x`: unknown");
    }
}
