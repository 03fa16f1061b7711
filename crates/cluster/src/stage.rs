//! Where a worker plays: a job as data becomes games, and these data again.

use super::message::SentJob;
use crate::arena::{
    MatchSettings, PairJob, PairRunner, SentGames, SentOpponent, SentPair, SentPlayer,
};
use crate::error::{Error, Result, shorten};
use crate::eval::Game;
use crate::eval::features::{check_board, check_set};
use crate::game::Board;
use crate::games::{GameId, with_game};
use crate::search::{Limits, SearchConstants, Stop};
use crate::tune::logistic::self_play::SentSelfPlay;
use crate::weights::WeightSet;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// No longer time for a move is scaled.
const LONGEST_TIME: Duration = Duration::from_secs(24 * 60 * 60);
/// Kinds of matches, and evaluators, that are kept ready.
const RUNNERS: usize = 8;
const EVALUATORS: usize = 16;

/// The sets of a job by their digests.
pub(super) type SetsOfJob = HashMap<String, Arc<WeightSet>>;

/// Plays jobs of all games, on the thread that asks.
pub(super) struct JobStage {
    games: HashMap<&'static str, Box<dyn PlaysJobs>>,
    stop: Stop,
}

impl JobStage {
    /// A stage on which nothing was played. Setting the flag ends games at once.
    pub(super) fn new(stop: Stop) -> Self {
        let stage = |id: GameId| {
            let stage: Box<dyn PlaysJobs> =
                with_game!(id, G => Box::new(GameStage::<G>::default()));
            (id.name(), stage)
        };
        Self { games: GameId::ALL.iter().copied().map(stage).collect(), stop }
    }

    /// Does a job; `None` when the flag was set on the way. Its time limits are made `slower` times
    /// as long: how much slower this machine is than the one that they are meant for.
    ///
    /// # Errors
    /// When it is not a job of this kind and game.
    pub(super) fn play(
        &self,
        SentJob { game, kind, body, .. }: &SentJob,
        sets: &SetsOfJob,
        slower: f64,
    ) -> Result<Option<Value>> {
        let unknown = || Error::input(format!("game `{}`", shorten(game)), "unknown");
        let game = self.games.get(game.as_str()).ok_or_else(unknown)?;
        game.play(kind, body, &Circumstances { sets, slower, stop: &self.stop })
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

/// What a job is done with.
struct Circumstances<'a> {
    sets: &'a SetsOfJob,
    slower: f64,
    stop: &'a Stop,
}

/// The stage of one game.
trait PlaysJobs: Send + Sync {
    fn play(&self, kind: &str, body: &Value, with: &Circumstances) -> Result<Option<Value>>;
}

struct GameStage<G: Game> {
    /// Runners by their settings, the last used at the end.
    runners: Mutex<Vec<PairRunner<G>>>,
    /// Evaluators by the digest of their sets, likewise.
    evaluators: Mutex<Vec<(String, G::Evaluator)>>,
}

impl<G: Game> Default for GameStage<G> {
    fn default() -> Self {
        Self { runners: Mutex::default(), evaluators: Mutex::default() }
    }
}

impl<G: Game> PlaysJobs for GameStage<G> {
    fn play(&self, kind: &str, body: &Value, with: &Circumstances) -> Result<Option<Value>> {
        match kind {
            SentPair::KIND => {
                let mut pair: SentPair = read(body, kind)?;
                for player in &mut pair.players {
                    scale_time(&mut player.limits, with.slower);
                }
                let opponent = pair.opponent.as_mut().and_then(|opponent| opponent.limits.as_mut());
                opponent.into_iter().for_each(|limits| scale_time(limits, with.slower));
                self.play_pair(&pair, with.sets, with.stop)
            }
            SentSelfPlay::KIND => {
                let mut games: SentSelfPlay = read(body, kind)?;
                scale_time(&mut games.config.limits, with.slower);
                let board: Board = games.config.board.parse()?;
                let evaluator = self.evaluator(&games.set, None, (with.sets, board))?;
                games.play::<G>(&evaluator, with.stop)
            }
            kind => Err(Error::input(format!("job `{}`", shorten(kind)), "unknown")),
        }
    }
}

impl<G: Game> GameStage<G> {
    fn play_pair(&self, pair: &SentPair, sets: &SetsOfJob, stop: &Stop) -> Result<Option<Value>> {
        let opening = Arc::new(pair.opening::<G>()?);
        let board = opening.position.board();
        let evaluator = |player: &SentPlayer| {
            self.evaluator(&player.set, player.weights.as_deref(), (sets, board))
        };
        let [a, b] = &pair.players;
        let constants = |player: &SentPlayer| player.constants.clone().unwrap_or_default();
        let against = |opponent: &SentOpponent| {
            let evaluator = self.evaluator(&opponent.set, None, (sets, board))?;
            Ok::<_, Error>(opponent.against(evaluator))
        };
        let job = PairJob {
            opening: opening.clone(),
            evaluators: [evaluator(a)?, evaluator(b)?],
            constants: Some([constants(a), constants(b)]),
            limits: None,
            opponent: pair.opponent.as_ref().map(against).transpose()?,
        };
        let result = self.runner(pair.settings()?, stop).play(&job);
        SentGames::new(&opening, &result)
            .map(|sent| serde_json::to_value(sent).map_err(|error| Error::failed("JSON", error)))
            .transpose()
    }

    /// A runner with these settings, whose players are kept from job to job.
    fn runner(&self, settings: MatchSettings, stop: &Stop) -> PairRunner<G> {
        debug_assert_eq!(settings.constants, <[SearchConstants; 2]>::default());
        let mut runners = self.runners.lock().unwrap_or_else(PoisonError::into_inner);
        let known = runners.iter().position(|runner| *runner.settings() == settings);
        let runner = match known {
            Some(place) => runners.remove(place),
            None => PairRunner::new(settings, stop.clone()),
        };
        if runners.len() == RUNNERS {
            runners.remove(0);
        }
        runners.push(runner.clone());
        runner
    }

    /// The evaluator of a set, or of the set with other single weights.
    fn evaluator(
        &self,
        digest: &str,
        weights: Option<&[i32]>,
        (sets, board): (&SetsOfJob, Board),
    ) -> Result<G::Evaluator> {
        let missing = || Error::input(format!("set {}", shorten(digest)), "not among the job's");
        let set = sets.get(digest).ok_or_else(missing)?;
        check_board(set, "set of a job", board)?;
        if let Some(weights) = weights {
            return self.changed(set, weights);
        }
        let mut evaluators = self.evaluators.lock().unwrap_or_else(PoisonError::into_inner);
        let known = evaluators.iter().position(|(name, _)| name == digest);
        let kept = match known {
            Some(place) => evaluators.remove(place),
            None => {
                check_set::<G>(set, "set of a job")?;
                (digest.to_owned(), G::evaluator(set)?)
            }
        };
        if evaluators.len() == EVALUATORS {
            evaluators.remove(0);
        }
        evaluators.push(kept.clone());
        Ok(kept.1)
    }

    fn changed(&self, set: &WeightSet, weights: &[i32]) -> Result<G::Evaluator> {
        if weights.len() != G::FEATURES.len() {
            let reason = format!("{} for {} features", weights.len(), G::FEATURES.len());
            return Err(Error::input("weights", reason));
        }
        let mut set = set.clone();
        for (feature, &weight) in G::FEATURES.iter().zip(weights) {
            set.set_or_add(feature.name, weight)?;
        }
        check_set::<G>(&set, "set of a job")?;
        G::evaluator(&set)
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
}
