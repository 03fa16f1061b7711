//! Where a worker plays: a job as data becomes games, and these data again.

use super::message::SentJob;
use crate::arena::{PairRunner, PairSpec, Sets};
use crate::error::{Error, Result, shorten};
use crate::games::GameId;
use crate::search::{Limits, Stop};
use crate::tune::logistic::self_play::SentSelfPlay;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::time::Duration;

/// No longer time for a move is scaled.
const LONGEST_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Plays jobs of all games, on the thread that asks.
pub(super) struct JobStage {
    runners: HashMap<&'static str, PairRunner>,
    stop: Stop,
}

impl JobStage {
    /// A stage on which nothing was played. Setting the flag ends games at once.
    pub(super) fn new(stop: Stop) -> Self {
        let runner = |game: GameId| (game.name, PairRunner::new(game, stop.clone()));
        Self { runners: GameId::all().iter().copied().map(runner).collect(), stop }
    }

    /// Does a job; `None` when the flag was set on the way. Its time limits are made `slower` times
    /// as long: how much slower this machine is than the one that they are meant for.
    ///
    /// # Errors
    /// When it is not a job of this kind and game.
    pub(super) fn play(
        &self,
        SentJob { game, kind, body, .. }: &SentJob,
        sets: &Sets,
        slower: f64,
    ) -> Result<Option<Value>> {
        let unknown = || Error::input(format!("game `{}`", shorten(game)), "unknown");
        let runner = self.runners.get(game.as_str()).ok_or_else(unknown)?;
        match kind.as_str() {
            PairSpec::KIND => {
                let mut pair: PairSpec = read(body, kind)?;
                for player in &mut pair.players {
                    scale_time(&mut player.limits, slower);
                }
                let opponent = pair.opponent.as_mut().and_then(|opponent| opponent.limits.as_mut());
                opponent.into_iter().for_each(|limits| scale_time(limits, slower));
                let record = runner.play(&pair, sets)?;
                record
                    .is_sent()
                    .then(|| serde_json::to_value(record).map_err(|e| Error::failed("JSON", e)))
                    .transpose()
            }
            SentSelfPlay::KIND => {
                let mut games: SentSelfPlay = read(body, kind)?;
                scale_time(&mut games.config.limits, slower);
                let evaluator = runner.evaluator_of(&games.set, &games.config.board, sets)?;
                games.play(runner.game(), &evaluator, &self.stop)
            }
            kind => Err(Error::input(format!("job `{}`", shorten(kind)), "unknown")),
        }
    }
}

/// How much slower a machine is than the one that time limits are meant for, from the nodes a second
/// of both; within reason, whatever a message says.
pub(super) fn slower(theirs: f64, own: f64) -> f64 {
    const MOST: f64 = 16.0;
    let ratio = theirs / own;
    if ratio.is_finite() && ratio > 0.0 { ratio.clamp(1.0 / MOST, MOST) } else { 1.0 }
}

/// These limits with another time.
fn scale_time(limits: &mut Limits, slower: f64) {
    limits.movetime = limits.movetime.map(|time| time.min(LONGEST_TIME).mul_f64(slower));
}

fn read<T: DeserializeOwned>(body: &Value, kind: &str) -> Result<T> {
    T::deserialize(body)
        .map_err(|error| Error::input(format!("job `{kind}`"), shorten(&error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_scaled_by_the_speeds_within_reason() {
        assert_eq!([slower(2e6, 1e6), slower(1e6, 2e6)], [2.0, 0.5]);
        assert_eq!([slower(1e9, 1.0), slower(1.0, 1e9)], [16.0, 1.0 / 16.0]);
        for odd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!([slower(odd, 1e6), slower(1e6, odd)], [1.0, 1.0], "{odd}");
        }
        let mut limits =
            Limits { movetime: Some(Duration::from_millis(40)), ..Limits::nodes(1_000) };
        scale_time(&mut limits, 0.5);
        assert_eq!((limits.movetime, limits.nodes), (Some(Duration::from_millis(20)), Some(1_000)));
        limits.movetime = Some(Duration::MAX);
        scale_time(&mut limits, 16.0);
        assert_eq!(limits.movetime, Some(16 * LONGEST_TIME));
    }
}
