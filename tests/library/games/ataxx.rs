//! Ataxx as the suites need it: symmetries, odd positions, weight sets, a second implementation of
//! rules and features on an array of squares; and tests of its own rules.

use crate::common::array::ArrayBoard;
use crate::common::symmetry::Symmetry;
use crate::common::{Conforming, TestedGame, below, playout, random_set, weight_set};
use rand_mt::Mt64;
use sparring::game::{Board, Notation, Outcome, Position, Side};
use sparring::games::Ataxx;
use sparring::games::ataxx::{Kind, Move};
use sparring::weights::WeightSet;

/// A board as an array of the signs of its FEN, rows from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    squares: Vec<Vec<char>>,
    mover: char,
    clock: u32,
}

/// A square as (row, column).
type Square = (usize, usize);

/// A move: the square left by a jump, and the square entered; `None` for a pass.
type Step = Option<(Option<Square>, Square)>;

impl Naive {
    fn enemy(&self) -> char {
        if self.mover == 'x' { 'o' } else { 'x' }
    }

    /// Every square with one of the signs.
    pub fn find(&self, signs: &str) -> Vec<Square> {
        let rows = self.squares.iter().enumerate();
        let all = rows.flat_map(|(row, signs)| (0..signs.len()).map(move |col| (row, col)));
        all.filter(|&(row, col)| signs.contains(self.squares[row][col])).collect()
    }

    /// The number of king's moves between two squares.
    pub fn distance(a: Square, b: Square) -> usize {
        a.0.abs_diff(b.0).max(a.1.abs_diff(b.1))
    }

    /// The clones and jumps of a side.
    pub fn steps(&self, side: char) -> Vec<(Option<Square>, Square)> {
        let mut steps = Vec::new();
        let pieces = self.find(&side.to_string());
        for empty in self.find(".") {
            if pieces.iter().any(|&piece| Self::distance(piece, empty) == 1) {
                steps.push((None, empty));
            }
            let jumps = pieces.iter().filter(|&&piece| Self::distance(piece, empty) == 2);
            steps.extend(jumps.map(|&piece| (Some(piece), empty)));
        }
        steps
    }
}

impl ArrayBoard for Naive {
    type Game = Ataxx;
    type Step = Step;

    /// Reads a position's text.
    fn of(position: &Ataxx) -> Self {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let row = |text: &str| -> Vec<char> {
            let sign = |sign: char| match sign.to_digit(10) {
                Some(count) => vec!['.'; count as usize],
                None => vec![sign],
            };
            text.chars().flat_map(sign).collect()
        };
        Self {
            squares: fields[0].split('/').rev().map(row).collect(),
            mover: fields[1].chars().next().unwrap(),
            clock: fields[2].parse().unwrap(),
        }
    }

    fn step(mv: Move) -> Step {
        let square = |square: u8| (usize::from(square / 8), usize::from(square % 8));
        match mv.kind() {
            Kind::Pass => None,
            Kind::Clone => Some((None, square(mv.to()))),
            Kind::Jump { from } => Some((Some(square(from)), square(mv.to()))),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let [first, second] = ["x", "o"].map(|side| self.find(side).len());
        let stuck = ['x', 'o'].iter().all(|&side| self.steps(side).is_empty());
        if first == 0 || second == 0 || stuck {
            return Some(match first.cmp(&second) {
                std::cmp::Ordering::Less => Outcome::Win(Side::Second),
                std::cmp::Ordering::Equal => Outcome::Draw,
                std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            });
        }
        (self.clock >= 100).then_some(Outcome::Draw)
    }

    fn moves(&self) -> Vec<Step> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let steps = self.steps(self.mover);
        if steps.is_empty() { vec![None] } else { steps.into_iter().map(Some).collect() }
    }

    fn after(&self, step: Step) -> Self {
        let mut next = self.clone();
        next.clock += 1;
        next.mover = self.enemy();
        let Some((from, to)) = step else { return next };
        match from {
            Some((row, col)) => next.squares[row][col] = '.',
            None => next.clock = 0,
        }
        for (row, col) in self.find(&self.enemy().to_string()) {
            if Self::distance((row, col), to) == 1 {
                next.squares[row][col] = self.mover;
            }
        }
        next.squares[to.0][to.1] = self.mover;
        next
    }
}

