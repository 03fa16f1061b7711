//! A game in progress: positions, sides, clocks.

use crate::any::{AnyMove, AnyOpening, AnyPosition};
use crate::arena::record::result_text;
use crate::game::counters::fen_after;
use crate::game::{FenCounters, Outcome, Repetitions, Side};
use crate::search::Clock;
use std::time::{Duration, Instant};

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// The rules of the game decided.
    Rules(Outcome),
    /// This side's time ran out.
    Time(Side),
    /// This side gave up.
    Resigned(Side),
}

impl Over {
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Rules(outcome) => outcome,
            Self::Time(side) | Self::Resigned(side) => Outcome::Win(side.other()),
        }
    }
}

/// The changes of a move, kept to take it back.
struct Before {
    position: AnyPosition,
    mv: AnyMove,
    left: [Duration; 2],
}

/// A game between people and the engine.
pub(super) struct GameInPlay {
    start: AnyPosition,
    /// The counters of the text that the start was read from.
    counters: Option<FenCounters>,
    position: AnyPosition,
    history: Vec<Before>,
    /// Which sides are played by people.
    human: [bool; 2],
    clock: Option<Clock>,
    left: [Duration; 2],
    late: Option<Side>,
    resigned: Option<Side>,
    turn_began: Instant,
}

impl GameInPlay {
    /// A game before its first move.
    pub(super) fn new(start: AnyPosition, human: [bool; 2], clock: Option<Clock>) -> Self {
        let left = [clock.map_or(Duration::ZERO, |clock| clock.left); 2];
        let position = start.clone();
        Self {
            start,
            counters: None,
            position,
            history: Vec::new(),
            human,
            clock,
            left,
            late: None,
            resigned: None,
            turn_began: Instant::now(),
        }
    }

    /// Counts on from the counters of the text that the start was read from.
    pub(super) fn count_from(&mut self, counters: Option<FenCounters>) {
        self.counters = counters;
    }

    /// The start as text.
    pub(super) fn start_fen(&self) -> String {
        fen_after(self.counters, &self.start, &[])
    }

    /// The position on the board as text.
    pub(super) fn fen(&self) -> String {
        fen_after(self.counters, &self.start, &self.moves())
    }

    /// The position on the board.
    pub(super) fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// Whether the side to move is played by a person.
    pub(super) fn is_human_turn(&self) -> bool {
        self.human[self.position.side_to_move().index()]
    }

    /// Whether this side is played by a person.
    pub(super) fn is_human(&self, side: Side) -> bool {
        self.human[side.index()]
    }

    /// Why the game is over, if it is.
    pub(super) fn over(&self) -> Option<Over> {
        let ruled =
            || self.position.outcome().or_else(|| self.is_repetition().then_some(Outcome::Draw));
        let resigned = || self.resigned.map(Over::Resigned);
        self.late.map(Over::Time).or_else(resigned).or_else(|| ruled().map(Over::Rules))
    }

    /// How often each position before this one has occurred, where that counts.
    pub(super) fn repetitions(&self) -> Repetitions {
        let mut repetitions = Repetitions::default();
        self.history.iter().for_each(|before| {
            before.position.meet(&mut repetitions);
        });
        repetitions
    }

    /// Whether the position has occurred so often that the game is a draw.
    fn is_repetition(&self) -> bool {
        self.position.meet(&mut self.repetitions())
    }

