//! The inputs of a game's networks.

use super::NetworkInputs;
use super::Replaced;
use crate::eval::Score;
use crate::weights::{InputScheme, WindowShape};
use std::fmt::Debug;

/// What the networks of a game see of a position: the board, in a form in which windows are read
/// quickly.
pub trait NetworkView: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// The input scheme.
    const SCHEME: InputScheme;

    /// A bit for each window.
    type Changed: Copy + Debug + Into<u128>;

    /// The reader of windows of a shape that the [scheme](Self::SCHEME) has.
    fn reader(shape: WindowShape) -> WindowReader<Self>;

    /// 1 where the network's value is that of the side to move, -1 where it is the other side's.
    fn sign(self) -> Score;

    /// What is seen after a turn of the board, given by its number: bit 0 exchanges left and right,
    /// bit 1 top and bottom, bit 2 rows and columns.
    #[must_use]
    fn image(self, image: u64) -> Self;

    /// All of it, for digests.
    fn words(self) -> [u128; 3];
}

/// Reads windows of one shape.
#[derive(Clone, Copy, Debug)]
pub struct WindowReader<V: NetworkView> {
    /// Reads all inputs: the windows' inputs, then others.
    pub read: fn(V) -> NetworkInputs,
    /// The windows that show something else.
    pub changed: fn(V, V) -> V::Changed,
    /// Adds the rows of such windows, and of other inputs that changed, where rows have a given
    /// length: that of an input begins at the input times this. To a list of the caller, since
    /// returning it would copy its whole capacity.
    pub replaced: fn(V, V, V::Changed, u32, &mut Replaced),
    /// The number of inputs that a position shows.
    pub shown: fn(V) -> u32,
}
