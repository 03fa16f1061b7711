//! The network of a weight set: one hidden layer over the windows of the board, in integers.
//!
//! ```text
//! hidden[u] = hidden_biases[u] + sum over all windows of hidden_weights[input][u]
//! active[u] = min(max(hidden[u], 0), limit)^2
//! value     = (output_bias + sum over u of output_weights[u] x active[u]) / divisor,
//!             rounded toward zero
//! ```
//!
//! The value is one term of the set's weighted sum and is divided by the set's scale together with
//! the features' terms. The game defines the inputs: [`InputScheme`].

use super::fields;
use crate::error::{Error, Result};
use crate::game::Board;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// The greatest number of hidden units.
pub const MAX_UNITS: usize = 1024;
/// The largest absolute value of a hidden bias in any game: with the weights of 64 windows the sum
/// still fits into 16 bits.
pub const MAX_HIDDEN_BIAS: i16 = 24_000;
/// The greatest limit of a hidden unit: its square still fits into 16 bits.
pub const MAX_LIMIT: i16 = 181;
/// The greatest absolute value of a network: far below the scores of won games, even with all
/// features added.
pub const MAX_NETWORK_VALUE: i32 = 10_000_000;

/// The bounds in the type that the readers of fields use.
const UNITS: i32 = MAX_UNITS as i32;
const BIAS: i32 = MAX_HIDDEN_BIAS as i32;
const LIMIT: i32 = MAX_LIMIT as i32;
const LEAST_OUTPUT: i32 = i16::MIN as i32;
const MOST_OUTPUT: i32 = i16::MAX as i32;

/// A network: one hidden layer over the patterns of all windows of the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a network, which is an object")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Network {
    /// The windows whose patterns are the inputs, rows x columns.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub window: WindowShape,
    /// The number of hidden units.
    #[serde(deserialize_with = "fields::size::<1, UNITS, _>")]
    pub units: usize,
    /// The activation of a hidden unit: the square of its sum, held between 0 and the limit.
    pub activation: Activation,
    /// The greatest sum of a hidden unit that counts.
    #[serde(deserialize_with = "fields::short::<1, LIMIT, _>")]
    pub limit: i16,
    /// The divisor of the sum of the outputs.
    #[serde(deserialize_with = "fields::number::<1, { i32::MAX }, _>")]
    pub divisor: i32,
    /// The bias of each hidden unit.
    #[serde(deserialize_with = "fields::shorts::<{ -BIAS }, BIAS, _>")]
    pub hidden_biases: Vec<i16>,
    /// The bias of the output, added to the sum of the outputs.
    #[serde(deserialize_with = "fields::number::<{ i32::MIN }, { i32::MAX }, _>")]
    pub output_bias: i32,
    /// The weight of each hidden unit in the value.
    #[serde(deserialize_with = "fields::shorts::<LEAST_OUTPUT, MOST_OUTPUT, _>")]
    pub output_weights: Vec<i16>,
    /// The weights of each input for all hidden units, one input after the other: bytes with a
    /// sign, as base64.
    #[serde(serialize_with = "to_base64", deserialize_with = "from_base64")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub hidden_weights: Vec<i8>,
}

/// The activation of a hidden unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Activation {
    /// The square of the sum, held between 0 and the limit.
    #[default]
    Screlu,
}

impl<'de> Deserialize<'de> for Activation {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        match String::deserialize(d)?.as_str() {
            "screlu" => Ok(Self::Screlu),
            _ => Err(D::Error::custom("no activation that networks know; write \"screlu\"")),
        }
    }
}

/// The rows and columns of a window, written as `2x2`, rows first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowShape {
    /// Its rows.
    pub rows: u8,
    /// Its columns.
    pub cols: u8,
}

impl WindowShape {
    /// The window shapes that networks support.
    pub const ALL: [Self; 3] = [Self::new(2, 2), Self::new(2, 3), Self::new(3, 2)];

    /// The shape with these numbers of rows and columns.
    pub const fn new(rows: u8, cols: u8) -> Self {
        Self { rows, cols }
    }

    /// The number of positions of the window on a board.
    pub fn places(self, board: Board) -> usize {
        let places = |length: u8, side: u8| usize::from((side + 1).saturating_sub(length));
        places(self.rows, board.rows()) * places(self.cols, board.cols())
    }
}

/// The input scheme of a game's networks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputScheme {
    /// The windows that its networks may have.
    pub windows: &'static [WindowShape],
    /// The number of possible contents of a square.
    pub states: usize,
    /// The number of inputs after the windows' inputs, one of which is active: it tells whose turn
    /// it is and how much of the turn is left. 0 for a game without such inputs.
    pub turns: usize,
    /// The largest absolute value of a hidden bias: with the weights of all active inputs the sum
    /// still fits into 16 bits.
    pub most_bias: i16,
}

impl InputScheme {
    /// The pieces of the side to move and of the other side, on boards of at most 8x8.
    pub const SIDES: Self =
        Self { windows: &WindowShape::ALL, states: 3, turns: 0, most_bias: MAX_HIDDEN_BIAS };
    /// Three kinds of pieces, seen alike by both sides, on a board of 11x11.
    pub const KINDS: Self =
        Self { windows: &[WindowShape::new(2, 2)], states: 4, turns: 4, most_bias: 19_000 };

