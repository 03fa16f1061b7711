//! A short trial of the engine: a signature of its behaviour, since machines with the same one play
//! the same games, and the speed of its search here.

use crate::arena::remote::hex;
use crate::error::Result;
use crate::game::Repetitions;
use crate::games::GameId;
use crate::player::{DefaultWeights, Player};
use crate::search::bench::positions;
use crate::search::{Limits, Options, SearchConstants, Stop};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Nodes of each search.
const NODES: u64 = 3_000;
/// The table of each search, in bytes.
const TABLE: usize = 1 << 20;
/// Hexadecimal digits of the signature.
const DIGITS: usize = 16;

/// The result of a trial of the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineTrial {
    /// 16 hexadecimal digits that identify the way it plays.
    pub signature: String,
    /// Nodes a second of one thread during the trial, which takes some tenths of a second.
    pub speed: f64,
}

/// Tries the engine: short searches of every game, with its hand-made set and the strongest set of
/// its usual board. The signature is a digest of their moves, scores, depths and nodes.
///
/// # Errors
/// When a set is missing; no shipped set is.
pub fn engine_trial() -> Result<EngineTrial> {
    let mut hash = Sha256::new();
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for &game in GameId::with_engine() {
        let searches = of_game(game)?;
        hash.update(searches.text);
        nodes += searches.nodes;
        time += searches.time;
    }
    // Avoids a division by zero.
    let speed = nodes as f64 / time.as_secs_f64().max(1e-6);
    let signature = hex(&hash.finalize()[..DIGITS / 2]);
    Ok(EngineTrial { signature, speed })
}

/// Searches of a game.
struct TrialSearches {
    text: String,
    nodes: u64,
    time: Duration,
}

fn of_game(game: GameId) -> Result<TrialSearches> {
    let board = game.default_board;
    let mut text = format!("{} {board}\n", game);
    let (mut all_nodes, mut time) = (0, Duration::ZERO);
    for weights in [DefaultWeights::HandMade, DefaultWeights::Strongest(board)] {
        // Games from elsewhere may have no sets.
        let Ok(player) = Player::find(game, None, weights) else { continue };
        let constants = SearchConstants::default();
        let options = Options { table_bytes: TABLE, constants, ..Options::default() };
        let mut engine = game.evaluator(&player.weights)?.engine(options);
        for position in positions(game, board)? {
            engine.clear();
            let (limits, met) = (Limits::nodes(NODES), Repetitions::default());
            let begun = Instant::now();
            let report = engine.search(&met, &position, &limits, &Stop::default(), None);
            time += begun.elapsed();
            let best = report.best.map(|best| position.move_text(best)).unwrap_or_default();
            let (score, depth, nodes) = (report.score, report.depth, report.counters.nodes);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{best} {score} {depth} {nodes}");
            all_nodes += nodes;
        }
    }
    Ok(TrialSearches { text, nodes: all_nodes, time })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_same_each_time() {
        let trial = engine_trial().unwrap();
        assert_eq!(trial.signature.len(), DIGITS);
        assert!(trial.speed > 1e3 && trial.speed.is_finite(), "{}", trial.speed);
        assert_eq!(engine_trial().unwrap().signature, trial.signature);
    }
}
