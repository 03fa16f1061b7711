//! A position as networks see it: the kinds of ships on the squares, and the state of the turn.
//!
//! The sides have different ships and aims, so a window shows the ships themselves, the same for
//! both sides. With four states of a square each pattern has one row of weights. Own and enemy
//! ships would take five states, since either side may own the flagship, and the units would learn
//! each pattern twice, once for each side to move. Four more inputs, one of them active, give the
//! side to move and whether its turn has begun. The value is from Gold, and negated for Silver.

use super::Breakthru;
use super::squares::{BOARD, SIDE, each, image};
use crate::eval::{NetworkInputs, NetworkView, Replaced, Score, WindowReader};
use crate::game::{Position, Side};
use crate::weights::{InputScheme, WindowShape};

/// The number of windows in a row.
const ACROSS: u8 = SIDE - 1;
/// The patterns of a window of 2x2 squares with four states each.
const PATTERNS: u32 = 256;
/// The squares on which windows begin: all except the last column and row.
const FIRST_SQUARES: u128 = first_squares();
/// The first of the inputs for the state of the turn.
const TURNS: u32 = ACROSS as u32 * ACROSS as u32 * PATTERNS;
/// The number of active inputs of a position.
const SHOWN: u32 = ACROSS as u32 * ACROSS as u32 + 1;

/// The ships by kind, and the turn. A square's state has two bits: 0 empty, 1 an escort, 2 a silver
/// ship, 3 the flagship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShipsView {
    /// The squares whose state has the low bit.
    low: u128,
    /// The squares whose state has the high bit.
    high: u128,
    /// The state of the turn, 0 to 3: Gold's first move, Gold's second, Silver's first, Silver's
    /// second.
    turn: u8,
}

impl ShipsView {
    #[inline]
    pub(super) fn new(position: &Breakthru) -> Self {
        let [flagship, escorts, ships] = position.pieces;
        let side = if position.side_to_move() == Side::First { 0 } else { 2 };
        let turn = side + u8::from(position.first_move().is_some());
        Self { low: escorts | flagship, high: ships | flagship, turn }
    }

    /// The active input for the state of the turn.
    #[inline]
    fn turn_input(self) -> u32 {
        TURNS + u32::from(self.turn)
    }

    /// The active input of the window with this first square.
    #[inline]
    fn input(self, square: u8) -> u32 {
        let window = u32::from(square / SIDE * ACROSS + square % SIDE);
        let [low, high] = [self.low, self.high].map(|set| set >> square);
        window * PATTERNS + row_pattern(low, high) + 16 * row_pattern(low >> SIDE, high >> SIDE)
    }
}

/// The number in base four of the two lowest squares.
#[inline]
fn row_pattern(low: u128, high: u128) -> u32 {
    /// Indexed by the two low bits and, above them, the two high bits.
    const PATTERNS: [u8; 16] = [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15];
    let key = low as usize & 3 | (high as usize & 3) << 2;
    PATTERNS[key].into()
}

const fn first_squares() -> u128 {
    let (mut set, mut row) = (0, 0);
    while row < ACROSS {
        set |= ((1 << ACROSS) - 1) << (SIDE * row);
        row += 1;
    }
    set & BOARD
}

impl NetworkView for ShipsView {
    const SCHEME: InputScheme = InputScheme::KINDS;

    /// A window's bit is the bit of its first square.
    type Changed = u128;

    fn reader(_shape: WindowShape) -> WindowReader<Self> {
        WindowReader { read, changed, replaced, shown: |_| SHOWN }
    }

    #[inline]
    fn sign(self) -> Score {
        if self.turn < 2 { 1 } else { -1 }
    }

    fn image(self, symmetry: u64) -> Self {
        let turn = |set| each(set).fold(0, |all, square| all | 1 << image(square, symmetry as u8));
        Self { low: turn(self.low), high: turn(self.high), ..self }
    }

    fn words(self) -> [u128; 3] {
        [self.low, self.high, self.turn.into()]
    }
}

fn read(view: ShipsView) -> NetworkInputs {
    let mut inputs = NetworkInputs::new();
    for row in 0..ACROSS {
        for col in 0..ACROSS {
            // There is room for all of them.
            let _ = inputs.try_push(view.input(SIDE * row + col));
        }
    }
    let _ = inputs.try_push(view.turn_input());
    inputs
}

fn changed(old: ShipsView, new: ShipsView) -> u128 {
    let squares = (old.low ^ new.low) | (old.high ^ new.high);
    let across = squares | squares >> 1;
    // Bits shifted over the edge of a row land where no window begins.
    (across | across >> SIDE) & FIRST_SQUARES
}

fn replaced(
    old: ShipsView,
    new: ShipsView,
    changed: u128,
    row_length: u32,
    replaced: &mut Replaced,
) {
    if old.turn != new.turn {
        let _ = replaced.try_push((old.turn_input() * row_length, new.turn_input() * row_length));
    }
    for square in each(changed) {
        // If too many windows changed to fit, the whole board is summed again.
        let _ = replaced.try_push((old.input(square) * row_length, new.input(square) * row_length));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features::sample_positions;

    #[test]
    fn changed_windows_are_those_whose_inputs_differ() {
        let start = Breakthru::start(Breakthru::default_board()).unwrap();
        let views: Vec<ShipsView> =
            sample_positions(&start, 30, 5).iter().map(ShipsView::new).collect();
        for pair in views.windows(2) {
            let [old, new] = [pair[0], pair[1]];
            let inputs = [read(old), read(new)];
            assert_eq!(inputs[0].len() as u32, SHOWN);
            let differ: Vec<(u32, u32)> = inputs[0]
                .iter()
                .copied()
                .zip(inputs[1].iter().copied())
                .filter(|(a, b)| a != b)
                .collect();
            let mut found = Replaced::new();
            replaced(old, new, changed(old, new), 1, &mut found);
            found.sort_unstable();
            assert!(differ.len() > 64 || found[..] == differ);
            assert_eq!(
                usize::from(old.turn != new.turn) + changed(old, new).count_ones() as usize,
                differ.len()
            );
        }
    }

    #[test]
    fn images_are_eight_and_show_the_same_ships() {
        let position = sample_positions(&Breakthru::begun_by(Side::First), 1, 6).remove(0);
        let view = ShipsView::new(&position);
        let mut images: Vec<[u128; 3]> = (0..8).map(|number| view.image(number).words()).collect();
        assert_eq!(images[0], view.words());
        let ships = |words: &[u128; 3]| [words[0].count_ones(), words[1].count_ones()];
        assert!(images.iter().all(|words| ships(words) == ships(&images[0])));
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
