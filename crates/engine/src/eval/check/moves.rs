//! Checks of the moves of a position, and of moves that it must not have.

use super::Checked;
use crate::eval::Game;
use crate::game::{MoveCode, MoveList};
use std::collections::{HashMap, HashSet};

/// Moves of earlier positions that must be illegal where they are not listed.
const MOST_EARLIER: usize = 12;

/// The turn that a random game has come to, and moves that were legal before.
pub(super) struct CurrentTurn<G: Game> {
    /// The position at the beginning of the turn.
    begin: G,
    earlier: Vec<G::Move>,
}

impl<G: Game> CurrentTurn<G> {
    pub(super) fn new(begin: &G) -> Self {
        Self { begin: begin.clone(), earlier: Vec::new() }
    }

    /// Goes on to a position that one of these moves has led to.
    pub(super) fn go_on(&mut self, position: &G, moves: &[G::Move]) {
        if position.plies_made() == 0 {
            self.begin = position.clone();
        }
        let step = moves.len().div_ceil(MOST_EARLIER / 2).max(1);
        self.earlier.extend(moves.iter().step_by(step));
        self.earlier.drain(..self.earlier.len().saturating_sub(MOST_EARLIER));
    }

    /// Checks that `distinct_moves` leaves out only what another order of the turn's moves leads to;
    /// in the middle of a turn only if `is_deep`, since that takes long.
    pub(super) fn check_distinct(&self, position: &G, moves: &[G::Move], is_deep: bool) -> Checked {
        let distinct = distinct(position);
        if let Some(&mv) = distinct.iter().find(|mv| !moves.contains(mv)) {
            let text = position.move_text(mv);
            return Err(format!("`distinct_moves` has {text}, which is illegal"));
        }
        let mut left_out = moves.iter().filter(|mv| !distinct.contains(mv)).copied().peekable();
        if left_out.peek().is_none() {
            return Ok(());
        }
        let reached = match position.plies_made() {
            0 => HashSet::new(),
            1 if is_deep => self.after_two_plies(),
            // Longer turns would take too long.
            _ => return Ok(()),
        };
        match left_out.find(|&mv| !reached.contains(&position.play_unchecked(mv))) {
            Some(mv) => {
                let text = position.move_text(mv);
                Err(format!(
                    "`distinct_moves` lacks {text}, and no other order of the moves leads there"
                ))
            }
            None => Ok(()),
        }
    }

    /// The positions after two plies of the turn by distinct moves alone.
    fn after_two_plies(&self) -> HashSet<G> {
        let after = |position: &G| {
            let moves = distinct(position);
            moves.iter().map(|&mv| position.play_unchecked(mv)).collect::<Vec<G>>()
        };
        let middle = after(&self.begin).into_iter().filter(|middle| middle.plies_made() == 1);
        middle.flat_map(|middle| after(&middle)).collect()
    }
}

fn distinct<G: Game>(position: &G) -> MoveList<G::Move> {
    let mut moves = MoveList::new();
    position.distinct_moves(&mut moves);
    moves
}

/// Checks that moves of earlier positions are illegal where they are not listed.
pub(super) fn check_illegal<G: Game>(
    position: &G,
    moves: &[G::Move],
    turn: &CurrentTurn<G>,
) -> Checked {
    let is_wrong = |mv: &&G::Move| !moves.contains(mv) && position.is_legal(**mv);
    match turn.earlier.iter().find(is_wrong) {
        Some(mv) => Err(format!("`is_legal` allows {mv:?}, which `moves` does not list")),
        None => Ok(()),
    }
}

/// The legal moves, each checked to be unique in code and text; empty when the game is over.
pub(super) fn legal_moves<G: Game>(position: &G) -> Checked<MoveList<G::Move>> {
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
        if !position.is_legal(mv) {
            return Err(format!("`is_legal` refuses {text}, which `moves` lists"));
        }
    }
    match position.count_moves() {
        count if count == moves.len() as u64 => Ok(moves),
        count => Err(format!("`count_moves` is {count}, and `moves` lists {}", moves.len())),
    }
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
