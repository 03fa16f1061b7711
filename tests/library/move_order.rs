//! The worth of move ordering in Ataxx, as document 001 measured it: alpha-beta with a table,
//! to a fixed depth, counting pieces; moves in the order of the squares, clones first, and then the
//! table's move before all others.

use sparring::game::{Board, MoveList, Outcome, Position};
use sparring::games::Ataxx;
use sparring::games::ataxx::{Kind, Move};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Squares,
    ClonesFirst,
    TableThenClones,
}

/// The table's entry of a position: the depth, the bounds of its score, and the move that was
/// best.
type Known = (u32, i32, i32, Option<Move>);

struct Search {
    order: Order,
    table: HashMap<u64, Known>,
    nodes: u64,
}

impl Search {
    const WON: i32 = 1000;

    fn value(position: &Ataxx) -> i32 {
        let view = position.view();
        view.own.count_ones() as i32 - view.other.count_ones() as i32
    }

    fn moves(&self, position: &Ataxx, known: Option<Move>) -> MoveList<Move> {
        let mut moves = MoveList::new();
        position.moves(&mut moves);
        let jumps = |mv: &Move| matches!(mv.kind(), Kind::Jump { .. });
        match self.order {
            Order::Squares => moves.sort_by_key(|mv| (mv.to(), *mv)),
            _ => moves.sort_by_key(|mv| (jumps(mv), mv.to(), *mv)),
        }
        if self.order == Order::TableThenClones {
            moves.sort_by_key(|&mv| Some(mv) != known);
        }
        moves
    }

    fn run(&mut self, position: &Ataxx, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        match position.outcome() {
            Some(Outcome::Win(side)) if side == position.side_to_move() => return Self::WON,
            Some(Outcome::Win(_)) => return -Self::WON,
            Some(Outcome::Draw) => return 0,
            None if depth == 0 => return Self::value(position),
            None => {}
        }
        let known = self.table.get(&position.key()).copied();
        if let Some((_, low, high, _)) = known.filter(|known| known.0 == depth) {
            (alpha, beta) = (alpha.max(low), beta.min(high));
            if alpha >= beta {
                return alpha;
            }
        }
        let (mut best, mut best_move, first_alpha) = (-Self::WON - 1, None, alpha);
        for mv in self.moves(position, known.and_then(|known| known.3)) {
            let score = -self.run(&position.play(mv), depth - 1, -beta, -alpha);
            if score > best {
                (best, best_move) = (score, Some(mv));
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        let low = if best > first_alpha { best } else { -Self::WON };
        let high = if best < beta { best } else { Self::WON };
        self.table.insert(position.key(), (depth, low, high, best_move));
        best
    }
}

/// The nodes of each iteration up to a depth, from the start on 8x8, and the last score.
fn nodes(order: Order, depth: u32) -> (Vec<u64>, i32) {
    let position = Ataxx::start(Board::new(8, 8)).unwrap();
    let mut search = Search { order, table: HashMap::new(), nodes: 0 };
    let mut score = 0;
    let mut iteration = |depth| {
        search.nodes = 0;
        score = search.run(&position, depth, -Search::WON, Search::WON);
        search.nodes
    };
    let nodes = (1..=depth).map(&mut iteration).collect();
    (nodes, score)
}

#[test]
fn clones_first_and_then_the_tables_move_save_nodes() {
    const DEPTH: u32 = 7;
    let orders = [Order::Squares, Order::ClonesFirst, Order::TableThenClones];
    let found = orders.map(|order| nodes(order, DEPTH));
    assert!(
        found.iter().all(|(_, score)| *score == found[0].1),
        "the order never changes the score"
    );
    let record: serde_json::Value =
        serde_json::from_str(include_str!("../data/nodes.json")).unwrap();
    for row in record["move_order"].as_array().unwrap() {
        let depth = row["depth"].as_u64().unwrap() as usize;
        let [squares, clones, table] = [0, 1, 2].map(|order| found[order].0[depth - 1]);
        assert!(clones < squares && table <= clones, "depth {depth}");
        let on_record = ["squares", "clones_first", "table_then_clones"].map(|order| &row[order]);
        assert_eq!(on_record, [squares, clones, table], "depth {depth}");
    }
}
