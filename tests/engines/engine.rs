use cozy_chess::util::{display_uci_move, parse_uci_move};
use cozy_chess::{Board, Color, Move, Piece};
use std::collections::HashMap;
use std::io::{BufRead, stdin};

/// The options that matter: name, kind, start, and best value.
pub(crate) const KNOBS: [(&str, &str, f64, f64); 10] = [
    ("Alpha", "int", 20.0, 50.0),
    ("Beta", "int", 80.0, 50.0),
    ("Gamma", "int", 40.0, 70.0),
    ("Delta", "int", 65.0, 35.0),
    ("Epsilon", "int", 30.0, 60.0),
    ("Zeta", "int", 70.0, 40.0),
    ("Table[0]", "int", 15.0, 45.0),
    ("Table[1]", "int", 85.0, 55.0),
    ("Nerve", "float", 0.2, 0.5),
    ("Calm", "float", 0.8, 0.5),
];
/// Options without a best value, with their defaults.
const OTHERS: [(&str, f64); 2] = [("Dead", 50.0), ("Trap", 50.0)];
/// The chance of a random move for each unit of loss, and the greatest.
const BLUNDERS: f64 = 0.6;
const MOST_BLUNDERS: f64 = 0.9;
/// The score of a move that mates.
const MATE: i32 = 10_000;

/// The loss at these values: the squared distances from the best ones, in shares of their spans.
pub(crate) fn loss(value: impl Fn(&str) -> f64) -> f64 {
    let of = |(name, kind, _, best): &(&str, &str, f64, f64)| {
        let span = if *kind == "int" { 100.0 } else { 1.0 };
        ((value(name) - best) / span).powi(2)
    };
    KNOBS.iter().map(of).sum()
}

/// Answers the commands of UCI until the input ends.
pub(crate) fn play(faults: &[String]) {
    let share = |name: &str| {
        let value = faults.iter().find_map(|fault| fault.strip_prefix(name)?.strip_prefix('='));
        value.and_then(|value| value.parse::<f64>().ok()).unwrap_or(0.0)
    };
    let (crash, stall) = (share("crash"), share("stall"));
    let known = KNOBS.iter().map(|&(name, _, start, _)| (name, start)).chain(OTHERS);
    let mut values: HashMap<String, f64> = known.map(|(name, v)| (name.to_owned(), v)).collect();
    let mut board = Board::default();
    for line in stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("uci") => introduce(),
            Some("isready") => println!("readyok"),
            Some("setoption") => set(&mut values, &line),
            Some("position") => board = position(&words),
            Some("go") => {
                let luck = chance(&board, 1);
                if luck < crash || (values["Trap"] > 90.0 && luck < 0.1) {
                    println!("info string the trap is shut");
                    std::process::exit(3);
                }
                if luck >= stall {
                    answer(&board, loss(|name| values[name]));
                }
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

fn introduce() {
    println!("id name Known Optimum");
    for (name, kind, start, _) in KNOBS {
        match kind {
            "int" => println!("option name {name} type spin default {start} min 0 max 100"),
            _ => println!("option name {name} type string default {start}"),
        }
    }
    for (name, start) in OTHERS {
        println!("option name {name} type spin default {start} min 0 max 100");
    }
    println!("uciok");
}

fn set(values: &mut HashMap<String, f64>, line: &str) {
    let Some((name, value)) =
        line.strip_prefix("setoption name ").and_then(|option| option.split_once(" value "))
    else {
        return;
    };
    if let (Some(known), Ok(value)) = (values.get_mut(name.trim()), value.trim().parse()) {
        *known = value;
    }
}

fn position(words: &[&str]) -> Board {
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut board = match words.get(1) {
        Some(&"fen") => words[2..moves].join(" ").parse().unwrap_or_default(),
        _ => Board::default(),
    };
    for text in words.iter().skip(moves + 1) {
        if let Ok(step) = parse_uci_move(&board, text) {
            board.play_unchecked(step);
        }
    }
    board
}

/// Moves at once: at random with the chance that the loss gives.
fn answer(board: &Board, loss: f64) {
    let moves = legal(board);
    let best = moves.iter().copied().max_by_key(|&step| (value(board, step), noise(board, step)));
    let blunder = chance(board, 2) < (BLUNDERS * loss).min(MOST_BLUNDERS);
    let chosen = match blunder {
        true => moves.get((chance(board, 3) * moves.len() as f64) as usize).copied(),
        false => best,
    };
    println!("info depth 1 nodes 1 score cp {}", balance(board));
    match chosen {
        Some(step) => println!("bestmove {}", display_uci_move(board, step)),
        None => println!("bestmove 0000"),
    }
}

fn legal(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// The gain of a move, less the gain of the best reply.
fn value(board: &Board, step: Move) -> i32 {
    let mut after = board.clone();
    after.play_unchecked(step);
    let replies = legal(&after);
    if replies.is_empty() {
        return if after.checkers().is_empty() { 0 } else { MATE };
    }
    let won = -balance(&after) - balance(board);
    let lost = replies.iter().filter_map(|reply| after.piece_on(reply.to)).map(worth).max();
    won - lost.unwrap_or(0)
}

fn worth(piece: Piece) -> i32 {
    [100, 300, 300, 500, 900, 0][piece as usize]
}

/// The material of the side to move, less the material of the other, in hundredths of a pawn.
fn balance(board: &Board) -> i32 {
    let of = |color: Color| -> i32 {
        let count = |piece| board.colored_pieces(color, piece).len() as i32 * worth(piece);
        Piece::ALL.iter().map(|&piece| count(piece)).sum()
    };
    of(board.side_to_move()) - of(!board.side_to_move())
}

/// A number in [0, 1) that belongs to a position.
fn chance(board: &Board, stream: u64) -> f64 {
    let moves = u64::from(board.fullmove_number());
    mixed(board.hash() ^ moves.wrapping_mul(0x9e37_79b9) ^ (stream << 56)) as f64 / 2f64.powi(64)
}

fn noise(board: &Board, step: Move) -> u64 {
    mixed(board.hash() ^ ((step.from as u64) << 6) ^ step.to as u64)
}

/// The mixing step of SplitMix64.
fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
