//! Tic-tac-toe, made by the recipe for a new game: the game first, then what the suites ask for. A
//! game of the program would be a folder `src/games/tictactoe`, with a file for each of the parts.

use crate::common::array::ArrayBoard;
use crate::common::symmetry::Symmetry;
use crate::common::{Conforming, TestedGame, below, random_set, weight_set};
use rand_mt::Mt64;
use sparring::error::{Error, Result};
use sparring::eval::{BoardView, Feature, Game, Guide, LinearEvaluator};
use sparring::game::bitboard::{board_squares, each, flip, mirror, transpose, without_gaps};
use sparring::game::fen::FenFormat;
use sparring::game::{
    Board, Foresight, MoveCode, MoveList, Notation, Outcome, Packing, Position, SearchHints, Side,
    Zobrist,
};
use sparring::search::{SolveOptions, Stop, solve};
use sparring::weights::WeightSet;
use std::sync::LazyLock;

/// Columns and rows; squares are numbered as on the 8x8 board, square = 8 * row + column.
const SIDE: u8 = 3;
const SQUARES: u64 = board_squares(SIDE, SIDE);
const CENTRE: u64 = 1 << 9;
const CORNERS: u64 = 1 | 1 << 2 | 1 << 16 | 1 << 18;
/// Rows, columns and diagonals.
const LINES: [u64; 8] = [
    0x7,
    0x7 << 8,
    0x7 << 16,
    0x1_0101,
    0x1_0101 << 1,
    0x1_0101 << 2,
    1 | 1 << 9 | 1 << 18,
    1 << 2 | 1 << 9 | 1 << 16,
];

/// The numbers of the keys: the squares of each side, and the second side to move.
static ZOBRIST: LazyLock<Zobrist<2, 64, 1>> = LazyLock::new(Zobrist::new);

/// A position: the squares that each side has taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    taken: [u64; 2],
    side: Side,
}

/// The square that a move takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl MoveCode for Move {
    const HISTORY_SIZE: usize = 64;

    fn code(self) -> u16 {
        u16::from(self.0) + 1
    }

    fn from_code(code: u16) -> Self {
        Self((code.wrapping_sub(1) & 63) as u8)
    }

    fn history_index(self) -> usize {
        self.0.into()
    }
}

impl TicTacToe {
    fn new(taken: [u64; 2], side: Side) -> Result<Self> {
        let [first, second] = taken;
        if (first | second) & !SQUARES != 0 || first & second != 0 {
            return Err(Error::input("position", "a square is taken twice or off the board"));
        }
        if taken.iter().all(|&squares| has_line(squares)) {
            return Err(Error::input("position", "both sides have a line"));
        }
        Ok(Self { taken, side })
    }

    fn own(&self) -> u64 {
        self.taken[self.side.index()]
    }

    fn other(&self) -> u64 {
        self.taken[self.side.other().index()]
    }

    fn empty(&self) -> u64 {
        SQUARES & !(self.taken[0] | self.taken[1])
    }
}

fn has_line(squares: u64) -> bool {
    LINES.iter().any(|line| squares & line == *line)
}

impl Position for TicTacToe {
    type Move = Move;
    const GAME: &'static str = "tictactoe";
    const HAS_DRAWS: bool = true;

    fn default_board() -> Board {
        Board::new(SIDE, SIDE)
    }

    fn boards() -> Vec<Board> {
        vec![Self::default_board()]
    }

    fn default_opening_plies(_: Board) -> u32 {
        2
    }

    fn start(board: Board) -> Result<Self> {
        if board != Self::default_board() {
            return Err(Error::input(format!("board `{board}`"), "its board is 3x3"));
        }
        Self::new([0, 0], Side::First)
    }

