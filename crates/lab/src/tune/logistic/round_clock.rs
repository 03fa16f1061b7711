//! Plans the rounds of a tune with a time limit: how many follow, and how many games each has.
//!
//! The games grow in proportion to the round's number, as in a tune without a time limit. The clock
//! finds the factor by which all rounds that are left fill the time, from what games, fits and
//! matches have taken until now. It ends the games of a round, plays further rounds while there is
//! time for one that is worth it, and leaves out rounds that would be too small.

use super::schedule::Schedule;
use crate::session::PlanChange;
use crate::stats::PairCounts;
use crate::tune::{TunePace, TuneSettings, Validation};
use std::ops::RangeInclusive;
use std::time::Instant;

/// The least share of the most pairs that a round's match is expected to play: later rounds gain
/// less, and need more pairs than the first.
const EXPECTED_PAIRS: f64 = 0.15;
/// A fit takes as long as this share of the games that it is fitted to before one is measured.
const EXPECTED_FIT: f64 = 1.0;
/// How many times as many pairs as a won round's match promises the validation is expected to
/// play: matches that stop early were lucky.
const LUCK: f64 = 1.5;
/// The least seconds of a round's games whose speed is used.
const MEASURED_SECONDS: f64 = 1.0;
/// The least games of a round, as a share of the mean of the rounds before it.
const LEAST_SHARE: f64 = 0.25;
/// The fewest rounds that are planned at first unless their number is fixed: the first fit tells
/// how long the later ones take.
const LEAST_ROUNDS: u64 = 3;
/// The least games of the first round, unless fewer were planned: a fit needs some.
const LEAST_FIRST: u64 = 256;

/// Seconds of the parts of a round.
#[derive(Clone, Copy, Debug)]
struct RoundCosts {
    /// A game of self-play.
    game: f64,
    /// The fit, for each game whose positions it takes.
    fitted_game: f64,
    /// The match against the best set.
    judge: f64,
}

/// The games of the rounds of a tune that has some, by the trial before it.
pub fn rounds_within(pace: TunePace, settings: &TuneSettings) -> Option<PlanChange> {
    let schedule = settings.schedule()?;
    Some(RoundClock::new(pace, settings, &schedule).plan_after(&[]))
}

/// Plans the rounds by the time left.
pub(super) struct RoundClock<'a> {
    pace: TunePace,
    settings: &'a TuneSettings,
    schedule: Schedule,
    costs: RoundCosts,
    /// How many times as long as in the trial a game of the latest match took.
    slower: f64,
    /// The rounds' matches that were played, and their pairs.
    judged: [u64; 2],
    /// The least pairs that a round's match is expected to play.
    least_judged: f64,
    /// The pairs that the validation is expected to play.
    validation_pairs: f64,
    /// When the part of the round that is under way began.
    since: Instant,
    /// The games of the round under way in the plan on record.
    noted_games: u64,
    /// The newest plan.
    plan: Vec<u64>,
}

impl<'a> RoundClock<'a> {
    /// A clock for the rounds of a tune, which begin now.
    pub(super) fn new(pace: TunePace, settings: &'a TuneSettings, schedule: &Schedule) -> Self {
        let match_ = schedule.round_match(settings.games, &settings.validation);
        let costs = RoundCosts {
            game: pace.of_steps,
            fitted_game: EXPECTED_FIT * pace.of_steps,
            judge: 0.0,
        };
        Self {
            pace,
            settings,
            schedule: Schedule { timed: Vec::new(), ..schedule.clone() },
            costs,
            slower: 1.0,
            judged: [0; 2],
            least_judged: EXPECTED_PAIRS * match_.pairs as f64,
            validation_pairs: TunePace::expected_pairs(settings),
            since: Instant::now(),
            noted_games: 0,
            plan: Vec::new(),
        }
    }

    /// The next part of the round begins.
    pub(super) fn begin(&mut self) {
        self.since = Instant::now();
    }

    /// The games of a round begin; the plan on record has `noted` of them.
    pub(super) fn begin_games(&mut self, noted: u64) {
        self.noted_games = noted;
        self.begin();
    }

    /// A fit to the positions of `games` games is done.
    pub(super) fn end_fit(&mut self, games: u64) {
        self.costs.fitted_game = self.since.elapsed().as_secs_f64() / games.max(1) as f64;
    }

