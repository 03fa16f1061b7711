//! Endgames: the flagship, escorts, silver ships, and a ship that has already moved in an
//! unfinished turn, which may not move again.

use super::squares::{BOARD, EDGE, SQUARES, beside, each, image, reached};
use super::{Breakthru, LAST_TURN, Move, Piece, generate};
use crate::game::endgames::{Endgames, KINDS, MaterialClass, Placement};
use crate::game::{Board, Position, Side};

/// The states of a class: the side to move.
const SIDES: [Side; 2] = Side::BOTH;

/// The class of a side to move. `moved` is the number of its small ships that have moved this turn.
fn class(escorts: u8, ships: u8, moved: u8, side: Side) -> MaterialClass {
    let [escorts, ships] = match side {
        Side::First => [escorts - moved, ships],
        Side::Second => [escorts, ships - moved],
    };
    MaterialClass { counts: [1, escorts, ships, moved], state: side.index() as u8 }
}

/// The placement of these sets with a side to move. `moved` has its small ship that has moved, if
/// any.
fn placement([flagship, escorts, ships]: [u128; 3], moved: u128, side: Side) -> Placement {
    Placement::new([flagship, escorts & !moved, ships & !moved, moved], side.index() as u8)
}

impl Endgames for Breakthru {
    const MATERIAL: &'static [&'static str] = &["escorts", "silver ships"];
    const USUAL: &'static [&'static [u8]] = &[&[0, 3], &[1, 2], &[2, 1]];
    const SOLVABLE_TURNS: Option<u32> = Some(3);

    fn groups(most: &[u8]) -> Vec<Vec<MaterialClass>> {
        let &[most_escorts, most_ships, ..] = most else { return Vec::new() };
        let mut groups = Vec::new();
        for escorts in 0..=most_escorts {
            for ships in 1..=most_ships {
                let mut group = SIDES.map(|side| class(escorts, ships, 0, side)).to_vec();
                // A turn has a second ply if the side has another small ship.
                let has_second = |side| if side == Side::First { escorts > 1 } else { ships > 1 };
                group.extend(
                    SIDES
                        .into_iter()
                        .filter(|&side| has_second(side))
                        .map(|side| class(escorts, ships, 1, side)),
                );
                groups.push(group);
            }
        }
        groups
    }

    fn class_name(class: MaterialClass) -> String {
        let [_, escorts, ships, moved] = class.counts;
        let is_gold = class.state == 0;
        let (escorts, ships) =
            if is_gold { (escorts + moved, ships) } else { (escorts, ships + moved) };
        let side = if is_gold { "gold" } else { "silver" };
        let half = if moved > 0 { ", second ship" } else { "" };
        format!("F+{escorts}-{ships} {side}{half}")
    }

    fn plies_made_in(class: MaterialClass) -> u32 {
        class.counts[3].into()
    }

    fn zones(_: Board) -> [u128; KINDS] {
        [BOARD & !EDGE, BOARD, BOARD, BOARD]
    }

    fn symmetries(_: Board) -> Vec<[u8; 128]> {
        let of = |symmetry| {
            std::array::from_fn(|square| match square < SQUARES {
                true => image(square as u8, symmetry),
                false => square as u8,
            })
        };
        (0..8).map(of).collect()
    }

    #[inline]
    fn placement(&self) -> Placement {
        placement(self.pieces, self.first.map_or(0, |first| 1 << first.to()), self.side)
    }

    fn of_placement(_: Board, placement: &Placement) -> Option<Self> {
        let [flagship, escorts, ships, moved] = placement.sets;
        let side = SIDES[usize::from(placement.class.state & 1)];
        let all = flagship | escorts | ships | moved;
        if all.count_ones() != placement.class.pieces() {
            return None;
        }
        let pieces = match side {
            Side::First => [flagship, escorts | moved, ships],
            Side::Second => [flagship, escorts, ships | moved],
        };
        let mut position = Self { pieces, key: 0, first: None, turn: 1, side };
        if moved != 0 {
            // Any origin will do.
            let to = moved.trailing_zeros() as u8;
            let from = each(beside(moved) & position.empty()).next()?;
            position.first = Some(Move::new(from, to));
            if !generate::has_second(&position, side, to) {
                return None;
            }
        }
        position.key = position.recomputed_key() ^ position.turn_key();
        position.outcome().is_none().then_some(position)
    }

    fn predecessors(&self, visit: &mut dyn FnMut(Placement)) {
        let empty = self.empty();
        if let Some(first) = self.first {
            let to = 1 << first.to();
            for from in each(reached(to, empty)) {
                visit(placement(self.with_ship_back(to, from), 0, self.side));
            }
            return;
        }
        let mover = self.side.other();
        if mover == Side::First {
            for from in each(reached(self.flagship(), empty) & !EDGE) {
                let [_, escorts, ships] = self.pieces;
                visit(placement([1 << from, escorts, ships], 0, mover));
            }
        }
        for square in each(self.small_ships(mover)) {
            self.turns_that_end_with(square, mover, visit);
        }
    }

    fn turns_left(&self) -> Option<u32> {
        Some(u32::from(LAST_TURN + 1 - self.turn))
    }

    fn with_turns_left(self, turns: u32) -> Self {
        let turns = turns.clamp(1, LAST_TURN.into()) as u8;
        Self { turn: LAST_TURN + 1 - turns, ..self }
    }
}

impl Breakthru {
    /// The sets with the small ship of the set `to` moved back to another square.
    fn with_ship_back(&self, to: u128, from: u8) -> [u128; 3] {
        let is_escort = self.squares(Piece::Escort) & to != 0;
        let [flagship, escorts, ships] = self.pieces;
        match is_escort {
            true => [flagship, escorts ^ to | 1 << from, ships],
            false => [flagship, escorts, ships ^ to | 1 << from],
        }
    }

    /// Visits the placements in which the small ship on a square could have ended the previous
    /// turn: as the second ship to move, or as the only one able to.
    fn turns_that_end_with(&self, square: u8, mover: Side, visit: &mut dyn FnMut(Placement)) {
        let to = 1 << square;
        let is_only_one = !generate::has_second(self, mover, square);
        for from in each(reached(to, self.empty())) {
            let sets = self.with_ship_back(to, from);
            if is_only_one {
                visit(placement(sets, 0, mover));
            }
            for moved in each(self.small_ships(mover) & !to) {
                visit(placement(sets, 1 << moved, mover));
            }
        }
    }
}
