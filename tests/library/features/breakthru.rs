//! Breakthru's features, counted square by square.

use super::Counted;
use crate::common::Conforming;
use crate::common::array::ArrayBoard;
use crate::common::breakthru::{Naive, Square};
use rand_mt::Mt64;
use sparring::game::{Board, Notation, Position, Side};
use sparring::games::Breakthru;

/// How far a square is from the edge.
fn edge((row, col): Square) -> i32 {
    row.min(col).min(10 - row).min(10 - col)
}

fn distance(a: Square, b: Square) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// What stands on the lines from a square to the edge; no line where the square is on that edge.
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

/// What a feature counts, and whether Gold likes it.
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

impl Counted for Breakthru {
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

    fn odd(_: Board, generator: &mut Mt64) -> Self {
        let all = Self::unusual(generator.next_u64());
        all[generator.next_u64() as usize % all.len()].clone()
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
