//! A game under way, of any kind.

use crate::error::{Error, Result};
use crate::eval::{Explanation, Game, explain};
use crate::game::counters::{Counters, fen_after};
use crate::game::{Board, MoveList, Outcome, Repetitions, Side, perft};
use crate::games::{GameId, with_game};
use crate::weights::WeightSet;
use std::any::Any;

/// The greatest depth that [`AnyGame::perft`] counts to.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// A game under way: a start, the moves played from there, and the rules.
pub trait AnyGame: Send {
    /// Which game it is.
    fn id(&self) -> GameId;

    /// The board that it is played on.
    fn board(&self) -> Board;

    /// The position as text.
    fn fen(&self) -> String;

    /// The side whose ply it is. It may be the same side after a ply.
    fn side_to_move(&self) -> Side;

    /// What players call a side.
    fn side_name(&self, side: Side) -> &'static str;

    /// The legal moves as text; none when the game is over.
    fn moves(&self) -> Vec<String>;

    /// Plays a move, and gives its text in the notation of the game.
    ///
    /// # Errors
    /// When the text is not a move, the move is illegal, or the game is over; the game stays as it
    /// was.
    fn push(&mut self, text: &str) -> Result<String>;

    /// Takes the last move back, and gives its text; `None` at the start.
    fn pop(&mut self) -> Option<String>;

    /// The moves played, as text.
    fn history(&self) -> Vec<String>;

    /// How the game has ended, if it has: by its rules, repetitions included.
    fn outcome(&self) -> Option<Outcome>;

    /// The number of lines of so many plies from here.
    ///
    /// # Errors
    /// When the depth is beyond [`MAX_PERFT_DEPTH`].
    fn perft(&self, depth: u32) -> Result<u64>;

    /// The board drawn for people, several lines, with coordinates.
    fn diagram(&self) -> String;

    /// Takes the static value of the position under a set apart.
    ///
    /// # Errors
    /// When the set is for another game or board.
    fn explain(&self, set: &WeightSet) -> Result<Explanation>;

    /// The same game once more.
    fn clone_box(&self) -> Box<dyn AnyGame>;

    /// For engines, which know the game's type.
    fn as_any(&self) -> &dyn Any;
}

/// A game at its start, on the usual board where none is given.
///
/// # Errors
/// When the game is not played on the board.
pub fn new_game(id: GameId, board: Option<Board>) -> Result<Box<dyn AnyGame>> {
    with_game!(id, G => {
        use crate::game::Position;
        let start = G::start(board.unwrap_or_else(G::default_board))?;
        Ok(Box::new(TypedGame::new(start)) as Box<dyn AnyGame>)
    })
}

/// A game that begins with a position.
///
/// # Errors
/// When the text is not a position of the game.
pub fn game_from_fen(id: GameId, fen: &str) -> Result<Box<dyn AnyGame>> {
    with_game!(id, G => {
        use crate::game::Notation;
        let game = TypedGame::new(G::from_fen(fen)?);
        Ok(Box::new(TypedGame { counters: Counters::of::<G>(fen), ..game }) as Box<dyn AnyGame>)
    })
}

/// A game of one type.
#[derive(Clone)]
pub(super) struct TypedGame<G: Game> {
    pub(super) position: G,
    /// The counters of the text that the game began with.
    counters: Option<Counters>,
    /// Each move with the position before it.
    played: Vec<(G, G::Move)>,
}

impl<G: Game> TypedGame<G> {
    fn new(position: G) -> Self {
        Self { position, counters: None, played: Vec::new() }
    }

    /// How often each position before this one has been met, where that counts.
    pub(super) fn met(&self) -> Repetitions {
        let mut met = Repetitions::default();
        self.played.iter().for_each(|(before, _)| {
            met.meet(before);
        });
        met
    }
}

impl<G: Game> AnyGame for TypedGame<G> {
    fn id(&self) -> GameId {
        // The list of games and the names of games are one.
        G::GAME.parse().unwrap_or_default()
    }

    fn board(&self) -> Board {
        self.position.board()
    }

