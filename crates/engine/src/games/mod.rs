//! The games, one folder each: rules, text, packing, hints for the search, features and evaluator.
//!
//! What they share is in [`game`](crate::game) and [`eval`](crate::eval); the rest of the program
//! is generic over [`Game`](crate::eval::Game) and picks one by its [`GameId`].
//!
//! A new game: `docs/src/adding-a-game.md` has the recipe.

pub mod ataxx;
pub mod breakthrough;
pub mod breakthru;
pub mod conformance;
pub mod document;
pub mod source;

use crate::error::{Error, Result, suggest};
use crate::game::Position;
use std::fmt;
use std::str::FromStr;

/// Lists the games once; everything that must know them all is made from this list. (The `$` passed
/// in is what lets a macro write a macro that takes arguments.)
macro_rules! games {
    (($d:tt) $first_folder:ident::$first:ident $(, $folder:ident::$rest:ident)* $(,)?) => {
        pub use $first_folder::$first;
        $(pub use $folder::$rest;)*

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
        /// [`GameId`](crate::games::GameId).
        ///
        /// ```
        /// use sparring_engine::{game::Position, games::GameId};
        /// let board = sparring_engine::with_game!(GameId::Breakthrough, P => P::default_board());
        /// assert_eq!(board.to_string(), "8x8");
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d id:expr, $d G:ident => $d body:expr) => {
                match $d id {
                    $crate::games::GameId::$first => { type $d G = $crate::games::$first; $d body }
                    $($crate::games::GameId::$rest => { type $d G = $crate::games::$rest; $d body })*
                }
            };
        }
    };
}

games! { ($) breakthrough::Breakthrough, ataxx::Ataxx, breakthru::Breakthru }

pub use with_game;

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.iter().copied().find(|game| game.name() == text).ok_or_else(|| {
            let names = Self::ALL.iter().map(|game| game.name());
            Error::input(format!("game `{text}`"), "unknown").remedy(suggest(
                text,
                names,
                "known are",
            ))
        })
    }
}
