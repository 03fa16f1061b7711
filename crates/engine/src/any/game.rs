//! A game under way, of any kind.

use super::{AnyMove, AnyPosition};
use crate::error::{Error, Result};
use crate::eval::Explanation;
use crate::game::counters::fen_after;
use crate::game::{Board, FenCounters, Outcome, Repetitions, Side};
use crate::games::GameId;
use crate::weights::WeightSet;

/// The greatest depth that [`AnyGame::perft`] accepts, in plies.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// A game in progress: its start, the moves played, and the rules.
#[derive(Clone)]
pub struct AnyGame {
    id: GameId,
    position: AnyPosition,
    /// The move counters of the FEN that the game began with.
    counters: Option<FenCounters>,
    /// Each move with the position before it.
    played: Vec<(AnyPosition, AnyMove)>,
}

/// A new game on the given board, or on the game's default board.
///
/// # Errors
/// When the game is not played on the board.
pub fn new_game(id: GameId, board: Option<Board>) -> Result<AnyGame> {
    Ok(AnyGame::new(id, id.start(board.unwrap_or(id.default_board))?))
}

/// A game that begins from a FEN.
///
/// # Errors
/// When the text is not a position of the game.
pub fn game_from_fen(id: GameId, fen: &str) -> Result<AnyGame> {
    let game = AnyGame::new(id, id.from_fen(fen)?);
    Ok(AnyGame { counters: FenCounters::of(&id, fen), ..game })
}

impl AnyGame {
    /// A game that begins from a position.
    pub fn new(id: GameId, position: AnyPosition) -> Self {
        Self { id, position, counters: None, played: Vec::new() }
    }

    /// Which game it is.
    pub fn id(&self) -> GameId {
        self.id
    }

    /// The position now.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// How often each earlier position has occurred, in games where repetitions count.
    pub fn met(&self) -> Repetitions {
        let mut met = Repetitions::default();
        self.played.iter().for_each(|(before, _)| {
            before.meet(&mut met);
        });
        met
    }

    /// The board that it is played on.
    pub fn board(&self) -> Board {
        self.position.board()
    }

    /// The position as text.
    pub fn fen(&self) -> String {
        if self.counters.is_none() {
            return self.position.fen();
        }
        let start = self.played.first().map_or(&self.position, |(before, _)| before);
        let moves: Vec<AnyMove> = self.played.iter().map(|&(_, mv)| mv).collect();
        fen_after(self.counters, start, &moves)
    }