    /// A round's match is over. A won one tells how soon the validation may be decided.
    pub(super) fn end_match(&mut self, pairs: &PairCounts, accepted: bool) {
        if let Some(promised) = promised_pairs(&self.settings.validation, pairs)
            && accepted
        {
            self.validation_pairs = self.validation_pairs.min(promised);
        }
        let games = pairs.games();
        let seconds = self.since.elapsed().as_secs_f64();
        self.judged = [self.judged[0] + 1, self.judged[1] + pairs.pairs()];
        self.slower = seconds / (games as f64 * self.pace.at_limits).max(f64::MIN_POSITIVE);
    }

    /// The games of the round that follows those in `done`, if `games` of them are played: as many
    /// as that once it is over. With them comes the change of the plan that must be noted before
    /// `ahead` further games of the round are on record, so that a resume plays the same ones.
    pub(super) fn games_of_round(
        &mut self,
        done: &[u64],
        games: u64,
        ahead: u64,
    ) -> (u64, Option<PlanChange>) {
        let seconds = self.since.elapsed().as_secs_f64();
        if seconds >= MEASURED_SECONDS {
            self.costs.game = seconds / games.max(1) as f64;
        }
        self.plan = self.sizes(done, Some(games));
        let all = self.plan.get(done.len()).copied().unwrap_or(games);
        let noted = self.noted_games;
        let is_due = if all == games { noted != all } else { noted < all && noted < games + ahead };
        let change = is_due.then(|| {
            self.noted_games = all;
            self.noted()
        });
        (all, change)
    }

    /// The games of all rounds, once those in `done` are over.
    pub(super) fn plan_after(&mut self, done: &[u64]) -> PlanChange {
        self.plan = self.sizes(done, None);
        self.noted()
    }

    fn noted(&self) -> PlanChange {
        PlanChange { round_games: Some(self.plan.clone()), ..PlanChange::default() }
    }

    /// The games of all rounds that fit into the time, if `under_way` of the round after those in
    /// `done` are played, or it has not begun.
    fn sizes(&self, done: &[u64], under_way: Option<u64>) -> Vec<u64> {
        let proof = self.pace.proof_of(self.validation_pairs, self.settings, self.slower);
        let left = self.pace.left() - proof;
        let is_fixed = self.schedule.rounds.is_some();
        let rounds = self.schedule.rounds_at_first(self.settings.games);
        let rounds = if is_fixed { rounds } else { rounds.max(LEAST_ROUNDS) };
        let planned = self.schedule.round_games(self.settings.games, 1);
        // Both sides of the next match play about like the player of the games before it.
        let mean = self.judged[1] as f64 / self.judged[0].max(1) as f64;
        let judge = 2.0 * mean.max(self.least_judged) * self.costs.game;
        let plan = RoundPlan {
            schedule: &self.schedule,
            costs: RoundCosts { judge, ..self.costs },
            rounds: (rounds, is_fixed),
            least_first: planned.min(LEAST_FIRST),
            done,
            left,
        };
        plan.sizes(under_way)
    }
}

/// The pairs after which the validation of a set may be decided that won a round's match with this
/// result; `None` if the result does not favour it.
fn promised_pairs(validation: &Validation, won: &PairCounts) -> Option<f64> {
    let llr = validation.sprt.llr(won).filter(|&llr| llr > 0.0)?;
    let pairs = LUCK * validation.sprt.upper() * won.pairs() as f64 / llr;
    Some(pairs.max(validation.least_pairs as f64))
}

/// What a plan of the rounds is made from.
struct RoundPlan<'a> {
    schedule: &'a Schedule,
    costs: RoundCosts,
    /// The rounds that were planned at first, and whether there can be no more.
    rounds: (u64, bool),
    /// The least games of the first round.
    least_first: u64,
    /// The games of the rounds that are over.
    done: &'a [u64],
    /// Seconds for the rounds.
    left: f64,
}

