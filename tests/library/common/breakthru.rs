//! Breakthru as the suites need it: symmetries, odd positions, an array board.

use super::array::ArrayBoard;
use super::symmetry::Symmetry;
use super::{Arrayed, Conforming, Searchable, below, random_set, weight_set};
use rand_mt::Mt64;
use sparring::game::{Board, Notation, Outcome, Position, Side};
use sparring::games::Breakthru;
use sparring::games::breakthru::Move;
use sparring::games::breakthru::squares::image;
use sparring::weights::WeightSet;

/// A square as (row, column), from 0.
pub type Square = (i32, i32);

/// An action: the square left and the square entered.
pub type Step = (Square, Square);

/// A board as an array of the signs of its text, with the rest of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    pub squares: [[char; 11]; 11],
    pub gold: bool,
    /// Where the ship stands that has moved in this turn.
    pub moved: Option<Square>,
    pub turn: u32,
}

/// A number from 1 on for each square.
fn square(square: u8) -> Square {
    (i32::from(square / 11), i32::from(square % 11))
}

impl Naive {
    pub const ROOK: [Square; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    pub const BISHOP: [Square; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    /// What stands on a square; a blank off the board.
    pub fn at(&self, (row, col): Square) -> char {
        if (0..11).contains(&row) && (0..11).contains(&col) {
            self.squares[row as usize][col as usize]
        } else {
            ' '
        }
    }

    /// Every square with one of the signs.
    pub fn find(&self, signs: &str) -> Vec<Square> {
        let all = (0..11).flat_map(|row| (0..11).map(move |col| (row, col)));
        all.filter(|&square| signs.contains(self.at(square))).collect()
    }

    /// The moves of the ships with these signs along rows and columns.
    pub fn slides(&self, signs: &str) -> Vec<Step> {
        let mut steps = Vec::new();
        for from in self.find(signs) {
            for (dr, dc) in Self::ROOK {
                let way = (1..).map(|k| (from.0 + k * dr, from.1 + k * dc));
                steps.extend(way.take_while(|&to| self.at(to) == '.').map(|to| (from, to)));
            }
        }
        steps
    }

    /// The captures of the ships with these signs.
    pub fn takes(&self, signs: &str, enemies: &str) -> Vec<Step> {
        let from = self.find(signs).into_iter();
        let to =
            from.flat_map(|from| Self::BISHOP.map(|(dr, dc)| (from, (from.0 + dr, from.1 + dc))));
        to.filter(|&(_, to)| enemies.contains(self.at(to))).collect()
    }

    /// Whether a square is on the edge of the board.
    fn is_edge((row, col): Square) -> bool {
        [0, 10].contains(&row) || [0, 10].contains(&col)
    }

    fn actions(&self) -> Vec<Step> {
        let (all, small, enemies) = if self.gold { ("Fg", "g", "s") } else { ("s", "s", "Fg") };
        match self.moved {
            None => [self.slides(all), self.takes(all, enemies)].concat(),
            Some(moved) => {
                self.slides(small).into_iter().filter(|&(from, _)| from != moved).collect()
            }
        }
    }
}

impl ArrayBoard for Naive {
    type Game = Breakthru;
    type Step = Step;

    /// Reads a position's text.
    fn of(position: &Breakthru) -> Self {
        let fen = position.fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut squares = [['.'; 11]; 11];
        for (row, text) in (0..11).rev().zip(fields[0].split('/')) {
            // A number of empty squares is one or two digits.
            let text = text.replace("11", &".".repeat(11)).replace("10", &".".repeat(10));
            let signs = text.chars().flat_map(|sign| match sign.to_digit(10) {
                Some(count) => vec!['.'; count as usize],
                None => vec![sign],
            });
            signs.enumerate().for_each(|(col, sign)| squares[row][col] = sign);
        }
        let entered = |text: &str| {
            let mut to = text.split('-').nth(1).unwrap().chars();
            let col = to.next().unwrap() as i32 - 'a' as i32;
            (to.as_str().parse::<i32>().unwrap() - 1, col)
        };
        let moved = (fields[2] != "-").then(|| entered(fields[2]));
        Self { squares, gold: fields[1] == "gold", moved, turn: fields[3].parse().unwrap() }
    }

    fn step(mv: Move) -> Step {
        (square(mv.from()), square(mv.to()))
    }

    fn outcome(&self) -> Option<Outcome> {
        let [gold, silver] = Side::BOTH.map(Outcome::Win);
        match self.find("F").first() {
            None => return Some(silver),
            Some(&flagship) if Self::is_edge(flagship) => return Some(gold),
            Some(_) if self.find("s").is_empty() => return Some(gold),
            Some(_) if self.turn > 200 => return Some(Outcome::Draw),
            Some(_) => {}
        }
        let loser = self.actions().is_empty();
        loser.then_some(if self.gold { silver } else { gold })
    }

    fn moves(&self) -> Vec<Step> {
        if self.outcome().is_some() { Vec::new() } else { self.actions() }
    }

    fn after(&self, (from, to): Step) -> Self {
        let mut next = self.clone();
        let captures = self.at(to) != '.';
        let mover = self.at(from);
        next.squares[from.0 as usize][from.1 as usize] = '.';
        next.squares[to.0 as usize][to.1 as usize] = mover;
        next.moved = Some(to);
        if captures || mover == 'F' || self.moved.is_some() || next.actions().is_empty() {
            next.moved = None;
            next.gold = !self.gold;
            next.turn += 1;
        }
        next
    }
}

fn symmetric(position: &Breakthru, symmetry: u8) -> Symmetry<Breakthru> {
    let turn = move |mv: Move| Move::new(image(mv.from(), symmetry), image(mv.to(), symmetry));
    let set = |set: u128| {
        let squares = (0..121u8).filter(|&square| set >> square & 1 == 1);
        squares.fold(0, |all, square| all | 1u128 << image(square, symmetry))
    };
    let pieces = sparring::games::breakthru::Piece::ALL.map(|piece| set(position.squares(piece)));
    let first = position.first_move().map(turn);
    Symmetry {
        name: "turned",
        image: Breakthru::from_squares(pieces, position.side_to_move(), first, position.turn())
            .unwrap(),
        swaps: false,
        map: Box::new(turn),
    }
}

/// A position with up to so many escorts and silver ships anywhere within `reach` of the flagship,
/// which stands off the edge; every second one in the middle of a turn, where that can be.
fn strewn(escorts: u64, ships: u64, reach: i32, turn: u8, generator: &mut Mt64) -> Breakthru {
    loop {
        let mut draw = |below_: u64| below(generator, below_) as i32;
        let (row, col) = (1 + draw(9), 1 + draw(9));
        let mut pieces = [1u128 << (row * 11 + col), 0, 0];
        let mut taken = pieces[0];
        let counts = [(1, draw(escorts + 1)), (2, 1 + draw(ships))];
        for (kind, count) in counts {
            for _ in 0..count {
                let side = 2 * reach as u64 + 1;
                let (row, col) = (row + draw(side) - reach, col + draw(side) - reach);
                let square = 1u128 << (row.clamp(0, 10) * 11 + col.clamp(0, 10));
                if taken & square == 0 {
                    taken |= square;
                    pieces[kind] |= square;
                }
            }
        }
        let side = Side::BOTH[draw(2) as usize];
        let half = draw(2) == 1;
        let Ok(position) = Breakthru::from_squares(pieces, side, None, turn) else { continue };
        let children = super::children(&position);
        let middle = children.iter().filter(|child| child.first_move().is_some());
        let middle: Vec<&Breakthru> = middle.collect();
        if half && !middle.is_empty() {
            return middle[draw(middle.len() as u64) as usize].clone();
        }
        return position;
    }
}

impl Arrayed for Breakthru {
    type Array = Naive;
}

impl Conforming for Breakthru {
    const CAPTURES_ARE_NOISY: bool = false;

    fn count(&self, side: Side) -> u32 {
        Naive::of(self).find(if side == Side::First { "Fg" } else { "s" }).len() as u32
    }

    fn symmetries(&self) -> Vec<Symmetry<Self>> {
        (1..8).map(|symmetry| symmetric(self, symmetry)).collect()
    }

    fn scattered(_: Board, density: u64, generator: &mut Mt64) -> Self {
        strewn(1 + density / 8, 1 + density / 5, 2 + (density / 10) as i32, 1, generator)
    }

    /// Crowds, the last turns, and positions in which hardly anything can move.
    fn unusual(seed: u64) -> Vec<Self> {
        let mut generator = Mt64::new(seed);
        let mut all: Vec<Self> = (0..300)
            .map(|index: u64| {
                let turn = [1, 100, 198, 199, 200, 201][index as usize % 6];
                let reach = 1 + (index % 7) as i32;
                strewn(index % 13, 1 + index % 20, reach, turn, &mut generator)
            })
            .collect();
        let odd = [
            // Gold without an action, and with a first ship only.
            "11/11/11/11/4sgs4/4gFg4/4sgs4/11/11/11/11 gold - 3",
            "11/11/11/2sg1g1s3/2g1sss1g2/2ssgFgss2/2ggsgsgg2/11/11/11/11 gold - 3",
            "11/11/11/5g5/4gFg4/5g5/11/11/11/11/s10 silver - 9",
            "sg9/g10/11/11/11/5F5/11/11/11/11/11 silver - 9",
            "sg9/gg9/11/11/11/5F5/11/11/11/11/11 silver - 9",
            "11/11/11/11/11/5F5/11/11/11/11/s10 silver - 9",
            "11/11/11/11/11/5F5/11/11/11/11/s10 gold - 200",
            "11/11/11/11/11/5F5/11/11/11/11/s10 gold - 201",
            "11/11/11/11/11/5g5/11/11/11/11/s10 gold - 9",
            "F10/11/11/11/11/5g5/11/11/11/11/s10 silver - 201",
            "11/11/11/11/11/5F5/11/11/11/11/11 silver - 2",
        ];
        all.extend(odd.iter().map(|fen| Self::from_fen(fen).unwrap()));
        all.push(Self::begun_by(Side::Second));
        all
    }
}

impl Searchable for Breakthru {
    fn weight_sets(seed: u64) -> Vec<WeightSet> {
        let mut generator = Mt64::new(seed);
        vec![
            sparring::weights::find("hand", "breakthru").unwrap(),
            weight_set::<Self>(1, &[]),
            weight_set::<Self>(1, &[("gold_ship", 1), ("silver_ship", 1)]),
            weight_set::<Self>(7, &[("silver_moves", 2), ("half_turn", -3)]),
            random_set::<Self>(500, 3, &mut generator),
            random_set::<Self>(20, 100, &mut generator),
        ]
    }

    /// Few ships near the flagship, a third of them shortly before the last turn.
    fn endgame(_: Board, most: u64, generator: &mut Mt64) -> Self {
        loop {
            let turn = if below(generator, 3) == 0 { 198 + below(generator, 3) as u8 } else { 1 };
            let position =
                strewn(most / 2, most / 2, 1 + below(generator, 3) as i32, turn, generator);
            if position.outcome().is_none() {
                return position;
            }
        }
    }
}
