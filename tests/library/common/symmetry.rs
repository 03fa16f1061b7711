//! Symmetries: images of positions and moves.

use sparring::game::{Position, Side};

/// An image of a position, and how moves and sides are carried over to it.
pub struct Symmetry<P: Position> {
    /// The name of the operation, for messages.
    pub name: &'static str,
    pub image: P,
    /// Whether the sides change places.
    pub swaps: bool,
    pub map: Box<dyn Fn(P::Move) -> P::Move>,
}

impl<P: Position> Symmetry<P> {
    pub fn side(&self, side: Side) -> Side {
        if self.swaps { side.other() } else { side }
    }

    /// The images of moves, sorted.
    pub fn moves(&self, moves: &[P::Move]) -> Vec<P::Move> {
        let mut images: Vec<P::Move> = moves.iter().map(|&mv| (self.map)(mv)).collect();
        images.sort_unstable();
        images
    }
}
