//! An endgame database in memory.

use super::plan::EndgamePlan;
use super::{DRAW, NONE, is_win, seen_by_mover};
use crate::game::endgames::Endgames;
use crate::game::{KnownValue, KnownValues, MoveList, Outcome};
use rand_mt::Mt64;
use std::sync::Arc;

/// The value of every position of a plan.
pub struct EndgameTables<G> {
    plan: Arc<EndgamePlan<G>>,
    values: Vec<Vec<u8>>,
}

/// The statistics of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSummary {
    /// The name of the class.
    pub name: String,
    /// The number of positions, with symmetric ones counted once.
    pub positions: u64,
    /// The number of positions that the side to move wins.
    pub wins: u64,
    /// The number of positions that the side to move loses.
    pub losses: u64,
    /// The number of positions that neither side wins.
    pub draws: u64,
    /// The longest distance to a win or loss, in turns.
    pub longest: u32,
}

/// A stored value that contradicts the values after each move.
#[derive(Clone, Debug)]
pub struct WrongValue<G> {
    /// The position with this value.
    pub position: G,
    /// The value in the database.
    pub stored: KnownValue,
    /// The value that its moves imply.
    pub expected: KnownValue,
}

impl<G: Endgames> EndgameTables<G> {
    pub(super) fn new(plan: Arc<EndgamePlan<G>>, values: Vec<Vec<u8>>) -> Self {
        Self { plan, values }
    }

    /// The classes and their numberings.
    pub fn plan(&self) -> &EndgamePlan<G> {
        &self.plan
    }

    /// The values of each class, one byte for each index.
    pub fn values(&self) -> &[Vec<u8>] {
        &self.values
    }

    /// Counts the wins, losses and draws of each class.
    pub fn summaries(&self) -> Vec<ClassSummary> {
        let pairs = self.plan.classes.iter().zip(&self.values);
        pairs.map(|(index, values)| summary(G::class_name(index.class), values)).collect()
    }

    /// The value of an unfinished position. `None` if the database lacks it, or if the turn limit
    /// would end the game exactly when it is decided.
    #[inline]
    pub fn value(&self, position: &G) -> Option<KnownValue> {
        let (class, number) = self.plan.locate(&position.placement())?;
        let value = known(self.values[class][number])?;
        match (value.turns(), position.turns_left()) {
            (Some(turns), Some(left)) if turns > left => Some(KnownValue::Draw),
            (Some(turns), Some(left)) if turns == left => None,
            _ => Some(value),
        }
    }

    /// A random position of the database; `None` if there are hardly any.
    pub fn random(&self, generator: &mut Mt64) -> Option<G> {
        let entries = self.plan.bytes().max(1);
        (0..10_000).find_map(|_| {
            let mut number = generator.next_u64() % entries;
            for (class, values) in self.values.iter().enumerate() {
                match number.checked_sub(values.len() as u64) {
                    Some(rest) => number = rest,
                    None => return self.plan.position(class, number as usize),
                }
            }
            None
        })
    }

    /// Compares the value at an index with the value that the positions after each move imply, by
    /// the rules alone. If all values of a database pass, all are correct.
    pub fn check(&self, class: usize, number: usize) -> Option<WrongValue<G>> {
        let stored = *self.values.get(class)?.get(number)?;
        let position = self.plan.position(class, number);
        let expected = position.as_ref().map_or(NONE, |position| self.expected(position));
        if stored == expected {
            return None;
        }
        let placement = self.plan.classes[class].placement(&self.plan.places, number);
        let position = position.or_else(|| G::of_placement(self.plan.board(), &placement))?;
        let shown = |value| known(value).unwrap_or(KnownValue::Draw);
        Some(WrongValue { position, stored: shown(stored), expected: shown(expected) })
    }

    /// The value that the values after each move imply.
    fn expected(&self, position: &G) -> u8 {
        value_by_moves(&self.plan, position, |class, number| Some(self.values[class][number]))
    }
}

impl<G: Endgames> KnownValues<G> for EndgameTables<G> {
    #[inline]
    fn known_value(&self, position: &G) -> Option<KnownValue> {
        self.value(position)
    }
}

fn known(value: u8) -> Option<KnownValue> {
    match value {
        NONE => None,
        DRAW => Some(KnownValue::Draw),
        turns if is_win(turns) => Some(KnownValue::Win(turns.into())),
        turns => Some(KnownValue::Loss(turns.into())),
    }
}

fn summary(name: String, values: &[u8]) -> ClassSummary {
    let mut counts = [0u64; 256];
    values.iter().for_each(|&value| counts[usize::from(value)] += 1);
    let sum = |wanted: fn(u8) -> bool| {
        (0..=u8::MAX).filter(|&value| wanted(value)).map(|value| counts[usize::from(value)]).sum()
    };
    let longest = (1..NONE).rev().find(|&value| counts[usize::from(value)] > 0);
    ClassSummary {
        name,
        positions: sum(|value| value != NONE),
        wins: sum(is_win),
        losses: sum(|value| value != NONE && value != DRAW && !is_win(value)),
        draws: counts[usize::from(DRAW)],
        longest: longest.unwrap_or_default().into(),
    }
}

/// The value of a position from the values after each move. `of` returns the value of a class and
/// index, or `None` if there is none yet. An undecided position counts as a draw.
pub(super) fn value_by_moves<G: Endgames>(
    plan: &EndgamePlan<G>,
    position: &G,
    of: impl Fn(usize, usize) -> Option<u8>,
) -> u8 {
    let side = position.side_to_move();
    let mut moves = MoveList::new();
    position.moves(&mut moves);
    let (mut win, mut loss, mut is_open) = (NONE, DRAW, false);
    for mv in moves {
        let child = position.play_unchecked(mv);
        let seen = match child.outcome() {
            Some(Outcome::Win(winner)) => 2 - u8::from(winner == side),
            Some(Outcome::Draw) => DRAW,
            None => {
                let found = plan.locate(&child.placement());
                let value = found.and_then(|(class, number)| of(class, number));
                seen_by_mover(value.unwrap_or(DRAW), child.side_to_move() != side)
            }
        };
        match seen {
            DRAW | NONE => is_open = true,
            value if is_win(value) => win = win.min(value),
            value => loss = loss.max(value),
        }
    }
    match (win, is_open) {
        (NONE, true) => DRAW,
        (NONE, false) => loss,
        _ => win,
    }
}
