//! The games, one folder each: rules, text, packing, hints for the search, features and evaluator.
//!
//! What they share is in [`game`](crate::game) and [`eval`](crate::eval); the rest of the program
//! is generic over [`Game`](crate::eval::Game) and picks one by its [`GameId`].
//!
//! # Adding a game
//!
//! 1. A folder here, `pub mod` below, with a type that implements [`Position`]. What its docs
//!    promise is what the searches rely on: text round-trips, a move's code is never 0, equal
//!    positions have equal keys, a finished position has no moves. Moves that reach far into
//!    quiescence cost the most time: [`Position::noisy_moves`] should be few. Where a position
//!    stays the same but for a counter, the counter belongs to the position and its key; where a
//!    position that comes back is a draw, that is for [`Position::REPEATS`] to say. Where a turn is
//!    several plies, [`Position::TURN_PLIES`] and [`Position::plies_made`] say so, and
//!    [`Position::distinct_moves`] leaves out orders.
//! 2. In its `eval` folder, the implementation of [`Game`](crate::eval::Game): the list of features
//!    in words and formulas, the same counted one by one and, in an evaluator, added up fast; the
//!    guide for other frontends, which also names the sets to use where none is named.
//! 3. Weight files in `weights/<game>/` for these names, listed in `weights/shipped.rs`.
//! 4. The name of the type in the list of games below. Every command, FEATURES.md and the
//!    conformance files know the game then; `SPARRING_BLESS=1 cargo test --test library frontend`
//!    writes the latter two.
//! 5. In the tests, the name in `each_game` of tests/library/common, with what the suites cannot
//!    know by themselves: images of a position, odd positions, and a second implementation of rules and
//!    features that knows no bitboards.

pub mod ataxx;
pub mod breakthrough;
pub mod breakthru;

pub use ataxx::Ataxx;
pub use breakthrough::Breakthrough;
pub use breakthru::Breakthru;

use crate::error::{Error, Result, by_name};
use crate::game::Position;
use std::fmt;
use std::str::FromStr;

/// Lists the games once; everything that must know them all is made from this list. (The `$` passed
/// in is what lets a macro write a macro that takes arguments.)
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
        /// [`GameId`](crate::games::GameId).
        ///
        /// ```
        /// use sparring::{game::Position, games::GameId};
        /// let board = sparring::with_game!(GameId::Breakthrough, P => P::default_board().to_string());
        /// assert_eq!(board, "8x8");
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

games! { ($) Breakthrough, Ataxx, Breakthru }

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
        by_name("game", text, Self::ALL, Self::name)
    }
}
