//! Features counted for each side; the evaluator takes the difference.

use super::constants::{MAX_FEATURES, check_features};
use super::{Rules, Simple};
use crate::eval::{BoardView, Feature, Game, Guide, LinearEvaluator};
use crate::game::Side;

/// The features of a game, and its settings for commands.
pub trait Features: Rules {
    /// Every feature, at most 64, in the order of weight files. Names consist of letters, digits,
    /// `-` and `_`.
    const FEATURES: &'static [SideFeature<Self>];

    /// The hand-made set, from which tunes start.
    const HAND_MADE_SET: &'static str = "hand";

    /// The set that commands use by default.
    const DEFAULT_SET: &'static str = Self::HAND_MADE_SET;

    /// The search depth of `bench`, in plies: about a second's work.
    const BENCH_DEPTH: u32 = 8;
}

/// A feature as its game defines it: see [`side`], [`mover`] and [`tempo`].
#[derive(Debug)]
pub struct SideFeature<R: 'static> {
    pub(super) name: &'static str,
    words: &'static str,
    pub(super) count: fn(&R, Side) -> i32,
    pub(super) is_two_sided: bool,
}

/// A feature counted for each side: its value is the count of the side to move minus the opponent's
/// count. `count` must depend on the side that it gets, or the value is always 0.
pub const fn side<R>(
    name: &'static str,
    words: &'static str,
    count: fn(&R, Side) -> i32,
) -> SideFeature<R> {
    SideFeature { name, words, count, is_two_sided: true }
}

/// A feature counted for the side to move only.
pub const fn mover<R>(
    name: &'static str,
    words: &'static str,
    count: fn(&R, Side) -> i32,
) -> SideFeature<R> {
    SideFeature { name, words, count, is_two_sided: false }
}

/// The value of being the side to move.
pub const fn tempo<R>() -> SideFeature<R> {
    mover("tempo", "Being to move.", |_, _| 1)
}

/// The game's feature at an index, `None` after the last one.
const fn nth<R: Features>(n: usize) -> Option<&'static SideFeature<R>> {
    if n < R::FEATURES.len() { Some(&R::FEATURES[n]) } else { None }
}

/// The value of the feature at an index. The index is a constant, so the evaluator inlines the
/// feature's code.
#[inline]
fn value<R: Features, const N: usize>(position: &R) -> i32 {
    let Some(feature) = (const { nth::<R>(N) }) else { return 0 };
    let side = position.side_to_move();
    let own = (feature.count)(position, side);
    if feature.is_two_sided { own - (feature.count)(position, side.other()) } else { own }
}

/// The feature at an index, in the evaluator's format.
const fn row<R: Features, const N: usize>() -> Feature<R> {
    let (name, words, formula) = match nth::<R>(N) {
        Some(feature) if feature.is_two_sided => (feature.name, feature.words, "S - S'"),
        Some(feature) => (feature.name, feature.words, "S"),
        None => ("", "", ""),
    };
    Feature::new(name, "features", u32::MAX, words, formula, value::<R, N>)
}

/// The evaluator's features of a game for these indices.
macro_rules! rows {
    ($R:ident: $($n:literal)*) => { &[$(row::<$R, $n>()),*] };
}

/// The evaluator's features for all indices that a game may use.
#[rustfmt::skip]
const fn table<R: Features>() -> &'static [Feature<R>; MAX_FEATURES] {
    const { rows!(R:
         0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
    ) }
}

const GUIDE: &str = "\
`S` is what the words count for the side to move, `S'` the same for the other side.

<!-- features -->
";

impl<R: Features> Game for Simple<R> {
    type Evaluator = LinearEvaluator<Self>;
    type Inputs = R;
    type NetworkView = BoardView;

    const FEATURES: &'static [Feature<R>] = {
        check_features::<R>();
        table::<R>().split_at(R::FEATURES.len()).0
    };

    const GUIDE: Guide = Guide {
        text: GUIDE,
        example: R::START,
        example_set: R::DEFAULT_SET,
        default_set: R::DEFAULT_SET,
        hand_made_set: R::HAND_MADE_SET,
        tunes_all: false,
        positions: "",
        boards: &[R::BOARD],
        bench_depth: R::BENCH_DEPTH,
        piece_logit: 1.0,
    };

    #[inline]
    fn inputs(&self) -> R {
        self.rules().clone()
    }

    fn network_view(&self) -> BoardView {
        self.board_view()
    }
}