    fn fen(&self) -> String {
        if self.counters.is_none() {
            return self.position.fen();
        }
        let start = self.played.first().map_or(&self.position, |(before, _)| before);
        let moves: Vec<G::Move> = self.played.iter().map(|&(_, mv)| mv).collect();
        fen_after(self.counters, start, &moves)
    }

    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    fn side_name(&self, side: Side) -> &'static str {
        G::SIDE_NAMES[side.index()]
    }

    fn moves(&self) -> Vec<String> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let mut moves = MoveList::new();
        self.position.moves(&mut moves);
        moves.iter().map(|&mv| self.position.move_text(mv)).collect()
    }

    fn push(&mut self, text: &str) -> Result<String> {
        let mv = self.position.parse_move(text)?;
        if self.outcome().is_some() {
            return Err(Error::input(format!("move `{text}`"), "the game is a draw by repetition")
                .remedy("take a move back or begin a new game"));
        }
        let next = self.position.play_unchecked(mv);
        let before = std::mem::replace(&mut self.position, next);
        let text = before.move_text(mv);
        self.played.push((before, mv));
        Ok(text)
    }

    fn pop(&mut self) -> Option<String> {
        let (before, mv) = self.played.pop()?;
        let text = before.move_text(mv);
        self.position = before;
        Some(text)
    }

    fn history(&self) -> Vec<String> {
        self.played.iter().map(|(before, mv)| before.move_text(*mv)).collect()
    }

    fn outcome(&self) -> Option<Outcome> {
        let is_repetition = || self.met().meet(&self.position);
        self.position.outcome().or_else(|| is_repetition().then_some(Outcome::Draw))
    }

    fn perft(&self, depth: u32) -> Result<u64> {
        if depth > MAX_PERFT_DEPTH {
            return Err(Error::input(format!("depth {depth}"), "beyond the greatest")
                .remedy(format!("give 0 to {MAX_PERFT_DEPTH}")));
        }
        Ok(perft(&self.position, depth))
    }

    fn diagram(&self) -> String {
        self.position.diagram()
    }

    fn explain(&self, set: &WeightSet) -> Result<Explanation> {
        crate::eval::features::check_board(set, &set.name, self.board())?;
        explain(&self.position, set)
    }

    fn clone_box(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::openings::below;
    use rand_mt::Mt64;

    /// Plays random moves to the end of the game, or for so many plies.
    fn random_game(id: GameId, plies: usize, generator: &mut Mt64) -> Box<dyn AnyGame> {
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
        let mut game = game_from_fen(GameId::Ataxx, "x5o/7/7/7/7/7/o5x o 0 5").unwrap();
        assert!(game.fen().ends_with(" o 0 5"));
        game.push("f7").unwrap();
        assert!(game.fen().ends_with(" x 0 6"), "{}", game.fen());
        game.pop();
        assert!(game.fen().ends_with(" o 0 5"));
    }

    #[test]
    fn moves_are_taken_back_to_the_start() {
        let mut generator = Mt64::new(20);
        for &id in GameId::ALL {
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
        let mut game = new_game(GameId::Breakthru, None).unwrap();
        for mv in round.repeat(2).split_whitespace() {
            assert_eq!(game.outcome(), None);
            game.push(mv).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Draw));
        let error = game.push("e8-e9").unwrap_err().to_string();
        assert!(error.contains("a draw by repetition; take a move back"), "{error}");
        let mut copy = game.clone_box();
        copy.pop();
        assert_eq!((copy.outcome(), game.outcome()), (None, Some(Outcome::Draw)));
    }

    #[test]
    fn bad_input_is_refused_and_changes_nothing() {
        let mut game = new_game(GameId::Breakthrough, None).unwrap();
        let fen = game.fen();
        for text in ["", "a1a3", "zz", "a2a2", "\u{1f600}"] {
            assert!(game.push(text).is_err(), "{text}");
        }
        assert_eq!((game.fen(), game.pop()), (fen, None));
        assert!(game.perft(MAX_PERFT_DEPTH + 1).is_err());
        assert_eq!(game.perft(2).unwrap(), 484);
        assert!(game_from_fen(GameId::Ataxx, "rubbish").is_err());
        assert!(new_game(GameId::Breakthru, Some(Board::new(8, 8))).is_err());
    }
}
