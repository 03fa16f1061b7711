//! The steps of SPSA as a source of pairs.

mod notes;

use super::faults::{FaultWatch, forfeits, void_pair};
use super::opponents::{TuneOpponents, is_quick};
use super::pace::StepClock;
use crate::arena::{
    Book, ForfeitWatch, GameEnding, GameRecord, MOST_REPEATS, PairSpec, PlayerBody, RepeatWatch,
};
use crate::error::{Error, Result};
use crate::search::Limits;
use crate::session::{
    Batch, BatchRecord, BatchSummary, Learned, PairDone, PlanChange, Source, Stage,
};
use crate::tune::{Observer, Progress, Space, Spsa};
use crate::weights::Fnv;
use std::collections::VecDeque;

/// A pair to be played: the weights, or the constants of the search, of its two sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// All weights of both players in the order of the feature list, all their constants in the
    /// order of the constants, or all their knobs if these are options.
    pub values: [Vec<f64>; 2],
    /// Which opening of the batch is played: duels with the same number share one.
    pub opening: usize,
    /// Whether the current answer meets the start, for the running estimate. Such probes are at the
    /// end of a batch.
    pub probe: bool,
}

/// A step that is begun and not yet learned.
struct Step {
    number: u64,
    duels: Vec<Duel>,
    /// The place of the first probe: probes stand at the end.
    probes: usize,
}

/// The steps of SPSA, each a batch of pairs.
pub(super) struct SpsaSource<'a> {
    pub(super) spsa: Spsa,
    pub(super) space: Space,
    /// The pair of the start against itself, without an opening.
    pub(super) pair: PairSpec,
    /// The opponents, and the number of external engines that are ready.
    pub(super) opponents: Option<TuneOpponents>,
    pub(super) engines: usize,
    /// The limits of quick pairs, if there are some, and their share.
    pub(super) quick_limits: Option<Limits>,
    pub(super) quick_pairs: f64,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) progress: Progress,
    steps: VecDeque<Step>,
    /// The number of the next step.
    next: u64,
    /// The results of the oldest step so far.
    scores: Vec<Option<u8>>,
    forfeited_pairs: u64,
    /// The progress after each step that is not safe yet.
    untold: VecDeque<Progress>,
    watch: ForfeitWatch,
    faults: FaultWatch,
    /// Whether any pair was not void.
    has_learned: bool,
    /// The pairs of the tuned engine, and the digests of the oldest step's.
    repeats: RepeatWatch,
    digests: Vec<u64>,
    /// Whether forfeits of the tuned engine end the tune once they are too many.
    pub(super) may_stop: bool,
    /// Ends the steps where the tune has a time.
    pub(super) clock: Option<StepClock<'a>>,
    /// The games before the steps, and of one step.
    games_before: u64,
    games_of_step: u64,
    /// The games of the fit before the steps, without its match, as the manifest counts them.
    pub(super) games_of_fit: u64,
    /// The steps on record as planned.
    noted: u64,
}

