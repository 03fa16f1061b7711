//! The inputs of a game's networks.

use super::NetworkInputs;
use super::Replaced;
use crate::eval::Score;
use crate::weights::{InputScheme, WindowShape};
use std::fmt::Debug;

/// A network's view of a position: the board, in a form whose windows are quick to read.
pub trait NetworkView: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The input scheme.
    const SCHEME: InputScheme;

    /// The type of a set of windows, one bit for each window.
    type Changed: Copy + Debug + Into<u128>;

    /// The reader of windows of a shape that the [scheme](Self::SCHEME) supports.
    fn reader(shape: WindowShape) -> WindowReader<Self>;

    /// 1 if the network's value is from the side to move, -1 if it is from the other side.
    fn sign(self) -> Score;

    /// The view under a symmetry of the board. Bit 0 of its number exchanges left and right, bit 1
    /// top and bottom, bit 2 rows and columns.
    #[must_use]
    fn image(self, image: u64) -> Self;

    /// The whole view as integers, for digests.
    fn words(self) -> [u128; 3];
}

/// Reads windows of one shape.
#[derive(Clone, Copy, Debug)]
pub struct WindowReader<V: NetworkView> {
    /// Reads all active inputs: the inputs of the windows, then others.
    pub read: fn(V) -> NetworkInputs,
    /// Finds the windows that differ between two views.
    pub changed: fn(V, V) -> V::Changed,
    /// Appends the rows of weights to exchange for such windows and for other changed inputs. The
    /// given number is the length of a row, so the row of an input starts at the input times this
    /// length. The list belongs to the caller, since returning it would copy its whole capacity.
    pub replaced: fn(V, V, V::Changed, u32, &mut Replaced),
    /// The number of active inputs of a position.
    pub shown: fn(V) -> u32,
}
