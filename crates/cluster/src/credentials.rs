//! The login at the server: read from a file or the environment, never from the command line, and
//! never shown.

use crate::error::{Error, Result};
use crate::files::{self, Links};
use async_nats::ConnectOptions;
use serde::Deserialize;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The longest file of credentials that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// User, token or key, and certificates. Never printed.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    user: Option<String>,
    password: Option<String>,
    token: Option<String>,
    /// The file of an NKey's seed.
    nkey: Option<PathBuf>,
    /// A file of a JWT and its key, as `nsc` makes it.
    creds: Option<PathBuf>,
    /// Certificates to trust beside the system's own.
    ca: Option<PathBuf>,
    cert: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Credentials")
    }
}

impl Credentials {
    /// The credentials in a file, or else in the environment, under the names that the NATS tools
    /// use.
    ///
    /// # Errors
    /// When the file cannot be read, or two ways to log in are named at once.
    pub fn find(file: Option<&Path>) -> Result<Self> {
        let credentials = match file {
            Some(path) => Self::load(path)?,
            None => Self::of(|name| std::env::var(name).ok().filter(|value| !value.is_empty())),
        };
        let place = file.map_or("environment".into(), |path| path.display().to_string());
        credentials.check(&place).map(|()| credentials)
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let path = |name: &str| variable(name).map(PathBuf::from);
        Self {
            user: variable("NATS_USER"),
            password: variable("NATS_PASSWORD"),
            token: variable("NATS_TOKEN"),
            nkey: path("NATS_NKEY"),
            creds: path("NATS_CREDS"),
            ca: path("NATS_CA"),
            cert: path("NATS_CERT"),
            key: path("NATS_KEY"),
        }
    }

    fn load(path: &Path) -> Result<Self> {
        let text = read(path)?;
        let read = toml::from_str::<Self>(&text);
        // The error's own text would show the line, and with it a password.
        let mut credentials = read.map_err(|error| {
            let line = error.span().map_or(0, |span| text[..span.start].lines().count().max(1));
            Error::input(path.display(), format!("line {line} is not understood"))
                .remedy("write lines such as `user = \"me\"` and `password = \"...\"`, or one of `token`, `nkey` and `creds`; `ca`, `cert` and `key` name TLS files")
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let Self { nkey, creds, ca, cert, key, .. } = &mut credentials;
        for file in [nkey, creds, ca, cert, key].into_iter().flatten() {
            *file = folder.join(&file);
        }
        Ok(credentials)
    }

    fn check(&self, place: &str) -> Result<()> {
        let ways = [
            self.user.is_some() || self.password.is_some(),
            self.token.is_some(),
            self.nkey.is_some(),
            self.creds.is_some(),
        ];
        if ways.into_iter().filter(|&is_given| is_given).count() > 1 {
            return Err(Error::input(place, "several ways to log in at once")
                .remedy("name a user with a password, or one of token, nkey and creds"));
        }
        if self.user.is_some() != self.password.is_some() {
            return Err(Error::input(place, "a user without a password, or the reverse")
                .remedy("name both"));
        }
        if self.cert.is_some() != self.key.is_some() {
            return Err(Error::input(place, "a certificate without its key, or the reverse")
                .remedy("name both files"));
        }
        Ok(())
    }

    /// The options of a connection that logs in with these credentials.
    ///
    /// # Errors
    /// When a file cannot be read, or has another format.
    pub(super) fn options(&self) -> Result<ConnectOptions> {
        let mut options = ConnectOptions::new();
        if let Some((user, password)) = self.user.clone().zip(self.password.clone()) {
            options = options.user_and_password(user, password);
        }
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some(path) = &self.nkey {
            options = options.nkey(read(path)?.trim().to_owned());
        }
        if let Some(path) = &self.creds {
            options = options.credentials(&read(path)?).map_err(|_| {
                Error::input(path.display(), "not a file of credentials")
                    .remedy("make it with `nsc generate creds`")
            })?;
        }
        if let Some(path) = &self.ca {
            read(path)?;
            options = options.add_root_certificates(path.clone());
        }
        if let Some((cert, key)) = self.cert.clone().zip(self.key.clone()) {
            options = options.add_client_certificate(cert, key);
        }
        Ok(options)
    }
}

fn read(path: &Path) -> Result<String> {
    let mut text = String::new();
    let mut start = files::open(path, Links::Followed)?.take(LONGEST);
    start.read_to_string(&mut text).map_err(|error| Error::io(path, "read", error))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Credentials> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nats.toml");
        std::fs::write(&path, text).unwrap();
        Credentials::find(Some(&path))
    }

    #[test]
    fn a_file_names_one_way_to_log_in() {
        let credentials = load("user = \"me\"\npassword = \"hush\"\nca = \"ca.pem\"\n").unwrap();
        assert_eq!(credentials.user.as_deref(), Some("me"));
        assert!(credentials.ca.unwrap().is_absolute(), "beside the file");
        for text in ["user = \"me\"", "token = \"t\"\nnkey = \"f\"", "cert = \"c\""] {
            assert!(load(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_error_shows_a_secret() {
        for text in ["password = hush", "password = \"hush\"\nhush = 1", "pass = \"hush\""] {
            let error = load(text).unwrap_err().to_string();
            assert!(!error.contains("hush") && error.contains("line "), "{error}");
        }
        let token = Credentials { token: Some("hush".into()), ..Credentials::default() };
        assert!(!format!("{token:?}").contains("hush"));
    }

    #[test]
    fn the_environment_has_the_names_of_nats() {
        let of = |known: &str| {
            let known = known.to_owned();
            Credentials::of(move |name| (name == known).then(|| "x".to_owned()))
        };
        assert_eq!(of("NATS_TOKEN").token.as_deref(), Some("x"));
        assert_eq!(of("NATS_CREDS").creds, Some("x".into()));
        assert_eq!(of("HOME"), Credentials::default());
    }
}
