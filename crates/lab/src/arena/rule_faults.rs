//! Catches faults in the rules of a game while it is played. Such a game has no result: its match
//! or run ends with an error that names the game and the position.

use crate::any::{AnyMove, AnyPosition};
use crate::error::{Error, Result, catch_panic};
use crate::game::Side;

/// Calls `play`, which plays on from `start` and appends its moves to the list.
///
/// # Errors
/// The errors of the function, and a panic in it: in the rules, in a feature, or in a search.
pub(crate) fn catch_panics<T>(
    start: &AnyPosition,
    play: impl FnOnce(&mut Vec<AnyMove>) -> Result<T>,
) -> Result<T> {
    let mut moves = Vec::new();
    catch_panic(|| play(&mut moves)).unwrap_or_else(|words| {
        let reason =
            format!("the code of the game panicked here or in a search from here: {words}");
        Err(Error::failed(place(start, &moves), reason).remedy(
            "the lines above name the place in the code; a test by `check_rules` finds such faults",
        ))
    })
}

/// The error for an unfinished position without a move.
pub(crate) fn no_move(position: &AnyPosition) -> Error {
    Error::failed(place(position, &[]), "the game is not over, but there is no legal move")
        .remedy("let `outcome` end the game here, or let `moves` list a pass")
}

/// Plays the last move of `line` in `position`. The line begins at `start`.
///
/// # Errors
/// When the same side begins another turn after it.
pub(crate) fn advance(
    position: &mut AnyPosition,
    start: &AnyPosition,
    line: &[AnyMove],
) -> Result<()> {
    let Some((&mv, before)) = line.split_last() else { return Ok(()) };
    let side = position.side_to_move();
    position.advance(mv);
    if !keeps_turn(position, side) {
        return Ok(());
    }
    let mut last = start.clone();
    before.iter().for_each(|&mv| last.advance(mv));
    let reason = format!("after {} the same side begins another turn", last.move_text(mv));
    Err(Error::failed(place(&last, &[]), reason).remedy(
        "let `play` change the side to move; in turns of several plies, `plies_made` counts them",
    ))
}

/// Whether the side that has just moved is to move again, though its turn has not begun.
fn keeps_turn(position: &AnyPosition, mover: Side) -> bool {
    position.outcome().is_none() && position.side_to_move() == mover && position.plies_made() == 0
}

/// The game, and the last position of a line whose text the rules can write.
fn place(start: &AnyPosition, moves: &[AnyMove]) -> String {
    let text = |count: usize| {
        let write = || {
            let mut position = start.clone();
            moves[..count].iter().for_each(|&mv| position.advance(mv));
            let next = moves.get(count).map(|&mv| format!(", then {}", position.move_text(mv)));
            format!("position `{}`{}", position.fen(), next.unwrap_or_default())
        };
        catch_panic(write).ok()
    };
    let written = (0..=moves.len()).rev().find_map(text);
    format!(
        "game `{}`, {}",
        start.game(),
        written.unwrap_or_else(|| "a position without text".into())
    )
}

#[cfg(test)]
mod tests {
    use super::super::play::play_game;
    use super::super::{Adjudication, PlayedGame};
    use super::*;
    use crate::any::{AnyEvaluator, AnyOpening};
    use crate::eval::Game;
    use crate::game::{Notation, Position};
    use crate::search::{Limits, Options, Stop};
    use crate::simple::*;
    use crate::weights::WeightSet;
    use std::cell::Cell;

    thread_local! {
        /// Whether rules have their fault. It comes after the check that each evaluator begins with.
        static ARMED: Cell<bool> = const { Cell::new(false) };
    }

    const NO_MOVE: u8 = 0;
    const SAME_SIDE: u8 = 1;
    const PANICS: u8 = 3;
    const UNREADABLE: u8 = 4;
    const SOUND: u8 = 5;

    /// The sides fill a row of eight squares from the left; with four taken the rules have a fault.
    #[derive(Clone, PartialEq, Eq, Hash, Debug)]
    struct Row<const FAULT: u8> {
        taken: [u64; 2],
        side: Side,
    }

    impl<const FAULT: u8> Row<FAULT> {
        fn all(&self) -> u64 {
            self.taken[0] | self.taken[1]
        }

