//! Watches the games that a tuned engine forfeits: whether they are too many, and which knobs they
//! depend on.

use crate::arena::{Forfeit, GameEnding, GameRecord};
use crate::error::Error;
use crate::game::Side;
use crate::tune::Space;
use std::collections::VecDeque;

/// The latest pairs of which the share of forfeited games is taken: 200 games.
const WINDOW: usize = 100;
/// Games of these that may be forfeited: 5 %.
const MOST: u64 = 10;
/// How far the forfeits of the two halves of a knob's values must lie apart, in standard errors.
const SUSPICIOUS: f64 = 3.0;

/// Counts the games that the tuned engine forfeits.
#[derive(Clone, Debug, Default)]
pub(super) struct FaultWatch {
    /// The forfeited games of the latest pairs.
    recent: VecDeque<u8>,
    pairs: usize,
    /// For each knob, the forfeits of the side with the lower value, and of the side with the
    /// higher one.
    sides: Vec<[u64; 2]>,
    last: Option<Forfeit>,
}

impl FaultWatch {
    /// Notes a pair with this number of forfeited games.
    pub(super) fn add_pair(&mut self, forfeits: u8) {
        self.pairs += 1;
        self.recent.push_back(forfeits);
        if self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
    }

    /// Notes a game that one side of a duel forfeited.
    pub(super) fn add_forfeit(&mut self, values: [&[f64]; 2], loser: Side, forfeit: &Forfeit) {
        let [own, other] = match loser {
            Side::First => values,
            Side::Second => [values[1], values[0]],
        };
        self.sides.resize(own.len(), [0; 2]);
        for (count, (own, other)) in self.sides.iter_mut().zip(own.iter().zip(other)) {
            if own != other {
                count[usize::from(own > other)] += 1;
            }
        }
        self.last = Some(forfeit.clone());
    }

    /// The forfeited games among the latest, and how many these are.
    fn recent_forfeits(&self) -> (u64, usize) {
        (self.recent.iter().map(|&games| u64::from(games)).sum(), 2 * self.recent.len())
    }

    /// The error that ends the tune once the engine has forfeited more than 5 % of the last 200
    /// games, or ten of the first 100.
    pub(super) fn check(&self, space: &Space) -> Option<Error> {
        let (forfeits, games) = self.recent_forfeits();
        let is_early = self.pairs <= WINDOW / 2;
        if forfeits < MOST || (!is_early && forfeits == MOST) {
            return None;
        }
        let mut reason = format!("it forfeited {forfeits} of the last {games} games");
        for suspect in self.suspects(space) {
            reason += &format!("; {suspect}");
        }
        if let Some(last) = &self.last {
            reason += &format!("; at last: {}", last.text());
        }
        Some(Error::failed("tuned engine", reason).remedy(
            "fix the engine and resume, or begin a new run with narrower bounds; `spar resume RUN --forfeit-limit 0` continues regardless",
        ))
    }

    /// The error of a tune in which no pair counted; a resume has the same.
    pub(super) fn all_void(&self) -> Error {
        let mut reason = "all its pairs are void, so it has no answer".to_owned();
        let (forfeits, games) = self.recent_forfeits();
        if forfeits > 0 {
            reason += &format!("; the engine forfeited {forfeits} of the last {games} games");
        }
        Error::failed("tune", reason).remedy(
            "`spar check` tells whether the engine plays; mend what failed, and begin a new run",
        )
    }

    /// The knobs whose values the forfeits depend on, in words.
    fn suspects(&self, space: &Space) -> Vec<String> {
        let knobs = space.knobs().iter().zip(&self.sides);
        let suspect = |(knob, &[low, high]): (&super::Knob, &[u64; 2])| {
            let all = low + high;
            let apart = high.abs_diff(low) as f64 / (all.max(1) as f64).sqrt();
            let (more, side) = if high > low { (high, "higher") } else { (low, "lower") };
            (apart >= SUSPICIOUS)
                .then(|| format!("in {more} of {all} it had the {side} value of `{}`", knob.name))
        };
        knobs.filter_map(suspect).collect()
    }
}

/// The games of a pair that the players forfeited.
pub(super) fn forfeits(pair: &[GameRecord]) -> u8 {
    let is_forfeit =
        |game: &GameRecord| game.ending == GameEnding::Forfeit && !game.has_referee_fault();
    pair.iter().map(|game| u8::from(is_forfeit(game))).sum()
}

/// The forfeited games of a void pair, which teaches nothing; `None` for any other pair.
pub(super) fn void_pair(pair: &[GameRecord], tunes_engine: bool) -> Option<u8> {
    let forfeits = forfeits(pair);
    let are_late = match pair {
        [one, two] => {
            [one, two].iter().all(|game| game.ending == GameEnding::Time)
                && one.result == two.result
        }
        _ => false,
    };
    let is_void = pair.iter().any(GameRecord::has_referee_fault)
        || (tunes_engine && (forfeits > 0 || are_late));
    is_void.then_some(forfeits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::{Knob, Target};

    fn space() -> Space {
        let knob = |name: &str| Knob {
            target: Target::Option,
            name: name.into(),
            max: 9.0,
            range: 9.0,
            ..Knob::default()
        };
        let player = crate::player::Player::find(
            crate::games::GameId::default(),
            None,
            crate::player::DefaultWeights::HandMade,
        );
        Space::of_numbers(player.unwrap(), vec![knob("fine"), knob("fatal")])
    }

    #[test]
    fn one_game_in_twenty_is_the_most() {
        let mut watch = FaultWatch::default();
        for pair in 0..1_000 {
            watch.add_pair(u8::from(pair % 10 == 9));
            assert!(watch.check(&space()).is_none(), "{pair}");
        }
        watch.add_pair(1);
        let error = watch.check(&space()).unwrap().to_string();
        assert!(error.contains("11 of the last 200 games"), "{error}");
    }

    #[test]
    fn ten_of_the_first_hundred_games_are_too_many() {
        let mut watch = FaultWatch::default();
        (0..9).for_each(|_| watch.add_pair(1));
        assert!(watch.check(&space()).is_none());
        watch.add_pair(1);
        assert!(watch.check(&space()).is_some());
    }

    #[test]
    fn the_knob_that_forfeits_go_with_is_named() {
        let mut watch = FaultWatch::default();
        for pair in 0..12 {
            let fine = f64::from(pair % 2);
            let (high, low) = ([fine, 7.0], [1.0 - fine, 2.0]);
            let forfeit = Forfeit { reason: "crashed".into(), ..Forfeit::default() };
            watch.add_forfeit([&low, &high], Side::Second, &forfeit);
            watch.add_pair(1);
        }
        let error = watch.check(&space()).unwrap().to_string();
        assert!(error.contains("12 of 12 it had the higher value of `fatal`"), "{error}");
        assert!(!error.contains("`fine`") && error.contains("crashed"), "{error}");
    }
}
