//! Breakthrough as the suites need it: symmetries, odd positions, weight sets, a second
//! implementation of rules and features on an array of squares; and tests of its own rules.

use crate::common::array::ArrayBoard;
use crate::common::oracle::forces;
use crate::common::symmetry::Symmetry;
use crate::common::{Conforming, TestedGame, below, moves, random_set, weight_set};
use crate::rules::{fewer, positions};
use rand_mt::Mt64;
use sparring::eval::{Evaluator, Game};
use sparring::game::{Board, Foresight, MoveCode, Notation, Outcome, Position, SearchHints, Side};
use sparring::games::Breakthrough;
use sparring::games::breakthrough::Move;
use sparring::weights::WeightSet;

/// A position with pieces strewn over the board, finished or not; each square holds a piece of
/// either side with a chance of `density` percent.
pub fn scatter(board: Board, density: u64, generator: &mut Mt64) -> Breakthrough {
    loop {
        let mut pieces = [0u64; 2];
        for row in 0..board.rows() {
            for col in 0..board.cols() {
                if below(generator, 100) < density {
                    pieces[below(generator, 2) as usize] |= 1 << (8 * row + col);
                }
            }
        }
        let side = Side::BOTH[below(generator, 2) as usize];
        if let Ok(position) = Breakthrough::from_pieces(board, pieces[0], pieces[1], side) {
            return position;
        }
    }
}

/// An endgame: at most this many pieces a side, none on its goal row.
pub fn endgame(board: Board, most: u64, generator: &mut Mt64) -> Breakthrough {
    loop {
        let mut pieces = [0u64; 2];
        for (index, pieces) in pieces.iter_mut().enumerate() {
            for _ in 0..=below(generator, most) {
                let row = below(generator, u64::from(board.rows()) - 1) + index as u64;
                *pieces |= 1 << (8 * row + below(generator, board.cols().into()));
            }
        }
        let side = Side::BOTH[below(generator, 2) as usize];
        match Breakthrough::from_pieces(board, pieces[0], pieces[1], side) {
            Ok(position) if position.outcome().is_none() => return position,
            _ => {}
        }
    }
}

/// The hand-set weights of the 2009 article.
pub const ARTICLE: [(&str, i32); 11] = [
    ("piece", 1300),
    ("danger", 10),
    ("high_danger", 100),
    ("attack", 50),
    ("protection", 65),
    ("connection_horizontal", 35),
    ("connection_vertical", 15),
    ("mobility", 1),
    ("column_hole", 20),
    ("home_ground", 10),
    ("almost_win", 10000),
];

/// Weight sets of every sort: the article's, one without any weight, coarse ones full of ties,
/// noise, random ones.
pub fn weight_sets(seed: u64) -> Vec<WeightSet> {
    let mut generator = Mt64::new(seed);
    vec![
        weight_set::<Breakthrough>(1, &ARTICLE),
        weight_set::<Breakthrough>(1, &[]),
        weight_set::<Breakthrough>(1, &[("piece", 1)]),
        weight_set::<Breakthrough>(7, &[("advance", 2), ("farthest_any", -3)]),
        weight_set::<Breakthrough>(1, &[("noise", 5)]),
        random_set::<Breakthrough>(500, 3, &mut generator),
        random_set::<Breakthrough>(20, 100, &mut generator),
    ]
}

/// The image of a square: left and right exchanged, the rows turned over, or both.
fn square(square: u8, cols: u8, rows: u8, mirror: bool, flip: bool) -> u8 {
    let (row, col) = (square / 8, square % 8);
    // A damaged code may name a square outside the board; it gets an arbitrary image.
    let col = if mirror { (cols + 7 - col) % 8 } else { col };
    let row = if flip { (rows + 7 - row) % 8 } else { row };
    row * 8 + col
}

