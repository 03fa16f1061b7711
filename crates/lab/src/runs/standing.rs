//! The state of a run, by the lines of its journal.

use crate::run::journal::Event;
use crate::run::{JournalLine, TournamentWork, Work};
use crate::stats::{PairCounts, PairingResult, Rating, rate};
use crate::tournament::TournamentSettings;
use crate::tune::{BatchSummary, Stage, TuneSettings, Verdicts};
use std::collections::{BTreeMap, VecDeque};

/// The speed is measured over this many seconds of play before the last line.
const SPEED_WINDOW: f64 = 300.0;
/// The most lines from which the speed is measured.
const MOST_TIMES: usize = 1_000;

/// The state of a run. Except for a tournament, the last lines of its journal suffice to
/// reconstruct it.
#[derive(Clone, Debug)]
pub(super) struct RunStanding {
    /// Games planned in each stage: the tune, the validation at its shortest, all yardsticks.
    planned: [u64; 3],
    /// The opponent of a running tune's answers; the second player of a match.
    against: String,
    /// The matches of a tournament.
    matches: Option<TournamentSettings>,
    /// Whether it is a tune in rounds.
    has_rounds: bool,
    is_played: bool,
    games: u64,
    /// Games before the round whose positions are being kept.
    games_before: u64,
    stage: Option<Stage>,
    latest: BatchSummary,
    /// The match of the validation as far as it is played.
    validated: Option<BatchSummary>,
    /// The pairs of each match of a tournament so far, by its number.
    pairs: BTreeMap<u64, PairCounts>,
    result: Option<Verdicts>,
    failure: Option<String>,
    time: Option<String>,
    /// The seconds of work and the games at the start and at the latest lines.
    times: VecDeque<(f64, u64)>,
}

impl RunStanding {
    /// The standing of a run before the first line.
    pub(super) fn new<P>(work: &Work<P>) -> Self {
        let (planned, against) = match work {
            Work::Tune(tune) => (of_tune(&tune.config), tune.config.method().probed_against()),
            Work::Tournament(TournamentWork { config, .. }) => (
                [config.all_pairs().saturating_mul(2), 0, 0],
                config.players.get(1).map_or("", |player| &player.name),
            ),
        };
        Self {
            planned,
            against: against.into(),
            matches: work.tournament().map(|tournament| tournament.config.clone()),
            has_rounds: work.tune().is_some_and(|tune| tune.config.method().has_rounds()),
            is_played: false,
            games: 0,
            games_before: 0,
            stage: None,
            latest: BatchSummary::default(),
            validated: None,
            pairs: BTreeMap::new(),
            result: None,
            failure: None,
            time: None,
            times: VecDeque::from([(0.0, 0)]),
        }
    }

    /// Whether these last lines of a journal suffice to reconstruct the state.
    pub(super) fn is_told_by(&self, lines: &[JournalLine]) -> bool {
        // The batches against the yardsticks do not hold the result of the validation.
        let tells = |line: &JournalLine| matches!(&line.event, Event::Batch(batch) if batch.stage != Stage::Yardstick);
        self.tournament().is_none() && lines.iter().any(tells)
    }

    /// Takes one more line into account.
    pub(super) fn add(&mut self, line: &JournalLine) {
        self.failure = None;
        match &line.event {
            Event::Batch(batch) => {
                self.stage = Some(batch.stage);
                self.games = batch.summary.games;
                self.games_before = self.games;
                self.latest = batch.summary.clone();
                if let Some(tournament) = self.tournament() {
                    self.pairs.insert(tournament.match_of(batch.batch), batch.summary.pairs);
                }
                self.is_played =
                    self.matches.as_ref().is_some_and(|matches| matches.is_last(batch));
                if batch.stage == Stage::Validate {
                    self.validated = Some(batch.summary.clone());
                }
            }
            Event::Positions(positions) => self.games = self.games_before + positions.games,
            Event::Fit(_) => self.games_before = self.games,
            Event::Round(_) | Event::Engine(_) => {}
            Event::Failure(error) => self.failure = Some(error.clone()),
            Event::Result(verdicts) => self.result = Some(verdicts.clone()),
        }
        self.time = Some(line.time.clone());
        if let Some(worked) = line.worked {
            self.times.push_back((worked.as_secs_f64(), self.games));
        }
        while self.times.len() > MOST_TIMES
            || self.span().is_some_and(|(begin, end)| end - begin > SPEED_WINDOW)
        {
            self.times.pop_front();
        }
    }

