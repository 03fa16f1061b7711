//! The same features added up with their weights, as fast as popcounts go.

use super::count::{columns, in_column, noise, ones, side_by_side};
use super::windows::{self, TABLES, Windows};
use crate::error::Result;
use crate::eval::features::weights_in_order;
use crate::eval::unit::{UnitSamples, pick_piece};
use crate::eval::{Evaluator, Score};
use crate::game::{Position, Side};
use crate::games::Breakthrough;
use crate::games::breakthrough::View;
use crate::weights::WeightSet;

/// What the worth of a piece is measured on.
static SAMPLES: UnitSamples<Breakthrough> = UnitSamples::new();

/// The parts of the evaluation that are left out when none of their weights is used.
mod part {
    pub(super) const TENSION: u8 = 1;
    pub(super) const CONNECTIONS: u8 = 2;
    pub(super) const MOBILITY: u8 = 4;
    pub(super) const COLUMNS: u8 = 8;
    pub(super) const ONE_SIDED: u8 = 16;
    pub(super) const NOISE: u8 = 32;
    pub(super) const MATERIAL: u8 = 64;
}

/// The weights of a set, made ready for the search.
#[derive(Clone, Debug)]
pub struct BreakthroughEvaluator {
    parts: u8,
    scale: Score,
    unit: Score,
    w: Weights,
    windows: Option<Windows>,
}

/// Makes a struct with one weight for each name, read from a set by that name.
macro_rules! weights {
    ($($name:ident),+ $(,)?) => {
        /// One field for each feature, named as in the feature list.
        #[derive(Clone, Debug)]
        struct Weights { $($name: i32),+ }

        impl Weights {
            fn new(set: &WeightSet) -> Result<Self> {
                let list = weights_in_order::<Breakthrough>(set)?;
                let of = |name: &str| super::FEATURES.iter().position(|f| f.name == name).map_or(0, |i| list[i]);
                Ok(Self { $($name: of(stringify!($name))),+ })
            }
        }
    };
}

weights! {
    piece, danger, high_danger, attack, protection, connection_horizontal, connection_vertical, mobility,
    column_hole, home_ground, almost_win, advance, most_advanced, nearest_enemy, attacked, attacked_protected,
    empty_column, empty_column_enemy, enemy_second_row, own_mobility, farthest_any, noise, tempo,
}

impl Weights {
    /// Which parts have a weight that is not zero.
    fn parts(&self) -> u8 {
        let used =
            |part: u8, weights: &[i32]| if weights.iter().any(|&w| w != 0) { part } else { 0 };
        used(
            part::TENSION,
            &[self.danger, self.high_danger, self.attack, self.protection, self.almost_win],
        ) | used(part::MATERIAL, &[self.piece, self.danger, self.advance, self.home_ground])
            | used(part::CONNECTIONS, &[self.connection_horizontal, self.connection_vertical])
            | used(part::MOBILITY, &[self.mobility, self.own_mobility])
            | used(part::COLUMNS, &[self.column_hole, self.empty_column, self.empty_column_enemy])
            | used(
                part::ONE_SIDED,
                &[
                    self.most_advanced,
                    self.nearest_enemy,
                    self.attacked,
                    self.attacked_protected,
                    self.enemy_second_row,
                    self.farthest_any,
                ],
            )
            | used(part::NOISE, &[self.noise])
    }
}

/// The squares that the pieces of a view strike, `own` moving up and `other` down.
#[derive(Clone, Copy)]
struct Strikes {
    own_left: u64,
    own_right: u64,
    other_left: u64,
    other_right: u64,
}

impl Strikes {
    #[inline]
    fn new(view: View) -> Self {
        let g = view.geometry;
        Self {
            own_left: g.up_left(view.own),
            own_right: g.up_right(view.own),
            other_left: g.down_left(view.other),
            other_right: g.down_right(view.other),
        }
    }
}

impl BreakthroughEvaluator {
    /// Prepares a weight set.
    ///
    /// # Errors
    /// When the set does not fit Breakthrough's features.
    pub fn new(set: &WeightSet) -> Result<Self> {
        let w = Weights::new(set)?;
        let windows = Windows::new(set, &TABLES);
        let mut evaluator = Self { parts: w.parts(), scale: set.scale.max(1), unit: 1, w, windows };
        let board = set.board.as_deref().and_then(|board| board.parse().ok());
        let board = board.unwrap_or_else(Breakthrough::default_board);
        evaluator.unit = SAMPLES.median_change(&evaluator, board, lacking_one);
        Ok(evaluator)
    }

    #[inline]
    fn material(&self, view: View) -> i32 {
        let View { own, other, geometry: g } = view;
        let w = &self.w;
        let rows = rows_advanced(own, &g.row_bits) - rows_advanced(other, &g.row_bits_from_top);
        w.piece * (ones(own) - ones(other))
            + (w.danger + w.advance) * rows
            + w.home_ground * (ones(own & g.bottom) - ones(other & g.top))
    }

