//! `spar completions`: scripts that let shells complete arguments.

use crate::cli::{Console, Ended};
use crate::error::Result;
use crate::shell;
use clap::{Args, Command};
use clap_complete::Shell;
use serde::Serialize;

/// Prints a script that completes arguments in a shell
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

/// The script's part that completes the names of weight sets and runs, which `spar candidates`
/// lists; empty for shells that complete options only.
fn names(shell: Shell) -> &'static str {
    match shell {
        Shell::Bash => include_str!("names.bash"),
        Shell::Zsh => include_str!("names.zsh"),
        Shell::Fish => include_str!("names.fish"),
        _ => "",
    }
}

/// The script that completes the options and names of a program.
fn script(shell: Shell, command: &mut Command, program: &str) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut without_hidden(command.clone()), program, &mut script);
    let script = String::from_utf8_lossy(&script);
    // In zsh's folder of functions, the file is the body of the function named after it, so the
    // function that completes names must have that name.
    let call = format!("if [ \"$funcstack[1]\" = \"_{program}\" ]; then");
    let options = match (shell, script.rsplit_once(&call)) {
        (Shell::Zsh, Some((functions, _))) => {
            functions.replace(&format!("\n_{program}() {{"), &format!("\n_{program}_options() {{"))
        }
        _ => script.into_owned(),
    };
    let hidden = command.get_subcommands().filter(|known| known.is_hide_set());
    let hidden: Vec<&str> = hidden.map(Command::get_name).collect();
    without(shell, &options, &hidden) + &names(shell).replace("spar", program)
}

/// Drops the options of hidden subcommands, so that scripts do not offer them.
fn without_hidden(command: Command) -> Command {
    command.mut_subcommands(|inner| match inner.is_hide_set() {
        true => Command::new(inner.get_name().to_owned()).hide(true),
        false => without_hidden(inner),
    })
}

/// A script that does not offer these commands, which clap offers although `--help` hides them.
fn without(shell: Shell, script: &str, commands: &[&str]) -> String {
    let kept = |line: &str| -> Option<String> {
        let mut line = line.to_owned();
        for command in commands {
            let (quoted, titled) = (format!("-a \"{command}\""), format!("'{command}:"));
            let is_offer = match shell {
                Shell::Fish => line.contains(&quoted),
                Shell::Zsh => line.trim_start().starts_with(&titled),
                _ => false,
            };
            if is_offer {
                return None;
            }
            if shell == Shell::Bash && line.trim_start().starts_with("opts=\"") {
                line = line.replace(&format!(" {command} "), " ");
            }
        }
        Some(line + "\n")
    };
    script.lines().filter_map(kept).collect()
}

/// Runs the command.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(args: &CompletionsArgs, mut command: Command, console: &Console) -> Result<Ended> {
    let script = script(args.shell, &mut command, shell::program());
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
    use crate::cli::program_help::rename_in;

    #[test]
    fn zsh_calls_the_function_that_knows_names() {
        for name in ["spar", "c4"] {
            let script = script(Shell::Zsh, &mut program(), name);
            let call = format!("if [ \"$funcstack[1]\" = \"_{name}\" ]; then");
            assert_eq!(script.matches(&format!("\n_{name}() {{")).count(), 1, "{script}");
            assert_eq!(script.matches(&format!("\n_{name}_options() {{")).count(), 1, "{script}");
            assert_eq!(script.matches(&call).count(), 1, "{script}");
            let call = script.rfind(&call).unwrap();
            assert!(script.rfind("candidates --null $of").unwrap() < call, "{script}");
        }
    }

    #[test]
    fn hidden_commands_are_not_offered() {
        let offers = [
            (Shell::Bash, " candidates "),
            (Shell::Zsh, "'candidates:"),
            (Shell::Fish, "-a \"candidates\""),
        ];
        for (shell, offer) in offers {
            let script = script(shell, &mut program(), "spar");
            let lines = script.lines().filter(|line| !line.contains("candidates --null"));
            let offered: Vec<&str> = lines.filter(|line| line.contains(offer)).collect();
            assert!(offered.is_empty(), "{shell}: {offered:#?}");
            assert!(script.contains(&offer.replace("candidates", "tournament")), "{shell}");
        }
    }

    #[test]
    fn scripts_of_another_program_do_not_call_spar() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut command = rename_in(program().name("c4").bin_name("c4"), "c4");
            let script = script(shell, &mut command, "c4");
            let called = ["spar ", "spar,", "spar_", "\"spar\"", "-c spar"];
            assert!(called.iter().all(|call| !script.contains(call)), "{script}");
        }
    }
}
