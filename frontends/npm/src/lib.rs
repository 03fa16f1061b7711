//! Sparring's games and engine for JavaScript: `sparring::any` as classes for wasm-bindgen.
//! `js/index.js` wraps them in a JavaScript API.
//!
//! Values with several fields are passed as JSON text.

use js_sys::{Atomics, Function, Int32Array};
use serde_json::{Value, json};
use sparring::any::{self, AnyGame, TextEngine, TextLine, TextReport};
use sparring::error::Error;
use sparring::eval::features::only_board;
use sparring::eval::{Explanation, ScoreUnits};
use sparring::game::{Outcome, Side};
use sparring::games::GameId;
use sparring::search::score::plies_to_win;
use sparring::search::{Limits, Stop};
use sparring::weights::WeightSet;
use std::cell::RefCell;
use std::time::Duration;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

type Result<T> = std::result::Result<T, JsError>;

thread_local! {
    /// A flag that ends the running search once it is not 0.
    static STOP: RefCell<Option<Int32Array>> = const { RefCell::new(None) };
}

/// Whether another JavaScript thread has stopped the search.
fn is_stopped() -> bool {
    let is_set = |flag: &Int32Array| Atomics::load(flag, 0).is_ok_and(|value| value != 0);
    STOP.with_borrow(|flag| flag.as_ref().is_some_and(is_set))
}

fn into_js(error: Error) -> JsError {
    JsError::new(&error.to_string())
}

/// A game in progress, for JavaScript.
#[wasm_bindgen]
pub struct GameHandle(AnyGame);