    #[inline]
    fn tension(&self, view: View, s: Strikes) -> i32 {
        let View { own, other, geometry: g } = view;
        let w = &self.w;
        let (by_own, by_other) = (s.own_left | s.own_right, s.other_left | s.other_right);
        let (safe_own, safe_other) = (own & !by_other, other & !by_own);
        let (held_own, held_other) = (safe_own & by_own, safe_other & by_other);
        let rows = g.rows;
        let on = |set: u64, row: u8| ones(set & g.row(row));
        let attackers = |set: u64, left: u64, right: u64| ones(set & left) + ones(set & right);
        let attack = attackers(other, s.own_left, s.own_right)
            + attackers(other & !by_other, s.own_left, s.own_right)
            - attackers(own, s.other_left, s.other_right)
            - attackers(own & !by_own, s.other_left, s.other_right);
        let protection =
            attackers(own, s.own_left, s.own_right) - attackers(other, s.other_left, s.other_right);
        w.danger * (on(held_own, rows - 3) - on(held_other, 2))
            + w.high_danger * (on(held_own, rows - 2) - on(held_other, 1))
            + w.attack * attack
            + w.protection * protection
            + w.almost_win * (on(safe_own, rows - 2) - on(safe_other, 1))
    }

    #[inline]
    fn mobility(&self, view: View, s: Strikes) -> i32 {
        let View { own, other, geometry: g } = view;
        let empty = !(own | other);
        let own_moves =
            ones(s.own_left & !own) + ones(s.own_right & !own) + ones(g.up(own) & empty);
        let other_moves = ones(s.other_left & !other)
            + ones(s.other_right & !other)
            + ones(g.down(other) & empty);
        (self.w.mobility + self.w.own_mobility) * own_moves - self.w.mobility * other_moves
    }

    #[inline]
    fn columns(&self, view: View) -> i32 {
        let w = &self.w;
        let (own, other) = (columns(view.own), columns(view.other));
        let all = view.geometry.bottom;
        w.column_hole * (ones(own) - ones(other))
            + w.empty_column * ones(all & !own & !other)
            + w.empty_column_enemy * ones(other & !own)
    }

    #[inline]
    fn one_sided(&self, view: View, s: Strikes) -> i32 {
        let View { own, other, geometry: g } = view;
        let w = &self.w;
        let rows = i32::from(g.rows);
        let attacked = own & (s.other_left | s.other_right);
        let protected = attacked & (s.own_left | s.own_right);
        let advanced = if own == 0 { 0 } else { (63 - own.leading_zeros() as i32) >> 3 };
        let enemy = if other == 0 { rows } else { other.trailing_zeros() as i32 >> 3 };
        let enemy_advanced = if other == 0 { 0 } else { rows - 1 - enemy };
        w.most_advanced * advanced
            + w.nearest_enemy * enemy
            + w.attacked * ones(attacked)
            + w.attacked_protected * ones(protected)
            + w.enemy_second_row * ones(other & g.row(1))
            + w.farthest_any * advanced.max(enemy_advanced)
    }

    #[inline]
    fn has(&self, part: u8) -> bool {
        self.parts & part != 0
    }
}

/// The sum of the rows of the pieces, from the sets of the rows whose number has each of its three
/// bits.
#[inline]
fn rows_advanced(pieces: u64, bits: &[u64; 3]) -> i32 {
    ones(pieces & bits[0]) + 2 * ones(pieces & bits[1]) + 4 * ones(pieces & bits[2])
}

impl Evaluator<Breakthrough> for BreakthroughEvaluator {
    #[inline]
    fn evaluate(&self, position: &Breakthrough) -> Score {
        let view = position.view();
        let strikes = Strikes::new(view);
        let mut sum = self.w.tempo;
        if self.has(part::MATERIAL) {
            sum += self.material(view);
        }
        if let Some(windows) = &self.windows {
            sum += windows::sum(windows, view);
        }
        if self.has(part::TENSION) {
            sum += self.tension(view, strikes);
        }
        if self.has(part::CONNECTIONS) {
            sum += self.w.connection_horizontal
                * (side_by_side(view.own) - side_by_side(view.other))
                + self.w.connection_vertical * (in_column(view.own) - in_column(view.other));
        }
        if self.has(part::MOBILITY) {
            sum += self.mobility(view, strikes);
        }
        if self.has(part::COLUMNS) {
            sum += self.columns(view);
        }
        if self.has(part::ONE_SIDED) {
            sum += self.one_sided(view, strikes);
        }
        if self.has(part::NOISE) {
            sum += self.w.noise * noise(view);
        }
        if self.scale == 1 { sum } else { sum / self.scale }
    }

    #[inline]
    fn unit(&self) -> Score {
        self.unit
    }
}

/// The same position without one of the pieces of the side to move, unless that ends the game.
fn lacking_one(position: &Breakthrough) -> Option<Breakthrough> {
    let side = position.side_to_move();
    let gone = pick_piece(position.pieces(side), position.key());
    let [white, black] = Side::BOTH.map(|side| position.pieces(side) & !gone);
    let without = Breakthrough::from_pieces(position.board(), white, black, side).ok()?;
    without.outcome().is_none().then_some(without)
}

/// The masks that [`rows_advanced`] takes must agree with the rows of the board.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::breakthrough::Geometry;

    #[test]
    fn row_bits_spell_the_row_numbers() {
        for board in Breakthrough::boards() {
            let g = Geometry::get(board.cols(), board.rows()).unwrap();
            for row in 0..board.rows() {
                let squares = g.row(row);
                assert_eq!(rows_advanced(squares, &g.row_bits), i32::from(row) * ones(squares));
                let from_top = board.rows() - 1 - row;
                assert_eq!(
                    rows_advanced(squares, &g.row_bits_from_top),
                    i32::from(from_top) * ones(squares)
                );
            }
        }
    }
}
