//! `spar completions`: scripts that let shells complete arguments.

use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::error::Result;
use clap::{Args, Command};
use clap_complete::Shell;
use serde::Serialize;

/// Prints a script that completes the arguments of spar in a shell.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  spar completions bash > ~/.local/share/bash-completion/completions/spar"
)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CompletionsJson {
    shell: String,
    script: String,
}

/// What completes the names of weight sets and runs, which `spar candidates` lists; nothing for
/// shells that only know the options.
fn names(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("names.bash"),
        Shell::Zsh => include_str!("names.zsh"),
        Shell::Fish => include_str!("names.fish"),
        _ => "",
    }
}

/// Runs the command.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(args: &CompletionsArgs, mut command: Command, console: &Console) -> Result<Ended> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "spar", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned() + names(args.shell);
    if console.json {
        console.document(&CompletionsJson { shell: args.shell.to_string(), script })?;
    } else {
        console.raw(&script)?;
    }
    Ok(Ended::Done)
}
