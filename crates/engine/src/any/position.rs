//! A position of any game, and its moves.

use super::evaluated::{Evaluated, PositionKind, RulesAlone, WithEngine};
use super::typed_position::TypedPosition;
use super::variant::rules_alone;
use crate::error::{Error, Result};
use crate::eval::features::check_board;
use crate::eval::{Cells, Explanation, Game};
use crate::game::{Board, MoveCode, Outcome, Position, Repetitions, Rules, Side};
use crate::weights::WeightSet;
use rand_mt::Mt64;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A move of any game: its code, see [`MoveCode`]. With a [`Referee`](super::Referee) the codes are
/// valid within this process only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyMove(pub(super) u32);

impl AnyMove {
    /// Wraps a move of a game whose type is known.
    pub fn of(mv: impl MoveCode) -> Self {
        Self(mv.code().into())
    }

    /// The move in the game's own type.
    pub fn typed<M: MoveCode>(self) -> M {
        M::from_code(u16::try_from(self.0).unwrap_or_default())
    }
}

/// A position of any game, with its rules.
pub struct AnyPosition(pub(super) Box<dyn PositionObject>);

/// A line of moves with its first and last positions.
#[derive(Clone, Debug, PartialEq)]
pub struct AnyOpening {
    /// The position before the moves.
    pub start: AnyPosition,
    /// The moves.
    pub moves: Vec<AnyMove>,
    /// The position after the moves.
    pub position: AnyPosition,
}

impl AnyPosition {
    /// Wraps a position of a game whose type is known.
    pub fn of<G: Game>(position: G) -> Self {
        Self::of_kind::<G, WithEngine>(position)
    }

    /// Wraps a position of a game of known type that has rules only.
    pub fn of_rules<R: Rules>(position: R) -> Self {
        Self::of_kind::<R, RulesAlone>(position)
    }

    pub(super) fn of_kind<R: Rules, K: PositionKind<R>>(position: R) -> Self {
        Self(Box::new(TypedPosition(position, PhantomData::<K>)))
    }

    /// The position in the game's own type; `None` for a different game.
    pub fn typed<P: Position>(&self) -> Option<&P> {
        self.0.as_any().downcast_ref()
    }

    /// Marks the position as part of a recorded game, whose moves were checked when it was played.
    /// A [`Referee`](super::Referee) is then not asked again: where the second side begins and the
    /// start does not say so by the sign `b`, the caller does.
    #[must_use]
    pub fn recorded(self, second_begins: bool) -> Self {
        self.0.recorded(second_begins).unwrap_or(self)
    }

    /// Plays a move. The caller knows that it is legal.
    pub fn advance(&mut self, mv: AnyMove) {
        self.0.advance(mv);
    }

    /// The position after a move. The caller knows that it is legal.
    #[must_use]
    pub fn after(&self, mv: AnyMove) -> Self {
        let mut next = self.clone();
        next.advance(mv);
        next
    }

    /// Whether a legal move captures nothing and the position has no threat that must be answered.
    /// False for a game with rules only.
    pub fn is_quiet(&self, mv: AnyMove) -> bool {
        self.0.evaluated().is_some_and(|position| position.is_quiet(mv))
    }

    /// A line of moves from here as text, separated by spaces.
    pub fn line_text(&self, moves: &[AnyMove]) -> String {
        self.line_text_by(moves, |position, mv| position.move_text(mv))
    }

    /// The same, with `text` writing each move.
    pub fn line_text_by(
        &self,
        moves: &[AnyMove],
        text: impl Fn(&Self, AnyMove) -> String,
    ) -> String {
        let mut position = self.clone();
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves {
            words.push(text(&position, mv));
            position.advance(mv);
        }
        words.join(" ")
    }

    /// The values of all features in the order of the game's list; empty for a game with rules
    /// only.
    pub fn features(&self) -> Vec<i32> {
        self.0.evaluated().map_or_else(Vec::new, Evaluated::features)
    }

    /// The phase of the position, from 0 to [`LAST_PHASE`](crate::weights::LAST_PHASE), see
    /// [`Game::PHASE`]; 0 in games without phases.
    pub fn phase(&self) -> i32 {
        self.0.evaluated().map_or(0, Evaluated::phase)
    }

    /// The cells of a pattern table that match the position. The table is given by its index in the
    /// game's list.
    pub fn cells(&self, table: usize) -> Cells {
        self.0.evaluated().map_or_else(Cells::default, |position| position.cells(table))
    }

    /// The matching cells of a table, each with its number of occurrences, ordered by cell.
    pub fn patterns(&self, table: usize) -> BTreeMap<usize, i32> {
        self.0.evaluated().map_or_else(BTreeMap::new, |position| position.patterns(table))
    }

    /// The position without the piece at a column and row (from 0), and the owner of that piece.
    pub fn without_piece(&self, col: u8, row: u8) -> Option<(Self, Side)> {
        self.0.evaluated()?.without_piece(col, row)
    }

    /// Explains the static value of the position under a set, term by term.
    ///
    /// # Errors
    /// When the set is for another game or board, or the game has rules only.
    pub fn explain(&self, set: &WeightSet) -> Result<Explanation> {
        let position = self.0.evaluated().ok_or_else(|| rules_alone(self.game()))?;
        check_board(set, &set.name, self.board())?;
        position.explain(set)
    }
}

