//! A game made of hashes alone, in which a side sometimes moves twice in a row: it exposes searches
//! that assume alternating sides.

use super::Conforming;
use super::symmetry::Symmetry;
use rand_mt::Mt64;
use sparring::error::{Error, Result};
use sparring::eval::{BoardView, Evaluator, Feature, Game, Guide, Score};
use sparring::game::{
    Board, Foresight, MoveCode, MoveList, Notation, Outcome, Packing, Position, SearchHints, Side,
};
use sparring::weights::WeightSet;

/// The most moves of a position.
const MOST_MOVES: u64 = 5;
/// The bound of static values, either way: small, so that ties abound.
const GREATEST_VALUE: i32 = 12;

/// A place in a random graph. With few nodes it has cycles and transpositions, as long as the plies
/// are not numbered; with 2^64 it is a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToyGame<const REPEATS: bool> {
    graph: u64,
    nodes: u64,
    node: u64,
    side: Side,
    /// Plies until the game is drawn; `u64::MAX` where it continues for ever.
    left: u64,
}

/// The game in which a place that comes back is a place like any other.
pub type Toy = ToyGame<false>;

/// The game that is drawn when a place is met for the third time.
pub type LoopingToy = ToyGame<true>;

/// The number of an edge, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge(u16);

impl MoveCode for Edge {
    const HISTORY_SIZE: usize = 8;

    fn code(self) -> u16 {
        self.0
    }

    fn from_code(code: u16) -> Self {
        Self(code)
    }

    fn history_index(self) -> usize {
        usize::from(self.0 % 8)
    }
}

/// Decisions by a hash.
enum Trait {
    Outcome,
    Moves,
    Value,
    Rank,
    Key,
    Target(u16),
    Turn(u16),
}

impl<const REPEATS: bool> ToyGame<REPEATS> {
    /// The first unfinished place of a graph with this many nodes.
    pub fn new(graph: u64, nodes: u64) -> Self {
        Self::ending(graph, nodes, u64::MAX)
    }

    /// The same, drawn after this many plies.
    pub fn ending(graph: u64, nodes: u64, left: u64) -> Self {
        let at = |node| Self { graph, nodes, node, side: Side::First, left };
        (0..).map(at).find(|toy| toy.outcome().is_none()).unwrap()
    }

    fn hash(&self, what: Trait) -> u64 {
        let tag = match what {
            Trait::Outcome => 1,
            Trait::Moves => 2,
            Trait::Value => 3,
            Trait::Rank => 4,
            Trait::Key => 5,
            Trait::Target(code) => 1 << 16 | u64::from(code),
            Trait::Turn(code) => 1 << 17 | u64::from(code),
        };
        let mix = |z: u64| {
            let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        };
        let parts = [self.graph, self.node, self.side.index() as u64, tag];
        parts.iter().fold(0, |sum: u64, &part| {
            mix(sum.wrapping_add(part).wrapping_add(0x9e37_79b9_7f4a_7c15))
        })
    }

    fn value(&self) -> i32 {
        (self.hash(Trait::Value) % (2 * GREATEST_VALUE as u64 + 1)) as i32 - GREATEST_VALUE
    }
}

impl<const REPEATS: bool> Position for ToyGame<REPEATS> {
    type Move = Edge;
    const GAME: &'static str = "toy";
    const HAS_DRAWS: bool = true;
    const REPEATS: bool = REPEATS;

    fn default_board() -> Board {
        Board::new(1, 1)
    }

    fn boards() -> Vec<Board> {
        vec![Self::default_board()]
    }

    fn default_opening_plies(_: Board) -> u32 {
        0
    }

    fn start(board: Board) -> Result<Self> {
        if board == Self::default_board() {
            Ok(Self::new(1, 40))
        } else {
            Err(Error::input("board", "unknown"))
        }
    }