impl RoundPlan<'_> {
    /// The games of all rounds, if `under_way` of the next one are played, or it has not begun.
    fn sizes(&self, under_way: Option<u64>) -> Vec<u64> {
        let (rounds, is_fixed) = self.rounds;
        let next = self.done.len() as u64 + 1;
        let mean = self.done.iter().sum::<u64>() as f64 / self.done.len().max(1) as f64;
        let least = LEAST_SHARE * mean;
        if under_way.is_none() && is_fixed && next > rounds {
            return self.done.to_vec();
        }
        let played = under_way.unwrap_or(0);
        let mut last = rounds.max(next);
        let factor = loop {
            let factor = self.factor(next..=last, played);
            if last == next || factor * next as f64 >= least {
                break factor;
            }
            last -= 1;
        };
        if under_way.is_none() && factor * (next as f64) < least {
            return self.done.to_vec();
        }
        let size = |round: u64| ((factor * round as f64) as u64).max(1);
        let first = size(next).max(played).max(if next == 1 { self.least_first } else { 1 });
        let later = (next + 1..=last).map(size);
        self.done.iter().copied().chain([first]).chain(later).collect()
    }

    /// The games of a round, divided by its number, with which these rounds fill the time.
    /// `played` games of the first of them are played.
    fn factor(&self, rounds: RangeInclusive<u64>, played: u64) -> f64 {
        let RoundCosts { game, fitted_game, judge } = self.costs;
        let (mut new_games, mut fitted, mut fitted_before, mut matches) = (0.0, 0.0, 0.0, 0.0);
        for round in rounds {
            new_games += round as f64;
            matches += judge;
            for of in self.schedule.fitted_rounds(round) {
                match usize::try_from(of - 1).ok().and_then(|index| self.done.get(index)) {
                    Some(&games) => fitted_before += games as f64,
                    None => fitted += of as f64,
                }
            }
        }
        let left = self.left + game * played as f64 - fitted_game * fitted_before - matches;
        (left / (game * new_games + fitted_game * fitted).max(f64::MIN_POSITIVE)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::FittingPlan;

    const COSTS: RoundCosts = RoundCosts { game: 0.01, fitted_game: 0.002, judge: 3.0 };

    /// The sizes of the rounds after some are done, and the seconds that those left take.
    fn planned(
        rounds: (u64, bool),
        done: &[u64],
        left: f64,
        under_way: Option<u64>,
    ) -> (Vec<u64>, f64) {
        let plan: FittingPlan = FittingPlan::default();
        let schedule = plan.schedule();
        let plan =
            RoundPlan { schedule: &schedule, costs: COSTS, rounds, least_first: 256, done, left };
        let sizes = plan.sizes(under_way);
        let of_games = sizes[done.len()..].iter().sum::<u64>() - under_way.unwrap_or(0);
        let mut seconds = COSTS.game * of_games as f64;
        for round in done.len() + 1..=sizes.len() {
            let fitted = schedule.fitted_rounds(round as u64).map(|of| sizes[of as usize - 1]);
            seconds += COSTS.judge + COSTS.fitted_game * fitted.sum::<u64>() as f64;
        }
        (sizes, seconds)
    }

    #[test]
    fn the_rounds_that_are_left_fill_the_time() {
        let cases: [(u64, &[u64], f64, Option<u64>); 5] = [
            (6, &[], 600.0, Some(0)),
            (6, &[], 600.0, Some(500)),
            (6, &[900, 2000], 300.0, None),
            (2, &[4000, 9000], 100.0, None),
            (1, &[], 60.0, Some(100)),
        ];
        for (rounds, done, left, under_way) in cases {
            let (sizes, seconds) = planned((rounds, false), done, left, under_way);
            assert!((seconds - left).abs() < 0.02 * left, "{sizes:?} take {seconds} of {left} s");
            assert!(sizes[done.len()..].is_sorted(), "{sizes:?}");
        }
    }

    #[test]
    fn rounds_end_where_a_further_one_would_be_too_small() {
        let done = [4000, 9000];
        // Too little time for six rounds, and enough for some.
        let (sizes, seconds) = planned((6, false), &done, 60.0, None);
        assert!((3..6).contains(&sizes.len()) && seconds < 61.0, "{sizes:?} take {seconds} s");
        // No time for any.
        assert_eq!(planned((6, false), &done, 10.0, None).0, done);
        assert_eq!(planned((2, false), &done, -5.0, None).0, done);
        // A number of rounds that was asked for is never exceeded.
        assert_eq!(planned((2, true), &done, 900.0, None).0, done);
    }

    #[test]
    fn a_round_won_by_much_promises_a_short_validation() {
        let validation = Validation::usual(1_000).unwrap();
        let promised = |counts| promised_pairs(&validation, &PairCounts::from_array(counts));
        assert_eq!(promised([5, 0, 40, 0, 55]), Some(validation.least_pairs as f64));
        let narrow = promised([95, 0, 300, 0, 110]).unwrap();
        assert!(narrow > 2.0 * validation.least_pairs as f64, "{narrow}");
        assert_eq!(promised([50, 0, 40, 0, 10]), None);
    }

    #[test]
    fn a_round_never_has_fewer_games_than_it_has_played() {
        assert_eq!(planned((1, false), &[], -100.0, Some(700)).0, [700]);
        assert_eq!(planned((1, false), &[], -100.0, Some(3)).0, [256]);
        assert_eq!(planned((3, false), &[5000], -1.0, Some(40)).0, [5000, 40]);
    }
}
