//! Rules: positions, moves, outcomes, notation, perft and openings. No search, no evaluation, no I/O.
//!
//! A *ply* is one move by one side; a *turn* may take several plies, so the side to move may stay the same
//! after a ply. Everything that is above one game talks to it through [`Position`].
//!
//! Adding a game takes one file (or folder) here that implements [`Position`], one in `eval`, and one line
//! in the list at the end of this file.

pub mod ataxx;
pub mod board;
pub mod breakthrough;
mod notation;
pub mod openings;
pub mod perft;
pub mod position;

pub use ataxx::Ataxx;
pub use board::Board;
pub use breakthrough::Breakthrough;
pub use perft::perft;
pub use position::{Foresight, MAX_MOVES, MoveCode, MoveList, Outcome, Position, Side};

use crate::error::{Error, Result, nearest};
use std::fmt;
use std::str::FromStr;

/// Lists the games once; everything that must know them all is made from this list. (The `$` passed in is what
/// lets a macro write a macro that takes arguments.)
macro_rules! games {
    (($d:tt) $first:ident $(, $rest:ident)* $(,)?) => {
        /// The games that the program knows.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum GameId {
            #[default]
            #[doc = concat!("The game of [`", stringify!($first), "`].")]
            $first,
            $(
                #[doc = concat!("The game of [`", stringify!($rest), "`].")]
                $rest,
            )*
        }

        impl GameId {
            /// Every game, the default one first.
            pub const ALL: &'static [GameId] = &[GameId::$first $(, GameId::$rest)*];

            /// The name that files and commands use.
            pub fn name(self) -> &'static str {
                match self {
                    GameId::$first => <$first as Position>::GAME,
                    $(GameId::$rest => <$rest as Position>::GAME,)*
                }
            }
        }

        /// Evaluates an expression with a type name bound to the position type of a
        /// [`GameId`](crate::game::GameId).
        ///
        /// ```
        /// use sparring::game::{GameId, Position};
        /// let board = sparring::with_game!(GameId::Breakthrough, P => P::default_board().to_string());
        /// assert_eq!(board, "8x8");
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d id:expr, $d P:ident => $d body:expr) => {
                match $d id {
                    $crate::game::GameId::$first => { type $d P = $crate::game::$first; $d body }
                    $($crate::game::GameId::$rest => { type $d P = $crate::game::$rest; $d body })*
                }
            };
        }
    };
}

games! { ($) Breakthrough, Ataxx }

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use with_game;

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let names = || Self::ALL.iter().map(|id| id.name());
        Self::ALL.iter().copied().find(|id| id.name() == text).ok_or_else(|| {
            let known = names().collect::<Vec<_>>().join(", ");
            let error = Error::input(format!("game `{text}`"), "unknown game");
            match nearest(text, names()) {
                Some(name) => error.remedy(format!("did you mean `{name}`?")),
                None => error.remedy(format!("the games are: {known}")),
            }
        })
    }
}
