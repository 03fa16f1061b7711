//! A short signature of the engine's behaviour: machines with the same one play the same games.

use crate::error::Result;
use crate::eval::Game;
use crate::games::{GameId, with_game};
use crate::player::{DefaultWeights, Player};
use crate::search::bench::positions;
use crate::search::{Engine, Limits, Options, SearchConstants, Stop};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Nodes of each search.
const NODES: u64 = 3_000;
/// The table of each search, in bytes.
const TABLE: usize = 1 << 20;
/// Hexadecimal digits of the signature.
const DIGITS: usize = 16;

/// The signature: a digest of moves, scores, depths and nodes of short searches of every game, with
/// the game's hand-made set and the strongest one of its usual board.
///
/// # Errors
/// When a set is missing, which none that is shipped is.
pub fn engine_signature() -> Result<String> {
    let mut hash = Sha256::new();
    for &game in GameId::ALL {
        hash.update(with_game!(game, G => of_game::<G>())?);
    }
    let digest = hash.finalize();
    let mut text = String::new();
    for byte in digest.iter().take(DIGITS / 2) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

fn of_game<G: Game>() -> Result<String> {
    let board = G::default_board();
    let mut text = format!("{} {board}\n", G::GAME);
    for weights in [DefaultWeights::HandMade, DefaultWeights::Strongest(board)] {
        let player = Player::find::<G>(None, weights)?;
        let constants = SearchConstants::default();
        let options = Options { table_bytes: TABLE, constants, ..Options::default() };
        let mut engine = Engine::<G>::new(G::evaluator(&player.weights)?, options);
        for position in positions::<G>(board)? {
            engine.clear();
            let limits = Limits::nodes(NODES);
            let report = engine.search(&position, &limits, &Stop::default(), &mut |_| {});
            let best = report.best.map(|best| position.move_text(best)).unwrap_or_default();
            let (score, depth, nodes) = (report.score, report.depth, report.counters.nodes);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{best} {score} {depth} {nodes}");
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_same_each_time() {
        let signature = engine_signature().unwrap();
        assert_eq!(signature.len(), DIGITS);
        assert_eq!(engine_signature().unwrap(), signature);
    }
}
