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

/// A move of any game: its code, see [`MoveCode`]. Where a [`Referee`](super::Referee) knows the
/// rules, codes hold for this process alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyMove(pub(super) u32);

impl AnyMove {
    /// The move of a game of known type.
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

/// A line of moves, where it begins and where it leads.
#[derive(Clone, Debug, PartialEq)]
pub struct AnyOpening {
    /// The position before them.
    pub start: AnyPosition,
    /// The moves.
    pub moves: Vec<AnyMove>,
    /// The position after them.
    pub position: AnyPosition,
}

impl AnyPosition {
    /// A position of a game of known type.
    pub fn of<G: Game>(position: G) -> Self {
        Self::of_kind::<G, WithEngine>(position)
    }

    /// A position of a game of known type that is rules alone.
    pub fn of_rules<R: Rules>(position: R) -> Self {
        Self::of_kind::<R, RulesAlone>(position)
    }

    pub(super) fn of_kind<R: Rules, K: PositionKind<R>>(position: R) -> Self {
        Self(Box::new(TypedPosition(position, PhantomData::<K>)))
    }

    /// The position in the game's own type; `None` where it is of another game.
    pub fn typed<P: Position>(&self) -> Option<&P> {
        self.0.as_any().downcast_ref()
    }

    /// The position as one of a recorded game, whose moves were judged when it was played. Where a
    /// [`Referee`](super::Referee) knows the rules, it is not asked again.
    #[must_use]
    pub fn recorded(self) -> Self {
        self.0.recorded().unwrap_or(self)
    }

    /// Plays a move that is known to be legal.
    pub fn advance(&mut self, mv: AnyMove) {
        self.0.advance(mv);
    }

    /// The position after a move that is known to be legal.
    #[must_use]
    pub fn after(&self, mv: AnyMove) -> Self {
        let mut next = self.clone();
        next.advance(mv);
        next
    }

    /// Whether a legal move captures nothing, and no threat to win at once must be answered. Of
    /// rules alone nobody knows.
    pub fn is_quiet(&self, mv: AnyMove) -> bool {
        self.0.evaluated().is_some_and(|position| position.is_quiet(mv))
    }

    /// Moves played from here one after the other as text, separated by spaces.
    pub fn line_text(&self, moves: &[AnyMove]) -> String {
        self.line_text_by(moves, |position, mv| position.move_text(mv))
    }

    /// The same, each of them as `text` has it.
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

    /// The value of every single feature, in the order of the game's list; none of rules alone.
    pub fn features(&self) -> Vec<i32> {
        self.0.evaluated().map_or_else(Vec::new, Evaluated::features)
    }

    /// The phase of the position, from 0 to [`LAST_PHASE`](crate::weights::LAST_PHASE), see
    /// [`Game::PHASE`]; 0 in games without phases.
    pub fn phase(&self) -> i32 {
        self.0.evaluated().map_or(0, Evaluated::phase)
    }

    /// The cells of the patterns that the position shows of a table, by its place in the game's
    /// list.
    pub fn cells(&self, table: usize) -> Cells {
        self.0.evaluated().map_or_else(Cells::default, |position| position.cells(table))
    }

    /// The cells that the position shows of a table, and how often; by cell.
    pub fn patterns(&self, table: usize) -> BTreeMap<usize, i32> {
        self.0.evaluated().map_or_else(BTreeMap::new, |position| position.patterns(table))
    }

    /// The position without the piece in a column and row, from 0, and whose piece it was.
    pub fn without_piece(&self, col: u8, row: u8) -> Option<(Self, Side)> {
        self.0.evaluated()?.without_piece(col, row)
    }

    /// Takes the static value of the position under a set apart.
    ///
    /// # Errors
    /// When the set is for another game or board, or the game is rules alone.
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
    /// The opening without moves.
    pub fn new(start: AnyPosition) -> Self {
        Self { position: start.clone(), moves: Vec::new(), start }
    }

    /// How often each position before the last one has been met, where that counts.
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

