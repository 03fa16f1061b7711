//! Every feature counted on bitboards, one number each.

use crate::games::breakthrough::{Geometry, View};

/// The files a to g: squares with a neighbour to the right.
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The pieces of one side and the squares that both sides strike, all as that side sees the board:
/// it moves up. "Left" and "right" are the two directions of capture.
#[derive(Clone, Copy)]
pub(super) struct Army {
    pub(super) own: u64,
    pub(super) own_left: u64,
    pub(super) own_right: u64,
    pub(super) other_left: u64,
    pub(super) other_right: u64,
    pub(super) ahead: u64,
    geometry: &'static Geometry,
}

impl Army {
    #[inline]
    pub(super) fn new(view: View) -> Self {
        let View { own, other, geometry: g } = view;
        Self {
            own,
            own_left: g.up_left(own),
            own_right: g.up_right(own),
            other_left: g.down_left(other),
            other_right: g.down_right(other),
            ahead: g.up(own) & !(own | other),
            geometry: g,
        }
    }

    /// The squares that own pieces strike: own pieces on them are protected.
    #[inline]
    pub(super) fn struck_by_own(&self) -> u64 {
        self.own_left | self.own_right
    }

    /// The squares that enemy pieces strike.
    #[inline]
    pub(super) fn struck_by_other(&self) -> u64 {
        self.other_left | self.other_right
    }

    fn on_row(&self, row: u8) -> u64 {
        self.own & self.geometry.row(row)
    }

    fn rows(&self) -> u8 {
        self.geometry.rows
    }

    fn rows_advanced(&self) -> i32 {
        (0..self.rows()).map(|row| i32::from(row) * ones(self.on_row(row))).sum()
    }

    fn safe(&self) -> u64 {
        !self.struck_by_other()
    }

    fn danger(&self) -> i32 {
        self.rows_advanced()
            + ones(self.on_row(self.rows() - 3) & self.struck_by_own() & self.safe())
    }

    fn high_danger(&self) -> i32 {
        ones(self.on_row(self.rows() - 2) & self.struck_by_own() & self.safe())
    }

    fn attack(&self) -> i32 {
        let attackers =
            |pieces: u64| ones(pieces & self.other_left) + ones(pieces & self.other_right);
        -(attackers(self.own) + attackers(self.own & !self.struck_by_own()))
    }

    fn protection(&self) -> i32 {
        ones(self.own & self.own_left) + ones(self.own & self.own_right)
    }

    fn mobility(&self) -> i32 {
        ones(self.own_left & !self.own) + ones(self.own_right & !self.own) + ones(self.ahead)
    }

    fn almost_win(&self) -> i32 {
        ones(self.on_row(self.rows() - 2) & self.safe())
    }

    fn most_advanced(&self) -> i32 {
        if self.own == 0 { 0 } else { (63 - self.own.leading_zeros() as i32) >> 3 }
    }
}

#[inline]
pub(super) fn ones(squares: u64) -> i32 {
    squares.count_ones() as i32
}

/// The columns that a set stands on, as bits 0 to 7.
#[inline]
pub(super) fn columns(squares: u64) -> u64 {
    let folded = squares | squares >> 32;
    let folded = folded | folded >> 16;
    (folded | folded >> 8) & 0xff
}

/// Pairs of pieces side by side.
#[inline]
pub(super) fn side_by_side(own: u64) -> i32 {
    ones(own & (own & NOT_FILE_H) << 1)
}

/// Pairs of pieces one before the other.
#[inline]
pub(super) fn in_column(own: u64) -> i32 {
    ones(own & own << 8)
}

/// The random player's evaluation: see its formula in the feature list.
#[inline]
pub(super) fn noise(view: View) -> i32 {
    let mut z = view.own.wrapping_add(view.other.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ z >> 31) % 21) as i32 - 10
}

/// The value of every feature, in the order of the feature list.
pub(super) fn features(view: View) -> Vec<i32> {
    let (us, them) = (Army::new(view), Army::new(view.turned()));
    let difference = |count: fn(&Army) -> i32| count(&us) - count(&them);
    let (own_columns, other_columns) = (columns(us.own), columns(view.other));
    let all_columns = columns(view.geometry.mask);
    vec![
        difference(|army| ones(army.own)),
        difference(Army::danger),
        difference(Army::high_danger),
        difference(Army::attack),
        difference(Army::protection),
        difference(|army| side_by_side(army.own)),
        difference(|army| in_column(army.own)),
        difference(Army::mobility),
        difference(|army| ones(columns(army.own))),
        difference(|army| ones(army.on_row(0))),
        difference(Army::almost_win),
        difference(Army::rows_advanced),
        us.most_advanced(),
        i32::from(us.rows()) - if them.own == 0 { 0 } else { 1 + them.most_advanced() },
        ones(us.own & us.struck_by_other()),
        ones(us.own & us.struck_by_other() & us.struck_by_own()),
        ones(all_columns & !own_columns & !other_columns),
        ones(other_columns & !own_columns),
        ones(them.on_row(them.rows() - 2)),
        us.mobility(),
        us.most_advanced().max(them.most_advanced()),
        noise(view),
        1,
    ]
}