impl Deref for AnyPosition {
    type Target = dyn PositionObject;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AnyPosition {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl AnyOpening {
    /// An opening without any moves.
    pub fn new(start: AnyPosition) -> Self {
        Self { position: start.clone(), moves: Vec::new(), start }
    }

    /// How often each position before the last one has occurred, in games where repetitions count.
    pub fn met(&self) -> Repetitions {
        let mut met = Repetitions::default();
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.meet(&mut met);
            position.advance(mv);
        }
        met
    }

    /// The moves as text, separated by spaces.
    pub fn text(&self) -> String {
        self.start.line_text(&self.moves)
    }

    /// The first position as FEN, unless it is the standard start of the board.
    pub fn own_start(&self) -> Option<String> {
        (!self.start.is_start()).then(|| self.start.fen())
    }

    /// Whether the second side begins although a [record](AnyPosition::recorded) of the line would
    /// not show it.
    pub fn has_unnamed_second(&self) -> bool {
        let actual = self.start.side_to_move();
        let named = self.start.clone().recorded(false).side_to_move();
        named == Side::First && actual == Side::Second
    }

    /// Plays a move. The caller knows that it is legal.
    pub fn push(&mut self, mv: AnyMove) {
        self.position.advance(mv);
        self.moves.push(mv);
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> Self {
        self.0.clone_box()
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from_object(source);
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(other)
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game(), self.fen())
    }
}

/// The object behind an [`AnyPosition`].
pub trait PositionObject: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn clone_box(&self) -> AnyPosition;
    fn clone_from_object(&mut self, source: &AnyPosition);
    fn equals(&self, other: &AnyPosition) -> bool;

    /// The name of the game.
    fn game(&self) -> &'static str;

    /// The board.
    fn board(&self) -> Board;

    /// The side to move at this ply.
    fn side_to_move(&self) -> Side;

    /// The plies that the side to move has already made in this turn.
    fn plies_made(&self) -> u32;

    /// Whether this is the default start of its board.
    fn is_start(&self) -> bool;

    /// The result of the game by its rules, repetitions excluded.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether no program knows the rules. The players are then trusted: every move is legal, and a
    /// player without a move reports the result.
    fn trusts_players(&self) -> bool {
        false
    }

    /// The error of the [`Referee`](super::Referee) that failed to judge this position. Such a
    /// position has neither moves nor an outcome.
    fn fault(&self) -> Option<&Error> {
        None
    }
    fn recorded(&self, _second_begins: bool) -> Option<AnyPosition> {
        None
    }

    /// The legal moves; empty when the game is over.
    fn moves(&self) -> Vec<AnyMove>;

    /// Whether a move is legal here.
    fn is_legal(&self, mv: AnyMove) -> bool;

    /// See [`AnyPosition::advance`].
    fn advance(&mut self, mv: AnyMove);

    /// The Zobrist key.
    fn key(&self) -> u64;

    /// The key shared by all positions that the game treats as equal, see
    /// [`Position::canonical_key`].
    fn canonical_key(&self) -> u128;

    /// Counts an occurrence of the position; true when repetition makes the game a draw.
    fn meet(&self, met: &mut Repetitions) -> bool;

    /// The position as text.
    fn fen(&self) -> String;

    /// The position in the UCI dialect of FEN.
    fn uci_fen(&self) -> String;

    /// The number of counters at the end of [`fen`](Self::fen) that the position does not store.
    fn loose_counters(&self) -> usize;

    /// A move as text, in the notation of the game.
    fn move_text(&self, mv: AnyMove) -> String;

    /// A move in UCI notation.
    fn uci_move_text(&self, mv: AnyMove) -> String;

    /// A legal move in PGN notation.
    fn pgn_move_text(&self, mv: AnyMove) -> String;

    /// Reads a legal move.
    ///
    /// # Errors
    /// When the text is not a move, or the move is illegal here. The error lists similar legal
    /// moves.
    fn parse_move(&self, text: &str) -> Result<AnyMove>;

    /// A drawing of the board as several lines of text, with coordinates.
    fn diagram(&self) -> String;

    /// The number of lines of `depth` plies from here, see [`Position::perft`].
    fn perft(&self, depth: u32) -> u64;

    /// `count` unfinished positions from random play, see
    /// [`sample_positions`](crate::eval::features::sample_positions).
    fn sample(&self, count: usize, seed: u64) -> Vec<AnyPosition>;

    /// Plays random moves as [`random`](crate::game::openings::Opening::random) does; `None` when
    /// the game ends on the way. If a game has [several starts](Position::random_start), a line
    /// from its standard start begins with a random one.
    fn random_line(&self, plies: u32, generator: &mut Mt64) -> Option<AnyOpening>;

    /// The size of a packed position in bytes: the game's [`packed`](super::Variant::packed).
    fn packed(&self) -> usize;

    /// Packs the position into the first bytes; false if it cannot be packed.
    fn pack(&self, bytes: &mut [u8]) -> bool;

    /// Replaces this position by one that [`pack`](Self::pack) wrote on the same board. Nothing is
    /// allocated, so one position can read many.
    ///
    /// # Errors
    /// When the bytes are not an unfinished position on the board.
    fn unpack(&mut self, bytes: &[u8]) -> Result<()>;

    /// The features of the position; `None` for a game with rules only.
    fn evaluated(&self) -> Option<&dyn Evaluated>;
}
