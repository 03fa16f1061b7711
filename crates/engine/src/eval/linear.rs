//! The evaluator of every game: a weighted sum of the features, plus the output of the set's
//! network if it has one.

use super::check::{catch, check_once};
use super::features::{check_set, table_weights, weights_at};
use super::network::{Accumulators, PreparedNetwork};
use super::pattern_table::BoardView;
use super::phase::phase_of;
use super::{Evaluator, Game, Score, unit};
use crate::error::Result;
use crate::game::Board;
use crate::weights::{LAST_PHASE, WeightSet};
use std::marker::PhantomData;
use std::sync::Arc;

/// The number of features in a group, visited or skipped together.
const GROUP: usize = 8;
const GROUPS: usize = 8;

/// A weight set prepared for the search.
#[derive(Clone, Debug)]
pub struct LinearEvaluator<G: Game> {
    /// The single weights; with weights by phase, their values at phase 0.
    single: SingleWeights,
    /// The single weights of each phase; `None` if they are the same in all phases.
    by_phase: Option<Arc<[SingleWeights]>>,
    tables: Vec<PackedTable>,
    network: Option<PreparedNetwork<G::NetworkView>>,
    /// The board that the tables and the network belong to.
    board: Board,
    scale: Score,
    unit: Score,
    game: PhantomData<G>,
}

/// The single weights of the features.
#[derive(Clone, Debug)]
struct SingleWeights {
    /// By feature, 0 beyond the last one.
    weights: [i32; GROUPS * GROUP],
    /// A bit for each weight that is not 0.
    used: u64,
}

impl SingleWeights {
    fn new(list: &[i32]) -> Self {
        let mut weights = [0; GROUPS * GROUP];
        weights[..list.len()].copy_from_slice(list);
        let used = weights.iter().rev().fold(0, |used, &weight| used << 1 | u64::from(weight != 0));
        Self { weights, used }
    }
}

/// The 16-bit weights of a pattern table.
#[derive(Clone, Debug)]
struct PackedTable {
    weights: Arc<[i16]>,
    sum: fn(&[i16], BoardView) -> i32,
}

impl<G: Game> LinearEvaluator<G> {
    /// The greatest number of features of a game.
    pub const MAX_FEATURES: usize = GROUPS * GROUP;

    /// The weighted sum of the single features.
    #[inline]
    fn single(&self, inputs: &G::Inputs) -> Score {
        const { assert!(G::FEATURES.len() <= Self::MAX_FEATURES) };
        let single = match &self.by_phase {
            None => &self.single,
            Some(list) => list.get(phase_of::<G>(inputs) as usize).unwrap_or(&self.single),
        };
        Self::group::<0>(single, inputs)
            + Self::group::<1>(single, inputs)
            + Self::group::<2>(single, inputs)
            + Self::group::<3>(single, inputs)
            + Self::group::<4>(single, inputs)
            + Self::group::<5>(single, inputs)
            + Self::group::<6>(single, inputs)
            + Self::group::<7>(single, inputs)
    }

    /// The weighted sum of a group of features. Sets with tables use few single features, so most
    /// groups are skipped.
    #[inline(always)]
    fn group<const N: usize>(single: &SingleWeights, inputs: &G::Inputs) -> Score {
        if N * GROUP >= G::FEATURES.len() || (single.used >> (N * GROUP)) & 0xff == 0 {
            return 0;
        }
        Self::term::<N, 0>(single, inputs)
            + Self::term::<N, 1>(single, inputs)
            + Self::term::<N, 2>(single, inputs)
            + Self::term::<N, 3>(single, inputs)
            + Self::term::<N, 4>(single, inputs)
            + Self::term::<N, 5>(single, inputs)
            + Self::term::<N, 6>(single, inputs)
            + Self::term::<N, 7>(single, inputs)
    }

    /// The value of a position; the argument computes the value of the network.
    #[inline(always)]
    fn sum(
        &self,
        position: &G,
        network_value: impl FnOnce(&PreparedNetwork<G::NetworkView>, G::NetworkView) -> Score,
    ) -> Score {
        let mut sum = self.single(&position.inputs());
        let has_more = !self.tables.is_empty() || self.network.is_some();
        if has_more && position.board() == self.board {
            let view = position.board_view();
            for table in &self.tables {
                sum += (table.sum)(&table.weights, view);
            }
            if let Some(network) = &self.network {
                sum += network_value(network, position.network_view());
            }
        }
        if self.scale == 1 { sum } else { sum / self.scale }
    }

    /// Weight x feature. The feature is a constant here, so its code is inlined and can share work
    /// with neighbouring terms. A loop over the table would have to call it.
    #[inline(always)]
    fn term<const N: usize, const I: usize>(single: &SingleWeights, inputs: &G::Inputs) -> Score {
        let weight = single.weights[N * GROUP + I];
        match const { count_of::<G>(N * GROUP + I) } {
            Some(count) if weight != 0 => weight * count(inputs),
            _ => 0,
        }
    }
}

/// The counter of a feature, given by its index in the table.
const fn count_of<G: Game>(place: usize) -> Option<fn(&G::Inputs) -> i32> {
    if place < G::FEATURES.len() { Some(G::FEATURES[place].count) } else { None }
}

impl<G: Game> Evaluator<G> for LinearEvaluator<G> {
    fn new(set: &WeightSet) -> Result<Self> {
        check_set::<G>(set, &format!("weight set `{}`", set.name))?;
        let single = |phase| SingleWeights::new(&weights_at::<G>(set, phase));
        let board = set.board.as_deref().and_then(|board| board.parse().ok());
        let mut evaluator = Self {
            single: single(0),
            by_phase: set.has_phases().then(|| (0..=LAST_PHASE).map(single).collect()),
            tables: used_tables::<G>(set),
            network: set.network.as_ref().map(PreparedNetwork::new),
            board: board.unwrap_or_else(G::default_board),
            scale: set.scale.max(1),
            unit: 1,
            game: PhantomData,
        };
        let measure = || unit::measure(&evaluator, evaluator.board);
        let unit = match G::IS_TESTED {
            true => measure(),
            false => check_once::<G>(evaluator.board).and_then(|()| catch::<G, _>(measure))?,
        };
        evaluator.unit = unit;
        Ok(evaluator)
    }

    #[inline]
    fn evaluate(&self, position: &G) -> Score {
        let network = |network: &PreparedNetwork<_>, view| network.value(view);
        self.sum(position, network)
    }

    fn begin(&self, plies: usize, accumulators: &mut Accumulators<G::NetworkView>) {
        if let Some(network) = &self.network {
            network.begin(plies, accumulators);
        }
    }

    #[inline]
    fn evaluate_near(
        &self,
        position: &G,
        ply: usize,
        accumulators: &mut Accumulators<G::NetworkView>,
    ) -> Score {
        self.sum(position, |network, view| {
            network.value_near(view, ply, G::turned_view, accumulators)
        })
    }

    #[inline]
    fn unit(&self) -> Score {
        self.unit
    }
}

/// The tables of a set that have a nonzero weight.
fn used_tables<G: Game>(set: &WeightSet) -> Vec<PackedTable> {
    let used = G::TABLES.iter().filter_map(|table| {
        let (_, weights) = table_weights(set, table)?;
        let is_used = weights.iter().any(|&weight| weight != 0);
        let weights = weights.iter().map(|&weight| weight as i16).collect();
        is_used.then_some(PackedTable { weights, sum: table.sum })
    });
    used.collect()
}