    fn board(&self) -> Board {
        Self::default_board()
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|side| has_line(self.taken[side.index()]));
        let full = self.empty() == 0;
        winner.map(Outcome::Win).or_else(|| full.then_some(Outcome::Draw))
    }

    fn moves(&self, list: &mut MoveList<Move>) {
        if self.outcome().is_none() {
            list.extend(each(self.empty()).map(Move));
        }
    }

    fn play_unchecked(&self, Move(square): Move) -> Self {
        let mut next = self.clone();
        next.taken[self.side.index()] |= 1 << square;
        next.side = self.side.other();
        next
    }

    fn key(&self) -> u64 {
        let turn = if self.side == Side::Second { ZOBRIST.other(0) } else { 0 };
        ZOBRIST.squares(0, self.taken[0]) ^ ZOBRIST.squares(1, self.taken[1]) ^ turn
    }

    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    fn canonical_key(&self) -> u128 {
        let key = |symmetry: u8| {
            let [a, b] = self.taken.map(|set| without_gaps(turned(set, symmetry), SIDE, SIDE));
            u128::from(a) << 16 | u128::from(b) << 1 | self.side.index() as u128
        };
        (0..8).map(key).min().unwrap_or_default()
    }
}

/// A set under a symmetry of the board: a bit each for upside down, left to right, and rows for
/// columns.
fn turned(mut set: u64, symmetry: u8) -> u64 {
    set = if symmetry & 1 != 0 { flip(set, SIDE) } else { set };
    set = if symmetry & 2 != 0 { mirror(set, SIDE) } else { set };
    if symmetry & 4 != 0 { transpose(set) } else { set }
}

const FORMAT: FenFormat = FenFormat {
    least: (SIDE, SIDE),
    most: (SIDE, SIDE),
    stride: 8,
    signs: &["x", "o"],
    empty: "",
    sides: [&["x"], &["o"]],
    example: "3/3/3 x",
};

impl Notation for TicTacToe {
    const MOVE_HELP: &'static str = "write the square, for example b2";

    fn fen(&self) -> String {
        FORMAT.text(self.board(), &self.taken.map(u128::from), self.side)
    }

    fn from_fen(text: &str) -> Result<Self> {
        FORMAT.read(text, |_, taken, side, rest| match rest {
            [] => Ok(Self::new(taken.map(|set| set as u64), side)),
            _ => Err(("fields".into(), "more than 2 of them".into())),
        })
    }

    fn move_text(&self, Move(square): Move) -> String {
        FORMAT.square_text(square)
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        FORMAT.read_square(text).filter(|(_, rest)| rest.is_empty()).map(|(square, _)| Move(square))
    }

    fn diagram(&self) -> String {
        FORMAT.diagram(self.board(), &self.taken.map(u128::from))
    }
}

impl Packing for TicTacToe {
    /// The squares of the side to move, then of the other side, nine bits in two bytes each.
    const PACKED: usize = 4;

    fn write_packed(&self, bytes: &mut [u8]) -> Option<()> {
        for (bytes, set) in bytes.chunks_exact_mut(2).zip([self.own(), self.other()]) {
            bytes.copy_from_slice(&(without_gaps(set, SIDE, SIDE) as u16).to_le_bytes());
        }
        Some(())
    }

    fn read_packed(_: Board, bytes: &[u8]) -> Result<Self> {
        let set = |at: usize| {
            let packed = u64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
            packed & 0x7 | (packed & 0x38) << 5 | (packed >> 6) << 16
        };
        Self::new([set(0), set(2)], Side::First)
    }
}

impl SearchHints for TicTacToe {
    fn pass(&self) -> Option<Self> {
        self.outcome().is_none().then(|| Self { side: self.side.other(), ..self.clone() })
    }

    fn foresight(&self) -> Foresight {
        let wins = |square: u8| has_line(self.own() | 1 << square);
        if each(self.empty()).any(wins) { Foresight::Win(1) } else { Foresight::Unknown }
    }

    fn noisy_moves(&self, _: &mut MoveList<Move>) {}

    fn is_capture(&self, _: Move) -> bool {
        false
    }

    fn move_rank(&self, Move(square): Move) -> u8 {
        let on = |set: u64| (set >> square & 1) as u8;
        2 * on(CENTRE) + on(CORNERS)
    }

