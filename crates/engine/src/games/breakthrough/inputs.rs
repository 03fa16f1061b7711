//! The inputs of Breakthrough's features.

use super::{Geometry, View};
use crate::game::bitboard::{FILE_A, more_often, ones};

/// A position from the side to move.
pub struct BreakthroughInputs {
    /// The side to move, whose pieces move up.
    pub(super) us: BreakthroughSide,
    /// The other side, whose pieces move down.
    pub(super) them: BreakthroughSide,
}

impl BreakthroughInputs {
    #[inline]
    pub(super) fn new(view: View) -> Self {
        let View { own, other, geometry: g } = view;
        let attacks = [g.up_left(own), g.up_right(own)];
        let attackers = [g.down_left(other), g.down_right(other)];
        let us = BreakthroughSide {
            pieces: own,
            enemies: other,
            attacks,
            attackers,
            is_us: true,
            geometry: g,
        };
        let them = BreakthroughSide {
            pieces: other,
            enemies: own,
            attacks: attackers,
            attackers: attacks,
            is_us: false,
            geometry: g,
        };
        Self { us, them }
    }

    /// The count of the side to move minus the count of the other side: `D` in the formulas.
    #[inline(always)]
    pub(super) fn difference(&self, count: impl Fn(&BreakthroughSide) -> i32) -> i32 {
        count(&self.us) - count(&self.them)
    }

    /// The number of rows of the board.
    #[inline]
    pub(super) fn rows(&self) -> i32 {
        self.us.geometry.rows.into()
    }

    /// The number of columns of the board.
    #[inline]
    pub(super) fn columns(&self) -> i32 {
        self.us.geometry.cols.into()
    }

    /// Every column of the board, as bits 0 to 7.
    #[inline]
    pub(super) fn all_columns(&self) -> u64 {
        self.us.geometry.bottom
    }

    /// The random player's evaluation by its formula, -10 to 10.
    #[inline]
    pub(super) fn noise(&self) -> i32 {
        let mut z =
            self.us.pieces.wrapping_add(self.them.pieces.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % 21) as i32 - 10
    }
}

/// The pieces of one side, with their attacks and attackers.
pub(super) struct BreakthroughSide {
    pub(super) pieces: u64,
    enemies: u64,
    /// The squares that the pieces attack to the left, and to the right.
    attacks: [u64; 2],
    /// The same for the enemy's pieces.
    attackers: [u64; 2],
    is_us: bool,
    geometry: &'static Geometry,
}

impl BreakthroughSide {
    /// The squares on the own home row.
    #[inline]
    pub(super) fn home(&self) -> u64 {
        if self.is_us { self.geometry.bottom } else { self.geometry.top }
    }

    /// The squares of the row that is `rows` rows before the goal.
    #[inline]
    pub(super) fn before_goal(&self, rows: u8) -> u64 {
        let g = self.geometry;
        if self.is_us { g.row(g.rows - 1 - rows) } else { g.row(rows) }
    }

    /// The pieces that the enemy can capture.
    #[inline]
    pub(super) fn attacked(&self) -> u64 {
        self.pieces & (self.attackers[0] | self.attackers[1])
    }

    /// The pieces that an own piece could recapture.
    #[inline]
    pub(super) fn protected(&self) -> u64 {
        self.pieces & (self.attacks[0] | self.attacks[1])
    }

    /// The pieces that are protected and not attacked.
    #[inline]
    pub(super) fn firm(&self) -> u64 {
        self.protected() & !self.attacked()
    }

    /// The number of attackers on these pieces, summed.
    #[inline]
    pub(super) fn attackers(&self, pieces: u64) -> i32 {
        ones(pieces & self.attackers[0]) + ones(pieces & self.attackers[1])
    }

    /// The number of protectors of all pieces, summed.
    #[inline]
    pub(super) fn protectors(&self) -> i32 {
        ones(self.pieces & self.attacks[0]) + ones(self.pieces & self.attacks[1])
    }

    #[inline]
    pub(super) fn moves(&self) -> i32 {
        let g = self.geometry;
        let ahead = if self.is_us { g.up(self.pieces) } else { g.down(self.pieces) };
        ones(self.attacks[0] & !self.pieces)
            + ones(self.attacks[1] & !self.pieces)
            + ones(ahead & !(self.pieces | self.enemies))
    }