    /// The number of patterns of a window.
    pub const fn patterns(self, window: WindowShape) -> usize {
        self.states.pow(window.rows as u32 * window.cols as u32)
    }

    /// The number of inputs on a board.
    pub fn inputs(self, window: WindowShape, board: Board) -> usize {
        window.places(board) * self.patterns(window) + self.turns
    }

    /// The number of active inputs of a position.
    pub fn shown(self, window: WindowShape, board: Board) -> usize {
        window.places(board) + usize::from(self.turns > 0)
    }

    /// Checks that the game supports windows of this shape. `place` says where the shape comes
    /// from, for the error.
    ///
    /// # Errors
    /// When the game does not support it.
    pub fn check_window(self, window: WindowShape, place: &str) -> Result<()> {
        if self.windows.contains(&window) {
            return Ok(());
        }
        let known: Vec<String> = self.windows.iter().map(ToString::to_string).collect();
        Err(Error::input(place, format!("networks of this game have no windows of {window}"))
            .remedy(format!("choose {}", known.join(", "))))
    }
}

impl fmt::Display for WindowShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

impl FromStr for WindowShape {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Self::ALL.into_iter().find(|shape| shape.to_string() == text).ok_or_else(|| {
            let known = Self::ALL.map(|shape| shape.to_string()).join(", ");
            format!("no window that networks know; write one of {known}")
        })
    }
}

impl Serialize for WindowShape {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WindowShape {
    fn deserialize<D: Deserializer<'de>>(d: D) -> std::result::Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

fn to_base64<S: Serializer>(weights: &[i8], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = weights.iter().map(|weight| weight.to_le_bytes()[0]).collect();
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn from_base64<'de, D: Deserializer<'de>>(d: D) -> std::result::Result<Vec<i8>, D::Error> {
    let bytes = STANDARD.decode(String::deserialize(d)?).map_err(|error| {
        let error = error.to_string();
        let found = error.trim_end_matches('.');
        D::Error::custom(format!("no base64 ({found}); write the bytes as base64, with padding"))
    })?;
    Ok(bytes.into_iter().map(|byte| i8::from_le_bytes([byte])).collect())
}

impl Network {
    /// Checks the numbers of a network for a board of a game with these inputs. `place` is the
    /// file's name, for the error.
    ///
    /// # Errors
    /// When the length of a list does not match the units and inputs, or a number is out of range.
    pub fn check(&self, place: &str, scheme: InputScheme, board: Board) -> Result<()> {
        scheme.check_window(self.window, &format!("{place}, key `network.window`"))?;
        let inputs = scheme.inputs(self.window, board);
        let refuse = |key: &str, reason: String, remedy: String| {
            let place = format!("{place}, key `network.{key}`");
            Err(Error::input(place, reason).remedy(remedy))
        };
        if !(1..=MAX_UNITS).contains(&self.units) {
            return refuse(
                "units",
                format!("{} are out of range", self.units),
                format!("give 1 to {MAX_UNITS}"),
            );
        }
        if !(1..=MAX_LIMIT).contains(&self.limit) {
            let reason = format!("{} is out of range", self.limit);
            return refuse("limit", reason, format!("give 1 to {MAX_LIMIT}"));
        }
        if self.divisor < 1 {
            let reason = format!("{} is out of range", self.divisor);
            return refuse("divisor", reason, "give 1 or more".into());
        }
        for (key, length, expected) in [
            ("hidden_biases", self.hidden_biases.len(), self.units),
            ("output_weights", self.output_weights.len(), self.units),
            ("hidden_weights", self.hidden_weights.len(), inputs * self.units),
        ] {
            if length != expected {
                let reason = format!("{length} numbers where {expected} belong");
                return refuse(key, reason, "change `units`, or the list".into());
            }
        }
        let most = scheme.most_bias;
        let is_far = |bias: &&i16| bias.unsigned_abs() > most.unsigned_abs();
        if let Some(bias) = self.hidden_biases.iter().find(is_far) {
            let reason = format!("{bias} is out of range");
            let remedy = format!("give -{most} to {most}");
            return refuse("hidden_biases", reason, remedy);
        }
        let greatest = self.greatest_sum();
        if greatest > i64::from(i32::MAX) {
            let reason = "their sum, times the square of the limit, is beyond 32 bits".into();
            let remedy = "divide them, the bias and the divisor by the same number".into();
            return refuse("output_weights", reason, remedy);
        }
        if greatest / i64::from(self.divisor) > i64::from(MAX_NETWORK_VALUE) {
            let reason = format!("the network's value could exceed {MAX_NETWORK_VALUE}");
            return refuse("divisor", reason, "give a greater one".into());
        }
        Ok(())
    }

    /// The greatest absolute value of the output sum, bias included.
    fn greatest_sum(&self) -> i64 {
        let weights = self.output_weights.iter().map(|weight| i64::from(weight.unsigned_abs()));
        let weights: i64 = weights.sum();
        weights * i64::from(self.limit).pow(2) + i64::from(self.output_bias.unsigned_abs())
    }
}
