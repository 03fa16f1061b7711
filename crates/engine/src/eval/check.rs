//! Tests on random games that a game keeps the contract of its traits.

use super::Game;
use crate::error::{Error, Result, catch_panic};
use crate::game::openings::below;
use crate::game::{Board, Foresight, MoveCode, MoveList, Outcome};
use rand_mt::Mt64;
use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

/// The number of random games.
const GAMES: u64 = 100;
/// The most plies of a random game.
const MOST_PLIES: usize = 500;
/// The number of random games before an evaluator is made.
const FIRST_GAMES: u64 = 20;
/// The greatest safe value of a feature: weights go up to a million, and the sum has 32 bits.
const MOST: u32 = 100_000;
/// The greatest number of positions whose keys are compared.
const MOST_KEYS: usize = 20_000;

/// The result of a check; a fault is given by its reason.
pub(crate) type Checked<T = ()> = std::result::Result<T, String>;

/// An additional check of an unfinished position and of its copy read back from text.
type MoreChecks<'a, G> = dyn FnMut(&G, &G) -> Checked + 'a;

/// Tests a game on a hundred random games on a board, for tests of games that implement the traits
/// themselves. In every position the game must keep the contract of its traits. Texts, packed
/// positions and moves must be read back as they were written, and different positions must have
/// different keys. Hints are checked as far as a search of two plies can tell.
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
    check_with(&G::start(board)?, &mut |_, _| Ok(()))
}

/// As [`check_game`], from a given position, with an additional check of each unfinished position.
pub(crate) fn check_with<G: Game>(start: &G, more: &mut MoreChecks<G>) -> Result<()> {
    let place = start.fen();
    if start.outcome().is_some() {
        return Err(Error::failed(place, "the game is over at its start"));
    }
    let mut games = RandomGames::new(more);
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
    let mut games = RandomGames::new(&mut more);
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
    /// One position for each key.
    keys: HashMap<u64, G>,
    /// The number of games that ended.
    ended: u64,
    /// The number of legal moves in all positions, and of captures among them.
    moves: usize,
    captures: usize,
}

impl<'a, G: Game> RandomGames<'a, G> {
    fn new(more: &'a mut MoreChecks<'a, G>) -> Self {
        Self { more, keys: HashMap::new(), ended: 0, moves: 0, captures: 0 }
    }

    /// Plays a game and checks its positions.
    fn play(&mut self, mut position: G, seed: u64) -> Result<()> {
        let mut generator = Mt64::new(seed);
        for _ in 0..MOST_PLIES {
            let moves = catch_panic(|| self.check(&position))
                .unwrap_or_else(|words| Err(format!("the code panicked: {words}")))
                .map_err(|reason| Error::failed(text_of(&position), reason))?;
            if moves.is_empty() {
                self.ended += 1;
                return Ok(());
            }
            position =
                position.play_unchecked(moves[below(&mut generator, moves.len() as u64) as usize]);
        }
        Ok(())
    }

    /// Checks a position and returns its moves, none when the game is over.
    fn check(&mut self, position: &G) -> Checked<MoveList<G::Move>> {
        let moves = legal_moves(position)?;
        let read = check_text(position, &moves)?;
        self.check_key(position)?;
        if !moves.is_empty() {
            check_features(position, &read)?;
            check_packed(position)?;
            check_hints(position, &moves)?;
            (self.more)(position, &read)?;
            self.moves += moves.len();
            self.captures += moves.iter().filter(|&&mv| position.is_capture(mv)).count();
        }
        Ok(moves)
    }