    /// The rows of all pieces, counted from their home and summed.
    #[inline]
    pub(super) fn rows_advanced(&self) -> i32 {
        let g = self.geometry;
        let bits = if self.is_us { &g.row_bits } else { &g.row_bits_from_top };
        ones(self.pieces & bits[0])
            + 2 * ones(self.pieces & bits[1])
            + 4 * ones(self.pieces & bits[2])
    }

    /// The row of the foremost piece, 0 without pieces.
    #[inline]
    pub(super) fn most_advanced(&self) -> i32 {
        if self.pieces == 0 {
            0
        } else if self.is_us {
            (63 - self.pieces.leading_zeros() as i32) >> 3
        } else {
            i32::from(self.geometry.rows) - 1 - (self.pieces.trailing_zeros() as i32 >> 3)
        }
    }

    /// The squared rows of all pieces, summed. A row's number a + 2b + 4c has the square a + 4b +
    /// 16c + 4ab + 8ac + 16bc.
    #[inline]
    pub(super) fn rows_squared(&self) -> i32 {
        let g = self.geometry;
        let bits = if self.is_us { &g.row_bits } else { &g.row_bits_from_top };
        let [a, b, c] = [self.pieces & bits[0], self.pieces & bits[1], self.pieces & bits[2]];
        ones(a) + 4 * (ones(b) + ones(a & b)) + 8 * ones(a & c) + 16 * (ones(c) + ones(b & c))
    }

    /// The squares on the edge columns.
    #[inline]
    pub(super) fn edges(&self) -> u64 {
        self.column_pair(0)
    }

    /// The squares one or two columns from an edge.
    #[inline]
    pub(super) fn near_edges(&self) -> u64 {
        self.column_pair(1) | self.column_pair(2)
    }

    /// The squares `from_edge` columns from either edge; none beyond the middle of the board.
    #[inline]
    fn column_pair(&self, from_edge: u8) -> u64 {
        let cols = self.geometry.cols;
        let pair = FILE_A << from_edge | FILE_A << (cols - 1).saturating_sub(from_edge);
        if 2 * from_edge < cols { pair } else { 0 }
    }

    /// The squares of the enemy's half. The middle row of an odd number of rows is excluded.
    #[inline]
    pub(super) fn far_half(&self) -> u64 {
        if self.is_us { self.geometry.upper_half } else { self.geometry.lower_half }
    }

    /// The empty squares with more own attackers than enemy attackers.
    #[inline]
    pub(super) fn controlled(&self) -> u64 {
        more_often(self.attacks, self.attackers) & !(self.pieces | self.enemies)
    }

    /// The empty squares directly in front of pieces that no enemy piece attacks.
    #[inline]
    pub(super) fn safe_steps(&self) -> u64 {
        let g = self.geometry;
        let ahead = if self.is_us { g.up(self.pieces) } else { g.down(self.pieces) };
        ahead & !(self.pieces | self.enemies | self.attackers[0] | self.attackers[1])
    }

    /// The lower left pieces of all 2x2 blocks of own pieces, as the board lies.
    #[inline]
    pub(super) fn blocks(&self) -> u64 {
        let pairs = self.pieces & (self.pieces & !FILE_A) >> 1;
        pairs & pairs >> 8
    }

    /// The columns with own pieces, as bits 0 to 7.
    #[inline]
    pub(super) fn columns(&self) -> u64 {
        let folded = self.pieces | self.pieces >> 32;
        let folded = folded | folded >> 16;
        (folded | folded >> 8) & 0xff
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::games::Breakthrough;

    #[test]
    fn row_bits_spell_the_row_numbers() {
        for board in Breakthrough::boards() {
            let geometry = Geometry::get(board.cols(), board.rows()).unwrap();
            for row in 0..board.rows() {
                let view = View { own: geometry.row(row), other: geometry.row(row), geometry };
                let inputs = BreakthroughInputs::new(view);
                let rows = [row, board.rows() - 1 - row].map(i32::from);
                let advanced = [inputs.us, inputs.them].map(|side| side.rows_advanced());
                assert_eq!(advanced, rows.map(|row| row * i32::from(board.cols())));
            }
        }
    }
}
