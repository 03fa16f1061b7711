//! Breakthru as the suites need it: symmetries, odd positions, weight sets, a second implementation
//! of rules and features on an array of squares; and tests of its own rules.

use crate::common::array::ArrayBoard;
use crate::common::symmetry::Symmetry;
use crate::common::{Conforming, TestedGame, below, children, moves, random_set, weight_set};
use crate::rules::fewer;
use rand_mt::Mt64;
use sparring::game::{Board, MoveList, Notation, Outcome, Position, SearchHints, Side};
use sparring::games::Breakthru;
use sparring::games::breakthru::Move;
use sparring::games::breakthru::squares::image;
use sparring::weights::WeightSet;
use std::collections::BTreeSet;

/// A square as (row, column), from 0.
pub type Square = (i32, i32);

/// An action: the square left and the square entered.
pub type Step = (Square, Square);

/// A board as an array of the signs of its text, and the other fields of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naive {
    pub squares: [[char; 11]; 11],
    pub gold: bool,
    /// The square of the ship that has moved in this turn.
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

    /// The piece on a square; a blank off the board.
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

/// A position with up to this many escorts and silver ships anywhere within `reach` of the
/// flagship, which stands off the edge; every second one in the middle of a turn, where that can
/// be.
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
        let children = children(&position);
        let middle = children.iter().filter(|child| child.first_move().is_some());
        let middle: Vec<&Breakthru> = middle.collect();
        if half && !middle.is_empty() {
            return middle[draw(middle.len() as u64) as usize].clone();
        }
        return position;
    }
}

impl Conforming for Breakthru {
    const PASSES: bool = true;
    const FORESEES: bool = true;
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

/// How far a square is from the edge.
fn edge((row, col): Square) -> i32 {
    row.min(col).min(10 - row).min(10 - col)
}

fn distance(a: Square, b: Square) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// The pieces on the lines from a square to the edge; no line where the square is on that edge.
fn lines(naive: &Naive, from: Square) -> Vec<String> {
    let line = |(dr, dc): Square| {
        let way = (1..).map(|k| naive.at((from.0 + k * dr, from.1 + k * dc)));
        way.take_while(|&sign| sign != ' ').collect::<String>()
    };
    Naive::ROOK.map(line).into_iter().filter(|line| !line.is_empty()).collect()
}

/// The steps of the shortest way from a square to the edge that no silver ship is on.
fn way_out(naive: &Naive, from: Square) -> Option<usize> {
    let mut seen = vec![(from, 0)];
    let mut next = 0;
    while let Some(&(at, steps)) = seen.get(next) {
        if edge(at) == 0 {
            return Some(steps);
        }
        for (dr, dc) in Naive::ROOK {
            let to = (at.0 + dr, at.1 + dc);
            if naive.at(to) != 's' && seen.iter().all(|&(known, _)| known != to) {
                seen.push((to, steps + 1));
            }
        }
        next += 1;
    }
    None
}

/// The count of a feature, and whether Gold likes it.
fn counted(naive: &Naive, feature: &str) -> (bool, i32) {
    let flagship = naive.find("F").first().copied();
    let (gold, silver) = (naive.find("g"), naive.find("s"));
    let of_flagship = |count: &dyn Fn(Square) -> usize| flagship.map_or(0, count);
    let sum = |ships: &[Square]| {
        of_flagship(&|f| ships.iter().map(|&ship| distance(ship, f) as usize).sum())
    };
    let near = |ships: &[Square]| {
        of_flagship(&|f| ships.iter().filter(|&&ship| distance(ship, f) == 1).count())
    };
    let at = |ships: &[Square], feature: &str| {
        let there = |f: Square| {
            ships.iter().filter(|&&ship| feature.ends_with(&distance(ship, f).to_string())).count()
        };
        of_flagship(&there)
    };
    let targets = |mut steps: Vec<(Square, Square)>| {
        steps.sort_unstable_by_key(|&(_, to)| to);
        steps.dedup_by_key(|&mut (_, to)| to);
        steps
    };
    // Whether a ship of the other kind would be captured on a square: by whom, and what stands
    // there.
    let attacked = |by: &str, on: &str| targets(naive.takes(by, on)).len();
    let hanging = |by: &str, on: &str, backed_by: &str| {
        let hit = targets(naive.takes(by, on)).into_iter().map(|(_, to)| to);
        let back = naive.takes(backed_by, on);
        hit.filter(|to| back.iter().all(|(_, other)| other != to)).count()
    };
    let is_open = |line: &String| line.chars().all(|sign| sign == '.');
    let only_blocked =
        |line: &&String| line.chars().all(|sign| sign != 'g') && line.matches('s').count() == 1;
    let (by_gold, count) = match feature {
        "gold_ship" => (true, gold.len()),
        "silver_ship" => (false, silver.len()),
        "gold_distance" => (true, sum(&gold)),
        "silver_distance" => (false, sum(&silver)),
        "flagship_moves" => (true, naive.slides("F").len()),
        "flagship_edge" => (true, of_flagship(&|f| edge(f) as usize)),
        "open_lines" => {
            (true, of_flagship(&|f| lines(naive, f).iter().filter(|line| is_open(line)).count()))
        }
        "escort_lines" => {
            let escorted = |line: &&String| !is_open(line) && !line.contains('s');
            (true, of_flagship(&|f| lines(naive, f).iter().filter(escorted).count()))
        }
        "blocked_lines" => {
            (true, of_flagship(&|f| lines(naive, f).iter().filter(only_blocked).count()))
        }
        "way_out" => (false, of_flagship(&|f| way_out(naive, f).unwrap_or(0))),
        "enclosed" => (false, of_flagship(&|f| usize::from(way_out(naive, f).is_none()))),
        "exits" => {
            let leads_out = |to: Square| edge(to) == 0 || lines(naive, to).iter().any(is_open);
            (true, naive.slides("F").into_iter().filter(|&(_, to)| leads_out(to)).count())
        }
        "gold" => (true, 1),
        "guards" => (true, near(&gold)),
        "besiegers" => (false, near(&silver)),
        "flagship_attacked" => (false, naive.takes("s", "F").len()),
        "gold_at_2" | "gold_at_3" => (true, at(&gold, feature)),
        "silver_at_2" | "silver_at_3" => (false, at(&silver, feature)),
        "gold_backed" => (true, attacked("Fg", "g")),
        "silver_backed" => (false, attacked("s", "s")),
        "gold_moves" => (true, naive.slides("g").len()),
        "silver_moves" => (false, naive.slides("s").len()),
        "gold_attacked" => (false, attacked("s", "g")),
        "silver_attacked" => (true, attacked("Fg", "s")),
        "gold_hanging" => (false, hanging("s", "g", "Fg")),
        "silver_hanging" => (true, hanging("Fg", "s", "s")),
        _ => {
            let (side, ring) =
                feature.split_once("_ring_").expect("the test does not know the feature");
            let ships = if side == "gold" { &gold } else { &silver };
            (side == "gold", ships.iter().filter(|&&ship| edge(ship).to_string() == ring).count())
        }
    };
    (by_gold, count as i32)
}

impl TestedGame for Breakthru {
    type Array = Naive;

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