fn image(position: &Breakthrough, mirror: bool, flip: bool) -> Symmetry<Breakthrough> {
    let (board, side) = (position.board(), position.side_to_move());
    let (cols, rows) = (board.cols(), board.rows());
    let turned = |side: Side| {
        let squares = (0..64u8).filter(|&s| position.pieces(side) >> s & 1 == 1);
        squares.fold(0, |set, s| set | 1u64 << square(s, cols, rows, mirror, flip))
    };
    let [white, black] = Side::BOTH.map(turned);
    let (white, black, side) =
        if flip { (black, white, side.other()) } else { (white, black, side) };
    Symmetry {
        name: match (mirror, flip) {
            (true, true) => "turned round",
            (true, false) => "mirrored",
            _ => "colours swapped",
        },
        image: Breakthrough::from_pieces(board, white, black, side).unwrap(),
        swaps: flip,
        map: Box::new(move |mv: Move| {
            let map = |s| square(s, cols, rows, mirror, flip);
            Move::from_code(Move::new(map(mv.from()), map(mv.to())).code())
        }),
    }
}

impl Conforming for Breakthrough {
    const PASSES: bool = true;
    const FORESEES: bool = true;

    fn count(&self, side: Side) -> u32 {
        let letter = if side == Side::First { 'P' } else { 'p' };
        self.fen().chars().take_while(|&c| c != ' ').filter(|&c| c == letter).count() as u32
    }

    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        vec![image(self, true, false), image(self, false, true), image(self, true, true)]
    }

    fn scattered(board: Board, density: u64, generator: &mut Mt64) -> Self {
        scatter(board, density, generator)
    }

    fn unusual(seed: u64) -> Vec<Self> {
        let mut generator = Mt64::new(seed);
        let boards = Self::boards();
        let one = |index: usize| {
            let board = boards[index % boards.len()];
            let density = 5 + below(&mut generator, 60);
            match index % 3 {
                0 => scatter(board, density, &mut generator),
                1 => endgame(board, 3, &mut generator),
                _ => endgame(board, 9, &mut generator),
            }
        };
        (0..400).map(one).collect()
    }
}

/// A board as an array: `Some(true)` is White, rows from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    squares: Vec<Vec<Option<bool>>>,
    white_moves: bool,
}

/// A square as (row, column).
type Square = (usize, usize);

impl Naive {
    /// The squares that the piece of the side to move on a square can go to, if there is one.
    fn targets(&self, (row, col): Square) -> Vec<Square> {
        let mover = Some(self.white_moves);
        let next = if self.white_moves { row + 1 } else { row.wrapping_sub(1) };
        if self.squares[row][col] != mover || next >= self.squares.len() {
            return Vec::new();
        }
        let free = |&target: &usize| match self.squares[next].get(target) {
            None => false,
            Some(None) => true,
            Some(&piece) => piece != mover && target != col,
        };
        [col.wrapping_sub(1), col, col + 1]
            .into_iter()
            .filter(free)
            .map(|target| (next, target))
            .collect()
    }
}

impl ArrayBoard for Naive {
    type Game = Breakthrough;
    type Step = (Square, Square);

    fn of(position: &Breakthrough) -> Self {
        let board = position.board();
        let at = |row: u8, col: u8| {
            let holds = |side| position.pieces(side) >> (8 * row + col) & 1 == 1;
            if holds(Side::First) { Some(true) } else { holds(Side::Second).then_some(false) }
        };
        let squares = (0..board.rows())
            .map(|row| (0..board.cols()).map(|col| at(row, col)).collect())
            .collect();
        Self { squares, white_moves: position.side_to_move() == Side::First }
    }

    fn step(mv: Move) -> (Square, Square) {
        let square = |square: u8| (usize::from(square / 8), usize::from(square % 8));
        (square(mv.from()), square(mv.to()))
    }

    /// Somebody has arrived, or lost the last piece.
    fn outcome(&self) -> Option<Outcome> {
        let has = |white: bool| self.squares.iter().flatten().any(|&square| square == Some(white));
        let white_arrived = self.squares.last().unwrap().contains(&Some(true));
        let black_arrived = self.squares[0].contains(&Some(false));
        if white_arrived || !has(false) {
            Some(Outcome::Win(Side::First))
        } else {
            (black_arrived || !has(true)).then_some(Outcome::Win(Side::Second))
        }
    }

    fn moves(&self) -> Vec<(Square, Square)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let squares = (0..self.squares.len())
            .flat_map(|row| (0..self.squares[0].len()).map(move |col| (row, col)));
        squares.flat_map(|from| self.targets(from).into_iter().map(move |to| (from, to))).collect()
    }

    fn after(&self, (from, to): (Square, Square)) -> Self {
        let mut next = self.clone();
        next.squares[to.0][to.1] = next.squares[from.0][from.1].take();
        next.white_moves = !self.white_moves;
        next
    }
}

