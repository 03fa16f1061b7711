//! `spar serve`: pages about the runs of a folder, live, in a browser.

use crate::cli::{Console, Ended, Interrupt, runs_folder};
use crate::error::{Error, Result};
use crate::files::{self, Links};
use crate::serve::{RunsServer, ServerConfig};
use clap::Args;
use serde::Serialize;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The largest file of a token that is read, in bytes.
const MAX_TOKEN: u64 = 4 << 10;

/// Serves web pages of all runs, and a page to play on
///
/// The pages have live charts, comparisons, and games on a board; they start, stop and resume runs.
/// Only programs on this machine reach it, unless --address says otherwise. Runs started from a
/// page outlive the server.
#[derive(Args, Debug)]
#[command(
    after_help = "After `ssh -L 8047:127.0.0.1:8047 HOST` http://127.0.0.1:8047/ shows HOST's runs here."
)]
pub struct ServeArgs {
    /// The port; 0 for any free one
    #[arg(long, default_value_t = ServerConfig::PORT)]
    port: u16,
    /// The address to listen on; any other than this machine's own needs a token
    #[arg(long, value_name = "IP", default_value_t = ServerConfig::LOCAL)]
    address: IpAddr,
    /// A secret that every request must carry: in the printed address, or in a header. The process
    /// list shows it to every user of this machine; --token-file does not
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// The file with that secret
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// Another host name that requests may use, such as a proxy's; may be repeated, and needs a
    /// token
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

impl ServeArgs {
    fn token(&self) -> Result<Option<String>> {
        let Some(path) = &self.token_file else { return Ok(self.token.clone()) };
        let wrong = |reason| {
            Error::input(path.display(), reason).remedy("write one line with a long random text")
        };
        let bytes = files::read(path, Links::Followed, MAX_TOKEN)?;
        let text = String::from_utf8(bytes).map_err(|_| wrong("not text"))?;
        match text.trim() {
            "" => Err(wrong("empty")),
            token if token.contains(char::is_control) => Err(wrong("more than one line of text")),
            token => Ok(Some(token.into())),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ServeJson {
    /// The address of the page.
    url: String,
}

/// Runs the command.
///
/// # Errors
/// When the server cannot listen at the address, or others could reach it and no token is given.
pub fn run(args: &ServeArgs, console: &Console) -> Result<Ended> {
    let program = std::env::current_exe().map_err(|error| Error::failed("this program", error))?;
    let server = RunsServer::bind(ServerConfig {
        runs: runs_folder().clone(),
        address: args.address,
        port: args.port,
        token: args.token()?,
        hosts: args.host.clone(),
        program,
    })?;
    let url = server.url();
    if !runs_folder().path().exists() {
        let folder = runs_folder().path().display();
        console.note(format!("there is no folder {folder} yet; the first run makes it"));
    }
    let interrupt = Interrupt::new("");
    if console.json {
        console.document(&ServeJson { url: url.clone() })?;
    } else {
        console.say(&url)?;
        console.aside("Ctrl-C ends the server; runs started from its pages continue");
    }
    if args.open {
        open(&url, console);
    }
    server.run(interrupt.stop());
    Ok(Ended::Done)
}

/// The programs that open an address in the browser, one for each system.
const OPENERS: [&str; 3] = ["xdg-open", "open", "explorer"];

fn open(url: &str, console: &Console) {
    let quiet = |program: &&str| {
        let mut command = Command::new(program);
        command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    };
    if !OPENERS.iter().any(quiet) {
        console.note(format!("no browser could be opened; the page is at {url}"));
    }
}
