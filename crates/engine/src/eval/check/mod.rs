//! Tests on random games that a game keeps the contract of its traits.

mod contract;
mod keys;
mod moves;

use super::{Feature, Game};
use crate::error::{Error, Result, catch_panic};
use crate::game::openings::below;
use crate::game::{Board, MoveList, Outcome};
use crate::simple::constants::{is_feature, is_name};
use contract::{check_features, check_hints, check_limits, check_packed, check_text};
use keys::KnownKeys;
use moves::{CurrentTurn, check_illegal, legal_moves};
use rand_mt::Mt64;
use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// The greatest safe value of a feature: weights go up to a million, and the sum has 32 bits.
pub(crate) const MOST_OF_FEATURE: u32 = 100_000;
/// The number of random games.
const GAMES: u64 = 100;
/// The most plies of a random game.
const MOST_PLIES: usize = 500;
/// The number of random games before an evaluator is made.
const FIRST_GAMES: u64 = 20;
/// The number of games that are looked at more widely, in tests only.
const WIDE_GAMES: u64 = 3;
/// The ply of these games, beside the start, around which the keys of all positions are compared.
const WIDE_PLY: usize = 8;
/// The plies at which the moves of turns of several plies are compared in them.
const DEEP_PLIES: usize = 12;

/// The result of a check; a fault is given by its reason.
pub(crate) type Checked<T = ()> = std::result::Result<T, String>;

/// An additional check of an unfinished position and of its copy read back from text.
type MoreChecks<'a, G> = dyn FnMut(&G, &G) -> Checked + 'a;

/// Tests a game on a hundred random games on a board, for tests of games that implement the traits
/// themselves. In every position the game must keep the contract of its traits. Texts, packed
/// positions and moves must be read back as they were written, and different positions must have
/// different keys. Hints are checked as far as a search of two plies can tell. `is_legal`,
/// `count_moves` and `distinct_moves` must agree with `moves`, ranks be at most 15, and features keep
/// their limits.
///
/// ```
/// use sparring_engine::eval::check_game;
/// use sparring_engine::game::Board;
/// use sparring_engine::games::Ataxx;
/// check_game::<Ataxx>(Board::new(4, 4))?;
/// # Ok::<(), sparring_engine::error::Error>(())
/// ```
///
/// # Errors
/// The error gives the position and the fault.
pub fn check_game<G: Game>(board: Board) -> Result<()> {
    let start = G::start(board)?;
    if start.board() != board {
        let reason = format!("begins on {}, though {board} was asked for", start.board());
        return Err(Error::failed(format!("game `{}`", G::GAME), reason));
    }
    check_names::<G>().map_err(|reason| Error::failed(format!("game `{}`", G::GAME), reason))?;
    check_with(&start, &mut |position, _| check_limits(position))
}

/// Checks the names and claims of a game.
fn check_names<G: Game>() -> Checked {
    if !is_name(G::GAME) {
        return Err("GAME: lower-case letters and digits only".into());
    }
    for (place, Feature { name, .. }) in G::FEATURES.iter().enumerate() {
        if !is_feature(name) {
            return Err(format!("`{name}`: features have letters, digits, - and _ in their names"));
        }
        if G::FEATURES[..place].iter().any(|other| other.name == *name) {
            return Err(format!("two features have the name `{name}`"));
        }
    }
    match G::REPEATS && !G::HAS_DRAWS {
        true => Err("HAS_DRAWS is false, and by REPEATS games are drawn".into()),
        false => Ok(()),
    }
}

/// As [`check_game`], from a given position, with an additional check of each unfinished position.
pub(crate) fn check_with<G: Game>(start: &G, more: &mut MoreChecks<G>) -> Result<()> {
    let place = start.fen();
    if start.outcome().is_some() {
        return Err(Error::failed(place, "the game is over at its start"));
    }
    let mut games = RandomGames::new(more, WIDE_GAMES);
    (0..GAMES).try_for_each(|seed| games.play(start.clone(), seed))?;
    games.result()
}

/// A breach of the contract: its place and reason, as text since errors cannot be cloned.
type Breach = (String, String);

/// The first fault of each game and board, found before its first evaluator was made.
static FOUND: Mutex<BTreeMap<(TypeId, Board), Option<Breach>>> = Mutex::new(BTreeMap::new());

/// Checks a game from outside this project on a few random games, once in a process. A search of
/// rules that break their contract would silently give wrong results.
///
/// # Errors
/// The error gives the game, the position and the fault.
pub(super) fn check_once<G: Game>(board: Board) -> Result<()> {
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let fault = found.entry((TypeId::of::<G>(), board)).or_insert_with(|| find_fault::<G>(board));
    let Some((place, reason)) = fault else { return Ok(()) };
    let place = format!("game `{}`, position `{place}`", G::GAME);
    Err(Error::failed(place, reason)
        .remedy("mend the rules; a test by `check_rules` or `check_game` finds such faults"))
}