impl<'a> SpsaSource<'a> {
    /// A source before the first step of a tune, without opponents and quick pairs.
    pub(super) fn new(
        spsa: Spsa,
        space: Space,
        pair: PairSpec,
        progress: Progress,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            clock: None,
            games_before: progress.games,
            games_of_fit: progress.games,
            games_of_step: spsa.games_of_batch(),
            noted: spsa.batches(),
            spsa,
            space,
            pair,
            opponents: None,
            engines: 0,
            quick_limits: None,
            quick_pairs: 0.0,
            observer,
            progress,
            steps: VecDeque::new(),
            next: 0,
            scores: Vec::new(),
            forfeited_pairs: 0,
            untold: VecDeque::new(),
            watch: ForfeitWatch::default(),
            faults: FaultWatch::default(),
            has_learned: false,
            repeats: RepeatWatch::default(),
            digests: Vec::new(),
            may_stop: true,
        }
    }

    /// The plan, if it is not the one on record.
    pub(super) fn unnoted(&self) -> Option<PlanChange> {
        (self.spsa.batches() != self.noted).then(|| self.plan())
    }

    /// The games of the tune with all steps that are planned.
    fn planned_games(&self) -> u64 {
        self.games_before + self.games_of_step * self.spsa.batches()
    }

    fn plan(&self) -> PlanChange {
        let games = self.games_of_fit + self.games_of_step * self.spsa.batches();
        PlanChange { games: Some(games), ..PlanChange::default() }
    }

    /// Plans the steps that fit into the time of the tune, if it has one.
    fn keep_time(&mut self) {
        let [begun, done] = self.spsa.progress();
        let Some(clock) = &mut self.clock else { return };
        self.spsa.end_after(clock.steps(done, begun));
        self.progress.planned = self.planned_games();
    }

    /// Learns the oldest step.
    fn learn_step(&mut self, scores: &[Option<u8>]) {
        let Some(step) = self.steps.pop_front() else { return };
        self.has_learned |= scores.iter().any(Option::is_some);
        for (index, pair_score) in scores.iter().enumerate().skip(step.probes) {
            let Some(pair_score) = *pair_score else { continue };
            if self.opponent(&step, index).is_none() {
                self.progress.add_probe(pair_score);
            }
        }
        self.progress.games += 2 * scores.len() as u64;
        self.spsa.tell(scores);
        self.progress.learn(self.spsa.posterior());
    }

    /// Learns the oldest step once all its pairs are known.
    fn end_of_step(&mut self) -> Option<BatchSummary> {
        let pairs = self.steps.front().map_or(0, |step| step.duels.len());
        if self.scores.len() < pairs {
            return None;
        }
        let scores = std::mem::take(&mut self.scores);
        self.progress.played += 2 * pairs as u64;
        self.progress.forfeited_pairs += std::mem::take(&mut self.forfeited_pairs);
        self.learn_step(&scores);
        self.untold.push_back(self.progress.clone());
        let digests = std::mem::take(&mut self.digests);
        Some(BatchSummary { digests, ..self.progress.summary() })
    }

    /// Whether the options of an external engine are tuned.
    fn tunes_engine(&self) -> bool {
        matches!(self.pair.players[0].body, PlayerBody::Engine(_))
    }

    /// Notes the pairs with these digests.
    fn note_digests(&mut self, digests: &[u64]) {
        digests.iter().for_each(|&digest| {
            self.repeats.add(digest);
        });
    }

    /// The error that ends the tune for good: its pairs have become repeats, or all of them were void.
    pub(super) fn end_for_good(&self) -> Result<()> {
        match self.spsa.is_done() && !self.has_learned && self.next > 0 {
            true => Err(self.faults.all_void()),
            false => self.end_on_repeats(),
        }
    }

    /// The error that ends the tune for good once its pairs have become repeats.
    fn end_on_repeats(&self) -> Result<()> {
        if !self.repeats.is_over() || self.spsa.is_done() {
            return Ok(());
        }
        let reason = format!(
            "{MOST_REPEATS} pairs in a row repeated earlier ones move by move ({} different ones so far), so more of them teach nothing",
            self.repeats.distinct()
        );
        Err(Error::failed("tuned engine", reason)
            .remedy(format!("start again: {}", crate::report::words::repeats_remedy())))
    }
}

