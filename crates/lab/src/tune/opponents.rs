//! Opponents in a tune: weight sets, and external engines.
//!
//! In a share of the pairs the two sides of a duel do not play each other. Both meet the same
//! opponent, from the same opening and with the same side, and the difference of their scores
//! counts as if one had scored it against the other (see
//! [`PairSpec::opponent`](crate::arena::PairSpec)). So the optimizer learns from both kinds of
//! pairs in the same way, and tunes for the mean of both aims. The validation is a match against
//! the start, as always.
//!
//! If some pairs have smaller limits, these come first for pairs against opponents: self-play
//! teaches least about winning with few nodes (docs/measurements/archive/2026-11-23-sharpness.md).

use crate::arena::spec::unusual;
use crate::arena::{OpponentSpec, PlayerBody, Sets, SharedSet};
use crate::error::{Error, Result};
use crate::eval::features::check_board;
use crate::game::{Board, Side};
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::protocol::ExternalEngine;
use crate::search::{Limits, SearchConstants};
use serde::{Deserialize, Serialize};

/// The opponents of a tune.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpponentsConfig {
    /// The weight sets, which this program's engine plays with. All opponents take turns, these
    /// first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<OpponentSet>,
    /// Engines that are programs of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<ExternalEngine>,
    /// The share of the pairs in which they take part.
    pub share: f64,
    /// The limits of each of their moves, where they differ from the pair's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

/// A weight set as an opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpponentSet {
    /// The name of the shipped set, or the path of the set's file as it was given.
    pub name: String,
    /// 16 hexadecimal digits that stand for its weights and constants.
    pub fingerprint: String,
    /// Its weights and constants, unless the shipped set of this name has the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Box<Player>>,
}

impl OpponentSet {
    /// A player as an opponent.
    pub fn of(player: Player) -> Self {
        let is_shipped = player.is_shipped();
        let (name, fingerprint) = (player.name.clone(), player.fingerprint());
        Self { name, fingerprint, player: (!is_shipped).then(|| Box::new(player)) }
    }

    /// The player.
    ///
    /// # Errors
    /// When it is not the player that the tune began with.
    fn player(&self, game: GameId, board: Board) -> Result<Player> {
        let player = match &self.player {
            Some(player) => (**player).clone(),
            None => Player::find(game, Some(&self.name), DefaultWeights::Strongest(board))?,
        };
        if player.fingerprint() == self.fingerprint {
            return Ok(player);
        }
        let reason = "the weights are not those that the tune began with";
        Err(Error::input(format!("opponent `{}`", self.name), reason)
            .remedy("finish the run with the version that began it"))
    }
}

/// The opponents of a tune, ready to play.
pub struct TuneOpponents {
    config: OpponentsConfig,
    /// The opponents and the constants of their searches, in the order of their turns.
    ready: Vec<(PlayerBody, Option<SearchConstants>)>,
}

/// The place of a pair in a tune, which decides whether an opponent takes part in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairPlace {
    /// The number of its batch, from 0.
    pub(super) batch: u64,
    /// Its place in the batch, from 0.
    pub(super) index: u64,
    /// The pairs of each batch that opponents may take part in: the first ones.
    pub(super) pairs: u64,
    /// The share of quick pairs, which have smaller limits.
    pub(super) quick_pairs: f64,
}

/// The number of quick pairs among the first `index` pairs of a batch.
fn quick_before(share: f64, index: u64) -> u64 {
    (index as f64 * share).floor() as u64
}

/// Whether a pair of a batch is quick, if quick pairs have this share.
pub(super) fn is_quick(share: f64, index: u64) -> bool {
    quick_before(share, index + 1) > quick_before(share, index)
}

impl OpponentsConfig {
    /// The share of the pairs by default.
    pub const SHARE: f64 = 0.5;

    /// Checks the numbers.
    ///
    /// # Errors
    /// When one is out of range, or there is no opponent.
    pub fn check(&self) -> Result<()> {
        self.limits.as_ref().map_or(Ok(()), Limits::check)?;
        if !(self.share > 0.0 && self.share <= 1.0) {
            let reason = format!("{} is out of range", self.share);
            return Err(Error::input("share of the opponents", reason)
                .remedy("give a number above 0 and at most 1 with --opponent-share"));
        }
        if self.count() == 0 {
            return Err(
                Error::input("opponents", "there are none").remedy("name one with --opponent")
            );
        }
        Ok(())
    }

    /// The number of opponents.
    pub fn count(&self) -> usize {
        self.sets.len() + self.engines.len()
    }

