//! `spar completions`: scripts that let shells complete arguments.

use super::console::Console;
use super::ended::Ended;
use crate::error::Result;
use clap::{Args, Command};
use clap_complete::Shell;
use serde_json::json;

/// Prints a script that completes the arguments of spar in a shell.
#[derive(Args, Debug)]
#[command(
    after_help = "For bash: spar completions bash > ~/.local/share/bash-completion/completions/spar"
)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Runs the command.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(args: &CompletionsArgs, mut command: Command, console: &Console) -> Result<Ended> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "spar", &mut script);
    let script = String::from_utf8_lossy(&script);
    if console.json {
        console.document(&json!({ "shell": args.shell.to_string(), "script": script }))?;
    } else {
        console.raw(&script)?;
    }
    Ok(Ended::Done)
}