/// The features that count for the side to move less the other side.
const TWO_SIDED: [&str; 18] = [
    "piece",
    "danger",
    "high_danger",
    "attack",
    "protection",
    "connection_horizontal",
    "connection_vertical",
    "mobility",
    "column_hole",
    "home_ground",
    "almost_win",
    "advance",
    "advance_squared",
    "edge",
    "goalkeepers",
    "forward_control",
    "safe_steps",
    "blocks",
];

/// A board as one side sees it: rows from its own home, `Some(true)` for its own pieces.
struct SideView {
    cols: i32,
    rows: i32,
    squares: Vec<Vec<Option<bool>>>,
}

/// The pieces of one side as (row from its home, column).
type Pieces = Vec<(i32, i32)>;

impl SideView {
    fn new(position: &Breakthrough, side: Side) -> Self {
        let board = position.board();
        let at = |row: u8, col: u8| {
            let row = if side == Side::First { row } else { board.rows() - 1 - row };
            let holds = |side| position.pieces(side) >> (8 * row + col) & 1 == 1;
            if holds(side) { Some(true) } else { holds(side.other()).then_some(false) }
        };
        let squares = (0..board.rows())
            .map(|row| (0..board.cols()).map(|col| at(row, col)).collect())
            .collect();
        Self { cols: board.cols().into(), rows: board.rows().into(), squares }
    }

    /// The piece on a square; `None` also outside the board.
    fn at(&self, row: i32, col: i32) -> Option<bool> {
        *self.squares.get(usize::try_from(row).ok()?)?.get(usize::try_from(col).ok()?)?
    }

    fn on_board(&self, row: i32, col: i32) -> bool {
        (0..self.rows).contains(&row) && (0..self.cols).contains(&col)
    }

    fn pieces(&self, own: bool) -> Pieces {
        let squares = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
        squares.filter(|&(row, col)| self.at(row, col) == Some(own)).collect()
    }

    /// The enemy pieces that can take the own piece here: they come down diagonally.
    fn attackers(&self, row: i32, col: i32) -> i32 {
        [col - 1, col + 1].iter().filter(|&&c| self.at(row + 1, c) == Some(false)).count() as i32
    }

    /// The own pieces that could take back here.
    fn protectors(&self, row: i32, col: i32) -> i32 {
        [col - 1, col + 1].iter().filter(|&&c| self.at(row - 1, c) == Some(true)).count() as i32
    }

    fn moves(&self) -> i32 {
        let mut count = 0;
        for (row, col) in self.pieces(true) {
            for to in [col - 1, col, col + 1] {
                let free = match self.at(row + 1, to) {
                    Some(own) => !own && to != col,
                    None => self.on_board(row + 1, to),
                };
                count += i32::from(free);
            }
        }
        count
    }

    fn most_advanced(&self) -> i32 {
        self.pieces(true).iter().map(|&(row, _)| row).max().unwrap_or(0)
    }

    fn columns(&self, own: bool) -> Vec<i32> {
        (0..self.cols)
            .filter(|&col| (0..self.rows).any(|row| self.at(row, col) == Some(own)))
            .collect()
    }

    fn count(&self, wanted: impl Fn(i32, i32) -> bool) -> i32 {
        self.pieces(true).iter().filter(|&&(row, col)| wanted(row, col)).count() as i32
    }

    fn empty_squares(&self, wanted: impl Fn(i32, i32) -> bool) -> i32 {
        let squares = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
        let empty = squares.filter(|&(row, col)| self.at(row, col).is_none());
        empty.filter(|&(row, col)| wanted(row, col)).count() as i32
    }

    /// A protected piece that nothing attacks.
    fn is_firm(&self, row: i32, col: i32) -> bool {
        self.protectors(row, col) > 0 && self.attackers(row, col) == 0
    }

