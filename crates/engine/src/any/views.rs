//! The network inputs of many positions, in the form that training reads.

use super::AnyPosition;
use crate::eval::{Game, NetworkInputs, NetworkView, Score, WindowReader};
use crate::weights::WindowShape;
use std::any::Any;

/// Positions of a game, in order, as networks with windows of one shape see them.
///
/// A game that has rules only has no inputs, so nothing is stored.
pub struct AnyViews(Option<Box<dyn ViewsObject>>);

impl AnyViews {
    /// An empty list, for networks with such windows.
    pub(super) fn of<G: Game>(window: WindowShape) -> Self {
        let windows = G::NetworkView::reader(window);
        Self(Some(Box::new(TypedViews::<G> { windows, views: Vec::new() })))
    }

    /// The empty list of a game that has rules only.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Adds a position. Ignores a position of another game.
    pub fn push(&mut self, position: &AnyPosition) {
        self.0.iter_mut().for_each(|views| views.push(position));
    }

    /// Adds the positions of another list of the same game.
    pub fn append(&mut self, other: &Self) {
        self.0.iter_mut().for_each(|views| views.append(other));
    }

    /// The inputs of a position under a symmetry of the board, see [`NetworkView::image`].
    pub fn inputs(&self, index: usize, image: u64) -> NetworkInputs {
        self.0.as_ref().map_or_else(NetworkInputs::default, |views| views.inputs(index, image))
    }

    /// See [`NetworkView::sign`].
    pub fn sign(&self, index: usize) -> Score {
        self.0.as_ref().map_or(1, |views| views.sign(index))
    }

    /// All contents of a position's view, for digests.
    pub fn words(&self, index: usize) -> [u128; 3] {
        self.0.as_ref().map_or([0; 3], |views| views.words(index))
    }
}

trait ViewsObject: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn push(&mut self, position: &AnyPosition);
    fn append(&mut self, other: &AnyViews);
    fn inputs(&self, index: usize, image: u64) -> NetworkInputs;
    fn sign(&self, index: usize) -> Score;
    fn words(&self, index: usize) -> [u128; 3];
}

struct TypedViews<G: Game> {
    windows: WindowReader<G::NetworkView>,
    views: Vec<G::NetworkView>,
}

impl<G: Game> ViewsObject for TypedViews<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn push(&mut self, position: &AnyPosition) {
        self.views.extend(position.typed::<G>().map(Game::network_view));
    }

    fn append(&mut self, other: &AnyViews) {
        if let Some(other) =
            other.0.as_ref().and_then(|views| views.as_any().downcast_ref::<Self>())
        {
            self.views.extend_from_slice(&other.views);
        }
    }

    fn inputs(&self, index: usize, image: u64) -> NetworkInputs {
        (self.windows.read)(self.views[index].image(image))
    }

    fn sign(&self, index: usize) -> Score {
        self.views[index].sign()
    }

    fn words(&self, index: usize) -> [u128; 3] {
        self.views[index].words()
    }
}
