//! Diverse test games for the layer: drops on a small board; steps, captures, promotions, passes
//! and a clock on a wide one; and faulty rules.

use crate::simple::*;
use std::sync::atomic::{AtomicI32, Ordering};

/// Two in a row on 3x2 squares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pairs {
    pub(super) taken: [u64; 2],
    pub(super) side: Side,
}

impl Rules for Pairs {
    const NAME: &'static str = "pairs";
    const BOARD: Board = Board::new(3, 2);
    const SIGNS: [&'static str; 2] = ["x", "o"];
    const START: &'static str = "3/3 x";

    fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str> {
        let taken: [u64; 2] = squares.narrow();
        let (first, second) = (ones(taken[0]), ones(taken[1]));
        let due = if first > second { Side::Second } else { Side::First };
        if due != side || first - second > 1 || second > first {
            return Err("the sides cannot have made so many moves");
        }
        Ok(Self { taken, side })
    }

    fn squares(&self) -> Squares {
        Squares::of_sets(&self.taken)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let wins = |side: &Side| self.taken[side.index()] & self.taken[side.index()] >> 1 != 0;
        let winner = Side::BOTH.into_iter().find(wins);
        winner.map(Outcome::Win).or((self.empty() == 0).then_some(Outcome::Draw))
    }

    fn moves(&self, list: &mut Moves) {
        each(self.empty()).for_each(|square| list.drop(square));
    }

    fn play(&mut self, mv: Move) {
        self.taken[self.side.index()] |= 1 << mv.to();
        self.side = self.side.other();
    }
}

impl Pairs {
    fn empty(&self) -> u64 {
        board_squares(3, 2) & !(self.taken[0] | self.taken[1])
    }
}

impl Features for Pairs {
    const FEATURES: &'static [SideFeature<Self>] = &[
        side("left", "Stones in the left column.", |p, s| ones(p.taken[s.index()] & 0x101)),
        mover("own", "Stones of the side to move.", |p, s| ones(p.taken[s.index()])),
        tempo(),
    ];
}

/// Men step toward the other end of the board, kings in any direction. They capture enemy pieces by
/// moving onto them. A side without pieces has lost; 30 plies without a capture are a draw. A side
/// that cannot move passes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Leap {
    /// Men and kings of the first side, then of the second.
    pub(super) pieces: [[u128; 2]; 2],
    pub(super) side: Side,
    pub(super) clock: u8,
}

pub(super) const COLS: i16 = 10;
pub(super) const LIMIT: u8 = 30;

impl Leap {
    fn of(&self, side: Side) -> u128 {
        self.pieces[side.index()][0] | self.pieces[side.index()][1]
    }
}