/// The parts of a symmetry of the board.
#[derive(Clone, Copy)]
struct Turn {
    flip: bool,
    mirror: bool,
    transpose: bool,
    exchange: bool,
}

impl Turn {
    /// The image of a square; squares outside the board, which damaged codes name, get an arbitrary
    /// one.
    fn square(self, square: u8, cols: u8, rows: u8) -> u8 {
        let (mut row, mut col) = (square / 8, square % 8);
        if self.flip {
            row = (rows + 7 - row) % 8;
        }
        if self.mirror {
            col = (cols + 7 - col) % 8;
        }
        if self.transpose { col * 8 + row } else { row * 8 + col }
    }

    fn name(self) -> &'static str {
        match (self.exchange, self.transpose) {
            (true, _) => "colours swapped",
            (_, true) => "turned round",
            _ => "mirrored",
        }
    }
}

fn image(position: &Ataxx, turn: Turn) -> Symmetry<Ataxx> {
    let board = position.board();
    let (cols, rows) = (board.cols(), board.rows());
    let set = |squares: u64| {
        let squares = (0..64u8).filter(|&square| squares >> square & 1 == 1);
        squares.fold(0, |set, square| set | 1u64 << turn.square(square, cols, rows))
    };
    let [first, second] = Side::BOTH.map(|side| set(position.pieces(side)));
    let (pieces, side) = match turn.exchange {
        true => ([second, first], position.side_to_move().other()),
        false => ([first, second], position.side_to_move()),
    };
    let clock = position.plies_since_clone();
    Symmetry {
        name: turn.name(),
        image: Ataxx::from_squares(board, pieces, set(position.blocked()), side, clock).unwrap(),
        swaps: turn.exchange,
        map: Box::new(move |mv: Move| {
            let to = turn.square(mv.to(), cols, rows);
            match mv.kind() {
                Kind::Clone => Move::clone_to(to),
                Kind::Jump { from } => Move::jump(turn.square(from, cols, rows), to),
                Kind::Pass => Move::PASS,
            }
        }),
    }
}

/// Squares drawn with a chance of this many percent.
fn draw(board: Board, percent: u64, generator: &mut Mt64) -> u64 {
    let mut squares = 0;
    for row in 0..board.rows() {
        for col in 0..board.cols() {
            squares |= u64::from(below(generator, 100) < percent) << (8 * row + col);
        }
    }
    squares
}

/// A position with this many percent of the squares taken, some of them blocked, at any time of the
/// game.
fn strewn(board: Board, density: u64, blocked: u64, clock: u8, generator: &mut Mt64) -> Ataxx {
    let blocked = draw(board, blocked, generator);
    let taken = draw(board, density, generator) & !blocked;
    let share = 1 + below(generator, 99);
    let first = taken & draw(board, share, generator);
    let side = Side::BOTH[below(generator, 2) as usize];
    Ataxx::from_squares(board, [first, taken & !first], blocked, side, clock).unwrap()
}

/// A full board except for one square, a few plies before a draw by plies without a clone; not yet
/// finished.
pub fn one_hole(generator: &mut Mt64) -> Ataxx {
    loop {
        let board = Board::new(4 + below(generator, 2) as u8, 4);
        let squares = draw(board, 100, generator);
        let hole = 1 << (8 * below(generator, 4) + below(generator, board.cols().into()));
        let first = draw(board, 30 + below(generator, 40), generator) & !hole;
        let side = Side::BOTH[below(generator, 2) as usize];
        let clock = 92 + below(generator, 8) as u8;
        let pieces = [first, squares & !first & !hole];
        let position = Ataxx::from_squares(board, pieces, 0, side, clock).unwrap();
        if position.outcome().is_none() {
            return position;
        }
    }
}

/// A game on a board with blocked squares, up to some ply.
fn blocked_game(board: Board, generator: &mut Mt64) -> Ataxx {
    let start = Ataxx::start(board).unwrap();
    let pieces = Side::BOTH.map(|side| start.pieces(side));
    let blocked = draw(board, 15, generator) & !(pieces[0] | pieces[1]);
    let start = Ataxx::from_squares(board, pieces, blocked, Side::First, 0).unwrap();
    let game = playout(&start, generator.next_u64());
    game[below(generator, game.len() as u64) as usize].clone()
}