    fn piece_count(&self) -> u32 {
        self.own().count_ones()
    }
}

/// The lines on which one side has this many squares and the other side none.
fn open_lines(own: u64, other: u64, count: u32) -> i32 {
    let open = |line: &&u64| *line & other == 0 && (*line & own).count_ones() == count;
    LINES.iter().filter(open).count() as i32
}

impl Game for TicTacToe {
    type Evaluator = LinearEvaluator<Self>;
    type NetworkView = BoardView;
    /// The squares of the side to move and of the other one.
    type Inputs = [u64; 2];

    const FEATURES: &'static [Feature<[u64; 2]>] = &[
        Feature::new(
            "open_one",
            "lines",
            8,
            "Lines with one own square and none of the other side.",
            "D(#{l : |l n S| = 1, l n S' = {}})",
            |&[own, other]| open_lines(own, other, 1) - open_lines(other, own, 1),
        ),
        Feature::new(
            "open_two",
            "lines",
            8,
            "Lines with two own squares and none of the other side.",
            "D(#{l : |l n S| = 2, l n S' = {}})",
            |&[own, other]| open_lines(own, other, 2) - open_lines(other, own, 2),
        ),
        Feature::new(
            "centre",
            "squares",
            1,
            "The middle square.",
            "D(b2 in S)",
            |&[own, other]| i32::from(own & CENTRE != 0) - i32::from(other & CENTRE != 0),
        ),
        Feature::new("tempo", "squares", 1, "Being to move.", "1", |_| 1),
    ];

    const GUIDE: Guide = Guide {
        text: "",
        example: "2x/1o1/3 x",
        example_set: "hand",
        default_set: "hand",
        hand_made_set: "hand",
        tunes_all: false,
        positions: "",
        boards: &[],
        bench_depth: 9,
        piece_logit: 1.0,
    };

    fn inputs(&self) -> [u64; 2] {
        [self.own(), self.other()]
    }

    fn network_view(&self) -> BoardView {
        self.board_view()
    }
}

// From here on: what the suites ask for.

/// The board as an array of the signs of its text, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    squares: Vec<char>,
    mover: char,
}

impl Naive {
    /// The signs of each line.
    fn lines(&self) -> Vec<String> {
        const PLACES: [[usize; 3]; 8] = [
            [0, 1, 2],
            [3, 4, 5],
            [6, 7, 8],
            [0, 3, 6],
            [1, 4, 7],
            [2, 5, 8],
            [0, 4, 8],
            [2, 4, 6],
        ];
        PLACES.iter().map(|line| line.iter().map(|&at| self.squares[at]).collect()).collect()
    }

    /// The lines with this many of a sign and otherwise empty.
    fn open(&self, sign: char, count: usize) -> i32 {
        let other = |c: char| c != sign && c != '.';
        let open = |line: &&String| !line.contains(other) && line.matches(sign).count() == count;
        self.lines().iter().filter(open).count() as i32
    }
}

impl ArrayBoard for Naive {
    type Game = TicTacToe;
    type Step = usize;

    fn of(position: &TicTacToe) -> Self {
        let fen = position.fen();
        let (rows, mover) = fen.split_once(' ').unwrap();
        let squares = |row: &str| {
            let square = |sign: char| match sign.to_digit(10) {
                Some(count) => ".".repeat(count as usize),
                None => sign.to_string(),
            };
            row.chars().map(square).collect::<String>()
        };
        let squares: String = rows.split('/').rev().map(squares).collect();
        Self { squares: squares.chars().collect(), mover: mover.chars().next().unwrap() }
    }

    fn step(Move(square): Move) -> usize {
        usize::from(square / 8 * 3 + square % 8)
    }