        fn has(&self, fault: u8) -> bool {
            FAULT == fault && ones(self.all()) == 4 && ARMED.get()
        }
    }

    impl<const FAULT: u8> Rules for Row<FAULT> {
        const NAME: &'static str = "row";
        const BOARD: Board = Board::new(8, 1);
        const SIGNS: [&'static str; 2] = ["x", "o"];
        const START: &'static str = "8 x";

        fn from_squares(squares: &Squares, side: Side) -> std::result::Result<Self, &'static str> {
            Ok(Self { taken: squares.narrow(), side })
        }

        fn squares(&self) -> Squares {
            assert!(!self.has(UNREADABLE), "no squares");
            Squares::of_sets(&self.taken)
        }

        fn side_to_move(&self) -> Side {
            self.side
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.all() == 0xff).then_some(Outcome::Draw)
        }

        fn moves(&self, list: &mut Moves) {
            assert!(!self.has(PANICS), "no moves");
            if !self.has(NO_MOVE) {
                list.drop(ones(self.all()) as u8);
            }
        }

        fn play(&mut self, mv: Move) {
            let is_last = self.has(SAME_SIDE);
            self.taken[self.side.index()] |= 1 << mv.to();
            self.side = if is_last { self.side } else { self.side.other() };
        }
    }

    impl<const FAULT: u8> Features for Row<FAULT> {
        const FEATURES: &'static [SideFeature<Self>] = &[tempo()];
    }

    /// A game of the engine with itself, to the end or to the fault.
    fn played<const FAULT: u8>() -> Result<PlayedGame> {
        let set = r#"{"format": 4, "game": "row", "board": null, "name": "hand", "description": "",
            "scale": 1, "weights": {"tempo": 1}, "provenance": null}"#;
        let set = WeightSet::from_json(set, "hand").unwrap();
        let opening =
            AnyOpening::new(AnyPosition::of(Simple::<Row<FAULT>>::start(Row::<FAULT>::BOARD)?));
        let engine = || {
            let evaluator = Simple::<Row<FAULT>>::evaluator(&set).unwrap();
            let options = Options { table_bytes: 1 << 12, ..Options::default() };
            AnyEvaluator::of::<Simple<Row<FAULT>>>(evaluator).engine(options)
        };
        let limits = Limits::nodes(1);
        let (mut a, mut b) = (engine(), engine());
        ARMED.set(true);
        let players: [(&mut dyn crate::arena::GamePlayer, &Limits); 2] =
            [(&mut a, &limits), (&mut b, &limits)];
        let game = play_game(&opening, players, Adjudication::Never.into(), [&Stop::default(); 2]);
        ARMED.set(false);
        game
    }

    #[test]
    fn faults_of_the_rules_name_the_game_and_the_position() {
        assert_eq!(played::<SOUND>().unwrap().moves, "a1 b1 c1 d1 e1 f1 g1 h1");
        for (fault, text) in [
            (played::<NO_MOVE>(), "game `row`, position `xoxo4 x 0 1`: the game is not over, but"),
            (
                played::<SAME_SIDE>(),
                "position `xoxo4 x 0 1`: after e1 the same side begins another",
            ),
        ] {
            let error = fault.unwrap_err();
            assert!(error.to_string().contains(text) && error.exit_code() == 1, "{error}");
        }
    }

    #[test]
    fn a_panic_in_the_rules_names_the_position_that_can_be_written() {
        ARMED.set(true);
        let start = AnyPosition::of(Simple::<Row<PANICS>>::from_fen("xox5 o").unwrap());
        let panics = catch_panics(&start, |moves| {
            moves.push(start.parse_move("d1")?);
            start.after(moves[0]).moves();
            Ok(())
        });
        let text = panics.unwrap_err().to_string();
        assert!(
            text.contains("game `row`, position `xoxo4 x 0 1`: the code of the game panicked"),
            "{text}"
        );
        assert!(text.contains(": no moves; "), "{text}");
        let start = AnyPosition::of(Simple::<Row<UNREADABLE>>::from_fen("xox5 o").unwrap());
        let panics = catch_panics(&start, |moves| {
            moves.push(start.parse_move("d1")?);
            Ok(start.after(moves[0]).fen())
        });
        let text = panics.unwrap_err().to_string();
        assert!(text.contains("position `xox5 o 0 1`, then d1: "), "{text}");
    }
}