    /// Their names, in the order of their turns.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let sets = self.sets.iter().map(|set| set.name.as_str());
        sets.chain(self.engines.iter().map(ExternalEngine::name))
    }

    /// Their names with commas between them.
    pub fn listed(&self) -> String {
        self.names().collect::<Vec<_>>().join(", ")
    }

    /// Their part in the tune: `50 % of the pairs against breakthrough/piece`.
    pub fn text(&self) -> String {
        let limits = self.limits.map_or(String::new(), |limits| format!(" at {limits}"));
        let (share, names) = (100.0 * self.share, self.listed());
        format!("{share:.0} % of the pairs against {names}{limits}")
    }

    /// The place of the opponent in a pair, and its side, if there is one. The pairs with opponents
    /// are spread as evenly as possible, over quick pairs as long as these suffice. Each opponent
    /// plays both sides in turn.
    pub(super) fn of_pair(&self, place: PairPlace) -> Option<(usize, Side)> {
        let PairPlace { batch, index, pairs, quick_pairs } = place;
        let wanted = pairs as f64 * self.share;
        let [quick, before] = [pairs, index].map(|count| quick_before(quick_pairs, count));
        // Pairs of this kind in a batch, the number of this one among them, and how many of a
        // batch's opponents they have.
        let (of_kind, index, wanted) = match is_quick(quick_pairs, index) {
            true => (quick, before, wanted.min(quick as f64)),
            false => {
                let share = (self.share - quick_pairs).max(0.0);
                (pairs - quick, index - before, pairs as f64 * share)
            }
        };
        let share = wanted / of_kind.max(1) as f64;
        let before = |pair: u64| (pair as f64 * share).floor() as u64;
        let pair = batch * of_kind + index;
        let (number, count) = (before(pair), self.count() as u64);
        (before(pair + 1) > number && count > 0).then(|| {
            let side = if (number / count).is_multiple_of(2) { Side::Second } else { Side::First };
            ((number % count) as usize, side)
        })
    }
}

impl TuneOpponents {
    /// The opponents for the pairs of a tune on a board, whose sets join the sets of the
    /// pairs.
    ///
    /// # Errors
    /// When a set does not fit the game, or is not the set that the tune began with.
    pub fn new(
        game: GameId,
        config: OpponentsConfig,
        board: Board,
        sets: &mut Sets,
    ) -> Result<Self> {
        let ready = |set: &OpponentSet| {
            let player = set.player(game, board)?;
            check_board(&player.weights, &player.name, board)?;
            let shared = SharedSet::add(&player.weights, sets)?;
            Ok((PlayerBody::Set(shared.digest().to_owned()), unusual(&player.constants)))
        };
        let engines = (0..config.engines.len()).map(|place| Ok((PlayerBody::Engine(place), None)));
        let ready = config.sets.iter().map(ready).chain(engines).collect::<Result<_>>()?;
        Ok(Self { config, ready })
    }

    pub(super) fn of_pair(&self, place: PairPlace) -> Option<(usize, Side)> {
        self.config.of_pair(place)
    }

    /// The opponent of this place on this side, as a pair needs it.
    pub(super) fn against(&self, place: usize, side: Side) -> Option<OpponentSpec> {
        let (body, constants) = self.ready.get(place)?.clone();
        let is_first = side == Side::First;
        Some(OpponentSpec { body, constants, is_first, limits: self.config.limits })
    }

    /// The number of the external engines.
    pub(super) fn engines(&self) -> usize {
        self.config.engines.len()
    }

    /// The name of the opponent of this place, if it is an external engine, and how many games it
    /// may forfeit in a row.
    pub(super) fn watched(&self, place: usize) -> Option<(&str, u64)> {
        let engine = self.config.engines.get(place.checked_sub(self.config.sets.len())?)?;
        Some((engine.name(), engine.forfeit_limit))
    }