#[wasm_bindgen]
impl GameHandle {
    /// A game at its start or at a given position.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str, board: Option<String>, fen: Option<String>) -> Result<GameHandle> {
        let id: GameId = game.parse().map_err(into_js)?;
        let made = match fen {
            Some(fen) => any::game_from_fen(id, &fen),
            None => {
                let board = board.map(|board| board.parse()).transpose().map_err(into_js)?;
                any::new_game(id, board)
            }
        };
        made.map(GameHandle).map_err(into_js)
    }

    /// The games with their boards, as JSON.
    pub fn games() -> String {
        let games = GameId::all().iter().copied().map(game_json);
        Value::Array(games.collect()).to_string()
    }

    /// The name of the game.
    pub fn game(&self) -> String {
        self.0.id().to_string()
    }

    /// The size of the board, columns x rows.
    pub fn board(&self) -> String {
        self.0.board().to_string()
    }

    /// The position in FEN notation.
    pub fn fen(&self) -> String {
        self.0.fen()
    }

    /// The side to move: 0 for the first side, 1 for the second.
    pub fn turn(&self) -> u32 {
        self.0.side_to_move().index() as u32
    }

    /// The players' name for a side (0 or 1).
    pub fn side_name(&self, side: u32) -> String {
        let side = if side == 0 { Side::First } else { Side::Second };
        self.0.side_name(side).to_owned()
    }

    /// The legal moves as text.
    pub fn moves(&self) -> Vec<String> {
        self.0.moves()
    }

    /// The moves played so far.
    pub fn history(&self) -> Vec<String> {
        self.0.history()
    }

    /// Plays a move and returns its text.
    pub fn push(&mut self, text: &str) -> Result<String> {
        self.0.push(text).map_err(into_js)
    }

    /// Takes the last move back and returns it.
    pub fn pop(&mut self) -> Option<String> {
        self.0.pop()
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` while the game continues.
    pub fn result(&self) -> String {
        let text = match self.0.outcome() {
            None => "*",
            Some(Outcome::Win(Side::First)) => "1-0",
            Some(Outcome::Win(Side::Second)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
        };
        text.to_owned()
    }

    /// The number of lines of this many plies.
    pub fn perft(&self, depth: u32) -> Result<f64> {
        self.0.perft(depth).map(|nodes| nodes as f64).map_err(into_js)
    }

    /// A drawing of the board as lines of text.
    pub fn diagram(&self) -> String {
        self.0.diagram()
    }

    /// An independent copy of the game.
    pub fn copy(&self) -> GameHandle {
        GameHandle(self.0.clone())
    }
}

/// A weight set, for JavaScript.
#[wasm_bindgen]
pub struct WeightsHandle(WeightSet);

#[wasm_bindgen]
impl WeightsHandle {
    /// Reads a weight file in either form. Errors name it by `place`.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], place: &str) -> Result<WeightsHandle> {
        WeightSet::from_bytes(bytes, place).map(WeightsHandle).map_err(into_js)
    }

    /// The set's description, without its numbers, as JSON.
    pub fn about(&self) -> String {
        let WeightSet { game, board, name, description, scale, .. } = &self.0;
        json!({
            "game": game, "board": board, "fits": only_board(&self.0), "name": name,
            "description": description, "scale": scale,
        })
        .to_string()
    }

    /// The scale that turns its scores into pieces and winning chances, as JSON.
    pub fn units(&self) -> Result<String> {
        let id: GameId = self.0.game.parse().map_err(into_js)?;
        let ScoreUnits { unit, win_scale } = id.score_units(&self.0).map_err(into_js)?;
        Ok(json!({ "unit": unit, "winScale": win_scale }).to_string())
    }

    /// A digest of everything in the set that affects play.
    pub fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    /// The weight file as JSON text.
    pub fn json(&self) -> String {
        self.0.to_json()
    }

    /// The weight file in the compact form.
    pub fn compact(&self) -> Result<Vec<u8>> {
        self.0.to_compact().map_err(into_js)
    }
}

/// An engine, for JavaScript.
#[wasm_bindgen]
pub struct EngineHandle {
    engine: TextEngine,
    set: WeightSet,
}

#[wasm_bindgen]
impl EngineHandle {
    /// An engine for a board, with a table of this many MiB.
    #[wasm_bindgen(constructor)]
    pub fn new(weights: &WeightsHandle, board: &str, hash: u32) -> Result<EngineHandle> {
        const MOST: u32 = 1024;
        if !(1..=MOST).contains(&hash) {
            return Err(JsError::new(&format!("hash {hash}: out of range; give 1 to {MOST} MiB")));
        }
        let set = weights.0.clone();
        let board = board.parse().map_err(into_js)?;
        let engine = any::engine(&set, board, (hash as usize) << 20).map_err(into_js)?;
        Ok(EngineHandle { engine, set })
    }

    /// Searches a game's position. `wanted` is JSON: the optional limits `nodes`, `depth` and
    /// `movetime` (in milliseconds); `lines`, the number of best lines to report; and `moves`, the
    /// first moves to choose from, or an empty list for all. `on_depth` receives the report of each
    /// depth. `stop` ends the search once its first number is not 0.
    pub fn search(
        &mut self,
        game: &GameHandle,
        wanted: &str,
        on_depth: Option<Function>,
        stop: Option<Int32Array>,
    ) -> std::result::Result<String, JsValue> {
        let wanted: Value = serde_json::from_str(wanted)
            .map_err(|error| JsError::new(&format!("what to search for: {error}")))?;
        let limits = Limits {
            nodes: wanted["nodes"].as_u64(),
            depth: wanted["depth"].as_u64().map(|depth| depth.try_into().unwrap_or(u32::MAX)),
            movetime: wanted["movetime"].as_u64().map(Duration::from_millis),
            clock: None,
        };
        let count =
            wanted["lines"].as_u64().map_or(1, |count| count.try_into().unwrap_or(usize::MAX));
        let moves = wanted["moves"].as_array().into_iter().flatten();
        let moves: Vec<String> = moves.filter_map(|mv| mv.as_str().map(Into::into)).collect();
        let lines = TextEngine::lines_of(&game.0, count, &moves).map_err(into_js)?;
        STOP.set(stop);
        let (stop, mut thrown) = (Stop::polling(is_stopped), None);
        let unit = self.engine.unit();
        let found = self.engine.search_lines(&lines, &game.0, &limits, &stop, &mut |report| {
            let Some(on_depth) = &on_depth else { return };
            let text = JsValue::from(report_json(report, unit).to_string());
            if let Err(error) = on_depth.call1(&JsValue::NULL, &text) {
                stop.set();
                thrown.get_or_insert(error);
            }
        });
        STOP.set(None);
        match (thrown, found) {
            (Some(error), _) => Err(error),
            (None, Ok(report)) => Ok(report_json(&report, unit).to_string()),
            (None, Err(error)) => Err(into_js(error).into()),
        }
    }

    /// The static value of a game's position, explained term by term, as JSON.
    pub fn explain(&self, game: &GameHandle) -> Result<String> {
        let found = game.0.explain(&self.set).map_err(into_js)?;
        Ok(explanation_json(&found, self.engine.unit()).to_string())
    }

    /// Clears all memory, as before each game.
    pub fn clear(&mut self) {
        self.engine.clear();
    }
}

fn report_json(report: &TextReport, unit: i32) -> Value {
    let TextReport { best, score, depth, pv, .. } = report.clone();
    let mut fields = line_json(&TextLine { depth, score, pv }, unit);
    fields["best"] = json!(best);
    fields["nodes"] = json!(report.nodes);
    fields["seconds"] = json!(report.elapsed.as_secs_f64());
    let lines = report.lines.iter().map(|line| line_json(line, unit));
    fields["lines"] = Value::Array(lines.collect());
    fields
}

fn line_json(TextLine { depth, score, pv }: &TextLine, unit: i32) -> Value {
    let plies = plies_to_win(*score);
    let pieces = f64::from(*score) / f64::from(unit.max(1));
    json!({
        "best": pv.first(),
        "score": score,
        "pieces": plies.is_none().then_some(pieces),
        "winIn": plies.filter(|&plies| plies > 0),
        "lossIn": plies.filter(|&plies| plies < 0).map(|plies| -plies),
        "depth": depth,
        "pv": pv,
    })
}

fn game_json(game: GameId) -> Value {
    let boards: Vec<String> = game.boards.iter().map(ToString::to_string).collect();
    let board = game.default_board.to_string();
    json!({ "name": game.name, "board": board, "boards": boards, "sides": game.side_names })
}

fn explanation_json(found: &Explanation, unit: i32) -> Value {
    json!({
        "phase": found.phase,
        "terms": found.terms,
        "tables": found.tables,
        "network": found.network,
        "sum": found.sum,
        "scale": found.scale,
        "score": found.score,
        "unit": unit,
    })
}