    /// One side's part of a feature that counts for both.
    fn part(&self, feature: &str) -> i32 {
        let pieces = self.pieces(true);
        let sum = |value: &dyn Fn(i32, i32) -> i32| {
            pieces.iter().map(|&(row, col)| value(row, col)).sum::<i32>()
        };
        match feature {
            "piece" => pieces.len() as i32,
            "advance" => sum(&|row, _| row),
            "danger" => {
                sum(&|row, _| row)
                    + self.count(|row, col| row == self.rows - 3 && self.is_firm(row, col))
            }
            "high_danger" => self.count(|row, col| row == self.rows - 2 && self.is_firm(row, col)),
            "attack" => -sum(&|row, col| {
                self.attackers(row, col) * if self.protectors(row, col) == 0 { 2 } else { 1 }
            }),
            "protection" => sum(&|row, col| self.protectors(row, col)),
            "connection_horizontal" => self.count(|row, col| self.at(row, col + 1) == Some(true)),
            "connection_vertical" => self.count(|row, col| self.at(row + 1, col) == Some(true)),
            "mobility" => self.moves(),
            "column_hole" => self.columns(true).len() as i32 - self.cols,
            "home_ground" => self.count(|row, _| row == 0),
            "almost_win" => {
                self.count(|row, col| row == self.rows - 2 && self.attackers(row, col) == 0)
            }
            "advance_squared" => sum(&|row, _| row * row),
            "edge" => self.count(|_, col| col == 0 || col == self.cols - 1),
            "goalkeepers" => {
                self.count(|row, col| row == 0 && matches!(col.min(self.cols - 1 - col), 1 | 2))
            }
            "forward_control" => self.empty_squares(|row, col| {
                2 * row >= self.rows && self.protectors(row, col) > self.attackers(row, col)
            }),
            "safe_steps" => self.empty_squares(|row, col| {
                self.at(row - 1, col) == Some(true) && self.attackers(row, col) == 0
            }),
            "blocks" => self.count(|row, col| {
                let others = [(row, col + 1), (row + 1, col), (row + 1, col + 1)];
                others.iter().all(|&(row, col)| self.at(row, col) == Some(true))
            }),
            other => panic!("the test does not know `{other}`"),
        }
    }

    /// The number that looks random: the two sets as 64-bit numbers, mixed.
    fn noise(&self) -> i32 {
        let bits =
            |own| self.pieces(own).iter().map(|&(row, col)| 1u64 << (8 * row + col)).sum::<u64>();
        let mut z = bits(true).wrapping_add(0x9E37_79B9_7F4A_7C15u64.wrapping_mul(bits(false)));
        z ^= z >> 30;
        z = z.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z ^= z >> 27;
        z = z.wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z % 21) as i32 - 10
    }
}

/// The value of a feature, counted square by square.
fn value(position: &Breakthrough, feature: &str) -> i32 {
    let side = position.side_to_move();
    let (us, them) = (SideView::new(position, side), SideView::new(position, side.other()));
    let (own, other) = (us.columns(true), us.columns(false));
    match feature {
        "most_advanced" => us.most_advanced(),
        "nearest_enemy" => us.pieces(false).iter().map(|&(row, _)| row).min().unwrap_or(us.rows),
        "attacked" => us.count(|row, col| us.attackers(row, col) > 0),
        "attacked_protected" => {
            us.count(|row, col| us.attackers(row, col) > 0 && us.protectors(row, col) > 0)
        }
        "empty_column" => {
            (0..us.cols).filter(|col| !own.contains(col) && !other.contains(col)).count() as i32
        }
        "empty_column_enemy" => other.iter().filter(|col| !own.contains(col)).count() as i32,
        "enemy_second_row" => us.pieces(false).iter().filter(|&&(row, _)| row == 1).count() as i32,
        "own_mobility" => us.moves(),
        "farthest_any" => us.most_advanced().max(them.most_advanced()),
        "tempo" => 1,
        "noise" => us.noise(),
        "advance_squared" => (us.part(feature) - them.part(feature)).clamp(-250, 250),
        _ => us.part(feature) - them.part(feature),
    }
}