impl Conforming for Ataxx {
    const PASSES: bool = true;
    const FORESEES: bool = true;
    const CAPTURE: u32 = 3;
    const CAPTURES_ARE_NOISY: bool = false;

    fn count(&self, side: Side) -> u32 {
        Naive::of(self).find(if side == Side::First { "x" } else { "o" }).len() as u32
    }

    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        let square = self.board().cols() == self.board().rows();
        let bits = (1..16).filter(|bits| square || bits & 4 == 0);
        let turn = |bits: u32| Turn {
            flip: bits & 1 != 0,
            mirror: bits & 2 != 0,
            transpose: bits & 4 != 0,
            exchange: bits & 8 != 0,
        };
        bits.map(|bits| image(self, turn(bits))).collect()
    }

    fn scattered(board: Board, density: u64, generator: &mut Mt64) -> Self {
        strewn(board, density, density % 20, 0, generator)
    }

    fn unusual(seed: u64) -> Vec<Self> {
        let mut generator = Mt64::new(seed);
        let boards = Self::boards();
        let one = |index: usize| {
            let board = boards[index % boards.len()];
            let density = below(&mut generator, 100);
            let late = 94 + below(&mut generator, 7) as u8;
            match index % 5 {
                0 => strewn(board, density, 0, 0, &mut generator),
                1 => strewn(board, density, 20, late, &mut generator),
                2 => strewn(board, 97, 5, 0, &mut generator),
                3 => strewn(board, 20, 60, late / 2, &mut generator),
                _ => blocked_game(board, &mut generator),
            }
        };
        (0..500).map(one).collect()
    }
}

/// One side's view of a board.
struct Seen {
    board: Board,
    naive: Naive,
    own: Vec<Square>,
    empty: Vec<Square>,
    /// The squares that the side can enter, and those that its enemy can.
    reach: [Vec<Square>; 2],
    sign: char,
}

impl Seen {
    fn new(position: &Ataxx, side: Side) -> Self {
        let naive = Naive::of(position);
        let signs = if side == Side::First { ['x', 'o'] } else { ['o', 'x'] };
        let entered = |sign| {
            let mut squares: Vec<Square> =
                naive.steps(sign).into_iter().map(|(_, to)| to).collect();
            squares.sort_unstable();
            squares.dedup();
            squares
        };
        Self {
            board: position.board(),
            own: naive.find(&signs[0].to_string()),
            empty: naive.find("."),
            reach: signs.map(entered),
            sign: signs[0],
            naive,
        }
    }

    /// How many of the squares are beside a square.
    fn near(square: Square, squares: &[Square]) -> usize {
        squares.iter().filter(|&&other| Naive::distance(square, other) == 1).count()
    }

    /// The distances of a square from the two edges that are nearest to it, each along its own
    /// line.
    fn class(&self, (row, col): Square) -> String {
        let from_edge = |index: usize, side: u8| index.min(usize::from(side) - 1 - index);
        let (a, b) = (from_edge(row, self.board.rows()), from_edge(col, self.board.cols()));
        format!("{}{}", a.min(b), a.max(b))
    }

    /// The most of the pieces that stand beside one of the squares.
    fn most_beside(pieces: &[Square], squares: &[Square]) -> usize {
        squares.iter().map(|&square| Self::near(square, pieces)).max().unwrap_or(0)
    }

    /// The side's part of a feature that counts for both.
    fn part(&self, feature: &str) -> usize {
        let [reach, enemy_reach] = &self.reach;
        let own = |wanted: &dyn Fn(Square) -> bool| {
            self.own.iter().filter(|&&piece| wanted(piece)).count()
        };
        match feature {
            "piece" => self.own.len(),
            "mobility" => self.naive.steps(self.sign).len(),
            "territory" => reach.iter().filter(|square| !enemy_reach.contains(square)).count(),
            "frontier" => own(&|piece| Self::near(piece, &self.empty) > 0),
            "safe" => own(&|piece| Self::near(piece, enemy_reach) == 0),
            "corner" => own(&|piece| self.class(piece) == "00"),
            _ => match feature.split_once('_') {
                Some(("hole", count)) => {
                    let holes =
                        self.empty.iter().map(|&square| Self::near(square, &self.own).to_string());
                    holes.filter(|neighbours| neighbours == count).count()
                }
                Some(("square", class)) => own(&|piece| self.class(piece) == class),
                _ => panic!("the test does not know `{feature}`"),
            },
        }
    }
}

