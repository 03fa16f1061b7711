//! The inputs of Breakthru's features.

use super::squares::{BOARD, EDGE, RINGS, SIDE, STRAIGHT, attacked, beside, each, reached};
use super::{Breakthru, Piece};
use crate::game::bitboard::ones;
use crate::game::{Position, Side};
use std::cell::OnceCell;

/// A position with its most frequent counts. Costly counts are made on first use.
pub struct BreakthruInputs {
    pub(super) flagship: u128,
    pub(super) escorts: u128,
    /// The silver ships.
    pub(super) ships: u128,
    pub(super) empty: u128,
    /// Whether the first ship of this turn has moved.
    pub(super) half_turn: bool,
    /// 1 if Gold is to move, -1 if Silver is.
    sign: i32,
    targets: OnceCell<u128>,
    lines: OnceCell<FlagshipLines>,
    way_out: OnceCell<Option<i32>>,
    by_gold: OnceCell<u128>,
    by_silver: OnceCell<u128>,
}

/// The lines from the flagship to the edge, by the ships on them.
#[derive(Clone, Copy, Default)]
pub(super) struct FlagshipLines {
    /// Lines without any ships.
    pub(super) open: i32,
    /// Lines with escorts only.
    pub(super) escorted: i32,
    /// Lines with one silver ship only.
    pub(super) blocked: i32,
}

impl BreakthruInputs {
    #[inline]
    pub(super) fn new(position: &Breakthru) -> Self {
        Self {
            flagship: position.flagship(),
            escorts: position.squares(Piece::Escort),
            ships: position.squares(Piece::Ship),
            empty: position.empty(),
            half_turn: position.first_move().is_some(),
            sign: if position.side_to_move() == Side::First { 1 } else { -1 },
            targets: OnceCell::new(),
            lines: OnceCell::new(),
            way_out: OnceCell::new(),
            by_gold: OnceCell::new(),
            by_silver: OnceCell::new(),
        }
    }

    /// Turns a value for Gold into one from the side to move.
    #[inline]
    pub(super) fn gold(&self, value: i32) -> i32 {
        self.sign * value
    }

    /// Turns a value for Silver into one from the side to move.
    #[inline]
    pub(super) fn silver(&self, value: i32) -> i32 {
        -self.sign * value
    }

    /// The bands of columns and of rows around the flagship. Band `n` reaches `n` squares from it.
    #[inline]
    fn around(&self) -> Option<(&'static [u128; 11], &'static [u128; 11])> {
        let square = each(self.flagship).next()?;
        Some((&NEAR_COLUMN[usize::from(square % SIDE)], &NEAR_ROW[usize::from(square / SIDE)]))
    }

    /// The sum of the distances of these ships from the flagship.
    #[inline]
    pub(super) fn distances(&self, ships: u128) -> i32 {
        let Some((columns, rows)) = self.around() else { return 0 };
        let mut sum = 0;
        for (column, row) in columns.iter().zip(rows) {
            let beyond = ones(ships & !(column & row));
            if beyond == 0 {
                break;
            }
            sum += beyond;
        }
        sum
    }

    /// The squares at a distance from the flagship; the distance must not be 0.
    #[inline]
    pub(super) fn at_distance(&self, distance: usize) -> u128 {
        let Some((columns, rows)) = self.around() else { return 0 };
        columns[distance] & rows[distance] & !(columns[distance - 1] & rows[distance - 1])
    }

    /// The flagship's distance from the edge.
    #[inline]
    pub(super) fn edge_distance(&self) -> i32 {
        RINGS.iter().position(|ring| ring & self.flagship != 0).unwrap_or(0) as i32
    }

    /// The squares that the flagship can move to.
    #[inline]
    pub(super) fn targets(&self) -> u128 {
        *self.targets.get_or_init(|| reached(self.flagship, self.empty))
    }

    #[inline]
    pub(super) fn lines(&self) -> &FlagshipLines {
        self.lines.get_or_init(|| self.count_lines())
    }

    fn count_lines(&self) -> FlagshipLines {
        let mut lines = FlagshipLines::default();
        for direction in STRAIGHT {
            let line = direction.line(self.flagship, BOARD);
            let is_open =
                |through: u128| direction.line(self.flagship, through) & direction.end() != 0;
            let free = is_open(self.empty);
            lines.open += i32::from(free);
            lines.escorted += i32::from(!free && is_open(self.empty | self.escorts));
            let (gold, silver) = (line & self.escorts, line & self.ships);
            lines.blocked += i32::from(gold == 0 && silver.count_ones() == 1);
        }
        lines
    }

    /// The number of steps of the flagship's shortest way out.
    #[inline]
    pub(super) fn way_out(&self) -> Option<i32> {
        *self.way_out.get_or_init(|| self.find_way_out())
    }

    fn find_way_out(&self) -> Option<i32> {
        let (mut within, mut steps) = (self.flagship, 0);
        while within & EDGE == 0 {
            let wider = within | beside(within) & !self.ships;
            if wider == within {
                return None;
            }
            (within, steps) = (wider, steps + 1);
        }
        Some(steps)
    }

    /// The squares that gold ships attack.
    #[inline]
    pub(super) fn by_gold(&self) -> u128 {
        *self.by_gold.get_or_init(|| attacked(self.escorts | self.flagship))
    }

    /// The squares that silver ships attack.
    #[inline]
    pub(super) fn by_silver(&self) -> u128 {
        *self.by_silver.get_or_init(|| attacked(self.ships))
    }
}

/// By column and `n`: the squares at most `n` columns away. Likewise for rows.
static NEAR_COLUMN: [[u128; 11]; 11] = bands(1, 11);
static NEAR_ROW: [[u128; 11]; 11] = bands(11, 1);

/// For each line of squares that are `along` apart, and for each distance: the squares of all lines
/// within the distance. `across` is the step from one line to the next.
const fn bands(across: usize, along: usize) -> [[u128; 11]; 11] {
    let mut bands = [[0; 11]; 11];
    let mut line = 0usize;
    while line < 11 {
        let mut other = 0usize;
        while other < 11 {
            let mut square = 0;
            while square < 11 {
                let mut distance = line.abs_diff(other);
                while distance < 11 {
                    bands[line][distance] |= 1 << (other * across + square * along);
                    distance += 1;
                }
                square += 1;
            }
            other += 1;
        }
        line += 1;
    }
    bands
}
