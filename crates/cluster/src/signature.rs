//! A short trial of the engine: a signature of its behaviour, for machines with the same one play the
//! same games, and how fast it searches here.

use crate::arena::remote::hex;
use crate::error::Result;
use crate::eval::Game;
use crate::games::{GameId, with_game};
use crate::player::{DefaultWeights, Player};
use crate::search::bench::positions;
use crate::search::{Engine, Limits, Options, SearchConstants, Stop};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Nodes of each search.
const NODES: u64 = 3_000;
/// The table of each search, in bytes.
const TABLE: usize = 1 << 20;
/// Hexadecimal digits of the signature.
const DIGITS: usize = 16;

/// What a trial of the engine shows.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineTrial {
    /// 16 hexadecimal digits that stand for how it plays.
    pub signature: String,
    /// Nodes a second of one thread, while the trial lasted: some tenths of a second.
    pub speed: f64,
}

/// Tries the engine: short searches of every game, with the game's hand-made set and the strongest
/// one of its usual board. The signature is a digest of their moves, scores, depths and nodes.
///
/// # Errors
/// When a set is missing, which none that is shipped is.
pub fn engine_trial() -> Result<EngineTrial> {
    let mut hash = Sha256::new();
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for &game in GameId::ALL {
        let searches = with_game!(game, G => of_game::<G>())?;
        hash.update(searches.text);
        nodes += searches.nodes;
        time += searches.time;
    }
    // Searches of no time at all would be none.
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

fn of_game<G: Game>() -> Result<TrialSearches> {
    let board = G::default_board();
    let mut text = format!("{} {board}\n", G::GAME);
    let (mut all_nodes, mut time) = (0, Duration::ZERO);
    for weights in [DefaultWeights::HandMade, DefaultWeights::Strongest(board)] {
        let player = Player::find::<G>(None, weights)?;
        let constants = SearchConstants::default();
        let options = Options { table_bytes: TABLE, constants, ..Options::default() };
        let mut engine = Engine::<G>::new(G::evaluator(&player.weights)?, options);
        for position in positions::<G>(board)? {
            engine.clear();
            let limits = Limits::nodes(NODES);
            let begun = Instant::now();
            let report = engine.search(&position, &limits, &Stop::default(), &mut |_| {});
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
