//! Notices an engine that fails to play, since games that it forfeits say nothing about strength.

use crate::arena::{Forfeit, GameEnding, PairRecord, PlayedGame};
use crate::error::{Error, Result};
use crate::game::Side;
use std::collections::BTreeMap;

/// The games that an engine may forfeit in a row by default.
pub const FORFEIT_LIMIT: u64 = 10;
/// The games that an engine may forfeit before its first legal move.
const GAMES_WITHOUT_A_MOVE: u64 = 2;

/// Counts the games that players forfeit in a row.
#[derive(Debug, Default)]
pub struct ForfeitWatch {
    players: BTreeMap<String, Streak>,
    /// The number of latest pairs in a row that the referee made void.
    void_pairs: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Streak {
    /// The number of latest games in a row that were forfeited.
    games: u64,
    /// The number of legal moves in all games.
    moves: u64,
}

impl ForfeitWatch {
    /// Counts both games of a pair. `players` are the name and the limit of player A and player B;
    /// `None` for the engine of this program.
    ///
    /// # Errors
    /// As [`count_referee`](Self::count_referee) and [`count_game`](Self::count_game).
    pub fn count_pair(
        &mut self,
        record: &PairRecord,
        players: [Option<(&str, u64)>; 2],
    ) -> Result<()> {
        self.count_referee(record)?;
        for (index, game) in record.games.iter().enumerate() {
            for side in Side::BOTH {
                let Some((name, limit)) = players[(side.index() + index) % 2] else { continue };
                self.count_game(name, limit, game, side)?;
            }
        }
        Ok(())
    }

    /// Counts whether the referee made a pair void.
    ///
    /// # Errors
    /// When the referee has made [`FORFEIT_LIMIT`] pairs in a row void: it no longer works.
    pub fn count_referee(&mut self, record: &PairRecord) -> Result<()> {
        let Some(fault) = record.referee_fault() else {
            self.void_pairs = 0;
            return Ok(());
        };
        self.void_pairs += 1;
        match self.void_pairs >= FORFEIT_LIMIT {
            false => Ok(()),
            true => {
                let reason =
                    format!("made {} pairs in a row void: {}", self.void_pairs, fault.text());
                Err(Error::failed("referee", reason))
            }
        }
    }

    /// Counts the game that a player had on a side. A loss on time is no forfeit of a player that
    /// has moved in time before: time is strength.
    ///
    /// # Errors
    /// When the player has forfeited as many games in a row as the limit, or the first two without
    /// a legal move. Never with a limit of 0.
    pub fn count_game(
        &mut self,
        name: &str,
        limit: u64,
        game: &PlayedGame,
        side: Side,
    ) -> Result<()> {
        let moves = game.totals[side.index()].moves;
        let forfeit = game.forfeit.as_ref().filter(|_| game.forfeited_by() == Some(side));
        self.count(name, limit, moves, forfeit.map(|forfeit| (forfeit, game.ending)))
    }

    /// Counts a game of a player: its legal moves, and how it was forfeited if it was.
    fn count(
        &mut self,
        name: &str,
        limit: u64,
        moves: u64,
        forfeit: Option<(&Forfeit, GameEnding)>,
    ) -> Result<()> {
        let streak = self.players.entry(name.to_owned()).or_default();
        streak.moves = streak.moves.saturating_add(moves);
        let is_late = forfeit.is_some_and(|(_, ending)| ending == GameEnding::Time);
        let Some((forfeit, _)) = forfeit.filter(|_| !is_late || streak.moves == 0) else {
            streak.games = if is_late { streak.games } else { 0 };
            return Ok(());
        };
        streak.games += 1;
        let is_dead = streak.moves == 0 && streak.games >= GAMES_WITHOUT_A_MOVE && !is_late;
        if limit == 0 || (streak.games < limit && !is_dead) {
            return Ok(());
        }
        let what = match streak.moves {
            0 => "never made a legal move",
            _ => "does not play",
        };
        let reason = format!(
            "{what}: it forfeited {} games in a row, the last one by: {}",
            streak.games,
            forfeit.text()
        );
        Err(Error::failed(format!("engine `{name}`"), reason)
            .remedy("run its command by hand and fix it; --forfeit-limit 0 plays on regardless"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::ForfeitKind;

    fn lost(watch: &mut ForfeitWatch, limit: u64, moves: u64) -> Result<()> {
        let forfeit = Forfeit {
            reason: "crash".into(),
            last_words: vec!["help".into()],
            ..Forfeit::default()
        };
        watch.count("x", limit, moves, Some((&forfeit, GameEnding::Forfeit)))
    }

    #[test]
    fn games_in_a_row_end_it() {
        let mut watch = ForfeitWatch::default();
        for _ in 0..2 {
            (0..2).for_each(|_| lost(&mut watch, 3, 5).unwrap());
            watch.count("x", 3, 9, None).unwrap();
        }
        (0..2).for_each(|_| lost(&mut watch, 3, 0).unwrap());
        watch.count("y", 3, 1, None).unwrap();
        let error = lost(&mut watch, 3, 5).unwrap_err();
        assert_eq!(error.exit_code(), 1);
        let text = error.to_string();
        assert!(
            ["`x`", "3 games", "crash", "help", "--forfeit-limit 0"]
                .iter()
                .all(|word| text.contains(word))
        );
    }

    #[test]
    fn a_referee_that_fails_again_and_again_ends_it() {
        let mut watch = ForfeitWatch::default();
        let fault =
            Forfeit { reason: "gone".into(), kind: ForfeitKind::Referee, ..Forfeit::default() };
        let (void, other) = (PairRecord::void(&fault), PairRecord::stopped());
        for _ in 0..3 {
            (1..FORFEIT_LIMIT).for_each(|_| watch.count_referee(&void).unwrap());
            watch.count_referee(&other).unwrap();
        }
        (1..FORFEIT_LIMIT).for_each(|_| watch.count_referee(&void).unwrap());
        assert!(watch.count_referee(&void).unwrap_err().to_string().contains("void: gone"));
    }

    #[test]
    fn losses_on_time_end_it_only_for_an_engine_that_never_moves() {
        let late = Forfeit { reason: "late".into(), ..Forfeit::default() };
        let late = Some((&late, GameEnding::Time));
        let mut watch = ForfeitWatch::default();
        (0..9).for_each(|_| watch.count("x", 10, 0, late).unwrap());
        assert!(watch.count("x", 10, 0, late).unwrap_err().to_string().contains("legal move"));
        let mut watch = ForfeitWatch::default();
        (0..9).for_each(|_| watch.count("x", 10, 1, late).unwrap());
        // They neither lengthen nor end a row of forfeits.
        for _ in 0..2 {
            lost(&mut watch, 3, 5).unwrap();
            watch.count("x", 3, 9, late).unwrap();
        }
        lost(&mut watch, 3, 5).unwrap_err();
    }

    #[test]
    fn an_engine_that_never_moves_ends_it_sooner() {
        let mut watch = ForfeitWatch::default();
        lost(&mut watch, 10, 0).unwrap();
        assert!(lost(&mut watch, 10, 0).unwrap_err().to_string().contains("legal move"));
        let mut watch = ForfeitWatch::default();
        (0..99).for_each(|_| lost(&mut watch, 0, 0).unwrap());
    }
}
