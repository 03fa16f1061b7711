//! Whether a run may start the engines that its manifest names.

use crate::cli::Console;
use crate::error::{Error, Result};
use crate::protocol::ExternalEngine;
use crate::run::{Manifest, TrustMark};
use clap::Args;
use std::path::Path;

/// The user's permissions for the engines of a run.
#[derive(Args, Clone, Copy, Debug)]
pub struct TrustArg {
    /// Start the engines named in the run's manifest, even if another user or machine began the run
    #[arg(long, help_heading = "Engines (cmd:)")]
    trust: bool,
}

impl TrustArg {
    /// The user's permission, as given to another command.
    pub fn new(trust: bool) -> Self {
        Self { trust }
    }

    /// Checks that all engines of a run may be started, whatever its record says is left to play.
    /// If the user neither began the run on this machine nor trusted it before, their command lines
    /// are shown, and the user must agree or have given `--trust`.
    ///
    /// # Errors
    /// When the user does not want them to be started, or cannot be asked.
    pub fn check(self, manifest: &Manifest, run: &Path, console: &Console) -> Result<()> {
        if TrustMark::is_needless(manifest) {
            return Ok(());
        }
        console.aside(format!(
            "{} was begun by somebody else or on another machine, and starts:",
            run.display()
        ));
        manifest.work.engines().into_iter().for_each(|engine| console.aside(command_text(engine)));
        if !self.trust && console.ask("Start them?")? != Some(true) {
            return Err(Error::input(run.display(), "its engines are not trusted")
                .remedy("if these commands may be started here, give --trust"));
        }
        // If the mark cannot be written, the next resume asks again.
        let _ = TrustMark::of(manifest).and_then(|mark| mark.make(run));
        Ok(())
    }
}

/// The command line of an engine and its options, each on a line of its own.
fn command_text(engine: &ExternalEngine) -> String {
    let one_line = |text: &str| text.replace(char::is_control, " ");
    let mut text = format!("    {}", one_line(&engine.command));
    if let Some(folder) = &engine.folder {
        text += &format!("\n        in {}", one_line(folder));
    }
    for (name, value) in &engine.options {
        text += &format!("\n        with {} = {}", one_line(name), one_line(value));
    }
    text
}
