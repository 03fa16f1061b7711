//! Whether a game keeps the contract of [`Rules`](super::Rules), tried on random games.

use super::feature_check::FeatureCheck;
use super::{Features, Simple};
use crate::error::{Error, Result};
use crate::eval::check::{Checked, check_with};
use crate::game::{Packing, Position};

/// Plays a hundred random games and checks in every position that the game keeps the contract of
/// [`Rules`](super::Rules), that texts, packed positions and moves are read back as they were
/// written, that what the game proves is true two plies on, and that features can be weighed: for
/// the tests of a game. [`check_game`](crate::eval::check_game) does it for the full traits.
///
/// # Errors
/// With the position and what is wrong with it.
pub fn check_rules<R: Features>() -> Result<()> {
    let start = Simple::<R>::start(R::BOARD)?;
    let mut features = FeatureCheck::new();
    check_with(&start, &mut |position, read| {
        check_squares(position)?;
        features.add(position, read)
    })?;
    features.result().map_err(|reason| Error::failed("FEATURES", reason))
}

/// Checks the squares, and that a packed position is the same.
fn check_squares<R: Features>(position: &Simple<R>) -> Checked {
    let sets = position.rules().squares();
    if sets.sets().len() != R::SIGNS.concat().len() {
        return Err(format!("`squares` has {} sets, not one for each sign", sets.sets().len()));
    }
    let mut bytes = vec![0; Simple::<R>::PACKED];
    position.pack(&mut bytes);
    let unpacked = Simple::<R>::unpack(R::BOARD, &bytes).map_err(|error| error.to_string())?;
    match unpacked == *position {
        true => Ok(()),
        false => Err("packed and unpacked, it is another position".into()),
    }
}
