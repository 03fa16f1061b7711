//! Checks databases against the solver and against the rules.

use crate::any::{AnyEndgames, AnyPosition, WrongValue};
use crate::arena::Threads;
use crate::arena::seed::generator;
use crate::error::Result;
use crate::game::{KnownValue, Outcome};
use crate::games::GameId;
use crate::search::{SolveOptions, Stop};

/// Positions that a thread solves in one task.
const BATCH: u64 = 16;
/// The table of each solver, in bytes.
const MEMORY: usize = 1 << 22;
/// Values that a thread compares with the rules at once.
const CHUNK: usize = 1 << 14;

/// A position on which the database and the solver disagree.
#[derive(Clone, Debug)]
pub struct WrongOutcome {
    /// A random position of the database.
    pub position: AnyPosition,
    /// The value in the database.
    pub stored: KnownValue,
    /// How the game ends, by the solver.
    pub solved: Outcome,
}

/// The result of a comparison with the solver.
#[derive(Clone, Debug, Default)]
pub struct SampleCheck {
    /// Positions that were solved.
    pub solved: u64,
    /// Positions that the solver visited.
    pub nodes: u64,
    /// Positions with another value, in the order in which they were drawn.
    pub wrong: Vec<WrongOutcome>,
    /// Whether a signal stopped it.
    pub is_stopped: bool,
}

/// Solves random positions without the database, and compares. The positions depend on the seed
/// alone.
///
/// # Errors
/// When the solver does not know the game.
pub fn check_sample(
    endgames: &AnyEndgames,
    positions: u64,
    seed: u64,
    threads: &Threads,
    stop: &Stop,
    on_progress: &mut dyn FnMut(u64),
) -> Result<SampleCheck> {
    let game: GameId = endgames.game().parse()?;
    let mut all = SampleCheck::default();
    let batches = positions.div_ceil(BATCH);
    let at_once = 4 * threads.count() as u64;
    for first in (0..batches).step_by(at_once as usize) {
        let count = at_once.min(batches - first) as usize;
        let checked = threads.map_ordered(count, |index| {
            let batch = first + index as u64;
            let size = BATCH.min(positions - batch * BATCH);
            check_batch(endgames, game, (seed, batch, size), stop)
        });
        for found in checked {
            let found = found?;
            all.solved += found.solved;
            all.nodes += found.nodes;
            all.wrong.extend(found.wrong);
        }
        on_progress(all.solved);
        if stop.is_set() {
            all.is_stopped = true;
            break;
        }
    }
    Ok(all)
}

fn check_batch(
    endgames: &AnyEndgames,
    game: GameId,
    (seed, batch, size): (u64, u64, u64),
    stop: &Stop,
) -> Result<SampleCheck> {
    let mut generator = generator(seed, &[batch]);
    let options = SolveOptions { memory: MEMORY, threads: 1 };
    let mut found = SampleCheck::default();
    // Some positions decide themselves just at their limit of turns: others are drawn for them.
    for _ in 0..100 * size {
        if found.solved == size || stop.is_set() {
            break;
        }
        let Some(position) = endgames.random(&mut generator) else { break };
        let Some(stored) = endgames.value(&position) else { continue };
        let answer = game.solve(&position, &options, stop, &mut |_| {})?;
        if answer.is_endless {
            continue;
        }
        let Some(solved) = answer.outcome else { break };
        found.solved += 1;
        found.nodes += answer.nodes;
        if !agree(&position, stored, solved) {
            found.wrong.push(WrongOutcome { position, stored, solved });
        }
    }
    Ok(found)
}

fn agree(position: &AnyPosition, stored: KnownValue, solved: Outcome) -> bool {
    let side = position.side_to_move();
    solved
        == match stored {
            KnownValue::Win(_) => Outcome::Win(side),
            KnownValue::Loss(_) => Outcome::Win(side.other()),
            KnownValue::Draw => Outcome::Draw,
        }
}

/// Checks every value against the values of the positions after each move, by the rules alone. If
/// all agree, all are right. Returns the number of values compared, and the first wrong one. The
/// number is less than the total only if a value is wrong or `stop` is set.
pub fn check_every(
    endgames: &AnyEndgames,
    threads: &Threads,
    stop: &Stop,
    on_progress: &mut dyn FnMut(u64),
) -> (u64, Option<WrongValue<AnyPosition>>) {
    let mut done = 0;
    for (class, values) in endgames.values().iter().enumerate() {
        let chunks = values.len().div_ceil(CHUNK);
        for first in (0..chunks).step_by(4 * threads.count()) {
            let count = (4 * threads.count()).min(chunks - first);
            let wrong = threads.map_ordered(count, |index| {
                let start = (first + index) * CHUNK;
                endgames.check(class, start..values.len().min(start + CHUNK))
            });
            if let Some(wrong) = wrong.into_iter().flatten().next() {
                return (done, Some(wrong));
            }
            done += (values.len().min((first + count) * CHUNK) - first * CHUNK) as u64;
            on_progress(done);
            if stop.is_set() {
                return (done, None);
            }
        }
    }
    (done, None)
}