    /// Where the moves begin, as FEN, unless that is the start of the board.
    pub fn own_start(&self) -> Option<String> {
        (!self.start.is_start()).then(|| self.start.fen())
    }

    /// Plays a move that is known to be legal.
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

    /// The side whose ply it is.
    fn side_to_move(&self) -> Side;

    /// The plies that the side to move has made in its turn.
    fn plies_made(&self) -> u32;

    /// Whether it is the start that its board has where no other one is named.
    fn is_start(&self) -> bool;

    /// How the game has ended by its rules, repetitions aside.
    fn outcome(&self) -> Option<Outcome>;

    /// Whether nobody knows the rules, so that the players are trusted: any move is legal, and a
    /// player without one says how the game has ended.
    fn trusts_players(&self) -> bool {
        false
    }

    /// The error of the [`Referee`](super::Referee) that should know the rules here and fails. Such
    /// a position has neither moves nor an outcome.
    fn fault(&self) -> Option<&Error> {
        None
    }
    fn recorded(&self) -> Option<AnyPosition> {
        None
    }

    /// The legal moves; none when the game is over.
    fn moves(&self) -> Vec<AnyMove>;

    /// Whether a move is legal here.
    fn is_legal(&self, mv: AnyMove) -> bool;

    /// See [`AnyPosition::advance`].
    fn advance(&mut self, mv: AnyMove);

    /// The Zobrist key.
    fn key(&self) -> u64;

    /// The key that the position shares with those that are the same to the game, see
    /// [`Position::canonical_key`].
    fn canonical_key(&self) -> u128;

    /// Counts the position in a game; true when it has been met so often that the game is a draw.
    fn meet(&self, met: &mut Repetitions) -> bool;

    /// The position as text.
    fn fen(&self) -> String;

    /// The position in the dialect of UCI.
    fn uci_fen(&self) -> String;

    /// How many counters at the end of [`fen`](Self::fen) the position does not keep.
    fn loose_counters(&self) -> usize;

    /// A move as text, in the notation of the game.
    fn move_text(&self, mv: AnyMove) -> String;

    /// A move in the dialect of UCI.
    fn uci_move_text(&self, mv: AnyMove) -> String;

    /// A legal move as PGN has it.
    fn pgn_move_text(&self, mv: AnyMove) -> String;

    /// Reads a legal move.
    ///
    /// # Errors
    /// When the text is not a move, or the move is illegal here; the error lists the legal ones
    /// that are near.
    fn parse_move(&self, text: &str) -> Result<AnyMove>;

    /// The board drawn for people, several lines, with coordinates.
    fn diagram(&self) -> String;

    /// The number of lines of `depth` plies from here, see [`Position::perft`].
    fn perft(&self, depth: u32) -> u64;

    /// `count` unfinished positions from random play, see
    /// [`sample_positions`](crate::eval::features::sample_positions).
    fn sample(&self, count: usize, seed: u64) -> Vec<AnyPosition>;

    /// Plays random moves, as
    /// [`Opening::random`](crate::game::openings::Opening::random); `None` when the game ends on the way. From the
    /// start of a game that has [several](Position::random_start) the line begins with one of them.
    fn random_line(&self, plies: u32, generator: &mut Mt64) -> Option<AnyOpening>;

    /// The bytes that [`pack`](Self::pack) fills: the game's [`packed`](super::Variant::packed).
    fn packed(&self) -> usize;

    /// Packs the position into the first bytes; false when it cannot be packed.
    fn pack(&self, bytes: &mut [u8]) -> bool;

    /// Takes the place of this position what [`pack`](Self::pack) wrote of one on the same board.
    /// Nothing is allocated, so one position serves to read many.
    ///
    /// # Errors
    /// When the bytes are not an unfinished position on the board.
    fn unpack(&mut self, bytes: &[u8]) -> Result<()>;

    /// Its features; none of rules alone.
    fn evaluated(&self) -> Option<&dyn Evaluated>;
}