impl TestedGame for Ataxx {
    type Array = Naive;

    fn weight_sets(seed: u64) -> Vec<WeightSet> {
        let mut generator = Mt64::new(seed);
        vec![
            sparring::weights::find("hand", "ataxx").unwrap(),
            weight_set::<Self>(1, &[]),
            weight_set::<Self>(1, &[("piece", 1)]),
            weight_set::<Self>(7, &[("mobility", 2), ("corner", -3)]),
            random_set::<Self>(500, 3, &mut generator),
            random_set::<Self>(20, 100, &mut generator),
        ]
    }

    /// Few empty squares, or few pieces; half of them shortly before a draw by plies without a
    /// clone.
    fn endgame(board: Board, most: u64, generator: &mut Mt64) -> Self {
        let squares = u64::from(board.cols()) * u64::from(board.rows());
        let few = 100 * (most / 2 + 1) / squares;
        loop {
            let density = if below(generator, 3) == 0 { 2 * few } else { 100 - few };
            let clock = if below(generator, 2) == 0 { 0 } else { 95 + below(generator, 5) as u8 };
            let blocked = below(generator, 2) * 10;
            let position = strewn(board, density, blocked, clock, generator);
            if position.outcome().is_none() {
                return position;
            }
        }
    }

    fn value(&self, feature: &str) -> i32 {
        let side = self.side_to_move();
        let (us, them) = (Seen::new(self, side), Seen::new(self, side.other()));
        match feature {
            "tempo" => 1,
            "best_gain" => Seen::most_beside(&them.own, &us.reach[0]) as i32,
            "best_threat" => Seen::most_beside(&us.own, &them.reach[0]) as i32,
            _ => us.part(feature) as i32 - them.part(feature) as i32,
        }
    }

    fn is_two_sided(feature: &str) -> bool {
        !["tempo", "best_gain", "best_threat"].contains(&feature)
    }

    fn crowded() -> Vec<Self> {
        let rows =
            ["xxxxxxxx", "x1x1x1x1", "xx2xx2", "8"].map(|row| format!("{row}/").repeat(7) + row);
        let fens = rows.iter().flat_map(|rows| ["x", "o"].map(|side| format!("{rows} {side} 0 1")));
        fens.map(|fen| Self::from_fen(&fen).unwrap()).collect()
    }
}

/// The ends of games that the notation shows: nobody can move, no pieces, a hundred plies without a
/// clone.
#[test]
fn games_end_as_the_rules_say() {
    let outcome = |fen: &str| Ataxx::from_fen(fen).unwrap().outcome();
    let [first, second] = Side::BOTH.map(|side| Some(Outcome::Win(side)));
    for (fen, expected) in [
        ("x5o/7/7/7/7/7/o5x x 0 1", None),
        ("x5o/7/7/7/7/7/o5x x 99 1", None),
        ("x5o/7/7/7/7/7/o5x x 100 1", Some(Outcome::Draw)),
        ("xx4o/7/7/7/7/7/6o o 100 1", Some(Outcome::Draw)),
        ("xx5/7/7/7/7/7/7 o 100 1", first),
        ("4/4/4/4 x 0 1", Some(Outcome::Draw)),
        ("4/4/4/3o x 0 1", second),
        ("xxxo/xxxo/oooo/xxxx o 0 1", first),
        ("xxxo/xxxo/oooo/xxoo o 100 1", Some(Outcome::Draw)),
        ("xxoo/----/----/4 o 0 1", Some(Outcome::Draw)),
        ("xooo/----/----/4 x 0 1", second),
        ("xoo1/----/----/4 x 0 1", None),
    ] {
        assert_eq!(outcome(fen), expected, "{fen}");
    }
    let stuck = Ataxx::from_fen("xoo1/----/----/4 x 99 1").unwrap();
    let passed = stuck.play(stuck.parse_move("0000").unwrap());
    assert_eq!(passed.outcome(), Some(Outcome::Draw));
}