    fn check_key(&mut self, position: &G) -> Checked {
        if position.key() != position.recomputed_key() {
            return Err("its key is not the recomputed one".into());
        }
        match self.keys.get(&position.key()) {
            Some(other) if other != position => {
                Err(format!("it has the same key as `{}`", other.fen()))
            }
            None if self.keys.len() < MOST_KEYS => {
                self.keys.insert(position.key(), position.clone());
                Ok(())
            }
            _ => Ok(()),
        }
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

/// The legal moves, each checked to be unique in code and text; empty when the game is over.
fn legal_moves<G: Game>(position: &G) -> Checked<MoveList<G::Move>> {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    match position.outcome() {
        None if moves.is_empty() => return Err("unfinished, but without a legal move".into()),
        Some(_) if !moves.is_empty() => return Err("finished, but with legal moves".into()),
        _ => {}
    }
    let mut texts: HashMap<String, G::Move> = HashMap::new();
    for (n, &mv) in moves.iter().enumerate() {
        let text = position.move_text(mv);
        if moves[..n].contains(&mv) {
            return Err(format!("the move {text} is listed twice"));
        }
        check_move(position, mv, &text)?;
        if texts.insert(text.clone(), mv).is_some() {
            return Err(format!("two moves have the text {text}"));
        }
    }
    Ok(moves)
}

/// Checks a legal move: its code, its text and the side to move after it.
fn check_move<G: Game>(position: &G, mv: G::Move, text: &str) -> Checked {
    if text.is_empty() || text.contains(char::is_whitespace) {
        return Err(format!("the move `{text}` is not one word"));
    }
    if mv.code() == 0 || mv.history_index() >= G::Move::HISTORY_SIZE {
        return Err(format!("the code of the move {text} is 0, or its history index is too great"));
    }
    if position.read_move(text) != Some(mv) || G::Move::from_code(mv.code()) != mv {
        return Err(format!("the move {text} is read back as another one, or is on no square"));
    }
    let next = position.play_unchecked(mv);
    if next.outcome().is_some() {
        return Ok(());
    }
    let keeps_turn = next.side_to_move() == position.side_to_move();
    if keeps_turn && G::TURN_PLIES == 1 {
        return Err(format!("the same side is to move after {text}"));
    }
    let due = if keeps_turn { position.plies_made() + 1 } else { 0 };
    match next.plies_made() {
        made if made == due && made < G::TURN_PLIES => Ok(()),
        made => Err(format!("after {text} `plies_made` is {made}, not {due}")),
    }
}

/// Checks a position's text and returns the position read back from it.
fn check_text<G: Game>(position: &G, moves: &[G::Move]) -> Checked<G> {
    let read = G::from_fen(&position.fen()).map_err(|error| error.to_string())?;
    if read != *position || read.key() != position.key() {
        return Err(format!(
            "its text is read back as another position, {read:?} for {position:?}"
        ));
    }
    let mut again = MoveList::new();
    read.moves(&mut again);
    match again[..] == *moves {
        true => Ok(read),
        false => Err("an equal position lists its moves in another order, or others".into()),
    }
}

fn check_features<G: Game>(position: &G, read: &G) -> Checked {
    let (values, again) = (position.features(), read.features());
    for ((feature, value), again) in G::FEATURES.iter().zip(&values).zip(&again) {
        let name = feature.name;
        if value != again {
            return Err(format!("the feature `{name}` has other values in an equal position"));
        }
        if value.unsigned_abs() > MOST {
            return Err(format!("the feature `{name}` is {value}, beyond {MOST}"));
        }
    }
    Ok(())
}

/// Checks that a packed position is the same, or the same for the side to move.
fn check_packed<G: Game>(position: &G) -> Checked {
    let mut bytes = vec![0; G::PACKED];
    if G::PACKED == 0 || !position.pack(&mut bytes) {
        return Ok(());
    }
    let unpacked = G::unpack(position.board(), &bytes).map_err(|error| error.to_string())?;
    let mut again = vec![0; G::PACKED];
    let is_packed = unpacked.pack(&mut again);
    match is_packed && again == bytes && unpacked.features() == position.features() {
        true => Ok(()),
        false => Err("packed and unpacked, it is another position".into()),
    }
}

/// Checks the hints as far as a search of two plies can tell.
fn check_hints<G: Game>(position: &G, moves: &[G::Move]) -> Checked {
    let (mut noisy, mut relevant) = (MoveList::new(), MoveList::new());
    position.noisy_moves(&mut noisy);
    position.relevant_moves(&mut relevant);
    if let Some(&mv) = noisy.iter().chain(&relevant).find(|mv| !moves.contains(mv)) {
        let text = position.move_text(mv);
        return Err(format!(
            "`noisy_moves`, `relevant_moves` or `forced_moves` has {text}, which is illegal"
        ));
    }
    if position.pass().is_some_and(|passed| passed.side_to_move() == position.side_to_move()) {
        return Err("the same side is to move after `pass`".into());
    }
    if G::TURN_PLIES > 1 {
        return Ok(());
    }
    let loses = |&mv: &G::Move| wins_at_once(&position.play_unchecked(mv));
    let is_left_out = |mv: &G::Move| !relevant.is_empty() && !relevant.contains(mv);
    if let Some(&mv) = moves.iter().find(|mv| is_left_out(mv) && !loses(mv)) {
        let text = position.move_text(mv);
        return Err(format!("`forced_moves` lacks {text}, which does not lose at once"));
    }
    let is_right = match position.foresight() {
        Foresight::Win(0 | 1) => wins_at_once(position),
        Foresight::Loss(0..=2) => moves.iter().all(loses),
        _ => true,
    };
    if is_right { Ok(()) } else { Err(format!("{:?} is wrong", position.foresight())) }
}

/// Whether the side to move can win with one move.
fn wins_at_once<G: Game>(position: &G) -> bool {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let won = Some(Outcome::Win(position.side_to_move()));
    moves.iter().any(|&mv| position.play_unchecked(mv).outcome() == won)
}
