//! A fit first, then matches from there: the games of the fit say much about each weight, but the
//! best predictor is not the best player; matches close the gap.
//!
//! The start plays the games of one round (see [`rounds`](super::logistic::rounds)), the tuned
//! weights are fitted to their positions together with the weights that hold the scale, and a short
//! match against the start decides whether the optimizer begins with the fit or with the start. The
//! fit's own errors are no prior for the matches: they are far smaller than the way from the best
//! prediction to the best play (docs/measurements/archive/2026-11-23-joined.md).
//!
//! The options of an external engine are fitted in a command of their own (see
//! [`option_fit`](super::option_fit)); the matches of a tune begin with its answer too.

use super::logistic::config::FitConfig;
use crate::arena::BookConfig;
use crate::error::{Error, Result};
use crate::game::openings::MOST_OPENING_PLIES;
use crate::games::GameId;
use crate::player::Player;
use crate::tune::{FittingPlan, MatchPlan, Plan, SelfPlay, TuneSettings};
use crate::weights::{Weight, WeightSet};
use serde::{Deserialize, Serialize};

/// The share of a joined tune's games that the fit takes by default.
const FIT_SHARE: f64 = 0.2;
/// A fit to fewer games is too poor, so by default short tunes begin with the start.
const LEAST_FIT_GAMES: u64 = 400;
/// By default the games of the fit begin with at most this many times the random plies of the
/// pairs: weights that know such positions do not fail where self-play would never have led
/// (docs/measurements/archive/2026-11-24-opponents.md).
const TIMES_THE_PLIES: u32 = 4;
/// On small boards there are fewer plies, or nothing would be left to learn: half of this number of
/// random games must last twice as long (docs/measurements/archive/2026-11-27-fit-plies.md).
const TRIED_GAMES: u64 = 400;
/// Pairs of the match of the fit against the start.
const MATCH_PAIRS: u64 = 200;

/// A joined tune's values in place of SPSA's defaults: with them it was the strongest
/// (docs/measurements/archive/2026-11-23-joined.md, 2026-11-24-opponents.md).
pub struct JoinedDefaults;

impl JoinedDefaults {
    /// Half the distance between the sides of a pair, as a share of a weight's range.
    pub const C: f64 = 0.06;
    /// The share of the limits at which the quick pairs are played.
    pub const QUICK_SHARE: f64 = 0.3;
    /// The share of the quick pairs where weights are tuned. All of them are against the opponents.
    /// Such a pair tells half as much about the difference between its sides, so both kinds have
    /// the same weight in all.
    pub const QUICK_PAIRS: f64 = 0.667;
    /// The default opponent of tunes of weights: the count of pieces.
    pub const OPPONENT: &str = "piece";
    /// The share of the pairs in which it takes part.
    pub const OPPONENT_SHARE: f64 = 0.667;
}

/// The fit before the matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FitFirst {
    /// Games that are played for it; they count among the games of the tune.
    pub games: u64,
    /// The random plies that open each of them; by default as many as in a tune by fitting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// Weight of the search score in the target of the fit; by default as in a tune by fitting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<f64>,
}

impl FitFirst {
    /// The default weight of the search's score: results alone are a poor target for single
    /// weights.
    pub const BLEND: f64 = 0.9;

