//! Checks that different positions have different keys.

use super::Checked;
use crate::eval::Game;
use crate::game::{MoveList, Outcome};
use std::collections::HashMap;

/// The greatest number of positions whose keys are compared.
const MOST_KEYS: usize = 50_000;
/// The plies to which all positions around one are compared, and their greatest number.
const PLIES_AROUND: u32 = 3;
const MOST_AROUND: usize = 3_000;

/// The positions seen, each by its keys.
pub(super) struct KnownKeys<G> {
    /// One position for each key.
    by_key: HashMap<u64, G>,
    /// One position for each canonical key, with these facts.
    by_canonical_key: HashMap<u128, (G, MirrorFacts)>,
}

/// What mirror images share: the number of moves, and the result as the side to move sees it.
type MirrorFacts = (usize, Option<u8>);

impl<G> Default for KnownKeys<G> {
    fn default() -> Self {
        Self { by_key: HashMap::new(), by_canonical_key: HashMap::new() }
    }
}

impl<G: Game> KnownKeys<G> {
    /// Checks the keys of a position with this number of moves against all before.
    pub(super) fn check(&mut self, position: &G, moves: usize) -> Checked {
        if position.key() != position.recomputed_key() {
            return Err("its key is not the recomputed one".into());
        }
        let is_full = self.by_key.len() >= MOST_KEYS;
        match self.by_key.get(&position.key()) {
            Some(other) if other != position => {
                return Err(format!("it has the same key as `{}`", other.fen()));
            }
            None if !is_full => drop(self.by_key.insert(position.key(), position.clone())),
            _ => {}
        }
        let points = |outcome: Outcome| outcome.half_points(position.side_to_move());
        let shared = (moves, position.outcome().map(points));
        match self.by_canonical_key.get(&position.canonical_key()) {
            Some((other, of_other)) if *of_other != shared => Err(format!(
                "it has the same canonical key as `{}`, which is no mirror image",
                other.fen()
            )),
            None if !is_full => {
                let entry = (position.clone(), shared);
                self.by_canonical_key.insert(position.canonical_key(), entry);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Checks the keys of all positions a few plies from here: other orders of moves lead to the same
    /// boards with another side to move, or in the middle of a turn.
    pub(super) fn check_around(&mut self, position: &G) -> Checked {
        let mut level = vec![position.clone()];
        for _ in 0..PLIES_AROUND {
            let after = |position: &G| {
                let mut moves = MoveList::new();
                position.moves(&mut moves);
                moves.iter().map(|&mv| position.play_unchecked(mv)).collect::<Vec<G>>()
            };
            let next: Vec<G> = level.iter().flat_map(after).take(MOST_AROUND).collect();
            for position in &next {
                let mut moves = MoveList::new();
                position.moves(&mut moves);
                let fault = |reason| format!("a few plies on, `{}`: {reason}", position.fen());
                self.check(position, moves.len()).map_err(fault)?;
            }
            level = next;
        }
        Ok(())
    }
}