    fn span(&self) -> Option<(f64, f64)> {
        Some((self.times.front()?.0, self.times.back()?.0))
    }

    /// Whether the candidate was accepted; `None` before the end.
    pub(super) fn accepted(&self) -> Option<bool> {
        self.result.as_ref().map(|result| result.accepted)
    }

    /// The error that the run ended with, if its last line is one.
    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// How many of the planned games are played, without the deciding matches; `None` for a tune in
    /// rounds.
    pub(super) fn tune_games(&self) -> Option<u64> {
        let before = |batch: &BatchSummary| batch.games.saturating_sub(batch.pairs.games());
        match &self.validated {
            _ if self.has_rounds => None,
            Some(match_) => Some(before(match_)),
            None if self.stage == Some(Stage::Yardstick) => None,
            None => Some(self.games),
        }
    }

    /// The Elo of the candidate in its validation, or before that the Elo of the latest batch, with
    /// half the width of its 95 % interval. `None` for a tournament, which has a leader.
    pub(super) fn elo(&self) -> (Option<f64>, Option<f64>) {
        match (&self.result, &self.validated) {
            _ if self.tournament().is_some() => (None, None),
            (Some(result), _) => (result.elo, result.elo_error),
            (None, Some(match_)) => (match_.elo, match_.elo_error),
            (None, None) => (self.latest.elo, self.latest.elo_error),
        }
    }

    /// The strongest player of a tournament so far, by name, and its rating.
    pub(super) fn leader(&self) -> Option<(&str, Rating)> {
        let tournament = self.tournament()?;
        let meetings = (0..).zip(tournament.matches());
        let pairings = meetings.filter_map(|(number, [a, b])| {
            Some(PairingResult { a, b, counts: *self.pairs.get(&number)? })
        });
        let pairings: Vec<_> = pairings.collect();
        let ratings = rate(tournament.players.len(), &pairings).ok()?;
        let leader = *ratings.ranking().first().filter(|_| !pairings.is_empty())?;
        Some((&tournament.players[leader].name, ratings.players()[leader]))
    }

    /// The opponent of that Elo.
    pub(super) fn against(&self) -> Option<String> {
        Some(match self.stage? {
            Stage::Match if self.tournament().is_some() => "the others".into(),
            Stage::Tune | Stage::Match => self.against.clone(),
            Stage::Round => "the best before".into(),
            Stage::Validate | Stage::Yardstick => "the start".into(),
        })
    }

    /// A tournament of several matches, none of which alone shows the state of the run.
    fn tournament(&self) -> Option<&TournamentSettings> {
        self.matches.as_ref().filter(|matches| matches.players.len() > 2)
    }

    /// Whether a match or a tournament has played everything.
    pub(super) fn is_played(&self) -> bool {
        self.is_played
    }

    /// When the last line was written, in UTC.
    pub(super) fn time(&self) -> Option<&str> {
        self.time.as_deref()
    }

    /// Games a second over the last minutes of play.
    pub(super) fn games_per_second(&self) -> Option<f64> {
        let ((begin, before), (end, now)) = (*self.times.front()?, *self.times.back()?);
        let games = now.saturating_sub(before);
        (end > begin && games > 0).then(|| games as f64 / (end - begin))
    }

    /// Seconds until the end, by that speed, if the validation is as short as it may be.
    pub(super) fn seconds_left(&self) -> Option<f64> {
        Some(self.games_left() as f64 / self.games_per_second()?)
    }

    /// Games until the end, if the validation is as short as it may be.
    fn games_left(&self) -> u64 {
        let [tune, validation, yardsticks] = self.planned;
        let played = self.latest.pairs.games();
        match self.stage {
            None | Some(Stage::Tune | Stage::Round | Stage::Match) => {
                tune.saturating_sub(self.games) + validation + yardsticks
            }
            Some(Stage::Validate) => validation.saturating_sub(played) + yardsticks,
            Some(Stage::Yardstick) => {
                let validated = self.validated.as_ref().map_or(0, |match_| match_.games);
                yardsticks.saturating_sub(self.games.saturating_sub(validated))
            }
        }
    }
}

/// Games planned in each stage of a tune.
fn of_tune(config: &TuneSettings) -> [u64; 3] {
    let yardsticks = config.yardsticks.matches().count() as u64 * config.yardsticks.pairs;
    [
        config.planned_games(),
        config.validation.least_pairs.saturating_mul(2),
        yardsticks.saturating_mul(2),
    ]
}