    fn outcome(&self) -> Option<Outcome> {
        let lines = self.lines();
        let has = |line: &str| lines.iter().any(|known| known == line);
        match (has("xxx"), has("ooo"), self.squares.contains(&'.')) {
            (true, _, _) => Some(Outcome::Win(Side::First)),
            (_, true, _) => Some(Outcome::Win(Side::Second)),
            (_, _, false) => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn moves(&self) -> Vec<usize> {
        let empty = (0..9).filter(|&at| self.squares[at] == '.');
        if self.outcome().is_some() { Vec::new() } else { empty.collect() }
    }

    fn after(&self, step: usize) -> Self {
        let mut next = self.clone();
        next.squares[step] = self.mover;
        next.mover = if self.mover == 'x' { 'o' } else { 'x' };
        next
    }
}

impl Conforming for TicTacToe {
    const PASSES: bool = true;
    const FORESEES: bool = true;

    fn count(&self, side: Side) -> u32 {
        self.fen().matches(if side == Side::First { "x" } else { "o" }).count() as u32
            - u32::from(side == self.side)
    }

    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        let image = |bits: u8| {
            let [first, second] = self.taken.map(|set| turned(set, bits));
            let swaps = bits & 8 != 0;
            let (taken, side) = match swaps {
                true => ([second, first], self.side.other()),
                false => ([first, second], self.side),
            };
            let map =
                move |Move(square)| Move(turned(1 << square, bits).trailing_zeros() as u8 & 63);
            let image = Self::new(taken, side).unwrap();
            Symmetry { name: "turned", image, swaps, map: Box::new(map) }
        };
        (1..16).map(image).collect()
    }

    fn scattered(_: Board, density: u64, generator: &mut Mt64) -> Self {
        loop {
            let mut taken = [0; 2];
            for square in each(SQUARES) {
                if below(generator, 100) < density {
                    taken[below(generator, 2) as usize] |= 1 << square;
                }
            }
            let side = Side::BOTH[below(generator, 2) as usize];
            if let Ok(position) = Self::new(taken, side) {
                return position;
            }
        }
    }

    fn unusual(seed: u64) -> Vec<Self> {
        let mut generator = Mt64::new(seed);
        (0..200).map(|i| Self::scattered(Self::default_board(), i % 100, &mut generator)).collect()
    }
}

impl TestedGame for TicTacToe {
    type Array = Naive;

    fn weight_sets(seed: u64) -> Vec<WeightSet> {
        let mut generator = Mt64::new(seed);
        vec![
            weight_set::<Self>(1, &[]),
            weight_set::<Self>(1, &[("open_one", 1), ("open_two", 5), ("centre", 2)]),
            random_set::<Self>(500, 3, &mut generator),
        ]
    }

    fn endgame(board: Board, most: u64, generator: &mut Mt64) -> Self {
        loop {
            let position = Self::scattered(board, 100 - 10 * most.min(9), generator);
            if position.outcome().is_none() {
                return position;
            }
        }
    }

    fn value(&self, feature: &str) -> i32 {
        let naive = Naive::of(self);
        let other = if naive.mover == 'x' { 'o' } else { 'x' };
        let both = |part: &dyn Fn(char) -> i32| part(naive.mover) - part(other);
        match feature {
            "open_one" => both(&|sign| naive.open(sign, 1)),
            "open_two" => both(&|sign| naive.open(sign, 2)),
            "centre" => both(&|sign| i32::from(naive.squares[4] == sign)),
            "tempo" => 1,
            _ => panic!("the test does not know `{feature}`"),
        }
    }

    fn is_two_sided(feature: &str) -> bool {
        feature != "tempo"
    }

    fn crowded() -> Vec<Self> {
        ["xx1/oo1/3 x", "x1x/1o1/x1x o"].map(|fen| Self::from_fen(fen).unwrap()).into()
    }
}

/// With best play nobody wins.
#[test]
fn best_play_is_a_draw() {
    let start = TicTacToe::start(TicTacToe::default_board()).unwrap();
    let options = SolveOptions { memory: 1 << 16, threads: 1 };
    let solved = solve(&start, &options, &Stop::default(), &mut |_| {});
    assert_eq!(solved.outcome, Some(Outcome::Draw));
}