fn find_fault<G: Game>(board: Board) -> Option<Breach> {
    let start = G::start(board).ok().filter(|start| start.outcome().is_none())?;
    let mut more = |_: &G, _: &G| Ok(());
    let mut games = RandomGames::new(&mut more, 0);
    let checked = (0..FIRST_GAMES).try_for_each(|seed| games.play(start.clone(), seed));
    checked.err().map(|error| (error.place().into(), error.reason().into()))
}

/// Calls a function that runs the code of a game.
///
/// # Errors
/// When the function panics.
pub(super) fn catch<G: Game, T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_panic(work).map_err(|words| {
        let reason = format!("the code panicked: {words}");
        Error::failed(format!("game `{}`, random positions", G::GAME), reason)
            .remedy("the lines above name the place in the code")
    })
}

/// The state of the random games.
struct RandomGames<'a, G: Game> {
    more: &'a mut MoreChecks<'a, G>,
    keys: KnownKeys<G>,
    /// How many of the first games are looked at more widely.
    wide: u64,
    /// The number of games that ended.
    ended: u64,
    /// The number of legal moves in all positions, and of captures among them.
    moves: usize,
    captures: usize,
}

impl<'a, G: Game> RandomGames<'a, G> {
    fn new(more: &'a mut MoreChecks<'a, G>, wide: u64) -> Self {
        Self { more, keys: KnownKeys::default(), wide, ended: 0, moves: 0, captures: 0 }
    }

    /// Plays a game and checks its positions.
    fn play(&mut self, mut position: G, seed: u64) -> Result<()> {
        let mut generator = Mt64::new(seed);
        let mut turn = CurrentTurn::new(&position);
        for ply in 0..MOST_PLIES {
            let wide_ply = (seed < self.wide).then_some(ply);
            let moves = catch_panic(|| self.check(&position, &turn, wide_ply))
                .unwrap_or_else(|words| Err(format!("the code panicked: {words}")))
                .map_err(|reason| Error::failed(text_of(&position), reason))?;
            if moves.is_empty() {
                self.ended += 1;
                return Ok(());
            }
            let mv = moves[below(&mut generator, moves.len() as u64) as usize];
            position = position.play_unchecked(mv);
            turn.go_on(&position, &moves);
        }
        Ok(())
    }

    /// Checks a position and returns its moves, none when the game is over. `wide_ply` is its ply in
    /// a game that is looked at more widely.
    fn check(
        &mut self,
        position: &G,
        turn: &CurrentTurn<G>,
        wide_ply: Option<usize>,
    ) -> Checked<MoveList<G::Move>> {
        let moves = legal_moves(position)?;
        if position.outcome() == Some(Outcome::Draw) && !G::HAS_DRAWS {
            return Err("it is a draw, and HAS_DRAWS is false".into());
        }
        let read = check_text(position, &moves)?;
        self.keys.check(position, moves.len())?;
        if !moves.is_empty() {
            check_illegal(position, &moves, turn)?;
            let is_deep = wide_ply.is_some_and(|ply| ply < DEEP_PLIES);
            turn.check_distinct(position, &moves, is_deep)?;
            check_features(position, &read)?;
            check_packed(position)?;
            check_hints(position, &moves)?;
            (self.more)(position, &read)?;
            self.moves += moves.len();
            self.captures += moves.iter().filter(|&&mv| position.is_capture(mv)).count();
        }
        if wide_ply.is_some_and(|ply| ply == 0 || ply == WIDE_PLY) {
            self.keys.check_around(position)?;
        }
        Ok(moves)
    }

    fn result(self) -> Result<()> {
        let fault = |reason: String| Error::failed(format!("{GAMES} random games"), reason);
        // Repetition may end games that random moves do not end.
        if self.ended == 0 && !G::REPEATS {
            return Err(fault(format!("not one has ended within {MOST_PLIES} plies")).remedy(
                "end games by `outcome`, such as by the plies of a `clock`, or by REPEATS",
            ));
        }
        if 2 * self.captures > self.moves {
            let Self { moves, captures, .. } = self;
            return Err(fault(format!(
                "{captures} of {moves} legal moves are captures, none of which the search skips"
            ))
            .remedy(
                "let `is_capture` name fewer; games of the simple layer may write `const \
                 CAPTURES_ARE_RARE: bool = false;`",
            ));
        }
        Ok(())
    }
}

/// The FEN of a position, or its debug form if the code of the game panics.
fn text_of<G: Game>(position: &G) -> String {
    let text = catch_panic(|| position.fen());
    text.unwrap_or_else(|_| format!("{position:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::games::{Ataxx, Breakthrough, Breakthru};

    #[test]
    fn the_games_of_this_project_keep_their_contract() {
        check_game::<Breakthrough>(Board::new(5, 6)).unwrap();
        check_game::<Ataxx>(Board::new(5, 5)).unwrap();
        check_game::<Breakthru>(Breakthru::default_board()).unwrap();
    }
}
