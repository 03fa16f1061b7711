//! The parts of a run's summary that its record tells, stage by stage.

use super::RunHistory;
use super::tune_state::TuneState;
use crate::arena::{EarlyEnds, Match, MatchConfig};
use crate::error::Result;
use crate::protocol::ExternalEngine;
use crate::run::{Record, TuneWork};
use crate::session::BatchRecord;
use crate::stats::{CapRule, Decision, Summary};
use crate::tune::{Stage, Target, TuneSettings, YardstickMatch};

/// The validation match, as far as it is on record.
pub(super) fn proof(config: &TuneSettings, record: &Record) -> Result<Match> {
    let usual = MatchConfig::new(u64::MAX, Some(config.validation.sprt));
    let ends_on_repeats = config.engine().is_some();
    let mut proof = Match::new(MatchConfig { ends_on_repeats, ..usual });
    for batch in record.batches(Stage::Validate) {
        batch.checked_points()?;
        batch.digested_points().for_each(|(points, digest)| proof.note(points, digest));
    }
    Ok(proof)
}

/// The state of a tune with this validation.
pub(super) fn state(record: &Record, history: &RunHistory, validation: &Summary) -> TuneState {
    match record.result() {
        Some(verdicts) if verdicts.accepted => TuneState::Accepted,
        Some(_) => TuneState::Rejected,
        None if history.is_tuned || validation.games > 0 => TuneState::Validating,
        None => TuneState::Tuning,
    }
}

/// How the validation was decided. If an earlier version decided in another way, its verdict
/// stands.
pub(super) fn decision(record: &Record, proof: &Match) -> Option<Decision> {
    let verdicts = record.result().filter(|_| proof.summary().games > 0)?;
    let decision = Decision::of(proof.tracker()?, CapRule::Significant);
    (decision.accepted == verdicts.accepted).then_some(decision)
}

/// The tune's start: a player, or the search of one.
pub(super) fn start_name(tune: &TuneWork) -> String {
    let TuneWork { config, start, .. } = tune;
    match config.target() {
        Target::Weights => start.name.clone(),
        Target::Search => format!("the search of {}", start.name),
        Target::Option => config.engine().map_or("", ExternalEngine::name).to_owned(),
    }
}

/// Pairs in which an opponent, an external engine, forfeited a game.
pub(super) fn forfeited_pairs(config: &TuneSettings, record: &Record) -> Option<u64> {
    config.opponents().filter(|opponents| !opponents.engines.is_empty())?;
    Some(record.batches(Stage::Tune).last()?.summary.forfeited_pairs)
}

/// Games of the tune that the tuned engine forfeited.
pub(super) fn void_games(record: &Record) -> u64 {
    let void = record.batches(Stage::Tune).flat_map(|batch| &batch.void);
    void.map(|&(_, games)| u64::from(games)).sum()
}

/// Pairs of the tune that taught nothing.
pub(super) fn void_pairs(record: &Record) -> u64 {
    record.batches(Stage::Tune).map(|batch| batch.void.len() as u64).sum()
}

/// Forfeited games of the validation, and all of its games. Void pairs count as neither.
pub(super) fn forfeits_of_validation(record: &Record) -> [u64; 2] {
    let of_batch = |batch: &BatchRecord| {
        let void: u64 = batch.void.iter().map(|&(_, games)| u64::from(games)).sum();
        let pairs = batch.points.len().saturating_sub(batch.void.len());
        [batch.early.forfeited.saturating_sub(void), 2 * pairs as u64]
    };
    let batches = record.batches(Stage::Validate).map(of_batch);
    batches.fold([0; 2], |sum, counts| [sum[0] + counts[0], sum[1] + counts[1]])
}

/// Games of all stages that ended early.
pub(super) fn early_ends(record: &Record) -> EarlyEnds {
    [Stage::Tune, Stage::Round, Stage::Validate, Stage::Yardstick]
        .into_iter()
        .flat_map(|stage| record.batches(stage))
        .map(|batch| batch.early)
        .sum()
}

/// The matches against the yardsticks, as far as they have begun.
pub(super) fn yardsticks(config: &TuneSettings, record: &Record) -> Vec<YardstickMatch> {
    let plan = &config.yardsticks;
    let mut points = record.batches(Stage::Yardstick).flat_map(BatchRecord::digested_points);
    let mut played = Vec::new();
    for (against, limits) in plan.matches() {
        // The batches of all matches follow each other.
        let ends_on_repeats = config.engine().is_some();
        let usual = MatchConfig::new(plan.pairs, None);
        let mut score = Match::new(MatchConfig { ends_on_repeats, ..usual });
        while score.ended().is_none() {
            let Some((points, digest)) = points.next() else { break };
            score.note(points.map(|points| points.min(4)), digest);
        }
        if score.played() > 0 {
            let trained = config.has_opponent(against);
            let (against, summary) = (against.into(), score.summary());
            played.push(YardstickMatch { against, limits, trained, summary });
        }
    }
    played
}