    /// The name of the opponent of this place.
    pub(super) fn name(&self, place: usize) -> Option<&str> {
        self.config.names().nth(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Consent;

    fn opponents(engines: usize, share: f64) -> OpponentsConfig {
        let engine = ExternalEngine {
            name: None,
            command: "engine".into(),
            options: Vec::new(),
            protocol: None,
            margin_ms: 100,
            forfeit_limit: 10,
            folder: None,
            identity: None,
            timeout_seconds: 60,
            restarts: false,
            knobs_command: None,
            consent: Consent::default(),
        };
        let limits = Some(Limits::nodes(100));
        OpponentsConfig { sets: Vec::new(), engines: vec![engine; engines], share, limits }
    }

    /// The opponents of 12,000 pairs in batches of `pairs` pairs, and whether each pair is a quick
    /// one.
    fn met(opponents: &OpponentsConfig, pairs: u64, quick_pairs: f64) -> Vec<(bool, usize, Side)> {
        let places = (0..12_000).map(|pair| (pair / pairs, pair % pairs));
        let found = places.filter_map(|(batch, index)| {
            let met = opponents.of_pair(PairPlace { batch, index, pairs, quick_pairs })?;
            Some((is_quick(quick_pairs, index), met.0, met.1))
        });
        found.collect()
    }

    #[test]
    fn the_share_is_kept_and_everybody_has_a_turn() {
        for (engines, share) in [(1, 1.0), (2, 0.5), (3, 0.3), (1, 0.01)] {
            for (pairs, quick_pairs) in [(24, 0.0), (24, 0.5), (24, 2.0 / 3.0), (5, 0.0)] {
                let opponents = opponents(engines, share);
                let found = met(&opponents, pairs, quick_pairs);
                let wanted = 12_000.0 * share;
                assert!((found.len() as f64 - wanted).abs() <= 2.0, "{} for {wanted}", found.len());
                for engine in 0..engines {
                    for side in Side::BOTH {
                        let count = found.iter().filter(|met| (met.1, met.2) == (engine, side));
                        let (count, fair) = (count.count(), wanted / (2 * engines) as f64);
                        assert!((count as f64 - fair).abs() <= 2.5, "{count} for {fair}");
                    }
                }
            }
        }
    }

    #[test]
    fn quick_pairs_are_the_first_to_have_opponents() {
        for (share, wanted) in [(0.25, [0, 3000]), (0.5, [0, 6000]), (0.75, [3000, 6000])] {
            let found = met(&opponents(1, share), 24, 0.5);
            let quick = found.iter().filter(|met| met.0).count();
            assert_eq!([found.len() - quick, quick], wanted, "{share}");
        }
        // Of five pairs of a batch the second and the fourth are quick.
        let found = met(&opponents(1, 0.4), 5, 0.5);
        assert_eq!((found.len(), found.iter().all(|met| met.0)), (4800, true));
        let quick = (0..24).filter(|&index| is_quick(2.0 / 3.0, index));
        assert_eq!(quick.take(5).collect::<Vec<_>>(), [1, 2, 4, 5, 7]);
        assert_eq!((0..9000).filter(|&index| is_quick(2.0 / 3.0, index)).count(), 6000);
    }

    #[test]
    fn a_set_is_kept_where_its_name_would_not_lead_to_it() {
        let board = Board::new(8, 8);
        let game = GameId::default();
        let find = |name| Player::find(game, Some(name), DefaultWeights::Strongest(board)).unwrap();
        let mut piece = find("piece");
        let shipped = OpponentSet::of(piece.clone());
        assert_eq!((shipped.name.as_str(), &shipped.player), ("breakthrough/piece", &None));
        assert_eq!(shipped.player(game, board).unwrap(), piece);
        let other = OpponentSet { fingerprint: "0".into(), ..shipped };
        let error = other.player(game, board).unwrap_err().to_string();
        assert!(error.contains("opponent `breakthrough/piece`"), "{error}");
        piece.name = "./piece.json".into();
        let kept = OpponentSet::of(piece.clone());
        assert_eq!(kept.player(game, board).unwrap(), piece);
        let opponents = OpponentsConfig { sets: vec![kept], ..opponents(1, 0.5) };
        let names: Vec<&str> = opponents.names().collect();
        assert_eq!((names, opponents.count()), (vec!["./piece.json", "engine"], 2));
        let mut sets = Sets::new();
        let TuneOpponents { ready, .. } =
            TuneOpponents::new(game, opponents, board, &mut sets).unwrap();
        assert!(matches!(ready[..], [(PlayerBody::Set(_), None), (PlayerBody::Engine(0), None)]));
        assert_eq!(sets.len(), 1);
    }

    #[test]
    fn odd_shares_are_refused() {
        for share in [0.0, -0.5, 1.1, f64::NAN] {
            let error = opponents(1, share).check().unwrap_err().to_string();
            assert!(error.contains("--opponent-share"), "{error}");
        }
        assert!(opponents(0, 0.5).check().is_err() && opponents(1, 1.0).check().is_ok());
    }
}
