//! How far SPSA moves by a result: a gain that is planned, and changed while the results agree or
//! contradict each other.
//!
//! Where successive blocks of batches point the same way, the weights are still on their way, or
//! the surface is flatter than planned, and longer steps get there sooner. Where they do not agree,
//! the weights are as near as the noise lets them come, and shorter steps average it out.

use super::plan::GainRule;

/// Blocks of a run.
const BLOCKS: u64 = 40;
/// The correlation of two blocks, in standard deviations of that of noise, above which they agree.
const AGREEMENT: f64 = 1.0;
/// What the gain is multiplied by when two blocks agree, and when they do not. Noise agrees in one
/// case of six, so by noise alone the gain falls.
const FACTORS: [f64; 2] = [1.4, 0.87];
/// The gain at first, at least and at most, as shares of the planned one.
const FIRST: f64 = 2.0;
const LEAST: f64 = 0.7;
const MOST: f64 = 12.0;

/// The gain of a run, a function of the results so far.
#[derive(Clone, Debug)]
pub(super) struct Gain {
    rule: GainRule,
    planned: f64,
    now: f64,
    batches: u64,
    block: Block,
    last: Option<Block>,
}

/// The sums over the batches of a block.
#[derive(Clone, Debug)]
struct Block {
    surpluses: Vec<f64>,
    squares: f64,
}

impl Block {
    fn new(knobs: usize) -> Self {
        Self { surpluses: vec![0.0; knobs], squares: 0.0 }
    }

    /// The correlation with another block, in standard deviations of that of noise.
    fn agreement(&self, other: &Self) -> f64 {
        let product: f64 = self.surpluses.iter().zip(&other.surpluses).map(|(a, b)| a * b).sum();
        let noise = (self.surpluses.len() as f64 * self.squares * other.squares).sqrt();
        product / noise.max(f64::MIN_POSITIVE)
    }
}

impl Gain {
    /// The gain of a run of so many batches with so many knobs.
    pub(super) fn new(rule: GainRule, planned: f64, batches: u64, knobs: usize) -> Self {
        let first = match rule {
            GainRule::Fixed => 1.0,
            GainRule::Adaptive => FIRST,
        };
        let block = Block::new(knobs);
        Self { rule, planned, now: first * planned, batches, block, last: None }
    }

    /// The gain for the results of a batch: how far a pair moves a weight, in steps for each game
    /// that the plus side won more than it lost.
    pub(super) fn now(&self) -> f64 {
        self.now
    }

    /// Learns from batch number `batch`: the sums of the surpluses in each knob's direction, and
    /// that of their squares.
    pub(super) fn learn(&mut self, batch: u64, surpluses: &[f64], squares: f64) {
        if self.rule == GainRule::Fixed {
            return;
        }
        self.block.squares += squares;
        for (sum, surplus) in self.block.surpluses.iter_mut().zip(surpluses) {
            *sum += surplus;
        }
        let block_of = |batch: u64| batch * BLOCKS / self.batches.max(1);
        if block_of(batch) == block_of(batch + 1) {
            return;
        }
        let full = std::mem::replace(&mut self.block, Block::new(surpluses.len()));
        if let Some(last) = &self.last {
            let agree = full.agreement(last) > AGREEMENT;
            self.now *= if agree { FACTORS[0] } else { FACTORS[1] };
            self.now = self.now.clamp(LEAST * self.planned, MOST * self.planned);
        }
        self.last = Some(full);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gain after 40 blocks of one batch whose results are these.
    fn after(rule: GainRule, results: impl Fn(u64) -> [f64; 2]) -> f64 {
        let mut gain = Gain::new(rule, 0.01, BLOCKS, 2);
        (0..BLOCKS).for_each(|batch| gain.learn(batch, &results(batch), 48.0));
        gain.now()
    }

    #[test]
    fn it_grows_while_results_agree_and_falls_when_they_do_not() {
        let steady = |_| [20.0, 30.0];
        let turning = |batch: u64| if batch % 2 == 0 { [20.0, 30.0] } else { [-20.0, -30.0] };
        assert!((after(GainRule::Adaptive, steady) - MOST * 0.01).abs() < 1e-12);
        assert!((after(GainRule::Adaptive, turning) - LEAST * 0.01).abs() < 1e-12);
        assert!((after(GainRule::Adaptive, |_| [0.0; 2]) - LEAST * 0.01).abs() < 1e-12);
        assert_eq!(after(GainRule::Fixed, steady), 0.01);
    }
}
