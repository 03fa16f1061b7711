//! `spar completions`: scripts that let shells complete arguments.

use crate::cli::console::Console;
use crate::cli::ended::Ended;
use crate::error::Result;
use clap::{Args, Command};
use clap_complete::Shell;
use serde::Serialize;

/// The beginning of what calls the function of a script for zsh.
const ZSH_CALL: &str = "if [ \"$funcstack[1]\" = \"_spar\" ]; then";

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

/// The script that completes options, with what completes names.
fn with_names(shell: Shell, script: &str) -> String {
    // In the folder of zsh's functions the file is the body of the function that is called by its
    // name, so the function for the names has to have that name.
    let renamed = match (shell, script.rsplit_once(ZSH_CALL)) {
        (Shell::Zsh, Some((functions, _))) => {
            functions.replace("\n_spar() {", "\n_spar_options() {")
        }
        _ => script.to_owned(),
    };
    renamed + names(shell)
}

/// Runs the command.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(args: &CompletionsArgs, mut command: Command, console: &Console) -> Result<Ended> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "spar", &mut script);
    let script = with_names(args.shell, &String::from_utf8_lossy(&script));
    if console.json {
        console.document(&CompletionsJson { shell: args.shell.to_string(), script })?;
    } else {
        console.raw(&script)?;
    }
    Ok(Ended::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    #[test]
    fn zsh_calls_the_function_that_knows_names() {
        let mut script = Vec::new();
        clap_complete::generate(Shell::Zsh, &mut program(), "spar", &mut script);
        let script = with_names(Shell::Zsh, &String::from_utf8(script).unwrap());
        assert_eq!(script.matches("\n_spar() {").count(), 1, "{script}");
        assert_eq!(script.matches("\n_spar_options() {").count(), 1, "{script}");
        assert_eq!(script.matches(ZSH_CALL).count(), 1, "{script}");
        let call = script.rfind(ZSH_CALL).unwrap();
        assert!(script.rfind("candidates --null $of").unwrap() < call, "{script}");
    }
}
