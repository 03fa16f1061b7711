//! A match within a run: its pairs are kept in batches, and those on record are not played again.

use super::kept_match::{BatchConfig, KeptMatch, Playing};
use super::ledger::{Ledger, Stage};
use super::settings::TuneSettings;
use super::validation::Validation;
use crate::arena::queue::Threads;
use crate::arena::{Book, GameRecord, MatchConfig, MatchEnd, PairDone, PairRunner, Sets};
use crate::error::{Error, Result};
use crate::games::GameId;
use crate::player::Player;
use crate::search::{Limits, SearchConstants, Stop};
use crate::stats::{CapRule, Decision, PairCounts, Summary};
use crate::weights::{Weight, WeightSet};

/// A match that decides about a candidate, or measures it.
pub(super) struct ProofMatch<'a> {
    /// The configuration of the run.
    pub(super) config: &'a TuneSettings,
    /// The threads that play.
    pub(super) threads: &'a Threads,
    /// Once set, no further pair begins.
    pub(super) interrupt: &'a Stop,
    /// The candidate and the player that it must beat.
    pub(super) players: [&'a Player; 2],
    /// Their names in the records of games.
    pub(super) names: [&'static str; 2],
    /// The limits of each move.
    pub(super) limits: Limits,
    /// How long it goes on. The test counts only where there is a rule.
    pub(super) settings: Validation,
    /// What decides when the pairs are used up; `None` in a match that only measures, and plays all
    /// of them.
    pub(super) rule: Option<CapRule>,
    /// The stage that its batches are recorded under.
    pub(super) stage: Stage,
    /// The number of its first batch: those before it belong to earlier matches.
    pub(super) first_batch: u64,
    /// Games of the run before it.
    pub(super) games_before: u64,
}

/// The result of such a match.
pub(super) struct ProofResult {
    /// Its numbers, from the candidate; the verdict is the frozen one.
    pub(super) summary: Summary,
    /// What was decided; `None` where there was no rule, or no pair to play.
    pub(super) decision: Option<Decision>,
    /// The number of the batch after its last one.
    pub(super) next_batch: u64,
}

impl ProofMatch<'_> {
    /// Plays the match, or the rest of it. `given` are the candidate numbers of the book's openings
    /// that earlier matches took; those of this one are added.
    ///
    /// # Errors
    /// When the record belongs to other settings, a batch cannot be kept, or the run is
    /// interrupted.
    pub(super) fn play(
        &self,
        game: GameId,
        book: &mut Book,
        given: &mut Vec<u64>,
        ledger: &mut dyn Ledger,
        on_pair: &mut dyn FnMut(PairCounts),
    ) -> Result<ProofResult> {
        let Validation { pairs, least_pairs, sprt, batch_pairs } = self.settings;
        let sprt = self.rule.map(|_| sprt);
        let least_pairs = least_pairs.min(pairs);
        let config = MatchConfig { least_pairs, ..MatchConfig::new(pairs, sprt) };
        let mut sets = Sets::new();
        let pair = self.config.pair(self.players, self.limits, &mut sets)?;
        let batches = BatchConfig {
            stage: self.stage,
            first_batch: self.first_batch,
            batch_pairs,
            check: self.players.map(Player::fingerprint).join("-"),
            games_before: self.games_before,
        };
        let runner = PairRunner::new(game, Stop::default());
        let mut kept = KeptMatch::new(config, runner, (pair, sets), batches);
        let recorder = Recorder::new(self);
        let playing = Playing {
            threads: self.threads,
            interrupt: self.interrupt,
            to_records: &|done| recorder.records(done),
        };
        let end = kept.play(&playing, book, given, ledger, &mut |done| {
            on_pair(done.counts);
            Ok(())
        })?;
        if end == MatchEnd::Stopped {
            return Err(Error::interrupted("match", "stopped early"));
        }
        let tracker = kept.game_match().tracker().filter(|tracker| tracker.counts().pairs() > 0);
        let decision = tracker.zip(self.rule).map(|(tracker, rule)| Decision::of(tracker, rule));
        let summary = kept.game_match().summary();
        Ok(ProofResult { summary, decision, next_batch: kept.next_batch() })
    }
}

/// Makes the records of games.
struct Recorder<'a> {
    names: [&'static str; 2],
    weights: [Vec<i32>; 2],
    /// The constants that meet, where these make the difference.
    constants: Option<[&'a SearchConstants; 2]>,
    /// The fingerprints of the sets with tables, whose weights are not in the records.
    fingerprints: Option<[String; 2]>,
}

impl<'a> Recorder<'a> {
    fn new(proof: &ProofMatch<'a>) -> Self {
        let single =
            |set: &WeightSet| set.weights.iter().filter_map(|(name, _)| set.one(name)).collect();
        let is_table =
            |set: &&WeightSet| set.weights.iter().any(|(_, w)| matches!(w, Weight::Table(_)));
        let [a, b] = proof.players;
        let sets = [&a.weights, &b.weights];
        Self {
            names: proof.names,
            weights: sets.map(single),
            constants: (a.constants != b.constants).then_some([&a.constants, &b.constants]),
            fingerprints: sets.iter().any(is_table).then(|| sets.map(WeightSet::fingerprint)),
        }
    }

    fn records(&self, done: &PairDone) -> [GameRecord; 2] {
        let pair =
            |weights| GameRecord::of_pair(done.number, self.names, done.spec, done.record, weights);
        if let Some(both) = self.constants {
            return GameRecord::with_constants(pair(None), both);
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
