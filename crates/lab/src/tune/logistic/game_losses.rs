//! The loss of a point game by game: the games are independent of each other, their positions are not.

use super::columns::Columns;
use super::pass::{Data, Split, Sums, cross_entropy};
use super::samples::Sample;
use crate::error::Result;

/// The loss of a point, game by game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameLosses {
    /// The sums over all positions: their number and loss.
    pub sums: Sums,
    /// The positions of each game, and their cross-entropy in nats.
    pub games: Vec<(u32, f64)>,
}

impl GameLosses {
    /// The standard error of the difference between the mean losses of two points over the same
    /// games; `None` with fewer than two games. Games are independent of each other, positions are
    /// not.
    pub fn difference_error(&self, other: &Self) -> Option<f64> {
        let (games, count) = (self.games.len() as f64, self.sums.count as f64);
        let mean = self.sums.mean_loss() - other.sums.mean_loss();
        let square =
            |(a, b): (&(u32, f64), &(u32, f64))| (a.1 - b.1 - mean * f64::from(a.0)).powi(2);
        let squares: f64 = self.games.iter().zip(&other.games).map(square).sum();
        (games > 1.0).then(|| (squares * games / (games - 1.0)).sqrt() / count)
    }
}

impl Data<'_> {
    /// The loss of a point over a split, game by game.
    ///
    /// # Errors
    /// As [`lanes`](Data::lanes).
    pub fn game_losses(
        &self,
        columns: &Columns,
        point: &[f64],
        split: Split,
    ) -> Result<GameLosses> {
        let fresh = || (GameLosses::default(), GameRun::default(), Vec::new());
        let lanes = self.lanes(&self.all(split), fresh, |(losses, game, row), seen| {
            let logit = self.logit(columns, point, &seen.sample.position, row);
            let loss = cross_entropy(logit, self.target(seen));
            losses.sums.count += 1;
            losses.sums.loss += loss;
            if game.is_new(seen.sample) {
                losses.games.push((0, 0.0));
            }
            if let Some((positions, sum)) = losses.games.last_mut() {
                *positions += 1;
                *sum += loss;
            }
        })?;
        Ok(lanes.into_iter().fold(GameLosses::default(), |mut total, (losses, _, _)| {
            total.sums.count += losses.sums.count;
            total.sums.loss += losses.sums.loss;
            total.games.extend(losses.games);
            total
        }))
    }
}

/// Finds where another game begins, in records in the order of games and plies. Two games of the
/// same fold may count as one, which does no harm.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameRun(Option<(u8, u8)>);

impl GameRun {
    /// Whether this position is of another game than the one before it.
    pub(super) fn is_new(&mut self, sample: &Sample) -> bool {
        let before = self.0.replace((sample.fold, sample.ply));
        before.is_none_or(|(fold, ply)| fold != sample.fold || sample.ply < ply)
    }
}