    fn value(&self, feature: &str) -> i32 {
        let naive = Naive::of(self);
        match feature {
            "tempo" => 1,
            "half_turn" => naive.moved.is_some().into(),
            _ => {
                let (by_gold, count) = counted(&naive, feature);
                if by_gold == (self.side_to_move() == Side::First) { count } else { -count }
            }
        }
    }

    fn is_two_sided(feature: &str) -> bool {
        !["tempo", "half_turn"].contains(&feature)
    }

    fn crowded() -> Vec<Self> {
        let layouts = [
            "s1s1s1s1s1s/11/s1g1g1g1g1s/11/s1g1F1g1g1s/11/s1g1g1g1g1s/11/s1s1s1s1s2/11/11",
            "sssssssss2/9ss/10s/10s/10s/10s/10s/10s/10s/gF8s/gggggggg3",
            "ssss3ssss/11/11/11/11/gggg1F1gggg/gg7gg/11/11/11/ssssss1ssss",
        ];
        layouts
            .iter()
            .flat_map(|rows| ["gold", "silver"].map(|side| format!("{rows} {side} - 1")))
            .map(|fen| Self::from_fen(&fen).unwrap())
            .collect()
    }
}

/// The ends of games that the notation shows: the flagship, no ships, no action, two hundred turns.
#[test]
fn games_end_as_the_rules_say() {
    let outcome = |fen: &str| Breakthru::from_fen(fen).unwrap().outcome();
    let [gold, silver] = Side::BOTH.map(|side| Some(Outcome::Win(side)));
    for (fen, expected) in [
        ("11/11/11/11/11/5F5/11/11/11/11/s10 gold - 200", None),
        ("11/11/11/11/11/5F5/11/11/11/11/s10 gold - 201", Some(Outcome::Draw)),
        ("5F5/11/11/11/11/11/11/11/11/11/s10 silver - 201", gold),
        ("11/11/11/11/11/5g5/11/11/11/11/s10 gold - 201", silver),
        ("11/11/11/11/11/5F5/11/11/11/11/11 silver - 2", gold),
        ("sg9/gg9/11/11/11/5F5/11/11/11/11/11 silver - 9", None),
        ("sg9/g10/11/11/11/5F5/11/11/11/11/11 silver - 9", gold),
    ] {
        assert_eq!(outcome(fen), expected, "{fen}");
    }
    // The only small ship moves, and the turn is over; so it is after the flagship's move and after
    // a capture.
    for (fen, mv) in [
        ("11/11/11/11/5g5/5F5/11/11/11/11/s10 gold - 9", "f7-g7"),
        ("11/11/11/4g6/5g5/5F5/11/11/11/11/s10 gold - 9", "f6-g6"),
        ("11/11/4s6/4g6/5g5/5F5/11/11/11/11/s10 gold - 9", "f7-g7 e8-f8"),
        ("11/11/11/4s6/5g5/5F5/11/11/11/11/s10 gold - 9", "f7xe8"),
    ] {
        let mut position = Breakthru::from_fen(fen).unwrap();
        for mv in mv.split(' ') {
            assert_eq!(position.side_to_move(), Side::First, "{fen}");
            position = position.play(position.parse_move(mv).unwrap());
        }
        assert_eq!((position.side_to_move(), position.turn()), (Side::Second, 10), "{fen}");
    }
}

/// An exchange is worth what playing it out gives if each side may stop at any time.
#[test]
fn exchanges_are_worth_what_they_lead_to() {
    const FLAGSHIP: i32 = 21;
    // The other side's gain by taking on the square in turn, with its small ships first, or 0.
    fn reply(naive: &Naive, on: Square) -> i32 {
        let (all, enemies) = if naive.gold { ("gF", "s") } else { ("s", "gF") };
        let mut takers: Vec<Step> =
            naive.takes(all, enemies).into_iter().filter(|&(_, to)| to == on).collect();
        takers.sort_by_key(|&(from, _)| naive.at(from) == 'F');
        let Some(&taker) = takers.first() else { return 0 };
        let won = if naive.at(on) == 'F' { return FLAGSHIP } else { 1 };
        (won - reply(&Naive { moved: None, ..naive.after(taker) }, on)).max(0)
    }
    let mut seen = BTreeSet::new();
    for position in fewer::<Breakthru>(15, 1000) {
        let (naive, exchange) = (Naive::of(&position), position.exchanges());
        for mv in moves(&position) {
            let (from, to) = Naive::step(mv);
            let won = match naive.at(to) {
                'F' => FLAGSHIP,
                '.' => 0,
                _ => 1,
            };
            let after = Naive { gold: !naive.gold, moved: None, ..naive.after((from, to)) };
            let value = if won == FLAGSHIP { won } else { won - reply(&after, to) };
            seen.insert(value);
            assert_eq!(exchange(mv), value, "{} in {}", position.move_text(mv), position.fen());
        }
    }
    assert!([-1, 0, 1, FLAGSHIP].iter().all(|value| seen.contains(value)), "{seen:?}");
}

/// A search sees each turn of two moves once: a move left out leads to a position that another
/// order reaches, and nothing else is lost.
#[test]
fn turns_are_searched_once() {
    let ends = |position: &Breakthru, list: fn(&Breakthru, &mut MoveList<_>)| -> Vec<Breakthru> {
        let seconds = |half: Breakthru| {
            let mut moves = MoveList::new();
            if half.first_move().is_some() {
                list(&half, &mut moves);
            }
            moves.into_iter().map(|mv| half.play(mv)).collect::<Vec<_>>()
        };
        moves(position).into_iter().flat_map(|mv| seconds(position.play(mv))).collect()
    };
    let (mut ordered, mut distinct) = (0, 0);
    for position in fewer::<Breakthru>(14, 200).into_iter().filter(|p| p.first_move().is_none()) {
        let (all, once) =
            (ends(&position, Breakthru::moves), ends(&position, Breakthru::distinct_moves));
        let keys = |turns: &[Breakthru]| turns.iter().map(Breakthru::key).collect::<BTreeSet<_>>();
        assert_eq!(keys(&all), keys(&once), "{}", position.fen());
        (ordered, distinct) = (ordered + all.len(), distinct + once.len());
    }
    assert!(distinct * 9 < ordered * 5, "{distinct} of {ordered}");
}