    /// A fit to `games` games, in a tune whose pairs begin with the openings of this book.
    pub fn new(games: u64, game: GameId, book: &BookConfig) -> Self {
        Self { games, plies: Some(usual_plies(game, book)), blend: Some(Self::BLEND) }
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// When one is out of range.
    pub(super) fn check(&self) -> Result<()> {
        if let Some(plies) = self.plies.filter(|&plies| plies > MOST_OPENING_PLIES) {
            return Err(Error::input("plies of the fit's games", format!("{plies} are too many"))
                .remedy(format!("give at most {MOST_OPENING_PLIES} with --fit-plies")));
        }
        if let Some(blend) = self.blend.filter(|blend| !(0.0..=1.0).contains(blend)) {
            let reason = format!("{blend} is out of range");
            return Err(Error::input("search's share in the fit", reason)
                .remedy("give 0 to 1 with --fit-blend"));
        }
        Ok(())
    }

    /// The default number of games of the fit in a tune of `games` games; `None` if there is no
    /// fit.
    pub fn usual_games(games: u64) -> Option<u64> {
        let games = (games as f64 * FIT_SHARE) as u64;
        (games >= LEAST_FIT_GAMES).then_some(games)
    }
}

/// The random plies that open the games of a fit by default.
fn usual_plies(game: GameId, book: &BookConfig) -> u32 {
    let most = book.plies.saturating_mul(TIMES_THE_PLIES).min(MOST_OPENING_PLIES);
    let Ok(start) = book.board.parse().and_then(|board| game.start(board)) else { return most };
    let is_too_long = |plies: u32| {
        let lines = BookConfig { plies: 2 * plies, seed: 0, ..book.clone() };
        let undecided = (0..TRIED_GAMES).filter(|&n| lines.candidate(&start, n).is_some()).count();
        (undecided as u64) < TRIED_GAMES / 2
    };
    // A game that is over after some plies is over after more.
    let (mut enough, mut beyond) = (book.plies.min(most), most + 1);
    while enough + 1 < beyond {
        let middle = enough.midpoint(beyond);
        *if is_too_long(middle) { &mut beyond } else { &mut enough } = middle;
    }
    enough
}

impl TuneSettings {
    /// The configuration of the fit before the matches, if there is one.
    pub fn fit_first(&self, start: &Player) -> Option<Self> {
        let plan = self.matches()?;
        let &FitFirst { games, plies, blend } = plan.fit_first.as_ref()?;
        let limits = plan.quick_limits(&self.limits).unwrap_or(self.limits);
        let only = plan.knobs.iter().map(|knob| knob.name.clone());
        let fit = FitConfig {
            only: only.chain(anchors(&start.weights, plan).map(|(name, _)| name.into())).collect(),
            blend,
            ..FitConfig::default()
        };
        let plan = FittingPlan {
            rounds: Some(1),
            round_pairs: Some(MATCH_PAIRS),
            self_play: SelfPlay { least_plies: plies, most_plies: plies, ..SelfPlay::default() },
            fit,
            ..FittingPlan::default()
        };
        Some(Self { games, limits, plan: Plan::Fitting(Box::new(plan)), ..self.clone() })
    }
}

impl MatchPlan {
    /// This plan with the knobs starting at the values of a fit to an engine's options; `None` if
    /// there are none.
    pub(super) fn begun_at_fitted(&self) -> Option<Self> {
        self.knobs.iter().find(|knob| knob.fitted.is_some())?;
        let mut plan = self.clone();
        for knob in &mut plan.knobs {
            knob.start = knob.fitted.unwrap_or(knob.start);
        }
        Some(plan)
    }

