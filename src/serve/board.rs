//! A game as the page draws it: the rules stay here, and the page gets squares with signs.

use super::scores::{GameScores, Scorer};
use crate::any::{AnyMove, AnyPosition};
use crate::arena::{GameRecord, SearchNote};
use crate::error::Result;
use crate::game::{Board, Side};
use crate::games::GameId;
use crate::run::RecordedGame;
use crate::search::score::{is_proven, plies_to_win};
use serde::Serialize;

/// A game with all its positions.
#[derive(Serialize)]
pub(super) struct GameView {
    /// Its number in the run, from 1.
    number: u64,
    /// The number of games that can be shown.
    total: u64,
    #[serde(flatten)]
    head: GameHead,
    cols: u8,
    rows: u8,
    /// The signs of each side's pieces; empty where upper-case letters are the first side's.
    signs: [&'static str; 2],
    /// The names of the sides, the first one's before the second's.
    sides: [&'static str; 2],
    /// The fault of a side that forfeited.
    forfeit: Option<String>,
    /// The weight set that gave the scores.
    scores_by: Option<String>,
    /// Whether the unit of the scores is a piece.
    in_pieces: bool,
    /// The reason why there are no scores.
    scores_error: Option<String>,
    /// The position before the first move, as text.
    start: String,
    /// Every position from the start, with the move that led to it.
    plies: Vec<PlyView>,
}

/// The data of a game in a list of games.
#[derive(Serialize)]
pub(super) struct GameHead {
    game: String,
    board: String,
    stage: String,
    pair: u64,
    players: [String; 2],
    result: String,
    ending: String,
    #[serde(rename = "plies_played")]
    length: usize,
}

/// A position and the move that led to it.
#[derive(Serialize)]
struct PlyView {
    ply: usize,
    #[serde(rename = "move")]
    mv: Option<String>,
    /// The side that made the move: `first` or `second`.
    by: Option<&'static str>,
    /// Whether the move belongs to the opening.
    opening: bool,
    /// A sign for each square, in rows from the top; a dot for an empty one.
    squares: String,
    /// The squares of the move, by their numbers in that text, the last one where it ends.
    marks: Vec<usize>,
    /// The score after the move in pieces, from the first side.
    score: Option<f64>,
    /// The side that wins, where that is proven.
    winner: Option<&'static str>,
    /// Plies until it has won.
    win_in: Option<u32>,
    /// The depth of the mover's search, where an external engine played.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// Its time in milliseconds, in games with a limit of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<u64>,
}

/// The source of the scores in a game with external engines.
const BY_PLAYERS: &str = "the players";

/// A mover's report, from the first side.
#[derive(Clone, Copy)]
struct ToldScore {
    score: Option<f64>,
    winner: Option<Side>,
    win_in: Option<u32>,
    depth: u32,
    ms: Option<u64>,
}

impl ToldScore {
    fn new(search: &SearchNote, mover: Side) -> Self {
        let sign = if mover == Side::First { 1.0 } else { -1.0 };
        let wins = search.mate.map(|moves| moves > 0);
        Self {
            score: search.cp.map(|cp| sign * f64::from(cp) / 100.0),
            winner: wins.map(|wins| if wins { mover } else { mover.other() }),
            // The mate counts from before the move, which has been made.
            win_in: search.mate.map(|moves| match moves {
                1.. => 2 * moves.unsigned_abs() - 2,
                _ => 2 * moves.unsigned_abs() - u32::from(moves < 0),
            }),
            depth: search.depth,
            ms: search.ms,
        }
    }
}

impl GameHead {
    pub(super) fn new(game: &RecordedGame) -> Self {
        let GameRecord { game: name, board, pair, players, result, .. } = &game.record;
        let words = |text: &String| text.split_whitespace().count();
        Self {
            game: name.clone(),
            board: board.clone(),
            stage: word(&game.stage),
            pair: *pair,
            players: players.clone(),
            result: result.clone(),
            ending: word(&game.record.ending),
            length: words(&game.record.opening) + words(&game.record.moves),
        }
    }
}

/// The word that stands for a value in files.
fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// The view of a game of a run with `total` games, with or without scores.
///
/// # Errors
/// When a move of it is illegal.
pub(super) fn view(game: &RecordedGame, total: u64, scored: bool) -> Result<GameView> {
    let id: GameId = game.record.game.parse()?;
    let board: Board = game.record.board.parse()?;
    let positions = game.record.replay()?;
    // The players' own scores go before our engine's.
    let recorded = &game.record.searches;
    let is_scored = scored && recorded.is_empty();
    let scorer = is_scored.then(|| Scorer::new(id, board)).transpose();
    let scores_error = scorer.as_ref().err().map(ToString::to_string);
    let scores: Option<GameScores> =
        scorer.ok().flatten().map(|mut scorer| scorer.scores(&positions));
    let plies = plies(game, &positions, board, scores.as_ref());
    Ok(GameView {
        number: game.number,
        total,
        head: GameHead::new(game),
        cols: board.cols(),
        rows: board.rows(),
        signs: id.piece_signs,
        sides: id.side_names,
        in_pieces: id.counts_in_pieces() || !id.has_engine(),
        forfeit: game.record.forfeit.as_ref().map(|forfeit| forfeit.reason.clone()),
        scores_by: match recorded.is_empty() {
            true => scores.map(|scores| scores.by),
            false => Some(BY_PLAYERS.into()),
        },
        scores_error,
        start: positions[0].1.fen(),
        plies,
    })
}

/// The start of a game and its moves, each with the position after it.
fn plies(
    game: &RecordedGame,
    positions: &[(Option<AnyMove>, AnyPosition)],
    board: Board,
    scores: Option<&GameScores>,
) -> Vec<PlyView> {
    let recorded = &game.record.searches;
    let opening = game.record.opening.split_whitespace().count();
    let mut before = &positions[0].1;
    let mut plies = Vec::with_capacity(positions.len());
    for (ply, (mv, position)) in positions.iter().enumerate() {
        let text = mv.map(|mv| before.move_text(mv));
        let found = scores.and_then(|scores| scores.of_plies.get(ply).copied().flatten());
        let told = ply.checked_sub(opening + 1).and_then(|place| recorded.get(place));
        let told = told.map(|search| ToldScore::new(search, before.side_to_move()));
        plies.push(PlyView {
            ply,
            depth: told.map(|told| told.depth),
            ms: told.and_then(|told| told.ms),
            by: text.as_ref().map(|_| side_name(before.side_to_move())),
            opening: ply > 0 && ply <= opening,
            squares: squares(&position.fen(), board),
            marks: text.as_ref().map_or(Vec::new(), |text| marks(text, board)),
            score: told.map_or_else(
                || {
                    let score = found.filter(|&score| !is_proven(score))?;
                    let pieces = f64::from(score) / f64::from(scores?.unit);
                    Some((pieces * 100.0).round() / 100.0)
                },
                |told| told.score,
            ),
            winner: told.and_then(|told| told.winner).map(side_name).or_else(|| {
                let score = found.filter(|&score| is_proven(score))?;
                Some(side_name(if score > 0 { Side::First } else { Side::Second }))
            }),
            win_in: told
                .and_then(|told| told.win_in)
                .or_else(|| found.and_then(plies_to_win).map(i32::unsigned_abs)),
            mv: text,
        });
        before = position;
    }
    plies
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The signs of a position's text, one for each square, with dots for the empty ones that the text
/// counts.
fn squares(fen: &str, board: Board) -> String {
    let rows = fen.split_whitespace().next().unwrap_or_default();
    let mut text = String::new();
    for row in rows.split('/') {
        let mut empty = 0;
        for sign in row.chars() {
            match sign.to_digit(10) {
                Some(digit) => empty = 10 * empty + digit as usize,
                None => {
                    text += &".".repeat(empty.min(board.cols().into()));
                    text.push(sign);
                    empty = 0;
                }
            }
        }
        text += &".".repeat(empty.min(board.cols().into()));
    }
    text
}

/// The squares that a move names, as numbers in rows from the top.
fn marks(text: &str, board: Board) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut marks = Vec::new();
    for (place, &letter) in bytes.iter().enumerate().filter(|(_, byte)| byte.is_ascii_lowercase()) {
        let digits = bytes[place + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let row: Option<usize> = text[place + 1..place + 1 + digits].parse().ok();
        let col = usize::from(letter - b'a');
        let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
        if let Some(row) = row.filter(|row| col < cols && (1..=rows).contains(row)) {
            marks.push((rows - row) * cols + col);
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_scores_are_those_of_the_first_side_after_the_move() {
        let told = |cp, mate, mover| {
            let search = SearchNote { cp, mate, depth: 9, ms: None };
            let ToldScore { score, winner, win_in, .. } = ToldScore::new(&search, mover);
            (score, winner, win_in)
        };
        assert_eq!(told(Some(31), None, Side::First), (Some(0.31), None, None));
        assert_eq!(told(Some(31), None, Side::Second), (Some(-0.31), None, None));
        let wins = |side, plies| (None, Some(side), Some(plies));
        assert_eq!(told(None, Some(1), Side::Second), wins(Side::Second, 0));
        assert_eq!(told(None, Some(3), Side::First), wins(Side::First, 4));
        assert_eq!(told(None, Some(-2), Side::First), wins(Side::Second, 3));
        assert_eq!(told(None, Some(0), Side::First), wins(Side::Second, 0));
    }

    #[test]
    fn squares_and_marks_are_those_of_the_text() {
        let board = Board::new(3, 2);
        assert_eq!(squares("P1p/3 w - - 0 1", board), "P.p...");
        assert_eq!((marks("a1b2", board), marks("0000", board)), (vec![3, 1], vec![]));
        let wide = Board::new(11, 11);
        assert_eq!(squares("11/5F5", wide), "................F.....");
        assert_eq!(marks("a11xk10", wide), [0, 21]);
        assert_eq!(marks("z99-a0", wide), Vec::<usize>::new());
    }
}