    /// The result as text; `*` while the game continues.
    pub(super) fn result(&self) -> &'static str {
        self.over().map_or("*", |over| result_text(over.outcome()))
    }

    /// The clock of the side to move, as the engine sees it.
    pub(super) fn clock(&self) -> Option<Clock> {
        let left = self.left[self.position.side_to_move().index()];
        self.clock.map(|clock| Clock { left, ..clock })
    }

    /// The time left of each side, the running turn included; `None` without clocks.
    pub(super) fn time_left(&self) -> Option<[Duration; 2]> {
        self.clock?;
        let mut left = self.left;
        if self.over().is_none() {
            let running = &mut left[self.position.side_to_move().index()];
            *running = running.saturating_sub(self.turn_began.elapsed());
        }
        Some(left)
    }

    /// Plays a legal move and stops the mover's clock.
    pub(super) fn play(&mut self, mv: AnyMove) {
        let side = self.position.side_to_move();
        let before = Before { position: self.position.clone(), mv, left: self.left };
        if let Some(clock) = self.clock {
            let (left, used) = (self.left[side.index()], self.turn_began.elapsed());
            match left.checked_sub(used) {
                Some(rest) => self.left[side.index()] = rest + clock.increment,
                None => {
                    self.left[side.index()] = Duration::ZERO;
                    self.late = Some(side);
                }
            }
        }
        // A move made too late does not count.
        if self.late.is_none() {
            self.position = before.position.after(mv);
            self.history.push(before);
        }
        self.turn_began = Instant::now();
    }

    /// Takes back to the last turn of a person; false when there is none.
    pub(super) fn undo(&mut self) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        let by_person = |before: &Before| self.human[before.position.side_to_move().index()];
        let Some(index) = self.history.iter().rposition(by_person) else { return false };
        let Some(before) = self.history.drain(index..).next() else { return false };
        self.position = before.position;
        self.left = before.left;
        self.late = None;
        self.turn_began = Instant::now();
        true
    }

    /// The side to move gives up.
    pub(super) fn resign(&mut self) {
        self.resigned = Some(self.position.side_to_move());
    }

    /// Whether the side to move has made a move of this turn already.
    pub(super) fn is_turn_begun(&self) -> bool {
        let side = self.position.side_to_move();
        self.history.last().is_some_and(|before| before.position.side_to_move() == side)
    }

    /// The moves of the last turn, or of the one that is begun, as text.
    pub(super) fn last_turn(&self) -> Vec<String> {
        let mover = |before: &Before| before.position.side_to_move();
        let last = self.history.last().map(mover);
        let turn = self.history.iter().rev().take_while(|before| Some(mover(before)) == last);
        let mut texts: Vec<String> =
            turn.map(|before| before.position.move_text(before.mv)).collect();
        texts.reverse();
        texts
    }

    /// Puts another game in the place of this one; the clocks start again.
    pub(super) fn replace(&mut self, line: AnyOpening, counters: Option<FenCounters>) {
        *self = Self { counters, ..Self::new(line.start, self.human, self.clock) };
        line.moves.into_iter().for_each(|mv| self.play(mv));
    }

    /// Swaps the sides of person and engine; false when one of them plays both.
    pub(super) fn swap_sides(&mut self) -> bool {
        self.human.swap(0, 1);
        self.human[0] != self.human[1]
    }

    /// Starts again from the same position with full clocks.
    pub(super) fn restart(&mut self) {
        self.replace(AnyOpening::new(self.start.clone()), self.counters);
    }

    pub(super) fn moves(&self) -> Vec<AnyMove> {
        self.history.iter().map(|before| before.mv).collect()
    }

    /// The position the game began with.
    pub(super) fn start(&self) -> &AnyPosition {
        &self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthru, GameId};

    fn new_game(human: [bool; 2], seconds: u64) -> GameInPlay {
        let start = GameId::default().start(GameId::default().default_board).unwrap();
        let clock = Clock::new(Duration::from_secs(seconds), Duration::from_secs(1));
        GameInPlay::new(start, human, Some(clock))
    }

    fn play(game: &mut GameInPlay, text: &str) {
        game.play(game.position().parse_move(text).unwrap());
    }

    #[test]
    fn undo_goes_back_to_the_persons_turn() {
        let mut game = new_game([true, false], 60);
        assert!(!game.undo());
        play(&mut game, "a2a3");
        play(&mut game, "a7a6");
        assert!(game.undo());
        assert!(game.position() == game.start() && game.moves().is_empty());
        assert_eq!(game.time_left().unwrap()[1], Duration::from_secs(60));
    }

    #[test]
    fn the_increment_is_added_and_late_moves_lose() {
        let mut game = new_game([true, true], 60);
        play(&mut game, "a2a3");
        let left = game.time_left().unwrap()[0];
        assert!(left > Duration::from_secs(60) && left <= Duration::from_secs(61));
        let mut late = new_game([true, true], 0);
        play(&mut late, "a2a3");
        assert_eq!((late.over(), late.result()), (Some(Over::Time(Side::First)), "0-1"));
        assert!(late.moves().is_empty());
    }

    #[test]
    fn a_repeated_position_ends_the_game_until_a_move_is_taken_back() {
        let start = AnyPosition::of(Breakthru::begun_by(Side::First));
        let mut game = GameInPlay::new(start, [true, true], None);
        let round = "e8-e9 e4-e3 b4-b3 j4-j3 e9-e8 e3-e4 b3-b4 j3-j4 ";
        for mv in round.repeat(2).split_whitespace() {
            assert_eq!(game.over(), None);
            game.play(game.position().parse_move(mv).unwrap());
        }
        assert_eq!(game.over(), Some(Over::Rules(Outcome::Draw)));
        assert!(game.undo() && game.over().is_none());
    }

    #[test]
    fn sides_are_swapped_when_there_are_two() {
        let mut game = new_game([true, false], 60);
        assert!(game.swap_sides() && !game.is_human_turn());
        assert!(!new_game([true, true], 60).swap_sides());
    }
}