    /// This plan with the knobs starting at the values of a fitted set, as far as their bounds
    /// allow.
    pub(super) fn begun_at(&self, fitted: &WeightSet) -> Self {
        let mut plan = self.clone();
        for knob in &mut plan.knobs {
            if let Some(value) = fitted.one(&knob.name) {
                knob.start = f64::from(value).clamp(knob.min, knob.max);
            }
        }
        plan
    }
}

/// The single weights that are not tuned and not 0: they hold the scale.
fn anchors<'a>(
    start: &'a WeightSet,
    plan: &'a MatchPlan,
) -> impl Iterator<Item = (&'a str, f64)> + 'a {
    let is_knob = |name: &str| plan.knobs.iter().any(|knob| knob.name == name);
    let weights = start.weights.iter().filter_map(|(name, weight)| match weight {
        Weight::One(value) if *value != 0 => Some((name, f64::from(*value))),
        _ => None,
    });
    weights.filter(move |(name, _)| !is_knob(name))
}

/// The start with the tuned weights of a fitted set, on the start's own scale. It is the start
/// itself if the fit reversed the signs of the weights that hold the scale.
///
/// # Errors
/// Never for sets of one game.
pub(super) fn on_the_scale_of(
    start: &Player,
    fitted: &WeightSet,
    plan: &MatchPlan,
) -> Result<Player> {
    let fitted_value = |name: &str| fitted.one(name).map_or(0.0, f64::from);
    let mut held = anchors(&start.weights, plan).peekable();
    // Where tables hold the scale, the fit has left them as they are.
    let ratio = if held.peek().is_none() {
        f64::from(start.weights.scale) / f64::from(fitted.scale)
    } else {
        let (own, products) = held.fold((0.0, 0.0), |(own, products), (name, value)| {
            (own + value * value, products + value * fitted_value(name))
        });
        own / products
    };
    let mut player = start.clone();
    if !(ratio > 0.0 && ratio.is_finite()) {
        return Ok(player);
    }
    for knob in &plan.knobs {
        let value =
            (fitted_value(&knob.name) * ratio).round().clamp(knob.min.ceil(), knob.max.floor());
        if player.weights.one(&knob.name).is_some() {
            player.weights.set_one(&knob.name, value as i32)?;
        }
    }
    Ok(player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Board;
    use crate::games::{Ataxx, Breakthrough, Breakthru};
    use crate::tune::knob::Knob;
    use crate::tune::target::Target;
    use crate::tune::{MatchPlan, Optimizer, SpsaOptions};

    #[test]
    fn the_games_of_a_fit_are_not_over_when_they_begin() {
        let plies = |game: GameId, side| {
            usual_plies(game, &BookConfig::new(game, Board::new(side, side), 7))
        };
        let breakthrough = GameId::of::<Breakthrough>();
        assert_eq!([5, 6, 7, 8].map(|side| plies(breakthrough, side)), [7, 13, 21, 32]);
        assert_eq!(plies(GameId::of::<Ataxx>(), 7), 28);
        assert_eq!(plies(GameId::of::<Breakthru>(), 11), 16);
    }

    fn plan() -> MatchPlan {
        let (name, target) = ("mobility".into(), Target::Weights);
        let knob = Knob {
            target,
            name,
            start: 1.0,
            min: -500.0,
            max: 500.0,
            range: 100.0,
            ..Knob::default()
        };
        let spsa = SpsaOptions { batch: 1, probes: 0, c: 0.1, ..SpsaOptions::default() };
        MatchPlan::new(Optimizer::Spsa(spsa), vec![knob])
    }

    fn start() -> Player {
        Player::find(
            crate::games::GameId::of::<crate::games::Breakthrough>(),
            Some("breakthrough/piece"),
            crate::player::DefaultWeights::HandMade,
        )
        .unwrap()
    }

    #[test]
    fn a_fitted_set_is_brought_to_the_scale_of_the_start() {
        let (mut start, plan) = (start(), plan());
        start.weights.set_one("piece", 1000).unwrap();
        let mut fitted = start.weights.clone();
        fitted.set_one("piece", 500).unwrap();
        fitted.set_one("mobility", 30).unwrap();
        let player = on_the_scale_of(&start, &fitted, &plan).unwrap();
        assert_eq!(player.weights.one("piece"), Some(1000));
        assert_eq!(player.weights.one("mobility"), Some(60));
        assert_eq!(plan.begun_at(&player.weights).knobs[0].start, 60.0);
        // Bounds hold, and a fit that makes a piece a drawback is of no use.
        fitted.set_one("mobility", 3000).unwrap();
        let player = on_the_scale_of(&start, &fitted, &plan).unwrap();
        assert_eq!(player.weights.one("mobility"), Some(500));
        fitted.set_one("piece", -10).unwrap();
        assert_eq!(on_the_scale_of(&start, &fitted, &plan).unwrap(), start);
    }
}
