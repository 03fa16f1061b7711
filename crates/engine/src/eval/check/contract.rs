//! Checks of a position's text, packed form, features and hints.

use super::{Checked, MOST_OF_FEATURE};
use crate::eval::{Feature, Game};
use crate::game::{Foresight, MoveList, Outcome};

/// The greatest rank of a move.
const MOST_RANK: u8 = 15;

/// Checks a position's text and returns the position read back from it.
pub(super) fn check_text<G: Game>(position: &G, moves: &[G::Move]) -> Checked<G> {
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

pub(super) fn check_features<G: Game>(position: &G, read: &G) -> Checked {
    let (values, again) = (position.features(), read.features());
    for ((feature, value), again) in G::FEATURES.iter().zip(&values).zip(&again) {
        let name = feature.name;
        if value != again {
            return Err(format!("the feature `{name}` has other values in an equal position"));
        }
        if value.unsigned_abs() > MOST_OF_FEATURE {
            return Err(format!("the feature `{name}` is {value}, beyond {MOST_OF_FEATURE}"));
        }
    }
    Ok(())
}

/// Checks that no feature exceeds the limit that its game states for documents.
pub(super) fn check_limits<G: Game>(position: &G) -> Checked {
    for (Feature { name, limit, .. }, value) in G::FEATURES.iter().zip(position.features()) {
        if value.unsigned_abs() > *limit {
            return Err(format!("the feature `{name}` is {value}, beyond its limit of {limit}"));
        }
    }
    Ok(())
}

/// Checks that a packed position is the same, or the same for the side to move.
pub(super) fn check_packed<G: Game>(position: &G) -> Checked {
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
pub(super) fn check_hints<G: Game>(position: &G, moves: &[G::Move]) -> Checked {
    let (mut noisy, mut relevant) = (MoveList::new(), MoveList::new());
    position.noisy_moves(&mut noisy);
    position.relevant_moves(&mut relevant);
    if let Some(&mv) = noisy.iter().chain(&relevant).find(|mv| !moves.contains(mv)) {
        let text = position.move_text(mv);
        return Err(format!(
            "`noisy_moves`, `relevant_moves` or `forced_moves` has {text}, which is illegal"
        ));
    }
    if let Some(&mv) = moves.iter().find(|&&mv| position.move_rank(mv) > MOST_RANK) {
        let (rank, text) = (position.move_rank(mv), position.move_text(mv));
        return Err(format!("`move_rank` of {text} is {rank}, beyond {MOST_RANK}"));
    }
    if let Some(passed) = position.pass() {
        if passed.side_to_move() == position.side_to_move() {
            return Err("the same side is to move after `pass`".into());
        }
        if passed.key() == position.key() {
            return Err("its key is the same after `pass`, with the other side to move".into());
        }
    }
    if G::TURN_PLIES > 1 {
        return Ok(());
    }
    let loses = |&mv: &G::Move| wins_at_once(&position.play_unchecked(mv));
    // A search asks for no moves where the position itself is a proven win.
    let is_won = matches!(position.foresight(), Foresight::Win(_));
    let is_left_out = |mv: &G::Move| !is_won && !relevant.is_empty() && !relevant.contains(mv);
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
