//! Every command for the games of a crate from outside, under a name of its own.

use crate::any::Variants;
use crate::eval::Game;
use crate::game::Rules;
use crate::{cli, shell};
use std::process::ExitCode;

/// A program with every command of `spar` for other games.
///
/// ```no_run
/// use sparring::games::Ataxx;
///
/// fn main() -> std::process::ExitCode {
///     sparring::program("ataxx").game::<Ataxx>().shipped_sets().main()
/// }
/// ```
pub struct Program {
    name: &'static str,
    variants: Variants,
}

/// A program of this name, which has no game yet. Help, printed commands and the way to resume a
/// run use the name.
pub fn program(name: &'static str) -> Program {
    Program { name, variants: Variants::none() }
}

impl Program {
    /// Adds a game. The first one with an engine is the default of commands.
    #[must_use]
    pub fn game<G: Game>(mut self) -> Self {
        self.variants = self.variants.with::<G>();
        self
    }

    /// Adds a game that is rules alone: external engines play it.
    #[must_use]
    pub fn rules<R: Rules>(mut self) -> Self {
        self.variants = self.variants.with_rules::<R>();
        self
    }

    /// Adds a weight set of the game that was added last, by the text of its file: commands find it
    /// by this name. Tunes begin with the set that the game's guide calls hand-made.
    #[must_use]
    pub fn set(mut self, name: &str, text: &'static str) -> Self {
        self.variants = self.variants.with_set(name, text);
        self
    }

    /// Adds the sets that this crate ships for its own games, if those games were added.
    #[must_use]
    pub fn shipped_sets(mut self) -> Self {
        self.variants = self.variants.with_shipped_sets();
        self
    }

    /// Reads the process's arguments, runs the command, and returns the exit code.
    pub fn main(self) -> ExitCode {
        shell::set_program(self.name);
        match self.variants.install() {
            Ok(()) => cli::main(),
            Err(error) => cli::refuse(&error),
        }
    }
}
