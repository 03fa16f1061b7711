//! The contents of a database: the classes within bounds and the indices of their positions.

use super::build::Builder;
use super::index::{ClassIndex, Places};
use super::tables::EndgameTables;
use crate::error::{Error, Result};
use crate::game::Board;
use crate::game::endgames::{Endgames, MaterialClass, Placement};
use crate::search::Stop;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// The greatest number of bounds of a database.
const MOST_BOUNDS: usize = 16;

/// The classes of a database with the indices of their positions.
pub struct EndgamePlan<G> {
    board: Board,
    bounds: Vec<Vec<u8>>,
    pub(super) places: Places,
    pub(super) classes: Vec<ClassIndex>,
    /// The classes of each group. Captures lead to earlier groups.
    pub(super) groups: Vec<Range<usize>>,
    game: PhantomData<fn() -> G>,
}

impl<G: Endgames> EndgamePlan<G> {
    /// Plans all positions of a board within any of these bounds, see [`Endgames::MATERIAL`]. In a
    /// list with too few numbers the last one is repeated.
    ///
    /// # Errors
    /// When the game does not support the board, or when bounds are missing, too many, too large,
    /// or 0 for a required piece.
    pub fn new(board: Board, bounds: &[Vec<u8>]) -> Result<Self> {
        G::start(board)?;
        let bounds: Vec<Vec<u8>> =
            bounds.iter().map(|most| full_bounds::<G>(most)).collect::<Result<_>>()?;
        if bounds.is_empty() || bounds.len() > MOST_BOUNDS {
            return Err(Error::input("bounds", format!("there are {}", bounds.len()))
                .remedy(format!("give 1 to {MOST_BOUNDS}")));
        }
        let places = Places::new::<G>(board);
        let (mut sized, mut groups) = (Vec::new(), Vec::new());
        for group in groups_within::<G>(&bounds) {
            let first = sized.len();
            for class in group {
                let sizes = ClassIndex::sizes(&places, class);
                sized.push((class, sizes.ok_or_else(|| too_large::<G>(class))?));
            }
            groups.push(first..sized.len());
        }
        if groups.is_empty() {
            return Err(no_class::<G>());
        }
        let index = |(class, sizes)| ClassIndex::new(&places, class, sizes);
        let classes = sized.into_iter().map(index).collect();
        Ok(Self { board, bounds, places, classes, groups, game: PhantomData })
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The bounds, each with one number for each entry of [`Endgames::MATERIAL`].
    pub fn bounds(&self) -> &[Vec<u8>] {
        &self.bounds
    }

    /// Each class with the size of its values in bytes.
    pub fn sizes(&self) -> impl Iterator<Item = (MaterialClass, u64)> {
        self.classes.iter().map(|index| (index.class, index.len()))
    }

    /// The size of all values in bytes.
    pub fn bytes(&self) -> u64 {
        self.sizes().fold(0, |all, (_, size)| all.saturating_add(size))
    }

    /// Solves every position; `None` when stopped. The progress counts the positions processed, out
    /// of twice [`bytes`](Self::bytes). The result does not depend on the number of threads.
    pub fn build(
        self: &Arc<Self>,
        threads: usize,
        stop: &Stop,
        on_progress: &mut dyn FnMut(u64),
    ) -> Option<EndgameTables<G>> {
        let values = Builder::new(self, threads, stop).run(on_progress)?;
        Some(EndgameTables::new(self.clone(), values))
    }

    /// Makes the database of these values, class by class.
    ///
    /// # Errors
    /// When their number is wrong.
    pub fn with_values(self: &Arc<Self>, values: Vec<Vec<u8>>) -> Result<EndgameTables<G>> {
        let are_right = values.len() == self.classes.len()
            && values.iter().zip(&self.classes).all(|(v, index)| v.len() as u64 == index.len());
        match are_right {
            true => Ok(EndgameTables::new(self.clone(), values)),
            false => Err(Error::input("endgame database", "a class has another number of values")),
        }
    }

    /// The class and the index of a placement.
    #[inline]
    pub(super) fn locate(&self, placement: &Placement) -> Option<(usize, usize)> {
        let class = self.classes.iter().position(|index| index.class == placement.class)?;
        Some((class, self.classes[class].number(&self.places, placement)?))
    }

    /// The position at an index; `None` if there is none or it is stored as a symmetric image.
    pub(super) fn position(&self, class: usize, number: usize) -> Option<G> {
        let placement = self.classes[class].placement(&self.places, number);
        let position = G::of_placement(self.board, &placement)?;
        (self.locate(&placement) == Some((class, number))).then_some(position)
    }
}

fn full_bounds<G: Endgames>(most: &[u8]) -> Result<Vec<u8>> {
    let wanted = G::MATERIAL.len();
    match most.last() {
        Some(&last) if most.len() <= wanted => {
            let mut most = most.to_vec();
            most.resize(wanted, last);
            Ok(most)
        }
        _ => {
            let reason = format!("{} numbers for {wanted}", most.len());
            Err(Error::input("bounds", reason).remedy(format!(
                "give for {}: {}",
                G::GAME,
                G::MATERIAL.join(", ")
            )))
        }
    }
}

/// The groups within any of the bounds, ordered by number of pieces.
fn groups_within<G: Endgames>(bounds: &[Vec<u8>]) -> Vec<Vec<MaterialClass>> {
    let mut groups: Vec<Vec<MaterialClass>> = Vec::new();
    for group in bounds.iter().flat_map(|most| G::groups(most)) {
        if !group.is_empty() && !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups.sort_by_key(|group| (group[0].pieces(), group[0]));
    groups
}

fn too_large<G: Endgames>(class: MaterialClass) -> Error {
    let reason = format!("the class {} is too large", G::class_name(class));
    Error::input("bounds", reason).remedy("ask for fewer pieces")
}

fn no_class<G: Endgames>() -> Error {
    let words = G::MATERIAL.join(", ");
    Error::input("bounds", "no position is within them")
        .remedy(format!("raise one of the numbers; they are: {words}"))
}
