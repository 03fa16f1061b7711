//! The games, one file each: the parts that [`TestedGame`](crate::common::TestedGame) asks for, and
//! tests of the game's own rules. The suites in `rules`, `features`, `perft`, `fuzz` and `search`
//! run on each of them.

#![allow(unreachable_pub)]

pub mod ataxx;
pub mod breakthrough;
pub mod breakthru;
#[cfg(feature = "chess")]
pub mod chess;
pub mod tictactoe;

/// Hands every game to a suite: `suite! { name: Type; ... }`. The one list of games in
/// the tests; the last of them is no game of the program.
macro_rules! each_game {
    ($suite:ident) => {
        $suite! {
            breakthrough: sparring::games::Breakthrough;
            ataxx: sparring::games::Ataxx;
            breakthru: sparring::games::Breakthru;
            tictactoe: crate::games::tictactoe::TicTacToe;
        }
    };
}
pub(crate) use each_game;

/// The games that the suites run on are all games of the program with an engine, and others.
#[test]
fn every_game_has_a_test_file() {
    macro_rules! names {
        ($($game:ident: $P:ty;)+) => { [$(<$P as sparring::game::Position>::GAME),+] };
    }
    let tested = each_game!(names);
    for game in sparring::games::GameId::with_engine() {
        assert!(tested.contains(&game.name()), "{game} needs a line in `each_game!`");
    }
}