impl Source for SpsaSource<'_> {
    fn name(&self) -> &'static str {
        "tune"
    }

    fn stage(&self) -> Stage {
        Stage::Tune
    }

    fn ask(&mut self, is_replay: bool) -> Option<Batch> {
        if !is_replay {
            self.keep_time();
        }
        let duels = self.spsa.ask()?;
        let (pairs, check) = (duels.len() as u64, fingerprint(&duels));
        let probes = duels.iter().position(|duel| duel.probe).unwrap_or(duels.len());
        self.steps.push_back(Step { number: self.next, duels, probes });
        self.next += 1;
        Some(Batch { pairs, check })
    }

    fn replanned(&mut self) -> Option<PlanChange> {
        let [begun, _] = self.spsa.progress();
        if begun <= self.noted {
            return None;
        }
        self.noted = self.spsa.batches();
        Some(self.plan())
    }

    fn is_done(&self) -> bool {
        self.spsa.is_done()
    }

    /// The external engines must be there.
    fn check_playable(&self, batch: u64) -> Result<()> {
        self.end_on_repeats()?;
        let opponents = self.opponents.as_ref().map_or(0, TuneOpponents::engines);
        let wanted = opponents + usize::from(self.tunes_engine());
        if self.engines == wanted {
            return Ok(());
        }
        let reason =
            format!("not on record, and {} of its {wanted} engines are there", self.engines);
        Err(Error::input(format!("batch {batch} of the tune"), reason)
            .remedy("if the run is past its tune, its journal has been edited: restore it"))
    }

    fn pair(&self, batch: u64, index: u64) -> PairSpec {
        let mut spec = self.pair.clone();
        let Some(step) = self.steps.iter().find(|step| step.number == batch) else { return spec };
        let place = index as usize;
        let Some(duel) = step.duels.get(place) else { return spec };
        let limits = self.quick_limits.filter(|_| is_quick(self.quick_pairs, index));
        for (player, values) in spec.players.iter_mut().zip(&duel.values) {
            self.space.apply(values, player);
            player.limits = limits.unwrap_or(player.limits);
        }
        let met = self.opponent(step, place);
        spec.opponent = met.and_then(|(place, side)| self.opponents.as_ref()?.against(place, side));
        spec
    }

    fn recall(&mut self, record: &BatchRecord, _: &Book) {
        self.progress.forfeited_pairs = record.summary.forfeited_pairs;
        for pair in 0..record.points.len() {
            let void = record.void.iter().find(|&&(place, _)| place == pair);
            self.faults.add_pair(void.map_or(0, |&(_, games)| games));
        }
        self.note_digests(&record.summary.digests);
        self.learn_step(&record.scores());
        self.observer.on_batch(&self.progress);
    }

    fn take_up(
        &mut self,
        record: &BatchRecord,
        games: &[GameRecord],
        _: &Book,
    ) -> Option<BatchSummary> {
        let tunes_engine = self.tunes_engine();
        let of_pairs = games.chunks(2).map(|pair| void_pair(pair, tunes_engine));
        let scores = record.points.iter().zip(of_pairs).map(|(&score, void)| {
            self.faults.add_pair(void.unwrap_or(0));
            void.is_none().then_some(score)
        });
        self.scores = scores.collect();
        self.note_digests(&record.summary.digests);
        self.digests.clone_from(&record.summary.digests);
        self.forfeited_pairs = games.chunks(2).filter(|pair| forfeits(pair) > 0).count() as u64;
        self.end_of_step()
    }

    fn records(&mut self, pair: &PairDone) -> [GameRecord; 2] {
        let step = self.steps.front();
        let duel = step.and_then(|step| step.duels.get(pair.index as usize));
        let mut records = self.games(duel, pair);
        if let Some((place, side)) = step.and_then(|step| self.opponent(step, pair.index as usize))
        {
            self.note_opponent(place, side, &mut records);
        }
        records
    }

    fn learn(&mut self, pair: &PairDone) -> Learned {
        let met = self.steps.front().and_then(|step| self.opponent(step, pair.index as usize));
        let fault =
            met.map_or(Ok(()), |(place, side)| self.watch_opponent(place, side, pair.record));
        let forfeits: u64 = pair.record.forfeits().iter().sum();
        let is_void = pair.record.referee_fault().is_some()
            || (self.tunes_engine() && (forfeits > 0 || pair.record.is_late_on_both_sides()));
        let fault = fault.and(self.watch.count_referee(pair.record));
        if let Some(fault) = pair.record.referee_fault() {
            self.observer.on_forfeit("the referee", GameEnding::Forfeit, fault);
        }
        if self.tunes_engine() {
            let digest = pair.record.digest(pair.opening);
            self.repeats.add(digest);
            self.digests.push(digest);
        }
        self.scores.push((!is_void).then(|| pair.record.pair_score()));
        self.note_faults(pair);
        self.forfeited_pairs += u64::from(forfeits > 0);
        let ended = self.end_of_step();
        let too_many = match ended.is_some() && self.may_stop {
            true => self.faults.check(&self.space).map_or(Ok(()), Err),
            false => Ok(()),
        };
        let repeats = if ended.is_some() { self.end_on_repeats() } else { Ok(()) };
        Learned { ended, fault: fault.and(too_many).and(repeats) }
    }

    fn summary(&self) -> BatchSummary {
        BatchSummary { digests: self.digests.clone(), ..BatchSummary::default() }
    }

    fn void(&self, games: &[GameRecord]) -> Vec<(usize, u8)> {
        let tunes_engine = self.tunes_engine();
        let pairs = games.chunks(2).map(|pair| void_pair(pair, tunes_engine)).enumerate();
        pairs.filter_map(|(pair, void)| void.map(|games| (pair, games))).collect()
    }

    fn on_kept(&mut self, _: &BatchRecord) {
        if let Some(progress) = self.untold.pop_front() {
            self.observer.on_batch(&progress);
        }
    }
}

/// A short digest of the numbers in a batch.
fn fingerprint(duels: &[Duel]) -> String {
    let mut hash = Fnv::default();
    for duel in duels {
        for &value in duel.values.iter().flatten() {
            let whole = value as i32;
            match f64::from(whole) == value {
                true => hash.bytes(&whole.to_le_bytes()),
                false => hash.bytes(&value.to_le_bytes()),
            }
        }
        hash.bytes(&(duel.opening as u64).to_le_bytes());
    }
    hash.digits()
}