    fn board(&self) -> Board {
        Self::default_board()
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.hash(Trait::Outcome) % 24 {
            _ if self.left == 0 => Some(Outcome::Draw),
            0 => Some(Outcome::Win(Side::First)),
            1 => Some(Outcome::Win(Side::Second)),
            2 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self, list: &mut MoveList<Edge>) {
        if self.outcome().is_none() {
            list.extend(
                (0..=self.hash(Trait::Moves) % MOST_MOVES).map(|edge| Edge(edge as u16 + 1)),
            );
        }
    }

    fn play_unchecked(&self, Edge(code): Edge) -> Self {
        let node = self.hash(Trait::Target(code)) % self.nodes;
        let stays = self.hash(Trait::Turn(code)).is_multiple_of(2);
        let left = if self.left == u64::MAX { self.left } else { self.left.saturating_sub(1) };
        Self { node, side: if stays { self.side } else { self.side.other() }, left, ..self.clone() }
    }

    fn key(&self) -> u64 {
        // Endless games keep the keys that they have without a number of plies.
        self.hash(Trait::Key) ^ self.left.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn repetition_key(&self) -> u64 {
        self.hash(Trait::Key)
    }
}

impl<const REPEATS: bool> Notation for ToyGame<REPEATS> {
    const MOVE_HELP: &'static str = "write a number";

    fn fen(&self) -> String {
        format!("{} {} {} {} {}", self.graph, self.nodes, self.node, self.side.index(), self.left)
    }

    fn from_fen(text: &str) -> Result<Self> {
        let numbers: std::result::Result<Vec<u64>, _> = text.split(' ').map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[graph, nodes, node, side @ (0 | 1), left]) if node < nodes => {
                Ok(Self { graph, nodes, node, side: Side::BOTH[side as usize], left })
            }
            _ => Err(Error::input("FEN", "not five numbers")),
        }
    }

    fn move_text(&self, Edge(code): Edge) -> String {
        code.to_string()
    }

    fn read_move(&self, text: &str) -> Option<Edge> {
        text.parse().ok().map(Edge)
    }

    fn diagram(&self) -> String {
        self.fen() + "\n"
    }
}

impl<const REPEATS: bool> Packing for ToyGame<REPEATS> {}

impl<const REPEATS: bool> SearchHints for ToyGame<REPEATS> {
    fn pass(&self) -> Option<Self> {
        None
    }

    fn foresight(&self) -> Foresight {
        let won = |child: &Self| child.outcome() == Some(Outcome::Win(self.side));
        if super::children(self).iter().any(won) { Foresight::Win(1) } else { Foresight::Unknown }
    }

    fn noisy_moves(&self, _: &mut MoveList<Edge>) {}

    fn is_capture(&self, _: Edge) -> bool {
        false
    }

    fn move_rank(&self, Edge(code): Edge) -> u8 {
        (self.hash(Trait::Rank) >> (code % 16) & 7) as u8
    }

    fn piece_count(&self) -> u32 {
        1
    }
}

impl<const REPEATS: bool> Conforming for ToyGame<REPEATS> {
    const FORESEES: bool = true;

    fn count(&self, _: Side) -> u32 {
        1
    }

    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        Vec::new()
    }

    fn scattered(_: Board, _: u64, generator: &mut Mt64) -> Self {
        Self::new(generator.next_u64(), 1 + super::below(generator, 40))
    }
}

/// Gives each place its value divided by a scale: a coarse one makes ties.
#[derive(Clone, Debug)]
pub struct ToyEvaluator(pub i32);

impl<const REPEATS: bool> Evaluator<ToyGame<REPEATS>> for ToyEvaluator {
    fn new(weights: &WeightSet) -> Result<Self> {
        Ok(Self(weights.scale))
    }

    fn evaluate(&self, position: &ToyGame<REPEATS>) -> Score {
        position.value() / self.0
    }

    fn unit(&self) -> Score {
        1
    }
}

impl<const REPEATS: bool> Game for ToyGame<REPEATS> {
    type Evaluator = ToyEvaluator;
    type NetworkView = BoardView;
    type Inputs = ();

    const FEATURES: &'static [Feature<()>] = &[];
    const GUIDE: Guide = Guide {
        text: "",
        example: "",
        example_set: "",
        default_set: "",
        hand_made_set: "",
        tunes_all: false,
        positions: "",
        boards: &[],
        bench_depth: 1,
        piece_logit: 1.0,
    };

    fn inputs(&self) {}

    fn network_view(&self) -> BoardView {
        self.board_view()
    }
}