/// Rounding goes toward zero on both sides of it.
#[test]
fn rounding_is_toward_zero() {
    let position = Breakthrough::start(Board::new(8, 8)).unwrap();
    let lacking =
        Breakthrough::from_fen("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/1PPPPPPP w - - 0 1").unwrap();
    for (weight, scale, expected) in [(7, 2, -3), (-7, 2, 3), (5, 6, 0), (-5, 6, 0)] {
        let set = weight_set::<Breakthrough>(scale, &[("piece", weight)]);
        let evaluator = Breakthrough::evaluator(&set).unwrap();
        assert_eq!(evaluator.evaluate(&lacking), expected, "{weight} / {scale}");
        assert_eq!(evaluator.evaluate(&position), 0);
    }
}

impl TestedGame for Breakthrough {
    type Array = Naive;

    fn weight_sets(seed: u64) -> Vec<WeightSet> {
        weight_sets(seed)
    }

    fn endgame(board: Board, most: u64, generator: &mut Mt64) -> Self {
        endgame(board, most, generator)
    }

    fn value(&self, feature: &str) -> i32 {
        value(self, feature)
    }

    fn is_two_sided(feature: &str) -> bool {
        TWO_SIDED.contains(&feature)
    }

    /// Noise may differ on the mirrored board.
    fn is_symmetric(feature: &str, symmetry: &str) -> bool {
        feature != "noise" || symmetry == "colours swapped"
    }

    fn odd(board: Board, generator: &mut Mt64) -> Self {
        endgame(board, 1 + below(generator, 6), generator)
    }

    fn crowded() -> Vec<Self> {
        let rows = ["PPPPPPPP/", "PPPP1PPP/", "1PPPPPPP/", "PPPPPP1P/"].map(|row| row.repeat(6));
        let fens = rows.map(|rows| format!("ppp5/{rows}PPPPPPPP w - - 0 1"));
        fens.iter().map(|fen| Self::from_fen(fen).unwrap()).collect()
    }
}

/// Breakthrough sees every win in one ply.
#[test]
fn wins_in_one_ply_are_always_foreseen() {
    for position in positions::<Breakthrough>(12).into_iter().filter(|p| p.outcome().is_none()) {
        let wins = forces(&position, position.side_to_move(), 1);
        assert_eq!(wins, position.foresight() == Foresight::Win(1), "{}", position.fen());
    }
}

/// An exchange is worth what playing it out gives if each side may stop at any time.
#[test]
fn exchanges_are_worth_what_they_lead_to() {
    // The gain of the side to move by taking on the square in turn, or 0. All takers are alike.
    fn reply(naive: &Naive, on: Square) -> i32 {
        let taker = naive.moves().into_iter().find(|&(_, to)| to == on);
        taker.map_or(0, |taker| (1 - reply(&naive.after(taker), on)).max(0))
    }
    let mut seen = [0; 3];
    for position in fewer::<Breakthrough>(14, 4000) {
        let (naive, exchange) = (Naive::of(&position), position.exchanges());
        for mv in moves(&position) {
            let (from, to) = Naive::step(mv);
            let captures = naive.squares[to.0][to.1].is_some();
            let value = i32::from(captures) - reply(&naive.after((from, to)), to);
            assert_eq!(exchange(mv), value, "{} in {}", position.move_text(mv), position.fen());
            seen[(value + 1) as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// Positions that cannot be are refused.
#[test]
fn impossible_positions_are_refused() {
    let make =
        |white, black| Breakthrough::from_pieces(Board::new(6, 6), white, black, Side::First);
    assert!(make(0, 0).is_err(), "nobody has a piece");
    assert!(make(1, 1).is_err(), "two pieces on a square");
    assert!(make(1 << 6, 1 << 8).is_err(), "a piece right of the board");
    assert!(make(1 << 48, 1 << 8).is_err(), "a piece above the board");
    assert!(make(1 << 40, 1).is_err(), "both have arrived");
    assert!(
        Breakthrough::from_pieces(Board::new(9, 9), 1, 2, Side::First).is_err(),
        "no such board"
    );
    let mut generator = Mt64::new(3);
    for _ in 0..1000 {
        let (white, black) = (generator.next_u64(), generator.next_u64());
        let side = Side::BOTH[below(&mut generator, 2) as usize];
        if let Ok(position) = Breakthrough::from_pieces(Board::new(8, 8), white, black, side) {
            assert_eq!(
                (position.pieces(Side::First), position.pieces(Side::Second)),
                (white, black)
            );
        }
    }
}
