//! Whether a game keeps the contract of [`Rules`](super::Rules), tried on random games.

use super::feature_check::FeatureCheck;
use super::{Features, Move, Moves, Simple};
use crate::error::{Error, Result};
use crate::game::openings::below;
use crate::game::{
    Foresight, MoveCode, MoveList, Notation, Outcome, Packing, Position, SearchHints,
};
use rand_mt::Mt64;

/// The random games.
const GAMES: u64 = 100;
/// Plies of a random game at most.
const MOST_PLIES: usize = 500;

/// Plays a hundred random games and checks in every position that the game keeps the contract of
/// [`Rules`](super::Rules), that texts, packed positions and moves are read back as they were
/// written, that what the game proves is true two plies on, and that features can be weighed: for
/// the tests of a game.
///
/// # Errors
/// With the position and what is wrong with it.
pub fn check_rules<R: Features>() -> Result<()> {
    let start = Simple::<R>::start(R::BOARD)?;
    if start.outcome().is_some() {
        return Err(Error::failed(start.fen(), "the game is over at its start"));
    }
    let mut games = RandomGames::<R>::new();
    (0..GAMES).try_for_each(|seed| games.play(start.clone(), seed))?;
    games.result()
}

/// The findings of the random games.
struct RandomGames<R: Features> {
    features: FeatureCheck<R>,
    /// Games that ended.
    ended: u64,
    /// Legal moves of all positions, and the captures among them.
    moves: usize,
    captures: usize,
}

impl<R: Features> RandomGames<R> {
    fn new() -> Self {
        Self { features: FeatureCheck::new(), ended: 0, moves: 0, captures: 0 }
    }

    /// Plays a game and checks its positions.
    fn play(&mut self, mut position: Simple<R>, seed: u64) -> Result<()> {
        let mut generator = Mt64::new(seed);
        for _ in 0..MOST_PLIES {
            let fault = |reason: String| Error::failed(position.fen(), reason);
            let moves = legal_moves(&position).map_err(fault)?;
            let read = check_position(&position, &moves).map_err(fault)?;
            if moves.is_empty() {
                self.ended += 1;
                return Ok(());
            }
            self.features.add(&position, &read).map_err(fault)?;
            self.moves += moves.len();
            self.captures += moves.iter().filter(|&&mv| position.rules().is_capture(mv)).count();
            position =
                position.play_unchecked(moves[below(&mut generator, moves.len() as u64) as usize]);
        }
        Ok(())
    }

    fn result(self) -> Result<()> {
        let fault = |reason: String| Error::failed(format!("{GAMES} random games"), reason);
        // A repetition may end games that random moves do not.
        if self.ended == 0 && !R::REPEATS {
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
                "write `const CAPTURES_ARE_RARE: bool = false;`, or let `is_capture` name fewer",
            ));
        }
        self.features.result().map_err(|reason| Error::failed("FEATURES", reason))
    }
}

/// The legal moves, each of them once, none when the game is over.
fn legal_moves<R: Features>(position: &Simple<R>) -> std::result::Result<MoveList<Move>, String> {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    if moves.is_empty() && position.outcome().is_none() {
        return Err("unfinished, but without a legal move".into());
    }
    for (n, &mv) in moves.iter().enumerate() {
        let text = position.move_text(mv);
        if moves[..n].contains(&mv) {
            return Err(format!("the move {text} is listed twice"));
        }
        if position.read_move(&text) != Some(mv) || Move::from_code(mv.code()) != mv {
            return Err(format!("the move {text} is on no square of the board"));
        }
        if position.play_unchecked(mv).side_to_move() == position.side_to_move() {
            return Err(format!("the same side is to move after {text}"));
        }
    }
    Ok(moves)
}

/// Checks a position; the position that its text is read back as.
fn check_position<R: Features>(
    position: &Simple<R>,
    moves: &[Move],
) -> std::result::Result<Simple<R>, String> {
    let sets = position.rules().squares();
    if sets.sets().len() != R::SIGNS.concat().len() {
        return Err(format!("`squares` has {} sets, not one for each sign", sets.sets().len()));
    }
    let read = Simple::from_fen(&position.fen()).map_err(|error| error.to_string())?;
    if read != *position || read.key() != position.recomputed_key() {
        let (read, rules) = (read.rules(), position.rules());
        return Err(format!("its text is read back as another position, {read:?} for {rules:?}"));
    }
    if moves.is_empty() {
        return Ok(read);
    }
    let mut bytes = vec![0; Simple::<R>::PACKED];
    position.pack(&mut bytes);
    let unpacked = Simple::<R>::unpack(R::BOARD, &bytes).map_err(|error| error.to_string())?;
    if unpacked != *position {
        return Err("packed and unpacked, it is another position".into());
    }
    check_hints(position, moves)?;
    Ok(read)
}

/// Whether the optional hints are right as far as a search of two plies can tell.
fn check_hints<R: Features>(
    position: &Simple<R>,
    moves: &[Move],
) -> std::result::Result<(), String> {
    let (mut noisy, mut forced) = (MoveList::new(), MoveList::new());
    position.noisy_moves(&mut noisy);
    position.rules().forced_moves(&mut Moves::of(&mut forced));
    if let Some(&mv) = noisy.iter().chain(&forced).find(|mv| !moves.contains(mv)) {
        let text = position.move_text(mv);
        return Err(format!("`noisy_moves` or `forced_moves` has {text}, which is illegal"));
    }
    if position.pass().is_some_and(|passed| passed.side_to_move() == position.side_to_move()) {
        return Err("the same side is to move after `pass`".into());
    }
    let loses = |&mv: &Move| wins_at_once(&position.play_unchecked(mv));
    let is_left_out = |mv: &Move| !forced.is_empty() && !forced.contains(mv);
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

/// Whether the side to move has a move that wins.
fn wins_at_once<R: Features>(position: &Simple<R>) -> bool {
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let won = Some(Outcome::Win(position.side_to_move()));
    moves.iter().any(|&mv| position.play_unchecked(mv).outcome() == won)
}
