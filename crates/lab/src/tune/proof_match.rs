//! A match within a run, that decides about a candidate or measures it.

use crate::arena::{Book, GameRecord, MatchConfig, PlayerFactory, Sets};
use crate::error::Result;
use crate::games::GameId;
use crate::player::Player;
use crate::search::{Limits, SearchConstants};
use crate::session::{Cast, MatchBatches, MatchSource, MatchWatcher, PairDone, Session, Stage};
use crate::stats::{CapRule, Decision, PairCounts, Summary};
use crate::tune::{TuneSettings, Validation};
use crate::weights::{Weight, WeightSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A match that decides about a candidate, or measures it.
pub(super) struct ProofMatch<'a> {
    /// The configuration of the run.
    pub(super) config: &'a TuneSettings,
    /// The external engines of the run.
    pub(super) engines: &'a [Arc<dyn PlayerFactory>],
    /// The candidate and the player that it must beat.
    pub(super) players: [&'a Player; 2],
    /// Their names in the records of games.
    pub(super) names: [&'static str; 2],
    /// The limits of each move.
    pub(super) limits: Limits,
    /// The length of the match. The test counts only with a rule.
    pub(super) settings: Validation,
    /// The rule that decides when the pairs are used up; `None` in a match that only measures and
    /// plays them all.
    pub(super) rule: Option<CapRule>,
    /// The stage that its batches are recorded under.
    pub(super) stage: Stage,
    /// The number of its first batch. Lower numbers belong to earlier matches.
    pub(super) first_batch: u64,
    /// Games of the run before it.
    pub(super) games_before: u64,
}

/// The result of such a match.
pub(super) struct ProofResult {
    /// The statistics as the candidate sees them, with the frozen verdict.
    pub(super) summary: Summary,
    /// The decision; `None` without a rule or without a pair to play.
    pub(super) decision: Option<Decision>,
    /// The number of the batch after its last one.
    pub(super) next_batch: u64,
}

impl ProofMatch<'_> {
    /// Plays the match, or the rest of it, on the openings that earlier matches have left in the
    /// book.
    ///
    /// # Errors
    /// As [`Session::play`].
    pub(super) fn play(
        &self,
        game: GameId,
        book: &mut Book,
        session: &mut Session,
        on_pair: &mut dyn FnMut(PairCounts),
    ) -> Result<ProofResult> {
        let Validation { pairs, least_pairs, sprt, batch_pairs } = self.settings;
        let sprt = self.rule.map(|_| sprt);
        let least_pairs = least_pairs.min(pairs);
        // An external engine may play the same games again.
        let counts_once = self.config.engine().is_some();
        let ends_on_repeats = counts_once;
        let usual = MatchConfig::new(pairs, sprt);
        let config = MatchConfig { least_pairs, counts_once, ends_on_repeats, ..usual };
        let mut sets = Sets::new();
        let pair = self.config.pair(self.players, self.limits, &mut sets)?;
        let batches = MatchBatches {
            stage: self.stage,
            first: self.first_batch,
            pairs: batch_pairs,
            check: self.players.map(Player::fingerprint).join("-"),
            games_before: self.games_before,
        };
        let mut watcher = Recorder::new(self, on_pair);
        let mut source = MatchSource::new(config, batches, pair, session.threads, &mut watcher);
        session.play(&mut source, Cast { game, sets, engines: self.engines.to_vec() }, book)?;
        let score = source.score();
        let tracker = score.tracker().filter(|tracker| tracker.counts().pairs() > 0);
        let decision = tracker.zip(self.rule).map(|(tracker, rule)| Decision::of(tracker, rule));
        let next_batch = source.next_batch();
        Ok(ProofResult { summary: score.summary(), decision, next_batch })
    }
}

/// Makes the records of games, and reports pairs to `on_pair`.
struct Recorder<'a, 'o> {
    on_pair: &'o mut dyn FnMut(PairCounts),
    names: [&'static str; 2],
    weights: [Vec<i32>; 2],
    /// The constants of both sides, if these differ.
    constants: Option<[&'a SearchConstants; 2]>,
    /// The options of both sides, if an external engine plays.
    options: Option<[&'a BTreeMap<String, String>; 2]>,
    /// The fingerprints of sets with tables, whose weights are not in the records, and of sets with
    /// weights by phase, whose lists of weights may differ.
    fingerprints: Option<[String; 2]>,
}

impl<'a, 'o> Recorder<'a, 'o> {
    fn new(proof: &ProofMatch<'a>, on_pair: &'o mut dyn FnMut(PairCounts)) -> Self {
        let single =
            |set: &WeightSet| set.weights.iter().filter_map(|(name, _)| set.one(name)).collect();
        let is_table =
            |set: &&WeightSet| set.weights.iter().any(|(_, w)| matches!(w, Weight::Table(_)));
        let needs_digest = |set: &&WeightSet| is_table(set) || set.has_phases();
        let [a, b] = proof.players;
        let sets = [&a.weights, &b.weights];
        Self {
            on_pair,
            names: proof.names,
            weights: sets.map(single),
            constants: (a.constants != b.constants).then_some([&a.constants, &b.constants]),
            options: (!a.options.is_empty()).then_some([&a.options, &b.options]),
            fingerprints: sets.iter().any(needs_digest).then(|| sets.map(WeightSet::fingerprint)),
        }
    }
}

impl MatchWatcher for Recorder<'_, '_> {
    fn on_pair(&mut self, _: &PairDone, counts: PairCounts) -> Result<()> {
        (self.on_pair)(counts);
        Ok(())
    }

    fn records(&self, done: &PairDone) -> [GameRecord; 2] {
        let pair =
            |weights| GameRecord::of_pair(done.number, self.names, done.spec, done.record, weights);
        if let Some(both) = self.constants {
            return GameRecord::with_constants(pair(None), both);
        }
        if let Some([a, b]) = self.options {
            return GameRecord::with_options(pair(None), [a.clone(), b.clone()]);
        }
        let [a, b] = &self.weights;
        let [mut one, mut two] = pair(Some([a.as_slice(), b.as_slice()]));
        if let Some([a, b]) = &self.fingerprints {
            one.sets = Some([a.clone(), b.clone()]);
            two.sets = Some([b.clone(), a.clone()]);
        }
        [one, two]
    }
}