impl Rules for Leap {
    const NAME: &'static str = "leap";
    const BOARD: Board = Board::new(10, 4);
    const SIGNS: [&'static str; 2] = ["mk", "MK"];
    const START: &'static str = "MMMMMM4/10/10/4mmmmmm white";
    const SIDE_NAMES: [&'static str; 2] = ["white", "black"];
    const HAS_CLOCK: bool = true;

    fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str> {
        let &[a, b, c, d] = squares.sets() else { return Err("four sets are needed") };
        Ok(Self { pieces: [[a, b], [c, d]], side, clock: 0 })
    }

    fn squares(&self) -> Squares {
        Squares::of_sets(self.pieces.as_flattened())
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        let lost = Side::BOTH.into_iter().find(|&side| self.of(side) == 0);
        let is_late = self.clock >= LIMIT;
        lost.map(|side| Outcome::Win(side.other())).or(is_late.then_some(Outcome::Draw))
    }

    fn moves(&self, list: &mut Moves) {
        let mut any = false;
        let forward = if self.side == Side::First { COLS } else { -COLS };
        for (kind, ways) in [(0, &[forward][..]), (1, &[COLS, -COLS, 1, -1])] {
            for from in each(self.pieces[self.side.index()][kind]) {
                for way in ways {
                    let to = i16::from(from) + way;
                    let stays = (i16::from(from) % COLS - to % COLS).abs() <= 1;
                    if (0..4 * COLS).contains(&to) && stays && self.of(self.side) >> to & 1 == 0 {
                        list.step(from, to as u8);
                        any = true;
                    }
                }
            }
        }
        if !any {
            list.push(Move::PASS);
        }
    }

    fn play(&mut self, mv: Move) {
        self.clock += 1;
        if let Some(from) = mv.from() {
            let bit = 1_u128 << mv.to();
            let [men, kings] = &mut self.pieces[self.side.index()];
            let is_king = *kings >> from & 1 == 1 || !(10..30).contains(&mv.to());
            *men &= !(1 << from);
            *kings &= !(1 << from);
            *(if is_king { kings } else { men }) |= bit;
            for set in &mut self.pieces[self.side.other().index()] {
                if *set & bit != 0 {
                    self.clock = 0;
                }
                *set &= !bit;
            }
        }
        self.side = self.side.other();
    }

    fn clock(&self) -> u8 {
        self.clock
    }

    fn set_clock(&mut self, clock: u8) {
        self.clock = clock.min(LIMIT);
    }

    fn pass(&self) -> Option<Self> {
        Some(Self { side: self.side.other(), clock: self.clock + 1, ..self.clone() })
    }
}

impl Features for Leap {
    const FEATURES: &'static [SideFeature<Self>] = &[
        side("men", "Men.", |p, s| ones(p.pieces[s.index()][0])),
        side("kings", "Kings.", |p, s| ones(p.pieces[s.index()][1])),
    ];
}

/// Rules with one deliberate fault.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Broken<const FAULT: u8>(Pairs);

pub(super) const STAYS: u8 = 0;
pub(super) const TWICE: u8 = 1;
pub(super) const STUCK: u8 = 2;
pub(super) const FORESEES: u8 = 3;
pub(super) const FORCES: u8 = 4;
pub(super) const OVER: u8 = 5;
pub(super) const ALIKE: u8 = 6;
pub(super) const HUGE: u8 = 7;
pub(super) const UNSTEADY: u8 = 8;
pub(super) const DISORDERED: u8 = 9;
pub(super) const PANICS: u8 = 10;

impl<const FAULT: u8> Rules for Broken<FAULT> {
    const NAME: &'static str = "broken";
    const BOARD: Board = Pairs::BOARD;
    const SIGNS: [&'static str; 2] = Pairs::SIGNS;
    const START: &'static str = Pairs::START;

    fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str> {
        Pairs::from_squares(squares, side).map(Self)
    }

    fn squares(&self) -> Squares {
        self.0.squares()
    }

    fn side_to_move(&self) -> Side {
        self.0.side
    }

    fn outcome(&self) -> Option<Outcome> {
        if FAULT == OVER { Some(Outcome::Draw) } else { self.0.outcome() }
    }

    fn moves(&self, list: &mut Moves) {
        match FAULT {
            TWICE => list.drop(0),
            STUCK => return,
            DISORDERED => {
                let mut squares: Vec<u8> = each(self.0.empty()).collect();
                let count = squares.len().max(1);
                squares.rotate_left(next() as usize % count);
                return squares.into_iter().for_each(|square| list.drop(square));
            }
            PANICS => panic!("the rules are wrong"),
            _ => {}
        }
        self.0.moves(list);
    }

    fn play(&mut self, mv: Move) {
        let side = self.0.side;
        self.0.play(mv);
        if FAULT == STAYS {
            self.0.side = side;
        }
    }

    fn foresight(&self) -> Foresight {
        if FAULT == FORESEES { Foresight::Win(1) } else { Foresight::Unknown }
    }

    fn forced_moves(&self, list: &mut Moves) {
        if FAULT == FORCES {
            list.drop(0);
        }
    }
}

impl<const FAULT: u8> Broken<FAULT> {
    const SOUND: &'static [SideFeature<Self>] = &[tempo()];
    const SAME: &'static [SideFeature<Self>] = &[side("moves", "Moves.", |_, _| 3)];
    const GREAT: &'static [SideFeature<Self>] = &[mover("moves", "Moves.", |_, _| 1 << 30)];
    const COUNTER: &'static [SideFeature<Self>] = &[mover("moves", "Moves.", |_, _| next())];
}

/// A different number at each call.
fn next() -> i32 {
    static NEXT: AtomicI32 = AtomicI32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl<const FAULT: u8> Features for Broken<FAULT> {
    const FEATURES: &'static [SideFeature<Self>] = match FAULT {
        ALIKE => Self::SAME,
        HUGE => Self::GREAT,
        UNSTEADY => Self::COUNTER,
        _ => Self::SOUND,
    };
}

/// A game like Othello on eight squares in a row. Each move turns all stones of the other side.
/// Without `ENDS` the sides only pass, for ever. `RARE` is the value of `CAPTURES_ARE_RARE`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Turning<const ENDS: bool, const RARE: bool> {
    stones: [u64; 2],
    side: Side,
}

impl<const ENDS: bool, const RARE: bool> Rules for Turning<ENDS, RARE> {
    const NAME: &'static str = "turning";
    const BOARD: Board = Board::new(8, 1);
    const SIGNS: [&'static str; 2] = ["x", "o"];
    const START: &'static str = "xo6 o";
    const CAPTURES_ARE_RARE: bool = RARE;

    fn from_squares(squares: &Squares, side: Side) -> Result<Self, &'static str> {
        Ok(Self { stones: squares.narrow(), side })
    }

    fn squares(&self) -> Squares {
        Squares::of_sets(&self.stones)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        (ENDS && self.stones[0] | self.stones[1] == 0xff).then_some(Outcome::Draw)
    }

    fn moves(&self, list: &mut Moves) {
        if !ENDS {
            return list.pass();
        }
        each(!(self.stones[0] | self.stones[1]) & 0xff).for_each(|square| list.drop(square));
    }

    /// Turns every stone of the other side.
    fn play(&mut self, mv: Move) {
        let (own, other) = (self.side.index(), self.side.other().index());
        self.side = self.side.other();
        if !mv.is_pass() {
            self.stones[own] |= 1 << mv.to() | self.stones[other];
            self.stones[other] = 0;
        }
    }
}

impl<const ENDS: bool, const RARE: bool> Features for Turning<ENDS, RARE> {
    const FEATURES: &'static [SideFeature<Self>] = &[tempo()];
}