    /// The side to move. It may be the same side again after a ply.
    pub fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    /// The players' name for a side.
    pub fn side_name(&self, side: Side) -> &'static str {
        self.id.side_names[side.index()]
    }

    /// The legal moves as text; empty when the game is over.
    pub fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        self.position.moves().into_iter().map(|mv| self.position.move_text(mv)).collect()
    }

    /// Plays a move and returns its text in the notation of the game.
    ///
    /// # Errors
    /// When the text is not a move, the move is illegal, or the game is over. The game is then
    /// unchanged.
    pub fn push(&mut self, text: &str) -> Result<String> {
        let mv = self.position.parse_move(text)?;
        if self.outcome().is_some() {
            return Err(Error::input(format!("move `{text}`"), "the game is a draw by repetition")
                .remedy("take a move back or begin a new game"));
        }
        let next = self.position.after(mv);
        let before = std::mem::replace(&mut self.position, next);
        let text = before.move_text(mv);
        self.played.push((before, mv));
        Ok(text)
    }

    /// Takes the last move back and returns its text; `None` at the start.
    pub fn pop(&mut self) -> Option<String> {
        let (before, mv) = self.played.pop()?;
        let text = before.move_text(mv);
        self.position = before;
        Some(text)
    }

    /// The moves played, as text.
    pub fn history(&self) -> Vec<String> {
        self.played.iter().map(|(before, mv)| before.move_text(*mv)).collect()
    }

    /// The result of the game if it is over, by its rules or by repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        let is_repetition = || self.position.meet(&mut self.met());
        self.position.outcome().or_else(|| is_repetition().then_some(Outcome::Draw))
    }

    /// The number of lines of `depth` plies from here.
    ///
    /// # Errors
    /// When the depth is beyond [`MAX_PERFT_DEPTH`].
    pub fn perft(&self, depth: u32) -> Result<u64> {
        if depth > MAX_PERFT_DEPTH {
            return Err(Error::input(format!("depth {depth}"), "beyond the greatest")
                .remedy(format!("give 0 to {MAX_PERFT_DEPTH}")));
        }
        Ok(self.position.perft(depth))
    }

    /// A drawing of the board as several lines of text, with coordinates.
    pub fn diagram(&self) -> String {
        self.position.diagram()
    }

    /// Explains the static value of the position under a set, term by term.
    ///
    /// # Errors
    /// When the set is for another game or board.
    pub fn explain(&self, set: &WeightSet) -> Result<Explanation> {
        self.position.explain(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::openings::below;
    use crate::games::{Ataxx, Breakthrough, Breakthru};
    use rand_mt::Mt64;

    /// Plays random moves until the game ends, for at most this many plies.
    fn random_game(id: GameId, plies: usize, generator: &mut Mt64) -> AnyGame {
        let mut game = new_game(id, None).unwrap();
        for _ in 0..plies {
            let moves = game.moves();
            if moves.is_empty() {
                break;
            }
            game.push(&moves[below(generator, moves.len() as u64) as usize]).unwrap();
        }
        game
    }

    #[test]
    fn counters_of_a_text_are_counted_on_and_back() {
        let mut game = game_from_fen(GameId::of::<Ataxx>(), "x5o/7/7/7/7/7/o5x o 0 5").unwrap();
        assert!(game.fen().ends_with(" o 0 5"));
        game.push("f7").unwrap();
        assert!(game.fen().ends_with(" x 0 6"), "{}", game.fen());
        game.pop();
        assert!(game.fen().ends_with(" o 0 5"));
    }

    #[test]
    fn moves_are_taken_back_to_the_start() {
        let mut generator = Mt64::new(20);
        for &id in GameId::with_engine() {
            for _ in 0..20 {
                let mut game = random_game(id, 300, &mut generator);
                assert_eq!(game.outcome().is_some(), game.moves().is_empty());
                let again = game_from_fen(id, &game.fen()).unwrap();
                assert_eq!((again.fen(), again.board()), (game.fen(), game.board()));
                let mut replayed = new_game(id, None).unwrap();
                for mv in game.history() {
                    assert_eq!(replayed.push(&mv).unwrap(), mv);
                }
                assert_eq!(replayed.fen(), game.fen());
                while let Some(mv) = game.pop() {
                    assert!(game.moves().contains(&mv));
                }
                assert_eq!(game.fen(), new_game(id, None).unwrap().fen());
            }
        }
    }

    #[test]
    fn a_third_occurrence_ends_the_game_and_a_copy_goes_its_own_way() {
        let round = "e8-e9 e4-e3 b4-b3 j4-j3 e9-e8 e3-e4 b3-b4 j3-j4 ";
        let mut game = new_game(GameId::of::<Breakthru>(), None).unwrap();
        for mv in round.repeat(2).split_whitespace() {
            assert_eq!(game.outcome(), None);
            game.push(mv).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Draw));
        let error = game.push("e8-e9").unwrap_err().to_string();
        assert!(error.contains("a draw by repetition; take a move back"), "{error}");
        let mut copy = game.clone();
        copy.pop();
        assert_eq!((copy.outcome(), game.outcome()), (None, Some(Outcome::Draw)));
    }

    #[test]
    fn bad_input_is_refused_and_changes_nothing() {
        let mut game = new_game(GameId::of::<Breakthrough>(), None).unwrap();
        let fen = game.fen();
        for text in ["", "a1a3", "zz", "a2a2", "\u{1f600}"] {
            assert!(game.push(text).is_err(), "{text}");
        }
        assert_eq!((game.fen(), game.pop()), (fen, None));
        assert!(game.perft(MAX_PERFT_DEPTH + 1).is_err());
        assert_eq!(game.perft(2).unwrap(), 484);
        assert!(game_from_fen(GameId::of::<Ataxx>(), "rubbish").is_err());
        assert!(new_game(GameId::of::<Breakthru>(), Some(Board::new(8, 8))).is_err());
    }
}
