//! Networks a second time, from the text of a weight file and the FEN of a position, one square
//! after the other.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sparring::games::GameId;

/// A network's value of a position.
#[derive(Debug, PartialEq)]
pub(crate) struct Defined {
    pub(crate) inputs: Vec<u32>,
    pub(crate) hidden: Vec<i32>,
    pub(crate) value: i64,
}

/// Whether the squares of a game hold kinds of pieces, whoever is to move.
pub(crate) fn has_kinds(game: GameId) -> bool {
    game.name() == "breakthru"
}

/// The squares by row from the first one: as the side to move sees them, 0 empty, 1 own, 2 enemy;
/// in Breakthru the ships, 1 an escort, 2 a silver ship, 3 the flagship. `None` for a game whose
/// squares are not defined here: only one with networks or tables needs that.
pub(crate) fn squares(game: GameId, fen: &str) -> Option<Vec<Vec<u32>>> {
    let (signs, first, is_turned) = match game.name() {
        "ataxx" => ("xo", "x", false),
        "breakthrough" => ("Pp", "w", true),
        "breakthru" => ("gsF", "gold", false),
        _ => return None,
    };
    let mut fields = fen.split(' ');
    let (rows, begins) = (fields.next().unwrap(), fields.next().unwrap() == first);
    let digit = |sign: char| match signs.find(sign) {
        None => 0,
        Some(kind) if has_kinds(game) => 1 + kind as u32,
        Some(side) => 1 + u32::from((side == 0) != begins),
    };
    let row = |row: &str| -> Vec<u32> {
        let (mut squares, mut count) = (Vec::new(), 0);
        for sign in row.chars() {
            match sign.to_digit(10) {
                Some(further) => count = 10 * count + further as usize,
                None => {
                    squares.resize(squares.len() + count, 0);
                    count = 0;
                    squares.push(digit(sign));
                }
            }
        }
        squares.resize(squares.len() + count, 0);
        squares
    };
    let mut squares: Vec<Vec<u32>> = rows.split('/').map(row).collect();
    if begins || !is_turned {
        squares.reverse();
    }
    Some(squares)
}

fn inputs(squares: &[Vec<u32>], states: u32, height: usize, width: usize) -> Vec<u32> {
    let (rows, cols) = (squares.len(), squares[0].len());
    let mut inputs = Vec::new();
    for row in 0..rows {
        for col in 0..cols {
            if row + height > rows || col + width > cols {
                continue;
            }
            let mut pattern = 0;
            let mut worth = 1;
            for square in 0..height * width {
                pattern += worth * squares[row + square / width][col + square % width];
                worth *= states;
            }
            inputs.push(inputs.len() as u32 * worth + pattern);
        }
    }
    inputs
}

fn numbers(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

/// The value of a position by the network of a set, given as its file.
pub(crate) fn define(game: GameId, set: &Value, fen: &str) -> Defined {
    let network = &set["network"];
    let (height, width) = match network["window"].as_str().unwrap() {
        "2x2" => (2, 2),
        "2x3" => (2, 3),
        "3x2" => (3, 2),
        other => panic!("{other}"),
    };
    let bytes = STANDARD.decode(network["hidden_weights"].as_str().unwrap()).unwrap();
    let states = if has_kinds(game) { 4 } else { 3 };
    let squares = squares(game, fen).unwrap_or_else(|| panic!("{game} needs its squares here"));
    let mut inputs = inputs(&squares, states, height, width);
    let mut sign = 1;
    if has_kinds(game) {
        let fields: Vec<&str> = fen.split(' ').collect();
        let turn = 2 * u32::from(fields[1] == "silver") + u32::from(fields[2] != "-");
        inputs.push(inputs.len() as u32 * states.pow((height * width) as u32) + turn);
        sign = if turn < 2 { 1 } else { -1 };
    }
    let (mut hidden, mut value) = (Vec::new(), network["output_bias"].as_i64().unwrap());
    let limit = network["limit"].as_i64().unwrap();
    let units = network["units"].as_i64().unwrap() as usize;
    let (biases, outputs) =
        (numbers(&network["hidden_biases"]), numbers(&network["output_weights"]));
    for unit in 0..units {
        let weight = |input: &u32| i64::from(bytes[*input as usize * units + unit] as i8);
        let sum = biases[unit] + inputs.iter().map(weight).sum::<i64>();
        let active = if sum < 0 { 0 } else { sum.min(limit) };
        value += outputs[unit] * active * active;
        hidden.push(sum as i32);
    }
    // Integer division in Rust rounds toward zero.
    Defined { inputs, hidden, value: sign * (value / network["divisor"].as_i64().unwrap()) }
}
