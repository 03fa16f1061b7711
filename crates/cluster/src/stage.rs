//! The stage of a worker: it turns the data of a job into games, and the games into a result.

use super::message::SentJob;
use super::worker::WorkerEngines;
use crate::arena::{PairRunner, PairSpec, PlayerBody, Sets};
use crate::error::{Error, Result, shorten};
use crate::games::GameId;
use crate::search::{Limits, Stop};
use crate::tune::logistic::self_play::SentSelfPlay;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The longest time for a move that a scaled limit may have.
const LONGEST_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Plays jobs of all games, on the thread that asks.
pub(super) struct JobStage {
    runners: HashMap<&'static str, PairRunner>,
    engines: Arc<WorkerEngines>,
    stop: Stop,
}

impl JobStage {
    /// A stage with the worker's external engines. Setting the flag ends games at once.
    pub(super) fn new(engines: Arc<WorkerEngines>, stop: Stop) -> Self {
        let runner = |game: GameId| (game.name, PairRunner::new(game, stop.clone()));
        let runners = GameId::all().iter().copied().map(runner).collect();
        Self { runners, engines, stop }
    }

    /// Does a job; `None` if the flag was set meanwhile. Its time limits become `slower` times as
    /// long: the speed of the coordinator's machine over the speed of this one.
    ///
    /// # Errors
    /// When it is not a job of this kind and game.
    pub(super) fn play(&self, job: &SentJob, sets: &Sets, slower: f64) -> Result<Option<Value>> {
        let SentJob { game, kind, body, engines, .. } = job;
        let unknown = || Error::input(format!("game `{}`", shorten(game)), "unknown");
        let runner = self.runners.get(game.as_str()).ok_or_else(unknown)?;
        match kind.as_str() {
            PairSpec::KIND => {
                let mut pair: PairSpec = read(body, kind)?;
                let (runner, ratios) = match engines.is_empty() {
                    true => (runner.clone(), Vec::new()),
                    false => self.engines.runner(runner.game(), &pair, engines)?,
                };
                scale_times(&mut pair, slower, &ratios);
                let record = runner.play(&pair, sets)?;
                match (record.is_complete(), runner.fault()) {
                    (true, _) => {
                        let record = serde_json::to_value(record);
                        record.map(Some).map_err(|error| Error::failed("JSON", error))
                    }
                    (false, Some(fault)) if !self.stop.is_set() => Err(fault),
                    (false, _) => Ok(None),
                }
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

/// How many times slower this machine is than the coordinator's, from the nodes a second of both;
/// clamped, whatever a message says.
pub(super) fn slower(theirs: f64, own: f64) -> f64 {
    const MOST: f64 = 16.0;
    let ratio = theirs / own;
    if ratio.is_finite() && ratio > 0.0 { ratio.clamp(1.0 / MOST, MOST) } else { 1.0 }
}

/// Scales the times of a pair: by `slower` for this program's engine, and by `ratios` for the
/// external engines.
fn scale_times(pair: &mut PairSpec, slower: f64, ratios: &[f64]) {
    let of_body = |body: &PlayerBody| match body {
        PlayerBody::Set(_) => slower,
        PlayerBody::Engine(place) => ratios.get(*place).copied().unwrap_or(1.0),
    };
    // An opponent without limits of its own plays at the limits of the player it replaces.
    let usual = pair.players[0].limits;
    let is_common = usual == pair.players[1].limits;
    for player in &mut pair.players {
        scale_time(&mut player.limits, of_body(&player.body));
    }
    if let Some(opponent) = &mut pair.opponent {
        if is_common && opponent.limits.is_none() && !usual.is_deterministic() {
            opponent.limits = Some(usual);
        }
        let ratio = of_body(&opponent.body);
        opponent.limits.iter_mut().for_each(|limits| scale_time(limits, ratio));
    }
}

/// Scales the time of these limits.
fn scale_time(limits: &mut Limits, slower: f64) {
    let scaled = |time: Duration| time.min(LONGEST_TIME).mul_f64(slower);
    limits.movetime = limits.movetime.map(scaled);
    if let Some(clock) = &mut limits.clock {
        clock.left = scaled(clock.left);
        clock.increment = scaled(clock.increment);
        clock.whole = clock.whole.map(scaled);
    }
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

    #[test]
    fn each_engine_has_time_by_its_own_speed() {
        use crate::arena::{OpponentSpec, PlayerSpec};
        use crate::search::Clock;
        let seconds = Duration::from_secs;
        let clock = Clock::new(seconds(8), Duration::from_millis(80));
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let game = GameId::default();
        let players = [0, 1].map(|place| PlayerSpec::of_engine(place, limits));
        let mut pair = PairSpec::new(game, game.default_board, players);
        let (body, is_first) = (PlayerBody::Set("x".into()), true);
        pair.opponent = Some(OpponentSpec { body, constants: None, is_first, limits: None });
        scale_times(&mut pair, 0.25, &[2.0, 0.5]);
        let left = |limits: &Limits| limits.clock.unwrap().left;
        assert_eq!(
            pair.players.each_ref().map(|player| left(&player.limits)),
            [seconds(16), seconds(4)]
        );
        assert_eq!(left(&pair.opponent.unwrap().limits.unwrap()), seconds(2));
        assert_eq!(pair.players[0].limits.clock.unwrap().increment, Duration::from_millis(160));
    }
}
