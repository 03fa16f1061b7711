//! The moves of a book for a position, and which one to play.

use super::compact::{self, MAGIC};
use super::packed::{self, PACKED_VERSION};
use super::shipped::ShippedBook;
use super::tree::{OpeningTree, by_chance, successors, value_after, value_before};
use super::{MOST_BYTES, is_tree};
use crate::any::{AnyMove, AnyPosition};
use crate::error::{Error, Result};
use crate::eval::Score;
use crate::files::{self, Links};
use crate::game::Board;
use crate::games::GameId;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, as seen from the probed position.
    pub mv: AnyMove,
    /// Its value for its mover, in units of the weight set.
    pub value: Score,
}

/// The positions of a book with their values from the side to move.
///
/// A move is in the book if the position after it has a value. So the book serves symmetric images,
/// too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningBook {
    pub(super) game: GameId,
    pub(super) board: Board,
    /// The score of a piece.
    pub(super) unit: Score,
    /// Scores by the canonical keys of positions.
    pub(super) values: HashMap<u128, Score>,
}

impl OpeningBook {
    /// The usual margin of near-ties, in hundredths of a piece.
    pub const VARIETY: u32 = 5;
    /// The most that a move to play may be worth less than its position, in hundredths of a piece.
    const SHORTFALL: i64 = 50;

    /// The book of a tree. A leaf has one move: the best one of its search. The book of a
    /// repertoire has what either side needs, and the move to play counts as the best one.
    pub fn of(tree: &OpeningTree) -> Self {
        let (game, board, unit) = (tree.game(), tree.board(), tree.settings().unit);
        if tree.settings().repertoire.is_some() {
            return Self { game, board, unit, values: tree.repertoire_values() };
        }
        let mut first: BTreeMap<u128, (u16, Score)> = BTreeMap::new();
        for node in tree.nodes() {
            let known = first.entry(node.key).or_insert((node.ply, node.value));
            if node.ply < known.0 {
                *known = (node.ply, node.value);
            }
        }
        let mut values: HashMap<u128, Score> =
            first.into_iter().map(|(key, (_, value))| (key, value)).collect();
        for node in tree.nodes().iter().filter(|node| node.is_leaf()) {
            let best = node.answer.best.map(|best| node.position.after(best));
            if let Some(after) = best {
                let keeps_turn = after.side_to_move() == node.position.side_to_move();
                let value = value_after(node.value, keeps_turn);
                values.entry(after.canonical_key()).or_insert(value);
            }
        }
        Self { game, board, unit, values }
    }

    /// Reads a book for a game: the file of a tree, or its compact or packed form, or a book that
    /// comes with the program, by its name.
    ///
    /// # Errors
    /// When the file cannot be read, is damaged, or is of another game.
    pub fn load(path: &Path, game: GameId) -> Result<Self> {
        let book = match path.to_str().and_then(ShippedBook::find) {
            Some(shipped) => shipped.read()?,
            None => Self::of_file(&files::read(path, Links::Followed, MOST_BYTES)?)
                .map_err(|error| error.within(path.display()))?,
        };
        match book.game == game {
            true => Ok(book),
            false => {
                let reason = format!("an opening book of {}, not of {game}", book.game);
                Err(Error::input(path.display(), reason).remedy("name a book of the game"))
            }
        }
    }

    /// Reads a file in the compact or the packed form, or a book that comes with the program, by its
    /// name; `None` where it is none of them.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn load_small(path: &Path) -> Result<Option<Self>> {
        if let Some(shipped) = path.to_str().and_then(ShippedBook::find) {
            return shipped.read().map(Some);
        }
        let bytes = files::read(path, Links::Followed, MOST_BYTES)?;
        let book = bytes.starts_with(MAGIC).then(|| Self::of_small(&bytes)).transpose();
        book.map_err(|error| error.within(path.display()))
    }

    /// The book of a file of any of the three forms.
    fn of_file(bytes: &[u8]) -> Result<Self> {
        match bytes.starts_with(MAGIC) {
            true => Self::of_small(bytes),
            false if is_tree(bytes) => OpeningTree::from_bytes(bytes).map(|tree| Self::of(&tree)),
            false => Err(Error::input("opening book", "neither a book nor its compact form")
                .remedy("name a file that `book build` or `book export` wrote")),
        }
    }

    /// The book of a compact or packed form.
    fn of_small(bytes: &[u8]) -> Result<Self> {
        match bytes.get(MAGIC.len()) {
            Some(&PACKED_VERSION) => packed::read(bytes),
            _ => compact::read(bytes),
        }
    }

    /// As [`load`](Self::load), for games on one board. The path `shipped` stands for the book that
    /// comes with the program for the board.
    ///
    /// # Errors
    /// As there, and when the book is for another board.
    pub fn load_for(path: &Path, game: GameId, board: Board) -> Result<Self> {
        if path == Path::new(ShippedBook::ANY) {
            return ShippedBook::read_for(game, board);
        }
        let book = Self::load(path, game)?;
        match book.board == board {
            true => Ok(book),
            false => {
                let reason = format!("an opening book for {}, not for {board}", book.board);
                Err(Error::input(path.display(), reason).remedy("name a book for the board"))
            }
        }
    }

    /// The game that the book is for.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// The board that the book is for.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The score of a piece under the weights that searched.
    pub fn unit(&self) -> Score {
        self.unit
    }

    /// The number of positions with a value.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The moves of a position that are in the book, best first; none if the position itself is not
    /// in the book.
    pub fn moves(&self, position: &AnyPosition) -> Vec<BookMove> {
        let is_known = position.board() == self.board
            && position.game() == self.game.name
            && self.values.contains_key(&position.canonical_key());
        if !is_known {
            return Vec::new();
        }
        let found = successors(position).filter_map(|successor| {
            let (mv, key, keeps_turn) = successor.parts();
            let value = value_before(*self.values.get(&key)?, keeps_turn);
            Some(BookMove { mv, value })
        });
        let mut moves: Vec<BookMove> = found.collect();
        moves.sort_by_key(|found| std::cmp::Reverse(found.value));
        moves
    }

    /// The move to play: the seed chooses among the moves at most `variety` hundredths of a piece
    /// below the best. `None` where the book ends, or if the best known move is worth over half a
    /// piece less than the position. That happens if a leaf's best move leads to a position that
    /// another line has searched more deeply: a move that the book lacks is then better.
    pub fn choose(&self, position: &AnyPosition, variety: u32, seed: u64) -> Option<BookMove> {
        let moves = self.moves(position);
        let best = moves.first()?.value;
        let own = *self.values.get(&position.canonical_key())?;
        let shortfall = i64::from(own) - i64::from(best);
        if 100 * shortfall > Self::SHORTFALL * i64::from(self.unit) {
            return None;
        }
        let margin = i64::from(variety) * i64::from(self.unit);
        let least = 100 * i64::from(best) - margin;
        let near = moves.partition_point(|found| 100 * i64::from(found.value) >= least);
        let drawn = by_chance(seed, position.canonical_key()) % near as u64;
        moves.get(drawn as usize).copied()
    }
}
