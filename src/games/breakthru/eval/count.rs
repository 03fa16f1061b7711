//! Every feature counted on bitboards, one number each; the fast evaluator leaves out groups that
//! it has no weights for.

use super::list::COUNT;
use crate::game::{Position, Side};
use crate::games::breakthru::squares::{
    BOARD, EDGE, RINGS, SIDE, STRAIGHT, attacked, beside, count_moves, each, open_to_edge, reached,
};
use crate::games::breakthru::{Breakthru, Piece};
use std::ops::Range;

/// The rings that have features: all but the square in the middle.
const RING_FEATURES: usize = 5;

/// The places of the groups in the list.
pub(super) const DISTANCES: Range<usize> = 2..4;
pub(super) const LINES: Range<usize> = 4..10;
pub(super) const BLOCKADE: Range<usize> = 10..12;
pub(super) const SIEGE: Range<usize> = 12..15;
pub(super) const NEAR: Range<usize> = 15..19;
pub(super) const GOLD_MOVES: Range<usize> = 19..20;
pub(super) const SILVER_MOVES: Range<usize> = 20..21;
pub(super) const ATTACKS: Range<usize> = 21..27;
pub(super) const GOLD_RINGS: Range<usize> = 27..32;
pub(super) const SILVER_RINGS: Range<usize> = 32..37;
const GOLD: usize = 37;
const HALF_TURN: usize = 38;
const TEMPO: usize = 39;

/// The squares at most so many columns from a column, and rows from a row.
static NEAR_COLUMN: [[u128; 11]; 11] = bands(1, 11);
static NEAR_ROW: [[u128; 11]; 11] = bands(11, 1);

/// For each line, of squares that are `along` apart, and each distance: the squares of the lines
/// within it. `across` is what leads from line to line.
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

#[inline]
fn ones(squares: u128) -> i32 {
    squares.count_ones() as i32
}

/// The distances of some ships from a square in king's moves, added up.
#[inline]
fn distances(ships: u128, square: u8) -> i32 {
    let (columns, rows) =
        (NEAR_COLUMN[usize::from(square % SIDE)], NEAR_ROW[usize::from(square / SIDE)]);
    let beyond = columns.iter().zip(rows).map(|(column, row)| ones(ships & !(column & row)));
    beyond.take_while(|&count| count > 0).sum()
}

/// The squares at a distance from a square, in king's moves.
#[inline]
fn at_distance(square: u8, distance: usize) -> u128 {
    let (columns, rows) =
        (&NEAR_COLUMN[usize::from(square % SIDE)], &NEAR_ROW[usize::from(square / SIDE)]);
    columns[distance] & rows[distance] & !(columns[distance - 1] & rows[distance - 1])
}

/// The value of each feature, in the order of the list; groups for which `wanted` is false are 0.
#[inline]
pub(super) fn features(
    position: &Breakthru,
    wanted: impl Fn(Range<usize>) -> bool,
) -> [i32; COUNT] {
    let mut values = gold_view(position, wanted);
    if position.side_to_move() == Side::Second {
        values.iter_mut().for_each(|value| *value = -*value);
    }
    values[HALF_TURN] = i32::from(position.first_move().is_some());
    values[TEMPO] = 1;
    values
}

/// The features that belong to the sides, with Gold to move.
#[inline]
fn gold_view(position: &Breakthru, wanted: impl Fn(Range<usize>) -> bool) -> [i32; COUNT] {
    let (gold, silver) = (position.squares(Piece::Escort), position.squares(Piece::Ship));
    let (flagship, empty) = (position.flagship(), position.empty());
    let mut values = [0; COUNT];
    values[0] = ones(gold);
    values[1] = -ones(silver);
    values[GOLD] = 1;
    if wanted(DISTANCES)
        && let Some(square) = each(flagship).next()
    {
        values[DISTANCES].copy_from_slice(&[distances(gold, square), -distances(silver, square)]);
    }
    if wanted(LINES) {
        values[LINES].copy_from_slice(&lines(flagship, gold, silver, empty));
    }
    if wanted(BLOCKADE) {
        values[BLOCKADE].copy_from_slice(&blockade(flagship, silver));
    }
    if wanted(SIEGE) {
        let diagonal = attacked(flagship);
        let near = diagonal | beside(flagship);
        let siege = [ones(gold & near), -ones(silver & near), -ones(silver & diagonal)];
        values[SIEGE].copy_from_slice(&siege);
    }
    if wanted(NEAR)
        && let Some(square) = each(flagship).next()
    {
        let [two, three] = [2, 3].map(|distance| at_distance(square, distance));
        values[NEAR].copy_from_slice(&[
            ones(gold & two),
            ones(gold & three),
            -ones(silver & two),
            -ones(silver & three),
        ]);
    }
    if wanted(GOLD_MOVES) {
        values[GOLD_MOVES.start] = count_moves(gold, empty) as i32;
    }
    if wanted(SILVER_MOVES) {
        values[SILVER_MOVES.start] = -(count_moves(silver, empty) as i32);
    }
    if wanted(ATTACKS) {
        let (by_gold, by_silver) = (attacked(gold | flagship), attacked(silver));
        let attacks = [
            -ones(gold & by_silver),
            ones(silver & by_gold),
            -ones(gold & by_silver & !by_gold),
            ones(silver & by_gold & !by_silver),
            ones(gold & by_gold),
            -ones(silver & by_silver),
        ];
        values[ATTACKS].copy_from_slice(&attacks);
    }
    for (range, ships, sign) in [(GOLD_RINGS, gold, 1), (SILVER_RINGS, silver, -1)] {
        if wanted(range.clone()) {
            let rings = RINGS[..RING_FEATURES].iter();
            values[range]
                .iter_mut()
                .zip(rings)
                .for_each(|(value, ring)| *value = sign * ones(ships & ring));
        }
    }
    values
}

/// The steps of the flagship's shortest way out, and whether there is none.
#[inline]
fn blockade(flagship: u128, silver: u128) -> [i32; 2] {
    let (mut within, mut steps) = (flagship, 0);
    while within & EDGE == 0 {
        let wider = within | beside(within) & !silver;
        if wider == within {
            return [0, -i32::from(flagship != 0)];
        }
        (within, steps) = (wider, steps + 1);
    }
    [-steps, 0]
}

/// The flagship's moves, its distance from the edge, its open lines, those with escorts only, those
/// with a silver ship only, and its exits.
#[inline]
fn lines(flagship: u128, gold: u128, silver: u128, empty: u128) -> [i32; 6] {
    let (mut open, mut escorted, mut blocked) = (0, 0, 0);
    for direction in STRAIGHT {
        let line = direction.line(flagship, BOARD);
        blocked += i32::from(line & gold == 0 && (line & silver).count_ones() == 1);
        let free = direction.line(flagship, empty) & direction.end() != 0;
        let passable = direction.line(flagship, empty | gold) & direction.end() != 0;
        open += i32::from(free);
        escorted += i32::from(passable && !free);
    }
    let edge = RINGS.iter().position(|ring| ring & flagship != 0).unwrap_or(0);
    let targets = reached(flagship, empty);
    [ones(targets), edge as i32, open, escorted, blocked, ones(targets & open_to_edge(empty))]
}
