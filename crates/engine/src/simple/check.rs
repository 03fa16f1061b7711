//! Tests on random games that a game keeps the contract of [`Rules`](super::Rules).

use super::feature_check::FeatureCheck;
use super::{Features, Simple};
use crate::error::{Error, Result};
use crate::eval::check::{Checked, check_with};
use crate::game::{Packing, Position};

/// Tests a game on a hundred random games. In every position the game must keep the contract of
/// [`Rules`](super::Rules), and texts, packed positions and moves must be read back as they were
/// written. Results that the game claims to prove are checked two plies deep, and its features must
/// be usable with weights. For the full traits use [`check_game`](crate::eval::check_game).
///
/// # Errors
/// The error gives the position and the fault.
pub fn check_rules<R: Features>() -> Result<()> {
    let start = Simple::<R>::start(R::BOARD)?;
    let mut features = FeatureCheck::new();
    check_with(&start, &mut |position, read| {
        check_squares(position)?;
        features.add(position, read)
    })?;
    features.result().map_err(|reason| Error::failed("FEATURES", reason))
}

/// Checks the squares, and that a packed position is read back unchanged.
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
